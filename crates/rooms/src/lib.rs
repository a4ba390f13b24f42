//! Hierarchical search: from room to room first, then over the ground.
//!
//! The rooms of a mesh meet at doors, and the blob stores the distances within a room from door to
//! door. So the search first finds a route over doors ([`plan`]). Searches within the start's room
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
//! expanded again when it is needed ([`refine`]).
//!
//! - [`whole`]: the whole path, the shortest within the rooms found and those that could make it
//!   shorter by more than a tenth.
//! - [`walk`]: leg by leg as a unit moves, each to the next door, with the door beyond in view.
//!
//! [Links](links) lead from room to room like doors, in one direction.
//!
//! Blocked ground makes distances longer, never shorter. A cell with blocked ground is expanded. In
//! a room with blocked ground, distances are measured again when they are needed.

mod aim;
mod bound;
mod cells;
mod confine;
mod exits;
mod leg;
mod links;
mod memory;
mod open;
mod plan;
mod refine;
mod set_out;
mod state;
mod walk;
mod whole;
mod within;

pub(super) use confine::Within;
#[cfg(feature = "alloc")]
pub(crate) use memory::DoorsVectors;
pub use memory::Hop;
pub(crate) use memory::{Doors, DoorsArrays};
pub(super) use state::State;
pub use walk::{Walk, WalkLeg};
