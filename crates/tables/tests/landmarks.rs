//! Bounds by landmarks against an oracle that knows nothing of them, on random scenes of many storeys.

#[path = "../../search/tests/common/mod.rs"]
mod common;
#[path = "../../search/tests/scene/mod.rs"]
mod scene;

use common::Random;
use navbake_format::write::{LandmarkParts, landmarks_bytes, with_labels, with_landmarks};
use navbake_format::{LANDMARKS, Section};
use navbake_search::{
    AreaCosts, AreaId, Blob, ClosingsBuffer, Corners, Heuristic, PathRequest, Places, Planner,
    Query, SearchBuffer, Status,
};
use navbake_tables::{Landmarks, labels_of, landmark_bytes};
use scene::{AREAS, Mix, Scene, UNITS};

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
    Landmarks::new(&blob.mesh(0).unwrap()).unwrap()
}

fn marked(bytes: &[u8]) -> Vec<u8> {
    let landmarks = made(bytes);
    let whole = with_landmarks(bytes, &[landmarks.parts(0)]).unwrap();
    assert_eq!((whole.len() - bytes.len()) as u64, landmarks.bytes());
    whole
}

/// A face that has a vertex as a corner, of those that are the same ground there as a polygon.
fn face_of(scene: &Scene, query: &Query<'_>, polygon: navbake_search::PolyId) -> usize {
    let mut faces = 0..scene.faces.len();
    faces
        .find(|&f| scene.polygon(query, f) == polygon)
        .expect("every polygon is a face")
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
        let mesh = blob.mesh(0).unwrap();
        let query = Query::new(mesh);
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
            // Of each island in turn, from the places that may be the landmark: as far as all rows say.
            let islands = scene.islands();
            let mut found = std::collections::BTreeMap::new();
            for n in (0..all.len()).filter(|&n| row(n) == 0) {
                let (point, face) = all[n];
                let island = islands[face];
                let of_island = (0..all.len()).filter(|&m| islands[all[m].1] == island);
                let is_it = of_island.into_iter().all(|m| {
                    let far = scene.shortest(face, point, all[m].1, all[m].0).unwrap();
                    let steps = far / f64::from(1u32 << landmarks.shift());
                    // Roundings of the two may lie on either side of a whole number.
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

/// Asks for ways with everything that switches may close open or closed, with labels or without.
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
            let labels = labels_of(&blob.mesh(0).unwrap());
            let parts: Vec<_> = labels.iter().map(|l| l.parts(0)).collect();
            bare = with_labels(&bare, &parts).unwrap();
        }
        let bytes = marked(&bare);
        let [blob, plain] = [&bytes, &bare].map(|b| Blob::open_checked(b).unwrap());
        let [mesh, plain] = [&blob, &plain].map(|b| b.mesh(0).unwrap());
        let mut closer = ClosingsBuffer::new(&mesh);
        let mut plain_closer = ClosingsBuffer::new(&plain);
        let mut buffer = SearchBuffer::new(&mesh);
        let mut plain_buffer = SearchBuffer::new(&plain);
        for _ in 0..24 {
            let switches = random.below(8) as u64;
            scene.close(switches, 0);
            let query = Query::new(mesh).with_closings(closer.close(&mesh, &[switches]));
            let without = plain_closer.close(&plain, &[switches]);
            let without = Query::new(plain).with_closings(without);
            let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
            let (a, b) = (
                scene.point_in(&mut random, from),
                scene.point_in(&mut random, to),
            );
            if [from, to].iter().any(|f| scene.closed.faces.contains(f)) {
                continue;
            }
            let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
            let request = PathRequest::new([0.0; 3], [0.0; 3]).planner(Planner::Optimal);
            let before = without.path_between(&start, &goal, &request, &mut plain_buffer);
            let answer = query.path_between(&start, &goal, &request, &mut buffer);
            let optimum = scene.shortest(from, a, to, b);
            assert_eq!(answer.status, before.status);
            assert_eq!(answer.status == Status::Reached, optimum.is_some());
            if let Some(optimum) = optimum {
                let ours = answer.cost * UNITS;
                assert!(
                    (ours - optimum).abs() <= 1e-9 * optimum.max(1.0),
                    "{a:?} in {from} to {b:?} in {to}: {ours}, but {optimum} is shortest"
                );
                assert!(answer.certified_optimal);
                tally.searched += usize::from(answer.expanded > 0);
                let opened = [answer.expanded, before.expanded];
                (tally.opened[0], tally.opened[1]) = (
                    tally.opened[0] + opened[0] as usize,
                    tally.opened[1] + opened[1] as usize,
                );
            }
        }
    }
    assert!(
        tally.searched > 150 && tally.opened[0] < tally.opened[1],
        "{tally:?}"
    );
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
        let mesh = blob.mesh(0).unwrap();
        let mut closer = ClosingsBuffer::new(&mesh);
        let mut buffer = SearchBuffer::new(&mesh);
        let mut costs = AreaCosts::default();
        for area in 0..AREAS.len() {
            let weight = (1 + random.below(8)) as f64 / 4.0;
            assert!(costs.set(AreaId(area as u8), weight));
        }
        for _ in 0..16 {
            let query = Query::new(mesh);
            let query = query.with_closings(closer.close(&mesh, &[random.below(8) as u64]));
            let query = match random.chance(50) {
                true => query.with_costs(&costs),
                false => query,
            };
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
            let base = PathRequest::new(start.position(), goals[0])
                .planner(Planner::Midpoints)
                .reverse(reverse);
            let ask = |heuristic, buffer: &mut SearchBuffer| {
                let answer = query.path_to_any(&base.heuristic(heuristic, 1.0), goals, buffer);
                (answer.status, answer.cost, answer.expanded)
            };
            let all = [Heuristic::Zero, Heuristic::Euclidean, Heuristic::Table];
            let [zero, straight, table] = all.map(|h| ask(h, &mut buffer));
            assert_eq!((zero.0, straight.0), (table.0, table.0), "{seed}");
            if table.0 != Status::Reached {
                continue;
            }
            reached += 1;
            for (sum, one) in opened.iter_mut().zip([zero.2, straight.2, table.2]) {
                *sum += one as usize;
            }
            // Of ways through middles that are as long one may be straightened more.
            if (zero.1 - straight.1).abs() < 1e-9 {
                assert!(
                    (table.1 - zero.1).abs() < 1e-9,
                    "{seed}: {zero:?} {table:?}"
                );
            }
        }
    }
    assert!(reached > 500, "{reached}");
    assert!(opened[2] < opened[1] && opened[1] < opened[0], "{opened:?}");
}
