//! Places on walls, and how two of them come nearer to each other.

use navbake_geom::{Point, along};
use navbake_mesh::PolygonMesh;

use super::flat::square;
use super::sample::{foot_on, inwards};

/// An end of a door: a place on a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: Point,
    /// The edge of the navmesh through it, which begins there or has it within.
    pub(super) wall: u32,
}

/// Both ends of an edge of the navmesh, seen from above.
pub(super) fn edge_ends(mesh: &PolygonMesh, edge: u32) -> Option<[Point; 2]> {
    Some(mesh.edge_ends(edge)?.map(|p| p.flat()))
}

/// Moves the ends of a segment between two walls along them, within a limit, to a local minimum of
/// its length.
pub(super) fn tightened(mesh: &PolygonMesh, ends: [End; 2], most: f64) -> [End; 2] {
    let mut best = ends;
    for _ in 0..ROUNDS {
        let before = best;
        for k in [0, 1] {
            let other = best[1 - k].at;
            let wall = best[k].wall;
            let walls = [Some(wall), beside(mesh, wall, 1), beside(mesh, wall, 0)];
            let near = |wall: u32| Some(End { at: nearest(edge_ends(mesh, wall)?, other), wall });
            for end in walls.into_iter().flatten().filter_map(near) {
                let moved = (square(ends[k].at, end.at) as f64).sqrt();
                if moved <= most && square(end.at, other) < square(best[k].at, other) {
                    best[k] = end;
                }
            }
        }
        if best == before {
            break;
        }
    }
    best
}

/// A bound for moves; each makes the segment shorter.
const ROUNDS: usize = 32;

/// The place on a wall nearest to another.
fn nearest([u, v]: [Point; 2], other: Point) -> Point {
    let along = along(u, v, other);
    if along <= 0 {
        return u;
    }
    if along >= square(u, v) {
        return v;
    }
    inwards(u, v, foot_on(u, v, other))
}

/// The wall that begins where another ends (1), or that ends where it begins (0).
fn beside(mesh: &PolygonMesh, wall: u32, way: usize) -> Option<u32> {
    let turned = |p: usize, e: usize| {
        let edges = mesh.edges(p);
        let count = edges.len();
        edges.start + (e - edges.start + if way == 1 { 1 } else { count - 1 }) % count
    };
    let mut p = mesh.first_edge.partition_point(|&f| f <= wall).checked_sub(1)?;
    let mut e = turned(p, wall as usize);
    for _ in 0..mesh.corners.len() {
        let Some(twin) = mesh.twin(p, e) else {
            return Some(e as u32);
        };
        p = mesh.neighbours[e] as usize;
        e = turned(p, twin);
    }
    None
}
