//! The request: planner, order, costs.

use core::str::FromStr;

use crate::GridHeuristic;

/// Half a step: the usual turn penalty.
pub const TURN_PENALTY: f64 = 0.5;

/// The steps that a path may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridPlanner {
    /// Along x and z.
    Grid4,
    /// Diagonally too.
    #[default]
    Grid8,
}

impl GridPlanner {
    /// All of them.
    pub const ALL: [GridPlanner; 2] = [GridPlanner::Grid4, GridPlanner::Grid8];

    /// The names of [`GridPlanner::ALL`].
    pub const NAMES: [&'static str; 2] = ["grid4", "grid8"];

    /// The word for it on the command line and in its JSON; `FromStr` reads it.
    pub fn name(self) -> &'static str {
        match self {
            GridPlanner::Grid4 => "grid4",
            GridPlanner::Grid8 => "grid8",
        }
    }

    /// The estimate that is exact on an empty map.
    pub fn usual_heuristic(self) -> GridHeuristic {
        match self {
            GridPlanner::Grid4 => GridHeuristic::Manhattan,
            GridPlanner::Grid8 => GridHeuristic::Octile,
        }
    }
}

impl FromStr for GridPlanner {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GridPlanner, UnknownName> {
        let found = GridPlanner::ALL.into_iter().find(|p| p.name() == name);
        found.ok_or(UnknownName)
    }
}

/// The order in which cells are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridOrder {
    /// By the cost from the start and the estimate of the rest.
    #[default]
    AStar,
    /// By the cost from the start.
    Dijkstra,
    /// By the estimate of the rest: quick, and the path may be long.
    Greedy,
}

impl GridOrder {
    /// All of them.
    pub const ALL: [GridOrder; 3] = [GridOrder::AStar, GridOrder::Dijkstra, GridOrder::Greedy];

    /// The word for it on the command line; `FromStr` reads it.
    pub fn name(self) -> &'static str {
        match self {
            GridOrder::AStar => "a-star",
            GridOrder::Dijkstra => "dijkstra",
            GridOrder::Greedy => "greedy",
        }
    }
}

impl FromStr for GridOrder {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GridOrder, UnknownName> {
        let found = GridOrder::ALL.into_iter().find(|o| o.name() == name);
        found.ok_or(UnknownName)
    }
}

/// A name that no grid planner has, and no order or heuristic of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

impl core::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("not a name that the planners grid4 and grid8 know")
    }
}

impl core::error::Error for UnknownName {}

/// A request for a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRequest<'r> {
    /// A point in the free cell to start from, y-up metres. Heights do not matter.
    pub from: [f64; 3],
    /// Points in the goal cells; the path leads to the nearest.
    pub to: &'r [[f64; 3]],
    /// The steps allowed.
    pub planner: GridPlanner,
    /// The order in which cells are expanded.
    pub order: GridOrder,
    /// The estimate of the remaining cost.
    pub heuristic: GridHeuristic,
    /// Factor of the estimate, clamped to 0 to 1000, NaN as 1.
    ///
    /// Above 1 a path may cost that many times the least. Greedy search ignores it.
    pub weight: f64,
    /// Diagonal steps past one blocked cell.
    pub corner_cutting: bool,
    /// Added for a step that does not go straight on, in straight steps of cost 1, at most 1024.
    ///
    /// 0 for none. See [`TURN_PENALTY`].
    pub turn_penalty: f64,
    /// Cost of entering a cell, one entry a terrain; 1 for all when empty.
    ///
    /// Costs are rounded to 1/1024 and go up to 1024. Terrains with another cost, or without an
    /// entry, cannot be entered.
    pub costs: &'r [f64],
    /// Where no goal can be reached, or none is on a free cell, go as near as possible.
    ///
    /// That costs a search of all cells that can be reached.
    pub partial: bool,
}

impl<'r> GridRequest<'r> {
    /// A path to the nearest of some points, by A* with the planner's usual estimate.
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
