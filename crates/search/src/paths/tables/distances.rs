//! Distances from one place to many, without the paths.

use super::super::nodes::Goal;
use super::super::slices::Slices;
use super::super::steps::{Phase, Search};
use super::super::{Algorithm, NavPath, PathRequest, Status};
use super::squares::label_at;
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::grid_distance;

/// The state of the look-up at the start.
#[derive(Clone, Copy)]
enum Spread {
    /// The start has a grid-cell label.
    Square,
    /// The hubs of this many corners that it sees were written.
    Corners(usize),
}

impl NavQuery<'_> {
    /// The cost of the shortest path between two places. The cost is the path's length seen from
    /// above, metres, plus the extra cost of links and ground. `None` where there is no path, and
    /// where the scratch is too small. The value equals that of
    /// [`Algorithm::Optimal`](crate::Algorithm::Optimal) except for rounding in the last places.
    ///
    /// Over ground with costs it is that of the best path found: see [`NavQuery::distances`].
    ///
    /// With labels nothing is searched unless there are links, something is blocked, or ground has
    /// extra cost.
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
    /// What the start sees is determined only once; see [`NavQuery::distance`].
    pub fn distances(
        &self,
        from: &NavPoint,
        to: &[NavPoint],
        lengths: &mut [Option<f64>],
        scratch: &mut dyn Memory,
    ) -> f64 {
        let mut gap = 0.0f64;
        let plain = self.is_plain()
            && self.closings().is_ground_open()
            && self.links().next().is_none()
            && !self.mesh().polys().is_changed();
        let mut spread: Option<Spread> = None;
        let request =
            PathRequest::new(from.position(), from.position()).algorithm(self.cheapest(from));
        scratch.prepare(self.mesh(), Need::Goals(to.len().min(lengths.len()) + 1));
        scratch.prepare(self.mesh(), Need::Labels);
        // Over ground with costs: a search that has a path, and the number of goals noted.
        let (mut known, mut noted) = (None, 0);
        for (number, (to, length)) in (0..).zip(to.iter().zip(&mut *lengths)) {
            if plain && spread.is_none() {
                spread = self.spread_from(&Goal::of(from, 0), &mut scratch.lend());
            }
            let looked_up = spread
                .and_then(|spread| self.look_up_length(from, to, spread, &mut scratch.lend()));
            if let Some(looked_up) = looked_up {
                *length = looked_up;
                continue;
            }
            // The search may have overwritten the spread hubs.
            spread = None;
            let found = self.first_path(from, to, &request, scratch);
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
        if let Some(mut search) = known {
            search.improve_all(self, noted, &mut scratch.lend(), |n, cost, left| {
                lengths[n as usize] = Some(cost);
                gap = gap.max(left);
            });
        }
        gap
    }

    /// The search for a path until it has one, its cost and its gap.
    fn first_path(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        scratch: &mut dyn Memory,
    ) -> Option<(Search, f64, f64)> {
        let mut search = self.start_path_between(from, to, request, scratch).ok()?;
        while search.step(self, scratch, 1) == Status::Looking
            && !matches!(search.phase, Phase::Weighted(_))
        {}
        let path = search.path(self, scratch);
        let found = matches!(path.status, Status::Reached | Status::Looking);
        let (cost, gap) = (path.cost, NavPath { status: Status::Reached, ..path }.gap());
        found.then_some((search, cost, gap))
    }

    /// Writes the hubs of all corners that the start sees.
    /// Unnecessary if the start has a grid-cell label. `None` without labels.
    fn spread_from(&self, start: &Goal, scratch: &mut Slices<'_>) -> Option<Spread> {
        let tables = &mut scratch.tables;
        let own = &tables.labels(self)?;
        if label_at(own.polys, own.labels, start).is_some() {
            return Some(Spread::Square);
        }
        let count = tables.sees(own, [start, start], true)?;
        tables.spread(own.labels, count, u32::MAX)?;
        Some(Spread::Corners(count))
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
        let mesh = self.mesh();
        if mesh.island(from.polygon()) != mesh.island(to.polygon()) {
            return Some(None);
        }
        let (start, goal) = (Goal::of(from, 0), Goal::of(to, 0));
        let units = mesh.grid().units();
        let length = match self.trace_chain(from, to, 0, scratch) {
            Some(_) => grid_distance(start.point, goal.point),
            None => {
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
                self.trace_chain(from, to, way.count, scratch)?;
                way.length
            }
        };
        Some(Some(length / units))
    }
}
