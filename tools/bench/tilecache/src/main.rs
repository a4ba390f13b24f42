//! 200 obstacles that move, on navbake's navmesh and on Detour's TileCache, in one process.

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use navbake_peer_bench::clock::cpu_seconds;
use navbake_peer_bench::levels::{Folders, Loaded, list};
use navbake_peer_bench::ours;
use navbake_search::around::{Areas, Random};
use navbake_search::{NavMesh, NavMeshBuf, NavQuery};
use navbake_world::{Obstacle, World};

use crate::tile_cache::TileCache;

mod tile_cache;

/// Moves obstacles on both, and prints the CPU time of a change and of the worst commit of a frame.
/// TileCache has no prisms: it gets the box along the axes around each, which costs it less.
#[derive(Debug, Parser)]
struct Options {
    /// Levels of the list (levels.toml) whose name holds this; may be given several times.
    #[arg(long, default_values = ["dungeon_8x8", "arena512"])]
    only: Vec<String>,
    #[arg(long, default_value_t = 200)]
    obstacles: usize,
    /// Three obstacles move in a frame.
    #[arg(long, default_value_t = 600)]
    frames: usize,
    /// The same frames again; the least time of each counts.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Side of TileCache's cells, m.
    #[arg(long, default_value_t = 0.3)]
    cell: f64,
}

fn main() -> ExitCode {
    match work(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn work(options: &Options) -> Result<(), String> {
    println!(
        "| level | navmesh | a change, µs | worst frame, ms | polygons | m2, then with obstacles |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let folders = Folders::find();
    for entry in list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../levels.toml"))? {
        if options.only.iter().any(|only| entry.title().contains(only.as_str())) {
            measure(&entry.load(&folders)?, options)?;
        }
    }
    Ok(())
}

/// The frames of a level: the obstacles at first, and then those that move in each frame.
struct Plan {
    first: Vec<Solid>,
    frames: Vec<Vec<(usize, Solid)>>,
}

/// An obstacle, and what TileCache gets of it.
#[derive(Clone, Copy)]
struct Solid {
    obstacle: Obstacle,
    /// Bounds along x and z; those of a cylinder are the square around it.
    bounds: [[f64; 2]; 2],
    round: bool,
}

/// Times of frames, s, and the ground before and with all obstacles, m2.
struct Times {
    frames: Vec<f64>,
    polygons: usize,
    ground: [f64; 2],
}

fn measure(level: &Loaded, options: &Options) -> Result<(), String> {
    let config = ours::config(&level.agent, level.entry.border_error);
    let baked = ours::bake(&ours::job(level.scene.clone(), &config)?, 1)?;
    let nav = NavMeshBuf::open(&baked.bytes).map_err(|e| e.to_string())?;
    let plan = plan(nav.mesh(), options)?;
    let mut least: Option<[Times; 2]> = None;
    for _ in 0..options.rounds {
        let now = [on_world(nav.clone(), &plan)?, on_tile_cache(level, &plan, options.cell)?];
        least = Some(match least {
            None => now,
            Some(mut least) => {
                for (own, now) in least.iter_mut().zip(now) {
                    own.frames.iter_mut().zip(now.frames).for_each(|(a, b)| *a = a.min(b));
                }
                least
            }
        });
    }
    let changes: usize = plan.frames.iter().map(Vec::len).sum();
    let both = least.ok_or("no rounds")?;
    let each = both.each_ref().map(|times| times.frames.iter().sum::<f64>() / changes as f64);
    for ((name, times), each) in ["navbake", "TileCache"].iter().zip(&both).zip(each) {
        let worst = times.frames.iter().copied().fold(0.0, f64::max);
        println!(
            "| {} | {name} | {:.0} | {:.2} | {} | {:.0}, {:.0} |",
            level.name,
            each * 1e6,
            worst * 1e3,
            times.polygons,
            times.ground[0],
            times.ground[1],
        );
    }
    println!("| {} | ratio | {:.2} | | | |", level.name, each[0] / each[1]);
    Ok(())
}

fn plan(mesh: NavMesh<'_>, options: &Options) -> Result<Plan, String> {
    let mut random = Random::new(7);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let query = NavQuery::new(mesh);
    let areas = query.areas(&mut sums).ok_or("a level without ground")?;
    let mut solids = vec![];
    for k in 0..options.obstacles {
        let at = query.random_place(&areas, &mut random).ok_or("a level without ground")?;
        solids.push(solid(at.position(), k, &mut random)?);
    }
    let first = solids.clone();
    let mut frames = vec![];
    let mut next = 0;
    for _ in 0..options.frames {
        let mut frame = vec![];
        for _ in 0..3.min(solids.len()) {
            let mut step = || 0.6 * random.unit() - 0.3;
            let by = [step(), 0.0, step()];
            let own = &mut solids[next];
            own.obstacle = own.obstacle.moved(by).map_err(|e| e.to_string())?;
            own.bounds = own.bounds.map(|[x, z]| [x + by[0], z + by[2]]);
            frame.push((next, *own));
            next = (next + 1) % solids.len();
        }
        frames.push(frame);
    }
    Ok(Plan { first, frames })
}

/// A barrel, or a crate with 2 to 12 corners.
fn solid([x, y, z]: [f64; 3], k: usize, random: &mut Random) -> Result<Solid, String> {
    let heights = [y, y + 1.0];
    if k.is_multiple_of(4) {
        let obstacle = Obstacle::cylinder([x, z], 0.5, heights).map_err(|e| e.to_string())?;
        return Ok(Solid {
            obstacle,
            bounds: [[x - 0.5, z - 0.5], [x + 0.5, z + 0.5]],
            round: true,
        });
    }
    let mut near = || 1.6 * random.unit() - 0.8;
    let corners: Vec<[f64; 2]> = (0..2 + k % 11).map(|_| [x + near(), z + near()]).collect();
    let obstacle = Obstacle::prism(&corners, heights).map_err(|e| e.to_string())?;
    let bounds = corners.iter().fold([[f64::MAX; 2], [f64::MIN; 2]], |[low, high], p| {
        [[0, 1].map(|k| low[k].min(p[k])), [0, 1].map(|k| high[k].max(p[k]))]
    });
    Ok(Solid { obstacle, bounds, round: false })
}

fn on_world(nav: NavMeshBuf, plan: &Plan) -> Result<Times, String> {
    let text = |e: navbake_world::Error| e.to_string();
    let mut world = World::new(nav);
    let bare = ground(world.baked());
    let add = |solid: &Solid| world.add(solid.obstacle);
    let ids = plan.first.iter().map(add).collect::<Result<Vec<_>, _>>().map_err(text)?;
    world.commit();
    let with = ground(world.nav_mesh());
    let mut frames = vec![];
    for frame in &plan.frames {
        let begin = cpu_seconds();
        for (k, solid) in frame {
            world.move_to(ids[*k], solid.obstacle).map_err(text)?;
        }
        world.commit();
        frames.push(cpu_seconds() - begin);
    }
    let polygons = world.nav_mesh().polygons().filter(|p| !p.is_empty()).count();
    Ok(Times { frames, polygons, ground: [bare, with] })
}

fn ground(mesh: NavMesh<'_>) -> f64 {
    let mut sums = vec![0; mesh.polygon_count() as usize];
    NavQuery::new(mesh).areas(&mut sums).as_ref().map_or(0.0, Areas::total)
}

fn on_tile_cache(level: &Loaded, plan: &Plan, cell: f64) -> Result<Times, String> {
    let count = plan.first.len();
    let mut cache = TileCache::new(&level.scene, &level.agent, cell, count)?;
    let bare = cache.ground().1;
    // TileCache leaves it to its caller to widen obstacles by the agent's radius.
    let add = |cache: &mut TileCache, solid: &Solid| {
        let [low, high] = solid.bounds;
        let ([bottom, top], radius) = (solid.obstacle.heights(), level.agent.radius);
        let bottom = bottom - level.agent.height;
        if solid.round {
            let at = [0.5 * (low[0] + high[0]), bottom, 0.5 * (low[1] + high[1])];
            return cache.cylinder(at, 0.5 * (high[0] - low[0]) + radius, top - bottom);
        }
        let low = [low[0] - radius, bottom, low[1] - radius];
        cache.box_along_axes(low, [high[0] + radius, top, high[1] + radius])
    };
    let mut ids = vec![];
    for solid in &plan.first {
        ids.push(add(&mut cache, solid)?);
        cache.update()?;
    }
    let with = cache.ground().1;
    let mut frames = vec![];
    for frame in &plan.frames {
        let begin = cpu_seconds();
        for (k, solid) in frame {
            cache.remove(ids[*k])?;
            ids[*k] = add(&mut cache, solid)?;
        }
        cache.update()?;
        frames.push(cpu_seconds() - begin);
    }
    let polygons = cache.ground().0;
    Ok(Times { frames, polygons, ground: [bare, with] })
}
