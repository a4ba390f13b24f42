//! What became of a request.

use navbake_format::PolyId;

use super::Planner;
use super::course::Course;
use super::legs::{Leg, Legs};
use crate::Query;

/// More than what rounding takes from a cost or a gap, as a share.
const ROUNDED: f64 = 1.0 / (1u64 << 36) as f64;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The search is not done; the path leads to the place nearest to the goal that was found so far.
    Looking,
    /// The path leads to the goal.
    Reached,
    /// There is no way to the goal; the path leads to the place nearest to it.
    Partial,
    /// There is no way to the goal.
    Unreachable,
    /// The start or the goal is not on the mesh.
    OffMesh,
    /// The scratch was too small to tell, or the open list was bounded too tightly; the path leads to the place nearest to the goal that was
    /// found.
    OutOfNodes,
    /// The heuristic is that of tables, which guide no planner.
    NoTables,
    /// The planner goes from room to room, and the mesh has no rooms with ways between their doors.
    NoRooms,
}

impl Status {
    /// The word for it that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Status::Looking => "looking",
            Status::Reached => "reached",
            Status::Partial => "partial",
            Status::Unreachable => "unreachable",
            Status::OffMesh => "off_mesh",
            Status::OutOfNodes => "out_of_nodes",
            Status::NoTables => "no_tables",
            Status::NoRooms => "no_rooms",
        }
    }

    /// Is there nothing left to do?
    pub fn is_over(self) -> bool {
        self != Status::Looking
    }
}

/// A path, or why there is none. Points and polygons lie in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<'s> {
    /// What became of the request.
    pub status: Status,
    /// Length of the ground walked, in the ground plane, m. Links do not count.
    pub length_xz: f64,
    /// What the planner minimises: `length_xz` and the costs of links.
    pub cost: f64,
    /// No path from the start to any goal costs less than this; 0 where there is none.
    pub bound: f64,
    /// Start, corners, end: y-up metres at the height of the surface.
    pub points: &'s [[f64; 3]],
    /// The polygons that the path leads through, in order. Where it takes a link, two that follow one another need not be neighbours; see
    /// [`Answer::legs`]. Empty where they were not asked for ([`PathRequest::polygons`](super::PathRequest::polygons)) and labels told the path; then what follows a path from polygon to
    /// polygon, as [`Query::places`], knows it for none.
    pub polygons: &'s [PolyId],
    /// Which of several goals the path leads to, from 0, or the nearest one to its end.
    pub goal: u32,
    /// Entries taken off the open list: polygons, or portals of [`Planner::Midpoints`]; 0 when a straight line was the answer. One that
    /// was opened again counts again.
    pub expanded: u32,
    /// How many were closed at the end.
    pub closed: u32,
    /// The greatest length of the open list.
    pub max_open: u32,
    /// Entries for which there was no room, in the nodes or on the open list. Unless it is 0 the planner may have missed its best path.
    pub dropped: u32,
    /// The planner that was asked, or the one that stands in for it: [`Planner::Corridor`] for [`Planner::Optimal`] where the start lies in a closed
    /// polygon; [`Planner::Weighted`] for it where costs differ, and the other way round where they do not.
    pub planner: Planner,
    /// No shorter path exists: shown by the search itself, not a guess. Never said of a path that was found with a heuristic.
    pub certified_optimal: bool,
    /// It was looked up in the [labels](navbake_format::Labels) of the mesh, not searched for.
    pub by_tables: bool,
    /// What [`Answer::length_3d`] measures.
    pub course: Course<'s>,
}

impl<'s> Answer<'s> {
    /// Length along the surface between the points, heights at portals included, m. Links do not count. It takes about as long as finding the path: the height of
    /// the ground is asked for at every portal. Without polygons it is straight from point to point.
    pub fn length_3d(&self, query: &Query<'_>) -> f64 {
        self.course.length(query) / query.mesh().grid().units()
    }

    /// The walks and links of the path, in order; none where there is no path.
    pub fn legs(&self) -> Legs<'s> {
        Legs::new(self.course)
    }

    /// One of its walks as a path of its own: for splines, rounding and whatever else knows nothing of links. Lengths that are not asked
    /// for, cost and bound are those of the whole path.
    pub fn walk(&self, leg: &Leg) -> Answer<'s> {
        let course = self.course.part(leg);
        Answer {
            points: course.points,
            polygons: self.polygons.get(leg.polygons.clone()).unwrap_or(&[]),
            course,
            ..*self
        }
    }

    /// How much more than the cheapest path this one may cost, as a share: 0.02 for 2 %. Certain, and rounded up; 0 where it is proved that none costs less, and
    /// infinite where nothing is known, as of a path that does not lead to a goal.
    pub fn gap(&self) -> f64 {
        if self.status != Status::Reached {
            f64::INFINITY
        } else if self.certified_optimal || self.cost <= self.bound {
            0.0
        } else {
            (self.cost / self.bound - 1.0 + ROUNDED) * (1.0 + ROUNDED)
        }
    }

    pub(super) fn none(status: Status, planner: Planner) -> Self {
        Answer {
            status,
            length_xz: 0.0,
            cost: 0.0,
            bound: 0.0,
            points: &[],
            polygons: &[],
            goal: 0,
            expanded: 0,
            closed: 0,
            max_open: 0,
            dropped: 0,
            planner,
            certified_optimal: false,
            by_tables: false,
            course: Course::default(),
        }
    }
}
