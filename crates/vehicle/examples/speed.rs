//! The cost of turning units: tables, hit checks alone, and successors tested inside a search.
//!
//! `cargo run --release -p navbake-vehicle --example speed -- MAP`: MAP is a MovingAI map with its
//! scenarios beside it. Times are of the thread's processor time where the system reports it.

use std::path::PathBuf;

use navbake_vehicle::build::{Packed, VehicleSpec, build};
use navbake_vehicle::{
    Footprint, Ground, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    VehicleBuffer, VehicleSize,
};

#[path = "../tests/it/support/mod.rs"]
mod support;
use support::clock::on_cpu;
use support::course::Map;
use support::scenarios::{map, scenarios, splitmix};

/// Expansions whose hits are checked, in one measurement.
const CHECKS: u64 = 2_000_000;

fn main() {
    let file = PathBuf::from(std::env::args().nth(1).expect("a map"));
    let usual = VehicleSpec::new(1.0, Footprint::disc(0.45));
    let rows = [
        ("radius 1, disc 0.45", usual),
        ("the same, all words", VehicleSpec { words: 6, ..usual }),
        ("the same, detour 3", VehicleSpec { detour: Some(3.0), ..usual }),
        ("radius 2, disc 0.45", VehicleSpec { turn_radius: 2.0, ..usual }),
        (
            "radius 2, disc 0.45, detour 3",
            VehicleSpec { turn_radius: 2.0, detour: Some(3.0), ..usual },
        ),
        (
            "radius 2, disc 0.45, 4 rings, detour 3",
            VehicleSpec { turn_radius: 2.0, rings: 4, detour: Some(3.0), ..usual },
        ),
    ];
    println!(
        "| vehicle | window | built s | edges and masks B, file, memory | distances B | moves an expansion | us an expansion | ns a move | us for 384 moves | M moves tested a second in searches | M expansions a second | M moves tested a second without estimates | M expansions a second |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    let map = map(&file);
    for (name, vehicle) in rows {
        row(name, &vehicle, &map, &file);
    }
}

fn row(name: &str, vehicle: &VehicleSpec, map: &Map, file: &std::path::Path) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (tables, built) = pool.install(|| {
        let begin = on_cpu();
        let tables = build(vehicle).expect("tables");
        (Packed::new(tables, "v", 1.0), on_cpu() - begin)
    });
    let bytes = map.blob(std::slice::from_ref(&tables));
    let blob = navbake_format::Blob::open_checked(&bytes).expect("a blob");
    let (view, grid) = (blob.vehicle("v").expect("v"), blob.grid_map().expect("map"));
    let size = VehicleSize::of(&view);
    let mut own = VehicleBuffer::new(&view);
    let unit = own.vehicle(view).expect("a vehicle");
    let mut bits = vec![0; Ground::words(&grid)];
    let ground = Ground::new(&grid, &mut bits).expect("a ground");
    let query = TurningQuery::new(&unit, &ground).expect("a query");

    // Places all over the map, so that each window is another.
    let tiles: Vec<[i32; 2]> = (0..)
        .map(|i| splitmix(i) as usize % map.free.len())
        .filter(|&t| map.free[t])
        .map(|t| [t % map.width, t / map.width].map(|v| v as i32))
        .take(4096)
        .collect();
    let mut least = f64::INFINITY;
    let (mut moves, mut free) = (0, 0);
    for _ in 0..3 {
        (moves, free) = (0u64, 0u64);
        let begin = on_cpu();
        for i in 0..CHECKS {
            let tile = tiles[i as usize % tiles.len()];
            let [some, all] = query.free_moves(tile, (i / 8 % 8) as u32, 0);
            moves += u64::from(all);
            free += u64::from(some);
        }
        least = least.min(on_cpu() - begin);
    }
    assert!(free > 0 && free <= moves);
    let each = least / CHECKS as f64;
    let move_ns = least / moves as f64 * 1e9;

    let mut buffer = TurningBuffer::new(TurningScratchSize::with_nodes(&unit, &ground, 2_000_000));
    let mut searches = |dijkstra: bool, many: usize| {
        let (mut tested, mut expanded, mut spent) = (0, 0, 0.0);
        for scenario in scenarios(file, many) {
            let [start, _] = scenario.headings(8);
            let request = TurningRequest {
                dijkstra,
                ..TurningRequest::new(scenario.from, start, scenario.to, None)
            };
            let mut scratch = buffer.scratch();
            let begin = on_cpu();
            let answer = query.path(&request, &mut scratch);
            spent += on_cpu() - begin;
            tested += answer.tested;
            expanded += answer.expanded;
        }
        [tested, expanded].map(|n| n as f64 / spent / 1e6)
    };
    let [tested, expanded] = searches(false, 12);
    let [all_tested, all_expanded] = searches(true, 3);
    let [file_bytes, distances] = tables.bytes();
    println!(
        "| {name} | {} | {built:.2} | {file_bytes}, {} | {distances} | {:.0} | {:.3} | {move_ns:.2} | {:.3} | {tested:.0} | {expanded:.2} | {all_tested:.0} | {all_expanded:.2} |",
        tables.tables().window,
        size.moves * 8 + size.masks * 8,
        moves as f64 / CHECKS as f64,
        each * 1e6,
        move_ns * 0.384,
    );
}
