//! Writing the tiles of a navmesh.

use alloc::vec;

use super::{SHEET_GAP, words_a_row};
use super::{SheetRecord, SheetWordRecord, TileGroundRecord, TileTwinRecord};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::write::{EncodeError, count};

/// The tiles of a navmesh; see [`crate::TileGroundView`].
#[derive(Clone, Copy, Debug)]
pub struct TileGroundParts<'a> {
    /// The agent class of the navmesh.
    pub class: u16,
    /// Side of a tile, m.
    pub tile: f64,
    /// Its layers.
    pub sheets: &'a [SheetParts<'a>],
}

/// A layer of tiles.
#[derive(Clone, Copy, Debug)]
pub struct SheetParts<'a> {
    /// Column and row of its first tile.
    pub least: [i32; 2],
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The height of the ground at the middle of each tile, row by row, grid units; `None`
    /// where it is not free.
    pub tiles: &'a [Option<i32>],
    /// Tiles that an earlier layer has as well, by their index in `tiles`, with the first of
    /// those layers; ascending.
    pub twins: &'a [(u32, u32)],
}

/// Readers that do not know these sections find paths for all other units.
pub(crate) fn encode(
    grounds: &[TileGroundParts<'_>],
    of_vehicle: &[u16],
    drafts: &mut Drafts<'_>,
) -> Result<(), EncodeError> {
    let (mut records, mut sheets, mut words) = (vec![], vec![], vec![]);
    let (mut heights, mut twins) = (vec![], vec![]);
    for ground in grounds {
        records.push(TileGroundRecord {
            class: ground.class,
            reserved: 0,
            first_sheet: count("sheets", sheets.len())?,
            sheets: count("sheets", ground.sheets.len())?,
            tile: ground.tile,
        });
        let mut row = 0u32;
        for sheet in ground.sheets {
            let cells = u64::from(sheet.width) * u64::from(sheet.height);
            if sheet.tiles.len() as u64 != cells {
                let (what, found) = ("tiles of a sheet", sheet.tiles.len());
                return Err(EncodeError::length(what, ground.class, found, cells));
            }
            let (base, shift) = scale(sheet);
            sheets.push(SheetRecord {
                column: sheet.least[0],
                row: sheet.least[1],
                width: sheet.width,
                height: sheet.height,
                first_row: row,
                first_word: count("words of sheets", words.len())?,
                base,
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
                            tile: count("free tiles", heights.len())?,
                            sheet: *sheet,
                        });
                    }
                    heights.push(((height - base) >> shift) as u16);
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
    let words = (words.into_iter()).map(|(free, before)| SheetWordRecord { free, before });
    let of = of_vehicle.iter().copied();
    drafts.push(Draft::optional(Section::TILE_GROUNDS, 0, records));
    drafts.push(Draft::optional(Section::GROUND_OF_VEHICLE, 0, of));
    drafts.push(Draft::optional(Section::SHEETS, 0, sheets));
    drafts.push(Draft::optional(Section::SHEET_BITS, 0, words));
    drafts.push(Draft::optional(Section::TILE_HEIGHTS, 0, heights));
    drafts.push(Draft::optional(Section::TILE_TWINS, 0, twins));
    Ok(())
}

/// The base of a layer's heights, and the least power of two for a step so that 16 bits hold
/// them.
fn scale(sheet: &SheetParts<'_>) -> (i32, u8) {
    let heights = || sheet.tiles.iter().flatten().copied();
    let (low, high) = (heights().min().unwrap_or(0), heights().max().unwrap_or(0));
    let span = i64::from(high) - i64::from(low);
    let shift = (0..16).find(|s| span >> s <= 0xFFFF).unwrap_or(16);
    (low, shift)
}
