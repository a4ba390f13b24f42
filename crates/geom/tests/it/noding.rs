//! Rings that cross, noded, against the winding number of the rings.

use navbake_geom::{MarkedRing, Point, noded, orient, ring_area, triangulate};
use proptest::prelude::*;

fn ring(points: &[(i32, i32)]) -> MarkedRing {
    points.iter().map(|&(x, z)| (Point::new(x, z), false)).collect()
}

fn edges(rings: &[MarkedRing]) -> impl Iterator<Item = [Point; 2]> + '_ {
    rings.iter().flat_map(|r| (0..r.len()).map(|k| [r[k].0, r[(k + 1) % r.len()].0]))
}

/// How often rings wind around a place that is on none of them.
fn winding(rings: &[MarkedRing], p: Point) -> i32 {
    let mut sum = 0;
    for [a, b] in edges(rings) {
        let side = orient(a, b, p);
        if a.x <= p.x && p.x < b.x && side < 0 {
            sum -= 1;
        } else if b.x <= p.x && p.x < a.x && side > 0 {
            sum += 1;
        }
    }
    sum
}

/// Is a place closer to an edge than a length, as the sum over both axes?
fn is_close([a, b]: [Point; 2], p: Point, length: i64) -> bool {
    let within = |a: i32, b: i32, p: i32| {
        i64::from(p) >= i64::from(a.min(b)) - length && i64::from(p) <= i64::from(a.max(b)) + length
    };
    let sum = (i64::from(a.x) - i64::from(b.x)).abs() + (i64::from(a.z) - i64::from(b.z)).abs();
    within(a.x, b.x, p.x) && within(a.z, b.z, p.z) && orient(a, b, p).abs() <= length * sum.max(1)
}

/// Triangulates noded rings and compares what is inside with the rings' own winding numbers.
fn check(rings: &[MarkedRing], size: i32, step: usize) -> Result<(), TestCaseError> {
    let found = noded(rings);
    let mut points = vec![];
    let mut pairs = vec![];
    for r in &found {
        let (base, n) = (points.len() as u32, r.len() as u32);
        points.extend(r.iter().map(|c| c.0));
        pairs.extend((0..n).map(|k| [base + k, base + (k + 1) % n]));
    }
    let triangles = triangulate(&points, &pairs);
    prop_assert!(triangles.is_ok(), "{:?}\n{:?}", triangles, found);
    let area: i64 =
        found.iter().map(|r| ring_area(&r.iter().map(|c| c.0).collect::<Vec<_>>())).sum();
    let covered: i64 = triangles
        .unwrap()
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|v| points[v as usize]);
            orient(a, b, c)
        })
        .sum();
    prop_assert_eq!(area, covered);
    for x in (0..size).step_by(step) {
        for z in (0..size).step_by(step) {
            let p = Point::new(x, z);
            if edges(rings).chain(edges(&found)).any(|e| is_close(e, p, 2)) {
                continue;
            }
            let inside = i32::from(winding(rings, p) >= 1);
            prop_assert_eq!(winding(&found, p), inside, "{:?}\n{:?}", p, found);
        }
    }
    Ok(())
}

#[test]
fn crossing_rings_become_rings_around_the_same_ground() {
    // A bow: the half that winds backwards is outside.
    let bow = ring(&[(0, 0), (10, 10), (10, 0), (0, 10)]);
    let found = noded(&[bow]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].len(), 3);
    // A wall without width, from the border into the ground, stays.
    let wall = ring(&[(0, 0), (0, 8), (4, 8), (4, 4), (4, 8), (8, 8), (8, 0)]);
    let found = noded(&[wall]);
    assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 7, "{found:?}");
    // What two rings cover is covered once, and what a hole leaves of nothing is nothing.
    let square = ring(&[(0, 0), (0, 8), (8, 8), (8, 0)]);
    assert_eq!(noded(&[square.clone(), square.clone()]), noded(std::slice::from_ref(&square)));
    let hole: MarkedRing = square.iter().rev().copied().collect();
    assert!(noded(&[square, hole.clone()]).is_empty());
    assert!(noded(&[hole]).is_empty());
    assert!(noded(&[vec![], ring(&[(3, 3)])]).is_empty());
}

#[test]
fn an_edge_is_marked_where_all_edges_there_are() {
    let mut square = ring(&[(0, 0), (0, 8), (8, 8), (8, 0)]);
    square[1].1 = true;
    let marks = |rings: &[MarkedRing]| {
        noded(rings).iter().flatten().filter(|c| c.1).map(|c| c.0).collect::<Vec<_>>()
    };
    assert_eq!(marks(&[square.clone()]), [Point::new(0, 8)]);
    assert_eq!(marks(&[square.clone(), ring(&[(0, 0), (0, 8), (8, 8), (8, 0)])]), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn noded_rings_bound_what_the_rings_wind_around(
        rings in prop::collection::vec(prop::collection::vec((0i32..300, 0i32..300), 2..9), 1..5),
    ) {
        let rings: Vec<MarkedRing> = rings.iter().map(|r| ring(r)).collect();
        check(&rings, 300, 13)?;
    }

    /// Every corner is near others.
    #[test]
    fn rings_on_few_places_can_be_noded(
        rings in prop::collection::vec(prop::collection::vec((0i32..9, 0i32..9), 2..12), 1..6),
    ) {
        let rings: Vec<MarkedRing> = rings.iter().map(|r| ring(r)).collect();
        check(&rings, 9, 1)?;
    }

    #[test]
    fn long_thin_rings_can_be_noded(
        rings in prop::collection::vec(
            prop::collection::vec((-33_000_000i32..33_000_000, -3i32..4), 2..9), 1..4),
    ) {
        let rings: Vec<MarkedRing> = rings.iter().map(|r| ring(r)).collect();
        check(&rings, 1, 1)?;
    }

    #[test]
    fn the_order_of_rings_does_not_matter(
        rings in prop::collection::vec(
            prop::collection::vec(((0i32..40, 0i32..40), any::<bool>()), 2..9), 1..5),
        turn in 0usize..9,
    ) {
        let of = |r: &Vec<((i32, i32), bool)>| -> MarkedRing {
            r.iter().map(|&((x, z), mark)| (Point::new(x, z), mark)).collect()
        };
        let mut rings: Vec<MarkedRing> = rings.iter().map(of).collect();
        let first = noded(&rings);
        rings.reverse();
        for r in &mut rings {
            let count = r.len();
            r.rotate_left(turn % count);
        }
        prop_assert_eq!(first, noded(&rings));
    }
}
