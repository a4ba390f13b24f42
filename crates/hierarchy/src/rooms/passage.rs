//! Centres doors in their doorways: where a passage stays as narrow for a stretch, the door moves
//! to the middle of the stretch.

use navbake_geom::{Point, along};
use navbake_mesh::PolygonMesh;

use super::flat::{Flat, next, prev, square};
use super::sample::inwards;
use super::walls::{End, edge_ends};

/// A stretch goes on while the passage is no wider than this, in door lengths, squared.
const ALIKE: f64 = 1.02 * 1.02;
/// More triangles than this are no doorway.
const MOST: usize = 256;

/// One direction along a stretch, away from the door.
struct Side {
    /// The ends of the farthest edge that is as short as the door, on its first and its second
    /// wall.
    last: [Point; 2],
    /// Pieces of the two walls.
    walls: [Vec<u32>; 2],
}

/// The ends of a door in the middle of its stretch; `None` when there is none, or it is a corridor,
/// longer than `longest`. `h` is the door's edge from its first end to the second.
pub(super) fn middle(
    flat: &Flat,
    mesh: &PolygonMesh,
    of: &[u32],
    h: u32,
    longest: f64,
) -> Option<[End; 2]> {
    let g = flat.twin[h as usize];
    let one = walk(flat, of, h);
    let mut other = walk(flat, of, g);
    other.last.reverse();
    other.walls.reverse();
    let half = |a: Point, b: Point| {
        let mean = |a: i32, b: i32| (i64::from(a) + i64::from(b)).div_euclid(2) as i32;
        Point::new(mean(a.x, b.x), mean(a.z, b.z))
    };
    let across = |s: &Side| half(s.last[0], s.last[1]);
    let long = (square(across(&one), across(&other)) as f64).sqrt();
    if long < 4.0 || long > longest {
        return None;
    }
    let end = |k: usize| {
        let p = half(one.last[k], other.last[k]);
        let pieces = one.walls[k].iter().chain(&other.walls[k]);
        let on = |w: &u32| {
            let (a, b) = (flat.at[*w as usize], flat.end(*w));
            let along = along(a, b, p);
            let off = navbake_geom::orient(a, b, p).abs();
            along >= 0
                && along <= square(a, b)
                && i128::from(off) * i128::from(off) <= 4 * i128::from(square(a, b))
        };
        let wall = flat.wall[*pieces.into_iter().find(|w| on(w))? as usize];
        let [a, b] = edge_ends(mesh, wall)?;
        let at = inwards(a, b, p);
        (at != a && at != b).then_some(End { at, wall })
    };
    let ends = [end(0)?, end(1)?];
    let is_short = square(ends[0].at, ends[1].at) as f64 <= ALIKE * flat.square(h) as f64;
    is_short.then_some(ends)
}

/// From an edge on through its triangle, as long as there is one exit.
fn walk(flat: &Flat, of: &[u32], h: u32) -> Side {
    let own = of[h as usize / 3];
    let door = flat.square(h) as f64;
    let mut side = Side { last: [flat.at[h as usize], flat.end(h)], walls: [vec![], vec![]] };
    let mut at = h;
    for _ in 0..MOST {
        if of[at as usize / 3] != own {
            break;
        }
        let (after, before) = (next(at), prev(at));
        // The triangle's third corner is on the first wall or on the second.
        let on = match (flat.beyond(after), flat.beyond(before)) {
            (Some(_), None) => after,
            (None, Some(_)) => before,
            _ => break,
        };
        let (wall, k) = if on == after { (before, 0) } else { (after, 1) };
        let long = flat.square(on) as f64;
        // An edge across may be askew, by the corners on the walls.
        if long > ALIKE * door + 4.0 * flat.square(wall) as f64 {
            break;
        }
        side.walls[k].push(wall);
        at = flat.twin[on as usize];
        if long <= ALIKE * door {
            side.last = [flat.at[at as usize], flat.end(at)];
        }
    }
    side
}
