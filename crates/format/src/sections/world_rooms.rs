//! Rooms of a world in the file of a chunk: the section `world-rooms`.
//!
//! The index has all rooms and doors of the world. A chunk has the parts of these that are on its
//! ground, as rooms and doors of its own, and the numbers of the whole ones.

use navbake_grid::{NONE, RoomId};
use navbake_navmesh::record::Records;

use super::rooms::Rooms;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::sections::chunks::Chunk;
use crate::{Blob, NavMesh, Section};

/// The numbers in the index of a chunk's rooms, doors and seams: see [`NavMesh::world_rooms`].
#[derive(Clone, Copy, Debug)]
pub struct WorldRooms<'a> {
    /// Of its rooms, then of its doors, then of the doors on its seams.
    all: Records<'a, u32>,
    rooms: usize,
    doors: usize,
}

impl WorldRooms<'_> {
    /// The room of the world that a room of the chunk is part of.
    pub fn room(&self, room: RoomId) -> Option<RoomId> {
        let is_own = room.index() < self.rooms;
        self.all.get(room.index()).filter(|_| is_own).map(RoomId)
    }

    /// The door of the world that a door of the chunk is part of.
    pub fn door(&self, door: u32) -> Option<u32> {
        let is_own = (door as usize) < self.doors;
        self.all.get(self.rooms + door as usize).filter(|_| is_own)
    }

    /// The door of the world that a seam is a portal of; `None` within one room.
    pub fn seam(&self, seam: usize) -> Option<u32> {
        self.all.get(self.rooms + self.doors + seam).filter(|&door| door != NONE)
    }
}

impl<'a> NavMesh<'a> {
    /// The numbers in the index of a chunk's rooms, doors and seams; `None` in other files, and
    /// without rooms.
    pub fn world_rooms(&self) -> Option<WorldRooms<'a>> {
        let all = self.blob.records(Section::WORLD_ROOMS, self.class);
        let rooms = Rooms::read(&self.blob, self.class).filter(|_| !all.is_empty())?;
        let (rooms, doors) = (rooms.count() as usize, rooms.door_count() as usize);
        Some(WorldRooms { all, rooms, doors })
    }
}

/// Each room, door and seam of a chunk with rooms has a number.
pub(crate) fn check(blob: &Blob<'_>, _: &NavMeshView<'_>, at: &Place) -> Checked {
    let section = Section::WORLD_ROOMS;
    let chunks = blob.records::<Chunk>(Section::CHUNKS, 0);
    let is_chunk = chunks.len() == 1 && chunks.first().is_some_and(|own| own.bytes == 0);
    let Some(rooms) = Rooms::read(blob, at.class).filter(|_| is_chunk) else {
        return at.alone(blob, [section], "rooms of a world in the file of one chunk with rooms");
    };
    let (rooms, doors) = (rooms.count() as usize, rooms.door_count() as usize);
    let all = blob.records::<u32>(section, at.class);
    let seams = blob.count(Section::SEAMS, at.class) as usize;
    let wanted = rooms + doors + seams;
    let expected = "a number for each room, each door and each seam";
    at.refuse(all.len() != wanted, section, 0, all.len(), expected)?;
    for (it, number) in at.each(section, all.iter()).take(rooms + doors) {
        it.refuse(number == NONE, number, "a room or door of the world")?;
    }
    Ok(())
}
