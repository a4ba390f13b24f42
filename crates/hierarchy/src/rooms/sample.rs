//! Sample points on long walls, so that circumcircles of triangles measure clearance.
//!
//! A circle through corners alone ignores the walls between them: in a hall of four corners it is
//! far too wide. A wall gets corners until they are half as far apart as the wall opposite is away,
//! at the feet of corners opposite where possible: there the ground is narrowest.

use navbake_geom::{Point, Point3, along, orient};
use navbake_mesh::{NONE, PolygonMesh};

use super::flat::{Flat, next, prev, square};

/// Puts corners on walls; never nearer to each other than `least`, grid units.
pub(super) fn sample_walls(flat: &mut Flat, mesh: &PolygonMesh, least: i32) {
    let ends = wall_ends(mesh);
    flat.watch();
    // When each half-edge was looked at last: what has not changed since needs no second look.
    let mut looked = vec![0; flat.at.len()];
    // Each time walls get half as long at most three quarters.
    for _ in 0..ROUNDS {
        let count = flat.at.len() as u32;
        let mut splits = 0;
        for h in 0..count {
            if flat.wall[h as usize] == NONE || flat.last_change(h) <= looked[h as usize] {
                continue;
            }
            let Some(p) = split_at(flat, h, &ends, least) else {
                looked[h as usize] = flat.now();
                continue;
            };
            flat.split_wall(h, p);
            looked.resize(flat.at.len(), 0);
            splits += 1;
        }
        if splits == 0 {
            break;
        }
    }
}

const ROUNDS: usize = 64;

/// Both ends of each edge of the navmesh.
fn wall_ends(mesh: &PolygonMesh) -> Vec<[Point3; 2]> {
    let mut ends = Vec::with_capacity(mesh.corners.len());
    for p in 0..mesh.len() {
        let ring = mesh.polygon(p);
        let at = |k: usize| mesh.vertices[ring[k % ring.len()] as usize];
        ends.extend((0..ring.len()).map(|k| [at(k), at(k + 1)]));
    }
    ends
}

/// Where the wall should get a corner, if anywhere.
fn split_at(flat: &Flat, h: u32, ends: &[[Point3; 2]], least: i32) -> Option<Point> {
    let [from, to] = ends.get(flat.wall[h as usize] as usize)?.map(Point3::flat);
    let (a, b, c) = (flat.at[h as usize], flat.end(h), flat.apex(h));
    let long = square(a, b);
    let height = orient(a, b, c);
    // |ab| > height of the triangle / 2, and not too short.
    if 2 * long <= height || long < 4 * i64::from(least) * i64::from(least) {
        return None;
    }
    // In the corner of a room nothing is to be learnt that the triangle beyond does not know.
    match [next(h), prev(h)].map(|e| flat.beyond(e)) {
        [None, None] => return None,
        [Some(beyond), None] | [None, Some(beyond)]
            if 16.0 * reach_squared(flat, h / 3) <= 9.0 * reach_squared(flat, beyond) =>
        {
            return None;
        }
        _ => {}
    }
    let foot = along(a, b, c);
    let near =
        if 4 * foot >= long && 4 * foot <= 3 * long { foot_on(from, to, c) } else { middle(a, b) };
    let p = inwards(from, to, near);
    (orient(a, p, c) > 0 && orient(p, b, c) > 0).then_some(p)
}

/// Half the width of the least circle around a triangle, squared.
pub(super) fn reach_squared(flat: &Flat, t: u32) -> f64 {
    let h = 3 * t;
    let mut sides = [h, h + 1, h + 2].map(|h| flat.square(h));
    sides.sort_unstable();
    let [a, b, c] = sides;
    if a + b <= c {
        return c as f64 / 4.0;
    }
    let area = flat.area_doubled(t) as f64;
    (a as f64 * b as f64) * c as f64 / (4.0 * area * area)
}

fn middle(a: Point, b: Point) -> Point {
    let half = |p: i32, q: i32| ((i64::from(p) + i64::from(q)).div_euclid(2)) as i32;
    Point::new(half(a.x, b.x), half(a.z, b.z))
}

/// The grid point nearest to the foot of `c` on the line through `a` and `b`.
pub(super) fn foot_on(a: Point, b: Point, c: Point) -> Point {
    let (bx, bz) = (i128::from(b.x) - i128::from(a.x), i128::from(b.z) - i128::from(a.z));
    let (cx, cz) = (i128::from(c.x) - i128::from(a.x), i128::from(c.z) - i128::from(a.z));
    let (dot, long) = (bx * cx + bz * cz, (bx * bx + bz * bz).max(1));
    let part = |d: i128| (2 * d * dot + long).div_euclid(2 * long) as i32;
    Point::new(a.x + part(bx), a.z + part(bz))
}

/// The nearest grid point to the left of or on the line from `a` to `b`: within the ground.
pub(super) fn inwards(a: Point, b: Point, p: Point) -> Point {
    if orient(a, b, p) >= 0 {
        return p;
    }
    let mut best: Option<(i64, Point)> = None;
    for x in -1..=1 {
        for z in -1..=1 {
            let q = Point::new(p.x + x, p.z + z);
            if orient(a, b, q) >= 0 {
                let key = (orient(a, b, q), q);
                best = Some(best.map_or(key, |b| b.min(key)));
            }
        }
    }
    best.map_or(p, |b| b.1)
}
