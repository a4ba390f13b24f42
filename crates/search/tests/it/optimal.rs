//! Optimal paths on random scenes of many storeys, against an oracle that knows nothing of cones.
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavPath, NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{Mix, Scene, UNITS, grid};
use navbake_testkit::squares;
use navbake_testkit::squares::World;
use proptest::prelude::*;

use crate::a_star::CORRIDOR;

fn optimal() -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal)
}

/// The path can be walked: every leg is free, from ground to ground. The polygons of the answer say
/// which ground.
fn check_walkable(scene: &Scene, query: &NavQuery<'_>, answer: &NavPath<'_>, start: usize) {
    let face =
        |p: navbake_search::PolyId| (0..scene.faces.len()).find(|&f| scene.polygon(query, f) == p);
    // Neighbours in the list are neighbours in the scene.
    let faces: Vec<usize> = (answer.polygons.iter()).filter_map(|&p| face(p)).collect();
    assert_eq!(faces.len(), answer.polygons.len());
    assert_eq!(faces[0], start);
    for w in faces.windows(2) {
        assert!(scene.faces[w[0]].beyond.contains(&Some(w[1])));
    }
    let mut length = 0.0;
    let mut at = vec![start];
    for w in answer.points.windows(2) {
        let (a, b) = (grid(w[0]), grid(w[1]));
        at = (faces.iter().copied())
            .filter(|&f| scene.touches(f, b) && at.iter().any(|&from| scene.sees(from, a, f, b)))
            .collect();
        assert!(!at.is_empty(), "{a:?} does not see {b:?}: {answer:?}");
        length += f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1]));
    }
    assert!((length / UNITS - answer.length_xz).abs() <= 1e-9 * length.max(1.0));
}

fn check(scene: &Scene, random: &mut Random, pairs: usize) {
    if scene.faces.is_empty() {
        return;
    }
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let mut small = Scratch::bounded(random.below(6));
    let islands = scene.islands();
    for _ in 0..pairs {
        let (from, to) = (random.below(scene.faces.len()), random.below(scene.faces.len()));
        let (a, b) = (scene.point_in(random, from), scene.point_in(random, to));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        let reachable = islands[from] == islands[to];
        let optimum = scene.shortest(from, a, to, b);
        assert_eq!(optimum.is_some(), reachable);

        let request = optimal();
        let corridor = request.algorithm(CORRIDOR);
        let corridor =
            query.find_path_between(&start, &goal, &corridor, &mut scratch).unwrap().length_xz;
        let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
        if let Some(optimum) = optimum {
            assert_eq!(answer.status, Status::Reached, "{a:?} to {b:?}");
            assert_shortest(answer.length_xz, optimum, [(from, a), (to, b)]);
            assert!(answer.certified_optimal);
            assert_eq!(answer.bound, answer.length_xz);
            assert!(answer.length_xz <= corridor * (1.0 + 1e-12));
            assert_eq!([grid(answer.points[0]), grid(*answer.points.last().unwrap())], [a, b]);
            check_walkable(scene, &query, &answer, from);
        } else {
            assert_eq!(answer.status, Status::Unreachable);
            assert!(!answer.certified_optimal);
            let answer = query
                .find_path_between(&start, &goal, &request.partial(true), &mut scratch)
                .unwrap();
            assert_eq!(answer.status, Status::Partial);
            assert!(!answer.certified_optimal);
            check_walkable(scene, &query, &answer, from);
        }

        // Less scratch gives the same answer, or says that it was too little and leads somewhere.
        let answer = query.find_path_between(&start, &goal, &request, &mut small).unwrap();
        match (answer.status, optimum) {
            (Status::Reached, Some(optimum)) => {
                assert_shortest(answer.length_xz, optimum, [(from, a), (to, b)]);
                assert!(answer.certified_optimal);
            }
            (Status::OutOfNodes, Some(_)) => {
                assert!(!answer.certified_optimal);
                if !answer.points.is_empty() {
                    check_walkable(scene, &query, &answer, from);
                }
            }
            (status, None) => assert_eq!(status, Status::Unreachable),
            (status, _) => panic!("{status:?}"),
        }
    }
}

/// Paths between random places of free squares; returns the most cones that one of them took.
fn check_on_squares(world: &World, random: &mut Random, (join, sparse): (bool, bool)) -> u32 {
    let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
    if free.is_empty() {
        return 0;
    }
    let bytes = world.bake(join, sparse);
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(blob.decode(0).unwrap().leak());
    let (mut scratch, mut most) = (Scratch::new(), 0);
    for _ in 0..6 {
        let squares = [free[random.below(free.len())], free[random.below(free.len())]];
        let points = squares.map(|s| {
            let (c, r, _) = world.cell(s);
            let mut offset = || squares::SIDE / 2 * random.below(3) as i32;
            [c * squares::SIDE + offset(), r * squares::SIDE + offset()]
        });
        let [start, goal] = [0, 1].map(|i| world.place(&query, squares[i], points[i]));
        let answer = query.find_path_between(&start, &goal, &optimal(), &mut scratch).unwrap();
        let ours = (answer.status == Status::Reached)
            .then_some(answer.length_xz * f64::from(squares::SIDE));
        most = most.max(answer.expanded);
        let optimum = world.shortest(squares[0], points[0], squares[1], points[1]);
        assert_eq!(ours.is_some(), optimum.is_some());
        if let (Some(ours), Some(optimum)) = (ours, optimum) {
            assert!((ours - optimum).abs() <= 1e-9 * optimum.max(1.0), "{ours} or {optimum}");
        }
    }
    most
}

/// Searches of many cones drop those that a path over an end of their portal passes.
#[test]
fn long_searches_are_as_long_as_the_visibility_graph_says() {
    let mut random = Random(36);
    let mut long = 0;
    for case in 0..24 {
        let world = World::random_flat(&mut random, 18, 14, 15 + 2 * (case % 12));
        let most = check_on_squares(&world, &mut random, (case % 2 == 0, case % 3 == 0));
        long += u32::from(most > 64);
    }
    assert!(long > 0, "no world has a search of more than 64 cones");
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn optimal_paths_are_as_long_as_the_visibility_graph_says(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..4usize, jitter in 0..5i32, blocked in 0..40u64,
        cut in 0..30u64, exchanged in 0..50u64, merged in 0..100u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged };
        let scene = Scene::random(&mut random, mix);
        check(&scene, &mut random, 6);
    }

    #[test]
    fn optimal_paths_on_squares_are_as_long_as_the_visibility_graph_says(
        seed in any::<u64>(), width in 1..9i32, depth in 1..9i32, blocked in 0..60u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, width, depth, blocked);
        check_on_squares(&world, &mut random, (join, sparse));
    }
}
