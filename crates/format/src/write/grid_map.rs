//! The encoder of grid maps.

use alloc::vec;
use alloc::vec::Vec;

use zerocopy::little_endian::{F64, U16, U32, U64};

use super::{Draft, EncodeError};
use crate::Section;
use crate::grid_map::{shape, terrain_row};
use crate::records::GridMapRecord;

/// A grid map: square cells in rows, all on one height.
#[derive(Clone, Copy, Debug)]
pub struct GridMapParts<'a> {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Side of a cell, m.
    pub cell: f64,
    /// The corner of the first cell with the least x and z, y-up metres.
    pub corner: [f64; 3],
    /// One entry a cell, row by row: can it be walked on?
    pub free: &'a [bool],
    /// What kind of ground each cell is, row by row, from 0; empty when all is of one kind.
    pub terrain: &'a [u8],
}

impl GridMapParts<'_> {
    /// Has the format room for a map of this size?
    pub fn fits(width: u32, height: u32) -> bool {
        shape(width, height).is_some()
    }
}

/// Adds the sections of a map.
pub(super) fn encode(map: &GridMapParts<'_>, drafts: &mut Vec<Draft>) -> Result<(), EncodeError> {
    let length = |what, found: usize, expected| EncodeError::Length {
        what,
        class: 0,
        found: found as u64,
        expected,
    };
    let cells = u64::from(map.width) * u64::from(map.height);
    if map.free.len() as u64 != cells {
        return Err(length("free cells", map.free.len(), cells));
    }
    if !map.terrain.is_empty() && map.terrain.len() as u64 != cells {
        return Err(length("terrain", map.terrain.len(), cells));
    }
    let Some((words, rows)) = shape(map.width, map.height) else {
        return Err(length("cells", map.free.len(), 1 << 28));
    };
    let width = map.width as usize;
    let mut bits = vec![0u64; words * rows];
    let mut free = 0;
    for (row, cells) in map.free.chunks(width).enumerate() {
        for (column, _) in cells.iter().enumerate().filter(|(_, free)| **free) {
            bits[(row + 1) * words + (column + 1) / 64] |= 1 << ((column + 1) % 64);
            free += 1;
        }
    }
    let terrains = map.terrain.iter().max().map_or(1, |&t| u16::from(t) + 1);
    let mut terrain: Vec<u8> = vec![];
    if terrains > 1 {
        terrain.reserve_exact(terrain_row(map.width, terrains) * map.height as usize);
        for row in map.terrain.chunks(width) {
            if terrains <= 16 {
                let pairs = row.chunks(2);
                terrain.extend(pairs.map(|p| p[0] | p.get(1).map_or(0, |t| t << 4)));
            } else {
                terrain.extend_from_slice(row);
            }
        }
    }
    let record = GridMapRecord {
        width: U32::new(map.width),
        height: U32::new(map.height),
        cell: F64::new(map.cell),
        corner: map.corner.map(F64::new),
        free: U32::new(free),
        terrains: U16::new(terrains),
        reserved: U16::new(0),
    };
    let bits: Vec<U64> = bits.into_iter().map(U64::new).collect();
    // A reader that asks for nothing but the navmesh may do without them.
    let mut add = |draft: Draft| {
        drafts.push(Draft {
            required: false,
            ..draft
        });
    };
    add(Draft::of(Section::GRID_MAP, 0, &[record]));
    add(Draft::of(Section::GRID_BITS, 0, &bits));
    if terrains > 1 {
        add(Draft::of(Section::GRID_TERRAIN, 0, &terrain));
    }
    Ok(())
}
