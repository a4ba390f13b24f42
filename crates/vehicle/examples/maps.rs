//! Drives vehicles over MovingAI maps, checks every path on the map itself, and prints the cost.
//!
//! `cargo run --release -p navbake-vehicle --example maps -- FOLDER [QUERIES a map] [any|fixed]`:
//! FOLDER holds `*.map` with `*.map.scen` beside them. From the middle of the scenario's first cell
//! to that of its second; headings are drawn from the number of the scenario's line. `NAVBAKE_TURN`
//! may hold `radius,disc,headings,rings,words,detour,penalty,change`, several with `;` between;
//! `WEIGHT` is the estimate's, and with `SMOOTH` paths are smoothed.

use std::path::PathBuf;
use std::time::Instant;

use navbake_vehicle::build::{Packed, Reverse, VehicleSpec, build};
use navbake_vehicle::{
    Footprint, Ground, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    TurningStatus, VehicleBuffer,
};

#[path = "../tests/it/support/mod.rs"]
mod support;
use support::clock::on_cpu;
use support::course::drives;
use support::scenarios::{map, maps_in, scenarios};

fn vehicles() -> Vec<(String, VehicleSpec)> {
    let usual = "1,0.45,8,1,1,0;1,0.45,8,2,1,0;1,0.45,8,3,1,0";
    let text = std::env::var("NAVBAKE_TURN").unwrap_or_else(|_| usual.into());
    text.split(';')
        .map(|one| {
            let n: Vec<f64> = one.split(',').map(|v| v.parse().expect("a number")).collect();
            let vehicle = VehicleSpec {
                headings: n[2] as u32,
                rings: n[3] as u32,
                words: n[4] as u32,
                detour: (n[5] > 0.0).then_some(n[5]),
                reverse: (n.len() > 7).then(|| Reverse { penalty: n[6], change: n[7] }),
                ..VehicleSpec::new(n[0], Footprint::disc(n[1]))
            };
            (one.to_owned(), vehicle)
        })
        .collect()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().expect("a folder"));
    let most: usize = arguments.next().map_or(200, |n| n.parse().expect("a number"));
    let fixed = arguments.next().is_some_and(|a| a == "fixed");
    let weight: f64 = std::env::var("WEIGHT").map_or(1.0, |w| w.parse().expect("a number"));
    let smooth = std::env::var_os("SMOOTH").is_some();
    let files = maps_in(&folder);
    for (name, vehicle) in vehicles() {
        let begin = Instant::now();
        let tables = Packed::new(build(&vehicle).expect("tables"), "v", 1.0);
        let built = begin.elapsed().as_secs_f64();
        let [edges, distances] = tables.bytes();
        println!(
            "{name}: built in {built:.2} s, edges {edges} B, distances {distances} B, window {}",
            tables.tables().window
        );
        for file in &files {
            let map = map(file);
            let bytes = map.blob(std::slice::from_ref(&tables));
            let blob = navbake_format::Blob::open_checked(&bytes).expect("a blob");
            let (view, grid) = (blob.vehicle("v").unwrap(), blob.grid_map().unwrap());
            let mut own = VehicleBuffer::new(&view);
            let unit = own.vehicle(view).unwrap();
            let mut bits = vec![0; Ground::words(&grid)];
            let ground = Ground::new(&grid, &mut bits).unwrap();
            let mut buffer =
                TurningBuffer::new(TurningScratchSize::with_nodes(&unit, &ground, 4_000_000));
            let query = TurningQuery::new(&unit, &ground).unwrap();
            let (mut asked, mut solved, mut refused, mut out) = (0, 0, 0, 0);
            let (mut expanded, mut tested, mut spent, mut ratio, mut worst) =
                (0u64, 0u64, 0.0, 0.0, 0.0f64);
            for scenario in scenarios(file, most) {
                let line = scenario.line;
                let [start, end] = scenario.headings(vehicle.headings);
                let goal = fixed.then_some(end);
                let request = TurningRequest {
                    weight,
                    smooth,
                    ..TurningRequest::new(scenario.from, start, scenario.to, goal)
                };
                let mut scratch = buffer.scratch();
                let begin = on_cpu();
                let answer = query.path(&request, &mut scratch);
                let seconds = on_cpu() - begin;
                asked += 1;
                spent += seconds;
                worst = worst.max(seconds);
                expanded += answer.expanded;
                tested += answer.tested;
                match answer.status {
                    TurningStatus::Reached => {
                        solved += 1;
                        ratio += answer.length / scenario.octile.max(1.0);
                        if let Err(fault) =
                            drives(&map, &vehicle.footprint, vehicle.turn_radius, &request, &answer)
                        {
                            panic!("{} line {line}: {fault}", file.display());
                        }
                    }
                    TurningStatus::StartBlocked | TurningStatus::GoalBlocked => refused += 1,
                    TurningStatus::OutOfNodes => out += 1,
                    _ => {}
                }
            }
            println!(
                "  {:<16} {asked} asked, {solved} solved, {refused} refused, {out} out; {:.2} ms mean, {:.1} worst, {:.0} expanded, {:.2} M expanded/s, {:.0} M tested/s, length / octile {:.3}",
                file.file_stem().unwrap().to_string_lossy(),
                spent / asked as f64 * 1e3,
                worst * 1e3,
                expanded as f64 / asked as f64,
                expanded as f64 / spent / 1e6,
                tested as f64 / spent / 1e6,
                ratio / solved as f64,
            );
        }
    }
}
