//! What the file says of a navmesh, as its writer takes it.

use navbake_format::write::{
    DoorParts, MeshParts, ReliefParts, RoomDoorParts, RoomParts, RoomsParts,
};
use navbake_mesh::Relief;

use crate::run::ClassMesh;

/// A navmesh, and what has to be put otherwise before it is written.
pub(super) struct Shape<'a> {
    of: &'a ClassMesh,
    vertices: Vec<[i32; 3]>,
    reliefs: Vec<ReliefParts<'a>>,
    rooms: Vec<RoomParts<'a>>,
    room_doors: Vec<RoomDoorParts<'a>>,
    door_likes: Vec<u32>,
    doors: Vec<DoorParts<'a>>,
}

impl<'a> Shape<'a> {
    /// Of a navmesh on a grid with so many units in a metre.
    pub(super) fn new(of: &'a ClassMesh, units: f64) -> Shape<'a> {
        let mesh = &of.mesh;
        let rooms = of.rooms.as_ref();
        Shape {
            of,
            vertices: mesh.vertices.iter().map(|p| [p.x, p.y, p.z]).collect(),
            reliefs: mesh.reliefs.iter().map(relief).collect(),
            rooms: rooms.map_or(vec![], |r| r.parts(mesh, units)),
            room_doors: rooms.map_or(vec![], |r| r.doors(units)),
            door_likes: rooms.map_or(vec![], |r| r.door_likes()),
            doors: rooms.map_or(vec![], |r| r.portals(units)),
        }
    }

    /// All but its links and the ways between its doors.
    pub(super) fn parts(&self) -> MeshParts<'_> {
        let mesh = &self.of.mesh;
        MeshParts {
            doors: &self.doors,
            rooms: self.of.rooms.as_ref().map(|own| RoomsParts {
                like: own.is_like.then_some([&own.found.like, &self.door_likes]),
                of: &own.found.of,
                rooms: &self.rooms,
                doors: &self.room_doors,
                plan: None,
                wider: &own.found.wider,
            }),
            vertices: &self.vertices,
            first_edge: &mesh.first_edge,
            corners: &mesh.corners,
            neighbours: &mesh.neighbours,
            islands: &self.of.islands.of,
            relief_of: &mesh.relief_of,
            reliefs: &self.reliefs,
            areas: &mesh.areas,
            ..MeshParts::default()
        }
    }
}

fn relief(relief: &Relief) -> ReliefParts<'_> {
    ReliefParts {
        least: relief.least,
        size: relief.size,
        shift: relief.shift,
        base: relief.base,
        up: relief.up,
        corners: relief.corners,
        points: &relief.points,
    }
}
