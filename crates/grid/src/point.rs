//! Points of the integer grid.

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

    /// A number that orders as the point does; numbers sort faster than points.
    #[inline]
    pub const fn rank(self) -> u64 {
        (rank(self.x) as u64) << 32 | rank(self.z) as u64
    }

    /// Lifts the point to a height.
    pub const fn at(self, y: i32) -> Point3 {
        Point3 { x: self.x, y, z: self.z }
    }
}

/// An unsigned number that orders as the signed one does.
const fn rank(c: i32) -> u32 {
    c as u32 ^ 1 << 31
}

impl Point3 {
    /// A point from its coordinates.
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Point3 { x, y, z }
    }

    /// A number below 2^96 that orders as the point does.
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

    /// A number below 2^96 that orders by x, then z, then height.
    #[inline]
    pub const fn rank_from_above(self) -> u128 {
        (self.flat().rank() as u128) << 32 | rank(self.y) as u128
    }

    /// The point projected to the ground plane.
    pub const fn flat(self) -> Point {
        Point { x: self.x, z: self.z }
    }
}

impl From<[i32; 2]> for Point {
    #[inline]
    fn from([x, z]: [i32; 2]) -> Point {
        Point { x, z }
    }
}

impl From<[i32; 3]> for Point3 {
    #[inline]
    fn from([x, y, z]: [i32; 3]) -> Point3 {
        Point3 { x, y, z }
    }
}

impl From<Point3> for [f64; 3] {
    #[inline]
    fn from(p: Point3) -> [f64; 3] {
        [p.x, p.y, p.z].map(f64::from)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::LIMIT;

    #[test]
    fn ranks_come_in_the_order_of_points() {
        let some = [i32::MIN, -LIMIT, -1, 0, 1, 77, LIMIT, i32::MAX];
        let flat = || (some.iter()).flat_map(|&x| some.iter().map(move |&z| Point::new(x, z)));
        let all: Vec<Point3> = flat().flat_map(|p| some.iter().map(move |&y| p.at(y))).collect();
        for &a in &all {
            assert_eq!(Point3::of_rank(a.rank()), a);
            for &b in &all {
                assert_eq!(a.rank().cmp(&b.rank()), a.cmp(&b));
                assert_eq!(a.flat().rank().cmp(&b.flat().rank()), a.flat().cmp(&b.flat()));
                let from_above = |p: Point3| (p.x, p.z, p.y);
                let wanted = from_above(a).cmp(&from_above(b));
                assert_eq!(a.rank_from_above().cmp(&b.rank_from_above()), wanted);
            }
        }
    }
}
