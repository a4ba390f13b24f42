//! From walkable layers to a navmesh of convex polygons.
//!
//! A tile's layer becomes a [`Patch`] ([`patch()`]: the border simplified, triangulated, merged to large convex polygons, and a relief where
//! corners do not tell the ground). Patches become one mesh ([`join()`]), whose flat polygons are merged over seams ([`merge_polygons`]). The
//! triangles of a designer's floor are a patch as well: [`floor()`], [`join_triangles()`], [`merge()`].
#![forbid(unsafe_code)]

mod areas;
mod check;
mod faces;
mod fan;
mod fit;
mod floor;
mod gaps;
mod heights;
mod hills;
mod improve;
mod join;
mod junctions;
mod layer_heights;
mod lines;
mod merge;
mod near;
mod overlaps;
mod patch;
mod seams;
mod seen;
mod simplify;
mod slab;
mod stamps;
mod thin_out;
mod tin;
mod told;
mod triangles;
mod types;
mod weld;
mod whole;

pub use areas::{AreaMap, Bands, CellAreas, areas_of_floor, patch_by_area, patch_by_cells};
pub use check::Fault;
pub use floor::{FloorSettings, floor, floor_gaps};
pub use join::{JoinSettings, join};
pub use merge::{MergeSettings, merge, merge_polygons, round_heights};
pub use patch::{PatchError, PatchSettings, patch};
pub use triangles::join_triangles;
pub use types::{NavMesh, Patch, Relief};

/// Marks an edge with nothing beyond.
pub const NONE: u32 = u32::MAX;
