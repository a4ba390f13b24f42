//! Paths for vehicles, animals and ships: arcs of a least radius and straight lines.
//!
//! The search runs over a lattice: states of tile, heading and gear, joined by curves that were
//! found, with the tiles that they sweep, when the tables were built. A [`Vehicle`] is made of a
//! blob's tables once, a [`Ground`] of its grid map or of the tiles of a navmesh. A
//! [`TurningQuery`] on both answers a [`TurningRequest`] with arcs and lines. Tiles may be blocked
//! and freed between queries: [`Ground::set_blocked`].
//!
//! ```
//! # use navbake_format::write::{BlobParts, GridMapParts, MeshParts, encode};
//! # use navbake_vehicle::Footprint;
//! # use navbake_vehicle::build::{Packed, VehicleSpec, build};
//! # let spec = VehicleSpec { rings: 1, ..VehicleSpec::new(1.0, Footprint::disc(0.4)) };
//! # let packed = Packed::new(build(&spec).unwrap(), "truck", 1.0);
//! # let bytes = encode(&BlobParts {
//! #     meshes: &[MeshParts { first_edge: &[0], ..Default::default() }],
//! #     grid_map: Some(GridMapParts {
//! #         shape: navbake_format::CellShape::Square, width: 12, height: 9, cell: 1.0,
//! #         corner: [0.0; 3], free: &[true; 108], terrain: &[], factors: &[],
//! #     }),
//! #     vehicles: &[packed.parts()],
//! #     ..Default::default()
//! # }).unwrap();
//! use navbake_format::Blob;
//! use navbake_vehicle::*;
//!
//! let blob = Blob::open_checked(&bytes)?; // a grid map, baked with a vehicle
//! let tables = blob.vehicle("truck").expect("baked with it");
//! let mut memory = VehicleBuffer::new(&tables);
//! let vehicle = memory.vehicle(tables).expect("memory of its own size");
//!
//! let map = blob.grid_map().expect("baked from a grid map");
//! let mut bits = vec![0; Ground::words(&map)];
//! let mut ground = Ground::new(&map, &mut bits).expect("enough words");
//! ground.set_blocked([6, 4], true); // a parked car
//!
//! let size = TurningScratchSize::with_nodes(&vehicle, &ground, 10_000);
//! let mut buffer = TurningBuffer::new(size); // once; searches allocate nothing
//! let query = TurningQuery::new(&vehicle, &ground).expect("tiles of the same size");
//! // From the centre of tile (1, 4), looking along x, to that of (10, 4), looking any direction.
//! let request = TurningRequest::new([1.5, 0.0, 4.5], 0.0, [10.5, 0.0, 4.5], None);
//! let mut scratch = buffer.scratch();
//! let path = query.path(&request, &mut scratch);
//! assert_eq!(path.status, TurningStatus::Reached);
//! assert!(path.length > 9.0 && path.pieces.len() > 1);
//! # Ok::<(), navbake_format::BlobError>(())
//! ```
//!
//! Curves, shared by the search and the builder of the tables, so that both agree:
//!
//! - [`Pose`], [`Segment`], [`Curve`]: where a vehicle is, and how it moves on;
//! - [`Between`], [`Word`] (`dubins`), `point`: the curves between two poses, and to a point;
//! - [`Footprint`], [`touches`], [`is_hit`] (`sweep`): the area a vehicle covers, and the tiles it
//!   touches;
//! - [`Symmetry`]: images of an edge on the lattice; `trig`: the same sines on every machine.
//!
//! The search:
//!
//! - `tables`, `ground`, `layers`: a vehicle's moves, blocked tiles, tiles of navmeshes;
//!   `obstacles` finds the tiles that obstacles take;
//! - `query`, `request`: requests, answers, and the memory for them;
//! - `search`, `expand`, `ends`, `connect`: A*, its moves, and free curves at both ends;
//! - `obstacle`, `flood_steps`: the obstacle heuristic; `backward`: backward reachability;
//! - `bucket_queue`: the open list; `pieces`, `smooth`: the path written, and made shorter;
//! - `speeds`: speed classes, and the speeds along a path;
//! - `ground_filter`, `filter`, `shares`: terrain weights, closed ground and links, and the cost of
//!   a curve by them.
//!
//! On top of it: `roads` (tiles that units keep to), `along` (polylines turned into paths) and
//! `headings` (paths for units drawn in 8 or 16 directions).
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate
//! libm on bare targets; `alloc` (part of `std`) brings [`VehicleBuffer`] and [`TurningBuffer`];
//! `build` brings the module `build`, which makes the tables.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-vehicle needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod along;
mod backward;
mod bucket_queue;
#[cfg(feature = "build")]
pub mod build;
mod connect;
mod curve;
mod dubins;
mod ends;
mod expand;
mod filter;
#[cfg_attr(not(feature = "build"), allow(unreachable_pub))]
mod flood_steps;
mod footprint;
mod ground;
#[cfg(feature = "alloc")]
mod ground_filter;
mod headings;
mod lattice;
mod layers;
mod obstacle;
#[cfg(feature = "alloc")]
mod obstacles;
mod pieces;
mod point;
mod query;
mod request;
mod roads;
mod search;
mod shares;
mod smooth;
mod speeds;
mod sweep;
mod symmetry;
mod tables;
mod trig;

pub use along::{AlongAnswer, AlongStatus};
pub use bucket_queue::{QueueEntry, QueueScratch};
pub use curve::{Curve, MOST_SEGMENTS, Pose, Segment};
pub use dubins::{Between, Word};
pub use footprint::{Footprint, MOST_CORNERS};
pub use ground::Ground;
#[cfg(feature = "alloc")]
pub use ground_filter::GroundFilter;
pub use headings::{HeadingError, HeadingSegment, MOST_HALVINGS};
pub use navbake_format::VehicleRules;
pub use navbake_navmesh::{Obstacle, ObstacleError};
pub use query::TurningQuery;
#[cfg(feature = "alloc")]
pub use request::TurningBuffer;
pub use request::{
    BackwardScratch, Exit, ObstacleScratch, TurningNode, TurningPiece, TurningScratch,
    TurningScratchSize,
};
pub use request::{TurningAnswer, TurningRequest, TurningStatus};
pub use roads::{RoadRules, Roads};
pub use search::TurningSearch;
pub use sweep::{CONTACT, is_hit, is_pose_hit, near_tiles, touches};
pub use symmetry::Symmetry;
#[cfg(feature = "alloc")]
pub use tables::VehicleBuffer;
pub use tables::{Move, Vehicle, VehicleSize};
pub use trig::{PI, TURN, acos, atan2, sin_cos, wrapped};
