//! Speed classes: searches against Dijkstra over the same states, and a checker that drives the
//! paths in small steps.

use crate::support::chance::{random, scattered, unit};
use crate::support::course::{drive, packed};
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{Footprint, TurningQuery, TurningRequest, TurningStatus};

use crate::support::timed::{Timed, drives_in_time, speeds, with_steps};

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
    let (mut found, mut most) = (0, 0.0f64);
    for vehicle in vehicles() {
        let (tables, fine) = (packed(&vehicle, "v"), packed(&with_steps(&vehicle, 12), "v"));
        let top = vehicle.speeds.unwrap().speeds.into_iter().fold(0.0, f64::max);
        for percent in [0, 4, 8] {
            let map = scattered(24, 20, percent, &mut seed);
            let bytes = map.blob(std::slice::from_ref(&tables));
            drive!(bytes, "v", unit_, ground, buffer, 200_000);
            let query = TurningQuery::new(&unit_, &ground).unwrap();
            let fine_bytes = map.blob(std::slice::from_ref(&fine));
            drive!(fine_bytes, "v", fine_unit, fine_ground, fine_buffer, 2_000_000);
            let fine_query = TurningQuery::new(&fine_unit, &fine_ground).unwrap();
            for i in 0..10 {
                let mut place = || [unit(&mut seed) * 24.0, 0.0, unit(&mut seed) * 20.0];
                let (from, to) = (place(), place());
                let (a, b) = (unit(&mut seed) * 6.0, unit(&mut seed) * 6.0);
                let request = TurningRequest {
                    speed: if i % 2 == 0 { 0.0 } else { unit(&mut seed) * top },
                    stop: i % 4 != 0,
                    ..TurningRequest::new(from, a, to, (i % 2 == 0).then_some(b))
                };
                let mut scratch = buffer.scratch();
                let answer = query.path(&request, &mut scratch);
                if answer.status != TurningStatus::Reached {
                    continue;
                }
                found += 1;
                drives_in_time(&map, &vehicle, &request, &answer, 1.0).unwrap();
                // Between levels a start at speed may have no short entry: docs/turning.md.
                if request.speed > 0.0 {
                    continue;
                }
                let mut scratch = fine_buffer.scratch();
                let fine = fine_query.path(&request, &mut scratch);
                drives_in_time(&map, &vehicle, &request, &fine, 1.0).unwrap();
                most = most.max(answer.cost / fine.cost);
            }
        }
    }
    assert!(found > 20 && most > 0.0 && most < 1.02, "{found} {most}");
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
