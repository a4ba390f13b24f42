//! Paths over the cells of a grid map.
//!
//! A unit steps from the middle of a free cell to that of a neighbour: along x and z, and with [`GridPlanner::Grid8`] diagonally. The cost of a step is that of the cell
//! it enters, 1 by default, times the square root of 2 when it is diagonal. A diagonal step needs both cells beside it to be free, or one of them
//! with `corner_cutting`; between two blocked cells there is no way. A penalty for turns is added to each step that does not go straight on.

mod jump;
mod metric;
mod moves;
mod open;
mod scratch;
mod search;

use core::str::FromStr;

use navbake_format::{CellId, GridMapView};

use crate::{Query, Status};

#[cfg(feature = "alloc")]
pub use scratch::GridBuffer;
pub use scratch::{GridGoal, GridNode, GridOpen, GridScratch, GridScratchSize};

use metric::{Metric, Sum, overestimate};
use moves::{DIAGONAL, NONE, STEPS};
use search::{Found, Search};

/// Half a step: the usual penalty for a step that does not go straight on.
pub const TURN_PENALTY: f64 = 0.5;

/// Which steps there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridPlanner {
    /// Along x and z.
    Grid4,
    /// Diagonally too.
    #[default]
    Grid8,
}

impl GridPlanner {
    /// Both planners.
    pub const ALL: [GridPlanner; 2] = [GridPlanner::Grid4, GridPlanner::Grid8];

    /// The names of [`GridPlanner::ALL`], which [`FromStr`] reads.
    pub const NAMES: [&'static str; 2] = ["grid4", "grid8"];

    /// The word for it that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            GridPlanner::Grid4 => "grid4",
            GridPlanner::Grid8 => "grid8",
        }
    }

    /// The estimate that is the whole cost where nothing is in the way.
    pub fn usual_heuristic(self) -> GridHeuristic {
        match self {
            GridPlanner::Grid4 => GridHeuristic::Manhattan,
            GridPlanner::Grid8 => GridHeuristic::Octile,
        }
    }
}

impl FromStr for GridPlanner {
    type Err = &'static str;

    /// By name; the error says what is expected.
    fn from_str(name: &str) -> Result<GridPlanner, &'static str> {
        let mut all = GridPlanner::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected grid4 or grid8")
    }
}

/// In which order cells are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridOrder {
    /// By the cost of the way so far and the estimate of what remains.
    #[default]
    AStar,
    /// By the cost of the way so far.
    Dijkstra,
    /// By the estimate of what remains: quick, and the path may be long.
    Greedy,
}

impl GridOrder {
    /// Every order.
    pub const ALL: [GridOrder; 3] = [GridOrder::AStar, GridOrder::Greedy, GridOrder::Dijkstra];

    /// The word for it that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            GridOrder::AStar => "a-star",
            GridOrder::Greedy => "greedy",
            GridOrder::Dijkstra => "dijkstra",
        }
    }
}

impl FromStr for GridOrder {
    type Err = &'static str;

    /// By name; the error says what is expected.
    fn from_str(name: &str) -> Result<GridOrder, &'static str> {
        let mut all = GridOrder::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected a-star, greedy or dijkstra")
    }
}

/// What the rest of the way is taken to cost at least, times the least cost of a terrain. With several goals the least of theirs.
///
/// | | is, for distances dx and dz | can overestimate |
/// |---|---|---|
/// | zero | 0 | never |
/// | Manhattan | dx + dz | `grid8`, by a factor of up to the square root of 2 |
/// | octile | greater + (sqrt 2 - 1) lesser | never |
/// | Euclidean | root of dx² + dz² | never |
/// | longest axis | greater | never |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridHeuristic {
    /// Nothing.
    Zero,
    /// Steps along x and z.
    Manhattan,
    /// Steps along x and z and diagonal ones.
    #[default]
    Octile,
    /// The straight line.
    Euclidean,
    /// The greater of the distances along x and z.
    LongestAxis,
}

impl GridHeuristic {
    /// Every heuristic.
    pub const ALL: [GridHeuristic; 5] = [
        GridHeuristic::Zero,
        GridHeuristic::Euclidean,
        GridHeuristic::Manhattan,
        GridHeuristic::Octile,
        GridHeuristic::LongestAxis,
    ];

    /// The word for it that the command line uses.
    pub fn name(self) -> &'static str {
        match self {
            GridHeuristic::Zero => "zero",
            GridHeuristic::Manhattan => "manhattan",
            GridHeuristic::Octile => "octile",
            GridHeuristic::Euclidean => "euclidean",
            GridHeuristic::LongestAxis => "longest-axis",
        }
    }
}

impl FromStr for GridHeuristic {
    type Err = &'static str;

    /// By name; the error says what is expected.
    fn from_str(name: &str) -> Result<GridHeuristic, &'static str> {
        let mut all = GridHeuristic::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected zero, manhattan, octile, euclidean or longest-axis")
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRequest<'r> {
    /// From the free cell here, y-up metres. Heights do not matter.
    pub from: [f64; 3],
    /// To the nearest of the cells here.
    pub to: &'r [[f64; 3]],
    /// Which steps there are.
    pub planner: GridPlanner,
    /// In which order cells are looked at.
    pub order: GridOrder,
    /// The estimate of what remains.
    pub heuristic: GridHeuristic,
    /// What the estimate is multiplied by; above 1 paths may cost that many times the least. What is not a number from
    /// 0 to 1000 is taken for the nearest one, NaN for 1. Greedy search does not look at it.
    pub weight: f64,
    /// Diagonal steps past one blocked cell.
    pub corner_cutting: bool,
    /// Added for a step that does not go straight on, in straight steps of cost 1, at most 1024; 0 for none. See [`TURN_PENALTY`].
    pub turn_penalty: f64,
    /// Cost of entering a cell, one entry a terrain; 1 for all when there are none. Costs are rounded to 1/1024 and go up to 1024; terrains
    /// with another cost, or without an entry, cannot be entered.
    pub costs: &'r [f64],
    /// Where no goal can be reached, or none lies on a free cell, go as near as possible. That costs a search of all cells that can be reached.
    pub partial: bool,
}

impl<'r> GridRequest<'r> {
    /// A path between two points, or to the nearest of several, by A* with the planner's own estimate.
    pub fn new(from: [f64; 3], to: &'r [[f64; 3]], planner: GridPlanner) -> GridRequest<'r> {
        GridRequest {
            from,
            to,
            planner,
            order: GridOrder::AStar,
            heuristic: planner.usual_heuristic(),
            weight: 1.0,
            corner_cutting: false,
            turn_penalty: 0.0,
            costs: &[],
            partial: false,
        }
    }
}

/// A path over cells, or why there is none. The cells lie in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridAnswer<'s> {
    /// What became of the request.
    pub status: Status,
    /// The planner that was asked.
    pub planner: GridPlanner,
    /// Length between the middles of the first and the last cell, m.
    pub length_xz: f64,
    /// What the planner minimises, in sides of cells times metres: the length where all costs are 1 and turns are free.
    pub cost: f64,
    /// No path from start to goal costs less than this; 0 where there is none.
    pub bound: f64,
    /// Steps along x or z.
    pub straight: u32,
    /// Diagonal steps.
    pub diagonal: u32,
    /// Steps that do not go straight on.
    pub turns: u32,
    /// The cells of the path, in order.
    pub cells: &'s [CellId],
    /// Which of the goals was reached.
    pub goal: Option<usize>,
    /// States taken off the open list, those counted again that were opened again. A state is a cell, or a cell and a direction where turns have a penalty. Where all steps
    /// cost the same and nothing else is asked for, cells between jump points are none.
    pub expanded: u32,
    /// The greatest number of open states.
    pub max_open: u32,
    /// Closed states at the end.
    pub closed: u32,
    /// No cheaper path exists: shown by the search itself, not a guess.
    pub certified_optimal: bool,
}

impl GridAnswer<'_> {
    fn none(status: Status, planner: GridPlanner) -> Self {
        GridAnswer {
            status,
            planner,
            length_xz: 0.0,
            cost: 0.0,
            bound: 0.0,
            straight: 0,
            diagonal: 0,
            turns: 0,
            cells: &[],
            goal: None,
            expanded: 0,
            max_open: 0,
            closed: 0,
            certified_optimal: false,
        }
    }
}

/// Answers queries on a grid map. Cheap to make and to copy.
#[derive(Clone, Copy)]
pub struct GridQuery<'a> {
    map: GridMapView<'a>,
    mesh: Option<Query<'a>>,
}

impl<'a> GridQuery<'a> {
    /// Queries on a grid map.
    pub fn new(map: GridMapView<'a>) -> GridQuery<'a> {
        GridQuery { map, mesh: None }
    }

    /// The same with the navmesh of the same level at hand: goals on other islands are known to be out of reach without a search.
    pub fn with_islands(self, mesh: Query<'a>) -> GridQuery<'a> {
        GridQuery {
            mesh: Some(mesh),
            ..self
        }
    }

    /// The map.
    pub fn map(&self) -> &GridMapView<'a> {
        &self.map
    }

    /// Finds a path. Allocates nothing; the answer borrows the scratch, a `&mut GridBuffer` or a `&mut GridScratch`.
    pub fn path<'s>(
        &self,
        request: &GridRequest<'_>,
        scratch: impl Into<GridScratch<'s>>,
    ) -> GridAnswer<'s> {
        let mut scratch = scratch.into();
        let nothing = |status| GridAnswer::none(status, request.planner);
        let Some(start) = self.map.free_cell_at(request.from) else {
            return nothing(Status::OffMesh);
        };
        let metric = Metric::new(&self.map, request);
        let all = core::mem::take(&mut scratch.goals);
        if all.len() < request.to.len() {
            return nothing(Status::OutOfNodes);
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
            return nothing(if free {
                Status::Unreachable
            } else {
                Status::OffMesh
            });
        }
        let goals = if some > 0 { &all[..some] } else { &*all };
        let search = Search::new(&self.map, &metric, request);
        let found = search.run(start, goals, &mut scratch);
        self.answer(request, &search, start, goals, &found, scratch)
    }

    /// Where a point of a request is. Points off the map are taken to its nearest side, and one cell beyond.
    fn goal(&self, point: [f64; 3], index: u32) -> GridGoal {
        if let Some(cell) = self.map.free_cell_at(point) {
            let [column, row] = self.map.column_row(cell).map(|c| c as i32);
            return GridGoal {
                cell,
                column,
                row,
                index,
            };
        }
        let [x, z] = self.map.column_row_at(point);
        // Casts cut towards zero, and take what is no number for it.
        let cut = |v: f64, most: u32| (v.clamp(-1.0, f64::from(most)) + 1.0) as i32 - 1;
        GridGoal {
            cell: GridGoal::NOWHERE,
            column: cut(x, self.map.width()),
            row: cut(z, self.map.height()),
            index,
        }
    }

    /// Nothing rules out that a cell is reached from another.
    fn can_reach(&self, start: CellId, cell: CellId, metric: &Metric) -> bool {
        if cell == GridGoal::NOWHERE || !metric.enters(self.map.terrain(cell)) {
            return false;
        }
        let Some(mesh) = &self.mesh else {
            return true;
        };
        // A cell whose island was left out of the navmesh is not known there.
        let at = |cell| mesh.locate(self.map.centre(cell), self.map.cell());
        match (at(start), at(cell)) {
            (Some(a), Some(b)) => mesh.reachable(&a, &b),
            _ => true,
        }
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
            ..GridAnswer::none(Status::Unreachable, request.planner)
        };
        let status = match (found.reached, found.is_full) {
            (Some(_), _) => Status::Reached,
            (None, true) => Status::OutOfNodes,
            (None, false) if request.partial => Status::Partial,
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
        // A node may lie several steps in one direction from the one before.
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
        let way = core::iter::successors(Some(last), |node| parent(node));
        let steps: usize = way.clone().map(steps_to).sum();
        // A path that is longer than there is room for is cut off behind what there is room for.
        let room = (steps + 1).min(cells.len());
        let (mut sum, mut place) = (Sum::default(), steps);
        if let Some(first) = cells.first_mut() {
            *first = start;
        }
        for node in way {
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
        let status = if room <= steps {
            Status::OutOfNodes
        } else {
            status
        };
        let goal = (status == Status::Reached).then(|| {
            let own = goals.iter().filter(|goal| goal.cell == cell_of(last));
            own.map(|goal| goal.index as usize).min().unwrap_or(0)
        });
        let cost = sum.units() * side;
        let straight = goals
            .iter()
            .map(|goal| self.straight_cost(start, goal, request.planner, metric))
            .min();
        let straight = straight.unwrap_or(0) as f64 / metric.step_unit() * side;
        let slack = 1.0 - metric.error();
        let mut bound = straight * slack;
        let mut certified = false;
        if status == Status::Reached {
            let factor = match search.order {
                GridOrder::AStar => {
                    search.weight.max(1.0) * overestimate(search.planner, search.heuristic)
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

    /// The cost of the way to a goal if nothing were in it.
    fn straight_cost(
        &self,
        start: CellId,
        goal: &GridGoal,
        planner: GridPlanner,
        metric: &Metric,
    ) -> u64 {
        let [column, row] = self.map.column_row(start).map(|c| c as i32);
        let (dx, dz) = (column.abs_diff(goal.column), row.abs_diff(goal.row));
        metric.estimate(planner.usual_heuristic(), dx, dz)
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
