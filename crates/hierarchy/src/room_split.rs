//! Rooms of a world, divided among its chunks.

use std::collections::BTreeMap;

use navbake_mesh::{NONE, PolygonMesh};

use crate::class_rooms::{ClassMesh, ClassRooms};
use crate::keep::{distinct, part};
use crate::{Door, Joints, Rooms};

/// The rooms and doors of a class, to be divided among chunks.
///
/// The index of the world has them whole. Each chunk has their parts on its polygons.
pub struct RoomSplit<'a> {
    mesh: &'a PolygonMesh,
    rooms: &'a ClassRooms,
    /// The door that each edge is a portal of, or [`NONE`].
    door_of: Vec<u32>,
    /// The number of each door in the index.
    numbers: Vec<u32>,
}

impl<'a> RoomSplit<'a> {
    /// The rooms of a class, if it has any. O(n).
    pub fn new(of: &'a ClassMesh) -> Option<RoomSplit<'a>> {
        let (mesh, rooms) = (&of.mesh, of.rooms.as_ref()?);
        let doors = &rooms.found.doors;
        let mut door_of = vec![NONE; mesh.corners.len()];
        for (number, door) in (0u32..).zip(doors) {
            for &edge in &door.portals {
                let polygon = mesh.first_edge.partition_point(|&first| first <= edge) - 1;
                door_of[edge as usize] = number;
                if let Some(twin) = mesh.twin(polygon, edge as usize) {
                    door_of[twin] = number;
                }
            }
        }
        // A file sorts doors by their rooms.
        let mut sorted: Vec<usize> = (0..doors.len()).collect();
        sorted.sort_by_key(|&door| doors[door].rooms);
        let mut numbers = vec![0; doors.len()];
        for (number, &door) in (0..).zip(&sorted) {
            numbers[door] = number;
        }
        Some(RoomSplit { mesh, rooms, door_of, numbers })
    }

    /// The number in the index of the room of a polygon.
    pub fn room(&self, polygon: u32) -> u32 {
        self.rooms.found.of[polygon as usize]
    }

    /// The number in the index of the door that an edge is a portal of.
    pub fn door(&self, edge: u32) -> Option<u32> {
        self.numbers.get(self.door_of[edge as usize] as usize).copied()
    }

    /// Some polygons, by ascending numbers, as a mesh of their own with their parts of rooms and
    /// doors. O(n log n) in these polygons.
    ///
    /// # Panics
    /// When there is no such polygon.
    pub fn part(&self, polygons: &[u32]) -> ClassMesh {
        let mesh = part(self.mesh, polygons);
        let found = &self.rooms.found;
        let rooms = distinct(polygons.iter().map(|&p| self.room(p)));
        let place = |room: u32| rooms.binary_search(&room).map_or(NONE, |i| i as u32);
        let mut portals: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (own, &whole) in polygons.iter().enumerate() {
            let edges = mesh.edges(own).zip(self.mesh.edges(whole as usize));
            for (edge, of_whole) in edges.filter(|&(edge, _)| mesh.neighbours[edge] != NONE) {
                let door = self.door_of[of_whole];
                if door != NONE && own < mesh.neighbours[edge] as usize {
                    portals.entry(door).or_default().push(edge as u32);
                }
            }
        }
        let numbers: Vec<usize> = portals.keys().map(|&door| door as usize).collect();
        let door = |(number, portals): (u32, Vec<u32>)| {
            let whole = &found.doors[number as usize];
            let rooms = whole.rooms.map(place);
            Door { rooms, portals, canonical: NONE, ..whole.clone() }
        };
        let joints = &found.joints;
        let rooms_of = ClassRooms {
            found: Rooms {
                of: polygons.iter().map(|&p| place(self.room(p))).collect(),
                count: rooms.len(),
                doors: portals.into_iter().map(door).collect(),
                joints: Joints {
                    is_bridge: numbers.iter().map(|&d| joints.is_bridge[d]).collect(),
                    is_choke: rooms.iter().map(|&r| joints.is_choke[r as usize]).collect(),
                },
                ..Rooms::default()
            },
            names: rooms.iter().map(|&r| self.rooms.names[r as usize].clone()).collect(),
            door_names: numbers.iter().map(|&d| self.rooms.door_names[d].clone()).collect(),
            beside: self.rooms.beside,
            is_canonical: false,
        };
        ClassMesh { rooms: Some(rooms_of), ..ClassMesh::new(mesh) }
    }
}
