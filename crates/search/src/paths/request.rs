//! The request: ends, algorithm and settings.

use core::str::FromStr;

use super::{Ahead, Heuristic};
use crate::Point;

/// The method of a path search, with its options.
///
/// ```
/// use navbake_search::{AStar, Algorithm};
///
/// let fast = Algorithm::Corridor(AStar { weight: 1.3, ..AStar::default() });
/// assert_eq!("corridor".parse(), Ok(Algorithm::Corridor(AStar::default())));
/// assert_eq!(fast.name(), "corridor");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Algorithm {
    /// What the file was baked for.
    ///
    /// [`Algorithm::Optimal`] where the mesh has labels, which give shortest paths without a
    /// search, and nothing but walls is in the path's cost; else [`Algorithm::Corridor`].
    /// [`NavPath::algorithm`](super::NavPath::algorithm) says which it was.
    #[default]
    Auto,
    /// A* over polygons, then the shortest path through them (funnel).
    ///
    /// Near the optimum, not always at it.
    Corridor(AStar),
    /// A* over the middles of portals, then middles skipped by line of sight.
    ///
    /// Snook, Simplified 3D movement and pathfinding using navigation meshes, 2000. Longer than
    /// `Corridor`, and away from walls.
    Midpoints(AStar),
    /// The shortest path in the ground plane.
    ///
    /// By labels where the mesh has them, else by Polyanya. Refuses a filter with costs
    /// ([`Error::Costs`](crate::Error::Costs)), which `Weighted` serves, and a start on blocked
    /// ground ([`Error::StartBlocked`](crate::Error::StartBlocked)).
    Optimal,
    /// The cheapest path over weighted ground, within a proved bound.
    ///
    /// For the bound that was reached see [`NavPath::gap`](super::NavPath::gap). Where all ground
    /// costs 1, the search is that of `Optimal`.
    Weighted {
        /// The accepted gap to the cheapest path, as a share: 0.02 for 2 %.
        ///
        /// A smaller gap takes longer, and the search may not reach it.
        gap: f64,
        /// Do landmarks guide the search? The mesh must have them.
        landmarks: bool,
    },
}

impl Algorithm {
    /// The names that [`FromStr`] reads.
    pub const NAMES: [&'static str; 5] = ["auto", "corridor", "midpoints", "optimal", "weighted"];

    /// The accepted gap of [`Algorithm::Weighted`] where nothing else is said.
    pub const GAP: f64 = 0.02;

    /// The name that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Auto => "auto",
            Algorithm::Corridor(_) => "corridor",
            Algorithm::Midpoints(_) => "midpoints",
            Algorithm::Optimal => "optimal",
            Algorithm::Weighted { .. } => "weighted",
        }
    }

    /// [`Algorithm::Weighted`] with a gap, as a share, and without landmarks.
    pub fn weighted(gap: f64) -> Algorithm {
        Algorithm::Weighted { gap, landmarks: false }
    }
}

impl FromStr for Algorithm {
    type Err = &'static str;

    /// Parses a name; options are the default ones. The error lists the expected names.
    fn from_str(name: &str) -> Result<Algorithm, &'static str> {
        Ok(match name {
            "auto" => Algorithm::Auto,
            "corridor" => Algorithm::Corridor(AStar::default()),
            "midpoints" => Algorithm::Midpoints(AStar::default()),
            "optimal" => Algorithm::Optimal,
            "weighted" => Algorithm::weighted(Algorithm::GAP),
            "hierarchical" => return Err("paths over rooms are searches of navbake-rooms"),
            _ => return Err("expected auto, corridor, midpoints, optimal or weighted"),
        })
    }
}

/// The options of A*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AStar {
    /// The order in which entries leave the open list.
    pub order: Order,
    /// The estimate of the remaining distance.
    pub heuristic: Heuristic,
    /// The factor of the estimate.
    ///
    /// More than 1 finds longer paths with less work, as a rule; see [`Heuristic::overestimates`].
    /// A value outside 0 to 1000 becomes the nearest one; NaN becomes 1.
    pub weight: f64,
    /// The assumed cost of a metre ahead, where ground has different weights.
    pub ahead: Ahead,
    /// Search from the goal to the start.
    ///
    /// The path still leads from the start to the goal. Cheaper where the goal is in a dead end.
    /// Without effect where links can be taken or going up has a cost: both differ by direction.
    pub reverse: bool,
    /// The longest open list.
    ///
    /// Further entries push the worst one out, and [`NavPath::dropped`](super::NavPath::dropped)
    /// counts them. `None` for the room in the scratch.
    pub max_open: Option<u32>,
}

impl Default for AStar {
    fn default() -> AStar {
        AStar {
            order: Order::default(),
            heuristic: Heuristic::default(),
            weight: 1.0,
            ahead: Ahead::default(),
            reverse: false,
            max_open: None,
        }
    }
}

/// The order in which entries leave the open list.
///
/// Of equals the one with the longer path behind it comes first, then the one with the lower id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The least sum of path behind and estimate ahead (A*).
    ///
    /// Closed entries are opened again when a shorter path to them is found. That happens where the
    /// heuristic is not consistent.
    #[default]
    AStar,
    /// The least estimate ahead, whatever the path behind (greedy best-first search).
    ///
    /// Fast and careless; closed entries stay closed.
    Greedy,
    /// The least path behind (Dijkstra). Ignores the heuristic.
    Dijkstra,
}

impl Order {
    /// Every order.
    pub const ALL: [Order; 3] = [Order::AStar, Order::Greedy, Order::Dijkstra];

    /// The names of [`Order::ALL`], which [`FromStr`] reads.
    pub const NAMES: [&'static str; 3] = ["a-star", "greedy", "dijkstra"];

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        Order::NAMES[self as usize]
    }
}

impl FromStr for Order {
    type Err = &'static str;

    /// Parses a name; the error lists the expected ones.
    fn from_str(name: &str) -> Result<Order, &'static str> {
        let mut all = Order::ALL.into_iter();
        all.find(|one| one.name() == name).ok_or("expected a-star, greedy or dijkstra")
    }
}

/// A request for a path.
///
/// ```
/// use navbake_search::{Algorithm, PathRequest};
///
/// let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0])
///     .algorithm(Algorithm::Optimal)
///     .partial(true);
/// assert_eq!(request.to, [8.0, 0.0, 5.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest {
    /// The start, y-up metres.
    pub from: [f64; 3],
    /// The goal, y-up metres.
    pub to: [f64; 3],
    /// How far the ground may be from `from` and `to`, m along each axis.
    ///
    /// The default is 2 m up and down, and nothing sideways. Sideways, a step of the grid is always
    /// allowed, so that rounding does not move a point off the mesh.
    pub extents: [f64; 3],
    /// The method of the search.
    pub algorithm: Algorithm,
    /// Go as near as possible where the goal cannot be reached or is off the mesh.
    ///
    /// That costs a search of the whole island.
    pub partial: bool,
    /// Does the answer need the polygons of the path?
    ///
    /// Without them the answer may consist of the points, where labels give those.
    /// [`NavPath::polygons`](super::NavPath::polygons) is then empty, and the search follows only
    /// the straight line and the pieces at both ends, which takes a third less time.
    pub polygons: bool,
}

impl PathRequest {
    /// A path between two points, y-up metres.
    pub fn new(from: impl Into<Point>, to: impl Into<Point>) -> PathRequest {
        PathRequest {
            from: from.into().0,
            to: to.into().0,
            extents: [0.0, 2.0, 0.0],
            algorithm: Algorithm::default(),
            partial: false,
            polygons: true,
        }
    }

    /// Sets how far from the ends the ground may be, m along each axis.
    pub fn extents(self, extents: [f64; 3]) -> PathRequest {
        PathRequest { extents, ..self }
    }

    /// Sets the method of the search.
    pub fn algorithm(self, algorithm: Algorithm) -> PathRequest {
        PathRequest { algorithm, ..self }
    }

    /// Requests a path as near as possible where none leads to the goal.
    pub fn partial(self, partial: bool) -> PathRequest {
        PathRequest { partial, ..self }
    }

    /// Sets whether the answer needs the polygons of the path.
    pub fn polygons(self, polygons: bool) -> PathRequest {
        PathRequest { polygons, ..self }
    }
}

/// The search that is under way: an algorithm without options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Planner {
    #[default]
    Corridor,
    Midpoints,
    Optimal,
    Weighted,
}

/// A request as the search uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) planner: Planner,
    pub(crate) extents: [f64; 3],
    pub(crate) partial: bool,
    pub(crate) polygons: bool,
    pub(crate) a_star: AStar,
    pub(crate) gap: f64,
}

impl Settings {
    /// The settings of a request. `auto` is what [`Algorithm::Auto`] means here.
    pub(crate) fn of(request: &PathRequest, auto: Planner) -> Settings {
        let table = AStar { heuristic: Heuristic::Table, ..AStar::default() };
        let (planner, a_star, gap) = match request.algorithm {
            Algorithm::Auto => (auto, AStar::default(), 0.0),
            Algorithm::Corridor(a_star) => (Planner::Corridor, a_star, 0.0),
            Algorithm::Midpoints(a_star) => (Planner::Midpoints, a_star, 0.0),
            Algorithm::Optimal => (Planner::Optimal, AStar::default(), 0.0),
            Algorithm::Weighted { gap, landmarks: true } => (Planner::Weighted, table, gap),
            Algorithm::Weighted { gap, .. } => (Planner::Weighted, AStar::default(), gap),
        };
        let PathRequest { extents, partial, polygons, .. } = *request;
        Settings { planner, extents, partial, polygons, a_star, gap }
    }

    /// The algorithm that a search was, with the options of the request where it is the same.
    pub(crate) fn ran(&self, planner: Planner) -> Algorithm {
        match planner {
            Planner::Corridor => Algorithm::Corridor(self.a_star),
            Planner::Midpoints => Algorithm::Midpoints(self.a_star),
            Planner::Optimal => Algorithm::Optimal,
            Planner::Weighted => Algorithm::Weighted {
                gap: self.gap,
                landmarks: self.a_star.heuristic == Heuristic::Table,
            },
        }
    }
}
