//! Obstacles, and the ground that they take: convex polygons on the grid.

use alloc::vec::Vec;

use navbake_grid::{AreaId, Grid, LIMIT, orient};
use navbake_navmesh::math::{float, length, round, sqrt};
use navbake_navmesh::{MOST_CORNERS, Obstacle};

use crate::Error;
use crate::bytes::{Reader, Writer};

/// How far the ground that an obstacle takes may reach beyond the agent's radius, metres: the arcs
/// around its corners are made of tangents.
const ARC: f64 = 0.025;

/// Rounding of corners to the grid, twice, grid units: half a diagonal each.
const ROUNDING: f64 = 1.5;

/// Writes all that an obstacle is made of.
pub(crate) fn save(obstacle: &Obstacle, out: &mut Writer) {
    out.u8(obstacle.corners().len() as u8); // 12 at most
    out.f64(obstacle.radius());
    obstacle.heights().iter().for_each(|&y| out.f64(y));
    obstacle.corners().iter().flatten().for_each(|&c| out.f64(c));
}

/// Reads what [`save`] wrote.
pub(crate) fn restore(input: &mut Reader<'_>) -> Result<Obstacle, Error> {
    let count = usize::from(input.u8()?);
    let [radius, low, high] = [input.f64()?, input.f64()?, input.f64()?];
    let mut corners = [[0.0; 2]; MOST_CORNERS];
    for corner in corners.get_mut(..count).ok_or(Error::Damaged)? {
        *corner = [input.f64()?, input.f64()?];
    }
    let restored = match count {
        1 => Obstacle::cylinder(corners[0], radius, [low, high]),
        _ if radius != 0.0 => return Err(Error::Damaged),
        _ => Obstacle::prism(&corners[..count], [low, high]),
    };
    restored.map_err(|_| Error::Damaged)
}

/// A number of a corner of a ring with `n`, counted on past the end by less than a whole round. A
/// remainder would cost a division.
pub(crate) fn wrap(i: usize, n: usize) -> usize {
    if i < n { i } else { i - n }
}

/// The ground that an obstacle takes, from an agent's centre, or that a volume gives an area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Strictly convex, counter-clockwise seen from above, grid units.
    pub(crate) ring: Vec<[i32; 2]>,
    pub(crate) low: [i32; 2],
    pub(crate) high: [i32; 2],
    /// Ground at these heights counts, grid units.
    pub(crate) heights: [i32; 2],
    /// The area that the ground gets; `None` if it is taken.
    pub(crate) area: Option<AreaId>,
}

/// What an agent takes, grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) radius: f64,
    pub(crate) height: f64,
}

impl Shape {
    /// Offsets an obstacle by an agent. Of a volume, which gives an area, the ground within counts.
    pub(crate) fn new(
        grid: &Grid,
        agent: Agent,
        obstacle: &Obstacle,
        area: Option<AreaId>,
    ) -> Result<Shape, Error> {
        let agent = match area {
            None => agent,
            Some(_) => Agent { radius: 0.0, height: 0.0 },
        };
        let mut points: Vec<[i32; 2]> = Vec::with_capacity(obstacle.corners().len());
        let mut heights = [0; 2];
        for (k, y) in obstacle.heights().into_iter().enumerate() {
            for &[x, z] in obstacle.corners() {
                let p = grid.snap([x, y, z]).ok_or(Error::OutOfRange)?;
                heights[k] = p[1];
                if k == 0 {
                    points.push([p[0], p[2]]);
                }
            }
        }
        let units = grid.units();
        let radius = agent.radius + obstacle.radius() * units;
        let hull = hull(points);
        let ring = offset(&hull, radius + ROUNDING, ARC * units);
        let bounds = |k: usize| {
            let along = ring.iter().map(move |p| p[k]);
            Some([along.clone().min()?, along.max()?])
        };
        let (Some(x), Some(z)) = (bounds(0), bounds(1)) else {
            return Err(Error::OutOfRange);
        };
        let is_far = |c: &i32| c.unsigned_abs() > LIMIT as u32;
        if [x, z].iter().flatten().any(is_far) || ring.len() < 3 {
            return Err(Error::OutOfRange);
        }
        // An agent on ground below an obstacle meets it from its head down.
        heights[0] = heights[0].saturating_sub(round(agent.height.min(f64::from(LIMIT))));
        let [low, high] = [0, 1].map(|k| [x[k], z[k]]);
        Ok(Shape { ring, low, high, heights, area })
    }

    /// The edges, each with its number.
    pub(crate) fn edges(&self) -> impl Iterator<Item = [[i32; 2]; 2]> + Clone {
        let n = self.ring.len();
        (0..n).map(move |k| [self.ring[k], self.ring[wrap(k + 1, n)]])
    }

    /// Is a point strictly inside?
    pub(crate) fn holds(&self, p: [i32; 2]) -> bool {
        let near = (0..2).all(|k| self.low[k] < p[k] && p[k] < self.high[k]);
        near && self.edges().all(|[a, b]| orient(a, b, p) > 0)
    }

    /// Does it have a point in common with a convex ring, its border included?
    pub(crate) fn touches(&self, ring: impl Iterator<Item = [i32; 2]> + Clone) -> bool {
        let beyond = |k: usize| {
            ring.clone().all(|p| p[k] < self.low[k]) || ring.clone().all(|p| self.high[k] < p[k])
        };
        if beyond(0) || beyond(1) {
            return false;
        }
        let Some(first) = ring.clone().next() else {
            return false;
        };
        let mut edges = ring.clone().zip(ring.clone().skip(1).chain([first]));
        // Is there an edge of the one that has all of the other beyond it?
        !self.edges().any(|[a, b]| ring.clone().all(|p| orient(a, b, p) < 0))
            && !edges.any(|(a, b)| a != b && self.is_beyond(a, b, |side| side < 0))
    }

    /// Is all of it on the side of a line that `beyond` takes?
    fn is_beyond(&self, a: [i32; 2], b: [i32; 2], beyond: impl Fn(i64) -> bool) -> bool {
        self.ring.iter().all(|&p| beyond(orient(a, b, p)))
    }

    /// Does it hold the middle of a triangle?
    pub(crate) fn holds_middle(&self, triangle: [[i32; 2]; 3]) -> bool {
        // What side a point is on is linear in it.
        self.edges().all(|[a, b]| triangle.iter().map(|&p| orient(a, b, p)).sum::<i64>() > 0)
    }

    /// Is no inner point of it an inner point of a triangle?
    pub(crate) fn leaves(&self, triangle: [[i32; 2]; 3]) -> bool {
        let [a, b, c] = triangle;
        let beyond = |k: usize| {
            a[k].max(b[k]).max(c[k]) <= self.low[k] || self.high[k] <= a[k].min(b[k]).min(c[k])
        };
        beyond(0)
            || beyond(1)
            || self.edges().any(|[p, q]| triangle.iter().all(|&corner| orient(p, q, corner) <= 0))
            || [(a, b), (b, c), (c, a)].iter().any(|&(a, b)| self.is_beyond(a, b, |side| side <= 0))
    }
}

/// The ground that each obstacle takes now, and the baked polygons that it touches.
pub(crate) type Taken = (Shape, Vec<u32>);

/// Some of the obstacles, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes<'a> {
    pub(crate) all: &'a [Taken],
    /// In ascending order.
    pub(crate) numbers: &'a [u32],
}

impl<'a> Shapes<'a> {
    /// Each with its number.
    pub(crate) fn iter(self) -> impl Iterator<Item = (u32, &'a Shape)> + Clone {
        (0..self.numbers.len() as u32).map(move |place| self.at(place))
    }

    /// The obstacle at a position of `numbers`, with its number.
    pub(crate) fn at(self, place: u32) -> (u32, &'a Shape) {
        let number = self.numbers[place as usize];
        (number, &self.all[number as usize].0)
    }

    /// Those that take ground.
    pub(crate) fn takers(self) -> impl Iterator<Item = (u32, &'a Shape)> + Clone {
        self.iter().filter(|(_, shape)| shape.area.is_none())
    }

    /// Is ground taken at a point: is it strictly inside of one?
    pub(crate) fn hold(self, p: [i32; 2]) -> bool {
        self.takers().any(|(_, shape)| shape.holds(p))
    }

    /// The area that the ground of a triangle gets.
    pub(crate) fn area(self, triangle: [[i32; 2]; 3]) -> Option<AreaId> {
        let volumes = self.iter().filter(|(_, shape)| shape.area.is_some());
        volumes
            .filter(|(_, shape)| shape.holds_middle(triangle))
            .filter_map(|(_, own)| own.area)
            .max()
    }
}

/// The corners of the convex hull, counter-clockwise seen from above (Andrew's monotone chain).
fn hull(mut points: Vec<[i32; 2]>) -> Vec<[i32; 2]> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut ring: Vec<[i32; 2]> = Vec::with_capacity(2 * points.len());
    let add = |ring: &mut Vec<[i32; 2]>, p: [i32; 2], least: usize| {
        while let [.., a, b] = ring[least..]
            && orient(a, b, p) <= 0
        {
            ring.pop();
        }
        ring.push(p);
    };
    for &p in &points {
        add(&mut ring, p, 0);
    }
    let half = ring.len() - 1;
    for &p in points.iter().rev().skip(1) {
        add(&mut ring, p, half);
    }
    ring.pop();
    ring
}

/// A convex polygon that holds everything within `radius` of a convex ring, and little more: lines
/// along its edges, and around its corners tangents, `arc` beyond the arc at most.
fn offset(ring: &[[i32; 2]], radius: f64, arc: f64) -> Vec<[i32; 2]> {
    let n = ring.len();
    let mut fan = Fan::new(radius, arc);
    match ring {
        [middle] => {
            let quarters = [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]];
            for k in 0..4 {
                fan.turn(float(*middle), quarters[k], quarters[wrap(k + 1, 4)]);
            }
        }
        _ => {
            // To the right of the edge that begins at a corner, seen from above.
            let normal = |k: usize| {
                let (a, b) = (ring[k], ring[wrap(k + 1, n)]);
                let [dx, dz] = [0, 1].map(|i| f64::from(b[i]) - f64::from(a[i]));
                let l = length(dx, dz);
                [-dz / l, dx / l]
            };
            let mut before = normal(n - 1);
            for (k, &corner) in ring.iter().enumerate() {
                let behind = normal(k);
                fan.around(float(corner), before, behind);
                before = behind;
            }
        }
    }
    let lines = fan.lines;
    let mut corners = Vec::with_capacity(lines.len());
    for (k, &(n, p)) in lines.iter().enumerate() {
        let (m, q) = lines[wrap(k + 1, lines.len())];
        let det = n[0] * m[1] - n[1] * m[0];
        if det.abs() > 1e-12 {
            corners.push([(p * m[1] - q * n[1]) / det, (q * n[0] - p * m[0]) / det].map(round));
        }
    }
    hull(corners)
}

/// Lines around corners, each by its outward direction and how far it reaches along that; in the
/// order of their angles, counter-clockwise seen from above.
struct Fan {
    lines: Vec<([f64; 2], f64)>,
    radius: f64,
    /// The cosine of the greatest angle between two tangents of an arc: they meet
    /// 1 / cos(half the angle) times the radius away.
    widest: f64,
}

impl Fan {
    fn new(radius: f64, arc: f64) -> Fan {
        let beyond = 1.0 + arc / radius;
        Fan { lines: Vec::with_capacity(32), radius, widest: 2.0 / (beyond * beyond) - 1.0 }
    }

    /// Adds tangents around a corner, behind the direction `from`, and up to `to` itself.
    fn around(&mut self, corner: [f64; 2], from: [f64; 2], to: [f64; 2]) {
        if from[0] * to[0] + from[1] * to[1] >= 0.0 {
            return self.turn(corner, from, to);
        }
        // More than a quarter of a turn, at most a half: from both sides to the middle.
        let [x, z] = [from[1] - to[1], to[0] - from[0]];
        let l = length(x, z);
        let middle = [x / l, z / l];
        self.turn(corner, from, middle);
        self.turn(corner, middle, to);
    }

    /// The same for at most a quarter of a turn, in equal steps.
    fn turn(&mut self, corner: [f64; 2], from: [f64; 2], to: [f64; 2]) {
        let cosine = from[0] * to[0] + from[1] * to[1];
        let (steps, step) = split(cosine, self.widest);
        let sine = sqrt((1.0 - step * step).max(0.0));
        let [mut x, mut z] = from;
        for k in 1..=steps {
            [x, z] = if k == steps { to } else { [x * step + z * sine, z * step - x * sine] };
            self.lines.push(([x, z], corner[0] * x + corner[1] * z + self.radius));
        }
    }
}

/// In how many equal parts an angle of at most a quarter of a turn falls that are not wider than
/// another angle, at most 16, and the cosine of one. Both angles are given by their cosines.
///
/// The cosine of `n` times an angle is the Chebyshev polynomial `T[n]` of its cosine: additions
/// and multiplications, the same on every machine.
fn split(cosine: f64, widest: f64) -> (usize, f64) {
    let (mut steps, mut before, mut own) = (1, 1.0, widest);
    while own > cosine && steps < 16 {
        (before, own) = (own, 2.0 * widest * own - before);
        steps += 1;
    }
    // T rises and is convex from the cosine of a part on: Newton's method comes from above.
    let mut step = 1.0;
    for _ in 0..6 {
        let (mut t, mut next) = (1.0, step);
        // The derivative of T[n] is n U[n - 1].
        let (mut u, mut after) = (0.0, 1.0);
        for _ in 0..steps {
            (t, next) = (next, 2.0 * step * next - t);
            (u, after) = (after, 2.0 * step * after - u);
        }
        step -= (t - cosine) / (steps as f64 * u);
    }
    (steps, step)
}
