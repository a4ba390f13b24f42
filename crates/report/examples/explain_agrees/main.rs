//! Asks explain and the navmesh about random points of a level, counts where they disagree, and
//! compares explain's figures with plain measurements.
//!
//! usage: explain_agrees LEVEL [--config FILE] [--slope DEG] [--border-error M] [--samples N]
//! [--confirm N] [--seed N] [--dump]
//!
//! Points are on the level's own triangles, evenly by their area seen from above. A point is on the
//! mesh when a polygon is there at most 0.3 m above or below the ground that explain found.
//!
//! Prints one line of JSON: the number of points; how many are walkable to both; and of those that
//! only one of them calls walkable, how many are near the mesh's border (within 0.05 m, or within
//! the 0.1 m that borders may be drawn in by), and how many are not. The last are disagreements;
//! `--dump` lists them on stderr. `micros` is the mean time of an answer. `confirmed` gives, for
//! each cause, how many of its first answers (`--confirm`, 200 by default) agree with a measurement
//! by brute force (`plain`).

mod plain;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use navbake_bake::config::AgentConfig;
use navbake_bake::{BakeInput, Config, Options};
use navbake_format::Blob;
use navbake_level::Level;
use navbake_report::explain::{Answer, Explainer};
use navbake_search::{NavMesh, NavPoint, NavQuery, Scratch};
use plain::Plain;

type Fault = Box<dyn std::error::Error>;

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

/// The arguments.
struct Asked {
    level: PathBuf,
    config: Config,
    samples: u32,
    confirm: u32,
    seed: u64,
    dump: bool,
}

fn asked() -> Result<Asked, Fault> {
    let mut asked = Asked {
        level: PathBuf::new(),
        config: Config::default(),
        samples: 100_000,
        confirm: 200,
        seed: 1,
        dump: false,
    };
    let (mut slope, mut border_error) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option without its value");
        match argument.as_str() {
            "--config" => asked.config = Config::load(Path::new(&value()?))?,
            "--samples" => asked.samples = value()?.parse()?,
            "--confirm" => asked.confirm = value()?.parse()?,
            "--seed" => asked.seed = value()?.parse()?,
            "--border-error" => border_error = Some(value()?.parse()?),
            "--slope" => slope = Some(value()?.parse()?),
            "--dump" => asked.dump = true,
            _ => asked.level = argument.into(),
        }
    }
    if asked.level.as_os_str().is_empty() {
        return Err("usage: explain_agrees LEVEL [options], see its head".into());
    }
    if let Some(border_error) = border_error {
        asked.config.border_error = border_error;
    }
    if let Some(slope) = slope {
        let agents = &mut asked.config.agents;
        if agents.is_empty() {
            agents.push(AgentConfig::default());
        }
        agents.iter_mut().for_each(|a| a.slope = slope);
    }
    Ok(asked)
}

/// Random points of a level's triangles.
struct Points {
    /// The area up to each triangle, itself included, and its corners.
    table: Vec<(f64, [[f64; 3]; 3])>,
    chance: Chance,
}

impl Points {
    fn new(level: &Level, seed: u64) -> Points {
        let (mut sum, mut table) = (0.0, vec![]);
        for t in &level.triangles {
            let [a, b, c] = level.corners(t).map(|p| level.grid.metres(p));
            let doubled = (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
            sum += doubled.abs();
            table.push((sum, [a, b, c]));
        }
        let chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        Points { table, chance }
    }

    fn next(&mut self) -> Option<[f64; 3]> {
        let at = self.chance.next() * self.table.last()?.0;
        let row = self.table.partition_point(|e| e.0 <= at);
        let [a, b, c] = self.table.get(row).or(self.table.last())?.1;
        let (mut u, mut v) = (self.chance.next(), self.chance.next());
        if u + v > 1.0 {
            (u, v) = (1.0 - u, 1.0 - v);
        }
        Some([0, 1, 2].map(|k| a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k])))
    }
}

/// The results. Of two numbers the first is of points that explain alone takes, the second of
/// those that the mesh alone has.
#[derive(Default)]
struct Counts {
    both: u32,
    near: [u32; 2],
    drawn: u32,
    wrong: [u32; 2],
    causes: BTreeMap<&'static str, u32>,
    /// Of each cause: confirmed, and looked at.
    confirmed: BTreeMap<&'static str, [u32; 2]>,
    micros: f64,
}

/// Holds answers against the mesh.
struct Judge<'a> {
    query: NavQuery<'a>,
    scratch: Scratch,
    plain: Plain,
    confirm: u32,
    dump: bool,
    counts: Counts,
}

impl<'a> Judge<'a> {
    fn new(mesh: NavMesh<'a>, plain: Plain, asked: &Asked) -> Judge<'a> {
        Judge {
            query: NavQuery::new(mesh),
            scratch: Scratch::new(),
            plain,
            confirm: asked.confirm,
            dump: asked.dump,
            counts: Counts::default(),
        }
    }

    fn judge(&mut self, point: [f64; 3], answer: &Answer) {
        let cause = answer.reasons.first();
        let cause = cause.map_or("walkable", |r| r.cause.name());
        *self.counts.causes.entry(cause).or_default() += 1;
        let ground = answer.ground.unwrap_or(point);
        match (answer.walkable, self.query.locate(ground, 0.3)) {
            (true, Some(_)) => self.counts.both += 1,
            (false, None) => {}
            (true, None) => self.missed(ground, answer),
            (false, Some(location)) => self.extra(ground, answer, &location),
        }
        self.confirm(point, answer);
    }

    /// Explain takes it, and the mesh does not have it.
    fn missed(&mut self, ground: [f64; 3], answer: &Answer) {
        let found = self.query.nearest(ground, [0.3, 0.5, 0.3]);
        let flat = |l: NavPoint| {
            let p = l.position();
            ((p[0] - ground[0]).powi(2) + (p[2] - ground[2]).powi(2)).sqrt()
        };
        let away = found.map_or(f64::INFINITY, flat);
        if away <= 0.05 {
            self.counts.near[0] += 1;
        } else if away <= 0.105 && answer.room_m.is_some() {
            self.counts.drawn += 1;
            self.say(format!("drawn in, {away:.3} m"), ground, &answer.text());
        } else {
            self.counts.wrong[0] += 1;
            self.say(format!("not on the mesh, {away:.3} m off"), ground, &answer.text());
        }
    }

    /// The mesh has it, and explain does not take it.
    fn extra(&mut self, ground: [f64; 3], answer: &Answer, location: &NavPoint) {
        let far = self.query.wall_distance(location, 5.0, &mut self.scratch).distance;
        if far <= 0.05 {
            self.counts.near[1] += 1;
        } else {
            self.counts.wrong[1] += 1;
            self.say(format!("on the mesh, {far:.3} m inside"), ground, &answer.text());
        }
    }

    /// Does brute force measure the figures of the first reason?
    fn confirm(&mut self, point: [f64; 3], answer: &Answer) {
        let Some(reason) = answer.reasons.first() else {
            return;
        };
        let looked = self.counts.confirmed.get(reason.cause.name());
        if looked.is_some_and(|[_, looked]| *looked >= self.confirm) {
            return;
        }
        if let Some(confirmed) = self.plain.confirms(answer, reason) {
            let own = self.counts.confirmed.entry(reason.cause.name());
            let own = own.or_default();
            own[0] += u32::from(confirmed);
            own[1] += 1;
            if !confirmed {
                let ground = answer.ground.unwrap_or(point);
                self.say("not confirmed".into(), ground, &answer.text());
            }
        }
    }

    fn say(&self, what: String, at: [f64; 3], answer: &str) {
        if self.dump {
            eprintln!("{what}: {at:?} {}", answer.trim());
        }
    }
}

fn main() -> Result<(), Fault> {
    let asked = asked()?;
    let job = BakeInput::open(&asked.level, &asked.config)?;
    let baked = job.bake(&Options::default())?;
    let blob = Blob::open_checked(&baked.bytes)?;
    let nav = blob.decode(0)?;
    let mesh = nav.mesh();
    let explainer = Explainer::new(&job).ok_or("it is a grid map")?;
    if job.grid_map().is_some() {
        return Err("it is a grid map".into());
    }
    let level = job.level();
    let agent = explainer.agents().next().ok_or("no agent")?;

    let mut points = Points::new(level, asked.seed);
    let mut judge = Judge::new(mesh, Plain::new(level, agent), &asked);
    for _ in 0..asked.samples {
        let point = points.next().ok_or("no triangles")?;
        let begin = Instant::now();
        let answer = explainer.explain(point, 0, Some(mesh));
        judge.counts.micros += begin.elapsed().as_secs_f64() * 1e6;
        if let Some(answer) = answer {
            judge.judge(point, &answer);
        }
    }
    let counts = judge.counts;
    println!(
        "{{\"points\": {}, \"walkable\": {}, \"near_border\": {:?}, \"drawn_in\": {}, \"disagree\": {:?}, \"micros\": {:.0}, \"causes\": {:?}, \"confirmed\": {:?}}}",
        asked.samples,
        counts.both,
        counts.near,
        counts.drawn,
        counts.wrong,
        counts.micros / f64::from(asked.samples.max(1)),
        counts.causes,
        counts.confirmed,
    );
    Ok(())
}
