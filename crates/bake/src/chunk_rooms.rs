//! Rooms and doors of a chunk, and their numbers in the index of the world.

use navbake_format::{NavMesh, PolyId, Rooms};
use navbake_hierarchy::RoomSplit;
use navbake_mesh::{NONE, PolygonMesh};

/// The numbers in the index of a chunk's rooms, then of its doors, as the file of the chunk numbers
/// these. `whole` gives the polygon of the world that a polygon of the chunk is.
pub(crate) fn numbers(
    split: &RoomSplit<'_>,
    mesh: &PolygonMesh,
    view: &NavMesh<'_>,
    found: &Rooms<'_>,
    whole: impl Fn(PolyId) -> Option<u32>,
) -> Option<Vec<u32>> {
    let mut numbers = vec![NONE; found.count() as usize];
    for it in view.polygons() {
        numbers[found.of(it.id()).index()] = split.room(whole(it.id())?);
    }
    for door in 0..found.door_count() {
        let (polygon, k) = found.portals(door).next()?;
        let [x, _, z] = view.polygon(polygon).point(k);
        let begins = |&e: &usize| {
            let at = mesh.vertices[mesh.corners[e] as usize];
            [at.x, at.z] == [x, z]
        };
        let edge = mesh.edges(whole(polygon)? as usize).find(begins)?;
        numbers.push(split.door(edge as u32)?);
    }
    Some(numbers)
}
