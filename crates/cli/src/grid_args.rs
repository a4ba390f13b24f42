//! Options of the planners over cells: `grid4`, `grid8` and `hex`.

use clap::Args;
use navbake_format::{CellId, CellShape, CheckedBlob, GridMapView};
use navbake_gridpath::{CellFilter, GridPlanner, GridRequest, UnitShape};
use navbake_search::{AStar, Error, Heuristic, NavMesh, NavQuery, QueryFilter};

use crate::failure::Failure;
use crate::search_args::SearchOptions;

/// How cells are searched.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Planners grid4, grid8 and hex")]
pub(crate) struct GridOptions {
    /// Allow diagonal steps past one blocked cell
    #[arg(long)]
    pub(crate) corner_cutting: bool,
    /// Cost of a change of direction, in steps, 0 to 1024 [default: 0; without a value 0.5]
    #[arg(long, value_name = "STEPS", num_args = 0..=1, default_missing_value = "0.5", value_parser = penalty)]
    pub(crate) turn_penalty: Option<f64>,
    /// Cost of a diagonal step, in straight steps, 0 to 1024 [default: the square root of 2]
    #[arg(long, value_name = "STEPS", value_parser = penalty)]
    pub(crate) diagonal_cost: Option<f64>,
    /// Cost of a cell of each terrain, 0 to 1024, or inf for impassable terrain [default: the
    /// weights of agent and task]
    #[arg(long, value_name = "C,..", value_delimiter = ',', value_parser = cost)]
    pub(crate) terrain_costs: Vec<f64>,
    /// Radius of the unit, m: its disc keeps off blocked cells
    #[arg(long, value_name = "M", value_parser = radius, conflicts_with_all = ["unit_cells", "corner_cutting"])]
    pub(crate) unit_radius: Option<f64>,
    /// Width of the unit in cells: it covers N by N cells
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), conflicts_with = "corner_cutting")]
    pub(crate) unit_cells: Option<u32>,
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
        refuse_other_cells(planner, map)?;
        let known = planner.heuristics();
        if let Some(heuristic) = search.heuristic.filter(|h| !known.contains(h)) {
            let names: Vec<&str> = known.iter().map(|h| h.name()).collect();
            return Err(Failure::usage(format_args!(
                "--heuristic {} does not apply to the planner {}: choose {}",
                heuristic.name(),
                planner.name(),
                names.join(", ")
            )));
        }
        let is_cheaper = self.diagonal_cost.is_some_and(|cost| cost < std::f64::consts::SQRT_2);
        if search.heuristic == Some(Heuristic::Table) && (costs > 0 || is_cheaper) {
            return Err(Failure::usage(
                "--heuristic table is by the costs of the blob, and steps that cost no less; leave out --terrain-costs and --diagonal-cost, or choose another heuristic",
            ));
        }
        let defaults = GridRequest::new([0.0; 3], &[], planner);
        let a_star = search.a_star();
        Ok(GridRequest {
            a_star: AStar {
                heuristic: search.heuristic.unwrap_or(defaults.a_star.heuristic),
                ..a_star
            },
            corner_cutting: self.corner_cutting,
            diagonal_cost: self.diagonal_cost.unwrap_or(defaults.diagonal_cost),
            turn_penalty: self.turn_penalty.unwrap_or(defaults.turn_penalty),
            costs: &self.terrain_costs,
            ..defaults
        })
    }

    /// What is closed and what it costs for the unit: by the filter of an agent, and by its shape;
    /// with landmarks for a planner that estimates by them.
    pub(crate) fn filter(
        &self,
        map: &GridMapView<'_>,
        mesh: &NavMesh<'_>,
        (filter, agent): (&QueryFilter, u16),
        request: &GridRequest<'_>,
    ) -> CellFilter {
        let own = CellFilter::new(map, mesh, filter).fields(map, agent);
        let own = match (self.unit_radius, self.unit_cells) {
            (Some(radius), _) => own.shape(map, UnitShape::Disc(radius)),
            (None, Some(side)) => own.shape(map, UnitShape::Block(side)),
            (None, None) => own,
        };
        match request.a_star.heuristic {
            Heuristic::Table => own.landmarks(map, request.planner, CellFilter::LANDMARKS),
            _ => own,
        }
    }

    /// Does the unit take one cell?
    pub(crate) fn is_a_cell(&self) -> bool {
        self.unit_radius.is_none() && self.unit_cells.is_none()
    }

    /// Whether the cost of a path is its length.
    pub(crate) fn cost_is_length(&self) -> bool {
        self.terrain_costs.iter().all(|&c| c == 1.0)
            && self.turn_penalty.is_none_or(|p| p == 0.0)
            && self.diagonal_cost.is_none()
    }

    /// Which of the options are given, for [`refuse_unused`](crate::search_args::refuse_unused).
    pub(crate) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--corner-cutting", self.corner_cutting),
            ("--turn-penalty", self.turn_penalty.is_some()),
            ("--diagonal-cost", self.diagonal_cost.is_some()),
            ("--terrain-costs", !self.terrain_costs.is_empty()),
            ("--unit-radius", self.unit_radius.is_some()),
            ("--unit-cells", self.unit_cells.is_some()),
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
            "{name}: no grid map in it, which the planners over cells need; bake a .map or .txt, or choose another planner"
        ))
    })
}

/// Refuses a planner for cells of another shape.
///
/// # Errors
/// Names the planners for the map.
pub(crate) fn refuse_other_cells(
    planner: GridPlanner,
    map: &GridMapView<'_>,
) -> Result<(), Failure> {
    if planner.shape() == map.shape() {
        return Ok(());
    }
    let fit = GridPlanner::ALL.into_iter().filter(|p| p.shape() == map.shape());
    let fit: Vec<&str> = fit.map(GridPlanner::name).collect();
    Err(Failure::usage(format_args!(
        "--planner {} does not apply to this map, which has {}; choose {}",
        planner.name(),
        match map.shape() {
            CellShape::Square => "squares",
            CellShape::Hexagon => "hexagons",
        },
        fit.join(" or ")
    )))
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

fn radius(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1e6).contains(&value) => Ok(value),
        Ok(_) => Err("expected metres, 0 or above".into()),
        Err(_) => Err("not a number".into()),
    }
}

fn cost(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value == f64::INFINITY || (0.0..=1024.0).contains(&value) => Ok(value),
        Ok(_) => Err("expected a cost from 0 to 1024, or inf".into()),
        Err(_) => Err("not a number".into()),
    }
}
/// Why a search over cells does not begin, its options being good: there is nothing to search.
pub(crate) fn no_open_ground(error: Error) -> Failure {
    match error {
        Error::NoLandmarks => Failure::usage(
            "--heuristic table: no ground is open for this agent, so there are no landmarks; choose another heuristic",
        ),
        other => Failure::internal(other),
    }
}
