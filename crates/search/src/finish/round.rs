//! Rounding: corners become arcs of the radius that a unit turns with.
//!
//! A circle is put at each corner, and the path runs along tangents common to neighbouring circles and along the arcs between them. Where
//! there is ground on the inner side of the corner, the circle touches both of its sides, and the path is cut short. A shortest path has a
//! wall there; then the circle goes through the corner itself, and the path swings wide around it. Circles are placed and tangents drawn
//! with square roots alone, points are rounded to the grid, and each piece is walked before it is believed.

use navbake_format::exact;

use super::{FinishError, Finished, Line, Track};
use crate::math::{float, length, sqrt};
use crate::ray::same_ground;
use crate::{Answer, Location, Query};

/// How corners are rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding {
    /// Radius of the arcs, m.
    pub radius: f64,
    /// How far the straight pieces of an arc may lie from it, m. An arc of half a turn has at most 64 pieces all the same.
    pub chord_error: f64,
}

/// The pieces of half a turn that are never exceeded.
const CHORDS: usize = 64;
/// Cosine of 180/64 degrees: the shortest step along an arc.
const LEAST_STEP: f64 = 0.998_795_456_205_172_4;
/// Cosine of 60 degrees: the longest.
const LONGEST_STEP: f64 = 0.5;

impl Rounding {
    /// With arcs of a radius, and straight pieces no more than a hundredth of it, or 1 cm if that is more, away from them.
    pub fn new(radius: f64) -> Rounding {
        Rounding {
            radius,
            chord_error: (radius / 100.0).max(0.01),
        }
    }

    /// How many places the rounded form of a path of so many points can take.
    pub fn room(&self, points: usize) -> usize {
        let corners = points.saturating_sub(2);
        points + corners * (2 * (CHORDS + 1) + 1)
    }

    /// Cosine and sine of the step along the arc: a chord's sagitta is `radius (1 - cos(step / 2))`.
    fn step(&self) -> [f64; 2] {
        let half = 1.0 - (self.chord_error / self.radius).clamp(0.0, 1.0);
        let cos = (2.0 * half * half - 1.0).clamp(LONGEST_STEP, LEAST_STEP);
        [cos, sqrt(1.0 - cos * cos)]
    }
}

impl Query<'_> {
    /// Rounds the corners of a path by arcs. A corner stays sharp where the mesh has no room for the arc or the ways to it, where a
    /// neighbouring corner is too near, and where the path turns right back.
    ///
    /// `path` is an answer of [`Query::path`] on this mesh; `out` has room for [`Rounding::room`] places, whatever is in them. A radius
    /// that is not a positive number leaves all corners sharp.
    pub fn round<'o>(
        &self,
        path: &Answer<'_>,
        rounding: Rounding,
        out: &'o mut [Location],
    ) -> Result<Finished<'o>, FinishError> {
        let mut track = Track::new(*self, path)?;
        let line = Line::new(*self, out, rounding.room(track.len()))?;
        let mut bends = Bends {
            line,
            step: rounding.step(),
            last: Bend::point(track.point(0)?),
            entry: float(track.point(0)?),
        };
        bends.line.put(track.start()?);
        let radius = rounding.radius * self.mesh().grid().units();
        let mut kept = 0;
        let mut here = match track.len() {
            1 => None,
            _ => Some(track.advance(1)?),
        };
        for j in 1..track.len() {
            let Some(corner) = here else { break };
            here = match j + 1 < track.len() {
                true => Some(track.advance(j + 1)?),
                false => None,
            };
            let rounded = match &here {
                None => false,
                Some(next) => {
                    let around = [track.point(j - 1)?, corner.point(), next.point()];
                    let turned = (Bend::at(around, radius).into_iter().flatten())
                        .any(|bend| bends.turn(bend, next));
                    kept += usize::from(!turned && !is_straight(around));
                    turned
                }
            };
            if !rounded {
                bends.sharp(&corner)?;
            }
        }
        Ok(bends.line.finished(kept))
    }
}

/// A circle that the path runs along, to the left when the radius is positive, or a point that it goes through.
#[derive(Clone, Copy)]
struct Bend {
    centre: [f64; 2],
    radius: f64,
    /// The point of the arc midway through the turn.
    middle: [i32; 2],
}

impl Bend {
    fn point(p: [i32; 2]) -> Bend {
        Bend {
            centre: float(p),
            radius: 0.0,
            middle: p,
        }
    }

    /// The circle within the bend and the one through the corner.
    fn at([a, c, b]: [[i32; 2]; 3], radius: f64) -> [Option<Bend>; 2] {
        let turn = exact::orient(a, c, b);
        if turn == 0 || !(radius > 0.0 && radius.is_finite()) {
            return [None; 2];
        }
        let (before, after) = (unit(c, a), unit(c, b));
        let sum = [before[0] + after[0], before[1] + after[1]];
        let size = length(sum[0], sum[1]);
        let inwards = sum.map(|c| c / size);
        // Sine of half the angle between both sides.
        let sine = cross(before, inwards).abs();
        let signed = radius.copysign(turn as f64);
        let (corner, bend) = (float(c), |centre: [f64; 2], middle| Bend {
            centre,
            radius: signed,
            middle,
        });
        let move_in = |by: f64| [corner[0] + by * inwards[0], corner[1] + by * inwards[1]];
        let inside = bend(
            move_in(radius / sine),
            rounded(move_in(radius / sine - radius)),
        );
        let through = bend(move_in(radius), c);
        [inside, through].map(|bend| bend.centre.iter().all(|c| c.is_finite()).then_some(bend))
    }

    /// Where the tangent from this circle to the next leaves and where it arrives.
    fn tangent(&self, to: &Bend) -> Option<[[f64; 2]; 2]> {
        let d = difference(self.centre, to.centre);
        let square = d[0] * d[0] + d[1] * d[1];
        // A line with the centres at these distances to its left: so much nearer to it is the first.
        let nearer = to.radius - self.radius;
        let along = square - nearer * nearer;
        if square.is_nan() || square <= 0.0 || along < 0.0 {
            return None;
        }
        let (along, left) = (sqrt(along), [d[1], -d[0]]);
        let normal = [0, 1].map(|k| (left[k] * along + d[k] * nearer) / square);
        let touch = |b: &Bend| [0, 1].map(|k| b.centre[k] - b.radius * normal[k]);
        Some([touch(self), touch(to)])
    }
}

/// The path as far as it is settled: up to where it comes to the last bend.
struct Bends<'a, 'o> {
    line: Line<'a, 'o>,
    /// Cosine and sine of the step along an arc.
    step: [f64; 2],
    last: Bend,
    /// Where the path comes to the last bend; the end of the line.
    entry: [f64; 2],
}

impl Bends<'_, '_> {
    /// Takes the path on to a bend, when from there it could go around it and straight to the next corner. That way stays open.
    fn turn(&mut self, bend: Bend, next: &Location) -> bool {
        let (before, start) = (self.line.used, self.line.last());
        let tangents = self
            .last
            .tangent(&bend)
            .zip(bend.tangent(&Bend::point(next.point())));
        if let Some(([leave, arrive], [out, _])) = tangents
            && self.arc(self.last, self.entry, leave)
            && self.line.walk(rounded(arrive))
        {
            let settled = self.line.used;
            let fits = self.arc(bend, arrive, out) && self.line.walk(next.point());
            let query = self.line.query;
            // What is walked to the next corner has to lead to its own ground, not to a storey above it.
            let same = fits
                && self.line.last().is_some_and(|last| {
                    same_ground(
                        &query,
                        last.polygon(),
                        next.polygon(),
                        next.point(),
                        |_, _| {},
                    )
                });
            if same {
                self.line.used = settled;
                (self.last, self.entry) = (bend, arrive);
                return true;
            }
        }
        self.line.used = before;
        if let (Some(start), Some(k)) = (start, before.checked_sub(1)) {
            self.line.points[k] = start;
        }
        false
    }

    /// Takes the path on to a corner itself.
    fn sharp(&mut self, corner: &Location) -> Result<(), FinishError> {
        let point = Bend::point(corner.point());
        if self.last.radius != 0.0 {
            // This has been walked before, when the last bend was taken.
            let open = (self.last.tangent(&point))
                .is_some_and(|[leave, _]| self.arc(self.last, self.entry, leave));
            if !(open && self.line.walk(corner.point())) {
                return Err(FinishError::NotAPath);
            }
        }
        self.line.put(*corner);
        (self.last, self.entry) = (point, point.centre);
        Ok(())
    }

    /// Walks along an arc, from one of its points, where the line ends, through its middle to another.
    fn arc(&mut self, bend: Bend, from: [f64; 2], to: [f64; 2]) -> bool {
        if bend.radius == 0.0 {
            return true;
        }
        let middle = float(bend.middle);
        self.half_arc(&bend, from, middle)
            && self.line.walk(bend.middle)
            && self.half_arc(&bend, middle, to)
            && self.line.walk(rounded(to))
    }

    /// The points between two points of an arc of less than half a turn.
    fn half_arc(&mut self, bend: &Bend, from: [f64; 2], to: [f64; 2]) -> bool {
        let side = 1f64.copysign(bend.radius);
        let (mut v, end) = (difference(bend.centre, from), difference(bend.centre, to));
        let ahead = |v| side * cross(v, end);
        let opposite = v[0] * end[0] + v[1] * end[1] < 0.0;
        if ahead(v).is_nan() || ahead(v) < 0.0 || (ahead(v) == 0.0 && opposite) {
            return false;
        }
        let [cos, sin] = [self.step[0], self.step[1] * side];
        for _ in 0..CHORDS {
            // To the left, seen from above: x turns to -z.
            v = [v[0] * cos + v[1] * sin, v[1] * cos - v[0] * sin];
            if ahead(v) <= 0.0 {
                break;
            }
            let p = [bend.centre[0] + v[0], bend.centre[1] + v[1]];
            if !self.line.walk(rounded(p)) {
                return false;
            }
        }
        true
    }
}

/// Does the path go straight on?
fn is_straight([a, c, b]: [[i32; 2]; 3]) -> bool {
    let (before, after) = (exact::direction(a, c), exact::direction(c, b));
    exact::cross(before, after) == 0 && exact::dot(before, after) >= 0
}

fn difference(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [b[0] - a[0], b[1] - a[1]]
}

/// Positive when `v` lies to the left of `u`, seen from above.
fn cross(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[1] * v[0] - u[0] * v[1]
}

/// The direction from one grid point to another one.
fn unit(a: [i32; 2], b: [i32; 2]) -> [f64; 2] {
    let d = difference(float(a), float(b));
    let size = length(d[0], d[1]);
    d.map(|c| c / size)
}

/// The nearest grid point, halves up; where there is none, one that nothing reaches.
fn rounded(p: [f64; 2]) -> [i32; 2] {
    let range = f64::from(exact::LIMIT);
    p.map(|c| {
        let up = (c + 0.5).clamp(-range, range);
        let towards_zero = up as i32;
        towards_zero - i32::from(f64::from(towards_zero) > up)
    })
}
