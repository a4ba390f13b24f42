//! Simplified borders against slow, plain oracles.

use navbake_geom::{Point, direction, on_segment, orient, ring_area};
use navbake_walkable::Ring;
use proptest::prelude::*;

use super::lost::near_segment;
use super::simplify;

fn p(x: i32, z: i32) -> Point {
    Point::new(x, z)
}

fn closed(points: Vec<Point>) -> Ring {
    Ring { open: vec![false; points.len()], points }
}

fn edges(rings: &[Ring]) -> Vec<(Point, Point, bool)> {
    rings
        .iter()
        .flat_map(|r| {
            let n = r.points.len();
            (0..n).map(move |i| (r.points[i], r.points[(i + 1) % n], r.open[i]))
        })
        .collect()
}

/// Is the place, in halves of a unit, on the border (0), in the ground (1) or outside (-1)?
///
/// By counting turns.
fn side(rings: &[Ring], x2: i64, z2: i64) -> i32 {
    let mut winding = 0;
    for (a, b, _) in edges(rings) {
        let (ax, az) = (2 * i64::from(a.x) - x2, 2 * i64::from(a.z) - z2);
        let (bx, bz) = (2 * i64::from(b.x) - x2, 2 * i64::from(b.z) - z2);
        let cross = az * bx - ax * bz;
        if cross == 0 && ax * bx <= 0 && az * bz <= 0 {
            return 0;
        }
        if (az <= 0) != (bz <= 0) {
            // Up is towards negative z.
            let down = bz > az;
            if down && cross < 0 {
                winding -= 1;
            } else if !down && cross > 0 {
                winding += 1;
            }
        }
    }
    if winding > 0 { 1 } else { -1 }
}

fn cross_properly(a: Point, b: Point, c: Point, d: Point) -> bool {
    orient(a, b, c).signum() * orient(a, b, d).signum() < 0
        && orient(c, d, a).signum() * orient(c, d, b).signum() < 0
}

/// The place of a segment that is nearest to a point, rounded.
fn nearest(q: Point, a: Point, b: Point) -> Point {
    let [d, e] = [(a, b), (a, q)].map(|(s, t)| [t.x - s.x, t.z - s.z].map(f64::from));
    let t = ((d[0] * e[0] + d[1] * e[1]) / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
    p(a.x + (t * d[0]).round() as i32, a.z + (t * d[1]).round() as i32)
}

/// Everything that is promised, by brute force.
fn check(old: &[Ring], new: &[Ring], tolerance: i32) {
    let (before, after) = (edges(old), edges(new));
    // Never out of the ground: corners and middles of new edges are on or in it, and no edge
    // crosses the old border.
    for &(a, b, _) in &after {
        let twice = |q: Point| (2 * i64::from(q.x), 2 * i64::from(q.z));
        let middle = (i64::from(a.x) + i64::from(b.x), i64::from(a.z) + i64::from(b.z));
        for (x, z) in [twice(a), middle] {
            assert!(side(old, x, z) >= 0, "{a:?} {b:?} leaves the ground");
        }
        for &(c, d, _) in &before {
            assert!(!cross_properly(a, b, c, d), "{a:?} {b:?} crosses {c:?} {d:?}");
        }
    }
    // Within the tolerance: all places of lost ground are that near to the old border, and so are
    // those of new edges. A place between grid points is rounded.
    let near_old = |q: Point| before.iter().any(|e| near_segment(q, e.0, e.1, tolerance + 2));
    for &(a, b, _) in &after {
        for k in 0..=16 {
            let at = |s: i32, t: i32| s + ((i64::from(t) - i64::from(s)) * k / 16) as i32;
            let q = p(at(a.x, b.x), at(a.z, b.z));
            assert!(near_old(q), "{q:?} of {a:?} {b:?} is deep in the ground");
        }
    }
    let all = || old.iter().flat_map(|r| &r.points);
    let span = |of: fn(&Point) -> i32| (all().map(of).min().unwrap(), all().map(of).max().unwrap());
    let ((x0, x1), (z0, z1)) = (span(|p| p.x), span(|p| p.z));
    for i in 0..=32 {
        for j in 0..=32 {
            let q = p(x0 + (x1 - x0) * i / 32, z0 + (z1 - z0) * j / 32);
            let at = |rings: &[Ring]| side(rings, 2 * i64::from(q.x), 2 * i64::from(q.z));
            if !near_old(q) && at(old) > 0 {
                assert!(at(new) >= 0, "{q:?} is lost");
            }
        }
    }
    // Many places of the old border have a new edge near them, unless their ring was dropped or
    // they are on a tip: between two sides of the old border that are within the tolerance.
    for ring in old {
        if !ring.open.contains(&true) && ring_area(&ring.points) > 0 && is_gone(ring, new) {
            continue;
        }
        for (a, b, _) in edges(std::slice::from_ref(ring)) {
            for k in 0..=16 {
                let at = |s: i32, t: i32| s + ((i64::from(t) - i64::from(s)) * k / 16) as i32;
                let q = p(at(a.x, b.x), at(a.z, b.z));
                let near = |e: &(Point, Point, bool)| near_segment(q, e.0, e.1, tolerance + 2);
                // Ground, and no corner alone, is between the two sides of a tip. At its end there
                // is none: a place beside it is looked at.
                let beside = |s: i32, t: i32| {
                    s + ((i64::from(t) - i64::from(s)) * k.clamp(1, 15) / 16) as i32
                };
                let r = p(beside(a.x, b.x), beside(a.z, b.z));
                let is_tip = before.iter().filter(|e| (e.0, e.1) != (a, b)).any(|e| {
                    let n = nearest(r, e.0, e.1);
                    let between = [r.x + n.x, r.z + n.z].map(i64::from);
                    near_segment(r, e.0, e.1, tolerance + 2)
                        && side(old, between[0], between[1]) > 0
                });
                assert!(is_tip || after.iter().any(near), "{q:?} of {a:?} {b:?} is left alone");
            }
        }
    }
    // Open edges keep their place, and are the same together.
    for &(a, b, _) in after.iter().filter(|e| e.2) {
        let length: i64 = before
            .iter()
            .filter(|e| e.2 && on_segment(a, b, e.0) && on_segment(a, b, e.1))
            .filter(|e| super::dot(direction(e.0, e.1), direction(a, b)) > 0)
            .map(|e| i64::from(e.0.x.abs_diff(e.1.x)) + i64::from(e.0.z.abs_diff(e.1.z)))
            .sum();
        let whole = i64::from(a.x.abs_diff(b.x)) + i64::from(a.z.abs_diff(b.z));
        assert_eq!(length, whole, "{a:?} {b:?} is not the open border that it was");
    }
    for &(a, b, _) in before.iter().filter(|e| e.2) {
        let kept =
            |e: &&(Point, Point, bool)| e.2 && on_segment(e.0, e.1, a) && on_segment(e.0, e.1, b);
        assert!(after.iter().any(|e| kept(&e)), "{a:?} {b:?} is no longer open");
    }
    // Holes survive and rings stay what they were.
    let holes = |rings: &[Ring]| rings.iter().filter(|r| ring_area(&r.points) < 0).count();
    assert_eq!(holes(old), holes(new));
    assert!(new.iter().all(|r| r.points.len() == r.open.len()));
    // Simple and apart: edges meet in corners that the old border had in common, nowhere else.
    for (i, &(a, b, _)) in after.iter().enumerate() {
        for &(c, d, _) in &after[..i] {
            assert!(!cross_properly(a, b, c, d), "{a:?} {b:?} crosses {c:?} {d:?}");
            for (q, e, f) in [(a, c, d), (b, c, d), (c, a, b), (d, a, b)] {
                let touches = on_segment(e, f, q) && q != e && q != f;
                assert!(!touches, "{q:?} is on {e:?} {f:?}");
            }
        }
    }
    let mut corners: Vec<Point> = new.iter().flat_map(|r| &r.points).copied().collect();
    corners.sort();
    for pair in corners.windows(2).filter(|w| w[0] == w[1]) {
        let uses = old.iter().flat_map(|r| &r.points).filter(|&&q| q == pair[0]);
        assert!(uses.count() > 1, "{:?} twice", pair[0]);
    }
}

/// Is no corner of the new rings in the ring?
fn is_gone(ring: &Ring, new: &[Ring]) -> bool {
    let mut corners = new.iter().flat_map(|r| &r.points);
    !corners.any(|q| side(std::slice::from_ref(ring), 2 * i64::from(q.x), 2 * i64::from(q.z)) >= 0)
}

/// Each ring from its least corner on, and the rings sorted.
fn sorted(rings: &[Ring]) -> Vec<Vec<(Point, bool)>> {
    let mut all: Vec<Vec<(Point, bool)>> = rings
        .iter()
        .map(|r| {
            let mut ring: Vec<(Point, bool)> =
                r.points.iter().copied().zip(r.open.iter().copied()).collect();
            let least = (0..ring.len()).min_by_key(|&k| ring[k]).unwrap_or(0);
            ring.rotate_left(least);
            ring
        })
        .collect();
    all.sort();
    all
}

/// Offsets around a circle of 4096 units, twelve to the turn, counter-clockwise seen from above.
const TWELVE: [(i64, i64); 12] = [
    (4096, 0),
    (3547, -2048),
    (2048, -3547),
    (0, -4096),
    (-2048, -3547),
    (-3547, -2048),
    (-4096, 0),
    (-3547, 2048),
    (-2048, 3547),
    (0, 4096),
    (2048, 3547),
    (3547, 2048),
];

/// Corner `k` of a 12-gon around a centre.
fn around(x: i32, z: i32, radius: i32, k: usize) -> Point {
    let (dx, dz) = TWELVE[k % 12];
    let at = |c: i32, d: i64| c + (d * i64::from(radius) / 4096) as i32;
    p(at(x, dx), at(z, dz))
}

/// An obstacle's clearance: a hole in the ground, of four arcs of four corners around a rectangle.
fn hole(x: i32, z: i32, half: [i32; 2], radius: i32) -> Ring {
    let [u, v] = half;
    let mut points = vec![];
    for (q, (sx, sz)) in [(1, -1), (-1, -1), (-1, 1), (1, 1)].into_iter().enumerate() {
        for k in 3 * q..=3 * q + 3 {
            points.push(around(x + sx * u, z + sz * v, radius, k));
        }
    }
    points.reverse();
    points.dedup();
    closed(points)
}

fn square(half: i32) -> Ring {
    closed(vec![p(-half, -half), p(-half, half), p(half, half), p(half, -half)])
}

#[test]
fn an_arc_around_a_corner_has_fewer_corners() {
    let rings = [square(5000), hole(0, 0, [900, 700], 614)];
    assert_eq!(rings[1].points.len(), 16);
    for (tolerance, most) in [(51, 16), (102, 12), (205, 8), (410, 4)] {
        let result = simplify(&rings, tolerance);
        check(&rings, &result, tolerance);
        assert_eq!(result[0].points.len(), 4);
        assert!(result[1].points.len() <= most, "{tolerance}: {:?}", result[1]);
    }
}

#[test]
fn a_small_step_of_a_wall_goes() {
    // Ground below a wall with a step of 3 units, into the ground or out of it.
    for step in [3, -3] {
        let wall = [p(450, -4000 + step), p(250, -4000 + step), p(250, -4000), p(0, -4000)];
        let mut points = vec![p(0, 0), p(450, 0)];
        points.extend(wall);
        let rings = [closed(points)];
        assert!(ring_area(&rings[0].points) > 0);
        let result = simplify(&rings, 8);
        check(&rings, &result, 8);
        assert_eq!(result[0].points.len(), 4, "{:?}", result[0]);
    }
}

#[test]
fn a_long_strip_of_ground_is_worth_a_corner() {
    // A wall with a corner 80 units in front of the line between its ends; two wall lengths.
    for (half, corners) in [(500, 4), (20_000, 5)] {
        let wall = [p(2 * half, -9000), p(half, -9080), p(0, -9000)];
        let mut points = vec![p(0, 0), p(2 * half, 0)];
        points.extend(wall);
        let rings = [closed(points)];
        assert!(ring_area(&rings[0].points) > 0);
        let result = simplify(&rings, 100);
        check(&rings, &result, 100);
        assert_eq!(result[0].points.len(), corners, "{:?}", result[0]);
    }
}

#[test]
fn the_way_from_the_first_border_counts_not_that_of_each_step() {
    // A circle of many corners: step by step it could shrink to a triangle.
    let points: Vec<Point> = (0..360i32)
        .map(|i| {
            // Rational points of the circle.
            let (t, quarter) = (f64::from(i % 90) / 90.0, i / 90);
            let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            let (x, z) = ((c * 4000.0) as i32, (s * 4000.0) as i32);
            [p(x, -z), p(-z, -x), p(-x, z), p(z, x)][quarter as usize]
        })
        .collect();
    let disc = [closed(points.clone())];
    assert!(ring_area(&disc[0].points) > 0);
    for tolerance in [5, 20, 80, 320] {
        let result = simplify(&disc, tolerance);
        check(&disc, &result, tolerance);
        // And as a hole.
        let mut back = points.clone();
        back.reverse();
        let rings = [square(9000), closed(back)];
        let result = simplify(&rings, tolerance);
        check(&rings, &result, tolerance);
        assert!(result[1].points.len() < 120);
    }
}

#[test]
fn a_thin_wall_before_a_corner_keeps_it() {
    // A hole with a bevelled corner, whose sides would meet in (1000, 1000), and a wall far beyond
    // both ends of the bevel.
    let at = |wall: i32| {
        let hole = [p(-1000, -1000), p(1000, -1000), p(1000, 900), p(900, 1000), p(-1000, 1000)];
        let wall = [p(wall + 800, wall - 800), p(wall - 800, wall + 800)];
        [square(5000), closed(hole.to_vec()), closed(wall.to_vec())]
    };
    for (wall, corners) in [(970, 5), (1000, 5), (1001, 4)] {
        let rings = at(wall);
        assert!(ring_area(&rings[1].points) < 0);
        let result = simplify(&rings, 110);
        check(&rings, &result, 110);
        assert_eq!(result[1].points.len(), corners, "{wall}");
    }
}

#[test]
fn straight_runs_of_open_edges_become_one_edge() {
    let mut ring = closed(vec![p(0, 0), p(10, 0), p(25, 0), p(40, 0), p(40, -40), p(0, -40)]);
    ring.open[0] = true;
    ring.open[1] = true;
    ring.open[2] = true;
    let result = simplify(std::slice::from_ref(&ring), 0);
    assert_eq!(result[0].points, [p(0, 0), p(40, 0), p(40, -40), p(0, -40)]);
    assert_eq!(result[0].open, [true, false, false, false]);
    // Not where a closed edge begins or another ring touches.
    ring.open[1] = false;
    let wall = closed(vec![p(10, 0), p(10, -10)]);
    let rings = [ring, wall];
    let result = simplify(&rings, 3);
    check(&rings, &result, 3);
    assert_eq!(result[0].points.len(), 6);
}

#[test]
fn flat_rings_go_but_not_open_ones_and_no_holes() {
    let sliver = || closed(vec![p(0, 0), p(3000, 1), p(3000, 0)]);
    let mut thin = sliver();
    thin.points.swap(1, 2);
    let outer = if ring_area(&sliver().points) > 0 { sliver() } else { thin };
    // 3000 units long: far from flat.
    assert_eq!(simplify(&[outer], 5).len(), 1);
    let tiny = closed(vec![p(0, 0), p(2, 0), p(0, -2)]);
    assert_eq!(ring_area(&tiny.points), 4);
    assert!(simplify(std::slice::from_ref(&tiny), 5).is_empty());
    let mut open = tiny.clone();
    open.open[1] = true;
    assert_eq!(simplify(&[open], 5).len(), 1);
    let mut hole = tiny;
    hole.points.reverse();
    let wall = closed(vec![p(100, 100), p(101, 100)]);
    assert_eq!(simplify(&[square(500), hole, wall], 5).len(), 3);
}

/// A star with given spokes, as ground or as a hole in it.
fn star(x: i32, z: i32, reach: &[i32], hole: bool) -> Ring {
    let n = reach.len();
    let mut points: Vec<Point> = (0..n)
        .map(|i| {
            // Around the unit square in even steps: a direction each.
            let t = 8 * i as i64 * 1000 / n as i64;
            let (side, along) = (t / 2000, t % 2000 - 1000);
            let (dx, dz) =
                [(1000, -along), (-along, -1000), (-1000, along), (along, 1000)][side as usize];
            let at = |c: i32, d: i64| c + (d * i64::from(reach[i]) / 1000) as i32;
            p(at(x, dx), at(z, dz))
        })
        .collect();
    points.dedup();
    if hole {
        points.reverse();
    }
    closed(points)
}

fn level() -> impl Strategy<Value = (Vec<Ring>, i32)> {
    let stars = prop::collection::vec(prop::collection::vec(80i32..400, 8..24), 4);
    let outline = prop::collection::vec(1500i32..1800, 8..60);
    let half = || (0i32..150, 0i32..150);
    let boxes = prop::collection::vec((half(), 20i32..250), 5);
    let tolerance = prop::sample::select(vec![1, 3, 8, 20, 50, 100, 200, 500]);
    let open = prop::collection::vec(prop::bool::weighted(0.15), 64);
    (outline, stars, boxes, tolerance, open, any::<bool>(), any::<bool>()).prop_map(
        |(outline, stars, boxes, tolerance, open, some_open, rough)| {
            let mut rings = vec![star(0, 0, &outline, false)];
            let places = [
                (-900, -900),
                (0, -900),
                (900, -900),
                (-900, 0),
                (0, 0),
                (900, 0),
                (-900, 900),
                (0, 900),
                (900, 900),
            ];
            for (i, &(x, z)) in places.iter().enumerate() {
                let (k, other) = (i / 2, i % 2 == 1);
                if other {
                    let wide = if rough { &stars[k][..] } else { &[300; 16] };
                    rings.push(star(x, z, wide, true));
                } else {
                    let ((u, v), radius) = boxes[k];
                    rings.push(hole(x, z, [u, v], radius));
                }
            }
            if some_open {
                let mut k = 0;
                for ring in &mut rings {
                    for slot in &mut ring.open {
                        *slot = open[k % open.len()];
                        k += 1;
                    }
                }
            }
            (rings, tolerance)
        },
    )
}

#[test]
fn a_tip_of_ground_narrower_than_the_tolerance_is_cut_off() {
    // A room of 1000 with a needle that is 60 wide where it begins and 400 long.
    let tip = |wide: i32| {
        let wall = |z: i32| p(1000, z);
        let needle = [wall(500 + wide), p(1400, 500), wall(500)];
        closed([&[p(0, 0), p(0, 1000), wall(1000)], &needle[..], &[wall(0)]].concat())
    };
    let area = |rings: &[Ring]| rings.iter().map(|r| ring_area(&r.points)).sum::<i64>();
    let result = simplify(&[tip(60)], 100);
    check(&[tip(60)], &result, 100);
    assert!(result[0].points.iter().all(|q| q.x <= 1000), "{result:?}");
    assert_eq!(area(&result), 2_000_000, "{result:?}");
    // One that is wide enough stays.
    let wide = simplify(&[tip(400)], 100);
    assert!(wide[0].points.contains(&p(1400, 500)), "{wide:?}");
}

#[test]
fn ground_that_is_narrower_than_the_tolerance_all_over_is_left_out() {
    let triangle = |height: i32| closed(vec![p(0, 0), p(0, height), p(260, 0)]);
    assert!(simplify(&[triangle(80)], 100).is_empty());
    assert_eq!(sorted(&simplify(&[triangle(240)], 100)), sorted(&[triangle(240)]));
    // Where other ground may be joined to it, it stays.
    let mut open = triangle(80);
    open.open[0] = true;
    assert_eq!(sorted(&simplify(&[open.clone()], 100)), sorted(&[open]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn borders_are_drawn_in_and_keep_their_promises((rings, tolerance) in level()) {
        let result = simplify(&rings, tolerance);
        check(&rings, &result, tolerance);
        let corners = |rings: &[Ring]| rings.iter().map(|r| r.points.len()).sum::<usize>();
        prop_assert!(corners(&result) <= corners(&rings));
    }

    #[test]
    fn the_result_does_not_depend_on_where_rings_begin_or_on_their_order(
        (rings, tolerance) in level(),
        turn in 0usize..50,
    ) {
        let result = simplify(&rings, tolerance);
        let mut turned = rings;
        turned.reverse();
        turned.rotate_left(turn % 10);
        for ring in &mut turned {
            let k = turn % ring.points.len();
            ring.points.rotate_left(k);
            ring.open.rotate_left(k);
        }
        prop_assert_eq!(sorted(&simplify(&turned, tolerance)), sorted(&result));
    }
}
