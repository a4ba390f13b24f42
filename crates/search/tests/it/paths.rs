//! Paths on random meshes of one and of many storeys, against oracles that know nothing of
//! polygons.

use navbake_search::blob::Blob;
use navbake_search::{NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::squares::walk::{grid, point_in};
use navbake_testkit::squares::{SIDE, World};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Asks for random pairs and compares with the oracles. Gives the sums of our lengths and of the
/// optima.
fn check(
    world: &World,
    random: &mut Random,
    join: bool,
    sparse: bool,
    pairs: usize,
    plain: bool,
) -> (f64, f64) {
    let bytes = world.bake(join, sparse);
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
    let islands = world.islands();
    let mut sums = (0.0, 0.0);
    if free.is_empty() {
        return sums;
    }
    for _ in 0..pairs {
        let (from, to) = (free[random.below(free.len())], free[random.below(free.len())]);
        let (a, b) = (point_in(world, random, from), point_in(world, random, to));
        let (start, goal) = (world.place(&query, from, a), world.place(&query, to, b));
        let request = PathRequest::new([0.0; 3], [0.0; 3]);
        let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();

        // Reachability is that of a breadth-first search over squares.
        let reachable = islands[from] == islands[to];
        assert_eq!(query.reachable(&start, &goal), reachable);
        assert_eq!(answer.status == Status::Reached, reachable);
        if !reachable {
            assert_eq!(answer.status, Status::Unreachable);
            assert!(answer.points.is_empty() && answer.polygons.is_empty());
            continue;
        }
        assert_eq!(grid(answer.points[0]), a);
        assert_eq!(grid(*answer.points.last().unwrap()), b);
        assert_eq!(answer.polygons.first(), Some(&start.polygon()));
        assert_eq!(answer.polygons.last(), Some(&goal.polygon()));
        for w in answer.polygons.windows(2) {
            let polygon = query.mesh().polygon(w[0]);
            assert!((0..polygon.len()).any(|k| polygon.neighbour(k) == Some(w[1])));
        }

        // Every segment can be walked, and they lead to the goal's ground.
        let mut at = BTreeSet::from([from]);
        let mut length = 0.0;
        for w in answer.points.windows(2) {
            let (p, q) = (grid(w[0]), grid(w[1]));
            at = world.walk(&at, p, q);
            assert!(!at.is_empty(), "{p:?} to {q:?} leaves the mesh: {answer:?}");
            length += f64::from(q[0] - p[0]).hypot(f64::from(q[1] - p[1]));
        }
        let ends = world.spread(&BTreeSet::from([to]), b.map(i128::from), 1);
        assert!(!at.is_disjoint(&ends), "the path ends on other ground");
        let ours = answer.length_xz * f64::from(SIDE);
        assert!((ours - length).abs() <= 1e-9 * length.max(1.0));
        assert!(answer.length_3d(&query) >= answer.length_xz - 1e-9);

        // Never shorter than the optimum, and equal where the straight line is free.
        let optimum = world.shortest(from, a, to, b).expect("reachable");
        assert!(ours >= optimum - 1e-9, "{ours} is less than {optimum}");
        assert!(
            answer.bound * f64::from(SIDE) <= optimum + 1e-9,
            "{a:?} to {b:?}: {answer:?}, {optimum} is possible"
        );
        if answer.certified_optimal {
            assert!(ours <= optimum + 1e-9, "{ours} was certified, {optimum} is possible");
        }
        let straight = f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1]));
        let visible = !world.walk(&BTreeSet::from([from]), a, b).is_disjoint(&ends);
        if plain {
            assert_eq!(answer.certified_optimal, visible);
        } else if answer.certified_optimal {
            assert!(visible);
        }
        if answer.certified_optimal {
            assert!((ours - straight).abs() <= 1e-9);
        }
        sums.0 += ours;
        sums.1 += optimum;
    }
    sums
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn paths_on_grid_maps_agree_with_the_oracles(
        seed in any::<u64>(), width in 1..9i32, depth in 1..9i32, blocked in 0..60u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, width, depth, blocked);
        check(&world, &mut random, join, sparse, 6, true);
    }

    #[test]
    fn paths_over_many_storeys_agree_with_the_oracles(
        seed in any::<u64>(), width in 1..6i32, depth in 1..6i32, storeys in 2..4usize, blocked in 0..40u64, cut in 0..30u64,
        exchanged in 0..60u64, join: bool, sparse: bool,
    ) {
        let mut random = Random(seed);
        let world = World::random(&mut random, width, depth, storeys, blocked, cut, exchanged);
        check(&world, &mut random, join, sparse, 4, false);
    }
}

#[test]
fn corridor_paths_are_near_the_optimum() {
    let (mut ours, mut optima) = (0.0, 0.0);
    for seed in 0..30 {
        let mut random = Random(seed);
        let world = World::random_flat(&mut random, 12, 12, 30);
        let sums = check(&world, &mut random, true, true, 10, true);
        ours += sums.0;
        optima += sums.1;
    }
    println!("corridor over optimum: {}", ours / optima);
    assert!(ours <= optima * 1.02);
}

#[test]
fn a_way_around_the_tip_of_a_wall_without_thickness_is_not_cut_short() {
    // The start is on the line of the first portal, behind the tip that the path has to go around.
    let mut random = Random(11403945972127452229);
    let world = World::random(&mut random, 5, 2, 2, 0, 12, 40);
    check(&world, &mut random, true, false, 4, false);
}
