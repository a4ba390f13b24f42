//! Searches on small maps: against Dijkstra, against the ground itself, and the status of requests
//! that cannot be met.

use crate::support::chance::{random, scattered, unit};
use crate::support::course::drive;
use crate::support::course::{Map, drives, packed};
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{Footprint, TurningQuery, TurningRequest, TurningStatus};

fn vehicles() -> Vec<VehicleSpec> {
    let rectangle =
        Footprint::polygon(&[[0.8, 0.35], [-0.6, 0.35], [-0.6, -0.35], [0.8, -0.35]]).unwrap();
    let reverse = Some(Reverse { penalty: 1.5, change: 0.5 });
    vec![
        VehicleSpec::new(1.0, Footprint::disc(0.45)),
        VehicleSpec { rings: 2, reverse, ..VehicleSpec::new(1.0, Footprint::disc(0.45)) },
        VehicleSpec { reverse, detour: Some(3.0), ..VehicleSpec::new(1.2, rectangle) },
        VehicleSpec {
            headings: 16,
            rings: 2,
            detour: Some(4.0),
            ..VehicleSpec::new(0.8, Footprint::disc(0.6))
        },
    ]
}

#[test]
fn a_star_costs_what_dijkstra_does_from_state_to_state() {
    let mut seed = 5;
    for vehicle in vehicles() {
        let tables = packed(&vehicle, "v");
        for percent in [0, 10, 25] {
            let map = scattered(13, 11, percent, &mut seed);
            let bytes = map.blob(std::slice::from_ref(&tables));
            drive!(bytes, "v", unit_, ground, buffer, 40_000);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            let headings = f64::from(vehicle.headings);
            let mut found = 0;
            for _ in 0..60 {
                let mut place = |_: u32| {
                    [
                        (random(&mut seed) % 13) as f64 + 0.5,
                        0.0,
                        (random(&mut seed) % 11) as f64 + 0.5,
                    ]
                };
                let (from, to) = (place(0), place(1));
                let angle = |r: u64| {
                    (r % u64::from(vehicle.headings)) as f64 * std::f64::consts::TAU / headings
                };
                let (a, b) = (angle(random(&mut seed)), angle(random(&mut seed)));
                for goal in [Some(b), None] {
                    let request = TurningRequest {
                        analytic_expansion: false,
                        ..TurningRequest::new(from, a, to, goal)
                    };
                    let plain = TurningRequest { dijkstra: true, ..request };
                    let mut scratch = buffer.scratch();
                    let slow = query.path(&plain, &mut scratch);
                    let (status, cost, seen) = (slow.status, slow.cost, slow.expanded);
                    let fast = query.path(&request, &mut scratch);
                    assert_eq!((fast.status, fast.cost), (status, cost), "{request:?} {vehicle:?}");
                    assert!(fast.expanded <= seen + 1, "{} {seen}", fast.expanded);
                    if status == TurningStatus::Reached {
                        found += 1;
                        drives(&map, &vehicle.footprint, vehicle.turn_radius, &request, &fast)
                            .unwrap();
                        assert_eq!(fast.bound, fast.cost);
                        let final_curve = TurningRequest { analytic_expansion: true, ..request };
                        let shorter = query.path(&final_curve, &mut scratch);
                        assert!(shorter.cost <= cost);
                        drives(
                            &map,
                            &vehicle.footprint,
                            vehicle.turn_radius,
                            &final_curve,
                            &shorter,
                        )
                        .unwrap();
                    }
                }
            }
            assert!(found > 5 || percent > 10, "{percent}: {found}");
        }
    }
}

#[test]
fn from_anywhere_to_anywhere_paths_are_drivable_and_cost_what_dijkstra_finds() {
    let mut seed = 11;
    for vehicle in vehicles() {
        let tables = packed(&vehicle, "v");
        let map = scattered(16, 14, 8, &mut seed);
        let bytes = map.blob(std::slice::from_ref(&tables));
        drive!(bytes, "v", unit_, ground, buffer, 60_000);
        let query = TurningQuery::new(&unit_, &ground).unwrap();
        let mut found = 0;
        for i in 0..80 {
            let mut place = || [unit(&mut seed) * 16.0, 0.0, unit(&mut seed) * 14.0];
            let (from, to) = (place(), place());
            let (a, b) = (unit(&mut seed) * 7.0 - 3.5, unit(&mut seed) * 7.0);
            let goal = (i % 2 == 0).then_some(b);
            let request = TurningRequest {
                analytic_expansion: false,
                ..TurningRequest::new(from, a, to, goal)
            };
            let plain = TurningRequest { dijkstra: true, ..request };
            let mut scratch = buffer.scratch();
            let slow = query.path(&plain, &mut scratch);
            let (status, cost) = (slow.status, slow.cost);
            let fast = query.path(&request, &mut scratch);
            assert_eq!((fast.status, fast.cost), (status, cost), "{request:?}");
            if status == TurningStatus::Reached {
                found += 1;
                drives(&map, &vehicle.footprint, vehicle.turn_radius, &request, &fast).unwrap();
                let final_curve = TurningRequest { analytic_expansion: true, ..request };
                let shorter = query.path(&final_curve, &mut scratch);
                assert!(shorter.cost <= cost);
                drives(&map, &vehicle.footprint, vehicle.turn_radius, &final_curve, &shorter)
                    .unwrap();
                let bound = shorter_cost(&query, &mut scratch, &map, &vehicle, &request);
                assert!(bound <= cost + 1e-9);
                let heavy = TurningRequest { weight: 1.5, ..request };
                let heavy = query.path(&heavy, &mut scratch);
                assert!(
                    heavy.cost <= 1.5 * cost + 1e-9 && heavy.bound <= cost + 1e-9,
                    "{} {cost} {}",
                    heavy.cost,
                    heavy.bound
                );
            }
        }
        assert!(found > 10, "{found}");
    }
}

/// The cost of the smoothed path, which drives as well.
fn shorter_cost(
    query: &TurningQuery<'_>,
    scratch: &mut navbake_vehicle::TurningScratch<'_>,
    map: &Map,
    vehicle: &VehicleSpec,
    request: &TurningRequest,
) -> f64 {
    let smooth = TurningRequest { smooth: true, ..*request };
    let answer = query.path(&smooth, scratch);
    drives(map, &vehicle.footprint, vehicle.turn_radius, &smooth, &answer).unwrap();
    answer.cost
}

#[test]
fn a_smoothed_path_over_open_ground_bends_hardly_more_than_the_shortest_curve() {
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let map = scattered(60, 60, 0, &mut 3);
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 200_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut scratch = buffer.scratch();
    let (from, to) = ([3.5, 0.0, 3.5], [50.5, 0.0, 33.5]);
    let request = TurningRequest {
        analytic_expansion: false,
        ..TurningRequest::new(from, 0.0, to, Some(0.0))
    };
    let plain = query.path(&request, &mut scratch);
    let (cost, pieces) = (plain.cost, plain.pieces.len());
    let smooth = TurningRequest { smooth: true, ..request };
    let answer = query.path(&smooth, &mut scratch);
    drives(&map, &vehicle.footprint, 1.0, &smooth, &answer).unwrap();
    assert!(answer.cost < cost && cost < 1.01 * 47f64.hypot(30.0));
    assert!(pieces > 15 && answer.pieces.len() <= 9, "{pieces} {}", answer.pieces.len());
}

/// No piece goes on where the one before it ends, on its line or circle, and none has no length.
#[test]
fn no_two_pieces_in_a_row_are_one_and_none_has_no_length() {
    let forwards = VehicleSpec::new(1.5, Footprint::disc(0.45));
    let reverse = VehicleSpec { reverse: Some(Reverse { penalty: 2.0, change: 1.0 }), ..forwards };
    let (mut seed, mut reached) = (11, 0);
    for round in 0..12 {
        let map = scattered(30, 30, 3 * round, &mut seed);
        let bytes = map.blob(&[packed(&forwards, "car"), packed(&reverse, "truck")]);
        for name in ["car", "truck"] {
            drive!(bytes, name, unit_, ground, buffer, 200_000);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            for k in 0..40 {
                let mut place = || [unit(&mut seed) * 30.0, 0.0, unit(&mut seed) * 30.0];
                let (from, to) = (place(), place());
                let heading = (k % 3 == 0).then_some(1.0);
                let request = TurningRequest {
                    smooth: k % 2 == 0,
                    analytic_expansion: k % 5 != 0,
                    ..TurningRequest::new(from, 0.3, to, heading)
                };
                let mut scratch = buffer.scratch();
                let answer = query.path(&request, &mut scratch);
                if answer.status != TurningStatus::Reached {
                    continue;
                }
                reached += 1;
                drives(&map, &forwards.footprint, 1.5, &request, &answer).unwrap();
                let parts = answer.pieces.iter().map(|p| p.segment);
                assert!(parts.clone().all(|s| s.length > 1e-9), "{:?}", answer.pieces);
                for (a, b) in parts.clone().zip(parts.skip(1)) {
                    let straight = a.turn == 0 && b.turn == 0 && a.back == b.back;
                    assert!(!straight, "{:?}", answer.pieces);
                    let arcs = (a.turn, a.back) == (b.turn, b.back);
                    let turned = (a.length + b.length) / 1.5;
                    assert!(!arcs || turned >= std::f64::consts::TAU, "{:?}", answer.pieces);
                }
            }
        }
    }
    assert!(reached > 250, "{reached}");
}

#[test]
fn budgets_do_not_change_the_answer() {
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let tables = packed(&vehicle, "v");
    let map = scattered(30, 30, 12, &mut 3);
    let bytes = map.blob(std::slice::from_ref(&tables));
    drive!(bytes, "v", unit_, ground, buffer, 60_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut seed = 9;
    for _ in 0..30 {
        let mut place = || [unit(&mut seed) * 30.0, 0.0, unit(&mut seed) * 30.0];
        let request = TurningRequest::new(place(), 0.3, place(), Some(1.0));
        let mut scratch = buffer.scratch();
        let whole = query.path(&request, &mut scratch);
        let (cost, expanded) = (whole.cost, whole.expanded);
        let mut search = query.begin(&request, &mut scratch);
        while search.step(&query, &mut scratch, 7) == TurningStatus::Looking {}
        let answer = search.answer(&query, &mut scratch);
        assert_eq!((answer.cost, answer.expanded), (cost, expanded));
        let pieces = answer.pieces.to_vec();
        assert_eq!(search.answer(&query, &mut scratch).pieces, pieces);
    }
}

#[test]
fn a_dead_end_is_left_in_reverse_gear_and_not_without() {
    let map = Map::of(&[
        "############",
        "#..........#",
        "#..........#",
        "#..........#",
        "#..........#",
        "#####.######",
        "#####.######",
        "#####.######",
        "#####.######",
        "############",
    ]);
    let forwards = VehicleSpec::new(1.0, Footprint::disc(0.5));
    let reverse = VehicleSpec { reverse: Some(Reverse { penalty: 2.0, change: 1.0 }), ..forwards };
    let bytes = map.blob(&[packed(&forwards, "car"), packed(&reverse, "truck")]);
    // Looks into the alley's end.
    let down = -std::f64::consts::FRAC_PI_2;
    let request = TurningRequest::new([5.5, 0.0, 8.5], down, [1.5, 0.0, 1.5], None);
    drive!(bytes, "car", car, ground, buffer, 20_000);
    let mut scratch = buffer.scratch();
    let query = TurningQuery::new(&car, &ground).unwrap();
    assert_eq!(query.path(&request, &mut scratch).status, TurningStatus::Unreachable);
    drive!(bytes, "truck", truck, ground, buffer, 20_000);
    let mut scratch = buffer.scratch();
    let query = TurningQuery::new(&truck, &ground).unwrap();
    let answer = query.path(&request, &mut scratch);
    assert_eq!(answer.status, TurningStatus::Reached);
    let (length, changes) = drives(&map, &reverse.footprint, 1.0, &request, &answer).unwrap();
    assert!(answer.pieces[0].segment.back && answer.cost > length + 3.0 && changes <= 1);
    // A wall of another's making, and gone again.
    ground.set_blocked([5, 6], true);
    let query = TurningQuery::new(&truck, &ground).unwrap();
    assert_eq!(query.path(&request, &mut scratch).status, TurningStatus::Unreachable);
    ground.set_blocked([5, 6], false);
    let query = TurningQuery::new(&truck, &ground).unwrap();
    assert_eq!(query.path(&request, &mut scratch).status, TurningStatus::Reached);
}

#[test]
fn what_cannot_be_met_is_distinguished() {
    let map = Map::of(&["........", "........", "...#....", "........", "........", "........"]);
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let bytes = map.blob(&[packed(&vehicle, "v")]);
    drive!(bytes, "v", unit_, ground, buffer, 20_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let mut scratch = buffer.scratch();
    let mut ask = |from: [f64; 2], heading: f64, to: [f64; 2], goal: Option<f64>| {
        let request =
            TurningRequest::new([from[0], 0.0, from[1]], heading, [to[0], 0.0, to[1]], goal);
        query.path(&request, &mut scratch).status
    };
    assert_eq!(ask([1.5, 1.5], 0.0, [6.5, 4.5], Some(0.0)), TurningStatus::Reached);
    assert_eq!(ask([3.2, 1.9], 0.0, [6.5, 4.5], None), TurningStatus::StartBlocked);
    assert_eq!(ask([0.1, 1.5], 0.0, [6.5, 4.5], None), TurningStatus::StartBlocked);
    assert_eq!(ask([1.5, 1.5], 0.0, [3.5, 1.6], Some(0.0)), TurningStatus::GoalBlocked);
    assert_eq!(ask([1.5, 1.5], 0.0, [3.5, 2.5], None), TurningStatus::GoalBlocked);
    assert_eq!(ask([-3.0, 1.5], 0.0, [6.5, 4.5], None), TurningStatus::StartOutside);
    assert_eq!(ask([1.5, 1.5], 0.0, [60.5, 4.5], None), TurningStatus::GoalOutside);
    assert_eq!(ask([f64::NAN, 1.5], 0.0, [6.5, 4.5], None), TurningStatus::StartOutside);
    assert_eq!(ask([1.5, 1.5], f64::NAN, [6.5, 4.5], None), TurningStatus::NoHeading);
    assert_eq!(ask([1.5, 1.5], 0.0, [6.5, 4.5], Some(f64::INFINITY)), TurningStatus::NoHeading);
    let small = navbake_vehicle::TurningScratchSize::with_nodes(&unit_, &ground, 3);
    let mut little = navbake_vehicle::TurningBuffer::new(small);
    let request = TurningRequest {
        analytic_expansion: false,
        ..TurningRequest::new([1.5, 0.0, 1.5], 0.0, [6.5, 0.0, 4.5], None)
    };
    assert_eq!(query.path(&request, &mut little.scratch()).status, TurningStatus::OutOfNodes);
}

#[test]
fn a_unit_as_wide_as_a_corridor_drives_through_it_and_none_squeezes_between_corners() {
    let map = Map::of(&[
        "..........",
        "####.#####",
        "####.#####",
        "....#.....",
        "..........",
        "..........",
    ]);
    let vehicle = VehicleSpec {
        reverse: Some(Reverse { penalty: 1.0, change: 0.0 }),
        ..VehicleSpec::new(1.0, Footprint::disc(0.5))
    };
    let small = VehicleSpec { footprint: Footprint::disc(0.05), ..vehicle };
    let bytes = map.blob(&[packed(&vehicle, "wide"), packed(&small, "small")]);
    let up = std::f64::consts::FRAC_PI_2;
    {
        drive!(bytes, "wide", wide, ground, buffer, 20_000);
        let query = TurningQuery::new(&wide, &ground).unwrap();
        let mut scratch = buffer.scratch();
        let request = TurningRequest::new([4.5, 0.0, 2.5], up, [4.5, 0.0, 0.5], Some(up));
        assert_eq!(query.path(&request, &mut scratch).status, TurningStatus::Reached);
    }
    drive!(bytes, "small", small, ground, buffer, 20_000);
    let query = TurningQuery::new(&small, &ground).unwrap();
    let mut scratch = buffer.scratch();
    let request = TurningRequest::new([4.5, 0.0, 2.5], up, [5.5, 0.0, 3.5], None);
    assert_eq!(query.path(&request, &mut scratch).status, TurningStatus::Unreachable);
}
