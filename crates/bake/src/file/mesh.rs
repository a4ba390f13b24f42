//! A navmesh as the file's writer takes it.

use navbake_format::write::{
    DoorParts, LinkParts, MeshParts, PlanParts, ReliefParts, RoomDoorParts, RoomParts, RoomsParts,
};
use navbake_hierarchy::ClassMesh;
use navbake_mesh::HeightMesh;

use super::rooms;

/// A navmesh, with copies of what the writer takes in another form.
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
    /// `units` are grid units in a metre.
    pub(super) fn new(of: &'a ClassMesh, units: f64) -> Shape<'a> {
        let mesh = &of.mesh;
        let own = of.rooms.as_ref();
        Shape {
            of,
            vertices: mesh.vertices.iter().map(|p| [p.x, p.y, p.z]).collect(),
            reliefs: mesh.height_meshes.iter().map(relief).collect(),
            rooms: own.map_or(vec![], |r| rooms::rooms(r, mesh, units)),
            room_doors: own.map_or(vec![], |r| rooms::doors(r, units)),
            door_likes: own.map_or(vec![], rooms::door_likes),
            doors: own.map_or(vec![], |r| rooms::portals(r, units)),
        }
    }

    pub(super) fn parts<'p>(
        &'p self,
        plan: Option<&'p PlanParts>,
        links: &'p [LinkParts<'p>],
    ) -> MeshParts<'p> {
        let mesh = &self.of.mesh;
        MeshParts {
            doors: &self.doors,
            rooms: self.of.rooms.as_ref().map(|own| RoomsParts {
                like: own.is_canonical.then_some([&own.found.canonical, &self.door_likes]),
                of: &own.found.of,
                rooms: &self.rooms,
                doors: &self.room_doors,
                plan,
                wider: &own.found.wider,
            }),
            vertices: &self.vertices,
            first_edge: &mesh.first_edge,
            corners: &mesh.corners,
            neighbours: &mesh.neighbours,
            islands: &self.of.islands.of,
            relief_of: &mesh.height_mesh_of,
            reliefs: &self.reliefs,
            areas: &mesh.areas,
            links,
            ..MeshParts::default()
        }
    }
}

fn relief(relief: &HeightMesh) -> ReliefParts<'_> {
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
