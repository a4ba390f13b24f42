//! One search for the costs to several goals.
//!
//! A path to each goal is known. The pieces of all goals are the same, and so are the bounds of
//! reaching them; only the cost ahead differs. So one round bounds the paths to all goals, and
//! traces one path to each that it reaches. A goal is settled when its path is within the accepted
//! gap, and later rounds leave it out.

use super::super::nodes::Goal;
use super::super::slices::Slices;
use super::super::state::Pause;
use super::super::steps::{Phase, Search};
use super::super::{Algorithm, NavPath, Status};
use super::state::{End, Reach, State};
use super::{IDLE, LITTLE, ROUNDS};
use crate::NavQuery;

/// Entries that a search spends for each path that is not within the accepted gap.
const ENTRIES: u32 = 8192;

impl Search {
    /// Notes what this search knows of its goal in the given place of the scratch.
    ///
    /// False where it has no first path, or the scratch has no such place.
    pub(in super::super) fn note_reach(
        &self,
        query: &NavQuery<'_>,
        (place, number, cost): (usize, u32, f64),
        scratch: &mut Slices<'_>,
    ) -> bool {
        let (Phase::Weighted(state), Some(&goal)) = (self.phase, scratch.goals.first()) else {
            return false;
        };
        let reach = scratch.weighted.reaches.get_mut(place);
        let (Some(reach), Some(slot)) = (reach, scratch.goals.get_mut(place + 1)) else {
            return false;
        };
        let upper = cost * query.mesh().grid().units();
        let State { lower, best, .. } = state;
        *reach = Reach { upper, lower, crossings: best, ..Reach::NONE };
        *slot = Goal { number, ..goal };
        true
    }

    /// Improves the paths to all noted goals, and their bounds.
    ///
    /// Calls `done` with the number of each goal, the cost of its path, m, and its gap.
    pub(in super::super) fn improve_all(
        &mut self,
        query: &NavQuery<'_>,
        goals: usize,
        scratch: &mut Slices<'_>,
        mut done: impl FnMut(u32, f64, f64),
    ) {
        let mut budget = ENTRIES.saturating_mul(goals as u32);
        scratch.goals.copy_within(1..=goals, 0);
        self.goals = goals;
        let reaches = &scratch.weighted.reaches[..goals];
        // Beside one goal, pieces need not be as short as it alone would need them.
        let nearest = reaches.iter().map(|r| r.lower).fold(f64::INFINITY, f64::min);
        let mean = reaches.iter().map(|r| r.lower).sum::<f64>() / goals as f64;
        self.bound = nearest.max(mean / 4.0);
        let mut state = self.weighted_state(query);
        state.all = true;
        while state.begin_round_of_all(query, scratch)
            && state.run_round_of_all(query, &self.start, &mut budget, scratch)
        {}
        let units = query.mesh().grid().units();
        for (goal, reach) in scratch.goals.iter().zip(&*scratch.weighted.reaches).take(goals) {
            let (cost, bound) = (reach.upper / units, reach.lower / units);
            let path = NavPath::none(Status::Reached, Algorithm::Auto);
            done(goal.number, cost, NavPath { cost, bound, ..path }.gap());
        }
    }
}

impl State {
    /// Puts settled goals behind the others, cuts pieces for these, and begins a round.
    ///
    /// False after the last.
    fn begin_round_of_all(&mut self, query: &NavQuery<'_>, scratch: &mut Slices<'_>) -> bool {
        for t in (0..self.goals as usize).rev() {
            let reach = scratch.weighted.reaches[t];
            if reach.lower >= self.enough_for(&reach) {
                self.goals -= 1;
                scratch.weighted.reaches.swap(t, self.goals as usize);
                scratch.goals.swap(t, self.goals as usize);
            }
        }
        let goals = self.goals as usize;
        let reaches = &scratch.weighted.reaches[..goals];
        self.upper = reaches.iter().map(|r| r.upper).fold(0.0, f64::max);
        let over = goals == 0 || self.idle >= IDLE || self.round >= ROUNDS;
        if over || (self.round > 0 && !self.refine(query, 0, scratch)) {
            return false;
        }
        self.front(query, scratch).begin();
        true
    }

    /// Searches on until the paths to all goals cost more than enough. False without budget.
    ///
    /// A path is traced as soon as the search has passed its goal. Later, pieces beyond it could
    /// lead the trace astray.
    fn run_round_of_all(
        &mut self,
        query: &NavQuery<'_>,
        start: &Goal,
        budget: &mut u32,
        scratch: &mut Slices<'_>,
    ) -> bool {
        let goals = self.goals as usize;
        let greatest = self.upper;
        (self.round, self.idle) = (self.round + 1, self.idle + 1);
        loop {
            let mut front = self.front(query, scratch);
            let pause = front.run(budget);
            // Where the round ends for another reason, it ends for all goals.
            let passed = front.passed().filter(|_| pause == Pause::Ended);
            for t in 0..goals {
                let before = scratch.weighted.reaches[t];
                if !before.open || passed.is_some_and(|f| f < self.until(&before)) {
                    continue;
                }
                let mut reach = Reach { open: false, ..before };
                let bound = self.front(query, scratch).bound_to(&reach);
                reach.lower = reach.lower.max(self.certified(bound));
                if reach.value.is_finite() {
                    self.trace_to(query, start, t, &mut reach, scratch);
                    self.upper = greatest;
                }
                // A round is idle where it brings little progress to every goal.
                if reach.upper - reach.lower < (before.upper - before.lower) * LITTLE {
                    self.idle = 0;
                }
                scratch.weighted.reaches[t] = reach;
            }
            if passed.is_none() || scratch.weighted.reaches[..goals].iter().all(|r| !r.open) {
                return pause == Pause::Ended;
            }
        }
    }

    /// Traces the path of a round to a goal, and keeps its cost if it is the cheapest known.
    fn trace_to(
        &mut self,
        query: &NavQuery<'_>,
        start: &Goal,
        t: usize,
        reach: &mut Reach,
        scratch: &mut Slices<'_>,
    ) {
        (self.upper, self.best, self.target) = (reach.upper, 0, t as u32);
        let end = End { value: reach.value, from: reach.from, target: t as u32 };
        let count = self.trace(query, &end, scratch);
        if !count.is_some_and(|count| self.keep_better(query, count, scratch)) {
            return;
        }
        self.go_round(query, scratch);
        let (from, to) = (query.goal_place(start), query.goal_place(&scratch.goals[t]));
        let Some((corridor, bend)) = self.write(query, &from, &to, scratch) else {
            return;
        };
        let path = query.finish_with(&from, &to, corridor, bend, scratch.lend());
        let upper = path.cost * query.mesh().grid().units();
        if upper < reach.upper && path.status == Status::Reached {
            (reach.upper, reach.crossings) = (upper, self.best);
        }
    }
}
