//! What must hold of a grid map: a place on the blob's grid, free cells inside the rim and counted, terrains that exist.

use super::{fail, int};
use crate::grid_map::terrain_row;
use crate::records::GridMapRecord;
use crate::{Blob, BlobError, Found, GridMapView, Section};

/// Checks a grid map, where there is one.
pub(crate) fn grid_map(blob: &Blob<'_>) -> Result<(), BlobError> {
    let Some(map) = GridMapView::read(blob)? else {
        return Ok(());
    };
    place(blob, &map)?;
    bits(&map)?;
    terrain(&map)
}

/// The whole map lies on the grid, and a cell is no smaller than its unit.
fn place(blob: &Blob<'_>, map: &GridMapView<'_>) -> Result<(), BlobError> {
    let grid = &blob.header().grid;
    let section = Section::GRID_MAP;
    if !(map.cell.is_finite() && map.cell * grid.units() >= 1.0) {
        let expected = "a side of a cell of one grid unit at least";
        return fail(section, 0, Found::Float(map.cell), expected);
    }
    let [x, y, z] = map.corner;
    let far = [
        x + f64::from(map.width) * map.cell,
        y,
        z + f64::from(map.height) * map.cell,
    ];
    for corner in [map.corner, far] {
        if grid.snap(corner).is_none() {
            return fail(
                section,
                0,
                Found::Float(corner[0]),
                "corners of the map between -2^25 and 2^25 grid units from the origin",
            );
        }
    }
    if map.terrains == 0 || map.terrains > 256 {
        return int(section, 0, map.terrains, "1 to 256 terrains");
    }
    let reserved = blob
        .records::<GridMapRecord>(section, 0)
        .first()
        .map_or(0, |r| r.reserved.get());
    if reserved != 0 {
        return int(section, 0, reserved, "0 in the reserved bytes");
    }
    Ok(())
}

/// No bit is set outside the map, and as many inside as stated.
fn bits(map: &GridMapView<'_>) -> Result<(), BlobError> {
    let words = map.words_a_row;
    let mut free = 0u64;
    for (at, word) in map.bits.iter().enumerate() {
        let (row, first) = (at / words, (at % words) as u64 * 64);
        // The rim before the first column, and all that lies behind the last.
        let last = u64::from(map.width); // its bit in the row
        let behind = (last + 1).saturating_sub(first).min(64) as u32;
        let mut rim = u64::MAX.checked_shl(behind).unwrap_or(0);
        if first == 0 {
            rim |= 1;
        }
        if row == 0 || row > map.height as usize {
            rim = u64::MAX;
        }
        if word.get() & rim != 0 {
            return int(
                Section::GRID_BITS,
                at,
                word.get() as i64,
                "no free cells outside the map",
            );
        }
        free += u64::from(word.get().count_ones());
    }
    if free != u64::from(map.free) {
        return int(
            Section::GRID_MAP,
            0,
            map.free,
            "as many free cells as there are in grid-bits",
        );
    }
    Ok(())
}

/// Terrains exist, and the half byte behind an odd row is 0.
fn terrain(map: &GridMapView<'_>) -> Result<(), BlobError> {
    if map.terrain.is_empty() {
        return Ok(());
    }
    let few = map.terrains <= 16;
    let row = terrain_row(map.width, map.terrains);
    for (at, &byte) in map.terrain.iter().enumerate() {
        let parts = if few {
            [byte & 15, byte >> 4]
        } else {
            [byte, 0]
        };
        let half = few && map.width % 2 == 1 && at % row == row - 1;
        let exists = parts.iter().all(|&t| u16::from(t) < map.terrains);
        if !exists || (half && parts[1] != 0) {
            return int(
                Section::GRID_TERRAIN,
                at,
                byte,
                "terrains of which the section grid-map has so many, and 0 behind a row's end",
            );
        }
    }
    Ok(())
}
