//! Distances from many places to many, row by row, against single calls: equal to the last bit.

use navbake_format::write::replace_labels;
use navbake_search::blob::{AreaId, Blob};
use navbake_search::{
    Algorithm, Goals, NavMeshBuf, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_tables::{Views, labels_of};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::scene::Scene;
use navbake_testkit::squares::World;

use crate::paths::mix;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    reached: usize,
    apart: usize,
    looked_up: usize,
    searched: usize,
    /// With other last bits than the path: of two paths of one length it may be the other one.
    other_bits: usize,
}

/// Memory of all calls.
#[derive(Default)]
struct Room {
    goals: Goals,
    scratch: Scratch,
    alone: Scratch,
}

/// Compares the rows of all starts with one call for each pair.
fn compare(
    query: &NavQuery<'_>,
    starts: &[NavPoint],
    places: &[NavPoint],
    room: &mut Room,
    tally: &mut Tally,
) {
    let Room { goals, scratch, alone } = room;
    goals.set(query, places, scratch);
    assert_eq!(goals.places(), places);
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    for start in starts {
        let mut row = vec![Some(-1.0); places.len()];
        // Out of blocked ground another planner leads.
        let gap = query.distances_to(start, goals, &mut row, scratch);
        assert!(gap == 0.0 || query.is_forbidden(start.polygon()));
        for (place, length) in places.iter().zip(row) {
            let single = query.distance(start, place, alone);
            assert_eq!(length.map(f64::to_bits), single.map(f64::to_bits), "{start:?} {place:?}");
            let Ok(path) = query.find_path_between(start, place, &request, alone) else {
                continue;
            };
            assert_eq!(length.is_some(), path.status == Status::Reached);
            tally.looked_up += usize::from(path.by_tables);
            tally.searched += usize::from(path.expanded > 0);
            let Some(length) = length else {
                tally.apart += 1;
                continue;
            };
            tally.reached += 1;
            assert!((length - path.cost).abs() <= 1e-13 * path.cost, "{length} {}", path.cost);
            tally.other_bits += usize::from(length != path.cost);
        }
    }
}

/// The labels of a file: none, plain ones, with visibility lists, of squares, with labels of those.
fn labelled(bytes: &[u8], kind: u64) -> Vec<u8> {
    let nav = NavMeshBuf::open(bytes).unwrap();
    let mesh = nav.mesh();
    let Some(mut tables) = labels_of(&mesh).filter(|_| kind > 0) else {
        return bytes.to_vec();
    };
    let views = Views::new(&mesh).unwrap();
    match kind {
        2 => drop(views.fill(&mut tables, views.bytes())),
        3 => drop(views.fill(&mut tables, views.bytes() / 2)),
        4 => drop(views.fill_squares(&mut tables, 2, u64::MAX)),
        5.. => drop(views.fill_labels(&mut tables, 1 + (kind % 3) as u8, u64::MAX)),
        _ => (),
    }
    replace_labels(bytes, &[tables.parts(0)]).unwrap()
}

/// Random scenes; `furnish` adds to them, `filter` sets what a unit may use.
fn run(
    seeds: u64,
    kinds: u64,
    furnish: impl Fn(&mut Scene, &mut Random),
    mut set: impl FnMut(&mut Random, &NavQuery<'_>, &mut QueryFilter),
) -> Tally {
    let (mut tally, mut room) = (Tally::default(), Room::default());
    for seed in 0..seeds {
        let mut random = Random(seed + 301);
        let mut mix = mix(&mut random);
        mix.exchanged *= seed % 2;
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        furnish(&mut scene, &mut random);
        let bytes = labelled(&scene.bake(), seed % kinds);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        for _ in 0..3 {
            let query = NavQuery::new(nav.mesh());
            let mut filter = QueryFilter::new();
            set(&mut random, &query, &mut filter);
            let query = query.with_filter(&filter);
            let mut place = || {
                let face = random.below(scene.faces.len());
                let at = match random.below(4) {
                    // A corner of the ground.
                    0 => scene.points[scene.faces[face].corners[0]],
                    _ => scene.point_in(&mut random, face),
                };
                scene.place(&query, face, at)
            };
            let (starts, mut goals) = ([(); 3].map(|()| place()), vec![]);
            goals.extend((0..9).map(|_| place()));
            // Repeated goals, and the starts themselves.
            goals.extend([goals[0], goals[3], starts[0], starts[1]]);
            compare(&query, &starts, &goals, &mut room, &mut tally);
        }
    }
    tally
}

#[test]
fn rows_by_labels_are_single_calls() {
    let tally = run(90, 9, |_, _| (), |_, _, _| ());
    let enough = tally.looked_up > 500 && tally.searched > 100 && tally.apart > 100;
    assert!(enough && tally.other_bits * 1000 < tally.reached, "{tally:?}");
}

#[test]
fn rows_without_labels_are_single_calls() {
    let tally = run(90, 1, |_, _| (), |_, _, _| ());
    assert!(tally.searched > 500 && tally.looked_up == 0, "{tally:?}");
    assert!(tally.other_bits * 1000 < tally.reached, "{tally:?}");
}

#[test]
fn rows_with_closed_doors_and_faces_are_single_calls() {
    let close = |random: &mut Random, query: &NavQuery<'_>, filter: &mut QueryFilter| {
        filter.set_blocked(query.mesh(), &[random.below(8) as u64], 0).unwrap();
    };
    let tally = run(90, 9, |scene, random| scene.furnish(random, 20, 10), close);
    assert!(tally.looked_up > 300 && tally.searched > 100 && tally.apart > 100, "{tally:?}");
}

#[test]
fn rows_with_links_are_single_calls() {
    let join = |scene: &mut Scene, random: &mut Random| {
        let count = 1 + random.below(3);
        scene.join(random, count, 30);
    };
    let tally = run(60, 9, join, |_, _, _| ());
    // Those without labels are searched for.
    assert!(tally.looked_up > 800 && tally.searched > 50, "{tally:?}");
}

#[test]
fn rows_over_costs_are_those_of_distances() {
    let (mut compared, mut gaps, mut scratch) = (0, 0, Scratch::new());
    for seed in 0..30 {
        let mut random = Random(seed + 11);
        let mix = mix(&mut random);
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
        let bytes = labelled(&scene.bake(), seed % 3);
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let mut filter = QueryFilter::new();
        filter.set_cost(AreaId(1), 2.5).unwrap();
        filter.set_cost(AreaId(2), if seed % 2 == 0 { f64::INFINITY } else { 1.5 }).unwrap();
        let query = NavQuery::new(nav.mesh()).with_filter(&filter);
        let mut place = || {
            let face = random.below(scene.faces.len());
            let at = scene.point_in(&mut random, face);
            scene.place(&query, face, at)
        };
        let (start, places) = (place(), [(); 8].map(|()| place()));
        let goals = Goals::new(&query, &places, &mut scratch);
        let (mut row, mut plain) = ([None; 8], [None; 8]);
        let gap = query.distances_to(&start, &goals, &mut row, &mut scratch);
        assert_eq!(gap, query.distances(&start, &places, &mut plain, &mut scratch));
        assert_eq!(row.map(|l| l.map(f64::to_bits)), plain.map(|l| l.map(f64::to_bits)));
        compared += row.iter().flatten().count();
        gaps += usize::from(gap > 0.0);
    }
    assert!(compared > 60 && gaps > 5, "{compared} {gaps}");
}

#[test]
fn rows_allocate_nothing_once_there_is_room_and_threads_share_goals() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    for kind in [0, 1, 2, 5] {
        let bytes = labelled(&bytes, kind);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let query = NavQuery::new(nav.mesh());
        let places: Vec<NavPoint> = (0..60)
            .filter_map(|_| {
                let [x, z] = [0; 2].map(|_| random.below(160) as f64 / 10.0);
                query.nearest([x, 10.0 * random.below(2) as f64, z], [1.0; 3])
            })
            .collect();
        let count = places.len();
        let (mut goals, mut scratch) = (Goals::default(), Scratch::new());
        let mut matrix = vec![None; count * count];
        let mut fill = |matrix: &mut [Option<f64>]| {
            goals.set(&query, &places, &mut scratch);
            for (start, row) in places.iter().zip(matrix.chunks_mut(count)) {
                query.distances_to(start, &goals, row, &mut scratch);
            }
        };
        fill(&mut matrix);
        let (before, first) = (allocations(), matrix.clone());
        let cloned = allocations();
        fill(&mut matrix);
        assert_eq!(allocations(), cloned, "{kind}, {before} before");
        assert_eq!(matrix, first);
        assert!(matrix.iter().flatten().count() > 500);
        for k in 0..count {
            assert_eq!(matrix[k * count + k], Some(0.0));
        }
        // Two threads, and more goals than the row has room for.
        let mut halves = vec![None; count * count];
        let middle = count / 2 * count;
        let (a, b) = halves.split_at_mut(middle);
        std::thread::scope(|scope| {
            for (places, rows) in [(&places[..count / 2], a), (&places[count / 2..], b)] {
                let (query, goals) = (&query, &goals);
                scope.spawn(move || {
                    let mut scratch = Scratch::new();
                    for (start, row) in places.iter().zip(rows.chunks_mut(count)) {
                        query.distances_to(start, goals, row, &mut scratch);
                    }
                });
            }
        });
        assert_eq!(matrix, halves);
        let mut few = [None; 3];
        query.distances_to(&places[0], &goals, &mut few, &mut scratch);
        assert_eq!(few, matrix[..3]);
        // None at all.
        goals.set(&query, &[], &mut scratch);
        assert_eq!(query.distances_to(&places[0], &goals, &mut few, &mut scratch), 0.0);
        assert_eq!(few, matrix[..3]);
    }
}

#[test]
fn goals_of_another_mesh_give_no_wrong_answer_of_its_own_size() {
    let mut random = Random(8);
    let own = World::random(&mut random, 16, 16, 1, 25, 5, 20).bake_with_points(true, true, 5);
    let [own, bare] = [1, 0].map(|kind| NavMeshBuf::open(&labelled(&own, kind)).unwrap());
    let query = NavQuery::new(own.mesh());
    let mut scratch = Scratch::new();
    let at = |x, z| query.nearest([x, 0.0, z], [4.0; 3]).unwrap();
    let places = [at(1.0, 1.0), at(12.0, 3.0), at(8.0, 14.0)];
    // Made without labels, and asked with them.
    let goals = Goals::new(&NavQuery::new(bare.mesh()), &places, &mut scratch);
    let mut row = [None; 3];
    query.distances_to(&places[0], &goals, &mut row, &mut scratch);
    for (place, length) in places.iter().zip(row) {
        assert_eq!(query.distance(&places[0], place, &mut scratch), length);
    }
}
