//! A grid map: square cells in rows, each free or blocked, read in place.
//!
//! A row of cells is a run of bits, so that the eight neighbours of a cell come with three reads, and a window around it with a read a row.
//! A rim of blocked cells around the map spares readers most checks of bounds.

use zerocopy::little_endian::U64;

use crate::records::GridMapRecord;
use crate::{Blob, BlobError, Found, Section};

/// Cells with their rim are fewer than this, so that a cell and one of eight directions fit into 32 bits.
pub(crate) const MOST_CELLS: u64 = 1 << 28;

/// Words of a row, and rows, with the rim; `None` where the map is larger than the format allows.
pub(crate) fn shape(width: u32, height: u32) -> Option<(usize, usize)> {
    let (words, rows) = ((u64::from(width) + 2).div_ceil(64), u64::from(height) + 2);
    let ids = (words * 64).saturating_mul(rows);
    let fits = width > 0 && height > 0 && ids < MOST_CELLS;
    fits.then_some((words as usize, rows as usize))
}

/// Bytes of a row of terrains: two a byte when there are few.
pub(crate) fn terrain_row(width: u32, terrains: u16) -> usize {
    if terrains <= 16 {
        width.div_ceil(2) as usize
    } else {
        width as usize
    }
}

/// A cell by its place in the bits of a [`GridMapView`]. Ids of a row follow each other; where the rim is, there are ids without a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

/// A grid map. Column is x, row is z; cell `[c, r]` covers the square from `[c, r]` to `[c + 1, r + 1]` times the cell's side, from the map's corner on.
#[derive(Clone, Copy)]
pub struct GridMapView<'a> {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) words_a_row: usize,
    pub(crate) bits: &'a [U64],
    pub(crate) terrain: &'a [u8],
    pub(crate) terrains: u16,
    pub(crate) free: u32,
    pub(crate) cell: f64,
    pub(crate) corner: [f64; 3],
}

impl<'a> GridMapView<'a> {
    /// Finds the sections and checks that their lengths agree: O(1). What stands in them is checked by [`Blob::validate`].
    pub(crate) fn read(blob: &Blob<'a>) -> Result<Option<GridMapView<'a>>, BlobError> {
        let wrong = |section, found: usize, expected| BlobError::Record {
            section,
            class: 0,
            index: 0,
            found: Found::Int(found as i64),
            expected,
        };
        let bits = blob.records::<U64>(Section::GRID_BITS, 0);
        let terrain = blob.records::<u8>(Section::GRID_TERRAIN, 0);
        if blob.section(Section::GRID_MAP, 0).is_none() {
            for section in [Section::GRID_BITS, Section::GRID_TERRAIN] {
                if let Some((info, _)) = blob.section(section, 0) {
                    let found = info.count as usize;
                    return Err(wrong(section, found, "no such section without grid-map"));
                }
            }
            return Ok(None);
        }
        let records = blob.records::<GridMapRecord>(Section::GRID_MAP, 0);
        let [map] = records else {
            return Err(wrong(Section::GRID_MAP, records.len(), "one record"));
        };
        let (width, height) = (map.width.get(), map.height.get());
        let Some((words_a_row, rows)) = shape(width, height) else {
            return Err(wrong(
                Section::GRID_MAP,
                width as usize,
                "a width and a height of 1 at least, and fewer than 2^28 cells with the rim",
            ));
        };
        if bits.len() != words_a_row * rows {
            return Err(wrong(
                Section::GRID_BITS,
                bits.len(),
                "whole words for each row of the map and two of the rim",
            ));
        }
        let terrains = map.terrains.get();
        let expected = match terrains {
            0 | 1 => 0,
            _ => terrain_row(width, terrains) * height as usize,
        };
        if terrain.len() != expected {
            return Err(wrong(
                Section::GRID_TERRAIN,
                terrain.len(),
                "the terrain of each cell when there are several, and none otherwise",
            ));
        }
        Ok(Some(GridMapView {
            width,
            height,
            words_a_row,
            bits,
            terrain,
            terrains,
            free: map.free.get(),
            cell: map.cell.get(),
            corner: map.corner.map(|c| c.get()),
        }))
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Side of a cell, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// The corner of cell `[0, 0]` with the least x and z, y-up metres; its y is the ground's height everywhere.
    pub fn corner(&self) -> [f64; 3] {
        self.corner
    }

    /// Number of free cells.
    pub fn free_count(&self) -> u32 {
        self.free
    }

    /// Number of terrains, 1 at least. A cell's terrain is less.
    pub fn terrain_count(&self) -> u16 {
        self.terrains
    }

    /// All ids are less.
    pub fn id_count(&self) -> u32 {
        (self.bits.len() * 64) as u32 // below MOST_CELLS
    }

    /// From a cell's id to that of the cell below it, in the next row.
    #[inline]
    pub fn stride(&self) -> u32 {
        (self.words_a_row * 64) as u32
    }

    /// The id of a cell, `None` outside the map.
    #[inline]
    pub fn id(&self, [column, row]: [i64; 2]) -> Option<CellId> {
        let inside = (0..i64::from(self.width)).contains(&column)
            && (0..i64::from(self.height)).contains(&row);
        inside.then(|| CellId((row as u32 + 1) * self.stride() + column as u32 + 1))
    }

    /// Column and row of a cell.
    #[inline]
    pub fn column_row(&self, id: CellId) -> [u32; 2] {
        let stride = self.stride().max(1);
        [
            (id.0 % stride).wrapping_sub(1),
            (id.0 / stride).wrapping_sub(1),
        ]
    }

    /// Can the cell be walked on? What is no cell cannot.
    #[inline]
    pub fn is_free(&self, id: CellId) -> bool {
        self.word(id.0 as usize / 64) >> (id.0 % 64) & 1 != 0
    }

    /// The cells around a cell and itself, nine bits: free ones are set. Bit 0 is at the lesser column and row, bit 1 at the same column, and so
    /// on row by row; bit 4 is the cell itself.
    #[inline]
    pub fn around(&self, id: CellId) -> u16 {
        let (at, stride) = ((id.0 as usize).wrapping_sub(1), self.words_a_row * 64);
        self.three(at.wrapping_sub(stride))
            | self.three(at) << 3
            | self.three(at.wrapping_add(stride)) << 6
    }

    /// 64 ids as bits, those of free cells set; the first is `64 * at`. Rows begin with a word of their own.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        self.bits.get(at).map_or(0, |w| w.get())
    }

    /// An id, the one before and the one behind: three bits, those of free cells set.
    #[inline]
    pub fn beside(&self, id: CellId) -> u16 {
        self.three((id.0 as usize).wrapping_sub(1))
    }

    /// Three bits from one on.
    #[inline]
    fn three(&self, at: usize) -> u16 {
        let (word, bit) = (at / 64, at % 64);
        let mut three = self.word(word) >> bit;
        if bit > 61 {
            three |= self.word(word + 1) << (64 - bit);
        }
        (three & 7) as u16
    }

    /// What kind of ground a cell is, from 0; 0 for what is no cell.
    #[inline]
    pub fn terrain(&self, id: CellId) -> u8 {
        if self.terrains <= 1 {
            return 0;
        }
        let [column, row] = self.column_row(id).map(|c| c as usize);
        if column >= self.width as usize {
            return 0;
        }
        let start = row.wrapping_mul(terrain_row(self.width, self.terrains));
        let byte = |at: usize| self.terrain.get(start.wrapping_add(at)).copied();
        if self.terrains <= 16 {
            byte(column / 2).map_or(0, |b| b >> (4 * (column % 2)) & 15)
        } else {
            byte(column).unwrap_or(0)
        }
    }

    /// The free cell that a point lies in, seen from above. On the border of several, the one with the greater column and row is tried first.
    pub fn free_cell_at(&self, point: [f64; 3]) -> Option<CellId> {
        let [x, z] = self.column_row_at(point);
        let on = |v: f64, line: f64| if v == line { line - 1.0 } else { line };
        let (column, row) = (floor(x)?, floor(z)?);
        let tries = [
            [column, row],
            [on(x, column), row],
            [column, on(z, row)],
            [on(x, column), on(z, row)],
        ];
        tries.into_iter().find_map(|[c, r]| {
            let id = self.id([c as i64, r as i64])?;
            self.is_free(id).then_some(id)
        })
    }

    /// Column and row of a point, with fractions; anything when the point is not finite.
    pub fn column_row_at(&self, point: [f64; 3]) -> [f64; 2] {
        [
            (point[0] - self.corner[0]) / self.cell,
            (point[2] - self.corner[2]) / self.cell,
        ]
    }

    /// The middle of a cell, y-up metres.
    pub fn centre(&self, id: CellId) -> [f64; 3] {
        let [column, row] = self.column_row(id).map(|c| f64::from(c) + 0.5);
        [
            self.corner[0] + column * self.cell,
            self.corner[1],
            self.corner[2] + row * self.cell,
        ]
    }
}

/// The greatest whole number that is not above, for numbers that a map can have. (`f64::floor` needs the standard library.)
fn floor(v: f64) -> Option<f64> {
    if v.abs() < f64::from(1 << 30) {
        let cut = f64::from(v as i32);
        Some(if cut > v { cut - 1.0 } else { cut })
    } else {
        None
    }
}
