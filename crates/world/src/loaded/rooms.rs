//! Rooms of the world on the chunks that are loaded, and doors that switches close.

use alloc::vec::Vec;

use navbake_format::{Door, LoadedPortal, NavMesh, PolyId, RoomId, Seam};
use navbake_navmesh::NONE;

use crate::arena::Arena;

/// The rooms of the polygons that are loaded, and the portals of doors, by numbers of the index.
/// Empty in a world without rooms.
#[derive(Clone, Debug, Default)]
pub(super) struct LoadedRooms {
    /// Of each polygon.
    pub(super) of: Arena<u32>,
    /// By door.
    pub(super) portals: Arena<LoadedPortal>,
}

/// The doors of a chunk. Polygons have their numbers of now.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnDoors {
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

/// Are the rooms and doors of a chunk among those of a world?
pub(super) fn has_rooms_of(index: &NavMesh<'_>, chunk: &NavMesh<'_>) -> bool {
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

impl LoadedRooms {
    /// Notes the room of each polygon of a chunk whose first polygon has the number `first` now.
    /// `polygons` is the number of all polygons.
    pub(super) fn put(&mut self, chunk: &NavMesh<'_>, first: u32, polygons: usize) {
        let (Some(rooms), Some(world)) = (chunk.rooms(), chunk.world_rooms()) else {
            return;
        };
        self.of.lengthen(polygons);
        for p in 0..chunk.polygon_count() {
            let room = world.room(rooms.of(PolyId(p))).map_or(0, |room| room.0);
            self.of.set((first + p) as usize, room);
        }
    }

    /// Lists the portals of doors: those within chunks, and seams that are joined. `beyond` gives
    /// the polygon beyond an edge.
    pub(super) fn list<'a>(
        &mut self,
        chunks: impl Iterator<Item = (&'a OwnDoors, &'a [Seam])>,
        beyond: impl Fn(&Seam) -> u32,
    ) {
        let mut all: Vec<LoadedPortal> = Vec::new();
        for (doors, seams) in chunks {
            all.extend(&doors.portals);
            all.extend(doors.seams.iter().filter_map(|&(seam, door)| {
                let seam = seams.get(seam)?;
                let beyond = beyond(seam);
                // A portal belongs to the lesser of its two polygons.
                let is_its = beyond != NONE && seam.polygon < beyond;
                let Seam { polygon, edge, .. } = *seam;
                is_its.then_some(LoadedPortal { door, polygon, edge })
            }));
        }
        all.sort_unstable();
        self.portals = Arena::from_iter(all);
    }

    /// The portals of doors with a name, by polygon and edge. The switch of a door has its name.
    pub(super) fn doors<'a>(&self, index: &NavMesh<'a>) -> Vec<Door<'a>> {
        let Some(rooms) = index.rooms() else {
            return Vec::new();
        };
        let file = index.file();
        let switch = |name| file.switches().position(|switch| switch.name == name);
        let portals = self.portals.records();
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
        let mut all: Vec<Door<'a>> = named.collect();
        all.sort_unstable_by_key(|door| (door.polygon, door.edge));
        all
    }
}
