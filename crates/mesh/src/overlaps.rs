//! Floors above one another: triangles whose insides overlap seen from above, with too little
//! height between them.

use navbake_geom::{BoxBounds, orient, touching_pairs};

use crate::fan::Corners;
use crate::found::{EFFORT, Found};

/// Overlaps no wider than about this, in grid units, are the rounding of neighbours.
const THIN: f64 = 4.0;

/// Pairs of triangles that overlap seen from above and are less than `height` apart somewhere
/// there. The flag says whether all pairs could be looked at.
pub(crate) fn overlaps(triangles: &[Corners], height: i32) -> (Found, bool) {
    let with_head_room = |c: &Corners| {
        let mut b = BoxBounds::around(c, 0, 0);
        b.high[2] = b.high[2].saturating_add(height.max(0));
        b
    };
    let boxes: Vec<BoxBounds> = triangles.iter().map(with_head_room).collect();
    let mut found = Found::default();
    let all = touching_pairs(&boxes, EFFORT, |i, j| {
        let (a, b) = (&triangles[i], &triangles[j]);
        if insides_meet(a, b) && gap(a, b).is_some_and(|g| g < f64::from(height)) {
            found.note((*a.iter().min().unwrap_or(&a[0])).min(*b.iter().min().unwrap_or(&b[0])));
        }
    });
    (found, all)
}

/// Do the insides of two triangles overlap seen from above?
///
/// Exact: no edge of either has the other wholly on its right.
fn insides_meet(a: &Corners, b: &Corners) -> bool {
    let parted = |a: &Corners, b: &Corners| {
        (0..3).any(|k| {
            let (u, v) = (a[k].flat(), a[(k + 1) % 3].flat());
            b.iter().all(|p| orient(u, v, p.flat()) <= 0)
        })
    };
    !parted(a, b) && !parted(b, a)
}

/// The least vertical distance of two triangles over their overlap, or `None` when that is only a
/// sliver. For the report alone, in `f64`.
fn gap(a: &Corners, b: &Corners) -> Option<f64> {
    let flat = |c: &Corners| c.map(|p| [f64::from(p.x), f64::from(p.z)]);
    let side = |u: [f64; 2], v: [f64; 2], p: [f64; 2]| {
        (v[1] - u[1]) * (p[0] - u[0]) - (v[0] - u[0]) * (p[1] - u[1])
    };
    // Sutherland and Hodgman 1974.
    let mut ring: Vec<[f64; 2]> = flat(a).to_vec();
    let clip = flat(b);
    for k in 0..3 {
        let (u, v) = (clip[k], clip[(k + 1) % 3]);
        let mut next = vec![];
        for i in 0..ring.len() {
            let (p, q) = (ring[i], ring[(i + 1) % ring.len()]);
            let (sp, sq) = (side(u, v, p), side(u, v, q));
            if sp >= 0.0 {
                next.push(p);
            }
            if (sp > 0.0 && sq < 0.0) || (sp < 0.0 && sq > 0.0) {
                let t = sp / (sp - sq);
                next.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
            }
        }
        ring = next;
    }
    if ring.len() < 3 {
        return None;
    }
    let n = ring.len();
    let area: f64 = (1..n - 1).map(|i| side(ring[0], ring[i], ring[i + 1])).sum();
    let around: f64 = (0..n)
        .map(|i| {
            let (p, q) = (ring[i], ring[(i + 1) % n]);
            ((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt()
        })
        .sum();
    if 2.0 * area <= THIN * around {
        return None;
    }
    let plane = |c: &Corners, p: [f64; 2]| {
        let f = flat(c);
        let whole = side(f[0], f[1], f[2]);
        let weight = |k: usize| side(f[(k + 1) % 3], f[(k + 2) % 3], p) / whole;
        (0..3).map(|k| weight(k) * f64::from(c[k].y)).sum::<f64>()
    };
    let rises: Vec<f64> = ring.iter().map(|&p| plane(a, p) - plane(b, p)).collect();
    let low = rises.iter().copied().fold(f64::INFINITY, f64::min);
    let high = rises.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) })
}
