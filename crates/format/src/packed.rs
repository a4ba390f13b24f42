//! Numbers in few bytes.

use zerocopy::little_endian::{U16, U32};

use crate::records::{GROUP, VertexBlock};

/// Whole numbers in 2 or 4 bytes each.
#[derive(Clone, Copy)]
pub(crate) enum Numbers<'a> {
    Two(&'a [U16]),
    Four(&'a [U32]),
}

impl Numbers<'_> {
    #[inline]
    pub(crate) fn get(&self, i: usize) -> u32 {
        match self {
            Numbers::Two(n) => n.get(i).map_or(0, |v| v.get().into()),
            Numbers::Four(n) => n.get(i).map_or(0, |v| v.get()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Numbers::Two(n) => n.len(),
            Numbers::Four(n) => n.len(),
        }
    }
}

/// Whole numbers of up to 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a> {
    bytes: &'a [u8],
    size: usize,
    mask: u64,
}

impl<'a> Packed<'a> {
    /// `size` is 1 to 8 bytes a number.
    pub(crate) fn new(bytes: &'a [u8], size: usize) -> Packed<'a> {
        let mask = u64::MAX >> (64 - 8 * size);
        Packed { bytes, size, mask }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> u64 {
        let rest = self.bytes.get(i * self.size..).unwrap_or(&[]);
        let word = match rest.first_chunk() {
            Some(&word) => u64::from_le_bytes(word),
            None => last(rest),
        };
        word & self.mask
    }
}

/// The few bytes at the end, as a number.
#[cold]
fn last(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &b| word << 8 | u64::from(b))
}

/// How a block's vertices are laid out: where y and z begin, and by how much x, y and z are shifted.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub(crate) y: u32,
    pub(crate) z: u32,
    pub(crate) shift: [u32; 3],
}

impl VertexBlock {
    #[inline]
    pub(crate) fn split(&self) -> Split {
        let all = self.split.get();
        Split {
            y: all & 31,
            z: all >> 5 & 63,
            shift: [all >> 11 & 31, all >> 16 & 31, all >> 21 & 31],
        }
    }

    #[cfg(feature = "write")]
    pub(crate) fn joined(split: Split) -> u32 {
        let [x, y, z] = split.shift;
        split.y | split.z << 5 | x << 11 | y << 16 | z << 21
    }

    /// Are there bits that mean nothing, or out of range?
    pub(crate) fn is_sound(&self) -> bool {
        let split = self.split();
        self.split.get() >> 26 == 0 && split.z >= split.y && split.shift.iter().all(|&s| s <= 25)
    }

    #[inline]
    fn is_shifted(&self) -> bool {
        self.split.get() >> 11 != 0
    }

    /// x, y and z of a vertex, from the base, not shifted.
    #[inline]
    pub(crate) fn parts(word: u64, split: Split) -> [u64; 3] {
        let x = word & ((1 << split.y) - 1);
        let y = (word & ((1 << split.z) - 1)) >> split.y;
        [x, y, word >> split.z]
    }

    #[inline]
    pub(crate) fn vertex(&self, word: u64) -> [i32; 3] {
        let split = self.split();
        let mut parts = VertexBlock::parts(word, split).map(|p| p as i32);
        if self.is_shifted() {
            parts = core::array::from_fn(|k| parts[k].wrapping_shl(split.shift[k]));
        }
        core::array::from_fn(|k| self.base[k].get().wrapping_add(parts[k]))
    }

    /// x and z alone.
    #[inline]
    pub(crate) fn flat(&self, word: u64) -> [i32; 2] {
        let split = self.split();
        let [x, _, z] = VertexBlock::parts(word, split).map(|p| p as i32);
        let [x, z] = if self.is_shifted() {
            [
                x.wrapping_shl(split.shift[0]),
                z.wrapping_shl(split.shift[2]),
            ]
        } else {
            [x, z]
        };
        [
            self.base[0].get().wrapping_add(x),
            self.base[2].get().wrapping_add(z),
        ]
    }
}

/// The sum of the first `n` of 16 bytes, `n` at most 16.
#[inline]
pub(crate) fn sum_before(bytes: &[u8; GROUP], n: usize) -> u32 {
    const PAIRS: u128 = u128::MAX / 0xFFFF * 0xFF;
    let all = u128::from_le_bytes(*bytes);
    let first = all & !(u128::MAX.checked_shl(8 * n as u32).unwrap_or(0));
    // Bytes to sums of pairs, to one sum: at most 16 times 255.
    let pairs = (first & PAIRS) + (first >> 8 & PAIRS);
    let four = (pairs as u64).wrapping_add((pairs >> 64) as u64);
    (four.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_bytes_before() {
        let bytes: [u8; GROUP] = core::array::from_fn(|i| [255, 3, 255, 0, 17][i % 5]);
        for n in 0..=GROUP {
            let plain: u32 = bytes[..n].iter().map(|&b| u32::from(b)).sum();
            assert_eq!(sum_before(&bytes, n), plain, "{n}");
        }
        assert_eq!(sum_before(&[255; GROUP], GROUP), 16 * 255);
    }

    #[test]
    fn packed_numbers_are_read_at_the_end_as_elsewhere() {
        let bytes: [u8; 24] = core::array::from_fn(|i| 200 + i as u8);
        for size in 1..=8 {
            let packed = Packed::new(&bytes, size);
            assert_eq!(packed.len(), 24 / size);
            for i in 0..packed.len() {
                let plain = (0..size)
                    .rev()
                    .fold(0, |n, k| n << 8 | u64::from(bytes[i * size + k]));
                assert_eq!(packed.get(i), plain);
            }
            assert_eq!(packed.get(24), 0);
        }
    }
}
