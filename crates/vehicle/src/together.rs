//! Pieces of a path that find no room for lines on their own, taken together with their neighbours.
//!
//! From the first one's beginning to the last one's end three lines lead along the two directions beside the straight line between: the one, the other, and the
//! first again, or the other way round. How much of it is driven at first is open, so a long vehicle turns where there is room, and not where each
//! piece would have it.

use crate::art::{ArtFault, Out, around, meet, turn_round};
use crate::query::TurningQuery;
use crate::request::TurningPiece;
use crate::trig::{TURN, atan2};

/// As many pieces go together at most.
const MOST: usize = 5;
/// How much of the outer direction is driven at first, in so many steps from nothing to all.
const STEPS: u32 = 8;

/// From where to where three lines lead, forwards.
#[derive(Clone, Copy)]
struct Group {
    from: [f64; 2],
    to: [f64; 2],
    back: bool,
    sheet: u32,
    piece: u32,
}

impl TurningQuery<'_> {
    /// Adds the lines of some pieces around one that has no room, in place of those that the ones before it have got. The number of the piece that is next.
    pub(crate) fn together(
        &self,
        pieces: &[TurningPiece],
        number: usize,
        directions: u32,
        out: &mut Out<'_>,
    ) -> Result<usize, ArtFault> {
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
        Err(ArtFault::NoRoom { piece })
    }

    /// Pieces of one gear on one sheet.
    fn group(&self, pieces: &[TurningPiece], number: u32) -> Option<Group> {
        let (first, last) = (pieces.first()?, pieces.last()?);
        let (back, sheet) = (first.segment.back, first.sheet);
        let alike = |p: &TurningPiece| p.segment.back == back && p.sheet == sheet;
        if !pieces.iter().all(alike) {
            return None;
        }
        let end = last.segment.end(last.from, self.vehicle.turn_radius());
        let (a, b) = ([first.from.x, first.from.z], [end.x, end.z]);
        let (from, to) = if back { (b, a) } else { (a, b) };
        Some(Group {
            from,
            to,
            back,
            sheet,
            piece: number,
        })
    }

    /// Writes the first three lines that are free, from a place in the output on; `false`, and nothing written, where there are none.
    fn is_joined(
        &self,
        group: Group,
        directions: u32,
        kept: usize,
        out: &mut Out<'_>,
    ) -> Result<bool, ArtFault> {
        let step = TURN / f64::from(directions);
        let Group { from, to, .. } = group;
        let chord = atan2(from[1] - to[1], to[0] - from[0]);
        let [low, high] = around(chord, step);
        let count = out.count;
        // Written behind what is there, and brought to its place if it is free.
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
                let is_free = |line| self.is_line_free(line, directions, group.sheet);
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
