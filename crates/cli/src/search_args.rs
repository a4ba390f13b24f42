//! Options of searches: how they are guided, and how settings are compared.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use navbake_search::{Ahead, PathRequest};

use crate::args::{BlobPath, finite};
use crate::closed::Closed;

/// How a path is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Planner {
    /// A* over polygons, then the shortest path through those polygons: near the optimum, not always at it
    #[default]
    Corridor,
    /// A* over the middles of portals, skipping those that can be seen past: longer, and away from walls
    Midpoints,
    /// The shortest path
    Optimal,
    /// The cheapest path over ground of different weights, to within --gap; where all ground costs the same, it is the shortest
    Weighted,
    /// The cheapest path over the cells of a grid map, along x and z
    Grid4,
    /// The same with diagonal steps
    Grid8,
    /// From room to room, then the shortest path within the rooms found and what could make it shorter by more than a tenth; for a blob baked with rooms
    Hierarchical,
    /// The cheapest path of a unit that turns over the lattice of its tables: arcs and lines
    Turning,
}

/// What a planner searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The polygons of the navmesh.
    Polygons(navbake_search::Planner),
    /// The cells of a grid map.
    Cells(navbake_gridpath::GridPlanner),
    /// The lattice of a unit that turns.
    Lattice,
}

impl Planner {
    /// The word for it in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Planner::Corridor => "corridor",
            Planner::Midpoints => "midpoints",
            Planner::Optimal => "optimal",
            Planner::Weighted => "weighted",
            Planner::Hierarchical => "hierarchical",
            Planner::Grid4 => "grid4",
            Planner::Grid8 => "grid8",
            Planner::Turning => "turning",
        }
    }

    /// Which planner of the library it is.
    pub(crate) fn over(self) -> Over {
        match self {
            Planner::Corridor => Over::Polygons(navbake_search::Planner::Corridor),
            Planner::Midpoints => Over::Polygons(navbake_search::Planner::Midpoints),
            Planner::Optimal => Over::Polygons(navbake_search::Planner::Optimal),
            Planner::Weighted => Over::Polygons(navbake_search::Planner::Weighted),
            Planner::Hierarchical => Over::Polygons(navbake_search::Planner::Hierarchical),
            Planner::Grid4 => Over::Cells(navbake_gridpath::GridPlanner::Grid4),
            Planner::Grid8 => Over::Cells(navbake_gridpath::GridPlanner::Grid8),
            Planner::Turning => Over::Lattice,
        }
    }
}

/// How a search is guided. The planners `optimal`, `weighted` and `hierarchical` have their own ways, and look at none of this but --gap.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SearchOptions {
    /// Which entry of the open list comes first
    #[arg(long, value_enum, default_value_t)]
    pub(crate) order: Order,
    /// How the way ahead is estimated
    /// [default: manhattan for grid4, octile for grid8, else euclidean]
    #[arg(long, value_name = "H", value_enum)]
    pub(crate) heuristic: Option<Heuristic>,
    /// What the estimate is multiplied by, 0 to 1000: more finds longer paths with less work, as a rule
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = weight, allow_negative_numbers = true)]
    pub(crate) weight: f64,
    /// What a metre of the way ahead is taken to cost, where ground costs different things: `least`, what the cheapest does; a number; `sampled`, the mean under the
    /// straight line; `own`, what it costs where the search stands. All but `least` may find dearer paths with less work
    #[arg(long, value_name = "COST", default_value = "least", value_parser = ahead, allow_negative_numbers = true)]
    pub(crate) ahead: Ahead,
    /// Search from the goal to the start
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Let the open list hold no more entries than this; the worst are dropped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_open: Option<u32>,
    /// Over ground of different weights: how much more than the cheapest a path may cost, proved, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    pub(crate) gap: f64,
}

impl SearchOptions {
    /// The request with these settings.
    pub(crate) fn apply(&self, request: PathRequest) -> PathRequest {
        request
            .order(self.order.into())
            .heuristic(self.heuristic.unwrap_or_default().into(), self.weight)
            .ahead(self.ahead)
            .reverse(self.reverse)
            .max_open(self.max_open)
            .gap(self.gap)
    }
}

/// Which entry of the open list comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The least way behind and estimate ahead
    #[default]
    AStar,
    /// The least estimate ahead
    Greedy,
    /// The least way behind
    Dijkstra,
}

impl From<Order> for navbake_search::Order {
    fn from(order: Order) -> navbake_search::Order {
        match order {
            Order::AStar => navbake_search::Order::AStar,
            Order::Greedy => navbake_search::Order::Greedy,
            Order::Dijkstra => navbake_search::Order::Dijkstra,
        }
    }
}

/// How the way ahead is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Heuristic {
    /// Nothing ahead
    Zero,
    /// The straight line
    #[default]
    Euclidean,
    /// Along the axes; up to 1.42 times the straight line, so paths may be longer
    Manhattan,
    /// Along axes and diagonals; up to 1.083 times the straight line, so paths may be longer
    Octile,
    /// The longer of both axes
    LongestAxis,
    /// Lengths from the blob's tables
    Table,
}

impl From<Heuristic> for navbake_search::Heuristic {
    fn from(heuristic: Heuristic) -> navbake_search::Heuristic {
        match heuristic {
            Heuristic::Zero => navbake_search::Heuristic::Zero,
            Heuristic::Euclidean => navbake_search::Heuristic::Euclidean,
            Heuristic::Manhattan => navbake_search::Heuristic::Manhattan,
            Heuristic::Octile => navbake_search::Heuristic::Octile,
            Heuristic::LongestAxis => navbake_search::Heuristic::LongestAxis,
            Heuristic::Table => navbake_search::Heuristic::Table,
        }
    }
}

/// Options of `tune`.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// This many queries between random places of one island, 1 to 1000000
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) random: u32,
    /// Which random queries
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Which of the blob's agents asks [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) closed: Closed,
    /// How to search: corridor or midpoints
    #[arg(long, value_enum, default_value_t)]
    pub(crate) planner: Planner,
    /// Weights to try
    #[arg(long, value_name = "W,..", value_delimiter = ',', value_parser = weight, default_value = "0.5,0.8,1,1.1,1.25,1.5,2,3,5")]
    pub(crate) weights: Vec<f64>,
    /// Search from the goal to the start
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Draw cost against work
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a share lies between 0 and 1".into()),
    }
}

fn ahead(text: &str) -> Result<Ahead, String> {
    match text {
        "least" => Ok(Ahead::Least),
        "sampled" => Ok(Ahead::Sampled),
        "own" => Ok(Ahead::Own),
        _ => weight(text)
            .map(Ahead::Typical)
            .map_err(|e| format!("{e}; or least, sampled, own")),
    }
}

fn weight(text: &str) -> Result<f64, String> {
    let weight = finite(text)?;
    if !(0.0..=1000.0).contains(&weight) {
        return Err("a weight lies between 0 and 1000".into());
    }
    Ok(weight)
}
