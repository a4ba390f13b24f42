//! How far it is from door to door within a room: measured on the ground that games see, that of the blob itself.

use navbake_format::CheckedBlob;
use navbake_geom::Point3;
use navbake_hierarchy::{Door, Rooms};
use navbake_mesh::NavMesh;
use navbake_search::{PathRequest, Planner, Query, SearchBuffer, Status};
use rayon::prelude::*;

/// More pairs of doors than this take longer to measure than they are worth.
const MOST: usize = 1 << 18;

/// For each two doors of a room, the lesser number first: the shortest way from the one's middle to the other's, m. Nothing when these are too many.
/// `None` when there is no way where there must be one.
pub(crate) fn ways(
    blob: &CheckedBlob<'_>,
    class: u16,
    mesh: &NavMesh,
    rooms: &Rooms,
) -> Option<Vec<([u32; 2], f32)>> {
    let mut of_room: Vec<Vec<u32>> = vec![vec![]; rooms.count];
    for (d, door) in (0u32..).zip(&rooms.doors) {
        door.rooms.iter().for_each(|&r| of_room[r as usize].push(d));
    }
    let of = |n: usize| n * n.saturating_sub(1) / 2;
    if of_room.iter().map(|doors| of(doors.len())).sum::<usize>() > MOST {
        return Some(vec![]);
    }
    let mut pairs: Vec<[u32; 2]> = vec![];
    for doors in &of_room {
        for (k, &b) in doors.iter().enumerate() {
            pairs.extend(doors[..k].iter().map(|&a| [a, b]));
        }
    }
    // Two rooms may have several doors in common.
    pairs.sort_unstable();
    pairs.dedup();
    let query = Query::new(blob.mesh(class)?);
    let grid = query.mesh().grid();
    let places: Vec<[f64; 3]> = rooms
        .doors
        .iter()
        .map(|d| {
            let p = middle(mesh, d);
            grid.metres([p.x, p.y, p.z].map(f64::from))
        })
        .collect();
    let measured: Vec<Option<([u32; 2], f32)>> = pairs
        .par_iter()
        .map_init(
            || SearchBuffer::new(query.mesh()),
            |buffer, &[a, b]| {
                let [from, to] = [a, b].map(|d| places[d as usize]);
                let request = PathRequest::new(from, to)
                    .extents([0.05, 0.5, 0.05])
                    .planner(Planner::Optimal);
                let found = query.path(&request, buffer);
                (found.status == Status::Reached).then_some(([a, b], found.length_xz as f32))
            },
        )
        .collect();
    measured.into_iter().collect()
}

/// The middle of a door, at the height of its ground.
fn middle(mesh: &NavMesh, door: &Door) -> Point3 {
    let [a, b] = door.ends;
    let mean = |a: i32, b: i32| ((i64::from(a) + i64::from(b)).div_euclid(2)) as i32;
    let (x, z) = (mean(a.x, b.x), mean(a.z, b.z));
    let away = |p: &Point3| {
        let (dx, dz) = (i64::from(p.x) - i64::from(x), i64::from(p.z) - i64::from(z));
        dx * dx + dz * dz
    };
    // The nearer end of a portal's: portals are short against storeys.
    let corners = door
        .portals
        .iter()
        .map(|&e| mesh.vertices[mesh.corners[e as usize] as usize]);
    let y = corners.min_by_key(|p| (away(p), *p)).map_or(0, |p| p.y);
    Point3::new(x, y, z)
}
