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

/// Is `d` inside (1), on (0) or outside (-1) the circle through `a`, `b` and `c`, which are counter-clockwise seen from
/// above? Exact.
#[inline]
pub fn in_circle(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let rel = |p: Point| {
        [
            i64::from(p.z) - i64::from(d.z),
            i64::from(p.x) - i64::from(d.x),
        ]
    };
    let (a, b, c) = (rel(a), rel(b), rel(c));
    let square = |p: [i64; 2]| p[0] * p[0] + p[1] * p[1];
    let cross = |p: [i64; 2], q: [i64; 2]| p[0] * q[1] - p[1] * q[0];
    // Differences are below 2^26, so squares and cross products are below 2^53 and exact as f64 too; only the last
    // products round, each by at most 2^-53 of itself, and so do the two sums.
    let terms = [
        (square(a), cross(b, c)),
        (square(b), cross(c, a)),
        (square(c), cross(a, b)),
    ];
    let float = terms.map(|(s, x)| s as f64 * x as f64);
    let sum = float[0] + float[1] + float[2];
    let size = float[0].abs() + float[1].abs() + float[2].abs();
    if sum.abs() > size * (1.0 / (1u64 << 50) as f64) {
        return if sum > 0.0 { 1 } else { -1 };
    }
    let exact: i128 = terms
        .iter()
        .map(|&(s, x)| i128::from(s) * i128::from(x))
        .sum();
    exact.signum() as i32
}

/// [`in_circle`] for four points on one circle, decided by a second lifting, 65536 x² + 40501 x z: all such decisions agree on one triangulation, whatever
/// the order in which they are asked for. Readers of heights decide the same way. Exact; 0 for points that tie again.
pub(crate) fn in_circle_tie(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let rel = |p: Point| {
        [
            i64::from(p.z) - i64::from(d.z),
            i64::from(p.x) - i64::from(d.x),
        ]
    };
    let (a, b, c) = (rel(a), rel(b), rel(c));
    let lift = |[z, x]: [i64; 2]| [x, 65_536 * x + 40_501 * z];
    let cross = |p: [i64; 2], q: [i64; 2]| p[0] * q[1] - p[1] * q[0];
    let terms = [
        (lift(a), cross(b, c)),
        (lift(b), cross(c, a)),
        (lift(c), cross(a, b)),
    ];
    // All factors are exact as f64: below 2^53. Each term rounds twice, and so do the sums.
    let float = terms.map(|([x, y], w)| x as f64 * y as f64 * w as f64);
    let sum = float[0] + float[1] + float[2];
    let size = float[0].abs() + float[1].abs() + float[2].abs();
    if sum.abs() > size * (1.0 / (1u64 << 49) as f64) {
        return if sum > 0.0 { 1 } else { -1 };
    }
    let exact: i128 = terms
        .iter()
        .map(|&([x, y], w)| i128::from(x) * i128::from(y) * i128::from(w))
        .sum();
    exact.signum() as i32
}
