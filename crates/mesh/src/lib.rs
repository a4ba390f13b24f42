//! From walkable layers to a navmesh: constrained Delaunay triangles, stitched over the whole level, merged to convex polygons.
#![forbid(unsafe_code)]

mod assemble;
mod check;
mod faces;
mod fan;
mod floor;
mod gaps;
mod heights;
mod junctions;
mod lines;
mod merge;
mod near;
mod overlaps;
mod piece;
mod refine;
mod simplify;
mod slab;
mod stitch;
mod thin_out;
mod types;
mod weld;

pub use check::Fault;
pub use floor::{FloorSettings, floor, floor_gaps};
pub use merge::{MergeSettings, merge};
pub use piece::{PieceError, PieceSettings, piece};
pub use stitch::{StitchSettings, stitch};
pub use types::{NavMesh, Piece, Triangulation};

/// Marks an edge with nothing beyond.
pub const NONE: u32 = u32::MAX;
