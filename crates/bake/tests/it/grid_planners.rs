//! Planners over cells against Dijkstra's algorithm, on baked maps with terrains, a gate, links and
//! units that stand.

use navbake_bake::{Config, Options, bake};
use navbake_format::{AreaId, Blob, CellId, GridMapView};
use navbake_gridpath::{
    CellFilter, GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize, UnitShape,
};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::{Heuristic, NavMesh, NavMeshBuf, NavQuery, QueryFilter, Status};
use navbake_testkit::Random;

/// Weights of the units on the terrains 0, 1 and 2.
pub(crate) const UNITS: [(&str, [f64; 3]); 3] = [
    ("walker", [1.0, 2.5, 4.0]),
    ("tank", [1.5, f64::INFINITY, 1.25]),
    ("duck", [3.0, 1.0, f64::INFINITY]),
];

/// The cost of a step on a map without ground that costs anything.
pub(crate) const UNKNOWN: f64 = 1e6;

const AREAS: [&str; 3] = ["plain", "mud", "water"];

/// A map, what is on it, and the config that says so.
pub(crate) struct World {
    pub(crate) map: GridMap,
    gate: [usize; 4],
    links: Vec<(usize, usize, f64)>,
}

impl World {
    pub(crate) fn new(random: &mut Random, shape: CellShape) -> World {
        let (width, height) = (6 + random.below(13), 5 + random.below(11));
        let cells = width * height;
        let blocked = random.below(45) as u64;
        let free: Vec<bool> = (0..cells).map(|k| k == 0 || !random.chance(blocked)).collect();
        // Patches, so that ground of one kind hangs together.
        let patch: Vec<u8> = (0..cells).map(|_| random.below(3) as u8).collect();
        let terrain: Vec<u8> = (0..cells)
            .map(|k| {
                let (c, r) = (k % width / 3, k / width / 3);
                if random.chance(80) { patch[r * width + c] } else { patch[k] }
            })
            .collect();
        let (c, r) = (random.below(width), random.below(height));
        let gate =
            [c, r, (c + 1 + random.below(3)).min(width), (r + 1 + random.below(3)).min(height)];
        let all: Vec<usize> = (0..cells).filter(|&k| free[k]).collect();
        let links = (0..random.below(4))
            .map(|_| (all[random.below(all.len())], all[random.below(all.len())]))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| (a, b, (a + 3 * b) as f64 % 41.0 / 8.0))
            .collect();
        let map = GridMap {
            shape,
            cell: 1.0,
            corner: [0.0; 2],
            width: width as u32,
            height: height as u32,
            free,
            terrain,
        };
        World { map, gate, links }
    }

    /// The navmesh has the area of each cell at its middle.
    fn check_areas(&self, mesh: &NavMesh<'_>, map: &GridMapView<'_>) {
        let query = NavQuery::new(*mesh);
        for k in (0..self.map.free.len()).filter(|&k| self.map.free[k]) {
            let middle = map.centre(cell_of(map, self, k));
            let area = query.locate(middle, 0.5).map(|at| mesh.area(at.polygon()));
            let area = area.and_then(|area| mesh.file().areas().nth(usize::from(area.0)));
            let expected = match self.is_gate(k) {
                true => "gate",
                false => AREAS[usize::from(self.map.terrain[k])],
            };
            assert_eq!(area.map(|area| area.name), Some(expected), "{middle:?} {:?}", self.map);
        }
    }

    /// Is a cell's middle at the gate?
    fn is_gate(&self, k: usize) -> bool {
        let [x, z] = self.map.middle(k);
        let [low_x, low_z, far_x, far_z] = self.gate.map(|v| v as f64 + 0.25);
        (low_x..far_x).contains(&x) && (low_z..far_z).contains(&z)
    }

    fn width(&self) -> i64 {
        i64::from(self.map.width)
    }

    pub(crate) fn bake(&self) -> Vec<u8> {
        let config = Config::parse(&self.config()).unwrap();
        bake(Source::Grid(self.map.clone()), &config, &Options::default()).unwrap().bytes
    }

    pub(crate) fn config(&self) -> String {
        let mut text = String::from("[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n");
        for (name, _) in UNITS {
            text += &format!("[[agent]]\nname = \"{name}\"\n");
        }
        text += "[weights.units]\n";
        for (name, weights) in UNITS {
            let each: Vec<String> = (AREAS.iter().zip(weights))
                .map(|(area, weight)| format!("{area} = {weight:?}"))
                .collect();
            text += &format!("{name} = {{ {} }}\n", each.join(", "));
        }
        text += "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[switch]]\nname = \"gate\"\n";
        let [c, r, far_c, far_r] = self.gate;
        text += &format!(
            "[[volume]]\nbox = [[{c}.25, -1.0, {r}.25], [{far_c}.25, 1.0, {far_r}.25]]\narea = \"gate\"\n"
        );
        let middle = |k: usize| {
            let [x, z] = self.map.middle(k);
            format!("[{x:?}, 0.0, {z:?}]")
        };
        for &(from, to, cost) in &self.links {
            let (from, to) = (middle(from), middle(to));
            text += &format!("[[link]]\nfrom = {from}\nto = {to}\ncost = {cost:?}\n");
        }
        text
    }
}

/// The world as a unit sees it.
pub(crate) struct Seen<'a> {
    pub(crate) world: &'a World,
    pub(crate) weights: [f64; 3],
    pub(crate) gate_closed: bool,
    /// The cells that the unit covers.
    pub(crate) covers: Vec<[i64; 2]>,
    /// Cells with other units.
    pub(crate) stood_on: Vec<usize>,
    /// Cells that are tried with another terrain.
    pub(crate) painted: Vec<(usize, u8)>,
    pub(crate) grid8: bool,
    pub(crate) cutting: bool,
    pub(crate) penalty: f64,
}

impl Seen<'_> {
    fn at(&self, [c, r]: [i64; 2]) -> Option<usize> {
        let map = &self.world.map;
        let inside = c >= 0 && r >= 0 && c < i64::from(map.width) && r < i64::from(map.height);
        let k = r * self.world.width() + c;
        (inside && map.free[k as usize]).then_some(k as usize)
    }

    fn place(&self, k: usize) -> [i64; 2] {
        [k as i64 % self.world.width(), k as i64 / self.world.width()]
    }

    fn is_gate(&self, k: usize) -> bool {
        self.world.is_gate(k)
    }

    fn weight(&self, k: usize) -> f64 {
        match self.painted.iter().rev().find(|&&(cell, _)| cell == k) {
            Some(&(_, terrain)) => self.weights[usize::from(terrain)],
            None => self.baked_weight(k),
        }
    }

    fn baked_weight(&self, k: usize) -> f64 {
        if self.is_gate(k) { 1.0 } else { self.weights[usize::from(self.world.map.terrain[k])] }
    }

    fn is_shut(&self, k: usize) -> bool {
        self.weight(k).is_infinite() || (self.is_gate(k) && self.gate_closed)
    }

    /// Do the areas that were baked block a link? They do however its ends are painted.
    fn is_blocked(&self, from: usize, to: usize) -> bool {
        let is_shut =
            |k| self.baked_weight(k).is_infinite() || (self.is_gate(k) && self.gate_closed);
        is_shut(to) && !is_shut(from)
    }

    /// Does the unit fit on a cell, on open ground if it began there?
    fn fits(&self, k: usize, open: bool) -> bool {
        let [c, r] = self.place(k);
        let covered: Vec<[i64; 2]> = match self.world.map.shape {
            CellShape::Square => self.covers.iter().map(|&[dx, dz]| [c + dx, r + dz]).collect(),
            // All shapes here take a hexagon, or those around it too.
            shape => {
                let around = (0..shape.sides()).map(|k| shape.neighbour([c, r], k));
                let around = around.filter(|_| self.covers.len() > 1);
                around.chain([[c, r]]).collect()
            }
        };
        covered.into_iter().all(|cell| {
            self.at(cell)
                .is_some_and(|k| !(self.stood_on.contains(&k) || (open && self.is_shut(k))))
        })
    }

    /// By columns and rows; the first of squares is diagonal.
    fn directions(&self, [c, r]: [i64; 2]) -> Vec<[i64; 2]> {
        let shape = self.world.map.shape;
        match shape {
            CellShape::Square => DIRECTIONS.to_vec(),
            CellShape::Hexagon => {
                let all = (0..shape.sides()).map(|k| shape.neighbour([c, r], k));
                all.map(|[x, z]| [x - c, z - r]).collect()
            }
        }
    }

    /// The least cost from a cell to each, by cells and the direction of the last step.
    pub(crate) fn distances(&self, start: usize) -> Vec<f64> {
        let n = self.world.map.free.len();
        let open = !self.is_shut(start);
        let fits: Vec<bool> =
            (0..n).map(|k| self.at(self.place(k)).is_some() && self.fits(k, open)).collect();
        // Shut ground costs what the cheapest ground does.
        let least = (0..n)
            .filter(|&k| fits[k] && self.weight(k).is_finite())
            .map(|k| self.weight(k))
            .fold(f64::INFINITY, f64::min);
        // Where no cell has a cost of its own, all steps cost the same, whatever that is.
        let least = if least.is_finite() { least } else { UNKNOWN };
        let cost = |k: usize| if self.weight(k).is_finite() { self.weight(k) } else { least };
        let enters = |a: usize, b: usize| fits[b] && (!self.is_shut(b) || self.is_shut(a));
        let mut best = vec![f64::INFINITY; 9 * n];
        best[9 * start + 8] = 0.0;
        let mut done = vec![false; 9 * n];
        loop {
            let next = (0..9 * n).filter(|&s| !done[s] && best[s].is_finite());
            let Some(state) = next.min_by(|&a, &b| best[a].total_cmp(&best[b])) else {
                break;
            };
            done[state] = true;
            let (k, heading, own) = (state / 9, state % 9, best[state]);
            let [c, r] = self.place(k);
            let mut offer = |to: usize, heading: usize, total: f64| {
                let state = 9 * to + heading;
                best[state] = best[state].min(total);
            };
            let hexagons = self.world.map.shape == CellShape::Hexagon;
            for (d, [dx, dz]) in self.directions([c, r]).into_iter().enumerate() {
                let Some(to) = self.at([c + dx, r + dz]).filter(|&to| enters(k, to)) else {
                    continue;
                };
                let diagonal = !hexagons && dx != 0 && dz != 0;
                if diagonal {
                    let beside = [[c + dx, r], [c, r + dz]].map(|p| self.at(p));
                    let past = |b: Option<usize>| b.is_some_and(|b| enters(k, b));
                    // Once off shut ground a path stays off it: what is beside must too.
                    let count = beside.into_iter().filter(|&b| past(b)).count();
                    if !self.grid8 || count < if self.cutting { 1 } else { 2 } {
                        continue;
                    }
                }
                let turn = heading != 8 && heading != d;
                let step = cost(to) * if diagonal { 2f64.sqrt() } else { 1.0 };
                let heading = if self.penalty > 0.0 { d } else { 8 };
                offer(to, heading, own + step + if turn { self.penalty } else { 0.0 });
            }
            for &(from, to, cost) in &self.world.links {
                if from == k && enters(k, to) && !self.is_blocked(from, to) {
                    offer(to, 8, own + cost);
                }
            }
        }
        best.chunks(9).map(|b| b.iter().copied().fold(f64::INFINITY, f64::min)).collect()
    }
}

const DIRECTIONS: [[i64; 2]; 8] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

#[test]
fn costs_over_squares_with_weights_gates_links_and_units_are_those_of_dijkstra() {
    compare(CellShape::Square, navbake_testkit::cases::count("NAVBAKE_MAPS", 200));
}

#[test]
fn costs_over_hexagons_with_weights_gates_links_and_units_are_those_of_dijkstra() {
    compare(CellShape::Hexagon, navbake_testkit::cases::count("NAVBAKE_MAPS", 200));
}

fn compare(cells: CellShape, worlds: usize) {
    let (mut random, mut followers) = (Random(11), Random(12));
    let (mut pairs, mut reached, mut over_links, mut jumped_free, mut fitted) = (0, 0, 0, 0, 0);
    for _ in 0..worlds {
        let world = World::new(&mut random, cells);
        let bytes = world.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let nav = NavMeshBuf::open(&bytes).unwrap();
        let (mesh, map) = (nav.mesh(), blob.grid_map().unwrap());
        let mut buffer = GridBuffer::new(GridScratchSize::with_turns(&map));
        world.check_areas(&mesh, &map);
        for (name, weights) in UNITS {
            let gate_closed = random.chance(50);
            let filter = QueryFilter::new().agent(&mesh, name).unwrap();
            let mut filter = filter.weights(&mesh, "").unwrap();
            if gate_closed && mesh.file().switches().len() > 0 {
                filter = filter.block(&mesh, "gate").unwrap();
            }
            let shape =
                [UnitShape::Cell, UnitShape::Cell, UnitShape::Block(2), UnitShape::Disc(0.8)]
                    [random.below(4)];
            let covers: Vec<[i64; 2]> = match shape {
                UnitShape::Cell => vec![[0, 0]],
                UnitShape::Block(_) => vec![[0, 0], [1, 0], [0, 1], [1, 1]],
                // Beside it at 0.5 m, at its corners 0.71 m away.
                UnitShape::Disc(_) => {
                    (-1..=1).flat_map(|z| (-1..=1).map(move |x| [x, z])).collect()
                }
            };
            let mut own = CellFilter::new(&map, &mesh, &filter).shape(&map, shape);
            let free: Vec<usize> =
                (0..world.map.free.len()).filter(|&k| world.map.free[k]).collect();
            let id = |k: usize| cell_of(&map, &world, k);
            let stood_on: Vec<usize> =
                (0..random.below(3)).map(|_| free[random.below(free.len())]).collect();
            for &k in &stood_on {
                own.stand(&map, id(k), 5);
            }
            let number = |name| blob.areas().position(|area| area.name == name);
            let painted: Vec<(usize, u8)> = (0..random.below(2) * random.below(12))
                .map(|_| (free[random.below(free.len())], random.below(3) as u8))
                .filter(|&(_, terrain)| number(AREAS[usize::from(terrain)]).is_some())
                .collect();
            for &(k, terrain) in &painted {
                let area = number(AREAS[usize::from(terrain)]).unwrap();
                own.paint(&map, &filter, id(k), AreaId(area as u8));
            }
            for _ in 0..4 {
                let start = free[random.below(free.len())];
                // The unit that stands there, or another.
                let asks = random.chance(30);
                let seen = Seen {
                    world: &world,
                    weights,
                    gate_closed,
                    covers: covers.clone(),
                    stood_on: if asks { vec![] } else { stood_on.clone() },
                    painted: painted.clone(),
                    grid8: random.chance(70),
                    cutting: shape == UnitShape::Cell && random.chance(20),
                    penalty: [0.0, 0.0, 0.5][random.below(3)],
                };
                let known = seen.distances(start);
                let beside = free[followers.below(free.len())];
                let known_beside = seen.distances(beside);
                let planner = match (cells, seen.grid8) {
                    (CellShape::Hexagon, _) => GridPlanner::Hex,
                    (_, true) => GridPlanner::Grid8,
                    (_, false) => GridPlanner::Grid4,
                };
                let guided = own.clone().landmarks(&map, planner, 3);
                for _ in 0..10 {
                    let goal = free[random.below(free.len())];
                    let goals = [map.centre(id(goal))];
                    let mut request = GridRequest {
                        corner_cutting: seen.cutting,
                        turn_penalty: seen.penalty,
                        unit: asks.then_some(5),
                        ..GridRequest::new(map.centre(id(start)), &goals, planner)
                    };
                    request.a_star.reverse = random.chance(40);
                    if random.chance(20) {
                        request.a_star.heuristic = Heuristic::Zero;
                    }
                    let mut query = GridQuery::new(map).with_filter(&own);
                    if followers.chance(40) && guided.has_landmarks() {
                        request.a_star.heuristic = Heuristic::Table;
                        query = query.with_filter(&guided);
                    }
                    let budget = [1, 7, 1000][random.below(3)];
                    let mut search = query.start_path(&request, &mut buffer).unwrap();
                    while search.step(&query, &mut buffer, budget) == Status::Looking {}
                    let path = search.path(&query, &mut buffer);
                    pairs += 1;
                    let optimum = known[goal];
                    let what = format!("{name} {shape:?} {request:?} {}", world.config());
                    assert_eq!(path.status == Status::Reached, optimum.is_finite(), "{what}");
                    if path.status == Status::Reached {
                        reached += 1;
                        over_links += usize::from(!path.links.is_empty());
                        jumped_free += usize::from(stood_on.is_empty());
                        assert!(path.certified_optimal, "{what}");
                        let slack = 1e-9 * optimum.max(1.0);
                        let is_known = optimum < UNKNOWN;
                        assert!(
                            !is_known || (path.cost - optimum).abs() <= slack,
                            "{} {optimum} {what}",
                            path.cost
                        );
                        assert_eq!(path.cells.first(), Some(&id(start)), "{what}");
                        assert_eq!(path.cells.last(), Some(&id(goal)), "{what}");
                        let (cells, cost) = (path.cells.to_vec(), path.cost);
                        let alike = search.fitted(&query, request.from, None, &mut buffer);
                        if !seen.is_shut(start) {
                            let alike = alike.expect("the path as it is");
                            assert_eq!(alike.cells, cells, "{what}");
                            assert!((alike.cost - cost).abs() <= slack, "{what}");
                        }
                        let from = map.centre(id(beside));
                        if let Some(other) = search.fitted(&query, from, None, &mut buffer) {
                            fitted += 1;
                            let (optimum, cost) = (known_beside[goal], other.cost);
                            assert!(cost >= optimum - slack || optimum >= UNKNOWN, "{what}");
                            assert!(optimum.is_finite() && !other.certified_optimal, "{what}");
                            assert_eq!(other.cells.first(), Some(&id(beside)), "{what}");
                            assert_eq!(other.cells.last(), Some(&id(goal)), "{what}");
                        }
                    }
                }
            }
        }
    }
    assert!(
        pairs > 20_000
            && reached > 8_000
            && over_links > 500
            && jumped_free > 2_500
            && fitted > 1_500,
        "{pairs} {reached} {over_links} {jumped_free} {fitted}"
    );
}

pub(crate) fn cell_of(map: &GridMapView<'_>, world: &World, k: usize) -> CellId {
    let k = k as i64;
    map.id([k % world.width(), k / world.width()]).unwrap()
}

/// Two halls with two passages of one hexagon between them.
#[test]
fn doors_without_width_close_the_passages_between_hexagons_that_they_cross() {
    let (width, height, wall, openings) = (15i64, 11i64, 7i64, [2i64, 8]);
    let cells = || (0..height).flat_map(|row| (0..width).map(move |column| [column, row]));
    let is_open = |[column, row]: [i64; 2]| column != wall || openings.contains(&row);
    let map = GridMap {
        shape: CellShape::Hexagon,
        cell: 1.0,
        corner: [0.0; 2],
        width: width as u32,
        height: height as u32,
        free: cells().map(is_open).collect(),
        terrain: vec![],
    };
    let shape = CellShape::Hexagon;
    let at = |row: i64| shape.middle([wall, row]);
    let doors = openings.map(at).map(|[x, z]| format!("[{x:?}, 0.0, {z:?}]"));
    let [upper, lower] = doors;
    let config = format!(
        "[rooms]\nenabled = true\n[rooms.doors]\nupper = {upper}\nlower = {lower}\n\
         [[switch]]\nname = \"upper\"\n[[switch]]\nname = \"lower\"\n"
    );
    let config = Config::parse(&config).unwrap();
    let baked = bake(Source::Grid(map), &config, &Options::default()).unwrap();
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    let nav = NavMeshBuf::open(&baked.bytes).unwrap();
    let (mesh, map) = (nav.mesh(), blob.grid_map().unwrap());
    let mut buffer = GridBuffer::new(GridScratchSize::of(&map));
    for closed in [&[][..], &["upper"], &["lower"], &["upper", "lower"]] {
        let filter = closed
            .iter()
            .fold(QueryFilter::new(), |filter, switch| filter.block(&mesh, switch).unwrap());
        let own = CellFilter::new(&map, &mesh, &filter);
        let query = GridQuery::new(map).with_filter(&own);
        // A closed passage leads nowhere: for all other cells it is as if it were a wall.
        let names = ["upper", "lower"];
        let shut = |cell: [i64; 2]| {
            let passages = names.iter().zip(openings).filter(|(name, _)| closed.contains(name));
            passages.into_iter().any(|(_, row)| cell == [wall, row])
        };
        let ends = || cells().filter(|&[column, row]| column != wall && is_open([column, row]));
        for from in ends() {
            let mut steps = vec![None; (width * height) as usize];
            let place = |[column, row]: [i64; 2]| (row * width + column) as usize;
            steps[place(from)] = Some(0u32);
            let mut line = std::collections::VecDeque::from([from]);
            while let Some(cell) = line.pop_front() {
                for k in 0..6 {
                    let next = shape.neighbour(cell, k);
                    let inside = (0..width).contains(&next[0]) && (0..height).contains(&next[1]);
                    if inside && is_open(next) && !shut(next) && steps[place(next)].is_none() {
                        steps[place(next)] = steps[place(cell)].map(|count| count + 1);
                        line.push_back(next);
                    }
                }
            }
            for to in ends() {
                let centre = |cell| map.centre(map.id(cell).unwrap());
                let goals = [centre(to)];
                let request = GridRequest::new(centre(from), &goals, GridPlanner::Hex);
                let mut scratch = buffer.scratch();
                let found = query.find_path(&request, &mut scratch).unwrap();
                let cost = (found.status == Status::Reached).then_some(found.cost);
                let known = steps[place(to)].map(f64::from);
                assert_eq!(cost, known, "{closed:?} {from:?} {to:?}");
            }
        }
    }
}
