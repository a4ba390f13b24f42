//! Queries on a baked navmesh, read in place from the bytes of a blob.
//!
//! Open a blob, check it, and make a [`Query`] on the navmesh of an agent:
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
//! let nav = blob.decode_for("default").expect("baked for this agent"); // once, for all threads
//! let query = Query::new(nav.mesh());
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
//! # Map of the crate
//!
//! For readers who know Detour: the [`NavMesh`] is a read-only view of the blob's bytes, as
//! `dtNavMesh` is of its tiles. A [`Query`] does the work of `dtNavMeshQuery` and `dtQueryFilter`.
//! It is a small value, and all working memory (scratch) comes from the caller.
//!
//! [`Planner::Corridor`], the default, works like `findPath` and `findStraightPath`: A* over
//! polygons, then the funnel. The other planners find paths through the middles of portals, the
//! shortest path, the cheapest path over weighted ground, or a path from room to room.
//!
//! | Detour | here |
//! |---|---|
//! | `dtPolyRef` | [`PolyId`] |
//! | node pool | [`SearchBuffer`], [`FloodBuffer`] |
//! | `findNearestPoly` | [`Query::nearest`], [`Query::locate`] |
//! | `getPolyHeight` | [`Query::on_polygon`], [`Query::height`] |
//! | `raycast` | [`Query::raycast`] |
//! | `moveAlongSurface` | [`Query::move_along`] |
//! | `findDistanceToWall` | [`Query::wall_distance`] |
//! | `findPolysAroundCircle`, `findPolysAroundShape` | [`Query::around`] |
//! | `findRandomPoint` | [`Query::random_place`] |
//! | `findRandomPointAroundCircle` | [`Query::random_within`] |
//! | `findPath` and `findStraightPath` | [`Query::path`] |
//! | `initSlicedFindPath` | [`Query::begin`] |
//! | area costs of `dtQueryFilter` | [`Query::with_costs`] |
//! | off-mesh connections | [`Link`] |
//!
//! - [`Query::locate`], [`Query::nearest`]: from points to [`Location`]s.
//! - [`Query::raycast`], [`Query::sees`]: lines of sight, and the wall that ends them.
//! - [`Query::move_along`]: motion that slides along walls.
//! - [`Query::wall_distance`], [`Query::around`]: the nearest wall, and the polygons in a circle,
//!   in a convex shape or within a path distance.
//! - [`standing`], [`Query::fits`], [`Query::path_clearance`]: which agents fit at a place, and the
//!   clearance along a path.
//! - [`Query::random_place`] and its variants: random places, uniform by area.
//! - [`Query::connected`], [`Query::reachable`]: is there a path at all? A few table look-ups.
//! - [`Rooms`]: rooms and their doors, where the blob has them. [`Query::room_reach`]: which rooms
//!   reach each other with the doors that are closed now.
//! - [`Query::path`], [`Query::path_to_any`]: paths, by the planner that the [`PathRequest`] names.
//! - [`Query::begin`]: the same in steps, as a [`Search`]. `PathQueue`: paths for many units, a few
//!   steps every tick.
//! - [`Query::path_places`]: the points of a path as places, for code that works on a path.
//!
//! # Units and precision
//!
//! The API uses y-up metres that include the origin of the level. Inside, points are on the level's
//! integer grid (1/1024 m by default), and every decision about sides, hits and corners is exact.
//! Lengths are measured in the ground plane, XZ. Heights separate storeys and are reported. The
//! agent is a point: the baker has already subtracted its radius from the mesh, so paths may touch
//! walls and run along them.
//!
//! # Guarantees
//!
//! No query allocates, panics, or loops forever on a mesh that passed [`Blob::validate`]. A
//! [`Query`] is `Copy`, `Send` and `Sync`. Give each thread its own scratch.
//!
//! # Features
//!
//! - `std` (default) takes square roots from the standard library, `libm` from the crate libm for
//!   bare targets. Both are correctly rounded, so answers are the same everywhere.
//! - `alloc` (part of `std`) adds [`SearchBuffer`]. It also holds the polygon data that optimal
//!   paths need and that make other planners faster: 28 bytes per edge, at most 200 per polygon.
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
#[cfg(feature = "alloc")]
pub use clearance::standing;
#[cfg(feature = "alloc")]
pub use closings::ClosingsBuffer;
pub use closings::{Closings, ClosingsMemory};
pub use costs::{AreaCosts, Slopes};
#[cfg(feature = "alloc")]
pub use flood::FloodBuffer;
pub use flood::{FloodScratch, Reached};
pub use locate::{Location, PolyPoint};
pub use motion::{Motion, MoveLog, MoveRequest};
#[cfg(feature = "alloc")]
pub use navbake_format::NavMeshBuf;
pub use navbake_format::{AreaId, Link, LinkKind};
pub use navbake_format::{Blob, BlobError, CheckedBlob, EdgeId, IslandId, NavMesh, PolyId};
pub use navbake_format::{Room, RoomDoor, RoomId, Rooms};
pub use path::{
    Ahead, Answer, Course, Heuristic, Order, PathRequest, Planner, Search, Seen, Status, Visit,
};
pub use path::{Cheap, Leg, Legs};
pub use path::{Cone, Open, Root, Sight};
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
