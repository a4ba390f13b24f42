//! Planners and their settings: every path can be walked, the costs are those of plain oracles, and
//! what the settings promise holds.

mod plain;

use navbake_search::blob::Blob;
use navbake_search::path::Order;
use navbake_search::{
    Algorithm, Error, FixedScratch, Heuristic, NavQuery, PathRequest, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::squares::walk::{PolyPoint, check, check_reached, random_point, worlds};
use navbake_testkit::squares::{SIDE, World};

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};
use plain::{plain_corridor, plain_midpoints};

const BLANK: [f64; 3] = [0.0; 3];

fn request() -> PathRequest {
    PathRequest::new(BLANK, BLANK)
}

fn any_settings(random: &mut Random) -> PathRequest {
    let pick = |random: &mut Random, n: usize| random.below(n);
    let planner = [CORRIDOR, MIDPOINTS][pick(random, 2)];
    let order = [Order::AStar, Order::AStar, Order::Greedy, Order::Dijkstra][pick(random, 4)];
    let heuristic = Heuristic::ALL[pick(random, 5)];
    let weight = [0.0, 0.5, 1.0, 1.5, 20.0, f64::NAN, -1.0][pick(random, 7)];
    request()
        .algorithm(planner)
        .a_star(|a| a.order = order)
        .a_star(|a| (a.heuristic, a.weight) = (heuristic, weight))
        .a_star(|a| a.reverse = random.chance(40))
}

#[test]
fn any_setting_gives_a_path_that_can_be_walked() {
    let (mut searched, mut bounded, mut longer) = (0, 0, 0);
    worlds(0..60, |world, query, random| {
        let islands = world.islands();
        let mut scratch = Scratch::new();
        for _ in 0..12 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let mut request = any_settings(random);
            if random.chance(30) {
                let most = random.below(5) as u32;
                request = request.a_star(|a| a.max_open = Some(most));
            }
            let answer =
                query.find_path_between(&from.place, &to.place, &request, &mut scratch).unwrap();
            if islands[from.square] != islands[to.square] {
                assert_eq!(answer.status, Status::Unreachable);
                continue;
            }
            searched += u32::from(answer.expanded > 0);
            bounded += u32::from(answer.dropped > 0);
            assert!(answer.closed <= answer.expanded);
            if answer.status == Status::OutOfNodes {
                assert!(answer.dropped > 0);
                if !answer.points.is_empty() {
                    check(world, query, &from, &answer);
                }
                continue;
            }
            check_reached(world, query, &from, &to, &answer);
            let optimum = world.shortest(from.square, from.point, to.square, to.point).unwrap();
            let ours = answer.length_xz * f64::from(SIDE);
            assert!(ours >= optimum - 1e-9, "{ours} is less than {optimum}");
            longer += u32::from(ours > optimum + 1e-6);
            if answer.certified_optimal {
                assert!(ours <= optimum + 1e-9);
                assert_eq!(answer.expanded, 0, "searches with heuristics certify nothing");
            }
        }
    });
    println!("{searched} searched, {bounded} bounded, {longer} longer");
    assert!(searched > 100 && bounded > 10 && longer > 10);
}

#[test]
fn midpoints_cost_what_dijkstras_search_over_all_portals_says() {
    let mut searched = 0;
    worlds(0..80, |world, query, random| {
        let mut scratch = Scratch::new();
        for _ in 0..6 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            for (order, heuristic, reverse) in [
                (Order::AStar, Heuristic::Euclidean, false),
                (Order::AStar, Heuristic::LongestAxis, false),
                (Order::Dijkstra, Heuristic::Manhattan, false),
                (Order::AStar, Heuristic::Euclidean, true),
            ] {
                let request = (request().algorithm(MIDPOINTS))
                    .a_star(|a| a.order = order)
                    .a_star(|a| (a.heuristic, a.weight) = (heuristic, 1.0))
                    .a_star(|a| a.reverse = reverse);
                let mut search = query
                    .start_path_between(&from.place, &to.place, &request, &mut scratch)
                    .unwrap();
                search.step(query, &mut scratch, u32::MAX);
                let Some(ours) = search.raw_length(query) else {
                    continue;
                };
                searched += 1;
                let plain = plain_midpoints(query, &from.place, &to.place).unwrap();
                let ours = ours * f64::from(SIDE);
                assert!((ours - plain).abs() < 1e-9 * plain.max(1.0), "{ours} {plain}");
                let answer = search.path(query, &mut scratch);
                assert!(
                    answer.length_xz * f64::from(SIDE) <= ours + 4.0 * answer.polygons.len() as f64
                );
            }
        }
    });
    assert!(searched > 200, "{searched}");
}

#[test]
fn the_corridor_is_that_of_a_search_without_heap_and_slots() {
    let mut searched = 0;
    worlds(0..80, |world, query, random| {
        let mut scratch = Scratch::new();
        for _ in 0..8 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let mut search =
                query.start_path_between(&from.place, &to.place, &request(), &mut scratch).unwrap();
            search.step(query, &mut scratch, u32::MAX);
            let Some(ours) = search.raw_length(query) else {
                continue;
            };
            searched += 1;
            let (plain, expanded) = plain_corridor(query, &from.place, &to.place).unwrap();
            let ours = ours * f64::from(SIDE);
            assert!((ours - plain).abs() < 1e-9 * plain.max(1.0), "{ours} {plain}");
            assert_eq!(search.expanded(), expanded);
        }
    });
    assert!(searched > 100, "{searched}");
}

#[test]
fn the_nearest_of_several_goals_is_reached() {
    let (mut several, mut not_first) = (0, 0);
    worlds(0..60, |world, query, random| {
        let mut scratch = Scratch::new();
        let from = random_point(world, query, random);
        // What is optimal over several storeys is the optimal search's own affair.
        let compared = |planner| planner != Algorithm::Optimal || world.storeys == 1;
        let goals: Vec<PolyPoint> = (0..5).map(|_| random_point(world, query, random)).collect();
        let points: Vec<[f64; 3]> = goals.iter().map(|g| g.place.position()).collect();
        for planner in [MIDPOINTS, Algorithm::Optimal, CORRIDOR] {
            for reverse in [false, true] {
                let base = PathRequest::new(from.place.position(), BLANK)
                    .algorithm(planner)
                    .a_star(|a| a.reverse = reverse);
                // Points on shared borders may be located on other squares: what counts is where
                // they are located.
                let Some(start) = query.end(base.from, base.extents) else {
                    continue;
                };
                let mut lengths = vec![];
                for (k, &to) in points.iter().enumerate() {
                    let one = PathRequest { to, ..base };
                    let mut search = query.start_path(&one, &mut scratch).unwrap();
                    let status = search.step(query, &mut scratch, u32::MAX);
                    let raw = search.raw_length(query);
                    let answer = search.path(query, &mut scratch);
                    if status == Status::Reached {
                        // A goal in sight is not searched for when it is alone.
                        let plain = || {
                            let end = query.end(to, base.extents).unwrap();
                            plain_midpoints(query, &start, &end).unwrap() / f64::from(SIDE)
                        };
                        let length = match planner {
                            Algorithm::Optimal => answer.length_xz,
                            _ => raw.unwrap_or_else(plain),
                        };
                        lengths.push((length, k as u32));
                    }
                }
                let mut search = query.start_path_to_any(&base, &points, &mut scratch).unwrap();
                search.step(query, &mut scratch, u32::MAX);
                let raw = search.raw_length(query);
                let answer = search.path(query, &mut scratch);
                if lengths.is_empty() {
                    assert_eq!(answer.status, Status::Unreachable);
                    continue;
                }
                assert_eq!(answer.status, Status::Reached);
                several += u32::from(lengths.len() > 1);
                not_first += u32::from(answer.goal > 0);
                let reached = lengths.iter().find(|l| l.1 == answer.goal).expect("reachable");
                let least = lengths.iter().map(|l| l.0).fold(f64::INFINITY, f64::min);
                let ours = raw.unwrap_or(answer.length_xz);
                let searched = planner == Algorithm::Optimal || !answer.certified_optimal;
                if planner != CORRIDOR && searched && compared(planner) {
                    assert!(
                        (ours - least).abs() < 1e-9 * least.max(1.0),
                        "{planner:?} {ours} {least}"
                    );
                    assert!((reached.0 - least).abs() < 1e-9 * least.max(1.0));
                }
                let end = query.end(points[answer.goal as usize], base.extents).unwrap();
                assert_eq!(answer.points.last(), Some(&end.position()));
                assert_eq!(answer.points[0], start.position());
                assert!(answer.bound <= answer.length_xz + 1e-9);
            }
        }
    });
    assert!(several > 100 && not_first > 50, "{several} {not_first}");
}

#[test]
fn more_goals_than_there_is_room_for_are_refused_until_there_is() {
    let world = World::flat(&["...."]);
    let bytes = world.bake(false, true);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut small = Box::new(FixedScratch::<64>::new());
    let goals = vec![[3.5, 0.0, 0.5]; 100];
    let request = PathRequest::new([0.5, 0.0, 0.5], BLANK);
    let answer = query.find_path_to_any(&request, &goals, &mut *small).unwrap();
    assert_eq!(answer.status, Status::OutOfNodes);
    let mut scratch = Scratch::new();
    let answer = query.find_path_to_any(&request, &goals, &mut scratch).unwrap();
    assert_eq!((answer.status, answer.goal), (Status::Reached, 0));
    let answer = query.find_path_to_any(&request, &[], &mut scratch).unwrap();
    assert_eq!(answer.status, Status::OffMesh);
}

#[test]
fn a_goal_off_the_mesh_is_gone_towards_when_asked_for() {
    let world = World::flat(&["...", "##.", "..."]);
    let bytes = world.bake(false, true);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    for planner in [CORRIDOR, MIDPOINTS, Algorithm::Optimal] {
        let request = PathRequest::new([0.5, 0.0, 0.5], [-3.0, 0.0, 2.5]).algorithm(planner);
        assert_eq!(query.find_path(&request, &mut scratch).unwrap().status, Status::OffMesh);
        let answer = query.find_path(&request.partial(true), &mut scratch).unwrap();
        assert_eq!(answer.status, Status::Partial);
        let end = answer.points.last().unwrap();
        assert_eq!([end[0], end[2]], [0.0, 2.5]);
        // Beyond all numbers there is no direction to go in.
        let far = PathRequest::new(request.from, [1e30, 0.0, 0.0]).algorithm(planner).partial(true);
        assert_eq!(query.find_path(&far, &mut scratch).unwrap().status, Status::OffMesh);
        let lost = PathRequest::new([-9.0, 0.0, 0.0], request.from).partial(true);
        assert_eq!(query.find_path(&lost, &mut scratch).unwrap().status, Status::OffMesh);
    }
}

#[test]
fn a_heuristic_without_landmarks_is_refused() {
    let world = World::flat(&["...", "##.", "..."]);
    let bytes = world.bake(false, true);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let request = PathRequest::new([0.5, 0.0, 0.5], [0.5, 0.0, 2.5]).algorithm(CORRIDOR);
    let table = request.a_star(|a| a.heuristic = Heuristic::Table);
    assert_eq!(query.find_path(&table, &mut scratch), Err(Error::NoLandmarks));
    let weighted = Algorithm::Weighted { gap: Algorithm::GAP, landmarks: true };
    let weighted = request.algorithm(weighted);
    assert_eq!(query.find_path(&weighted, &mut scratch), Err(Error::NoLandmarks));
}

#[test]
fn start_and_goal_in_one_place_are_a_path_of_no_length() {
    let world = World::flat(&["..", ".."]);
    let bytes = world.bake(false, true);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    for planner in [CORRIDOR, MIDPOINTS, Algorithm::Optimal] {
        for at in [[0.5, 0.0, 0.5], [1.0, 0.0, 1.0]] {
            let request = PathRequest::new(at, at).algorithm(planner).a_star(|a| a.reverse = true);
            let answer = query.find_path(&request, &mut scratch).unwrap();
            assert_eq!((answer.status, answer.length_xz), (Status::Reached, 0.0));
        }
    }
}

#[test]
fn out_of_nodes_is_a_path_that_can_be_walked_and_a_scratch_without_bound_is_the_cure() {
    let (mut short, mut walked) = (0, 0);
    worlds(0..30, |world, query, random| {
        let islands = world.islands();
        let mut whole = Scratch::new();
        for _ in 0..6 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            if islands[from.square] != islands[to.square] {
                continue;
            }
            let settings = any_settings(random);
            let expected =
                query.find_path_between(&from.place, &to.place, &settings, &mut whole).unwrap();
            for nodes in [0, 1, 2, 3, 5, 8, 13] {
                let mut small = Scratch::bounded(nodes);
                let answer =
                    query.find_path_between(&from.place, &to.place, &settings, &mut small).unwrap();
                if answer.status == Status::OutOfNodes {
                    short += 1;
                    assert!(answer.points.is_empty() || answer.points.len() >= 2);
                    if !answer.points.is_empty() {
                        walked += 1;
                        check(world, query, &from, &answer);
                    }
                } else {
                    check_reached(world, query, &from, &to, &answer);
                }
            }
            let mut fresh = Scratch::new();
            let answer =
                query.find_path_between(&from.place, &to.place, &settings, &mut fresh).unwrap();
            // A weight that is no number does not equal itself.
            assert_eq!(format!("{answer:?}"), format!("{expected:?}"));
        }
    });
    println!("{short} short of nodes, {walked} of them with a path");
    assert!(short > 100 && walked > 60);
}

#[test]
fn a_funnel_is_never_longer_than_the_middles_of_its_corridor() {
    let mut compared = 0;
    worlds(0..60, |world, query, random| {
        let mut scratch = Scratch::new();
        for _ in 0..8 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let middles = request().algorithm(MIDPOINTS);
            let mut search =
                query.start_path_between(&from.place, &to.place, &middles, &mut scratch).unwrap();
            search.step(query, &mut scratch, u32::MAX);
            let (Some(raw), Some(funnel)) = (
                search.raw_length(query),
                // The corridor that was found, with its own ends: its funnel.
                navbake_queue::shared(
                    &search.clone().into(),
                    query,
                    from.place.position(),
                    Some(&to.place),
                    &mut scratch,
                ),
            ) else {
                continue;
            };
            if funnel.polygons[0] == from.place.polygon() {
                compared += 1;
                assert!(funnel.length_xz <= raw + 1e-9, "{} {raw}", funnel.length_xz);
            }
        }
    });
    assert!(compared > 50, "{compared}");
}
