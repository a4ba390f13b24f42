//! Paths: the request, the answer, and the order of things: ends, islands, the straight ray, and only then a search.

mod corridor;
mod finish;
mod funnel;
mod open_list;
mod optimal;
mod portal;
mod scratch;

use navbake_format::PolyId;

use crate::locate::extent;
use crate::math::grid_distance;
use crate::ray::same_ground;
use crate::{Location, Query};

pub use funnel::FunnelNode;
pub use optimal::{Chart, ChartEdge, ChartPolygon, Cone, Open, Root, Sight};
#[cfg(feature = "alloc")]
pub use scratch::SearchBuffer;
pub use scratch::{Node, Scratch, ScratchSize, Step};

use corridor::Outcome;
use scratch::Corridor;

/// How a path is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Planner {
    /// A* over polygons, then the shortest path through the polygons found (funnel). Near the optimum, not always at it.
    #[default]
    Corridor,
    /// The shortest path in the ground plane.
    Optimal,
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
    /// Where the goal cannot be reached, go as near as possible. That costs a search of the whole island.
    pub partial: bool,
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
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The path leads to the goal.
    Reached,
    /// There is no way to the goal; the path leads to the place nearest to it.
    Partial,
    /// There is no way to the goal.
    Unreachable,
    /// The start or the goal is not on the mesh.
    OffMesh,
    /// The scratch was too small to tell; the path leads to the place nearest to the goal that was found.
    OutOfNodes,
}

impl Status {
    /// The word for it that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Status::Reached => "reached",
            Status::Partial => "partial",
            Status::Unreachable => "unreachable",
            Status::OffMesh => "off_mesh",
            Status::OutOfNodes => "out_of_nodes",
        }
    }
}

/// A path, or why there is none. Points and polygons lie in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<'s> {
    /// What became of the request.
    pub status: Status,
    /// Length in the ground plane, m.
    pub length_xz: f64,
    /// Length along the surface between the points, heights at portals included, m.
    pub length_3d: f64,
    /// What the planner minimises: at present `length_xz`.
    pub cost: f64,
    /// No path from start to goal costs less than this; 0 where there is none.
    pub bound: f64,
    /// Start, corners, end: y-up metres at the height of the surface.
    pub points: &'s [[f64; 3]],
    /// The polygons that the path leads through, in order.
    pub polygons: &'s [PolyId],
    /// Polygons taken off the open list; 0 when a straight line was the answer.
    pub expanded: u32,
    /// The greatest length of the open list.
    pub max_open: u32,
    /// The planner that was asked.
    pub planner: Planner,
    /// No shorter path exists: shown by the search itself, not a guess.
    pub certified_optimal: bool,
}

impl Answer<'_> {
    fn none(status: Status, planner: Planner) -> Self {
        Answer {
            status,
            length_xz: 0.0,
            length_3d: 0.0,
            cost: 0.0,
            bound: 0.0,
            points: &[],
            polygons: &[],
            expanded: 0,
            max_open: 0,
            planner,
            certified_optimal: false,
        }
    }
}

impl Query<'_> {
    /// Finds a path. Allocates nothing; the answer borrows the scratch, a `&mut SearchBuffer` or a `&mut Scratch`.
    pub fn path<'s>(&self, request: &PathRequest, scratch: impl Into<Scratch<'s>>) -> Answer<'s> {
        let (Some(from), Some(to)) = (
            self.end(request.from, request.extents),
            self.end(request.to, request.extents),
        ) else {
            return Answer::none(Status::OffMesh, request.planner);
        };
        self.path_between(&from, &to, request, scratch)
    }

    /// Where a point of a request is on the mesh: where [`Query::locate`] says, else where [`Query::nearest`] does.
    pub fn end(&self, point: [f64; 3], extents: [f64; 3]) -> Option<Location> {
        let grid = self.mesh().grid();
        let p = grid.snap(point)?;
        let [ex, ey, ez] = extents.map(|e| extent(grid, e));
        self.locate_on_grid(p, ey)
            .or_else(|| self.nearest_on_grid(p, [ex.max(1.0), ey, ez.max(1.0)]))
    }

    /// Finds a path between two places; `from`, `to` and `extents` of the request are not looked at.
    pub fn path_between<'s>(
        &self,
        from: &Location,
        to: &Location,
        request: &PathRequest,
        scratch: impl Into<Scratch<'s>>,
    ) -> Answer<'s> {
        let mut scratch = scratch.into();
        let planner = request.planner;
        let reachable = self.reachable(from, to);
        if !reachable && !request.partial {
            return Answer::none(Status::Unreachable, planner);
        }
        if reachable && let Some(corridor) = self.straight(from, to, &mut scratch) {
            let answer = self.finish(from, to, corridor, true, scratch);
            return Answer {
                bound: answer.length_xz,
                certified_optimal: answer.status == Status::Reached,
                planner,
                ..answer
            };
        }
        if planner == Planner::Optimal && reachable {
            return self.optimal(from, to, scratch);
        }
        let found = corridor::search(self.mesh(), from, to, &mut scratch);
        let (status, end) = match found.outcome {
            Outcome::Reached(node) => (Status::Reached, Some((*to, node))),
            Outcome::Nearest { node, full } => {
                let status = match (full, request.partial) {
                    (true, _) => Status::OutOfNodes,
                    (false, true) => Status::Partial,
                    (false, false) => Status::Unreachable,
                };
                (status, node.and_then(|n| self.nearest_end(n, to, &scratch)))
            }
        };
        let counts = Answer {
            expanded: found.expanded,
            max_open: found.max_open,
            bound: grid_distance(from.point(), to.point()) / self.mesh().grid().units(),
            ..Answer::none(status, planner)
        };
        let (Some((end, node)), false) = (end, status == Status::Unreachable) else {
            return Answer {
                bound: 0.0,
                ..counts
            };
        };
        if planner == Planner::Optimal && status == Status::Partial {
            // The shortest path to the place that the corridor's search chose.
            let path = match self.straight(from, &end, &mut scratch) {
                Some(corridor) => self.finish(from, &end, corridor, true, scratch),
                None => self.optimal(from, &end, scratch),
            };
            let status = match path.status {
                Status::Reached => status,
                other => other,
            };
            return Answer {
                status,
                bound: counts.bound,
                certified_optimal: false,
                planner,
                ..path
            };
        }
        let corridor = corridor::trace(node, end.polygon(), &mut scratch);
        let path = self.finish(from, &end, corridor, false, scratch);
        Answer {
            length_xz: path.length_xz,
            length_3d: path.length_3d,
            cost: path.cost,
            points: path.points,
            polygons: path.polygons,
            ..counts
        }
    }

    /// The place nearest to the goal on the polygon of a node.
    fn nearest_end(
        &self,
        node: usize,
        to: &Location,
        scratch: &Scratch<'_>,
    ) -> Option<(Location, usize)> {
        let polygon = scratch.nodes.get(node)?.polygon();
        let point = crate::surface::nearest(&self.mesh().polygon(polygon), to.point());
        Some((self.on_polygon_grid(polygon, point)?, node))
    }

    /// The straight line, when it stays on the ground all the way and ends on the goal's ground. Nothing is shorter.
    fn straight(
        &self,
        from: &Location,
        to: &Location,
        scratch: &mut Scratch<'_>,
    ) -> Option<Corridor> {
        let mesh = self.mesh();
        let mut corridor = Corridor::new(to.polygon());
        let chart = scratch.sight.chart;
        let (start, a, b) = (from.polygon(), from.point(), to.point());
        let last = optimal::walk_straight(mesh, &chart, start, a, b, |p, k| {
            corridor.push(scratch.corridor, p, k);
        })?;
        let same = same_ground(mesh, last, to.polygon(), to.point(), |p, k| {
            corridor.push(scratch.corridor, p, k);
        });
        let fits = corridor.is_whole() && corridor.len <= scratch.longest_corridor();
        (same && fits).then_some(corridor)
    }
}
