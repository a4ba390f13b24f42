//! The tiles that a vehicle's point passes along a curve, and how much of the curve is in each.

use navbake_format::VehicleView;
use navbake_navmesh::math::round;

use crate::curve::{Curve, Pose, Segment};
use crate::sweep::CONTACT;
use crate::trig::{PI, acos, sin_cos, wrapped};

/// Borders nearer than this along a curve are the one that it is on.
const NEAR: f64 = 1e-9;
/// Lengths are counted in quarters of a part, so that what runs along a border, or over a corner,
/// is shared equally.
pub(crate) const QUARTERS: u32 = 4;

/// Calls `f` with each tile that the point of a vehicle passes along a curve, and the length in it,
/// quarters of a part: `total` parts together.
///
/// A length along the border of two tiles counts half for each. Places where the curve leaves a
/// tile are rounded to the nearest part. A tile may come several times.
pub(crate) fn each_share(
    from: Pose,
    curve: &Curve,
    radius: f64,
    total: u32,
    mut f: impl FnMut([i32; 2], u64),
) {
    let (mut at, mut before, mut done) = (from, 0.0, 0);
    let last = curve.segments().len().wrapping_sub(1);
    for (k, segment) in curve.segments().iter().enumerate() {
        let mut along = 0.0;
        while along < segment.length {
            let next = next_border(at, segment, radius, along).min(segment.length);
            let exact = (before + next) * f64::from(VehicleView::UNITS);
            let is_last = k == last && next >= segment.length;
            let end = if is_last { total } else { (exact + 0.5) as u32 }.clamp(done, total);
            let middle = segment.pose(at, radius, (along + next) / 2.0);
            let [xs, zs] = [middle.x, middle.z].map(|v| [round(v - CONTACT), round(v + CONTACT)]);
            let share = u64::from(end - done);
            for x in xs {
                for z in zs {
                    f([x, z], share);
                }
            }
            (done, along) = (end, next);
        }
        before += segment.length;
        at = segment.end(at, radius);
    }
    if done < total {
        f([at.x, at.z].map(round), u64::from(QUARTERS) * u64::from(total - done));
    }
}

/// The length along a segment, beyond another, at which it meets a border of tiles; infinite where
/// it meets none.
fn next_border(from: Pose, segment: &Segment, radius: f64, along: f64) -> f64 {
    let at = segment.pose(from, radius, along);
    let lines = |v: f64| {
        [-1, 0, 1]
            .map(|k| f64::from(round(v) + k) - 0.5)
            .into_iter()
            .chain([f64::from(round(v) + 1) + 0.5])
    };
    let way = if segment.back { -1.0 } else { 1.0 };
    let (s, c) = sin_cos(from.heading);
    let mut least = f64::INFINITY;
    let mut meet = |length: f64| {
        if length > along + NEAR && length < least {
            least = length;
        }
    };
    if segment.turn == 0 {
        for (v, first, speed) in [(at.x, from.x, way * c), (at.z, from.z, -way * s)] {
            if speed.abs() > 1e-12 {
                lines(v).for_each(|line| meet((line - first) / speed));
            }
        }
        return least;
    }
    // The sine of the heading gives the column on the circle, its cosine the row.
    let across = f64::from(segment.turn) * radius;
    let sense = f64::from(segment.turn) * way;
    let mut meet = |heading: f64| meet(wrapped(sense * (heading - from.heading)) * radius);
    for line in lines(at.x) {
        let sine = (line - from.x) / across + s;
        if sine.abs() <= 1.0 {
            let heading = PI / 2.0 - acos(sine);
            meet(heading);
            meet(PI - heading);
        }
    }
    for line in lines(at.z) {
        let cosine = (line - from.z) / across + c;
        if cosine.abs() <= 1.0 {
            meet(acos(cosine));
            meet(-acos(cosine));
        }
    }
    least
}
