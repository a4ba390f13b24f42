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
//! - [`Query::raycast`]: lines of sight, with the wall that ends them;
//! - [`Query::reachable`]: a compare of two islands;
//! - [`Query::path`]: paths, by the planner that the [`PathRequest`] names;
//! - [`Query::spline`], [`Query::round`], [`Follower`]: paths smoothed, rounded, followed.
//!
//! The API speaks y-up metres with the origin of the level included; inside, points lie on the level's integer grid (1/1024 m by default)
//! and every decision about sides, hits and corners is exact. The metric is length in the ground plane, XZ; heights tell storeys apart and
//! are reported. The agent is a point: its radius was taken off when the mesh was baked, so paths may touch walls and run along them.
//!
//! No query allocates, panics, or loops for ever on a mesh that passed [`Blob::validate`]. A [`Query`] is `Copy`, `Send` and `Sync`; give
//! each thread scratch of its own.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate libm for bare targets; `alloc` (part of
//! `std`) brings [`SearchBuffer`]. Both square roots are correctly rounded, so answers are the same everywhere.
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

mod finish;
mod locate;
mod math;
mod path;
mod query;
mod ray;
mod surface;

pub use finish::{Advice, FinishError, Finished, Follower, Rounding, Waypoint, spline_room};
pub use locate::Location;
pub use navbake_format::{Blob, BlobError, CheckedBlob, NavMeshView, PolyId};
#[cfg(feature = "alloc")]
pub use path::SearchBuffer;
pub use path::{Answer, PathRequest, Planner, Scratch, ScratchSize, Status};
pub use path::{Cone, FunnelNode, Node, Open, Step};
pub use query::Query;
pub use ray::{RayHit, Wall};
