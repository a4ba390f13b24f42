//! Triangles against brute force.

use navbake_geom::{
    Delaunay, NO_EDGE, NO_TRIANGLE, Point, TriangulateError, in_circle, on_segment, orient,
    ring_area, triangulate,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn p(x: i32, z: i32) -> Point {
    Point::new(x, z)
}

/// A ring's points, counter-clockwise seen from above for a square.
fn square(x: i32, z: i32, side: i32) -> Vec<Point> {
    vec![p(x, z), p(x, z + side), p(x + side, z + side), p(x + side, z)]
}

fn rings(rings: &[Vec<Point>]) -> (Vec<Point>, Vec<[u32; 2]>) {
    let (mut points, mut edges) = (Vec::new(), Vec::new());
    for ring in rings {
        let (base, n) = (points.len() as u32, ring.len() as u32);
        edges.extend((0..n).map(|i| [base + i, base + (i + 1) % n]));
        points.extend(ring);
    }
    (points, edges)
}

/// What triangles promise, by a slow method.
fn check(points: &[Point], edges: &[[u32; 2]], triangles: &[[u32; 3]]) {
    let at = |v: u32| points[v as usize];
    let mut area = 0;
    let mut sides = BTreeMap::new();
    for t in triangles {
        let [a, b, c] = t.map(at);
        assert!(orient(a, b, c) > 0, "{a:?} {b:?} {c:?}");
        area += orient(a, b, c);
        for (u, v, w) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert!(sides.insert((u, v), w).is_none(), "{u:?} {v:?} twice");
        }
    }
    assert!(triangles.windows(2).all(|w| w[0] < w[1]));
    assert!(triangles.iter().all(|t| t[0] < t[1] && t[0] < t[2]));
    // Edges against any one point: the area to the left of closed rings.
    let enclosed: i64 = edges.iter().map(|&[a, b]| orient(p(0, 0), at(a), at(b))).sum();
    assert_eq!(area, enclosed);
    // A side without a mate is on an edge in its direction; every edge is covered by sides.
    let mut covered = vec![0i64; edges.len()];
    let length = |a: Point, b: Point| i64::from(a.x - b.x).abs() + i64::from(a.z - b.z).abs();
    let mut constrained = BTreeSet::new();
    for &(u, v) in sides.keys() {
        for (i, &[a, b]) in edges.iter().enumerate() {
            let (a, b) = (at(a), at(b));
            let along = i64::from(b.x - a.x) * i64::from(v.x - u.x)
                + i64::from(b.z - a.z) * i64::from(v.z - u.z);
            if on_segment(a, b, u) && on_segment(a, b, v) && along > 0 {
                covered[i] += length(u, v);
                constrained.insert((u, v));
            }
        }
        assert!(sides.contains_key(&(v, u)) || constrained.contains(&(u, v)), "{u:?} {v:?}");
    }
    for (i, &[a, b]) in edges.iter().enumerate() {
        assert_eq!(covered[i], length(at(a), at(b)), "edge {i}");
    }
    for (&(u, v), &w) in &sides {
        if constrained.contains(&(u, v)) {
            continue;
        }
        let d = sides[&(v, u)];
        let sign = in_circle(u, v, w, d);
        assert!(sign <= 0, "{u:?} {v:?} {w:?} {d:?} is not Delaunay");
        let tie = lifted(u, v, w, d);
        assert!(
            sign < 0 || tie < 0 || (tie == 0 && w.min(d) >= u.min(v)),
            "another diagonal comes first"
        );
    }
}

/// Of four points on one circle: is the fourth below the plane of the others (1) or above it (-1)
/// when places are lifted to 65536 x² + 40501 x z?
fn lifted(a: Point, b: Point, c: Point, d: Point) -> i128 {
    let rows = [a, b, c].map(|p| {
        let (x, z) = (i128::from(p.x - d.x), i128::from(p.z - d.z));
        [z, x, 65_536 * x * x + 40_501 * x * z]
    });
    let minor = |p: [i128; 3], q: [i128; 3]| p[0] * q[1] - p[1] * q[0];
    let [a, b, c] = rows;
    (a[2] * minor(b, c) + b[2] * minor(c, a) + c[2] * minor(a, b)).signum()
}

#[test]
fn a_hole_stays_empty() {
    let mut hole = square(2, 2, 3);
    hole.reverse();
    let (points, edges) = rings(&[square(0, 0, 10), hole]);
    let t = triangulate(&points, &edges).unwrap();
    check(&points, &edges, &t);
}

#[test]
fn rings_may_touch_in_vertices() {
    // Two outer rings in one corner, a ring through one place twice, a hole in two vertices of its
    // outer ring.
    let pinched =
        vec![p(20, 0), p(20, 4), p(24, 4), p(24, 8), p(28, 8), p(28, 4), p(24, 4), p(24, 0)];
    let mut inner = vec![p(44, 40), p(40, 44), p(42, 46)];
    if ring_area(&inner) > 0 {
        inner.reverse();
    }
    let (points, edges) = rings(&[
        square(0, 0, 10),
        square(10, 10, 5),
        pinched,
        vec![p(40, 40), p(40, 44), p(40, 50), p(50, 50), p(50, 40), p(44, 40)],
        inner,
    ]);
    check(&points, &edges, &triangulate(&points, &edges).unwrap());
}

#[test]
fn islands_in_holes_are_ground() {
    let mut hole = square(2, 2, 20);
    hole.reverse();
    let (points, edges) = rings(&[square(0, 0, 30), hole, square(5, 5, 5)]);
    check(&points, &edges, &triangulate(&points, &edges).unwrap());
}

#[test]
fn a_point_on_an_edge_cuts_it() {
    let (mut points, edges) = rings(&[square(0, 0, 10)]);
    points.extend([p(0, 5), p(0, 3), p(10, 1), p(4, 4), p(30, 30)]);
    let t = triangulate(&points, &edges).unwrap();
    check(&points, &edges, &t);
    assert!(t.iter().flatten().all(|&v| v != 8));
    assert!((4..8).all(|v| t.iter().flatten().any(|&w| w == v)));
}

#[test]
fn a_point_given_twice_counts_once() {
    let points = [p(0, 0), p(0, 4), p(4, 4), p(0, 0), p(4, 4), p(4, 0)];
    let edges = [[0, 1], [1, 2], [4, 5], [5, 3], [0, 3]];
    let t = triangulate(&points, &edges).unwrap();
    assert_eq!(t, [[0, 1, 5], [1, 2, 5]]);
}

#[test]
fn a_crease_stays_an_edge() {
    let (points, mut edges) = rings(&[vec![p(0, 0), p(0, 2), p(9, 2), p(9, 0)]]);
    edges.extend([[0, 2], [2, 0]]);
    let t = triangulate(&points, &edges).unwrap();
    check(&points, &edges, &t);
}

#[test]
fn nothing_gives_nothing() {
    assert_eq!(triangulate(&[], &[]), Ok(vec![]));
    assert_eq!(triangulate(&[p(1, 1)], &[]), Ok(vec![]));
    assert_eq!(triangulate(&square(0, 0, 5), &[]), Ok(vec![]));
}

#[test]
fn crossing_edges_are_named() {
    let (points, edges) = rings(&[square(0, 0, 10), square(5, 5, 10)]);
    assert!(matches!(triangulate(&points, &edges), Err(TriangulateError::Cross { .. })));
    let bow = vec![p(0, 0), p(10, 10), p(10, 0), p(0, 10)];
    let (points, edges) = rings(&[bow]);
    let error = triangulate(&points, &edges).unwrap_err();
    let TriangulateError::Cross { first, second } = error else { panic!("{error}") };
    assert_eq!(
        orient(first[0], first[1], second[0]).signum(),
        -orient(first[0], first[1], second[1]).signum()
    );
}

#[test]
fn bad_edges_are_errors() {
    let points = square(0, 0, 10);
    assert!(matches!(
        triangulate(&points, &[[0, 9]]),
        Err(TriangulateError::NoSuchPoint { index: 9, .. })
    ));
    assert!(matches!(triangulate(&points, &[[0, 1], [1, 2]]), Err(TriangulateError::Open { .. })));
    assert!(matches!(
        triangulate(&points, &[[0, 1], [1, 2], [2, 3]]),
        Err(TriangulateError::Open { .. })
    ));
    let backwards = [[1, 0], [2, 1], [3, 2], [0, 3]];
    assert!(matches!(triangulate(&points, &backwards), Err(TriangulateError::Open { .. })));
    let twice = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 1]];
    assert!(matches!(triangulate(&points, &twice), Err(TriangulateError::Overlap { .. })));
    assert!(matches!(
        triangulate(&[p(0, 0), p(1 << 25, 0)], &[]),
        Err(TriangulateError::OutOfRange { .. })
    ));
    let line = [p(0, 0), p(0, 5), p(0, 9)];
    assert!(triangulate(&line, &[[0, 1], [1, 2], [2, 0]]).is_err());
}

/// Rings of a set of cells: square sides with the ground to the left, joined at each place as
/// `turn_left` says.
fn cell_rings(cells: &BTreeSet<(i32, i32)>, scale: i32, turn_left: bool) -> Vec<Vec<Point>> {
    let mut out: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for &(x, z) in cells {
        let c = [p(x, z), p(x, z + 1), p(x + 1, z + 1), p(x + 1, z)];
        let beyond = [(x - 1, z), (x, z + 1), (x + 1, z), (x, z - 1)];
        for k in 0..4 {
            if !cells.contains(&beyond[k]) {
                out.entry(c[k]).or_default().push(c[(k + 1) % 4]);
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((&start, _)) = out.iter().find(|(_, v)| !v.is_empty()) {
        let mut ring = vec![start];
        let mut before = start;
        let mut here = out.get_mut(&start).unwrap().pop().unwrap();
        while here != start || out[&here].len() > 1 {
            ring.push(here);
            let ways = out.get_mut(&here).unwrap();
            let k =
                ways.iter().position(|&w| (orient(before, here, w) > 0) == turn_left).unwrap_or(0);
            (before, here) = (here, ways.remove(k));
            if here == start && out[&here].is_empty() {
                break;
            }
        }
        rings.push(ring.iter().map(|q| p(q.x * scale, q.z * scale)).collect());
    }
    rings
}

proptest! {
    #[test]
    fn cells_are_covered_exactly(
        bits in prop::collection::vec(any::<bool>(), 64),
        scale in 1i32..5,
        turn in any::<bool>(),
        extra in prop::collection::vec((0i32..40, 0i32..40), 0..30),
    ) {
        let cells: BTreeSet<(i32, i32)> = (0..64).filter(|&i| bits[i as usize]).map(|i| (i % 8, i / 8)).collect();
        let (mut points, edges) = rings(&cell_rings(&cells, scale, turn));
        points.extend(extra.iter().map(|&(x, z)| p(x, z)));
        let t = triangulate(&points, &edges).unwrap();
        check(&points, &edges, &t);
        let twice = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            orient(a, b, c)
        };
        let area: i64 = t.iter().map(twice).sum();
        prop_assert_eq!(area, 2 * cells.len() as i64 * i64::from(scale) * i64::from(scale));
    }

    #[test]
    fn a_polygon_around_a_point_is_covered_exactly(
        mut around in prop::collection::btree_set((-3000i32..3000, -3000i32..3000), 6..40),
        far in any::<bool>(),
    ) {
        around.remove(&(0, 0));
        // Sorted by angle around the origin, one a direction: a star-shaped ring when the origin is
        // inside.
        let mut star: Vec<Point> = around.iter().map(|&(x, z)| p(x, z)).collect();
        let upper = |q: &Point| q.z < 0 || (q.z == 0 && q.x < 0);
        star.sort_by(|a, b| upper(a).cmp(&upper(b)).then_with(|| 0.cmp(&orient(p(0, 0), *a, *b))));
        star.dedup_by(|a, b| orient(p(0, 0), *a, *b) == 0 && upper(a) == upper(b));
        let n = star.len();
        if n < 3 || (0..n).any(|i| orient(p(0, 0), star[i], star[(i + 1) % n]) <= 0) {
            return Ok(());
        }
        if far {
            for q in &mut star {
                *q = p(q.x * 11_000, q.z * 11_000);
            }
        }
        let (points, edges) = rings(&[star]);
        check(&points, &edges, &triangulate(&points, &edges).unwrap());
    }

    #[test]
    fn soups_of_edges_give_an_answer(
        points in prop::collection::vec((0i32..6, 0i32..6), 1..14),
        edges in prop::collection::vec((0u32..14, 0u32..14), 0..14),
    ) {
        let points: Vec<Point> = points.iter().map(|&(x, z)| p(x, z)).collect();
        let edges: Vec<[u32; 2]> = edges.iter().map(|&(a, b)| [a, b]).collect();
        if let Ok(t) = triangulate(&points, &edges) {
            let at = |v: u32| points[v as usize];
            let edges: Vec<[u32; 2]> = edges.into_iter().filter(|e| at(e[0]) != at(e[1])).collect();
            check(&points, &edges, &t);
        }
    }

    #[test]
    fn added_points_change_nothing_but_the_cut(
        bits in prop::collection::vec(any::<bool>(), 25),
        turn in any::<bool>(),
        extra in prop::collection::vec((0i32..51, 0i32..51), 0..40),
    ) {
        let cells: BTreeSet<(i32, i32)> = (0..25).filter(|&i| bits[i as usize]).map(|i| (i % 5, i / 5)).collect();
        let (points, edges) = rings(&cell_rings(&cells, 10, turn));
        let mut mesh = Delaunay::new(&points, &edges).unwrap();
        for (x, z) in extra {
            let q = p(x, z);
            let within = (0..mesh.triangles().len() as u32).find(|&t| {
                let [a, b, c] = mesh.corners(t);
                orient(a, b, q) >= 0 && orient(b, c, q) >= 0 && orient(c, a, q) >= 0
            });
            if let Some(t) = within {
                let corner = mesh.corners(t).contains(&q);
                prop_assert_eq!(mesh.insert(t, q).is_empty(), corner);
            }
        }
        for (t, n) in mesh.neighbours().iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (mesh.corners(t as u32)[k], mesh.corners(t as u32)[(k + 1) % 3]);
                if n[k] == NO_TRIANGLE {
                    let [c, d] = edges[mesh.edges()[t][k] as usize].map(|v| points[v as usize]);
                    prop_assert!(on_segment(c, d, a) && on_segment(c, d, b));
                } else {
                    let j = mesh.neighbours()[n[k] as usize].iter().position(|&m| m as usize == t).unwrap();
                    let other = mesh.corners(n[k]);
                    prop_assert_eq!((other[j], other[(j + 1) % 3]), (b, a));
                    prop_assert_eq!(mesh.edges()[t][k], NO_EDGE);
                }
            }
        }
        let all = mesh.points().to_vec();
        let t = mesh.into_triangles();
        check(&all, &edges, &t);
        prop_assert_eq!(triangulate(&all, &edges).unwrap(), t);
    }
}
