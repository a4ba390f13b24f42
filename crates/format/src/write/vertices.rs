//! Encodes the sections of vertices.

use alloc::vec;
use alloc::vec::Vec;
use core::array;

use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::packed::{Bases, Split};
use crate::records::{BLOCK, VertexBlock};

/// As few bits a vertex as its block needs, else twelve bytes for each.
pub(super) fn vertices(all: &[[i32; 3]], bases: Bases, class: u16, drafts: &mut Drafts<'_>) {
    let mut blocks = vec![];
    let mut bytes: Vec<u8> = vec![];
    for block in all.chunks(BLOCK) {
        let base = array::from_fn(|k| {
            let least = block.iter().map(|p| p[k]).min().unwrap_or(0);
            bases.below(least, k)
        });
        let mut head = VertexBlock { base, split: 0, first: 0 };
        let base: [i32; 3] = array::from_fn(|k| bases.base(&head, k));
        let offset = |p: &[i32; 3], k: usize| p[k].wrapping_sub(base[k]) as u32;
        // As many low bits are left out as are zero in all offsets: lattices of whole metres need
        // no more.
        let used: [u32; 3] =
            array::from_fn(|k| block.iter().fold(0, |bits, p| bits | offset(p, k)));
        let shift = used.map(|bits| bits.trailing_zeros() % 32);
        let bits: [u32; 3] = array::from_fn(|k| 32 - (used[k] >> shift[k]).leading_zeros());
        let total: u32 = bits.iter().sum();
        let first = u32::try_from(bytes.len());
        let (Ok(first), false) = (first, total > 64 || bits.iter().any(|&b| b > 31)) else {
            let wide = all.iter().copied();
            drafts.push(Draft::required(Section::VERTICES, class, wide));
            return;
        };
        let split =
            Split { y: bits[0], z: bits[0] + bits[1], shift, width: VertexBlock::width(total) };
        head.split = VertexBlock::joined(split);
        head.first = first;
        blocks.push(head);
        // Words one after the other, without gaps; the last byte of a block is filled with zeros.
        let (mut held, mut count) = (0u128, 0);
        for p in block {
            let x: [u64; 3] = array::from_fn(|k| u64::from(offset(p, k) >> shift[k]));
            let word = x[0] | x[1] << split.y | x[2].checked_shl(split.z).unwrap_or(0);
            held |= u128::from(word) << count;
            count += split.width;
            while count >= 8 {
                bytes.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        if count > 0 {
            bytes.push(held as u8);
        }
    }
    drafts.push(Draft { required: true, ..Draft::bytes(Section::VERTICES, class, 1, bytes) });
    drafts.push(Draft::required(Section::VERTEX_BLOCKS, class, blocks));
}
