//! Affine maps in 64 bits.

/// A linear map and a shift: `p -> rows * p + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine {
    rows: [[f64; 3]; 3],
    shift: [f64; 3],
}

impl Affine {
    pub(crate) const IDENTITY: Affine =
        Affine { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], shift: [0.0; 3] };

    /// From a matrix of 16 numbers, column by column; its last row is taken to be 0 0 0 1.
    pub(crate) fn from_columns(m: &[f64; 16]) -> Affine {
        Affine {
            rows: std::array::from_fn(|r| std::array::from_fn(|c| m[4 * c + r])),
            shift: [m[12], m[13], m[14]],
        }
    }

    /// Scale first, then rotation (a quaternion x, y, z, w of any length but zero), then
    /// translation.
    pub(crate) fn from_parts(
        translation: [f64; 3],
        rotation: [f64; 4],
        scale: [f64; 3],
    ) -> Option<Affine> {
        let [x, y, z, w] = rotation;
        let square = x * x + y * y + z * z + w * w;
        if square <= 0.0 || !square.is_finite() {
            return None;
        }
        let s = 2.0 / square;
        let rotate = [
            [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
            [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
            [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
        ];
        Some(Affine {
            rows: std::array::from_fn(|r| std::array::from_fn(|c| rotate[r][c] * scale[c])),
            shift: translation,
        })
    }

    pub(crate) fn apply(&self, p: [f64; 3]) -> [f64; 3] {
        let r = &self.rows;
        std::array::from_fn(|k| r[k][0] * p[0] + r[k][1] * p[1] + r[k][2] * p[2] + self.shift[k])
    }

    /// First `inner`, then this map.
    pub(crate) fn after(&self, inner: &Affine) -> Affine {
        let rows = std::array::from_fn(|r| {
            std::array::from_fn(|c| (0..3).map(|k| self.rows[r][k] * inner.rows[k][c]).sum())
        });
        Affine { rows, shift: self.apply(inner.shift) }
    }

    /// Where the origin goes.
    pub(crate) fn origin(&self) -> [f64; 3] {
        self.shift
    }

    /// The map without its shift.
    pub(crate) fn linear(&self) -> Affine {
        Affine { rows: self.rows, shift: [0.0; 3] }
    }

    /// Its rows, then its shift.
    pub(crate) fn numbers(&self) -> [f64; 12] {
        let mut all = [0.0; 12];
        all[..9].copy_from_slice(self.rows.as_flattened());
        all[9..].copy_from_slice(&self.shift);
        all
    }

    /// Does it turn triangles over?
    pub(crate) fn mirrors(&self) -> bool {
        let [a, b, c] = self.rows;
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        determinant < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_applied_scale_first() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let map =
            Affine::from_parts([5.0, 0.0, 0.0], [0.0, half, 0.0, half], [1.0, 2.0, 3.0]).unwrap();
        let p = map.apply([1.0, 1.0, 1.0]);
        // A quarter turn about y takes z to x and x to -z.
        for (found, expected) in p.iter().zip([8.0, 2.0, -1.0]) {
            assert!((found - expected).abs() < 1e-12, "{p:?}");
        }
        assert!(!map.mirrors());
        let mirror = Affine::from_parts([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0, -1.0, 1.0]).unwrap();
        assert!(map.after(&mirror).mirrors());
        assert_eq!(map.after(&mirror).apply([1.0, -1.0, 1.0]), p);
        assert!(!mirror.after(&mirror).mirrors());
    }

    #[test]
    fn a_quaternion_of_any_length_is_the_same_rotation() {
        let a = Affine::from_parts([0.0; 3], [0.1, 0.2, 0.3, 0.4], [1.0; 3]).unwrap();
        let b = Affine::from_parts([0.0; 3], [1.0, 2.0, 3.0, 4.0], [1.0; 3]).unwrap();
        for k in 0..3 {
            assert!((a.apply([1.0, 2.0, 3.0])[k] - b.apply([1.0, 2.0, 3.0])[k]).abs() < 1e-12);
        }
        assert_eq!(Affine::from_parts([0.0; 3], [0.0; 4], [1.0; 3]), None);
    }
}
