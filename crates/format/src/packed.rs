//! Vertices packed in blocks, with as few bits as each block needs.

use navbake_navmesh::record::Records;

use crate::records::{BLOCK, VertexBlock};

/// Eight bytes as a number, fewer at the end.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or(&[]);
    match rest.first_chunk() {
        Some(&word) => u64::from_le_bytes(word),
        None => last(rest),
    }
}

/// The few bytes at the end, as a number.
#[cold]
fn last(bytes: &[u8]) -> u64 {
    let few = bytes.iter().take(8).rev();
    few.fold(0, |word, &b| word << 8 | u64::from(b))
}

/// Vertices in as few bits as their block of 64 needs.
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) blocks: Records<'a, VertexBlock>,
    pub(crate) count: u32,
    pub(crate) bases: Bases,
}

/// The origin of the bases of blocks, and the steps they are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bases {
    least: [i32; 3],
    /// Bits of a step, and its length.
    shift: [u32; 3],
    step: [i32; 3],
}

impl Bases {
    /// Of a mesh with these bounds: the steps are those with which 16 bits reach everywhere.
    pub(crate) fn new(least: [i32; 3], greatest: [i32; 3]) -> Bases {
        let shift: [u32; 3] = core::array::from_fn(|k| crate::index::shift(least[k], greatest[k]));
        Bases {
            least: core::array::from_fn(|k| least[k] >> shift[k] << shift[k]),
            shift,
            step: shift.map(|s| 1 << (s % 31)),
        }
    }

    /// The greatest base that is no greater than a coordinate.
    #[cfg(feature = "write")]
    pub(crate) fn below(&self, c: i32, axis: usize) -> u16 {
        (c.wrapping_sub(self.least[axis]) >> self.shift[axis]) as u16
    }

    #[inline]
    pub(crate) fn base(&self, block: &VertexBlock, axis: usize) -> i32 {
        let steps = i32::from(block.base[axis]);
        self.least[axis].wrapping_add(steps.wrapping_mul(self.step[axis]))
    }
}

impl<'a> Packed<'a> {
    /// The bits of a vertex, and its block.
    #[inline]
    pub(crate) fn get(&self, i: usize) -> Option<(VertexBlock, u64)> {
        let block = self.blocks.get(i / BLOCK)?;
        let width = block.split().width;
        let bit = (i % BLOCK) * width as usize;
        let word = word(self.bytes, block.first as usize + bit / 8);
        // Widths above 57 bits are whole bytes, so that one word holds them.
        let mask = u64::MAX.checked_shl(width).map_or(u64::MAX, |m| !m);
        Some((block, word >> (bit % 8) & mask))
    }

    #[inline]
    pub(crate) fn vertex(&self, i: usize) -> Option<[i32; 3]> {
        let (block, word) = self.get(i)?;
        let split = block.split();
        let parts = VertexBlock::parts(word, split);
        Some(core::array::from_fn(|k| {
            let offset = (parts[k] as i32).wrapping_shl(split.shift[k]);
            self.bases.base(&block, k).wrapping_add(offset)
        }))
    }

    /// x and z alone.
    #[inline]
    pub(crate) fn flat(&self, i: usize) -> Option<[i32; 2]> {
        let (block, word) = self.get(i)?;
        let split = block.split();
        let parts = VertexBlock::parts(word, split);
        let mut offsets = [parts[0] as i32, parts[2] as i32];
        if block.is_shifted_along() {
            offsets[0] = offsets[0].wrapping_shl(split.shift[0]);
            offsets[1] = offsets[1].wrapping_shl(split.shift[2]);
        }
        Some([
            self.bases.base(&block, 0).wrapping_add(offsets[0]),
            self.bases.base(&block, 2).wrapping_add(offsets[1]),
        ])
    }
}

/// How a block's vertices are laid out: where y and z begin, and by how much x, y and z are
/// shifted.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub(crate) y: u32,
    pub(crate) z: u32,
    pub(crate) shift: [u32; 3],
    /// Bits a vertex: at most 57, or 64.
    pub(crate) width: u32,
}

/// The code for a width of 64 bits.
const WHOLE: u32 = 63;

impl VertexBlock {
    #[inline]
    pub(crate) fn split(&self) -> Split {
        let all = self.split;
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

    /// The least width that can be stored and holds this many bits.
    #[cfg(feature = "write")]
    pub(crate) fn width(bits: u32) -> u32 {
        if bits > 57 { 64 } else { bits }
    }

    /// Bytes of this many vertices in a block of this width.
    pub(crate) fn bytes(&self, vertices: usize) -> usize {
        (vertices * self.split().width as usize).div_ceil(8)
    }

    /// Is nothing out of range?
    pub(crate) fn is_sound(&self) -> bool {
        let Split { y, z, shift, width, .. } = self.split();
        let widths_valid = width <= 57 || width == 64;
        widths_valid && y <= z && z <= width && shift.iter().all(|&s| s <= 25)
    }

    /// Are x and z shifted? Hardly ever.
    #[inline]
    fn is_shifted_along(&self) -> bool {
        self.split & (31 << 11 | 31 << 21) != 0
    }

    /// x, y and z of a vertex, from the base, not shifted.
    #[inline]
    pub(crate) fn parts(word: u64, split: Split) -> [u64; 3] {
        let x = word & ((1 << split.y) - 1);
        let y = (word & ((1 << split.z) - 1)) >> split.y;
        [x, y, word.checked_shr(split.z).unwrap_or(0)]
    }
}

/// The sum of the first `n` of 16 numbers of four bits, `n` below 16.
#[inline]
pub(crate) fn nibbles_before(all: u64, n: usize) -> u32 {
    const LOW: u64 = u64::MAX / 255 * 15;
    let first = all & ((1 << (4 * n)) - 1);
    // To sums of pairs, to one sum: at most 15 times 15.
    let pairs = (first & LOW) + (first >> 4 & LOW);
    (pairs.wrapping_mul(u64::MAX / 255) >> 56) as u32
}

#[cfg(test)]
mod tests {
    use navbake_navmesh::record::Record;

    use super::*;

    #[test]
    fn sums_are_those_of_the_numbers_before() {
        for all in [0, u64::MAX, 0x0123_4567_89AB_CDEF, 0xF0F0_F00F_1E00_0001] {
            for n in 0..16 {
                let plain: u64 = (0..n).map(|k| all >> (4 * k) & 15).sum();
                assert_eq!(u64::from(nibbles_before(all, n)), plain, "{all:x} {n}");
            }
        }
    }

    #[test]
    fn vertices_are_read_at_the_end_as_elsewhere() {
        let bytes: [u8; 64] = core::array::from_fn(|i| (200 + 37 * i) as u8);
        let bit = |k: usize| u64::from(bytes.get(k / 8).map_or(0, |b| b >> (k % 8) & 1));
        for width in (0..=57).chain([64]) {
            for first in [0u32, 5] {
                let split = Split { y: 0, z: 0, shift: [0; 3], width };
                let block = VertexBlock { base: [0; 3], split: VertexBlock::joined(split), first };
                let blocks = block.to_bytes();
                let count = (64 - first) * 8 / width.max(1);
                let packed = Packed {
                    bytes: &bytes,
                    blocks: Records::new(&blocks).expect("one block"),
                    count,
                    bases: Bases::new([0; 3], [0; 3]),
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
