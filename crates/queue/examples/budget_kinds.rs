//! How long a unit of a queue's budget takes, by kind of answer: run under callgrind.
//!
//! `budget_kinds BLOB KIND AGENT COUNT` asks for COUNT paths between random places
//! and prints the charge. COUNT is at most 1,200. The instructions of a unit are the difference
//! between two runs of different COUNT, divided by the difference of their charges.
#![allow(missing_docs)]

use navbake_queue::PathQueue;
use navbake_search::around::Random;
use navbake_search::{AStar, Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, blob, kind, agent, count] = &arguments[..] else {
        panic!("budget_kinds BLOB KIND AGENT COUNT");
    };
    let bytes = std::fs::read(blob).expect("a blob");
    let nav = NavMeshBuf::open(&bytes).expect("a navmesh");
    let mut filter = QueryFilter::new().agent(&nav.mesh(), agent).expect("an agent");
    if kind.ends_with('+') {
        filter = filter.weights(&nav.mesh(), "").expect("weights");
    }
    let query = NavQuery::new(nav.mesh()).with_filter(&filter);
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("areas");
    let mut random = Random::new(7);
    let algorithm = match kind.trim_end_matches('+') {
        "auto" | "straight" | "failure" => Algorithm::Auto,
        "corridor" => Algorithm::Corridor(AStar::default()),
        "midpoints" => Algorithm::Midpoints(AStar::default()),
        "optimal" => Algorithm::Optimal,
        "weighted" => Algorithm::weighted(Algorithm::GAP),
        other => panic!("no kind {other}"),
    };
    let mut requests = vec![];
    while requests.len() < 1200 {
        let [a, b] = [0; 2].map(|_| query.random_place(&areas, &mut random).expect("ground"));
        if (kind == "straight") != query.sees(&a, &b) && !kind.ends_with('+') && kind != "failure" {
            continue;
        }
        let mut to = b.position();
        if kind == "failure" {
            to[1] += 1000.0;
        }
        requests.push(PathRequest::new(a.position(), to).algorithm(algorithm));
    }
    let wanted: usize = count.parse().expect("a count");
    let mut queue = PathQueue::new(requests.len(), 1);
    for (unit, request) in (0..).zip(requests.iter().take(wanted)) {
        queue.ask(unit, request);
    }
    let (mut spent, mut answered, mut polygons) = (0u64, 0, 0);
    while !queue.is_empty() {
        let tick = queue.tick(&query, 64, |_, path| {
            polygons += path.map_or(0, |path| path.polygons.len());
        });
        spent += u64::from(tick.spent);
        answered += tick.answered;
    }
    println!("{kind}: {answered} answers, {polygons} polygons, charged {spent}");
}
