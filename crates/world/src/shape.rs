//! Obstacles, and the ground that they take: convex polygons on the grid.

use alloc::vec::Vec;
use core::f64::consts::FRAC_1_SQRT_2;

use navbake_grid::{AreaId, Grid, LIMIT, orient};
use navbake_navmesh::math::{length, round};
use navbake_navmesh::{MOST_CORNERS, Obstacle};

use crate::Error;
use crate::bytes::{Reader, Writer};

/// How far the ground that an obstacle takes may reach beyond the agent's radius, metres: the arcs
/// around its corners are made of tangents.
const ARC: f64 = 0.0125;

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
        (0..n).map(move |k| [self.ring[k], self.ring[if k + 1 < n { k + 1 } else { 0 }]])
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
        !beyond(0) && !beyond(1) && !self.is_apart(ring, |side| side < 0)
    }

    /// Does it hold the middle of a triangle?
    pub(crate) fn holds_middle(&self, triangle: [[i32; 2]; 3]) -> bool {
        // What side a point is on is linear in it.
        self.edges().all(|[a, b]| triangle.iter().map(|&p| orient(a, b, p)).sum::<i64>() > 0)
    }

    /// Is no inner point of it an inner point of a convex ring?
    pub(crate) fn leaves(&self, ring: impl Iterator<Item = [i32; 2]> + Clone) -> bool {
        self.is_apart(ring, |side| side <= 0)
    }

    /// Is there an edge of the one that has all of the other beyond it?
    fn is_apart(
        &self,
        ring: impl Iterator<Item = [i32; 2]> + Clone,
        beyond: impl Fn(i64) -> bool,
    ) -> bool {
        let mut own = self.edges();
        if own.any(|[a, b]| ring.clone().all(|p| beyond(orient(a, b, p)))) {
            return true;
        }
        let Some(first) = ring.clone().next() else {
            return true;
        };
        let next = ring.clone().skip(1).chain([first]);
        let mut edges = ring.zip(next);
        edges.any(|(a, b)| a != b && self.ring.iter().all(|&p| beyond(orient(a, b, p))))
    }
}

/// The ground that each obstacle takes now, and the baked polygons that it touches.
pub(crate) type Taken = (Shape, Vec<u32>);

/// Some of the obstacles, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shapes<'a> {
    pub(crate) all: &'a [Taken],
    pub(crate) numbers: &'a [u32],
}

impl<'a> Shapes<'a> {
    /// Each with its number.
    pub(crate) fn iter(self) -> impl Iterator<Item = (u32, &'a Shape)> + Clone {
        self.numbers.iter().map(move |&number| (number, &self.all[number as usize].0))
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

/// Numbers of tangents all around, with the cosine of half a step between two, and cosine and sine
/// of a step.
const TANGENTS: [(usize, f64, [f64; 2]); 8] = [
    (8, 0.923_879_532_511_286_7, [FRAC_1_SQRT_2; 2]),
    (12, 0.965_925_826_289_068_3, [0.866_025_403_784_438_7, 0.499_999_999_999_999_94]),
    (16, 0.980_785_280_403_230_4, [0.923_879_532_511_286_7, 0.382_683_432_365_089_8]),
    (20, 0.987_688_340_595_137_8, [0.951_056_516_295_153_5, 0.309_016_994_374_947_4]),
    (24, 0.991_444_861_373_810_4, [0.965_925_826_289_068_3, 0.258_819_045_102_520_74]),
    (32, 0.995_184_726_672_196_9, [0.980_785_280_403_230_4, 0.195_090_322_016_128_25]),
    (48, 0.997_858_923_238_603_5, [0.991_444_861_373_810_4, 0.130_526_192_220_051_57]),
    (64, 0.998_795_456_205_172_4, [0.995_184_726_672_196_9, 0.098_017_140_329_560_6]),
];

/// A convex polygon that holds everything within `radius` of a convex ring, and little more: lines
/// along its edges, and around its corners tangents, `arc` beyond the arc at most.
fn offset(ring: &[[i32; 2]], radius: f64, arc: f64) -> Vec<[i32; 2]> {
    // The corners of tangents are 1 / cos(half a step) times the radius away.
    let enough = |(_, cosine, _): &(_, f64, _)| radius * (1.0 / cosine - 1.0) <= arc;
    let found = TANGENTS.iter().find(|row| enough(row));
    let (count, _, step) = *found.unwrap_or(&TANGENTS[TANGENTS.len() - 1]);
    // Outward directions, counter-clockwise seen from above, in the order of their angles.
    let mut lines: Vec<[f64; 2]> = Vec::with_capacity(ring.len() + count);
    let mut direction = [1.0, 0.0];
    for _ in 0..count {
        lines.push(direction);
        let [x, z] = direction;
        direction = [x * step[0] + z * step[1], z * step[0] - x * step[1]];
    }
    let round_ones = lines.clone();
    for k in 0..ring.len() {
        let (a, b) = (ring[k], ring[(k + 1) % ring.len()]);
        let [dx, dz] = [0, 1].map(|i| f64::from(b[i]) - f64::from(a[i]));
        let l = length(dx, dz);
        if l > 0.0 {
            // To the right of the edge, seen from above.
            let normal = [-dz / l, dx / l];
            // A tangent close to an edge's own line would make a tiny edge.
            let near = |line: &[f64; 2]| line[0] * normal[0] + line[1] * normal[1];
            let spare = round_ones.iter().copied().max_by(|p, q| near(p).total_cmp(&near(q)));
            lines.retain(|line| Some(*line) != spare);
            lines.push(normal);
        }
    }
    lines.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)));
    lines.dedup();
    let reach = |n: [f64; 2]| {
        let along = ring.iter().map(|p| f64::from(p[0]) * n[0] + f64::from(p[1]) * n[1]);
        along.fold(f64::NEG_INFINITY, f64::max) + radius
    };
    let mut corners = Vec::with_capacity(lines.len());
    for k in 0..lines.len() {
        let (n, m) = (lines[k], lines[(k + 1) % lines.len()]);
        let det = n[0] * m[1] - n[1] * m[0];
        if det.abs() > 1e-12 {
            let (p, q) = (reach(n), reach(m));
            corners.push([(p * m[1] - q * n[1]) / det, (q * n[0] - p * m[0]) / det].map(round));
        }
    }
    hull(corners)
}

/// A number that rises with the angle of a direction, from 0 to below 4, and is the same on every
/// machine.
fn angle([x, z]: [f64; 2]) -> f64 {
    let t = x / (x.abs() + z.abs());
    // Counter-clockwise seen from above, from +x by -z.
    if z <= 0.0 { 1.0 - t } else { 3.0 + t }
}
