//! The shortest path over links: a search whose nodes are links. The ways over ground between them
//! are looked up.
//!
//! A way over ground has the straight line as its length until it is the best on the open list.
//! Only then is it looked up (lazy A*: Cohen, Phillips and Likhachev, *Planning single-arm
//! manipulations with n-arm robots*, 2014). Most ways never are.

use navbake_format::PolyId;
use navbake_navmesh::math::{float, grid_distance};

use super::super::cheap::Savings;
use super::super::nodes::{Corridor, Goal};
use super::super::slices::Slices;
use super::super::steps::Search;
use super::ask::sees;
use super::hops::{GroundWay, HOPS, Hop, To, WAYS};
use crate::NavQuery;
use crate::locate::PolyPoint;

/// The most ways that are looked up. Beyond them a search is faster.
const LOOK_UPS: usize = 64;

/// A search over links.
struct OverLinks<'s, 'q> {
    query: &'q NavQuery<'q>,
    /// The query with all ground open, on the mesh as baked: as the labels know it.
    open: &'q NavQuery<'q>,
    start: Goal,
    /// Number of goals in the scratch.
    goals: usize,
    /// The cost of the path over ground, grid units.
    most: f64,
    /// The shortcut links are in the scratch.
    savings: Savings,
    hops: &'s mut [Hop],
    ways: &'s mut [GroundWay],
    /// Number of hops, and of ways on the open list.
    count: usize,
    waiting: usize,
}

impl OverLinks<'_, '_> {
    /// The last hop and the goal of the shortest path, if it is shorter than the one over ground.
    fn run(&mut self, scratch: &mut Slices<'_>) -> Option<Option<(u16, u16)>> {
        self.collect(scratch)?;
        let (mut from, mut left) = (None, LOOK_UPS);
        loop {
            self.leave(from, scratch)?;
            from = loop {
                let Some((number, way)) = self.best() else {
                    return Some(None);
                };
                if !way.looked_up {
                    left = left.checked_sub(1)?;
                    self.look_up(number, scratch)?;
                    continue;
                }
                self.waiting -= 1;
                self.ways[number] = self.ways[self.waiting];
                match (way.to, way.from) {
                    (To::Goal(goal), Some(last)) => return Some(Some((last, goal))),
                    (To::Hop(n), before) if self.hops.get(usize::from(n))?.g.is_none() => {
                        let hop = self.hops.get_mut(usize::from(n))?;
                        (hop.g, hop.before) = (Some(way.g), before);
                        break Some(n);
                    }
                    _ => {}
                }
            };
        }
    }

    /// Collects the links that may be on a shorter path than the one over ground.
    /// `None` where there are too many.
    fn collect(&mut self, scratch: &mut Slices<'_>) -> Option<()> {
        // Numbers of goals and hops have 16 bits.
        let goals = scratch.goals.get(..self.goals).filter(|goals| goals.len() <= WAYS)?;
        let points = goals.iter().map(|goal| goal.point);
        let units = self.query.mesh().grid().units();
        for (number, link) in self.query.links_within(self.most, self.start.point, points.clone()) {
            let straight = points.clone().map(|goal| grid_distance(link.to, goal));
            let straight = straight.fold(f64::INFINITY, f64::min);
            if self.count == HOPS {
                return None;
            }
            let baked = self.open.mesh().link(number)?;
            *self.hops.get_mut(self.count)? = Hop {
                link: number,
                ends: self.open.ends_of_link(&baked),
                cost: link.cost * units,
                rest: straight.min(self.savings.least(float(link.to), scratch.cheap)),
                g: None,
                before: None,
            };
            self.count += 1;
        }
        Some(())
    }

    /// The place where ways from a hop begin, or those from the start.
    fn begin(&self, from: Option<u16>) -> Option<Goal> {
        match from {
            None => Some(self.start),
            Some(n) => Some(Goal::at(self.hops.get(usize::from(n))?.ends[1])),
        }
    }

    /// Adds the ways from the end of a hop, or from the start. `None` where there is no room.
    fn leave(&mut self, from: Option<u16>, scratch: &Slices<'_>) -> Option<()> {
        let here = self.begin(from)?;
        let g = match from {
            None => 0.0,
            Some(n) => self.hops.get(usize::from(n))?.g?,
        };
        let hops = (0..).zip(self.hops.get(..self.count)?).filter(|(_, hop)| hop.g.is_none());
        let hops = hops.map(|(n, hop)| (To::Hop(n), Goal::at(hop.ends[0]), hop.cost, hop.rest));
        // The way from the start to a goal is known.
        let goals = scratch.goals.get(..if from.is_some() { self.goals } else { 0 })?;
        let goals = (0..).zip(goals);
        let goals =
            goals.filter_map(|(n, goal)| Some((To::Goal(n), goal.as_baked(self.query)?, 0.0, 0.0)));
        for (to, there, cost, rest) in hops.chain(goals) {
            let g = g + grid_distance(here.point, there.point) + cost;
            if g + rest < self.most && self.open.are_on_one_island(&here, &there) {
                let way = GroundWay { f: g + rest, g, from, to, looked_up: false };
                *self.ways.get_mut(self.waiting)? = way;
                self.waiting += 1;
            }
        }
        Some(())
    }

    /// The waiting way with the least bound, if that is less than the path over ground.
    fn best(&self) -> Option<(usize, GroundWay)> {
        let ways = (0..).zip(self.ways.get(..self.waiting)?.iter().copied());
        ways.min_by(|a, b| a.1.f.total_cmp(&b.1.f)).filter(|(_, way)| way.f < self.most)
    }

    /// Looks up the length of a waiting way.
    fn look_up(&mut self, number: usize, scratch: &mut Slices<'_>) -> Option<()> {
        let way = *self.ways.get(number)?;
        let from = self.begin(way.from)?;
        let to = match way.to {
            To::Hop(n) => Goal::at(self.hops.get(usize::from(n))?.ends[0]),
            To::Goal(n) => scratch.goals.get(usize::from(n))?.as_baked(self.query)?,
        };
        let straight = grid_distance(from.point, to.point);
        let more = match sees(self.open, [&from, &to], scratch) {
            Some(_) => 0.0,
            None => (scratch.tables.way(self.open, &from, &to)?.length - straight).max(0.0),
        };
        let way = self.ways.get_mut(number)?;
        (way.f, way.g, way.looked_up) = (way.f + more, way.g + more, true);
        Some(())
    }

    /// Writes the polygons of the path over a hop and those before it to a goal into the corridor.
    /// `None` where a blocked edge is in the path.
    fn trace(
        &mut self,
        (last, goal): (u16, u16),
        start: Goal,
        scratch: &mut Slices<'_>,
    ) -> Option<Corridor> {
        // Each hop names the one before it; from here on the one after it.
        let (mut next, mut first) = (None, Some(last));
        while let Some(n) = first {
            let hop = self.hops.get_mut(usize::from(n))?;
            (first, hop.before, next) = (hop.before, next, first);
        }
        let goal = *scratch.goals.get(usize::from(goal))?;
        let mut corridor = Corridor::new(PolyId(goal.polygon));
        let (mut from, mut from_baked) = (start, self.start);
        loop {
            let hop = next.and_then(|n| self.hops.get(usize::from(n)).copied());
            let link = hop.and_then(|hop| self.query.mesh().link(hop.link));
            let ends = link.map(|link| self.query.ends_of_link(&link).map(Goal::at));
            let to = ends.map_or(goal, |ends| ends[0]);
            let to_baked = match hop {
                Some(hop) => Goal::at(hop.ends[0]),
                None => goal.as_baked(self.query)?,
            };
            let [a, b] = [&from_baked, &to_baked].map(|end| self.open.goal_place(end));
            let straight = self.open.trace_on([&a, &b], 0, &mut { corridor }, scratch);
            let count = match straight {
                Some(()) => 0,
                None => scratch.tables.way(self.open, &from_baked, &to_baked)?.count,
            };
            let [a, b] = [&from, &to].map(|end| self.query.goal_place(end));
            self.query.trace_on([&a, &b], count, &mut corridor, scratch)?;
            let Some((hop, [begin, end])) = hop.zip(ends) else {
                break;
            };
            corridor.take_link(scratch.corridor, PolyId(begin.polygon), hop.link);
            (from, from_baked, next) = (end, Goal::at(hop.ends[1]), hop.before);
        }
        let fits = corridor.is_whole() && corridor.len <= scratch.longest_corridor();
        fits.then_some(corridor)
    }
}

impl Goal {
    /// A place without its height.
    fn at(place: PolyPoint) -> Goal {
        Goal { polygon: place.polygon().0, point: place.point(), ..Goal::NONE }
    }
}

impl NavQuery<'_> {
    pub(super) fn are_on_one_island(&self, a: &Goal, b: &Goal) -> bool {
        let [a, b] = [a, b].map(|end| self.mesh().island(PolyId(end.polygon)));
        a == b
    }
}

impl Search {
    /// Looks up the shortest path over links to the nearest of the first goals of the scratch.
    ///
    /// `open` is the query with all ground open, on the mesh as baked; `most` is the cost of the
    /// path over ground, grid units. Returns the number of links that were compared and, where a
    /// path over links costs less, its polygons; its goal becomes the first. `None` where labels
    /// do not determine the path, or it takes too many look-ups.
    pub(super) fn look_up_over_links<'s>(
        &self,
        query: &NavQuery<'_>,
        open: &NavQuery<'_>,
        goals: usize,
        most: f64,
        scratch: &mut Slices<'s>,
    ) -> Option<(usize, Option<Corridor>)> {
        let mut search = OverLinks {
            query,
            open,
            start: self.start.as_baked(query)?,
            goals,
            most,
            savings: self.state.savings,
            hops: core::mem::take(&mut scratch.tables.hops),
            ways: core::mem::take(&mut scratch.tables.ground_ways),
            count: 0,
            waiting: 0,
        };
        let found = search.run(scratch).and_then(|found| {
            let Some(last) = found else {
                return Some((search.count, None));
            };
            let corridor = search.trace(last, self.start, scratch)?;
            scratch.goals.swap(0, usize::from(last.1));
            Some((search.count, Some(corridor)))
        });
        (scratch.tables.hops, scratch.tables.ground_ways) = (search.hops, search.ways);
        found
    }
}
