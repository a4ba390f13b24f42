//! Crowds in rooms, around each other and through doors.

use navbake_crowd::{Body, Crowd, Error, Field, State, UnitId};
use navbake_search::around::{Areas, Random};
use navbake_search::{NavMeshBuf, NavPoint, NavQuery, Scratch};
use navbake_testkit::allocations::count as allocations;

use crate::kit::{RADIUS, STEP, all_on_ground, at, baked, body, overlap, rooms, send, shuffle};

/// The middle of the hall of the office.
const HALL: [f64; 3] = [8.0, 0.0, 7.0];

fn arrived(crowd: &Crowd) -> usize {
    crowd.ids().filter(|&id| crowd.state(id) == Some(State::Arrived)).count()
}

/// Random places of the office west of its hall, apart from each other.
fn starts(query: &NavQuery<'_>, count: usize) -> Vec<NavPoint> {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    query.areas(&mut sums).unwrap();
    let areas = Areas::from_sums(query, &sums);
    let (mut random, hall) = (Random::new(3), at(query, [HALL[0], HALL[2]]));
    let mut found: Vec<NavPoint> = vec![];
    while found.len() < count {
        let place = query.random_place(&areas, &mut random).unwrap();
        let [x, _, z] = place.position();
        let free = found.iter().all(|other| {
            let [u, _, v] = other.position();
            (u - x).hypot(v - z) > 2.0 * RADIUS
        });
        if x < -0.5 && free && query.mesh().on_one_island(place.polygon(), hall.polygon()) {
            found.push(place);
        }
    }
    found
}

/// A crowd of units at places, added in an order; their ids in the order of the places.
fn crowd_at(
    query: &NavQuery<'_>,
    places: &[NavPoint],
    order: &[usize],
    scratch: &mut Scratch,
) -> (Crowd, Vec<UnitId>) {
    let mut crowd = Crowd::new(STEP);
    let mut ids = vec![None; places.len()];
    for &k in order {
        let id = crowd.add(query, places[k], body()).unwrap();
        send(&mut crowd, query, id, HALL, scratch);
        ids[k] = Some(id);
    }
    (crowd, ids.into_iter().map(Option::unwrap).collect())
}

/// A step, and new paths for units that are astray.
fn step(
    crowd: &mut Crowd,
    query: &NavQuery<'_>,
    ids: &[UnitId],
    goal: [f64; 3],
    scratch: &mut Scratch,
) {
    crowd.step(query, scratch);
    for &id in ids {
        if crowd.state(id) == Some(State::Astray) {
            send(crowd, query, id, goal, scratch);
        }
    }
}

#[test]
fn units_that_swap_places_pass_each_other() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    for count in [2, 20] {
        let mut crowd = Crowd::new(STEP);
        let ends: Vec<[f64; 2]> = (0..count)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
                [6.0 + 5.0 * angle.cos(), 7.0 + 5.0 * angle.sin()]
            })
            .collect();
        let ids: Vec<_> =
            ends.iter().map(|&p| crowd.add(&query, at(&query, p), body()).unwrap()).collect();
        for (k, &id) in ids.iter().enumerate() {
            let [x, z] = ends[(k + ids.len() / 2) % ids.len()];
            send(&mut crowd, &query, id, [x, 0.0, z], &mut scratch);
        }
        let (mut deepest, mut steps) = (0.0f64, 0);
        while arrived(&crowd) < ids.len() && steps < 300 {
            crowd.step(&query, &mut scratch);
            assert!(all_on_ground(&query, &crowd));
            deepest = deepest.max(overlap(&crowd));
            steps += 1;
        }
        assert!(steps < 300 && deepest <= 0.05, "{count}: {steps} steps, overlap {deepest}");
        for (k, &id) in ids.iter().enumerate() {
            let [x, _, z] = crowd.place(id).unwrap().position();
            let end = ends[(k + ids.len() / 2) % ids.len()];
            assert!((x - end[0]).hypot(z - end[1]) <= RADIUS, "unit {k} at its end");
        }
    }
}

#[test]
fn two_hundred_units_go_through_a_door_and_do_not_overlap_after_it() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut places = starts(&query, 200);
    // The first through the door go to the far end.
    places.sort_by(|a, b| b.position()[0].total_cmp(&a.position()[0]));
    let mut crowd = Crowd::new(STEP);
    let mut ids = vec![];
    for (k, &place) in places.iter().enumerate() {
        let goal = [11.2 - 0.75 * (k / 16) as f64, 0.0, 1.0 + 0.8 * (k % 16) as f64];
        let id = crowd.add(&query, place, body()).unwrap();
        send(&mut crowd, &query, id, goal, &mut scratch);
        ids.push((id, goal));
    }
    let in_hall = |crowd: &Crowd| {
        ids.iter().filter(|(id, _)| crowd.place(*id).unwrap().position()[0] > 0.0).count()
    };
    let mut steps = 0;
    while in_hall(&crowd) < 200 && steps < 4000 {
        for &(id, goal) in &ids {
            if crowd.state(id) == Some(State::Astray) {
                send(&mut crowd, &query, id, goal, &mut scratch);
            }
        }
        crowd.step(&query, &mut scratch);
        assert!(all_on_ground(&query, &crowd), "step {steps}");
        steps += 1;
    }
    assert_eq!(in_hall(&crowd), 200, "after {steps} steps");
    for _ in 0..300 {
        crowd.step(&query, &mut scratch);
        assert!(all_on_ground(&query, &crowd));
    }
    assert!(overlap(&crowd) <= 0.05, "{} of a radius after settling", overlap(&crowd));
    assert!(arrived(&crowd) >= 180, "{} have settled", arrived(&crowd));
}

#[test]
fn units_with_one_goal_settle_around_it() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let order: Vec<usize> = (0..60).collect();
    let (mut crowd, ids) = crowd_at(&query, &starts(&query, 60), &order, &mut scratch);
    let mut steps = 0;
    while arrived(&crowd) < 60 && steps < 2000 {
        step(&mut crowd, &query, &ids, HALL, &mut scratch);
        assert!(all_on_ground(&query, &crowd), "step {steps}");
        steps += 1;
    }
    assert_eq!(arrived(&crowd), 60);
    (0..50).for_each(|_| crowd.step(&query, &mut scratch));
    assert!(overlap(&crowd) <= 0.05, "{} of a radius after settling", overlap(&crowd));
    for &id in &ids {
        let [x, _, z] = crowd.place(id).unwrap().position();
        assert!((x - HALL[0]).hypot(z - HALL[2]) < 6.0, "{x} {z}: near the goal");
    }
}

#[test]
fn the_order_of_units_changes_no_bit() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let places = starts(&query, 120);
    let mut order: Vec<usize> = (0..places.len()).collect();
    let (mut crowd, ids) = crowd_at(&query, &places, &order, &mut scratch);
    let mut others = vec![];
    for seed in 1..4 {
        shuffle(&mut navbake_testkit::Random(seed), &mut order);
        others.push(crowd_at(&query, &places, &order, &mut scratch));
    }
    for k in 0..300 {
        step(&mut crowd, &query, &ids, HALL, &mut scratch);
        for (other, other_ids) in &mut others {
            step(other, &query, other_ids, HALL, &mut scratch);
            for (a, b) in ids.iter().zip(&*other_ids) {
                assert_eq!(crowd.place(*a), other.place(*b), "step {k}");
                let bits = |v: Option<[f64; 2]>| v.map(|v| v.map(f64::to_bits));
                assert_eq!(bits(crowd.velocity(*a)), bits(other.velocity(*b)), "step {k}");
                assert_eq!(crowd.state(*a), other.state(*b), "step {k}");
            }
        }
    }
}

#[test]
fn a_step_allocates_nothing_once_lists_have_grown() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let order: Vec<usize> = (0..100).collect();
    let (mut crowd, ids) = crowd_at(&query, &starts(&query, 100), &order, &mut scratch);
    step(&mut crowd, &query, &ids, HALL, &mut scratch);
    let before = allocations();
    for _ in 0..200 {
        crowd.step(&query, &mut scratch);
    }
    assert_eq!(allocations(), before);
}

#[test]
fn followers_go_beside_the_path_where_there_is_room_and_in_file_through_a_door() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut crowd = Crowd::new(STEP);
    let goal = [-16.0, 0.0, 7.0];
    let mut ids = vec![];
    for k in 0..7 {
        let (column, row) = (f64::from(k % 3), f64::from(k / 3));
        let start = at(&query, [10.0 + 0.7 * row, 6.3 + 0.7 * column]);
        let id = crowd.add(&query, start, body()).unwrap();
        send(&mut crowd, &query, id, goal, &mut scratch);
        if k > 0 {
            let lane = if k % 2 == 0 { 0.8 } else { -0.8 };
            crowd.follow(id, ids[0], 0.8 * f64::from(k), lane).unwrap();
        }
        ids.push(id);
    }
    let (mut widest, mut deepest, mut steps) = (0.0f64, 0.0f64, 0);
    while arrived(&crowd) < ids.len() && steps < 600 {
        step(&mut crowd, &query, &ids, goal, &mut scratch);
        let all: Vec<[f64; 3]> =
            ids.iter().map(|&id| crowd.place(id).unwrap().position()).collect();
        // While all of them cross the hall.
        if all.iter().all(|p| p[0] > 0.5 && p[0] < 9.0) {
            let z = all.iter().map(|p| p[2]);
            widest = widest.max(z.clone().fold(f64::MIN, f64::max) - z.fold(f64::MAX, f64::min));
        }
        assert!(all_on_ground(&query, &crowd));
        deepest = deepest.max(overlap(&crowd));
        steps += 1;
    }
    assert!(widest >= 1.2, "side by side in the hall: {widest} m");
    assert!(steps < 600, "all arrive");
    assert!(deepest <= 0.1, "{deepest} of a radius");
}

#[test]
fn others_make_room_for_units_of_higher_priority() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let mut crowd = Crowd::new(STEP);
    let ends = [[2.0, 7.0], [10.0, 7.0]].map(|p| at(&query, p));
    let first = Body { priority: 1, ..body() };
    let cart = crowd.add(&query, ends[0], first).unwrap();
    let other = crowd.add(&query, ends[1], body()).unwrap();
    crowd.go(cart, &ends).unwrap();
    crowd.go(other, &[ends[1], ends[0]]).unwrap();
    let mut off = [0.0f64; 2];
    for _ in 0..120 {
        crowd.step(&query, &mut scratch);
        for (off, id) in off.iter_mut().zip([cart, other]) {
            *off = off.max((crowd.place(id).unwrap().position()[2] - 7.0).abs());
        }
        assert!(overlap(&crowd) <= 0.05);
    }
    assert_eq!(arrived(&crowd), 2);
    assert!(off[1] > 2.0 * off[0], "the other one makes room: {off:?}");
}

#[test]
fn requests_that_cannot_be_served_are_refused() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let mut crowd = Crowd::new(STEP);
    let place = at(&query, [6.0, 7.0]);
    let bad = Body { radius: f64::NAN, ..body() };
    assert!(matches!(crowd.add(&query, place, bad), Err(Error::Number { .. })));
    let mut slow = body();
    slow.steering.step = 0.5;
    assert_eq!(crowd.add(&query, place, slow), Err(Error::Step { unit: 0.5, crowd: STEP }));
    let id = crowd.add(&query, place, body()).unwrap();
    assert_eq!(crowd.go(id, &[]), Err(Error::NoPath));
    assert_eq!(crowd.follow(id, id, 1.0, 0.0), Err(Error::OwnLeader));
    crowd.remove(id).unwrap();
    assert_eq!(crowd.remove(id), Err(Error::NoUnit));
    let next = crowd.add(&query, place, body()).unwrap();
    assert!(next != id && crowd.place(id).is_none(), "an old id is not that of another unit");
}

/// Two halls of 40 m, a wall of 1 m between them, and a door of 2.5 m in it.
fn halls() -> NavMeshBuf {
    let mut obj = String::new();
    let floors = [[-41.0, -20.0, -1.0, 20.0], [-1.0, -1.25, 0.0, 1.25], [0.0, -20.0, 40.0, 20.0]];
    for [x0, z0, x1, z1] in floors {
        for [x, z] in [[x0, z0], [x0, z1], [x1, z1], [x1, z0]] {
            obj += &format!("v {x} 0 {z}\n");
        }
        obj += "f -4 -3 -2 -1\n";
    }
    baked("halls", &obj)
}

#[test]
fn a_thousand_units_go_through_a_doorway_and_all_arrive() {
    let nav = halls();
    let query = NavQuery::new(nav.mesh());
    let mut scratch = Scratch::new();
    let (mut random, goal) = (navbake_testkit::Random(3), [20.0, 0.0, 0.0]);
    let mut crowd = Crowd::new(STEP);
    let field = Field::new(&query, &[at(&query, [20.0, 0.0])]).unwrap();
    let mut ids = vec![];
    for k in 0..1000 {
        // Near the places of a grid, so that none overlap.
        let off = |random: &mut navbake_testkit::Random| 0.3 * random.unit();
        let x = -39.0 + f64::from(k % 40) * 0.9 + off(&mut random);
        let z = -11.0 + f64::from(k / 40) * 0.9 + off(&mut random);
        let id = crowd.add(&query, at(&query, [x, z]), body()).unwrap();
        assert_eq!(crowd.flow(&query, id, &field), Ok(true));
        ids.push(id);
    }
    let mut steps = 0;
    while arrived(&crowd) < ids.len() && steps < 6000 {
        crowd.step(&query, &mut scratch);
        for &id in &ids {
            if crowd.state(id) == Some(State::Astray) {
                crowd.flow(&query, id, &field).unwrap();
            }
        }
        assert!(all_on_ground(&query, &crowd), "step {steps}");
        steps += 1;
    }
    assert_eq!(arrived(&crowd), ids.len(), "after {steps} steps");
    assert!(steps >= 1000, "a million unit steps");
    (0..300).for_each(|_| crowd.step(&query, &mut scratch));
    assert!(overlap(&crowd) <= 0.05, "{} of a radius after settling", overlap(&crowd));
    let far = ids.iter().map(|&id| {
        let [x, _, z] = crowd.place(id).unwrap().position();
        (x - goal[0]).hypot(z - goal[2])
    });
    assert!(far.fold(0.0, f64::max) < 19.5, "all are in the hall of the goal");
}
