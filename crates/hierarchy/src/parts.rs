//! Navmeshes with rooms, doors and their distances as the file's writer takes them.

use navbake_format::write::{
    ClusterParts, DoorParts, HeightMeshParts, LinkParts, MeshParts, PlanParts, RoomDoorParts,
    RoomParts, RoomsParts,
};
use navbake_geom::{Point3, orient};
use navbake_mesh::{HeightMesh, PolygonMesh};

use crate::class_rooms::{ClassMesh, ClassRooms};
use crate::door_distances::DoorDistances;
use crate::rooms::Door;

/// The navmesh of a class, with copies of what the file's writer takes in another form.
pub struct ClassParts<'a> {
    of: &'a ClassMesh,
    /// Are the polygons left out?
    is_index: bool,
    vertices: Vec<[i32; 3]>,
    height_meshes: Vec<HeightMeshParts<'a>>,
    rooms: Vec<RoomParts<'a>>,
    room_doors: Vec<RoomDoorParts<'a>>,
    door_likes: Vec<u32>,
    doors: Vec<DoorParts<'a>>,
}

impl<'a> ClassParts<'a> {
    /// Of a class; `units` are grid units in a metre.
    pub fn new(of: &'a ClassMesh, units: f64) -> ClassParts<'a> {
        let mesh = &of.mesh;
        let own = of.rooms.as_ref();
        ClassParts {
            of,
            is_index: false,
            vertices: mesh.vertices.iter().map(|p| [p.x, p.y, p.z]).collect(),
            height_meshes: mesh.height_meshes.iter().map(height_mesh).collect(),
            rooms: own.map_or(vec![], |r| rooms(r, mesh, units)),
            room_doors: own.map_or(vec![], |r| doors(r, units)),
            door_likes: own.map_or(vec![], door_likes),
            doors: own.map_or(vec![], |r| portals(r, units)),
        }
    }

    /// The rooms and doors of a class, without its polygons: for the index of a world in chunks.
    pub fn of_index(of: &'a ClassMesh, units: f64) -> ClassParts<'a> {
        let own = of.rooms.as_ref();
        let without_portals = |door| RoomDoorParts { portals: &[], ..door };
        ClassParts {
            of,
            is_index: true,
            vertices: vec![],
            height_meshes: vec![],
            rooms: own.map_or(vec![], |r| rooms(r, &of.mesh, units)),
            room_doors: own
                .into_iter()
                .flat_map(|r| doors(r, units))
                .map(without_portals)
                .collect(),
            door_likes: own.map_or(vec![], door_likes),
            doors: vec![],
        }
    }

    /// As the writer takes them, with distances between doors and with links.
    pub fn parts<'p>(
        &'p self,
        plan: Option<&'p PlanParts>,
        links: &'p [LinkParts<'p>],
    ) -> MeshParts<'p> {
        let mesh = &self.of.mesh;
        let rooms = self.of.rooms.as_ref().map(|own| RoomsParts {
            like: own.is_canonical.then_some([&own.found.canonical, &self.door_likes]),
            of: if self.is_index { &[] } else { &own.found.of },
            rooms: &self.rooms,
            doors: &self.room_doors,
            plan,
            wider: &own.found.wider,
        });
        if self.is_index {
            return MeshParts { rooms, first_edge: &[0], ..MeshParts::default() };
        }
        MeshParts {
            doors: &self.doors,
            rooms,
            vertices: &self.vertices,
            first_edge: &mesh.first_edge,
            corners: &mesh.corners,
            neighbours: &mesh.neighbours,
            islands: &self.of.islands.of,
            height_mesh_of: &mesh.height_mesh_of,
            height_meshes: &self.height_meshes,
            areas: &mesh.areas,
            links,
            ..MeshParts::default()
        }
    }
}

fn height_mesh(height_mesh: &HeightMesh) -> HeightMeshParts<'_> {
    HeightMeshParts {
        least: height_mesh.least,
        size: height_mesh.size,
        shift: height_mesh.shift,
        base: height_mesh.base,
        up: height_mesh.up,
        corners: height_mesh.corners,
        points: &height_mesh.points,
    }
}

/// Rooms as the file has them.
fn rooms<'a>(own: &'a ClassRooms, mesh: &PolygonMesh, units: f64) -> Vec<RoomParts<'a>> {
    let mut area = vec![0i128; own.found.count];
    let mut largest = vec![(-1i128, 0usize); own.found.count];
    for p in 0..mesh.len() {
        let size = mesh.polygon_area_doubled(p);
        let room = own.found.of[p] as usize;
        area[room] += size;
        if size > largest[room].0 {
            largest[room] = (size, p);
        }
    }
    let room = |r: usize| RoomParts {
        name: &own.names[r],
        at: middle(mesh, largest[r].1),
        area: (area[r] as f64 / 2.0 / (units * units)) as f32,
        is_choke: own.found.joints.is_choke[r],
    };
    (0..own.found.count).map(room).collect()
}

/// Doors as the file has them.
fn doors(own: &ClassRooms, units: f64) -> Vec<RoomDoorParts<'_>> {
    let bridges = own.found.joints.is_bridge.iter();
    let doors = own.found.doors.iter().zip(bridges).zip(&own.door_names);
    let width = |door: &Door| {
        let [a, b] = door.ends;
        let square = |from: i32, to: i32| {
            let d = (f64::from(to) - f64::from(from)) / units;
            d * d
        };
        let beside = if door.is_divide { 0.0 } else { own.beside };
        (square(a.x, b.x) + square(a.z, b.z)).sqrt() + beside
    };
    doors
        .map(|((door, &is_bridge), (name, _))| {
            let [a, b] = door.ends;
            RoomDoorParts {
                rooms: door.rooms,
                ends: [[a.x, a.z], [b.x, b.z]],
                width: width(door) as f32,
                portals: &door.portals,
                is_bridge,
                is_divide: door.is_divide,
                name,
            }
        })
        .collect()
}

/// The door of the smallest class that each is.
fn door_likes(own: &ClassRooms) -> Vec<u32> {
    own.found.doors.iter().map(|d| d.canonical).collect()
}

/// The portals of doors with names; each can be closed as a door of its own.
fn portals(own: &ClassRooms, units: f64) -> Vec<DoorParts<'_>> {
    let doors = doors(own, units);
    let named = doors.into_iter().zip(&own.door_names).filter(|d| !d.1.0.is_empty());
    named
        .flat_map(|(door, (name, switch))| {
            let part = move |&edge: &u32| DoorParts {
                edge,
                switch: *switch,
                width: door.width,
                name: name.as_str(),
            };
            door.portals.iter().map(part)
        })
        .collect()
}

/// The middle of a polygon's widest triangle.
fn middle(mesh: &PolygonMesh, polygon: usize) -> [i32; 3] {
    let ring = mesh.polygon(polygon);
    let at = |k: usize| mesh.vertices[ring[k] as usize];
    let size = |k: usize| orient(at(0).flat(), at(k).flat(), at(k + 1).flat());
    let k = (1..ring.len() - 1).max_by_key(|&k| size(k)).unwrap_or(1);
    let corners = [at(0), at(k), at(k + 1)];
    let mean = |of: fn(&Point3) -> i32| {
        let sum: i64 = corners.iter().map(|c| i64::from(of(c))).sum();
        sum.div_euclid(3) as i32
    };
    [mean(|p| p.x), mean(|p| p.y), mean(|p| p.z)]
}

impl From<DoorDistances> for PlanParts {
    fn from(found: DoorDistances) -> PlanParts {
        let clusters = found.clusters.all.into_iter();
        PlanParts {
            stops: found.anchors,
            ways: found.distances,
            cluster_of: found.clusters.of,
            clusters: clusters
                .map(|d| ClusterParts {
                    parent: d.parent,
                    level: d.level,
                    doors: d.doors,
                    ways: d.ways,
                })
                .collect(),
        }
    }
}
