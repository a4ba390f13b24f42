//! From walkable layers to a navmesh: constrained Delaunay triangles, stitched over the whole level, merged to convex polygons.
#![forbid(unsafe_code)]

mod types;

pub use types::{NavMesh, Piece, Triangulation};

/// Marks an edge with nothing beyond.
pub const NONE: u32 = u32::MAX;
