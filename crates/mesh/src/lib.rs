//! From walkable layers to a navmesh of convex polygons.
//!
//! ```text
//!   layer of a tile                          a designer's floor
//!     | simplify     fewer corners             | floor      weld, bend T-junctions
//!     | triangulate  constrained Delaunay      | of_triangles
//!     | merge        convex polygons           |
//!     | height_fit   height meshes             |
//!     v                                        v
//!   Patch   Patch   Patch ..                 Patch
//!      \      |      /                          |
//!       join: portals over seams             join_triangles
//!             |                                |
//!       merge_polygons                       merge
//!             v                                v
//!                         PolygonMesh
//! ```
//!
//! A tile's layer becomes a [`Patch`] by [`patch()`], or by [`patch_by_area`] and
//! [`patch_by_cells`] where ground has several areas. [`join()`] makes one mesh of patches, and
//! [`merge_polygons`] merges flat polygons over seams. A designer's floor is a patch of triangles
//! ([`floor()`]): [`join_triangles()`] joins it likewise, and [`merge()`] merges it.
//!
//! Everything that decides topology is exact, in whole grid units. Vertices and polygons are sorted
//! by place, so the result depends neither on the order of patches nor on threads.
#![forbid(unsafe_code)]

mod areas;
mod cell_heights;
mod check;
mod connect;
mod convex;
mod dirty_regions;
mod faces;
mod fan;
mod floor;
mod found;
mod gaps;
mod given;
mod height_fit;
mod improve;
mod join;
mod junctions;
mod layer_heights;
mod merge;
mod open_edges;
mod overlaps;
mod patch;
mod place_map;
mod prune;
mod seams;
mod simplify;
mod slab;
mod slope_refinement;
mod snapped;
mod steps;
mod tin;
mod triangles;
mod types;
mod wall_cuts;
mod weld;

pub use areas::{AreaMap, Bands, CellAreas, areas_of_floor, patch_by_area, patch_by_cells};
pub use check::Fault;
pub use floor::{FloorSettings, floor, floor_gaps};
pub use given::{GivenPolygon, Rounded, given};
pub use join::{JoinSettings, join};
pub use merge::{merge, merge_in_chunks, merge_polygons, round_heights};
pub use patch::{PatchError, PatchSettings, patch};
pub use triangles::join_triangles;
pub use types::{HeightMesh, MergeSettings, NONE, Patch, PolygonMesh};
