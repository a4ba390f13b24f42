//! The request: ends, planner and settings.

use core::str::FromStr;

use super::{Ahead, Heuristic};

/// The method of a path search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Planner {
    /// A* over polygons, then the shortest path through them (funnel).
    ///
    /// Near the optimum, not always at it.
    #[default]
    Corridor,
    /// A* over the middles of portals, then middles skipped by line of sight.
    ///
    /// Snook, Simplified 3D movement and pathfinding using navigation meshes, 2000. Longer than
    /// `Corridor`, and away from walls.
    Midpoints,
    /// The shortest path in the ground plane.
    ///
    /// It has bounds of its own: it ignores order, heuristic, weight, direction and the bound on
    /// the open list. `Corridor` replaces it where the start is in a blocked polygon (see
    /// [`Closings`](crate::Closings)) and the straight line to the goal is not free.
    Optimal,
    /// The cheapest path over weighted ground, within a proved bound.
    ///
    /// The request sets the bound ([`PathRequest::gap`]); for the bound reached see
    /// [`Answer::gap`](super::Answer::gap). Where all ground costs 1 it is `Optimal`, and where
    /// ground costs differ `Optimal` is this. It also has bounds of its own. Where the scratch has
    /// no [`Pieces`](super::Pieces), `Corridor` replaces it.
    Weighted,
    /// A search over rooms from door to door, then the shortest path in those rooms.
    ///
    /// [`Query::hierarchical`](crate::Query::hierarchical) gives it piece by piece. The path is at
    /// most a tenth longer than the shortest, which the search ensures, and far less as a rule. It
    /// has bounds of its own. On a mesh without rooms, or whose rooms have no paths between doors,
    /// the answer is [`Status::NoRooms`](super::Status::NoRooms). It takes links. `Optimal`
    /// replaces it for several goals, and where the goal cannot be reached; `Weighted` where ground
    /// costs differ.
    Hierarchical,
}

impl Planner {
    /// Every planner.
    pub const ALL: [Planner; 5] = [
        Planner::Corridor,
        Planner::Midpoints,
        Planner::Optimal,
        Planner::Weighted,
        Planner::Hierarchical,
    ];

    /// The names of [`Planner::ALL`], which [`FromStr`] reads.
    pub const NAMES: [&'static str; 5] =
        ["corridor", "midpoints", "optimal", "weighted", "hierarchical"];

    /// The name that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Planner::Corridor => "corridor",
            Planner::Midpoints => "midpoints",
            Planner::Optimal => "optimal",
            Planner::Weighted => "weighted",
            Planner::Hierarchical => "hierarchical",
        }
    }
}

impl FromStr for Planner {
    type Err = &'static str;

    /// Parses a name; the error lists the expected ones.
    fn from_str(name: &str) -> Result<Planner, &'static str> {
        let mut all = Planner::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected corridor, midpoints, optimal, weighted or hierarchical")
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
        match self {
            Order::AStar => "a-star",
            Order::Greedy => "greedy",
            Order::Dijkstra => "dijkstra",
        }
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
    pub planner: Planner,
    /// Go as near as possible where the goal cannot be reached or is off the mesh.
    ///
    /// That costs a search of the whole island.
    pub partial: bool,
    /// The order in which entries leave the open list.
    pub order: Order,
    /// The estimate of the remaining distance.
    pub heuristic: Heuristic,
    /// The assumed cost of a metre ahead, where ground has different weights.
    pub ahead: Ahead,
    /// The factor of the estimate.
    ///
    /// More than 1 finds longer paths with less work, as a rule; see [`Heuristic::overestimates`].
    /// A value outside 0 to 1000 becomes the nearest one; NaN becomes 1.
    pub weight: f64,
    /// Search from the goal to the start.
    ///
    /// The path still leads from the start to the goal. Cheaper where the goal is in a dead end.
    pub reverse: bool,
    /// The longest open list.
    ///
    /// Further entries push the worst one out, and [`Answer::dropped`](super::Answer::dropped)
    /// counts them. `None` for the room in the scratch.
    pub max_open: Option<u32>,
    /// The accepted gap of [`Planner::Weighted`] as a share: 0.02 for 2 %.
    ///
    /// The path is proved to cost at most this much more than the cheapest. A smaller gap takes
    /// longer, and the search may not reach it; [`Answer::gap`](super::Answer::gap) gives the gap
    /// that was reached.
    pub gap: f64,
    /// Does the answer need the polygons of the path?
    ///
    /// Without them the answer may consist of the points, where labels give those.
    /// [`Answer::polygons`](super::Answer::polygons) is then empty, and the search follows only the
    /// straight line and the pieces at both ends, which takes a third less time.
    pub polygons: bool,
}

impl PathRequest {
    /// A path between two points in y-up metres.
    pub fn new(from: [f64; 3], to: [f64; 3]) -> PathRequest {
        PathRequest {
            from,
            to,
            extents: [0.0, 2.0, 0.0],
            planner: Planner::default(),
            partial: false,
            order: Order::default(),
            heuristic: Heuristic::default(),
            ahead: Ahead::default(),
            weight: 1.0,
            reverse: false,
            max_open: None,
            gap: 0.02,
            polygons: true,
        }
    }

    /// Sets how far from the ends the ground may be, m along each axis.
    pub fn extents(self, extents: [f64; 3]) -> PathRequest {
        PathRequest { extents, ..self }
    }

    /// Sets the planner.
    pub fn planner(self, planner: Planner) -> PathRequest {
        PathRequest { planner, ..self }
    }

    /// Requests a path as near as possible where none leads to the goal.
    pub fn partial(self, partial: bool) -> PathRequest {
        PathRequest { partial, ..self }
    }

    /// Sets the order in which entries leave the open list.
    pub fn order(self, order: Order) -> PathRequest {
        PathRequest { order, ..self }
    }

    /// Sets the estimate of the remaining distance, and its factor.
    pub fn heuristic(self, heuristic: Heuristic, weight: f64) -> PathRequest {
        PathRequest { heuristic, weight, ..self }
    }

    /// Sets the assumed cost of a metre ahead, where ground has different weights.
    pub fn ahead(self, ahead: Ahead) -> PathRequest {
        PathRequest { ahead, ..self }
    }

    /// Searches from the goal to the start.
    pub fn reverse(self, reverse: bool) -> PathRequest {
        PathRequest { reverse, ..self }
    }

    /// Sets the accepted gap to the cheapest path over weighted ground, as a share.
    pub fn gap(self, gap: f64) -> PathRequest {
        PathRequest { gap, ..self }
    }

    /// Sets whether the answer needs the polygons of the path.
    pub fn polygons(self, polygons: bool) -> PathRequest {
        PathRequest { polygons, ..self }
    }

    /// Bounds the open list.
    pub fn max_open(self, max_open: Option<u32>) -> PathRequest {
        PathRequest { max_open, ..self }
    }
}
