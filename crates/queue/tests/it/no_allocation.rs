//! A queue allocates when it is made, and when scratch grows.

use navbake_queue::PathQueue;
use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;

fn world() -> Vec<u8> {
    World::random(&mut Random(3), 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5)
}

fn point(random: &mut Random) -> [f64; 3] {
    let storey = 10.0 * random.below(2) as f64;
    [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
}

#[test]
fn a_queue_with_used_scratch_allocates_nothing_once_it_is_made() {
    let bytes = world();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut used = Scratch::new();
    let mut random = Random(4);
    for _ in 0..1000 {
        let request = PathRequest::new(point(&mut random), point(&mut random));
        query.find_path(&request, &mut used).unwrap();
    }
    let mut random = Random(5);
    let mut queue = PathQueue::with_scratch(60, 3, &used);
    let before = allocations();
    let mut answered = 0;
    for _ in 0..300 {
        for _ in 0..10 {
            let request = PathRequest::new(point(&mut random), point(&mut random));
            let (unit, leader) = (random.below(80) as u64, random.below(80) as u64);
            match random.below(8) {
                0 => queue.lose(unit),
                1 | 2 => drop(queue.follow(unit, leader, &request, 0.5)),
                _ => drop(queue.ask(unit, &request)),
            }
            queue.direction(&query, unit);
        }
        answered += queue.tick(&query, 60, |_, _| {}).answered;
    }
    assert_eq!(allocations(), before);
    assert!(answered > 500, "{answered}");
}
