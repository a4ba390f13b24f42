//! Ids, the integer grid, exact predicates and link kinds: what the builder, the file format and
//! the runtime share.
//!
//! All geometry of a navmesh has whole coordinates on a [`Grid`], so no tolerance decides topology.
//! The ground plane is x and z, and y points up:
//!
//! ```text
//!        y up
//!        |
//!        |
//!        o------ x            orient(a, b, c) > 0: counter-clockwise seen from above,
//!       /                     which is a triangle whose normal points up
//!      z (towards the viewer)
//! ```
//!
//! Coordinates are between `-LIMIT` and `LIMIT` (both excluded). A difference of two has 26 bits
//! and a sign, and a product of two differences fits into the 53 bits of an `f64`. So [`orient`] is
//! exact in `i64`, and [`in_circle`] needs more than an `f64` only where its float filter fails.
//!
//! The crate has no dependencies and needs no standard library.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod cell_shape;
mod grid;
mod ids;
mod link_kind;
mod point;
mod predicates;
mod whole;

pub use cell_shape::CellShape;
pub use grid::{Grid, LIMIT};
pub use ids::{AreaId, EdgeId, IslandId, NONE, PolyId, RoomId, VertexId};
pub use link_kind::LinkKind;
pub use point::{Point, Point3};
pub use predicates::{
    along, convex_corner, cross, direction, dot, in_circle, in_circle_tie, is_right_of, on_segment,
    orient, ring_area,
};
pub use whole::Whole;
