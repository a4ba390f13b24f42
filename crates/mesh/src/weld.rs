//! Welding the loose ends of a designer's floor: corners that were meant to be one.

use std::collections::{BTreeMap, HashMap};

use navbake_geom::{Point, Point3, orient};

use crate::fan::{Corners, edges_by_ends};

/// Corners this near to each other are welded, and corners this near to an edge are on it, in grid
/// units along x and z (and in height, for welding).
pub(crate) const NEAR: i32 = 2;

/// Edges (as corners from, to) of which no edge runs back between exactly the same corners:
/// (triangle, edge).
pub(crate) fn loose_edges(triangles: &[Corners]) -> Vec<(usize, usize)> {
    let edges = edges_by_ends(triangles.iter().copied());
    let mut loose = vec![];
    for run in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if run.iter().all(|e| e.2 & 1 == run[0].2 & 1) {
            loose.extend(run.iter().map(|e| (e.2 as usize / 6, e.2 as usize / 2 % 3)));
        }
    }
    loose.sort_unstable();
    loose
}

/// Moves ends of loose edges within [`NEAR`] of each other to one place, the least of them.
///
/// Where a triangle would lose its area its corners stay.
pub(crate) fn weld(triangles: &mut [Corners]) {
    let mut ends: Vec<Point3> = loose_edges(triangles)
        .into_iter()
        .flat_map(|(t, k)| [triangles[t][k], triangles[t][(k + 1) % 3]])
        .collect();
    ends.sort_unstable_by_key(|p| (p.x, p.z, p.y));
    ends.dedup();

    // The first place of each neighbourhood represents those after it. The table is never iterated.
    let cell = |x: i32, z: i32| (x.div_euclid(NEAR + 1), z.div_euclid(NEAR + 1));
    let mut stands: HashMap<(i32, i32), Vec<Point>> = HashMap::new();
    let mut heights: BTreeMap<Point, Vec<Point3>> = BTreeMap::new();
    for run in ends.chunk_by(|a, b| a.flat() == b.flat()) {
        let p = run[0].flat();
        let (cx, cz) = cell(p.x, p.z);
        let apart = |q: &Point| (p.x.abs_diff(q.x), p.z.abs_diff(q.z));
        let nearest = (-1..=1)
            .flat_map(|dx| (-1..=1).map(move |dz| (cx + dx, cz + dz)))
            .filter_map(|c| stands.get(&c))
            .flatten()
            .filter(|q| apart(q).0.max(apart(q).1) <= NEAR as u32)
            .min_by_key(|q| (apart(q).0.pow(2) + apart(q).1.pow(2), **q))
            .copied();
        let place = nearest.unwrap_or_else(|| {
            stands.entry((cx, cz)).or_default().push(p);
            p
        });
        heights.entry(place).or_default().extend(run);
    }
    // Heights at one place, from the lowest up.
    let mut moved: HashMap<Point3, Point3> = HashMap::new();
    for (place, mut points) in heights {
        points.sort_unstable_by_key(|p| (p.y, p.x, p.z));
        let mut y = points[0].y;
        for p in points {
            if p.y - y > NEAR {
                y = p.y;
            }
            if p != place.at(y) {
                moved.insert(p, place.at(y));
            }
        }
    }
    for _ in 0..16 {
        let target = |p: &Point3| moved.get(p).copied().unwrap_or(*p);
        let failed: Vec<Corners> = triangles
            .iter()
            .filter(|c| {
                let [a, b, c] = [0, 1, 2].map(|k| target(&c[k]).flat());
                orient(a, b, c) <= 0
            })
            .copied()
            .collect();
        if failed.is_empty() {
            for c in triangles.iter_mut() {
                *c = [0, 1, 2].map(|k| target(&c[k]));
            }
            return;
        }
        for p in failed.iter().flatten() {
            moved.remove(p);
        }
    }
}
