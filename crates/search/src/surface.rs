//! The surface of one polygon: what it holds, how high it is, where it is nearest.

use navbake_format::Polygon;
use navbake_format::exact::orient;

use crate::math::{distance, float};

/// Does the closed polygon hold the point? Exact.
pub(crate) fn holds(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> bool {
    let n = polygon.len();
    if n == 0 {
        return false;
    }
    let mut a = polygon.corner(n - 1);
    for k in 0..n {
        let b = polygon.corner(k);
        if orient(a, b, p) < 0 {
            return false;
        }
        a = b;
    }
    true
}

/// Does the polygon, which holds the point, still hold it when it moves a tiny bit towards +x and, by a yet tinier bit, towards +z? Of
/// polygons that share an edge or a corner at the point without overlap, exactly one or none does.
pub(crate) fn holds_moved(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> bool {
    (0..polygon.len()).all(|k| {
        let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
        orient(a, b, p) > 0 || b[1] > a[1] || (b[1] == a[1] && b[0] < a[0])
    })
}

/// Height of the surface above a point that the polygon holds, in grid units.
pub(crate) fn height(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> f64 {
    polygon.height(float(p))
}

/// A grid point of the polygon that is nearest to a point in the plane, up to the grid's step: the point itself, a grid point beside the
/// nearest point of the border, or a corner where the polygon is too narrow for another.
pub(crate) fn nearest(polygon: &Polygon<'_, '_>, p: [i32; 2]) -> [i32; 2] {
    if holds(polygon, p) {
        return p;
    }
    let target = float(p);
    let (mut border, mut border_distance) = (target, f64::INFINITY);
    let (mut best, mut best_distance) = (polygon.corner(0), f64::INFINITY);
    for k in 0..polygon.len() {
        let corner = polygon.corner(k);
        let (a, b) = (float(corner), float(polygon.corner(polygon.next(k))));
        let d = [b[0] - a[0], b[1] - a[1]];
        let along = (target[0] - a[0]) * d[0] + (target[1] - a[1]) * d[1];
        let t = (along / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
        let q = [a[0] + t * d[0], a[1] + t * d[1]];
        if distance(q, target) < border_distance {
            (border, border_distance) = (q, distance(q, target));
        }
        if distance(a, target) < best_distance {
            (best, best_distance) = (corner, distance(a, target));
        }
    }
    let base = border.map(|c| c as i32);
    for dx in -1..=1 {
        for dz in -1..=1 {
            let q = [base[0].saturating_add(dx), base[1].saturating_add(dz)];
            if distance(float(q), target) < best_distance && holds(polygon, q) {
                (best, best_distance) = (q, distance(float(q), target));
            }
        }
    }
    best
}
