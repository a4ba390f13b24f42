//! What a game asks of a baked navmesh, answered in place on the bytes.
//!
//! Open a blob, check it, and put a [`Query`] on the navmesh of an agent:
//!
//! ```
//! # let bytes = navbake_format::write::encode(&navbake_format::write::BlobParts {
//! #     agents: &[navbake_format::write::AgentParts { name: "default", class: 0, radius: 0.6, height: 2.0, climb: 0.9, slope: 45.0 }],
//! #     meshes: &[navbake_format::write::MeshParts {
//! #         vertices: &[[0, 0, 0], [0, 0, 9216], [9216, 0, 9216], [9216, 0, 0]], first_edge: &[0, 4], corners: &[0, 1, 2, 3],
//! #         neighbours: &[u32::MAX; 4], islands: &[0], ..Default::default()
//! #     }],
//! #     ..Default::default()
//! # }).unwrap();
//! use navbake_search::{Blob, PathRequest, Query, SearchBuffer, Status};
//!
//! let blob = Blob::open_checked(&bytes)?; // bytes: a file, a memory map, include_bytes!
//! let query = Query::new(blob.mesh_for("default").expect("baked for this agent"));
//! let mut buffer = SearchBuffer::new(query.mesh()); // once; queries allocate nothing
//!
//! let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]); // y-up metres
//! let answer = query.path(&request, &mut buffer);
//! assert_eq!(answer.status, Status::Reached);
//! for [x, y, z] in answer.points {
//!     println!("{x} {y} {z}");
//! }
//! # Ok::<(), navbake_search::BlobError>(())
//! ```
//!
//! - [`Query::locate`], [`Query::nearest`]: points to [`Location`]s;
//! - [`Query::raycast`], [`Query::sees`]: lines of sight, with the wall that ends them;
//! - [`Query::move_along`]: motion that slides along walls;
//! - [`Query::wall_distance`], [`Query::around`]: the nearest wall, and the polygons in a circle, a shape or within a walk;
//! - [`standing`], [`Query::fits`], [`Query::path_clearance`]: who fits where, and how much room there is along a path;
//! - [`Query::random_place`] and its kin: random places, even by area;
//! - [`Query::connected`], [`Query::reachable`]: is there a way at all? A few looks into tables;
//! - [`Rooms`]: rooms and their doors, where they were baked; [`Query::room_reach`]: which come to each other with what is closed;
//! - [`Query::path`], [`Query::path_to_any`]: paths, by the planner that the [`PathRequest`] names;
//! - [`Query::begin`]: the same in steps, as a [`Search`]; `PathQueue`: for many units, a little every tick.
//! - [`Query::path_places`]: the points of a path as places, for what goes on from a path.
//!
//! The API speaks y-up metres with the origin of the level included; inside, points lie on the level's integer grid (1/1024 m by default)
//! and every decision about sides, hits and corners is exact. The metric is length in the ground plane, XZ; heights tell storeys apart and
//! are reported. The agent is a point: its radius was taken off when the mesh was baked, so paths may touch walls and run along them.
//!
//! No query allocates, panics, or loops for ever on a mesh that passed [`Blob::validate`]. A [`Query`] is `Copy`, `Send` and `Sync`; give
//! each thread scratch of its own.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate libm for bare targets; `alloc` (part of
//! `std`) brings [`SearchBuffer`], and with it the chart that optimal paths need and others are faster with (28 bytes an edge, at most 200 a polygon). Both square roots are
//! correctly rounded, so answers are the same everywhere.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-search needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod around;
mod beside;
mod clearance;
mod closings;
mod connected;
mod costs;
mod flood;
mod links;
mod locate;
mod motion;
mod path;
mod path_places;
mod query;
mod random;
mod ray;
mod rooms;
mod surface;
mod wall_distance;

use navbake_navmesh::math;

pub use around::{Around, Convex, Shape};
pub use clearance::standing;
#[cfg(feature = "alloc")]
pub use closings::ClosingsBuffer;
pub use closings::{Closings, ClosingsMemory};
pub use costs::{AreaCosts, Slopes};
#[cfg(feature = "alloc")]
pub use flood::FloodBuffer;
pub use flood::{FloodScratch, Reached};
pub use locate::{Location, Spot};
pub use motion::{Motion, MoveLog, MoveRequest};
pub use navbake_format::{AreaId, Link, LinkKind};
pub use navbake_format::{Blob, BlobError, CheckedBlob, EdgeId, IslandId, NavMeshView, PolyId};
pub use navbake_format::{Room, RoomDoor, RoomId, Rooms};
pub use path::{
    Ahead, Answer, Course, Heuristic, Order, PathRequest, Planner, Search, Seen, Status, Visit,
};
pub use path::{Chart, ChartEdge, ChartPolygon, Cone, Open, Root, Sight};
pub use path::{Cheap, Leg, Legs};
#[cfg(feature = "alloc")]
pub use path::{CornerLook, Corners, Places, View};
pub use path::{Crossing, Piece, Pieces, Tables};
pub use path::{DoorLabel, DoorOpen, Doors, Hop, Walk, WalkLeg};
pub use path::{FunnelNode, Goal, Lender, Node, Scratch, ScratchSize, Step};
#[cfg(feature = "alloc")]
pub use path::{PathQueue, SearchBuffer, Tick};
pub use path_places::{NotAPath, PathPlaces};
pub use query::Query;
pub use random::{Areas, Random};
pub use ray::{RayHit, Wall};
pub use rooms::RoomReach;
pub use wall_distance::{NearestWall, WallDistance};
