//! How much work a frame of a queue of 1,000 units takes, by space and planner: run under
//! callgrind.
//!
//! `frames BLOB PLANNER AGENT BUDGET FRAMES` asks for paths between random places for 1,000 units
//! and ticks FRAMES times; a unit that is answered asks again. PLANNER is an algorithm over
//! polygons, `grid4`, `grid8`, `hex`, or the name of a route network; `+` behind it takes the
//! agent's weights. Instructions of each frame:
//! `valgrind --tool=callgrind --collect-atstart=no --toggle-collect='frames::frame*'
//! --zero-before='frames::frame*' --dump-after='frames::frame*' target/release/examples/frames ..`,
//! the `totals:` of each file but the last one.
#![allow(missing_docs)]

use navbake_gridpath::NetworkRequest;
use navbake_gridpath::{CellFilter, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network};
use navbake_queue::{PathQueue, RoutesQuery, Space, Tick};
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter};

const UNITS: u64 = 1000;

/// A frame: what callgrind counts.
#[inline(never)]
fn frame<S: Space>(
    queue: &mut PathQueue<S>,
    query: &S::Query<'_>,
    budget: u32,
    answered: &mut Vec<u64>,
) -> Tick {
    // Not the last call, which would be a jump.
    std::hint::black_box(queue.tick(query, budget, |unit, _| answered.push(unit)))
}

fn run<S: Space>(
    mut queue: PathQueue<S>,
    query: &S::Query<'_>,
    [budget, frames]: [u32; 2],
    mut request: impl FnMut() -> S::Request,
) {
    for unit in 0..UNITS {
        assert!(queue.ask(unit, request()));
    }
    let (mut most, mut sum, mut answers) = (0, 0u64, 0);
    let mut answered = Vec::with_capacity(UNITS as usize);
    for _ in 0..frames {
        let tick = frame(&mut queue, query, budget, &mut answered);
        most = most.max(tick.spent);
        sum += u64::from(tick.spent);
        answers += answered.len();
        for unit in answered.drain(..) {
            queue.ask(unit, request());
        }
    }
    println!("{frames} frames of {budget}: {answers} answers, spent {sum}, {most} at most");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, blob, planner, agent, budget, frames] = &arguments[..] else {
        panic!("frames BLOB PLANNER AGENT BUDGET FRAMES");
    };
    let sizes = [budget, frames].map(|n| n.parse().expect("a number"));
    let bytes = std::fs::read(blob).expect("a blob");
    let nav = NavMeshBuf::open(&bytes).expect("a navmesh");
    let mesh = nav.mesh();
    let mut filter = QueryFilter::new().agent(&mesh, agent).expect("an agent");
    if planner.ends_with('+') {
        filter = filter.weights(&mesh, "").expect("weights");
    }
    let name = planner.trim_end_matches('+');
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).expect("areas");
    let mut random = Random::new(7);
    let mut ends = || [0; 2].map(|_| query.random_place(&areas, &mut random).expect("ground"));
    let file = navbake_format::Blob::open_checked(&bytes).expect("a blob");
    if let Ok(planner) = name.parse::<GridPlanner>() {
        let map = file.grid_map().expect("a grid map");
        let own = CellFilter::new(&map, &mesh, &filter);
        let cells = GridQuery::new(map).with_filter(&own);
        let queue = PathQueue::over_cells(UNITS as usize, 4, GridScratchSize::of(&map));
        run(queue, &cells, sizes, || {
            let [from, to] = ends().map(|end| end.position());
            (&GridRequest::new(from, &[to], planner)).into()
        });
    } else if let Some(view) = file.networks(mesh.class()).find(|n| n.name == name) {
        let network = Network::new(&view, &query);
        let routes = RoutesQuery { network: &network, ground: &query };
        run(PathQueue::over_routes(UNITS as usize, 4), &routes, sizes, || {
            let [from, to] = ends();
            (&NetworkRequest::new(from, &[to])).into()
        });
    } else {
        let algorithm: Algorithm = name.parse().expect("a planner");
        run(PathQueue::new(UNITS as usize, 4), &query, sizes, || {
            let [from, to] = ends().map(|end| end.position());
            (&PathRequest::new(from, to).algorithm(algorithm)).into()
        });
    }
}
