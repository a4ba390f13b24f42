//! The height of a polygon by its corners alone, and of a segment.

/// Height at a place `[x, z]` that a polygon holds, grid units: of the fan of triangles from the
/// first corner, in the first of the triangles (first, k, k + 1) with an area, k rising, that
/// contains the place. On an edge it is linear between the ends. `at(i)` gives corner i for i below
/// `corners`.
#[inline]
pub fn height(corners: usize, at: impl Fn(usize) -> [i32; 3], place: [f64; 2]) -> f64 {
    if corners < 3 {
        return if corners == 0 { 0.0 } else { at(0)[1].into() };
    }
    let flat = |p: [i32; 3]| [f64::from(p[0]) - place[0], f64::from(p[2]) - place[1]];
    let zero = at(0);
    let first = flat(zero);
    let (mut from, mut a) = (zero, first);
    let mut found = None;
    for k in 0..corners {
        let to = if k + 1 == corners { zero } else { at(k + 1) };
        let b = flat(to);
        if cross(a, b) == 0.0 && a[0] * b[0] + a[1] * b[1] <= 0.0 {
            return height_on_segment(from, to, place);
        }
        if k > 0 && k + 1 < corners && found.is_none() {
            let weight = [cross(a, b), cross(b, first), cross(first, a)];
            let area = weight[0] + weight[1] + weight[2];
            if weight.iter().all(|&w| w >= 0.0) && area > 0.0 {
                let up = [zero[1], from[1], to[1]].map(f64::from);
                let sum = weight[0] * up[0] + weight[1] * up[1] + weight[2] * up[2];
                if weight.iter().all(|&w| w > 0.0) {
                    // Within the triangle no edge of the polygon is met.
                    return sum / area;
                }
                found = Some(sum / area);
            }
        }
        (from, a) = (to, b);
    }
    found.unwrap_or(zero[1].into())
}

/// Height on the segment from `a` to `b` at a place of it: the same from both of its sides.
pub fn height_on_segment(a: [i32; 3], b: [i32; 3], place: [f64; 2]) -> f64 {
    let (a, b) = if (a[0], a[2]) <= (b[0], b[2]) { (a, b) } else { (b, a) };
    let [ax, ay, az, bx, by, bz] = [a[0], a[1], a[2], b[0], b[1], b[2]].map(f64::from);
    let (dx, dz) = (bx - ax, bz - az);
    let t = if dx.abs() >= dz.abs() { (place[0] - ax) / dx } else { (place[1] - az) / dz };
    if t.is_nan() {
        return ay;
    }
    ay + (by - ay) * t.clamp(0.0, 1.0)
}

/// Twice the signed area of the place, `a` and `b`, both relative to the place; exact for whole
/// numbers of 26 bits.
#[inline]
fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[1] * b[0] - a[0] * b[1]
}
