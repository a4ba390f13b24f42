//! Motion on the mesh.
use navbake_search::around::{MoveLog, PolyPoint};
use navbake_search::blob::{Blob, EdgeId};
use navbake_search::{Motion, MoveRequest, NavPoint, NavQuery, PolyId};
use navbake_testkit::Random;
use navbake_testkit::squares::{SIDE, STOREY, World};
use std::collections::BTreeSet;

fn with_query(bytes: &[u8], run: impl FnOnce(NavQuery<'_>)) {
    run(NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()));
}

/// Moves without a log.
fn go(query: &NavQuery<'_>, from: &NavPoint, to: [f64; 2], kept: f64) -> Motion {
    let request = MoveRequest::new([to[0], 0.0, to[1]]).kept(kept);
    query.move_along(from, &request, MoveLog::default())
}

fn metres(at: PolyPoint) -> [f64; 2] {
    at.point().map(|c| f64::from(c) / f64::from(SIDE))
}

#[test]
fn an_open_way_ends_where_it_was_to_and_a_wall_takes_a_tenth_of_the_rest() {
    let world = World::flat(&["......", "......", "......", "......"]);
    with_query(&world.bake(true, true), |query| {
        let from = query.locate([1.0, 0.0, 1.0], 1.0).unwrap();
        let free = go(&query, &from, [4.0, 3.0], 0.9);
        assert_eq!((metres(free.end), free.walked), ([4.0, 3.0], 13f64.sqrt()));
        assert_eq!((free.contacts, free.hit), (0, 0));
        // The wall at z = 4 is met at x = 4, with a metre along it left.
        let slid = go(&query, &from, [5.0, 5.0], 0.5);
        assert_eq!(metres(slid.end), [4.5, 4.0]);
        assert!((slid.walked - (18f64.sqrt() + 0.5)).abs() < 1e-12);
        assert_eq!((slid.contacts, slid.hit), (1, 1));
        assert_eq!(metres(go(&query, &from, [5.0, 5.0], 1.0).end), [5.0, 4.0]);
        assert_eq!(metres(go(&query, &from, [5.0, 5.0], 0.0).end), [4.0, 4.0]);
        // Senseless shares stop at walls, or do not.
        assert_eq!(metres(go(&query, &from, [5.0, 5.0], f64::NAN).end), [4.0, 4.0]);
        assert_eq!(metres(go(&query, &from, [5.0, 5.0], 9.0).end), [5.0, 4.0]);
    });
}

#[test]
fn friction_is_nine_tenths_by_default() {
    let world = World::flat(&["..........", ".........."]);
    with_query(&world.bake(true, true), |query| {
        let from = query.locate([1.0, 0.0, 1.0], 1.0).unwrap();
        let request = MoveRequest::new([3.0, 0.0, 3.0]);
        let motion = query.move_along(&from, &request, MoveLog::default());
        // A metre along is left at x = 2: 0.9 of it, which is between grid points.
        assert!((metres(motion.end)[0] - 2.9).abs() <= 0.5 / f64::from(SIDE));
        assert_eq!(metres(motion.end)[1], 2.0);
    });
}

#[test]
fn a_second_wall_takes_off_again_and_a_corner_is_an_end() {
    let world = World::flat(&["....", "....", "...."]);
    with_query(&world.bake(true, true), |query| {
        let from = query.locate([1.0, 0.0, 2.0], 1.0).unwrap();
        let (mut entered, mut hit) = ([PolyId(0); 4], [EdgeId(0); 4]);
        let log = MoveLog { entered: &mut entered, hit: &mut hit };
        let motion = query.move_along(&from, &MoveRequest::new([9.0, 0.0, 4.0]), log);
        assert_eq!(metres(motion.end), [4.0, 3.0]);
        // Down first, then the wall across, along which nothing leads on.
        assert_eq!((motion.hit, motion.contacts), (2, 1));
        let polygon = query.mesh().polygon(motion.end.polygon());
        for edge in &hit[..2] {
            let k = (0..polygon.len()).find(|&k| polygon.edge(k) == *edge).unwrap();
            assert_eq!(polygon.neighbour(k), None);
        }
        // Out of the corner again, along either wall.
        let corner = query.place(motion.end).unwrap();
        assert_eq!(metres(go(&query, &corner, [5.0, 1.0], 1.0).end), [4.0, 1.0]);
        assert_eq!(metres(go(&query, &corner, [2.0, 9.0], 1.0).end), [2.0, 3.0]);
        assert_eq!(metres(go(&query, &corner, [5.0, 4.0], 1.0).end), [4.0, 3.0]);
    });
}

#[test]
fn where_a_wall_ends_the_motion_goes_straight_on() {
    // Along the top of a block, over its corner and across the open ground behind.
    let world = World::flat(&["......", "......", ".##...", ".##...", "......"]);
    for join in [false, true] {
        with_query(&world.bake(join, join), |query| {
            let from = query.locate([1.0, 0.0, 1.5], 1.0).unwrap();
            let motion = go(&query, &from, [5.0, 3.5], 1.0);
            assert_eq!(metres(motion.end), [5.0, 2.0]);
            assert_eq!(motion.contacts, 1);
            assert_eq!(motion.walked, 1.25f64.sqrt() + 3.0);
        });
    }
}

#[test]
fn a_pinch_lets_nobody_through_and_a_block_is_passed_at_its_corner() {
    let world = World::flat(&[".#", "#."]);
    with_query(&world.bake(true, true), |query| {
        let from = query.locate([0.5, 0.0, 0.5], 1.0).unwrap();
        let motion = go(&query, &from, [1.5, 1.5], 1.0);
        assert_eq!((metres(motion.end), motion.entered), ([1.0, 1.0], 0));
        assert_eq!(motion.end.polygon(), from.polygon());
    });
    // Head on into the corner of a block, nearer to one of its sides.
    let world = World::flat(&["....", "....", "..##", "..##"]);
    with_query(&world.bake(true, true), |query| {
        let from = query.locate([1.0, 0.0, 0.5], 1.0).unwrap();
        let motion = go(&query, &from, [3.0, 3.5], 1.0);
        assert_eq!(metres(motion.end), [2.0, 3.5]);
    });
}

#[test]
fn a_short_log_counts_what_it_cannot_hold() {
    let world = World::flat(&["........"]);
    with_query(&world.bake(false, true), |query| {
        let from = query.locate([0.5, 0.0, 0.5], 1.0).unwrap();
        let mut entered = [PolyId(u32::MAX); 2];
        let log = MoveLog { entered: &mut entered, hit: &mut [] };
        let motion = query.move_along(&from, &MoveRequest::new([7.5, 0.0, 0.5]), log);
        assert_eq!(motion.entered, 7);
        let last = query.mesh().polygon(from.polygon());
        let first = (0..4).find_map(|k| last.neighbour(k));
        assert_eq!(Some(entered[0]), first);
        assert_ne!(entered[1], PolyId(u32::MAX));
    });
}

/// A hundred thousand moves over storeys with ramps, walls without thickness and pinches: squares
/// that the moving point may be in, by the oracle, always hold the end.
#[test]
fn a_hundred_thousand_moves_neither_escape_nor_stall() {
    let (mut moves, mut slides, mut stays) = (0, 0, 0);
    for seed in 0..50 {
        let mut random = Random(seed);
        let world = World::random(&mut random, 6, 6, 3, 15, 15, 40);
        let bytes = world.bake(seed % 2 == 0, true);
        let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
        with_query(&bytes, |query| {
            let islands = world.islands();
            let mut at: Option<(NavPoint, usize)> = None;
            for i in 0..2000 {
                let (from, island) = match at {
                    Some(known) if i % 50 > 0 => known,
                    _ => {
                        let square = free[random.below(free.len())];
                        let (c, r, _) = world.cell(square);
                        let place = [c, r].map(|v| v * SIDE + random.below(17) as i32);
                        (world.place(&query, square, place), islands[square])
                    }
                };
                let reach = [SIDE, 4 * SIDE][random.below(2)];
                let by = [0, 1].map(|_| random.below(2 * reach as usize + 1) as i32 - reach);
                let to = [0, 1].map(|k| from.point()[k] + by[k]);
                let kept = [0.9, 1.0, 0.0][random.below(3)];
                let mut entered = [PolyId(0); 64];
                let log = MoveLog { entered: &mut entered, hit: &mut [] };
                let [x, z] = to.map(|c| f64::from(c) / f64::from(SIDE));
                let request = MoveRequest::new([x, 0.0, z]).kept(kept);
                let motion = query.move_along(&from, &request, log);
                let end = query.place(motion.end).expect("on its polygon");
                // Polygons are connected, and all crossed ones and the last are of the same island
                // of squares.
                let mut last = from.polygon();
                for next in &entered[..motion.entered.min(64)] {
                    let polygon = query.mesh().polygon(last);
                    assert!((0..polygon.len()).any(|k| polygon.neighbour(k) == Some(*next)));
                    last = *next;
                }
                assert!(motion.entered > 64 || last == end.polygon());
                let square = square_of(&world, &end, island, &islands);
                let square = square.expect("in a free square of its island");
                // No motion is longer than was requested.
                let wanted = f64::from(by[0]).hypot(f64::from(by[1]));
                assert!(motion.walked * f64::from(SIDE) <= wanted + 1e-9);
                let clear = query.raycast(&from, [x, 0.0, z]).wall.is_none();
                assert_eq!(clear, end.point() == to && motion.hit == 0);
                moves += 1;
                slides += usize::from(motion.contacts > 0 && motion.end.point() != from.point());
                stays += usize::from(motion.end.point() == from.point());
                at = Some((end, islands[square]));
            }
        });
    }
    assert_eq!(moves, 100_000);
    // What stays is in a corner, at a wall without sliding, or was not to move: most do neither.
    assert!(slides > 10_000 && stays < 35_000, "{slides} {stays}");
}

/// A free square of an island that a place is in, by its height.
fn square_of(world: &World, at: &NavPoint, island: usize, islands: &[usize]) -> Option<usize> {
    let [x, z] = at.point();
    let storey = (at.position()[1] * f64::from(SIDE) / f64::from(STOREY)).round();
    let near: BTreeSet<(i32, i32)> = [(x, z), (x - 1, z), (x, z - 1), (x - 1, z - 1)]
        .map(|(x, z)| (x.div_euclid(SIDE), z.div_euclid(SIDE)))
        .into();
    near.into_iter().find_map(|(c, r)| {
        let inside = c >= 0 && r >= 0 && c < world.width && r < world.depth;
        let free = |s: usize| {
            let id = world.id(c, r, s);
            (world.free[id] && islands[id] == island).then_some(id)
        };
        inside.then(|| free(storey as usize)).flatten()
    })
}
