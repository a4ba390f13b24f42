//! Paths for many units, a little work every tick.
//!
//! Requests wait in line. A few of them, each with scratch of its own, are searched at once and
//! share the budget of a tick evenly. A search that has begun runs until it is done, and then the
//! next one in line takes its lane. So every request is answered, however many others come after
//! it.
//!
//! ```text
//!    line:  [unit] [unit] [unit] ...
//!              |
//!              v
//!    lanes: [search] [search] [search]     each tick: budget / busy lanes
//!              |
//!              v
//!           answer -> unit, then the units that follow it
//! ```
//!
//! Units that follow another one have no search of their own. They get the leader's path, fitted to
//! their own position and an end of their own.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod cells;
mod entries;
mod mesh;
mod path_queue;
mod routes;
mod share;
mod space;

pub use cells::{Cells, CellsRequest};
pub use mesh::{Mesh, MeshRequest};
pub use path_queue::{PathQueue, Tick};
pub use routes::{Routes, RoutesQuery, RoutesRequest, RoutesSearch};
pub use share::{place_near_goal, shared};
pub use space::Space;
