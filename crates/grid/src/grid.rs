//! The integer grid of a level.

use crate::{Point3, Whole};

/// Coordinates are strictly between `-LIMIT` and `LIMIT`.
///
/// So [`crate::orient`] and [`crate::dot`] are exact in `i64` and in `f64`.
pub const LIMIT: i32 = 1 << 25;

/// The integer grid of a level: steps of `2^-bits` metres around an origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// A metre is `2^bits` grid units; 4 to 14.
    pub bits: u8,
    /// The grid's zero in y-up metres.
    pub origin: [f64; 3],
}

impl Grid {
    /// The grid for a smallest agent radius in metres.
    ///
    /// Its step is the largest of at most `radius / 512`, and 1/1024 m for a radius of zero.
    pub fn for_radius(radius: f64, origin: [f64; 3]) -> Grid {
        let mut bits = 4;
        if radius <= 0.0 {
            bits = 10;
        }
        while bits < 14 && radius > 0.0 && 1.0 / f64::from(1u32 << bits) > radius / 512.0 {
            bits += 1;
        }
        Grid { bits, origin }
    }

    /// Grid units in a metre.
    #[inline]
    pub fn units(&self) -> f64 {
        f64::from(1u32 << (self.bits & 31))
    }

    /// A length in metres as grid units, rounded to nearest (ties to even).
    #[inline]
    pub fn length(&self, metres: f64) -> i32 {
        (metres * self.units()).to_nearest()
    }

    /// The nearest grid point of a point in metres (ties to even).
    ///
    /// `None` when it is not finite or out of the grid's range.
    #[inline]
    pub fn snap(&self, p: [f64; 3]) -> Option<[i32; 3]> {
        let u = self.units();
        Some([
            round((p[0] - self.origin[0]) * u)?,
            round((p[1] - self.origin[1]) * u)?,
            round((p[2] - self.origin[2]) * u)?,
        ])
    }

    /// [`Grid::snap`] as a [`Point3`].
    #[inline]
    pub fn snap_point(&self, p: [f64; 3]) -> Option<Point3> {
        self.snap(p).map(Point3::from)
    }

    /// A point in grid units as y-up metres, the origin added back.
    #[inline]
    pub fn metres(&self, p: impl Into<[f64; 3]>) -> [f64; 3] {
        let (p, u) = (p.into(), self.units());
        [p[0] / u + self.origin[0], p[1] / u + self.origin[1], p[2] / u + self.origin[2]]
    }
}

/// The nearest integer (ties to even) where it is within the grid's range.
#[inline]
fn round(c: f64) -> Option<i32> {
    // NaN fails the comparison.
    if c.abs() < f64::from(LIMIT) {
        let r = c.to_nearest();
        (r.abs() < LIMIT).then_some(r)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_to_nearest_even_and_refuses_what_the_grid_cannot_hold() {
        for (c, r) in [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (2.4, 2), (-2.6, -3)] {
            assert_eq!(round(c), Some(r), "{c}");
        }
        let limit = f64::from(LIMIT);
        assert_eq!(round(limit - 1.0), Some(LIMIT - 1));
        for c in [limit, limit - 0.5, -limit, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(round(c), None, "{c}");
        }
    }

    #[test]
    fn metres_and_grid_points_convert_back() {
        let grid = Grid { bits: 10, origin: [1024.0, 0.0, -2048.0] };
        let metres = [1025.5, 3.0, -2047.0];
        let p = grid.snap(metres).unwrap();
        assert_eq!(p, [1536, 3072, 1024]);
        assert_eq!(grid.metres(p.map(f64::from)), metres);
        let p = grid.snap_point(metres).unwrap();
        assert_eq!(p, Point3::new(1536, 3072, 1024));
        assert_eq!(grid.metres(p), metres);
    }
}
