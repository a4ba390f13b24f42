//! Heights of baked levels by the triangles of their height meshes laid out in memory, as searches ask
//! for them: on every polygon the same bits as read from the blob.

use navbake_testkit::data;
use std::path::Path;

use navbake_bake::{Config, Options, bake_file};
use navbake_format::Blob;
use navbake_testkit::heights;

/// Asks at the corners of every polygon, in between them and in the middle; returns how many
/// polygons have a height mesh.
fn compare(level: &Path) -> u32 {
    let config = Config::parse("[[agent]]\n").unwrap();
    let baked = bake_file(level, &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let mesh = blob.decode(0).unwrap().leak();
    let mut with_height_mesh = 0;
    for polygon in mesh.polygons() {
        let Some(number) = mesh.detail_number(polygon.id()) else {
            continue;
        };
        with_height_mesh += 1;
        let detail = mesh.detail(number).expect("a detail mesh");
        let corners: Vec<[f64; 2]> =
            (0..polygon.len()).map(|k| polygon.corner(k).map(f64::from)).collect();
        let part = 1.0 / corners.len() as f64;
        let middle = [0, 1].map(|k| corners.iter().map(|c| c[k] * part).sum::<f64>());
        let next = corners.iter().cycle().skip(1);
        let places = corners.iter().zip(next).flat_map(|(a, b)| {
            let between = |from: &[f64; 2], t: f64| [0, 1].map(|k| from[k] + t * (b[k] - from[k]));
            [
                *a,
                between(a, 0.5),
                between(a, 0.3),
                between(&middle, 0.25),
                between(&middle, 0.6).map(f64::floor),
            ]
        });
        for place in places.chain([middle]) {
            let expected = heights::height(&detail, place);
            let found = polygon.height(place);
            assert_eq!(
                found.to_bits(),
                expected.to_bits(),
                "{}: polygon {:?} at {place:?}: {found} for {expected}",
                level.display(),
                polygon.id()
            );
        }
    }
    with_height_mesh
}

#[test]
fn heights_on_all_polygons_of_fixtures_are_the_same_bits() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let sum: u32 = [
        "courtyard/courtyard.obj",
        "mall/mall.obj",
        "terraces/terraces.obj",
        "tower/tower.obj",
        "rooms/castle.obj",
        "rooms/spiral.obj",
        "rooms/tower.obj",
    ]
    .iter()
    .map(|level| compare(&fixtures.join(level)))
    .sum();
    assert!(sum > 0);
}

#[test]
fn heights_on_all_polygons_of_real_levels_are_the_same_bits() {
    let Some(data) = data::data("heights_on_all_polygons_of_real_levels_are_the_same_bits") else {
        return;
    };
    for level in ["recast_nav_test", "recast_dungeon", "recast_undulating"] {
        let polygons = compare(&data.join(format!("meshes/{level}.obj")));
        assert!(polygons > 20, "{level}: {polygons}");
    }
}
