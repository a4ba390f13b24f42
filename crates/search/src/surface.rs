//! The surface of one polygon: points it holds, their height, its nearest point.

use navbake_format::Polygon;
use navbake_format::exact::orient;

use navbake_navmesh::math::{distance, float, round};

/// Does the closed polygon hold the point? Exact.
///
/// Ordered by x, then z, the corners rise from the first to the greatest and fall from there. So
/// one edge of each of the two chains decides: the edge with the point between its ends.
pub fn holds(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> bool {
    let n = polygon.len();
    let first = polygon.corner(0);
    if n == 0 || p < first {
        return false;
    }
    let (mut a, mut k) = (first, 1);
    loop {
        let b = if k < n { polygon.corner(k) } else { first };
        if b < a {
            // Beyond the greatest corner.
            return false;
        }
        if p <= b {
            if orient(a, b, p) < 0 {
                return false;
            }
            break;
        }
        (a, k) = (b, k + 1);
    }
    let (mut b, mut k) = (first, n);
    while k > 0 {
        k -= 1;
        let a = polygon.corner(k);
        if p <= a {
            return orient(a, b, p) >= 0;
        }
        b = a;
    }
    false
}

/// Height of the surface at a point that the polygon holds, grid units.
pub(crate) fn height(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> f64 {
    polygon.height(float(p))
}

/// The grid point of the polygon nearest to a point, up to the grid step.
///
/// The point itself, a grid point beside the nearest point of the border, or a corner where the
/// polygon is too narrow for any other.
pub(crate) fn nearest(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> [i32; 2] {
    match border(polygon, p) {
        Some((at, _)) => beside(polygon, at, p),
        None => p,
    }
}

/// The border point nearest to a point in the plane, and the squared distance.
///
/// `None` when the polygon holds the point.
pub(crate) fn border(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> Option<([f64; 2], f64)> {
    let (n, target) = (polygon.len(), float(p));
    let mut best: Option<([f64; 2], f64)> = None;
    let mut a = polygon.corner(n.saturating_sub(1));
    for k in 0..n {
        let b = polygon.corner(k);
        // The nearest edge has the point on its outer side.
        if orient(a, b, p) < 0 {
            let found = nearest_on_segment(float(a), float(b), target);
            if best.is_none_or(|best| found.1 < best.1) {
                best = Some(found);
            }
        }
        a = b;
    }
    best
}

/// A grid point of the polygon beside a point of its border.
///
/// Among those at most one step away, then three steps, the one nearest to the target; else the
/// corner nearest to the target.
pub fn beside(polygon: &Polygon<'_, '_>, border: [f64; 2], target: [i32; 2]) -> [i32; 2] {
    let (middle, target) = (border.map(round), float(target));
    for steps in [1, 3] {
        let mut best = None;
        let mut best_distance = f64::INFINITY;
        for dx in -steps..=steps {
            for dz in -steps..=steps {
                let q = [middle[0].saturating_add(dx), middle[1].saturating_add(dz)];
                let away = distance(float(q), target);
                if away < best_distance && holds(polygon, q) {
                    (best, best_distance) = (Some(q), away);
                }
            }
        }
        if let Some(best) = best {
            return best;
        }
    }
    let corners = (0..polygon.len()).map(|k| polygon.corner(k));
    let away = |c: &[i32; 2]| distance(float(*c), target);
    let nearest = corners.reduce(|a, b| if away(&b) < away(&a) { b } else { a });
    nearest.unwrap_or_default()
}

/// Nearest point of a segment to a point, and the squared distance.
///
/// Exact up to the rounding of floats.
#[inline]
pub fn nearest_on_segment(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> ([f64; 2], f64) {
    let (d, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let (along, whole) = (to[0] * d[0] + to[1] * d[1], d[0] * d[0] + d[1] * d[1]);
    if along <= 0.0 {
        return (a, to[0] * to[0] + to[1] * to[1]);
    }
    if along >= whole {
        let to = [p[0] - b[0], p[1] - b[1]];
        return (b, to[0] * to[0] + to[1] * to[1]);
    }
    let t = along / whole;
    let across = to[0] * d[1] - to[1] * d[0];
    ([a[0] + t * d[0], a[1] + t * d[1]], across * across / whole)
}
