//! A triangle near a tile: its corners, its plane, and the part of a line on it.

use navbake_geom::{BoxBounds, Point3};
use navbake_level::{Level, Role};

use super::EdgeKind;
use crate::exact::math::{V2, length, max, min};
use crate::params::Params;

/// Marks a triangle that is ground.
pub(crate) const GROUND: u32 = 1;
/// Marks a triangle that is upright.
pub(crate) const UPRIGHT: u32 = 2;

/// A triangle near the tile.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    /// X, Y and height of the corners, counter-clockwise unless upright.
    pub(crate) corners: [[f64; 3]; 3],
    /// Is it upright (no area seen from above)?
    pub(crate) upright: bool,
    /// Is it ground, by its slope and role?
    pub(crate) ground: bool,
    /// Lowest and highest height.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Least X, least Y, greatest X, greatest Y.
    pub(crate) bounds: [f64; 4],
    /// Height = plane[0] X + plane[1] Y + plane[2], with X and Y from the first corner.
    plane: [f64; 3],
    pub(crate) kinds: [EdgeKind; 3],
}

impl Triangle {
    /// Of a triangle with these bounds.
    pub(crate) fn new(
        level: &Level,
        kinds: &[[EdgeKind; 3]],
        t: u32,
        bounds: [f64; 4],
        params: &Params,
    ) -> Triangle {
        let triangle = &level.triangles[t as usize];
        let place = |p: Point3| [f64::from(p.x), f64::from(-p.z), f64::from(p.y)];
        let heights = level.corners(triangle).map(|p| p.y);
        let mut corners = level.corners(triangle).map(place);
        let role = level.roles[triangle.part as usize];
        let stands = triangle.up >= params.least_up && role != Role::Obstacle;
        let mut kinds = kinds[t as usize];
        let side = |c: &[[f64; 3]; 3], k: usize, axis: usize| c[k][axis] - c[0][axis];
        let area =
            |c: &[[f64; 3]; 3]| side(c, 1, 0) * side(c, 2, 1) - side(c, 1, 1) * side(c, 2, 0);
        if area(&corners) < 0.0 {
            corners.swap(1, 2);
            kinds.swap(0, 2);
        }
        let area = area(&corners);
        let upright = area == 0.0;
        let slope = |axis: usize| {
            let (p, q) = (side(&corners, 1, 2), side(&corners, 2, 2));
            let other = 1 - axis;
            let d = p * side(&corners, 2, other) - q * side(&corners, 1, other);
            if axis == 0 { d / area } else { -d / area }
        };
        let plane = if upright { [0.0; 3] } else { [slope(0), slope(1), corners[0][2]] };
        Triangle {
            upright,
            ground: !upright && stands,
            low: f64::from(heights[0].min(heights[1]).min(heights[2])),
            high: f64::from(heights[0].max(heights[1]).max(heights[2])),
            bounds,
            corners,
            plane,
            kinds,
        }
    }

    pub(crate) fn to_box(&self) -> BoxBounds {
        let [x0, y0, x1, y1] = self.bounds;
        BoxBounds {
            low: [x0, y0, self.low].map(|v| v as i32),
            high: [x1, y1, self.high].map(|v| v as i32),
        }
    }

    /// Whether it is ground, or upright.
    pub(crate) fn mark(&self) -> u32 {
        match (self.ground, self.upright) {
            (true, _) => GROUND,
            (_, true) => UPRIGHT,
            _ => 0,
        }
    }

    /// Height of its plane.
    pub(crate) fn at(&self, p: V2) -> f64 {
        let o = self.corners[0];
        self.plane[0] * (p[0] - o[0]) + self.plane[1] * (p[1] - o[1]) + self.plane[2]
    }

    /// Rise of its plane per unit of X and of Y.
    pub(crate) fn rise(&self) -> V2 {
        [self.plane[0], self.plane[1]]
    }

    /// Height = `plane[0] X + plane[1] Y + plane[2]`, with X and Y from the first corner.
    pub(crate) fn plane(&self) -> [f64; 3] {
        self.plane
    }

    /// A corner seen from above.
    pub(crate) fn flat(&self, k: usize) -> V2 {
        [self.corners[k % 3][0], self.corners[k % 3][1]]
    }

    /// Twice the area of the triangle of edge `k` and `p`: positive if `p` is inside the edge.
    pub(crate) fn inside_of(&self, k: usize, p: V2) -> f64 {
        let (a, b) = (self.flat(k), self.flat(k + 1));
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    }

    /// Does it, not upright, hold a place, its border included?
    #[inline]
    pub(crate) fn holds(&self, p: V2) -> bool {
        let [a, b, c] = &self.corners;
        let inside = |a: &[f64; 3], b: &[f64; 3]| {
            (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= 0.0
        };
        inside(a, b) && inside(b, c) && inside(c, a)
    }

    /// What to add to [`Triangle::inside_of`] each edge to grow the triangle by a margin.
    pub(crate) fn grown(&self, margin: f64) -> [f64; 3] {
        std::array::from_fn(|k| {
            let (p, q) = (self.flat(k), self.flat(k + 1));
            margin * length([q[0] - p[0], q[1] - p[1]])
        })
    }

    /// Is another triangle wholly outside an edge of this one, by more than `margin` along X and Y?
    pub(crate) fn is_clear_of(&self, other: &Triangle, margin: f64) -> bool {
        let flat = [0, 1, 2].map(|k| other.flat(k));
        (0..3).any(|k| {
            let (p, q) = (self.flat(k), self.flat(k + 1));
            let (ex, ey) = (q[0] - p[0], q[1] - p[1]);
            let least = -margin * (ex.abs() + ey.abs());
            let side = |v: V2| ex * (v[1] - p[1]) - ey * (v[0] - p[0]);
            (side(flat[0]) < least) & (side(flat[1]) < least) & (side(flat[2]) < least)
        })
    }

    /// The part of the segment from `a` to `b` in the triangle, between parameters `from` and `to`.
    /// The triangle is grown by what [`Triangle::grown`] gives.
    pub(crate) fn cut(
        &self,
        a: V2,
        b: V2,
        from: f64,
        to: f64,
        grown: &[f64; 3],
    ) -> Option<(f64, f64)> {
        let sides: [(f64, f64); 3] = std::array::from_fn(|k| {
            (self.inside_of(k, a) + grown[k], self.inside_of(k, b) + grown[k])
        });
        // Most are wholly outside an edge: one test for all three.
        let is_outside = |s: &(f64, f64)| (s.0 < 0.0) & (s.1 < 0.0);
        if sides.iter().fold(false, |out, s| out | is_outside(s)) {
            return None;
        }
        let (mut t0, mut t1) = (from, to);
        for (d0, d1) in sides {
            if d0 < 0.0 {
                t0 = max(t0, d0 / (d0 - d1));
            } else if d1 < 0.0 {
                t1 = min(t1, d0 / (d0 - d1));
            }
        }
        (t1 > t0).then_some((t0, t1))
    }
}
