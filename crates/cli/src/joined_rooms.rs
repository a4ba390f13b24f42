//! Rooms and doors of a world in chunks as the encoder takes them.

use navbake_format::write::{RoomDoorParts, RoomParts, RoomsParts};
use navbake_format::{NavMesh, PolyId, RoomDoor, RoomId};

/// In place of a room or a door of the smallest class.
const NONE: u32 = u32::MAX;

/// The rooms and doors of a class.
pub(crate) struct GroundRooms<'w> {
    /// The room of each polygon.
    of: Vec<u32>,
    rooms: Vec<RoomParts<'w>>,
    /// With the edges of their portals.
    doors: Vec<(RoomDoor<'w>, Vec<u32>)>,
    wider: Vec<Vec<u32>>,
    like: Option<[Vec<u32>; 2]>,
}

impl<'w> GroundRooms<'w> {
    /// The rooms on all chunks; `None` without rooms, and where chunks are missing. `polygons` are
    /// those that are there, and `edge` gives the number of an edge.
    pub(crate) fn of(
        mesh: &NavMesh<'w>,
        polygons: impl Iterator<Item = PolyId>,
        edge: impl Fn(PolyId, u32) -> u32,
    ) -> Option<GroundRooms<'w>> {
        let rooms = *mesh.rooms()?;
        let of: Vec<u32> = polygons.map(|polygon| rooms.of(polygon).0).collect();
        let mut is_there = vec![false; rooms.count() as usize];
        of.iter().for_each(|&room| is_there[room as usize] = true);
        let all = || (0..rooms.count()).map(RoomId);
        let door = |number| {
            let portals = rooms.portals(number).map(|(polygon, k)| edge(polygon, k));
            Some((rooms.door(number)?, portals.collect::<Vec<_>>()))
        };
        let doors: Vec<_> = (0..rooms.door_count()).filter_map(door).collect();
        if is_there.contains(&false) || doors.iter().any(|(_, portals)| portals.is_empty()) {
            return None;
        }
        let room = |room| {
            let own = rooms.get(room)?;
            let (name, at, area, is_choke) = (own.name, own.at, own.area, own.is_choke);
            Some(RoomParts { name, at, area, is_choke })
        };
        let wider = |level| all().filter_map(|room| rooms.wider(level, room)).collect();
        let like_rooms = || all().map(|room| rooms.canonical_room(room).map_or(NONE, |r| r.0));
        let like_doors =
            || (0..rooms.door_count()).map(|door| rooms.canonical_door(door).unwrap_or(NONE));
        Some(GroundRooms {
            rooms: all().filter_map(room).collect(),
            wider: (0..rooms.levels()).map(wider).collect(),
            like: rooms.is_canonical().then(|| [like_rooms().collect(), like_doors().collect()]),
            of,
            doors,
        })
    }

    /// The doors for [`GroundRooms::parts`].
    pub(crate) fn doors(&self) -> Vec<RoomDoorParts<'_>> {
        let all = self.doors.iter();
        all.map(|(door, portals)| RoomDoorParts {
            rooms: door.rooms.map(|room| room.0),
            ends: door.ends,
            width: door.width,
            portals,
            is_bridge: door.is_bridge,
            is_divide: door.is_divide,
            name: door.name,
        })
        .collect()
    }

    pub(crate) fn parts<'p>(&'p self, doors: &'p [RoomDoorParts<'p>]) -> RoomsParts<'p> {
        RoomsParts {
            of: &self.of,
            rooms: &self.rooms,
            doors,
            plan: None,
            wider: &self.wider,
            like: self.like.as_ref().map(|[rooms, doors]| [&rooms[..], &doors[..]]),
        }
    }
}
