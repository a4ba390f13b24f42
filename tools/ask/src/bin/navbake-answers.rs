//! Prints a hash of the answers to random queries, one line for each kind of query and blob.
//!
//! Two versions of the runtime give the same answers if their lines are equal: each hash covers the
//! status, the lengths and every point of every answer, bit for bit. Work counters (entries taken
//! off open lists) are left out, since they may change while answers do not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use navbake_ask::relink;
use navbake_finish::{Rounding, path_clearance, round, spline, spline_room};
use navbake_format::{Blob, CheckedBlob};
use navbake_gridpath::{GridBuffer, GridPlanner, GridQuery, GridRequest, GridScratchSize};
use navbake_rooms::{NAME, RoomMemory, RoomScratch, RoomSearch, find_path};
use navbake_search::around::{Convex, MoveLog, Random, Shape};
use navbake_search::blob::EdgeId;
use navbake_search::path::Order;
use navbake_search::{
    AStar, Algorithm, Error, MoveRequest, NavMesh, NavPath, NavPoint, NavQuery, PathRequest,
    PolyId, QueryFilter, Scratch, Status,
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
    /// Unpack each blob and search it in place: the lines must be those of the packed one
    #[arg(long)]
    in_place: bool,
    /// Cut the ground of each blob into pieces, join them by this many one-way links, and make up
    /// areas and weights.
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

    fn place(&mut self, place: &NavPoint) {
        self.word(place.polygon().0.into());
        self.point(place.position());
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|b| self.word(b.into()));
    }

    fn path(&mut self, query: &NavQuery<'_>, path: &NavPath<'_>) {
        self.text(path.status.name());
        self.number(path.length_xz);
        self.number(path.cost);
        self.number(path.length_3d(query));
        self.word(path.goal.into());
        self.word(path.certified_optimal.into());
        self.word(path.points.len() as u64);
        path.points.iter().for_each(|&p| self.point(p));
        path.polygons.iter().for_each(|p| self.word(p.0.into()));
    }

    /// No path, for a reason: three lengths, a goal, a proof and points that there are not.
    fn nothing(&mut self, reason: &str) {
        self.text(reason);
        [0; 6].into_iter().for_each(|word| self.word(word));
    }
}

/// The answer to a request; `None` where the mesh has no rooms that it needs.
///
/// The recorded hashes are of a runtime that replaced an algorithm that does not serve a request,
/// so this does the same.
fn find<'s>(
    query: &NavQuery<'_>,
    request: &PathRequest,
    goals: &[[f64; 3]],
    rooms: bool,
    scratch: &'s mut RoomScratch,
) -> Result<Option<NavPath<'s>>, Error> {
    let corridor = request.algorithm(Algorithm::Corridor(AStar::default()));
    if rooms && !query.mesh().rooms().is_some_and(|rooms| rooms.has_ways()) {
        let scratch = scratch.ground();
        // Rooms were missed only where there is something to search for.
        let search = query.start_path_to_any(&corridor, goals, scratch)?;
        return Ok(match search.status() {
            Status::OffMesh | Status::Unreachable => Some(search.path(query, scratch)),
            _ => None,
        });
    }
    let begun = match rooms {
        true => RoomSearch::new(query, request, scratch).map(|_| ()),
        false => query.start_path_to_any(request, goals, scratch.ground()).map(|_| ()),
    };
    let instead = match begun {
        Ok(()) if rooms => return Ok(Some(find_path(query, request, scratch)?.path)),
        Err(Error::Costs) => request.algorithm(Algorithm::weighted(Algorithm::GAP)).polygons(true),
        Err(Error::StartBlocked) => corridor,
        _ => *request,
    };
    query.find_path_to_any(&instead, goals, scratch.ground()).map(Some)
}

fn answers(path: &Path, options: &Options) -> Result<(), String> {
    let mut bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let mut name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(links) = options.links {
        let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
        bytes = relink(&blob, links, options.seed).map_err(|e| e.to_string())?;
        name += &format!("+{links}");
    }
    if options.in_place {
        let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
        bytes = blob.unpack().map_err(|e| e.to_string())?;
    }
    let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
    let agents: Vec<_> = blob.agents().collect();
    for (number, agent) in agents.iter().enumerate() {
        let decoded;
        let mesh = if options.in_place {
            blob.mesh(agent.class).map_err(|e| e.to_string())?
        } else {
            decoded = blob.decode(agent.class).map_err(|e| e.to_string())?;
            decoded.mesh()
        };
        if mesh.polygon_count() == 0 {
            continue;
        }
        let name = format!("{name} {}", agent.name);
        let mut open = QueryFilter::new();
        open.set_agents(1 << (number & 31));
        let query = NavQuery::new(mesh).with_filter(&open);
        ask(&query, &format!("{name} open"), options, true)?;
        let weights =
            blob.weights().find(|row| row.agent.is_none_or(|agent| usize::from(agent) == number));
        if let Some(row) = weights {
            let mut filter = open.clone();
            filter.set_weights(&row);
            filter.set_blocked(&mesh, &[], filter.forbidden()).map_err(|e| e.to_string())?;
            let query = NavQuery::new(mesh).with_filter(&filter);
            ask(&query, &format!("{name} weights"), options, false)?;
        }
        // Every other switch, and every other area but the ground itself.
        let (switches, areas) = (0x5555_5555_5555_5555, 0xAAAA_AAAA_AAAA_AAAA_u64);
        let mut filter = open;
        filter.set_blocked(&mesh, &[switches], areas).map_err(|e| e.to_string())?;
        if blocks_something(&filter, &mesh) {
            let query = NavQuery::new(mesh).with_filter(&filter);
            ask(&query, &format!("{name} closed"), options, false)?;
        }
    }
    grid(&blob, &name, options);
    Ok(())
}

fn blocks_something(filter: &QueryFilter, mesh: &NavMesh<'_>) -> bool {
    let polygons = (0..mesh.polygon_count()).any(|p| filter.is_blocked(PolyId(p)));
    polygons
        || (0..mesh.link_count()).any(|link| filter.is_link_blocked(link))
        || mesh.doors().any(|door| door.switch.is_some_and(|s| s % 2 == 0))
}

/// All kinds of queries on one navmesh.
fn ask(
    query: &NavQuery<'_>,
    name: &str,
    options: &Options,
    every_algorithm: bool,
) -> Result<(), String> {
    let mesh = query.mesh();
    // Places on blocked ground are asked about as well.
    let anywhere = NavQuery::new(*mesh);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let Some(areas) = anywhere.areas(&mut sums) else {
        return Ok(());
    };
    let mut random = Random::new(options.seed);
    let mut flood = Scratch::new();
    let grid = mesh.grid();
    let mut cheap =
        |kind: &str, one: &mut dyn FnMut(&NavPoint, &mut Random, &mut Hash, &mut Scratch)| {
            let mut hash = Hash::new();
            for _ in 0..options.count {
                let Some(place) = anywhere.random_place(&areas, &mut random) else {
                    break;
                };
                hash.place(&place);
                one(&place, &mut random, &mut hash, &mut flood);
            }
            println!("{name} {kind} {} {:016x}", options.count, hash.0);
        };
    let off = |place: &NavPoint, by: [f64; 3], random: &mut Random| {
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
        let Some(to) = anywhere.random_place(&areas, random) else {
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

    let mut scratch = RoomScratch::new();
    let mut paths = |kind: &str, request: PathRequest, count: u32| {
        let mut hash = Hash::new();
        for _ in 0..count {
            let place = |random: &mut Random| anywhere.random_place(&areas, random);
            let (Some(from), Some(to)) = (place(&mut random), place(&mut random)) else {
                break;
            };
            // Half of the pairs are on one island.
            let island = mesh.island(from.polygon());
            let to = match random.below(2) {
                0 => anywhere.random_on_island(&areas, island, &mut random).unwrap_or(to),
                _ => to,
            };
            let (from_at, to_at) = (from.position(), to.position());
            let request = PathRequest { from: from_at, to: to_at, ..request };
            let found = find(query, &request, &[to_at], kind == NAME, &mut scratch)
                .map_err(|e| e.to_string())?;
            let Some(path) = found else {
                hash.nothing("no_rooms");
                continue;
            };
            hash.path(query, &path);
            if kind == "corridor" {
                let points = path.points.len();
                let room = Rounding::new(0.5).room(points).max(spline_room(points));
                let mut out = vec![from; room];
                for finished in [
                    spline(query, &path, &mut out).ok().map(|f| f.points.to_vec()),
                    round(query, &path, Rounding::new(0.5), &mut out)
                        .ok()
                        .map(|f| f.points.to_vec()),
                ]
                .into_iter()
                .flatten()
                {
                    finished.iter().for_each(|p| hash.place(p));
                }
                if let Ok(room) = path_clearance(query, &path, 4.0, &mut flood) {
                    hash.number(room.distance);
                }
            }
        }
        println!("{name} {kind} {count} {:016x}", hash.0);
        Ok::<(), String>(())
    };
    let (all, few) = (options.paths, options.paths / 10);
    let usual = AStar::default();
    let by = |algorithm| PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm);
    let corridor = |a_star| by(Algorithm::Corridor(a_star));
    let weighted = by(Algorithm::weighted(Algorithm::GAP));
    paths("corridor", corridor(usual), all)?;
    paths("midpoints", by(Algorithm::Midpoints(usual)), all)?;
    paths("optimal", by(Algorithm::Optimal), all)?;
    paths("weighted", weighted, if every_algorithm { all } else { few })?;
    paths(NAME, by(Algorithm::Optimal), all)?;
    paths("corridor-reverse", corridor(AStar { reverse: true, ..usual }), few)?;
    paths("corridor-partial", corridor(usual).partial(true), few)?;
    paths("corridor-greedy", corridor(AStar { order: Order::Greedy, ..usual }), few)?;
    paths("corridor-dijkstra", corridor(AStar { order: Order::Dijkstra, ..usual }), few)?;
    paths("corridor-1.5", corridor(AStar { weight: 1.5, ..usual }), few)?;
    paths("corridor-bounded", corridor(AStar { max_open: Some(16), ..usual }), few)?;
    let reverse = AStar { reverse: true, ..usual };
    paths("midpoints-reverse", by(Algorithm::Midpoints(reverse)), few)?;
    paths("optimal-partial", by(Algorithm::Optimal).partial(true), few)?;
    paths("optimal-points", by(Algorithm::Optimal).polygons(false), all)?;

    let mut hash = Hash::new();
    for _ in 0..few {
        let mut place = || anywhere.random_place(&areas, &mut random).map(|p| p.position());
        let (Some(from), Some(a), Some(b), Some(c)) = (place(), place(), place(), place()) else {
            break;
        };
        for algorithm in [Algorithm::Corridor(usual), Algorithm::Optimal] {
            let request = PathRequest::new(from, a).algorithm(algorithm);
            match find(query, &request, &[a, b, c], false, &mut scratch)
                .map_err(|e| e.to_string())?
            {
                Some(path) => hash.path(query, &path),
                None => hash.nothing("no_rooms"),
            }
        }
    }
    println!("{name} any-of-three {few} {:016x}", hash.0);
    Ok(())
}

/// Paths over the cells of a grid map.
fn grid(blob: &CheckedBlob<'_>, name: &str, options: &Options) {
    let Some(map) = blob.grid_map() else {
        return;
    };
    let query = GridQuery::new(map);
    let mut scratch = GridBuffer::new(GridScratchSize::of(&map));
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
            let request = GridRequest::new(from, &to, planner);
            let answer = query.find_path(&request, &mut scratch).expect("a planner for squares");
            answer.status.name().bytes().for_each(|b| hash.word(b.into()));
            hash.number(answer.cost);
            answer.cells.iter().for_each(|c| hash.word(c.0.into()));
        }
        println!("{name} {} {count} {:016x}", planner.name(), hash.0);
    }
}
