//! Islands, rooms and doors, and districts of rooms: the levels above a navmesh's polygons.
//!
//! [`islands`] numbers the islands, [`keep`] leaves some of them out; [`rooms()`] finds rooms and
//! cuts polygons at their doors; [`rooms_like`] transfers the rooms of the smallest agent to larger
//! ones; [`districts()`] groups rooms for long searches.
#![forbid(unsafe_code)]

mod districts;
mod islands;
mod keep;
mod rooms;

pub use districts::{District, Districts, NO_DISTRICT, districts};
pub use islands::{Islands, islands};
pub use keep::keep;
pub use rooms::{Door, Joints, RoomSettings, Rooms, Smallest, rooms, rooms_like};
