//! Heights of baked levels by the triangles of their reliefs laid out in memory, as searches ask
//! for them: on every polygon the same bits as read from the blob.

use navbake_testkit::data;
use std::path::Path;

use navbake_bake::{Config, Options, bake_file};
use navbake_format::relief::TrianglesBuffer;
use navbake_format::{Blob, NavMeshView};
use navbake_search::{PathRequest, Planner, Query, Random, SearchBuffer};

/// Asks at the corners of every polygon, in between them and in the middle; returns how many
/// polygons have a relief.
fn compare(level: &Path) -> u32 {
    let config = Config::parse("[[agent]]\n").unwrap();
    let baked = bake_file(level, &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let mesh = blob.mesh(0).unwrap();
    let buffer = TrianglesBuffer::new(&mesh);
    let mut with_relief = 0;
    for polygon in mesh.polygons() {
        let Some(number) = mesh.relief_number(polygon.id()) else {
            continue;
        };
        with_relief += 1;
        let laid = buffer.triangles().relief(number);
        let laid = laid.unwrap_or_else(|| panic!("{}: {number}", level.display()));
        let corners: Vec<[f64; 2]> = (0..polygon.len())
            .map(|k| polygon.corner(k).map(f64::from))
            .collect();
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
            let expected = polygon.height(place);
            let found = laid.height(place).expect("a triangle holds it");
            assert_eq!(
                found.to_bits(),
                expected.to_bits(),
                "{}: polygon {:?} at {place:?}: {found} for {expected}",
                level.display(),
                polygon.id()
            );
        }
    }
    same_paths(mesh);
    with_relief
}

/// A lean buffer, which reads heights from the blob, gives the same paths.
fn same_paths(mesh: NavMeshView<'_>) {
    let query = Query::new(mesh);
    let mut buffers = [SearchBuffer::new(&mesh), SearchBuffer::lean(&mesh)];
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut random = Random::new(11);
    for _ in 0..40 {
        let mut place = || query.random_place(&areas, &mut random).unwrap().position();
        let request = PathRequest::new(place(), place()).planner(Planner::Optimal);
        let [laid, read] = buffers.each_mut().map(|buffer| {
            let path = query.path(&request, buffer);
            let points = path.points.iter().flatten().map(|c| c.to_bits());
            (path.status, points.collect::<Vec<u64>>())
        });
        assert_eq!(laid, read);
    }
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
