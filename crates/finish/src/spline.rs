//! Smoothing: a Catmull-Rom spline through the path's corners.

use navbake_search::{NavPath, NavPoint, NavQuery};

use crate::line::Line;
use crate::{FinishError, Finished};

/// Weights of the spline at a quarter, a half and three quarters of a stretch, in 128ths.
///
/// They are for the point before the stretch, its two ends and the point after it. They add up to
/// the whole exactly, so moving or reversing a path moves or reverses its spline.
const STEPS: [[i64; 4]; 3] = [[-9, 111, 29, -3], [-8, 72, 72, -8], [-3, 29, 111, -9]];

/// The most places that the spline of a path with this many points takes.
pub fn spline_room(points: usize) -> usize {
    if points > 2 { 4 * (points - 1) + 1 } else { points }
}

/// Smooths a path by a Catmull-Rom spline through its points.
///
/// Three points are put between each two, and those on a line, up to a step of the grid, are taken
/// out again. The first and the last point count twice. A path of two points stays straight, and so
/// does a stretch whose curve would leave the mesh.
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
    let count = path.points.len();
    let mut line = Line::new(*query, out, spline_room(count))?;
    let start = places.next().ok_or(FinishError::NotAPath)??;
    line.put(start);
    let (mut before, mut last, mut kept) = (start.point(), start.point(), 0);
    for (next, end) in (2..).zip(places) {
        let end = end?;
        if count > 2 {
            let behind = path.points[next.min(count - 1)];
            let behind = query.mesh().grid().snap(behind);
            let [x, _, z] = behind.ok_or(FinishError::NotAPath)?;
            let points = [before, last, end.point(), [x, z]];
            kept += usize::from(!curve(&mut line, points, &end));
        }
        line.put(end);
        (before, last) = (last, end.point());
    }
    if count > 2 {
        line.prune();
    }
    Ok(line.finished(kept))
}

/// Adds the spline's points before the end of a stretch, all or none.
fn curve(line: &mut Line<'_, '_>, points: [[i32; 2]; 4], end: &NavPoint) -> bool {
    let (used, last) = (line.used, line.last());
    let steps = STEPS.iter().all(|weights| line.walk(at(points, weights)));
    let fits = steps && line.walk(end.point()) && line.is_on_ground_of(end);
    if !fits {
        line.back_to(used, last);
    }
    fits
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
    fn the_room_is_four_places_a_stretch_and_none_more_for_straight_paths() {
        assert_eq!([0, 1, 2, 3, 4].map(spline_room), [0, 1, 2, 9, 13]);
    }
}
