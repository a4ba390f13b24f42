//! Optimal searches allocate nothing, and scratch that was used on another mesh does no harm.
use navbake_search::blob::Blob;
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::squares::World;

fn request(random: &mut Random) -> PathRequest {
    let mut point = || {
        let mut c = || random.below(160) as f64 / 10.0;
        [c(), 10.0 * f64::from(c() > 8.0), c()]
    };
    let request = PathRequest::new(point(), point());
    request.algorithm(Algorithm::Optimal).partial(random.chance(50))
}

#[test]
fn optimal_answers_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let (mut before, mut certified, mut searched) = (0, 0, 0);
    let requests: Vec<PathRequest> = (0..1000).map(|_| request(&mut random)).collect();
    for (n, request) in requests.iter().chain(&requests).enumerate() {
        if n == requests.len() {
            before = allocations();
        }
        let answer = query.find_path(request, &mut scratch).unwrap();
        assert_eq!(answer.certified_optimal, answer.status == Status::Reached);
        certified += usize::from(answer.certified_optimal);
        searched += usize::from(answer.expanded > 0);
    }
    assert_eq!(allocations(), before);
    assert!(certified > 200 && searched > 200);
}

#[test]
fn scratch_of_another_mesh_is_harmless() {
    let mut random = Random(8);
    let worlds: Vec<Vec<u8>> = (0..6)
        .map(|i| World::random(&mut random, 16, 8 + i % 2, 2, 25, 5, 20).bake(i % 3 == 0, true))
        .collect();
    let blobs: Vec<_> = worlds.iter().map(|b| Blob::open_checked(b).unwrap()).collect();
    for own in &blobs {
        let mut scratch = Scratch::new();
        for other in blobs.iter().flat_map(|other| [own, other]) {
            let query = NavQuery::new(other.decode(0).unwrap().leak());
            for _ in 0..30 {
                let answer = query.find_path(&request(&mut random), &mut scratch).unwrap();
                assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            }
        }
    }
}

#[test]
fn damaged_blobs_that_pass_validate_can_be_searched() {
    let mut passed = 0;
    for seed in 0..4 {
        let mut random = Random(seed);
        let bytes = World::random(&mut random, 5, 5, 2, 20, 10, 30).bake(seed % 2 == 0, true);
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            let at = random.below(damaged.len());
            damaged[at] ^= 1 << random.below(8);
            let Ok(blob) = Blob::open_checked(&damaged) else {
                continue;
            };
            passed += 1;
            let query = NavQuery::new(blob.decode(0).unwrap().leak());
            let mut scratch = Scratch::new();
            for _ in 0..4 {
                let request = request(&mut random).extents([3.0, 30.0, 3.0]);
                let answer = query.find_path(&request, &mut scratch).unwrap();
                assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            }
        }
    }
    assert!(passed > 100, "the test must reach the searches: {passed}");
}
