//! Smoothing: a Catmull-Rom spline through the path's corners.

use navbake_format::exact;
use navbake_navmesh::math::{grid_distance, length, sqrt};
use navbake_search::{NavPath, NavPoint, NavQuery};

use crate::line::Line;
use crate::{FinishError, Finished};

/// Weights of the spline at a quarter, a half and three quarters of a stretch, in 128ths.
///
/// They are for the point before the stretch, its two ends and the point after it. They add up to
/// the whole exactly, so moving or reversing a path moves or reverses its spline.
const STEPS: [[i64; 4]; 3] = [[-9, 111, 29, -3], [-8, 72, 72, -8], [-3, 29, 111, -9]];

/// The part of the shorter of its two stretches that a corner's curve takes at most on each side.
const REACH: f64 = 0.45;

/// How often a curve that does not fit is tried at half the size.
const HALVINGS: usize = 5;

/// What a curve may add to the length of its two stretches. Each stretch has two corners, so that
/// a path gets at most twice that longer.
const LONGER: f64 = 0.01;

/// The most that rounding may turn a curve, radians: about 6 degrees, on coarse grids alone.
const MOST_ROUNDING: f64 = 0.1;

/// Points of a curve besides its corner.
const ADDED: usize = 8;

/// The most places that the spline of a path with this many points takes.
pub fn spline_room(points: usize) -> usize {
    points + ADDED * points.saturating_sub(2)
}

/// Smooths a path by a Catmull-Rom spline through its points.
///
/// The spline has a point on each side of a corner, both at the same distance from it, so it bends
/// around the corner and is straight elsewhere; equal distances make the uniform spline the
/// centripetal one. Three points are put between each two of a curve, and those on a line, up to a
/// step of the grid, are taken out again. No turn of a curve is sharper than the sharpest of the
/// path, which gets at most 2 % longer, both up to the rounding of points to the grid. A curve that
/// leaves the mesh, or breaks these promises, is made smaller, and the corner stays where even a
/// small one does.
///
/// `path` is a path of [`NavQuery::find_path`] on this mesh; `out` has room for [`spline_room`]
/// places, whatever is in them.
///
/// # Errors
/// When `out` is too short, or when the answer is not a path on this mesh.
pub fn spline<'o>(
    query: &NavQuery<'_>,
    path: &NavPath<'_>,
    out: &'o mut [NavPoint],
) -> Result<Finished<'o>, FinishError> {
    let mut places = crate::path_places(query, path)?;
    let mut line = Line::new(*query, out, spline_room(path.points.len()))?;
    let start = places.next().ok_or(FinishError::NotAPath)??;
    line.put(start);
    let (mut before, mut kept) = (start.point(), 0);
    let mut here = places.next().transpose()?;
    let corners = path.points.windows(3).map(|w| {
        let [[ax, _, az], [cx, _, cz], [bx, _, bz]] = [w[0], w[1], w[2]];
        let (u, v) = ([cx - ax, cz - az], [bx - cx, bz - cz]);
        (u[0] * v[0] + u[1] * v[1])
            / (length(u[0], u[1]) * length(v[0], v[1])).max(f64::MIN_POSITIVE)
    });
    let sharpest = corners.fold(1.0, f64::min);
    while let Some(corner) = here {
        here = places.next().transpose()?;
        let curved = here.as_ref().is_some_and(|next| {
            let is_bent = cosine([before, corner.point(), next.point()]) < 1.0;
            let curved = is_bent && curve(&mut line, before, &corner, next, sharpest);
            kept += usize::from(!curved && is_bent);
            curved
        });
        if !curved {
            line.put(corner);
        }
        before = corner.point();
    }
    if path.points.len() > 2 {
        line.prune();
    }
    Ok(line.finished(kept))
}

/// Takes the line around a corner, up to where it goes straight on to the next one.
fn curve(
    line: &mut Line<'_, '_>,
    before: [i32; 2],
    corner: &NavPoint,
    next: &NavPoint,
    sharpest: f64,
) -> bool {
    let c = corner.point();
    let lengths = [grid_distance(before, c), grid_distance(c, next.point())];
    let mut reach = REACH * lengths[0].min(lengths[1]);
    let (used, last) = (line.used, line.last());
    let ends = [(before, lengths[0]), (next.point(), lengths[1])];
    let units =
        ends.map(|(end, length)| [0, 1].map(|k| (f64::from(end[k]) - f64::from(c[k])) / length));
    let inwards = [0, 1].map(|k| units[0][k] + units[1][k]);
    let size = length(inwards[0], inwards[1]).max(f64::MIN_POSITIVE);
    for attempt in 0..2 * HALVINGS {
        // Every other time a step of the grid away from the wall that the path bends around.
        let out = if attempt % 2 == 0 { 0.0 } else { 1.0 };
        let [a, b] = units.map(|unit| {
            let place = |k: usize| reach * unit[k] - out * inwards[k] / size;
            [0, 1].map(|k| c[k] + navbake_navmesh::math::round(place(k)))
        });
        if a == c || b == c {
            return false;
        }
        let beyond = |p: [i32; 2]| [2 * p[0] - c[0], 2 * p[1] - c[1]];
        let half = |line: &mut Line<'_, '_>, points: [[i32; 2]; 4]| {
            STEPS.iter().all(|weights| line.walk(at(points, weights))) && line.walk(points[2])
        };
        let around = line.walk(a) && half(line, [beyond(a), a, c, b]);
        if around && line.is_on_ground_of(corner) {
            line.put(*corner);
            if half(line, [a, c, b, beyond(b)]) {
                let settled = (line.used, line.last());
                let fits = line.walk(next.point())
                    && line.is_on_ground_of(next)
                    && is_gentle(line, used, sharpest)
                    && added(line, used, c) <= LONGER * (lengths[0] + lengths[1]);
                if fits {
                    line.back_to(settled.0, settled.1);
                    return true;
                }
            }
        }
        line.back_to(used, last);
        reach /= 1.0 + out;
    }
    false
}

/// Is no turn of the line from point `used - 1` on sharper than the sharpest of the path, up to the
/// rounding of points?
fn is_gentle(line: &Line<'_, '_>, used: usize, sharpest: f64) -> bool {
    let points = &line.points[used.saturating_sub(2)..line.used];
    points.windows(3).all(|w| {
        let turn = [0, 1, 2].map(|k| w[k].point());
        // Points are up to half a step off, so that short pieces turn by this much.
        let rounding = [0, 1].map(|k| 0.5 / grid_distance(turn[k], turn[k + 1]).max(1.0));
        let slack = (rounding[0] + rounding[1]).min(MOST_ROUNDING);
        let sine = sqrt((1.0 - sharpest * sharpest).max(0.0));
        cosine(turn) >= sharpest * (1.0 - slack * slack / 2.0) - sine * slack
    })
}

/// By how much the line from point `used - 1` on is longer than over the corner, in grid units.
fn added(line: &Line<'_, '_>, used: usize, corner: [i32; 2]) -> f64 {
    let points = &line.points[used.saturating_sub(1)..line.used];
    let sum = points.windows(2).map(|w| grid_distance(w[0].point(), w[1].point())).sum::<f64>();
    match points {
        [first, .., last] => {
            sum - grid_distance(first.point(), corner) - grid_distance(corner, last.point())
        }
        _ => 0.0,
    }
}

/// The cosine of the turn at the middle one of three points; 1 straight on, -1 right back.
fn cosine([a, c, b]: [[i32; 2]; 3]) -> f64 {
    let [u, v] = [[a, c], [c, b]].map(|[from, to]| exact::direction(from, to));
    let size = grid_distance(a, c) * grid_distance(c, b);
    if exact::cross(u, v) == 0 && exact::dot(u, v) >= 0 || size == 0.0 {
        return 1.0;
    }
    exact::dot(u, v) as f64 / size
}

/// The nearest grid point.
fn at(points: [[i32; 2]; 4], weights: &[i64; 4]) -> [i32; 2] {
    core::array::from_fn(|k| {
        let sum: i64 = (points.iter().zip(weights)).map(|(p, w)| i64::from(p[k]) * w).sum();
        ((sum + 64) >> 7) as i32
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The polynomial that the steps are taken from.
    fn catmull_rom(p: [f64; 4], u: f64) -> f64 {
        p[0] * (-0.5 * u * u * u + u * u - 0.5 * u)
            + p[1] * (1.5 * u * u * u - 2.5 * u * u + 1.0)
            + p[2] * (-1.5 * u * u * u + 2.0 * u * u + 0.5 * u)
            + p[3] * (0.5 * u * u * u - 0.5 * u * u)
    }

    #[test]
    fn the_steps_are_those_of_the_polynomial_and_add_up_to_one() {
        for (weights, u) in STEPS.iter().zip([0.25, 0.5, 0.75]) {
            assert_eq!(weights.iter().sum::<i64>(), 128);
            for k in 0..4 {
                let mut p = [0.0; 4];
                p[k] = 128.0;
                assert_eq!(weights[k] as f64, catmull_rom(p, u));
            }
        }
    }

    #[test]
    fn a_moved_path_has_a_moved_spline() {
        let points = [[0, 0], [901, 77], [1800, -333], [2500, 12]];
        for weights in &STEPS {
            let moved = points.map(|p| [p[0] - 4_000_001, p[1] + 30_000_003]);
            let [x, z] = at(points, weights);
            assert_eq!(at(moved, weights), [x - 4_000_001, z + 30_000_003]);
        }
    }

    #[test]
    fn the_room_is_eight_places_a_corner_and_none_more_for_straight_paths() {
        assert_eq!([0, 1, 2, 3, 4].map(spline_room), [0, 1, 2, 11, 20]);
    }
}
