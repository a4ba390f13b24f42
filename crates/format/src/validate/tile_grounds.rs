//! What must hold of tiles of navmeshes: sheets one below the other that do not leave what searches can number, bits within them and counted, twins that
//! are the same place of another sheet.

use zerocopy::little_endian::U16;

use super::{fail, int};
use crate::records::{
    SheetRecord, SheetWordRecord, TileGroundRecord, TileTwinRecord, VehicleRecord,
};
use crate::tile_grounds::{SHEET_GAP, words_a_row};
use crate::{Blob, BlobError, Found, Section, TileGroundView};

/// Tiles of a ground with a rim are fewer.
const MOST_TILES: u64 = 1 << 26;
/// Columns and rows are told within this.
const FARTHEST: i32 = 1 << 25;

/// Checks all of them.
pub(crate) fn tile_grounds(blob: &Blob<'_>) -> Result<(), BlobError> {
    let grounds = blob.records::<TileGroundRecord>(Section::TILE_GROUNDS, 0);
    let (mut sheets, mut words, mut tiles) = (0, 0, 0);
    for (number, record) in grounds.iter().enumerate() {
        ground(blob, number, record, sheets)?;
        for at in sheets..sheets + record.sheets.get() as usize {
            sheet(blob, at, &mut words, &mut tiles)?;
        }
        sheets += record.sheets.get() as usize;
    }
    let counts = [
        (
            Section::SHEETS,
            sheets,
            blob.records::<SheetRecord>(Section::SHEETS, 0).len(),
        ),
        (
            Section::SHEET_BITS,
            words,
            blob.records::<SheetWordRecord>(Section::SHEET_BITS, 0)
                .len(),
        ),
        (
            Section::TILE_HEIGHTS,
            tiles,
            blob.records::<U16>(Section::TILE_HEIGHTS, 0).len(),
        ),
    ];
    for (section, end, count) in counts {
        if count != end {
            let expected = "as many elements as the grounds have together";
            return int(section, end, count as i64, expected);
        }
    }
    of_vehicles(blob, grounds.len())?;
    twins(blob, grounds)
}

/// A ground's own record, and how its sheets lie below one another.
fn ground(
    blob: &Blob<'_>,
    number: usize,
    record: &TileGroundRecord,
    first: usize,
) -> Result<(), BlobError> {
    let section = Section::TILE_GROUNDS;
    if record.class.get() >= blob.class_count() || record.reserved.get() != 0 {
        return int(
            section,
            number,
            record.class.get(),
            "a class that exists, and 0 behind it",
        );
    }
    if !(1e-6..=1e9).contains(&record.tile.get()) {
        let found = Found::Float(record.tile.get());
        return fail(section, number, found, "a side of a tile above 0");
    }
    let Some(view) = TileGroundView::read(blob, number) else {
        return int(
            section,
            number,
            record.sheets.get(),
            "sheets that there are",
        );
    };
    if record.first_sheet.get() as usize != first || view.sheets.is_empty() {
        let expected = "sheets in the order of grounds, one at least";
        return int(section, number, record.first_sheet.get(), expected);
    }
    let (mut row, mut width) = (0u64, 0u64);
    for (i, s) in view.sheets.iter().enumerate() {
        let wrong = |found: i64, expected| int(Section::SHEETS, first + i, found, expected);
        let [w, h] = [s.width.get(), s.height.get()].map(u64::from);
        if w == 0 || h == 0 || w > 1 << 24 || h > 1 << 24 {
            return wrong(w as i64, "a width and a height of 1 to 2^24");
        }
        if u64::from(s.first_row.get()) != row {
            return wrong(
                s.first_row.get().into(),
                "its first row 32 behind the last of the sheet before",
            );
        }
        let near = |v: i32| (-FARTHEST..=FARTHEST).contains(&v);
        if !near(s.column.get()) || !near(s.row.get()) || !near(s.base.get()) {
            return wrong(
                s.column.get().into(),
                "a column, a row and a base within 2^25 of 0",
            );
        }
        if s.shift > 10 || s.reserved != [0; 3] {
            return wrong(s.shift.into(), "a shift of at most 10, and 0 behind it");
        }
        row += h + u64::from(SHEET_GAP);
        width = width.max(w);
        if (width + 96) * (row + 32) >= MOST_TILES {
            return wrong(
                row as i64,
                "fewer than 2^26 tiles with the rim around all sheets",
            );
        }
    }
    Ok(())
}

/// No bit behind a row's end, and free tiles counted.
fn sheet(
    blob: &Blob<'_>,
    number: usize,
    next_word: &mut usize,
    next_tile: &mut usize,
) -> Result<(), BlobError> {
    let Some(s) = blob.records::<SheetRecord>(Section::SHEETS, 0).get(number) else {
        return Ok(());
    };
    let a_row = words_a_row(s.width.get());
    let count = a_row * s.height.get() as usize;
    let all = blob.records::<SheetWordRecord>(Section::SHEET_BITS, 0);
    let own = (next_word.checked_add(count)).and_then(|end| all.get(*next_word..end));
    let Some(own) = own.filter(|_| s.first_word.get() as usize == *next_word) else {
        let expected = "words of sheet-bits in the order of sheets";
        return int(Section::SHEETS, number, s.first_word.get(), expected);
    };
    let used = s.width.get() % 64;
    for (i, word) in own.iter().enumerate() {
        let wrong =
            |found: i64, expected| int(Section::SHEET_BITS, *next_word + i, found, expected);
        let free = word.free.get();
        if used != 0 && i % a_row == a_row - 1 && free >> used != 0 {
            return wrong(free as i64, "no free tiles behind a row's end");
        }
        if word.before.get() as usize != *next_tile {
            return wrong(word.before.get().into(), "the number of free tiles before");
        }
        *next_tile += free.count_ones() as usize;
    }
    *next_word += count;
    Ok(())
}

/// Each vehicle has a ground, of tiles of the side that its tables are for, or none has.
fn of_vehicles(blob: &Blob<'_>, grounds: usize) -> Result<(), BlobError> {
    let section = Section::GROUND_OF_VEHICLE;
    let of = blob.records::<U16>(section, 0);
    let vehicles = blob.records::<VehicleRecord>(Section::VEHICLES, 0);
    let expected = if grounds > 0 { vehicles.len() } else { 0 };
    if of.len() != expected {
        return int(
            section,
            0,
            of.len() as i64,
            "one element for each vehicle where there are tile-grounds",
        );
    }
    for (i, (number, vehicle)) in of.iter().zip(vehicles).enumerate() {
        let ground = TileGroundView::read(blob, number.get().into());
        if ground.is_none_or(|g| g.tile() != vehicle.tile.get()) {
            return int(
                section,
                i,
                number.get(),
                "a ground of tiles of the vehicle's own side",
            );
        }
    }
    Ok(())
}

/// Twins rise, and each is free at the same place of an earlier sheet of its ground, which is no twin itself.
fn twins(blob: &Blob<'_>, grounds: &[TileGroundRecord]) -> Result<(), BlobError> {
    let all = blob.records::<TileTwinRecord>(Section::TILE_TWINS, 0);
    let mut left = all.iter().enumerate().peekable();
    for number in 0..grounds.len() {
        let Some(view) = TileGroundView::read(blob, number) else {
            continue;
        };
        for (at, sheet) in (0..view.sheet_count()).filter_map(|k| Some((k, view.sheet(k)?))) {
            for row in 0..sheet.height {
                for column in 0..sheet.width {
                    let Some(tile) = view.tile_at(at, [column, row]) else {
                        continue;
                    };
                    let Some((place, twin)) = left.next_if(|(_, t)| t.tile.get() == tile) else {
                        continue;
                    };
                    let first = twin.sheet.get() as usize;
                    let other = view.sheet(first).filter(|_| first < at);
                    let same = other.and_then(|o| {
                        let c =
                            i64::from(sheet.least[0]) + i64::from(column) - i64::from(o.least[0]);
                        let r = i64::from(sheet.least[1]) + i64::from(row) - i64::from(o.least[1]);
                        view.tile_at(first, [u32::try_from(c).ok()?, u32::try_from(r).ok()?])
                    });
                    if same.is_none_or(|same| view.twin(same).is_some()) {
                        let expected = "an earlier sheet with that tile, where it is no twin";
                        return int(Section::TILE_TWINS, place, twin.sheet.get(), expected);
                    }
                }
            }
        }
    }
    match left.next() {
        None => Ok(()),
        Some((place, twin)) => {
            let expected = "free tiles, rising";
            int(Section::TILE_TWINS, place, twin.tile.get(), expected)
        }
    }
}
