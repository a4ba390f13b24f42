//! Removal of loops that save nothing.
//!
//! A round of the search may lead from a polygon to a neighbour and back over the same border, or
//! once around a corner, where its bounds lose as much as that costs. After descent, such a path
//! touches the border at one place and saves nothing. The straight path within the polygon replaces
//! it: polygons are convex, so it stays within.

use super::upper::Course;

/// How many crossings ahead are searched for a return to the polygon.
const MOST_ROUND: usize = 64;
/// A loop that saves no more than this share of its cost saves nothing.
///
/// That is rounding.
const ROUNDED: f64 = 1e-9;

impl Course<'_> {
    /// Removes all loops that cost no less than the straight path in their polygon.
    ///
    /// Returns the number of remaining crossings.
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

    /// The last crossing that leaves crossing `i`'s polygon and ends a useless loop.
    ///
    /// Beyond all crossings it is the goal. `None` where every such path costs less than the
    /// straight one.
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
