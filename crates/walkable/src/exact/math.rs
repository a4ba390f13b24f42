//! Points in the plane, and boxes of floats.

/// A point in the plane: X = x, Y = -z.
pub(crate) type V2 = [f64; 2];

/// The point at parameter `t` from `a` to `b`.
pub(crate) fn lerp(a: V2, b: V2, t: f64) -> V2 {
    [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
}

/// Length of a vector.
pub(crate) fn length(v: V2) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// The lesser of two numbers, of which none is NaN: one instruction, `f64::min` takes several.
#[inline]
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers, of which none is NaN.
#[inline]
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Do two boxes meet? (Least X, least Y, greatest X, greatest Y.)
pub(crate) fn boxes_meet(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/// The part of a box inside another.
pub(crate) fn clamp_box(b: [f64; 4], to: [f64; 4]) -> [f64; 4] {
    [max(b[0], to[0]), max(b[1], to[1]), min(b[2], to[2]), min(b[3], to[3])]
}
