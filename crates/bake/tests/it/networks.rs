//! Searches over route networks against Dijkstra's algorithm over lines that plain geometry judges.

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, NetworkView};
use navbake_gridpath::{Network, NetworkAnswer, NetworkBuffer, NetworkRequest};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::path::Order;
use navbake_search::{
    AStar, Algorithm, Heuristic, NavMeshBuf, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;

/// Weights of the units on the terrains 0, 1 and 2.
const UNITS: [(&str, [f64; 3]); 2] =
    [("walker", [1.0, 2.5, 4.0]), ("tank", [1.5, f64::INFINITY, 1.25])];

/// A map with a gate over some cells, and links.
struct World {
    map: GridMap,
    /// Least and greatest column and row.
    gate: [usize; 4],
    links: Vec<([f64; 2], [f64; 2], f64)>,
    weights: [f64; 3],
    closed: bool,
}

/// How the ground is at a place.
#[derive(Clone, Copy, PartialEq)]
enum Ground {
    Blocked,
    /// Closed or forbidden: only left, at this cost.
    Shut(f64),
    Open(f64),
}

/// May a path lead from one place to another?
fn enters(from: Ground, to: Ground) -> bool {
    !matches!((from, to), (_, Ground::Blocked) | (Ground::Open(_), Ground::Shut(_)))
}

impl World {
    fn new(random: &mut Random, terrains: usize, links: usize) -> World {
        let (width, height) = (5 + random.below(12), 5 + random.below(12));
        let blocked = random.below(40) as u64;
        let free: Vec<bool> =
            (0..width * height).map(|k| k == 0 || !random.chance(blocked)).collect();
        let patch: Vec<u8> = free.iter().map(|_| random.below(terrains) as u8).collect();
        let terrain: Vec<u8> = (0..free.len())
            .map(|k| {
                let (c, r) = (k % width / 4, k / width / 4);
                if random.chance(85) { patch[r * width + c] } else { patch[k] }
            })
            .collect();
        let (c, r) = (random.below(width), random.below(height));
        let gate =
            [c, r, (c + 1 + random.below(3)).min(width), (r + 1 + random.below(3)).min(height)];
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            width: width as u32,
            height: height as u32,
            free,
            terrain,
        };
        let mut world = World { map, gate, links: vec![], weights: UNITS[0].1, closed: false };
        for k in 0..links {
            let (from, to) = (world.place(random), world.place(random));
            if from != to {
                world.links.push((from, to, (3 * k + 1) as f64 / 4.0));
            }
        }
        world
    }

    /// A place on a free cell, on no line of the map.
    fn place(&self, random: &mut Random) -> [f64; 2] {
        let free: Vec<usize> = (0..self.map.free.len()).filter(|&k| self.map.free[k]).collect();
        let (k, width) = (free[random.below(free.len())], self.map.width as usize);
        let mut within = || (3 + 2 * random.below(28)) as f64 / 64.0 + 1.0 / 256.0;
        [(k % width) as f64 + within(), (k / width) as f64 + within()]
    }

    fn config(&self, networks: &str) -> String {
        let mut text = String::from("[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n");
        for (name, _) in UNITS {
            text += &format!("[[agent]]\nname = \"{name}\"\n");
        }
        text += "[weights.units]\n";
        for (name, [plain, mud, water]) in UNITS {
            text +=
                &format!("{name} = {{ plain = {plain:?}, mud = {mud:?}, water = {water:?} }}\n");
        }
        text += "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[switch]]\nname = \"gate\"\n";
        let [c, r, far_c, far_r] = self.gate;
        text += &format!(
            "[[volume]]\nbox = [[{c}.25, -1.0, {r}.25], [{far_c}.25, 1.0, {far_r}.25]]\narea = \"gate\"\n"
        );
        for ([x, z], [to_x, to_z], cost) in &self.links {
            text += &format!(
                "[[link]]\nfrom = [{x:?}, 0.0, {z:?}]\nto = [{to_x:?}, 0.0, {to_z:?}]\ncost = {cost:?}\n"
            );
        }
        text + networks
    }

    fn cell(&self, column: f64, row: f64) -> Option<usize> {
        let inside = |v: f64, most: u32| v >= 0.0 && v < f64::from(most);
        let k = row.floor() as usize * self.map.width as usize + column.floor() as usize;
        (inside(column, self.map.width) && inside(row, self.map.height) && self.map.free[k])
            .then_some(k)
    }

    /// The least cost of ground that is not forbidden.
    fn least(&self) -> f64 {
        let free = (0..self.map.free.len()).filter(|&k| self.map.free[k]);
        let least = free.map(|k| self.weight(k)).filter(|w| w.is_finite());
        let least = least.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }

    /// Is a cell of the gate? Its middle decides.
    fn is_gate(&self, cell: usize) -> bool {
        let width = self.map.width as usize;
        let [column, row, far_column, far_row] = self.gate;
        (column..far_column).contains(&(cell % width)) && (row..far_row).contains(&(cell / width))
    }

    fn weight(&self, cell: usize) -> f64 {
        match self.is_gate(cell) {
            true => 1.0,
            false => self.weights[usize::from(self.map.terrain[cell])],
        }
    }

    fn ground(&self, at: [f64; 2], least: f64) -> Ground {
        let Some(cell) = self.cell(at[0], at[1]) else {
            return Ground::Blocked;
        };
        match self.weight(cell) {
            _ if self.is_gate(cell) && self.closed => Ground::Shut(1.0),
            weight if weight.is_finite() => Ground::Open(weight),
            _ => Ground::Shut(least),
        }
    }

    /// The cost of a straight line, where it is free: from one line of the map to the next.
    fn cost(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let least = self.least();
        let d = [to[0] - from[0], to[1] - from[1]];
        let mut cuts = vec![0.0, 1.0];
        for k in 0..2 {
            let lines = (0..=40).map(f64::from);
            cuts.extend(lines.map(|line| (line - from[k]) / d[k]).filter(|t| *t > 0.0 && *t < 1.0));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|b, a| *b - *a < 1e-12);
        let at = |t: f64| [from[0] + t * d[0], from[1] + t * d[1]];
        let (mut sum, mut last) = (0.0, None);
        for pair in cuts.windows(2) {
            let middle = at((pair[0] + pair[1]) / 2.0);
            let here = self.ground(middle, least);
            if let Some(before) = last {
                if !enters(before, here) {
                    return None;
                }
                // Through a point where lines cross, one of the places beside it must be open.
                let [x, z] = at(pair[0]);
                let is_line = |v: f64| (v - v.round()).abs() < 1e-9;
                if is_line(x) && is_line(z) && d[0] * d[1] != 0.0 {
                    let beside = [[-0.01, 0.01], [0.01, -0.01], [-0.01, -0.01], [0.01, 0.01]];
                    let beside = beside.iter().filter(|b| b[0] * d[0] * b[1] * d[1] < 0.0);
                    if !beside.into_iter().any(|b| {
                        let side = self.ground([x + b[0], z + b[1]], least);
                        enters(before, side) && enters(side, here)
                    }) {
                        return None;
                    }
                }
            }
            let (Ground::Open(weight) | Ground::Shut(weight)) = here else {
                return None;
            };
            sum += weight * (pair[1] - pair[0]) * d[0].hypot(d[1]);
            last = Some(here);
        }
        Some(sum)
    }

    /// The least cost from a place to another over a network, by Dijkstra's algorithm.
    fn distance(&self, network: &NetworkView<'_>, units: f64, ends: [[f64; 2]; 2]) -> f64 {
        let mut points: Vec<[f64; 2]> =
            network.points().map(|p| p.at.map(|v| f64::from(v) / units)).collect();
        let first = points.len();
        let mut edges: Vec<(usize, usize, f64)> = vec![];
        for from in 0..points.len() {
            for edge in network.edges_of(from as u32) {
                let to = edge.to as usize;
                let cost = self.cost(points[from], points[to]);
                edges.extend(cost.map(|cost| (from, to, cost * f64::from(edge.factor))));
            }
        }
        for &(from, to, cost) in &self.links {
            if enters(self.ground(from, 1.0), self.ground(to, 1.0)) {
                points.extend([from, to]);
                edges.push((points.len() - 2, points.len() - 1, cost));
            }
        }
        let count = points.len();
        let nearest = |at: [f64; 2], outwards: bool, own: usize| {
            let apart = |p: usize| {
                let d = [0, 1].map(|k| (points[p][k] - at[k]) * units);
                (d[0] * d[0] + d[1] * d[1]).round() as i64
            };
            let mut all: Vec<usize> = (0..count).collect();
            all.sort_by_key(|&p| (apart(p), p));
            let seen = all.into_iter().filter_map(|p| {
                let line = if outwards { [at, points[p]] } else { [points[p], at] };
                self.cost(line[0], line[1]).map(|cost| (p, cost))
            });
            let seen: Vec<(usize, f64)> = match network.joined {
                0 => seen.collect(),
                most => seen.take(most as usize).collect(),
            };
            seen.into_iter().filter(move |(p, _)| *p != own)
        };
        for from in (first..count).step_by(2) {
            let to = from + 1;
            edges.extend(nearest(points[from], false, from).map(|(p, cost)| (p, from, cost)));
            edges.extend(nearest(points[to], true, to).map(|(p, cost)| (to, p, cost)));
        }
        edges.extend(nearest(ends[0], true, usize::MAX).map(|(p, cost)| (count, p, cost)));
        edges.extend(nearest(ends[1], false, usize::MAX).map(|(p, cost)| (p, count + 1, cost)));
        edges.extend(self.cost(ends[0], ends[1]).map(|cost| (count, count + 1, cost)));
        let mut best = vec![f64::INFINITY; count + 2];
        best[count] = 0.0;
        let mut done = vec![false; count + 2];
        loop {
            let open = (0..count + 2).filter(|&p| !done[p] && best[p].is_finite());
            let Some(p) = open.min_by(|&a, &b| best[a].total_cmp(&best[b])) else {
                return best[count + 1];
            };
            done[p] = true;
            for &(_, to, cost) in edges.iter().filter(|edge| edge.0 == p) {
                best[to] = best[to].min(best[p] + cost);
            }
        }
    }
}

const NETWORKS: &str = "[[network]]\nname = \"centres\"\nkind = \"quadtree\"\n\
    [[network]]\nname = \"squares\"\nkind = \"grid\"\ncell = 0.73\njoined = 3\n\
    [[network]]\nname = \"four\"\nkind = \"grid\"\ncell = 1.37\ndiagonals = false\n";

/// A network of waypoints at some places, with lines between those that see each other.
fn waypoints(world: &World, random: &mut Random) -> String {
    let open = World { map: world.map.clone(), links: vec![], weights: [1.0; 3], ..*world };
    let open = World { closed: false, ..open };
    let places: Vec<[f64; 2]> = (0..8).map(|_| world.place(random)).collect();
    let mut edges = String::new();
    for (k, from) in places.iter().enumerate() {
        for to in &places[..k] {
            if from != to && random.chance(60) && open.cost(*from, *to).is_some() {
                let ([x, z], [to_x, to_z]) = (from, to);
                let factor = [1.0, 1.5, 2.25][random.below(3)];
                let one_way = random.chance(30);
                edges += &format!(
                    "[[network.edge]]\nfrom = [{x:?}, 0.0, {z:?}]\nto = [{to_x:?}, 0.0, {to_z:?}]\n\
                     factor = {factor:?}\none_way = {one_way}\n"
                );
            }
        }
    }
    match edges.is_empty() {
        true => edges,
        false => format!("[[network]]\nname = \"places\"\njoined = 2\n{edges}"),
    }
}

fn baked(world: &World, networks: &str) -> Vec<u8> {
    let config = Config::parse(&world.config(networks)).unwrap();
    bake(Source::Grid(world.map.clone()), &config, &Options::default()).unwrap().bytes
}

fn settings(random: &mut Random) -> AStar {
    let heuristics = [&Heuristic::ALL[..], &[Heuristic::Table; 2]].concat();
    AStar {
        order: if random.chance(15) { Order::Dijkstra } else { Order::AStar },
        heuristic: heuristics[random.below(heuristics.len())],
        reverse: random.chance(40),
        ..AStar::default()
    }
}

/// The answer of a search in steps is that of one that runs through.
fn found<'b>(
    network: &Network,
    query: &NavQuery<'_>,
    request: &NetworkRequest<'_>,
    most: u32,
    buffer: &'b mut NetworkBuffer,
) -> NetworkAnswer<'b> {
    let whole = network.find_path(query, request, buffer).unwrap();
    let kept = (whole.status, whole.cost, whole.expanded, whole.points.to_vec());
    let mut search = network.start_path(query, request, buffer).unwrap();
    while search.step(network, buffer, most) == Status::Looking {}
    let stepped = search.path(network, buffer);
    let points = stepped.points.to_vec();
    assert_eq!(kept, (stepped.status, stepped.cost, stepped.expanded, points));
    stepped
}

#[test]
fn costs_over_networks_with_weights_gates_and_links_are_those_of_dijkstra() {
    let random = &mut Random(3111);
    let (mut asked, mut reached, mut over_links, mut by_places) = (0, 0, 0, 0);
    for round in 0..navbake_testkit::cases::count("NAVBAKE_MAPS", 300) {
        let mut world = World::new(random, 3, round % 4);
        let bytes = baked(&world, &(NETWORKS.to_owned() + &waypoints(&world, random)));
        let blob = Blob::open_checked(&bytes).unwrap();
        let meshes = NavMeshBuf::open(&bytes).unwrap();
        let mesh = meshes.mesh();
        let units = mesh.grid().units();
        let origin = mesh.grid().origin;
        assert_eq!([origin[0] % 1024.0, origin[2] % 1024.0], [0.0; 2]);
        for (unit, weights) in UNITS {
            (world.weights, world.closed) = (weights, random.chance(50));
            let filter = QueryFilter::new().agent(&mesh, unit).unwrap();
            let mut filter = filter.weights(&mesh, "").unwrap();
            if world.closed {
                filter = filter.block(&mesh, "gate").unwrap();
            }
            let query = NavQuery::new(mesh).with_filter(&filter);
            for view in blob.networks(0) {
                let network = Network::new(&view, &query).landmarks(1 + round as u32 % 5);
                let mut buffer = NetworkBuffer::default();
                for _ in 0..6 {
                    let ends = [world.place(random), world.place(random)];
                    let at = |[x, z]: [f64; 2]| query.locate([x, 0.0, z], 1.0).unwrap();
                    let goals = [at(ends[1])];
                    let a_star = settings(random);
                    let request =
                        NetworkRequest { a_star, ..NetworkRequest::new(at(ends[0]), &goals) };
                    let most = [1, 7, 1000][random.below(3)];
                    let path = found(&network, &query, &request, most, &mut buffer);
                    let best = world.distance(&view, units, ends);
                    let cost = match path.status {
                        Status::Reached => path.cost,
                        _ => f64::INFINITY,
                    };
                    let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-3 * (1.0 + b);
                    let name = view.name;
                    let about = format!("{round} {name} {unit} {ends:?} {:?}", world.map);
                    assert!(cost >= best - 1e-3, "{cost} for {best}: {about}");
                    if path.certified_optimal || cost.is_infinite() {
                        assert!(close(cost, best), "{cost} for {best}: {about}");
                    }
                    assert!(path.bound <= best + 1e-3, "{} for {best}: {about}", path.bound);
                    let exact = a_star.heuristic.most() <= 1.0 || a_star.order == Order::Dijkstra;
                    assert_eq!(path.certified_optimal, exact && cost.is_finite(), "{about}");
                    asked += 1;
                    reached += usize::from(cost.is_finite());
                    by_places += usize::from(name == "places" && path.points.len() > 2);
                    over_links += usize::from(!path.links.is_empty());
                }
            }
        }
    }
    assert!(
        asked >= 5000 && reached * 3 > asked && over_links > 100 && by_places > 200,
        "{asked} {reached} {over_links} {by_places}"
    );
}

#[test]
fn paths_over_corners_in_sight_are_as_short_as_optimal_ones() {
    let random = &mut Random(55);
    let mut asked = 0;
    for round in 0..150 {
        let world = World::new(random, 1, round % 3);
        let bytes = baked(&world, "[[network]]\nname = \"sight\"\nkind = \"visibility\"\n");
        let blob = Blob::open_checked(&bytes).unwrap();
        let meshes = NavMeshBuf::open(&bytes).unwrap();
        let query = NavQuery::new(meshes.mesh());
        let Some(view) = blob.networks(0).next() else {
            continue;
        };
        let network = Network::new(&view, &query);
        let (mut buffer, mut scratch) = (NetworkBuffer::default(), Scratch::new());
        for _ in 0..20 {
            let [from, to] = [world.place(random), world.place(random)].map(|[x, z]| [x, 0.0, z]);
            let ends: [NavPoint; 2] = [from, to].map(|p| query.locate(p, 1.0).unwrap());
            let goals = [ends[1]];
            let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
            let best = query.find_path(&request, &mut scratch).unwrap();
            let best = (best.status == Status::Reached).then_some(best.cost);
            let path = network
                .find_path(&query, &NetworkRequest::new(ends[0], &goals), &mut buffer)
                .unwrap();
            let cost = (path.status == Status::Reached).then_some(path.cost);
            let close = match (cost, best) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-4 * (1.0 + b),
                (cost, best) => cost == best,
            };
            assert!(close, "{cost:?} for {best:?}: {from:?} to {to:?} on {:?}", world.map);
            asked += 1;
        }
    }
    assert!(asked > 2000, "{asked}");
}

#[test]
fn edges_cost_their_factor_and_lead_one_way() {
    // A block in the middle, with a point on each side of it.
    let mut free = vec![true; 81];
    for k in [30, 31, 32, 39, 40, 41, 48, 49, 50] {
        free[k] = false;
    }
    let map =
        GridMap { shape: CellShape::Square, cell: 1.0, width: 9, height: 9, free, terrain: vec![] };
    let config = "[[marker]]\nname = \"left\"\nposition = [1.5, 0.0, 4.5]\n\
        [[marker]]\nname = \"right\"\nposition = [7.5, 0.0, 4.5]\n\
        [[network]]\nname = \"ring\"\njoined = 1\n\
        chains = [[\"left\", [4.5, 0.0, 0.5], \"right\"]]\n\
        [[network.edge]]\nfrom = \"left\"\nto = [4.5, 0.0, 7.5]\nfactor = 1.05\none_way = true\n\
        [[network.edge]]\nfrom = [4.5, 0.0, 7.5]\nto = \"right\"\none_way = true\n";
    let config = Config::parse(config).unwrap();
    let baked = bake(Source::Grid(map), &config, &Options::default()).unwrap();
    let mesh = NavMeshBuf::open(&baked.bytes).unwrap();
    let query = NavQuery::new(mesh.mesh());
    let view = mesh.mesh().file().networks(0).next().unwrap();
    assert_eq!((view.point_count(), view.edge_count()), (4, 6));
    let mut network = Network::new(&view, &query);
    let mut buffer = NetworkBuffer::default();
    let mut cost = |network: &Network, from: f64, to: f64, unit| {
        let at = |x: f64| query.locate([x, 0.0, 4.5], 1.0).unwrap();
        let goals = [at(to)];
        let request = NetworkRequest { unit, ..NetworkRequest::new(at(from), &goals) };
        let path = network.find_path(&query, &request, &mut buffer).unwrap();
        assert!(path.status != Status::Reached || path.certified_optimal);
        (path.status == Status::Reached).then_some((path.cost * 1e3).round() / 1e3)
    };
    // Below: 3 m and 3 m aside, 3 m down; above 4 m up.
    let below = 1.05 * 18f64.sqrt() + 18f64.sqrt();
    let above = 2.0 * 25f64.sqrt();
    let rounded = |v: f64| Some((v * 1e3).round() / 1e3);
    assert_eq!(cost(&network, 1.5, 7.5, None), rounded(below));
    assert_eq!(cost(&network, 7.5, 1.5, None), rounded(above));
    // A unit is below: all others go around.
    let lowest = (0..4).find(|&p| network.point(p).is_some_and(|p| p[2] == 7.5)).unwrap();
    network.stand(lowest, 3);
    assert_eq!(cost(&network, 1.5, 7.5, None), rounded(above));
    assert_eq!(cost(&network, 1.5, 7.5, Some(4)), rounded(above));
    assert_eq!(cost(&network, 1.5, 7.5, Some(3)), rounded(below));
    network.leave(lowest, 3);
    assert_eq!(cost(&network, 1.5, 7.5, None), rounded(below));
}

#[test]
fn networks_that_cannot_be_made_are_refused_with_their_key() {
    let map = || GridMap {
        shape: CellShape::Hexagon,
        cell: 1.0,
        width: 4,
        height: 4,
        free: vec![true; 16],
        terrain: vec![],
    };
    for (config, expected) in [
        ("[[network]]\nname = \"a\"\n", "`network[0]` has no edges"),
        ("[[network]]\nname = \"\"\nkind = \"grid\"\n", "has an empty `name`"),
        (
            "[[network]]\nname = \"a\"\nkind = \"grid\"\n[[network]]\nname = \"a\"\nkind = \"grid\"\n",
            "two networks are called `a`",
        ),
        (
            "[[network]]\nname = \"a\"\ncell = 1.0\n",
            "`network[0].cell` is for networks of kind `grid`",
        ),
        ("[[network]]\nname = \"a\"\nchains = [[\"x\"]]\n", "has fewer than two points"),
        ("[[network]]\nname = \"a\"\nchains = [[\"x\", \"y\"]]\n", "no marker called `x`"),
        ("[[network]]\nname = \"a\"\nkind = \"quadtree\"\n", "`network[0].kind` is `quadtree`"),
        (
            "[[network]]\nname = \"a\"\nkind = \"quadtree\"\nmax_leaf = 0\n",
            "`network[0].max_leaf` is 0",
        ),
        ("[[network]]\nname = \"a\"\nkind = \"grid\"\nagents = [\"b\"]\n", "agent"),
        ("[[network]]\nname = \"a\"\nkind = \"tree\"\n", "waypoints"),
        (
            "[[network]]\nname = \"a\"\n[[network.edge]]\nfrom = [0.5, 0.0, 0.5]\nto = [1.5, 0.0, 0.5]\nfactor = 0.5\n",
            "`network[0].edge[0].factor` is 0.5",
        ),
    ] {
        let error = Config::parse(config)
            .map_err(|e| e.to_string())
            .and_then(|config| {
                bake(Source::Grid(map()), &config, &Options::default()).map_err(|e| e.to_string())
            })
            .map(|_| ())
            .unwrap_err();
        assert!(error.contains(expected), "{config}: {error}");
    }
}

#[test]
fn a_network_of_too_many_squares_is_left_out_and_the_cure_is_named() {
    let (width, height) = (300, 300);
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        width,
        height,
        free: vec![true; (width * height) as usize],
        terrain: vec![0; (width * height) as usize],
    };
    let config = "[[network]]\nname = \"fine\"\nkind = \"grid\"\ncell = 0.05\n";
    let config = Config::parse(config).unwrap();
    let baked = bake(Source::Grid(map), &config, &Options::default()).unwrap();
    let left_out = baked.summary.warnings.iter().find(|w| w.code == "network-left-out").unwrap();
    assert!(left_out.message.contains("larger `cell`"), "{}", left_out.message);
    let blob = Blob::open_checked(&baked.bytes).unwrap();
    assert_eq!(blob.networks(0).count(), 0);
}
