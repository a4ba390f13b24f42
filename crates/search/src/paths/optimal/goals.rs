//! The goals of a search for all of them, and the shortest paths to them.

use navbake_navmesh::NONE;

use super::super::nodes::Goal;
use super::cone::SAME;

/// The shortest path to a goal that a search has seen: the cone that would end in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    /// Its length, grid units.
    pub(super) length: f64,
    pub(super) edge: u32,
    pub(super) parent: u32,
    pub(super) root: u32,
    /// Is another path as short, or is the goal left out?
    pub(super) is_tied: bool,
}

impl Settled {
    pub(super) const NONE: Settled =
        Settled { length: f64::INFINITY, edge: 0, parent: 0, root: 0, is_tied: false };
}

impl Default for Settled {
    fn default() -> Settled {
        Settled::NONE
    }
}

/// The goals of a search for all of them.
pub(super) struct All<'s> {
    /// Goals of one polygon follow one another by [`Goal::node`].
    pub(super) goals: &'s [Goal],
    pub(super) settled: &'s mut [Settled],
    /// The first goal of each polygon; anything for polygons without goals.
    pub(super) first: &'s [u32],
}

/// The place of the first goal in the scratch: the place before serves searches for one goal.
pub(super) const FIRST: usize = 1;

impl<'s> All<'s> {
    pub(super) fn new(
        count: usize,
        goals: &'s [Goal],
        settled: &'s mut [Settled],
        first: &'s [u32],
    ) -> Option<All<'s>> {
        let goals = goals.get(FIRST..FIRST + count)?;
        Some(All { goals, settled: settled.get_mut(..count)?, first })
    }

    /// Notes a path to a goal.
    pub(super) fn offer(&mut self, goal: usize, own: Settled) {
        let Some(known) = self.settled.get_mut(goal) else {
            return;
        };
        if own.length * SAME < known.length {
            *known = own;
        } else if own.length <= known.length * SAME
            && (own.root != known.root || own.length != known.length)
        {
            known.is_tied = true;
        }
    }

    /// Calls `f` with the numbers of the goals in a polygon.
    pub(super) fn each_in(
        &mut self,
        polygon: u32,
        mut f: impl FnMut(&mut All<'_>, usize, [i32; 2]),
    ) {
        let mut next = self.first.get(polygon as usize).map_or(NONE, |&first| first);
        while let Some(goal) = self.goals.get(next as usize).filter(|g| g.polygon == polygon) {
            f(self, next as usize, goal.point);
            next = goal.node;
        }
    }

    /// The length of the longest path; infinite as long as a goal has none.
    pub(super) fn longest(&self) -> f64 {
        self.settled.iter().map(|s| s.length).fold(0.0, f64::max)
    }
}
