//! Finds many paths on MovingAI maps and follows each by a check that reads its poses and knows no
//! tables: nothing hit, nothing bent sharper than the radius, no leap in place or heading.
//!
//! `cargo run --release -p navbake-vehicle --example check_paths -- FOLDER [PATHS]`: FOLDER holds
//! `*.map` with `*.map.scen` beside them. Searches until about PATHS paths are found [20000], with
//! four vehicles, to a heading and to any, as the lattice has them and smoothed. Headings are drawn
//! from the number of the scenario's line. Exits with status 1 after a fault.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use navbake_vehicle::build::{Packed, Reverse, VehicleSpec, build};
use navbake_vehicle::{
    Footprint, Ground, Pose, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    TurningStatus, VehicleBuffer,
};
use rayon::prelude::*;

#[path = "../tests/it/support/mod.rs"]
mod support;
use support::poses::Watched;
use support::scenarios::{map, maps_in, scenarios};

/// The results of a map.
#[derive(Default)]
struct Found {
    asked: u32,
    paths: u32,
    poses: u64,
    tiles: f64,
    faults: Vec<String>,
}

fn vehicles() -> Vec<(&'static str, VehicleSpec)> {
    let rectangle =
        Footprint::polygon(&[[0.9, 0.4], [-0.6, 0.4], [-0.6, -0.4], [0.9, -0.4]]).expect("convex");
    let usual = VehicleSpec { detour: Some(3.0), ..VehicleSpec::new(1.0, Footprint::disc(0.45)) };
    vec![
        ("disc 0.45, radius 1", usual),
        ("disc 0.45, radius 2", VehicleSpec { turn_radius: 2.0, ..usual }),
        (
            "1.5 by 0.8, radius 1.2, reverse",
            VehicleSpec {
                turn_radius: 1.2,
                footprint: rectangle,
                reverse: Some(Reverse { penalty: 2.0, change: 1.0 }),
                ..usual
            },
        ),
        (
            "disc 0.7, radius 1, 16 headings, 2 rings",
            VehicleSpec { footprint: Footprint::disc(0.7), headings: 16, rings: 2, ..usual },
        ),
    ]
}

/// Searches paths for about `most` scenarios of a map.
fn drive(file: &Path, vehicle: &VehicleSpec, tables: &Packed, most: usize) -> Found {
    let map = map(file);
    let bytes = map.blob(std::slice::from_ref(tables));
    let blob = navbake_format::Blob::open_checked(&bytes).expect("a blob");
    let (view, grid) = (blob.vehicle("v").expect("v"), blob.grid_map().expect("map"));
    let mut own = VehicleBuffer::new(&view);
    let unit = own.vehicle(view).expect("a vehicle");
    let mut bits = vec![0; Ground::words(&grid)];
    let ground = Ground::new(&grid, &mut bits).expect("a ground");
    // A search that needs more is given up: it is paths that are looked at.
    let size = TurningScratchSize::with_nodes(&unit, &ground, 20_000);
    let mut buffer = TurningBuffer::new(size);
    let query = TurningQuery::new(&unit, &ground).expect("a query");
    let mut found = Found::default();
    for (i, scenario) in scenarios(file, most).iter().enumerate() {
        let [start, end] = scenario.headings(vehicle.headings);
        let request = TurningRequest {
            weight: 1.1,
            smooth: i % 4 >= 2,
            ..TurningRequest::new(scenario.from, start, scenario.to, (i % 2 == 0).then_some(end))
        };
        let mut scratch = buffer.scratch();
        let answer = query.path(&request, &mut scratch);
        found.asked += 1;
        if answer.status != TurningStatus::Reached {
            continue;
        }
        found.paths += 1;
        found.tiles += answer.length;
        let place = |p: [f64; 3]| [p[0] - 0.5, p[2] - 0.5];
        let [x, z] = place(request.from);
        let from = Pose { x, z, heading: request.from_heading };
        let watched = Watched {
            map: &map,
            solids: &[],
            footprint: &vehicle.footprint,
            radius: vehicle.turn_radius,
            length: answer.length,
            pose: &|along| answer.pose(&unit, along),
        };
        match watched.follow(from, place(request.to), request.to_heading) {
            Ok(poses) => found.poses += poses,
            Err(fault) => {
                let line = scenario.line;
                found.faults.push(format!("{} line {line}: {fault}", file.display()));
            }
        }
    }
    found
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let wanted: usize = arguments.next().map_or(20_000, |n| n.parse().expect("a number"));
    let files = maps_in(&folder);
    let vehicles: Vec<_> = vehicles()
        .into_iter()
        .map(|(name, v)| (name, v, Packed::new(build(&v).expect("tables"), "v", 1.0)))
        .collect();
    // Some have no path.
    let most = (wanted * 5 / 4).div_ceil(files.len() * vehicles.len());
    let jobs: Vec<_> =
        files.iter().flat_map(|file| vehicles.iter().map(move |v| (file, v))).collect();
    let all: Vec<Found> = jobs
        .par_iter()
        .map(|(file, (_, vehicle, tables))| drive(file, vehicle, tables, most))
        .collect();
    let tell = |name: &str, found: &[&Found]| {
        let sum = |of: fn(&Found) -> f64| found.iter().map(|&f| of(f)).sum::<f64>();
        println!(
            "| {name} | {} | {} | {:.0} | {} | {} |",
            sum(|f| f64::from(f.asked)),
            sum(|f| f64::from(f.paths)),
            sum(|f| f.tiles),
            sum(|f| f.poses as f64),
            sum(|f| f.faults.len() as f64),
        );
    };
    println!("| | asked | paths | tiles driven | poses looked at | faults |");
    println!("| --- | --: | --: | --: | --: | --: |");
    for (i, file) in files.iter().enumerate() {
        let own = &all[i * vehicles.len()..][..vehicles.len()];
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        tell(&name, &own.iter().collect::<Vec<_>>());
    }
    for (i, (name, ..)) in vehicles.iter().enumerate() {
        let own: Vec<&Found> = all.iter().skip(i).step_by(vehicles.len()).collect();
        tell(name, &own);
    }
    tell("all", &all.iter().collect::<Vec<_>>());
    for fault in all.iter().flat_map(|f| &f.faults).take(20) {
        println!("{fault}");
    }
    ExitCode::from(u8::from(all.iter().any(|f| !f.faults.is_empty())))
}
