//! Bounds by landmarks against an oracle that knows nothing of them, on random scenes of many
//! storeys.

use navbake_format::write::{LandmarkParts, landmarks_bytes, replace_labels, replace_landmarks};
use navbake_format::{LANDMARKS, Section};
use navbake_search::blob::{AreaId, Blob};
use navbake_search::{
    AStar, Algorithm, Error, Heuristic, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_tables::{Corners, Places};
use navbake_tables::{Landmarks, labels_of, landmark_bytes};
use navbake_testkit::Random;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{AREAS, Mix, Scene, UNITS};

fn mix(random: &mut Random, most: usize) -> Mix {
    Mix {
        columns: 2 + random.below(most),
        rows: 2 + random.below(most),
        storeys: 1 + random.below(3),
        jitter: random.below(7) as i32,
        blocked: random.below(45) as u64,
        cut: random.below(30) as u64,
        exchanged: random.below(40) as u64,
        merged: random.below(100) as u64,
    }
}

fn made(bytes: &[u8]) -> Landmarks {
    let blob = Blob::open_checked(bytes).unwrap();
    Landmarks::new(&blob.decode(0).unwrap().mesh()).unwrap()
}

fn marked(bytes: &[u8]) -> Vec<u8> {
    let landmarks = made(bytes);
    let whole = replace_landmarks(bytes, &[landmarks.parts(0)]).unwrap();
    assert_eq!((whole.len() - bytes.len()) as u64, landmarks.bytes());
    whole
}

/// A face that has a vertex as a corner, of those that are the same ground there as a polygon.
fn face_of(scene: &Scene, query: &NavQuery<'_>, polygon: navbake_search::PolyId) -> usize {
    let mut faces = 0..scene.faces.len();
    faces.find(|&f| scene.polygon(query, f) == polygon).expect("every polygon is a face")
}

#[test]
fn unpacked_files_keep_their_landmarks() {
    let mut random = Random(77);
    let mix = Mix { blocked: 0, ..mix(&mut random, 3) };
    let bytes = marked(&Scene::random(&mut random, mix).bake());
    let packed = Blob::open_checked(&bytes).unwrap();
    let unpacked = packed.unpack().unwrap();
    // In place, and copied.
    let file = Blob::open_checked(&unpacked).expect("what is unpacked is taken");
    let (nav, copy) = (packed.decode(0).unwrap(), file.decode(0).unwrap());
    let rows = |mesh: navbake_search::NavMesh<'_>| {
        let landmarks = mesh.landmarks().expect("landmarks");
        (0..).map_while(|row| landmarks.row(row)).collect::<Vec<_>>()
    };
    let own = rows(nav.mesh());
    assert!(own.len() > 8, "{}", own.len());
    assert_eq!(rows(file.mesh(0).unwrap()), own);
    assert_eq!(rows(copy.mesh()), own);
}

#[test]
fn rows_tell_how_far_vertices_are_from_one_and_the_same_place() {
    let mut checked = 0;
    for seed in 0..24 {
        let mut random = Random(seed + 900);
        let mix = mix(&mut random, 3);
        let scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        let bytes = marked(&scene.bake());
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let query = NavQuery::new(mesh);
        let landmarks = mesh.landmarks().unwrap();
        let places = Places::new(&Corners::new(&mesh));
        assert_eq!(places.count(), landmarks.count() as usize);
        let all: Vec<_> = (0..landmarks.count())
            .map(|n| {
                let polygon = places.polygon(n);
                (places.point(n), face_of(&scene, &query, polygon))
            })
            .collect();
        for k in 0..LANDMARKS {
            let row = |n: usize| landmarks.row(n as u32).unwrap()[k];
            // Of each island in turn, from the places that may be the landmark: as far as all rows
            // say.
            let islands = scene.islands();
            let mut found = std::collections::BTreeMap::new();
            for n in (0..all.len()).filter(|&n| row(n) == 0) {
                let (point, face) = all[n];
                let island = islands[face];
                let of_island = (0..all.len()).filter(|&m| islands[all[m].1] == island);
                let is_it = of_island.into_iter().all(|m| {
                    let far = scene.shortest(face, point, all[m].1, all[m].0).unwrap();
                    let steps = far / f64::from(1u32 << landmarks.shift());
                    // Roundings of the two may be on either side of a whole number.
                    (steps - 1e-6).floor() <= f64::from(row(m))
                        && f64::from(row(m)) <= (steps + 1e-6).floor()
                });
                *found.entry(island).or_insert(false) |= is_it;
            }
            assert!(found.values().all(|f| *f), "{seed} {k} {found:?}");
            checked += found.len();
        }
    }
    assert!(checked > 150, "{checked}");
}

/// Asks for paths with everything that switches may close open or closed, with labels or without.
#[derive(Debug, Default)]
struct Tally {
    searched: usize,
    /// Cones that were opened with landmarks and without.
    opened: [usize; 2],
}

#[test]
fn optimal_paths_around_what_is_closed_are_as_short_as_plain_ones() {
    let mut tally = Tally::default();
    for seed in 0..150 {
        let mut random = Random(seed + 4000);
        let mut mix = mix(&mut random, 7);
        mix.exchanged *= seed % 2;
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        scene.furnish(&mut random, 20, 10);
        let mut bare = scene.bake();
        if seed % 3 == 0 {
            let blob = Blob::open_checked(&bare).unwrap();
            let labels = labels_of(&blob.decode(0).unwrap().mesh());
            let parts: Vec<_> = labels.iter().map(|l| l.parts(0)).collect();
            bare = replace_labels(&bare, &parts).unwrap();
        }
        let bytes = marked(&bare);
        let [blob, plain] = [&bytes, &bare].map(|b| Blob::open_checked(b).unwrap());
        let navs = [&blob, &plain].map(|b| b.decode(0).unwrap());
        let [mesh, plain] = navs.each_ref().map(|nav| nav.mesh());
        let mut filter = QueryFilter::new();
        let mut plain_filter = QueryFilter::new();
        let mut scratch = Scratch::new();
        let mut plain_scratch = Scratch::new();
        for _ in 0..24 {
            let switches = random.below(8) as u64;
            scene.close(switches, 0);
            filter.set_blocked(&mesh, &[switches], 0).unwrap();
            plain_filter.set_blocked(&plain, &[switches], 0).unwrap();
            let query = NavQuery::new(mesh).with_filter(&filter);
            let without = NavQuery::new(plain).with_filter(&plain_filter);
            let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
            let (a, b) = (scene.point_in(&mut random, from), scene.point_in(&mut random, to));
            if [from, to].iter().any(|f| scene.closed.faces.contains(f)) {
                continue;
            }
            let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
            let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
            let before =
                without.find_path_between(&start, &goal, &request, &mut plain_scratch).unwrap();
            let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
            let optimum = scene.shortest(from, a, to, b);
            assert_eq!(answer.status, before.status);
            assert_eq!(answer.status == Status::Reached, optimum.is_some());
            if let Some(optimum) = optimum {
                assert_shortest(answer.cost, optimum, [(from, a), (to, b)]);
                assert!(answer.certified_optimal);
                tally.searched += usize::from(answer.expanded > 0);
                let opened = [answer.expanded, before.expanded];
                (tally.opened[0], tally.opened[1]) =
                    (tally.opened[0] + opened[0] as usize, tally.opened[1] + opened[1] as usize);
            }
        }
    }
    assert!(tally.searched > 150 && tally.opened[0] < tally.opened[1], "{tally:?}");
}

/// Portals met in their middles are a graph, in which whatever never says too much finds the same.
#[test]
fn estimates_by_table_find_what_no_estimate_finds() {
    let (mut reached, mut opened) = (0, [0; 3]);
    for seed in 0..120 {
        let mut random = Random(seed + 7000);
        let mix = mix(&mut random, 7);
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        scene.furnish(&mut random, 15, 10);
        for area in &mut scene.areas {
            *area = random.below(AREAS.len()) as u8;
        }
        let bytes = marked(&scene.bake());
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let mut scratch = Scratch::new();
        let mut weighted = QueryFilter::new();
        for area in 0..AREAS.len() {
            let weight = (1 + random.below(8)) as f64 / 4.0;
            weighted.set_cost(AreaId(area as u8), weight).unwrap();
        }
        for _ in 0..16 {
            let switches = random.below(8) as u64;
            let mut filter = match random.chance(50) {
                true => weighted.clone(),
                false => QueryFilter::new(),
            };
            filter.set_blocked(&mesh, &[switches], 0).unwrap();
            let query = NavQuery::new(mesh).with_filter(&filter);
            let mut end = || {
                let face = random.below(scene.faces.len());
                scene.place(&query, face, scene.point_in(&mut random, face))
            };
            let (start, goals) = (end(), [end(), end()].map(|l| l.position()));
            let reverse = random.chance(30);
            let goals = match random.chance(30) {
                true => &goals[..],
                false => &goals[..1],
            };
            let base = PathRequest::new(start.position(), goals[0]);
            let ask = |heuristic, scratch: &mut Scratch| {
                let a_star = AStar { heuristic, reverse, ..AStar::default() };
                let request = base.algorithm(Algorithm::Midpoints(a_star));
                let answer = query.find_path_to_any(&request, goals, scratch).unwrap();
                (answer.status, answer.cost, answer.expanded)
            };
            let all = [Heuristic::Zero, Heuristic::Euclidean, Heuristic::Table];
            let [zero, straight, table] = all.map(|h| ask(h, &mut scratch));
            assert_eq!((zero.0, straight.0), (table.0, table.0), "{seed}");
            if table.0 != Status::Reached {
                continue;
            }
            reached += 1;
            for (sum, one) in opened.iter_mut().zip([zero.2, straight.2, table.2]) {
                *sum += one as usize;
            }
            // Of paths through middles of equal length one may be straightened more.
            if (zero.1 - straight.1).abs() < 1e-9 {
                assert!((table.1 - zero.1).abs() < 1e-9, "{seed}: {zero:?} {table:?}");
            }
        }
    }
    assert!(reached > 500, "{reached}");
    assert!(opened[2] < opened[1] && opened[1] < opened[0], "{opened:?}");
}

/// No bound may be above the cost of a path that was found without them.
#[test]
fn bounds_of_weighted_searches_hold_for_paths_found_without_landmarks() {
    let (mut compared, mut expanded) = (0, [0; 2]);
    for seed in 0..40 {
        let mut random = Random(seed + 11_000);
        let mix = mix(&mut random, 6);
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        scene.furnish(&mut random, 10, 5);
        scene.areas = (0..scene.faces.len()).map(|_| random.below(AREAS.len()) as u8).collect();
        let bare = scene.bake();
        let marked = marked(&bare);
        let blobs = [&bare, &marked].map(|b| Blob::open_checked(b).unwrap());
        let navs = blobs.each_ref().map(|b| b.decode(0).unwrap());
        let meshes = navs.each_ref().map(|nav| nav.mesh());
        let mut scratches = [Scratch::new(), Scratch::new()];
        let mut filter = QueryFilter::new();
        for area in 0..AREAS.len() {
            filter.set_cost(AreaId(area as u8), (2 + random.below(5)) as f64 / 2.0).unwrap();
        }
        let uphill = random.below(3) as f64;
        filter.set_slopes(uphill, random.below(2) as f64).unwrap();
        for _ in 0..6 {
            let switches = random.below(8) as u64;
            let ends: Vec<_> = (0..3)
                .map(|_| {
                    let face = random.below(scene.faces.len());
                    (face, scene.point_in(&mut random, face))
                })
                .collect();
            let mut answers = vec![];
            for k in 0..2 {
                filter.set_blocked(&meshes[k], &[switches], 0).unwrap();
                let query = NavQuery::new(meshes[k]).with_filter(&filter);
                let at = |n: usize| scene.place(&query, ends[n].0, ends[n].1).position();
                let request = PathRequest::new(at(0), at(1))
                    .algorithm(Algorithm::Weighted { gap: 0.02, landmarks: k == 1 });
                let answer =
                    query.find_path_to_any(&request, &[at(1), at(2)], &mut scratches[k]).unwrap();
                expanded[k] += answer.expanded as usize;
                answers.push((answer.status, answer.cost, answer.bound, answer.algorithm.name()));
            }
            let [(status, cost, bound, planner), with] = answers[..] else {
                panic!("two ways of asking");
            };
            assert_eq!((status, planner), (with.0, with.3), "{seed}");
            if status == Status::Reached {
                let most = 1.0 + 1e-9;
                assert!(bound <= with.1 * most && with.2 <= cost * most, "{seed}: {answers:?}");
                compared += usize::from(planner == "weighted");
            }
        }
    }
    assert!(compared > 60, "{compared}");
    assert!(expanded[1] < expanded[0], "{expanded:?}");
}

#[test]
fn landmarks_come_and_go_without_a_trace() {
    let bare = plain_scene(3);
    let whole = marked(&bare);
    assert_eq!(replace_landmarks(&whole, &[made(&bare).parts(0)]).unwrap(), whole);
    assert_eq!(replace_landmarks(&whole, &[]).unwrap(), bare);
    let blob = Blob::open_checked(&whole).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    let rows = mesh.landmarks().unwrap();
    assert_eq!(landmark_bytes(&mesh), landmarks_bytes(rows.count().into()));
    assert_eq!(rows.row(rows.count()), None);
    let parts = made(&bare);
    let read: Vec<_> = (0..rows.count()).map(|n| rows.row(n).unwrap()).collect();
    assert_eq!(read, parts.parts(0).rows);
    for section in [Section::LANDMARKS, Section::LANDMARK_ROWS] {
        let (info, _) = blob.blob().section(section, 0).unwrap();
        assert!(!info.required, "{section}");
    }
    // Labels put beside them leave them alone.
    let labels = labels_of(&mesh).unwrap();
    let both = replace_labels(&whole, &[labels.parts(0)]).unwrap();
    assert_eq!(replace_labels(&both, &[]).unwrap(), whole);
}

fn plain_scene(seed: u64) -> Vec<u8> {
    let mix = Mix {
        columns: 6,
        rows: 6,
        storeys: 2,
        jitter: 5,
        blocked: 20,
        cut: 10,
        exchanged: 20,
        merged: 60,
    };
    Scene::random(&mut Random(seed), mix).bake()
}

#[test]
fn landmarks_of_another_mesh_and_with_wrong_numbers_are_refused() {
    let [a, b] = [4, 5].map(plain_scene);
    let [whole, other] = [&a, &b].map(|bytes| marked(bytes));
    let blob = Blob::open(&whole).unwrap();
    let (info, head) = blob.section(Section::LANDMARKS, 0).unwrap();
    assert_eq!(head.len(), 16);
    let refused = |at: usize, with: &[u8], expected: &str| {
        let mut bytes = whole.clone();
        bytes[info.offset as usize + at..][..with.len()].copy_from_slice(with);
        let error = Blob::open(&bytes).unwrap().validate().err().unwrap();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    };
    let (_, others) = (Blob::open(&other).unwrap().section(Section::LANDMARKS, 0)).unwrap();
    refused(0, &others[..8], "bake the level again");
    refused(8, &[1, 0, 0, 0], "as many rows as");
    refused(12, &[32], "at most 31");
    refused(15, &[1], "zeros behind it");
    let rows = vec![[0; LANDMARKS]; 100_000];
    let parts = LandmarkParts { class: 0, shift: 0, rows: &rows };
    let error = replace_landmarks(&a, &[parts]).unwrap_err();
    assert!(error.to_string().contains("no more rows than edges"), "{error}");
    // Without their head rows mean nothing.
    let row = blob.sections().position(|s| s.section == Section::LANDMARKS);
    let mut bytes = whole.clone();
    // Rows of 12 bytes, behind the header.
    let row = 136 + 12 * row.unwrap();
    assert_eq!(bytes[row..row + 2], Section::LANDMARKS.0.to_le_bytes());
    bytes[row] = 0xFF;
    assert!(Blob::open(&bytes).and_then(|b| b.validate().map(|_| ())).is_err());
}

#[test]
fn a_mesh_with_links_has_no_landmarks_and_says_so() {
    let mix = Mix {
        columns: 5,
        rows: 5,
        storeys: 1,
        jitter: 3,
        blocked: 10,
        cut: 0,
        exchanged: 0,
        merged: 30,
    };
    let mut random = Random(8);
    let mut scene = Scene::random(&mut random, mix);
    let without = made(&scene.bake());
    scene.join(&mut random, 2, 30);
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = blob.decode(0).unwrap();
    let mesh = nav.mesh();
    assert!(Landmarks::new(&mesh).is_none() && landmark_bytes(&mesh) == 0);
    let error = replace_landmarks(&bytes, &[without.parts(0)]).unwrap_err();
    assert!(error.to_string().contains("a mesh with links"), "{error}");
    let query = NavQuery::new(mesh);
    let place = scene.place(&query, 0, scene.corner(0, 0)).position();
    let by_table = AStar { heuristic: Heuristic::Table, ..AStar::default() };
    for algorithm in [
        Algorithm::Corridor(by_table),
        Algorithm::Midpoints(by_table),
        Algorithm::Weighted { gap: 0.02, landmarks: true },
    ] {
        let request = PathRequest::new(place, place).algorithm(algorithm);
        let refused = query.find_path(&request, &mut Scratch::new()).err();
        assert_eq!(refused, Some(Error::NoLandmarks));
    }
}

#[test]
fn numbers_that_are_wrong_lead_nowhere_worse_than_a_longer_path() {
    let mut random = Random(99);
    let bare = plain_scene(6);
    let sound = made(&bare);
    for _ in 0..30 {
        let rows: Vec<[u16; LANDMARKS]> = (0..sound.count())
            .map(|_| core::array::from_fn(|_| random.below(1 << 16) as u16))
            .collect();
        let parts = LandmarkParts { class: 0, shift: random.below(32) as u8, rows: &rows };
        let bytes = replace_landmarks(&bare, &[parts]).unwrap();
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mesh = nav.mesh();
        let query = NavQuery::new(mesh);
        let mut scratch = Scratch::new();
        for polygon in mesh.polygons() {
            let at = polygon.point(0).map(|c| f64::from(c) / UNITS);
            let end = mesh.polygon(navbake_search::PolyId(0)).point(1);
            let request = PathRequest::new(at, end.map(|c| f64::from(c) / UNITS));
            let by_table = AStar { heuristic: Heuristic::Table, ..AStar::default() };
            for algorithm in
                [Algorithm::Optimal, Algorithm::Corridor(by_table), Algorithm::Midpoints(by_table)]
            {
                let request = request.algorithm(algorithm);
                let answer = query.find_path(&request, &mut scratch).unwrap();
                assert!(answer.cost >= answer.bound - 1e-9);
            }
        }
    }
}

#[test]
fn threads_change_no_byte() {
    let bare = plain_scene(7);
    let by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| made(&bare))
    };
    assert_eq!(by(1), by(4));
}
