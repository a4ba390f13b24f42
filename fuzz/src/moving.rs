//! Paths with every option, finished for units, shared in a queue, walked by a crowd, and looked up
//! in flow fields.

use std::fmt::Debug;

use navbake_crowd::{Body, Crowd, Field};
use navbake_finish::{Rounding, path_clearance, places, round, spline, spline_room};
use navbake_queue::PathQueue;
use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Algorithm, Heuristic, NavPoint, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;

use crate::queries::Answers;

/// Steps of a crowd.
const STEPS: usize = 12;
/// Entries of a tick of a queue, and the ticks after which it counts as endless.
const TICK: u32 = 50;
const MOST_TICKS: u32 = 10_000;

/// Asks for paths between two places by a search with options that `random` draws, for those of
/// units in a queue, moves units along a path, and makes a field of both places.
pub(crate) fn moving(
    query: &NavQuery<'_>,
    ends: [NavPoint; 2],
    random: &mut Random,
    scratch: &mut Scratch,
    answer: &mut Answers<'_>,
) {
    let options = options(random);
    let [from, to] = ends.map(|end| end.position());
    let algorithms = [
        Algorithm::Corridor(options),
        Algorithm::Midpoints(options),
        Algorithm::Optimal,
        Algorithm::Weighted { gap: 0.1, landmarks: random.chance(50) },
    ];
    for algorithm in algorithms {
        let request = PathRequest::new(from, to).algorithm(algorithm).partial(random.chance(20));
        answer(&query.find_path_between(&ends[0], &ends[1], &request, scratch));
        let goals = [to, from, [to[0], from[1], to[2]]];
        answer(&query.find_path_to_any(&request, &goals[..1 + random.below(3)], scratch));
    }
    finished(query, ends, random, answer);
    queued(query, ends, scratch, answer);
    looked_up(query, ends, answer);
}

fn options(random: &mut Random) -> AStar {
    let heuristics = Heuristic::NAMES.map(|name| name.parse().expect("a heuristic"));
    AStar {
        order: [Order::AStar, Order::Greedy, Order::Dijkstra][random.below(3)],
        heuristic: heuristics[random.below(heuristics.len())],
        weight: [0.5, 1.0, 1.3, 4.0][random.below(4)],
        ahead: [Ahead::Least, Ahead::Own, Ahead::Sampled, Ahead::Typical(1.5)][random.below(4)],
        reverse: random.chance(50),
        max_open: random.chance(20).then_some(5),
    }
}

/// A path smoothed, rounded, measured, and walked by two units that meet on it.
fn finished(
    query: &NavQuery<'_>,
    [from, to]: [NavPoint; 2],
    random: &mut Random,
    answer: &mut Answers<'_>,
) {
    let request = PathRequest::new(from.position(), to.position());
    let (mut scratch, mut more) = (Scratch::new(), Scratch::new());
    let Ok(path) = query.find_path_between(&from, &to, &request, &mut scratch) else {
        return;
    };
    answer(&path_clearance(query, &path, 2.0, &mut more));
    let rounding = Rounding::new([0.2, 1.0, 3.0][random.below(3)]);
    let corners = path.points.len();
    let mut room = vec![from; rounding.room(corners).max(spline_room(corners))];
    answer(&round(query, &path, rounding, &mut room));
    answer(&spline(query, &path, &mut room));
    let own = match places(query, &path, &mut room) {
        Ok(own) => own.points.to_vec(),
        Err(error) => return answer(&error),
    };
    let back: Vec<NavPoint> = own.iter().rev().copied().collect();
    crowd(query, [&own, &back], answer);
}

fn crowd(query: &NavQuery<'_>, paths: [&[NavPoint]; 2], answer: &mut Answers<'_>) {
    let mut crowd = Crowd::new(0.1);
    let mut scratch = Scratch::new();
    let body = Body::new(0.4, 4.0, 20.0);
    for path in paths {
        let Some(&first) = path.first() else {
            return;
        };
        let id = crowd.add(query, first, body).expect("a sound body");
        crowd.go(id, path).expect("a unit of the crowd");
    }
    for _ in 0..STEPS {
        crowd.step(query, &mut scratch);
    }
    for id in crowd.ids() {
        answer(&(crowd.place(id), crowd.velocity(id), crowd.state(id)));
    }
}

/// Three units with paths of their own, one of them over rooms, and one that follows the first.
fn queued(
    query: &NavQuery<'_>,
    ends: [NavPoint; 2],
    scratch: &Scratch,
    answer: &mut dyn FnMut(&dyn Debug),
) {
    let [from, to] = ends.map(|end| end.position());
    let there = PathRequest::new(from, to);
    let mut queue = PathQueue::with_scratch(4, 2, scratch);
    queue.ask(0, &there);
    queue.ask(1, &PathRequest::new(to, from).algorithm(Algorithm::Optimal));
    queue.ask_over_rooms(2, &there);
    queue.follow(3, 0, &there, 0.5);
    for _ in 0..MOST_TICKS {
        let tick = queue.tick(query, TICK, |unit, path| answer(&(unit, path)));
        if tick.waiting == 0 {
            return;
        }
    }
    panic!("units from {from:?} to {to:?} wait for ever");
}

/// The ways of a field to one place and to both, from both and their middle.
fn looked_up(query: &NavQuery<'_>, [from, to]: [NavPoint; 2], answer: &mut Answers<'_>) {
    let [a, b] = [from, to].map(|end| end.position());
    let middle = query.nearest([0, 1, 2].map(|k| (a[k] + b[k]) / 2.0), [4.0; 3]);
    let mut path = vec![];
    for goals in [&[to][..], &[from, to]] {
        let field = match Field::new(query, goals) {
            Ok(field) => field,
            Err(error) => return answer(&error),
        };
        for place in [Some(from), Some(to), middle].iter().flatten() {
            answer(&field.next(query, place));
            answer(&(field.path(query, place, &mut path), &path));
        }
    }
}
