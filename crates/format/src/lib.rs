//! The bytes of a baked navmesh: their layout, views that read them in place, and their validation.
//!
//! `docs/format.md` is the normative byte table; the modules follow it:
//!
//! - [`Header`]: magic, versions, checksum, hashes, grid, input transform;
//! - [`Section`]: the kinds of sections, one row each, in `sections/mod.rs`;
//! - [`Blob`]: [`Blob::open`] checks the header and the section table in O(sections),
//!   [`Blob::verify_checksum`] checks every bit, and [`Blob::validate`] the meaning of every record
//!   in O(bytes);
//! - [`CheckedBlob`]: a validated blob;
//! - [`NavMesh`]: the mesh of an agent class as searches read it, either in place from an unpacked
//!   file or from a decoded [`NavMeshBuf`];
//! - `sections`: everything else, one file per concept with records, view, check and encoder, for
//!   example [`Area`], [`Rooms`], [`Labels`], [`Landmarks`], [`GridMapView`], [`VehicleView`],
//!   [`Findings`];
//! - [`Detail`]: the height of a polygon's surface, from height triangles;
//! - `write` (feature `write`): the encoder.
//!
//! The reading half needs no standard library and does not allocate; the feature `alloc` adds the
//! types that own decoded data. All numbers are little endian and of alignment 1, so a memory map,
//! `include_bytes!` and any odd offset are fine, on any machine.
//!
//! After [`Blob::validate`] no accessor of a view panics, loops for ever or reads out of bounds,
//! whatever the bytes are.
//!
//! ```
//! # #[cfg(feature = "write")] {
//! # use navbake_format::write::{BlobParts, MeshParts, encode};
//! # let bytes = encode(&BlobParts {
//! #     meshes: &[MeshParts {
//! #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]],
//! #         first_edge: &[0, 3], corners: &[0, 1, 2],
//! #         neighbours: &[u32::MAX; 3], islands: &[0], ..MeshParts::default()
//! #     }],
//! #     ..BlobParts::default()
//! # }).unwrap();
//! let blob = navbake_format::Blob::open(&bytes)?;
//! blob.verify_checksum()?;
//! let checked = blob.validate()?;
//! let buffer = checked.decode(0)?;
//! assert_eq!(buffer.mesh().polygon_count(), 1);
//! # }
//! # Ok::<(), navbake_format::BlobError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod blob;
mod changed;
mod checksum;
#[cfg(feature = "alloc")]
mod decode;
#[cfg(feature = "alloc")]
mod draft;
mod edges;
mod error;
mod header;
mod height_mesh;
mod height_mesh_of;
#[cfg(feature = "alloc")]
mod held;
mod index;
mod layout;
mod mesh;
mod numbers;
mod open;
mod packed;
mod packed_mesh;
mod packed_polygon;
mod place;
mod polygon;
mod records;
mod room_links;
mod rows;
mod section;
mod sections;
mod strings;
mod table;
mod validate;
#[cfg(feature = "write")]
pub mod write;

/// Exact predicates on grid points.
pub mod exact {
    pub use navbake_grid::{LIMIT, cross, direction, dot, is_right_of, orient};
}

pub use blob::{Blob, CheckedBlob, SectionInfo};
#[doc(hidden)]
pub use changed::{Beyond, ChunkGround, Exit};
#[doc(hidden)]
pub use checksum::crc32c;
#[cfg(feature = "alloc")]
pub use decode::NavMeshBuf;
pub use error::{BlobError, Value};
pub use header::{Header, MAGIC, UpAxis, VERSION};
#[doc(hidden)]
pub use index::IndexPart;
pub use index::{FANOUT, SpatialIndex};
pub use mesh::NavMesh;
pub use navbake_grid::{
    AreaId, CellShape, EdgeId, Grid, IslandId, LinkKind, PolyId, RoomId, VertexId,
};
pub use navbake_navmesh::detail::{self, Detail, MOST_STEPS};
pub use navbake_navmesh::record::Records;
pub use navbake_navmesh::{Border, Edge, PolyMesh, fan};
pub use numbers::Numbers;
pub use polygon::Polygon;
#[doc(hidden)]
pub use records::BoxRecord;
pub use room_links::RoomLinks;
pub use section::Section;
pub use sections::*;
