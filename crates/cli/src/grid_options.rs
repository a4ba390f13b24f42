//! Options of the planners `grid4` and `grid8`.

use clap::Args;
use navbake_format::{CellId, GridMapView};
use navbake_gridpath::{GridHeuristic, GridPlanner, GridRequest};
use navbake_search::{Ahead, Query};

use crate::failure::Failure;
use crate::search_args::SearchOptions;

/// How cells are searched.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Planners grid4 and grid8")]
pub(crate) struct GridOptions {
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

impl GridOptions {
    /// A request between two points, or to the nearest of several.
    ///
    /// # Errors
    /// When there are not as many costs as the map has terrains, or when something is asked for that these planners do not do.
    pub(crate) fn request<'r>(
        &'r self,
        search: &SearchOptions,
        planner: GridPlanner,
        map: &GridMapView<'_>,
    ) -> Result<GridRequest<'r>, Failure> {
        let (costs, terrains) = (self.terrain_costs.len(), usize::from(map.terrain_count()));
        if costs > 0 && costs != terrains {
            return Err(Failure::usage(format_args!(
                "--terrain-costs: {costs} costs where the map has {terrains} terrains; give one cost for each"
            )));
        }
        let no_such = |option: &str, name: &str| {
            Failure::usage(format_args!(
                "{option} {name} is not for the planners grid4 and grid8; choose another"
            ))
        };
        let heuristic = match search.heuristic {
            Some(heuristic) => {
                let name = navbake_search::Heuristic::from(heuristic).name();
                let known = name.parse::<GridHeuristic>();
                Some(known.map_err(|_| no_such("--heuristic", name))?)
            }
            None => None,
        };
        let order = navbake_search::Order::from(search.order).name();
        let order = order.parse().map_err(|_| no_such("--order", order))?;
        for (given, option) in [
            (search.reverse, "--reverse"),
            (search.max_open.is_some(), "--max-open"),
            (search.ahead != Ahead::Least, "--ahead"),
        ] {
            if given {
                return Err(Failure::usage(format_args!(
                    "{option} is not for the planners grid4 and grid8; leave it out"
                )));
            }
        }
        let usual = GridRequest::new([0.0; 3], &[], planner);
        Ok(GridRequest {
            order,
            heuristic: heuristic.unwrap_or(usual.heuristic),
            weight: search.weight,
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

/// A test whether two cells are on one island of a navmesh, for [`GridQuery`](navbake_gridpath::GridQuery).
pub(crate) fn on_one_island<'a>(
    mesh: Query<'a>,
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

fn between(text: &str, most: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=most).contains(&value) => Ok(value),
        Ok(_) => Err(format!("it is not from 0 to {most}")),
        Err(_) => Err("it is not a number".into()),
    }
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
