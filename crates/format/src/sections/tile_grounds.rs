//! The ground of a navmesh as square tiles, for vehicles, read in place.
//!
//! A tile is free where ground covers all of it. Tiles are on *layers*, usually one per storey: no
//! two tiles of a layer are at the same place, and where two free tiles of a layer share a side,
//! the ground continues from one to the other. So the free tiles of one layer that a vehicle sweeps
//! are one piece of ground. Where storeys meet, tiles are on several layers, and vehicles pass from
//! one layer to another there. The sections are `tile-grounds`, `ground-of-vehicle`, `sheets`,
//! `sheet-bits`, `tile-heights` and `tile-twins`.

use navbake_navmesh::record::Records;

use super::vehicles::VehicleRecord;
use crate::place::{BLOB, Checked};
use crate::{Blob, CheckedBlob, Section};

/// Rows between two layers where all of a ground are put below one another: more than any move of a
/// vehicle crosses.
pub const SHEET_GAP: u32 = 32;

navbake_navmesh::record! {
    /// Section `tile-grounds`.
    struct TileGroundRecord: 20 {
        class: u16, reserved: u16, first_sheet: u32, sheets: u32, tile: f64,
    }
}
navbake_navmesh::record! {
    /// Section `sheets`.
    struct SheetRecord: 32 {
        column: i32, row: i32, width: u32, height: u32, first_row: u32, first_word: u32, base: i32,
        shift: u8, reserved: [u8; 3],
    }
}
navbake_navmesh::record! {
    /// Section `sheet-bits`: 64 tiles of a row, and the number of free tiles of all layers before.
    struct SheetWordRecord: 12 { free: u64, before: u32 }
}
navbake_navmesh::record! {
    /// Section `tile-twins`: a free tile by its number, and the first layer that has it as well.
    struct TileTwinRecord: 8 { tile: u32, sheet: u32 }
}

/// The tiles of a navmesh.
#[derive(Clone, Copy)]
pub struct TileGroundView<'a> {
    record: TileGroundRecord,
    sheets: Records<'a, SheetRecord>,
    words: Records<'a, SheetWordRecord>,
    heights: Records<'a, u16>,
    twins: Records<'a, TileTwinRecord>,
    units: f64,
    origin: f64,
}

/// A layer: a rectangle of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Column and row of its first tile. Tile `[c, r]` covers `c` to `c + 1` sides of a tile along
    /// x and `r` to `r + 1` along z, from zero on.
    pub least: [i32; 2],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Its first row where the layers are put below one another.
    pub first_row: u32,
}

impl<'a> TileGroundView<'a> {
    fn read(blob: &Blob<'a>, number: usize) -> Option<TileGroundView<'a>> {
        let all = blob.records::<TileGroundRecord>(Section::TILE_GROUNDS, 0);
        let record = all.get(number)?;
        let first = record.first_sheet as usize;
        let end = first.checked_add(record.sheets as usize)?;
        let grid = &blob.header().grid;
        Some(TileGroundView {
            record,
            sheets: blob.records(Section::SHEETS, 0).slice(first..end)?,
            words: blob.records(Section::SHEET_BITS, 0),
            heights: blob.records(Section::TILE_HEIGHTS, 0),
            twins: blob.records(Section::TILE_TWINS, 0),
            units: grid.units(),
            origin: grid.origin[1],
        })
    }

    /// The ground that a vehicle drives on.
    fn of_vehicle(blob: &Blob<'a>, vehicle: usize) -> Option<TileGroundView<'a>> {
        let of = blob.records::<u16>(Section::GROUND_OF_VEHICLE, 0);
        TileGroundView::read(blob, usize::from(of.get(vehicle)?))
    }

    /// The agent class of the navmesh.
    pub fn class(&self) -> u16 {
        self.record.class
    }

    /// Side of a tile, m.
    pub fn tile(&self) -> f64 {
        self.record.tile
    }

    /// Number of layers.
    pub fn sheet_count(&self) -> usize {
        self.sheets.len()
    }

    /// A layer.
    #[inline]
    pub fn sheet(&self, number: usize) -> Option<Sheet> {
        let s = self.sheets.get(number)?;
        Some(Sheet {
            least: [s.column, s.row],
            width: s.width,
            height: s.height,
            first_row: s.first_row,
        })
    }

    /// Columns of the widest layer, and rows of all of them below one another.
    ///
    /// There are [`SHEET_GAP`] rows between two.
    pub fn size(&self) -> [u32; 2] {
        let width = self.sheets.iter().map(|s| s.width).max();
        let last = self.sheets.last();
        [width.unwrap_or(0), last.map_or(0, |s| s.first_row.saturating_add(s.height))]
    }

    /// The number of the free tile at a place of a layer, counted from its first tile.
    ///
    /// `None` where none is free.
    #[inline]
    pub fn tile_at(&self, sheet: usize, [column, row]: [u32; 2]) -> Option<u32> {
        let s = self.sheets.get(sheet)?;
        if column >= s.width || row >= s.height {
            return None;
        }
        let words = words_a_row(s.width);
        let at = s.first_word as usize + row as usize * words + column as usize / 64;
        let word = self.words.get(at)?;
        let (free, bit) = (word.free, column % 64);
        let below = (free & ((1 << bit) - 1)).count_ones();
        (free >> bit & 1 != 0).then(|| word.before.wrapping_add(below))
    }

    /// 64 tiles of a layer's row as bits, set where free.
    #[inline]
    pub fn word(&self, sheet: usize, row: u32, word: usize) -> u64 {
        let Some(s) = self.sheets.get(sheet) else {
            return 0;
        };
        let words = words_a_row(s.width);
        if row >= s.height || word >= words {
            return 0;
        }
        let at = s.first_word as usize + row as usize * words + word;
        self.words.get(at).map_or(0, |w| w.free)
    }

    /// The height of the ground at the middle of a free tile, y-up metres.
    pub fn height(&self, sheet: usize, tile: u32) -> Option<f64> {
        let s = self.sheets.get(sheet)?;
        let steps = i64::from(self.heights.get(tile as usize)?);
        let height = i64::from(s.base) + (steps << s.shift.min(16));
        Some(height as f64 / self.units + self.origin)
    }

    /// The first layer that has a free tile as well, when that is another one.
    pub fn twin(&self, tile: u32) -> Option<u32> {
        let at = self.twins.find(tile, |t| t.tile)?;
        self.twins.get(at).map(|t| t.sheet)
    }

    /// The number of free tiles of all layers.
    pub fn free_count(&self) -> u32 {
        let words = self.words_of();
        words.iter().map(|w| w.free.count_ones()).sum()
    }

    /// How many of these an earlier layer has as well.
    pub fn twin_count(&self) -> usize {
        let words = self.words_of();
        let first = words.first().map_or(0, |w| w.before);
        let own = first..first.saturating_add(self.free_count());
        let twins = self.twins.iter();
        twins.filter(|t| own.contains(&t.tile)).count()
    }

    fn words_of(&self) -> Records<'a, SheetWordRecord> {
        let first = self.sheets.first().map_or(0, |s| s.first_word);
        let end = self.sheets.last().map_or(0, |s| {
            let words = words_a_row(s.width) * s.height as usize;
            s.first_word as usize + words
        });
        self.words.slice(first as usize..end).unwrap_or_default()
    }
}

impl<'a> CheckedBlob<'a> {
    /// The tiles that the vehicle of that name drives on; `None` where it drives on the grid map.
    pub fn tile_ground(&self, vehicle: &str) -> Option<TileGroundView<'a>> {
        let number = self.vehicles().position(|v| v.name() == vehicle)?;
        TileGroundView::of_vehicle(&self.blob(), number)
    }
}

/// Words of a layer's row.
fn words_a_row(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// The limit of tiles of a ground with its rim.
const MOST_TILES: u64 = 1 << 26;
/// The limit of columns and rows.
const FARTHEST: i32 = 1 << 25;

/// Checks that layers are one below the other within the range that searches can number, that bits
/// are within them and counted, and that twins are the same place on another layer.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    let grounds = blob.records::<TileGroundRecord>(Section::TILE_GROUNDS, 0);
    let (mut sheets, mut words, mut tiles) = (0, 0, 0);
    for (number, record) in grounds.iter().enumerate() {
        check_ground(blob, number, &record, sheets)?;
        for at in sheets..sheets + record.sheets as usize {
            check_sheet(blob, at, &mut words, &mut tiles)?;
        }
        sheets += record.sheets as usize;
    }
    let counts =
        [(Section::SHEETS, sheets), (Section::SHEET_BITS, words), (Section::TILE_HEIGHTS, tiles)];
    for (section, end) in counts {
        let count = blob.count(section, 0);
        let expected = "as many elements as the grounds have together";
        BLOB.refuse(count != end as u64, section, end, count, expected)?;
    }
    check_vehicles(blob, grounds.len())?;
    check_twins(blob, grounds.len())
}

/// A ground's own record, and its layers below one another.
fn check_ground(
    blob: &Blob<'_>,
    number: usize,
    record: &TileGroundRecord,
    first: usize,
) -> Checked {
    let section = Section::TILE_GROUNDS;
    let it = BLOB.element(section, number);
    let expected = "a class that exists, and 0 behind it";
    it.refuse(record.class >= blob.class_count() || record.reserved != 0, record.class, expected)?;
    it.refuse(!(1e-6..=1e9).contains(&record.tile), record.tile, "a side of a tile above 0")?;
    let Some(view) = TileGroundView::read(blob, number) else {
        return it.fail(record.sheets, "sheets that there are");
    };
    if record.first_sheet as usize != first || view.sheets.is_empty() {
        let expected = "sheets in the order of grounds, one at least";
        return it.fail(record.first_sheet, expected);
    }
    let (mut row, mut width) = (0u64, 0u64);
    for (i, s) in view.sheets.iter().enumerate() {
        let it = BLOB.element(Section::SHEETS, first + i);
        let [w, h] = [s.width, s.height].map(u64::from);
        let expected = "a width and a height of 1 to 2^24";
        it.refuse(w == 0 || h == 0 || w > 1 << 24 || h > 1 << 24, w as i64, expected)?;
        let expected = "its first row 32 behind the last of the sheet before";
        it.refuse(u64::from(s.first_row) != row, s.first_row, expected)?;
        let near = |v: i32| (-FARTHEST..=FARTHEST).contains(&v);
        let expected = "a column, a row and a base within 2^25 of 0";
        it.refuse(!near(s.column) || !near(s.row) || !near(s.base), s.column, expected)?;
        if s.shift > 10 || s.reserved != [0; 3] {
            let expected = "a shift of at most 10, and 0 behind it";
            return it.fail(s.shift, expected);
        }
        row += h + u64::from(SHEET_GAP);
        width = width.max(w);
        let expected = "fewer than 2^26 tiles with the rim around all sheets";
        it.refuse((width + 96) * (row + 32) >= MOST_TILES, row as i64, expected)?;
    }
    Ok(())
}

/// No bit behind a row's end, and free tiles counted.
fn check_sheet(
    blob: &Blob<'_>,
    number: usize,
    next_word: &mut usize,
    next_tile: &mut usize,
) -> Checked {
    let Some(s) = blob.records::<SheetRecord>(Section::SHEETS, 0).get(number) else {
        return Ok(());
    };
    let a_row = words_a_row(s.width);
    let count = a_row * s.height as usize;
    let all = blob.records::<SheetWordRecord>(Section::SHEET_BITS, 0);
    let own = (next_word.checked_add(count)).and_then(|end| all.slice(*next_word..end));
    let Some(own) = own.filter(|_| s.first_word as usize == *next_word) else {
        let expected = "words of sheet-bits in the order of sheets";
        return BLOB.fail(Section::SHEETS, number, s.first_word, expected);
    };
    let used = s.width % 64;
    for (i, word) in own.iter().enumerate() {
        let it = BLOB.element(Section::SHEET_BITS, *next_word + i);
        let free = word.free;
        let expected = "no free tiles behind a row's end";
        it.refuse(used != 0 && i % a_row == a_row - 1 && free >> used != 0, free as i64, expected)?;
        let expected = "the number of free tiles before";
        it.refuse(word.before as usize != *next_tile, word.before, expected)?;
        *next_tile += free.count_ones() as usize;
    }
    *next_word += count;
    Ok(())
}

/// Each vehicle has a ground, of tiles of the side that its tables are for, or none has.
fn check_vehicles(blob: &Blob<'_>, grounds: usize) -> Checked {
    let section = Section::GROUND_OF_VEHICLE;
    let of = blob.records::<u16>(section, 0);
    let vehicles = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
    let wanted = if grounds > 0 { vehicles.len() } else { 0 };
    let expected = "one element for each vehicle where there are tile-grounds";
    BLOB.refuse(of.len() != wanted, section, 0, of.len(), expected)?;
    for (i, (number, vehicle)) in of.iter().zip(vehicles.iter()).enumerate() {
        let ground = TileGroundView::read(blob, usize::from(number));
        let expected = "a ground of tiles of the vehicle's own side";
        BLOB.refuse(ground.is_none_or(|g| g.tile() != vehicle.tile), section, i, number, expected)?;
    }
    Ok(())
}

/// Twins rise, and each is free at the same place of an earlier layer of its ground, which is no
/// twin itself.
fn check_twins(blob: &Blob<'_>, grounds: usize) -> Checked {
    let all = blob.records::<TileTwinRecord>(Section::TILE_TWINS, 0);
    let mut left = all.iter().enumerate().peekable();
    for number in 0..grounds {
        let Some(view) = TileGroundView::read(blob, number) else {
            continue;
        };
        for (at, sheet) in (0..view.sheet_count()).filter_map(|k| Some((k, view.sheet(k)?))) {
            for row in 0..sheet.height {
                for column in 0..sheet.width {
                    let Some(tile) = view.tile_at(at, [column, row]) else {
                        continue;
                    };
                    let Some((place, twin)) = left.next_if(|(_, t)| t.tile == tile) else {
                        continue;
                    };
                    let first = twin.sheet as usize;
                    let other = view.sheet(first).filter(|_| first < at);
                    let same = other.and_then(|o| {
                        let c =
                            i64::from(sheet.least[0]) + i64::from(column) - i64::from(o.least[0]);
                        let r = i64::from(sheet.least[1]) + i64::from(row) - i64::from(o.least[1]);
                        view.tile_at(first, [u32::try_from(c).ok()?, u32::try_from(r).ok()?])
                    });
                    if same.is_none_or(|same| view.twin(same).is_some()) {
                        let expected = "an earlier sheet with that tile, where it is no twin";
                        return BLOB.fail(Section::TILE_TWINS, place, twin.sheet, expected);
                    }
                }
            }
        }
    }
    match left.next() {
        None => Ok(()),
        Some((place, twin)) => {
            let expected = "free tiles, rising";
            BLOB.fail(Section::TILE_TWINS, place, twin.tile, expected)
        }
    }
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;
#[cfg(feature = "write")]
pub use encoder::{SheetParts, TileGroundParts};

#[cfg(feature = "write")]
mod encoder;
