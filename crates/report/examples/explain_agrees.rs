//! Asks explain and the navmesh about random points of a level, and counts where they disagree.
//!
//! usage: explain_agrees LEVEL [--config FILE] [--slope DEG] [--samples N] [--seed N] [--dump]
//!
//! Points lie on the level's own triangles, evenly by their area seen from above. A point is on the mesh when a polygon lies there at most 0.3 m above or
//! below the ground that explain found. Prints one line of JSON: points, how many are walkable to both, how many of those that one of them refuses
//! lie within 0.05 m of the mesh's border, or within the 0.1 m that borders may be drawn in by, and how many do not: disagreements. `--dump` lists
//! those on stderr. `micros` is the mean time of an answer.

use std::path::Path;
use std::time::Instant;

use navbake_bake::config::AgentConfig;
use navbake_bake::{Config, Job, Options};
use navbake_format::Blob;
use navbake_report::explain::Explainer;
use navbake_search::{FloodBuffer, Query};

/// A generator of random numbers (xorshift64), from 0 up to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut level = None;
    let (mut config, mut samples, mut seed, mut dump, mut slope) =
        (Config::default(), 100_000u32, 1u64, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option without its value");
        match argument.as_str() {
            "--config" => config = Config::load(Path::new(&value()?))?,
            "--samples" => samples = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--slope" => slope = Some(value()?.parse()?),
            "--dump" => dump = true,
            _ => level = Some(argument),
        }
    }
    if let Some(slope) = slope {
        if config.agents.is_empty() {
            config.agents.push(AgentConfig::default());
        }
        config.agents.iter_mut().for_each(|a| a.slope = slope);
    }
    let input = level.ok_or("usage: explain_agrees LEVEL [options], see its head")?;
    let job = Job::open(Path::new(&input), &config)?;
    let baked = job.bake(&Options::default())?;
    let blob = Blob::open_checked(&baked.bytes)?;
    let mesh = blob.mesh(0).ok_or("no mesh")?;
    let query = Query::new(mesh);
    let mut buffer = FloodBuffer::new(&mesh);
    let explainer = Explainer::new(&job).ok_or("it is a grid map")?;
    let level = job.level().ok_or("it is a grid map")?;

    let mut sum = 0.0;
    let mut table = vec![];
    for t in &level.triangles {
        let [a, b, c] = level.corners(t).map(|p| level.grid.metres(p));
        let doubled = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
        sum += doubled.abs();
        table.push((sum, [a, b, c]));
    }
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut both, mut near, mut drawn, mut wrong) = (0u32, [0u32; 2], 0u32, [0u32; 2]);
    let mut causes = std::collections::BTreeMap::<&str, u32>::new();
    let mut micros = 0.0;
    for _ in 0..samples {
        let at = chance.next() * sum;
        let row = table.partition_point(|e| e.0 <= at).min(table.len() - 1);
        let [a, b, c] = table[row].1;
        let (mut u, mut v) = (chance.next(), chance.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        let point: [f64; 3] = std::array::from_fn(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
        let begin = Instant::now();
        let Some(answer) = explainer.explain(point, 0, Some(mesh)) else {
            continue;
        };
        micros += begin.elapsed().as_secs_f64() * 1e6;
        let cause = answer
            .reasons
            .first()
            .map_or("walkable", |r| r.cause.name());
        *causes.entry(cause).or_default() += 1;
        let ground = answer.ground.unwrap_or(point);
        let on = query.locate(ground, 0.3);
        match (answer.walkable, on) {
            (true, Some(_)) => both += 1,
            (false, None) => {}
            (true, None) => {
                let far = |far: f64| query.nearest(ground, [far, 0.5, far]);
                let flat = |l: navbake_search::Location| {
                    let p = l.position();
                    ((p[0] - ground[0]).powi(2) + (p[2] - ground[2]).powi(2)).sqrt()
                };
                let away = far(0.3).map_or(f64::INFINITY, flat);
                if away <= 0.05 {
                    near[0] += 1;
                } else if away <= 0.105 && answer.room_m.is_some() {
                    drawn += 1;
                } else {
                    wrong[0] += 1;
                    if dump {
                        eprintln!(
                            "not on the mesh, {away:.3} m off: {ground:?} {}",
                            answer.text().trim()
                        );
                    }
                }
            }
            (false, Some(location)) => {
                let far = query.wall_distance(&location, 5.0, &mut buffer).distance;
                if far <= 0.05 {
                    near[1] += 1;
                } else {
                    wrong[1] += 1;
                    if dump {
                        eprintln!(
                            "on the mesh, {far:.3} m inside: {ground:?} {}",
                            answer.text().trim()
                        );
                    }
                }
            }
        }
    }
    println!(
        "{{\"points\": {samples}, \"walkable\": {both}, \"near_border\": {near:?}, \"drawn_in\": {drawn}, \"disagree\": {wrong:?}, \"micros\": {:.0}, \"causes\": {causes:?}}}",
        micros / f64::from(samples.max(1))
    );
    Ok(())
}
