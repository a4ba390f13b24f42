//! The lattice of a vehicle with speeds, searched plainly, and a check that drives paths in time.

use std::cmp::Reverse as Least;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

use navbake_format::VehicleSpeeds;
use navbake_vehicle::build::edges::{Edge, spread};
use navbake_vehicle::build::{Tables, VehicleSpec};
use navbake_vehicle::{TurningAnswer, TurningRequest};

use super::chance::unit;
use super::course::Map;
use super::{At, depth, ends, plain_word};

/// Classes of a speed and a turn radius each.
pub(crate) fn speeds(classes: &[[f64; 2]], acceleration: f64, braking: f64) -> VehicleSpeeds {
    let mut own = VehicleSpeeds {
        classes: classes.len() as u32,
        speeds: [0.0; 4],
        turn_radii: [0.0; 4],
        acceleration,
        braking,
        steps: 4,
    };
    for (k, &[speed, radius]) in classes.iter().enumerate() {
        (own.speeds[k], own.turn_radii[k]) = (speed, radius);
    }
    own
}

/// The same vehicle with this many levels a tile of acceleration.
pub(crate) fn with_steps(vehicle: &VehicleSpec, steps: u32) -> VehicleSpec {
    VehicleSpec { speeds: vehicle.speeds.map(|own| VehicleSpeeds { steps, ..own }), ..*vehicle }
}

/// A request on a map of that size: start, goal, headings, the speed at the start and the stop at
/// the goal are drawn each on its own.
pub(crate) fn any_request(seed: &mut u64, [width, height]: [usize; 2], top: f64) -> TurningRequest {
    let on_lattice = |value: f64, step: f64| (value / step).floor() * step;
    let mut place = || {
        let [x, z] = [unit(seed) * width as f64, unit(seed) * height as f64];
        let is_middle = unit(seed) < 0.25;
        let middle = |v: f64| on_lattice(v, 1.0) + 0.5;
        if is_middle { [middle(x), 0.0, middle(z)] } else { [x, 0.0, z] }
    };
    let (from, to) = (place(), place());
    let mut heading = || {
        let angle = unit(seed) * TAU;
        if unit(seed) < 0.25 { on_lattice(angle, TAU / 8.0) } else { angle }
    };
    let (from_heading, to_heading) = (heading(), heading());
    let to_heading = (unit(seed) < 0.5).then_some(to_heading);
    let speed = if unit(seed) < 0.3 { 0.0 } else { unit(seed) * top };
    let stop = unit(seed) < 0.5;
    TurningRequest { speed, stop, ..TurningRequest::new(from, from_heading, to, to_heading) }
}

/// Parts that an edge is cut into.
const PARTS: usize = 240;

/// A move: its tiles, where it leads, and its times from level to level, s.
struct Step {
    tiles: Vec<[i32; 2]>,
    offset: [i32; 2],
    to: u32,
    times: Vec<Vec<Option<f64>>>,
}

pub(crate) struct Timed<'m> {
    map: &'m Map,
    headings: u32,
    gears: u32,
    levels: usize,
    /// Seconds of a change of gear.
    change: f64,
    /// By `gear * headings + heading`.
    steps: Vec<Vec<Step>>,
}

/// Squares of the speeds that states have: even ones up to the greatest, and those of classes.
fn levels(vehicle: &VehicleSpec) -> Vec<f64> {
    let own = vehicle.speeds.unwrap();
    let classes = &own.speeds[..own.classes as usize];
    let top = classes.last().unwrap().powi(2);
    let gain = 2.0 * own.acceleration.min(own.braking) / f64::from(own.steps);
    let mut all: Vec<f64> = (0..).map(|i| f64::from(i) * gain).take_while(|&e| e < top).collect();
    all.extend(classes.iter().map(|v| v * v));
    all.sort_by(f64::total_cmp);
    all.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    all
}

/// The least time of an edge from one square of the speed to another: forwards and backwards over
/// small parts of it.
fn time(vehicle: &VehicleSpec, edge: &Edge, back: bool, from: f64, to: f64) -> Option<f64> {
    let own = vehicle.speeds.unwrap();
    let radius = own.turn_radii[usize::from(edge.class)];
    let [a, b] = ends(edge, vehicle.headings);
    let lengths = plain_word(a, b, radius, edge.word).unwrap();
    let top = own.speeds[own.classes as usize - 1];
    let (mut squares, mut parts) = (vec![f64::INFINITY], vec![]);
    for (turn, length) in edge.word.turns().into_iter().zip(lengths) {
        if length < 1e-9 {
            continue;
        }
        let most = match turn {
            _ if back => own.speeds[0],
            0 => top,
            _ => own.speeds[usize::from(edge.class)],
        };
        let cap = most * most;
        let last = squares.last_mut().unwrap();
        *last = last.min(cap);
        squares.extend([cap; PARTS]);
        parts.extend([length / PARTS as f64; PARTS]);
    }
    let last = squares.len() - 1;
    let slack = 1e-9 * top * top;
    if from > squares[0] + slack || to > squares[last] + slack {
        return None;
    }
    (squares[0], squares[last]) = (from, to);
    let mut forwards = squares.clone();
    for k in 0..last {
        forwards[k + 1] = forwards[k + 1].min(forwards[k] + 2.0 * own.acceleration * parts[k]);
    }
    let mut both = forwards.clone();
    for k in (0..last).rev() {
        both[k] = both[k].min(both[k + 1] + 2.0 * own.braking * parts[k]);
    }
    if both[0] < from - slack || both[last] < to - slack {
        return None;
    }
    // Between two parts the speed may rise and fall: their corner is cut off, which is little.
    Some((0..last).map(|k| 2.0 * parts[k] / (both[k].sqrt() + both[k + 1].sqrt())).sum())
}

impl<'m> Timed<'m> {
    pub(crate) fn new(map: &'m Map, tables: &Tables) -> Timed<'m> {
        let vehicle = &tables.vehicle;
        let headings = vehicle.headings;
        let levels = levels(vehicle);
        let slow = |list: Vec<Vec<Edge>>| -> Vec<Vec<Edge>> {
            list.into_iter().map(|l| l.into_iter().filter(|e| e.class == 0).collect()).collect()
        };
        let forwards = spread(&tables.edges, vehicle);
        let backwards = match tables.back.is_empty() {
            true => slow(forwards.clone()),
            false => spread(&tables.back, vehicle),
        };
        let gears = 1 + u32::from(vehicle.reverse.is_some());
        let mut steps = vec![];
        for gear in 0..gears {
            let about = |h: u32| (h + gear * headings / 2) % headings;
            let price = vehicle.reverse.filter(|_| gear == 1).map_or(1.0, |r| r.penalty);
            for heading in 0..headings {
                let list = [&forwards, &backwards][gear as usize][about(heading) as usize].iter();
                let step = |edge: &Edge| {
                    let cost = |&from: &f64, &to: &f64| {
                        time(vehicle, edge, gear == 1, from, to).map(|time| time * price)
                    };
                    Step {
                        tiles: edge.swept.tiles().collect(),
                        offset: edge.offset,
                        to: about(edge.to),
                        times: levels
                            .iter()
                            .map(|from| levels.iter().map(|to| cost(from, to)).collect())
                            .collect(),
                    }
                };
                steps.push(list.map(step).collect());
            }
        }
        let own = vehicle.speeds.unwrap();
        let top = own.speeds[own.classes as usize - 1];
        let change = vehicle.reverse.map_or(0.0, |r| r.change / top);
        Timed { map, headings, gears, levels: levels.len(), change, steps }
    }

    fn states(&self) -> usize {
        self.levels * (self.gears * self.headings) as usize
    }

    /// Times from rest to all states.
    pub(crate) fn from(&self, tile: [i32; 2], heading: u32) -> Vec<f64> {
        let width = self.map.width;
        let mut costs = vec![f64::INFINITY; width * self.map.height * self.states()];
        let place = |[x, z]: [i32; 2], level: usize, gear: u32, heading: u32| {
            let inner = (level * self.gears as usize + gear as usize) * self.headings as usize;
            (z as usize * width + x as usize) * self.states() + inner + heading as usize
        };
        // Times that are not negative are in the order of their bits.
        let mut open = BinaryHeap::new();
        for gear in 0..self.gears {
            costs[place(tile, 0, gear, heading)] = 0.0;
            open.push(Least((0f64.to_bits(), tile, 0, gear, heading)));
        }
        while let Some(Least((bits, [x, z], level, gear, heading))) = open.pop() {
            let cost = f64::from_bits(bits);
            if cost > costs[place([x, z], level, gear, heading)] {
                continue;
            }
            let mut reach = |tile: [i32; 2], level: usize, gear: u32, heading: u32, cost: f64| {
                let known = &mut costs[place(tile, level, gear, heading)];
                if cost < *known {
                    *known = cost;
                    open.push(Least((cost.to_bits(), tile, level, gear, heading)));
                }
            };
            if self.gears == 2 && level == 0 {
                reach([x, z], 0, 1 - gear, heading, cost + self.change);
            }
            for step in &self.steps[(gear * self.headings + heading) as usize] {
                let mut tiles = step.tiles.iter();
                if !tiles.all(|t| !self.map.is_blocked([x + t[0], z + t[1]])) {
                    continue;
                }
                let to = [x + step.offset[0], z + step.offset[1]];
                for (level, time) in step.times[level].iter().enumerate() {
                    if let Some(time) = time {
                        reach(to, level, gear, step.to, cost + time);
                    }
                }
            }
        }
        costs
    }

    /// The least time to a tile, at a heading or any, at rest or at any speed.
    pub(crate) fn least(
        &self,
        costs: &[f64],
        [x, z]: [i32; 2],
        heading: Option<u32>,
        stop: bool,
    ) -> Option<f64> {
        let first = (z as usize * self.map.width + x as usize) * self.states();
        let own = costs[first..first + self.states()].iter().enumerate();
        let lane = (self.gears * self.headings) as usize;
        let fits =
            |i: usize| heading.is_none_or(|h| h == i as u32 % self.headings) && (!stop || i < lane);
        let least = own.filter(|&(i, _)| fits(i)).map(|(_, &c)| c).min_by(f64::total_cmp);
        least.filter(|c| c.is_finite())
    }
}

/// Drives along a path in time, in steps of a fiftieth of a second, and looks at the map itself and
/// at the vehicle's own numbers: free ground, the turn radius that the speed needs, acceleration
/// and braking, both ends, no leap of place, heading or speed, and the time and the cost that the
/// answer states. Returns the poses looked at.
pub(crate) fn drives_in_time(
    map: &Map,
    vehicle: &VehicleSpec,
    request: &TurningRequest,
    answer: &TurningAnswer<'_>,
    tile: f64,
) -> Result<u64, String> {
    let own = vehicle.speeds.expect("speeds");
    let classes = own.classes as usize;
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let turned = |a: f64, b: f64| {
        let d = (a - b).rem_euclid(TAU);
        d.min(TAU - d)
    };
    let place = |p: [f64; 3]| [p[0] / tile - 0.5, p[2] / tile - 0.5];
    let [x, z] = place(request.from);
    let mut at = At { x, y: -z, heading: request.from_heading };
    let (mut speed, mut back, mut clock, mut seen) = (request.speed / tile, None, 0.0, 0);
    let mut penalty = 0.0;
    for (k, piece) in answer.pieces.iter().enumerate() {
        let fault = |text: &str| Err(format!("piece {k}: {text}: {piece:?} after {at:?}"));
        let (from, s) = (piece.from, piece.segment);
        if !near(from.x, at.x) || !near(from.z, -at.y) || turned(from.heading, at.heading) > 1e-6 {
            return fault("a leap");
        }
        let [v0, v1] = piece.speeds.map(|v| v / tile);
        if !near(v0, speed) {
            return fault("a leap of the speed");
        }
        if back.is_some_and(|back| back != s.back) && v0 > 1e-6 {
            return fault("a change of gear at speed");
        }
        let class = usize::from(piece.class);
        if class >= classes {
            return fault("a class that there is not");
        }
        let radius = own.turn_radii[class];
        // The fastest speed at which a curve of that radius is allowed.
        let most = match s.turn {
            _ if s.back => own.speeds[0],
            0 => own.speeds[classes - 1],
            _ => (0..classes)
                .filter(|&c| own.turn_radii[c] <= radius + 1e-9)
                .map(|c| own.speeds[c])
                .fold(0.0, f64::max),
        };
        if v0.max(v1) > most + 1e-6 || v0.min(v1) < 0.0 {
            return fault("too fast");
        }
        if !(v0 + v1 > 0.0 && s.length > 0.0) {
            return fault("it does not move");
        }
        let time = 2.0 * s.length / (v0 + v1);
        let rate = (v1 - v0) / time;
        if rate > own.acceleration + 1e-6 || rate < -own.braking - 1e-6 {
            return fault("too great an acceleration");
        }
        let steps = (time / 0.02).ceil().max(1.0) as usize;
        let begin = at;
        for i in 1..=steps {
            let t = time * i as f64 / steps as f64;
            let along = v0 * t + rate * t * t / 2.0;
            let along = if s.back { -along } else { along };
            let turn = f64::from(s.turn);
            at = if s.turn == 0 {
                let (sin, cos) = begin.heading.sin_cos();
                At { x: begin.x + along * cos, y: begin.y + along * sin, ..begin }
            } else {
                let heading = begin.heading + turn * along / radius;
                let r = turn * radius;
                At {
                    x: begin.x + r * (heading.sin() - begin.heading.sin()),
                    y: begin.y - r * (heading.cos() - begin.heading.cos()),
                    heading,
                }
            };
            seen += 1;
            let reach = vehicle.footprint.reach() + 1.0;
            for z in (-at.y - reach).floor() as i32..=(-at.y + reach).ceil() as i32 {
                for x in (at.x - reach).floor() as i32..=(at.x + reach).ceil() as i32 {
                    if map.is_blocked([x, z]) && depth(&vehicle.footprint, at, [x, z]) > 1e-5 {
                        return Err(format!("piece {k} touches {x},{z} at {at:?}"));
                    }
                }
            }
        }
        clock += time;
        if s.back {
            penalty += time * (vehicle.reverse.expect("reverse").penalty - 1.0);
        }
        if back.is_some_and(|back| back != s.back) {
            penalty += vehicle.reverse.expect("reverse").change / own.speeds[classes - 1];
        }
        (speed, back) = (v1, Some(s.back));
    }
    let [x, z] = place(request.to);
    if !near(at.x, x) || !near(-at.y, z) {
        return Err(format!("ends at {at:?}"));
    }
    if request.to_heading.is_some_and(|heading| turned(at.heading, heading) > 1e-6) {
        return Err(format!("ends at {at:?}, looking elsewhere"));
    }
    if request.stop && speed > 1e-6 {
        return Err(format!("ends at a speed of {speed}"));
    }
    if !near(clock, answer.time) {
        return Err(format!("takes {clock} and not {}", answer.time));
    }
    if penalty == 0.0 && !near(answer.cost, answer.time) {
        return Err(format!("costs {} and takes {}", answer.cost, answer.time));
    }
    if penalty > 0.0 && answer.cost < answer.time {
        return Err(format!("costs {} and takes {}", answer.cost, answer.time));
    }
    Ok(seen)
}
