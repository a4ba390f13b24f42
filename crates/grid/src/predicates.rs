//! Exact predicates on grid points in the ground plane.

use crate::Point;

/// Twice the signed area of the triangle `a b c`.
///
/// Positive when it is counter-clockwise seen from above, so that its normal points up; zero when
/// the points are collinear. Exact for coordinates within [`crate::LIMIT`]; beyond, it may wrap but
/// never panics.
#[inline]
pub fn orient(a: impl Into<Point>, b: impl Into<Point>, c: impl Into<Point>) -> i64 {
    let a = a.into();
    cross(direction(a, b), direction(a, c))
}

/// From `a` to `b`: `[x, z]`.
#[inline]
pub fn direction(a: impl Into<Point>, b: impl Into<Point>) -> [i64; 2] {
    let (a, b) = (a.into(), b.into());
    [i64::from(b.x) - i64::from(a.x), i64::from(b.z) - i64::from(a.z)]
}

/// Positive when `v` points to the left of `u`, seen from above.
///
/// Wraps where the directions are longer than any two points within [`crate::LIMIT`] allow.
#[inline]
pub fn cross(u: [i64; 2], v: [i64; 2]) -> i64 {
    u[1].wrapping_mul(v[0]).wrapping_sub(u[0].wrapping_mul(v[1]))
}

/// Positive when the angle between `u` and `v` is below 90 degrees. Wraps as [`cross`] does.
#[inline]
pub fn dot(u: [i64; 2], v: [i64; 2]) -> i64 {
    u[0].wrapping_mul(v[0]).wrapping_add(u[1].wrapping_mul(v[1]))
}

/// How far `p` is along `a b`, times the length of `a b`.
#[inline]
pub fn along(a: Point, b: Point, p: Point) -> i64 {
    dot(direction(a, b), direction(a, p))
}

/// Does the path `a b c` turn counter-clockwise at `b`, or go straight on?
///
/// So at every corner of a convex ring.
#[inline]
pub fn convex_corner(a: Point, b: Point, c: Point) -> bool {
    let turn = orient(a, b, c);
    turn > 0 || (turn == 0 && dot(direction(a, b), direction(b, c)) > 0)
}

/// Is a whole rectangle, from its least corner to its greatest, right of the line `a b`?
pub fn is_right_of(a: [i32; 2], b: [i32; 2], [least, greatest]: [[i32; 2]; 2]) -> bool {
    let d = direction(a, b);
    // The corner farthest to the left decides.
    let x = if d[1] > 0 { greatest[0] } else { least[0] };
    let z = if d[0] > 0 { least[1] } else { greatest[1] };
    orient(a, b, [x, z]) < 0
}

/// Twice the signed area of a ring, positive when it is counter-clockwise seen from above.
///
/// Exact while the sum fits into `i64`: 2^10 times the area of the largest triangle.
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

/// Is `d` inside (1), on (0) or outside (-1) the circle through `a`, `b` and `c`? Exact.
///
/// The three are counter-clockwise seen from above.
#[inline]
pub fn in_circle(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let rel = |p: Point| [i64::from(p.z) - i64::from(d.z), i64::from(p.x) - i64::from(d.x)];
    let (a, b, c) = (rel(a), rel(b), rel(c));
    let square = |p: [i64; 2]| p[0] * p[0] + p[1] * p[1];
    let cross = |p: [i64; 2], q: [i64; 2]| p[0] * q[1] - p[1] * q[0];
    // Differences are below 2^26, so squares and cross products are below 2^53 and exact as f64.
    // Only the last products and the two sums round, each by at most 2^-53 of itself.
    let terms = [(square(a), cross(b, c)), (square(b), cross(c, a)), (square(c), cross(a, b))];
    let float = terms.map(|(s, x)| s as f64 * x as f64);
    let sum = float[0] + float[1] + float[2];
    let size = float[0].abs() + float[1].abs() + float[2].abs();
    if sum.abs() > size * (1.0 / (1u64 << 50) as f64) {
        return if sum > 0.0 { 1 } else { -1 };
    }
    let exact: i128 = terms.iter().map(|&(s, x)| i128::from(s) * i128::from(x)).sum();
    exact.signum() as i32
}

/// Decides [`in_circle`] for four points on one circle, by a second lifting.
///
/// Points are lifted to 65536 x² + 40501 x z instead of x² + z². All its decisions agree on one
/// triangulation, whatever their order; readers of height meshes decide by it too. Exact; 0 for
/// points that tie again.
pub fn in_circle_tie(a: Point, b: Point, c: Point, d: Point) -> i32 {
    let rel = |p: Point| [i64::from(p.z) - i64::from(d.z), i64::from(p.x) - i64::from(d.x)];
    let (a, b, c) = (rel(a), rel(b), rel(c));
    let lift = |[z, x]: [i64; 2]| [x, 65_536 * x + 40_501 * z];
    let cross = |p: [i64; 2], q: [i64; 2]| p[0] * q[1] - p[1] * q[0];
    let terms = [(lift(a), cross(b, c)), (lift(b), cross(c, a)), (lift(c), cross(a, b))];
    // All factors are below 2^53 and exact as f64. Each term rounds twice, and so do the sums.
    let float = terms.map(|([x, y], w)| x as f64 * y as f64 * w as f64);
    let sum = float[0] + float[1] + float[2];
    let size = float[0].abs() + float[1].abs() + float[2].abs();
    if sum.abs() > size * (1.0 / (1u64 << 49) as f64) {
        return if sum > 0.0 { 1 } else { -1 };
    }
    let exact: i128 =
        terms.iter().map(|&([x, y], w)| i128::from(x) * i128::from(y) * i128::from(w)).sum();
    exact.signum() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIMIT;

    #[test]
    fn a_rectangle_is_right_of_a_line_when_its_corners_are() {
        let place = [[-2, 1], [3, 5]];
        for (a, b) in (-7..8).flat_map(|i| (-7..8).map(move |j| ([i, -6], [j, 7]))) {
            for (a, b) in [(a, b), (b, a), ([a[1], a[0]], [b[1], b[0]])] {
                let corners = [0, 1].map(|i| [0, 1].map(|k| [place[i][0], place[k][1]]));
                let all = corners.as_flattened().iter().all(|&p| orient(a, b, p) < 0);
                assert_eq!(is_right_of(a, b, place), all, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn counter_clockwise_seen_from_above_is_positive() {
        // y up, x to the right, z towards the viewer: from +z to +x is counter-clockwise.
        assert!(orient([0, 0], [0, 1], [1, 0]) > 0);
        assert!(orient([0, 0], [1, 0], [0, 1]) < 0);
        assert_eq!(orient([-3, -3], [0, 0], [5, 5]), 0);
    }

    #[test]
    fn the_extremes_do_not_overflow() {
        let m = LIMIT - 1;
        let double_square = 8 * i64::from(m) * i64::from(m) / 2;
        assert_eq!(orient([-m, -m], [-m, m], [m, m]), double_square);
        orient([i32::MIN; 2], [i32::MAX; 2], [i32::MIN, i32::MAX]);
    }
}
