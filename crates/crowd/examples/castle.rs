//! A headless game loop in a castle: doors that open and close, crates that move, 200 units.
//!
//! ```text
//! cargo run --release -p navbake-crowd --example castle -- [FRAMES] [SVG]
//! ```
//!
//! Half of the units go from room to room, each along its own path. The others go where alarms are
//! raised, all by one flow field. Crates slide over the yard, and doors open and close: the change
//! is there at once. Prints times of frames as a histogram, and writes an animation of 10 or more.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use navbake_bake::{Config, Options, bake_file};
use navbake_crowd::{Body, Crowd, Field, State, UnitId};
use navbake_finish::places;
use navbake_search::around::Random;
use navbake_search::{
    Algorithm, NavMesh, NavMeshBuf, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_world::{Obstacle, ObstacleId, World};

const CONFIG: &str = "
seeds = [[13.0, 0.0, 9.0]]
[[agent]]
radius = 0.25
[rooms]
enabled = true
[rooms.doors]
gate = [13.0, 0.0, 18.4]
hall = [9.0, 0.0, -0.4]
kitchen = [17.3, 0.0, -5.4]
barracks = [-0.4, 0.0, 8.7]
chapel = [26.4, 0.0, 8.8]
";
/// Where each door is drawn, in the order of the switches, which is that of their names.
const DOORS: [[f64; 4]; 5] = [
    [-0.4, 8.0, -0.4, 9.4],
    [26.4, 8.0, 26.4, 9.6],
    [11.8, 18.4, 14.2, 18.4],
    [8.0, -0.4, 10.0, -0.4],
    [17.3, -6.0, 17.3, -4.7],
];
/// Frames between two alarms, and between two changes of doors.
const ALARM: usize = 150;
const CHANGE: usize = 40;
const UNITS: usize = 200;
const CRATES: usize = 8;
/// Half of a crate's side, m.
const SIDE: f64 = 0.6;
/// Frames of a second.
const RATE: f64 = 10.0;

struct Game {
    world: World,
    closed: u64,
    crates: Vec<(ObstacleId, Obstacle, [f64; 2])>,
    crowd: Crowd,
    units: Vec<UnitId>,
    random: Random,
    scratch: Scratch,
    filter: QueryFilter,
    alarm: [f64; 3],
}

/// What is there, for the picture: units, crates, and doors that are closed.
type Scene = (Vec<[f64; 2]>, Vec<[f64; 2]>, u64);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let frames = args.next().map_or(Ok(600), |count| count.parse())?;
    let level = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/rooms/castle.obj");
    let baked = bake_file(&level, &Config::parse(CONFIG)?, &Options::default())?;
    let mut game = Game::new(NavMeshBuf::open(&baked.bytes)?)?;
    let (mut times, mut film) = (vec![], vec![]);
    for frame in 0..frames.max(10) {
        let begin = Instant::now();
        game.frame(frame)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        if frame.is_multiple_of(5) {
            let places = game.units.iter().filter_map(|&id| game.crowd.place(id));
            let units = places.map(|place| flat(place.position())).collect();
            film.push((units, game.crates.iter().map(|(.., at)| *at).collect(), game.closed));
        }
    }
    histogram(&mut times);
    if let Some(file) = args.next() {
        std::fs::write(file, picture(&game.world.baked(), &film)?)?;
    }
    Ok(())
}

fn flat([x, _, z]: [f64; 3]) -> [f64; 2] {
    [x, z]
}

/// A random place on ground that is there now.
fn random_place(query: &NavQuery<'_>, random: &mut Random) -> Result<NavPoint, &'static str> {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums);
    areas.and_then(|areas| query.random_place(&areas, random)).ok_or("no ground")
}

impl Game {
    fn new(nav: NavMeshBuf) -> Result<Game, Box<dyn Error>> {
        let mut world = World::new(nav);
        let mut crates = vec![];
        for k in 0..CRATES {
            let [x, z] = [2.5 + 3.0 * k as f64, 9.0];
            let corners = [[-SIDE, -SIDE], [SIDE, -SIDE], [SIDE, SIDE], [-SIDE, SIDE]];
            let solid = Obstacle::prism(&corners.map(|[a, b]| [x + a, z + b]), [0.0, 1.0])?;
            crates.push((world.add(solid)?, solid, [x, z]));
        }
        world.commit();
        let (mut random, mut crowd) = (Random::new(3), Crowd::new(1.0 / RATE));
        let query = NavQuery::new(world.nav_mesh());
        let mut units = vec![];
        while units.len() < UNITS {
            let place = random_place(&query, &mut random)?;
            units.push(crowd.add(&query, place, Body::new(0.25, 1.8, 8.0))?);
        }
        let (scratch, filter, alarm) = (Scratch::new(), QueryFilter::new(), [13.0, 0.0, 14.0]);
        Ok(Game { world, closed: 0, crates, crowd, units, random, scratch, filter, alarm })
    }

    fn frame(&mut self, frame: usize) -> Result<(), Box<dyn Error>> {
        // The world: two crates move each frame, and now and then a door.
        for k in 0..2 {
            let number = (2 * frame + k) % CRATES;
            let (id, obstacle, at) = &mut self.crates[number];
            let forth = (2 * frame / CRATES / 30 + number).is_multiple_of(2);
            let step = if forth { 0.2 } else { -0.2 };
            *obstacle = obstacle.moved([0.0, 0.0, step])?;
            at[1] += step;
            self.world.move_to(*id, *obstacle)?;
        }
        self.world.commit();
        if frame % CHANGE == CHANGE - 1 {
            self.closed ^= 1 << (frame / CHANGE % DOORS.len());
        }
        let mesh = self.world.nav_mesh();
        self.filter.set_blocked(&mesh, &[self.closed], 0)?;
        let query = NavQuery::new(mesh).with_filter(&self.filter);
        // The units: those without ground step off the crate.
        let lost: Vec<UnitId> = self.crowd.ground_changed(&query).collect();
        for id in lost {
            let beside = self.crowd.place(id).and_then(|p| query.nearest(p.position(), [2.0; 3]));
            self.crowd.put(id, beside.ok_or("no ground beside a crate")?)?;
        }
        if frame.is_multiple_of(ALARM) {
            self.alarm = random_place(&query, &mut self.random)?.position();
        }
        let goal = query.nearest(self.alarm, [2.0; 3]).ok_or("no ground at the alarm")?;
        let field = Field::new(&query, &[goal])?;
        for k in 0..self.units.len() {
            let (id, state) = (self.units[k], self.crowd.state(self.units[k]));
            if k.is_multiple_of(2) {
                self.crowd.flow(&query, id, &field)?;
            } else if state != Some(State::Walking) {
                wander(&query, &mut self.crowd, id, &mut self.random, &mut self.scratch)?;
            }
        }
        self.crowd.step(&query, &mut self.scratch);
        Ok(())
    }
}

/// Sends a unit to a random place.
fn wander(
    query: &NavQuery<'_>,
    crowd: &mut Crowd,
    id: UnitId,
    random: &mut Random,
    scratch: &mut Scratch,
) -> Result<(), Box<dyn Error>> {
    let from = crowd.place(id).ok_or("a unit that is gone")?;
    let to = random_place(query, random)?;
    let request = PathRequest::new(from.position(), to.position()).algorithm(Algorithm::Optimal);
    let path = query.find_path(&request, scratch)?;
    if path.status == Status::Reached {
        let mut out = vec![from; path.points.len()];
        crowd.go(id, places(query, &path, &mut out)?.points)?;
    }
    Ok(())
}

/// Prints how many frames took how long.
fn histogram(times: &mut [f64]) {
    let (mut from, mut to) = (0.0, 0.5);
    times.sort_by(f64::total_cmp);
    while times.last().is_some_and(|&most| from < most) {
        let count = times.iter().filter(|&&time| from <= time && time < to).count();
        let bar = "#".repeat((60 * count).div_ceil(times.len()));
        println!("{from:5.2} to {to:5.2} ms {count:5} {bar}");
        (from, to) = (to, 2.0 * to);
    }
    let of = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("half {:.2} ms, 99 % {:.2}, worst {:.2}", of(0.5), of(0.99), of(1.0));
}

/// The animation: a second for ten frames.
fn picture(mesh: &NavMesh<'_>, film: &[Scene]) -> Result<String, std::fmt::Error> {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" viewBox=\"-9.5 -20.5 45.5 46\">\n\
         <path fill=\"#fff\" d=\"M-9.5-20.5h45.5v46h-45.5z\"/>\n\
         <path fill=\"#e4e8ec\" stroke=\"#e4e8ec\" stroke-width=\".03\" d=\"",
    );
    for polygon in mesh.polygons() {
        for k in 0..polygon.len() {
            let [x, z] = flat(mesh.grid().metres(polygon.point(k).map(f64::from)));
            write!(svg, "{}{x:.2} {z:.2}", if k == 0 { 'M' } else { 'L' })?;
        }
        svg.push('z');
    }
    svg.push_str("\"/>\n");
    let seconds = 5.0 * (film.len() - 1) as f64 / RATE;
    let times = format!("dur=\"{seconds}s\" repeatCount=\"indefinite\"");
    // Motions count in steps of 5 cm.
    svg.push_str("<g transform=\"scale(.05)\">\n");
    for k in 0..CRATES {
        let way = motion(film.iter().map(|scene| scene.1[k]), &times);
        writeln!(svg, "<path d=\"M-12-12h24v24h-24z\" fill=\"#a9793f\">{way}</path>")?;
    }
    for k in 0..UNITS {
        let colour = ["#d9480f", "#1c5fa8"][k % 2];
        let way = motion(film.iter().map(|scene| scene.0[k]), &times);
        writeln!(svg, "<circle r=\"5\" fill=\"{colour}\">{way}</circle>")?;
    }
    svg.push_str("</g>\n");
    for (k, [a, b, c, d]) in DOORS.iter().enumerate() {
        let shut = film.iter().map(|scene| ["0", "1"][(scene.2 >> k & 1) as usize]);
        let values = shut.collect::<Vec<_>>().join(";");
        write!(svg, "<path d=\"M{a} {b}L{c} {d}\" stroke=\"#b3001b\" stroke-width=\".4\">")?;
        write!(svg, "<animate attributeName=\"opacity\" calcMode=\"discrete\" {times}")?;
        writeln!(svg, " values=\"{values}\"/></path>")?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

/// A motion over places, in steps of 5 cm.
fn motion(places: impl Iterator<Item = [f64; 2]>, times: &str) -> String {
    let steps = places.map(|place| place.map(|c| (c * 20.0).round() as i32));
    let values = steps.map(|[x, z]| format!("{x} {z}")).collect::<Vec<_>>().join(";");
    let what = "attributeName=\"transform\" type=\"translate\"";
    format!("<animateTransform {what} {times} values=\"{values}\"/>")
}
