//! The records of a detail mesh: its box, its steps and its height points.

/// The most height points: with the corners of the box, their numbers take 16 bits.
pub const MOST_POINTS: usize = (1 << 16) - 4;

/// The most steps along a side of a box.
pub const MOST_STEPS: i32 = (1 << 14) - 1;

/// `[t, u]` of the second lifting, u x² + t x z. Points of one circle tie again when the axes of
/// the conics through them are where tan(2 angle) = t / u. As t² + u² is a prime, that takes a side
/// longer than u steps.
pub const SECOND: [i32; 2] = [40_501, 65_536];

/// A place is rounded to 1 / 2^FINE steps, in units of 1 / 2^UNIT steps.
pub(crate) const FINE: u32 = 8;
pub(crate) const UNIT: u32 = 24;

crate::record! {
    /// One detail mesh: its box, its steps, and where its points, triangles and squares are.
    #[derive(Debug, PartialEq, Eq)]
    pub struct DetailHead: 52 {
        /// The box's least corner `[x, z]`, grid units.
        pub least: [i32; 2],
        /// The base that heights count from, grid units.
        pub base: i32,
        /// The box's sides in steps.
        pub size: [i32; 2],
        /// The greatest height of all points, steps above the base.
        pub top: i32,
        /// A step along x and z is `2^flat` grid units.
        pub flat: u8,
        /// A step upwards is `2^up` grid units.
        pub up: u8,
        /// The side of a square is `2^square` steps.
        pub square: u8,
        /// Zero.
        pub reserved: u8,
        /// Its first point.
        pub first_point: u32,
        /// How many there are, with the four corners of the box, which come first:
        /// counter-clockwise seen from above from the least one on.
        pub points: u32,
        /// Its first triangle.
        pub first_triangle: u32,
        /// How many there are.
        pub triangles: u32,
        /// Its first square.
        pub first_square: u32,
        /// Squares along x.
        pub columns: u32,
    }
}

crate::record! {
    /// A height point: steps from the box's least corner, and above the base.
    #[derive(Debug, PartialEq, Eq)]
    pub struct DetailPoint: 8 {
        /// Along x.
        pub x: u16,
        /// Along z.
        pub z: u16,
        /// Above the base.
        pub y: u32,
    }
}

/// A triangle: the numbers of its corners among the points of its detail mesh, counter-clockwise,
/// the least one in (x, z) first.
pub type Triangle = [u16; 3];

crate::record! {
    /// A triangle in the list of a square: its number in its detail mesh, which has fewer than
    /// 2^17.
    #[derive(Debug, Default, PartialEq, Eq)]
    pub struct Listed: 3 {
        low: u16,
        high: u8,
    }
}

impl Listed {
    /// Of a number below 2^24.
    #[cfg(feature = "alloc")]
    pub(super) fn new(number: u32) -> Listed {
        Listed { low: number as u16, high: (number >> 16) as u8 }
    }

    /// The number of the triangle.
    #[inline]
    pub fn number(self) -> usize {
        usize::from(self.high) << 16 | usize::from(self.low)
    }
}

/// A point in wide numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) x: i64,
    pub(crate) z: i64,
    pub(crate) y: i64,
}

impl DetailPoint {
    #[inline]
    pub(crate) fn node(&self) -> Node {
        Node { x: self.x.into(), z: self.z.into(), y: self.y.into() }
    }
}

impl DetailHead {
    /// Least and greatest height, grid units.
    #[inline]
    pub fn heights(&self) -> [i32; 2] {
        let top = self.top.wrapping_shl(self.up.into());
        [self.base, self.base.wrapping_add(top)]
    }

    /// Least and greatest corner of the box `[x, z]`, grid units.
    pub fn bounds(&self) -> [[i32; 2]; 2] {
        let far = |k: usize| {
            let side = self.size[k].wrapping_shl(self.flat.into());
            self.least[k].wrapping_add(side)
        };
        [self.least, [far(0), far(1)]]
    }

    /// Squares along x and z.
    #[inline]
    pub fn squares(&self) -> [u64; 2] {
        let side = |s: i32| u64::from((s.max(0) as u32).wrapping_shr(self.square.into())) + 1;
        self.size.map(side)
    }

    /// A point, `[x, y, z]` in grid units.
    pub fn position(&self, point: &DetailPoint) -> [i32; 3] {
        let value =
            |v: u32, base: i32, shift: u8| base.wrapping_add((v as i32).wrapping_shl(shift.into()));
        [
            value(point.x.into(), self.least[0], self.flat),
            value(point.y, self.base, self.up),
            value(point.z.into(), self.least[1], self.flat),
        ]
    }
}
