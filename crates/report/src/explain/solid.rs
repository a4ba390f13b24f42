//! The triangles of a level for explain, and the surfaces to stand on in a column.

use navbake_geom::sort_by_parts;
use navbake_level::{Agent, Level, Role, UP_ONE};

use super::bins::{Bins, Box2};

/// Heights that differ by less than this, in grid units, are equal.
///
/// Heights on the grid are rounded to integers.
pub(crate) const TOUCH: f64 = 0.5;

/// A triangle in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solid {
    /// Corners as x, height, z.
    pub(crate) corners: [[f64; 3]; 3],
    /// Signed squared cosine against up, see [`navbake_level::Triangle::up`].
    pub(crate) up: i32,
    /// Has no area seen from above.
    pub(crate) upright: bool,
    /// Not for standing on because of its role.
    pub(crate) obstacle: bool,
    /// A designer's floor.
    pub(crate) floor: bool,
    pub(crate) part: u32,
    pub(crate) area: u8,
    /// Height = plane[0] (x - x0) + plane[1] (z - z0) + y0, from the first corner.
    plane: [f64; 2],
}

impl Solid {
    fn new(corners: [[f64; 3]; 3]) -> Solid {
        let side = |k: usize, axis: usize| corners[k][axis] - corners[0][axis];
        let area = side(1, 0) * side(2, 2) - side(1, 2) * side(2, 0);
        let plane = match area == 0.0 {
            true => [0.0; 2],
            false => [
                (side(1, 1) * side(2, 2) - side(2, 1) * side(1, 2)) / area,
                (side(2, 1) * side(1, 0) - side(1, 1) * side(2, 0)) / area,
            ],
        };
        Solid {
            corners,
            up: 0,
            upright: area == 0.0,
            obstacle: false,
            floor: false,
            part: 0,
            area: 0,
            plane,
        }
    }

    /// The height of its plane at a place (x, z).
    pub(crate) fn at(&self, [x, z]: [f64; 2]) -> f64 {
        let o = self.corners[0];
        self.plane[0] * (x - o[0]) + self.plane[1] * (z - o[2]) + o[1]
    }

    /// Does it cover a place seen from above, its border included?
    pub(crate) fn holds(&self, [x, z]: [f64; 2]) -> bool {
        let side = |k: usize| {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])
        };
        let sides = [side(0), side(1), side(2)];
        !self.upright && (sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0))
    }

    /// The part of a segment that it covers seen from above, as shares of the length.
    pub(crate) fn cut(&self, a: [f64; 2], b: [f64; 2]) -> Option<(f64, f64)> {
        let (mut t0, mut t1) = (0.0f64, 1.0f64);
        let [p, q, r] = self.corners.map(|c| [c[0], c[2]]);
        let side = |u: [f64; 2], v: [f64; 2], w: [f64; 2]| {
            (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])
        };
        let turn = if side(p, q, r) < 0.0 { -1.0 } else { 1.0 };
        for (u, v) in [(p, q), (q, r), (r, p)] {
            let (from, to) = (turn * side(u, v, a), turn * side(u, v, b));
            if from < 0.0 && to < 0.0 {
                return None;
            } else if from < 0.0 {
                t0 = t0.max(from / (from - to));
            } else if to < 0.0 {
                t1 = t1.min(from / (from - to));
            }
        }
        (t0 < t1).then_some((t0, t1))
    }

    /// Its angle to the horizontal, degrees; above 90 if it faces down.
    ///
    /// For messages only: no decision depends on it.
    pub(crate) fn slope(&self) -> f64 {
        let cos = (f64::from(self.up.unsigned_abs()) / f64::from(UP_ONE)).min(1.0).sqrt();
        let angle = cos.acos().to_degrees();
        if self.up < 0 { 180.0 - angle } else { angle }
    }

    /// Does its front face a direction of the ground plane?
    pub(crate) fn faces(&self, [x, z]: [f64; 2]) -> bool {
        let side = |k: usize| [0, 1, 2].map(|axis| self.corners[k][axis] - self.corners[0][axis]);
        let (u, v) = (side(1), side(2));
        (u[1] * v[2] - u[2] * v[1]) * x + (u[0] * v[1] - u[1] * v[0]) * z > 0.0
    }

    pub(crate) fn to_box(self) -> Box2 {
        let of = |axis: usize| {
            let [a, b, c] = self.corners.map(|c| c[axis]);
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let ([x0, x1], [z0, z1]) = (of(0), of(2));
        [x0, z0, x1, z1]
    }
}

/// An agent in grid units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) radius: f64,
    pub(crate) height: f64,
    pub(crate) climb: f64,
    pub(crate) least_up: i32,
    /// Gaps of the ground narrower than this are crossed.
    pub(crate) crack: f64,
}

impl Body {
    pub(crate) fn new(agent: &Agent, units: f64) -> Body {
        let length = |metres: f64| (metres * units).round_ties_even();
        let radius = length(agent.radius);
        Body {
            radius,
            height: length(agent.height),
            climb: length(agent.climb),
            least_up: agent.least_up(),
            crack: (0.1 * units).min(0.35 * radius),
        }
    }

    /// Can the agent stand on a triangle, by slope and role?
    pub(crate) fn walks_on(&self, solid: &Solid) -> bool {
        !solid.upright && !solid.obstacle && solid.up >= self.least_up
    }

    /// Does a surface this far above the ground reduce the agent's head room?
    pub(crate) fn bumps(&self, above: f64) -> bool {
        above > self.climb + TOUCH && above < self.height - TOUCH
    }
}

/// A surface at a place of the ground plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    pub(crate) y: f64,
    pub(crate) solid: u32,
    /// Is it ground, by slope and role?
    pub(crate) ground: bool,
}

/// All triangles of a level.
#[derive(Clone, Debug)]
pub(crate) struct Solids {
    pub(crate) all: Vec<Solid>,
    bins: Bins,
    /// For each edge (from corner k to the next): the triangle beyond it.
    ///
    /// `None` unless exactly one triangle continues there, seen from above.
    beyond: Vec<[Option<u32>; 3]>,
}

impl Solids {
    /// The triangles of a level, as long as it `goes_on`: a large one takes a second.
    pub(crate) fn new(level: &Level, goes_on: &dyn Fn() -> bool) -> Option<Solids> {
        let all: Vec<Solid> = (level.triangles.iter())
            .map(|t| {
                let role = level.roles[t.part as usize];
                let corners = level.corners(t);
                let corners = corners.map(|p| [p.x, p.y, p.z].map(f64::from));
                Solid {
                    up: t.up,
                    obstacle: role == Role::Obstacle,
                    floor: role == Role::Floor,
                    part: t.part,
                    area: t.area,
                    ..Solid::new(corners)
                }
            })
            .collect();
        let bins = goes_on().then(|| Bins::new(all.iter().map(|s| s.to_box()).collect()))?;
        let beyond = goes_on().then(|| neighbours(level, &all))?;
        Some(Solids { all, bins, beyond })
    }

    /// Does the ground continue beyond an edge of a triangle?
    ///
    /// True if the same kind of surface continues there and nothing else meets the edge.
    pub(crate) fn is_inner(&self, solid: u32, k: usize, body: &Body) -> bool {
        let walks_on = |n: u32| body.walks_on(&self.all[n as usize]);
        self.beyond[solid as usize][k].is_some_and(|other| walks_on(solid) == walks_on(other))
    }

    /// The triangles whose boxes are nearer than `far` to a place.
    pub(crate) fn around(&self, [x, z]: [f64; 2], far: f64, out: &mut Vec<u32>) {
        self.bins.near(&[x - far, z - far, x + far, z + far], out);
    }

    /// All surfaces at a place of the ground plane, lowest first.
    pub(crate) fn column(&self, place: [f64; 2], body: &Body) -> Vec<Surface> {
        let mut near = vec![];
        self.around(place, 0.0, &mut near);
        self.column_of(&near, place, body)
    }

    /// The same of some triangles.
    pub(crate) fn column_of(&self, near: &[u32], place: [f64; 2], body: &Body) -> Vec<Surface> {
        let mut column: Vec<Surface> = (near.iter())
            .filter_map(|&n| {
                let solid = &self.all[n as usize];
                solid.holds(place).then(|| Surface {
                    y: solid.at(place),
                    solid: n,
                    ground: body.walks_on(solid),
                })
            })
            .collect();
        column.sort_by(|a, b| (a.y.total_cmp(&b.y)).then(a.solid.cmp(&b.solid)));
        column
    }
}

/// The lowest surface that reduces the head room of surface `k` of a column.
pub(crate) fn lid(column: &[Surface], k: usize, body: &Body) -> Option<Surface> {
    let y = column[k].y;
    let above = column[k + 1..].iter();
    above.copied().find(|s| body.bumps(s.y - y))
}

/// The surfaces of a column that the agent stands on, as numbers, highest first.
///
/// These are ground with head room that is not within a step below other such ground.
pub(crate) fn standing(column: &[Surface], body: &Body) -> Vec<usize> {
    let mut found = vec![];
    let mut last = f64::INFINITY;
    for k in (0..column.len()).rev() {
        let s = &column[k];
        if s.ground && last - s.y > body.climb && lid(column, k, body).is_none() {
            last = s.y;
            found.push(k);
        }
    }
    found
}

/// See [`Solids::beyond`].
fn neighbours(level: &Level, all: &[Solid]) -> Vec<[Option<u32>; 3]> {
    // The ends of an edge, its triangle and its number there.
    let mut edges: Vec<u128> = Vec::with_capacity(3 * level.triangles.len());
    for (t, n) in level.triangles.iter().zip(0u32..) {
        for k in 0..3 {
            let (a, b) = (t.v[k], t.v[(k + 1) % 3]);
            let ends = u128::from(a.min(b)) << 96 | u128::from(a.max(b)) << 64;
            edges.push(ends | u128::from(n) << 32 | k as u128);
        }
    }
    let edges = sort_by_parts(edges, level.vertices.len(), |edge| (edge >> 96) as usize);
    let mut beyond = vec![[None; 3]; all.len()];
    for same in edges.chunk_by(|a, b| a >> 64 == b >> 64) {
        let &[one, other] = same else {
            continue;
        };
        let ends = [(one >> 96) as u32, (one >> 64) as u32];
        let [(p, i), (q, j)] = [one, other].map(|edge| ((edge >> 32) as u32, edge as u32 as usize));
        let side = |n: u32, k: usize| {
            let [a, b] = ends.map(|v| level.vertices[v as usize].flat());
            let far = level.triangles[n as usize].v[(k + 2) % 3];
            navbake_geom::orient(a, b, level.vertices[far as usize].flat()).signum()
        };
        if side(p, i) * side(q, j) < 0 {
            beyond[p as usize][i] = Some(q);
            beyond[q as usize][j] = Some(p);
        }
    }
    beyond
}
