//! Circles through three points, and what lies inside of them: exact, with a second lifting where more than three lie on one.

use super::{Node, SECOND, UNIT};

/// Does a place (in units of 1 / 2^UNIT steps) lie to the left of the way from `a` to `b`? It never lies on it. Exact: 14 bits times 38.
#[inline]
pub(super) fn left_of(a: Node, b: Node, p: [i64; 2]) -> bool {
    (b.z - a.z) * (p[0] - (a.x << UNIT)) > (b.x - a.x) * (p[1] - (a.z << UNIT))
}

/// The triangle that holds the place, of a triangle that does and a point inside of its circumcircle that replaces one corner.
#[inline]
pub(super) fn replace(t: [Node; 3], q: Node, p: [i64; 2]) -> Option<[Node; 3]> {
    let left = t.map(|c| left_of(q, c, p));
    (0..3)
        .map(|k| (k, (k + 1) % 3))
        .find(|&(k, next)| left[k] && !left[next])
        .map(|(k, next)| [q, t[k], t[next]])
}

/// The plane through a lifted triangle, relative to its first corner. With sides of 14 bits all sums stay below 2^61.
pub(super) struct Circle {
    corners: [Node; 3],
    /// Twice the triangle's area, and that times the plane's slopes.
    area: i64,
    slopes: [i64; 2],
}

impl Circle {
    #[inline]
    pub(super) fn new([a, b, c]: [Node; 3]) -> Circle {
        let ([bx, bz], [cx, cz]) = ([b.x - a.x, b.z - a.z], [c.x - a.x, c.z - a.z]);
        let (lift_b, lift_c) = (bx * bx + bz * bz, cx * cx + cz * cz);
        Circle {
            corners: [a, b, c],
            area: bz * cx - bx * cz,
            slopes: [lift_c * bz - lift_b * cz, lift_b * cx - lift_c * bx],
        }
    }

    /// How far a point is inside, times the area.
    #[inline]
    pub(super) fn inside(&self, q: Node) -> i64 {
        let (x, z) = (q.x - self.corners[0].x, q.z - self.corners[0].z);
        self.slopes[0] * x + self.slopes[1] * z - self.area * (x * x + z * z)
    }

    /// The same in the second lifting.
    #[cold]
    pub(super) fn inside_tie(&self, q: Node) -> i128 {
        let [a, b, c] = self.corners;
        let wide = |n: Node| [i128::from(n.x - a.x), i128::from(n.z - a.z)];
        let [t, u] = SECOND.map(i128::from);
        let lift = |[x, z]: [i128; 2]| x * (u * x + t * z);
        let (b, c, q) = (wide(b), wide(c), wide(q));
        let slope_x = lift(c) * b[1] - lift(b) * c[1];
        let slope_z = lift(b) * c[0] - lift(c) * b[0];
        slope_x * q[0] + slope_z * q[1] - i128::from(self.area) * lift(q)
    }

    /// Centre x and z in steps, and a radius that is not too small.
    #[inline]
    pub(super) fn round(&self) -> [f64; 3] {
        let half = 0.5 / self.area as f64;
        let [x, z] = self.slopes.map(|s| s as f64 * half);
        let radius = root_above(x * x + z * z) + 2.0;
        [
            self.corners[0].x as f64 + x,
            self.corners[0].z as f64 + z,
            radius,
        ]
    }
}

/// The square root or up to 0.2 % more: by Newton's method, which comes from above, from a guess by the exponent.
#[inline]
fn root_above(v: f64) -> f64 {
    let guess = f64::from_bits((v.to_bits() >> 1) + (0x3FF << 51));
    0.5 * (guess + v / guess) * (1.0 + 1e-9)
}

/// The point inside of a circle that lies nearest to a place, and of those on it the lowest in the second lifting.
pub(super) struct Best {
    pub(super) near: [i64; 2],
    /// Its distance squared; the greatest number as long as there is none inside.
    pub(super) distance: i64,
    pub(super) tie: i128,
    pub(super) node: Node,
}

impl Best {
    pub(super) fn new(near: [i64; 2]) -> Best {
        Best {
            near,
            distance: i64::MAX,
            tie: 0,
            node: Node::default(),
        }
    }

    pub(super) fn found(&self) -> bool {
        self.distance < i64::MAX
    }

    #[inline]
    pub(super) fn look(&mut self, circle: &Circle, q: Node) {
        let (x, z) = (q.x - self.near[0], q.z - self.near[1]);
        let distance = x * x + z * z;
        if distance < self.distance {
            self.take(circle, q, distance);
        }
    }

    /// The same for one that is known to be nearer.
    #[inline]
    pub(super) fn take(&mut self, circle: &Circle, q: Node, distance: i64) {
        let inside = circle.inside(q);
        if inside > 0 {
            (self.distance, self.node) = (distance, q);
        } else if inside == 0 && !self.found() && !circle.corners.contains(&q) {
            let tie = circle.inside_tie(q);
            if tie > self.tie {
                (self.tie, self.node) = (tie, q);
            }
        }
    }
}
