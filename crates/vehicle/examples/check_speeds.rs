//! Finds many paths of vehicles with speed classes and drives each in time by a check that knows no
//! tables: nothing hit, no bend sharper than its speed allows, no greater acceleration or braking,
//! and the time that the answer states.
//!
//! `cargo run --release -p navbake-vehicle --example check_speeds -- [PATHS] [VEHICLE]`: searches on
//! maps drawn at random until PATHS paths are found [5000], from and to anywhere, at any speed; of
//! one vehicle, 0 to 2, or of each. On small maps each is searched again with three times the
//! levels, elsewhere one in ten, for the share of time that levels cost; paths that take more than
//! 1 % longer are printed. Exits with status 1 after a fault.

use std::process::ExitCode;

use navbake_vehicle::build::{Packed, Reverse, VehicleSpec, build};
use navbake_vehicle::{Footprint, TurningQuery, TurningStatus};
use rayon::prelude::*;

#[path = "../tests/it/support/mod.rs"]
mod support;
use support::chance::scattered;
use support::course::drive;
use support::timed::{any_request, drives_in_time, speeds, with_steps};

/// Requests on each map.
const EACH: u32 = 40;

/// The results of a map.
#[derive(Default)]
struct Found {
    paths: u32,
    poses: u64,
    seconds: f64,
    expanded: u64,
    micros: f64,
    /// From rest, and in motion: how many were compared, and the greatest share.
    most: [[f64; 2]; 2],
    faults: Vec<String>,
}

fn vehicles() -> Vec<(&'static str, VehicleSpec)> {
    let disc = VehicleSpec { detour: Some(3.0), ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    let rectangle = Footprint::polygon(&[[0.75, 0.4], [-0.75, 0.4], [-0.75, -0.4], [0.75, -0.4]]);
    let rectangle = rectangle.expect("a rectangle");
    vec![
        (
            "disc, 1 and 2 tiles/s",
            VehicleSpec { speeds: Some(speeds(&[[1.0, 1.0], [2.0, 2.0]], 1.0, 1.5)), ..disc },
        ),
        (
            "disc, 1, 2, 3 and 4 tiles/s",
            VehicleSpec {
                speeds: Some(speeds(&[[1.0, 0.6], [2.0, 1.0], [3.0, 2.0], [4.0, 3.0]], 2.0, 3.0)),
                turn_radius: 0.6,
                ..disc
            },
        ),
        (
            "1.5 by 0.8, 1, 1.7 and 3 tiles/s, reverse",
            VehicleSpec {
                speeds: Some(speeds(&[[1.0, 0.8], [1.7, 1.4], [3.0, 3.0]], 1.2, 1.0)),
                turn_radius: 0.8,
                footprint: rectangle,
                reverse: Some(Reverse { penalty: 1.5, change: 0.5 }),
                ..disc
            },
        ),
    ]
}

fn tables(vehicle: &VehicleSpec) -> Packed {
    Packed::new(build(vehicle).expect("tables"), "v", 1.0)
}

/// Searches on the map of a seed.
fn search(vehicle: &VehicleSpec, [own, fine]: &[Packed; 2], mut seed: u64) -> Found {
    let percent = seed % 4 * 4;
    // Where paths are short, the ends are much of them.
    let size = [[9, 8], [14, 12], [30, 24]][seed as usize % 3];
    let is_small = size[0] < 30;
    let map = scattered(size[0], size[1], percent, &mut seed);
    let bytes = map.blob(std::slice::from_ref(own));
    drive!(bytes, "v", coarse_unit, coarse_ground, coarse_buffer, 400_000);
    let query = TurningQuery::new(&coarse_unit, &coarse_ground).expect("a query");
    let fine_bytes = map.blob(std::slice::from_ref(fine));
    drive!(fine_bytes, "v", fine_unit, fine_ground, fine_buffer, 800_000);
    let fine_query = TurningQuery::new(&fine_unit, &fine_ground).expect("a query");
    let top = vehicle.speeds.expect("speeds").speeds.into_iter().fold(0.0, f64::max);
    let mut found = Found::default();
    for _ in 0..EACH {
        let request = any_request(&mut seed, size, top);
        let start = std::time::Instant::now();
        let mut scratch = coarse_buffer.scratch();
        let answer = query.path(&request, &mut scratch);
        found.micros += start.elapsed().as_secs_f64() * 1e6;
        if answer.status != TurningStatus::Reached {
            continue;
        }
        found.paths += 1;
        found.seconds += answer.time;
        found.expanded += answer.expanded;
        match drives_in_time(&map, vehicle, &request, &answer, 1.0) {
            Ok(poses) => found.poses += poses,
            Err(fault) => found.faults.push(format!("{request:?}: {fault}")),
        }
        if is_small || found.paths.is_multiple_of(10) {
            let mut scratch = fine_buffer.scratch();
            let fine = fine_query.path(&request, &mut scratch);
            let most = &mut found.most[usize::from(request.speed > 0.0)];
            most[0] += 1.0;
            let over = answer.cost / fine.cost - 1.0;
            if over > 0.01 {
                println!("{:.2} % more than {:.3} s: {request:?}", 100.0 * over, fine.cost);
            }
            most[1] = most[1].max(over);
        }
    }
    found
}

fn main() -> ExitCode {
    let wanted: u32 = std::env::args().nth(1).map_or(5000, |n| n.parse().expect("a number"));
    println!(
        "| | paths | s driven | poses | from rest | most over fine levels | in motion | most | expanded | µs | faults |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    let mut vehicles = vehicles();
    if let Some(one) = std::env::args().nth(2) {
        let one: usize = one.parse().expect("a vehicle, 0 to 2");
        vehicles = vec![vehicles.swap_remove(one)];
    }
    let each = wanted.div_ceil(vehicles.len() as u32);
    let mut faults = vec![];
    for (name, vehicle) in vehicles {
        let own = [tables(&vehicle), tables(&with_steps(&vehicle, 12))];
        let (mut all, mut seed) = (Found::default(), 1);
        while all.paths < each {
            let seeds: Vec<u64> = (seed..seed + 8).collect();
            seed += 8;
            let maps: Vec<Found> = seeds.par_iter().map(|&s| search(&vehicle, &own, s)).collect();
            for map in maps {
                all.paths += map.paths;
                all.poses += map.poses;
                all.seconds += map.seconds;
                all.expanded += map.expanded;
                all.micros += map.micros;
                for (all, map) in all.most.iter_mut().zip(map.most) {
                    *all = [all[0] + map[0], all[1].max(map[1])];
                }
                all.faults.extend(map.faults);
            }
        }
        let paths = f64::from(all.paths);
        println!(
            "| {name} | {} | {:.0} | {} | {} | {:.2} % | {} | {:.2} % | {:.0} | {:.0} | {} |",
            all.paths,
            all.seconds,
            all.poses,
            all.most[0][0],
            100.0 * all.most[0][1],
            all.most[1][0],
            100.0 * all.most[1][1],
            all.expanded as f64 / paths,
            all.micros / paths,
            all.faults.len()
        );
        faults.extend(all.faults);
    }
    for fault in faults.iter().take(20) {
        println!("{fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
