//! Searches over route networks against Dijkstra's algorithm over lines that plain geometry judges.

mod lines;
mod world;

use navbake_bake::{Config, Options, bake};
use navbake_format::Blob;
use navbake_gridpath::{Network, NetworkAnswer, NetworkBuffer, NetworkRequest};
use navbake_level::{CellShape, GridMap, Source};
use navbake_search::path::Order;
use navbake_search::{
    AStar, Algorithm, Heuristic, NavMeshBuf, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;

use lines::Lines;
use world::{UNITS, World};

/// Grids, with the sides of their squares.
const GRIDS: [(&str, f64); 2] = [("squares", 0.73), ("four", 1.37)];

const NETWORKS: &str = "[[network]]\nname = \"squares\"\nkind = \"grid\"\ncell = 0.73\njoined = 3\n\
    [[network]]\nname = \"four\"\nkind = \"grid\"\ncell = 1.37\ndiagonals = false\n";

const CENTRES: &str = "[[network]]\nname = \"centres\"\nkind = \"quadtree\"\n";

/// A network of waypoints at some places, with lines between those that see each other.
fn waypoints(world: &World, random: &mut Random) -> String {
    let open = world.open();
    let places: Vec<[f64; 3]> = (0..8).map(|_| world.place(random)).collect();
    let mut edges = String::new();
    for (k, from) in places.iter().enumerate() {
        for to in &places[..k] {
            if from != to && random.chance(60) && open.cost(*from, *to).is_some() {
                let factor = [1.0, 1.5, 2.25][random.below(3)];
                let one_way = random.chance(30);
                edges += &format!(
                    "[[network.edge]]\nfrom = {from:?}\nto = {to:?}\nfactor = {factor:?}\n\
                     one_way = {one_way}\n"
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
    bake(world.source(), &config, &Options::default()).unwrap().bytes
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

/// What was asked about networks of one kind.
#[derive(Debug, Default)]
struct Count {
    asked: usize,
    reached: usize,
    over_links: usize,
    by_places: usize,
    /// Paths that go over more than one storey.
    climbing: usize,
}

/// Asks about random pairs of places on every network of a level, for each unit.
fn ask(world: &mut World, networks: &str, round: usize, random: &mut Random, count: &mut Count) {
    let bytes = baked(world, &(networks.to_owned() + &waypoints(world, random)));
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
            let lines = Lines::new(world, &view, &network, units);
            let mut buffer = NetworkBuffer::default();
            for _ in 0..6 {
                let ends = [world.place(random), world.place(random)];
                let at = |place: [f64; 3]| query.locate(place, 1.0).unwrap();
                let goals = [at(ends[1])];
                let a_star = settings(random);
                let request = NetworkRequest { a_star, ..NetworkRequest::new(at(ends[0]), &goals) };
                let most = [1, 7, 1000][random.below(3)];
                let path = found(&network, &query, &request, most, &mut buffer);
                let best = lines.distance(ends);
                let cost = match path.status {
                    Status::Reached => path.cost,
                    _ => f64::INFINITY,
                };
                let close = |a: f64, b: f64| a == b || (a - b).abs() < 1e-3 * (1.0 + b);
                let name = view.name;
                let about = format!("{round} {name} {unit} {ends:?} {world:?}");
                assert!(cost >= best - 1e-3, "{cost} for {best}: {about}");
                if path.certified_optimal || cost.is_infinite() {
                    assert!(close(cost, best), "{cost} for {best}: {about}");
                }
                assert!(path.bound <= best + 1e-3, "{} for {best}: {about}", path.bound);
                let exact = a_star.heuristic.most() <= 1.0 || a_star.order == Order::Dijkstra;
                assert_eq!(path.certified_optimal, exact && cost.is_finite(), "{about}");
                let heights = path.points.iter().map(|point| point[1]);
                count.asked += 1;
                count.reached += usize::from(cost.is_finite());
                count.by_places += usize::from(name == "places" && path.points.len() > 2);
                count.over_links += usize::from(!path.links.is_empty());
                count.climbing += usize::from(
                    heights.clone().any(|y| y < 0.1) && heights.clone().any(|y| y > 2.9),
                );
            }
        }
    }
}

#[test]
fn costs_over_networks_with_weights_gates_and_links_are_those_of_dijkstra() {
    let random = &mut Random(3111);
    let mut count = Count::default();
    let networks = NETWORKS.to_owned() + CENTRES;
    for round in 0..navbake_testkit::cases::count("NAVBAKE_MAPS", 300) {
        let mut world = World::map(random, 3, round % 4);
        ask(&mut world, &networks, round, random, &mut count);
    }
    let Count { asked, reached, over_links, by_places, .. } = count;
    eprintln!("networks of grid maps: {count:?}");
    assert!(
        asked >= 5000 && reached * 3 > asked && over_links > 100 && by_places > 200,
        "{count:?}"
    );
}

#[test]
fn costs_over_networks_of_several_storeys_are_those_of_dijkstra() {
    let random = &mut Random(3112);
    let mut count = Count::default();
    for round in 0..navbake_testkit::cases::count("NAVBAKE_MAPS", 100) {
        let mut world = World::storeys(random, round % 4);
        ask(&mut world, NETWORKS, round, random, &mut count);
    }
    let Count { asked, reached, over_links, by_places, climbing } = count;
    eprintln!("networks of several storeys: {count:?}");
    assert!(
        asked >= 2000 && reached * 3 > asked && over_links > 40 && by_places > 50 && climbing > 200,
        "{count:?}"
    );
}

#[test]
fn grids_over_storeys_have_every_square_and_every_line_between_neighbours() {
    let random = &mut Random(3113);
    let (mut points, mut edges, mut above) = (0, 0, 0);
    for _ in 0..navbake_testkit::cases::count("NAVBAKE_MAPS", 60) {
        let world = World::storeys(random, 0);
        let open = world.open();
        let bytes = baked(&world, NETWORKS);
        let blob = Blob::open_checked(&bytes).unwrap();
        let meshes = NavMeshBuf::open(&bytes).unwrap();
        let query = NavQuery::new(meshes.mesh());
        for (name, cell) in GRIDS {
            let view = blob.networks(0).find(|view| view.name == name).unwrap();
            let network = Network::new(&view, &query);
            let places: Vec<[f64; 3]> =
                (0..view.point_count()).map(|p| network.point(p).unwrap()).collect();
            let square = |[x, _, z]: [f64; 3]| [x, z].map(|v| (v / cell).floor() as i64);
            let middle = |k: i64| ((k as f64 + 0.5) * cell * 1024.0).round() / 1024.0;
            let mut expected: Vec<[f64; 3]> = (0..30)
                .flat_map(|row| (0..30).map(move |column| [column, row].map(middle)))
                .flat_map(|at| world.places_at(at))
                .collect();
            let mut known = places.clone();
            let by = |a: &[f64; 3], b: &[f64; 3]| {
                let key = |p: &[f64; 3]| [p[2], p[0], p[1]].map(|v| (v * 64.0).round() as i64);
                key(a).cmp(&key(b))
            };
            expected.sort_by(by);
            known.sort_by(by);
            let near = |a: &[f64; 3], b: &[f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 0.01);
            assert_eq!(expected.len(), known.len(), "{name} {world:?}");
            let all_near = expected.iter().zip(&known).all(|(a, b)| near(a, b));
            assert!(all_near, "{name} {expected:?} {known:?} {world:?}");
            for (a, from) in places.iter().enumerate() {
                let of_file: Vec<usize> =
                    view.edges_of(a as u32).map(|edge| edge.to as usize).collect();
                let own = square(*from);
                let is_beside = |to: &[f64; 3]| {
                    let [x, z] = [0, 1].map(|k| own[k].abs_diff(square(*to)[k]));
                    x.max(z) == 1 && (name == "squares" || x + z == 1)
                };
                let is_free = |to: &[f64; 3]| {
                    open.cost(*from, *to).is_some() && open.cost(*to, *from).is_some()
                };
                let plain: Vec<usize> = (0..places.len())
                    .filter(|&b| is_beside(&places[b]) && is_free(&places[b]))
                    .collect();
                assert_eq!(of_file, plain, "{name} {from:?} {world:?}");
                edges += plain.len();
            }
            points += places.len();
            above += places.iter().filter(|place| world.is_in_storeys(**place)).count();
        }
    }
    eprintln!("{points} points, {above} of them in several storeys, {edges} edges");
    assert!(above * 2 > points && edges > points, "{points} {above} {edges}");
}

#[test]
fn paths_over_corners_in_sight_are_as_short_as_optimal_ones() {
    let random = &mut Random(55);
    let mut asked = 0;
    for round in 0..150 {
        let world = World::map(random, 1, round % 3);
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
            let [from, to] = [world.place(random), world.place(random)];
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
            assert!(close, "{cost:?} for {best:?}: {from:?} to {to:?} on {world:?}");
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
    let map = GridMap {
        shape: CellShape::Square,
        cell: 1.0,
        corner: [0.0; 2],
        width: 9,
        height: 9,
        free,
        terrain: vec![],
    };
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
        corner: [0.0; 2],
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
        corner: [0.0; 2],
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
