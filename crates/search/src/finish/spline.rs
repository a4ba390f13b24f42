//! Smoothing: a Catmull-Rom spline through the path's corners.

use super::{FinishError, Finished, Line, Track};
use crate::ray::same_ground;
use crate::{Answer, Location, Query};

/// What the spline at a quarter, a half and three quarters of a stretch takes of the point before it, its two ends and the point after
/// it, in 128ths. In whole numbers they add up to the whole exactly, so moving or turning round a path moves or turns round its spline.
const STEPS: [[i64; 4]; 3] = [[-9, 111, 29, -3], [-8, 72, 72, -8], [-3, 29, 111, -9]];

/// How many places the smoothed form of a path of so many points can take.
pub fn spline_room(points: usize) -> usize {
    if points > 2 {
        4 * (points - 1) + 1
    } else {
        points
    }
}

impl Query<'_> {
    /// Smooths a path: between each two of its points three more are put, on a Catmull-Rom spline that goes through all of the path's
    /// points (before the first it is doubled, after the last likewise), and those that lie on a line up to a step of the grid are taken
    /// out again. A path of two points is straight and stays so. Where the spline would leave the mesh between two points, the straight
    /// stretch stays.
    ///
    /// `path` is an answer of [`Query::path`] on this mesh; `out` has room for [`spline_room`] places, whatever is in them.
    pub fn spline<'o>(
        &self,
        path: &Answer<'_>,
        out: &'o mut [Location],
    ) -> Result<Finished<'o>, FinishError> {
        let mut track = Track::new(*self, path)?;
        let mut line = Line::new(*self, out, spline_room(track.len()))?;
        line.put(track.start()?);
        let mut kept = 0;
        for j in 1..track.len() {
            let end = track.advance(j)?;
            if track.len() > 2 {
                let ends = [
                    track.point(j.saturating_sub(2))?,
                    track.point(j - 1)?,
                    end.point(),
                    track.point(j + 1)?,
                ];
                kept += usize::from(!curve(&mut line, ends, &end));
            }
            line.put(end);
        }
        if track.len() > 2 {
            line.prune();
        }
        Ok(line.finished(kept))
    }
}

/// Adds the spline's points before the end of a stretch, all or none.
fn curve(line: &mut Line<'_, '_>, points: [[i32; 2]; 4], end: &Location) -> bool {
    let (before, start) = (line.used, line.last());
    let steps = STEPS.iter().all(|weights| line.walk(at(points, weights)));
    // What lies before the end has to lead to its own ground, not to a storey above it.
    let query = line.query;
    let fits = steps
        && line.walk(end.point())
        && line.last().is_some_and(|last| {
            same_ground(
                &query,
                last.polygon(),
                end.polygon(),
                end.point(),
                |_, _| {},
            )
        });
    if !fits {
        line.used = before;
        if let (Some(start), Some(k)) = (start, before.checked_sub(1)) {
            line.points[k] = start;
        }
    }
    fits
}

/// The nearest grid point.
fn at(points: [[i32; 2]; 4], weights: &[i64; 4]) -> [i32; 2] {
    core::array::from_fn(|k| {
        let sum: i64 = (points.iter().zip(weights))
            .map(|(p, w)| i64::from(p[k]) * w)
            .sum();
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
