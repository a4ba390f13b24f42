//! What a navmesh is made of, above its polygons: islands of ground that hang together, rooms and the doors between them.
//!
//! [`islands`] numbers the islands, [`keep`] leaves some of them out; [`rooms()`] finds rooms and cuts polygons where their doors are, [`rooms_like`] puts them on
//! the ground of larger agents; [`districts()`] puts rooms together for long searches.
#![forbid(unsafe_code)]

mod districts;
mod islands;
mod keep;
mod rooms;

pub use districts::{District, Districts, NO_DISTRICT, districts};
pub use islands::{Islands, islands};
pub use keep::keep;
pub use rooms::{Door, Joints, RoomSettings, Rooms, Smallest, rooms, rooms_like};
