//! Writing a grid map.

use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::CellShape;

use super::{GridMapRecord, shape, terrain_row};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::write::EncodeError;

/// A grid map: cells in rows, all on one height.
#[derive(Clone, Copy, Debug)]
pub struct GridMapParts<'a> {
    /// The shape of the cells.
    pub shape: CellShape,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Side of a square, or width of a hexagon across two sides, m.
    pub cell: f64,
    /// The corner of the first cell with the least x and z, y-up metres.
    pub corner: [f64; 3],
    /// One entry a cell, row by row: whether it is walkable.
    pub free: &'a [bool],
    /// The terrain of each cell, row by row, from 0; empty when there is one terrain.
    pub terrain: &'a [u8],
    /// What each cell costs over what its area does, row by row, for all agents or one agent
    /// after the other; empty where that is the same.
    pub factors: &'a [f32],
}

impl GridMapParts<'_> {
    /// Whether the format allows a map of this size.
    pub fn fits(width: u32, height: u32) -> bool {
        shape(width, height).is_some()
    }
}

pub(crate) fn encode(
    map: &GridMapParts<'_>,
    agents: usize,
    drafts: &mut Drafts<'_>,
) -> Result<(), EncodeError> {
    let length = |what, found, expected| EncodeError::length(what, 0, found, expected);
    let cells = u64::from(map.width) * u64::from(map.height);
    if map.free.len() as u64 != cells {
        return Err(length("free cells", map.free.len(), cells));
    }
    if !map.terrain.is_empty() && map.terrain.len() as u64 != cells {
        return Err(length("terrain", map.terrain.len(), cells));
    }
    let rows = map.factors.len() as u64 / cells.max(1);
    if map.factors.len() as u64 != rows * cells || ![0, 1, agents as u64].contains(&rows) {
        return Err(length("factors of cells", map.factors.len(), cells));
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
        width: map.width,
        height: map.height,
        cell: map.cell,
        corner: map.corner,
        free,
        terrains,
        shape: map.shape.number(),
    };
    // A reader of the navmesh alone may do without them.
    drafts.push(Draft::optional(Section::GRID_MAP, 0, [record]));
    drafts.push(Draft::optional(Section::GRID_BITS, 0, bits));
    drafts.push(Draft::optional(Section::GRID_TERRAIN, 0, terrain));
    drafts.push(Draft::optional(Section::GRID_FACTORS, 0, map.factors.iter().copied()));
    Ok(())
}
