//! Whatever passes `validate` can be queried: no panic, no endless loop.

mod common;

use common::{Random, World};
use navbake_search::{Blob, Heuristic, PathRequest, Planner, PolyId, Query, SearchBuffer, Status};

fn ask_everything(query: &Query<'_>, random: &mut Random) {
    let mut buffer = SearchBuffer::new(query.mesh());
    let mut point = || {
        let mut c = || random.below(100) as f64 / 10.0 - 1.0;
        [c(), 2.0 * c(), c()]
    };
    for _ in 0..6 {
        let (a, b) = (point(), point());
        query.locate(a, 30.0);
        if let Some(at) = query.nearest(a, [3.0, 30.0, 3.0]) {
            query.raycast(&at, b);
            if let Some(to) = query.nearest(b, [3.0, 30.0, 3.0]) {
                query.reachable(&at, &to);
            }
        }
        for partial in [false, true] {
            let request = PathRequest::new(a, b)
                .extents([3.0, 30.0, 3.0])
                .partial(partial);
            let answer = query.path(&request, &mut buffer);
            assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            let settings = request
                .planner(Planner::Midpoints)
                .reverse(partial)
                .heuristic(Heuristic::Manhattan, 2.0);
            let mut search = query.begin_to_any(&settings, &[a, b], &mut buffer);
            while search.step(query, &mut buffer, 50) == Status::Looking {
                search.direction(query, &mut buffer);
            }
            let answer = search.answer(query, &mut buffer);
            assert!(answer.points.iter().flatten().all(|c| c.is_finite()));
            search.shared(query, b, None, &mut buffer);
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
                ask_everything(&Query::new(checked.mesh(class).unwrap()), &mut random);
            }
            checked.agents().for_each(|a| assert!(a.radius.is_finite()));
        }
    }
    println!("{passed} of {tried} damaged blobs passed");
    assert!(
        passed > 500,
        "the test must reach the queries: {passed} of {tried}"
    );
}

#[test]
fn places_of_another_mesh_are_harmless() {
    let mut random = Random(9);
    let large = World::random(&mut random, 9, 9, 2, 20, 10, 30).bake(false, false);
    let small = World::random(&mut random, 4, 4, 2, 20, 10, 30).bake(true, true);
    let queries =
        [&large, &small].map(|b| Query::new(Blob::open_checked(b).unwrap().mesh(0).unwrap()));
    let places: Vec<_> = (0..queries[0].mesh().polygon_count())
        .filter_map(|p| {
            let corner = queries[0].mesh().polygon(PolyId(p)).corner(0);
            let [x, z] = corner.map(|c| f64::from(c) / 16.0);
            queries[0].on_polygon(PolyId(p), [x, 0.0, z])
        })
        .collect();
    let mut buffer = SearchBuffer::new(queries[1].mesh());
    for a in &places {
        for b in places.iter().step_by(7) {
            queries[1].raycast(a, b.position());
            let request = PathRequest::new(a.position(), b.position()).partial(true);
            queries[1].path_between(a, b, &request, &mut buffer);
        }
    }
}
