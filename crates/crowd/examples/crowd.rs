//! A headless game loop with a crowd: times of its steps, and a picture of where units went.
//!
//! ```text
//! cargo run --release -p navbake-crowd --example crowd -- LEVEL.nav [UNITS] [STEPS] [X,Y,Z] [SVG]
//! ```
//!
//! Units begin at random places. They go to the goal X,Y,Z; without one to random places within
//! 40 m, and on to others when they arrive. Units that are astray get another path. Prints the time
//! of a step without and with new paths, how many unit steps ended off the navmesh, and the deepest
//! overlap of two units at the end.

use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

use navbake_crowd::{Body, Crowd, State, UnitId};
use navbake_finish::places;
use navbake_search::around::{Areas, Random};
use navbake_search::{Algorithm, NavMeshBuf, NavPoint, NavQuery, PathRequest, Scratch};

/// Radius of a unit, m; a level for agents of this radius keeps them off its walls.
const RADIUS: f64 = 0.3;

/// The units, where they go, and where they were.
struct Game<'a> {
    query: NavQuery<'a>,
    crowd: Crowd,
    units: Vec<UnitId>,
    goal: Option<NavPoint>,
    random: Random,
    scratch: Scratch,
    out: Vec<NavPoint>,
}

impl Game<'_> {
    /// Sends a unit to the goal of all, or to a random place.
    fn send(&mut self, id: UnitId) -> Result<(), Box<dyn Error>> {
        let from = self.crowd.place(id).ok_or("a unit that is gone")?;
        let (query, scratch) = (&self.query, &mut self.scratch);
        let random = query.random_within(&from, 40.0, &mut self.random, scratch);
        let to = self.goal.unwrap_or(random);
        let request = PathRequest::new(from.position(), to.position());
        let path = query.find_path(&request.algorithm(Algorithm::Optimal), scratch)?;
        if !path.points.is_empty() {
            self.out.resize(path.points.len().max(self.out.len()), from);
            self.crowd.go(id, places(query, &path, &mut self.out)?.points)?;
        }
        Ok(())
    }

    fn positions(&self) -> Vec<[f64; 3]> {
        let places = self.units.iter().filter_map(|&id| self.crowd.place(id));
        places.map(|place| place.position()).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "usage: crowd LEVEL.nav [UNITS] [STEPS] [X,Y,Z] [SVG]";
    let bytes = std::fs::read(args.next().ok_or(usage)?)?;
    let number = |arg: Option<String>, usual: usize| arg.map_or(Ok(usual), |a| a.parse());
    let (count, steps) = (number(args.next(), 1000)?, number(args.next(), 1000)?);
    let (goal, svg) = (args.next().filter(|goal| goal != "-"), args.next());

    let nav = NavMeshBuf::open(&bytes)?;
    let query = NavQuery::new(nav.mesh());
    let goal = goal.map(|text| place(&query, &text)).transpose()?;
    let mut game = Game {
        query,
        crowd: Crowd::new(0.1),
        units: vec![],
        goal,
        random: Random::new(7),
        scratch: Scratch::new(),
        out: vec![],
    };
    add(&mut game, count)?;
    for id in game.units.clone() {
        game.send(id)?;
    }
    let mut trails: Vec<Vec<[f64; 3]>> = game.positions().iter().map(|&p| vec![p]).collect();
    let (mut own, mut all, mut off, mut sent) = (vec![], Duration::ZERO, 0, 0);
    for _ in 0..steps {
        let begin = Instant::now();
        game.crowd.step(&game.query, &mut game.scratch);
        own.push(begin.elapsed());
        for k in 0..game.units.len() {
            let state = game.crowd.state(game.units[k]);
            let onwards = goal.is_none() && state == Some(State::Arrived);
            if onwards || state == Some(State::Astray) {
                game.send(game.units[k])?;
                sent += 1;
            }
        }
        all += begin.elapsed();
        for (k, &id) in game.units.iter().enumerate() {
            let place = game.crowd.place(id).ok_or("a unit that is gone")?;
            let there = game.query.on_polygon(place.polygon(), place.position());
            off += usize::from(there != Some(place));
            trails[k].push(place.position());
        }
    }
    own.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let of = |share: f64| ms(own[((own.len() - 1) as f64 * share) as usize]);
    println!("{count} units, {steps} steps, {sent} more paths, {off} unit steps off the navmesh");
    let mean = ms(own.iter().sum()) / steps as f64;
    let (half, most, worst) = (of(0.5), of(0.99), of(1.0));
    println!("a step: mean {mean:.3} ms, half {half:.3}, 99 % {most:.3}, worst {worst:.3}");
    println!("with new paths: mean {:.3} ms", ms(all) / steps as f64);
    let arrived = |id: &&UnitId| game.crowd.state(**id) == Some(State::Arrived);
    println!("{} units arrived", game.units.iter().filter(arrived).count());
    println!("deepest overlap: {:.2} % of a radius", overlap(&game.positions()));
    if let Some(file) = svg {
        std::fs::write(file, picture(&nav, &trails)?)?;
    }
    Ok(())
}

fn place(query: &NavQuery<'_>, text: &str) -> Result<NavPoint, Box<dyn Error>> {
    let numbers: Vec<f64> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let point: [f64; 3] = numbers.try_into().map_err(|_| "a goal: give X,Y,Z")?;
    Ok(query.nearest(point, [2.0; 3]).ok_or("no ground at the goal")?)
}

/// Adds units at random places from which the goal can be reached, apart from each other.
fn add(game: &mut Game<'_>, count: usize) -> Result<(), Box<dyn Error>> {
    let mut sums = vec![0; game.query.mesh().polygon_count() as usize];
    game.query.areas(&mut sums).ok_or("a level without ground")?;
    let areas = Areas::from_sums(&game.query, &sums);
    let mut taken: Vec<[f64; 3]> = vec![];
    for _ in 0..1000 * count {
        let at = game.query.random_place(&areas, &mut game.random);
        let at = at.ok_or("a level without ground")?;
        let mesh = game.query.mesh();
        let joined = game.goal.is_none_or(|to| mesh.on_one_island(at.polygon(), to.polygon()));
        let free = taken.iter().all(|&other| apart(other, at.position()) > 2.0 * RADIUS);
        if joined && free {
            taken.push(at.position());
            let id = game.crowd.add(&game.query, at, Body::new(RADIUS, 1.5, 8.0))?;
            game.units.push(id);
        }
        if game.units.len() == count {
            return Ok(());
        }
    }
    Err("a level without room for all units".into())
}

/// Distance in the plane; far for places of different storeys.
fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    if (a[1] - b[1]).abs() < 2.0 { (a[0] - b[0]).hypot(a[2] - b[2]) } else { f64::INFINITY }
}

/// The deepest overlap of two units, percent of a radius.
fn overlap(at: &[[f64; 3]]) -> f64 {
    let pairs = at.iter().enumerate().flat_map(|(k, &a)| at[..k].iter().map(move |&b| apart(a, b)));
    let nearest = pairs.fold(f64::INFINITY, f64::min);
    (100.0 * (2.0 * RADIUS - nearest) / RADIUS).max(0.0)
}

/// A plan with the ground, where each unit went, and where it is.
fn picture(nav: &NavMeshBuf, trails: &[Vec<[f64; 3]>]) -> Result<String, std::fmt::Error> {
    let mesh = nav.mesh();
    let metres = |[x, y, z]: [i32; 3]| mesh.grid().metres([x, y, z].map(f64::from));
    let [low, high] = mesh.bounds().map(metres);
    let (wide, deep) = (high[0] - low[0] + 1.0, high[2] - low[2] + 1.0);
    let mut svg = String::new();
    let (left, top) = (low[0] - 0.5, low[2] - 0.5);
    let scale = 1200.0 / wide;
    let (w, h) = (wide * scale, deep * scale);
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" \
         viewBox=\"{left:.2} {top:.2} {wide:.2} {deep:.2}\">"
    )?;
    writeln!(
        svg,
        "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    )?;
    write!(svg, "<path fill=\"#e4e8ec\" stroke=\"#e4e8ec\" stroke-width=\"0.02\" d=\"")?;
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            let [x, _, z] = metres(polygon.point(k));
            write!(svg, "{}{x:.2} {z:.2}", if k == 0 { 'M' } else { 'L' })?;
        }
        svg.push('z');
    }
    svg.push_str("\"/>\n");
    for (k, trail) in trails.iter().enumerate() {
        // Neighbouring numbers have different hues.
        let hue = k * 137 % 360;
        let Some(&[x, _, z]) = trail.last() else { continue };
        write!(svg, "<path fill=\"none\" stroke=\"hsl({hue},60%,45%)\" stroke-width=\"0.06\" ")?;
        write!(svg, "stroke-opacity=\"0.6\" d=\"")?;
        for (k, [x, _, z]) in trail.iter().step_by(3).enumerate() {
            write!(svg, "{}{x:.2} {z:.2}", if k == 0 { 'M' } else { 'L' })?;
        }
        writeln!(svg, "L{x:.2} {z:.2}\"/>")?;
        write!(svg, "<circle cx=\"{x:.2}\" cy=\"{z:.2}\" r=\"{RADIUS}\" ")?;
        writeln!(svg, "fill=\"hsl({hue},60%,45%)\"/>")?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}
