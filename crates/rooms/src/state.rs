//! The state of a search within the rooms of a route.

use super::super::Status;
use super::super::nodes::{Corridor, Goal};
use super::super::optimal::{self, Outcome};
use super::super::slices::Slices;
use crate::NavQuery;

/// The state of a hierarchical search.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct State {
    /// The number of rooms that it stays within.
    pub(super) rooms: u32,
    pub(super) search: optimal::State,
    /// The outcome of the search.
    pub(super) outcome: Option<Outcome>,
    /// Have rooms been added?
    pub(super) grown: bool,
    pub(in super::super) done: bool,
    /// Lower bound on all paths, grid units.
    pub(super) bound: f64,
    /// Doors settled, and cones of searches before.
    pub(super) before: u32,
    pub(super) max_open: u32,
}

impl State {
    /// Entries taken off open lists.
    pub(in super::super) fn expanded(&self) -> u32 {
        self.before.saturating_add(self.search.expanded)
    }

    /// The search in the scratch, and the cone at its end.
    pub(in super::super) fn in_scratch(&self) -> (optimal::State, Option<u32>) {
        let end = match self.outcome {
            Some(Outcome::Reached(end)) => Some(end as u32),
            _ => None,
        };
        (self.search, end)
    }

    /// The corridor of the path found, written into the scratch, and its goal.
    pub(in super::super) fn corridor(
        &self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, Goal)> {
        let Some(Outcome::Reached(end)) = self.outcome.filter(|_| self.done) else {
            return None;
        };
        let goal = *scratch.goals.first()?;
        let corridor = optimal::trace(query, end, &query.goal_place(&goal), scratch);
        corridor.is_whole().then_some((corridor, goal))
    }

    pub(in super::super) fn status(&self) -> Status {
        match self.outcome {
            _ if !self.done => Status::Looking,
            Some(Outcome::Reached(_)) => Status::Reached,
            _ => Status::OutOfNodes,
        }
    }
}
