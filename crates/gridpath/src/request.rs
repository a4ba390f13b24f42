//! The request: planner, order, costs.

use core::str::FromStr;

use navbake_format::CellShape;
use navbake_search::{AStar, Heuristic};

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
    /// From hexagon to hexagon.
    Hex,
}

impl GridPlanner {
    /// All of them.
    pub const ALL: [GridPlanner; 3] = [GridPlanner::Grid4, GridPlanner::Grid8, GridPlanner::Hex];

    /// The names of [`GridPlanner::ALL`].
    pub const NAMES: [&'static str; 3] = ["grid4", "grid8", "hex"];

    /// The word for it on the command line and in its JSON; `FromStr` reads it.
    pub fn name(self) -> &'static str {
        match self {
            GridPlanner::Grid4 => "grid4",
            GridPlanner::Grid8 => "grid8",
            GridPlanner::Hex => "hex",
        }
    }

    /// The shape of the cells that it searches.
    pub fn shape(self) -> CellShape {
        match self {
            GridPlanner::Grid4 | GridPlanner::Grid8 => CellShape::Square,
            GridPlanner::Hex => CellShape::Hexagon,
        }
    }

    /// The heuristics that it knows.
    pub fn heuristics(self) -> &'static [Heuristic] {
        match self {
            GridPlanner::Grid4 | GridPlanner::Grid8 => &[
                Heuristic::Zero,
                Heuristic::Euclidean,
                Heuristic::Manhattan,
                Heuristic::Octile,
                Heuristic::LongestAxis,
                Heuristic::Table,
            ],
            GridPlanner::Hex => &[
                Heuristic::Zero,
                Heuristic::Euclidean,
                Heuristic::Manhattan,
                Heuristic::LongestAxis,
                Heuristic::Table,
            ],
        }
    }

    /// The estimate that is exact on an empty map.
    pub fn usual_heuristic(self) -> Heuristic {
        match self {
            GridPlanner::Grid4 | GridPlanner::Hex => Heuristic::Manhattan,
            GridPlanner::Grid8 => Heuristic::Octile,
        }
    }
}

impl FromStr for GridPlanner {
    type Err = &'static str;

    /// Parses a name; the error lists the expected ones.
    fn from_str(name: &str) -> Result<GridPlanner, &'static str> {
        let found = GridPlanner::ALL.into_iter().find(|p| p.name() == name);
        found.ok_or("expected grid4, grid8 or hex")
    }
}

/// A request for a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridRequest<'r> {
    /// A point in the free cell to start from, y-up metres. Heights do not matter.
    pub from: [f64; 3],
    /// Points in the goal cells; the path leads to the nearest.
    pub to: &'r [[f64; 3]],
    /// The steps allowed.
    pub planner: GridPlanner,
    /// Order, estimate and limits of the search.
    ///
    /// Estimates are for steps between cells, see [`GridPlanner::usual_heuristic`], and are times
    /// [`AStar::ahead`]. [`Heuristic::Table`] needs landmarks and is the greater of them and of the
    /// usual estimate, where the start is on open ground: see
    /// [`CellFilter::landmarks`](crate::CellFilter::landmarks). Over hexagons
    /// [`Heuristic::Octile`] is refused.
    /// `reverse` searches from the goals, with the links and costs of paths from the start; with
    /// `partial` it has no effect.
    pub a_star: AStar,
    /// Diagonal steps past one blocked cell.
    pub corner_cutting: bool,
    /// Cost of a diagonal step, in straight ones: the square root of 2 unless set, 0 to 1024.
    ///
    /// Other values are rounded to 1/1024.
    pub diagonal_cost: f64,
    /// Added for a step that does not go straight on, in straight steps of cost 1, at most 1024.
    ///
    /// 0 for none. See [`TURN_PENALTY`].
    pub turn_penalty: f64,
    /// Cost of entering a cell, one entry a terrain. When empty, costs are those of the query's
    /// [`CellFilter`](crate::CellFilter), or 1 without one.
    ///
    /// Costs are rounded to 1/1024 and go from 0 to 1024. Terrains with another cost, or without an
    /// entry, cannot be entered.
    pub costs: &'r [f64],
    /// Where no goal can be reached, or none is on a free cell, go as near as possible.
    ///
    /// That costs a search of all cells that can be reached.
    pub partial: bool,
    /// The unit that asks: cells that it stands on are free for it.
    ///
    /// See [`CellFilter::stand`](crate::CellFilter::stand).
    pub unit: Option<u32>,
}

impl<'r> GridRequest<'r> {
    /// A path to the nearest of some points, by A* with the planner's usual estimate.
    pub fn new(from: [f64; 3], to: &'r [[f64; 3]], planner: GridPlanner) -> GridRequest<'r> {
        GridRequest {
            from,
            to,
            planner,
            a_star: AStar { heuristic: planner.usual_heuristic(), ..AStar::default() },
            corner_cutting: false,
            diagonal_cost: core::f64::consts::SQRT_2,
            turn_penalty: 0.0,
            costs: &[],
            partial: false,
            unit: None,
        }
    }

    /// The same request without its goals and costs, to keep it.
    pub fn settings(&self) -> GridRequest<'static> {
        let GridRequest { from, planner, a_star, corner_cutting, partial, unit, .. } = *self;
        let GridRequest { diagonal_cost, turn_penalty, .. } = *self;
        GridRequest {
            from,
            to: &[],
            planner,
            a_star,
            corner_cutting,
            diagonal_cost,
            turn_penalty,
            costs: &[],
            partial,
            unit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_as_its_planner() {
        assert_eq!(GridPlanner::ALL.map(GridPlanner::name), GridPlanner::NAMES);
        for planner in GridPlanner::ALL {
            assert_eq!(planner.name().parse(), Ok(planner));
        }
    }
}
