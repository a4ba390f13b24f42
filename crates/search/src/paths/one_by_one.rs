//! Optimal searches, one goal after another.
//!
//! Each result is compared with the best known one. Goals whose straight-line distance and bound
//! over shortcut links are greater than the cost of the best path are left out.

use navbake_format::PolyId;

use super::astar::nearest;
use super::cheap::Savings;
use super::nodes::{Corridor, Goal};
use super::optimal::{self, Outcome};
use super::request::Planner;
use super::slices::Slices;
use super::steps::{Phase, Search};
use super::turns::OneByOne;
use super::{NavPath, Status};
use crate::NavQuery;
use crate::scratch::{Memory, Need};
use navbake_navmesh::math::{float, grid_distance};

impl Search {
    /// Continues the search for a goal, or begins the next one.
    pub(super) fn step_optimal(
        &mut self,
        query: &NavQuery<'_>,
        memory: &mut dyn Memory,
        budget: &mut u32,
    ) {
        let Phase::Optimal(mut turns) = self.phase else {
            return;
        };
        let may_grow = memory.grows(Need::Optimal);
        let mut scratch = memory.lend();
        let goals = self.goals.min(scratch.goals.len());
        // After the last goal the best one's search is put into the scratch again, if another came
        // after it.
        let all = turns.next >= goals;
        let goal = match turns.best {
            Some((best, _)) if all => best,
            _ => turns.next,
        };
        let Some(to) = scratch.goals.get(goal).copied().filter(|_| goal < goals) else {
            self.no_way(query, &turns, memory);
            return;
        };
        let units = query.mesh().grid().units();
        let mut straight = grid_distance(self.start.point, to.point);
        if self.linked && goals > 1 {
            let savings = Savings::to_goals(query, &[to], scratch.cheap);
            straight = straight.min(savings.least(float(self.start.point), scratch.cheap));
        }
        let straight = straight / units;
        if !all && turns.best.is_some_and(|(_, cost)| straight >= cost) {
            turns.next += 1;
            self.over_with(turns, goals);
            return;
        }
        let (from, end) = (query.goal_place(&self.start), query.goal_place(&to));
        let mut state = (turns.state.take())
            .unwrap_or_else(|| optimal::State::begin(query, &from, &end, &mut scratch));
        let before = state.expanded;
        let outcome = state.step(query, None, &mut scratch, *budget, may_grow);
        *budget = budget.saturating_sub((state.expanded - before).max(1));
        let Some(outcome) = outcome else {
            turns.state = Some(state);
            self.phase = Phase::Optimal(turns);
            return;
        };
        if outcome == Outcome::Full {
            memory.grow(Need::Optimal);
            // Where it had room for every cone up to now, it goes on; else it begins anew.
            turns.state = state.may_go_on().then_some(state);
            self.phase = Phase::Optimal(turns);
            return;
        }
        turns.expanded = turns.expanded.saturating_add(state.expanded);
        turns.max_open = turns.max_open.max(state.max_open);
        match outcome {
            Outcome::Reached(node) => {
                turns.ended = Some((goal, state, outcome));
                if goals > 1 && !all {
                    let corridor = optimal::trace(query, node, &end, &mut scratch);
                    let path = query.finish(&from, &end, corridor, scratch);
                    let cost = path.cost;
                    if turns.best.is_none_or(|(_, best)| cost < best) {
                        turns.best = Some((goal, cost));
                    }
                } else {
                    turns.best = Some((goal, straight));
                }
                turns.next += 1;
            }
            Outcome::Full | Outcome::OutOfNodes => {
                turns.ended = Some((goal, state, outcome));
                turns.done = true;
                self.phase = Phase::Optimal(turns);
                return;
            }
            Outcome::Nowhere => {
                // The search before is no longer in the scratch.
                turns.ended = None;
                turns.next += 1;
            }
        }
        self.over_with(turns, goals);
    }

    /// Stores the turns after a goal.
    ///
    /// They are done when no goal follows and the best one's search is in the scratch.
    fn over_with(&mut self, mut turns: OneByOne, goals: usize) {
        let ended = turns.ended.map(|e| e.0);
        turns.done = turns.next >= goals && ended.is_some() && ended == turns.best.map(|b| b.0);
        self.phase = Phase::Optimal(turns);
    }

    /// Handles goals that cannot be reached.
    ///
    /// A search of polygons finds the nearest place.
    fn no_way(&mut self, query: &NavQuery<'_>, turns: &OneByOne, memory: &mut dyn Memory) {
        self.before = turns.expanded;
        self.reachable = false;
        if self.request.partial && !turns.partial {
            memory.prepare(query.mesh(), Need::Polygons);
            let scratch = &mut memory.lend();
            let goals = self.goals.min(scratch.goals.len());
            for goal in &mut scratch.goals[..goals] {
                goal.polygon = u32::MAX;
            }
            self.begin_nodes(query, false, scratch);
        } else {
            self.phase = Phase::Over(Status::Unreachable);
        }
    }

    /// Begins an optimal search to the place nearest to a goal that cannot be reached.
    ///
    /// A search of polygons found that place. `None` when there is none, or when the request does
    /// not want it.
    pub(super) fn leads_to_nearest(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<()> {
        let wanted = self.request.planner == Planner::Optimal && self.request.partial;
        if !wanted || self.state.end.is_some() || self.state.dropped() > 0 {
            return None;
        }
        let used = (self.state.used as usize).min(scratch.nodes.len());
        let goals = self.goals.min(scratch.goals.len());
        let (nodes, goals) = (&scratch.nodes[..used], &scratch.goals[..goals]);
        let (node, target) = nearest(query.mesh(), nodes, goals)?;
        let (goal, node) = (goals.get(target)?, nodes.get(node as usize)?);
        let place = query.nearest_on(PolyId(node.polygon), goal)?;
        scratch.goals[0] = Goal::of(&place, goal.number);
        self.before = self.expanded();
        self.goals = 1;
        self.phase = Phase::Optimal(OneByOne { partial: true, ..OneByOne::default() });
        Some(())
    }

    pub(super) fn optimal_answer<'s>(
        &self,
        turns: &OneByOne,
        counts: NavPath<'s>,
        query: &NavQuery<'_>,
        scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let (expanded, status) = (turns.expanded(), turns.status());
        let counts = NavPath {
            expanded: self.before.saturating_add(expanded),
            closed: expanded,
            max_open: turns.max_open(),
            ..counts
        };
        // While the search is under way: the place that it has reached.
        let under_way = || {
            let state = turns.state?;
            Some((turns.next, state, Outcome::Nowhere))
        };
        let ended = if turns.done { turns.ended } else { under_way() };
        let Some((goal, state, outcome)) = ended else {
            return counts;
        };
        let Some(to) = scratch.goals.get(goal).copied() else {
            return counts;
        };
        let (from, end) = (query.goal_place(&self.start), query.goal_place(&to));
        let path = state.answer(query, &from, &end, &outcome, scratch);
        let whole = path.status == Status::Reached;
        NavPath {
            status: if turns.done && !whole { path.status } else { status },
            bound: if status == Status::Reached && whole { path.bound } else { counts.bound },
            goal: to.number,
            certified_optimal: status == Status::Reached && path.certified_optimal,
            ..path.counted(counts)
        }
    }

    /// Writes the corridor of the shortest path into the scratch.
    ///
    /// Returns it with its goal.
    pub(super) fn optimal_corridor(
        &self,
        turns: &OneByOne,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, Goal)> {
        let (goal, _, outcome) = turns.ended.filter(|_| turns.done)?;
        let Outcome::Reached(node) = outcome else {
            return None;
        };
        let goal = *scratch.goals.get(goal)?;
        let end = query.goal_place(&goal);
        let corridor = optimal::trace(query, node, &end, scratch);
        corridor.is_whole().then_some((corridor, goal))
    }
}
