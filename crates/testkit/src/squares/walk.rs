//! Checks of paths against the squares alone, and random queries.

use std::collections::BTreeSet;

use navbake_search::{Answer, Blob, Location, Query, Status};

use super::{SIDE, World};
use crate::Random;

/// A point of a path on the grid.
pub fn grid(p: [f64; 3]) -> [i32; 2] {
    [p[0], p[2]].map(|c| {
        let units = c * f64::from(SIDE);
        assert_eq!(units, units.round(), "points of paths lie on the grid");
        units as i32
    })
}

/// A point in a square: a corner, a place on a side, or inside.
pub fn point_in(world: &World, random: &mut Random, square: usize) -> [i32; 2] {
    let (c, r, _) = world.cell(square);
    let offset = |random: &mut Random| match random.below(3) {
        0 => 0,
        1 => SIDE,
        _ => random.below(SIDE as usize + 1) as i32,
    };
    [c * SIDE + offset(random), r * SIDE + offset(random)]
}

/// An end of a path: the square, the point, and its place on the mesh.
#[derive(Clone, Copy, Debug)]
pub struct PolyPoint {
    pub square: usize,
    pub point: [i32; 2],
    pub place: Location,
}

/// A random end on free ground.
pub fn random_point(world: &World, query: &Query<'_>, random: &mut Random) -> PolyPoint {
    let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
    let square = free[random.below(free.len())];
    let point = point_in(world, random, square);
    let place = world.place(query, square, point);
    PolyPoint { square, point, place }
}

/// Checks a path: steps, polygons and lengths.
///
/// Every step must be possible from the start, and the path must lead through its polygons. Returns
/// the squares in which it may end.
pub fn check(
    world: &World,
    query: &Query<'_>,
    from: &PolyPoint,
    answer: &Answer<'_>,
) -> BTreeSet<usize> {
    assert_eq!(grid(answer.points[0]), from.point);
    assert_eq!(answer.polygons[0], from.place.polygon());
    for w in answer.polygons.windows(2) {
        let polygon = query.mesh().polygon(w[0]);
        assert!((0..polygon.len()).any(|k| polygon.neighbour(k) == Some(w[1])));
    }
    let mut at = BTreeSet::from([from.square]);
    let mut length = 0.0;
    for w in answer.points.windows(2) {
        let (p, q) = (grid(w[0]), grid(w[1]));
        at = world.walk(&at, p, q);
        assert!(!at.is_empty(), "{p:?} to {q:?} leaves the mesh: {answer:?}");
        length += f64::from(q[0] - p[0]).hypot(f64::from(q[1] - p[1]));
    }
    let ours = answer.length_xz * f64::from(SIDE);
    assert!((ours - length).abs() <= 1e-9 * length.max(1.0));
    assert!(answer.length_3d(query) >= answer.length_xz - 1e-9);
    at
}

/// The same for a path that reaches a goal.
pub fn check_reached(
    world: &World,
    query: &Query<'_>,
    from: &PolyPoint,
    to: &PolyPoint,
    answer: &Answer<'_>,
) {
    assert_eq!(answer.status, Status::Reached);
    let at = check(world, query, from, answer);
    assert_eq!(grid(*answer.points.last().unwrap()), to.point);
    assert_eq!(answer.polygons.last(), Some(&to.place.polygon()));
    let ends = world.spread(&BTreeSet::from([to.square]), to.point.map(i128::from), 1);
    assert!(!at.is_disjoint(&ends), "the path ends on other ground");
}

/// Calls `ask` with random worlds of one and two storeys.
pub fn worlds(seeds: std::ops::Range<u64>, mut ask: impl FnMut(&World, &Query<'_>, &mut Random)) {
    for seed in seeds {
        let mut random = Random(seed);
        let world = if seed % 2 == 0 {
            World::random_flat(&mut random, 9, 8, 30)
        } else {
            World::random(&mut random, 6, 6, 2, 25, 10, 30)
        };
        if !world.free.contains(&true) {
            continue;
        }
        let bytes = world.bake(seed % 4 < 2, seed % 3 == 0);
        let nav = Blob::open_checked(&bytes).unwrap().decode(0).unwrap();
        let query = Query::new(nav.mesh());
        ask(&world, &query, &mut random);
    }
}
