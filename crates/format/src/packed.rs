//! Numbers in few bytes.

use zerocopy::little_endian::{U16, U32};

use crate::records::{BLOCK, GROUP, VertexBlock};

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

/// Vertices in as few bits as their block of 64 needs.
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) blocks: &'a [VertexBlock],
    pub(crate) count: u32,
}

impl<'a> Packed<'a> {
    /// The bits of a vertex, and its block.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> Option<(&'a VertexBlock, u64)> {
        let block = self.blocks.get(i / BLOCK)?;
        let width = block.split().width;
        let bit = (i % BLOCK) * width as usize;
        let rest = self.bytes.get(block.first.get() as usize + bit / 8..);
        let word = match rest.and_then(|rest| rest.first_chunk()) {
            Some(&word) => u64::from_le_bytes(word),
            None => last(rest.unwrap_or(&[])),
        };
        // Widths above 57 bits are whole bytes, so that one word holds them.
        let mask = u64::MAX.checked_shl(width).map_or(u64::MAX, |m| !m);
        Some((block, word >> (bit % 8) & mask))
    }
}

/// The few bytes at the end, as a number.
#[cold]
fn last(bytes: &[u8]) -> u64 {
    let few = bytes.iter().take(8).rev();
    few.fold(0, |word, &b| word << 8 | u64::from(b))
}

/// How a block's vertices are laid out: where y and z begin, and by how much x, y and z are shifted.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub(crate) y: u32,
    pub(crate) z: u32,
    pub(crate) shift: [u32; 3],
    /// Bits a vertex: at most 57, or 64.
    pub(crate) width: u32,
}

/// What stands for a width of 64 bits.
const WHOLE: u32 = 63;

impl VertexBlock {
    #[inline]
    pub(crate) fn split(&self) -> Split {
        let all = self.split.get();
        Split {
            y: all & 31,
            z: all >> 5 & 63,
            shift: [all >> 11 & 31, all >> 16 & 31, all >> 21 & 31],
            width: match all >> 26 {
                WHOLE => 64,
                width => width,
            },
        }
    }

    #[cfg(feature = "write")]
    pub(crate) fn joined(split: Split) -> u32 {
        let [x, y, z] = split.shift;
        split.y | split.z << 5 | x << 11 | y << 16 | z << 21 | split.width.min(WHOLE) << 26
    }

    /// The least width that may be told and holds so many bits.
    #[cfg(feature = "write")]
    pub(crate) fn width(bits: u32) -> u32 {
        if bits > 57 { 64 } else { bits }
    }

    /// Bytes of so many vertices of a block of this one's width.
    pub(crate) fn bytes(&self, vertices: usize) -> usize {
        (vertices * self.split().width as usize).div_ceil(8)
    }

    /// Is nothing out of range?
    pub(crate) fn is_sound(&self) -> bool {
        let Split {
            y, z, shift, width, ..
        } = self.split();
        let told = width <= 57 || width == 64;
        told && y <= z && z <= width && shift.iter().all(|&s| s <= 25)
    }

    #[inline]
    fn is_shifted(&self) -> bool {
        self.split.get() >> 11 & 0x7FFF != 0
    }

    /// x, y and z of a vertex, from the base, not shifted.
    #[inline]
    pub(crate) fn parts(word: u64, split: Split) -> [u64; 3] {
        let x = word & ((1 << split.y) - 1);
        let y = (word & ((1 << split.z) - 1)) >> split.y;
        [x, y, word.checked_shr(split.z).unwrap_or(0)]
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
    fn vertices_are_read_at_the_end_as_elsewhere() {
        let bytes: [u8; 64] = core::array::from_fn(|i| (200 + 37 * i) as u8);
        let bit = |k: usize| u64::from(bytes.get(k / 8).map_or(0, |b| b >> (k % 8) & 1));
        for width in (0..=57).chain([64]) {
            for first in [0u32, 5] {
                let split = Split {
                    y: 0,
                    z: 0,
                    shift: [0; 3],
                    width,
                };
                let blocks = [VertexBlock {
                    base: [0.into(); 3],
                    split: VertexBlock::joined(split).into(),
                    first: first.into(),
                }];
                let count = (64 - first) * 8 / width.max(1);
                let packed = Packed {
                    bytes: &bytes,
                    blocks: &blocks,
                    count,
                };
                for i in 0..BLOCK.min(count as usize) {
                    let at = 8 * first as usize + i * width as usize;
                    let plain = (0..width as usize).fold(0, |n, k| n | bit(at + k) << k);
                    assert_eq!(packed.get(i).map(|v| v.1), Some(plain), "{width} {i}");
                }
                assert!(packed.get(64).is_none());
            }
        }
    }
}
