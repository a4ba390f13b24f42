//! From walkable layers to a navmesh of convex polygons.
//!
//! A tile's layer becomes a [`Patch`] ([`patch()`]: the border simplified, triangulated, merged to
//! large convex polygons, and a height mesh where corners do not tell the ground). Patches become
//! one mesh ([`join()`]), whose flat polygons are merged over seams ([`merge_polygons`]). The
//! triangles of a designer's floor are a patch as well: [`floor()`], [`join_triangles()`],
//! [`merge()`].
#![forbid(unsafe_code)]

mod areas;
mod box_pairs;
mod check;
mod convex;
mod dirty_regions;
mod faces;
mod fan;
mod floor;
mod gaps;
mod height_fit;
mod heights;
mod improve;
mod join;
mod junctions;
mod layer_heights;
mod lines;
mod merge;
mod overlaps;
mod patch;
mod place_map;
mod prune;
mod seams;
mod simplify;
mod slab;
mod slope_refinement;
mod snapped;
mod tin;
mod triangles;
mod types;
mod weld;

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
