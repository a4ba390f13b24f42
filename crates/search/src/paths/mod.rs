//! Paths: the request, the answer, and the order of the work.
//!
//! The order is: ends, islands, the straight ray, and only then a search. [`search`] holds that
//! order as a value that can be stepped. [`astar`] is the search itself, in the spaces of
//! [`corridor`] and [`midpoints`]. [`finish`] makes the points of the path.
//!
//! ```text
//!    request -> ends -> islands -> straight ray -> search -> corridor -> points
//! ```

mod ahead;
mod answer;
mod astar;
mod begin;
mod bends;
mod cheap;
mod climb;
mod corridor;
mod course;
mod finish;
mod funnel;
mod heuristic;
mod hierarchical;
mod landmarks;
mod legs;
mod midpoints;
mod one_by_one;
mod open_list;
mod optimal;
mod portal;
#[cfg(feature = "alloc")]
mod queue;
mod request;
mod share;
mod slices;
mod steps;
mod tables;
mod visit;
mod way;
mod weighted;

use crate::locate::extent;
use crate::{Error, Memory, NavPoint, NavQuery, Point};

pub use ahead::Ahead;
pub use answer::{NavPath, Status};
pub use course::Course;
use funnel::FunnelNode;
pub use heuristic::Heuristic;
pub use hierarchical::{Hop, Walk, WalkLeg};
#[cfg(feature = "alloc")]
pub use landmarks::Places;
pub use legs::{Leg, Legs};
#[cfg(feature = "alloc")]
pub use queue::{PathQueue, Tick};
pub use request::{AStar, Algorithm, Order, PathRequest};
pub(crate) use slices::Arrays;
pub(crate) use slices::Slices;
#[cfg(feature = "alloc")]
pub(crate) use slices::Vectors;
pub use steps::Search;
#[cfg(feature = "alloc")]
pub use tables::{CornerLook, Corners, View};
pub use visit::{Seen, Visit};

/// A budget that no search uses up.
const UNLIMITED: u32 = u32::MAX;

impl NavQuery<'_> {
    /// Finds a path. Allocates only where the scratch has to grow.
    ///
    /// The path borrows the scratch.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`]. That there is no path is no
    /// error: see [`NavPath::status`].
    pub fn find_path<'s>(
        &self,
        request: &PathRequest,
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        self.find_path_to_any(request, &[request.to], scratch)
    }

    /// Finds a path to the nearest of several goals, y-up metres.
    ///
    /// "Nearest" is in the algorithm's metric. Ignores `to` of the request; [`NavPath::goal`] says
    /// which goal it is. Goals that are off the mesh or cannot be reached do no harm.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`].
    pub fn find_path_to_any<'s>(
        &self,
        request: &PathRequest,
        goals: &[[f64; 3]],
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        let search = self.start_path_to_any(request, goals, scratch)?;
        Ok(self.path_of(search, scratch))
    }

    /// Finds a path between two places.
    ///
    /// Ignores `from`, `to` and `extents` of the request.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`].
    pub fn find_path_between<'s>(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        scratch: &'s mut dyn Memory,
    ) -> Result<NavPath<'s>, Error> {
        let search = self.start_path_between(from, to, request, scratch)?;
        Ok(self.path_of(search, scratch))
    }

    /// The path of a search, which runs to its end.
    fn path_of<'s>(&self, mut search: Search, scratch: &'s mut dyn Memory) -> NavPath<'s> {
        search.step(self, scratch, UNLIMITED);
        search.path(self, scratch)
    }

    /// The place on the mesh of a point of a request.
    ///
    /// That of [`NavQuery::locate`], else that of [`NavQuery::nearest`].
    pub fn end(&self, point: impl Into<Point>, extents: [f64; 3]) -> Option<NavPoint> {
        let grid = self.mesh().grid();
        let p = grid.snap(point.into().0)?;
        let [ex, ey, ez] = extents.map(|e| extent(grid, e));
        self.locate_on_grid(p, ey)
            .or_else(|| self.nearest_on_grid(p, [ex.max(1.0), ey, ez.max(1.0)]))
    }
}
