//! Islands, rooms and doors, and clusters of rooms: the levels above a navmesh's polygons.
//!
//! [`islands`] numbers the islands, [`keep`] leaves some of them out; [`rooms()`] finds rooms and
//! cuts polygons at their doors; [`canonical_rooms`] transfers the rooms of the smallest agent to
//! larger ones; [`clusters()`] groups rooms for long searches.
#![forbid(unsafe_code)]

mod class_rooms;
mod clusters;
mod door_distances;
mod islands;
mod keep;
mod link_distances;
mod parts;
mod points;
mod room_names;
mod room_split;
mod rooms;

pub use class_rooms::{ClassMesh, ClassRoomSettings, ClassRooms, class_rooms};
pub use clusters::{Cluster, Clusters, NO_CLUSTER, clusters};
pub use door_distances::{DoorDistances, door_distances};
pub use islands::{Islands, islands};
pub use keep::{keep, part};
pub use link_distances::link_distances;
pub use parts::ClassParts;
pub use points::polygons_under;
pub use room_names::{NamedDoor, NamedRoom};
pub use room_split::RoomSplit;
pub use rooms::{Door, Joints, ReferenceRooms, RoomSettings, Rooms, canonical_rooms, rooms};
