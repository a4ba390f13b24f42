//! Speed classes: searches against Dijkstra over the same states, and a checker that drives the
//! paths in small steps.

use crate::support::chance::{random, scattered};
use crate::support::course::{drive, packed};
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{Footprint, TurningQuery, TurningRequest, TurningStatus};

use crate::support::timed::{Timed, any_request, drives_in_time, speeds, with_steps};

fn vehicles() -> Vec<VehicleSpec> {
    let rectangle =
        Footprint::polygon(&[[0.8, 0.35], [-0.6, 0.35], [-0.6, -0.35], [0.8, -0.35]]).unwrap();
    let reverse = Some(Reverse { penalty: 1.5, change: 0.5 });
    let disc = VehicleSpec::new(1.0, Footprint::disc(0.45));
    vec![
        VehicleSpec {
            speeds: Some(speeds(&[[1.0, 1.0], [2.0, 2.0]], 1.0, 1.5)),
            detour: Some(3.0),
            ..disc
        },
        VehicleSpec {
            speeds: Some(speeds(&[[1.0, 0.8], [1.7, 1.4], [3.0, 3.0]], 1.2, 1.0)),
            turn_radius: 0.8,
            detour: Some(3.0),
            reverse,
            ..VehicleSpec::new(0.8, rectangle)
        },
    ]
}

#[test]
fn with_speeds_a_star_takes_as_long_as_dijkstra_over_the_same_states() {
    let mut seed = 77;
    for vehicle in vehicles() {
        let tables = packed(&vehicle, "v");
        for percent in [0, 6, 12] {
            let map = scattered(10, 9, percent, &mut seed);
            let bytes = map.blob(std::slice::from_ref(&tables));
            drive!(bytes, "v", unit_, ground, buffer, 100_000);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            let timed = Timed::new(&map, tables.tables());
            let mut found = 0;
            for _ in 0..16 {
                let mut tile = || [(random(&mut seed) % 10) as i32, (random(&mut seed) % 9) as i32];
                let (from, to) = (tile(), tile());
                let middle = |t: [i32; 2]| [f64::from(t[0]) + 0.5, 0.0, f64::from(t[1]) + 0.5];
                let heading = (random(&mut seed) % 8) as u32;
                let end = (random(&mut seed) % 8) as u32;
                let angle = |h: u32| f64::from(h) * std::f64::consts::TAU / 8.0;
                let times = timed.from(from, heading);
                for (goal, stop) in [(Some(end), true), (None, true), (None, false)] {
                    let request = TurningRequest {
                        stop,
                        analytic_expansion: false,
                        ..TurningRequest::new(
                            middle(from),
                            angle(heading),
                            middle(to),
                            goal.map(angle),
                        )
                    };
                    let mut scratch = buffer.scratch();
                    let answer = query.path(&request, &mut scratch);
                    let least = timed.least(&times, to, goal, stop);
                    match answer.status {
                        TurningStatus::Reached => {
                            found += 1;
                            let least = least.expect("a path that the oracle does not have");
                            // Costs are rounded up to parts, move by move.
                            let off = (answer.bound - least).abs();
                            assert!(off < 1e-3, "{} {least} {request:?}", answer.bound);
                            assert!(answer.cost <= answer.bound + 1e-9);
                            drives_in_time(&map, &vehicle, &request, &answer, 1.0).unwrap();
                        }
                        TurningStatus::Unreachable => assert_eq!(least, None),
                        TurningStatus::StartBlocked | TurningStatus::GoalBlocked => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
            assert!(found > 5, "{percent}: {found}");
        }
    }
}

#[test]
fn from_anywhere_at_any_speed_paths_keep_their_classes_and_take_little_more_than_with_fine_levels()
{
    let mut seed = 12;
    let (mut found, mut most) = ([0; 2], [0.0f64; 2]);
    for vehicle in vehicles() {
        let (tables, fine) = (packed(&vehicle, "v"), packed(&with_steps(&vehicle, 12), "v"));
        let top = vehicle.speeds.unwrap().speeds.into_iter().fold(0.0, f64::max);
        // Where paths are short, the ends are much of them.
        for (percent, size) in [(0, [12, 10]), (4, [24, 20]), (8, [12, 10]), (8, [24, 20])] {
            let map = scattered(size[0], size[1], percent, &mut seed);
            let bytes = map.blob(std::slice::from_ref(&tables));
            drive!(bytes, "v", unit_, ground, buffer, 200_000);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            let fine_bytes = map.blob(std::slice::from_ref(&fine));
            drive!(fine_bytes, "v", fine_unit, fine_ground, fine_buffer, 2_000_000);
            let fine_query = TurningQuery::new(&fine_unit, &fine_ground).unwrap();
            for _ in 0..16 {
                let request = any_request(&mut seed, size, top);
                let mut scratch = buffer.scratch();
                let answer = query.path(&request, &mut scratch);
                if answer.status != TurningStatus::Reached {
                    continue;
                }
                drives_in_time(&map, &vehicle, &request, &answer, 1.0).unwrap();
                let mut scratch = fine_buffer.scratch();
                let fine = fine_query.path(&request, &mut scratch);
                drives_in_time(&map, &vehicle, &request, &fine, 1.0).unwrap();
                let is_moving = usize::from(request.speed > 0.0);
                found[is_moving] += 1;
                most[is_moving] = most[is_moving].max(answer.cost / fine.cost);
            }
        }
    }
    assert!(found[0] > 10 && found[1] > 30, "{found:?}");
    assert!(most.iter().all(|&most| most > 0.0 && most < 1.02), "{most:?} of {found:?}");
}

/// Curves from a start to the lattice may be too short to reach a level from its speed.
#[test]
fn starts_in_motion_take_hardly_longer_than_with_fine_levels_however_short_the_way_to_the_lattice()
{
    let mut seed = 5;
    let vehicle = VehicleSpec {
        speeds: Some(speeds(&[[1.0, 0.6], [2.0, 1.0], [4.0, 3.0]], 2.0, 3.0)),
        turn_radius: 0.6,
        detour: Some(3.0),
        ..VehicleSpec::new(0.6, Footprint::disc(0.45))
    };
    let map = crate::support::course::Map { width: 12, height: 9, free: vec![true; 108] };
    let (tables, fine) = (packed(&vehicle, "v"), packed(&with_steps(&vehicle, 12), "v"));
    let (bytes, fine_bytes) = (map.blob(&[tables]), map.blob(&[fine]));
    drive!(bytes, "v", unit_, ground, buffer, 100_000);
    drive!(fine_bytes, "v", fine_unit, fine_ground, fine_buffer, 1_000_000);
    let query = TurningQuery::new(&unit_, &ground).unwrap();
    let fine_query = TurningQuery::new(&fine_unit, &fine_ground).unwrap();
    let (mut found, mut most) = (0, [0.0f64; 2]);
    while found < 100 {
        let mut request = any_request(&mut seed, [12, 9], 4.0);
        request.speed *= 0.3;
        let mut scratch = buffer.scratch();
        let answer = query.path(&request, &mut scratch);
        if answer.status != TurningStatus::Reached || request.speed == 0.0 {
            continue;
        }
        found += 1;
        drives_in_time(&map, &vehicle, &request, &answer, 1.0).unwrap();
        let mut scratch = fine_buffer.scratch();
        let fine = fine_query.path(&request, &mut scratch);
        most[0] = most[0].max(answer.cost / fine.cost);
        most[1] = most[1].max(answer.bound / fine.bound);
    }
    assert!(most.iter().all(|&most| most < 1.005), "{most:?}");
}

#[test]
fn along_a_polyline_a_vehicle_with_speeds_stays_within_them() {
    let map = crate::support::course::Map { width: 30, height: 12, free: vec![true; 360] };
    for vehicle in vehicles() {
        let bytes = map.blob(&[packed(&vehicle, "v")]);
        drive!(bytes, "v", unit_, ground, buffer, 100_000);
        let query = TurningQuery::new(&unit_, &ground).unwrap();
        let points = [[2.5, 0.0, 2.5], [14.5, 0.0, 2.5], [14.5, 0.0, 9.5], [27.5, 0.0, 9.5]];
        let mut pieces = [navbake_vehicle::TurningPiece::default(); 64];
        let mut scratch = buffer.scratch();
        let answer = query.along(&points, [None; 2], &mut scratch, &mut pieces);
        assert_eq!(answer.status, navbake_vehicle::AlongStatus::Turned);
        let time: f64 = answer.pieces.iter().map(|piece| piece.time(1.0)).sum();
        let request = TurningRequest::new(points[0], 0.0, points[3], Some(0.0));
        let mut searched = buffer.scratch();
        let found = query.path(&request, &mut searched);
        let driven = navbake_vehicle::TurningAnswer {
            pieces: answer.pieces,
            end: answer.end,
            time,
            cost: time,
            ..found
        };
        drives_in_time(&map, &vehicle, &request, &driven, 1.0).unwrap();
        assert!(time > found.time, "{time} {}", found.time);
    }
}
