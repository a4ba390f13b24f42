//! The label look-up of a path request, before a search.
//! It comes after the test of the straight line.

use super::super::bends;
use super::super::finish::Bend;
use super::super::nodes::{Corridor, Goal};
use super::super::slices::Slices;
use super::super::steps::{Phase, Search};
use crate::NavQuery;
use navbake_format::Link;
use navbake_navmesh::math::grid_distance;

/// Relative tolerance for rounding when two lengths are compared.
const SAME: f64 = 1.0 + 1e-12;

impl Search {
    /// Looks up the shortest path to the nearest of the goals.
    /// The only goal may be one of the row that was found last. `None` when there are no labels, or
    /// they do not determine the path. Then a search is necessary.
    pub(in super::super) fn look_up(
        &mut self,
        query: &NavQuery<'_>,
        row: Option<usize>,
        scratch: &mut Slices<'_>,
    ) -> Option<()> {
        query.mesh().labels()?;
        let goals = self.goals.min(scratch.goals.len());
        // The straight line to the nearest goal was tried before, but along one course only, and
        // not where there are shortcut links.
        let changed = query.mesh().polys().is_changed();
        let many = goals > 1 || self.linked || changed || self.winds(query);
        let shut = changed || !query.closings().is_ground_open();
        // The query with everything open, as the labels know the ground; built only if needed, as a
        // query is large to copy.
        let open = shut.then(|| match changed {
            true => NavQuery::new(query.mesh().baked()),
            false => query.opened(),
        });
        let asked = open.as_ref().filter(|_| changed).unwrap_or(query);
        let start = self.start.as_baked(query)?;
        let mut best: Option<(f64, usize)> = None;
        // The goal and corner count of the last path looked up: the chain holds its corners.
        let mut standing = None;
        for i in 0..goals {
            let goal = scratch.goals[i];
            let there = goal.as_baked(query)?;
            if self.linked && !query.are_on_one_island(&self.start, &goal) {
                continue;
            }
            let away = grid_distance(self.start.point, goal.point);
            if best.is_some_and(|(length, _)| away >= length) {
                continue;
            }
            let here = [&self.start, &goal];
            let length = if many && sees(query, here, scratch).is_some() {
                away
            } else if let Some(open) = &open
                && sees(open, [&start, &there], scratch).is_some()
            {
                // With everything open nothing is shorter than this line, and the line is blocked.
                return None;
            } else {
                let ends = [start.point, there.point];
                let known = row.and_then(|own| scratch.tables.way_in_row(asked, own, ends));
                let way = match known {
                    Some(way) => way,
                    None => scratch.tables.way(asked, &start, &there)?,
                };
                standing = Some((i, way.count));
                way.length
            };
            if best.is_none_or(|(least, _)| length < least) {
                best = Some((length, i));
            }
        }
        if self.linked {
            let most = best.map_or(f64::INFINITY, |(length, _)| length);
            let open = open.as_ref().unwrap_or(query);
            let (compared, corridor) =
                self.look_up_over_links(query, open, goals, most, scratch)?;
            if let Some(corridor) = corridor {
                self.phase = Phase::LookedUp(corridor, Bend::Corners);
                return Some(());
            }
            standing = standing.filter(|_| compared == 0);
        }
        let (length, nearest) = best?;
        let goal = scratch.goals[nearest];
        if length == grid_distance(self.start.point, goal.point)
            && many
            && let Some(corridor) = sees(query, [&self.start, &goal], scratch)
        {
            scratch.goals.swap(0, nearest);
            self.phase = Phase::Straight(corridor);
            return Some(());
        }
        let count = match standing {
            Some((i, count)) if i == nearest => count,
            _ => scratch.tables.way(asked, &start, &goal.as_baked(query)?)?.count,
        };
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        if !self.request.polygons && !shut && query.is_free_at_ends(&from, &to, count, scratch) {
            scratch.goals.swap(0, nearest);
            self.phase = Phase::Pointed(count);
            return Some(());
        }
        let corridor = query.trace_chain(&from, &to, count, scratch)?;
        scratch.goals.swap(0, nearest);
        let bends = bends::settle(query, [&from, &to], count, &corridor, scratch);
        self.phase = Phase::LookedUp(corridor, bends.map_or(Bend::Corners, Bend::Known));
        Some(())
    }

    /// Does the search begin at a corner where a direction is ambiguous?
    /// That is a corner where a direction does not determine where a straight line leads.
    fn winds(&self, query: &NavQuery<'_>) -> bool {
        let mut border = query.mesh().polys().border(self.start.polygon).iter();
        let corner = border.find(|e| e.at == self.start.point).and_then(|e| e.corner());
        let corner = corner.and_then(|c| query.mesh().label_corners().get(c as usize));
        corner.is_some_and(|c| !c.is_wedge())
    }
}

/// The straight line between two places, if it is free.
pub(super) fn sees(
    query: &NavQuery<'_>,
    ends: [&Goal; 2],
    scratch: &mut Slices<'_>,
) -> Option<Corridor> {
    let [from, to] = ends.map(|end| query.goal_place(end));
    query.trace_chain(&from, &to, 0, scratch)
}

impl Goal {
    /// The same place on the mesh as baked, which labels belong to. `None` where rounding took it
    /// to a polygon beside.
    pub(super) fn as_baked(&self, query: &NavQuery<'_>) -> Option<Goal> {
        let polys = query.mesh().polys();
        if !polys.is_changed() {
            return Some(*self);
        }
        let polygon = polys.origin(self.polygon);
        let baked = query.mesh().baked();
        baked.polys().holds(polygon, self.point).then_some(Goal { polygon, ..*self })
    }
}

impl NavQuery<'_> {
    /// The links that may be on a path from the start to a goal that is shorter than `most`, grid
    /// units, with their numbers.
    ///
    /// A path is no shorter than the straight lines to its first link, over this one, and on from
    /// its last link.
    pub(super) fn links_within(
        &self,
        most: f64,
        start: [i32; 2],
        goals: impl Iterator<Item = [i32; 2]> + Clone,
    ) -> impl Iterator<Item = (u32, Link<'_>)> {
        let units = self.mesh().grid().units();
        let bounds = move |link: &Link<'_>| {
            let on = goals.clone().map(|goal| grid_distance(link.to, goal));
            let cost = link.cost * units;
            [grid_distance(start, link.from), cost, on.fold(f64::INFINITY, f64::min)]
        };
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for (_, link) in self.links() {
            let [out, cost, on] = bounds(&link);
            (first, last) = (first.min(out + cost), last.min(cost + on));
        }
        self.links().filter(move |(_, link)| {
            let [out, cost, on] = bounds(link);
            out.min(first) + cost + on.min(last) < most * SAME
        })
    }
}
