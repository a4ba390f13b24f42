//! Paths from room to room: over doors first, then over the ground.
//!
//! The rooms of a mesh meet at doors, and the blob stores the distances within a room from door to
//! door. So a search first finds a route over doors (`plan`). Searches within the start's room
//! join the start to its doors, and the goal is joined likewise.
//!
//! ```text
//!   +---------+---------+---------+
//!   | start   d         d   goal  |     d: door
//!   |   *.....d.........d.....*   |
//!   |         d         d         |
//!   +---------+---------+---------+
//!      room      room      room
//! ```
//!
//! Rooms form cells, and these form larger cells. A cell that holds neither end is crossed from
//! border to border in one step, so that a far goal takes little more work than a near one
//! (customizable route planning; Delling, Goldberg, Pajor and Werneck, 2017). Such a crossing is
//! expanded again when it is needed (`refine`).
//!
//! - [`find_path`], [`RoomSearch`]: the whole path, the shortest within the rooms found and those
//!   that could make it shorter by more than a tenth.
//! - [`Walk`]: leg by leg as a unit moves, each to the next door, with the door beyond in view.
//! - [`RoomReach`]: which rooms reach each other while doors are closed.
//!
//! Links lead from room to room like doors, in one direction.
//!
//! Blocked ground makes distances longer, never shorter. A cell with blocked ground is expanded. In
//! a room with blocked ground, distances are measured again when they are needed.
//!
//! Features are those of [`navbake_search`].
//!
//! ```no_run
//! # fn game(bytes: &[u8]) -> Result<(), navbake_search::Error> {
//! use navbake_rooms::{RoomScratch, find_path};
//! use navbake_search::{NavMeshBuf, NavQuery, PathRequest};
//!
//! let nav = NavMeshBuf::open(bytes)?; // baked with rooms
//! let query = NavQuery::new(nav.mesh());
//! let mut scratch = RoomScratch::new();
//! let request = PathRequest::new([1.0, 0.0, 1.0], [80.0, 0.0, 50.0]);
//! let found = find_path(&query, &request, &mut scratch)?;
//! println!("{:?}, over rooms: {}", found.path.points, found.by_rooms);
//! # Ok(())
//! # }
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod aim;
mod bound;
mod cells;
mod exits;
mod leg;
mod links;
mod memory;
mod open;
mod plan;
mod reach;
mod refine;
mod scratch;
mod search;
mod set_out;
mod walk;
mod within;

pub use memory::Hop;
pub use reach::RoomReach;
#[cfg(feature = "alloc")]
pub use scratch::RoomScratch;
pub use scratch::{FixedRoomScratch, RoomMemory};
pub use search::{RoomPath, RoomSearch, find_path};
pub use walk::{Walk, WalkLeg};
pub use within::{distance_in_room, middle_of_door};

/// The name of the planner in the command and its JSON.
pub const NAME: &str = "hierarchical";
