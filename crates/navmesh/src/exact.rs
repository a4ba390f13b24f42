//! Exact predicates on grid points in the ground plane, `[x, z]`; written once, used by checks and by queries.

/// Coordinates lie strictly between `-LIMIT` and `LIMIT`, so that [`orient`] and [`dot`] are exact in `i64` and in `f64`.
pub const LIMIT: i32 = 1 << 25;

/// Twice the signed area of the triangle `a b c`: positive when it is counter-clockwise seen from above (its normal points up), zero
/// when the points are collinear. Exact for coordinates within [`LIMIT`], and no overflow for any `i32`.
#[inline]
pub fn orient(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    cross(direction(a, b), direction(a, c))
}

/// From `a` to `b`.
#[inline]
pub fn direction(a: [i32; 2], b: [i32; 2]) -> [i64; 2] {
    [
        i64::from(b[0]) - i64::from(a[0]),
        i64::from(b[1]) - i64::from(a[1]),
    ]
}

/// Positive when `v` lies to the left of `u`, seen from above. Wraps, and so never panics, where the directions are longer than any
/// two points within [`LIMIT`] allow.
#[inline]
pub fn cross(u: [i64; 2], v: [i64; 2]) -> i64 {
    u[1].wrapping_mul(v[0])
        .wrapping_sub(u[0].wrapping_mul(v[1]))
}

/// Positive when `u` and `v` point into one half of the plane.
#[inline]
pub fn dot(u: [i64; 2], v: [i64; 2]) -> i64 {
    u[0].wrapping_mul(v[0])
        .wrapping_add(u[1].wrapping_mul(v[1]))
}

/// Does all of a rectangle, from its least corner to its greatest, lie to the right of the line from `a` through `b`?
pub fn is_right_of(a: [i32; 2], b: [i32; 2], [least, greatest]: [[i32; 2]; 2]) -> bool {
    let d = direction(a, b);
    // Its corner that lies farthest to the left.
    let x = if d[1] > 0 { greatest[0] } else { least[0] };
    let z = if d[0] > 0 { least[1] } else { greatest[1] };
    orient(a, b, [x, z]) < 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_lies_to_the_right_of_a_line_when_its_corners_do() {
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
