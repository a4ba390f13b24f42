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
}

impl<'a> Packed<'a> {
    /// `size` is 1 to 8 bytes a number.
    pub(crate) fn new(bytes: &'a [u8], size: usize) -> Packed<'a> {
        Packed { bytes, size }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    #[inline]
    pub(crate) fn get(&self, i: usize) -> u64 {
        let rest = self.bytes.get(i * self.size..).unwrap_or(&[]);
        let word = match rest.first_chunk() {
            Some(&word) => u64::from_le_bytes(word),
            // The last few.
            None => rest
                .iter()
                .rev()
                .fold(0, |word, &b| word << 8 | u64::from(b)),
        };
        word & (u64::MAX >> (64 - 8 * self.size))
    }
}

impl VertexBlock {
    /// By how much x, y and z are shifted, and the bits of x and of y.
    #[inline]
    pub(crate) fn split(&self) -> [u32; 5] {
        let all = self.split.get();
        [0, 5, 10, 15, 20].map(|at| all >> at & 31)
    }

    /// x, y and z of a vertex, from the base, not shifted.
    #[inline]
    pub(crate) fn parts(word: u64, [_, _, _, x, y]: [u32; 5]) -> [u64; 3] {
        let low = |word: u64, bits: u32| word & ((1 << bits) - 1);
        [low(word, x), low(word >> x, y), word >> x >> y]
    }

    #[inline]
    pub(crate) fn vertex(&self, word: u64) -> [i32; 3] {
        let split = self.split();
        let parts = VertexBlock::parts(word, split);
        core::array::from_fn(|k| {
            let offset = (parts[k] as i32).wrapping_shl(split[k]);
            self.base[k].get().wrapping_add(offset)
        })
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
