//! Prints a hash of the answers to random queries, a line for each kind of query and blob.
//!
//! Two versions of the runtime give the same answers if their lines are equal: each hash covers the
//! status, the lengths and every point of every answer, bit for bit. Work counters (entries taken off
//! open lists) are left out, since they may change while answers do not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use navbake_ask::relink;
use navbake_finish::{Rounding, round, spline, spline_room};
use navbake_format::{Blob, CheckedBlob};
use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_search::{
    Answer, AreaCosts, Closings, ClosingsBuffer, Convex, EdgeId, FloodBuffer, Heuristic, Location,
    MoveLog, MoveRequest, Order, PathRequest, Planner, PolyId, Query, Random, SearchBuffer, Shape,
};

/// Hashes answers to random queries. Equal lines mean equal answers, bit for bit.
#[derive(Debug, Parser)]
struct Options {
    /// Baked blobs.
    #[arg(required = true)]
    blobs: Vec<PathBuf>,
    /// Queries of each kind that needs no path search.
    #[arg(long, default_value_t = 10_000)]
    count: u32,
    /// Paths of each kind.
    #[arg(long, default_value_t = 10_000)]
    paths: u32,
    /// Cut the ground of each blob to pieces, join them by this many one-way links, and make up areas and weights.
    #[arg(long)]
    links: Option<u32>,
    /// Which queries.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let options = Options::parse();
    for blob in &options.blobs {
        if let Err(why) = answers(blob, &options) {
            eprintln!("{}: {why}", blob.display());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// FNV-1a over 64-bit words.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xCBF2_9CE4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    fn point(&mut self, point: [f64; 3]) {
        point.into_iter().for_each(|c| self.number(c));
    }

    fn place(&mut self, place: &Location) {
        self.word(place.polygon().0.into());
        self.point(place.position());
    }

    fn answer(&mut self, query: &Query<'_>, answer: &Answer<'_>) {
        answer.status.name().bytes().for_each(|b| self.word(b.into()));
        self.number(answer.length_xz);
        self.number(answer.cost);
        self.number(answer.length_3d(query));
        self.word(answer.goal.into());
        self.word(answer.certified_optimal.into());
        self.word(answer.points.len() as u64);
        answer.points.iter().for_each(|&p| self.point(p));
        answer.polygons.iter().for_each(|p| self.word(p.0.into()));
    }
}

fn answers(path: &Path, options: &Options) -> Result<(), String> {
    let mut bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(links) = options.links {
        let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
        bytes = relink(&blob, links, options.seed).map_err(|e| e.to_string())?;
        name += &format!("+{links}");
    }
    let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
    let agents: Vec<_> = blob.agents().collect();
    for (number, agent) in agents.iter().enumerate() {
        let Ok(mesh) = blob.decode(agent.class).map(|nav| nav.leak()) else {
            continue;
        };
        if mesh.polygon_count() == 0 {
            continue;
        }
        let name = format!("{name} {}", agent.name);
        let bit = 1 << (number & 31);
        let plain = Query::new(mesh).with_agents(bit);
        ask(&plain, &format!("{name} open"), options, true);
        let weights =
            blob.weights().find(|row| row.agent.is_none_or(|agent| usize::from(agent) == number));
        let costs = weights.map(|row| AreaCosts::from(&row));
        if let Some(costs) = &costs {
            let mut buffer = ClosingsBuffer::new(&mesh);
            buffer.close_with_areas(&mesh, &[], costs.blocked());
            let query = Query::new(mesh)
                .with_agents(bit)
                .with_closings(buffer.closings())
                .with_costs(costs);
            ask(&query, &format!("{name} weights"), options, false);
        }
        // Every other switch, and every other area but the ground itself.
        let (switches, areas) = (0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA_u64);
        let mut buffer = ClosingsBuffer::new(&mesh);
        let closings = buffer.close_with_areas(&mesh, &[switches], areas);
        if closes_something(&closings, &plain) {
            let query = Query::new(mesh).with_agents(bit).with_closings(closings);
            ask(&query, &format!("{name} closed"), options, false);
        }
    }
    grid(&blob, &name, options);
    Ok(())
}

fn closes_something(closings: &Closings<'_>, query: &Query<'_>) -> bool {
    let mesh = query.mesh();
    let polygons = (0..mesh.polygon_count()).any(|p| closings.is_closed(PolyId(p)));
    polygons
        || (0..mesh.link_count()).any(|link| closings.is_link_closed(link))
        || mesh.doors().any(|door| door.switch.is_some_and(|s| s % 2 == 0))
}

/// All kinds of queries on one navmesh.
fn ask(query: &Query<'_>, name: &str, options: &Options, every_planner: bool) {
    let mesh = query.mesh();
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return;
    };
    let mut random = Random::new(options.seed);
    let mut flood = FloodBuffer::new(mesh);
    let grid = mesh.grid();
    let mut cheap =
        |kind: &str, one: &mut dyn FnMut(&Location, &mut Random, &mut Hash, &mut FloodBuffer)| {
            let mut hash = Hash::new();
            for _ in 0..options.count {
                let Some(place) = query.random_place(&areas, &mut random) else {
                    break;
                };
                hash.place(&place);
                one(&place, &mut random, &mut hash, &mut flood);
            }
            println!("{name} {kind} {} {:016x}", options.count, hash.0);
        };
    let off = |place: &Location, by: [f64; 3], random: &mut Random| {
        let p = place.position();
        [0, 1, 2].map(|k| p[k] + by[k] * (2.0 * random.unit() - 1.0))
    };
    cheap("locate", &mut |place, random, hash, _| {
        let point = off(place, [0.0, 2.0, 0.0], random);
        if let Some(found) = query.locate(point, 2.5) {
            hash.place(&found);
            hash.number(query.height(&found));
        }
    });
    cheap("nearest", &mut |place, random, hash, _| {
        let point = off(place, [4.0, 2.0, 4.0], random);
        if let Some(found) = query.nearest(point, [4.0, 6.0, 4.0]) {
            hash.place(&found);
        }
    });
    cheap("raycast", &mut |place, random, hash, _| {
        let to = off(place, [20.0, 0.0, 20.0], random);
        let mut through = [PolyId(0); 32];
        let hit = query.raycast_through(place, to, &mut through);
        hash.point(hit.point);
        hash.number(hit.fraction);
        hash.word(hit.polygon.0.into());
        hash.word(hit.crossed.into());
        through.iter().for_each(|p| hash.word(p.0.into()));
        hash.word(hit.wall.map_or(u64::MAX, |wall| wall.edge.0.into()));
    });
    cheap("move", &mut |place, random, hash, _| {
        let to = off(place, [5.0, 0.0, 5.0], random);
        let (mut entered, mut hit) = ([PolyId(0); 32], [EdgeId(0); 32]);
        let log = MoveLog { entered: &mut entered, hit: &mut hit };
        let motion = query.move_along(place, &MoveRequest::new(to), log);
        if let Some(end) = query.place(motion.end) {
            hash.place(&end);
        }
        hash.number(motion.walked);
        entered.iter().for_each(|p| hash.word(p.0.into()));
        hit.iter().for_each(|e| hash.word(e.0.into()));
    });
    cheap("wall-distance", &mut |place, _, hash, flood| {
        let found = query.wall_distance(place, 5.0, flood);
        hash.number(found.distance);
        if let Some(nearest) = found.nearest {
            hash.point(nearest.point);
            hash.word(nearest.wall.edge.0.into());
        }
    });
    cheap("around", &mut |place, random, hash, flood| {
        let p = place.position();
        let square = [[-2.0, -1.0], [1.0, -2.0], [2.0, 1.0], [-1.0, 2.0]]
            .map(|c: [f64; 2]| [p[0] + c[0], p[2] + c[1]]);
        let convex = Convex::new(grid, &square);
        let shape = match (random.below(3), &convex) {
            (0, Some(convex)) => Shape::Convex(convex),
            (1, _) => Shape::Walk(6.0),
            _ => Shape::Circle(4.0),
        };
        let around = query.around(place, shape, flood);
        for reached in around.polygons {
            hash.word(reached.polygon().0.into());
            hash.number(reached.distance());
        }
    });
    cheap("connected", &mut |place, random, hash, _| {
        let Some(to) = query.random_place(&areas, random) else {
            return;
        };
        hash.word(query.connected(place, &to).map_or(2, u64::from));
        hash.word(query.reachable(place, &to).into());
        hash.word(query.sees(place, &to).into());
    });
    cheap("random-within", &mut |place, random, hash, flood| {
        let found = query.random_within(place, 8.0, random, flood);
        hash.place(&found);
    });

    let mut buffer = SearchBuffer::new(mesh).weighted(mesh);
    let mut paths =
        |kind: &str, planner: Planner, count: u32, change: &dyn Fn(PathRequest) -> PathRequest| {
            let mut hash = Hash::new();
            for _ in 0..count {
                let place = |random: &mut Random| query.random_place(&areas, random);
                let (Some(from), Some(to)) = (place(&mut random), place(&mut random)) else {
                    break;
                };
                // Half of the pairs are on one island.
                let island = mesh.island(from.polygon());
                let to = match random.below(2) {
                    0 => query.random_on_island(&areas, island, &mut random).unwrap_or(to),
                    _ => to,
                };
                let request =
                    change(PathRequest::new(from.position(), to.position()).planner(planner));
                let answer = query.path(&request, &mut buffer);
                hash.answer(query, &answer);
                if kind == "corridor" {
                    let mut out = vec![
                        from;
                        Rounding::new(0.5)
                            .room(answer.points.len())
                            .max(spline_room(answer.points.len()))
                    ];
                    for finished in [
                        spline(query, &answer, &mut out).ok().map(|f| f.points.to_vec()),
                        round(query, &answer, Rounding::new(0.5), &mut out)
                            .ok()
                            .map(|f| f.points.to_vec()),
                    ]
                    .into_iter()
                    .flatten()
                    {
                        finished.iter().for_each(|p| hash.place(p));
                    }
                    if let Ok(room) = query.path_clearance(&answer, 4.0, &mut flood) {
                        hash.number(room.distance);
                    }
                }
            }
            println!("{name} {kind} {count} {:016x}", hash.0);
        };
    let few = options.paths / 10;
    paths("corridor", Planner::Corridor, options.paths, &|r| r);
    paths("midpoints", Planner::Midpoints, options.paths, &|r| r);
    paths("optimal", Planner::Optimal, options.paths, &|r| r);
    paths("weighted", Planner::Weighted, if every_planner { options.paths } else { few }, &|r| r);
    paths("hierarchical", Planner::Hierarchical, options.paths, &|r| r);
    paths("corridor-reverse", Planner::Corridor, few, &|r| r.reverse(true));
    paths("corridor-partial", Planner::Corridor, few, &|r| r.partial(true));
    paths("corridor-greedy", Planner::Corridor, few, &|r| r.order(Order::Greedy));
    paths("corridor-dijkstra", Planner::Corridor, few, &|r| r.order(Order::Dijkstra));
    paths("corridor-1.5", Planner::Corridor, few, &|r| r.heuristic(Heuristic::default(), 1.5));
    paths("corridor-bounded", Planner::Corridor, few, &|r| r.max_open(Some(16)));
    paths("midpoints-reverse", Planner::Midpoints, few, &|r| r.reverse(true));
    paths("optimal-partial", Planner::Optimal, few, &|r| r.partial(true));
    paths("optimal-points", Planner::Optimal, options.paths, &|r| r.polygons(false));

    let mut hash = Hash::new();
    for _ in 0..few {
        let mut place = || query.random_place(&areas, &mut random).map(|p| p.position());
        let (Some(from), Some(a), Some(b), Some(c)) = (place(), place(), place(), place()) else {
            break;
        };
        for planner in [Planner::Corridor, Planner::Optimal] {
            let request = PathRequest::new(from, a).planner(planner);
            let answer = query.path_to_any(&request, &[a, b, c], &mut buffer);
            hash.answer(query, &answer);
        }
    }
    println!("{name} any-of-three {few} {:016x}", hash.0);
}

/// Paths over the cells of a grid map.
fn grid(blob: &CheckedBlob<'_>, name: &str, options: &Options) {
    let Some(map) = blob.grid_map() else {
        return;
    };
    let query = GridQuery::new(map);
    let mut buffer = GridBuffer::new(GridScratchSize::of(&map));
    for planner in [GridPlanner::Grid4, GridPlanner::Grid8] {
        let (mut random, mut hash) = (Random::new(options.seed), Hash::new());
        let count = options.paths / 10;
        for _ in 0..count {
            let mut cell = || {
                let (width, height) = (map.width(), map.height());
                let cell = [width, height].map(|n| random.below(n.into()) as i64);
                map.id(cell).map_or([0.0; 3], |id| map.centre(id))
            };
            let (from, to) = (cell(), [cell()]);
            let answer = query.path(&GridRequest::new(from, &to, planner), &mut buffer);
            answer.status.name().bytes().for_each(|b| hash.word(b.into()));
            hash.number(answer.cost);
            answer.cells.iter().for_each(|c| hash.word(c.0.into()));
        }
        println!("{name} {} {count} {:016x}", planner.name(), hash.0);
    }
}
