//! The head of a height mesh, which precedes its points.

use navbake_navmesh::record::Records;

/// Words before the buckets of a height mesh.
pub(crate) const HEAD: usize = 7;
/// The least shift of a bucket's side, in steps; the greatest is 7 more.
pub(crate) const LEAST_BUCKET: u32 = 6;
/// The greatest shift of places and heights that anything needs.
pub(crate) const MOST_SHIFT: u32 = 18;
/// Height meshes of this many points or more store the end of a bucket in two bytes.
pub(crate) const MANY: usize = 256;

/// The fields before the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The box's least corner and its base, grid units.
    pub(crate) least: [i32; 2],
    pub(crate) base: i32,
    /// The box's sides in steps.
    pub(crate) size: [i32; 2],
    /// Heights of its corners in steps above the base, counter-clockwise seen from above from the
    /// least one on.
    pub(crate) corners: [u16; 4],
    /// The greatest height of all points in steps above the base.
    pub(crate) top: u16,
    /// Of places, of buckets, of heights.
    pub(crate) shifts: [u32; 3],
    /// Do ends of buckets take two bytes?
    pub(crate) wide: bool,
    /// Bits that mean nothing.
    pub(crate) spare: u16,
}

impl Head {
    #[inline]
    pub(crate) fn read(words: Records<'_, u32>) -> Head {
        let word = |i: usize| words.get(i).unwrap_or(0);
        let low = |i: usize| word(i) as u16;
        let high = |i: usize| (word(i) >> 16) as u16;
        let coding = high(6);
        let shift = |at: u32| u32::from(coding >> at & 31);
        Head {
            least: [word(0) as i32, word(1) as i32],
            base: word(2) as i32,
            size: [low(3).into(), high(3).into()],
            corners: [low(4), high(4), low(5), high(5)],
            top: low(6),
            shifts: [shift(0), LEAST_BUCKET + (shift(5) & 7), shift(8)],
            wide: coding >> 13 & 1 != 0,
            spare: coding >> 14,
        }
    }

    #[cfg(feature = "write")]
    pub(crate) fn words(&self) -> [u32; HEAD] {
        let pair = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
        let [c0, c1, c2, c3] = self.corners;
        let [flat, bucket, up] = self.shifts;
        let coding = flat | (bucket - LEAST_BUCKET) << 5 | up << 8 | u32::from(self.wide) << 13;
        [
            self.least[0] as u32,
            self.least[1] as u32,
            self.base as u32,
            self.size[0] as u32 | (self.size[1] as u32) << 16,
            pair(c0, c1),
            pair(c2, c3),
            u32::from(self.top) | coding << 16,
        ]
    }

    /// Least and greatest height, grid units.
    #[inline]
    pub(crate) fn heights(&self) -> [i32; 2] {
        let top = i32::from(self.top).wrapping_shl(self.shifts[2]);
        [self.base, self.base.wrapping_add(top)]
    }

    /// Buckets along x and z.
    #[inline]
    pub(crate) fn buckets(&self) -> [i64; 2] {
        self.size.map(|s| i64::from(s >> self.shifts[1]) + 1)
    }

    #[inline]
    pub(crate) fn bucket_count(&self) -> usize {
        let [x, z] = self.buckets();
        (x * z) as usize
    }

    /// Bytes that the ends of buckets take, without those that fill the last word.
    #[inline]
    pub(crate) fn end_bytes(&self) -> usize {
        self.bucket_count() << usize::from(self.wide)
    }

    #[inline]
    pub(crate) fn end_words(&self) -> usize {
        self.end_bytes().div_ceil(4)
    }

    /// Bits of a point: of its place in its bucket and of the greatest height; at most 32 in a
    /// sound height mesh.
    #[inline]
    pub(crate) fn width(&self) -> usize {
        2 * self.shifts[1] as usize + (16 - self.top.leading_zeros()) as usize
    }
}
