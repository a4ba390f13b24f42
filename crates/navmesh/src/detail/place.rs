//! A place to find the height of, and the height there of a triangle that contains it.

use super::records::{DetailHead, FINE, Node, UNIT};

/// A place in the box of a detail mesh.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// In steps from the box's least corner.
    pub(super) at: [f64; 2],
    /// In units of 1 / 2^UNIT steps, where no line through two points goes: which triangle
    /// contains it is never a tie.
    pub(super) fine: [i64; 2],
}

impl Place {
    /// A place `[x, z]`, grid units, or the nearest in the box.
    #[inline]
    pub(super) fn new(head: &DetailHead, place: [f64; 2]) -> Place {
        let step = f64::from(1u32.wrapping_shl(head.flat.into()));
        let at = [0, 1].map(|k| {
            let offset = (place[k] - f64::from(head.least[k])) / step;
            offset.max(0.0).min(f64::from(head.size[k]))
        });
        // In the middle of a fine step along x and a trace past its beginning along z: no line
        // through two points goes there, for its slope would need more bits than points have.
        let fine = [0, 1].map(|k| {
            let most = (i64::from(head.size[k]) << FINE) - 1;
            ((at[k] * f64::from(1u32 << FINE)) as i64).min(most)
        });
        let rest = UNIT - FINE;
        let fine = [(fine[0] << rest) + (1 << (rest - 1)), (fine[1] << rest) + 1];
        Place { at, fine }
    }

    /// Height there, grid units, of the triangle that contains it. Its corners come in the order
    /// of [`Triangle`](super::Triangle), as sums are rounded.
    #[inline]
    pub(super) fn height(&self, head: &DetailHead, [a, b, c]: [Node; 3]) -> f64 {
        let to = |n: Node| [n.x as f64 - self.at[0], n.z as f64 - self.at[1]];
        let cross = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
        let (fa, fb, fc) = (to(a), to(b), to(c));
        let weight = [cross(fb, fc), cross(fc, fa), cross(fa, fb)];
        let area = weight[0] + weight[1] + weight[2];
        let sum = weight[0] * a.y as f64 + weight[1] * b.y as f64 + weight[2] * c.y as f64;
        let up = (sum / area).max(0.0).min(f64::from(head.top));
        f64::from(head.base) + up * f64::from(1u32.wrapping_shl(head.up.into()))
    }
}

/// Is a place (in units of 1 / 2^UNIT steps) to the left of the line from `a` to `b`? It is never
/// on it. Exact: 14 bits times 38.
#[inline]
pub(super) fn left_of(a: Node, b: Node, p: [i64; 2]) -> bool {
    let [dx, dz] = [b.x.wrapping_sub(a.x), b.z.wrapping_sub(a.z)];
    let [px, pz] = [p[0].wrapping_sub(a.x << UNIT), p[1].wrapping_sub(a.z << UNIT)];
    dz.wrapping_mul(px) > dx.wrapping_mul(pz)
}
