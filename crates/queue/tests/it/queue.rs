//! A queue answers all requests, and groups share results.

use navbake_format::write::replace_labels;
use navbake_queue::PathQueue;
use navbake_search::blob::Blob;
use navbake_search::{AStar, Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_tables::{LookUps, labels_of};
use navbake_testkit::Random;
use navbake_testkit::squares::World;
use navbake_testkit::squares::walk::grid;
use std::collections::{BTreeMap, BTreeSet};

/// A labyrinth of one storey, in which searches take long.
fn labyrinth(seed: u64, side: i32) -> (World, Vec<u8>) {
    let world = World::random_flat(&mut Random(seed), side, side, 32);
    let bytes = world.bake(false, true);
    (world, bytes)
}

fn query(bytes: &[u8]) -> NavQuery<'_> {
    NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak())
}

/// The middle of a random free square.
fn place(world: &World, random: &mut Random) -> [f64; 3] {
    loop {
        let square = random.below(world.free.len());
        if world.free[square] {
            let (c, r, _) = world.cell(square);
            return [f64::from(c) + 0.5, 0.0, f64::from(r) + 0.5];
        }
    }
}

/// Can a path be walked from its first point to its last?
fn walkable(world: &World, points: &[[f64; 3]]) -> bool {
    let start = points[0];
    let square = world.id(start[0].floor() as i32, start[2].floor() as i32, 0);
    let mut at = world.spread(&BTreeSet::from([square]), grid(start).map(i128::from), 1);
    for w in points.windows(2) {
        at = world.walk(&at, grid(w[0]), grid(w[1]));
    }
    !at.is_empty()
}

#[test]
fn nobody_starves_in_a_queue_of_a_thousand() {
    let (world, bytes) = labyrinth(3, 24);
    let query = query(&bytes);
    let mut random = Random(1);
    let requests: Vec<PathRequest> = (0..1000)
        .map(|_| PathRequest::new(place(&world, &mut random), place(&world, &mut random)))
        .collect();
    let mut queue = PathQueue::new(1000, 4);
    for (unit, request) in (0..).zip(&requests) {
        assert!(queue.ask(unit, request));
    }
    assert!(!queue.ask(1000, &requests[0]), "it is full");
    let mut alone = Scratch::new();
    let (mut answered, mut ticks) = (BTreeMap::new(), 0);
    while !queue.is_empty() {
        let mut found = vec![];
        let mut longest = 0;
        let tick = queue.tick(&query, 200, |unit, path| {
            let path = path.unwrap();
            longest = longest.max(path.polygons.len() as u32);
            found.push((unit, path.length_xz));
        });
        assert_eq!(tick.answered as usize, found.len());
        // The last answer is made whole.
        assert!(tick.spent <= 200 + 16 + longest, "{tick:?}");
        ticks += 1;
        assert!(ticks < 10_000);
        for (unit, length) in found {
            let expected = query.find_path(&requests[unit as usize], &mut alone).unwrap();
            assert_eq!(length, expected.length_xz);
            assert!(answered.insert(unit, ticks).is_none(), "answered twice");
        }
        assert_eq!(tick.waiting as usize, queue.len());
    }
    assert_eq!(answered.len(), 1000);
    // Who asked first is served first, but for those that are searched at the same time.
    let order: Vec<u64> = answered.values().copied().collect();
    let late = (order.windows(2)).filter(|w| w[0] > w[1]).count();
    println!("{ticks} ticks, {late} of 999 later than their successor");
    assert!(ticks > 20);
}

#[test]
fn a_budget_bounds_a_tick_of_straight_lines() {
    // Open ground of one polygon a square: nothing is searched, and lines cross many polygons.
    let world = World::random_flat(&mut Random(8), 48, 48, 0);
    let bytes = world.bake(false, true);
    let query = query(&bytes);
    let mut random = Random(9);
    let mut queue = PathQueue::new(500, 4);
    for unit in 0..500 {
        let ends = [0; 2].map(|_| place(&world, &mut random));
        queue.ask(unit, &PathRequest::new(ends[0], ends[1]));
    }
    let (mut ticks, mut all) = (0, 0);
    while !queue.is_empty() {
        let (mut crossed, mut longest) = (0, 0);
        let tick = queue.tick(&query, 200, |_, path| {
            let path = path.unwrap();
            assert_eq!((path.expanded, path.status), (0, Status::Reached));
            crossed += path.polygons.len();
            longest = longest.max(path.polygons.len());
        });
        // Beginning a search takes as long as crossing 64 polygons; four may have begun before.
        let done = crossed + 64 * tick.answered as usize;
        assert!(done <= 8 * 200 + longest + 5 * 64, "{crossed} polygons in a tick: {tick:?}");
        ticks += 1;
        all += crossed;
    }
    assert!(all > 5_000 && ticks > 20, "{all} polygons in {ticks} ticks");
}

#[test]
fn units_that_ask_again_and_again_do_not_hold_up_a_long_search() {
    let (world, bytes) = labyrinth(4, 24);
    let query = query(&bytes);
    let mut random = Random(2);
    // The longest of many is asked for by unit 0, with a budget that lasts for a few entries.
    let mut scratch = Scratch::new();
    let long = (0..300)
        .map(|_| PathRequest::new(place(&world, &mut random), place(&world, &mut random)))
        .max_by_key(|request| query.find_path(request, &mut scratch).unwrap().expanded)
        .unwrap();
    let work = query.find_path(&long, &mut scratch).unwrap().expanded;
    assert!(work > 60, "{work}");
    for lanes in [1, 3] {
        let mut queue = PathQueue::new(100, lanes);
        queue.ask(0, &long);
        let mut ticks = 0;
        let mut done = false;
        while !done {
            for unit in 1..100 {
                let to = place(&world, &mut random);
                // Some change their mind at every tick, the others wait.
                if unit % 2 == 0 || !queue.holds(unit) {
                    queue.ask(unit, &PathRequest::new(place(&world, &mut random), to));
                }
            }
            // Asking the same again loses nothing.
            assert!(queue.ask(0, &long));
            queue.tick(&query, 10, |unit, path| {
                let answer = path.unwrap();
                done |= unit == 0;
                if unit == 0 {
                    assert_eq!(answer.status, Status::Reached);
                }
            });
            ticks += 1;
            assert!(ticks < 3 * work, "{lanes} lanes");
        }
    }
}

#[test]
fn a_unit_that_changes_its_mind_gets_the_answer_to_its_last_question() {
    let (world, bytes) = labyrinth(5, 16);
    let query = query(&bytes);
    let mut random = Random(3);
    let mut queue = PathQueue::new(8, 2);
    let from = place(&world, &mut random);
    for round in 0..50 {
        let (a, b) = (place(&world, &mut random), place(&world, &mut random));
        queue.ask(1, &PathRequest::new(from, a));
        queue.tick(&query, round % 7, |_, _| {});
        queue.ask(1, &PathRequest::new(from, b).partial(true));
        let mut ends = vec![];
        while !queue.is_empty() {
            queue.tick(&query, 50, |unit, path| {
                let answer = path.unwrap();
                ends.push((unit, answer.status, answer.points.last().copied()));
            });
        }
        let expected = {
            let mut scratch = Scratch::new();
            let request = PathRequest::new(from, b).partial(true);
            let answer = query.find_path(&request, &mut scratch).unwrap();
            (1, answer.status, answer.points.last().copied())
        };
        assert_eq!(ends, [expected]);
        queue.lose(1);
        assert!(!queue.holds(1));
    }
}

#[test]
fn a_group_goes_along_with_its_leader_to_ends_of_its_own() {
    let rows: Vec<String> = (0..24)
        .map(|r| {
            (0..40).map(|c| if (c == 13 || c == 26) && r != c / 2 { '#' } else { '.' }).collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let world = World::flat(&rows);
    let bytes = world.bake(false, true);
    let query = query(&bytes);
    let [corridor, midpoints] =
        [Algorithm::Corridor, Algorithm::Midpoints].map(|a| a(AStar::default()));
    for planner in [corridor, midpoints, Algorithm::Optimal] {
        let mut queue = PathQueue::new(32, 1);
        let goal = [36.0, 0.0, 3.0];
        let leader = PathRequest::new([3.0, 0.0, 20.0], goal).algorithm(planner);
        assert!(queue.ask(100, &leader));
        assert!(!queue.follow(1, 99, &leader, 1.0), "nobody leads there");
        for unit in 0..20 {
            let from = [1.5 + f64::from(unit as u32 % 5), 0.0, 17.5 + f64::from(unit as u32 / 5)];
            let request = PathRequest::new(from, [0.0; 3]).algorithm(planner);
            // Who follows a follower follows its leader.
            let whom = if unit == 7 { 3 } else { 100 };
            assert!(queue.follow(unit, whom, &request, 0.75));
        }
        let mut ends = BTreeMap::new();
        let (mut spent, mut points) = (0, 0);
        while !queue.is_empty() {
            let tick = queue.tick(&query, 1000, |unit, path| {
                let answer = path.unwrap();
                points += answer.polygons.len() as u32 / 8;
                assert_eq!(answer.status, Status::Reached);
                assert!(walkable(&world, answer.points), "{unit}: {answer:?}");
                assert!(answer.points.len() > 2);
                ends.insert(unit, *answer.points.last().unwrap());
            });
            spent += tick.spent;
        }
        assert_eq!(ends.len(), 21);
        assert_eq!([ends[&100][0], ends[&100][2]], [goal[0], goal[2]]);
        let apart = |a: [f64; 3], b: [f64; 3]| (a[0] - b[0]).hypot(a[2] - b[2]);
        for (a, p) in &ends {
            assert!(apart(*p, goal) < 3.5);
            assert!(ends.iter().all(|(b, q)| a == b || apart(*p, *q) > 0.6));
        }
        // One search, not 21.
        let mut scratch = Scratch::new();
        let one = query.find_path(&leader, &mut scratch).unwrap().expanded;
        // The points of each path count as well.
        assert!(spent < one + points + 22 * 8, "{spent}, one search takes {one}");
    }
}

#[test]
fn a_follower_takes_over_from_a_lost_leader() {
    let (world, bytes) = labyrinth(6, 20);
    let query = query(&bytes);
    let mut random = Random(7);
    let mut scratch = Scratch::new();
    let mut inherited = 0;
    for round in 0..120 {
        let (from, to) = (place(&world, &mut random), place(&world, &mut random));
        let leader = PathRequest::new(from, to);
        let answer = query.find_path(&leader, &mut scratch).unwrap();
        if answer.status != Status::Reached || answer.expanded < 8 {
            continue;
        }
        let mut queue = PathQueue::new(8, 1);
        queue.ask(9, &leader);
        // Two are where the leader is, one anywhere.
        let beside = PathRequest::new(from, [0.0; 3]);
        assert!(queue.follow(4, 9, &beside, 0.5));
        assert!(queue.follow(6, 9, &PathRequest::new(place(&world, &mut random), to), 0.5));
        assert!(queue.follow(5, 9, &beside, 0.5));
        // Not begun, or in the middle of it.
        let mut nobody = true;
        queue.tick(&query, round % 3 * 3, |_, _| nobody = false);
        assert!(nobody);
        assert!(queue.direction(&query, 4).is_some());
        inherited += round % 3;
        queue.lose(9);
        let mut ends = BTreeMap::new();
        while !queue.is_empty() {
            queue.tick(&query, 40, |unit, path| {
                let answer = path.unwrap();
                if answer.status == Status::Reached {
                    assert!(walkable(&world, answer.points));
                    ends.insert(unit, *answer.points.last().unwrap());
                } else {
                    assert_eq!((unit, answer.status), (6, Status::Unreachable));
                }
            });
        }
        assert!(!ends.contains_key(&9), "the lost are not served");
        // The first follower goes where the leader was to go, the others beside it.
        assert_eq!([ends[&4][0], ends[&4][2]], [to[0], to[2]]);
        assert_ne!(ends[&4], ends[&5]);
    }
    assert!(inherited > 10, "{inherited}");
}

/// A look-up in labels is charged what it reads: on open ground, where each end sees many corners,
/// it can take longer than a search.
#[test]
fn a_budget_sees_look_ups_in_labels() {
    let mut charged = vec![];
    for (blocked, side) in [(3, 40), (12, 32), (32, 24)] {
        let world = World::random_flat(&mut Random(5), side, side, blocked);
        let bare = world.bake(false, true);
        let labels = labels_of(query(&bare).mesh()).unwrap();
        let bytes = replace_labels(&bare, &[labels.parts(0)]).unwrap();
        let query = query(&bytes);
        let (mesh, mut scratch) = (query.mesh(), Scratch::new());
        let mut counts = LookUps::new(mesh, &labels);
        let mut random = Random(blocked);
        let (mut spent, mut read, mut looked) = (0, 0.0, 0);
        for unit in 0..300 {
            let ends = [0; 2].map(|_| place(&world, &mut random));
            let request = PathRequest::new(ends[0], ends[1]).algorithm(Algorithm::Optimal);
            let path = query.find_path(&request, &mut scratch).unwrap();
            if !path.by_tables {
                continue;
            }
            let crossed = path.polygons.len() as f64;
            let [polygons, labels, entries] = counts.count(&query, &path).unwrap();
            // In cones of a search: the fit to 69 levels by which a bake weighs labels.
            read += 0.3 * polygons as f64 + 0.25 * labels as f64 + 0.02 * entries as f64;
            // Both ends, and the way through the polygons.
            read += 16.0 + 0.9 * crossed;
            let mut queue = PathQueue::new(1, 1);
            queue.ask(unit, &request);
            while !queue.is_empty() {
                spent += queue.tick(&query, 64, |_, path| assert!(path.is_ok())).spent;
            }
            looked += 1;
        }
        assert!(looked > 100, "{looked}");

        charged.push(f64::from(spent) / read);
    }
    let least = charged.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(charged.iter().all(|&share| share < 2.0 * least), "{charged:?}");
    assert!(charged.iter().all(|share| (0.5..2.0).contains(share)), "{charged:?}");
}
