//! Moves cuts so that fewer convex polygons are left than a greedy merge leaves.
//!
//! A greedy merge never takes back a decision. Two local moves do: a small polygon is shared out
//! between two neighbours, and a cut is turned around one of its corners so that a part fits to a
//! neighbour. Each move is made only where a polygon disappears.

use crate::NONE;
use crate::faces::Faces;

/// Polygons with more corners are not tried by [`share_out`].
const SHARED_OUT: u32 = 6;

/// Two polygons with more corners together are not tried by [`turn_cuts`].
const TURNED: u32 = 16;

/// The edges of a face, and what [`Faces::may_unite`] says of each. Are there two neighbours that
/// may take a part?
///
/// Edges begin at the corner with the least vertex, so that the result does not depend on how the
/// face was made.
pub(crate) fn neighbours_that_take(
    faces: &Faces,
    face: u32,
    edges: &mut Vec<u32>,
    takes: &mut Vec<[bool; 3]>,
) -> bool {
    edges.clear();
    edges.extend(faces.around(face));
    let least = (0..edges.len()).min_by_key(|&k| faces.origin[edges[k] as usize]).unwrap_or(0);
    edges.rotate_left(least);
    takes.clear();
    takes.extend(edges.iter().map(|&h| faces.may_unite(h)));
    takes.iter().filter(|t| t[0]).count() >= 2
}

/// Cuts small polygons along a diagonal and gives the two parts to two neighbours, where both
/// unions are allowed. Was there any?
pub(crate) fn share_out(faces: &mut Faces) -> bool {
    let mut edges = vec![];
    let mut takes = vec![];
    let mut done = false;
    for face in 0..faces.edge_of.len() as u32 {
        let n = faces.corners[face as usize] as usize;
        if faces.edge_of[face as usize] == NONE || !(4..=SHARED_OUT as usize).contains(&n) {
            continue;
        }
        if !neighbours_that_take(faces, face, &mut edges, &mut takes) {
            continue;
        }
        // Over edges between these corners, at which the part turns less than the face: is there
        // one to a neighbour that may take it?
        let goes = |from: usize, to: usize| {
            (from..to).any(|k| {
                let [leads, begins, ends] = takes[k % n];
                leads && (begins || k == from) && (ends || k + 1 == to)
            })
        };
        'diagonals: for i in 0..n {
            for j in i + 2..n.min(i + n - 1) {
                if !goes(i, j) || !goes(j, i + n) {
                    continue;
                }
                let whole = faces.split(edges[i], edges[j]);
                if let Some((a, b)) = takers(faces, &edges, i, j) {
                    for h in [a, b] {
                        if faces.is_live(h)
                            && let Some(slab) = faces.union_across(h)
                        {
                            faces.dissolve(h, slab, &mut |_, _| {});
                        }
                    }
                    done = true;
                    break 'diagonals;
                }
                faces.unsplit(whole);
            }
        }
    }
    done
}

/// Of a face just cut from corner `i` to corner `j`: an edge of each part over which it may be
/// merged, into two different faces.
pub(crate) fn takers(faces: &Faces, edges: &[u32], i: usize, j: usize) -> Option<(u32, u32)> {
    let parts = [faces.face[edges[i] as usize], faces.face[edges[j] as usize]];
    if !parts.iter().all(|&f| faces.has_area(f)) {
        return None;
    }
    let taker = |part: usize, not: u32| {
        edges.iter().copied().find(|&h| {
            let t = faces.twin[h as usize];
            faces.face[h as usize] == parts[part]
                && t != NONE
                && faces.face[t as usize] != not
                && !parts.contains(&faces.face[t as usize])
                && faces.union_across(h).is_some()
        })
    };
    let beyond = |h: u32| faces.face[faces.twin[h as usize] as usize];
    let a = taker(0, NONE)?;
    if let Some(b) = taker(1, beyond(a)) {
        return Some((a, b));
    }
    let b = taker(1, NONE)?;
    let a = taker(0, beyond(b))?;
    Some((a, b))
}

/// Turns a cut between two polygons around the one corner that needs it, where one of the two parts
/// can then be merged with a third polygon. Was there any?
///
/// A cut that two corners need cannot be turned, and one that no corner needs was dissolved before.
pub(crate) fn turn_cuts(faces: &mut Faces) -> bool {
    let mut ring = vec![];
    let mut done = false;
    for h in 0..faces.next.len() as u32 {
        if faces.is_live(h) && faces.is_level_portal(h) && h < faces.twin[h as usize] {
            done |= turn_cut(faces, h, &mut ring);
        }
    }
    done
}

fn turn_cut(faces: &mut Faces, h: u32, ring: &mut Vec<u32>) -> bool {
    let t = faces.twin[h as usize];
    let corners = |h: u32| faces.corners[faces.face[h as usize] as usize];
    let n = (corners(h) + corners(t)) as usize - 2;
    let fixed = |h: u32| faces.is_fixed(faces.face[h as usize]);
    if n > TURNED as usize || fixed(h) || fixed(t) {
        return false;
    }
    // Both edges of the cut from the corner that is not convex without it: `h` begins there.
    let convex = |h: u32, t: u32| faces.turns_left(faces.prev[h as usize], faces.next[t as usize]);
    let (h, t) = match (convex(h, t), convex(t, h)) {
        (false, true) => (h, t),
        (true, false) => (t, h),
        _ => return false,
    };
    // Both parts stay two where there is no third.
    let around = |h: u32| faces.around(faces.face[h as usize]);
    let leads = |e: u32| faces.twin[e as usize] != NONE && e != h && e != t;
    if !around(h).any(leads) && !around(t).any(leads) {
        return false;
    }
    // All edges around both, from that corner on.
    ring.clear();
    let mut e = faces.next[t as usize];
    while e != t {
        ring.push(e);
        e = faces.next[e as usize];
    }
    e = faces.next[h as usize];
    while e != h {
        ring.push(e);
        e = faces.next[e as usize];
    }
    let old = corners(t) as usize - 1;
    let mut turns = (2..n - 1).filter(|&j| j != old && faces.cuts(ring, j)).peekable();
    if turns.peek().is_none() {
        return false;
    }
    let turns: Vec<usize> = turns.collect();
    let Some(undo) = faces.unite(h) else {
        return false;
    };
    for j in turns {
        let whole = faces.split(ring[0], ring[j]);
        let taker = ring.iter().copied().find_map(|e| faces.union_across(e).map(|slab| (e, slab)));
        if let Some((e, slab)) = taker {
            faces.dissolve(e, slab, &mut |_, _| {});
            faces.forget(h);
            return true;
        }
        faces.unsplit(whole);
    }
    faces.part(h, undo);
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BinaryHeap;

    use navbake_geom::{Delaunay, NO_TRIANGLE, Point};
    use proptest::prelude::*;

    use super::*;
    use crate::MergeSettings;
    use crate::PolygonMesh;
    use crate::merge::{longest_first, polygons};

    /// The triangles of a star with a hole in it, with heights from a function.
    fn triangles(reach: &[i32], hole: bool, height: impl Fn(Point) -> i32) -> PolygonMesh {
        let n = reach.len();
        let around = |r: i32, i: usize| {
            // Around a square in even steps.
            let t = 8000 * i as i64 / n as i64;
            let (side, along) = (t / 2000, t % 2000 - 1000);
            let (x, z) =
                [(1000, -along), (-along, -1000), (-1000, along), (along, 1000)][side as usize];
            let at = |d: i64| (d * i64::from(r) / 1000) as i32;
            Point::new(at(x), at(z))
        };
        let mut points: Vec<Point> = (0..n).map(|i| around(reach[i], i)).collect();
        let mut edges: Vec<[u32; 2]> = (0..n).map(|i| [i as u32, ((i + 1) % n) as u32]).collect();
        if hole {
            points.extend((0..n).map(|i| around(60 + reach[n - 1 - i] / 20, i)));
            edges.extend((0..n).map(|i| [(n + (i + 1) % n) as u32, (n + i) as u32]));
        }
        let flat = Delaunay::new(&points, &edges).unwrap();
        PolygonMesh {
            vertices: points.iter().map(|&p| p.at(height(p))).collect(),
            first_edge: (0..=flat.triangles().len() as u32).map(|t| 3 * t).collect(),
            corners: flat.triangles().concat(),
            neighbours: (flat.neighbours().iter().flatten())
                .map(|&t| if t == NO_TRIANGLE { NONE } else { t })
                .collect(),
            ..PolygonMesh::default()
        }
    }

    fn live(faces: &Faces) -> usize {
        faces.edge_of.iter().filter(|&&e| e != NONE).count()
    }

    /// Merged greedily, and how many faces fewer there are once cuts were turned.
    fn turned(mesh: &PolygonMesh, limit: f64) -> usize {
        let mut faces = Faces::new(mesh, &MergeSettings::default());
        faces.limit = limit;
        longest_first(&mut faces, &mut BinaryHeap::new());
        let greedy = live(&faces);
        let mut was = greedy;
        while turn_cuts(&mut faces) {
            let now = live(&faces);
            assert!(now < was, "a turn saves a polygon at least");
            was = now;
        }
        let result = polygons(mesh, &faces).mesh;
        assert_eq!(result.check(), Ok(()));
        assert_eq!(result.len(), was);
        assert_eq!(result.area_doubled(), mesh.area_doubled());
        for face in (0..faces.edge_of.len()).filter(|&f| faces.edge_of[f] != NONE) {
            assert!(faces.slabs[face].thickness() <= limit);
        }
        greedy - was
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn turned_cuts_leave_fewer_convex_polygons_of_the_same_ground(
            reach in prop::collection::vec(500i32..2000, 12..40),
            hole: bool,
            bumps in 0i32..400,
        ) {
            let mesh = triangles(&reach, hole, |_| 0);
            turned(&mesh, f64::INFINITY);
            let rough = triangles(&reach, hole, |p| (p.x / 7 + p.z / 3).rem_euclid(bumps + 1));
            turned(&rough, 102.0);
        }
    }

    #[test]
    fn there_are_cuts_to_turn() {
        let mut saved = 0;
        for k in 0..40i32 {
            let reach: Vec<i32> =
                (0..24i32).map(|i| 500 + (i * i * 37 + i * k * 61 + k * 101) % 1500).collect();
            saved += turned(&triangles(&reach, k % 2 == 0, |_| 0), f64::INFINITY);
        }
        assert!(saved > 10, "{saved}");
    }
}
