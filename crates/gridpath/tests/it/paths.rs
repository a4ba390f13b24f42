//! Paths over grid maps, against a slow, plain search.

use crate::common::{Cells, cost_of, distances, middle, view};
use navbake_format::GridMapView;
use navbake_gridpath::{
    GridAnswer, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, TURN_PENALTY,
};
use navbake_search::path::Order;
use navbake_search::{AStar, Heuristic, Status};
use proptest::prelude::*;

const PLANNERS: [GridPlanner; 2] = [GridPlanner::Grid4, GridPlanner::Grid8];

pub(crate) fn buffer(map: &GridMapView<'_>) -> GridBuffer {
    GridBuffer::new(GridScratchSize::with_turns(map))
}

fn path_of(map: &GridMapView<'_>, answer: &GridAnswer<'_>) -> Vec<[i64; 2]> {
    let cells = answer.cells.iter();
    cells.map(|&id| map.column_row(id).map(i64::from)).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1.0)
}

/// What holds of every path: it begins and ends where it shall, each step is allowed, and it costs
/// what is said.
fn check_path(
    map: &Cells,
    view: &GridMapView<'_>,
    answer: &GridAnswer<'_>,
    request: &GridRequest<'_>,
) {
    let path = path_of(view, answer);
    let start = request.from;
    assert_eq!(middle(path[0]).map(f64::floor), start.map(f64::floor));
    assert!(near(cost_of(map, &path, request).unwrap(), answer.cost));
    let steps = answer.straight + answer.diagonal;
    assert_eq!(steps as usize + 1, path.len());
    let length = f64::from(answer.straight) + f64::from(answer.diagonal) * 2f64.sqrt();
    assert!(near(length, answer.length_xz));
    if answer.status == Status::Reached {
        let goal = request.to[answer.goal.unwrap()];
        assert_eq!(middle(path[path.len() - 1]).map(f64::floor), goal.map(f64::floor));
    }
}

fn cells(most: usize, terrains: u8) -> impl Strategy<Value = Cells> {
    shaped(most, most, terrains)
}

fn shaped(columns: usize, rows: usize, terrains: u8) -> impl Strategy<Value = Cells> {
    (1..=columns, 1..=rows, 0u32..60).prop_flat_map(move |(width, height, blocked)| {
        let n = width * height;
        let free = prop::collection::vec((0u32..100).prop_map(move |v| v >= blocked), n);
        let terrain = prop::collection::vec(0..terrains, n);
        (free, terrain).prop_map(move |(free, terrain)| Cells { width, free, terrain })
    })
}

fn costs() -> impl Strategy<Value = Vec<f64>> {
    let cost = prop_oneof![
        3 => Just(1.0),
        2 => Just(2.5),
        1 => Just(0.3),
        1 => Just(10.0),
        1 => Just(f64::INFINITY),
        1 => Just(-1.0),
        1 => Just(0.0),
    ];
    prop_oneof![Just(vec![]), prop::collection::vec(cost, 1..5)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_setting_keeps_its_promise(
        map in cells(9, 4),
        costs in costs(),
        penalty in prop_oneof![Just(0.0), Just(TURN_PENALTY), Just(1.3)],
        corner_cutting in any::<bool>(),
        weight in prop_oneof![3 => Just(1.0), 1 => Just(0.7), 1 => Just(1.5), 1 => Just(4.0)],
        reverse in any::<bool>(),
        from in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let (from, to) = (map.cell(from.index(map.free.len())), map.cell(to.index(map.free.len())));
        let bytes = map.bake();
        let view = view(&bytes);
        let query = GridQuery::new(view);
        let mut buffer = buffer(&view);
        for planner in PLANNERS {
            let goals = [middle(to)];
            let base = GridRequest { costs: &costs, turn_penalty: penalty, corner_cutting, ..GridRequest::new(middle(from), &goals, planner) };
            let optimum = if map.is_free(from) { distances(&map, from, &base)[map.index(to)] } else { f64::INFINITY };
            for heuristic in Heuristic::ALL {
                for order in [Order::AStar, Order::Dijkstra, Order::Greedy] {
                    let a_star = AStar { heuristic, order, weight, reverse, ..base.a_star };
                    let request = GridRequest { a_star, ..base };
                    let answer = query.find_path(&request, &mut buffer).unwrap();
                    prop_assert_eq!(answer.status == Status::Reached, optimum.is_finite() && map.is_free(to));
                    if answer.status != Status::Reached {
                        let off = !map.is_free(from) || !map.is_free(to);
                        prop_assert_eq!(answer.status, if off { Status::OffMesh } else { Status::Unreachable });
                        continue;
                    }
                    check_path(&map, &view, &answer, &request);
                    prop_assert!(answer.cost >= optimum - 1e-9);
                    prop_assert!(answer.bound <= optimum * (1.0 + 1e-12) + 1e-12, "{} {}", answer.bound, optimum);
                    prop_assert!(answer.closed <= answer.expanded);
                    let slant = planner == GridPlanner::Grid8 && heuristic == Heuristic::Manhattan;
                    let sure = match order {
                        Order::AStar => weight <= 1.0 && !slant,
                        Order::Dijkstra => true,
                        Order::Greedy => false,
                    };
                    prop_assert_eq!(answer.certified_optimal, sure);
                    if sure {
                        prop_assert!(near(answer.cost, optimum), "{} {}", answer.cost, optimum);
                    } else if order == Order::AStar {
                        let most = weight.max(1.0) * if slant { 2f64.sqrt() } else { 1.0 };
                        prop_assert!(answer.cost <= optimum * most * (1.0 + 1e-9));
                    }
                }
            }
        }
    }

    #[test]
    fn steps_that_are_left_out_make_no_path_longer(map in cells(24, 1), from in any::<prop::sample::Index>()) {
        let from = map.cell(from.index(map.free.len()));
        prop_assume!(map.is_free(from));
        let bytes = map.bake();
        let view = view(&bytes);
        let query = GridQuery::new(view);
        let mut buffer = buffer(&view);
        for planner in PLANNERS {
            let known = distances(&map, from, &GridRequest::new(middle(from), &[], planner));
            for (index, &optimum) in known.iter().enumerate() {
                let goals = [middle(map.cell(index))];
                let mut request = GridRequest::new(middle(from), &goals, planner);
                for order in [Order::AStar, Order::Dijkstra] {
                    request.a_star.order = order;
                    let answer = query.find_path(&request, &mut buffer).unwrap();
                    prop_assert_eq!(answer.status == Status::Reached, optimum.is_finite());
                    if optimum.is_finite() {
                        prop_assert!(answer.certified_optimal && near(answer.cost, optimum));
                    }
                }
            }
        }
    }

    #[test]
    fn runs_over_several_words_find_what_they_shall(map in shaped(200, 7, 1), picks in prop::collection::vec(any::<prop::sample::Index>(), 20)) {
        let picks: Vec<[i64; 2]> = picks.iter().map(|p| map.cell(p.index(map.free.len()))).collect();
        let from = picks[0];
        prop_assume!(map.is_free(from));
        let bytes = map.bake();
        let view = view(&bytes);
        let mut buffer = buffer(&view);
        for planner in PLANNERS {
            let known = distances(&map, from, &GridRequest::new(middle(from), &[], planner));
            for to in &picks {
                let goals = [middle(*to), middle(picks[1])];
                for goals in [&goals[..1], &goals] {
                    let request = GridRequest::new(middle(from), goals, planner);
                    let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
                    let optimum = known[map.index(*to)].min(if goals.len() > 1 { known[map.index(picks[1])] } else { f64::INFINITY });
                    prop_assert_eq!(answer.status == Status::Reached, optimum.is_finite());
                    if optimum.is_finite() {
                        check_path(&map, &view, &answer, &request);
                        prop_assert!(answer.certified_optimal && near(answer.cost, optimum));
                    }
                }
            }
        }
    }

    #[test]
    fn of_several_goals_the_nearest_is_reached(map in cells(9, 3), picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6)) {
        let bytes = map.bake();
        let view = view(&bytes);
        let all: Vec<[i64; 2]> = picks.iter().map(|p| map.cell(p.index(map.free.len()))).collect();
        let (from, goals) = (all[0], &all[1..]);
        prop_assume!(map.is_free(from));
        let points: Vec<[f64; 3]> = goals.iter().map(|&g| middle(g)).collect();
        for planner in PLANNERS {
            let request = GridRequest { costs: &[1.0, 3.0, f64::NAN], ..GridRequest::new(middle(from), &points, planner) };
            let known = distances(&map, from, &request);
            let best = goals.iter().map(|&g| known[map.index(g)]).fold(f64::INFINITY, f64::min);
            let mut buffer = buffer(&view);
            let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
            prop_assert_eq!(answer.status == Status::Reached, best.is_finite());
            if best.is_finite() {
                check_path(&map, &view, &answer, &request);
                prop_assert!(near(answer.cost, best) && answer.certified_optimal);
            }
        }
    }

    #[test]
    fn without_a_way_the_nearest_cell_is_reached(map in cells(9, 2), from in any::<prop::sample::Index>(), to in (-3i64..12, -3i64..12)) {
        let from = map.cell(from.index(map.free.len()));
        prop_assume!(map.is_free(from));
        let to = [to.0, to.1];
        let bytes = map.bake();
        let view = view(&bytes);
        let goals = [middle(to)];
        let request = GridRequest { partial: true, ..GridRequest::new(middle(from), &goals, GridPlanner::Grid8) };
        let known = distances(&map, from, &request);
        let mut buffer = buffer(&view);
        let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
        check_path(&map, &view, &answer, &request);
        // Goals off the map count as just outside.
        let at = [to[0].clamp(-1, map.width as i64), to[1].clamp(-1, map.height() as i64)];
        let apart = |c: [i64; 2]| (c[0] - at[0]).pow(2) + (c[1] - at[1]).pow(2);
        let reachable = (0..known.len()).filter(|&i| known[i].is_finite());
        let nearest = reachable.map(|i| apart(map.cell(i))).min().unwrap();
        let end = path_of(&view, &answer)[answer.cells.len() - 1];
        prop_assert_eq!(apart(end), nearest);
        let reached = map.is_free(to) && known[map.index(to)].is_finite();
        prop_assert_eq!(answer.status, if reached { Status::Reached } else { Status::Partial });
        prop_assert_eq!(answer.certified_optimal, reached);
    }

    #[test]
    fn too_few_nodes_give_a_walkable_path_and_no_certificate(
        map in cells(12, 2), nodes in 0usize..40, open in 0usize..40, cells in 0usize..40, penalty in prop_oneof![Just(0.0), Just(0.5)],
        from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(),
    ) {
        let (from, to) = (map.cell(from.index(map.free.len())), map.cell(to.index(map.free.len())));
        prop_assume!(map.is_free(from) && map.is_free(to));
        let bytes = map.bake();
        let view = view(&bytes);
        let goals = [middle(to)];
        let request = GridRequest { turn_penalty: penalty, ..GridRequest::new(middle(from), &goals, GridPlanner::Grid8) };
        let size = GridScratchSize { nodes, open, cells, ..GridScratchSize::with_turns(&view) };
        let mut small = GridBuffer::new(size);
        let answer = GridQuery::new(view).find_path(&request, &mut small).unwrap();
        let optimum = distances(&map, from, &request)[map.index(to)];
        if !answer.cells.is_empty() {
            check_path(&map, &view, &answer, &request);
        }
        match answer.status {
            Status::Reached => {
                prop_assert!(answer.cost >= optimum - 1e-9 && answer.bound <= optimum + 1e-9);
                prop_assert!(!answer.certified_optimal || near(answer.cost, optimum));
            }
            Status::Unreachable => prop_assert!(optimum.is_infinite()),
            status => {
                prop_assert_eq!(status, Status::OutOfNodes);
                prop_assert!(!answer.certified_optimal);
                prop_assert!(answer.bound <= optimum + 1e-9);
            }
        }
    }
}

pub(crate) fn ask<'s>(
    view: &GridMapView<'_>,
    from: [i64; 2],
    to: [i64; 2],
    change: impl Fn(&mut GridRequest<'_>),
    buffer: &'s mut GridBuffer,
) -> GridAnswer<'s> {
    let goals = [middle(to)];
    let mut request = GridRequest::new(middle(from), &goals, GridPlanner::Grid8);
    change(&mut request);
    GridQuery::new(*view).find_path(&request, buffer).unwrap()
}

#[test]
fn a_penalty_for_turns_prefers_the_way_with_fewer_of_them() {
    // Down the stairs there are four turns and no detour is shorter; along the sides there is one.
    let map = Cells::rows(&["......", "......", "......", "......", "......", "......"]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    let answer = ask(&view, [0, 0], [5, 5], |r| r.planner = GridPlanner::Grid4, &mut buffer);
    assert_eq!((answer.straight, answer.cost), (10, 10.0));
    let turning = |r: &mut GridRequest<'_>| {
        r.planner = GridPlanner::Grid4;
        r.turn_penalty = TURN_PENALTY;
    };
    let answer = ask(&view, [0, 0], [5, 5], turning, &mut buffer);
    assert_eq!((answer.straight, answer.turns, answer.cost), (10, 1, 10.5));
    assert!(answer.certified_optimal);
}

/// Maps of that width and height whose first cell is free, the same ones every time.
fn maps(count: usize, [width, height]: [usize; 2]) -> Vec<Cells> {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize
    };
    let cells = 0..width * height;
    let map = |_| Cells {
        width,
        free: cells.clone().map(|k| k == 0 || next() % 10 > 2).collect(),
        terrain: cells.clone().map(|_| (next() % 3) as u8).collect(),
    };
    (0..count).map(map).collect()
}

/// From the first cell to every other the cost is that of the plain search.
fn compare_all(map: &Cells, planner: GridPlanner, change: impl Fn(&mut GridRequest<'_>)) {
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    let mut request = GridRequest::new(middle([0, 0]), &[], planner);
    change(&mut request);
    let known = distances(map, [0, 0], &request);
    for (to, optimum) in known.iter().enumerate().filter(|(_, d)| d.is_finite()) {
        let goals = [middle(map.cell(to))];
        let mut request = GridRequest::new(middle([0, 0]), &goals, planner);
        change(&mut request);
        let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
        assert!(near(answer.cost, *optimum), "{} {optimum}", answer.cost);
    }
}

/// The cheapest path into a cell need not be part of the cheapest path through it: a search that
/// keeps one path a cell finds more.
#[test]
fn the_heading_is_part_of_the_state() {
    for map in maps(40, [9, 8]) {
        for penalty in [TURN_PENALTY, 2.0, 7.0] {
            for planner in PLANNERS {
                compare_all(&map, planner, |r| r.turn_penalty = penalty);
            }
        }
    }
}

#[test]
fn corners_are_cut_only_when_asked_and_never_between_two_blocked_cells() {
    let map = Cells::rows(&[".#", ".."]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    let around = ask(&view, [0, 0], [1, 1], |_| (), &mut buffer);
    assert_eq!((around.straight, around.diagonal), (2, 0));
    let cut = ask(&view, [0, 0], [1, 1], |r| r.corner_cutting = true, &mut buffer);
    assert_eq!((cut.straight, cut.diagonal), (0, 1));
    let pinch = Cells::rows(&[".#", "#."]);
    let bytes = pinch.bake();
    let view = crate::common::view(&bytes);
    for cutting in [false, true] {
        let answer = ask(&view, [0, 0], [1, 1], |r| r.corner_cutting = cutting, &mut buffer);
        assert_eq!(answer.status, Status::Unreachable);
    }
}

#[test]
fn start_and_goal_in_one_cell_are_a_path_of_one_cell() {
    let map = Cells::rows(&["1#"]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    // Also where one could not go if one were not there.
    let answer = ask(&view, [0, 0], [0, 0], |r| r.costs = &[1.0], &mut buffer);
    assert_eq!((answer.status, answer.cost), (Status::Reached, 0.0));
    assert!(answer.cells.len() == 1 && answer.certified_optimal);
}

/// In an open field a search looks at the path alone; one whose totals leave out the estimate is
/// blind.
#[test]
fn totals_hold_the_estimate() {
    let map = Cells::rows(&["....................."; 21]);
    let bytes = map.bake();
    let view = view(&bytes);
    let mut buffer = buffer(&view);
    for planner in PLANNERS {
        let own = |r: &mut GridRequest<'_>| {
            r.planner = planner;
            r.a_star.heuristic = planner.usual_heuristic();
            r.partial = true; // cell by cell, without jumps
        };
        let aimed = ask(&view, [3, 10], [17, 12], own, &mut buffer);
        assert_eq!(aimed.expanded as usize, aimed.cells.len());
        let blind = |r: &mut GridRequest<'_>| {
            own(r);
            r.a_star.order = Order::Dijkstra;
        };
        assert!(ask(&view, [3, 10], [17, 12], blind, &mut buffer).expanded > 200);
    }
}

/// A cell on the open list that is reached by a better path takes that path.
#[test]
fn an_open_cell_improves() {
    // Through the mud a cell is opened first, round it is cheaper.
    for map in maps(40, [9, 8]) {
        for planner in PLANNERS {
            compare_all(&map, planner, |r| r.costs = &[1.0, 4.0, 9.0]);
        }
    }
}

/// A closed cell that is reached by a better path is opened again, and is off the open list as
/// often as it is taken from it: otherwise the improvement would be lost, and a weighted search
/// could exceed its weight times the optimum by any amount.
#[test]
fn a_closed_cell_that_improves_is_opened_again() {
    let mut reopened = 0;
    for map in maps(200, [14, 14]) {
        let bytes = map.bake();
        let view = view(&bytes);
        let mut buffer = buffer(&view);
        let (from, to) = ([0, 0], [13, 13]);
        if !map.is_free(to) {
            continue;
        }
        let goals = [middle(to)];
        let request = GridRequest {
            a_star: AStar { weight: 3.0, ..AStar::default() },
            costs: &[1.0, 2.0, 9.0],
            ..GridRequest::new(middle(from), &goals, GridPlanner::Grid8)
        };
        let answer = GridQuery::new(view).find_path(&request, &mut buffer).unwrap();
        reopened += answer.expanded - answer.closed;
        // What the path says of each of its cells is the cost of the path up to it: nothing was
        // improved behind its back.
        if answer.status == Status::Reached {
            check_path(&map, &view, &answer, &request);
            let optimum = distances(&map, from, &request)[map.index(to)];
            assert!(answer.cost <= 3.0 * optimum * (1.0 + 1e-9) && !answer.certified_optimal);
        }
    }
    assert!(reopened > 0, "the test must reach the case it is named for");
}
