//! All distances from some places to others: single calls beside `NavQuery::distances_to`.
//!
//! ```text
//! cargo run --release -p navbake-search --example distance_matrix -- \
//!     LEVEL.nav [STARTS] [GOALS] [PART]
//! ```
//!
//! Places are random, all on the island of the first one. `PART` is `paths`, `singles`, `batch` or
//! `none`: only that part runs, so that callgrind counts it; `none` leaves what all of them have in
//! common.
#![allow(missing_docs)]

use std::time::Instant;

use navbake_search::around::Random;
use navbake_search::{Algorithm, Goals, NavMeshBuf, NavPoint, NavQuery, PathRequest, Scratch};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |k: usize| arguments.get(k).map_or(100, |n| n.parse().expect("a number"));
    let (starts, goals) = (number(2), number(3));
    let only = arguments.get(4).map_or("", |part| part.as_str());
    let runs = |part: &str| only.is_empty() || only == part;
    let bytes = std::fs::read(&arguments[1]).expect("LEVEL.nav");
    let nav = NavMeshBuf::open(&bytes).expect("a navmesh");
    let query = NavQuery::new(nav.mesh());
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("ground");
    let mut random = Random::new(7);
    let first = query.random_place(&areas, &mut random).expect("ground");
    let island = nav.mesh().island(first.polygon());
    let mut places = |count: usize| -> Vec<NavPoint> {
        (0..count).filter_map(|_| query.random_on_island(&areas, island, &mut random)).collect()
    };
    let (starts, goals) = (places(starts), places(goals));
    let pairs = starts.len() * goals.len();
    let labels = if nav.mesh().labels().is_some() { "labels" } else { "no labels" };
    println!("{} polygons, {labels}, {pairs} pairs", nav.mesh().polygon_count());
    let each = |since: Instant| since.elapsed().as_secs_f64() * 1e9 / pairs as f64;

    // Positions, as a game has them: each call locates both ends.
    let (mut scratch, mut paths) = (Scratch::new(), vec![None; pairs]);
    if runs("paths") {
        let begin = Instant::now();
        for (start, row) in starts.iter().zip(paths.chunks_mut(goals.len())) {
            for (goal, length) in goals.iter().zip(row) {
                let request = PathRequest::new(start.position(), goal.position())
                    .algorithm(Algorithm::Optimal)
                    .polygons(false);
                let path = query.find_path(&request, &mut scratch).expect("a plain query");
                *length = (!path.points.is_empty()).then_some(path.length_xz);
            }
        }
        println!("find_path     {:9.0} ns a pair", each(begin));
    }
    let mut singles = vec![None; pairs];
    if runs("singles") {
        let begin = Instant::now();
        for (start, row) in starts.iter().zip(singles.chunks_mut(goals.len())) {
            for (goal, length) in goals.iter().zip(row) {
                *length = query.distance(start, goal, &mut scratch);
            }
        }
        println!("distance      {:9.0} ns a pair", each(begin));
    }
    let mut batch = vec![None; pairs];
    if runs("batch") {
        let begin = Instant::now();
        let ready = Goals::new(&query, &goals, &mut scratch);
        let prepared = each(begin);
        for (start, row) in starts.iter().zip(batch.chunks_mut(goals.len())) {
            query.distances_to(start, &ready, row, &mut scratch);
        }
        let all = each(begin);
        println!("distances_to  {all:9.0} ns a pair, {prepared:.0} of them for the goals");
        println!("{} bytes a goal", ready.size() / ready.len().max(1));
    }
    if only.is_empty() {
        let differ = |a: &[Option<f64>], b: &[Option<f64>]| {
            let bits = |length: &Option<f64>| length.map(f64::to_bits);
            a.iter().zip(b).filter(|(a, b)| bits(a) != bits(b)).count()
        };
        let found = batch.iter().flatten().count();
        println!(
            "{found} reached; {} differ from distance, {} from find_path",
            differ(&batch, &singles),
            differ(&batch, &paths)
        );
    }
}
