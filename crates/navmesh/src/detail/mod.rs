//! Height triangles, for ground that the corners of polygons do not describe: the detail mesh.
//!
//! A *detail mesh* has a box of the ground plane and *height points* in it, on whole steps, at most
//! [`MOST_STEPS`] a side. Its triangles are the Delaunay triangles of these points and of the box's
//! four corners, whatever the polygons are; polygons name the detail mesh that they take their
//! height from. Where more than three points are on one circle, a [second lifting](SECOND) decides,
//! so there is one triangulation.
//!
//! Squares of the box, about as many as there are points, list the numbers of the triangles that
//! meet them. So a height is a look at a few triangles:
//!
//! ```text
//!   +----+----+----+
//!   |  . | \  |  . |     place -> square -> its triangles -> the one that contains the place
//!   +----+--\-+----+
//!   | .  |   .|    |
//!   +----+----+----+
//! ```

mod check;
#[cfg(feature = "alloc")]
mod circle;
#[cfg(feature = "alloc")]
mod delaunay;
mod place;
mod records;
#[cfg(feature = "alloc")]
mod squares;
mod view;

pub use check::Fault;
pub use records::{DetailHead, DetailPoint, Listed, MOST_POINTS, MOST_STEPS, SECOND, Triangle};
#[cfg(feature = "alloc")]
pub use squares::DetailsBuffer;
pub use view::{Detail, Details};
