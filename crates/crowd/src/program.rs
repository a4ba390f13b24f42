//! Linear programmes of the plane: the velocity nearest to the wanted one in all half-planes.
//!
//! The algorithm is incremental, as in van den Berg, Guy, Lin and Manocha, *Reciprocal n-body
//! collision avoidance* (2011), section 5. Half-planes come in an order that the caller derives
//! from their content, so the answer does not depend on the order of the units.

use navbake_navmesh::math::{length, sqrt};

/// A half-plane of velocities: all to the left of a line, as x and z are axes to the right and up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HalfPlane {
    /// A point on the line.
    pub(crate) point: [f64; 2],
    /// Unit vector along the line.
    pub(crate) along: [f64; 2],
}

impl HalfPlane {
    /// The distance of a velocity from the half-plane; negative inside.
    #[inline]
    pub(crate) fn violation(&self, v: [f64; 2]) -> f64 {
        cross(self.along, [self.point[0] - v[0], self.point[1] - v[1]])
    }
}

/// Lines nearer to parallel than this do not intersect.
const PARALLEL: f64 = 1e-5;

#[inline]
pub(crate) fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[inline]
pub(crate) fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// What is optimized within the half-planes and the disc of speeds.
#[derive(Clone, Copy)]
enum Aim {
    /// The velocity nearest to this one.
    Nearest([f64; 2]),
    /// The velocity farthest along this unit vector.
    Farthest([f64; 2]),
}

/// The velocity of at most `speed` nearest to `wanted` in all half-planes.
///
/// Where there is none, the velocity in the first `hard` half-planes that is least far from all
/// others. `spare` is room for as many half-planes.
pub(crate) fn solve(
    planes: &[HalfPlane],
    hard: usize,
    speed: f64,
    wanted: [f64; 2],
    spare: &mut [HalfPlane],
) -> [f64; 2] {
    let size = length(wanted[0], wanted[1]);
    let begin = if size > speed { wanted.map(|c| c / size * speed) } else { wanted };
    match within(planes, speed, Aim::Nearest(wanted), begin) {
        Ok(found) => found,
        Err((failed, found)) => least_violation(planes, hard, speed, failed, found, spare),
    }
}

/// The best velocity in all half-planes, or the first half-plane that leaves none, and the best
/// before it.
fn within(
    planes: &[HalfPlane],
    speed: f64,
    aim: Aim,
    mut best: [f64; 2],
) -> Result<[f64; 2], (usize, [f64; 2])> {
    for (k, plane) in planes.iter().enumerate() {
        if plane.violation(best) > 0.0 {
            best = on_line(&planes[..k], plane, speed, aim).ok_or((k, best))?;
        }
    }
    Ok(best)
}

/// The best velocity on the line of a half-plane, in the disc and the half-planes before.
fn on_line(before: &[HalfPlane], line: &HalfPlane, speed: f64, aim: Aim) -> Option<[f64; 2]> {
    let middle = dot(line.point, line.along);
    let square = middle * middle + speed * speed - dot(line.point, line.point);
    if square < 0.0 {
        return None;
    }
    let half = sqrt(square);
    let (mut least, mut most) = (-middle - half, -middle + half);
    for other in before {
        let turn = cross(line.along, other.along);
        let to = [line.point[0] - other.point[0], line.point[1] - other.point[1]];
        let side = cross(other.along, to);
        if turn.abs() <= PARALLEL {
            if side < 0.0 {
                return None;
            }
            continue;
        }
        let t = side / turn;
        if turn >= 0.0 {
            most = most.min(t);
        } else {
            least = least.max(t);
        }
        if least > most {
            return None;
        }
    }
    let t = match aim {
        Aim::Farthest(to) if dot(to, line.along) > 0.0 => most,
        Aim::Farthest(_) => least,
        Aim::Nearest(to) => {
            let to = [to[0] - line.point[0], to[1] - line.point[1]];
            dot(line.along, to).clamp(least, most)
        }
    };
    Some([line.point[0] + t * line.along[0], line.point[1] + t * line.along[1]])
}

/// The velocity least far from the half-planes after the hard ones, from one that fits those
/// before `failed`: a linear programme in three dimensions.
fn least_violation(
    planes: &[HalfPlane],
    hard: usize,
    speed: f64,
    failed: usize,
    mut best: [f64; 2],
    spare: &mut [HalfPlane],
) -> [f64; 2] {
    let mut depth = 0.0;
    for (k, plane) in planes.iter().enumerate().skip(failed) {
        if plane.violation(best) <= depth {
            continue;
        }
        // Where this half-plane is violated as much as another: a line again.
        let mut count = hard.min(k);
        spare[..count].copy_from_slice(&planes[..count]);
        for other in &planes[count..k] {
            let turn = cross(plane.along, other.along);
            let point = if turn.abs() <= PARALLEL {
                if dot(plane.along, other.along) > 0.0 {
                    continue;
                }
                [0, 1].map(|c| 0.5 * (plane.point[c] + other.point[c]))
            } else {
                let to = [plane.point[0] - other.point[0], plane.point[1] - other.point[1]];
                let t = cross(other.along, to) / turn;
                [0, 1].map(|c| plane.point[c] + t * plane.along[c])
            };
            let along = [0, 1].map(|c| other.along[c] - plane.along[c]);
            let size = length(along[0], along[1]);
            spare[count] = HalfPlane { point, along: along.map(|c| c / size) };
            count += 1;
        }
        let into = [-plane.along[1], plane.along[0]];
        let begin = into.map(|c| c * speed);
        // It fails by rounding alone; then the best up to now stays.
        if let Ok(found) = within(&spare[..count], speed, Aim::Farthest(into), begin) {
            best = found;
        }
        depth = plane.violation(best);
    }
    best
}
