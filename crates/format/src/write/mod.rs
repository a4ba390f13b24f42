//! The encoder: makes the bytes of a blob from plain slices.
//!
//! The same parts give the same bytes, whatever the order of polygons and vertices.

mod assemble;
mod boxes;
mod edges;
mod encoder;
mod error;
mod height_mesh;
mod mesh;
mod mesh_parts;
mod order;
mod parts;
mod stored;
mod vertices;

pub(crate) use assemble::{mesh_hash_of_drafts, replaced};
pub(crate) use error::count;
pub(crate) use mesh_parts::Places;
pub(crate) use stored::{Stored, renumber};

pub use crate::sections::agents::{Agent as AgentParts, Marker as MarkerParts};
pub use crate::sections::areas::{Area as AreaParts, WeightParts};
pub use crate::sections::clusters::{ClusterParts, PlanParts};
pub use crate::sections::findings::FindingsParts;
pub use crate::sections::grid_map::GridMapParts;
pub use crate::sections::labels::encode::{
    LabelParts, SquareParts, ViewCells, labels_bytes, replace_labels, squares_bytes,
    view_cells_bytes, views_bytes,
};
pub use crate::sections::landmarks::{LandmarkParts, landmarks_bytes, replace_landmarks};
pub use crate::sections::networks::NetworkParts;
pub use crate::sections::sources::{ClassSources, SourcePart};
pub use crate::sections::switches::Switch as SwitchParts;
pub use crate::sections::tile_grounds::{SheetParts, TileGroundParts};
pub use crate::sections::vehicles::VehicleParts;
pub use encoder::{Encoder, encode};
pub use error::EncodeError;
pub use height_mesh::HeightMeshParts;
pub use mesh_parts::{
    ClosureParts, DoorParts, FarLinkParts, LinkParts, MeshParts, RoomDoorParts, RoomParts,
    RoomsParts,
};
pub use parts::{BlobParts, OtherSection};

/// The bytes of records, for an [`OtherSection`].
pub fn record_bytes<R: navbake_navmesh::record::Record>(records: &[R]) -> alloc::vec::Vec<u8> {
    crate::decode::bytes_of(records)
}
