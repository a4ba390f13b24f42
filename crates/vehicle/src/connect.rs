//! Free curves between any pose and a state, tested on the ground: from the start, and to the goal.

use crate::curve::{Curve, Pose};
use crate::dubins::{Between, Word};
use crate::ground::Ground;
use crate::lattice::parts;
use crate::point;
use crate::sweep::{is_hit, is_pose_hit};
use crate::tables::Vehicle;
use crate::trig::PI;

/// Where a search is to end. Tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    Pose(Pose),
    Point([f64; 2]),
}

impl Target {
    pub(crate) fn place(&self) -> [f64; 2] {
        match *self {
            Target::Pose(pose) => [pose.x, pose.z],
            Target::Point(point) => point,
        }
    }
}

fn about(pose: Pose) -> Pose {
    Pose { heading: pose.heading + PI, ..pose }
}

/// The curve of a form in a gear. The form's bits above the third are the speed class.
pub(crate) fn curve(
    vehicle: &Vehicle<'_>,
    from: Pose,
    to: &Target,
    gear: u32,
    form: u8,
) -> Option<Curve> {
    let radius = vehicle.radius_of(form >> 3);
    let form = form & 7;
    let start = if gear > 0 { about(from) } else { from };
    let curve = match *to {
        Target::Point(place) => point::curve(start, place, radius, form)?,
        Target::Pose(pose) => {
            let end = if gear > 0 { about(pose) } else { pose };
            let word = *Word::ALL.get(usize::from(form))?;
            Between::new(start, end, radius).curve(word)?
        }
    };
    Some(if gear > 0 { curve.backwards() } else { curve })
}

/// The lengths of all forms in a gear, infinite where there is none.
fn lengths(vehicle: &Vehicle<'_>, from: Pose, to: &Target, class: u8, gear: u32) -> [f64; 6] {
    let mut lengths = [f64::INFINITY; 6];
    match *to {
        Target::Point(_) => {
            for form in 0..point::FORMS {
                if let Some(curve) = curve(vehicle, from, to, gear, form | class << 3) {
                    lengths[usize::from(form)] = curve.length();
                }
            }
        }
        Target::Pose(pose) => {
            let (start, end) = if gear > 0 { (about(from), about(pose)) } else { (from, pose) };
            let between = Between::new(start, end, vehicle.radius_of(class));
            for (length, word) in lengths.iter_mut().zip(Word::ALL) {
                *length = between.length(word).unwrap_or(f64::INFINITY);
            }
        }
    }
    lengths
}

/// The shortest curve of a speed class in a gear that is no longer than `most` and touches nothing
/// blocked: its form, and its length in parts.
pub(crate) fn free_curve(
    vehicle: &Vehicle<'_>,
    ground: &Ground<'_>,
    from: Pose,
    to: &Target,
    class: u8,
    gear: u32,
    most: f64,
) -> Option<(u8, u32)> {
    let radius = vehicle.radius_of(class);
    let mut lengths = lengths(vehicle, from, to, class, gear);
    loop {
        let (mut form, mut least) = (0, f64::INFINITY);
        for (i, &length) in lengths.iter().enumerate() {
            if length < least {
                (form, least) = (i, length);
            }
        }
        if least > most {
            return None;
        }
        lengths[form] = f64::INFINITY;
        let form = form as u8 | class << 3; // below 6, and the class
        let Some(curve) = curve(vehicle, from, to, gear, form) else {
            continue;
        };
        let blocked = |tile| ground.is_blocked(tile);
        if !is_hit(&vehicle.footprint, radius, from, &curve, blocked) {
            return Some((form, parts(least).max(1)));
        }
    }
}

/// Does a vehicle at that pose touch something blocked?
pub(crate) fn is_blocked_at(vehicle: &Vehicle<'_>, ground: &Ground<'_>, pose: Pose) -> bool {
    is_pose_hit(&vehicle.footprint, pose, |tile| ground.is_blocked(tile))
}
