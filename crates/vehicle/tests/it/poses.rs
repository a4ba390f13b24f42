//! Paths followed by their poses alone, and paths that this check must refuse.

use crate::support::course::drive;
use crate::support::course::{Map, packed};
use crate::support::poses::Watched;
use crate::support::scenarios::splitmix;
use navbake_vehicle::build::{Reverse, VehicleSpec};
use navbake_vehicle::{
    Footprint, Pose, TurningAnswer, TurningQuery, TurningRequest, TurningStatus, Vehicle,
};

fn follow(
    map: &Map,
    vehicle: &VehicleSpec,
    request: &TurningRequest,
    length: f64,
    pose: &dyn Fn(f64) -> Pose,
) -> Result<u64, String> {
    let watched = Watched {
        map,
        solids: &[],
        footprint: &vehicle.footprint,
        radius: vehicle.turn_radius,
        length,
        pose,
    };
    let from =
        Pose { x: request.from[0] - 0.5, z: request.from[2] - 0.5, heading: request.from_heading };
    let to = [request.to[0] - 0.5, request.to[2] - 0.5];
    watched.follow(from, to, request.to_heading)
}

/// A path with something wrong in it must be found out, whatever it is.
fn faults(
    map: &Map,
    (vehicle, unit): (&VehicleSpec, &Vehicle<'_>),
    request: &TurningRequest,
    answer: &TurningAnswer<'_>,
) {
    let right = |along: f64| answer.pose(unit, along);
    let length = answer.length;
    let table_distance = |map: &Map, pose: &dyn Fn(f64) -> Pose, word: &str| {
        let fault = follow(map, vehicle, request, length, pose).unwrap_err();
        assert!(fault.contains(word), "{fault}");
    };
    // A wall where it drives.
    let mut walled = Map { free: map.free.clone(), ..*map };
    let middle = right(length / 2.0);
    let tile = [middle.x.round() as usize, middle.z.round() as usize];
    walled.free[tile[1] * map.width + tile[0]] = false;
    table_distance(&walled, &right, "hits");
    let jump = |along: f64| {
        let pose = right(along);
        if along > length / 2.0 && along < length / 2.0 + 0.5 {
            pose.moved(0.02, 0.0)
        } else {
            pose
        }
    };
    assert!(follow(map, vehicle, request, length, &jump).is_err());
    let aside = |along: f64| {
        let pose = right(along);
        let share = (along / length * 6.3).sin() * 0.02;
        Pose { heading: pose.heading + share, ..pose }
    };
    assert!(follow(map, vehicle, request, length, &aside).is_err());
    let short = |along: f64| right(along.min(length - 0.01));
    table_distance(map, &short, "ends");
    let late = |along: f64| right(along.max(0.01));
    table_distance(map, &late, "begins");
}

#[test]
fn found_paths_have_nothing_to_be_found_by_their_poses_and_faulty_ones_have() {
    let rectangle =
        Footprint::polygon(&[[0.9, 0.4], [-0.6, 0.4], [-0.6, -0.4], [0.9, -0.4]]).unwrap();
    let usual = VehicleSpec { detour: Some(3.0), ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let reverse = Some(Reverse { penalty: 1.5, change: 0.5 });
    let backing = VehicleSpec { footprint: rectangle, reverse, ..usual };
    let mut paths = 0;
    for (vehicle, percent) in [(usual, 14), (backing, 7)] {
        let free = (0..40 * 40).map(|i| splitmix(77 + i) % 100 >= percent);
        let map = Map { width: 40, height: 40, free: free.collect() };
        let bytes = map.blob(&[packed(&vehicle, "v")]);
        drive!(bytes, "v", unit, ground, buffer, 60_000);
        let query = TurningQuery::new(&unit, &ground).unwrap();
        for i in 0..120u64 {
            let real = |k: u64| splitmix(i * 8 + k) as f64 / 2f64.powi(64);
            let place = |k: u64| [real(k) * 40.0, 0.0, real(k + 1) * 40.0];
            let (from, to) = (place(0), place(2));
            let end = (i % 2 == 0).then_some(real(4) * 6.0);
            let request = TurningRequest {
                weight: 1.1,
                smooth: i % 4 >= 2,
                ..TurningRequest::new(from, real(5) * 6.0, to, end)
            };
            let mut scratch = buffer.scratch();
            let answer = query.path(&request, &mut scratch);
            if answer.status != TurningStatus::Reached || answer.length < 5.0 {
                continue;
            }
            paths += 1;
            let right = |along: f64| answer.pose(&unit, along);
            let seen = follow(&map, &vehicle, &request, answer.length, &right).unwrap();
            assert!(seen as f64 > 20.0 * answer.length);
            if paths % 8 == 0 && request.to_heading.is_some() {
                faults(&map, (&vehicle, &unit), &request, &answer);
            }
        }
    }
    assert!(paths > 80, "{paths}");
}

#[test]
fn a_bend_sharper_than_the_radius_is_reported() {
    let map = Map::of(&["......", "......", "......", "......"]);
    let vehicle = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let request = TurningRequest::new([1.5, 0.0, 2.5], 0.0, [3.5, 0.0, 2.5], None);
    // A tenth sharper, over a tenth of a tile.
    let pose = |along: f64| Pose {
        x: 1.0 + along,
        z: 2.0,
        heading: if along > 1.05 { 0.11 } else { 0.0 },
    };
    let fault = follow(&map, &vehicle, &request, 2.0, &pose).unwrap_err();
    assert!(fault.contains("sharper"), "{fault}");
}
