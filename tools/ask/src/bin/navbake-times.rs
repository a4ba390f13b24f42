//! Measures the cheap queries: mean nanoseconds over random places of a baked navmesh.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use navbake_ask::relink;
use navbake_format::Blob;
use navbake_search::around::{MoveLog, Random, Shape};
use navbake_search::blob::EdgeId;
use navbake_search::{MoveRequest, NavPoint, NavQuery, PolyId, Scratch};

/// Prints a table of the mean times of cheap queries, ns.
#[derive(Debug, Parser)]
struct Options {
    /// Baked blobs.
    #[arg(required = true)]
    blobs: Vec<PathBuf>,
    /// Number of places to query.
    #[arg(long, default_value_t = 4096)]
    places: usize,
    /// How often to repeat the queries for each few places; the fastest time counts.
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Cut the ground of each blob into pieces, and join them by this many one-way links.
    #[arg(long)]
    links: Option<u32>,
    /// Only kinds whose name holds this.
    #[arg(long)]
    only: Option<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let mut sound = true;
    println!("| blob | query | ns |\n| --- | --- | --- |");
    for path in &options.blobs {
        if let Err(why) = times(path, &options) {
            eprintln!("{}: {why}", path.display());
            sound = false;
        }
    }
    ExitCode::from(u8::from(!sound))
}

/// Questions between two looks at the clock.
const FEW: usize = 64;

/// A random place, one of the same island, and points off both.
struct Pair {
    from: NavPoint,
    to: NavPoint,
    /// Half a metre above the first.
    above: [f64; 3],
    /// Up to a metre off the first, to all sides.
    beside: [f64; 3],
    /// Three metres from the first, in any direction.
    step: [f64; 3],
}

fn times(path: &PathBuf, options: &Options) -> Result<(), String> {
    let mut bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    if let Some(links) = options.links {
        let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
        bytes = relink(&blob, links, 1).map_err(|e| e.to_string())?;
    }
    let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
    let nav = blob.decode(0).map_err(|e| e.to_string())?;
    let query = NavQuery::new(nav.mesh());
    let mesh = query.mesh();
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let areas = query.areas(&mut sums).ok_or("no areas")?;
    let mut random = Random::new(1);
    let mut pairs = vec![];
    while pairs.len() < options.places {
        let from = query.random_place(&areas, &mut random).ok_or("no ground")?;
        let island = mesh.island(from.polygon());
        let to = query.random_on_island(&areas, island, &mut random);
        let p = from.position();
        let mut off = || 2.0 * random.unit() - 1.0;
        let (beside, d) = ([p[0] + off(), p[1] + off(), p[2] + off()], [off(), off()]);
        let length = d[0].hypot(d[1]).max(1e-3) / 3.0;
        pairs.push(Pair {
            from,
            to: to.ok_or("no island")?,
            above: [p[0], p[1] + 0.5, p[2]],
            beside,
            step: [p[0] + d[0] / length, p[1], p[2] + d[1] / length],
        });
    }
    // Places anywhere, as islands and links have it.
    let mut apart = vec![];
    while apart.len() < options.places {
        let mut place = || query.random_place(&areas, &mut random).ok_or("no ground");
        apart.push([place()?, place()?]);
    }
    let mut at = 0;
    let mut flood = Scratch::new();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let show = |what: &str, ask: &mut dyn FnMut(&Pair)| {
        if options.only.as_ref().is_some_and(|o| !what.contains(o.as_str())) {
            return;
        }
        // So few at a time that other programs seldom come between.
        let mut sum = 0.0;
        for few in pairs.chunks(FEW) {
            let mut least = f64::INFINITY;
            for _ in 0..options.rounds {
                let begin = Instant::now();
                few.iter().for_each(&mut *ask);
                least = least.min(begin.elapsed().as_secs_f64());
            }
            sum += least;
        }
        println!("| {name} | {what} | {:.0} |", 1e9 * sum / pairs.len() as f64);
    };
    show("locate, 0.5 m above", &mut |p| {
        black_box(query.locate(p.above, 2.0));
    });
    show("nearest on the ground, 2 x 4 x 2 m", &mut |p| {
        black_box(query.nearest(p.from.position(), [2.0, 4.0, 2.0]));
    });
    show("nearest up to 1 m beside, 2 x 4 x 2 m", &mut |p| {
        black_box(query.nearest(p.beside, [2.0, 4.0, 2.0]));
    });
    show("height at a place", &mut |p| {
        let [x, z] = p.from.point().map(f64::from);
        black_box(mesh.polygon(p.from.polygon()).height([x, z]));
    });
    show("raycast to a place of the island", &mut |p| {
        black_box(query.raycast(&p.from, p.to.position()));
    });
    show("raycast 3 m", &mut |p| {
        black_box(query.raycast(&p.from, p.step));
    });
    show("line of sight to a place of the island", &mut |p| {
        black_box(query.sees(&p.from, &p.to));
    });
    let (mut entered, mut hit) = ([PolyId(0); 16], [EdgeId(0); 16]);
    show("move 3 m", &mut |p| {
        let (entered, hit) = (&mut entered[..], &mut hit[..]);
        black_box(query.move_along(&p.from, &MoveRequest::new(p.step), MoveLog { entered, hit }));
    });
    show("move 3 m, with the height", &mut |p| {
        let motion = query.move_along(&p.from, &MoveRequest::new(p.step), MoveLog::default());
        black_box(query.place(motion.end));
    });
    show("wall distance, up to 10 m", &mut |p| {
        black_box(query.wall_distance(&p.from, 10.0, &mut flood));
    });
    show("wall distance, up to 100 m", &mut |p| {
        black_box(query.wall_distance(&p.from, 100.0, &mut flood));
    });
    show("polygons in a circle of 5 m", &mut |p| {
        black_box(query.around(&p.from, Shape::Circle(5.0), &mut flood).polygons.len());
    });
    show("is there a way, from any place to any", &mut |_| {
        let [from, to] = &apart[at % apart.len()];
        black_box(query.connected(from, to));
        at += 1;
    });
    show("random place", &mut |_| {
        black_box(query.random_place(&areas, &mut random));
    });
    show("random place within a walk of 10 m", &mut |p| {
        black_box(query.random_within(&p.from, 10.0, &mut Random::new(7), &mut flood));
    });
    Ok(())
}
