//! Explain's measurements repeated by brute force: columns of triangles, and steps of two
//! centimetres in 240 directions. None of this is explain's own code.

use std::collections::HashMap;

use navbake_level::{Agent, Level, Role};
use navbake_report::explain::{Answer, Cause, Reason};

type Place = [f64; 3];

/// Number of directions to walk in, beside the one to the place that a reason names.
const RAYS: usize = 240;
/// How far each step of a walk goes, m.
const STEP: f64 = 0.02;
/// Measures of lengths agree when they differ by no more, m: one step, and rounding.
const SAME: f64 = 0.03;
/// Corners were rounded to a grid, and stated slopes are those before rounding. A corner may have
/// moved by this, m.
const MOVED: f64 = 0.001;
/// Squares in which triangles are looked up have this side, m.
const SQUARE: f64 = 0.5;

/// The triangles of a level in y-up metres, and the agent.
pub(crate) struct Plain {
    triangles: Vec<Flat>,
    squares: HashMap<(i32, i32), Vec<usize>>,
    agent: Agent,
    crack: f64,
}

struct Flat {
    corners: [Place; 3],
    /// Degrees from level, above 90 where it faces down.
    slope: f64,
    /// The error of the slope, since corners were moved onto the grid.
    about: f64,
    /// Slope aside, can an agent stand on it?
    ground: bool,
}

/// A surface above or below a place: its height, and its triangle.
type Surface = (f64, usize);

impl Plain {
    pub(crate) fn new(level: &Level, agent: &Agent) -> Plain {
        let mut plain = Plain {
            triangles: vec![],
            squares: HashMap::new(),
            agent: agent.clone(),
            crack: 0.1f64.min(0.35 * agent.radius),
        };
        for (number, t) in level.triangles.iter().enumerate() {
            let corners = level.corners(t).map(|p| level.grid.metres(p));
            let [a, b, c] = corners;
            let normal = cross(minus(b, a), minus(c, a));
            let long = length(normal);
            let slope = (normal[1] / long).clamp(-1.0, 1.0).acos().to_degrees();
            let edges = [minus(b, a), minus(c, b), minus(a, c)].map(length);
            let least = long / edges.into_iter().fold(0.0, f64::max);
            let walked = level.roles[t.part as usize] != Role::Obstacle;
            plain.triangles.push(Flat {
                corners,
                slope,
                about: 0.05 + (2.0 * MOVED / least).atan().to_degrees(),
                ground: walked && t.up > 0 && slope <= agent.slope + 0.05,
            });
            let range = |k: usize| {
                let all = corners.iter().map(|p| (p[k] / SQUARE).floor() as i32);
                all.clone().min().unwrap_or(0)..=all.max().unwrap_or(0)
            };
            for x in range(0) {
                for z in range(2) {
                    plain.squares.entry((x, z)).or_default().push(number);
                }
            }
        }
        plain
    }

    fn near(&self, x: f64, z: f64) -> &[usize] {
        let square = [x, z].map(|c| (c / SQUARE).floor() as i32);
        let all = self.squares.get(&(square[0], square[1]));
        all.map_or(&[], |v| v)
    }

    /// All surfaces above and below a place, the lowest first.
    fn column(&self, x: f64, z: f64) -> Vec<Surface> {
        let mut found = vec![];
        for &number in self.near(x, z) {
            let [a, b, c] = self.triangles[number].corners;
            let area = side(a, b, [c[0], c[2]]);
            if area.abs() < 1e-9 {
                continue;
            }
            let p = [x, z];
            let shares = [side(b, c, p), side(c, a, p), side(a, b, p)].map(|s| s / area);
            if shares.iter().all(|&s| s >= -1e-9) {
                let height = shares[0] * a[1] + shares[1] * b[1] + shares[2] * c[1];
                found.push((height, number));
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    /// The height at which an agent that is at about height `y` stands at a place.
    fn stands(&self, x: f64, z: f64, y: f64) -> Option<f64> {
        let climb = self.agent.climb + 1e-3;
        let column = self.column(x, z);
        let can = |k: &usize| {
            let (own, number) = column[*k];
            let lids = column[k + 1..].iter();
            let mut lids = lids.filter(|s| s.0 > own + climb);
            self.triangles[number].ground
                && (own - y).abs() <= climb
                && lids.all(|s| s.0 >= own + self.agent.height - 1e-3)
        };
        let highest = (0..column.len()).rev().find(can);
        highest.map(|k| column[k].0)
    }

    /// Does a triangle cross the body of an agent that moves from one place to another, between
    /// climb and head?
    fn is_walled(&self, from: [f64; 2], to: [f64; 2], y: f64) -> bool {
        let (low, high) = (y + self.agent.climb, y + self.agent.height);
        let [dx, dz] = [to[0] - from[0], to[1] - from[1]];
        let long = (dx * dx + dz * dz).sqrt();
        let near = self.near(from[0], from[1]).iter();
        near.chain(self.near(to[0], to[1])).any(|&number| {
            let corners = self.triangles[number].corners;
            // Each corner: distance along the move, height, and distance to the side.
            let own_corners = corners.map(|p| {
                let [x, z] = [p[0] - from[0], p[2] - from[1]];
                [(x * dx + z * dz) / long, p[1], (dx * z - dz * x) / long]
            });
            let mut cut = vec![];
            for k in 0..3 {
                let (a, b) = (own_corners[k], own_corners[(k + 1) % 3]);
                if (a[2] <= 0.0) != (b[2] <= 0.0) {
                    let t = a[2] / (a[2] - b[2]);
                    cut.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
                }
            }
            let [mut p, mut q] = match cut[..] {
                [p, q] => [p, q],
                _ => return false,
            };
            if p[0] > q[0] {
                std::mem::swap(&mut p, &mut q);
            }
            if q[0] < 0.0 || p[0] > long {
                return false;
            }
            let at = |s: f64| p[1] + (s - p[0]) / (q[0] - p[0]) * (q[1] - p[1]);
            let (a, b) = match q[0] - p[0] < 1e-12 {
                true => (p[1], q[1]),
                false => (at(p[0].max(0.0)), at(q[0].min(long))),
            };
            a.max(b) > low && a.min(b) < high
        })
    }

    /// How far an agent gets from a place in a direction, up to a limit, m, and the height of the
    /// ground there.
    fn walk(&self, [x, y, z]: Place, to: [f64; 2], limit: f64) -> (f64, f64) {
        let on = |s: f64| [x + to[0] * s, z + to[1] * s];
        let (mut s, mut high, mut edge) = (0.0, y, None);
        while s < limit {
            let next = (s + STEP).min(limit);
            if self.is_walled(on(s), on(next), high) {
                return (edge.unwrap_or(s), high);
            }
            let [u, w] = on(next);
            match self.stands(u, w, high) {
                Some(found) => (high, edge) = (found, None),
                None => {
                    let from = *edge.get_or_insert(s);
                    if next - from > self.crack {
                        return (from, high);
                    }
                }
            }
            s = next;
        }
        (edge.unwrap_or(limit), high)
    }

    /// Does brute force find the figures of a reason of an answer? `None` where the reason gives no
    /// measurement of the place.
    pub(crate) fn confirms(&self, answer: &Answer, reason: &Reason) -> Option<bool> {
        let ground = answer.ground?;
        let figure = |name: &str| {
            let found = reason.figures.iter().find(|f| f.name == name);
            found.map(|f| f.value)
        };
        match reason.cause {
            Cause::TooSteep | Cause::FacesDown => {
                let slope = figure("slope_degrees")?;
                Some(self.is_so_steep(ground, slope))
            }
            Cause::LowCeiling => Some(self.has_room(ground, figure("room_m")?)),
            Cause::NoGround => None,
            _ => {
                let (far, at) = (figure("distance_m")?, reason.place?);
                Some(self.ends_there(ground, far, at, reason))
            }
        }
    }

    /// Is there a surface of this slope?
    fn is_so_steep(&self, [x, y, z]: Place, slope: f64) -> bool {
        let column = self.column(x, z);
        let mut own = column.iter().filter(|s| (s.0 - y).abs() <= 0.01);
        own.any(|s| self.triangles[s.1].is_so_steep(slope))
    }

    /// Is the stated head room right, and is it too little?
    fn has_room(&self, [x, y, z]: Place, stated: f64) -> bool {
        // The ground that lacks head room may be a step from the surface that was asked for.
        let column = self.column(x, z);
        let near = |s: &&Surface| (s.0 - y).abs() <= self.agent.climb + 0.01;
        let lids = |own: f64| {
            let mut above = column.iter().map(|s| s.0 - own);
            above.find(|room| *room > self.agent.climb - 0.01)
        };
        let mut own = column.iter().filter(near).filter_map(|s| lids(s.0));
        stated < self.agent.height && own.any(|room| (room - stated).abs() <= SAME)
    }

    /// Does ground end at this distance, towards that place, and nowhere nearer? And for the stated
    /// reason?
    fn ends_there(&self, from: Place, distance: f64, at: Place, reason: &Reason) -> bool {
        let limit = distance + 3.0 * SAME;
        let [dx, dz] = [at[0] - from[0], at[2] - from[2]];
        let long = (dx * dx + dz * dz).sqrt();
        let own = match long > 1e-6 {
            true => {
                let to = [dx / long, dz / long];
                (distance - self.walk(from, to, limit).0).abs() <= SAME
            }
            false => distance <= SAME,
        };
        let mut rays = (0..RAYS).map(|k| {
            let (z, x) = (k as f64 / RAYS as f64 * std::f64::consts::TAU).sin_cos();
            self.walk(from, [x, z], distance).0
        });
        own && rays.all(|far| far >= distance - SAME) && self.beyond(from, at, reason)
    }

    /// Is the stated cause found beyond the end?
    fn beyond(&self, from: Place, at: Place, reason: &Reason) -> bool {
        let [dx, dz] = [at[0] - from[0], at[2] - from[2]];
        let long = (dx * dx + dz * dz).sqrt().max(1e-9);
        // Rounding to the grid may leave the very edge on either side.
        let columns = [0.004, 0.008, 0.016, 0.03].map(|s| {
            let [u, w] = [at[0] + dx / long * s, at[2] + dz / long * s];
            self.column(u, w)
        });
        let surfaces = || columns.iter().flatten();
        let figure = |name: &str| {
            let found = reason.figures.iter().find(|f| f.name == name);
            found.map(|f| f.value)
        };
        let (climb, height) = (self.agent.climb, self.agent.height);
        match reason.cause {
            Cause::NearStep => figure("rise_m").is_some_and(|rise| {
                rise > climb && surfaces().any(|s| (s.0 - at[1] - rise).abs() <= SAME)
            }),
            Cause::NearSlope => figure("slope_degrees").is_some_and(|slope| {
                let steep = |s: &Surface| self.triangles[s.1].is_so_steep(slope);
                slope > self.agent.slope && surfaces().any(steep)
            }),
            Cause::NearLowCeiling => figure("room_m").is_some_and(|room| {
                let pairs = columns.iter().any(|column| {
                    // Above the ground there, or above where an agent stands that arrives there.
                    let own = column.iter().map(|s| s.0).chain([at[1]]);
                    let own = own.filter(|y| (y - at[1]).abs() <= climb + SAME);
                    let mut own = own.flat_map(|y| column.iter().map(move |lid| lid.0 - y));
                    own.any(|found| (found - room).abs() <= 2.0 * SAME)
                });
                room < height && pairs
            }),
            Cause::NearLedge => {
                let drop = figure("drop_m");
                // The next surface below, walkable or not.
                let below = |column: &Vec<Surface>| {
                    let mut all = column.iter().rev().map(|s| at[1] - s.0);
                    all.find(|d| *d > 2.0 * MOVED)
                };
                let found: Vec<Option<f64>> = columns.iter().map(below).collect();
                match drop {
                    Some(drop) => found.iter().flatten().any(|d| (d - drop).abs() <= 2.0 * SAME),
                    None => found.contains(&None),
                }
            }
            _ => true,
        }
    }
}

impl Flat {
    fn is_so_steep(&self, slope: f64) -> bool {
        (self.slope - slope).abs() <= self.about
    }
}

fn length(a: Place) -> f64 {
    a.iter().map(|c| c * c).sum::<f64>().sqrt()
}

fn minus(a: Place, b: Place) -> Place {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn cross(a: Place, b: Place) -> Place {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// On which side of a line a place is, in the ground plane.
fn side(a: Place, b: Place, [x, z]: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])
}
