//! The part of a triangle between two heights, seen from above.

use crate::explain::solid::Solid;

/// A convex ring of at most five corners (x, z): a triangle that two planes clip.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ring {
    corners: [[f64; 2]; 5],
    count: usize,
}

impl std::ops::Deref for Ring {
    type Target = [[f64; 2]];

    fn deref(&self) -> &[[f64; 2]] {
        &self.corners[..self.count]
    }
}

/// The corners (x, z) of the part of a triangle between two heights: none to five.
///
/// The searches ask this for every wall beside every move, so nothing is allocated.
pub(super) fn footprint(solid: &Solid, [low, high]: [f64; 2]) -> Ring {
    let heights = solid.corners.map(|p| p[1]);
    let mut ring = Ring::default();
    if heights.iter().all(|y| *y < low) || heights.iter().all(|y| *y > high) {
        return ring;
    }
    let mut above = [[0.0; 3]; 5];
    let count = clip(&solid.corners, &mut above, |p| p[1] - low);
    let mut between = [[0.0; 3]; 5];
    ring.count = clip(&above[..count], &mut between, |p| high - p[1]);
    ring.corners = between.map(|p| [p[0], p[2]]);
    ring
}

/// Writes the part of a convex ring where a function is not negative; returns its corners' number.
fn clip(ring: &[[f64; 3]], to: &mut [[f64; 3]; 5], side: impl Fn(&[f64; 3]) -> f64) -> usize {
    let mut count = 0;
    let mut add = |p: [f64; 3]| {
        // Five are enough but for rounding.
        if let Some(free) = to.get_mut(count) {
            *free = p;
            count += 1;
        }
    };
    for (k, a) in ring.iter().enumerate() {
        let b = &ring[(k + 1) % ring.len()];
        let (from, to) = (side(a), side(b));
        if from >= 0.0 {
            add(*a);
        }
        if (from < 0.0) != (to < 0.0) {
            let t = from / (from - to);
            add([0, 1, 2].map(|axis| a[axis] + t * (b[axis] - a[axis])));
        }
    }
    count
}

/// Does a segment cross the part of a triangle between two heights, seen from above?
pub(super) fn is_crossed(solid: &Solid, band: [f64; 2], a: [f64; 2], b: [f64; 2]) -> bool {
    let apart = |k: usize, axis: usize| {
        let own = solid.corners.map(|p| p[axis]);
        own.iter().all(|c| *c < a[k].min(b[k])) || own.iter().all(|c| *c > a[k].max(b[k]))
    };
    !apart(0, 0) && !apart(1, 2) && crosses(&footprint(solid, band), a, b)
}

/// Does a segment cross a convex ring? Rings may be flat, as upright triangles are.
pub(super) fn crosses(ring: &[[f64; 2]], a: [f64; 2], b: [f64; 2]) -> bool {
    let side = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| {
        (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    };
    // The sides of a line that goes on from an edge are rounding: such a line is apart from it.
    let apart = |p: [f64; 2], q: [f64; 2]| {
        (0..2).any(|k| p[k].max(q[k]) < a[k].min(b[k]) || p[k].min(q[k]) > a[k].max(b[k]))
    };
    (0..ring.len()).any(|k| {
        let (p, q) = (ring[k], ring[(k + 1) % ring.len()]);
        if p == q || apart(p, q) {
            return false;
        }
        let (s, t) = (side(a, b, p), side(a, b, q));
        let (u, v) = (side(p, q, a), side(p, q, b));
        (s > 0.0) != (t > 0.0) && (u > 0.0) != (v > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]];

    #[test]
    fn segments_cross_rings_and_flat_rings() {
        assert!(crosses(&SQUARE, [-1.0, 1.0], [1.0, 1.0]));
        assert!(!crosses(&SQUARE, [-1.0, 3.0], [1.0, 3.0]));
        assert!(crosses(&SQUARE[..2], [-1.0, 1.0], [1.0, 1.0]));
        assert!(!crosses(&SQUARE[..2], [0.5, 1.0], [1.0, 1.0]));
    }

    #[test]
    fn a_line_that_goes_on_from_a_flat_ring_does_not_cross_it() {
        for k in 0..360 {
            let [x, z] = [f64::from(k).to_radians().cos(), f64::from(k).to_radians().sin()];
            let at = |far: f64| [far * x, far * z];
            let wall = [0.0, 1.1, 2.3, 3.7, 0.9].map(at);
            assert!(!crosses(&wall, at(3.71), at(4.9)), "{k} degrees");
            assert!(crosses(&wall, [x - z, z + x], [x + z, z - x]), "{k} degrees");
        }
    }
}
