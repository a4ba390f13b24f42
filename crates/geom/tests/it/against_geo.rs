//! Cuts and triangulations against the crate `geo`, which shares no code with them but the ears.

use geo::{Area, BooleanOps, Contains, Coord, LineString, MultiPolygon, Polygon, Validation};
use navbake_geom::{Point, cut_polygon, orient, triangulate};
use proptest::prelude::*;

/// Half the side of the square in which rings are drawn.
const SIDE: i32 = 40;

fn polygon_of(ring: &[[i32; 2]]) -> Polygon<f64> {
    let at = |&[x, z]: &[i32; 2]| Coord { x: f64::from(x), y: f64::from(z) };
    Polygon::new(LineString::new(ring.iter().map(at).collect()), vec![])
}

/// Are the triangles a partition of the ground? Areas of whole coordinates are exact in `f64`.
fn covers_once(ground: &MultiPolygon<f64>, triangles: &[Polygon<f64>]) {
    let sum: f64 = triangles.iter().map(Area::unsigned_area).sum();
    let area = ground.unsigned_area();
    assert!((sum - area).abs() <= 1e-9 * area, "{sum} {area}");
    // Cuts of the oracle snap to a grid of their own, finer than a millionth of a unit here.
    let beyond: f64 = triangles.iter().map(|t| t.difference(ground).unsigned_area()).sum();
    assert!(beyond <= 1e-5 * area, "{beyond} of {area}");
    let all = geo::unary_union(triangles);
    assert!((all.unsigned_area() - area).abs() <= 1e-5 * area, "triangles overlap");
}

/// A ring of whole coordinates around the origin; `reach` gives each corner its distance.
fn star(reach: &[i32]) -> Vec<[i32; 2]> {
    let step = std::f64::consts::TAU / reach.len() as f64;
    let corner = |(i, &r): (usize, &i32)| {
        let (sin, cos) = (step * i as f64).sin_cos();
        [(f64::from(r) * cos).round() as i32, (f64::from(r) * sin).round() as i32]
    };
    reach.iter().enumerate().map(corner).collect()
}

fn check_cut(ring: &[[i32; 2]], triangles: &[[usize; 3]]) {
    let parts: Vec<Polygon<f64>> =
        triangles.iter().map(|t| polygon_of(&t.map(|i| ring[i]))).collect();
    covers_once(&MultiPolygon::new(vec![polygon_of(ring)]), &parts);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_valid_polygon_is_cut_into_triangles_that_cover_it_once(
        corners in prop::collection::vec([-SIDE..=SIDE, -SIDE..=SIDE], 3..8),
    ) {
        let polygon = polygon_of(&corners);
        let points: Vec<[f64; 3]> =
            corners.iter().map(|&[x, z]| [f64::from(x), 7.0, f64::from(z)]).collect();
        let cut = cut_polygon(&points);
        if polygon.is_valid() && polygon.unsigned_area() > 0.0 {
            let cut = cut.expect("a valid polygon");
            check_cut(&corners, &cut);
        } else if let Some(cut) = cut {
            // Rings that touch themselves may be cut, rings that cross themselves never.
            let area: f64 = polygon.unsigned_area();
            let sum: f64 = cut.iter().map(|t| polygon_of(&t.map(|i| corners[i])).unsigned_area()).sum();
            prop_assert!((sum - area).abs() <= 1e-9 * area, "{sum} {area}");
        }
    }

    #[test]
    fn large_concave_polygons_are_covered_once(
        reach in prop::collection::vec(2..=SIDE, 5..120),
    ) {
        let ring = star(&reach);
        prop_assume!(polygon_of(&ring).is_valid());
        let points: Vec<[f64; 3]> =
            ring.iter().map(|&[x, z]| [f64::from(x), f64::from(x - 2 * z), f64::from(z)]).collect();
        check_cut(&ring, &cut_polygon(&points).expect("a valid polygon"));
    }

    #[test]
    fn triangles_of_rings_with_a_hole_cover_the_difference(
        outer in prop::collection::vec(SIDE / 2..=SIDE, 5..30),
        inner in prop::collection::vec(2..=SIDE / 2, 3..30),
    ) {
        let (outside, mut hole) = (star(&outer), star(&inner));
        prop_assume!([&outside, &hole].iter().all(|r| polygon_of(r).is_valid()));
        let [whole, less] = [&outside, &hole].map(|r| polygon_of(r));
        // Corners may touch borders in the interface, but the oracle rounds such places.
        prop_assume!(whole.contains(&less) && whole.difference(&less).0.len() == 1);
        hole.reverse();
        let (mut points, mut edges) = (vec![], vec![]);
        for ring in [&outside, &hole] {
            let (base, n) = (points.len() as u32, ring.len() as u32);
            edges.extend((0..n).map(|i| [base + i, base + (i + 1) % n]));
            points.extend(ring.iter().map(|&[x, z]| Point::new(x, z)));
        }
        // Inside is left of an edge seen from above, where x and z turn in the other direction.
        if orient(Point::new(0, 0), points[0], points[1]) < 0 {
            edges.iter_mut().for_each(|e| e.reverse());
        }
        let triangles = triangulate(&points, &edges).expect("closed rings");
        let parts: Vec<Polygon<f64>> = triangles
            .iter()
            .map(|t| polygon_of(&t.map(|i| [points[i as usize].x, points[i as usize].z])))
            .collect();
        covers_once(&whole.difference(&less), &parts);
    }
}
