//! Queues over cells and route networks answer as searches alone do, and groups share paths.

use std::collections::{BTreeMap, BTreeSet};

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CellId};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Network,
    NetworkBuffer, NetworkRequest,
};
use navbake_level::{CellShape, GridMap, Source};
use navbake_queue::{PathQueue, RoutesQuery};
use navbake_search::{NavMeshBuf, NavPoint, NavQuery, QueryFilter, Status};
use navbake_testkit::Random;

const CONFIG: &str = "[terrain]\nnames = [\"plain\", \"mud\"]\n[weights.units]\n\
    \"*\" = { plain = 1.0, mud = 3.0 }\n[[network]]\nname = \"squares\"\nkind = \"grid\"\n\
    cell = 1.37\njoined = 4\n[[link]]\nfrom = [1.5, 0.0, 1.5]\nto = [27.5, 0.0, 21.5]\n\
    cost = 2.0\n";

/// A map of 30 by 24 cells, its corners free.
fn map(random: &mut Random, blocked: u64) -> GridMap {
    let (width, height) = (30, 24);
    let near = |k: usize| {
        let (c, r) = (k % width, k / width);
        !(5..width - 5).contains(&c) && !(5..height - 5).contains(&r)
    };
    let free: Vec<bool> = (0..width * height).map(|k| near(k) || !random.chance(blocked)).collect();
    let terrain = free.iter().map(|_| random.below(2) as u8).collect();
    GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 30,
        height: 24,
        free,
        terrain,
    }
}

fn baked(random: &mut Random, blocked: u64) -> Vec<u8> {
    let config = Config::parse(CONFIG).unwrap();
    bake(Source::Grid(map(random, blocked)), &config, &Options::default()).unwrap().bytes
}

fn cells(query: &GridQuery<'_>) -> Vec<[f64; 3]> {
    let map = query.map();
    let all = (0..map.id_count()).map(CellId).filter(|&id| map.is_free(id));
    all.map(|id| map.centre(id)).collect()
}

/// Open ground with pillars: few states with long runs, and points that see many others.
fn open(side: u32) -> GridMap {
    let count = (side * side) as usize;
    let free: Vec<bool> =
        (0..count as u32).map(|k| !((k % side) % 37 == 18 && (k / side) % 41 == 20)).collect();
    let terrain = vec![0; count];
    GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: side,
        height: side,
        free,
        terrain,
    }
}

#[test]
fn the_budget_of_a_thousand_units_sees_runs_over_open_cells() {
    let config = Config::parse("").unwrap();
    let bytes = bake(Source::Grid(open(500)), &config, &Options::default()).unwrap().bytes;
    let blob = Blob::open_checked(&bytes).unwrap();
    let query = GridQuery::new(blob.grid_map().unwrap());
    let size = GridScratchSize::of(query.map());
    let mut buffer = GridBuffer::new(size);
    let random = &mut Random(3);
    let mut queue = PathQueue::over_cells(1000, 4, size);
    let mut least = 0;
    for unit in 0..1000 {
        let [from, to] = [0; 2]
            .map(|_| [0, 0].map(|_| 0.5 + random.below(500) as f64))
            .map(|[x, z]| [x, 0.0, z]);
        let (goals, planner) = ([to], GridPlanner::Grid8);
        let request = GridRequest::new(from, &goals, planner);
        assert!(queue.ask(unit, &request));
        if unit % 10 > 0 {
            continue;
        }
        let mut search = query.start_path(&request, &mut buffer).unwrap();
        search.step(&query, &mut buffer, u32::MAX);
        let path = search.path(&query, &mut buffer);
        // Each cell of a diagonal run looks along its row and its column; twelve looks are a state.
        let slanted = path.cells.windows(2).filter(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|cell| query.map().column_row(cell));
            a[0] != b[0] && a[1] != b[1]
        });
        let looks = 2 * slanted.count() as u32;
        assert!(search.work() >= path.expanded + looks / 12, "{} {looks}", search.work());
        least += looks / 12;
    }
    let (mut spent, mut answered) = (0, 0);
    while !queue.is_empty() {
        let tick = queue.tick(&query, 500, |_, path| answered += u32::from(path.is_ok()));
        // The runs of one state may be looked along beyond the budget, and a path made.
        assert!(tick.spent < 1000, "{}", tick.spent);
        spent += tick.spent;
    }
    assert_eq!(answered, 1000);
    assert!(spent > 10 * least, "{spent} {least}");
}

#[test]
fn the_budget_of_a_thousand_units_sees_the_lines_that_join_them_to_a_network() {
    let text = "[[network]]\nname = \"sight\"\nkind = \"visibility\"\n";
    let config = Config::parse(text).unwrap();
    let bytes = bake(Source::Grid(open(150)), &config, &Options::default()).unwrap().bytes;
    let blob = Blob::open_checked(&bytes).unwrap();
    let nav = NavMeshBuf::open(&bytes).unwrap();
    let ground = NavQuery::new(nav.mesh());
    let network = Network::new(&blob.networks(0).next().unwrap(), &ground);
    let routes = RoutesQuery { network: &network, ground: &ground };
    let random = &mut Random(4);
    let mut queue = PathQueue::over_routes(1000, 4);
    for unit in 0..1000 {
        let ends = [0; 2].map(|_| {
            let place = [random.below(150) as f64 + 0.5, 0.0, random.below(150) as f64 + 0.5];
            ground.locate(place, 1.0)
        });
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        assert!(queue.ask(unit, &NetworkRequest::new(from, &[to])));
    }
    let asked = queue.len() as u32;
    assert!(asked > 900, "{asked}");
    let (mut spent, mut answered) = (0, 0);
    while !queue.is_empty() {
        let tick = queue.tick(&routes, 100, |_, path| answered += u32::from(path.is_ok()));
        // The lines of an end are tried over several ticks.
        assert!(tick.spent < 100 + 2 * 16, "{}", tick.spent);
        spent += tick.spent;
    }
    assert_eq!(answered, asked);
    let lines = 2 * network.point_count();
    assert!(lines > 90 && spent >= asked * lines, "{spent} {asked} {lines}");
}

#[test]
fn a_queue_over_cells_and_one_over_routes_answer_as_searches_alone_do() {
    let random = &mut Random(9);
    let mut reached = [0; 2];
    for round in 0..12 {
        let bytes = baked(random, 20 + round);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let mesh = nav.mesh();
        let filter = QueryFilter::new().weights(&mesh, "").unwrap();
        let ground = NavQuery::new(mesh).with_filter(&filter);
        let map = blob.grid_map().unwrap();
        let own = CellFilter::new(&map, &mesh, &filter);
        let query = GridQuery::new(map).with_filter(&own);
        let network = Network::new(&blob.networks(0).next().unwrap(), &ground);
        let routes = RoutesQuery { network: &network, ground: &ground };
        let places = cells(&query);
        let size = GridScratchSize::of(&map);
        let (mut over_cells, mut over_routes) =
            (PathQueue::over_cells(50, 3, size), PathQueue::over_routes(50, 3));
        let pairs: Vec<[[f64; 3]; 2]> =
            (0..50).map(|_| [0; 2].map(|_| places[random.below(places.len())])).collect();
        let planner = [GridPlanner::Grid4, GridPlanner::Grid8][random.below(2)];
        let at = |place: [f64; 3]| ground.locate(place, 1.0).unwrap();
        for (unit, &[from, to]) in (0..).zip(&pairs) {
            assert!(over_cells.ask(unit, &GridRequest::new(from, &[to], planner)));
            let goals = [at(to)];
            assert!(over_routes.ask(unit, &NetworkRequest::new(at(from), &goals)));
        }
        let full = GridRequest::new(places[0], &places[..1], planner);
        assert!(!over_cells.ask(50, &full), "it is full");

        let mut buffer = GridBuffer::new(size);
        let mut answered = BTreeSet::new();
        while !over_cells.is_empty() {
            for unit in 0..50 {
                let direction = over_cells.direction(&query, unit);
                assert!(direction.is_none_or(|[x, z]| (x.hypot(z) - 1.0).abs() < 1e-9));
            }
            over_cells.tick(&query, 30, |unit, path| {
                let path = path.unwrap();
                let [from, to] = pairs[unit as usize];
                let request = GridRequest::new(from, std::slice::from_ref(&to), planner);
                let alone = query.find_path(&request, &mut buffer).unwrap();
                assert_eq!(*path, alone);
                reached[0] += usize::from(path.status == Status::Reached);
                assert!(answered.insert(unit), "answered twice");
            });
        }
        assert_eq!(answered.len(), 50);

        let mut buffer = NetworkBuffer::default();
        answered.clear();
        while !over_routes.is_empty() {
            for unit in 0..50 {
                let direction = over_routes.direction(&routes, unit);
                assert!(direction.is_none_or(|[x, z]| (x.hypot(z) - 1.0).abs() < 1e-9));
            }
            over_routes.tick(&routes, 30, |unit, path| {
                let [from, to] = pairs[unit as usize].map(at);
                let request = NetworkRequest::new(from, std::slice::from_ref(&to));
                let alone = network.find_path(&ground, &request, &mut buffer).unwrap();
                assert_eq!(*path.unwrap(), alone);
                reached[1] += usize::from(alone.status == Status::Reached);
                assert!(answered.insert(unit), "answered twice");
            });
        }
        assert_eq!(answered.len(), 50);
    }
    assert!(reached.iter().all(|&count| count > 400), "{reached:?}");
}

#[test]
fn units_that_follow_over_cells_end_apart_and_their_steps_are_free() {
    let random = &mut Random(4);
    for round in 0..20 {
        let bytes = baked(random, round);
        let map = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
        let query = GridQuery::new(map);
        let mut queue = PathQueue::over_cells(20, 2, GridScratchSize::of(&map));
        let to = [27.5, 0.0, 21.5];
        let start = |k: u64| [0.5 + (k % 4) as f64, 0.0, 0.5 + (k / 4 % 4) as f64];
        let request = |k: u64| GridRequest::new(start(k), &[], GridPlanner::Grid8);
        assert!(queue.ask(0, &GridRequest { to: &[to], ..request(0) }));
        for unit in 1..8 {
            assert!(queue.follow(unit, 0, &request(unit), 1.0));
        }
        let mut ends = BTreeMap::new();
        while !queue.is_empty() {
            queue.tick(&query, 50, |unit, path| {
                let path = path.unwrap();
                if path.status != Status::Reached {
                    return;
                }
                assert_eq!(path.cells.first(), map.free_cell_at(start(unit)).as_ref());
                assert!(path.cells.iter().all(|&cell| map.is_free(cell)));
                for pair in path.cells.windows(2) {
                    let [a, b] = [pair[0], pair[1]].map(|cell| map.column_row(cell));
                    assert!(a[0].abs_diff(b[0]) <= 1 && a[1].abs_diff(b[1]) <= 1);
                }
                ends.insert(unit, *path.cells.last().unwrap());
            });
        }
        let distinct: BTreeSet<CellId> = ends.values().copied().collect();
        assert_eq!(distinct.len(), ends.len(), "two units end on one cell");
        if round == 0 {
            assert_eq!(ends.len(), 8);
        }
        let centres: Vec<[f64; 3]> = distinct.iter().map(|&cell| map.centre(cell)).collect();
        for (i, a) in centres.iter().enumerate() {
            for b in &centres[i + 1..] {
                assert!((a[0] - b[0]).hypot(a[2] - b[2]) >= 1.0, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn units_that_follow_over_routes_go_straight_where_the_ground_is_free() {
    let random = &mut Random(8);
    let mut followed = 0;
    for round in 0..20 {
        let bytes = baked(random, round);
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let ground = NavQuery::new(nav.mesh());
        let network = Network::new(&blob.networks(0).next().unwrap(), &ground);
        let routes = RoutesQuery { network: &network, ground: &ground };
        let at = |place: [f64; 3]| ground.locate(place, 1.0).unwrap();
        let start = |k: u64| at([0.5 + (k % 4) as f64, 0.0, 0.5 + (k / 4 % 4) as f64]);
        let mut queue = PathQueue::over_routes(20, 2);
        let goals = [at([26.5, 0.0, 20.5])];
        assert!(queue.ask(0, &NetworkRequest::new(start(0), &goals)));
        for unit in 1..8 {
            let request = NetworkRequest::new(start(unit), &[]);
            assert!(queue.follow(unit, 0, &request, 0.7));
        }
        let mut ends: Vec<[f64; 3]> = vec![];
        while !queue.is_empty() {
            queue.tick(&routes, 20, |unit, path| {
                let path = path.unwrap();
                if path.status != Status::Reached {
                    return;
                }
                assert_eq!(path.points[0], start(unit).position());
                let mut cost = 0.0;
                for (k, pair) in path.points.windows(2).enumerate() {
                    cost += if path.links.iter().any(|leg| leg.at as usize == k) {
                        2.0
                    } else {
                        let line: [NavPoint; 2] = [at(pair[0]), at(pair[1])];
                        let units = nav.mesh().grid().units();
                        ground.straight_cost(&line[0], &line[1]).expect("free ground") / units
                    };
                }
                assert!((cost - path.cost).abs() < 1e-3, "{cost} {}", path.cost);
                followed += usize::from(unit > 0);
                ends.push(*path.points.last().unwrap());
            });
        }
        for (i, a) in ends.iter().enumerate() {
            for b in &ends[i + 1..] {
                assert!((a[0] - b[0]).hypot(a[2] - b[2]) > 0.69, "{a:?} {b:?}");
            }
        }
    }
    assert!(followed > 100, "{followed}");
}

#[test]
fn the_first_follower_takes_over_from_a_leader_that_is_lost_over_cells() {
    let bytes = baked(&mut Random(1), 0);
    let map = Blob::open_checked(&bytes).unwrap().grid_map().unwrap();
    let query = GridQuery::new(map);
    let mut queue = PathQueue::over_cells(4, 1, GridScratchSize::of(&map));
    let (from, to) = ([0.5, 0.0, 0.5], [27.5, 0.0, 21.5]);
    let request = GridRequest::new(from, &[], GridPlanner::Grid4);
    assert!(queue.ask(1, &GridRequest { to: &[to], ..request }));
    assert!(queue.follow(2, 1, &GridRequest { from: [1.5, 0.0, 0.5], ..request }, 1.0));
    assert!(queue.follow(3, 1, &GridRequest { from: [0.5, 0.0, 1.5], ..request }, 1.0));
    queue.tick(&query, 1, |_, _| panic!("the search has only begun"));
    queue.lose(1);
    let mut ends = BTreeMap::new();
    while !queue.is_empty() {
        queue.tick(&query, 1000, |unit, path| {
            ends.insert(unit, *path.unwrap().cells.last().unwrap());
        });
    }
    assert_eq!(ends.keys().copied().collect::<Vec<u64>>(), [2, 3]);
    assert_eq!(ends.get(&2), map.free_cell_at(to).as_ref());
    assert_ne!(ends.get(&3), ends.get(&2));
}
