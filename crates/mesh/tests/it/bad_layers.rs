//! Patches for layers that make no sense.

use navbake_geom::Point;
use navbake_mesh::{PatchError, PatchSettings, patch};
use navbake_walkable::{Heights, Layer, Ring};
use proptest::prelude::*;

fn p(x: i32, z: i32) -> Point {
    Point::new(x, z)
}

fn settings(tolerance: i32, height_error: i32) -> PatchSettings {
    PatchSettings {
        tolerance,
        height_error,
        seam_error: height_error,
        slope_error: 0,
        max_corners: 32,
    }
}

#[test]
fn bad_layers_are_errors() {
    let line = Ring { points: vec![p(0, 0)], open: vec![false; 1] };
    let error = |layer: Layer| patch(&layer, &settings(5, 5)).unwrap_err();
    assert!(matches!(
        error(Layer { rings: vec![line], ..Layer::default() }),
        PatchError::BadRing { ring: 0, .. }
    ));
    let odd = Heights { cell: 3, least: [0, 0], size: [1, 1], cells: vec![[0; 5]] };
    assert!(matches!(
        error(Layer { heights: odd, ..Layer::default() }),
        PatchError::BadHeights { .. }
    ));
    let short = Heights { cell: 2, least: [0, 0], size: [2, 1], cells: vec![[0; 5]] };
    assert!(matches!(
        error(Layer { heights: short, ..Layer::default() }),
        PatchError::BadHeights { .. }
    ));
    let far = navbake_geom::LIMIT;
    let far = Ring { points: vec![p(0, 0), p(0, far), p(1, 1)], open: vec![false; 3] };
    assert!(matches!(error(Layer { rings: vec![far], ..Layer::default() }), PatchError::Rings(_)));
    let seams = PatchSettings { seam_error: -1, slope_error: 0, ..settings(0, 0) };
    assert!(matches!(patch(&Layer::default(), &seams), Err(PatchError::BadSettings(_))));
    assert!(matches!(patch(&Layer::default(), &settings(-1, 0)), Err(PatchError::BadSettings(_))));
    let nothing = patch(&Layer::default(), &settings(1, 1)).unwrap();
    nothing.mesh.check().unwrap();
    assert!(nothing.mesh.is_empty() && nothing.open.is_empty());
}

#[test]
fn rings_that_cross_bound_what_they_wind_around() {
    let ring = |points: &[(i32, i32)]| Ring {
        points: points.iter().map(|&(x, z)| p(x, z)).collect(),
        open: vec![false; points.len()],
    };
    let area = |rings: Vec<Ring>| {
        let heights = Heights { cell: 100, least: [0, 0], size: [1, 1], cells: vec![[0; 5]] };
        let layer = Layer { rings, heights, ..Layer::default() };
        let made = patch(&layer, &settings(0, 0)).unwrap();
        made.mesh.check().unwrap();
        let corners =
            |k| made.mesh.polygon(k).iter().map(|&v| made.mesh.vertices[v as usize].flat());
        let polygons = (0..made.mesh.len()).map(|k| corners(k).collect::<Vec<_>>());
        polygons.map(|ring| navbake_geom::ring_area(&ring)).sum::<i64>()
    };
    // A bow, of whose halves one is wound around backwards; two squares that overlap by a quarter.
    assert_eq!(area(vec![ring(&[(0, 0), (10, 10), (10, 0), (0, 10)])]), 2 * 25);
    let square = |x: i32| ring(&[(x, x), (x, x + 10), (x + 10, x + 10), (x + 10, x)]);
    assert_eq!(area(vec![square(0), square(5)]), 2 * 175);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn odd_rings_give_an_answer(
        rings in prop::collection::vec(prop::collection::vec(((0i32..7, 0i32..7), any::<bool>()), 0..9), 0..4),
        tolerance in 0i32..4,
    ) {
        let rings = rings.iter().map(|r| Ring {
            points: r.iter().map(|&((x, z), _)| p(x, z)).collect(),
            open: r.iter().map(|&(_, open)| open).collect(),
        }).collect();
        let heights = Heights { cell: 2, least: [0, 0], size: [2, 3], cells: (0..6).map(|k| [k, 2 * k, 0, 9 - k, 4]).collect() };
        let layer = Layer { rings, heights, ground: None };
        let is_bad = layer.rings.iter().any(|r| r.points.len() < 2);
        match patch(&layer, &settings(tolerance, 1)) {
            Err(fault) => prop_assert!(is_bad, "{}", fault),
            Ok(result) => {
                prop_assert!(!is_bad);
                prop_assert!(result.mesh.check().is_ok());
                prop_assert_eq!(result.open.len(), result.mesh.corners.len());
            }
        }
    }
}
