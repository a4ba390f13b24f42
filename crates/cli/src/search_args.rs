//! Options of path searches.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use navbake_gridpath::GridPlanner;
use navbake_rooms::{RoomMemory, RoomPath, RoomScratch, RoomSearch};
use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Error, Heuristic, NavQuery, PathRequest, Search, Status};

use crate::args::{between, one_of, share, weight};
use crate::failure::Failure;

/// A planner of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Planner {
    /// Over the polygons of the navmesh.
    Polygons(Algorithm),
    /// From room to room.
    Rooms,
    /// Over the cells of a grid map.
    Cells(GridPlanner),
    /// Over a route network.
    Network,
    /// Over the lattice of a vehicle.
    Vehicle,
}

/// The name of the planner for vehicles.
const TURNING: &str = "turning";
/// The name of the planner over networks.
const NETWORK: &str = "network";

impl Planner {
    /// Its name on the command line and in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Planner::Polygons(planner) => planner.name(),
            Planner::Rooms => navbake_rooms::NAME,
            Planner::Cells(planner) => planner.name(),
            Planner::Network => NETWORK,
            Planner::Vehicle => TURNING,
        }
    }

    /// Parses a name.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Planner> {
        let names = Algorithm::NAMES.into_iter();
        let names = names.chain([navbake_rooms::NAME]).chain(GridPlanner::NAMES);
        let names = names.chain([NETWORK, TURNING]);
        PossibleValuesParser::new(names).try_map(|name| match name.as_str() {
            TURNING => Ok(Planner::Vehicle),
            NETWORK => Ok(Planner::Network),
            navbake_rooms::NAME => Ok(Planner::Rooms),
            name => {
                (name.parse().map(Planner::Cells)).or_else(|_| name.parse().map(Planner::Polygons))
            }
        })
    }
}

/// How a path is searched.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct PlannerChoice {
    /// Planner
    ///
    /// auto: optimal where the blob has labels, no terrain costs more and no option of the search
    /// is given, else corridor.
    /// corridor: A* over polygons, then the funnel; close to the shortest path.
    /// midpoints: A* over portal midpoints, then shortcuts; longer, away from walls.
    /// optimal: the shortest path.
    /// weighted: the cheapest path where terrain costs differ, within --epsilon.
    /// hierarchical: from room to room, at most a tenth above the shortest; needs rooms.
    /// grid4, grid8: the cheapest path over square cells, without or with diagonal steps.
    /// hex: the cheapest path over hexagons.
    /// network: the cheapest path over the points of a route network.
    /// turning: the cheapest path of a vehicle, made of arcs and lines.
    #[arg(
        long,
        value_name = "PLANNER",
        default_value = "auto",
        value_parser = Planner::parser(),
        verbatim_doc_comment
    )]
    pub(crate) planner: Planner,
}

/// How a search is guided. `optimal`, `weighted` and `hierarchical` use --epsilon at most.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SearchOptions {
    /// Order of the open list: by cost and estimate, by estimate, or by cost
    #[arg(long, value_name = "ORDER", default_value = "a-star", value_parser = one_of::<Order>(&Order::NAMES))]
    pub(crate) order: Order,
    /// Estimate of the remaining length [default: octile for grid8, manhattan for grid4 and hex,
    /// else euclidean]
    ///
    /// manhattan and octile exceed the straight line by up to 41 % and 8 %, so paths over polygons
    /// can be longer. table: lower bounds from the landmarks of the blob, over
    /// cells and networks from landmarks that are made for the query.
    #[arg(long, value_name = "H", value_parser = one_of::<Heuristic>(&Heuristic::NAMES))]
    pub(crate) heuristic: Option<Heuristic>,
    /// Factor of the estimate, 0 to 1000; above 1 the search is faster and paths can be longer
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = weight)]
    pub(crate) weight: f64,
    /// Cost of a metre in the estimate, where terrain costs differ
    ///
    /// least: that of the cheapest terrain. sampled: the mean along the straight line. own: that
    /// of the polygon being expanded. Or a number. All but least can miss the cheapest path.
    #[arg(long, value_name = "COST", default_value = "least")]
    pub(crate) cost_estimate: Ahead,
    /// Search from the goal to the start
    #[arg(long)]
    pub(crate) reverse: bool,
    /// Most entries of the open list; the worst are dropped
    #[arg(long, value_name = "N", value_parser = between::<1, {u32::MAX}>)]
    pub(crate) max_open: Option<u32>,
    /// Suboptimality bound of the planner weighted, as a share of the cost
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = share)]
    pub(crate) epsilon: f64,
}

/// The options that only some planners use: those planners, and why the others do not.
const USED: &[(&str, &[&str], &str)] = &[
    ("--order", A_STAR_GRID_TURNING, "its order is fixed"),
    (
        "--heuristic",
        &["auto", "corridor", "midpoints", "weighted", "grid4", "grid8", "hex", NETWORK],
        FIXED,
    ),
    ("--weight", A_STAR_GRID_TURNING, FIXED),
    ("--cost-estimate", A_STAR_GRID, FIXED),
    ("--reverse", A_STAR_GRID, "it searches from the start"),
    ("--max-open", A_STAR_GRID, "its open list has no limit"),
    ("--epsilon", &["weighted", "optimal", "hierarchical"], "it has no bound to choose"),
    ("--network", &[NETWORK], "it does not search over a network"),
    ("--corner-cutting", SQUARES, "it has no diagonal steps over cells"),
    ("--turn-penalty", GRID, "it does not search over cells"),
    ("--diagonal-cost", SQUARES, "it has no diagonal steps over cells"),
    ("--unit-radius", GRID, "the agent's radius is baked"),
    ("--unit-cells", GRID, "it does not search over cells"),
    ("--terrain-costs", GRID, "--task chooses a row of weights for it"),
    ("a heading (@degrees)", TURNING_ALONE, "its units turn on the spot"),
    ("--unsmoothed", TURNING_ALONE, "it smooths nothing"),
    ("--road", TURNING_ALONE, NO_ROADS),
    ("--no-road", TURNING_ALONE, NO_ROADS),
    ("--off-road", TURNING_ALONE, NO_ROADS),
    ("--road-rings", TURNING_ALONE, NO_ROADS),
    ("--cones", TURNING_ALONE, NO_ROADS),
    ("--directions", TURNING_ALONE, "its path has no arcs"),
    ("--partial", NOT_TURNING, "its paths are complete"),
    ("--finish", OVER_POLYGONS, "its path does not lead over polygons"),
    ("--extents", BY_PLACES, "it takes the cell under a point"),
];
const A_STAR_GRID: &[&str] = &["auto", "corridor", "midpoints", "grid4", "grid8", "hex", NETWORK];
const A_STAR_GRID_TURNING: &[&str] =
    &["auto", "corridor", "midpoints", "grid4", "grid8", "hex", NETWORK, TURNING];
const SQUARES: &[&str] = &["grid4", "grid8"];
const GRID: &[&str] = &GridPlanner::NAMES;
const TURNING_ALONE: &[&str] = &[TURNING];
const OVER_POLYGONS: &[&str] =
    &["auto", "corridor", "midpoints", "optimal", "weighted", "hierarchical"];
const BY_PLACES: &[&str] =
    &["auto", "corridor", "midpoints", "optimal", "weighted", "hierarchical", NETWORK];
const NOT_TURNING: &[&str] = &[
    "auto",
    "corridor",
    "midpoints",
    "optimal",
    "weighted",
    "hierarchical",
    "grid4",
    "grid8",
    "hex",
    NETWORK,
];
const FIXED: &str = "its estimate is fixed";
const NO_ROADS: &str = "weights of areas keep its units on roads";

/// Refuses options that a planner would ignore.
///
/// # Errors
/// If one of those given is not used by the planner: which planners use it, and why this one does
/// not.
pub(crate) fn refuse_unused(
    planner: Planner,
    given: impl IntoIterator<Item = (&'static str, bool)>,
) -> Result<(), Failure> {
    for (option, _) in given.into_iter().filter(|(_, given)| *given) {
        let row = USED.iter().find(|row| row.0 == option);
        if let Some((_, users, why)) = row
            && !users.contains(&planner.name())
        {
            return Err(Failure::usage(format_args!(
                "{option} does not apply to the planner {}: {why}; it is for --planner {}",
                planner.name(),
                users.join(" or ")
            )));
        }
    }
    Ok(())
}

impl SearchOptions {
    /// Which of the options are given, for [`refuse_unused`]. A default that is given is none.
    pub(crate) fn given(&self) -> [(&'static str, bool); 7] {
        [
            ("--order", self.order != Order::default()),
            ("--heuristic", self.heuristic.is_some()),
            ("--weight", self.weight != 1.0),
            ("--cost-estimate", self.cost_estimate != Ahead::Least),
            ("--reverse", self.reverse),
            ("--max-open", self.max_open.is_some()),
            ("--epsilon", self.epsilon != Algorithm::GAP),
        ]
    }

    /// A planner over polygons with its options.
    pub(crate) fn algorithm(&self, planner: Algorithm) -> Algorithm {
        match planner {
            // The other algorithms would ignore the options.
            Algorithm::Auto if self.a_star() != AStar::default() => {
                Algorithm::Corridor(self.a_star())
            }
            Algorithm::Corridor(_) => Algorithm::Corridor(self.a_star()),
            Algorithm::Midpoints(_) => Algorithm::Midpoints(self.a_star()),
            Algorithm::Weighted { .. } => self.weighted(),
            other => other,
        }
    }

    pub(crate) fn a_star(&self) -> AStar {
        AStar {
            order: self.order,
            heuristic: self.heuristic.unwrap_or_default(),
            weight: self.weight,
            ahead: self.cost_estimate,
            reverse: self.reverse,
            max_open: self.max_open,
        }
    }

    fn weighted(&self) -> Algorithm {
        let landmarks = self.heuristic == Some(Heuristic::Table);
        Algorithm::Weighted { gap: self.epsilon, landmarks }
    }

    /// Begins a search over polygons.
    ///
    /// The planners optimal and hierarchical become weighted where terrain has costs, and corridor
    /// from closed ground. The answer names the planner that was used.
    fn begin(
        &self,
        query: &NavQuery<'_>,
        request: &PathRequest,
        scratch: &mut RoomScratch,
    ) -> Result<Search, Error> {
        let instead = match query.start_path(request, scratch.ground()) {
            Err(Error::Costs) => self.weighted(),
            Err(Error::StartBlocked) => Algorithm::Corridor(self.a_star()),
            search => return search,
        };
        query.start_path(&request.algorithm(instead), scratch.ground())
    }

    /// Begins a search, with `rooms` over rooms, as [`SearchOptions::find`] does.
    ///
    /// # Errors
    /// The same.
    pub(crate) fn start(
        &self,
        query: &NavQuery<'_>,
        rooms: bool,
        request: &PathRequest,
        scratch: &mut RoomScratch,
    ) -> Result<RoomSearch, Error> {
        if rooms {
            if !query.mesh().rooms().is_some_and(|rooms| rooms.has_ways()) {
                return Err(Error::NoRooms);
            }
            match RoomSearch::new(query, request, scratch) {
                Err(Error::Costs | Error::StartBlocked) => {}
                search => return search,
            }
        }
        self.begin(query, request, scratch).map(RoomSearch::from)
    }

    /// Finds a path, with `rooms` over rooms.
    ///
    /// # Errors
    /// If the blob has no landmarks or rooms, which the search needs: see [`refusal`].
    pub(crate) fn find<'s>(
        &self,
        query: &NavQuery<'_>,
        rooms: bool,
        request: &PathRequest,
        scratch: &'s mut RoomScratch,
    ) -> Result<RoomPath<'s>, Error> {
        if rooms {
            let mut search = self.start(query, rooms, request, scratch)?;
            while search.step(query, scratch, u32::MAX) == Status::Looking {}
            let by_rooms = search.by_rooms();
            return Ok(RoomPath { path: search.path(query, scratch), by_rooms });
        }
        let mut search = self.begin(query, request, scratch)?;
        while search.step(query, scratch.ground(), u32::MAX) == Status::Looking {}
        Ok(RoomPath { path: search.path(query, scratch.ground()), by_rooms: false })
    }
}

/// What a blob lacks for a planner, and the cure.
pub(crate) fn missing(error: &Error) -> &'static str {
    match error {
        Error::NoLandmarks => {
            "the navmesh has no landmarks; bake a level without links with landmarks = \"always\" under [tables], or choose another --heuristic"
        }
        Error::NoRooms => {
            "the navmesh has no rooms with distances between doors; bake one blob with enabled = true under [rooms], or choose another --planner"
        }
        _ => "the planner does not serve this request",
    }
}

/// The status of a request that the planner does not serve.
pub(crate) fn refusal(error: &Error) -> &'static str {
    match error {
        Error::NoLandmarks => "no_tables",
        Error::NoRooms => "no_rooms",
        _ => "refused",
    }
}
