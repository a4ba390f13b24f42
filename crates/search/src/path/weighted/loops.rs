//! Loops that bring nothing.
//!
//! A round of the search may lead from a polygon to a neighbour and back over the same border, or once around a corner, where its bounds give away as much
//! as that costs. Brought down, such a way touches the border at one place and saves nothing by it. The straight way within the polygon stands in for it:
//! polygons are convex, so it stays within.

use super::upper::Course;

/// A polygon that is left is looked for among so many crossings ahead.
const MOST_ROUND: usize = 64;
/// A loop that saves no more than this share of what it costs saves nothing: that is rounding.
const ROUNDED: f64 = 1e-9;

impl Course<'_> {
    /// Leaves out all ways from a polygon back to it that cost no less than going straight on within it; gives how many crossings remain.
    pub(super) fn leave_out_loops(&mut self) -> usize {
        let mut i = 0;
        while i < self.crossings.len() {
            match self.loop_from(i) {
                Some(until) => self.leave_out(i..until),
                None => i += 1,
            }
        }
        self.crossings.len()
    }

    /// The crossing by which the polygon that crossing `i` leaves is left for the last time, or, beyond them all, the goal: if the way there costs no less
    /// than the straight one.
    fn loop_from(&self, i: usize) -> Option<usize> {
        let home = self.ground(i).0;
        let last = self.crossings.len().min(i + MOST_ROUND);
        let mut back = (i + 1..=last).rev().filter(|&k| self.ground(k).0 == home);
        back.find(|&k| {
            let around: f64 = (i..=k).map(|j| self.straight(j, j)).sum();
            let tolls: f64 = self.crossings[i..k].iter().map(|c| c.toll).sum();
            self.straight(i, k) <= (around + tolls) * (1.0 + ROUNDED)
        })
    }

    fn leave_out(&mut self, some: core::ops::Range<usize>) {
        let left = self.crossings.len() - some.len();
        self.crossings.copy_within(some.end.., some.start);
        let crossings = core::mem::take(&mut self.crossings);
        self.crossings = crossings.get_mut(..left).unwrap_or_default();
    }
}
