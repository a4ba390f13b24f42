//! The result of a request.

use navbake_format::PolyId;
use navbake_navmesh::math;

use super::Algorithm;
use super::course::Course;
use super::legs::{Leg, Legs};
use crate::NavQuery;

/// An upper bound on what rounding takes from a cost or a gap, as a share.
const ROUNDED: f64 = 1.0 / (1u64 << 36) as f64;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The search is not done.
    ///
    /// The path leads to the place nearest to the goal that the search has found.
    Looking,
    /// The path leads to the goal.
    Reached,
    /// No path leads to the goal; the path leads to the place nearest to it.
    Partial,
    /// No path leads to the goal.
    Unreachable,
    /// No path over the chunks that are loaded leads to the goal, but the way may go on in others.
    ///
    /// With [`PathRequest::partial`](super::PathRequest::partial), the path leads to the place,
    /// nearest to the goal, where the ground goes on; where obstacles or a filter close the ground
    /// that is loaded, to the place on it nearest to the goal. Never on a mesh of one file.
    NotLoaded,
    /// The start or the goal is not on the mesh.
    OffMesh,
    /// The scratch was too small, or the bound on the open list too tight.
    ///
    /// The path leads to the place nearest to the goal that was found.
    OutOfNodes,
}

impl Status {
    /// The name that the command line and its JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Status::Looking => "looking",
            Status::Reached => "reached",
            Status::Partial => "partial",
            Status::Unreachable => "unreachable",
            Status::NotLoaded => "not_loaded",
            Status::OffMesh => "off_mesh",
            Status::OutOfNodes => "out_of_nodes",
        }
    }

    /// Is the request finished?
    pub fn is_over(self) -> bool {
        self != Status::Looking
    }
}

/// A path, or the reason why there is none. Points and polygons are in the scratch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NavPath<'s> {
    /// The outcome of the request.
    pub status: Status,
    /// Length of the ground walked, in the ground plane, m. Links do not count.
    pub length_xz: f64,
    /// The cost that the search minimises: `length_xz` and the costs of links.
    pub cost: f64,
    /// No path from the start to any goal costs less than this; 0 where there is none.
    pub bound: f64,
    /// Start, corners, end: y-up metres at the height of the surface.
    pub points: &'s [[f64; 3]],
    /// The polygons of the path, in order.
    ///
    /// Two consecutive polygons need not be neighbours where the path takes a link; see
    /// [`NavPath::legs`]. Empty where the request did not ask for them
    /// ([`PathRequest::polygons`](super::PathRequest::polygons)) and labels gave the path. A
    /// function that follows a path from polygon to polygon, such as `navbake_finish::path_places`,
    /// then finds none.
    pub polygons: &'s [PolyId],
    /// The goal that the path leads to, or the nearest one to its end; from 0.
    pub goal: u32,
    /// Number of entries taken off the open list.
    ///
    /// Entries are polygons, or portals for [`Algorithm::Midpoints`]. 0 when the straight line was
    /// the answer. An entry that was opened again counts again.
    pub expanded: u32,
    /// Number of closed entries at the end.
    pub closed: u32,
    /// The greatest length of the open list.
    pub max_open: u32,
    /// Number of entries without room, among the nodes or on the open list.
    ///
    /// Unless it is 0, the search may have missed its best path.
    pub dropped: u32,
    /// The algorithm that found it.
    ///
    /// The requested one, except for [`Algorithm::Auto`], which chooses one, and for
    /// [`Algorithm::Weighted`] where all ground costs 1, which is [`Algorithm::Optimal`].
    pub algorithm: Algorithm,
    /// No shorter path exists: the search itself proved it.
    ///
    /// Never set for a path that was found with a heuristic.
    pub certified_optimal: bool,
    /// The path was looked up in the [labels](navbake_format::Labels) of the mesh.
    pub by_tables: bool,
    /// The course that [`NavPath::length_3d`] measures.
    pub course: Course<'s>,
}

impl<'s> NavPath<'s> {
    /// Length along the ground, over every rise and dip of the height mesh, m; the length in the
    /// ground plane is `length_xz`.
    ///
    /// Links do not count. It can take longer than finding the path, because it reads the height of
    /// the ground wherever the path crosses a height triangle. Without polygons it is straight from
    /// point to point.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let path = query.find_path(&request, &mut scratch)?;
    /// assert_eq!(path.length_3d(&query), path.length_xz); // level ground
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn length_3d(&self, query: &NavQuery<'_>) -> f64 {
        self.course.length(query) / query.mesh().grid().units()
    }

    /// The walked legs and links of the path, in order; none where there is no path.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let path = query.find_path(&request, &mut scratch)?;
    /// assert_eq!(path.legs().count(), 1); // no link on the path
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn legs(&self) -> Legs<'s> {
        Legs::new(self.course)
    }

    /// One walked leg as a path of its own.
    ///
    /// For splines, rounding and other code that does not handle links. `length_xz`, `cost` and
    /// `bound` are those of the whole path.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let path = query.find_path(&request, &mut scratch)?;
    /// for leg in path.legs().filter(|leg| leg.link.is_none()) {
    ///     assert_eq!(path.walk(&leg).points, path.points);
    /// }
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn walk(&self, leg: &Leg) -> NavPath<'s> {
        let course = self.course.part(leg);
        NavPath {
            points: course.points,
            polygons: self.polygons.get(leg.polygons.clone()).unwrap_or(&[]),
            course,
            ..*self
        }
    }

    /// How much more this path may cost than the cheapest: a share, 0.02 for 2 %.
    ///
    /// The value is certain, and rounded up. 0 where it is proved that no path costs less. Infinite
    /// where nothing is known, for example for a path that does not lead to a goal.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let path = query.find_path(&request, &mut scratch)?;
    /// assert_eq!(path.gap(), 0.0); // the straight line is proved
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn gap(&self) -> f64 {
        if self.status != Status::Reached {
            f64::INFINITY
        } else if self.certified_optimal || self.cost <= self.bound {
            0.0
        } else {
            (self.cost / self.bound - 1.0 + ROUNDED) * (1.0 + ROUNDED)
        }
    }

    /// The direction of [`Search::direction`](super::Search::direction).
    #[doc(hidden)]
    pub fn direction(&self, here: [f64; 3], goal: [f64; 3]) -> Option<[f64; 2]> {
        let unit = |to: [f64; 3]| math::towards([here[0], here[2]], [to[0], to[2]]);
        let ahead = self.points.iter().skip(1).find_map(|&p| unit(p));
        match self.status {
            Status::Looking => ahead.or_else(|| unit(goal)),
            _ => ahead,
        }
    }

    /// This path with the counts, and all else that a search knows, of `counts`.
    pub(super) fn counted(self, counts: NavPath<'s>) -> NavPath<'s> {
        let NavPath { status, length_xz, cost, points, polygons, course, .. } = self;
        NavPath { status, length_xz, cost, points, polygons, course, ..counts }
    }

    pub(super) fn none(status: Status, algorithm: Algorithm) -> Self {
        NavPath {
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
            algorithm,
            certified_optimal: false,
            by_tables: false,
            course: Course::default(),
        }
    }
}
