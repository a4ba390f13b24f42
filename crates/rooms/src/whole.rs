//! A whole path: the shortest within the rooms of the route over doors.
//!
//! Two lower bounds hold for any path: one from doors ([`bound`]), one from the exits of these
//! rooms ([`Exits`]). Where the path found is longer than the bound by more than a tenth, all rooms
//! are added that a path shorter by a tenth could lead through. Then the search runs once more. The
//! rooms left out cannot make the path shorter by more than a tenth.

use navbake_format::Rooms;

use super::super::optimal::{self, Outcome};
use super::super::request::Planner;
use super::super::slices::Slices;
use super::super::steps::{Phase, Search};
use super::super::turns::OneByOne;
use super::super::{NavPath, Status};
use super::bound::bound;
use super::exits::{Exits, MOST};
use super::links::saved;
use super::plan::{Marks, Planned, Work, plan};
use super::refine::refine;
use super::state::State;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::grid_distance;

/// Expands a plan down to rooms, and puts these into the scratch.
/// Returns the number of rooms, `None` where the cells do not determine them, and the number of
/// doors settled.
fn rooms_of(
    rooms: &Rooms<'_>,
    hops: u32,
    start: u32,
    units: f64,
    scratch: &mut Slices<'_>,
) -> (Option<u32>, u32) {
    let mut count = scratch.doors.rooms.insert(0, start);
    let (mut left, mut from, mut expanded) = (hops, u32::MAX, 0u32);
    while let Some(before) = left.checked_sub(1) {
        let Some(&hop) = scratch.doors.hops.get(before as usize) else {
            return (None, expanded);
        };
        left = before;
        if hop.cell < rooms.count() {
            count = scratch.doors.rooms.insert(count, hop.cell);
            from = hop.to;
            continue;
        }
        let (found, doors) = refine(rooms, from, hop, left, units, scratch);
        expanded = expanded.saturating_add(doors);
        if found == 0 {
            return (None, expanded);
        }
        left += found;
    }
    (Some(count), expanded)
}

impl Search {
    /// Begins a hierarchical search to the first goal.
    /// Returns false when there is no route over doors: another planner has to take over.
    pub(in super::super) fn begin_hierarchical(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> bool {
        let (Some(rooms), Some(goal)) = (query.mesh().rooms(), scratch.goals.first().copied())
        else {
            return false;
        };
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        let (planned, work) =
            plan(query, rooms, [&from, &to], [false; 2], &mut Marks::default(), scratch);
        self.before = self.before.saturating_add(work.expanded);
        let Planned::Way(hops) = planned else {
            return false;
        };
        let units = query.mesh().grid().units();
        let start = rooms.of(from.polygon()).0;
        let (count, expanded) = rooms_of(rooms, hops, start, units, scratch);
        self.before = self.before.saturating_add(expanded);
        let Some(count) = count else {
            return false;
        };
        let Work { max_open, .. } = work;
        self.phase = Phase::Hierarchical(State {
            rooms: count,
            search: optimal::State::begin_within(query, &from, &to, Some(count), true, scratch),
            outcome: None,
            grown: false,
            done: false,
            bound: (grid_distance(from.point(), to.point()) - saved(query)).max(0.0),
            before: 0,
            max_open,
        });
        true
    }

    /// Continues a hierarchical search.
    pub(in super::super) fn step_hierarchical(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
        budget: &mut u32,
    ) {
        let Phase::Hierarchical(mut state) = self.phase else {
            return;
        };
        let goal = scratch.goals.first().copied().unwrap_or_default();
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        let before = state.search.expanded;
        let outcome = state.search.step(query, scratch, *budget, false);
        *budget = budget.saturating_sub((state.search.expanded - before).max(1));
        state.max_open = state.max_open.max(state.search.max_open);
        let Some(outcome) = outcome else {
            self.phase = Phase::Hierarchical(state);
            return;
        };
        match outcome {
            Outcome::Reached(_) => {
                state.outcome = Some(outcome);
                self.reached(&mut state, query, [&from, &to], scratch);
            }
            Outcome::Full | Outcome::OutOfNodes => {
                (state.outcome, state.done) = (Some(outcome), true);
            }
            // The route over doors is blocked from this side.
            Outcome::Nowhere => {
                self.before = self.before.saturating_add(state.expanded());
                self.request.planner = Planner::Optimal;
                self.phase = Phase::Optimal(OneByOne::default());
                return;
            }
        }
        self.phase = Phase::Hierarchical(state);
    }

    /// Checks whether the path is short enough; otherwise adds rooms, once.
    fn reached(
        &self,
        state: &mut State,
        query: &NavQuery<'_>,
        [from, to]: [&NavPoint; 2],
        scratch: &mut Slices<'_>,
    ) {
        let Some(rooms) = query.mesh().rooms() else {
            return;
        };
        let length = state.search.length;
        let exits = Exits::new(query, rooms, from, to);
        state.done = true;
        state.bound = state.bound.max(exits.bound(state.rooms, scratch).min(length));
        if state.grown || length <= MOST * state.bound {
            return;
        }
        let (least, doors) = bound(query, rooms, from, to, scratch);
        state.before = state.before.saturating_add(doors);
        state.bound = state.bound.max(least.min(length));
        if length <= MOST * state.bound {
            return;
        }
        state.rooms = exits.grow(state.rooms, length / MOST, scratch);
        state.before = state.expanded();
        state.search =
            optimal::State::begin_within(query, from, to, Some(state.rooms), true, scratch);
        (state.grown, state.done, state.outcome) = (true, false, None);
    }

    pub(in super::super) fn hierarchical_answer<'s>(
        &self,
        state: &State,
        counts: NavPath<'s>,
        query: &NavQuery<'_>,
        scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let counts = NavPath { closed: state.search.expanded, max_open: state.max_open, ..counts };
        let Some(goal) = scratch.goals.first().copied() else {
            return counts;
        };
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        let outcome = state.outcome.unwrap_or(Outcome::Nowhere);
        let path = state.search.answer(query, &from, &to, &outcome, scratch);
        let whole = path.status == Status::Reached && state.done;
        let bound = (state.bound / query.mesh().grid().units()).min(path.cost);
        NavPath {
            status: if state.done { path.status } else { Status::Looking },
            length_xz: path.length_xz,
            course: path.course,
            cost: path.cost,
            points: path.points,
            polygons: path.polygons,
            bound: if whole { bound } else { counts.bound },
            goal: goal.number,
            certified_optimal: whole && state.bound >= state.search.length,
            ..counts
        }
    }
}
