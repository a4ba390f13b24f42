//! The effect of landmarks: searches on a level's first mesh with doors shut and ground of
//! different weights, with landmarks and without.
//!
//! ```text
//! cargo run --release -p navbake-tables --example landmarks -- BLOB
//!     [--shut N] [--pairs N] [--seed N] [--only with|without]
//!     [--kind open|doors|labels|corridor|midpoints|weighted]
//! ```
//!
//! Of a thousand portals N are shut (5); kinds `corridor`, `midpoints` and `weighted` give each
//! polygon one of four kinds of ground at random, which cost 1, 1.5, 2 and 4. Prints a row for each
//! kind: pairs that were reached and searched for, and of these entries taken off open lists in the
//! mean, mean time, µs, and the mean share that the cost may be above the cheapest; then the
//! greatest difference of two costs. `--only` runs one variant alone, for counting instructions.

use std::time::Instant;

use navbake_format::write::{
    AreaParts, BlobParts, DoorParts, MeshParts, SwitchParts, encode, replace_labels,
    replace_landmarks,
};
use navbake_search::around::Random;
use navbake_search::blob::{AreaId, Blob, CheckedBlob};
use navbake_search::{
    AStar, Algorithm, Heuristic, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_tables::{Landmarks, labels_of};

const WEIGHTS: [f64; 4] = [1.0, 1.5, 2.0, 4.0];
const KINDS: [&str; 6] = ["open", "doors", "labels", "corridor", "midpoints", "weighted"];

fn option(name: &str) -> Option<String> {
    let mut args = std::env::args().skip_while(|a| a != name);
    args.nth(1)
}

fn number(name: &str, usual: u64) -> u64 {
    option(name).map_or(usual, |n| n.parse().expect("a number"))
}

/// The ground of a blob's first mesh, without height meshes, with doors and areas drawn at random.
fn furnished(blob: &CheckedBlob<'_>, shut: u64, random: &mut Random) -> Vec<u8> {
    let nav = blob.decode(0).expect("a mesh");
    let mesh = nav.mesh();
    let (mut first_edge, mut corners, mut neighbours) = (vec![0], vec![], vec![]);
    let (mut doors, mut islands, mut areas) = (vec![], vec![], vec![]);
    let mut vertices: Vec<[i32; 3]> = (mesh.polygons())
        .flat_map(|p| (0..p.len()).map(|k| p.point(k)).collect::<Vec<_>>())
        .collect();
    vertices.sort_unstable();
    vertices.dedup();
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            let beyond = polygon.neighbour(k);
            if beyond.is_some_and(|b| polygon.id() < b) && random.below(1000) < shut {
                doors.push(DoorParts {
                    edge: corners.len() as u32,
                    switch: Some(0),
                    width: 0.0,
                    name: "",
                });
            }
            let at = vertices.binary_search(&polygon.point(k)).expect("a vertex");
            corners.push(at as u32);
            neighbours.push(beyond.map_or(u32::MAX, |b| b.0));
        }
        first_edge.push(corners.len() as u32);
        islands.push(mesh.island(polygon.id()).0);
        areas.push(random.below(4) as u8);
    }
    let area = |name| AreaParts { name, tags: 0, edge_tags: 0, factor: 1.0, switch: None };
    let grid = mesh.grid();
    encode(&BlobParts {
        grid_bits: grid.bits,
        origin: grid.origin,
        switches: &[SwitchParts { name: "doors", closed: false }],
        areas: &["a", "b", "c", "d"].map(area),
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &first_edge,
            corners: &corners,
            neighbours: &neighbours,
            islands: &islands,
            areas: &areas,
            doors: &doors,
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .expect("a blob")
}

/// The results of one variant.
#[derive(Default)]
struct Asked {
    costs: Vec<Option<f64>>,
    expanded: u64,
    searched: usize,
    gaps: f64,
    micros: f64,
}

fn ask(bytes: &[u8], kind: &str, marked: bool, pairs: usize, seed: u64) -> Asked {
    let blob = Blob::open_checked(bytes).expect("a blob");
    let nav = blob.decode(0).expect("a mesh");
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new();
    let weighs = !matches!(kind, "open" | "doors" | "labels");
    if weighs {
        for (area, weight) in (0..).zip(WEIGHTS) {
            filter.set_cost(AreaId(area), weight).expect("a weight");
        }
    }
    if matches!(kind, "doors" | "labels") {
        filter.set_blocked(&mesh, &[1], 0).expect("a filter of this mesh");
    }
    let query = NavQuery::new(mesh).with_filter(&filter);
    let landmarks = weighs && marked;
    let heuristic = match landmarks {
        true => Heuristic::Table,
        false => Heuristic::Euclidean,
    };
    let a_star = AStar { heuristic, ..AStar::default() };
    let algorithm = match kind {
        "corridor" => Algorithm::Corridor(a_star),
        "midpoints" => Algorithm::Midpoints(a_star),
        "weighted" => Algorithm::Weighted { gap: Algorithm::GAP, landmarks },
        _ => Algorithm::Optimal,
    };
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("ground");
    let mut random = Random::new(seed);
    let mut scratch = Scratch::new();
    let mut asked = Asked::default();
    while asked.costs.len() < pairs {
        let from = query.random_place(&areas, &mut random).expect("a place");
        let island = mesh.island(from.polygon());
        let Some(to) = query.random_on_island(&areas, island, &mut random) else {
            continue;
        };
        let request = PathRequest::new(from.position(), to.position()).algorithm(algorithm);
        let begin = Instant::now();
        let answer = query.find_path(&request, &mut scratch).expect("a request");
        let micros = begin.elapsed().as_secs_f64() * 1e6;
        let reached = answer.status == Status::Reached;
        asked.costs.push(reached.then_some(answer.cost));
        // Where there is no path all ground is searched, whatever the estimates.
        if reached && answer.expanded > 0 {
            asked.searched += 1;
            asked.micros += micros;
            asked.expanded += u64::from(answer.expanded);
            asked.gaps += answer.gap();
        }
    }
    asked
}

fn main() {
    let path = std::env::args().nth(1).expect("a blob");
    let (shut, pairs, seed) = (number("--shut", 5), number("--pairs", 400), number("--seed", 1));
    let given = std::fs::read(&path).expect("a file");
    let given = Blob::open_checked(&given).expect("a blob");
    let bare = furnished(&given, shut, &mut Random::new(seed));
    let blob = Blob::open_checked(&bare).expect("a blob");
    let nav = blob.decode(0).expect("a mesh");
    let mesh = nav.mesh();
    let begin = Instant::now();
    let landmarks = Landmarks::new(&mesh).expect("landmarks");
    println!(
        "{path}: {} polygons, {} rows, {} bytes, made in {:.3} s",
        mesh.polygon_count(),
        landmarks.count(),
        landmarks.bytes(),
        begin.elapsed().as_secs_f64()
    );
    let only = option("--only");
    for kind in KINDS {
        if option("--kind").is_some_and(|k| k != kind) {
            continue;
        }
        let mut bytes = bare.clone();
        if kind == "labels" {
            let begin = Instant::now();
            let labels = labels_of(&mesh).expect("labels");
            println!("labels made in {:.3} s", begin.elapsed().as_secs_f64());
            bytes = replace_labels(&bytes, &[labels.parts(0)]).expect("a blob");
        }
        let marked = replace_landmarks(&bytes, &[landmarks.parts(0)]).expect("a blob");
        let mut all = vec![];
        for (name, bytes, has) in [("without", &bytes, false), ("with", &marked, true)] {
            if only.as_ref().is_none_or(|o| o == name) {
                all.push(ask(bytes, kind, has, pairs as usize, seed));
            }
        }
        print!("{kind}:");
        for asked in &all {
            let reached = asked.costs.iter().flatten().count();
            let mean = |sum: f64| sum / asked.searched.max(1) as f64;
            print!(
                " {reached} reached, {} searched, {:.1} expanded, {:.1} us, gap {:.4};",
                asked.searched,
                mean(asked.expanded as f64),
                mean(asked.micros),
                mean(asked.gaps)
            );
        }
        if let [before, after] = &all[..] {
            let off = before.costs.iter().zip(&after.costs).map(|(a, b)| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() / a.max(1.0),
                (None, None) => 0.0,
                _ => f64::INFINITY,
            });
            print!(" costs differ by {:.1e}", off.fold(0.0, f64::max));
        }
        println!();
    }
}
