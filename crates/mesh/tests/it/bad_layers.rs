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
    let bow = Ring { points: vec![p(0, 0), p(10, 10), p(10, 0), p(0, 10)], open: vec![false; 4] };
    assert!(matches!(error(Layer { rings: vec![bow], ..Layer::default() }), PatchError::Rings(_)));
    let seams = PatchSettings { seam_error: -1, slope_error: 0, ..settings(0, 0) };
    assert!(matches!(patch(&Layer::default(), &seams), Err(PatchError::BadSettings(_))));
    assert!(matches!(patch(&Layer::default(), &settings(-1, 0)), Err(PatchError::BadSettings(_))));
    let nothing = patch(&Layer::default(), &settings(1, 1)).unwrap();
    nothing.mesh.check().unwrap();
    assert!(nothing.mesh.is_empty() && nothing.open.is_empty());
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
        let plain = patch(&layer, &settings(0, 1));
        let result = patch(&layer, &settings(tolerance, 1));
        prop_assert!(plain.is_err() || result.is_ok());
        if let Ok(result) = result {
            prop_assert!(result.mesh.check().is_ok());
            prop_assert_eq!(result.open.len(), result.mesh.corners.len());
        }
    }
}
