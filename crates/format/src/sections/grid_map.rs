//! A grid map: squares or hexagons in rows, each free or blocked, read in place.
//!
//! A row of cells is a run of bits, so that the eight neighbours of a cell take three reads, and a
//! window around it takes one read per row. A rim of blocked cells around the map saves readers
//! most bounds checks. The sections are `grid-map`, `grid-bits`, `grid-terrain` and `grid-factors`.

use navbake_grid::CellShape;
use navbake_navmesh::record::Records;

use super::agents::AgentRecord;
use crate::place::{BLOB, Checked};
use crate::{Blob, BlobError, CheckedBlob, Section};

navbake_navmesh::record! {
    /// Section `grid-map`.
    struct GridMapRecord: 48 {
        width: u32, height: u32, cell: f64, corner: [f64; 3], free: u32, terrains: u16,
        shape: u16,
    }
}

/// The limit of cells with their rim: a cell and one of eight directions fit into 32 bits.
const MOST_CELLS: u64 = 1 << 28;

/// Words of a row, and rows, with the rim; `None` where the map is too large for the format.
fn shape(width: u32, height: u32) -> Option<(usize, usize)> {
    let (words, rows) = ((u64::from(width) + 2).div_ceil(64), u64::from(height) + 2);
    let ids = (words * 64).saturating_mul(rows);
    let fits = width > 0 && height > 0 && ids < MOST_CELLS;
    fits.then_some((words as usize, rows as usize))
}

/// Bytes of a row of terrains: two a byte when there are few.
fn terrain_row(width: u32, terrains: u16) -> usize {
    if terrains <= 16 { width.div_ceil(2) as usize } else { width as usize }
}

/// A cell by its place in the bits of a [`GridMapView`].
///
/// Ids of a row follow each other. The rim has ids without a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// A grid map.
///
/// Column is x, row is z; [`CellShape`] says where cells are.
#[derive(Clone, Copy)]
pub struct GridMapView<'a> {
    head: GridMapRecord,
    words_a_row: usize,
    bits: Records<'a, u64>,
    terrain: &'a [u8],
    factors: Records<'a, f32>,
}

impl<'a> GridMapView<'a> {
    /// Finds the sections and checks that their lengths agree: O(1).
    ///
    /// Their contents are checked by [`Blob::validate`].
    fn read(blob: &Blob<'a>) -> Result<Option<GridMapView<'a>>, BlobError> {
        let bits = blob.records::<u64>(Section::GRID_BITS, 0);
        let terrain = blob.raw(Section::GRID_TERRAIN, 0);
        let factors = blob.records::<f32>(Section::GRID_FACTORS, 0);
        if !blob.has(Section::GRID_MAP, 0) {
            for section in [Section::GRID_BITS, Section::GRID_TERRAIN, Section::GRID_FACTORS] {
                if let Some((info, _)) = blob.section(section, 0) {
                    let expected = "no such section without grid-map";
                    return BLOB.fail(section, 0, info.count, expected);
                }
            }
            return Ok(None);
        }
        let records = blob.records::<GridMapRecord>(Section::GRID_MAP, 0);
        let Some(head) = records.first().filter(|_| records.len() == 1) else {
            return BLOB.fail(Section::GRID_MAP, 0, records.len(), "one record");
        };
        let (width, height) = (head.width, head.height);
        let Some((words_a_row, rows)) = shape(width, height) else {
            let expected =
                "a width and a height of 1 at least, and fewer than 2^28 cells with the rim";
            return BLOB.fail(Section::GRID_MAP, 0, width, expected);
        };
        let expected = "whole words for each row of the map and two of the rim";
        BLOB.refuse(bits.len() != words_a_row * rows, Section::GRID_BITS, 0, bits.len(), expected)?;
        let cells = match head.terrains {
            0 | 1 => 0,
            _ => terrain_row(width, head.terrains) * height as usize,
        };
        let expected = "the terrain of each cell when there are several, and none otherwise";
        BLOB.refuse(terrain.len() != cells, Section::GRID_TERRAIN, 0, terrain.len(), expected)?;
        let agents = blob.records::<AgentRecord>(Section::AGENTS, 0).len();
        let cells = width as usize * height as usize;
        let is_whole = [0, cells, cells.saturating_mul(agents)].contains(&factors.len());
        let expected = "a factor of each cell for all agents or for each, or none";
        BLOB.refuse(!is_whole, Section::GRID_FACTORS, 0, factors.len(), expected)?;
        Ok(Some(GridMapView { head, words_a_row, bits, terrain, factors }))
    }

    /// The same map with other free cells, and with other terrains unless `terrain` is empty.
    ///
    /// `bits` are words like those of [`GridMapView::word`], 8 bytes each, little-endian; `terrain`
    /// is a byte for each cell, row by row. [`GridMapView::free_count`] stays. `None` when a length
    /// is wrong.
    #[must_use]
    pub fn with<'b>(&self, bits: &'b [u8], terrain: &'b [u8]) -> Option<GridMapView<'b>>
    where
        'a: 'b,
    {
        let bits = Records::<u64>::new(bits).filter(|bits| bits.len() == self.bits.len())?;
        let mut map = GridMapView { bits, ..*self };
        if !terrain.is_empty() {
            let cells = self.head.width as usize * self.head.height as usize;
            (map.head.terrains, map.terrain) = (256, terrain);
            return (terrain.len() == cells).then_some(map);
        }
        Some(map)
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.head.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.head.height
    }

    /// The shape of the cells.
    #[inline]
    pub fn shape(&self) -> CellShape {
        CellShape::of_number(self.head.shape).unwrap_or_default()
    }

    /// Side of a square cell, or width of a hexagon across two sides, m.
    pub fn cell(&self) -> f64 {
        self.head.cell
    }

    /// The corner of cell `[0, 0]` with the least x and z, y-up metres.
    ///
    /// Its y is the height of all ground.
    pub fn corner(&self) -> [f64; 3] {
        self.head.corner
    }

    /// Number of free cells.
    pub fn free_count(&self) -> u32 {
        self.head.free
    }

    /// Number of terrains, at least 1. A cell's terrain is less.
    pub fn terrain_count(&self) -> u16 {
        self.head.terrains
    }

    /// All ids are less.
    pub fn id_count(&self) -> u32 {
        (self.bits.len() * 64) as u32 // below MOST_CELLS
    }

    /// The difference of ids of a cell and of the cell in the next row.
    #[inline]
    pub fn stride(&self) -> u32 {
        (self.words_a_row * 64) as u32
    }

    /// The id of a cell, `None` outside the map.
    #[inline]
    pub fn id(&self, [column, row]: [i64; 2]) -> Option<CellId> {
        let inside = (0..i64::from(self.head.width)).contains(&column)
            && (0..i64::from(self.head.height)).contains(&row);
        inside.then(|| CellId((row as u32 + 1) * self.stride() + column as u32 + 1))
    }

    /// Column and row of a cell.
    #[inline]
    pub fn column_row(&self, id: CellId) -> [u32; 2] {
        let stride = self.stride().max(1);
        [(id.0 % stride).wrapping_sub(1), (id.0 / stride).wrapping_sub(1)]
    }

    /// Whether the cell is walkable; false for ids without a cell.
    #[inline]
    pub fn is_free(&self, id: CellId) -> bool {
        self.word(id.0 as usize / 64) >> (id.0 % 64) & 1 != 0
    }

    /// A cell and the cells around it as nine bits, set where free.
    ///
    /// Bit 0 is at the lesser column and row, bit 1 at the same column, and so on row by row; bit 4
    /// is the cell itself.
    #[inline]
    pub fn around(&self, id: CellId) -> u16 {
        let (at, stride) = ((id.0 as usize).wrapping_sub(1), self.words_a_row * 64);
        self.three(at.wrapping_sub(stride))
            | self.three(at) << 3
            | self.three(at.wrapping_add(stride)) << 6
    }

    /// 64 ids as bits, set for free cells; the first is `64 * at`. Each row begins a word.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        self.bits.get(at).unwrap_or(0)
    }

    /// An id, the one before and the one after as three bits, set for free cells.
    #[inline]
    pub fn beside(&self, id: CellId) -> u16 {
        self.three((id.0 as usize).wrapping_sub(1))
    }

    /// Three bits, from this one on.
    #[inline]
    fn three(&self, at: usize) -> u16 {
        let (word, bit) = (at / 64, at % 64);
        let mut three = self.word(word) >> bit;
        if bit > 61 {
            three |= self.word(word + 1) << (64 - bit);
        }
        (three & 7) as u16
    }

    /// The terrain of a cell; 0 for ids without a cell.
    #[inline]
    pub fn terrain(&self, id: CellId) -> u8 {
        if self.head.terrains <= 1 {
            return 0;
        }
        let [column, row] = self.column_row(id).map(|c| c as usize);
        if column >= self.head.width as usize {
            return 0;
        }
        let start = row.wrapping_mul(terrain_row(self.head.width, self.head.terrains));
        let byte = |at: usize| self.terrain.get(start.wrapping_add(at)).copied();
        if self.head.terrains <= 16 {
            byte(column / 2).map_or(0, |b| b >> (4 * (column % 2)) & 15)
        } else {
            byte(column).unwrap_or(0)
        }
    }

    /// Do clearance or cost fields give cells a cost of their own?
    pub fn has_factors(&self) -> bool {
        !self.factors.is_empty()
    }

    /// The factor on the weight of a cell's area, for the agent of that number.
    ///
    /// Weights in the file include the cost of bands, which searches over the navmesh need. Times
    /// this factor they have the cost at the cell's own distance from walls and sources.
    pub fn factor(&self, id: CellId, agent: u16) -> f64 {
        let [column, row] = self.column_row(id).map(|c| c as usize);
        let (width, height) = (self.head.width as usize, self.head.height as usize);
        if column >= width || row >= height {
            return 1.0;
        }
        let (cells, cell) = (width * height, row * width + column);
        let first = if self.factors.len() > cells { usize::from(agent) * cells } else { 0 };
        self.factors.get(first + cell).map_or(1.0, f64::from)
    }

    /// The free cell at a point, seen from above.
    ///
    /// On the border of several, the one with the greater column and row is tried first.
    pub fn free_cell_at(&self, point: [f64; 3]) -> Option<CellId> {
        let [x, z] = self.column_row_at(point);
        let free = |cell| self.id(cell).filter(|&id| self.is_free(id));
        let shape = self.shape();
        if shape == CellShape::Hexagon {
            let own = shape.cell_at([x, z])?;
            // A point on a side is as near to the cell beyond it.
            let apart = |cell| {
                let [mx, mz] = shape.middle(cell);
                (mx - x) * (mx - x) + (mz - z) * (mz - z)
            };
            let most = apart(own) + 1e-9;
            let beside = (0..shape.sides()).map(|k| shape.neighbour(own, k));
            return free(own).or_else(|| beside.filter(|&c| apart(c) <= most).find_map(free));
        }
        let on = |v: f64, line: f64| if v == line { line - 1.0 } else { line };
        let (column, row) = (floor(x)?, floor(z)?);
        let tries = [
            [column, row],
            [on(x, column), row],
            [column, on(z, row)],
            [on(x, column), on(z, row)],
        ];
        tries.into_iter().find_map(|[c, r]| free([c as i64, r as i64]))
    }

    /// A point in cells from the map's corner, along x and z: column and row, with fractions, where
    /// cells are squares. Anything when the point is not finite.
    pub fn column_row_at(&self, point: [f64; 3]) -> [f64; 2] {
        [
            (point[0] - self.head.corner[0]) / self.head.cell,
            (point[2] - self.head.corner[2]) / self.head.cell,
        ]
    }

    /// The middle of a cell, y-up metres.
    pub fn centre(&self, id: CellId) -> [f64; 3] {
        let [x, z] = self.shape().middle(self.column_row(id).map(i64::from));
        let [corner_x, y, corner_z] = self.head.corner;
        [corner_x + x * self.head.cell, y, corner_z + z * self.head.cell]
    }
}

/// The greatest whole number that is not above, for numbers in the range of a map.
///
/// (`f64::floor` needs the standard library.)
fn floor(v: f64) -> Option<f64> {
    if v.abs() < f64::from(1 << 30) {
        let cut = f64::from(v as i32);
        Some(if cut > v { cut - 1.0 } else { cut })
    } else {
        None
    }
}

impl<'a> CheckedBlob<'a> {
    /// The grid map that was baked, when the level was one.
    pub fn grid_map(&self) -> Option<GridMapView<'a>> {
        GridMapView::read(&self.blob()).ok().flatten()
    }
}

/// A grid map is within the grid, and its free cells and terrains are as stated.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let Some(map) = GridMapView::read(blob)? else {
        return Ok(());
    };
    check_place(blob, &map)?;
    check_bits(&map)?;
    check_terrain(&map)?;
    for (at, factor) in map.factors.iter().enumerate() {
        let expected = "a factor from 2^-20 to 2^20";
        let is_sound = (1.0 / 1_048_576.0..=1_048_576.0).contains(&f64::from(factor));
        BLOB.refuse(!is_sound, Section::GRID_FACTORS, at, f64::from(factor), expected)?;
    }
    Ok(())
}

/// The whole map is within the grid, and a cell is no smaller than its unit.
fn check_place(blob: &Blob<'_>, map: &GridMapView<'_>) -> Checked {
    let head = &map.head;
    let grid = &blob.header().grid;
    let section = Section::GRID_MAP;
    if !(head.cell.is_finite() && head.cell * grid.units() >= 1.0) {
        let expected = "a side of a cell of one grid unit at least";
        return BLOB.fail(section, 0, head.cell, expected);
    }
    let [x, y, z] = head.corner;
    let [wide, deep] = map.shape().extent(head.width, head.height);
    let far = [x + wide * head.cell, y, z + deep * head.cell];
    for corner in [head.corner, far] {
        let expected = "corners of the map between -2^25 and 2^25 grid units from the origin";
        BLOB.refuse(grid.snap(corner).is_none(), section, 0, corner[0], expected)?;
    }
    let expected = "1 to 256 terrains";
    BLOB.refuse(!(1..=256).contains(&head.terrains), section, 0, head.terrains, expected)?;
    let expected = "0 for squares, 1 for hexagons";
    BLOB.refuse(CellShape::of_number(head.shape).is_none(), section, 0, head.shape, expected)
}

/// No bit is set outside the map, and as many inside as stated.
fn check_bits(map: &GridMapView<'_>) -> Checked {
    let head = &map.head;
    let words = map.words_a_row;
    let mut free = 0u64;
    for (at, word) in map.bits.iter().enumerate() {
        let (row, first) = (at / words, (at % words) as u64 * 64);
        // The rim before the first column, and everything after the last.
        let last = u64::from(head.width); // its bit in the row
        let behind = (last + 1).saturating_sub(first).min(64) as u32;
        let mut rim = u64::MAX.checked_shl(behind).unwrap_or(0);
        if first == 0 {
            rim |= 1;
        }
        if row == 0 || row > head.height as usize {
            rim = u64::MAX;
        }
        let expected = "no free cells outside the map";
        BLOB.refuse(word & rim != 0, Section::GRID_BITS, at, word, expected)?;
        free += u64::from(word.count_ones());
    }
    let expected = "as many free cells as there are in grid-bits";
    BLOB.refuse(free != u64::from(head.free), Section::GRID_MAP, 0, head.free, expected)?;
    Ok(())
}

/// Terrains exist, and the half byte behind an odd row is 0.
fn check_terrain(map: &GridMapView<'_>) -> Checked {
    let head = &map.head;
    if map.terrain.is_empty() {
        return Ok(());
    }
    let few = head.terrains <= 16;
    let row = terrain_row(head.width, head.terrains);
    for (at, &byte) in map.terrain.iter().enumerate() {
        let parts = if few { [byte & 15, byte >> 4] } else { [byte, 0] };
        let half = few && head.width % 2 == 1 && at % row == row - 1;
        let exists = parts.iter().all(|&t| u16::from(t) < head.terrains);
        let expected =
            "terrains of which the section grid-map has so many, and 0 behind a row's end";
        BLOB.refuse(!exists || (half && parts[1] != 0), Section::GRID_TERRAIN, at, byte, expected)?;
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::GridMapParts;
#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder;
