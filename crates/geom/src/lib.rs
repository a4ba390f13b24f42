//! Triangulation, cutting of polygons, and spatial indexes on the integer grid.
//!
//! This is the only crate of navbake that names spade and earcut. Everything geometric in a bake
//! happens on a [`Grid`] of whole numbers, so no tolerance decides topology. Orientation is as seen
//! from above: [`orient`] is positive for counter-clockwise, which is an upward normal. Grid,
//! points and predicates are those of `navbake-grid`.
//!
//! | need | use |
//! |---|---|
//! | triangles between rings | [`triangulate`], [`Delaunay`] to add points later |
//! | boxes in space, many searches | [`Bvh`] |
//! | a small set of boxes, filled often | [`BoxBins`] |
//! | pairs of boxes that touch | [`touching_pairs`] |
//! | rings that do not cross | [`noded`] |
//! | boxes in the plane by place | [`SquareGrid`] |
//! | connected components | [`UnionFind`] |
//! | sorting of numbers | [`sort_by_digits`], [`sort_by_parts`] |
#![forbid(unsafe_code)]

mod box_bins;
mod box_pairs;
mod bvh;
mod cut;
mod delaunay;
mod digits;
mod ears;
mod noding;
mod packed_box;
mod square_grid;
mod triangulate;
mod union_find;

pub use box_bins::BoxBins;
pub use box_pairs::touching_pairs;
pub use bvh::{Bvh, morton_order};
pub use cut::{cut_polygon, fan, is_strictly_convex};
pub use delaunay::{Delaunay, NO_EDGE, NO_TRIANGLE};
pub use digits::{sort_by_digits, sort_by_parts};
pub use navbake_grid::{
    Grid, LIMIT, Point, Point3, Whole, along, convex_corner, cross, direction, dot, in_circle,
    on_segment, orient, ring_area,
};
pub use noding::{MarkedRing, noded};
pub use packed_box::{BoxBounds, BoxFrame, PackedBox};
pub use square_grid::{Box2, SquareGrid, box_around};
pub use triangulate::{TriangulateError, triangulate};
pub use union_find::UnionFind;
