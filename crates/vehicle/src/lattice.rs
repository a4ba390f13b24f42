//! Poses of the lattice, and numbers in parts of a tile.

use navbake_format::VehicleView;

use crate::curve::Pose;
use crate::trig::TURN;

/// A cost times a factor, rounded up; saturates.
#[inline]
pub(crate) fn times(cost: u32, factor: f64) -> u32 {
    let exact = f64::from(cost) * factor;
    let down = exact as u32; // saturates
    down.saturating_add(u32::from(f64::from(down) < exact))
}

/// A length in parts of a tile, rounded up.
///
/// Curves that are whole parts long by design do not get a part longer by rounding.
pub(crate) fn parts(length: f64) -> u32 {
    let exact = length * f64::from(VehicleView::UNITS) - 1e-6;
    let down = exact as u32; // saturates
    down.saturating_add(u32::from(f64::from(down) < exact))
}

/// A pose of the lattice.
#[inline]
pub(crate) fn lattice_pose([x, z]: [i32; 2], heading: u32, headings: u32) -> Pose {
    Pose {
        x: f64::from(x),
        z: f64::from(z),
        heading: f64::from(heading) * TURN / f64::from(headings),
    }
}
