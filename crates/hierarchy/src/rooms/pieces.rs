//! Pieces of polygons that need more than one cut: those whose heights depend on their corners, and
//! those that are not convex.

use navbake_geom::{convex_corner, orient};
use navbake_mesh::NONE;

use super::cut::Cutter;

impl Cutter<'_> {
    /// Do a piece's heights depend on corners that are not in one plane?
    ///
    /// A cut would change its heights.
    pub(super) fn is_bent(&self, p: u32) -> bool {
        let piece = &self.pieces[p as usize];
        if self.mesh.height_mesh(piece.source as usize).is_some() || piece.corners.len() == 3 {
            return false;
        }
        let at = |k: usize| piece.corners[k].at;
        let n = piece.corners.len();
        if (1..n).all(|k| at(k).y == at(0).y) {
            return false;
        }
        let size = |k: usize| orient(at(0).flat(), at(k).flat(), at(k + 1).flat());
        let Some(k) = (1..n - 1).max_by_key(|&k| size(k)) else {
            return false;
        };
        let [a, b, c] = [at(0), at(k), at(k + 1)];
        let whole = i128::from(size(k)).max(1);
        piece.corners.iter().any(|corner| {
            let p = corner.at.flat();
            let [f, g, h] = [a.flat(), b.flat(), c.flat()];
            let parts = [(orient(p, g, h), a.y), (orient(f, p, h), b.y), (orient(f, g, p), c.y)];
            let sum: i128 = parts.iter().map(|&(w, y)| i128::from(w) * i128::from(y)).sum();
            (sum - whole * i128::from(corner.at.y)).abs() > 2 * whole
        })
    }

    /// Cuts a piece into the triangles from its first corner, which give its heights.
    pub(super) fn unfold(&mut self, p: u32) {
        let mut k = 2;
        while k + 1 < self.len(p) {
            if self.split(p, 0, k, NONE) {
                k = 2;
            } else {
                k += 1;
            }
        }
    }

    /// Cuts ears off a piece until it is convex.
    pub(super) fn mend(&mut self, p: u32) {
        while !self.is_convex(p) {
            let n = self.len(p);
            let is_ear = |&k: &usize| {
                let [a, b, c] = [k + n - 1, k, k + 1].map(|k| self.flat((p, k)));
                orient(a, b, c) > 0
                    && (2..n - 1).all(|d| {
                        let q = self.flat((p, k + d));
                        orient(a, b, q) < 0 || orient(b, c, q) < 0 || orient(c, a, q) < 0
                    })
            };
            let Some(k) = (0..n).find(is_ear) else { return };
            if n < 4 || !self.split(p, (k + n - 1) % n, (k + 1) % n, NONE) {
                return;
            }
        }
    }

    fn is_convex(&self, p: u32) -> bool {
        let n = self.len(p);
        (0..n).all(|k| {
            let [a, b, c] = [k, k + 1, k + 2].map(|k| self.flat((p, k)));
            convex_corner(a, b, c)
        })
    }
}
