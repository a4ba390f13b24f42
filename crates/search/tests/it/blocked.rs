//! Doors and closed polygons on random scenes of many storeys, against an oracle that walks from
//! face to face.

use navbake_search::around::MoveLog;
use navbake_search::blob::{Blob, EdgeId};
use navbake_search::{
    Algorithm, Error, Heuristic, MoveRequest, NavPath, NavQuery, PathRequest, PolyId, QueryFilter,
    Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene::doors::SWITCHES;
use navbake_testkit::scene::{Mix, Scene, UNITS, grid};
use proptest::prelude::*;
use std::collections::BTreeSet;

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

fn asks(planner: Algorithm) -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner)
}

/// The faces of polygons in a row, each entered through an open edge of the one before.
fn enters(scene: &Scene, query: &NavQuery<'_>, start: usize, polygons: &[PolyId]) -> Vec<usize> {
    let face = |p: PolyId| (0..scene.faces.len()).find(|&f| scene.polygon(query, f) == p);
    let mut faces = vec![start];
    for &p in polygons {
        let (f, g) = (faces[faces.len() - 1], face(p).expect("a face"));
        let edges = 0..scene.faces[f].corners.len();
        assert!(edges.clone().any(|k| scene.open(f, k) == Some(g)), "{f} to {g} is shut");
        faces.push(g);
    }
    faces
}

/// The path leads through open edges alone, and every leg of it is free.
fn check_walkable(scene: &Scene, query: &NavQuery<'_>, answer: &NavPath<'_>, start: usize) {
    let faces = enters(scene, query, start, &answer.polygons[1..]);
    assert_eq!(answer.polygons[0], scene.polygon(query, start));
    let mut at = vec![start];
    for w in answer.points.windows(2) {
        let (a, b) = (grid(w[0]), grid(w[1]));
        at = (faces.iter().copied())
            .filter(|&f| scene.touches(f, b) && at.iter().any(|&from| scene.sees(from, a, f, b)))
            .collect();
        assert!(!at.is_empty(), "{a:?} does not see {b:?}: {answer:?}");
    }
}

/// Asks for paths with some of the switches closed.
fn check_paths(scene: &mut Scene, random: &mut Random, pairs: usize) {
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut closings = QueryFilter::new();
    let mut scratch = Scratch::new();
    for _ in 0..pairs {
        let switches = random.below(1 << SWITCHES) as u64;
        scene.close(switches, 0);
        closings.set_blocked(open.mesh(), &[switches], 0).unwrap();
        let query = open.with_filter(&closings);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(random, f));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        let optimum = scene.shortest(from, a, to, b);
        let shut_in = scene.closed.faces.contains(&from);

        for planner in [Algorithm::Optimal, CORRIDOR, MIDPOINTS] {
            let request = asks(planner).a_star(|a| a.reverse = random.chance(30));
            let request = match random.below(4) {
                0 => request.a_star(|a| (a.heuristic, a.weight) = (Heuristic::Manhattan, 2.0)),
                _ => request,
            };
            if planner == Algorithm::Optimal && shut_in {
                let refused = query.find_path_between(&start, &goal, &request, &mut scratch);
                assert_eq!(refused, Err(Error::StartBlocked));
                continue;
            }
            let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
            let Some(optimum) = optimum else {
                assert_eq!(answer.status, Status::Unreachable, "{planner:?}");
                let request = request.partial(true);
                let answer =
                    query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
                assert_eq!(answer.status, Status::Partial, "{planner:?}");
                assert!(!answer.certified_optimal);
                check_walkable(scene, &query, &answer, from);
                continue;
            };
            assert_eq!(answer.status, Status::Reached, "{planner:?}");
            let ours = answer.length_xz * UNITS;
            let slack = 1e-9 * optimum.max(1.0);
            assert!(ours >= optimum - slack, "{planner:?}: {ours}, {optimum}");
            if planner == Algorithm::Optimal {
                assert!(
                    (ours - optimum).abs() <= slack,
                    "{a:?} in {from} to {b:?} in {to}: {ours}, but {optimum} is shortest"
                );
            }
            assert!(!answer.certified_optimal || (ours - optimum).abs() <= slack);
            if planner == Algorithm::Optimal {
                assert!(answer.certified_optimal);
                assert_eq!(answer.algorithm, Algorithm::Optimal);
            }
            let ends = [answer.points[0], answer.points[answer.points.len() - 1]];
            assert_eq!(ends.map(grid), [a, b]);
            check_walkable(scene, &query, &answer, from);
        }
    }
}

/// Rays and motions with some of the switches closed.
fn check_motion(scene: &mut Scene, random: &mut Random, rounds: usize) {
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut closings = QueryFilter::new();
    for _ in 0..rounds {
        let switches = random.below(1 << SWITCHES) as u64;
        scene.close(switches, 0);
        closings.set_blocked(open.mesh(), &[switches], 0).unwrap();
        let query = open.with_filter(&closings);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(random, f));
        let start = scene.place(&query, from, a);
        let towards = [f64::from(b[0]) / UNITS, 0.0, f64::from(b[1]) / UNITS];

        let mut entered = vec![PolyId(0); scene.faces.len()];
        let hit = query.raycast_through(&start, towards, &mut entered);
        let faces = enters(scene, &query, from, &entered[..hit.crossed as usize]);
        let last = faces[faces.len() - 1];
        let ends = scene.walk(&BTreeSet::from([from]), a, b);
        match hit.wall {
            None => assert!(ends.contains(&last)),
            Some(wall) => {
                // At a corner the wall may be that of another face there.
                let mut faces = 0..scene.faces.len();
                let f = faces.find(|&f| scene.polygon(&query, f) == hit.polygon);
                assert!(is_wall(scene, &query, f.unwrap(), wall.edge.0));
            }
        }

        let (mut entered, mut walls) = (vec![PolyId(0); 64], vec![EdgeId(0); 64]);
        let log = MoveLog { entered: &mut entered, hit: &mut walls };
        let motion = query.move_along(&start, &MoveRequest::new(towards), log);
        if motion.entered <= entered.len() {
            let faces = enters(scene, &query, from, &entered[..motion.entered]);
            let last = faces[faces.len() - 1];
            assert_eq!(motion.end.polygon(), scene.polygon(&query, last));
        }
        for edge in &walls[..motion.hit.min(walls.len())] {
            assert!((0..scene.faces.len()).any(|f| is_wall(scene, &query, f, edge.0)));
        }
    }
}

/// Is this, by its number among all edges, an edge of a face that cannot be crossed?
fn is_wall(scene: &Scene, query: &NavQuery<'_>, f: usize, edge: u32) -> bool {
    let polygon = query.mesh().polygon(scene.polygon(query, f));
    (0..polygon.len()).any(|k| {
        let at = polygon.corner(k);
        let own = |j: &usize| scene.corner(f, *j) == at;
        let j = (0..scene.faces[f].corners.len()).find(own).unwrap();
        polygon.edge(k).0 == edge && scene.open(f, j).is_none()
    })
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn with_doors_and_polygons_closed_paths_are_as_long_as_the_visibility_graph_says(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..4usize, jitter in 0..5i32, blocked in 0..30u64,
        cut in 0..20u64, exchanged in 0..50u64, merged in 0..100u64, doors in 0..60u64, closures in 0..30u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.furnish(&mut random, doors, closures);
        check_paths(&mut scene, &mut random, 6);
    }

    #[test]
    fn rays_and_motions_cross_no_shut_edge(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, jitter in 0..5i32, blocked in 0..20u64,
        cut in 0..10u64, exchanged in 0..30u64, merged in 0..100u64, doors in 0..60u64, closures in 0..30u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.furnish(&mut random, doors, closures);
        check_motion(&mut scene, &mut random, 12);
    }

    #[test]
    fn a_shut_door_is_as_good_as_a_wall(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, jitter in 0..5i32, blocked in 0..20u64,
        exchanged in 0..30u64, merged in 0..100u64, doors in 0..60u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut: 0, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.furnish(&mut random, doors, 0);
        scene.close(u64::MAX, 0);
        // The same with walls in place of the doors.
        let mut walled = scene.clone();
        walled.doors.clear();
        for &(f, k) in &scene.closed.shut {
            walled.faces[f].beyond[k] = None;
        }
        let (bytes, other) = (scene.bake(), walled.bake());
        let [blob, other] = [&bytes, &other].map(|b| Blob::open_checked(b).unwrap().decode(0).unwrap().leak());
        let mut closings = QueryFilter::new();
        closings.set_blocked(&blob, &[u64::MAX], 0).unwrap();
let query = NavQuery::new(blob).with_filter(&closings);
        let walls = NavQuery::new(other);
        let mut floods = [Scratch::new(), Scratch::new()];
        let mut scratches = [Scratch::new(), Scratch::new()];
        for _ in 0..6 {
            let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
            let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
            let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
            let (other, other_goal) = (walled.place(&walls, from, a), walled.place(&walls, to, b));
            let most = 1.0 + random.below(9) as f64;
            let [ours, theirs] = [(&query, &start), (&walls, &other)].iter().zip(&mut floods)
                .map(|((q, p), flood)| q.wall_distance(p, most, flood))
                .collect::<Vec<_>>().try_into().unwrap();
            prop_assert_eq!(ours.distance, theirs.distance);
            prop_assert_eq!(query.sees(&start, &goal), walls.sees(&other, &other_goal));
            let request = asks(Algorithm::Optimal);
            let [one, two] = &mut scratches;
            let ours = query.find_path_between(&start, &goal, &request, one).unwrap();
            let theirs = walls.find_path_between(&other, &other_goal, &request, two).unwrap();
            prop_assert_eq!(ours.status, theirs.status);
            prop_assert!((ours.length_xz - theirs.length_xz).abs() <= 1e-9 * theirs.length_xz.max(1.0));
        }
    }
}

#[test]
fn what_is_opened_again_is_as_if_it_had_never_been_closed() {
    let mut random = Random(4);
    let mix = Mix {
        columns: 6,
        rows: 6,
        storeys: 2,
        jitter: 3,
        blocked: 10,
        cut: 5,
        exchanged: 20,
        merged: 40,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.furnish(&mut random, 50, 10);
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut closings = QueryFilter::new();
    closings.set_blocked(open.mesh(), &[u64::MAX], 0).unwrap();
    closings.set_blocked(open.mesh(), &[], 0).unwrap();
    let query = open.with_filter(&closings);
    let mut scratches = [Scratch::new(), Scratch::new()];
    for _ in 0..200 {
        let [from, to] = [0; 2].map(|_| {
            let f = random.below(scene.faces.len());
            scene.place(&query, f, scene.point_in(&mut random, f))
        });
        for planner in [Algorithm::Optimal, CORRIDOR, MIDPOINTS] {
            let [one, two] = &mut scratches;
            let ours = query.find_path_between(&from, &to, &asks(planner), one).unwrap();
            let theirs = open.find_path_between(&from, &to, &asks(planner), two).unwrap();
            assert_eq!(ours, theirs);
        }
    }
}

#[test]
fn around_the_axis_of_a_helix_paths_turn_in_every_sector_between_shut_doors() {
    let mut random = Random(6_532_378_202_725_269_431);
    let mix = Mix {
        columns: 4,
        rows: 3,
        storeys: 3,
        jitter: 4,
        blocked: 1,
        cut: 7,
        exchanged: 41,
        merged: 43,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.furnish(&mut random, 24, 20);
    check_paths(&mut scene, &mut random, 60);
}

/// A path along borders may be found with polygons on both of its sides in turns: more of them than
/// the scratch has room for.
#[test]
fn a_path_along_borders_goes_through_no_polygon_twice() {
    let mut random = Random(13_857_039_624_442_195_312);
    let mix = Mix {
        columns: 5,
        rows: 2,
        storeys: 2,
        jitter: 0,
        blocked: 3,
        cut: 0,
        exchanged: 19,
        merged: 70,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.furnish(&mut random, 32, 0);
    scene.close(u64::MAX, 0);
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak();
    let mut closings = QueryFilter::new();
    closings.set_blocked(&blob, &[u64::MAX], 0).unwrap();
    let query = NavQuery::new(blob).with_filter(&closings);
    let mut scratch = Scratch::new();
    let mut reached = 0;
    for turn in 0..2000 {
        let [from, to] = [0; 2].map(|_| {
            let f = random.below(scene.faces.len());
            scene.place(&query, f, scene.point_in(&mut random, f))
        });
        let answer =
            query.find_path_between(&from, &to, &asks(Algorithm::Optimal), &mut scratch).unwrap();
        assert_ne!(answer.status, Status::OutOfNodes, "{turn}");
        let mut polygons = answer.polygons.to_vec();
        polygons.sort_unstable();
        polygons.dedup();
        assert_eq!(polygons.len(), answer.polygons.len(), "{turn}");
        reached += usize::from(answer.status == Status::Reached);
    }
    assert!(reached > 1000, "{reached}");
}
