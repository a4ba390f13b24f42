//! Queries on a grid map: the request checked, the search run, the path read back.

use navbake_format::{CellId, GridMapView};
use navbake_search::path::{Ahead, Order};
use navbake_search::{Error, Heuristic, Status};

use crate::cells::{Cells, Closed, Ground};
use crate::filter::FilterParts;
use crate::heuristic::{is_consistent, overestimate};
use crate::jump::Turned;
use crate::links::{Detour, MOST_DETOURS, detours};
use crate::metric::{Metric, Prices, Sum};
use crate::moves::{DIAGONAL, STEPS};
use crate::scratch::{GridGoal, GridNode};
use crate::search::{NONE, Progress, Rules};
use crate::{GridAnswer, GridLeg, GridPlanner, GridRequest, GridScratch, GridVisit};

/// A test of reachability: `false` only where no path leads from the first cell to the second.
pub type CanReach<'a> = dyn Fn(CellId, CellId) -> bool + Sync + 'a;

/// Answers queries on a grid map. Cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct GridQuery<'a> {
    map: GridMapView<'a>,
    can_reach: Option<&'a CanReach<'a>>,
    filter: Option<FilterParts<'a>>,
}

impl<'a> GridQuery<'a> {
    /// Queries on a grid map: all free cells are open, and there are no links.
    pub fn new(map: GridMapView<'a>) -> GridQuery<'a> {
        GridQuery { map, can_reach: None, filter: None }
    }

    /// The same for a unit: with its costs, its links, and what is closed for it.
    ///
    /// A filter of a map of another size is ignored.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn with_filter(self, filter: &'a crate::CellFilter) -> GridQuery<'a> {
        let parts = filter.parts();
        let fits = self.map.with(parts.free, parts.areas).is_some();
        GridQuery { filter: fits.then_some(parts), ..self }
    }

    /// The same with a quick test of reachability, such as the islands of the level's navmesh.
    ///
    /// The test gets two free cells, and says `false` only where no path leads from the first to
    /// the second. Goals that it rules out need no search.
    #[must_use]
    pub fn with_reachability(self, can_reach: &'a CanReach<'a>) -> GridQuery<'a> {
        GridQuery { can_reach: Some(can_reach), ..self }
    }

    /// The map.
    pub fn map(&self) -> &GridMapView<'a> {
        &self.map
    }

    /// Finds a path.
    ///
    /// Allocates nothing; the answer borrows the scratch, a `&mut GridBuffer` or a
    /// `&mut GridScratch`.
    ///
    /// # Errors
    /// [`Error::NoLandmarks`] for the heuristic `Table`: grid maps have no landmarks;
    /// [`Error::OtherCells`] where the planner is for cells of another shape, and
    /// [`Error::OctileHexagons`].
    pub fn find_path<'s>(
        &self,
        request: &GridRequest<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> Result<GridAnswer<'s>, Error> {
        let mut scratch = scratch.into();
        let mut search = self.start_path(request, &mut scratch)?;
        search.step(self, &mut scratch, u32::MAX);
        Ok(search.path(self, scratch))
    }

    /// Begins a search that runs in steps.
    ///
    /// The goals stay in the scratch: it belongs to this search until its path is read.
    ///
    /// # Errors
    /// Those of [`GridQuery::find_path`].
    ///
    /// ```
    /// # use navbake_gridpath::*;
    /// # use navbake_search::Status;
    /// # fn run(query: GridQuery<'_>, buffer: &mut GridBuffer) -> Result<(), navbake_search::Error> {
    /// let goals = [[3.5, 0.0, 2.5]];
    /// let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid8);
    /// let mut search = query.start_path(&request, &mut *buffer)?;
    /// while search.step(&query, &mut *buffer, 500) == Status::Looking {
    ///     // The next frame.
    /// }
    /// let path = search.path(&query, buffer);
    /// # let _ = path;
    /// # Ok(())
    /// # }
    /// ```
    pub fn start_path<'r, 's>(
        &self,
        request: &GridRequest<'r>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> Result<GridSearch<'r>, Error> {
        let heuristic = request.a_star.heuristic;
        if heuristic == Heuristic::Table {
            return Err(Error::NoLandmarks);
        }
        if request.planner.shape() != self.map.shape() {
            return Err(Error::OtherCells);
        }
        if request.planner == GridPlanner::Hex && heuristic == Heuristic::Octile {
            return Err(Error::OctileHexagons);
        }
        Ok(GridSearch::new(self, request, &mut scratch.into()))
    }

    /// The goal at a point. Points off the map move to its nearest side, one cell beyond it.
    fn goal(&self, point: [f64; 3], index: u32) -> GridGoal {
        if let Some(cell) = self.ground_at(point) {
            return GridGoal { index, ..GridGoal::at(&self.map, cell) };
        }
        let [x, z] = self.map.column_row_at(point);
        // Casts cut towards zero, and make zero of NaN.
        let cut = |v: f64, most: u32| (v.clamp(-1.0, f64::from(most)) + 1.0) as i32 - 1;
        GridGoal {
            cell: GridGoal::NOWHERE,
            column: cut(x, self.map.width()),
            row: cut(z, self.map.height()),
            index,
        }
    }

    /// The cell at a point where it is ground, open or not.
    fn ground_at(&self, point: [f64; 3]) -> Option<CellId> {
        let cell = self.map.free_cell_at(point)?;
        self.filter.is_none_or(|filter| filter.is_ground(cell)).then_some(cell)
    }
}

/// A search that is under way. What it has seen is in the scratch.
#[derive(Clone)]
pub struct GridSearch<'r> {
    request: GridRequest<'r>,
    start: GridGoal,
    /// Goals in the scratch, and those that may be reached: they come first.
    goals: usize,
    reachable: usize,
    metric: Metric,
    rules: Rules,
    heuristic: Heuristic,
    ground: Ground,
    detours: [Detour; MOST_DETOURS],
    detour_count: usize,
    /// No path costs less.
    bound: u64,
    reverse: bool,
    /// Only cells that can be entered from open ground are free.
    is_open: bool,
    /// The start is on forbidden or closed ground.
    leaves: bool,
    prune: bool,
    jumps: bool,
    /// Why there is nothing to search.
    failed: Option<Status>,
    progress: Progress,
}

impl<'r> GridSearch<'r> {
    fn new(
        query: &GridQuery<'_>,
        request: &GridRequest<'r>,
        scratch: &mut GridScratch<'_>,
    ) -> GridSearch<'r> {
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
        let prices =
            Prices { terrains, diagonal: request.diagonal_cost, turn: request.turn_penalty, links };
        let mut metric = Metric::new(&view, &prices);
        metric.has_blocked &= !is_open;
        let a_star = &request.a_star;
        let rules = Rules {
            order: a_star.order,
            weight: if a_star.weight.is_nan() { 1.0 } else { a_star.weight.clamp(0.0, 1000.0) },
            max_open: a_star.max_open.unwrap_or(u32::MAX),
        };
        let dijkstra = rules.order == Order::Dijkstra;
        let mut search = GridSearch {
            request: *request,
            start: GridGoal::at(map, start.unwrap_or_default()),
            goals: request.to.len(),
            reachable: 0,
            ground: Ground::Same(metric.nearer(None)),
            metric,
            rules,
            heuristic: if dijkstra { Heuristic::Zero } else { a_star.heuristic },
            detours: [Detour::default(); MOST_DETOURS],
            detour_count: 0,
            bound: 0,
            reverse: a_star.reverse && !request.partial,
            is_open,
            leaves: false,
            prune: false,
            jumps: false,
            failed: None,
            progress: Progress::default(),
        };
        if start.is_none() {
            search.failed = Some(Status::OffMesh);
        } else if scratch.goals.len() < request.to.len() {
            search.failed = Some(Status::OutOfNodes);
        } else {
            search.begin(query, scratch);
        }
        search
    }

    /// Finds the goals, and puts the first states onto the open list.
    fn begin(&mut self, query: &GridQuery<'_>, scratch: &mut GridScratch<'_>) {
        let goals = core::mem::take(&mut scratch.goals);
        let start = self.start.cell;
        self.leaves = !self.square(query, &[]).is_plain(start);
        let mut is_any_free = false;
        for ((index, &point), goal) in (0u32..).zip(self.request.to).zip(goals.iter_mut()) {
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
    fn targets<'g>(&self, goals: &'g [GridGoal]) -> &'g [GridGoal] {
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
        // See `moves.rs`; it takes estimates that are consistent, and steps that exist both ways.
        self.prune = planner != GridPlanner::Hex
            && is_consistent(self.heuristic, planner, self.rules.weight)
            && matches!(self.request.a_star.ahead, Ahead::Least)
            && self.rules.order != Order::Greedy
            && self.rules.max_open == u32::MAX
            && self.metric.is_uniform
            && self.metric.penalty == 0
            && no_walls
            && ends_are_free
            && !self.leaves
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
                sum += self.metric.price(square.map.terrain(cell));
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
    fn own<'a>(&self, query: &GridQuery<'a>) -> Option<crate::filter::Own<'a>> {
        query.filter?.own(self.request.unit?, self.is_open)
    }

    /// The space that is searched.
    fn square<'q>(&'q self, query: &'q GridQuery<'_>, to: &'q [GridGoal]) -> Cells<'q, 'q> {
        let own_costs = !self.request.costs.is_empty();
        let filter = query.filter.unwrap_or_default();
        let map = match query.filter {
            Some(filter) => filter.view(&query.map, own_costs, self.is_open),
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
            closed: Closed { cells, walls: filter.closed.walls },
            links,
            stops: stops[0],
            turned: self.is_open.then_some(Turned {
                bits: filter.turned,
                stops: stops[1],
                words: filter.turned_words,
            }),
            detours: &self.detours[..self.detour_count],
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
        }
    }

    /// Expands up to `most` states. [`Status::Looking`] while the search goes on.
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

    fn status(&self) -> Status {
        match (self.failed, &self.progress) {
            (Some(failed), _) => failed,
            (None, Progress { is_done: false, .. }) => Status::Looking,
            (None, Progress { reached: Some(_), .. }) => Status::Reached,
            (None, progress) if progress.is_full || progress.dropped > 0 => Status::OutOfNodes,
            (None, _) if self.request.partial => Status::Partial,
            _ => Status::Unreachable,
        }
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

    /// The path, when the search is done; before, it has none.
    pub fn path<'s>(
        &self,
        query: &GridQuery<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> GridAnswer<'s> {
        let scratch = scratch.into();
        let progress = &self.progress;
        let status = self.status();
        let nothing = GridAnswer {
            expanded: progress.expanded,
            max_open: progress.max_open,
            closed: progress.closed,
            dropped: progress.dropped,
            ..GridAnswer::none(status, self.request.planner)
        };
        if matches!(status, Status::Looking | Status::Unreachable | Status::OffMesh)
            || self.failed.is_some()
        {
            return nothing;
        }
        let GridScratch { nodes, goals, cells, links, .. } = scratch;
        let goals = self.targets(goals);
        let square = self.square(query, goals);
        let nodes = &nodes[..progress.used as usize];
        // A search from the goals that did not reach the start has no path for it.
        let nearest = || {
            let closed = (0u32..).zip(nodes).filter(|(_, node)| node.closed > 0 && !self.reverse);
            let nearest = closed.min_by_key(|(_, node)| {
                let at = GridGoal::at(&query.map, square.cell(node.state));
                (goals.iter().map(|goal| goal.apart(&at)).min(), node.g, node.state)
            });
            nearest.map(|(n, _)| n)
        };
        let Some(end) = progress.reached.or_else(nearest) else {
            return nothing;
        };
        let way = Way { square: &square, nodes, end, stride: query.map.stride() as i32 };
        let Some(walked) = way.write(self.start.cell, cells, links) else {
            return GridAnswer { status: Status::OutOfNodes, ..nothing };
        };
        self.answer(query, goals, (&square, walked), (cells, links), nothing)
    }

    /// The answer, and what is proved of it.
    fn answer<'s>(
        &self,
        query: &GridQuery<'_>,
        goals: &[GridGoal],
        (square, walked): (&Cells<'_, '_>, Walked),
        (cells, links): (&'s [CellId], &'s [GridLeg]),
        nothing: GridAnswer<'s>,
    ) -> GridAnswer<'s> {
        let Walked { sum, steps, last } = walked;
        let (cell, metric) = (query.map.cell(), &self.metric);
        let side = cell / metric.units_a_step;
        // A path longer than the memory for cells is cut off at its end.
        let room = (steps + 1).min(cells.len());
        let status = if room <= steps { Status::OutOfNodes } else { nothing.status };
        let goal = (status == Status::Reached).then(|| {
            let own = goals.iter().filter(|goal| goal.cell == last);
            own.map(|goal| goal.index as usize).min().unwrap_or(0)
        });
        let units = sum.units(metric);
        let cost = units * side;
        let slack = 1.0 - metric.error();
        let mut bound = metric.steps(self.bound) * cell * slack;
        let mut certified = false;
        if status == Status::Reached {
            let planner = self.request.planner;
            let factor = match (self.rules.order, self.request.a_star.ahead) {
                (Order::Dijkstra, _) => 1.0,
                (Order::AStar, Ahead::Least) => {
                    let diagonal = metric.diagonal_steps();
                    self.rules.weight.max(1.0) * overestimate(square.heuristic, planner, diagonal)
                }
                _ => f64::INFINITY,
            };
            let progress = &self.progress;
            if !progress.is_full && !progress.is_hasty && progress.dropped == 0 {
                certified = factor == 1.0 && metric.is_exact(units);
                bound = bound.max(cost / factor * slack);
            }
            bound = if certified { cost } else { bound.min(cost) };
        }
        GridAnswer {
            status,
            length_xz: sum.length() * cell,
            cost,
            bound,
            straight: sum.straight,
            diagonal: sum.diagonal,
            turns: sum.turns,
            cells: &cells[..room],
            links: &links[..sum.links as usize],
            goal,
            certified_optimal: certified,
            ..nothing
        }
    }
}

/// The nodes of a path, from its last one back.
struct Way<'a> {
    square: &'a Cells<'a, 'a>,
    nodes: &'a [GridNode],
    end: u32,
    stride: i32,
}

/// A path that was written down.
struct Walked {
    sum: Sum,
    steps: usize,
    /// The cell at the path's end.
    last: CellId,
}

impl Way<'_> {
    fn parent(&self, node: &GridNode) -> Option<&GridNode> {
        self.nodes.get(node.parent as usize)
    }

    /// The nodes from the last one back.
    fn back(&self) -> impl Iterator<Item = &GridNode> {
        core::iter::successors(self.nodes.get(self.end as usize), |node| self.parent(node))
    }

    fn by(&self, node: &GridNode) -> i32 {
        let [dx, dz] = STEPS[usize::from(node.direction) % 8];
        dz * self.stride + dx
    }

    /// The steps from a node's parent to it: several in one direction, or one link.
    fn steps_to(&self, node: &GridNode) -> usize {
        let cell = |node: &GridNode| i64::from(self.square.cell(node.state).0);
        match self.parent(node) {
            Some(_) if !self.square.jumps || node.direction == NONE => 1,
            Some(before) => ((cell(node) - cell(before)) / i64::from(self.by(node))) as usize,
            None => 0,
        }
    }

    /// Writes the cells and links of the path from the start, and adds up its costs.
    ///
    /// What does not fit is left out. `None` where there is no room for the links.
    fn write(&self, start: CellId, cells: &mut [CellId], links: &mut [GridLeg]) -> Option<Walked> {
        let (square, metric) = (self.square, self.square.metric);
        let cell = |node: &GridNode| square.cell(node.state);
        let steps: usize = self.back().map(|node| self.steps_to(node)).sum();
        let room = cells.len();
        let mut sum = Sum::default();
        let mut put = |place: usize, cell: CellId| {
            let slot = cells.get_mut(place);
            slot.into_iter().for_each(|slot| *slot = cell);
        };
        put(0, start);
        // Nodes come from the path's end, or from its start where the search came from the goals.
        let reverse = square.reverse;
        let mut place = if reverse { 0 } else { steps };
        for node in self.back() {
            let Some(before) = self.parent(node) else {
                break;
            };
            let is_link = node.direction == NONE;
            let turn = !is_link && before.direction != NONE && before.direction != node.direction;
            let diagonal =
                square.planner == GridPlanner::Grid8 && DIAGONAL >> node.direction & 1 != 0;
            let mut at = cell(node);
            for step in (0..self.steps_to(node)).rev() {
                let next = match square.jumps && !is_link {
                    true => CellId(at.0.wrapping_add_signed(-self.by(node))),
                    false => cell(before),
                };
                let (entered, slot) = if reverse { (next, place + 1) } else { (at, place) };
                if slot < room {
                    put(slot, entered);
                    if is_link {
                        let link = square.link_between(cell(before), at)?;
                        *links.get_mut(sum.links as usize)? =
                            GridLeg { at: slot as u32 - 1, link: link.number };
                        sum.add_link(metric, link.cost);
                    } else {
                        let terrain = square.map.terrain(entered);
                        sum.add(metric, terrain, diagonal, turn && step == 0);
                    }
                }
                place = if reverse { place + 1 } else { place - 1 };
                at = next;
            }
        }
        if !reverse {
            links.get_mut(..sum.links as usize)?.reverse();
        }
        let last = if reverse { self.back().last() } else { self.back().next() };
        Some(Walked { sum, steps, last: last.map_or(start, cell) })
    }
}
