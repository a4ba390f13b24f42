//! Optimal searches, one goal after another: each is compared with the best so far, and goals that are farther away as the crow flies are left
//! out.
//!
//! This is the seam to [`optimal`]: a search of it is one step.

use super::optimal;
use super::scratch::{Corridor, Goal, Lender, Scratch};
use super::search::{Phase, Search};
use super::{Answer, Status};
use crate::Query;
use crate::math::grid_distance;

/// What a search of [`optimal`] gave.
pub(super) struct Found {
    /// The goal, as a cone; `None` where there was no room to go on.
    pub(super) node: Option<usize>,
    pub(super) expanded: u32,
    pub(super) max_open: u32,
}

/// How the searches stand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OneByOne {
    /// The goal to be searched next.
    next: usize,
    /// The goal with the shortest path so far, and that path's length, m.
    best: Option<(usize, f64)>,
    /// The goal and the cone of the search that is in the scratch.
    found: Option<(usize, usize)>,
    done: bool,
    pub(super) expanded: u32,
    max_open: u32,
}

impl OneByOne {
    pub(super) fn status(&self) -> Status {
        if self.done {
            Status::Reached
        } else {
            Status::Looking
        }
    }
}

impl Search {
    /// Searches the next goal.
    pub(super) fn step_optimal<'s>(
        &mut self,
        query: &Query<'_>,
        lender: &mut impl Lender<'s>,
        budget: &mut u32,
    ) {
        let Phase::Optimal(mut turns) = self.phase else {
            return;
        };
        let mut scratch = lender.lend();
        let goals = self.goals.min(scratch.goals.len());
        // When all have had their turn, the best one's search is put into the scratch again, if another came after it.
        let all = turns.next >= goals;
        let goal = match turns.best {
            Some((best, _)) if all => best,
            _ => turns.next,
        };
        turns.next += 1;
        let Some(to) = scratch.goals.get(goal).copied() else {
            self.phase = Phase::Over(Status::Unreachable);
            return;
        };
        let units = query.mesh().grid().units();
        let straight = grid_distance(self.start.point, to.point) / units;
        if all || turns.best.is_none_or(|(_, length)| straight < length) {
            let (from, end) = (query.place(&self.start), query.place(&to));
            let found = optimal::search(query.mesh(), &from, &end, &mut scratch);
            turns.expanded = turns.expanded.saturating_add(found.expanded);
            turns.max_open = turns.max_open.max(found.max_open);
            *budget = budget.saturating_sub(found.expanded.max(1));
            let Some(node) = found.node else {
                turns.next -= 1;
                self.phase = Phase::Optimal(turns);
                if !lender.grow() {
                    self.give_up_optimal(query, &turns, lender.lend());
                }
                return;
            };
            turns.found = Some((goal, node));
            if goals > 1 && !all {
                let corridor = optimal::trace(query.mesh(), node, &end, &mut scratch);
                let length = query
                    .finish(&from, &end, corridor, false, scratch)
                    .length_xz;
                if turns.best.is_none_or(|(_, best)| length < best) {
                    turns.best = Some((goal, length));
                }
            } else {
                turns.best = Some((goal, straight));
            }
        }
        turns.done = turns.next >= goals && turns.found.map(|f| f.0) == turns.best.map(|b| b.0);
        self.phase = Phase::Optimal(turns);
    }

    /// Where an optimal search has no room, one over polygons finds a path that is walkable at least.
    fn give_up_optimal(&mut self, query: &Query<'_>, turns: &OneByOne, mut scratch: Scratch<'_>) {
        self.before = turns.expanded;
        self.state.missing = 1;
        self.begin_nodes(query, false, &mut scratch);
    }

    pub(super) fn optimal_answer<'s>(
        &self,
        turns: &OneByOne,
        counts: Answer<'s>,
        query: &Query<'_>,
        mut scratch: Scratch<'s>,
    ) -> Answer<'s> {
        let counts = Answer {
            expanded: turns.expanded,
            closed: turns.expanded,
            max_open: turns.max_open,
            ..counts
        };
        let Some((corridor, to)) = self.optimal_corridor(turns, query, &mut scratch) else {
            return counts;
        };
        let (from, end) = (query.place(&self.start), query.place(&to));
        let path = query.finish(&from, &end, corridor, false, scratch);
        Answer {
            status: path.status,
            length_xz: path.length_xz,
            length_3d: path.length_3d,
            cost: path.cost,
            points: path.points,
            polygons: path.polygons,
            bound: path.length_xz,
            goal: to.number,
            certified_optimal: path.status == Status::Reached,
            ..counts
        }
    }

    /// The corridor of the shortest path, written into the scratch, and its goal.
    pub(super) fn optimal_corridor(
        &self,
        turns: &OneByOne,
        query: &Query<'_>,
        scratch: &mut Scratch<'_>,
    ) -> Option<(Corridor, Goal)> {
        let (goal, node) = turns.found.filter(|_| turns.done)?;
        let goal = *scratch.goals.get(goal)?;
        let end = query.place(&goal);
        Some((optimal::trace(query.mesh(), node, &end, scratch), goal))
    }
}
