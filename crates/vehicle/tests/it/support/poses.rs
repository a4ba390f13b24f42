//! A check of paths that reads where the vehicle is and nothing else: no pieces, no tables, no
//! sweeps.
//!
//! Between two poses that are looked at, no point of the footprint is farther from the pose in the
//! middle than half the distance times how much farther out it is than the turning circle. So a
//! pose with more room than that clears all of its part of the path; where there is less, the part
//! is halved.
//!
//! Leaps to the side are noticed from half a hundredth of a tile on over the radius, leaps ahead
//! from rounding on.

use navbake_vehicle::{Footprint, Pose};

use navbake_testkit::solids::Solid;

use super::course::Map;
use super::{At, depth};

/// The least distance between poses that are looked at, tiles.
const STEP: f64 = 0.1;
/// How far around a footprint tiles are looked at.
const AROUND: f64 = 0.15;
/// Overlaps of no more than this are contact.
const CONTACT: f64 = 2e-6;
/// Parts of the path this short are judged by their middle.
const SHORT: f64 = 1e-6;
/// The error that rounding may add to a place or a heading.
const ROUNDING: f64 = 1e-8;

/// A path by its poses.
pub(crate) struct Watched<'a> {
    pub(crate) map: &'a Map,
    /// Things on it, in tiles.
    pub(crate) solids: &'a [Solid],
    pub(crate) footprint: &'a Footprint,
    /// The least turn radius.
    pub(crate) radius: f64,
    /// Tiles.
    pub(crate) length: f64,
    /// Where the vehicle is after this part of the path.
    pub(crate) pose: &'a dyn Fn(f64) -> Pose,
}

/// How a heading has changed, by the smaller turn.
fn turned(from: f64, to: f64) -> f64 {
    let d = (to - from).rem_euclid(std::f64::consts::TAU);
    d.min(std::f64::consts::TAU - d)
}

impl Watched<'_> {
    /// Follows the path from end to end: how many poses were looked at, or the first fault.
    pub(crate) fn follow(&self, from: Pose, to: [f64; 2], end: Option<f64>) -> Result<u64, String> {
        let steps = (self.length / STEP).ceil().max(1.0) as usize;
        let mut at = (self.pose)(0.0);
        if (at.x - from.x).hypot(at.z - from.z) > ROUNDING
            || turned(at.heading, from.heading) > ROUNDING
        {
            return Err(format!("begins at {at:?} and not at {from:?}"));
        }
        let mut seen = 1;
        for i in 0..steps {
            let [a, b] = [i, i + 1].map(|k| self.length * k as f64 / steps as f64);
            let next = (self.pose)(b);
            self.goes(at, next, b - a)?;
            seen += 1 + self.clear(a, b)?;
            at = next;
        }
        if (at.x - to[0]).hypot(at.z - to[1]) > ROUNDING {
            return Err(format!("ends at {at:?} and not at {to:?}"));
        }
        match end {
            Some(end) if turned(at.heading, end) > ROUNDING => {
                Err(format!("ends at {at:?} and not looking to {end}"))
            }
            _ => Ok(seen),
        }
    }

    /// Can a vehicle get from one pose to the other on a path this short?
    fn goes(&self, a: Pose, b: Pose, way: f64) -> Result<(), String> {
        let (dx, dz) = (b.x - a.x, b.z - a.z);
        if dx.hypot(dz) > way + ROUNDING {
            return Err(format!("leaps from {a:?} to {b:?} on {way}"));
        }
        if turned(a.heading, b.heading) > way / self.radius + ROUNDING {
            return Err(format!("turns from {a:?} to {b:?} on {way}: sharper than its radius"));
        }
        // Rows grow downwards. Ahead or back, but not to the side.
        let aside = dx * a.heading.sin() + dz * a.heading.cos();
        if aside.abs() > way * way / (2.0 * self.radius) + ROUNDING {
            return Err(format!("slides aside from {a:?} to {b:?}"));
        }
        Ok(())
    }

    /// Is a part of the path clear of everything blocked? Counts the poses that took.
    fn clear(&self, a: f64, b: f64) -> Result<u64, String> {
        let middle = (self.pose)((a + b) / 2.0);
        let room = self.room(middle);
        let moves = (b - a) / 2.0 * (1.0 + self.footprint.reach() / self.radius);
        if room >= moves {
            return Ok(1);
        }
        if room < -CONTACT {
            return Err(format!("hits something at {middle:?}, {} deep", -room));
        }
        if b - a < SHORT {
            return Ok(1);
        }
        let half = (a + b) / 2.0;
        Ok(1 + self.clear(a, half)? + self.clear(half, b)?)
    }

    /// The distance to blocked ground, at most [`AROUND`]; negative inside it.
    fn room(&self, at: Pose) -> f64 {
        let own = At { x: at.x, y: -at.z, heading: at.heading };
        let reach = self.footprint.reach() + AROUND + 0.5;
        let mut room = AROUND;
        for z in (at.z - reach).ceil() as i32..=(at.z + reach).floor() as i32 {
            for x in (at.x - reach).ceil() as i32..=(at.x + reach).floor() as i32 {
                if self.map.is_blocked([x, z]) {
                    room = room.min(-depth(self.footprint, own, [x, z]));
                }
            }
        }
        for solid in self.solids {
            // From the corner of the map, which is half a tile before the middle of its tile 0.
            let (sin, cos) = at.heading.sin_cos();
            let place = |[ahead, right]: [f64; 2]| {
                [at.x + 0.5 + ahead * cos + right * sin, at.z + 0.5 - ahead * sin + right * cos]
            };
            let corners: Vec<[f64; 2]> =
                self.footprint.corners().iter().map(|&c| place(c)).collect();
            room = room.min(match corners[..] {
                [] => solid.gap(&[place([0.0; 2])]) - self.footprint.reach(),
                _ => solid.gap(&corners),
            });
        }
        room
    }
}
