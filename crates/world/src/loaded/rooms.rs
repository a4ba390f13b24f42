//! Rooms of the world on the chunks that are loaded, and doors that switches close.

use alloc::vec::Vec;

use navbake_format::{Door, LoadedPortal, NavMesh, PolyId, RoomId};
use navbake_navmesh::NONE;

use super::Loaded;
use crate::arena::Arena;

/// The rooms of the polygons that are loaded, and the portals of doors, by numbers of the index.
/// Empty in a world without rooms.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadedRooms {
    /// Of each polygon.
    pub(super) of: Arena<u32>,
    /// By door.
    pub(super) portals: Arena<LoadedPortal>,
}

/// The doors of a chunk. Polygons have their numbers of now.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnDoors {
    portals: Vec<LoadedPortal>,
    /// Seams that are portals, and their doors.
    seams: Vec<(usize, u32)>,
}

impl OwnDoors {
    /// Of a chunk whose first polygon has this number now.
    pub(super) fn of(mesh: &NavMesh<'_>, first: u32) -> OwnDoors {
        let (Some(rooms), Some(world)) = (mesh.rooms(), mesh.world_rooms()) else {
            return OwnDoors::default();
        };
        let doors = (0..rooms.door_count()).filter_map(|own| Some((own, world.door(own)?)));
        let portals = doors.flat_map(|(own, door)| {
            let portal =
                move |(p, edge): (PolyId, u32)| LoadedPortal { door, polygon: p.0 + first, edge };
            rooms.portals(own).map(portal)
        });
        let seams = (0..mesh.seams().len()).filter_map(|seam| Some((seam, world.seam(seam)?)));
        OwnDoors { portals: portals.collect(), seams: seams.collect() }
    }
}

impl Loaded {
    /// Are the rooms and doors of a chunk among those of this world?
    pub(super) fn has_rooms_of(&self, chunk: &NavMesh<'_>) -> bool {
        let index = self.index.mesh();
        let (rooms, doors) = index.rooms().map_or((0, 0), |own| (own.count(), own.door_count()));
        let (Some(own), Some(world)) = (chunk.rooms(), chunk.world_rooms()) else {
            return rooms == 0 || chunk.polygon_count() == 0;
        };
        let is_room = |room| world.room(RoomId(room)).is_some_and(|room| room.0 < rooms);
        let is_door = |door| world.door(door).is_some_and(|door| door < doors);
        let is_seam = |seam| world.seam(seam).is_none_or(|door| door < doors);
        (0..own.count()).all(is_room)
            && (0..own.door_count()).all(is_door)
            && (0..chunk.seams().len()).all(is_seam)
    }

    /// Notes the room of each polygon of a chunk whose first polygon has this number now.
    pub(super) fn put_rooms(&mut self, chunk: &NavMesh<'_>, first: u32) {
        let (Some(rooms), Some(world)) = (chunk.rooms(), chunk.world_rooms()) else {
            return;
        };
        self.rooms.of.lengthen(self.polygons.len());
        for p in 0..chunk.polygon_count() {
            let room = world.room(rooms.of(PolyId(p))).map_or(0, |room| room.0);
            self.rooms.of.set((first + p) as usize, room);
        }
    }

    /// Lists the portals of doors: those within chunks, and seams that are joined.
    pub(super) fn list_portals(&mut self) {
        let mut all: Vec<LoadedPortal> = Vec::new();
        for placed in self.placed.iter().flatten() {
            all.extend(&placed.doors.portals);
            let on_seams = placed.doors.seams.iter();
            all.extend(on_seams.filter_map(|&(seam, door)| {
                let own = placed.seams.get(seam)?;
                let first = self.polygons.at(own.polygon as usize).first;
                let beyond = self.edges.at((first + own.edge) as usize).neighbour;
                // A portal belongs to the lesser of its two polygons.
                let is_its = beyond != NONE && own.polygon < beyond;
                is_its.then_some(LoadedPortal { door, polygon: own.polygon, edge: own.edge })
            }));
        }
        all.sort_unstable();
        self.rooms.portals = Arena::from_iter(all);
    }

    /// The portals of doors with a name, by polygon and edge. The switch of a door has its name.
    pub(super) fn doors(&self) -> Vec<Door<'_>> {
        let index = self.index.mesh();
        let Some(rooms) = index.rooms() else {
            return Vec::new();
        };
        let file = index.file();
        let switch = |name| file.switches().position(|switch| switch.name == name);
        let portals = self.rooms.portals.records();
        let named = portals.iter().filter_map(|portal| {
            let door = rooms.door(portal.door).filter(|door| !door.name.is_empty())?;
            Some(Door {
                polygon: PolyId(portal.polygon),
                edge: portal.edge,
                switch: switch(door.name).map(|switch| switch as u16),
                width: door.width,
                name: door.name,
            })
        });
        let mut all: Vec<Door<'_>> = named.collect();
        all.sort_unstable_by_key(|door| (door.polygon, door.edge));
        all
    }
}
