//! Directional-8 against 24 against 48: the gain from more rings on ground that is hard to turn on.
//!
//! `cargo run --release -p navbake-vehicle --example rings [MAP..]`: made maps (tiles blocked at
//! random, mazes of corridors, rooms with doors) and MovingAI maps with their scenarios. The same
//! pairs of places and headings for each number of rings; every path that the vehicle has over the
//! lattice is found. Lengths are compared over the requests that all of them solve.

use std::path::Path;

use navbake_vehicle::build::{Packed, VehicleSpec, build};
use navbake_vehicle::{
    Footprint, Ground, TurningBuffer, TurningQuery, TurningRequest, TurningScratchSize,
    TurningStatus, VehicleBuffer,
};

#[path = "../tests/it/support/mod.rs"]
mod support;
use support::course::Map;
use support::heading_of;
use support::scenarios::{map, scenarios, splitmix};

/// Queries a map.
const QUERIES: usize = 100;

/// Columns and rows of made maps.
const SIDE: usize = 64;

fn blank(width: usize, height: usize, free: impl Fn(usize, usize) -> bool) -> Map {
    let all = (0..width * height).map(|i| free(i % width, i / width));
    Map { width, height, free: all.collect() }
}

fn scattered(percent: u64) -> Map {
    blank(SIDE, SIDE, |x, z| splitmix((z * SIDE + x) as u64 + percent * 77_777) % 100 >= percent)
}

/// Corridors of a width around blocks of another, some of them closed.
fn streets(wide: usize, block: usize) -> Map {
    let period = wide + block;
    blank(SIDE, SIDE, |x, z| {
        let (a, b) = (x % period < wide, z % period < wide);
        let is_closed =
            splitmix((z / period * 64 + x / period) as u64 * 2 + u64::from(a)).is_multiple_of(4);
        a && b || (a || b) && !is_closed
    })
}

/// Rooms with walls of one tile and a door of a width in each.
fn rooms(side: usize, door: usize) -> Map {
    let period = side + 1;
    blank(SIDE, SIDE, |x, z| {
        let (a, b) = (x % period, z % period);
        let at = splitmix((z / period * 64 + x / period) as u64) as usize % (side - door);
        match (a == side, b == side) {
            (true, true) => false,
            (true, false) => (at..at + door).contains(&b),
            (false, true) => (at..at + door).contains(&a),
            _ => true,
        }
    })
}

type Pair = ([f64; 3], f64, [f64; 3], f64);

fn pairs(map: &Map) -> Vec<Pair> {
    let tiles: Vec<usize> = (0..map.free.len()).filter(|&i| map.free[i]).collect();
    let place = |n: u64| {
        let i = tiles[splitmix(n) as usize % tiles.len()];
        [(i % map.width) as f64 + 0.5, 0.0, (i / map.width) as f64 + 0.5]
    };
    let angle = |n: u64| heading_of(splitmix(n) as u32 % 8, 8);
    (0..QUERIES as u64)
        .map(|i| (place(4 * i), angle(4 * i + 1), place(4 * i + 2), angle(4 * i + 3)))
        .collect()
}

fn main() {
    let mut all: Vec<(String, Map, Option<Vec<Pair>>)> = vec![];
    for percent in [10, 20, 25, 30] {
        all.push((format!("{percent} % blocked"), scattered(percent), None));
    }
    for (wide, block) in [(1, 4), (2, 3), (3, 3)] {
        all.push((format!("streets of {wide}"), streets(wide, block), None));
    }
    for door in [1, 2] {
        all.push((format!("rooms of 7, doors of {door}"), rooms(7, door), None));
    }
    for file in std::env::args().skip(1) {
        let file = Path::new(&file);
        let asked = scenarios(file, QUERIES).into_iter().map(|s| {
            let [a, b] = s.headings(8);
            (s.from, a, s.to, b)
        });
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        all.push((name.into_owned(), map(file), Some(asked.collect())));
    }
    let vehicles = [(1.0, 0.45), (2.0, 0.45)];
    println!(
        "| map | radius, disc | asked | solved 8, 24, 48, 48 with all words | length by that of 48 | expanded |"
    );
    println!("| --- | --- | --: | --- | --- | --- |");
    for (radius, disc) in vehicles {
        for (name, map, asked) in &all {
            let asked = asked.clone().unwrap_or_else(|| pairs(map));
            row(name, map, &asked, radius, disc);
        }
    }
}

fn row(name: &str, map: &Map, pairs: &[Pair], radius: f64, disc: f64) {
    let mut lengths: Vec<Vec<Option<f64>>> = vec![];
    let mut expanded = vec![];
    let mut blocked = 0;
    for (rings, words) in [(1, 1), (2, 1), (3, 1), (3, 6)] {
        let vehicle =
            VehicleSpec { rings, words, ..VehicleSpec::new(radius, Footprint::disc(disc)) };
        // One ring is too few for radius 2.
        let Ok(tables) = build(&vehicle) else {
            lengths.push(vec![None; pairs.len()]);
            expanded.push("-".into());
            continue;
        };
        let tables = Packed::new(tables, "v", 1.0);
        let bytes = map.blob(std::slice::from_ref(&tables));
        let blob = navbake_format::Blob::open_checked(&bytes).expect("a blob");
        let (view, grid) = (blob.vehicle("v").expect("v"), blob.grid_map().expect("map"));
        let mut own = VehicleBuffer::new(&view);
        let unit = own.vehicle(view).expect("a vehicle");
        let mut bits = vec![0; Ground::words(&grid)];
        let ground = Ground::new(&grid, &mut bits).expect("a ground");
        let query = TurningQuery::new(&unit, &ground).expect("a query");
        let size = TurningScratchSize::with_nodes(&unit, &ground, 1_000_000);
        let mut buffer = TurningBuffer::new(size);
        let (mut sum, mut own) = (0, vec![]);
        blocked = 0;
        for &(from, a, to, b) in pairs {
            // The lattice alone: every path over it is found.
            let request = TurningRequest {
                weight: 1.05,
                analytic_expansion: false,
                ..TurningRequest::new(from, a, to, Some(b))
            };
            let mut scratch = buffer.scratch();
            let answer = query.path(&request, &mut scratch);
            sum += answer.expanded;
            blocked += u32::from(matches!(
                answer.status,
                TurningStatus::StartBlocked | TurningStatus::GoalBlocked
            ));
            own.push((answer.status == TurningStatus::Reached).then_some(answer.length));
        }
        lengths.push(own);
        expanded.push((sum / pairs.len() as u64).to_string());
    }
    let asked = pairs.len() - blocked as usize;
    let solved = lengths.iter().map(|l| match l.iter().flatten().count() {
        0 => "-".into(),
        some => format!("{:.3}", some as f64 / asked.max(1) as f64),
    });
    let solved: Vec<String> = solved.collect();
    // The requests that every kind solves, among kinds that solve any.
    let kinds: Vec<&Vec<Option<f64>>> =
        lengths.iter().filter(|l| l.iter().any(Option::is_some)).collect();
    let common: Vec<usize> =
        (0..pairs.len()).filter(|&i| kinds.iter().all(|l| l[i].is_some())).collect();
    let total = |l: &[Option<f64>]| common.iter().filter_map(|&i| l[i]).sum::<f64>();
    let base = total(&lengths[2]);
    let longer = lengths.iter().map(|l| match total(l) {
        t if t > 0.0 && base > 0.0 => format!("{:.3}", t / base),
        _ => "-".into(),
    });
    let longer: Vec<String> = longer.collect();
    println!(
        "| {name} | {radius}, {disc} | {asked} | {} | {} | {} |",
        solved.join(", "),
        longer.join(", "),
        expanded.join(", "),
    );
}
