//! Cheapest paths over ground of different weights, within a proved bound.
//!
//! Where weights differ, the cheapest path bends at borders as light does, and no method finds it
//! exactly: the places where it crosses borders are roots of polynomials of a high degree (De
//! Carufel, Grimm, Maheshwari, Owen and Smid, A note on the unsolvability of the weighted region
//! shortest path problem, 2014). So the search brings two numbers together:
//!
//! - From above, a path: the cheapest through the portals found ([`upper`]).
//! - From below, a bound of all paths: a search over pieces of portals ([`lower`]), which have
//!   affine lower bounds of the cost of reaching them ([`beam`]).
//!
//! ```text
//!    cost
//!     |  upper --.
//!     |           `----.______
//!     |                           optimum
//!     |            .----------
//!     |  lower ---'
//!     +------------------------- rounds
//! ```
//!
//! A round of the search gives a bound and a path that would cost no more if the bound were exact.
//! The cheapest path through its portals may improve the known one. Then pieces in which the bound
//! loses much are cut in two, and the next round begins. The search ends when the path's cost is
//! within the requested share above the bound, or when memory or rounds run out.
//!
//! It is a method of intervals with additively weighted, linear labels. It is between the
//! continuous Dijkstra method (Mitchell and Papadimitriou, The weighted region problem, 1991),
//! whose intervals are exact, and Steiner points (Aleksandrov, Maheshwari and Sack, Determining
//! approximate shortest paths on weighted polyhedral surfaces, 2005), which bound from above alone.

mod all;
mod beam;
mod detour;
mod loops;
mod lower;
mod memory;
mod piece;
mod state;
mod trace;
mod upper;
mod ways;

use navbake_format::PolyId;

use super::landmarks::Landmarks;
use super::nodes::{Corridor, Goal};
use super::request::Planner;
use super::slices::Slices;
use super::state::Pause;
use super::steps::{Phase, Search};
use super::{Heuristic, NavPath, Status};
use crate::NavQuery;
use crate::costs::{AreaCosts, Slopes};

#[cfg(feature = "alloc")]
pub(crate) use memory::PiecesVectors;
pub(crate) use memory::{Pieces, PiecesArrays};

pub(super) use state::State;

use lower::Front;
use state::End;
use upper::Crossing;

/// The goal's distance divided by `State::near`.
///
/// Up to that distance from the start, pieces are not made shorter for being near it.
const NEAR: f64 = 32.0;
/// The number of lines that share the allowed loss of a path.
const GIVE: f64 = 400.0;
/// The most rounds of a search.
const ROUNDS: u32 = 24;
/// A piece that is taken more often in a round is cut in two.
///
/// Its loss comes back to it.
const TAKES: u32 = 12;
/// This many rounds of little progress in a row are the last.
const IDLE: u32 = 3;
/// Little progress: at least this share of the difference to the bound is left.
///
/// The difference is that between path and bound before the round.
const LITTLE: f64 = 15.0 / 16.0;

impl Search {
    /// Goes on with a weighted search from the corridor that a search of nodes found.
    ///
    /// `None` where another planner asks, or where there is no memory for it: the corridor is then
    /// the answer.
    pub(super) fn goes_on_weighted(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<()> {
        self.state.end.filter(|_| self.request.planner == Planner::Weighted)?;
        let found = self.corridor_to(query, scratch);
        let (corridor, goal) = found.filter(|_| !scratch.weighted.pieces.is_empty())?;
        let goals = &scratch.goals[..self.goals.min(scratch.goals.len())];
        let target = goals.iter().position(|g| g.number == goal.number)?;
        let mut state = self.weighted_state(query);
        state.target = target as u32;
        state.begin(query, corridor.len, scratch)?;
        self.before = self.before.saturating_add(self.state.expanded);
        self.phase = Phase::Weighted(state);
        Some(())
    }

    /// The state before the first round.
    fn weighted_state(&self, query: &NavQuery<'_>) -> State {
        let (least, slopes) = (query.least_weight(), query.slopes());
        // A value that is not a number requests the least gap possible.
        let gap = self.request.gap.max(0.0);
        State {
            start: self.start.point,
            polygon: self.start.polygon,
            goals: self.goals as u32,
            lost: f64::INFINITY,
            near: (self.bound / least / NEAR).max(64.0),
            give: self.bound * gap.min(1.0) / GIVE,
            dearest: query.costs.map_or(1.0, AreaCosts::most),
            least: if self.linked && !self.state.savings.is_none() { 0.0 } else { least },
            slopes,
            least_slopes: if self.linked { Slopes::default() } else { slopes },
            ground: self.start.height,
            upper: f64::INFINITY,
            lower: self.bound,
            gap,
            stretch: 1.0 + gap.min(1.0) / 4.0,
            by_landmarks: self.request.a_star.heuristic == Heuristic::Table,
            ..State::default()
        }
    }

    /// Continues a round, or begins the next one.
    pub(super) fn step_weighted(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
        budget: &mut u32,
    ) {
        let Phase::Weighted(mut state) = self.phase else {
            return;
        };
        if state.front(query, scratch).run(budget) == Pause::Ended {
            *budget = budget.saturating_sub(1);
            state.end_round(query, scratch);
        }
        self.phase = Phase::Weighted(state);
    }

    /// The cheapest known path, with its bound.
    pub(super) fn weighted_answer<'s>(
        &self,
        state: &State,
        counts: NavPath<'s>,
        query: &NavQuery<'_>,
        mut scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let counts = NavPath {
            expanded: self.expanded(),
            closed: state.used,
            max_open: state.open.max,
            ..counts
        };
        let none = NavPath { status: Status::OutOfNodes, bound: 0.0, ..counts };
        let Some(goal) = scratch.goals.get(state.target as usize).copied() else {
            return none;
        };
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        let Some((corridor, bend)) = state.write(query, &from, &to, &mut scratch) else {
            return none;
        };
        let path = query.finish_with(&from, &to, corridor, bend, scratch);
        if path.status != Status::Reached {
            return none;
        }
        let bound = (state.lower / query.mesh().grid().units()).min(path.cost);
        NavPath { status: counts.status, bound, goal: goal.number, ..path.counted(counts) }
    }
}

impl State {
    /// The corridor of the best path, written into the scratch, and its goal.
    pub(super) fn corridor(&self, scratch: &mut Slices<'_>) -> Option<(Corridor, Goal)> {
        let goal = *scratch.goals.get(self.target as usize)?;
        let corridor = self.crossed(PolyId(goal.polygon), scratch)?;
        corridor.is_whole().then_some((corridor, goal))
    }

    /// Writes the corridor of the best path, which ends in polygon `last`.
    fn crossed(&self, last: PolyId, scratch: &mut Slices<'_>) -> Option<Corridor> {
        let mut corridor = Corridor::new(last);
        for Crossing { step, .. } in scratch.weighted.best.get(..self.best as usize)? {
            corridor.push(scratch.corridor, PolyId(step.polygon), step.edge);
        }
        Some(corridor)
    }

    /// Makes the corridor in the scratch the first path, and begins the first round.
    fn begin(
        &mut self,
        query: &NavQuery<'_>,
        corridor: usize,
        scratch: &mut Slices<'_>,
    ) -> Option<()> {
        let steps = scratch.corridor.get(..corridor).unwrap_or(&[]);
        let tried = scratch.weighted.tried.get_mut(..corridor)?;
        scratch.weighted.best.get(..corridor)?;
        for (step, slot) in steps.iter().zip(tried) {
            *slot = self.crossing(query, *step)?;
        }
        self.keep_better(query, corridor, scratch);
        self.go_round(query, scratch);
        self.front(query, scratch).begin();
        Some(())
    }

    /// Descends the tried path of `count` crossings, and keeps it if it is the cheapest known one.
    fn keep_better(
        &mut self,
        query: &NavQuery<'_>,
        count: usize,
        scratch: &mut Slices<'_>,
    ) -> bool {
        let goal = scratch.goals.get(self.target as usize);
        let (Some(goal), Some(tried)) = (goal, scratch.weighted.tried.get_mut(..count)) else {
            return false;
        };
        let mut course = upper::Course {
            crossings: tried,
            last: goal.polygon,
            goal: piece::relative(goal.point, self.start),
            height: self.height_of(goal),
            weight: query.weight(PolyId(goal.polygon)),
            slopes: self.slopes,
        };
        course.descend();
        if course.leave_out_loops() < count {
            course.descend();
        }
        let (cost, tried) = (course.cost(), &*course.crossings);
        let Some(best) = scratch.weighted.best.get_mut(..tried.len()) else {
            return false;
        };
        let better = cost < self.upper;
        if better {
            best.copy_from_slice(tried);
            (self.upper, self.best) = (cost, tried.len() as u32);
        }
        better
    }

    fn front<'f, 'a>(
        &'f mut self,
        query: &'f NavQuery<'a>,
        scratch: &'f mut Slices<'_>,
    ) -> Front<'f, 'a> {
        let (goals, reaches) = (self.goals as usize, &mut *scratch.weighted.reaches);
        Front {
            query,
            landmarks: match self.by_landmarks {
                true => Landmarks::of(query),
                false => None,
            },
            targets: scratch.goals.get(..goals).unwrap_or(&[]),
            pieces: scratch.weighted.pieces,
            heap: scratch.weighted.heap,
            slots: scratch.slots,
            reaches: reaches.get_mut(..if self.all { goals } else { 0 }).unwrap_or_default(),
            state: self,
        }
    }

    /// Ends a round: a better bound, perhaps a better path, and shorter pieces.
    fn end_round(&mut self, query: &NavQuery<'_>, scratch: &mut Slices<'_>) {
        let bound = self.front(query, scratch).bound();
        let before = (self.lower, self.upper);
        self.lower = self.lower.max(self.certified(bound));
        self.round += 1;
        let traced = self.goal.and_then(|end| {
            let count = self.trace(query, &end, scratch)?;
            let before = core::mem::replace(&mut self.target, end.target);
            if !self.keep_better(query, count, scratch) {
                self.target = before;
            }
            Some(count)
        });
        if self.lower < self.enough() {
            self.go_round(query, scratch);
        }
        let left = (self.upper - self.lower) / (before.1 - before.0);
        self.idle = if left < LITTLE { 0 } else { self.idle + 1 };
        let met = self.lower >= self.enough() || self.idle >= IDLE;
        let crossings = traced.unwrap_or(0);
        if met || self.round >= ROUNDS || !self.refine(query, crossings, scratch) {
            self.done = true;
            return;
        }
        self.front(query, scratch).begin();
    }

    /// Traces the path of a round into the scratch, and returns its number of crossings.
    fn trace(
        &mut self,
        query: &NavQuery<'_>,
        end: &End,
        scratch: &mut Slices<'_>,
    ) -> Option<usize> {
        let tried = core::mem::take(&mut scratch.weighted.tried);
        let count = trace::trace(&mut self.front(query, scratch), end, tried);
        scratch.weighted.tried = tried;
        count
    }

    /// Cuts pieces in two in which the bound loses more than their share.
    ///
    /// False when there are none, or no room.
    fn refine(&mut self, query: &NavQuery<'_>, count: usize, scratch: &mut Slices<'_>) -> bool {
        let crossings = count.max(self.best as usize) + 1;
        let lack = (self.upper - self.lower) / (2.0 * crossings as f64);
        let mut share = 1.0;
        let mut front = self.front(query, scratch);
        for _ in 0..8 {
            let mut cut = false;
            for n in 0..front.state.used {
                if front.is_wide(n, share, lack) {
                    if !front.split(n) {
                        return cut;
                    }
                    cut = true;
                }
            }
            if cut {
                return true;
            }
            share /= 2.0;
        }
        false
    }
}
