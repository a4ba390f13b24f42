//! Integer grid coordinates, exact predicates, polygon sets and triangulation: the only crate of navbake that names
//! spade and geo.
//!
//! Everything geometric in a bake happens on a [`Grid`] of whole numbers, so that no tolerance decides topology.
//! Orientation is as seen from above: [`orient`] is positive for counter-clockwise, which is an upward normal.
#![forbid(unsafe_code)]

mod cut;
mod delaunay;
mod digits;
mod ears;
mod triangulate;

pub use cut::{cut_polygon, fan, is_strictly_convex};
pub use delaunay::{Delaunay, NO_EDGE, NO_TRIANGLE};
pub use digits::sort_by_digits;
pub use navbake_grid::{
    Grid, LIMIT, Point, Point3, Whole, in_circle, on_segment, orient, ring_area,
};
pub use triangulate::{TriangulateError, triangulate};
