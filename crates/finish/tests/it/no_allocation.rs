//! Finishing and following a path, and steering along it, allocates nothing.

use navbake_finish::{Follower, Rounding, places, round, spline};
use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;

use crate::steer::{Group, IN_ORDER, steering, with_halls};

#[test]
fn finished_paths_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let any = query.nearest([0.0; 3], [100.0; 3]).unwrap();
    let mut out = vec![any; 20_000];
    // Scratch grows once.
    let far = PathRequest::new([0.0; 3], [16.0, 10.0, 16.0]).extents([20.0; 3]).partial(true);
    query.find_path(&far, &mut scratch).unwrap();
    let before = allocations();
    let mut finished = 0;
    for _ in 0..2000 {
        let mut point = || {
            let storey = 10.0 * random.below(2) as f64;
            [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
        };
        let (from, to) = (point(), point());
        let request = PathRequest::new(from, to).partial(random.chance(50));
        let answer = query.find_path(&request, &mut scratch).unwrap();
        if !answer.points.is_empty() {
            places(&query, &answer, &mut out).unwrap();
            spline(&query, &answer, &mut out).unwrap();
            let rounded = round(&query, &answer, Rounding::new(0.5), &mut out).unwrap();
            Follower::new(0.2).advise(rounded.points, from);
            finished += 1;
        }
    }
    assert_eq!(allocations(), before);
    assert!(finished > 100, "{finished}");
}

#[test]
fn steering_allocates_nothing() {
    with_halls(|query| {
        let mut group = Group::new(query);
        let start = group.units;
        let before = allocations();
        for _ in 0..200 {
            group.step(query, &steering(), &IN_ORDER);
        }
        assert_eq!(allocations(), before);
        assert!(group.units.iter().zip(&start).all(|(a, b)| a.position != b.position));
    });
}
