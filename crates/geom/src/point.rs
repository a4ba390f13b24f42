//! Points of the integer grid and the grid itself.

use crate::Whole;

/// Coordinates lie strictly between `-LIMIT` and `LIMIT`, so that [`crate::orient`] is exact in `i64` and in `f64`.
pub const LIMIT: i32 = 1 << 25;

/// A point in the ground plane, in grid units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Along x.
    pub x: i32,
    /// Along z.
    pub z: i32,
}

/// A point in space, in grid units; y points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point3 {
    /// Along x.
    pub x: i32,
    /// Height.
    pub y: i32,
    /// Along z.
    pub z: i32,
}

impl Point {
    /// A point from its coordinates.
    pub const fn new(x: i32, z: i32) -> Self {
        Point { x, z }
    }

    /// A number for each point, in their order: numbers are sorted faster than points.
    #[inline]
    pub const fn rank(self) -> u64 {
        (rank(self.x) as u64) << 32 | rank(self.z) as u64
    }

    /// Lifts the point to a height.
    pub const fn at(self, y: i32) -> Point3 {
        Point3 {
            x: self.x,
            y,
            z: self.z,
        }
    }
}

/// Whole numbers without a sign, in the same order.
const fn rank(c: i32) -> u32 {
    c as u32 ^ 1 << 31
}

impl Point3 {
    /// A point from its coordinates.
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Point3 { x, y, z }
    }

    /// A number below 2^96 for each point, in their order.
    #[inline]
    pub const fn rank(self) -> u128 {
        (rank(self.x) as u128) << 64 | (rank(self.y) as u128) << 32 | rank(self.z) as u128
    }

    /// The point with a rank.
    #[inline]
    pub const fn of_rank(rank: u128) -> Point3 {
        Point3 {
            x: (rank >> 64) as i32 ^ i32::MIN,
            y: (rank >> 32) as i32 ^ i32::MIN,
            z: rank as i32 ^ i32::MIN,
        }
    }

    /// A number below 2^96 for each point, by x, then z, then height.
    #[inline]
    pub const fn rank_from_above(self) -> u128 {
        (self.flat().rank() as u128) << 32 | rank(self.y) as u128
    }

    /// The point below or above in the ground plane.
    pub const fn flat(self) -> Point {
        Point {
            x: self.x,
            z: self.z,
        }
    }
}

/// The integer grid of a level: steps of a power of two metres around an origin in `f64` metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// A metre is `2^bits` grid units; 4 to 14.
    pub bits: u8,
    /// Where the grid's zero lies, in y-up metres.
    pub origin: [f64; 3],
}

impl Grid {
    /// The grid for a smallest agent radius in metres: the largest step of at most `radius / 512`, 1/1024 m when the
    /// radius is zero.
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
    pub fn units(&self) -> f64 {
        f64::from(1u32 << self.bits)
    }

    /// A length in metres as grid units, rounded to nearest.
    pub fn length(&self, metres: f64) -> i32 {
        (metres * self.units()).to_nearest()
    }

    /// The nearest grid point of a point in metres, or `None` when it is not finite or out of range.
    pub fn snap(&self, p: [f64; 3]) -> Option<Point3> {
        let mut q = [0i32; 3];
        for k in 0..3 {
            let c = ((p[k] - self.origin[k]) * self.units()).round_ties_even();
            if c.is_nan() || c.abs() >= f64::from(LIMIT) {
                return None;
            }
            q[k] = c as i32;
        }
        Some(Point3::new(q[0], q[1], q[2]))
    }

    /// A grid point in metres, the origin added back.
    pub fn metres(&self, p: Point3) -> [f64; 3] {
        let u = self.units();
        [
            f64::from(p.x) / u + self.origin[0],
            f64::from(p.y) / u + self.origin[1],
            f64::from(p.z) / u + self.origin[2],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_come_in_the_order_of_points() {
        let some = [i32::MIN, -LIMIT, -1, 0, 1, 77, LIMIT, i32::MAX];
        let flat = || (some.iter()).flat_map(|&x| some.iter().map(move |&z| Point::new(x, z)));
        let all: Vec<Point3> = flat()
            .flat_map(|p| some.iter().map(move |&y| p.at(y)))
            .collect();
        for &a in &all {
            assert_eq!(Point3::of_rank(a.rank()), a);
            for &b in &all {
                assert_eq!(a.rank().cmp(&b.rank()), a.cmp(&b));
                assert_eq!(
                    a.flat().rank().cmp(&b.flat().rank()),
                    a.flat().cmp(&b.flat())
                );
                let from_above = |p: Point3| (p.x, p.z, p.y);
                let wanted = from_above(a).cmp(&from_above(b));
                assert_eq!(a.rank_from_above().cmp(&b.rank_from_above()), wanted);
            }
        }
    }
}
