//! Whatever passes `validate` can be queried: no panic, no endless loop.
use navbake_search::around::{MoveLog, Random as Seeded, Shape};
use navbake_search::blob::Blob;
use navbake_search::{
    Heuristic, MoveRequest, NavPoint, NavQuery, PathRequest, PolyId, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::squares::World;

use crate::a_star::{MIDPOINTS, Options};

/// Asks all that is asked about one place.
fn ask_around(query: &NavQuery<'_>, at: &NavPoint, to: [f64; 3], flood: &mut Scratch) {
    query.raycast_through(at, to, &mut [PolyId(0); 3]);
    let motion = query.move_along(at, &MoveRequest::new(to), MoveLog::default());
    query.place(motion.end);
    let wall = query.wall_distance(at, 3.0, &mut *flood);
    assert!(wall.distance <= 3.0);
    for shape in [Shape::Circle(2.0), Shape::Walk(2.0)] {
        query.around(at, shape, &mut *flood);
    }
    query.random_within(at, 2.0, &mut Seeded::new(1), flood);
}

fn ask_everything(query: &NavQuery<'_>, random: &mut Random) {
    let mut scratch = Scratch::new();
    let mut flood = Scratch::new();
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut seeded = Seeded::new(random.next());
    let mut point = || {
        let mut c = || random.below(100) as f64 / 10.0 - 1.0;
        [c(), 2.0 * c(), c()]
    };
    for _ in 0..6 {
        let (a, b) = (point(), point());
        query.locate(a, 30.0);
        if let Some(at) = query.nearest(a, [3.0, 30.0, 3.0]) {
            ask_around(query, &at, b, &mut flood);
            if let Some(to) = query.nearest(b, [3.0, 30.0, 3.0]) {
                query.reachable(&at, &to);
            }
        }
        if let Some(at) = query.random_place(&areas, &mut seeded) {
            let island = query.mesh().island(at.polygon());
            query.random_on_island(&areas, island, &mut seeded);
        }
        for partial in [false, true] {
            let request = PathRequest::new(a, b).extents([3.0, 30.0, 3.0]).partial(partial);
            let answer = query.find_path(&request, &mut scratch).unwrap();
            assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            let settings = request
                .algorithm(MIDPOINTS)
                .a_star(|a| a.reverse = partial)
                .a_star(|a| (a.heuristic, a.weight) = (Heuristic::Manhattan, 2.0));
            let mut search = query.start_path_to_any(&settings, &[a, b], &mut scratch).unwrap();
            while search.step(query, &mut scratch, 50) == Status::Looking {
                search.direction(query, &mut scratch);
            }
            let answer = search.path(query, &mut scratch);
            assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            navbake_queue::shared(&search.into(), query, b, None, &mut scratch);
        }
    }
}

#[test]
fn damaged_blobs_that_pass_validate_can_be_queried() {
    let (mut tried, mut passed) = (0, 0);
    for seed in 0..6 {
        let mut random = Random(seed);
        let bytes = World::random(&mut random, 5, 5, 2, 20, 10, 30).bake_with_points(
            seed % 2 == 0,
            true,
            [0, 3, 9][seed as usize % 3],
        );
        for _ in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(damaged.len());
                damaged[at] = match random.below(3) {
                    0 => damaged[at] ^ (1 << random.below(8)),
                    1 => random.next() as u8,
                    _ => damaged[random.below(bytes.len())],
                };
            }
            tried += 1;
            let Ok(checked) = Blob::open_checked(&damaged) else {
                continue;
            };
            passed += usize::from(damaged != bytes);
            for class in 0..checked.class_count() {
                ask_everything(&NavQuery::new(checked.decode(class).unwrap().leak()), &mut random);
            }
            checked.agents().for_each(|a| assert!(a.radius.is_finite()));
        }
    }
    println!("{passed} of {tried} damaged blobs passed");
    assert!(passed > 500, "the test must reach the queries: {passed} of {tried}");
}

#[test]
fn places_of_another_mesh_are_harmless() {
    let mut random = Random(9);
    let large = World::random(&mut random, 9, 9, 2, 20, 10, 30).bake(false, false);
    let small = World::random(&mut random, 4, 4, 2, 20, 10, 30).bake(true, true);
    let queries = [&large, &small]
        .map(|b| NavQuery::new(Blob::open_checked(b).unwrap().decode(0).unwrap().leak()));
    let places: Vec<_> = (0..queries[0].mesh().polygon_count())
        .filter_map(|p| {
            let corner = queries[0].mesh().polygon(PolyId(p)).corner(0);
            let [x, z] = corner.map(|c| f64::from(c) / 16.0);
            queries[0].on_polygon(PolyId(p), [x, 0.0, z])
        })
        .collect();
    let mut scratch = Scratch::new();
    let mut flood = Scratch::new();
    for a in &places {
        for b in places.iter().step_by(7) {
            ask_around(&queries[1], a, b.position(), &mut flood);
            queries[1].sees(a, b);
            let request = PathRequest::new(a.position(), b.position()).partial(true);
            queries[1].find_path_between(a, b, &request, &mut scratch).unwrap();
        }
    }
}
