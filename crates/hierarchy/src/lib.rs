//! What a navmesh is made of, above its polygons: islands of ground that hang together, rooms and the doors between them.
//!
//! [`islands`] numbers the islands, [`keep`] leaves some of them out; [`rooms()`] finds rooms and cuts polygons where their doors are, [`rooms_like`] puts them on
//! the ground of larger agents; [`districts()`] puts rooms together for long searches.
#![forbid(unsafe_code)]

mod class_rooms;
mod districts;
mod door_distances;
mod islands;
mod keep;
mod link_distances;
mod points;
mod room_names;
mod rooms;
mod union_find;

pub use class_rooms::{ClassMesh, ClassRoomSettings, ClassRooms, class_rooms};
pub use districts::{District, Districts, NO_DISTRICT, districts};
pub use door_distances::{DoorDistances, door_distances};
pub use islands::{Islands, islands};
pub use keep::keep;
pub use link_distances::link_distances;
pub use points::polygons_under;
pub use room_names::{NamedDoor, NamedRoom};
pub use rooms::{Door, Joints, RoomSettings, Rooms, Smallest, rooms, rooms_like};
