//! From room to room first, then over the ground.
//!
//! The rooms of a mesh meet at doors, and the blob says how far it is within a room from door to door. So a way is found among doors first ([`plan`]), from the
//! start, joined to the doors of its room by searches within it, to the goal, joined likewise. Rooms are put together to districts, these to larger ones; what
//! holds neither end is crossed from border to border at once, so that a far goal takes little more work than a near one (customizable route planning; Delling,
//! Goldberg, Pajor and Werneck, 2017). What is crossed at once is taken apart again when it is needed ([`refine`]).
//!
//! - [`whole`]: the whole path, the shortest within the rooms found and those that could make it shorter by more than a tenth.
//! - [`walk`]: piece by piece as a unit goes, each to the next door, looking on to the one beyond.
//!
//! [Links](links) are ways from room to room like doors, in one direction.
//!
//! What is closed makes ways longer, never shorter. A district in which something is closed is taken apart, and in a room in which something is closed ways are
//! measured anew when they come up.

mod aim;
mod bound;
mod cells;
mod exits;
mod leg;
mod links;
mod memory;
mod open;
mod plan;
mod refine;
mod set_out;
mod walk;
mod whole;
mod within;

#[cfg(feature = "alloc")]
pub(super) use memory::DoorsBuffer;
pub use memory::{DoorLabel, DoorOpen, Doors, Hop};
pub use walk::{Walk, WalkLeg};
pub(super) use whole::State;
pub(super) use within::Within;
