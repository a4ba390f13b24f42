//! The bytes of a baked navmesh: how they are laid out, how they are read in place, and how they are checked.
//!
//! `docs/format.md` is the normative byte table; the modules follow it:
//!
//! - [`Header`]: magic, versions, checksum, hashes, grid, input transform;
//! - [`Section`] and the section table: one line a kind, in `section.rs`;
//! - [`Blob`]: [`Blob::open`] checks the header and the table in O(sections), [`Blob::verify_checksum`] every bit,
//!   [`Blob::validate`] the meaning of every record in O(bytes);
//! - [`CheckedBlob`]: what passed `validate`; it hands out one [`NavMeshView`] an agent class;
//! - [`NavMeshView`]: vertices, polygons, portals, islands and the [`SpatialIndex`], read in place;
//! - [`Area`], [`WeightRow`]: kinds of ground, and what walking on them costs;
//! - [`NavMeshView::leads`]: which polygons lead to which, for whom;
//! - [`Rooms`]: rooms and the doors between them;
//! - [`Labels`]: how far it is between corners of a mesh that paths turn at;
//! - [`Landmarks`]: how far it is to the vertices of a mesh from a few of them;
//! - [`GridMapView`]: the cells of a grid map, as bits;
//! - [`VehicleView`]: units that turn, and their tables;
//! - [`Findings`]: what the baker noticed about the level;
//! - [`fan`], [`relief`]: the height of a polygon, by its corners or by a [`Relief`];
//! - `write` (feature `write`): the encoder.
//!
//! The reading half needs no standard library and allocates nothing (the feature `alloc` adds what keeps decoded data). All numbers are little endian and of alignment 1, so a memory
//! map, `include_bytes!` and any odd offset are fine, on any machine.
//!
//! After [`Blob::validate`] no accessor of a view panics, loops for ever or reads out of bounds, whatever the bytes are.
//!
//! ```
//! # #[cfg(feature = "write")] {
//! # use navbake_format::write::{BlobParts, MeshParts, encode};
//! # let bytes = encode(&BlobParts {
//! #     meshes: &[MeshParts {
//! #         vertices: &[[0, 0, 0], [0, 0, 10], [10, 0, 0]], first_edge: &[0, 3], corners: &[0, 1, 2],
//! #         neighbours: &[u32::MAX; 3], islands: &[0], ..MeshParts::default()
//! #     }],
//! #     ..BlobParts::default()
//! # }).unwrap();
//! let blob = navbake_format::Blob::open(&bytes)?;
//! blob.verify_checksum()?;
//! let checked = blob.validate()?;
//! let mesh = checked.mesh(0).expect("the first agent class");
//! assert_eq!(mesh.polygon_count(), 1);
//! # }
//! # Ok::<(), navbake_format::BlobError>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod areas;
mod blob;
mod checksum;
mod districts;
mod edges;
mod error;
pub mod fan;
mod findings;
mod grid_map;
mod header;
mod index;
mod kinds;
mod labels;
mod landmarks;
mod mesh;
mod packed;
mod polygon;
mod reach;
mod records;
pub mod relief;
mod relief_of;
mod rooms;
mod section;
mod sources;
mod squares;
mod things;
mod tile_grounds;
mod validate;
mod vehicles;
#[cfg(feature = "write")]
pub mod write;

pub use areas::{Area, WeightRow, Weights};
pub use blob::{Agent, Blob, CheckedBlob, Marker, SectionInfo};
pub use error::{BlobError, Found};
pub use findings::{Findings, Noticed, NoticedKind};
pub use grid_map::{CellId, GridMapView};
pub use header::{Header, MAGIC, UpAxis, VERSION};
pub use index::{FANOUT, SpatialIndex};
pub use labels::{LabelNumbers, Labels, VIEW_KINDS};
pub use landmarks::{LANDMARKS, Landmarks};
pub use mesh::NavMeshView;
/// Exact predicates on grid points.
pub mod exact {
    pub use navbake_grid::{LIMIT, cross, direction, dot, is_right_of, orient};
}

pub use navbake_grid::{AreaId, EdgeId, Grid, IslandId, LinkKind, PolyId, RoomId, VertexId};
pub use polygon::Polygon;
pub use reach::Asker;
pub use relief::Relief;
pub use rooms::{Room, RoomDoor, Rooms};
pub use section::Section;
pub use sources::Source;
pub use squares::{SquareLabel, SquareView};
pub use things::{Closure, Door, Link, Switch};
pub use tile_grounds::{SHEET_GAP, Sheet, TileGroundView};
pub use vehicles::{TurnEdge, VehicleView};
