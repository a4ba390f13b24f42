//! Queries on a grid map: the request checked, the search run, the path read back.

use navbake_format::{CellId, GridMapView};

use crate::metric::{Metric, Sum};
use crate::moves::{DIAGONAL, NONE, STEPS};
use crate::search::{Found, Search};
use crate::{GridAnswer, GridGoal, GridNode, GridOrder, GridPlanner, GridRequest};
use crate::{GridScratch, GridStatus};

/// A test of reachability: `false` only where no path leads from the first cell to the second.
pub type CanReach<'a> = dyn Fn(CellId, CellId) -> bool + Sync + 'a;

/// Answers queries on a grid map. Cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct GridQuery<'a> {
    map: GridMapView<'a>,
    can_reach: Option<&'a CanReach<'a>>,
}

impl<'a> GridQuery<'a> {
    /// Queries on a grid map.
    pub fn new(map: GridMapView<'a>) -> GridQuery<'a> {
        GridQuery { map, can_reach: None }
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
    pub fn path<'s>(
        &self,
        request: &GridRequest<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> GridAnswer<'s> {
        let mut scratch = scratch.into();
        let nothing = |status| GridAnswer::none(status, request.planner);
        let Some(start) = self.map.free_cell_at(request.from) else {
            return nothing(GridStatus::OffMesh);
        };
        let metric = Metric::new(&self.map, request);
        let all = core::mem::take(&mut scratch.goals);
        if all.len() < request.to.len() {
            return nothing(GridStatus::OutOfNodes);
        }
        let mut free = false;
        for ((index, &point), goal) in (0u32..).zip(request.to).zip(all.iter_mut()) {
            *goal = self.goal(point, index);
            free |= goal.cell != GridGoal::NOWHERE;
            if goal.cell != start && !self.can_reach(start, goal.cell, &metric) {
                goal.cell = GridGoal::NOWHERE;
            }
        }
        let all = &mut all[..request.to.len()];
        // Those that may be reached come first.
        let mut some = 0;
        for i in 0..all.len() {
            if all[i].cell != GridGoal::NOWHERE {
                all.swap(i, some);
                some += 1;
            }
        }
        if some == 0 && (!request.partial || all.is_empty()) {
            return nothing(if free { GridStatus::Unreachable } else { GridStatus::OffMesh });
        }
        let goals = if some > 0 { &all[..some] } else { &*all };
        let search = Search::new(&self.map, &metric, request);
        let found = search.run(start, goals, &mut scratch);
        self.answer(request, &search, start, goals, &found, scratch)
    }

    /// The goal at a point. Points off the map move to its nearest side, one cell beyond it.
    fn goal(&self, point: [f64; 3], index: u32) -> GridGoal {
        if let Some(cell) = self.map.free_cell_at(point) {
            let [column, row] = self.map.column_row(cell).map(|c| c as i32);
            return GridGoal { cell, column, row, index };
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

    /// May a cell be reached from another?
    fn can_reach(&self, start: CellId, cell: CellId, metric: &Metric) -> bool {
        let enters = |cell| metric.enters(self.map.terrain(cell));
        if cell == GridGoal::NOWHERE || (enters(start) && !enters(cell)) {
            return false;
        }
        self.can_reach.is_none_or(|can_reach| can_reach(start, cell))
    }

    fn answer<'s>(
        &self,
        request: &GridRequest<'_>,
        search: &Search<'_, '_>,
        start: CellId,
        goals: &[GridGoal],
        found: &Found,
        scratch: GridScratch<'s>,
    ) -> GridAnswer<'s> {
        let GridScratch { nodes, cells, .. } = scratch;
        let nodes = &nodes[..found.used as usize];
        let metric = search.metric;
        let side = self.map.cell() / metric.units_a_step;
        let states_a_cell = if metric.penalty > 0 { 8 } else { 1 };
        let cell_of = |node: &GridNode| CellId(node.state / states_a_cell);
        let counts = GridAnswer {
            expanded: found.expanded,
            max_open: found.max_open,
            closed: found.closed,
            ..GridAnswer::none(GridStatus::Unreachable, request.planner)
        };
        let status = match (found.reached, found.is_full) {
            (Some(_), _) => GridStatus::Reached,
            (None, true) => GridStatus::OutOfNodes,
            (None, false) if request.partial => GridStatus::Partial,
            (None, false) => return counts,
        };
        let end = found.reached.or_else(|| {
            let closed = (0u32..).zip(nodes).filter(|(_, node)| node.is_closed);
            let nearest = closed
                .min_by_key(|(_, node)| (self.apart(goals, cell_of(node)), node.g, node.state));
            nearest.map(|(n, _)| n)
        });
        let Some(end) = end else {
            return GridAnswer { status, ..counts };
        };
        let parent = |node: &GridNode| nodes.get(node.parent as usize);
        let last = &nodes[end as usize];
        // A node may be several steps in one direction from the one before.
        let by = |node: &GridNode| {
            let [dx, dz] = STEPS[usize::from(node.direction) % 8];
            dz * self.map.stride() as i32 + dx
        };
        let steps_to = |node: &GridNode| match parent(node) {
            Some(before) => {
                let apart = i64::from(cell_of(node).0) - i64::from(cell_of(before).0);
                (apart / i64::from(by(node))) as usize
            }
            None => 0,
        };
        let backwards = core::iter::successors(Some(last), |node| parent(node));
        let steps: usize = backwards.clone().map(steps_to).sum();
        // A path longer than the memory for cells is cut off at its end.
        let room = (steps + 1).min(cells.len());
        let (mut sum, mut place) = (Sum::default(), steps);
        if let Some(first) = cells.first_mut() {
            *first = start;
        }
        for node in backwards {
            let turn =
                parent(node).is_some_and(|b| b.direction != NONE && b.direction != node.direction);
            let diagonal = u16::from(DIAGONAL) >> node.direction & 1 != 0;
            let (run, mut at) = (steps_to(node), cell_of(node));
            for step in (0..run).rev() {
                if let Some(cell) = cells.get_mut(place) {
                    *cell = at;
                    sum.add(metric, self.map.terrain(at), diagonal, turn && step == 0);
                }
                place -= 1;
                at = CellId(at.0.wrapping_add_signed(-by(node)));
            }
        }
        let status = if room <= steps { GridStatus::OutOfNodes } else { status };
        let goal = (status == GridStatus::Reached).then(|| {
            let own = goals.iter().filter(|goal| goal.cell == cell_of(last));
            own.map(|goal| goal.index as usize).min().unwrap_or(0)
        });
        let cost = sum.units() * side;
        let straight =
            goals.iter().map(|goal| self.straight_cost(start, goal, request.planner, metric)).min();
        let straight = straight.unwrap_or(0) as f64 / metric.step_unit() * side;
        let slack = 1.0 - metric.error();
        let mut bound = straight * slack;
        let mut certified = false;
        if status == GridStatus::Reached {
            let factor = match search.order {
                GridOrder::AStar => {
                    search.weight.max(1.0) * search.heuristic.overestimate(search.planner)
                }
                GridOrder::Dijkstra => 1.0,
                GridOrder::Greedy => f64::INFINITY,
            };
            if !found.is_full && !found.is_hasty {
                certified = factor == 1.0 && metric.is_exact(sum.units());
                bound = bound.max(cost / factor * slack);
            }
            bound = if certified { cost } else { bound.min(cost) };
        }
        GridAnswer {
            status,
            length_xz: sum.length() * self.map.cell(),
            cost,
            bound,
            straight: sum.straight,
            diagonal: sum.diagonal,
            turns: sum.turns,
            cells: &cells[..room],
            goal,
            certified_optimal: certified,
            ..counts
        }
    }

    /// The cost of a path to a goal on an empty map.
    fn straight_cost(
        &self,
        start: CellId,
        goal: &GridGoal,
        planner: GridPlanner,
        metric: &Metric,
    ) -> u64 {
        let [column, row] = self.map.column_row(start).map(|c| c as i32);
        let (dx, dz) = (column.abs_diff(goal.column), row.abs_diff(goal.row));
        planner.usual_heuristic().estimate(metric.least, dx, dz)
    }

    /// Squared distance of a cell to the nearest goal, in cells.
    fn apart(&self, goals: &[GridGoal], cell: CellId) -> u64 {
        let [column, row] = self.map.column_row(cell).map(|c| c as i32);
        let square = |d: u32| u64::from(d) * u64::from(d);
        let apart = goals
            .iter()
            .map(|goal| square(column.abs_diff(goal.column)) + square(row.abs_diff(goal.row)));
        apart.min().unwrap_or(0)
    }
}
