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
#[cfg(feature = "alloc")]
mod buffer;
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
mod scratch;
mod search;
mod share;
mod tables;
mod visit;
mod way;
mod weighted;

use crate::locate::extent;
use crate::{Location, Query};

pub use ahead::Ahead;
pub use answer::{Answer, Status};
#[cfg(feature = "alloc")]
pub use buffer::SearchBuffer;
pub use cheap::Cheap;
pub use course::Course;
pub use funnel::FunnelNode;
pub use heuristic::Heuristic;
pub use hierarchical::{DoorLabel, DoorOpen, Doors, Hop, Walk, WalkLeg};
#[cfg(feature = "alloc")]
pub use landmarks::Places;
pub use legs::{Leg, Legs};
pub use optimal::{Cone, Open, Root, Sight};
#[cfg(feature = "alloc")]
pub use queue::{PathQueue, Tick};
pub use request::{Order, PathRequest, Planner};
pub use scratch::{Goal, Lender, Node, Scratch, ScratchSize, Step};
pub use search::Search;
pub use tables::Tables;
#[cfg(feature = "alloc")]
pub use tables::{CornerLook, Corners, View};
pub use visit::{Seen, Visit};
pub use weighted::{Crossing, Piece, Pieces};

/// A budget that no search uses up.
const UNLIMITED: u32 = u32::MAX;

impl Query<'_> {
    /// Finds a path. Allocates nothing, unless the scratch is a buffer that may grow.
    ///
    /// The answer borrows the scratch, a `&mut SearchBuffer` or a `&mut Scratch`.
    pub fn path<'s>(&self, request: &PathRequest, scratch: impl Lender<'s>) -> Answer<'s> {
        self.path_to_any(request, &[request.to], scratch)
    }

    /// Finds a path to the nearest of several goals, y-up metres.
    ///
    /// "Nearest" is in the planner's metric. Ignores `to` of the request; [`Answer::goal`] says
    /// which goal it is. Goals that are off the mesh or cannot be reached do no harm. A request
    /// with more goals than [`Scratch::goals`] has room for ends with [`Status::OutOfNodes`].
    pub fn path_to_any<'s>(
        &self,
        request: &PathRequest,
        goals: &[[f64; 3]],
        mut scratch: impl Lender<'s>,
    ) -> Answer<'s> {
        let mut search = self.begin_in(request, goals, scratch.lend());
        search.step_in(self, &mut scratch, UNLIMITED);
        search.answer(self, scratch)
    }

    /// Finds a path between two places.
    ///
    /// Ignores `from`, `to` and `extents` of the request.
    pub fn path_between<'s>(
        &self,
        from: &Location,
        to: &Location,
        request: &PathRequest,
        mut scratch: impl Lender<'s>,
    ) -> Answer<'s> {
        let mut search = self.begin_between_in(from, to, request, scratch.lend());
        search.step_in(self, &mut scratch, UNLIMITED);
        search.answer(self, scratch)
    }

    /// The place on the mesh of a point of a request.
    ///
    /// That of [`Query::locate`], else that of [`Query::nearest`].
    pub fn end(&self, point: [f64; 3], extents: [f64; 3]) -> Option<Location> {
        let grid = self.mesh().grid();
        let p = grid.snap(point)?;
        let [ex, ey, ez] = extents.map(|e| extent(grid, e));
        self.locate_on_grid(p, ey)
            .or_else(|| self.nearest_on_grid(p, [ex.max(1.0), ey, ez.max(1.0)]))
    }
}
