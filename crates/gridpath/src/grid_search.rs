//! A search on a grid map, in steps: what a request means, and how it is searched.

use core::cell::Cell;

use navbake_format::CellId;
use navbake_search::path::{Ahead, Order};
use navbake_search::{Heuristic, Status};

use crate::cells::{Cells, Closed, Ground};
use crate::filter::Own;
use crate::heuristic::is_consistent;
use crate::jump::Turned;
use crate::links::{Detour, MOST_DETOURS, detours};
use crate::metric::{Metric, Prices};
use crate::scratch::{GridGoal, GridNode};
use crate::search::{NONE, Progress, Rules};
use crate::{GridPlanner, GridQuery, GridRequest, GridScratch, GridVisit};

/// A search that is under way. What it has seen is in the scratch.
#[derive(Clone, Debug)]
pub struct GridSearch {
    /// Without its goals, which are in the scratch, and its costs, which are in the metric.
    pub(crate) request: GridRequest<'static>,
    pub(crate) own_costs: bool,
    pub(crate) start: GridGoal,
    /// Goals in the scratch, and those that may be reached: they come first.
    pub(crate) goals: usize,
    pub(crate) reachable: usize,
    pub(crate) metric: Metric,
    pub(crate) rules: Rules,
    pub(crate) heuristic: Heuristic,
    pub(crate) ground: Ground,
    pub(crate) detours: [Detour; MOST_DETOURS],
    pub(crate) detour_count: usize,
    /// No path costs less.
    pub(crate) bound: u64,
    pub(crate) reverse: bool,
    /// Only cells that can be entered from open ground are free.
    pub(crate) is_open: bool,
    /// The start is on forbidden or closed ground.
    pub(crate) leaves: bool,
    pub(crate) prune: bool,
    pub(crate) jumps: bool,
    /// Estimates are by landmarks too.
    guided: bool,
    /// Why there is nothing to search.
    pub(crate) failed: Option<Status>,
    pub(crate) progress: Progress,
}

impl GridSearch {
    pub(crate) fn new(
        query: &GridQuery<'_>,
        request: &GridRequest<'_>,
        scratch: &mut GridScratch<'_>,
    ) -> GridSearch {
        let map = &query.map;
        let filter = query.filter;
        let start = query.ground_at(request.from);
        let own_costs = !request.costs.is_empty();
        // Forbidden ground is not entered from other ground: then its cells need no test.
        let is_open = filter.is_some_and(|filter| {
            !own_costs && start.is_some_and(|start| filter.is_open_ground(start))
        });
        let terrains = match filter {
            Some(filter) if !own_costs => filter.costs,
            _ => request.costs,
        };
        let view = filter.map_or(*map, |filter| filter.view(map, own_costs, is_open));
        let links = filter.map_or(0, |filter| filter.link_parts);
        let prices = Prices {
            terrains,
            diagonal: request.diagonal_cost,
            turn: request.turn_penalty,
            links,
            cells: filter.filter(|_| !own_costs).and_then(|filter| filter.cell_range),
        };
        let own = filter.zip(request.unit).and_then(|(filter, unit)| filter.own(unit, is_open));
        let own = own.iter().flat_map(|own| own.cells(map));
        let mut metric = Metric::new(&view, &prices, own);
        metric.has_blocked &= !is_open;
        let a_star = &request.a_star;
        let rules = Rules {
            order: a_star.order,
            weight: if a_star.weight.is_nan() { 1.0 } else { a_star.weight.clamp(0.0, 1000.0) },
            max_open: a_star.max_open.unwrap_or(u32::MAX),
        };
        let dijkstra = rules.order == Order::Dijkstra;
        let mut search = GridSearch {
            request: request.settings(),
            own_costs,
            start: GridGoal::at(map, start.unwrap_or_default()),
            goals: request.to.len(),
            reachable: 0,
            ground: Ground::Same(metric.nearer(None)),
            metric,
            rules,
            heuristic: match a_star.heuristic {
                _ if dijkstra => Heuristic::Zero,
                Heuristic::Table => request.planner.usual_heuristic(),
                heuristic => heuristic,
            },
            detours: [Detour::default(); MOST_DETOURS],
            detour_count: 0,
            bound: 0,
            reverse: a_star.reverse && !request.partial,
            is_open,
            leaves: false,
            prune: false,
            jumps: false,
            guided: !dijkstra && is_open && a_star.heuristic == Heuristic::Table,
            failed: None,
            progress: Progress::default(),
        };
        if start.is_none() {
            search.failed = Some(Status::OffMesh);
        } else if scratch.goals.len() < request.to.len() {
            search.failed = Some(Status::OutOfNodes);
        } else {
            search.begin(query, request.to, scratch);
        }
        search
    }

    /// Finds the goals, and puts the first states onto the open list.
    fn begin(&mut self, query: &GridQuery<'_>, to: &[[f64; 3]], scratch: &mut GridScratch<'_>) {
        let goals = core::mem::take(&mut scratch.goals);
        let start = self.start.cell;
        self.leaves = !self.square(query, &[]).is_plain(start);
        let mut is_any_free = false;
        for ((index, &point), goal) in (0u32..).zip(to).zip(goals.iter_mut()) {
            *goal = query.goal(point, index);
            is_any_free |= goal.cell != GridGoal::NOWHERE;
            if goal.cell != start && !self.can_reach(query, goal.cell) {
                goal.cell = GridGoal::NOWHERE;
            }
        }
        let all = &mut goals[..self.goals];
        // Those that may be reached come first.
        let mut some = 0;
        for i in 0..all.len() {
            if all[i].cell != GridGoal::NOWHERE {
                all.swap(i, some);
                some += 1;
            }
        }
        self.reachable = some;
        if some == 0 && (!self.request.partial || all.is_empty()) {
            let status = match is_any_free {
                true => Status::Unreachable,
                false => Status::OffMesh,
            };
            self.failed = Some(status);
        } else {
            self.estimates(query, self.targets(all));
            let ends = [core::slice::from_ref(&self.start), self.targets(all)];
            let [from, to] = if self.reverse { [ends[1], ends[0]] } else { ends };
            let square = self.square(query, to);
            let starts = from.iter().map(|place| square.state(place.cell, NONE));
            self.progress = Progress::begin(&square, &self.rules, starts, scratch);
        }
    }

    /// The goals that estimates lead to: those that may be reached, or all.
    pub(crate) fn targets<'g>(&self, goals: &'g [GridGoal]) -> &'g [GridGoal] {
        let count = if self.reachable > 0 { self.reachable } else { self.goals };
        goals.get(..count).unwrap_or_default()
    }

    /// Decides how to estimate and which steps to leave out.
    fn estimates(&mut self, query: &GridQuery<'_>, goals: &[GridGoal]) {
        let planner = self.request.planner;
        let filter = query.filter.unwrap_or_default();
        let least = self.metric.nearer(None);
        let usual = planner.usual_heuristic();
        let mut into = self.detours;
        let map = &query.map;
        let links = filter.links;
        let found = detours(map, links, &self.metric, (usual, least), goals, false, &mut into);
        if let Some(count) = found {
            let mut square = self.square(query, goals);
            square.detours = &into[..count];
            square.reverse = false;
            self.bound = square.estimate_from(self.start.cell, usual);
        }
        let costs = match self.request.a_star.ahead {
            Ahead::Typical(cost) if !cost.is_nan() => {
                self.ground = Ground::Same(self.metric.nearer(Some(cost)));
                self.metric.nearer(Some(cost))
            }
            Ahead::Sampled => {
                let mean = self.sampled(query, goals);
                self.ground = Ground::Same(self.metric.nearer(mean));
                self.metric.nearer(mean)
            }
            Ahead::Own => {
                self.ground = Ground::Own;
                least
            }
            _ => least,
        };
        let (links, to) = match self.reverse {
            true => (filter.links_back, core::slice::from_ref(&self.start)),
            false => (links, goals),
        };
        let by = (self.heuristic, costs);
        match detours(map, links, &self.metric, by, to, self.reverse, &mut into) {
            Some(count) => (self.detours, self.detour_count) = (into, count),
            None => self.heuristic = Heuristic::Zero,
        }
        let no_walls = filter.closed.walls.is_empty() && self.own(query).is_none();
        let is_free = |cell| self.square(query, &[]).map.is_free(cell);
        let ends_are_free = is_free(self.start.cell)
            && (!self.reverse || goals.iter().all(|goal| is_free(goal.cell)));
        let has_borders = filter.has_borders && !self.own_costs && self.metric.is_usual;
        // See `moves.rs`; it takes estimates that are consistent, and steps that exist both ways.
        self.prune = planner != GridPlanner::Hex
            && is_consistent(self.heuristic, planner, self.rules.weight)
            && matches!(self.request.a_star.ahead, Ahead::Least)
            && self.rules.order != Order::Greedy
            && self.rules.max_open == u32::MAX
            && (self.metric.is_uniform || has_borders)
            && self.metric.penalty == 0
            && no_walls
            && ends_are_free
            && !self.leaves
            && !self.guided
            && !(self.request.corner_cutting && planner == GridPlanner::Grid8);
        let is_plain = !self.metric.has_blocked && (self.is_open || filter.closed.cells.is_empty());
        self.jumps = self.prune && is_plain && !self.request.partial;
    }

    /// The mean cost of ground under the straight line to the nearest goal, in steps.
    ///
    /// Blocked and forbidden cells are left out.
    fn sampled(&self, query: &GridQuery<'_>, goals: &[GridGoal]) -> Option<f64> {
        const SAMPLES: i32 = 32;
        let square = self.square(query, goals);
        let goal = goals.iter().min_by_key(|goal| goal.apart(&self.start))?;
        let (mut sum, mut count) = (0.0, 0u32);
        for k in 0..SAMPLES {
            // The middle of each part.
            let t = (f64::from(k) + 0.5) / f64::from(SAMPLES);
            let along = |a: i32, b: i32| {
                let at = f64::from(a) + 0.5 + t * f64::from(b - a);
                i64::from(at as i32)
            };
            let at = [along(self.start.column, goal.column), along(self.start.row, goal.row)];
            let cell = query.map.id(at).filter(|&cell| square.is_free(cell));
            if let Some(cell) = cell.filter(|&cell| square.is_plain(cell)) {
                sum += self.metric.price(square.units(cell));
                count += 1;
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    /// May a cell be reached from the start?
    fn can_reach(&self, query: &GridQuery<'_>, cell: CellId) -> bool {
        let square = self.square(query, &[]);
        if cell == GridGoal::NOWHERE
            || !square.is_free(cell)
            || !square.may_enter(self.start.cell, cell)
        {
            return false;
        }
        query.can_reach.is_none_or(|can_reach| can_reach(self.start.cell, cell))
    }

    /// The cells that are free for the unit that asks, if there may be any.
    fn own<'a>(&self, query: &GridQuery<'a>) -> Option<Own<'a>> {
        query.filter?.own(self.request.unit?, self.is_open)
    }

    /// The space that is searched.
    pub(crate) fn square<'q>(
        &'q self,
        query: &'q GridQuery<'_>,
        to: &'q [GridGoal],
    ) -> Cells<'q, 'q> {
        let filter = query.filter.unwrap_or_default();
        let map = match query.filter {
            Some(filter) => filter.view(&query.map, self.own_costs, self.is_open),
            None => query.map,
        };
        let cells = if self.is_open { &[][..] } else { filter.closed.cells };
        let (links, stops) = match self.reverse {
            true => (filter.links_back, filter.ends),
            false => (filter.links, filter.starts),
        };
        let is_tight = self.reverse && !map.is_free(self.start.cell);
        Cells {
            map,
            metric: &self.metric,
            costs: if self.own_costs { &[] } else { filter.cell_costs },
            closed: Closed { cells, walls: filter.closed.walls },
            links,
            stops: stops[0],
            turned: self.is_open.then_some(Turned {
                bits: filter.turned,
                stops: stops[1],
                words: filter.turned_words,
            }),
            detours: &self.detours[..self.detour_count],
            landmarks: self.guided.then_some(filter.landmarks),
            own: self.own(query),
            goals: to,
            planner: self.request.planner,
            heuristic: self.heuristic,
            ground: self.ground,
            cutting: self.request.corner_cutting,
            reverse: self.reverse,
            leaves: self.leaves,
            tight: is_tight.then_some(self.start.cell),
            prune: self.prune,
            jumps: self.jumps,
            looked: Cell::new(0),
        }
    }

    /// Works as long as `most` states take. [`Status::Looking`] while the search goes on.
    ///
    /// A state that is expanded counts one. Long runs over open ground, which have no states, count
    /// by their length; a step looks along the runs of one state at least.
    ///
    /// The query and the scratch are those that the search began with. The answer does not depend
    /// on the number of steps.
    pub fn step<'s>(
        &mut self,
        query: &GridQuery<'_>,
        scratch: impl Into<GridScratch<'s>>,
        most: u32,
    ) -> Status {
        let mut scratch = scratch.into();
        if let Some(failed) = self.failed {
            return failed;
        }
        let goals = core::mem::take(&mut scratch.goals);
        let mut progress = self.progress;
        let to = match self.reverse {
            true => core::slice::from_ref(&self.start),
            false => self.targets(goals),
        };
        progress.advance(&self.square(query, to), &self.rules, most, &mut scratch);
        self.progress = progress;
        self.status()
    }

    /// States taken off the open list.
    pub fn expanded(&self) -> u32 {
        self.progress.expanded
    }

    /// The work up to now, in states that take as long: those expanded, and runs by their length.
    pub fn work(&self) -> u32 {
        self.progress.work()
    }

    /// [`Status::Looking`] while there is more to do, else the outcome.
    pub fn status(&self) -> Status {
        self.failed.unwrap_or_else(|| self.progress.status(self.request.partial))
    }

    /// What the search has seen, in the order in which states were found.
    pub fn visits<'s>(
        &'s self,
        query: &'s GridQuery<'_>,
        scratch: &'s GridScratch<'_>,
    ) -> impl Iterator<Item = GridVisit> + 's {
        let to = match self.reverse {
            true => core::slice::from_ref(&self.start),
            false => self.targets(scratch.goals),
        };
        let square = self.square(query, to);
        let used = if self.failed.is_some() { 0 } else { self.progress.used as usize };
        let nodes = scratch.nodes.get(..used).unwrap_or_default();
        let metres = move |cost| self.metric.steps(cost) * query.map.cell();
        let cells = nodes.iter().filter(|node| node.g != GridNode::DROPPED);
        cells.map(move |node| {
            let cell = square.cell(node.state);
            let estimate = square.estimate_from(cell, self.heuristic);
            GridVisit {
                cell,
                parent: nodes.get(node.parent as usize).map(|parent| square.cell(parent.state)),
                closed: (node.closed > 0).then_some(node.closed),
                cost: metres(node.g),
                estimate: metres(self.rules.weighted(estimate)),
            }
        })
    }
}
