//! Vehicles on ground that costs something, with a gate and links, against Dijkstra's algorithm on
//! baked maps.

use std::cmp::Reverse as Least;
use std::collections::{BTreeMap, BinaryHeap};
use std::f64::consts::{FRAC_PI_2, TAU};

use navbake_bake::{Config, Options, bake};
use navbake_format::{Blob, CellShape};
use navbake_level::{GridMap, Source};
use navbake_search::{NavMeshBuf, QueryFilter};
use navbake_testkit::Random;
use navbake_vehicle::build::edges::{curve, spread};
use navbake_vehicle::build::{Reverse, UNITS, VehicleSpec, build};
use navbake_vehicle::{
    Curve, Footprint, Ground, GroundFilter, Pose, TurningAnswer, TurningBuffer, TurningQuery,
    TurningRequest, TurningScratchSize, TurningStatus, Vehicle, VehicleBuffer, is_hit, is_pose_hit,
};

const AREAS: [&str; 3] = ["plain", "mud", "water"];
/// Binary fractions, so that sums of them are exact.
const TASKS: [(&str, [f64; 3]); 4] = [
    ("walker", [1.0, 2.5, 4.0]),
    ("tank", [1.5, f64::INFINITY, 1.25]),
    ("duck", [3.0, 0.5, 0.75]),
    ("glider", [0.5, 0.25, 0.5]),
];

struct World {
    map: GridMap,
    gate: [usize; 4],
    links: Vec<(usize, usize, f64)>,
}

impl World {
    fn new(random: &mut Random) -> World {
        let (width, height) = (8 + random.below(8), 7 + random.below(7));
        let cells = width * height;
        let blocked = random.below(20) as u64;
        let free: Vec<bool> = (0..cells).map(|_| !random.chance(blocked)).collect();
        let patch: Vec<u8> = (0..cells).map(|_| random.below(3) as u8).collect();
        let near = |k: usize| patch[k / width / 3 * width + k % width / 3];
        let terrain = (0..cells).map(|k| if random.chance(80) { near(k) } else { patch[k] });
        let terrain = terrain.collect();
        let (c, r) = (random.below(width), random.below(height));
        let gate =
            [c, r, (c + 1 + random.below(3)).min(width), (r + 1 + random.below(3)).min(height)];
        let all: Vec<usize> = (0..cells).filter(|&k| free[k]).collect();
        let links = (0..random.below(4))
            .map(|_| (all[random.below(all.len())], all[random.below(all.len())]))
            .filter(|(a, b)| a != b)
            .map(|(a, b)| (a, b, (a + 3 * b) as f64 % 41.0 / 8.0))
            .collect();
        let (width, height) = (width as u32, height as u32);
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            corner: [0.0; 2],
            width,
            height,
            free,
            terrain,
        };
        World { map, gate, links }
    }

    fn tile(&self, k: usize) -> [i32; 2] {
        let width = self.map.width as usize;
        [(k % width) as i32, (k / width) as i32]
    }

    fn number(&self, [x, z]: [i32; 2]) -> Option<usize> {
        let (width, height) = (self.map.width as i32, self.map.height as i32);
        let inside = (0..width).contains(&x) && (0..height).contains(&z);
        inside.then(|| (z * width + x) as usize)
    }

    fn is_gate(&self, k: usize) -> bool {
        let [x, z] = self.tile(k).map(|v| v as usize);
        let [low_x, low_z, far_x, far_z] = self.gate;
        (low_x..far_x).contains(&x) && (low_z..far_z).contains(&z)
    }

    fn config(&self, vehicles: &str) -> String {
        let mut text = String::from("[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n");
        for (name, _) in TASKS {
            text += &format!("[[agent]]\nname = \"{name}\"\n");
        }
        text += "[weights.units]\n";
        for (name, weights) in TASKS {
            let each: Vec<String> =
                AREAS.iter().zip(weights).map(|(area, w)| format!("{area} = {w:?}")).collect();
            text += &format!("{name} = {{ {} }}\n", each.join(", "));
        }
        text += "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[switch]]\nname = \"gate\"\n";
        let [c, r, far_c, far_r] = self.gate;
        let corners = format!("[{c}.0, -1.0, {r}.0], [{far_c}.0, 1.0, {far_r}.0]");
        text += &format!("[[volume]]\nbox = [{corners}]\narea = \"gate\"\n");
        let middle = |k: usize| {
            let [x, z] = self.map.middle(k);
            format!("[{x:?}, 0.0, {z:?}]")
        };
        for &(from, to, cost) in &self.links {
            let (from, to) = (middle(from), middle(to));
            text += &format!("[[link]]\nfrom = {from}\nto = {to}\ncost = {cost:?}\n");
        }
        text + vehicles
    }
}

fn vehicles() -> [(&'static str, VehicleSpec); 3] {
    let rectangle =
        Footprint::polygon(&[[0.7, 0.35], [-0.7, 0.35], [-0.7, -0.35], [0.7, -0.35]]).unwrap();
    let new = |radius, footprint| VehicleSpec {
        detour: Some(3.0),
        rings: 2,
        ..VehicleSpec::new(radius, footprint)
    };
    let reverse = Some(Reverse { penalty: 1.5, change: 0.5 });
    [
        ("disc", new(1.0, Footprint::disc(0.45))),
        ("lane", VehicleSpec { reverse, ..new(0.5, Footprint::disc(0.45)) }),
        ("long", VehicleSpec { reverse, ..new(1.2, rectangle) }),
    ]
}

const VEHICLES: &str = "
[[vehicle]]
name = \"disc\"
turn_radius = 1.0
footprint = { disc = 0.45 }
detour = 3.0
rings = 2
[[vehicle]]
name = \"lane\"
turn_radius = 0.5
footprint = { disc = 0.45 }
detour = 3.0
rings = 2
reverse = { penalty = 1.5, change = 0.5 }
[[vehicle]]
name = \"long\"
turn_radius = 1.2
footprint = { rectangle = [1.4, 0.7] }
detour = 3.0
rings = 2
reverse = { penalty = 1.5, change = 0.5 }
";

/// A length in each tile that a curve's middle line passes, in quarters of a part: the borders it
/// meets are found by halving, on pieces that rise or fall along both axes.
fn shares(from: Pose, curve: &Curve, radius: f64, total: u32) -> BTreeMap<[i32; 2], u64> {
    let mut all = BTreeMap::new();
    let (mut at, mut before, mut done) = (from, 0.0, 0u32);
    let mut pieces = vec![];
    for segment in curve.segments() {
        let mut cuts = vec![0.0, segment.length];
        if segment.turn != 0 {
            let sense = f64::from(segment.turn) * if segment.back { -1.0 } else { 1.0 };
            for quarter in -40..=40 {
                let along = sense * (f64::from(quarter) * FRAC_PI_2 - at.heading) * radius;
                cuts.extend(Some(along).filter(|a| (0.0..segment.length).contains(a)));
            }
            cuts.sort_by(f64::total_cmp);
        }
        let mut borders = cuts.clone();
        for ends in cuts.windows(2) {
            for axis in 0..2 {
                let place = |along: f64| {
                    let pose = segment.pose(at, radius, along);
                    [pose.x, pose.z][axis]
                };
                let [p, q] = [place(ends[0]), place(ends[1])];
                let (low, high) = (p.min(q), p.max(q));
                let mut border = (low - 0.5).ceil() + 0.5;
                while border < high {
                    let (mut a, mut b) = (ends[0], ends[1]);
                    for _ in 0..70 {
                        let middle = (a + b) / 2.0;
                        let is_first = (place(middle) < border) == (p < border);
                        (a, b) = if is_first { (middle, b) } else { (a, middle) };
                    }
                    borders.push(a);
                    border += 1.0;
                }
            }
        }
        borders.sort_by(f64::total_cmp);
        borders.dedup_by(|a, b| *a - *b < 1e-9);
        for ends in borders.windows(2) {
            let pose = segment.pose(at, radius, (ends[0] + ends[1]) / 2.0);
            pieces.push((before + ends[1], pose));
        }
        before += segment.length;
        at = segment.end(at, radius);
    }
    let last = pieces.len().saturating_sub(1);
    for (k, (to, pose)) in pieces.into_iter().enumerate() {
        let end = if k == last { total } else { (to * f64::from(UNITS)).round() as u32 };
        let sides = |v: f64| [v - 1e-7, v + 1e-7].map(|v| (v + 0.5).floor() as i32);
        for x in sides(pose.x) {
            for z in sides(pose.z) {
                *all.entry([x, z]).or_insert(0) += u64::from(end - done);
            }
        }
        done = end;
    }
    all
}

struct Step {
    tiles: Vec<[i32; 2]>,
    shares: Vec<([i32; 2], u64)>,
    offset: [i32; 2],
    to: u32,
}

/// The moves of a vehicle, by gear and heading.
struct Lattice {
    spec: VehicleSpec,
    steps: Vec<Vec<Step>>,
}

impl Lattice {
    fn new(spec: VehicleSpec) -> Lattice {
        let tables = build(&spec).unwrap();
        let forwards = spread(&tables.edges, &spec);
        let backwards =
            if tables.back.is_empty() { forwards.clone() } else { spread(&tables.back, &spec) };
        let gears = 1 + u32::from(spec.reverse.is_some());
        let mut steps = vec![];
        for gear in 0..gears {
            let about = |h: u32| (h + gear * spec.headings / 2) % spec.headings;
            for heading in 0..spec.headings {
                let edges = &[&forwards, &backwards][gear as usize][about(heading) as usize];
                let step = |edge: &navbake_vehicle::build::edges::Edge| {
                    let heading = f64::from(edge.from) * TAU / f64::from(spec.headings);
                    let from = Pose { x: 0.0, z: 0.0, heading };
                    let curve = curve(edge, &spec).unwrap();
                    let shares = shares(from, &curve, spec.turn_radius, edge.length);
                    Step {
                        tiles: edge.swept.tiles().collect(),
                        shares: shares.into_iter().collect(),
                        offset: edge.offset,
                        to: about(edge.to),
                    }
                };
                steps.push(edges.iter().map(step).collect());
            }
        }
        Lattice { spec, steps }
    }
}

/// The world as a vehicle sees it.
struct Seen<'a> {
    world: &'a World,
    lattice: &'a Lattice,
    weights: [f64; 3],
    gate_closed: bool,
}

impl Seen<'_> {
    fn weight(&self, k: usize) -> f64 {
        let own = self.weights[usize::from(self.world.map.terrain[k])];
        if self.world.is_gate(k) { 1.0 } else { own }
    }

    fn is_blocked(&self, tile: [i32; 2]) -> bool {
        self.world.number(tile).is_none_or(|k| {
            let shut = self.gate_closed && self.world.is_gate(k);
            !self.world.map.free[k] || shut || self.weight(k).is_infinite()
        })
    }

    fn fits(&self, [x, z]: [i32; 2], heading: u32) -> bool {
        let heading = f64::from(heading) * TAU / f64::from(self.lattice.spec.headings);
        let pose = Pose { x: x.into(), z: z.into(), heading };
        !is_pose_hit(&self.lattice.spec.footprint, pose, |tile| self.is_blocked(tile))
    }

    /// Costs from a state to all others, parts of a tile, by tile, gear and heading.
    fn costs(&self, tile: [i32; 2], heading: u32) -> Vec<u64> {
        let spec = &self.lattice.spec;
        let (headings, gears) = (spec.headings, 1 + u32::from(spec.reverse.is_some()));
        let change = spec.reverse.map_or(0, |r| (r.change * f64::from(UNITS)) as u64);
        let many = (gears * headings) as usize;
        let place = |tile, gear: u32, heading: u32| {
            self.world.number(tile).unwrap() * many + (gear * headings + heading) as usize
        };
        let mut costs = vec![u64::MAX; self.world.map.free.len() * many];
        let mut open = BinaryHeap::new();
        let can_start = self.fits(tile, heading);
        for gear in (0..gears).filter(|_| can_start) {
            costs[place(tile, gear, heading)] = 0;
            open.push(Least((0u64, tile, gear, heading)));
        }
        while let Some(Least((cost, tile, gear, heading))) = open.pop() {
            if cost > costs[place(tile, gear, heading)] {
                continue;
            }
            let mut reach = |tile: [i32; 2], gear: u32, heading: u32, cost: u64| {
                let known = &mut costs[place(tile, gear, heading)];
                if cost < *known {
                    *known = cost;
                    open.push(Least((cost, tile, gear, heading)));
                }
            };
            if gears == 2 {
                reach(tile, 1 - gear, heading, cost + change);
            }
            for &(from, to, price) in &self.world.links {
                let to = self.world.tile(to);
                if self.world.tile(from) == tile && self.fits(to, heading) {
                    reach(to, gear, heading, cost + (price * f64::from(UNITS)) as u64);
                }
            }
            let at = |t: [i32; 2]| [tile[0] + t[0], tile[1] + t[1]];
            for step in &self.lattice.steps[(gear * headings + heading) as usize] {
                if step.tiles.iter().any(|&t| self.is_blocked(at(t))) {
                    continue;
                }
                let share = |&(t, quarters): &([i32; 2], u64)| {
                    quarters as f64 * self.weight(self.world.number(at(t)).unwrap())
                };
                let forwards = (step.shares.iter().map(share).sum::<f64>() / 4.0).ceil();
                let price = match spec.reverse {
                    Some(r) if gear == 1 => (forwards * r.penalty).ceil(),
                    _ => forwards,
                };
                reach(at(step.offset), gear, step.to, cost + price as u64);
            }
        }
        costs
    }

    /// Follows a path in small steps: its cost, by sampling. Nothing blocked is touched, and links
    /// lead where they say.
    fn follow(&self, answer: &TurningAnswer<'_>, to: [f64; 2]) -> f64 {
        let spec = &self.lattice.spec;
        let (mut cost, mut gear) = (0.0, None);
        let mut next: Option<Pose> = None;
        for piece in answer.pieces {
            let from = piece.from;
            if let Some(at) = next {
                let turned = (at.heading - from.heading).rem_euclid(TAU);
                let apart = (at.x - from.x).abs().max((at.z - from.z).abs());
                assert!(apart < 1e-6 && turned.min(TAU - turned) < 1e-6, "{:?}", answer.pieces);
            }
            if let Some(number) = piece.link {
                assert_eq!(piece.segment.length, 0.0);
                let tile = [from.x, from.z].map(|v| v.round() as i32);
                // Links of the mesh are in an order of its own.
                let links = self.world.links.iter().filter(|l| self.world.tile(l.0) == tile);
                let at = answer.pieces.iter().position(|p| std::ptr::eq(p, piece)).unwrap();
                let end = answer.pieces.get(at + 1).map_or(answer.end, |p| p.from);
                let end = [end.x, end.z].map(|v| v.round() as i32);
                let link = links.filter(|l| self.world.tile(l.1) == end);
                let least = link.map(|l| l.2).fold(f64::INFINITY, f64::min);
                assert!(least.is_finite(), "no link {number} from {tile:?} to {end:?}");
                cost += least;
                next = Some(Pose { x: end[0].into(), z: end[1].into(), ..from });
                continue;
            }
            let segment = piece.segment;
            if let (true, Some(r)) = (gear.is_some_and(|g| g != segment.back), spec.reverse) {
                cost += r.change;
            }
            gear = Some(segment.back);
            let curve = Curve::new(&[segment]);
            let blocked = |tile| self.is_blocked(tile);
            assert!(!is_hit(&spec.footprint, spec.turn_radius, from, &curve, blocked));
            let many = 2000;
            for k in 0..many {
                let along = segment.length * (f64::from(k) + 0.5) / f64::from(many);
                let pose = segment.pose(from, spec.turn_radius, along);
                // Along a border both sides count half.
                let sides = [-1e-7, 1e-7].map(|d| {
                    let tile = [pose.x + d, pose.z + d].map(|v| v.round() as i32);
                    self.weight(self.world.number(tile).unwrap())
                });
                let penalty = spec.reverse.filter(|_| segment.back).map_or(1.0, |r| r.penalty);
                let weight = (sides[0] + sides[1]) / 2.0;
                cost += segment.length / f64::from(many) * weight * penalty;
            }
            next = Some(segment.end(from, spec.turn_radius));
        }
        let end = [answer.end.x, answer.end.z];
        assert!((0..2).all(|k| (end[k] - to[k]).abs() < 1e-6), "{end:?} {to:?}");
        cost
    }
}

#[test]
fn costs_of_vehicles_with_weights_gates_and_links_are_those_of_dijkstra() {
    let mut random = Random(7);
    let lattices = vehicles().map(|(name, spec)| (name, Lattice::new(spec)));
    let [mut pairs, mut reached, mut over_links, mut heavier] = [0; 4];
    for _ in 0..40 {
        let world = World::new(&mut random);
        let config = Config::parse(&world.config(VEHICLES)).unwrap();
        let source = Source::Grid(world.map.clone());
        let baked = bake(source, &config, &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = NavMeshBuf::open(&baked.bytes).unwrap();
        let (mesh, map) = (nav.mesh(), blob.grid_map().unwrap());
        for (name, lattice) in &lattices {
            let (task, weights) = TASKS[random.below(TASKS.len())];
            let gate_closed = random.chance(50) && mesh.file().switches().len() > 0;
            let filter = QueryFilter::new().agent(&mesh, task).unwrap();
            let mut filter = filter.weights(&mesh, "").unwrap();
            if gate_closed {
                filter = filter.block(&mesh, "gate").unwrap();
            }
            let view = blob.vehicle(name).unwrap();
            let mut own = VehicleBuffer::new(&view);
            let vehicle: Vehicle<'_> = own.vehicle(view).unwrap();
            let mut bits = vec![0u64; Ground::words(&map)];
            let mut ground = Ground::new(&map, &mut bits).unwrap();
            let tiles = GroundFilter::new(&vehicle, &mut ground, &mesh, &filter);
            assert!(!tiles.has_lost_links());
            let size = TurningScratchSize::with_nodes(&vehicle, &ground, 60_000);
            let mut buffer = TurningBuffer::new(size);
            let query = TurningQuery::new(&vehicle, &ground).unwrap().with_filter(&tiles).unwrap();
            let seen = Seen { world: &world, lattice, weights, gate_closed };
            let headings = lattice.spec.headings;
            let free: Vec<usize> =
                (0..world.map.free.len()).filter(|&k| !seen.is_blocked(world.tile(k))).collect();
            for _ in 0..3 {
                let (from, heading) = (world.tile(free[random.below(free.len())]), random.below(8));
                let heading = heading as u32 % headings;
                let costs = seen.costs(from, heading);
                for _ in 0..12 {
                    let to = world.tile(free[random.below(free.len())]);
                    let end = random.chance(50).then(|| random.below(8) as u32);
                    let place = |[x, z]: [i32; 2]| [f64::from(x) + 0.5, 0.0, f64::from(z) + 0.5];
                    let angle = |h: u32| f64::from(h) * TAU / f64::from(headings);
                    let request = TurningRequest {
                        analytic_expansion: false,
                        ..TurningRequest::new(
                            place(from),
                            angle(heading),
                            place(to),
                            end.map(angle),
                        )
                    };
                    let mut scratch = buffer.scratch();
                    let answer = query.path(&request, &mut scratch);
                    let is_reached = answer.status == TurningStatus::Reached;
                    if from == to && !is_reached {
                        continue;
                    }
                    let many = costs.len() / world.map.free.len();
                    let first = world.number(to).unwrap() * many;
                    let fits = |k: &usize| end.is_none_or(|h| h == *k as u32 % headings);
                    let least = (0..many).filter(fits).map(|k| costs[first + k]).min().unwrap();
                    let found = (answer.cost * f64::from(UNITS)).round() as u64;
                    let found = if is_reached { found } else { u64::MAX };
                    assert_eq!(found, least, "{name} {task} {request:?} {:?}", world.map);
                    pairs += 1;
                    if !is_reached {
                        continue;
                    }
                    reached += 1;
                    over_links += u32::from(answer.pieces.iter().any(|p| p.link.is_some()));
                    assert_eq!(answer.bound, answer.cost);
                    let goal = to.map(f64::from);
                    let (cost, followed) = (answer.cost, seen.follow(&answer, goal));
                    assert!((followed - cost).abs() < 0.01 + 0.002 * cost, "{followed} {cost}");
                    heavier += u32::from((cost - answer.length).abs() > 0.5);
                    // Shots and smoothing never make it worse, and cost what they say.
                    for smooth in [false, true] {
                        let request =
                            TurningRequest { analytic_expansion: true, smooth, ..request };
                        let answer = query.path(&request, &mut scratch);
                        assert!(answer.cost <= cost && answer.bound <= answer.cost);
                        let followed = seen.follow(&answer, goal);
                        let off = (followed - answer.cost).abs();
                        assert!(off < 0.01 + 0.002 * cost, "{followed} {}", answer.cost);
                    }
                    let request = TurningRequest { weight: 1.5, ..request };
                    let answer = query.path(&request, &mut scratch);
                    assert!(answer.cost <= 1.5 * cost + 1e-9 && answer.bound <= cost + 1e-9);
                }
            }
            // The ground is as before without the filter.
            tiles.lift(&mut ground);
            let blocked = |k: usize| ground.is_blocked(world.tile(k));
            assert!((0..world.map.free.len()).all(|k| blocked(k) != world.map.free[k]));
        }
    }
    println!("{pairs} pairs, {reached} reached, {over_links} over links, {heavier} by weights");
    assert!(pairs > 4000 && reached > 2000, "{pairs} {reached}");
    assert!(over_links > 100 && heavier > 1000, "{over_links} {heavier}");
}
