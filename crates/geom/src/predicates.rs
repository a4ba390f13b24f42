//! Exact predicates on grid points.

use crate::Point;

/// Twice the signed area of the triangle `a b c`: positive when it is counter-clockwise seen from above (y up, x to
/// the right, z towards the viewer), which is when its normal points up; zero when the points are collinear. Exact.
#[inline]
pub fn orient(a: Point, b: Point, c: Point) -> i64 {
    let (bx, bz) = (
        i64::from(b.x) - i64::from(a.x),
        i64::from(b.z) - i64::from(a.z),
    );
    let (cx, cz) = (
        i64::from(c.x) - i64::from(a.x),
        i64::from(c.z) - i64::from(a.z),
    );
    bz * cx - bx * cz
}

/// Twice the signed area of a ring, positive when it is counter-clockwise seen from above. Exact for rings of fewer
/// than 2^10 times the range of one triangle.
pub fn ring_area(ring: &[Point]) -> i64 {
    let Some(&o) = ring.first() else { return 0 };
    ring.windows(2).map(|w| orient(o, w[0], w[1])).sum()
}

/// Is `p` on the closed segment `a b`? Exact.
pub fn on_segment(a: Point, b: Point, p: Point) -> bool {
    orient(a, b, p) == 0
        && p.x >= a.x.min(b.x)
        && p.x <= a.x.max(b.x)
        && p.z >= a.z.min(b.z)
        && p.z <= a.z.max(b.z)
}
