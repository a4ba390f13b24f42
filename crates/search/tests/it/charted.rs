//! Answers do not depend on whether the scratch has a chart.

use navbake_search::{Answer, Blob, PathRequest, Planner, Query, SearchBuffer, Sight};
use navbake_testkit::Random;
use navbake_testkit::squares::walk::spot;
use navbake_testkit::squares::{SIDE, World};

/// A place on the ground, moved by up to a metre: along the ground now and then, in height always.
fn near(place: [f64; 3], random: &mut Random) -> [f64; 3] {
    let aside = random.below(3) == 0;
    let mut by = |most: i32| {
        let steps = 2 * most + 1;
        f64::from(random.below(steps as usize) as i32 - most) / f64::from(SIDE)
    };
    let [x, y, z] = [by(SIDE), by(SIDE), by(SIDE)];
    let flat = if aside { [x, z] } else { [0.0; 2] };
    [place[0] + flat[0], place[1] + y, place[2] + flat[1]]
}

/// Compares two answers in all that the scratch could change.
fn same(query: &Query<'_>, a: &Answer<'_>, b: &Answer<'_>) {
    assert_eq!(a, b);
    assert_eq!(a.length_3d(query).to_bits(), b.length_3d(query).to_bits());
}

/// Asks for paths between random places with and without a chart. Gives how many were found.
fn compare(world: &World, points: usize, random: &mut Random) -> usize {
    let bytes = world.bake_with_points(random.chance(50), random.chance(50), points);
    let query = Query::new(Blob::open_checked(&bytes).unwrap().mesh(0).unwrap());
    let mut charted = SearchBuffer::new(query.mesh());
    let mut plain = SearchBuffer::new(query.mesh());
    let mut found = 0;
    for _ in 0..20 {
        let ends = [(); 2].map(|()| near(spot(world, &query, random).place.position(), random));
        for planner in [Planner::Corridor, Planner::Midpoints] {
            let request = PathRequest::new(ends[0], ends[1])
                .extents([1.0, 3.0, 1.0])
                .planner(planner);
            let mut scratch = plain.scratch();
            scratch.sight = Sight::default();
            let a = query.path(&request, &mut charted);
            let b = query.path(&request, &mut scratch);
            same(&query, &a, &b);
            found += usize::from(!a.points.is_empty());
        }
    }
    found
}

#[test]
fn paths_and_their_ends_are_the_same_with_and_without_a_chart() {
    let mut found = 0;
    for seed in 0..120 {
        let mut random = Random(seed);
        let world = match seed % 2 {
            0 => World::random_flat(&mut random, 9, 8, 30),
            _ => World::random(&mut random, 6, 6, 2, 25, 10, 30),
        };
        if world.free.contains(&true) {
            found += compare(&world, 5 * (seed as usize % 3), &mut random);
        }
    }
    assert!(found > 1000, "{found}");
}
