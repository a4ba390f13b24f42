//! A headless game loop: crates and barrels that move over a level, and units that ask for paths.
//!
//! ```text
//! cargo run --release -p navbake-world --example moving_crates -- LEVEL.nav [OBSTACLES] [FRAMES]
//! ```
//!
//! Each frame moves a part of the obstacles, commits within a budget of polygons, asks for paths on
//! the navmesh of now, and sets an obstacle aside as for a path of its own. Prints the time of the
//! commit that adds all, and the times of commits, paths, and setting aside with putting back, as
//! histograms.

use std::time::Instant;

use navbake_search::around::Random;
use navbake_search::{Algorithm, NavMesh, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use navbake_world::{Obstacle, ObstacleError, World};

/// Baked polygons that a commit may change: the work of a frame.
const POLYGONS: usize = 24;

/// Times of a run, µs, and what it has found.
#[derive(Default)]
struct Run {
    /// Time of the commit that adds all obstacles.
    first: f64,
    commits: Vec<f64>,
    paths: Vec<f64>,
    aside: Vec<f64>,
    changes: usize,
    reached: usize,
    by_tables: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("usage: moving_crates LEVEL.nav [OBSTACLES] [FRAMES]")?;
    let number = |arg: Option<String>, usual: usize| arg.map_or(Ok(usual), |a| a.parse());
    let (count, frames) = (number(args.next(), 200)?, number(args.next(), 600)?);
    let bytes = std::fs::read(&file)?;
    // A world does the same each time, so the least of three times is that without other programs.
    let mut run = play(&bytes, count, frames)?;
    for _ in 0..2 {
        let again = play(&bytes, count, frames)?;
        let least = |own: &mut Vec<f64>, other: &[f64]| {
            own.iter_mut().zip(other).for_each(|(own, other)| *own = own.min(*other));
        };
        run.first = run.first.min(again.first);
        least(&mut run.commits, &again.commits);
        least(&mut run.paths, &again.paths);
        least(&mut run.aside, &again.aside);
    }
    println!("{count} obstacles added at once: {:.1} µs", run.first);
    let each = run.commits.iter().sum::<f64>() / run.changes.max(1) as f64;
    println!("{} changes, {each:.1} µs each", run.changes);
    let (paths, reached, by_tables) = (run.paths.len(), run.reached, run.by_tables);
    println!("{reached} of {paths} paths reached, {by_tables} by tables");
    histogram("commits", &mut run.commits);
    histogram("paths", &mut run.paths);
    histogram("set aside and put back", &mut run.aside);
    Ok(())
}

/// Plays some frames.
fn play(bytes: &[u8], count: usize, frames: usize) -> Result<Run, Box<dyn std::error::Error>> {
    let mut random = Random::new(7);
    let mut world = World::new(NavMeshBuf::open(bytes)?);
    let mut sums = vec![0; world.baked().polygon_count() as usize];
    let mut crates = vec![];
    for k in 0..count {
        let at = place(&world.baked(), &mut sums, &mut random).ok_or("a level without ground")?;
        let obstacle = something(at, k, &mut random)?;
        crates.push((world.add(obstacle)?, obstacle));
    }
    let begin = Instant::now();
    world.commit();
    let first = begin.elapsed().as_secs_f64() * 1e6;
    let (mut run, mut scratch, mut next) = (Run { first, ..Run::default() }, Scratch::new(), 0);
    for _ in 0..frames {
        // Three obstacles a frame, up to 0.3 m along each axis.
        for _ in 0..3.min(count) {
            let (id, obstacle) = &mut crates[next];
            let step = |random: &mut Random| 0.6 * random.unit() - 0.3;
            *obstacle = obstacle.moved([step(&mut random), 0.0, step(&mut random)])?;
            world.move_to(*id, *obstacle)?;
            next = (next + 1) % count;
        }
        let begin = Instant::now();
        run.changes += world.commit_some(POLYGONS).changed;
        run.commits.push(begin.elapsed().as_secs_f64() * 1e6);

        let query = NavQuery::new(world.nav_mesh());
        for _ in 0..2 {
            let ends = [(); 2].map(|()| place(&world.baked(), &mut sums, &mut random));
            let [Some(from), Some(to)] = ends else {
                continue;
            };
            let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
            let begin = Instant::now();
            let path = query.find_path(&request, &mut scratch)?;
            run.paths.push(begin.elapsed().as_secs_f64() * 1e6);
            run.reached += usize::from(path.status == Status::Reached);
            run.by_tables += usize::from(path.by_tables);
        }
        if let Some((id, _)) = crates.get(next) {
            let begin = Instant::now();
            world.without(&[*id], |_| ())?;
            run.aside.push(begin.elapsed().as_secs_f64() * 1e6);
        }
    }
    Ok(run)
}

/// A random place on the ground.
fn place(mesh: &NavMesh<'_>, sums: &mut [u64], random: &mut Random) -> Option<[f64; 3]> {
    let query = NavQuery::new(*mesh);
    let areas = match sums.last() {
        Some(0) | None => query.areas(sums)?,
        Some(_) => navbake_search::around::Areas::from_sums(&query, sums),
    };
    Some(query.random_place(&areas, random)?.position())
}

/// A barrel, or a crate with 2 to 12 corners.
fn something(
    [x, y, z]: [f64; 3],
    k: usize,
    random: &mut Random,
) -> Result<Obstacle, ObstacleError> {
    let heights = [y, y + 1.0];
    if k.is_multiple_of(4) {
        return Obstacle::cylinder([x, z], 0.5, heights);
    }
    let mut near = || 1.6 * random.unit() - 0.8;
    let corners: Vec<[f64; 2]> = (0..2 + k % 11).map(|_| [x + near(), z + near()]).collect();
    Obstacle::prism(&corners, heights)
}

/// Prints percentiles.
fn histogram(name: &str, micros: &mut [f64]) {
    micros.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = micros.len().saturating_sub(1);
        micros.get((share * last as f64) as usize).copied().unwrap_or(0.0)
    };
    let mean = micros.iter().sum::<f64>() / micros.len().max(1) as f64;
    println!(
        "{name}: mean {mean:.1} µs, half {:.1}, 90 % {:.1}, 99 % {:.1}, worst {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
}
