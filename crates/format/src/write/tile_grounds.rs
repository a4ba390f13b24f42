//! Tiles of navmeshes to their sections.

use alloc::vec;
use alloc::vec::Vec;

use zerocopy::little_endian::{F64, I32, U16, U32, U64};

use super::{Draft, EncodeError};
use crate::Section;
use crate::records::{SheetRecord, SheetWordRecord, TileGroundRecord, TileTwinRecord};
use crate::tile_grounds::{SHEET_GAP, words_a_row};

/// The tiles of a navmesh; see [`crate::TileGroundView`].
#[derive(Clone, Copy, Debug)]
pub struct TileGroundParts<'a> {
    /// The agent class whose navmesh it is.
    pub class: u16,
    /// Side of a tile, m.
    pub tile: f64,
    /// Its sheets.
    pub sheets: &'a [SheetParts<'a>],
}

/// A sheet of tiles.
#[derive(Clone, Copy, Debug)]
pub struct SheetParts<'a> {
    /// Column and row of its first tile.
    pub least: [i32; 2],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The height of the ground at the middle of each tile, row by row, grid units; `None` where it is not free.
    pub tiles: &'a [Option<i32>],
    /// Tiles that lie on an earlier sheet as well, by their place in `tiles`, with the first such sheet; rising.
    pub twins: &'a [(u32, u32)],
}

/// Adds the sections of all grounds. Readers that do not know them find paths for everybody else.
pub(super) fn encode(
    grounds: &[TileGroundParts<'_>],
    of_vehicle: &[u16],
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let (mut records, mut sheets, mut words) = (vec![], vec![], vec![]);
    let (mut heights, mut twins) = (vec![], vec![]);
    for ground in grounds {
        records.push(TileGroundRecord {
            class: U16::new(ground.class),
            reserved: U16::new(0),
            first_sheet: U32::new(count("sheets", sheets.len())?),
            sheets: U32::new(count("sheets", ground.sheets.len())?),
            tile: F64::new(ground.tile),
        });
        let mut row = 0u32;
        for sheet in ground.sheets {
            let cells = u64::from(sheet.width) * u64::from(sheet.height);
            if sheet.tiles.len() as u64 != cells {
                return Err(EncodeError::Length {
                    what: "tiles of a sheet",
                    class: ground.class,
                    found: sheet.tiles.len() as u64,
                    expected: cells,
                });
            }
            let (base, shift) = scale(sheet);
            sheets.push(SheetRecord {
                column: I32::new(sheet.least[0]),
                row: I32::new(sheet.least[1]),
                width: U32::new(sheet.width),
                height: U32::new(sheet.height),
                first_row: U32::new(row),
                first_word: U32::new(count("words of sheets", words.len())?),
                base: I32::new(base),
                shift,
                reserved: [0; 3],
            });
            row = row.saturating_add(sheet.height).saturating_add(SHEET_GAP);
            let mut next_twin = sheet.twins.iter().peekable();
            for (r, cells) in sheet.tiles.chunks(sheet.width.max(1) as usize).enumerate() {
                let first = words.len();
                for _ in 0..words_a_row(sheet.width) {
                    words.push((0u64, 0u32));
                }
                for (c, cell) in cells.iter().enumerate() {
                    if c % 64 == 0 {
                        words[first + c / 64].1 = count("free tiles", heights.len())?;
                    }
                    let Some(height) = cell else { continue };
                    words[first + c / 64].0 |= 1 << (c % 64);
                    let at = (r * cells.len() + c) as u32; // below 2^26, or the reader refuses it
                    if let Some((_, sheet)) = next_twin.next_if(|t| t.0 == at) {
                        twins.push(TileTwinRecord {
                            tile: U32::new(count("free tiles", heights.len())?),
                            sheet: U32::new(*sheet),
                        });
                    }
                    heights.push(U16::new(((height - base) >> shift) as u16));
                }
            }
            if let Some((at, _)) = next_twin.next() {
                return Err(EncodeError::Index {
                    what: "twins of a sheet",
                    class: ground.class,
                    at: 0,
                    found: *at,
                    limit: cells,
                });
            }
        }
    }
    let words: Vec<SheetWordRecord> = words
        .into_iter()
        .map(|(free, before)| SheetWordRecord {
            free: U64::new(free),
            before: U32::new(before),
        })
        .collect();
    let of: Vec<U16> = of_vehicle.iter().map(|&g| U16::new(g)).collect();
    let mut add = |draft: Draft| {
        drafts.push(Draft {
            required: false,
            ..draft
        });
    };
    add(Draft::of(Section::TILE_GROUNDS, 0, &records));
    add(Draft::of(Section::GROUND_OF_VEHICLE, 0, &of));
    add(Draft::of(Section::SHEETS, 0, &sheets));
    add(Draft::of(Section::SHEET_BITS, 0, &words));
    add(Draft::of(Section::TILE_HEIGHTS, 0, &heights));
    add(Draft::of(Section::TILE_TWINS, 0, &twins));
    Ok(())
}

fn count(what: &'static str, found: usize) -> Result<u32, EncodeError> {
    u32::try_from(found).map_err(|_| EncodeError::Length {
        what,
        class: 0,
        found: found as u64,
        expected: u32::MAX.into(),
    })
}

/// What heights of a sheet are counted from, and the least power of two for a step so that 16 bits hold them.
fn scale(sheet: &SheetParts<'_>) -> (i32, u8) {
    let heights = || sheet.tiles.iter().flatten().copied();
    let (low, high) = (heights().min().unwrap_or(0), heights().max().unwrap_or(0));
    let span = i64::from(high) - i64::from(low);
    let shift = (0..16).find(|s| span >> s <= 0xFFFF).unwrap_or(16);
    (low, shift)
}
