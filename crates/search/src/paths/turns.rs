//! The state of optimal searches, one goal after another.

use super::Status;
use super::optimal::{self, Outcome};

/// The state of the searches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OneByOne {
    /// The goal of the next search, or of the one under way.
    pub(super) next: usize,
    /// The search under way.
    pub(super) state: Option<optimal::State>,
    /// The goal with the cheapest known path, and the path's cost, m.
    pub(super) best: Option<(usize, f64)>,
    /// The search that ended last, which is in the scratch: goal, state and outcome.
    pub(super) ended: Option<(usize, optimal::State, Outcome)>,
    pub(super) done: bool,
    /// Does the only goal replace one that cannot be reached?
    pub(super) partial: bool,
    pub(super) expanded: u32,
    pub(super) max_open: u32,
}

impl OneByOne {
    pub(super) fn status(&self) -> Status {
        match self.ended {
            _ if !self.done => Status::Looking,
            Some((_, _, Outcome::Reached(_))) if self.partial => Status::Partial,
            Some((_, _, Outcome::Reached(_))) => Status::Reached,
            _ => Status::OutOfNodes,
        }
    }

    /// Number of cones opened up to now.
    pub(super) fn expanded(&self) -> u32 {
        let now = self.state.map_or(0, |s| s.expanded);
        self.expanded.saturating_add(now)
    }

    /// The search that is in the scratch, and the cone at its end.
    pub(super) fn in_scratch(&self) -> Option<(optimal::State, Option<u32>)> {
        match (self.state, self.ended) {
            (Some(state), _) => Some((state, None)),
            (None, Some((_, state, Outcome::Reached(end)))) if self.done => {
                Some((state, Some(end as u32)))
            }
            (None, Some((_, state, _))) if self.done => Some((state, None)),
            _ => None,
        }
    }

    pub(super) fn max_open(&self) -> u32 {
        self.max_open.max(self.state.map_or(0, |s| s.max_open))
    }
}
