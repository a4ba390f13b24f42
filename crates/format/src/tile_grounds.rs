//! The ground of a navmesh as square tiles, for units that turn, read in place.
//!
//! A tile is free where ground covers all of it. Tiles lie on *sheets*, one a storey as a rule: no two tiles of a sheet are at one place, and where two free tiles
//! of a sheet share a side, the ground goes on from one to the other. So what a vehicle sweeps over free tiles of one sheet is one piece of ground.
//! Where storeys meet, tiles lie on several sheets: they are the places to pass from one to another.

use zerocopy::little_endian::U16;

use crate::records::{SheetRecord, SheetWordRecord, TileGroundRecord, TileTwinRecord};
use crate::{Blob, Section};

/// Rows between two sheets where all of a ground are put below one another: more than any move of a vehicle crosses.
pub const SHEET_GAP: u32 = 32;

/// The tiles of a navmesh.
#[derive(Clone, Copy)]
pub struct TileGroundView<'a> {
    pub(crate) record: &'a TileGroundRecord,
    pub(crate) sheets: &'a [SheetRecord],
    words: &'a [SheetWordRecord],
    heights: &'a [U16],
    twins: &'a [TileTwinRecord],
    units: f64,
    origin: f64,
}

/// A storey: a rectangle of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Column and row of its first tile. Tile `[c, r]` covers `c` to `c + 1` sides of a tile along x and `r` to `r + 1` along z, from zero on.
    pub least: [i32; 2],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Its first row where the sheets are put below one another.
    pub first_row: u32,
}

impl<'a> TileGroundView<'a> {
    pub(crate) fn read(blob: &Blob<'a>, number: usize) -> Option<TileGroundView<'a>> {
        let all = blob.records::<TileGroundRecord>(Section::TILE_GROUNDS, 0);
        let record = all.get(number)?;
        let first = record.first_sheet.get() as usize;
        let end = first.checked_add(record.sheets.get() as usize)?;
        let grid = &blob.header().grid;
        Some(TileGroundView {
            record,
            sheets: blob.records(Section::SHEETS, 0).get(first..end)?,
            words: blob.records(Section::SHEET_BITS, 0),
            heights: blob.records(Section::TILE_HEIGHTS, 0),
            twins: blob.records(Section::TILE_TWINS, 0),
            units: grid.units(),
            origin: grid.origin[1],
        })
    }

    /// The one that a vehicle drives on.
    pub(crate) fn of_vehicle(blob: &Blob<'a>, vehicle: usize) -> Option<TileGroundView<'a>> {
        let of = blob.records::<U16>(Section::GROUND_OF_VEHICLE, 0);
        TileGroundView::read(blob, usize::from(of.get(vehicle)?.get()))
    }

    /// The agent class whose navmesh it is.
    pub fn class(&self) -> u16 {
        self.record.class.get()
    }

    /// Side of a tile, m.
    pub fn tile(&self) -> f64 {
        self.record.tile.get()
    }

    /// How many sheets there are.
    pub fn sheet_count(&self) -> usize {
        self.sheets.len()
    }

    /// A sheet.
    #[inline]
    pub fn sheet(&self, number: usize) -> Option<Sheet> {
        let s = self.sheets.get(number)?;
        Some(Sheet {
            least: [s.column.get(), s.row.get()],
            width: s.width.get(),
            height: s.height.get(),
            first_row: s.first_row.get(),
        })
    }

    /// Columns of the widest sheet, and rows of all of them below one another, with [`SHEET_GAP`] rows between two.
    pub fn size(&self) -> [u32; 2] {
        let width = self.sheets.iter().map(|s| s.width.get()).max();
        let last = self.sheets.last();
        [
            width.unwrap_or(0),
            last.map_or(0, |s| s.first_row.get().saturating_add(s.height.get())),
        ]
    }

    /// The number of the free tile at a place of a sheet, counted from its first tile; `None` where none is free.
    #[inline]
    pub fn tile_at(&self, sheet: usize, [column, row]: [u32; 2]) -> Option<u32> {
        let s = self.sheets.get(sheet)?;
        if column >= s.width.get() || row >= s.height.get() {
            return None;
        }
        let words = words_a_row(s.width.get());
        let at = s.first_word.get() as usize + row as usize * words + column as usize / 64;
        let word = self.words.get(at)?;
        let (free, bit) = (word.free.get(), column % 64);
        let below = (free & ((1 << bit) - 1)).count_ones();
        (free >> bit & 1 != 0).then(|| word.before.get().wrapping_add(below))
    }

    /// 64 tiles of a sheet's row, those that are free set.
    #[inline]
    pub fn word(&self, sheet: usize, row: u32, word: usize) -> u64 {
        let Some(s) = self.sheets.get(sheet) else {
            return 0;
        };
        let words = words_a_row(s.width.get());
        if row >= s.height.get() || word >= words {
            return 0;
        }
        let at = s.first_word.get() as usize + row as usize * words + word;
        self.words.get(at).map_or(0, |w| w.free.get())
    }

    /// The height of the ground at the middle of a free tile, y-up metres.
    pub fn height(&self, sheet: usize, tile: u32) -> Option<f64> {
        let s = self.sheets.get(sheet)?;
        let steps = i64::from(self.heights.get(tile as usize)?.get());
        let height = i64::from(s.base.get()) + (steps << s.shift.min(16));
        Some(height as f64 / self.units + self.origin)
    }

    /// The first sheet that a free tile lies on as well, when that is another one.
    pub fn twin(&self, tile: u32) -> Option<u32> {
        let at = self.twins.binary_search_by_key(&tile, |t| t.tile.get());
        self.twins.get(at.ok()?).map(|t| t.sheet.get())
    }

    /// How many free tiles the sheets have together.
    pub fn free_count(&self) -> u32 {
        let words = self.words_of();
        words.iter().map(|w| w.free.get().count_ones()).sum()
    }

    /// How many of these are another sheet's as well, beside the first.
    pub fn twin_count(&self) -> usize {
        let words = self.words_of();
        let first = words.first().map_or(0, |w| w.before.get());
        let own = first..first.saturating_add(self.free_count());
        let twins = self.twins.iter();
        twins.filter(|t| own.contains(&t.tile.get())).count()
    }

    fn words_of(&self) -> &'a [SheetWordRecord] {
        let first = self.sheets.first().map_or(0, |s| s.first_word.get());
        let end = self.sheets.last().map_or(0, |s| {
            let words = words_a_row(s.width.get()) * s.height.get() as usize;
            s.first_word.get() as usize + words
        });
        self.words.get(first as usize..end).unwrap_or_default()
    }
}

/// Words of a sheet's row.
pub(crate) fn words_a_row(width: u32) -> usize {
    width.div_ceil(64) as usize
}
