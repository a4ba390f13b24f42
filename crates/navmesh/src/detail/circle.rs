//! Circles through three points, and which points are inside: exact, with a second lifting where
//! more than three are on one.

use super::records::{Node, SECOND};

/// The plane through a lifted triangle, relative to its first corner.
///
/// With sides of 14 bits all sums stay below 2^61.
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
}
