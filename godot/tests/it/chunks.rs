//! Worlds in chunks: what is loaded, and paths and routes over it.

use navbake_godot::drawing::{Parts, draw};
use navbake_godot::ground::Shared;
use navbake_godot::level::Level;
use navbake_godot::search::{Search, Settings};
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use navbake_world::Solid;

use crate::searches::places;
use crate::support::{chunk, courtyard, ground, office, settings, world, world_of_two_classes};
use crate::support::{chunk_file, whole, whole_of_two_classes};

const ALL: [[i32; 2]; 4] = [[0, 0], [1, 0], [0, 1], [1, 1]];
/// In the first and in the last chunk.
const FROM: [f64; 3] = [2.0, 0.0, 2.0];
const TO: [f64; 3] = [30.0, 0.0, 25.0];

fn insert(shared: &Shared, keys: &[[i32; 2]]) {
    for &key in keys {
        shared.write().insert_chunk(&chunk("world.navw", world(), key)).unwrap();
    }
    assert_eq!(shared.write().commit(0).chunks, keys.len());
}

/// Paths between places all over the ground are as long as those of one blob.
fn compare(shared: &Shared, nav: &NavMeshBuf) {
    let query = NavQuery::new(nav.mesh());
    let (mut own, mut scratch) = (Search::new(shared.clone()).unwrap(), Scratch::new());
    let mut found = 0;
    for pair in places(&query, 60).windows(2) {
        let path = own.path(pair[0], pair[1], &settings(Algorithm::Optimal)).unwrap();
        let request = PathRequest::new(pair[0], pair[1]).algorithm(Algorithm::Optimal);
        let expected = query.find_path(&request, &mut scratch).unwrap();
        assert_eq!(path.status, expected.status, "{pair:?}");
        assert!((path.length - expected.length_xz).abs() < 1e-6, "{pair:?}");
        found += usize::from(path.status == Status::Reached);
    }
    assert!(found > 30, "{found}");
}

#[test]
fn an_index_lists_its_chunks_and_other_files_none() {
    let files = Level::open(world()).unwrap().chunks();
    assert_eq!(files.iter().map(|file| file.key).collect::<Vec<_>>(), ALL);
    for file in &files {
        let [least, greatest] = file.bounds;
        for (axis, k) in [(0, 0), (2, 1)] {
            let low = f64::from(file.key[k]) * 22.5;
            assert!(low <= least[axis] && least[axis] < greatest[axis]);
            assert!(greatest[axis] <= low + 22.5, "{file:?}");
        }
    }
    assert_eq!(Level::open(courtyard()).unwrap().chunks(), []);
    let own = chunk("world.navw", world(), [1, 1]);
    assert_eq!(own.chunks(), []);
    // The file of a chunk is a navmesh like any other.
    assert!(own.ground("").unwrap().world().nav_mesh().polygon_count() > 0);
}

#[test]
fn paths_over_all_chunks_are_those_of_one_blob() {
    let shared = ground(world(), "");
    insert(&shared, &ALL);
    compare(&shared, &NavMeshBuf::open(whole()).unwrap());
}

#[test]
fn an_agent_of_the_second_class_has_chunks_of_its_own() {
    for agent in ["thin", "wide"] {
        let shared = ground(world_of_two_classes(), agent);
        for key in ALL {
            let own = chunk("two.navw", world_of_two_classes(), key);
            shared.write().insert_chunk(&own).unwrap();
        }
        shared.write().commit(0);
        compare(&shared, &NavMeshBuf::open_for(whole_of_two_classes(), agent).unwrap());
    }
}

#[test]
fn a_path_needs_its_chunks_and_a_route_names_them() {
    let shared = ground(world(), "");
    let mut own = Search::new(shared.clone()).unwrap();
    let how = settings(Algorithm::Optimal);
    assert_eq!(own.path(FROM, TO, &how).unwrap().status, Status::NotLoaded);
    assert_eq!(own.route(FROM, TO, 2.0), Err(Status::NotLoaded));
    assert!(shared.read().not_loaded(FROM, 2.0).unwrap_err().contains("on ground that is loaded"));
    insert(&shared, &[[0, 0]]);
    assert!(shared.read().world().is_loaded([0, 0]));
    assert_eq!(shared.read().not_loaded(FROM, 2.0), Ok(vec![[1, 0], [0, 1]]));
    let path = own.path(FROM, TO, &how).unwrap();
    assert_eq!((path.status, path.points.len()), (Status::NotLoaded, 0));
    let near = own.path(FROM, TO, &Settings { partial: true, ..how }).unwrap();
    assert!(near.status == Status::NotLoaded && near.points.len() > 1, "{near:?}");

    let mut asked = 0;
    while own.path(FROM, TO, &how).unwrap().status == Status::NotLoaded {
        let route = own.route(FROM, TO, 2.0).unwrap();
        assert_eq!(route.passages.last().unwrap().into, [1, 1]);
        let missing = |key: &[i32; 2]| !shared.read().world().is_loaded(*key);
        let keys: Vec<[i32; 2]> =
            route.passages.iter().map(|passage| passage.into).filter(missing).collect();
        insert(&shared, &keys);
        asked += 1;
    }
    assert!(asked > 0);
    assert_eq!(own.path(FROM, TO, &how).unwrap().status, Status::Reached);
    shared.write().remove_chunk([1, 1]).unwrap();
    shared.write().commit(0);
    assert_eq!(own.path(FROM, TO, &how).unwrap().status, Status::NotLoaded);
    for (from, to, status) in [
        ([2.0, 9.0, 2.0], TO, Status::OffMesh),
        ([f64::NAN; 3], TO, Status::OffMesh),
        (TO, FROM, Status::NotLoaded),
        (FROM, [500.0, 0.0, 2.0], Status::Unreachable),
    ] {
        assert_eq!(own.route(from, to, 2.0), Err(status), "{from:?} {to:?}");
    }
}

#[test]
fn random_places_and_drawings_are_of_what_is_loaded() {
    let shared = ground(world(), "");
    let mut own = Search::new(shared.clone()).unwrap();
    let drawn = || draw(shared.read().world(), &Parts::ALL);
    assert_eq!(own.random_place(), None);
    assert!(drawn().triangles.is_empty() && drawn().lines.is_empty());
    insert(&shared, &[[1, 0]]);
    for _ in 0..50 {
        let at = own.random_place().unwrap();
        assert!(at[0] >= 22.5 && at[2] <= 22.5, "{at:?}");
    }
    assert!(drawn().triangles.iter().all(|corner| corner.at[0] >= 22.5));
    assert!(!drawn().triangles.is_empty());
    shared.write().remove_chunk([1, 0]).unwrap();
    shared.write().commit(0);
    assert_eq!(own.random_place(), None);
}

#[test]
fn obstacles_stay_while_chunks_come_and_go() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let solid = Solid { half: [1.0; 3], is_round: false, axes, middle: [22.5, 1.0, 26.0] };
    let [from, to] = [[19.5, 0.0, 26.0], [25.5, 0.0, 26.0]];
    let length = |shared: &Shared| {
        let mut own = Search::new(shared.clone()).unwrap();
        own.path(from, to, &settings(Algorithm::Optimal)).unwrap().length
    };
    let all = ground(whole(), "");
    all.write().add(&solid).unwrap();
    all.write().commit(0);
    let shared = ground(world(), "");
    shared.write().add(&solid).unwrap();
    insert(&shared, &[[0, 1], [1, 1]]);
    let around = length(&shared);
    assert!((around - length(&all)).abs() < 1e-6 && around > 6.1, "{around}");
    shared.write().remove_chunk([0, 1]).unwrap();
    shared.write().commit(0);
    insert(&shared, &[[0, 1]]);
    assert_eq!(length(&shared), around);
}

#[test]
fn chunks_that_do_not_belong_are_errors_with_the_cure() {
    let shared = ground(world(), "");
    let refused = |level: &Level| shared.write().insert_chunk(level).unwrap_err().to_string();
    let own = chunk("world.navw", world(), [0, 0]);
    let other = chunk("two.navw", world_of_two_classes(), [0, 0]);
    assert!(refused(&other).contains("load index and chunks of one bake"));
    for level in [courtyard(), office(), world()].map(|bytes| Level::open(bytes).unwrap()) {
        assert!(refused(&level).contains("open a file that the index (.navw) names"));
    }
    // A byte of a hash, which no other check reads.
    let mut changed = chunk_file("world.navw", world(), [0, 0]);
    changed[100] ^= 1;
    assert!(Level::open(&changed).unwrap_err().contains("checksum"));
    insert(&shared, &[[0, 0]]);
    assert!(refused(&own).contains("chunk 0, 0 is there already"));
    let gone = shared.write().remove_chunk([9, 9]).unwrap_err().to_string();
    assert!(gone.contains("chunk 9, 9 is not there"), "{gone}");
    // A second class that the chunk does not have, and a mesh that is not in chunks.
    let wide = ground(world_of_two_classes(), "wide");
    assert!(wide.write().insert_chunk(&own).unwrap_err().to_string().contains("for one agent"));
    let whole = ground(courtyard(), "");
    assert!(whole.write().insert_chunk(&own).unwrap_err().to_string().contains("not one of this"));
    assert!(whole.write().remove_chunk([0, 0]).is_err());
    assert_eq!(whole.read().not_loaded(FROM, 2.0), Ok(vec![]));
}
