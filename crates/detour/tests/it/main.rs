//! Tests of navbake-detour through its public interface.

mod export;
mod import;
mod plain;
mod refusals;

use navbake_bake::{BakeInput, Config, Options, bake_file};
use navbake_format::NavMeshBuf;
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::data::fixture;

/// Levels with slopes, storeys, areas and links; each with its config.
const LEVELS: [(&str, &str); 5] = [
    ("courtyard/courtyard.obj", ""),
    ("gatehouse/gatehouse.glb", ""),
    ("terraces/terraces.obj", "terraces/bake.toml"),
    ("crossing/crossing.glb", "crossing/bake.toml"),
    ("tower/tower.obj", "tower/bake.toml"),
];

/// A fixture, baked.
fn baked((level, config): (&str, &str)) -> NavMeshBuf {
    let config = match config {
        "" => Config::default(),
        file => Config::load(&fixture(file)).unwrap(),
    };
    let blob = bake_file(&fixture(level), &config, &Options::default()).unwrap();
    NavMeshBuf::open(&blob.bytes).unwrap()
}

/// The bytes of a Detour file through the importer and the later stages of the bake.
fn imported(bytes: &[u8], config: &Config) -> NavMeshBuf {
    let ground = navbake_detour::read(bytes).unwrap().ground();
    let level = navbake_detour::level(ground, &config.detour, "level.bin".as_ref());
    let blob = BakeInput::given(level, config).unwrap().bake(&Options::default()).unwrap();
    NavMeshBuf::open(&blob.bytes).unwrap()
}

/// Random pairs of places, and the length of the shortest path between them.
fn pairs(nav: &NavMeshBuf, count: usize) -> Vec<(NavPoint, NavPoint, Option<f64>)> {
    let mesh = nav.mesh();
    let filter = filter(nav);
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let (mut random, mut scratch) = (Random::new(3), Scratch::new());
    let mut place = || query.random_place(&areas, &mut random).unwrap();
    let ends: Vec<_> = (0..count).map(|_| (place(), place())).collect();
    let length = |a: &NavPoint, b: &NavPoint| {
        let path = query
            .find_path_between(
                a,
                b,
                &PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal),
                &mut scratch,
            )
            .unwrap();
        (path.status == Status::Reached).then_some(path.length_xz)
    };
    let mut length = length;
    ends.into_iter().map(|(a, b)| (a, b, length(&a, &b))).collect()
}

/// What the first agent may take, at no extra cost.
fn filter(nav: &NavMeshBuf) -> QueryFilter {
    let name = nav.mesh().file().agents().next().unwrap().name.to_owned();
    QueryFilter::new().agent(&nav.mesh(), &name).unwrap()
}
