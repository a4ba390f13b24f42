//! Options of the planners `grid4` and `grid8`.

use clap::{Args, ValueEnum};
use navbake_search::{GridHeuristic, GridMapView, GridOrder, GridPlanner, GridRequest};

use crate::failure::Failure;

/// How cells are searched.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Planners grid4 and grid8")]
pub(crate) struct GridOptions {
    /// Which open cell comes first [default: a-star]
    #[arg(long, value_enum, value_name = "ORDER")]
    pub(crate) order: Option<Order>,
    /// The estimate of what remains [default: manhattan for grid4, octile for grid8]
    #[arg(long, value_enum, value_name = "H")]
    pub(crate) heuristic: Option<Heuristic>,
    /// What the estimate is multiplied by, 0 to 1000 [default: 1]
    #[arg(long, value_name = "W", value_parser = weight)]
    pub(crate) weight: Option<f64>,
    /// Let diagonal steps pass one blocked cell
    #[arg(long)]
    pub(crate) corner_cutting: bool,
    /// Cost of a step that does not go straight on, in steps, 0 to 1024 [default: none; without a value 0.5]
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "0.5", value_parser = penalty)]
    pub(crate) turn_penalty: Option<f64>,
    /// Cost of entering a cell of each terrain, up to 1024; `inf` for terrain that cannot be entered [default: 1 each]
    #[arg(long, value_name = "C,..", value_delimiter = ',', value_parser = cost)]
    pub(crate) terrain_costs: Vec<f64>,
}

/// Which open cell comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The least way behind and estimate ahead
    AStar,
    /// The least estimate ahead: quick, and the path may be long
    Greedy,
    /// The least way behind
    Dijkstra,
}

/// The estimate of what remains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Heuristic {
    /// Nothing
    Zero,
    /// Steps along x and z
    Manhattan,
    /// Steps along x and z and diagonal ones
    Octile,
    /// The straight line
    Euclidean,
    /// The greater of the distances along x and z
    LongestAxis,
}

impl GridOptions {
    /// A request between two points, or to the nearest of several.
    ///
    /// # Errors
    /// When there are not as many costs as the map has terrains.
    pub(crate) fn request<'r>(
        &'r self,
        planner: GridPlanner,
        map: &GridMapView<'_>,
    ) -> Result<GridRequest<'r>, Failure> {
        let (costs, terrains) = (self.terrain_costs.len(), usize::from(map.terrain_count()));
        if costs > 0 && costs != terrains {
            return Err(Failure::usage(format_args!(
                "--terrain-costs: {costs} costs where the map has {terrains} terrains; give one cost for each"
            )));
        }
        let usual = GridRequest::new([0.0; 3], &[], planner);
        Ok(GridRequest {
            order: self.order.map_or(usual.order, GridOrder::from),
            heuristic: self.heuristic.map_or(usual.heuristic, GridHeuristic::from),
            weight: self.weight.unwrap_or(usual.weight),
            corner_cutting: self.corner_cutting,
            turn_penalty: self.turn_penalty.unwrap_or(usual.turn_penalty),
            costs: &self.terrain_costs,
            ..usual
        })
    }

    /// Do these options leave the cost of a path its length?
    pub(crate) fn cost_is_length(&self) -> bool {
        self.terrain_costs.iter().all(|&c| c == 1.0) && self.turn_penalty.is_none_or(|p| p == 0.0)
    }

    /// Refuses options of grid planners for another planner.
    ///
    /// # Errors
    /// When one is given.
    pub(crate) fn refuse(&self, planner: &str) -> Result<(), Failure> {
        let given = [
            (self.order.is_some(), "--order"),
            (self.heuristic.is_some(), "--heuristic"),
            (self.weight.is_some(), "--weight"),
            (self.corner_cutting, "--corner-cutting"),
            (self.turn_penalty.is_some(), "--turn-penalty"),
            (!self.terrain_costs.is_empty(), "--terrain-costs"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(Failure::usage(format_args!(
                "{option} is for the planners grid4 and grid8, and the planner is {planner}"
            ))),
            None => Ok(()),
        }
    }
}

/// The cells of a blob.
///
/// # Errors
/// When it was not baked from a grid map.
pub(crate) fn cells_of<'a>(
    blob: &navbake_format::CheckedBlob<'a>,
    name: &str,
) -> Result<GridMapView<'a>, Failure> {
    blob.grid_map().ok_or_else(|| {
        Failure::usage(format_args!(
            "{name}: it has no cells, which grid4 and grid8 search; bake a grid map (.map, .txt), or take another planner"
        ))
    })
}

impl From<Order> for GridOrder {
    fn from(order: Order) -> GridOrder {
        match order {
            Order::AStar => GridOrder::AStar,
            Order::Greedy => GridOrder::Greedy,
            Order::Dijkstra => GridOrder::Dijkstra,
        }
    }
}

impl From<Heuristic> for GridHeuristic {
    fn from(heuristic: Heuristic) -> GridHeuristic {
        match heuristic {
            Heuristic::Zero => GridHeuristic::Zero,
            Heuristic::Manhattan => GridHeuristic::Manhattan,
            Heuristic::Octile => GridHeuristic::Octile,
            Heuristic::Euclidean => GridHeuristic::Euclidean,
            Heuristic::LongestAxis => GridHeuristic::LongestAxis,
        }
    }
}

fn between(text: &str, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=most).contains(&value) => Ok(value),
        Ok(_) => Err(format!("it is not from 0 to {most}")),
        Err(_) => Err("it is not a number".into()),
    }
}

fn weight(text: &str) -> Result<f64, String> {
    between(text, 1000.0)
}

fn penalty(text: &str) -> Result<f64, String> {
    between(text, 1024.0)
}

fn cost(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value == f64::INFINITY || (value > 0.0 && value <= 1024.0) => Ok(value),
        Ok(_) => Err("a cost is above 0 and at most 1024, or inf".into()),
        Err(_) => Err("it is not a number".into()),
    }
}
