//! What capsules cover already: a segment that reaches no other place bounds nothing.
//!
//! Props hide behind other props: of a pile of crates, most segments only reach places that the
//! capsules of its outer ones cover. Each square of the sampling grid has 64 *parts*, eight by
//! eight, with a bit each: is the part inside a single capsule? A segment is not needed if all parts
//! that its capsule may touch are.
//!
//! ```text
//!  .  .  .  .  .  .  .  .
//!  #  #  #  .  .  .  .  .      # = inside the capsule of a segment found before
//!  #  #  #  #  x  .  .  .      x = touched by the segment asked about: it is needed
//! ```
//!
//! Leaving it out changes no border, whatever the order in which segments are found: what it would
//! keep the agent off is off limits in any case. Still both sides of a seam between tiles should
//! decide alike about short segments that longer ones cover nearly ([`super::prune`]), so squares at
//! the rim of a tile never count as covered.

use super::Segment;
use crate::exact::measures::{Measures, WIDEST};
use crate::exact::sampling::SamplingGrid;
use crate::exact::spread::{self, Distance, Spread};

/// Parts along a side of a square.
const PARTS: usize = 8;
/// All parts.
const ALL: u64 = u64::MAX;
/// A segment that covers another may move a border by as much, as a share of the radius; twice what
/// pruning may.
const SLACK: f64 = 0.01;

/// What capsules cover, by square.
pub(crate) struct Coverage<'a> {
    grid: &'a SamplingGrid,
    spread: Spread<'a>,
    /// For each node: the parts of its square that are covered.
    covered: Vec<u64>,
    /// Side of a part.
    side: f64,
    /// Squared distances of the centres of squares and parts that a capsule holds wholly.
    inner: [f64; 2],
    /// Squared distance of the centre of a part that a capsule may touch.
    outer: f64,
}

impl<'a> Coverage<'a> {
    /// Nothing is covered yet.
    pub(crate) fn new(grid: &'a SamplingGrid, measures: &Measures) -> Coverage<'a> {
        let (cell, far) = (measures.cell, measures.radius * (WIDEST + SLACK) + 1.0);
        let side = cell / PARTS as f64;
        let outer = far + side * 0.7072;
        Coverage {
            grid,
            spread: Spread::new(grid, measures, far),
            covered: vec![0; grid.len()],
            side,
            inner: [cell, side].map(|side| spread::inner(measures, side)),
            outer: outer * outer,
        }
    }

    /// Is all of the tile that a segment keeps the agent off covered?
    pub(crate) fn covers(&mut self, segment: &Segment) -> bool {
        let (grid, covered, side, outer) = (self.grid, &self.covered, self.side, self.outer);
        self.spread.over(segment, |from, s| {
            let covered = covered[s.square as usize];
            covered == ALL
                || !grid.is_in_tile(s.square)
                || !grid.is_at_rim(s.square) && parts(from, s.place, side, outer) & !covered == 0
        })
    }

    /// Takes in the capsule of a segment.
    pub(crate) fn add(&mut self, segment: &Segment) {
        let Coverage { grid, covered, side, inner: [whole, part], .. } = self;
        self.spread.over(segment, |from, s| {
            let covered = &mut covered[s.square as usize];
            if *covered != ALL && grid.is_in_tile(s.square) && !grid.is_at_rim(s.square) {
                *covered |= if s.far <= *whole { ALL } else { parts(from, s.place, *side, *part) };
            }
            true
        });
    }
}

/// The parts of a square whose centres are at most a squared distance away, one bit each.
fn parts(from: &Distance, place: [f64; 2], side: f64, far: f64) -> u64 {
    // A square's least corner has the distance of its centre.
    let half = side * (PARTS as f64 - 1.0) / 2.0;
    let mut parts = 0;
    for j in 0..PARTS {
        let y = place[1] - half + j as f64 * side;
        for i in 0..PARTS {
            let x = place[0] - half + i as f64 * side;
            parts |= u64::from(from.apart([x, y]).0 <= far) << (PARTS * j + i);
        }
    }
    parts
}
