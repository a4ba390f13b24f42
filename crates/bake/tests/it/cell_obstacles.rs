//! Obstacles that come, move and go on baked grid maps: after each change, paths cost what
//! Dijkstra's algorithm finds over the cells of now.

use std::collections::BTreeMap;

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CellId, GridMapView};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, Obstacle,
    UnitShape,
};
use navbake_level::{CellShape, GridMap, Source};
use navbake_queue::PathQueue;
use navbake_search::{Error, Heuristic, NavMeshBuf, QueryFilter, Status};
use navbake_testkit::Random;
use navbake_testkit::solids::Solid;

use crate::grid_planners::{Seen, UNITS, UNKNOWN, World, cell_of};
use crate::seven_units::{Costs, Price};

/// The height of an agent of a config that names none.
const HEIGHT: f64 = 2.0;

/// Does a solid take a cell of a map with its ground at 0?
fn takes(solid: &Solid, shape: CellShape, cell: [i64; 2]) -> bool {
    let ring: Vec<[f64; 2]> = (0..shape.sides()).map(|k| shape.corner(cell, k)).collect();
    solid.heights[1] >= 0.0 && solid.heights[0] <= HEIGHT && solid.overlaps(&ring)
}

fn obstacle(solid: &Solid) -> Obstacle {
    let made = match solid.corners[..] {
        [centre] => Obstacle::cylinder(centre, solid.radius, solid.heights),
        _ => Obstacle::prism(&solid.corners, solid.heights),
    };
    made.unwrap()
}

/// Adds, moves or takes away one of some obstacles, in the filter and in the list.
fn change(
    random: &mut Random,
    map: &GridMapView<'_>,
    filter: &mut CellFilter,
    all: &mut BTreeMap<u32, Solid>,
    numbers: usize,
) {
    let number = 3 + random.below(numbers) as u32;
    let size = [f64::from(map.width()), f64::from(map.height())];
    match all.contains_key(&number) && random.chance(30) {
        true => {
            all.remove(&number);
            filter.set_obstacle(map, number, None).unwrap();
        }
        false => {
            let solid = Solid::new(random, size);
            filter.set_obstacle(map, number, Some(&obstacle(&solid))).unwrap();
            all.insert(number, solid);
        }
    }
}

/// The whole answers to some requests.
fn answers(map: &GridMapView<'_>, filter: &CellFilter, cells: &[CellId], seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut buffer = GridBuffer::new(GridScratchSize::with_turns(map));
    let query = GridQuery::new(*map).with_filter(filter);
    let planners: &[GridPlanner] = match map.shape() {
        CellShape::Square => &[GridPlanner::Grid4, GridPlanner::Grid8],
        CellShape::Hexagon => &[GridPlanner::Hex],
    };
    let one = |_| {
        let mut middle = || map.centre(cells[random.below(cells.len())]);
        let (from, goals) = (middle(), [middle(), middle()]);
        let planner = planners[random.below(planners.len())];
        let mut request = GridRequest::new(from, &goals, planner);
        request.turn_penalty = [0.0, 0.5][random.below(2)];
        request.partial = random.chance(20);
        request.a_star.reverse = random.chance(30);
        format!("{:?}", query.find_path(&request, &mut buffer).unwrap())
    };
    (0..30).map(one).collect()
}

#[test]
fn costs_over_squares_with_obstacles_are_those_of_dijkstra_after_each_of_1000_changes() {
    compare(CellShape::Square, 1000);
}

#[test]
fn costs_over_hexagons_with_obstacles_are_those_of_dijkstra_after_each_of_1000_changes() {
    compare(CellShape::Hexagon, 1000);
}

fn compare(shape: CellShape, changes: usize) {
    let mut random = Random(34);
    let (mut asked, mut reached, mut around, mut leaves) = (0, 0, 0, 0);
    for _ in 0..changes / 25 {
        let world = World::new(&mut random, shape);
        let bytes = world.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let (mesh, map) = (nav.mesh(), blob.grid_map().unwrap());
        let mut buffer = GridBuffer::new(GridScratchSize::with_turns(&map));
        let (name, weights) = UNITS[random.below(UNITS.len())];
        let filter = QueryFilter::new().agent(&mesh, name).unwrap();
        let mut filter = filter.weights(&mesh, "").unwrap();
        let gate_closed = random.chance(30) && mesh.file().switches().len() > 0;
        if gate_closed {
            filter = filter.block(&mesh, "gate").unwrap();
        }
        let (room, covers) = match random.below(3) {
            0 => (UnitShape::Block(2), vec![[0, 0], [1, 0], [0, 1], [1, 1]]),
            _ => (UnitShape::Cell, vec![[0, 0]]),
        };
        let grid8 = random.chance(70);
        let planner = match (shape, grid8) {
            (CellShape::Hexagon, _) => GridPlanner::Hex,
            (_, true) => GridPlanner::Grid8,
            (_, false) => GridPlanner::Grid4,
        };
        // Landmarks stay valid under obstacles.
        let mut own = CellFilter::new(&map, &mesh, &filter).shape(&map, room);
        own = own.landmarks(&map, planner, 3);
        let cells: Vec<usize> = (0..world.map.free.len()).filter(|&k| world.map.free[k]).collect();
        let id = |k: usize| cell_of(&map, &world, k);
        let ids: Vec<CellId> = cells.iter().map(|&k| id(k)).collect();
        let before = answers(&map, &own, &ids, 9);
        let mut solids = BTreeMap::new();
        for _ in 0..25 {
            change(&mut random, &map, &mut own, &mut solids, 6);
            // The unit that an obstacle is, or another one.
            let unit = [None, Some(3), Some(77)][random.below(3)];
            let taken = |k: usize| {
                let width = i64::from(map.width());
                let cell = [k as i64 % width, k as i64 / width];
                let others = solids.iter().filter(|(number, _)| Some(**number) != unit);
                others.into_iter().any(|(_, solid)| takes(solid, shape, cell))
            };
            let seen = Seen {
                world: &world,
                weights,
                gate_closed,
                covers: covers.clone(),
                stood_on: cells.iter().copied().filter(|&k| taken(k)).collect(),
                painted: vec![],
                grid8,
                cutting: covers.len() == 1 && random.chance(20),
                penalty: [0.0, 0.0, 0.5][random.below(3)],
            };
            let start = cells[random.below(cells.len())];
            leaves += usize::from(seen.stood_on.contains(&start));
            let known = seen.distances(start);
            let empty = Seen { stood_on: vec![], covers: covers.clone(), painted: vec![], ..seen };
            let free = empty.distances(start);
            for _ in 0..10 {
                let goal = cells[random.below(cells.len())];
                let goals = [map.centre(id(goal))];
                let mut request = GridRequest {
                    corner_cutting: empty.cutting,
                    turn_penalty: empty.penalty,
                    unit,
                    ..GridRequest::new(map.centre(id(start)), &goals, planner)
                };
                request.a_star.reverse = random.chance(40);
                if own.has_landmarks() && random.chance(40) {
                    request.a_star.heuristic = Heuristic::Table;
                }
                let query = GridQuery::new(map).with_filter(&own);
                let path = query.find_path(&request, &mut buffer).unwrap();
                asked += 1;
                let (optimum, about) = (known[goal], format!("{request:?} {solids:?}"));
                assert_eq!(path.status == Status::Reached, optimum.is_finite(), "{about}");
                if path.status == Status::Reached {
                    reached += 1;
                    around += usize::from(optimum > free[goal]);
                    let slack = 1e-9 * optimum.max(1.0);
                    let is_known = optimum < UNKNOWN;
                    assert!(!is_known || (path.cost - optimum).abs() <= slack, "{about}");
                    assert!(path.certified_optimal, "{about}");
                }
            }
        }
        // In another order, and at once.
        let mut anew = CellFilter::new(&map, &mesh, &filter).shape(&map, room);
        anew = anew.landmarks(&map, planner, 3);
        for (&number, solid) in solids.iter().rev() {
            anew.set_obstacle(&map, number, Some(&obstacle(solid))).unwrap();
        }
        assert_eq!(answers(&map, &own, &ids, 10), answers(&map, &anew, &ids, 10));
        for &number in solids.keys() {
            own.set_obstacle(&map, number, None).unwrap();
        }
        assert_eq!(answers(&map, &own, &ids, 9), before, "removal restores every answer");
    }
    eprintln!("{asked} asked, {reached} reached, {around} longer, {leaves} begin in an obstacle");
    assert_eq!(asked, 10 * changes);
    assert!(3 * reached > asked && 50 * around > asked && leaves > 30);
}

/// Rows longer than a word, so that runs over open cells cross obstacles.
#[test]
fn runs_over_cells_end_at_obstacles() {
    let mut random = Random(35);
    let (mut reached, mut changed) = (0, 0);
    for _ in 0..20 {
        let (width, height) = (60 + random.below(90), 20 + random.below(60));
        let free: Vec<bool> = (0..width * height).map(|_| !random.chance(8)).collect();
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width: width as u32,
            height: height as u32,
            free: free.clone(),
            terrain: vec![],
        };
        let config = Config::parse("").unwrap();
        let baked = bake(Source::Grid(map), &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let map = blob.grid_map().unwrap();
        let mut own = CellFilter::new(&map, &nav.mesh(), &QueryFilter::new());
        let mut buffer = GridBuffer::new(GridScratchSize::of(&map));
        let mut solids = BTreeMap::new();
        for _ in 0..50 {
            change(&mut random, &map, &mut own, &mut solids, 30);
            changed += 1;
            let mut costs = Costs::new(&map, |_| 1.0);
            for k in 0..costs.of.len() {
                let cell = [(k % width) as i64, (k / width) as i64];
                if solids.values().any(|solid| takes(solid, CellShape::Square, cell)) {
                    costs.of[k] = f64::INFINITY;
                }
            }
            let may: Vec<usize> =
                (0..costs.of.len()).filter(|&k| costs.of[k].is_finite()).collect();
            let start = may[random.below(may.len())];
            let diagonal = random.chance(50);
            let known = costs.distances(start, diagonal, Price::Entered);
            let planner = if diagonal { GridPlanner::Grid8 } else { GridPlanner::Grid4 };
            for _ in 0..10 {
                let goal = may[random.below(may.len())];
                let middle = |k: usize| [(k % width) as f64 + 0.5, 0.0, (k / width) as f64 + 0.5];
                let goals = [middle(goal)];
                let request = GridRequest::new(middle(start), &goals, planner);
                let query = GridQuery::new(map).with_filter(&own);
                let path = query.find_path(&request, &mut buffer).unwrap();
                assert_eq!(path.status == Status::Reached, known[goal].is_finite());
                if path.status == Status::Reached {
                    reached += 1;
                    assert!((path.cost - known[goal]).abs() <= 1e-9 * known[goal].max(1.0));
                    assert!(path.certified_optimal);
                }
            }
        }
    }
    assert!(changed == 1000 && reached > 5000, "{changed} {reached}");
}

/// Two maps, the second one a column wider.
#[test]
fn a_filter_refuses_obstacles_on_another_map() {
    let baked = [5, 6].map(|width: u32| {
        let free = vec![true; width as usize * 4];
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width,
            height: 4,
            free,
            terrain: vec![],
        };
        bake(Source::Grid(map), &Config::parse("").unwrap(), &Options::default()).unwrap()
    });
    let nav = NavMeshBuf::open(&baked[0].bytes).unwrap();
    let maps = [0, 1].map(|k| Blob::open_checked(&baked[k].bytes).unwrap().grid_map().unwrap());
    let mut own = CellFilter::new(&maps[0], &nav.mesh(), &QueryFilter::new());
    let barrel = Obstacle::cylinder([2.0, 2.0], 0.5, [0.0, 1.0]).unwrap();
    assert_eq!(own.set_obstacle(&maps[1], 1, Some(&barrel)), Err(Error::OtherGround));
    assert_eq!(own.set_obstacle(&maps[0], 1, Some(&barrel)), Ok(4));
    // As it is, elsewhere by a cell, far away, and gone.
    assert_eq!(own.set_obstacle(&maps[0], 1, Some(&barrel)), Ok(0));
    let moved = barrel.moved([1.0, 0.0, 0.0]).unwrap();
    assert_eq!(own.set_obstacle(&maps[0], 1, Some(&moved)), Ok(4));
    for far in [1e3, -1e9, 1e300] {
        own.set_obstacle(&maps[0], 1, Some(&barrel.moved([far, 0.0, 0.0]).unwrap())).unwrap();
        assert!(
            (0..maps[0].id_count()).map(CellId).all(|id| own.is_open(id) == maps[0].is_free(id))
        );
    }
    assert_eq!(own.set_obstacle(&maps[0], 1, None), Ok(0));
    assert_eq!(own.set_obstacle(&maps[0], 1, None), Ok(0), "it is gone already");
    let all = Obstacle::cylinder([2.0, 2.0], 1e300, [0.0, 1.0]).unwrap();
    assert_eq!(own.set_obstacle(&maps[0], u32::MAX, Some(&all)), Ok(20));
}

/// Obstacles move between frames; leaders are answered as by a search alone, and no unit is led onto
/// a cell that is taken.
#[test]
fn a_queue_that_restarts_after_changes_leads_around_obstacles() {
    let mut random = Random(36);
    let free: Vec<bool> = (0..40 * 30).map(|_| !random.chance(10)).collect();
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 40,
        height: 30,
        free,
        terrain: vec![],
    };
    let baked = bake(Source::Grid(map), &Config::parse("").unwrap(), &Options::default()).unwrap();
    let nav = NavMeshBuf::open(&baked.bytes).unwrap();
    let map = Blob::open_checked(&baked.bytes).unwrap().grid_map().unwrap();
    let mut own = CellFilter::new(&map, &nav.mesh(), &QueryFilter::new());
    let size = GridScratchSize::of(&map);
    let (mut queue, mut buffer) = (PathQueue::over_cells(60, 3, size), GridBuffer::new(size));
    let cells: Vec<CellId> =
        (0..map.id_count()).map(CellId).filter(|&cell| map.is_free(cell)).collect();
    let mut solids = BTreeMap::new();
    let [mut led, mut followed, mut anew] = [0; 3];
    let mut asked: BTreeMap<u64, [[f64; 3]; 2]> = BTreeMap::new();
    for _ in 0..1500 {
        if random.chance(30) {
            change(&mut random, &map, &mut own, &mut solids, 20);
            anew += usize::from(!queue.is_empty());
            queue.restart();
        }
        // Ten leaders, with five followers each.
        for unit in 0..60 {
            if queue.holds(unit) || (unit % 6 > 0 && !queue.holds(unit - unit % 6)) {
                continue;
            }
            let ends = [0; 2].map(|_| map.centre(cells[random.below(cells.len())]));
            let request = GridRequest::new(ends[0], &ends[1..], GridPlanner::Grid8);
            assert!(match unit % 6 {
                0 => queue.ask(unit, &request),
                _ => queue.follow(unit, unit - unit % 6, &request, 1.0),
            });
            asked.insert(unit, ends);
        }
        let query = GridQuery::new(map).with_filter(&own);
        queue.tick(&query, 150, |unit, path| {
            let path = path.unwrap();
            let [from, to] = asked[&unit];
            if unit % 6 == 0 {
                led += 1;
                let goals = [to];
                let request = GridRequest::new(from, &goals, GridPlanner::Grid8);
                let alone = query.find_path(&request, &mut buffer).unwrap();
                assert_eq!(*path, alone);
            } else if path.status == Status::Reached {
                followed += 1;
            }
            assert!(path.cells.iter().skip(1).all(|&cell| own.is_open(cell)));
        });
    }
    assert!(led > 1000 && followed > 2000 && anew > 200, "{led} {followed} {anew}");
}
