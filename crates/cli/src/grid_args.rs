//! Options of the planners `grid4` and `grid8`.

use clap::Args;
use navbake_format::{CellId, CheckedBlob, GridMapView};
use navbake_gridpath::{GridPlanner, GridRequest};
use navbake_search::NavQuery;

use crate::failure::Failure;
use crate::search_args::SearchOptions;

/// How cells are searched.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Planners grid4 and grid8")]
pub(crate) struct GridOptions {
    /// Allow diagonal steps past one blocked cell
    #[arg(long)]
    pub(crate) corner_cutting: bool,
    /// Cost of a change of direction, in steps, 0 to 1024 [default: 0; without a value 0.5]
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "0.5", value_parser = penalty)]
    pub(crate) turn_penalty: Option<f64>,
    /// Cost of a cell of each terrain, up to 1024, or inf for impassable terrain [default: 1 each]
    #[arg(long, value_name = "C,..", value_delimiter = ',', value_parser = cost)]
    pub(crate) terrain_costs: Vec<f64>,
}

impl GridOptions {
    /// A request without its ends.
    ///
    /// # Errors
    /// If the number of costs differs from that of terrains, or for an option that these planners
    /// do not have.
    pub(crate) fn request<'r>(
        &'r self,
        search: &SearchOptions,
        planner: GridPlanner,
        map: &GridMapView<'_>,
    ) -> Result<GridRequest<'r>, Failure> {
        let (costs, terrains) = (self.terrain_costs.len(), usize::from(map.terrain_count()));
        if costs > 0 && costs != terrains {
            return Err(Failure::usage(format_args!(
                "--terrain-costs: {costs} costs for {terrains} terrains; give one cost per terrain"
            )));
        }
        let refused = |option: &str| {
            Failure::usage(format_args!("{option} does not apply to the planners grid4 and grid8"))
        };
        let heuristic = match search.heuristic.map(|h| h.name()) {
            None => None,
            Some(name) => {
                Some((name.parse()).map_err(|_| refused(&format!("--heuristic {name}")))?)
            }
        };
        let defaults = GridRequest::new([0.0; 3], &[], planner);
        Ok(GridRequest {
            order: search.order.name().parse().map_err(Failure::internal)?,
            heuristic: heuristic.unwrap_or(defaults.heuristic),
            weight: search.weight,
            corner_cutting: self.corner_cutting,
            turn_penalty: self.turn_penalty.unwrap_or(defaults.turn_penalty),
            costs: &self.terrain_costs,
            ..defaults
        })
    }

    /// Whether the cost of a path is its length.
    pub(crate) fn cost_is_length(&self) -> bool {
        self.terrain_costs.iter().all(|&c| c == 1.0) && self.turn_penalty.is_none_or(|p| p == 0.0)
    }

    /// Which of the options are given, for [`refuse_unused`](crate::search_args::refuse_unused).
    pub(crate) fn given(&self) -> [(&'static str, bool); 3] {
        [
            ("--corner-cutting", self.corner_cutting),
            ("--turn-penalty", self.turn_penalty.is_some()),
            ("--terrain-costs", !self.terrain_costs.is_empty()),
        ]
    }
}

/// The grid map of a blob.
///
/// # Errors
/// If it was not baked from one.
pub(crate) fn grid_map<'a>(blob: &CheckedBlob<'a>, name: &str) -> Result<GridMapView<'a>, Failure> {
    blob.grid_map().ok_or_else(|| {
        Failure::usage(format_args!(
            "{name}: no grid map in it, which grid4 and grid8 need; bake a .map or .txt, or choose another planner"
        ))
    })
}

/// A test whether two cells are on one island of a navmesh, for
/// [`GridQuery`](navbake_gridpath::GridQuery).
pub(crate) fn on_one_island<'a>(
    mesh: NavQuery<'a>,
    map: GridMapView<'a>,
) -> impl Fn(CellId, CellId) -> bool + Sync + 'a {
    move |start, goal| {
        // A cell whose island was left out of the navmesh is not on it.
        let at = |cell| mesh.locate(map.centre(cell), map.cell());
        match (at(start), at(goal)) {
            (Some(a), Some(b)) => mesh.reachable(&a, &b),
            _ => true,
        }
    }
}

fn penalty(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1024.0).contains(&value) => Ok(value),
        Ok(_) => Err("expected a number from 0 to 1024".into()),
        Err(_) => Err("not a number".into()),
    }
}

fn cost(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value == f64::INFINITY || (value > 0.0 && value <= 1024.0) => Ok(value),
        Ok(_) => Err("expected a cost above 0 and at most 1024, or inf".into()),
        Err(_) => Err("not a number".into()),
    }
}
