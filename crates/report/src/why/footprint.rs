//! The part of a triangle between two heights, seen from above.

use crate::explain::solid::Solid;

/// The corners (x, z) of the part of a triangle between two heights: none to five.
pub(super) fn footprint(solid: &Solid, [low, high]: [f64; 2]) -> Vec<[f64; 2]> {
    let ring = clip(&solid.corners, |p| p[1] - low);
    clip(&ring, |p| high - p[1]).iter().map(|p| [p[0], p[2]]).collect()
}

/// The part of a convex ring where a function is not negative.
fn clip(ring: &[[f64; 3]], side: impl Fn(&[f64; 3]) -> f64) -> Vec<[f64; 3]> {
    let mut out = Vec::with_capacity(ring.len() + 1);
    for (k, a) in ring.iter().enumerate() {
        let b = &ring[(k + 1) % ring.len()];
        let (from, to) = (side(a), side(b));
        if from >= 0.0 {
            out.push(*a);
        }
        if (from < 0.0) != (to < 0.0) {
            let t = from / (from - to);
            out.push([0, 1, 2].map(|axis| a[axis] + t * (b[axis] - a[axis])));
        }
    }
    out
}

/// Distance from a place to a convex ring and its nearest point; `None` for an empty ring.
pub(super) fn distance(ring: &[[f64; 2]], at: [f64; 2]) -> Option<(f64, [f64; 2])> {
    let mut best: Option<(f64, [f64; 2])> = None;
    let mut sides = [false; 2];
    for (k, &a) in ring.iter().enumerate() {
        let b = ring[(k + 1) % ring.len()];
        let d = [b[0] - a[0], b[1] - a[1]];
        let to = [at[0] - a[0], at[1] - a[1]];
        let turn = d[0] * to[1] - d[1] * to[0];
        sides[0] |= turn >= 0.0;
        sides[1] |= turn <= 0.0;
        let square = d[0] * d[0] + d[1] * d[1];
        let along = d[0] * to[0] + d[1] * to[1];
        let t = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
        let near = [a[0] + t * d[0], a[1] + t * d[1]];
        let far = (near[0] - at[0]).hypot(near[1] - at[1]);
        if best.is_none_or(|b| far < b.0) {
            best = Some((far, near));
        }
    }
    let holds = ring.len() >= 3 && !(sides[0] && sides[1]);
    if holds { Some((0.0, at)) } else { best }
}

/// Does a segment cross a convex ring? Rings may be flat, as upright triangles are.
pub(super) fn crosses(ring: &[[f64; 2]], a: [f64; 2], b: [f64; 2]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    (0..ring.len()).any(|k| {
        let (p, q) = (ring[k], ring[(k + 1) % ring.len()]);
        let (s, t) = (side(a, b, p), side(a, b, q));
        let (u, v) = (side(p, q, a), side(p, q, b));
        p != q && (s > 0.0) != (t > 0.0) && (u > 0.0) != (v > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]];

    #[test]
    fn distances_are_to_the_nearest_point_and_zero_inside() {
        assert_eq!(distance(&SQUARE, [1.0, 1.0]), Some((0.0, [1.0, 1.0])));
        assert_eq!(distance(&SQUARE, [5.0, 6.0]), Some((5.0, [2.0, 2.0])));
        assert_eq!(distance(&SQUARE[..2], [3.0, 1.0]), Some((3.0, [0.0, 1.0])));
        assert_eq!(distance(&[], [3.0, 1.0]), None);
    }

    #[test]
    fn segments_cross_rings_and_flat_rings() {
        assert!(crosses(&SQUARE, [-1.0, 1.0], [1.0, 1.0]));
        assert!(!crosses(&SQUARE, [-1.0, 3.0], [1.0, 3.0]));
        assert!(crosses(&SQUARE[..2], [-1.0, 1.0], [1.0, 1.0]));
        assert!(!crosses(&SQUARE[..2], [0.5, 1.0], [1.0, 1.0]));
    }
}
