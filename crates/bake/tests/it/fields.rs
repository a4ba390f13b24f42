//! Cost fields against the formula, cell by cell and in bands, and paths over them against
//! Dijkstra's algorithm.

use crate::scenes::Builder;
use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CellId, GridMapView};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize,
};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::around::{DescentEnd, Random as Places};
use navbake_search::{
    Algorithm, DescentRequest, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;

const WEIGHTS: [f64; 2] = [1.0, 2.5];
const FALLOFFS: [&str; 3] = ["linear", "gaussian", "none"];

/// A table of the config.
#[derive(Clone, Copy)]
struct Field {
    range: f64,
    peak: f64,
    falloff: &'static str,
    bands: usize,
}

impl Field {
    fn new(random: &mut Random) -> Field {
        Field {
            // No distance of cells: fields may end with a jump.
            range: 1.037 + random.below(50) as f64 / 10.0,
            peak: 1.0 + random.below(80) as f64 / 10.0,
            falloff: FALLOFFS[random.below(3)],
            bands: 1 + random.below(3),
        }
    }

    fn text(&self) -> String {
        let Field { range, peak, falloff, bands } = self;
        format!("range = {range:?}\npeak = {peak:?}\nfalloff = \"{falloff}\"\nbands = {bands}\n")
    }

    /// What is added to the factor at a distance.
    fn extra(&self, distance: f64) -> f64 {
        let share = distance / self.range;
        let left = match self.falloff {
            _ if share >= 1.0 => 0.0,
            "linear" => 1.0 - share,
            // Three standard deviations.
            "gaussian" => (-(3.0 * share).powi(2) / 2.0).exp(),
            _ => 1.0,
        };
        left * (self.peak - 1.0)
    }
}

/// A map with clearance, a field around points for all agents, and one around mud for `deer`.
struct World {
    map: GridMap,
    clearance: Field,
    fire: Field,
    fires: Vec<[f64; 2]>,
    mud: Field,
}

impl World {
    fn new(random: &mut Random, shape: CellShape) -> World {
        let (width, height) = (6 + random.below(10), 5 + random.below(9));
        let blocked = random.below(30) as u64;
        let cells = width * height;
        let free: Vec<bool> = (0..cells).map(|k| k == 0 || !random.chance(blocked)).collect();
        let terrain = (0..cells).map(|_| u8::from(random.chance(8))).collect();
        let (width, height) = (width as u32, height as u32);
        let map = GridMap { shape, cell: 0.8, corner: [0.0; 2], width, height, free, terrain };
        let [x, z] = map.end();
        let place = |random: &mut Random| [x, z].map(|v| v * random.below(1001) as f64 / 1000.0);
        World {
            clearance: Field::new(random),
            fire: Field::new(random),
            fires: (0..1 + random.below(3)).map(|_| place(random)).collect(),
            mud: Field::new(random),
            map,
        }
    }

    fn config(&self) -> String {
        let fires: Vec<String> =
            self.fires.iter().map(|[x, z]| format!("[{x:?}, 0.0, {z:?}]")).collect();
        format!(
            "scale = 0.8\n[terrain]\nnames = [\"ground\", \"mud\"]\n[[agent]]\nname = \"deer\"\n[[agent]]\nname = \"frog\"\n\
            [weights.units]\n\"*\" = {{ mud = 2.5 }}\n[clearance]\n{}[[field]]\npoints = [{}]\n{}\
            [[field]]\nareas = [\"mud\"]\nagents = [\"deer\"]\n{}",
            self.clearance.text(),
            fires.join(", "),
            self.fire.text(),
            self.mud.text()
        )
    }

    fn is_free(&self, [c, r]: [i64; 2]) -> Option<usize> {
        let (width, height) = (i64::from(self.map.width), i64::from(self.map.height));
        let is_map = (0..width).contains(&c) && (0..height).contains(&r);
        let k = (r * width + c) as usize;
        (is_map && self.map.free[k]).then_some(k)
    }

    /// The distance of a cell's middle from the nearest cell that is so, by points of its border.
    fn distance_from(&self, cell: usize, is: impl Fn([i64; 2]) -> bool) -> f64 {
        let (shape, side) = (self.map.shape, self.map.cell);
        let [x, z] = self.map.middle(cell);
        let mut least = f64::INFINITY;
        for r in -1..=i64::from(self.map.height) {
            for c in (-1..=i64::from(self.map.width)).filter(|&c| is([c, r])) {
                if shape.middle([c, r]).map(|v| v * side) == [x, z] {
                    return 0.0;
                }
                for k in 0..shape.sides() {
                    let [a, b] = [k, k + 1].map(|k| shape.corner([c, r], k).map(|v| v * side));
                    let along = [b[0] - a[0], b[1] - a[1]];
                    let whole = along[0].powi(2) + along[1].powi(2);
                    let t = ((x - a[0]) * along[0] + (z - a[1]) * along[1]) / whole;
                    let t = t.clamp(0.0, 1.0);
                    let near = (a[0] + t * along[0] - x).hypot(a[1] + t * along[1] - z);
                    least = least.min(near);
                }
            }
        }
        least
    }

    /// What a cell costs by the formula.
    fn cost(&self, cell: usize, agent: usize) -> f64 {
        let [x, z] = self.map.middle(cell);
        let fires = self.fires.iter().map(|f| (f[0] - x).hypot(f[1] - z));
        let wall = self.distance_from(cell, |at| self.is_free(at).is_none());
        let is_mud = |at| self.is_free(at).is_some_and(|k| self.map.terrain[k] == 1);
        let mut factor = 1.0 + self.clearance.extra(wall);
        factor += self.fire.extra(fires.fold(f64::INFINITY, f64::min));
        if agent == 0 {
            factor += self.mud.extra(self.distance_from(cell, is_mud));
        }
        WEIGHTS[usize::from(self.map.terrain[cell])] * factor
    }

    /// The least cost from a cell to each over these costs.
    fn dijkstra(&self, start: usize, costs: &[f64], diagonals: bool) -> Vec<f64> {
        let n = costs.len();
        let (mut best, mut done) = (vec![f64::INFINITY; n], vec![false; n]);
        best[start] = 0.0;
        let open = |best: &[f64], done: &[bool]| {
            (0..n)
                .filter(|&k| !done[k] && best[k].is_finite())
                .min_by(|&a, &b| best[a].total_cmp(&best[b]))
        };
        while let Some(k) = open(&best, &done) {
            done[k] = true;
            let [c, r] =
                [k as i64 % i64::from(self.map.width), k as i64 / i64::from(self.map.width)];
            let mut offer = |to: [i64; 2], long: f64| {
                if let Some(to) = self.is_free(to) {
                    best[to] = best[to].min(best[k] + long * costs[to]);
                }
            };
            for side in 0..self.map.shape.sides() {
                offer(self.map.shape.neighbour([c, r], side), 1.0);
            }
            for [dx, dz] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
                let beside = [[c + dx, r], [c, r + dz]];
                if diagonals && beside.iter().all(|&at| self.is_free(at).is_some()) {
                    offer([c + dx, r + dz], 2f64.sqrt());
                }
            }
        }
        best
    }

    fn id(&self, map: &GridMapView<'_>, cell: usize) -> CellId {
        let width = i64::from(self.map.width);
        map.id([cell as i64 % width, cell as i64 / width]).unwrap()
    }
}

#[test]
fn cells_cost_what_the_formula_says_and_paths_what_dijkstra_finds() {
    let mut random = Random(5);
    let (mut reached, mut stuck, mut at_goal) = (0, 0, 0);
    for number in 0..120 {
        let shape = [CellShape::Square, CellShape::Hexagon][number % 2];
        let world = World::new(&mut random, shape);
        let config = Config::parse(&world.config()).unwrap();
        let baked = bake(Source::Grid(world.map.clone()), &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let (mesh, map) = (nav.mesh(), blob.grid_map().unwrap());
        let free: Vec<usize> = (0..world.map.free.len()).filter(|&k| world.map.free[k]).collect();
        let mut buffer = GridBuffer::new(GridScratchSize::of(&map));
        for (agent, name) in ["deer", "frog"].into_iter().enumerate() {
            let filter = QueryFilter::new().agent(&mesh, name).unwrap();
            let filter = filter.weights(&mesh, "").unwrap();
            let own = CellFilter::new(&map, &mesh, &filter).fields(&map, agent as u16);
            let query = GridQuery::new(map).with_filter(&own);
            let navmesh = NavQuery::new(mesh).with_filter(&filter);
            let mut costs = vec![f64::NAN; world.map.free.len()];
            for &cell in &free {
                let id = world.id(&map, cell);
                let on_mesh = navmesh.locate(map.centre(id), 0.5).unwrap();
                let in_band = filter.area_cost(mesh.area(on_mesh.polygon()));
                let cost = world.cost(cell, agent);
                let found = in_band * map.factor(id, agent as u16);
                assert!((found / cost - 1.0).abs() < 1e-6, "{found} {cost}");
                // A band costs what its middle does: half of it off, of each field.
                let weight = WEIGHTS[usize::from(world.map.terrain[cell])];
                let fields = [world.clearance, world.fire, world.mud];
                let off: f64 = fields.iter().map(|f| (f.peak - 1.0) / f.bands as f64).sum();
                assert!((in_band - cost).abs() <= weight * off + 1e-6, "{in_band} {cost}");
                costs[cell] = (cost * 1024.0).round() / 1024.0;
                let planner = if number % 2 == 1 { GridPlanner::Hex } else { GridPlanner::Grid4 };
                let alone = GridRequest::new(map.centre(id), &[], planner);
                let found = query.potential(&alone, 0.0).unwrap().at(id).unwrap();
                assert!((found - cost).abs() <= 0.5 / 1024.0 + 1e-5, "{found} {cost}");
                costs[cell] = found;
            }
            for planner in GridPlanner::ALL.into_iter().filter(|p| p.shape() == shape) {
                let start = free[random.below(free.len())];
                let least = world.dijkstra(start, &costs, planner == GridPlanner::Grid8);
                for _ in 0..6 {
                    let goal = free[random.below(free.len())];
                    let ends = [start, goal].map(|k| map.centre(world.id(&map, k)));
                    let mut request = GridRequest::new(ends[0], &ends[1..], planner);
                    let path = query.find_path(&request, &mut buffer).unwrap();
                    assert_eq!(path.status == Status::Reached, least[goal].is_finite());
                    if path.status == Status::Reached {
                        let expected = least[goal] * world.map.cell;
                        assert!((path.cost - expected).abs() < 1e-6, "{} {expected}", path.cost);
                        assert!(path.bound <= expected + 1e-6 && path.bound >= 0.999 * expected);
                        reached += 1;
                    }
                    // Backwards a step costs what the cell that it enters, seen from the start.
                    let forward = path.cost;
                    request.a_star.reverse = true;
                    let back = query.find_path(&request, &mut buffer).unwrap();
                    assert!((back.cost - forward).abs() < 1e-6);
                    let end = descend(&world, &query, &request, &costs);
                    stuck += usize::from(end == DescentEnd::Minimum);
                    at_goal += usize::from(end == DescentEnd::Goal);
                }
            }
        }
    }
    assert!(reached > 500 && stuck > 100 && at_goal > 100, "{reached} {stuck} {at_goal}");
}

/// A descent, checked step by step against what is around.
fn descend(
    world: &World,
    query: &GridQuery<'_>,
    request: &GridRequest<'_>,
    costs: &[f64],
) -> DescentEnd {
    let map = query.map();
    let mut cells = vec![CellId(0); map.free_count() as usize];
    let descent = query.potential(request, 1.5).unwrap().descend(&mut cells);
    let goal = request.to[0];
    let number = |[c, r]: [i64; 2]| world.is_free([c, r]);
    let potential = |k: usize| {
        let [x, z] = world.map.middle(k);
        costs[k] + 1.5 * (x - goal[0]).hypot(z - goal[2])
    };
    let around = |[c, r]: [i64; 2]| -> Vec<usize> {
        let sides = (0..map.shape().sides()).map(|k| map.shape().neighbour([c, r], k));
        let mut all: Vec<usize> = sides.filter_map(number).collect();
        if request.planner == GridPlanner::Grid8 {
            for [dx, dz] in [[1, 1], [1, -1], [-1, 1], [-1, -1]] {
                if number([c + dx, r]).is_some() && number([c, r + dz]).is_some() {
                    all.extend(number([c + dx, r + dz]));
                }
            }
        }
        all
    };
    let places: Vec<[i64; 2]> =
        descent.cells.iter().map(|&cell| map.column_row(cell).map(i64::from)).collect();
    for (i, &place) in places.iter().enumerate() {
        let own = potential(number(place).unwrap());
        let lowest = around(place).into_iter().map(potential).fold(f64::INFINITY, f64::min);
        match places.get(i + 1) {
            Some(&next) => {
                let next = number(next).unwrap();
                assert!(around(place).contains(&next));
                // Both sums are rounded.
                assert!(potential(next) < own + 1e-9, "{own}");
                assert!(potential(next) < lowest + 1e-9);
            }
            None if descent.end == DescentEnd::Goal => {
                assert_eq!(world.map.middle(number(place).unwrap()), [goal[0], goal[2]]);
            }
            None => assert!(lowest >= own - 1e-9, "{lowest} {own}"),
        }
    }
    descent.end
}

/// A floor of 20 m by 16 m with a balcony above a part of it.
pub(crate) fn floor() -> Source {
    let quad = |x: [f64; 2], z: [f64; 2], y: f64| {
        [[x[0], y, z[0]], [x[0], y, z[1]], [x[1], y, z[1]], [x[1], y, z[0]]]
    };
    Builder::new()
        .quad(quad([0.0, 20.0], [0.0, 16.0], 0.0))
        .quad(quad([6.0, 14.0], [4.0, 12.0], 6.0))
        .source()
}

pub(crate) const FLOOR: &str = "[[agent]]\nradius = 0.3\n[[area]]\nname = \"lava\"\n\
    [[marker]]\nname = \"fire\"\nposition = [7.0, 0.0, 8.0]\n\
    [[volume]]\nbox = [[15.0, -1.0, 6.0], [17.0, 1.0, 9.0]]\narea = \"lava\"\n";

#[test]
fn bands_of_fields_are_at_most_one_off_and_on_one_storey() {
    for falloff in FALLOFFS {
        let fire = Field { range: 4.0, peak: 9.0, falloff, bands: 4 };
        let lava = Field { range: 2.0, peak: 3.0, falloff, bands: 2 };
        let text = format!(
            "{FLOOR}[[field]]\npoints = [\"fire\", [10.0, 0.0, 3.0]]\n{}[[field]]\nareas = [\"lava\"]\n{}",
            fire.text(),
            lava.text()
        );
        let config = Config::parse(&text).unwrap();
        let baked = bake(floor(), &config, &Options::default()).unwrap();
        assert_eq!(baked.summary.warnings, []);
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let mesh = nav.mesh();
        let filter = QueryFilter::new().weights(&mesh, "").unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        let mut sums = vec![0; mesh.polygon_count() as usize];
        let areas = query.areas(&mut sums).unwrap();
        let mut random = Places::new(3);
        let mut dear = 0;
        for _ in 0..4000 {
            let at = query.random_place(&areas, &mut random).unwrap();
            let [x, y, z] = at.position();
            let cost = filter.area_cost(mesh.area(at.polygon()));
            if y > 3.0 {
                assert_eq!(cost, 1.0, "fields are below the balcony");
                continue;
            }
            let near = (x - 7.0).hypot(z - 8.0).min((x - 10.0).hypot(z - 3.0));
            let beside = |v: f64, [low, high]: [f64; 2]| (low - v).max(v - high).max(0.0);
            let off_lava = beside(x, [15.0, 17.0]).hypot(beside(z, [6.0, 9.0]));
            // The least and the greatest cost of a band and of those beside it.
            let range = |field: &Field, distance: f64| {
                let band = field.range / field.bands as f64;
                [distance + band, distance - band].map(|d| field.extra(d.max(0.0)))
            };
            let [a, b] = [range(&fire, near), range(&lava, off_lava)];
            let (low, high) = (1.0 + a[0] + b[0], 1.0 + a[1] + b[1]);
            assert!((low - 1e-6..=high + 1e-6).contains(&cost), "{x} {z}: {low} {cost} {high}");
            dear += usize::from(cost > 1.0);
        }
        assert!(dear > 300, "{dear}");
    }
}

#[test]
fn no_path_through_a_field_is_cheaper_than_the_bound_of_the_weighted_one() {
    let fire = Field { range: 4.0, peak: 4.0, falloff: "gaussian", bands: 2 };
    let text = format!("{FLOOR}[[field]]\npoints = [\"fire\", [10.0, 0.0, 3.0]]\n{}", fire.text());
    let config = Config::parse(&text).unwrap();
    let baked = bake(floor(), &config, &Options::default()).unwrap();
    let nav = NavMeshBuf::open(&baked.bytes).unwrap();
    let mesh = nav.mesh();
    let filter = QueryFilter::new().weights(&mesh, "").unwrap();
    let query = NavQuery::new(mesh).with_filter(&filter);
    let mut scratch = Scratch::new();
    let cost_of = |line: &[[f64; 3]]| {
        let mut sum = 0.0;
        for w in line.windows(2) {
            let long = (w[1][0] - w[0][0]).hypot(w[1][2] - w[0][2]);
            let parts = (long / 0.02).ceil();
            for k in 0..parts as u32 {
                let t = (f64::from(k) + 0.5) / parts;
                let p = [w[0][0] + t * (w[1][0] - w[0][0]), 0.0, w[0][2] + t * (w[1][2] - w[0][2])];
                // A path along a border pays the cheaper side.
                let aside = [w[1][2] - w[0][2], w[0][0] - w[1][0]].map(|v| 0.003 * v / long);
                let costs = [-1.0, 0.0, 1.0].map(|side| {
                    let p = [p[0] + side * aside[0], 0.0, p[2] + side * aside[1]];
                    let at = query.nearest(p, [0.1, 0.5, 0.1]).unwrap();
                    filter.area_cost(mesh.area(at.polygon()))
                });
                sum += long / parts * costs.into_iter().fold(f64::INFINITY, f64::min);
            }
        }
        sum
    };
    let mut random = Random(9);
    let mut place =
        || [1.0 + random.below(180) as f64 / 10.0, 0.0, 1.0 + random.below(140) as f64 / 10.0];
    for _ in 0..10 {
        let [from, to] = [place(), place()];
        let request = PathRequest::new(from, to).algorithm(Algorithm::weighted(0.02));
        let path = query.find_path(&request, &mut scratch).unwrap();
        assert_eq!(path.status, Status::Reached);
        assert!(0.0 < path.bound && path.bound <= path.cost, "{} {}", path.bound, path.cost);
        let own = cost_of(path.points);
        assert!((own / path.cost - 1.0).abs() < 0.01, "{own} {}", path.cost);
        for _ in 0..20 {
            let other = cost_of(&[from, place(), to]);
            assert!(other > path.bound * 0.995, "{other} {}", path.bound);
        }
    }
}

#[test]
fn a_descent_on_the_navmesh_falls_and_says_when_it_is_stuck() {
    let fire = Field { range: 4.0, peak: 9.0, falloff: "linear", bands: 4 };
    let text = format!("{FLOOR}[[field]]\npoints = [\"fire\"]\n{}", fire.text());
    let config = Config::parse(&text).unwrap();
    let baked = bake(floor(), &config, &Options::default()).unwrap();
    let nav = NavMeshBuf::open(&baked.bytes).unwrap();
    let mesh = nav.mesh();
    let filter = QueryFilter::new().weights(&mesh, "").unwrap();
    let query = NavQuery::new(mesh).with_filter(&filter);
    let ask = |from: [f64; 3], goal, pull| {
        let start = query.locate(from, 1.0).unwrap();
        let mut places = vec![start; 2000];
        let request = DescentRequest { goal, pull, step: 0.5 };
        let descent = query.descend(&start, &request, &mut places);
        let all: Vec<f64> = descent.places.iter().map(|at| query.potential(at, &request)).collect();
        assert!(all.windows(2).all(|w| w[1] < w[0]), "{all:?}");
        (descent.end, descent.places.last().unwrap().position(), all)
    };
    // Out of the fire, to plain ground: no goal pulls.
    let (end, at, all) = ask([7.4, 0.0, 8.0], None, 0.0);
    assert_eq!((end, all.last()), (DescentEnd::Minimum, Some(&1.0)));
    assert!((at[0] - 7.0).hypot(at[2] - 8.0) > 3.9, "{at:?}");
    // Past the fire's side, and around it.
    let goal = [2.0, 0.0, 14.0];
    assert_eq!(ask([14.0, 0.0, 14.0], Some(goal), 1.0).0, DescentEnd::Goal);
    assert_eq!(ask([14.0, 0.0, 8.0], Some([1.0, 0.0, 8.0]), 1.0).0, DescentEnd::Goal);
    // No room.
    let start = query.locate([14.0, 0.0, 14.0], 1.0).unwrap();
    let request = DescentRequest { goal: Some(goal), pull: 1.0, step: 0.5 };
    let mut few = [start; 3];
    let descent = query.descend(&start, &request, &mut few);
    assert_eq!((descent.end, descent.places.len()), (DescentEnd::OutOfRoom, 3));
}

#[test]
fn a_descent_on_the_navmesh_is_stuck_before_a_field_across() {
    let hot = Field { range: 4.0, peak: 9.0, falloff: "linear", bands: 4 };
    let text = format!(
        "[[agent]]\nradius = 0.3\n[[area]]\nname = \"lava\"\n[[volume]]\n\
         box = [[9.0, -1.0, -1.0], [11.0, 1.0, 17.0]]\narea = \"lava\"\n[[field]]\nareas = [\"lava\"]\n{}",
        hot.text()
    );
    let config = Config::parse(&text).unwrap();
    let baked = bake(floor(), &config, &Options::default()).unwrap();
    let nav = NavMeshBuf::open(&baked.bytes).unwrap();
    let filter = QueryFilter::new().weights(&nav.mesh(), "").unwrap();
    let query = NavQuery::new(nav.mesh()).with_filter(&filter);
    let start = query.locate([18.0, 0.0, 8.0], 1.0).unwrap();
    let request = DescentRequest { goal: Some([1.0, 0.0, 8.0]), pull: 0.2, step: 0.5 };
    let mut places = vec![start; 2000];
    let descent = query.descend(&start, &request, &mut places);
    let [x, _, _] = descent.places.last().unwrap().position();
    assert_eq!(descent.end, DescentEnd::Minimum);
    assert!((14.9..15.6).contains(&x), "{x}");
}
