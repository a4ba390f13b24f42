//! What is asked for, and how to search.

use core::str::FromStr;

use super::{Ahead, Heuristic};

/// How a path is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Planner {
    /// A* over polygons, then the shortest path through the polygons found (funnel). Near the optimum, not always at it.
    #[default]
    Corridor,
    /// A* over the middles of portals, then every point left out that a later one can be seen without (Snook, Simplified 3D movement and
    /// pathfinding using navigation meshes, 2000). Longer than `Corridor`, and away from walls.
    Midpoints,
    /// The shortest path in the ground plane. It has its own bounds: order, heuristic, weight, direction and the bound on the open list are
    /// not looked at. From a place in a closed polygon (see [`Closings`](crate::Closings)), out of the straight line's sight, `Corridor` stands in.
    Optimal,
    /// The cheapest path over ground of different weights, within the bound that is asked for ([`PathRequest::gap`]), and proved: see
    /// [`Answer::gap`](super::Answer::gap). Where all ground costs 1 it is `Optimal`, and where ground costs differ `Optimal` is this. It too has its own
    /// bounds. Where the scratch has no [`Pieces`](super::Pieces), `Corridor` stands in for it.
    Weighted,
    /// Over rooms from door to door first, then the shortest path within the rooms found: see [`Query::hierarchical`](crate::Query::hierarchical), which gives it piece by
    /// piece. Longer than the shortest by a tenth at most, which the search sees to, and far less as a rule. Its own bounds too. On a mesh without rooms, or whose
    /// rooms have no ways, the answer is [`Status::NoRooms`](super::Status::NoRooms). Links are taken. `Optimal` stands in for several goals, and where the
    /// goal cannot be reached; `Weighted` where ground costs differ.
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
    pub const NAMES: [&'static str; 5] = [
        "corridor",
        "midpoints",
        "optimal",
        "weighted",
        "hierarchical",
    ];

    /// The word for it that the command line and its JSON use.
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

    /// By name; the error says what is expected.
    fn from_str(name: &str) -> Result<Planner, &'static str> {
        let mut all = Planner::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected corridor, midpoints, optimal, weighted or hierarchical")
    }
}

/// Which entry of the open list is taken first. Of equals it is the one with the longer way behind it, then the one with the lower id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The least way behind and estimate ahead (A*). Closed entries are opened again when a shorter way to them turns up, which happens
    /// where the heuristic is not consistent.
    #[default]
    AStar,
    /// The least estimate ahead, whatever lies behind (greedy best-first search). Fast and careless; closed entries stay closed.
    Greedy,
    /// The least way behind (Dijkstra). The heuristic is not looked at.
    Dijkstra,
}

impl Order {
    /// Every order.
    pub const ALL: [Order; 3] = [Order::AStar, Order::Greedy, Order::Dijkstra];

    /// The names of [`Order::ALL`], which [`FromStr`] reads.
    pub const NAMES: [&'static str; 3] = ["a-star", "greedy", "dijkstra"];

    /// The word for it that the command line uses.
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

    /// By name; the error says what is expected.
    fn from_str(name: &str) -> Result<Order, &'static str> {
        let mut all = Order::ALL.into_iter();
        all.find(|one| one.name() == name)
            .ok_or("expected a-star, greedy or dijkstra")
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest {
    /// From here, y-up metres.
    pub from: [f64; 3],
    /// To here, y-up metres.
    pub to: [f64; 3],
    /// How far from `from` and `to` the ground may lie, m along each axis; 2 m up and down by default, and nothing sideways. Sideways, a step
    /// of the grid is always allowed, so that rounding does not throw a point off the mesh.
    pub extents: [f64; 3],
    /// How to search.
    pub planner: Planner,
    /// Where the goal cannot be reached or is not on the mesh, go as near as possible. That costs a search of the whole island.
    pub partial: bool,
    /// Which entry of the open list comes first.
    pub order: Order,
    /// How the way ahead is estimated.
    pub heuristic: Heuristic,
    /// What a metre of the way ahead is taken to cost, where ground costs different things.
    pub ahead: Ahead,
    /// The estimate is multiplied by this. More than 1 finds longer paths with less work, as a rule; see [`Heuristic::overestimates`].
    /// What is not a number from 0 to 1000 is taken for the nearest one, NaN for 1.
    pub weight: f64,
    /// Search from the goal to the start. The path leads from the start to the goal all the same. Cheaper where the goal lies in a dead end.
    pub reverse: bool,
    /// The open list may hold so many entries; further ones push the worst one out, and [`Answer::dropped`](super::Answer::dropped) counts
    /// them. `None` for as many as the scratch has room for.
    pub max_open: Option<u32>,
    /// [`Planner::Weighted`] is content with a path that is proved to cost at most this share more than the cheapest: 0.02 for 2 %. Less takes longer, and may
    /// not be reached; what was reached tells [`Answer::gap`](super::Answer::gap).
    pub gap: f64,
    /// Are the polygons wanted that the path leads through? Without them the answer may do with the points, where labels tell those:
    /// [`Answer::polygons`](super::Answer::polygons) is empty then, and nothing is walked but the straight line and the pieces at both ends, which takes a third
    /// less time.
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

    /// Sets how far from the ends the ground may lie, m along each axis.
    pub fn extents(self, extents: [f64; 3]) -> PathRequest {
        PathRequest { extents, ..self }
    }

    /// Sets the planner.
    pub fn planner(self, planner: Planner) -> PathRequest {
        PathRequest { planner, ..self }
    }

    /// Asks for a path as near as possible where there is none to the goal.
    pub fn partial(self, partial: bool) -> PathRequest {
        PathRequest { partial, ..self }
    }

    /// Sets which entry of the open list comes first.
    pub fn order(self, order: Order) -> PathRequest {
        PathRequest { order, ..self }
    }

    /// Sets how the way ahead is estimated, and what the estimate is multiplied by.
    pub fn heuristic(self, heuristic: Heuristic, weight: f64) -> PathRequest {
        PathRequest {
            heuristic,
            weight,
            ..self
        }
    }

    /// Sets what a metre of the way ahead is taken to cost, where ground costs different things.
    pub fn ahead(self, ahead: Ahead) -> PathRequest {
        PathRequest { ahead, ..self }
    }

    /// Searches from the goal to the start.
    pub fn reverse(self, reverse: bool) -> PathRequest {
        PathRequest { reverse, ..self }
    }

    /// Sets how much more than the cheapest a path over ground of different weights may cost, as a share.
    pub fn gap(self, gap: f64) -> PathRequest {
        PathRequest { gap, ..self }
    }

    /// Sets whether the polygons are wanted that the path leads through.
    pub fn polygons(self, polygons: bool) -> PathRequest {
        PathRequest { polygons, ..self }
    }

    /// Bounds the open list.
    pub fn max_open(self, max_open: Option<u32>) -> PathRequest {
        PathRequest { max_open, ..self }
    }
}
