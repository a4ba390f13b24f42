//! How far it is from door to door within a room: measured on the ground that games see, that of the blob itself.

use navbake_format::CheckedBlob;
use navbake_geom::Point3;
use navbake_hierarchy::{Door, Rooms};
use navbake_mesh::NavMesh;
use navbake_search::{PathRequest, Planner, Query, SearchBuffer, Status};
use rayon::prelude::*;

/// More pairs of doors than this take longer to measure than they are worth.
const MOST: usize = 1 << 18;

/// Two doors, the lesser number first, and how far it is from the one's middle to the other's, m.
pub(crate) type Way = ([u32; 2], f32);

/// The relief of a portal's ground may be so far above or below the line between its ends, m.
const ABOVE_OR_BELOW: f64 = 1.0;

/// For each two doors of a room, the lesser number first: the shortest way from the one's middle to the other's, m. `None` when these are too many, or the middle
/// of a door is not found on the ground again, as where storeys are very near to each other.
pub(crate) fn ways(
    blob: &CheckedBlob<'_>,
    class: u16,
    mesh: &NavMesh,
    rooms: &Rooms,
) -> Option<Vec<Way>> {
    let mut of_room: Vec<Vec<u32>> = vec![vec![]; rooms.count];
    for (d, door) in (0u32..).zip(&rooms.doors) {
        door.rooms.iter().for_each(|&r| of_room[r as usize].push(d));
    }
    let of = |n: usize| n * n.saturating_sub(1) / 2;
    if of_room.iter().map(|doors| of(doors.len())).sum::<usize>() > MOST {
        return None;
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
    let measured: Vec<Option<Way>> = pairs
        .par_iter()
        .map_init(
            || SearchBuffer::new(query.mesh()),
            |buffer, &[a, b]| {
                let [from, to] = [a, b].map(|d| places[d as usize]);
                let request = PathRequest::new(from, to)
                    .extents([0.05, ABOVE_OR_BELOW, 0.05])
                    .planner(Planner::Optimal);
                let found = query.path(&request, buffer);
                (found.status == Status::Reached).then_some(([a, b], found.length_xz as f32))
            },
        )
        .collect();
    measured.into_iter().collect()
}

/// The middle of a door, at the height of the portal there.
fn middle(mesh: &NavMesh, door: &Door) -> Point3 {
    let [a, b] = door.ends;
    let mean = |a: i32, b: i32| (i64::from(a) + i64::from(b)).div_euclid(2) as i32;
    let (x, z) = (mean(a.x, b.x), mean(a.z, b.z));
    let along = |p: Point3| {
        (f64::from(p.x) - f64::from(x)) * (f64::from(b.x) - f64::from(a.x))
            + (f64::from(p.z) - f64::from(z)) * (f64::from(b.z) - f64::from(a.z))
    };
    let height = |&e: &u32| {
        let [p, q] = mesh.edge_ends(e)?;
        let (from, to) = (along(p), along(q));
        let part = if from == to {
            0.5
        } else {
            (-from / (to - from)).clamp(0.0, 1.0)
        };
        let y = f64::from(p.y) + part * (f64::from(q.y) - f64::from(p.y));
        // How far the portal is from the middle; none for the one that holds it.
        let away = if from.signum() == to.signum() {
            from.abs().min(to.abs())
        } else {
            0.0
        };
        Some((away, y as i32))
    };
    let best = door
        .portals
        .iter()
        .filter_map(height)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    Point3::new(x, best.map_or(0, |b| b.1), z)
}
