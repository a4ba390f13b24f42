//! Runs over cells where ground has several costs: they end beside ground of another cost.

use navbake_bake::{Config, Options, bake};
use navbake_format::{AreaId, Blob, GridMapView};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize,
};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::{NavMeshBuf, QueryFilter, Status};
use navbake_testkit::Random;

use crate::seven_units::{Costs, Price};

const CONFIG: &str = "[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n\
    [[agent]]\nname = \"walker\"\n[[agent]]\nname = \"tank\"\n[[agent]]\nname = \"duck\"\n\
    [weights]\nlimit = 5000.0\n[weights.units]\n\
    walker = { plain = 1.0, mud = 2.5, water = 4.0 }\n\
    tank = { plain = 1.5, mud = \"x\", water = 1.25 }\n\
    duck = { plain = 2.0, mud = 2.0, water = 1.0 }\n";

/// By unit and terrain.
const WEIGHTS: [[f64; 3]; 3] = [[1.0, 2.5, 4.0], [1.5, f64::INFINITY, 1.25], [2.0, 2.0, 1.0]];

/// A map of large pieces of ground, with blocks on it.
fn map(random: &mut Random) -> GridMap {
    let (width, height) = (20 + random.below(80), 15 + random.below(40));
    let (mut free, mut terrain) = (vec![true; width * height], vec![0; width * height]);
    for k in 0..4 + random.below(12) {
        let (left, top) = (random.below(width), random.below(height));
        let most = if k % 2 == 0 { 30 } else { 6 };
        let (right, bottom) = (left + 1 + random.below(most), top + 1 + random.below(most));
        let kind = random.below(3) as u8;
        for row in top..bottom.min(height) {
            for column in left..right.min(width) {
                match k % 2 {
                    0 => terrain[row * width + column] = kind,
                    _ => free[row * width + column] = false,
                }
            }
        }
    }
    free[0] = true;
    let [width, height] = [width, height].map(|v| v as u32);
    GridMap { shape: CellShape::Square, cell: 1.0, corner: [0.0; 2], width, height, free, terrain }
}

/// Paints some cells, in the filter and in the costs.
fn paint(
    random: &mut Random,
    map: &GridMapView<'_>,
    (own, filter): (&mut CellFilter, &QueryFilter),
    costs: &mut Costs,
    areas: [AreaId; 3],
    weights: [f64; 3],
) {
    let width = map.width() as usize;
    for _ in 0..random.below(30) {
        let (k, kind) = (random.below(costs.of.len()), random.below(3));
        let cell = map.id([(k % width) as i64, (k / width) as i64]).unwrap();
        if map.is_free(cell) {
            own.paint(map, filter, cell, areas[kind]);
            costs.of[k] = weights[kind];
        }
    }
}

#[test]
fn costs_of_runs_over_ground_of_several_costs_are_those_of_dijkstra() {
    let mut random = Random(3114);
    let (mut asked, mut reached, mut by_runs, mut by_cells) = (0, 0, 0u64, 0u64);
    for _ in 0..navbake_testkit::cases::count("NAVBAKE_MAPS", 60) {
        let source = Source::Grid(map(&mut random));
        let config = Config::parse(CONFIG).unwrap();
        let baked = bake(source, &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let (mesh, view) = (nav.mesh(), blob.grid_map().unwrap());
        let mut buffer = GridBuffer::new(GridScratchSize::of(&view));
        let names = ["plain", "mud", "water"];
        let areas = names.map(|name| {
            let at = blob.areas().position(|area| area.name == name);
            AreaId(at.unwrap_or(usize::from(AreaId::GROUND.0)) as u8)
        });
        let all_there = areas.iter().all(|area| *area != AreaId::GROUND);
        for (name, weights) in ["walker", "tank", "duck"].into_iter().zip(WEIGHTS) {
            let filter = QueryFilter::new().agent(&mesh, name).unwrap();
            let filter = filter.weights(&mesh, "").unwrap();
            let mut own = CellFilter::new(&view, &mesh, &filter);
            let mut costs = Costs::new(&view, |terrain| weights[usize::from(terrain)]);
            if all_there && random.chance(40) {
                paint(&mut random, &view, (&mut own, &filter), &mut costs, areas, weights);
            }
            let query = GridQuery::new(view).with_filter(&own);
            let width = view.width() as usize;
            let middle =
                |k: usize| view.centre(view.id([(k % width) as i64, (k / width) as i64]).unwrap());
            let may: Vec<usize> =
                (0..costs.of.len()).filter(|&k| costs.of[k].is_finite()).collect();
            for planner in [GridPlanner::Grid4, GridPlanner::Grid8] {
                let start = may[random.below(may.len())];
                let known = costs.distances(start, planner == GridPlanner::Grid8, Price::Entered);
                for _ in 0..6 {
                    let goal = may[random.below(may.len())];
                    let goals = [middle(goal)];
                    let mut request = GridRequest::new(middle(start), &goals, planner);
                    request.a_star.reverse = random.chance(40);
                    request.a_star.weight = [1.0, 1.0, 0.5][random.below(3)];
                    let most = [1, 7, 1000][random.below(3)];
                    let mut search = query.start_path(&request, &mut buffer).unwrap();
                    while search.step(&query, &mut buffer, most) == Status::Looking {}
                    by_runs += u64::from(search.expanded());
                    let path = search.path(&query, buffer.scratch());
                    let about = format!("{name} {planner:?} {start} {goal} {width}");
                    assert_eq!(path.status == Status::Reached, known[goal].is_finite(), "{about}");
                    asked += 1;
                    if path.status == Status::Reached {
                        reached += 1;
                        let best = known[goal];
                        assert!((path.cost - best).abs() <= 1e-9 * best.max(1.0), "{about}");
                        assert!(path.certified_optimal, "{about}");
                        request.partial = true; // cell by cell
                        let path = query.find_path(&request, &mut buffer).unwrap();
                        assert!((path.cost - best).abs() <= 1e-9 * best.max(1.0), "{about}");
                        by_cells += u64::from(path.expanded);
                    }
                }
            }
        }
    }
    eprintln!("{asked} asked, {reached} reached, {by_runs} states by runs, {by_cells} by cells");
    assert!(
        2 * reached > asked && 5 * by_runs < 4 * by_cells,
        "{asked} {reached} {by_runs} {by_cells}"
    );
}

#[test]
fn ground_that_costs_more_than_a_cell_can_is_not_entered() {
    let free = (0..27).map(|k| k / 9 != 1 || k % 9 == 0 || k % 9 == 8).collect();
    let terrain = (0..27).map(|k| u8::from(k == 4)).collect();
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 9,
        height: 3,
        free,
        terrain,
    };
    for (weight, cost) in [(1000.0, 12.0), (2000.0, 12.0), (1.5, 8.5)] {
        let config = format!(
            "[terrain]\nnames = [\"plain\", \"mud\"]\n[weights]\nlimit = 5000.0\n\
             [weights.units]\n\"*\" = {{ plain = 1.0, mud = {weight:?} }}\n"
        );
        let config = Config::parse(&config).unwrap();
        let baked = bake(Source::Grid(map.clone()), &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let (mesh, view) = (nav.mesh(), blob.grid_map().unwrap());
        let filter = QueryFilter::new().weights(&mesh, "").unwrap();
        let own = CellFilter::new(&view, &mesh, &filter);
        let query = GridQuery::new(view).with_filter(&own);
        let mut buffer = GridBuffer::new(GridScratchSize::of(&view));
        let goals = [[8.5, 0.0, 0.5]];
        let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid4);
        let path = query.find_path(&request, &mut buffer).unwrap();
        assert_eq!((path.status, path.cost), (Status::Reached, cost), "{weight}");
        // A goal on such ground cannot be reached.
        let goals = [[4.5, 0.0, 0.5]];
        let request = GridRequest::new([0.5, 0.0, 0.5], &goals, GridPlanner::Grid4);
        let path = query.find_path(&request, &mut buffer).unwrap();
        assert_eq!(path.status == Status::Reached, weight <= 1024.0, "{weight}");
    }
}
