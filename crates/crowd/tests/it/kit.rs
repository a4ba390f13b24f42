//! What the tests share: levels, paths, and plain measures.

use std::path::Path;

use navbake_bake::{Config, Options, bake_file};
use navbake_crowd::{Body, Crowd, UnitId};
use navbake_finish::places;
use navbake_search::{NavMeshBuf, NavPoint, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_testkit::data::fixture;

pub(crate) const STEP: f64 = 0.1;
pub(crate) const RADIUS: f64 = 0.25;

pub(crate) fn body() -> Body {
    Body::new(RADIUS, 1.5, 8.0)
}

/// A level of `fixtures/rooms`, for agents of the radius of [`body`].
pub(crate) fn rooms(name: &str) -> NavMeshBuf {
    bake(&fixture("rooms").join(format!("{name}.obj")))
}

/// A level from the text of an OBJ file.
pub(crate) fn baked(name: &str, obj: &str) -> NavMeshBuf {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("{name}.obj"));
    std::fs::write(&file, obj).expect("a file");
    bake(&file)
}

fn bake(file: &Path) -> NavMeshBuf {
    let config = Config::parse(&format!("[[agent]]\nradius = {RADIUS}")).expect("a config");
    let baked = bake_file(file, &config, &Options::default()).expect("a level");
    NavMeshBuf::open(&baked.bytes).expect("a sound file")
}

pub(crate) fn at(query: &NavQuery<'_>, [x, z]: [f64; 2]) -> NavPoint {
    query.locate([x, 0.0, z], 0.5).expect("ground")
}

/// Sends a unit along the shortest path to a goal.
pub(crate) fn send(
    crowd: &mut Crowd,
    query: &NavQuery<'_>,
    id: UnitId,
    goal: [f64; 3],
    scratch: &mut Scratch,
) {
    let from = crowd.place(id).unwrap();
    let path = query.find_path(&PathRequest::new(from.position(), goal), scratch).unwrap();
    let mut out = vec![from; path.points.len()];
    crowd.go(id, places(query, &path, &mut out).unwrap().points).unwrap();
}

/// The deepest overlap of two units, as a share of a radius.
pub(crate) fn overlap(crowd: &Crowd) -> f64 {
    let all: Vec<[f64; 3]> = crowd.ids().map(|id| crowd.place(id).unwrap().position()).collect();
    let mut deepest = f64::NEG_INFINITY;
    for (k, a) in all.iter().enumerate() {
        for b in &all[..k] {
            if (a[1] - b[1]).abs() < 2.0 {
                let far = (a[0] - b[0]).hypot(a[2] - b[2]);
                deepest = deepest.max((2.0 * RADIUS - far) / RADIUS);
            }
        }
    }
    deepest
}

/// Are all units on the polygons that they say, and so on the ground?
pub(crate) fn all_on_ground(query: &NavQuery<'_>, crowd: &Crowd) -> bool {
    crowd.ids().all(|id| {
        let place = crowd.place(id).unwrap();
        query.on_polygon(place.polygon(), place.position()) == Some(place)
    })
}

pub(crate) fn shuffle<T>(random: &mut Random, list: &mut [T]) {
    (1..list.len()).for_each(|k| list.swap(k, random.below(k + 1)));
}
