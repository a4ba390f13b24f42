//! Quantised headings: paths for units that are drawn in 8 or 16 directions only.
//!
//! The method is that of M. Pinter, "Toward More Realistic Pathfinding" (2001). An arc becomes the
//! sides of a polygon around its circle, which touch it where the arc's heading is a direction:
//! half a side is `r tan(pi / 8)` with 8 directions and `r tan(pi / 16)` with 16. A straight line
//! becomes two lines, along the directions to either side of it, in one of two orders.
//!
//! Beyond the article, all lines are tested against the ground. Of the two orders a free one is
//! taken. Where none is free the piece is halved, up to [`MOST_HALVINGS`] times, so that the lines
//! keep closer to it. In the end it is joined with its neighbours: from the start of the first to
//! the end of the last three lines lead along the two directions beside the chord, the one, the
//! other, and the first again. How much of it is driven first is open, so a long vehicle turns
//! where there is room. The lines begin and end where their pieces did.

use crate::curve::{Curve, Pose, Segment};
use crate::query::TurningQuery;
use crate::request::TurningPiece;
use crate::sweep::is_hit;
use crate::trig::{SNAP, TURN, atan2, sin_cos, wrapped};
use navbake_navmesh::math::sqrt;

/// How many times a piece is halved if its lines touch something.
pub const MOST_HALVINGS: u32 = 5;
/// Lines shorter than this are left out, tiles.
const SHORT: f64 = 1e-9;

/// A straight line of a unit drawn in one of 8 or 16 directions. Tiles, as in [`TurningPiece`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadingSegment {
    /// Where it begins.
    pub from: [f64; 2],
    /// Where it ends.
    pub to: [f64; 2],
    /// The direction that the unit looks in: counter-clockwise seen from above, 0 along x.
    pub direction: u32,
    /// Driven backwards.
    pub back: bool,
    /// The piece of the path that it replaces, the first one where it replaces several.
    pub piece: u32,
}

impl HeadingSegment {
    /// Tiles.
    pub fn length(&self) -> f64 {
        let [x, z] = [0, 1].map(|k| self.to[k] - self.from[k]);
        sqrt(x * x + z * z)
    }
}

/// Why there are no lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingError {
    /// Neither 8 nor 16 directions.
    Directions,
    /// A piece of the path, by its number, beside which there is no room for lines, nor for those
    /// of its neighbours and it together.
    NoRoom {
        /// Its number.
        piece: u32,
    },
    /// More lines than the memory holds.
    Memory,
}

/// Lines being written.
pub(crate) struct Out<'o> {
    pub(crate) lines: &'o mut [HeadingSegment],
    pub(crate) count: usize,
}

/// The target form of a part of a piece: from a pose along a segment driven forwards, with the
/// slopes of lines in this order.
#[derive(Clone, Copy)]
struct Part {
    from: Pose,
    segment: Segment,
    greater_first: bool,
}

impl TurningQuery<'_> {
    /// The lines of a path's pieces in 8 or 16 directions, in the caller's memory: how many. Links
    /// have none.
    ///
    /// # Errors
    /// When there is no room beside a piece, or not enough memory.
    pub fn quantise_headings(
        &self,
        pieces: &[TurningPiece],
        directions: u32,
        lines: &mut [HeadingSegment],
    ) -> Result<usize, HeadingError> {
        if directions != 8 && directions != 16 {
            return Err(HeadingError::Directions);
        }
        let mut out = Out { lines, count: 0 };
        let mut next = 0;
        while let Some(piece) = pieces.get(next) {
            if piece.link.is_some() {
                next += 1;
                continue;
            }
            let number = next as u32; // few, as memory is
            let first = out.count;
            let mut halvings = 0;
            let mut is_free = true;
            while !self.cut(piece, number, 1 << halvings, directions, &mut out)? {
                out.count = first;
                halvings += 1;
                if halvings > MOST_HALVINGS {
                    is_free = false;
                    break;
                }
            }
            if is_free {
                if piece.segment.back {
                    turn_round(out.lines.get_mut(first..out.count).unwrap_or_default());
                }
                next += 1;
            } else {
                next = self.together(pieces, next, directions, &mut out)?;
            }
        }
        Ok(out.count)
    }

    /// Adds the lines of a piece cut into parts, as driven forwards.
    ///
    /// `false` where there is no room for one of them.
    fn cut(
        &self,
        piece: &TurningPiece,
        number: u32,
        parts: u32,
        directions: u32,
        out: &mut Out<'_>,
    ) -> Result<bool, HeadingError> {
        let radius = self.vehicle.radius_of(piece.class);
        let whole = Segment { back: false, ..piece.segment };
        // A segment driven backwards begins, seen forwards, where it ends.
        let start = match piece.segment.back {
            true => piece.segment.end(piece.from, radius),
            false => piece.from,
        };
        let length = whole.length / f64::from(parts);
        for k in 0..parts {
            let from = whole.pose(start, radius, length * f64::from(k));
            let mut free = false;
            for greater_first in [false, true] {
                let part = Part { from, segment: Segment { length, ..whole }, greater_first };
                let first = out.count;
                let are = part.lines(radius, directions, number, piece.segment.back, out)?;
                let own = out.lines.get(first..out.count).unwrap_or_default();
                let mut own = own.iter();
                if are && own.all(|line| self.is_line_free(line, directions, piece.layer)) {
                    free = true;
                    break;
                }
                out.count = first;
            }
            if !free {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Does the unit touch nothing on all of a line, looking as it does there?
    pub(crate) fn is_line_free(&self, line: &HeadingSegment, directions: u32, layer: u32) -> bool {
        let (vehicle, ground) = (self.vehicle, self.ground);
        let [dx, dz] = ground.to_bits(layer).map(f64::from);
        let pose = Pose {
            x: line.from[0] + dx,
            z: line.from[1] + dz,
            heading: f64::from(line.direction) * TURN / f64::from(directions),
        };
        let curve = Curve::new(&[Segment { turn: 0, back: false, length: line.length() }]);
        let blocked = |tile| ground.is_blocked(tile);
        !is_hit(vehicle.footprint(), vehicle.turn_radius(), pose, &curve, blocked)
    }
}

impl Part {
    /// Adds its lines; `false` where there are none in this order.
    fn lines(
        &self,
        radius: f64,
        directions: u32,
        piece: u32,
        back: bool,
        out: &mut Out<'_>,
    ) -> Result<bool, HeadingError> {
        let step = TURN / f64::from(directions);
        let end = self.segment.end(self.from, radius);
        let turn = f64::from(self.segment.turn);
        // The first and the last direction, as numbers that may exceed a whole turn, and the step
        // between.
        let [low, high] = around(self.from.heading, step);
        let (first, last, way) = match self.segment.turn {
            0 if low == high && self.greater_first => return Ok(false),
            0 if low == high => (low, low, 1.0),
            0 if self.greater_first => (high, low, -1.0),
            0 => (low, high, 1.0),
            // An arc's last direction is the next one behind its end, and at least one behind its
            // first.
            _ if self.greater_first => {
                return self.inside(end, directions, piece, back, out);
            }
            1 => (low, ceil(end.heading / step).max(low + 1.0), 1.0),
            _ => (high, floor(end.heading / step).min(high - 1.0), -1.0),
        };
        let mut at = [self.from.x, self.from.z];
        let mut direction = first;
        while direction != last {
            let next = direction + way;
            let through = if next == last {
                [end.x, end.z]
            } else {
                // The side that touches the circle where its heading is this direction.
                let along = turn * radius * (next * step - self.from.heading);
                let touch = self.segment.pose(self.from, radius, along);
                [touch.x, touch.z]
            };
            let corner = meet(at, direction * step, through, next * step);
            out.put(at, corner, direction, directions, back, piece)?;
            at = corner;
            direction = next;
        }
        out.put(at, [end.x, end.z], last, directions, back, piece)?;
        Ok(true)
    }

    /// Adds the two lines on the inside of an arc that bends by no more than from one direction to
    /// the next.
    fn inside(
        &self,
        end: Pose,
        directions: u32,
        piece: u32,
        back: bool,
        out: &mut Out<'_>,
    ) -> Result<bool, HeadingError> {
        let step = TURN / f64::from(directions);
        if (end.heading - self.from.heading).abs() > step + SNAP {
            return Ok(false);
        }
        let (from, to) = ([self.from.x, self.from.z], [end.x, end.z]);
        let chord = atan2(from[1] - to[1], to[0] - from[0]);
        let [low, high] = around(chord, step);
        let (first, last) = if self.segment.turn > 0 { (high, low) } else { (low, high) };
        let corner = meet(from, first * step, to, last * step);
        out.put(from, corner, first, directions, back, piece)?;
        out.put(corner, to, last, directions, back, piece)?;
        Ok(true)
    }
}

impl Out<'_> {
    pub(crate) fn put(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        direction: f64,
        directions: u32,
        back: bool,
        piece: u32,
    ) -> Result<(), HeadingError> {
        let step = TURN / f64::from(directions);
        let line = HeadingSegment {
            from,
            to,
            direction: (wrapped(direction * step) / step + 0.5) as u32 % directions,
            back,
            piece,
        };
        if line.length() > SHORT {
            *self.lines.get_mut(self.count).ok_or(HeadingError::Memory)? = line;
            self.count += 1;
        }
        Ok(())
    }
}

/// Lines of a piece that is driven backwards: the last one first, from its end.
pub(crate) fn turn_round(lines: &mut [HeadingSegment]) {
    lines.reverse();
    for line in lines {
        core::mem::swap(&mut line.from, &mut line.to);
    }
}

/// Where a line from a point at a heading meets the line through another at another heading.
pub(crate) fn meet(from: [f64; 2], heading: f64, through: [f64; 2], other: f64) -> [f64; 2] {
    let ((s, c), (so, co)) = (sin_cos(heading), sin_cos(other));
    // With z downwards: from + t (c, -s), and through + u (co, -so).
    let [dx, dz] = [through[0] - from[0], through[1] - from[1]];
    let across = c * so - s * co;
    let t = if across.abs() < SNAP { 0.0 } else { (dx * so + dz * co) / across };
    [from[0] + t * c, from[1] - t * s]
}

/// The directions on both sides of a heading, as numbers of steps: one number twice where it is one
/// of them.
pub(crate) fn around(heading: f64, step: f64) -> [f64; 2] {
    let low = floor(heading / step);
    let is_one = (heading - low * step).abs() < SNAP;
    [low, if is_one { low } else { low + 1.0 }]
}

/// The greatest whole number that is not above but for rounding, of headings.
fn floor(v: f64) -> f64 {
    let cut = f64::from(v.clamp(-1e9, 1e9) as i32);
    let low = if cut > v { cut - 1.0 } else { cut };
    if v - low > 1.0 - SNAP { low + 1.0 } else { low }
}

/// The least whole number that is not below but for rounding.
fn ceil(v: f64) -> f64 {
    -floor(-v)
}

/// As many pieces go together at most.
const MOST: usize = 5;
/// Steps from none to all of the outer direction that is driven first.
const STEPS: u32 = 8;

/// From where to where three lines lead, forwards.
#[derive(Clone, Copy)]
struct Group {
    from: [f64; 2],
    to: [f64; 2],
    back: bool,
    layer: u32,
    piece: u32,
}

impl TurningQuery<'_> {
    /// Adds the lines of some pieces around a piece without room, in place of the lines of the
    /// pieces before it. Returns the number of the next piece.
    pub(crate) fn together(
        &self,
        pieces: &[TurningPiece],
        number: usize,
        directions: u32,
        out: &mut Out<'_>,
    ) -> Result<usize, HeadingError> {
        for many in 2..=MOST {
            for before in 0..many {
                let Some(first) = number.checked_sub(before) else {
                    continue;
                };
                let Some(group) = pieces.get(first..first + many) else {
                    continue;
                };
                let Some(group) = self.group(group, first as u32) else {
                    continue;
                };
                // Lines of a group that some of these are in already stay.
                let lines = out.lines.get(..out.count).unwrap_or_default();
                let kept = lines.partition_point(|line| line.piece < group.piece);
                let begins = lines.get(kept).map_or(number as u32, |line| line.piece);
                let is_whole = begins == group.piece;
                if is_whole && self.is_joined(group, directions, kept, out)? {
                    return Ok(first + many);
                }
            }
        }
        let piece = number as u32; // few, as memory is
        Err(HeadingError::NoRoom { piece })
    }

    /// Pieces of one gear on one layer.
    fn group(&self, pieces: &[TurningPiece], number: u32) -> Option<Group> {
        let (first, last) = (pieces.first()?, pieces.last()?);
        let (back, layer) = (first.segment.back, first.layer);
        let alike =
            |p: &TurningPiece| p.segment.back == back && p.layer == layer && p.link.is_none();
        if !pieces.iter().all(alike) {
            return None;
        }
        let end = last.segment.end(last.from, self.vehicle.radius_of(last.class));
        let (a, b) = ([first.from.x, first.from.z], [end.x, end.z]);
        let (from, to) = if back { (b, a) } else { (a, b) };
        Some(Group { from, to, back, layer, piece: number })
    }

    /// Writes the first three lines that are free, from a place in the output on; `false`, and
    /// nothing written, where there are none.
    fn is_joined(
        &self,
        group: Group,
        directions: u32,
        kept: usize,
        out: &mut Out<'_>,
    ) -> Result<bool, HeadingError> {
        let step = TURN / f64::from(directions);
        let Group { from, to, .. } = group;
        let chord = atan2(from[1] - to[1], to[0] - from[0]);
        let [low, high] = around(chord, step);
        let count = out.count;
        // Appended first, and moved to its place if it is free.
        for (outer, inner) in [(low, high), (high, low)] {
            let corner = meet(from, outer * step, to, inner * step);
            for k in 0..=STEPS {
                let share = f64::from(k) / f64::from(STEPS);
                let first = [0, 1].map(|i| from[i] + share * (corner[i] - from[i]));
                let second = [0, 1].map(|i| first[i] + to[i] - corner[i]);
                out.put(from, first, outer, directions, group.back, group.piece)?;
                out.put(first, second, inner, directions, group.back, group.piece)?;
                out.put(second, to, outer, directions, group.back, group.piece)?;
                let own = out.lines.get(count..out.count).unwrap_or_default();
                let is_free = |line| self.is_line_free(line, directions, group.layer);
                if own.iter().all(is_free) {
                    let many = own.len();
                    out.lines.copy_within(count..count + many, kept);
                    out.count = kept + many;
                    if group.back {
                        turn_round(out.lines.get_mut(kept..out.count).unwrap_or_default());
                    }
                    return Ok(true);
                }
                out.count = count;
            }
            if low == high {
                break;
            }
        }
        Ok(false)
    }
}
