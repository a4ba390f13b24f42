//! Heights between scattered points: linear in the Delaunay triangle that holds a place, found without any triangulation.
//!
//! Lifted to x² + z², the Delaunay triangle above a place is the lowest triangle of points above it: linear programming in three
//! unknowns. From any triangle that holds the place, a point inside the triangle's circle takes the place of one of its corners; the lifted
//! triangle sinks each time.

/// A point: x, z, height.
pub(crate) type Spot = [f64; 3];

/// Squares of distances this close count as equal.
const SAME: f64 = 1e-9;

/// Twice the area of a triangle seen from above, positive when counter-clockwise (z points down the page).
fn turn(a: &Spot, b: &Spot, c: &Spot) -> f64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// Above zero where `d` lies inside the circle through a counter-clockwise triangle; in proportion to its area.
pub(crate) fn inside(a: &Spot, b: &Spot, c: &Spot, d: &Spot) -> f64 {
    let at = |p: &Spot| {
        let (x, z) = (p[0] - d[0], p[1] - d[1]);
        (x, z, x * x + z * z)
    };
    let ((ax, az, aw), (bx, bz, bw), (cx, cz, cw)) = (at(a), at(b), at(c));
    let sum = aw * (bz * cx - bx * cz) + bw * (cz * ax - cx * az) + cw * (az * bx - ax * bz);
    let most = aw.max(bw).max(cw);
    if sum > SAME * most * most { sum } else { 0.0 }
}

/// The triangle of the fan from the first of `corners` (convex, counter-clockwise) that holds the place best.
pub(crate) fn begin(corners: &[Spot], at: [f64; 2]) -> [u32; 3] {
    let p = [at[0], at[1], 0.0];
    let mut best = (f64::NEG_INFINITY, [0, 1, 2]);
    for k in 1..corners.len().saturating_sub(1) {
        let (o, a, b) = (&corners[0], &corners[k], &corners[k + 1]);
        let whole = turn(o, a, b);
        if whole <= 0.0 {
            continue;
        }
        let least = turn(o, a, &p).min(turn(a, b, &p)).min(turn(b, o, &p));
        if least > best.0 {
            best = (least, [0, k as u32, k as u32 + 1]);
        }
        if least >= 0.0 {
            break;
        }
    }
    best.1
}

/// From a triangle of `points` that holds the place to the Delaunay triangle that does.
pub(crate) fn settle(points: &[Spot], at: [f64; 2], mut triangle: [u32; 3]) -> [u32; 3] {
    let p = [at[0], at[1], 0.0];
    for _ in 0..points.len() + 16 {
        let [a, b, c] = triangle.map(|i| &points[i as usize]);
        let mut worst = (0.0, 0u32);
        for (i, d) in points.iter().enumerate() {
            let i = i as u32;
            if triangle.contains(&i) {
                continue;
            }
            let deep = inside(a, b, c, d);
            if deep > worst.0 {
                worst = (deep, i);
            }
        }
        if worst.0 <= 0.0 {
            break;
        }
        let d = worst.1;
        // Of the triangles of the new point with two of the corners, the one that holds the place.
        let mut best = (f64::NEG_INFINITY, triangle);
        for k in 0..3 {
            let mut next = triangle;
            next[k] = d;
            let [a, b, c] = next.map(|i| &points[i as usize]);
            if turn(a, b, c) <= 0.0 {
                continue;
            }
            let least = turn(a, b, &p).min(turn(b, c, &p)).min(turn(c, a, &p));
            if least > best.0 {
                best = (least, next);
            }
        }
        if best.1 == triangle {
            break;
        }
        triangle = best.1;
    }
    triangle
}

/// Height of a triangle's plane at a place.
pub(crate) fn height(points: &[Spot], triangle: [u32; 3], at: [f64; 2]) -> f64 {
    let p = [at[0], at[1], 0.0];
    let [a, b, c] = triangle.map(|i| &points[i as usize]);
    let (wa, wb, wc) = (turn(b, c, &p), turn(c, a, &p), turn(a, b, &p));
    let all = wa + wb + wc;
    if all <= 0.0 {
        return a[2];
    }
    (wa * a[2] + wb * b[2] + wc * c[2]) / all
}
