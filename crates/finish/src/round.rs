//! Rounding: corners become arcs of a unit's turn radius.
//!
//! A circle is put at each corner, and the path follows the common tangents of neighbouring circles
//! and the arcs between them. Where there is ground on the inner side of a corner, the circle
//! touches both of its sides and the path gets shorter. A shortest path has a wall there; then the
//! circle goes through the corner itself and the path swings wide around it. Circles and tangents
//! need square roots alone, points are rounded to the grid, and each piece is walked before it is
//! added.

use navbake_format::exact;

use navbake_navmesh::math::{float, length, sqrt};
use navbake_search::{NavPath, NavPoint, NavQuery};

use crate::line::Line;
use crate::{FinishError, Finished};

/// The radius of the arcs, and how closely straight pieces follow them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounding {
    /// Radius of the arcs, m.
    pub radius: f64,
    /// Greatest distance of an arc from its straight pieces, m.
    ///
    /// An arc of half a turn has at most 64 pieces all the same.
    pub chord_error: f64,
}

/// The most pieces of half a turn.
const CHORDS: usize = 64;
/// Cosine of 180/64 degrees: the shortest step along an arc.
const LEAST_STEP: f64 = 0.998_795_456_205_172_4;
/// Cosine of 60 degrees: the longest.
const LONGEST_STEP: f64 = 0.5;

impl Rounding {
    /// Arcs of a radius, m, with a chord error of a hundredth of it, at least 1 cm.
    pub fn new(radius: f64) -> Rounding {
        Rounding { radius, chord_error: (radius / 100.0).max(0.01) }
    }

    /// The most places that the rounded form of a path with this many points takes.
    pub fn room(&self, points: usize) -> usize {
        let corners = points.saturating_sub(2);
        points + corners * (2 * (CHORDS + 1) + 1)
    }

    /// Cosine and sine of the step along the arc: a chord's sagitta is `radius (1 - cos(step /
    /// 2))`.
    fn step(&self) -> [f64; 2] {
        let half = 1.0 - (self.chord_error / self.radius).clamp(0.0, 1.0);
        let cos = (2.0 * half * half - 1.0).clamp(LONGEST_STEP, LEAST_STEP);
        [cos, sqrt(1.0 - cos * cos)]
    }
}

/// Rounds the corners of a path by arcs.
///
/// A corner stays sharp where the mesh has no room for the arc or its tangents, where a
/// neighbouring corner is too near, and where the path turns right back.
///
/// `path` is a path of [`NavQuery::find_path`] on this mesh; `out` has room for [`Rounding::room`]
/// places, whatever is in them. A radius that is not a positive number leaves all corners sharp.
///
/// # Errors
/// When `out` is too short, or when the answer is not a path on this mesh.
pub fn round<'o>(
    query: &NavQuery<'_>,
    path: &NavPath<'_>,
    rounding: Rounding,
    out: &'o mut [NavPoint],
) -> Result<Finished<'o>, FinishError> {
    let mut places = crate::path_places(query, path)?;
    let mut line = Line::new(*query, out, rounding.room(path.points.len()))?;
    let start = places.next().ok_or(FinishError::NotAPath)??;
    line.put(start);
    let mut bends = Bends {
        line,
        step: rounding.step(),
        last: Bend::point(start.point()),
        entry: float(start.point()),
    };
    let radius = rounding.radius * query.mesh().grid().units();
    let (mut before, mut kept) = (start.point(), 0);
    let mut here = places.next().transpose()?;
    while let Some(corner) = here {
        here = places.next().transpose()?;
        let rounded = match &here {
            None => false,
            Some(next) => {
                let around = [before, corner.point(), next.point()];
                let turned = (Bend::at(around, radius).into_iter().flatten())
                    .any(|bend| bends.turn(bend, next));
                kept += usize::from(!turned && !is_straight(around));
                turned
            }
        };
        if !rounded {
            bends.sharp(&corner)?;
        }
        before = corner.point();
    }
    Ok(bends.line.finished(kept))
}

/// A circle that the path follows, to the left when the radius is positive, or a point on it.
#[derive(Clone, Copy)]
struct Bend {
    centre: [f64; 2],
    radius: f64,
    /// The point of the arc midway through the turn.
    middle: [i32; 2],
}

impl Bend {
    fn point(p: [i32; 2]) -> Bend {
        Bend { centre: float(p), radius: 0.0, middle: p }
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
        let (corner, bend) =
            (float(c), |centre: [f64; 2], middle| Bend { centre, radius: signed, middle });
        let move_in = |by: f64| [corner[0] + by * inwards[0], corner[1] + by * inwards[1]];
        let inside = bend(move_in(radius / sine), rounded(move_in(radius / sine - radius)));
        let through = bend(move_in(radius), c);
        [inside, through].map(|bend| bend.centre.iter().all(|c| c.is_finite()).then_some(bend))
    }

    /// Where the tangent from this circle to the next leaves and where it arrives.
    fn tangent(&self, to: &Bend) -> Option<[[f64; 2]; 2]> {
        let d = difference(self.centre, to.centre);
        let square = d[0] * d[0] + d[1] * d[1];
        // Both centres are to the left of the tangent; the first is nearer to it by this much.
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

/// The path up to the point where it enters the last bend.
struct Bends<'a, 'o> {
    line: Line<'a, 'o>,
    /// Cosine and sine of the step along an arc.
    step: [f64; 2],
    last: Bend,
    /// Where the path enters the last bend; the end of the line.
    entry: [f64; 2],
}

impl Bends<'_, '_> {
    /// Takes the path on to a bend, if it can go around it and straight on to the next corner.
    fn turn(&mut self, bend: Bend, next: &NavPoint) -> bool {
        let (used, last) = (self.line.used, self.line.last());
        let tangents = self.last.tangent(&bend).zip(bend.tangent(&Bend::point(next.point())));
        if let Some(([leave, arrive], [out, _])) = tangents
            && self.arc(self.last, self.entry, leave)
            && self.line.walk(rounded(arrive))
        {
            let settled = self.line.used;
            let fits = self.arc(bend, arrive, out) && self.line.walk(next.point());
            if fits && self.line.is_on_ground_of(next) {
                self.line.used = settled;
                (self.last, self.entry) = (bend, arrive);
                return true;
            }
        }
        self.line.back_to(used, last);
        false
    }

    /// Takes the path on to a corner itself.
    fn sharp(&mut self, corner: &NavPoint) -> Result<(), FinishError> {
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

    /// Walks along an arc, from one of its points, where the line ends, through its middle to
    /// another.
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

/// Positive when `v` is to the left of `u`, seen from above.
fn cross(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[1] * v[0] - u[0] * v[1]
}

/// The direction from one grid point to another one.
fn unit(a: [i32; 2], b: [i32; 2]) -> [f64; 2] {
    let d = difference(float(a), float(b));
    let size = length(d[0], d[1]);
    d.map(|c| c / size)
}

/// The nearest grid point, halves up; beyond the grid, one that no walk reaches.
fn rounded(p: [f64; 2]) -> [i32; 2] {
    let range = f64::from(exact::LIMIT);
    p.map(|c| {
        let up = (c + 0.5).clamp(-range, range);
        let towards_zero = up as i32;
        towards_zero - i32::from(f64::from(towards_zero) > up)
    })
}
