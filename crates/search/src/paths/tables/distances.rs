//! Distances from one place to many, without the paths.

use super::super::nodes::Goal;
use super::super::optimal::State;
use super::super::request::Planner;
use super::super::slices::Slices;
use super::super::steps::{Phase, Search};
use super::super::{Algorithm, NavPath, PathRequest, Status};
#[cfg(feature = "alloc")]
use super::Goals;
use super::buckets::Buckets;
use super::hubs::Spread;
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::grid_distance;

/// The least number of goals for which one search takes less than one each.
const MANY: usize = 4;

/// The straight pieces from a start to corners that were tested.
#[derive(Clone, Copy)]
struct Pieces {
    /// The stamps of corners to which they are free, and to which they are not.
    stamps: [u32; 2],
}

impl NavQuery<'_> {
    /// The cost of the shortest path between two places. The cost is the path's length seen from
    /// above, metres, plus the extra cost of links and ground. `None` where there is no path, and
    /// where the scratch is too small. The value equals that of
    /// [`Algorithm::Optimal`](crate::Algorithm::Optimal) except for rounding in the last places.
    ///
    /// Over ground with costs it is that of the best path found: see [`NavQuery::distances`].
    ///
    /// With labels nothing is searched unless something is blocked, many links may be on the path, or
    /// ground has extra cost.
    pub fn distance(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        scratch: &mut dyn Memory,
    ) -> Option<f64> {
        let mut lengths = [None];
        self.distances(from, core::slice::from_ref(to), &mut lengths, scratch);
        lengths[0]
    }

    /// Costs from one place to several others, as many as the shorter slice holds.
    ///
    /// Returns the greatest gap: no cost is more than this share above the cheapest path's, 0 where
    /// all are exact. Over ground with costs one search improves the first paths to all places. It
    /// ends at the usual gap ([`Algorithm::GAP`](crate::Algorithm::GAP)), or after 8,192 entries
    /// for each path that is not within it. On hills the usual gap can take a hundred times as
    /// many, and the gap returned is greater.
    ///
    /// What the start sees is determined only once, and one search finds all places that need one;
    /// see [`NavQuery::distance`]. For many starts see [`NavQuery::distances_to`].
    pub fn distances(
        &self,
        from: &NavPoint,
        to: &[NavPoint],
        lengths: &mut [Option<f64>],
        scratch: &mut dyn Memory,
    ) -> f64 {
        self.lengths(from, to, None, lengths, scratch)
    }

    /// Costs from one place to [goals](Goals) that are ready: those of [`NavQuery::distances`], to
    /// the last bit, and faster.
    ///
    /// A row of a matrix. It only reads the goals, so threads can share them, each with scratch of
    /// its own. After obstacles or chunks have changed the mesh, the goals must be
    /// [set](Goals::set) anew.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let [start, a, b] = [[1.0, 0.0, 1.0], [4.0, 0.0, 1.0], [1.0, 0.0, 3.0]]
    /// #     .map(|p| query.locate(p, 2.0).expect("ground"));
    /// let goals = navbake_search::Goals::new(&query, &[a, b], &mut scratch);
    /// let mut row = [None; 2];
    /// query.distances_to(&start, &goals, &mut row, &mut scratch);
    /// assert_eq!(row, [Some(3.0), Some(2.0)]);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn distances_to(
        &self,
        from: &NavPoint,
        goals: &Goals,
        lengths: &mut [Option<f64>],
        scratch: &mut dyn Memory,
    ) -> f64 {
        self.lengths(from, goals.places(), Some(&goals.buckets()), lengths, scratch)
    }

    fn lengths(
        &self,
        from: &NavPoint,
        to: &[NavPoint],
        goals: Option<&Buckets<'_>>,
        lengths: &mut [Option<f64>],
        scratch: &mut dyn Memory,
    ) -> f64 {
        let mut gap = 0.0f64;
        let algorithm = self.cheapest(from);
        let plain = self.is_plain()
            && !self.stale
            && self.closings().is_ground_open()
            && self.links().next().is_none()
            && !self.mesh().polys().is_changed();
        let request = PathRequest::new(from.position(), from.position()).algorithm(algorithm);
        scratch.prepare(self.mesh(), Need::Row(to.len()));
        let goals = goals.filter(|_| algorithm == Algorithm::Optimal);
        let start = Goal::of(from, 0);
        let pieces = goals.and_then(|goals| {
            let tables = &mut scratch.lend().tables;
            tables.row(self, &start, goals)?;
            Some(Pieces { stamps: [tables.stamp()?, tables.stamp()?] })
        });
        let mut spread: Option<Spread> = None;
        let many = to.len() >= MANY;
        // Goals left to one search, and over ground with costs: a search that has a path, and the
        // number of goals noted.
        let (mut left, mut known, mut noted) = (0, None, 0);
        for (number, (to, length)) in (0..).zip(to.iter().zip(&mut *lengths)) {
            if plain && pieces.is_none() && spread.is_none() {
                spread = self.spread_from(&start, &mut scratch.lend());
            }
            let slices = &mut scratch.lend();
            let row = pieces.map(|pieces| (number as usize, pieces));
            let looked_up = match (row, spread) {
                (Some(row), _) if plain => self.length_in_row(from, to, row, slices),
                (_, Some(spread)) => self.look_up_length(from, to, spread, slices),
                _ => None,
            };
            if let Some(looked_up) = looked_up {
                *length = looked_up;
                continue;
            }
            // The search may have overwritten the spread hubs.
            spread = None;
            *length = None;
            let row = row.map(|row| row.0);
            let Some(search) = self.begin_in_row(from, to, &request, row, scratch) else {
                continue;
            };
            if matches!(search.phase, Phase::Optimal(_))
                && !search.linked
                && many
                && let Some(slot) = scratch.lend().goals.get_mut(left + 1)
            {
                *slot = Goal::of(to, number);
                left += 1;
                continue;
            }
            let found = self.first_path(search, scratch);
            *length = found.as_ref().map(|found| found.1);
            let Some((search, cost, first)) = found else {
                continue;
            };
            let goal = (noted, number, cost);
            if first > Algorithm::GAP && search.note_reach(self, goal, &mut scratch.lend()) {
                (known, noted) = (Some(search), noted + 1);
            } else {
                gap = gap.max(first);
            }
        }
        self.search_all(from, left, &request, lengths, scratch);
        if let Some(mut search) = known {
            search.improve_all(self, noted, &mut scratch.lend(), |n, cost, left| {
                lengths[n as usize] = Some(cost);
                gap = gap.max(left);
            });
        }
        gap
    }

    /// Begins the search for a path; its goal may be one of the row that was found last.
    fn begin_in_row(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        row: Option<usize>,
        scratch: &mut dyn Memory,
    ) -> Option<Search> {
        let mut search = self.open_path_between(from, to, request, false, scratch).ok()?;
        search.go_on_in_row(self, row, scratch);
        Some(search)
    }

    /// The search for a path until it has one, its cost and its gap.
    fn first_path(
        &self,
        mut search: Search,
        scratch: &mut dyn Memory,
    ) -> Option<(Search, f64, f64)> {
        // Over costs, until there is a path to improve.
        let budget = if search.request.planner == Planner::Weighted { 1 } else { u32::MAX };
        while search.step(self, scratch, budget) == Status::Looking
            && !matches!(search.phase, Phase::Weighted(_))
        {}
        let path = search.path(self, scratch);
        let found = matches!(path.status, Status::Reached | Status::Looking);
        let (cost, gap) = (path.cost, NavPath { status: Status::Reached, ..path }.gap());
        found.then_some((search, cost, gap))
    }

    /// Searches for the shortest paths to the goals that follow the first in the scratch.
    fn search_all(
        &self,
        from: &NavPoint,
        goals: usize,
        request: &PathRequest,
        lengths: &mut [Option<f64>],
        scratch: &mut dyn Memory,
    ) {
        let many = goals >= MANY;
        let all = if many { State::settle_all(self, from, goals, scratch) } else { None };
        if let Some(all) = all {
            for goal in 0..goals {
                let slices = &mut scratch.lend();
                let cost = all.cost_to(self, from, goal, slices);
                let slot = &mut slices.goals[goal + 1];
                if let Some(cost) = cost {
                    let length = &mut lengths[slot.number as usize];
                    *length = (cost < f64::INFINITY).then_some(cost);
                    *slot = Goal::NONE;
                    slot.number = u32::MAX;
                }
            }
        }
        // The goals that are left are searched for one by one.
        for goal in 0..goals {
            let goal = scratch.lend().goals[goal + 1];
            if let Some(length) = lengths.get_mut(goal.number as usize) {
                let to = self.goal_place(&goal);
                let search = self.begin_in_row(from, &to, request, None, scratch);
                let found = search.and_then(|search| self.first_path(search, scratch));
                *length = found.map(|found| found.1);
            }
        }
    }

    /// Writes the hubs of all corners that the start sees.
    /// Unnecessary if the start has a grid-cell label. `None` without labels.
    fn spread_from(&self, start: &Goal, scratch: &mut Slices<'_>) -> Option<Spread> {
        let tables = &mut scratch.tables;
        let own = &tables.labels(self)?;
        tables.spread_from(own, start)
    }

    /// The length of the shortest path to a place; `Some(None)` where there is none.
    /// It uses the hubs that were written before. `None` where labels do not determine it.
    fn look_up_length(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        spread: Spread,
        scratch: &mut Slices<'_>,
    ) -> Option<Option<f64>> {
        if let Some(known) = self.length_in_sight(from, to, scratch) {
            return Some(known);
        }
        let (start, goal) = (Goal::of(from, 0), Goal::of(to, 0));
        let tables = &mut scratch.tables;
        let own = &tables.labels(self)?;
        let ends = [&start, &goal];
        let way = match spread {
            Spread::Square => tables.way_by_squares(own, ends)?,
            Spread::Corners(count) => {
                let last = tables.sees(own, [&goal, &start], false)?;
                tables.join(own, [count, last], ends, u32::MAX)?
            }
        };
        // Visibility lists may hold more than is visible.
        let free = self.is_free_at_ends(from, to, way.count, scratch);
        free.then_some(Some(way.length / self.mesh().grid().units()))
    }

    /// The same for a place of the row that was found last.
    fn length_in_row(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        (number, pieces): (usize, Pieces),
        scratch: &mut Slices<'_>,
    ) -> Option<Option<f64>> {
        if let Some(known) = self.length_in_sight(from, to, scratch) {
            return Some(known);
        }
        let (length, [first, last]) = scratch.tables.length_in_row(number)?;
        let steps = &mut *scratch.corridor;
        // Many paths of a row begin at the same corner.
        let tested = scratch.tables.stamps.get_mut(first as usize)?;
        if !pieces.stamps.contains(tested) {
            *tested = pieces.stamps[usize::from(!self.is_free_to(from, first, steps))];
        }
        let free = *tested == pieces.stamps[0] && self.is_free_to(to, last, steps);
        free.then_some(Some(length / self.mesh().grid().units()))
    }

    /// The length of the straight line to a place, if it is free; `Some(None)` for a place that no
    /// ground connects.
    fn length_in_sight(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        scratch: &mut Slices<'_>,
    ) -> Option<Option<f64>> {
        let mesh = self.mesh();
        if mesh.island(from.polygon()) != mesh.island(to.polygon()) {
            return Some(None);
        }
        self.trace_chain(from, to, 0, scratch)?;
        let ends = [from, to].map(NavPoint::point);
        Some(Some(grid_distance(ends[0], ends[1]) / mesh.grid().units()))
    }
}
