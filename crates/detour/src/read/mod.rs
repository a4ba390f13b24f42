//! An `MSET` file: every byte that anything depends on is checked before it is used.
//!
//! Detour checks magic and version alone, so a damaged file makes it read and write where it must
//! not (recastnavigation issues 829 to 839). Here counts are compared with the bytes that are there
//! before anything is allocated.

mod bytes;
mod join;
mod tile;

use std::collections::BTreeSet;

use crate::error::Refused;
use crate::layout::{FILE_HEAD, FILE_VERSION, INDEX_BITS, MSET, TILE_HEAD, TILE_MAGIC, TSET, bits};
use crate::settings::RefWidth;
use bytes::Bytes;
pub use join::{Ground, GroundPolygon, WALL};
pub use tile::{Connection, Poly, Tile};

/// The tiles of an `MSET` file.
#[derive(Clone, Debug, PartialEq)]
pub struct TileSet {
    /// The width of its references.
    pub refs: RefWidth,
    /// Where the first tile begins, y-up metres; the height means nothing.
    pub origin: [f32; 3],
    /// The sides of a tile along x and z, m.
    pub tile_size: [f32; 2],
    /// The tiles in the order of the file.
    pub tiles: Vec<Tile>,
}

/// Tiles narrower than this make queries loop for ever, m.
const NARROWEST: f32 = 0.1;

/// No file has more tiles or polygons a tile: 64-bit references have 28 bits for tiles.
const MOST: i32 = 1 << 28;

/// Reads an `MSET` file, version 1, of either width of references. Linear in its bytes.
///
/// # Errors
/// If anything in it is out of range: [`Refused`] names the tile, the field, what was found, and
/// what to do. A `TSET` file is refused: it holds compressed layers of voxels, and no polygons.
///
/// ```
/// use navbake_detour::{Settings, read, write};
///
/// # let mesh = navbake_testkit::level_mesh();
/// let file = write(&mesh, &Settings::new(&mesh, 0))?;
/// assert_eq!(read(&file.bytes)?.tiles.len(), 1);
/// assert!(read(&file.bytes[..100]).is_err()); // cut off
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<TileSet, Refused> {
    let file = Bytes { tile: None, all: bytes };
    let magic = file.u32(0, "magic")?;
    let refuse = |found: &str, cure| {
        Err(Refused { tile: None, field: "magic".into(), found: found.into(), cure })
    };
    match magic {
        MSET => {}
        TSET => {
            return refuse(
                "TSET: a tile cache, compressed layers of voxels without polygons",
                "save the navmesh itself, as MSET: of recast-navigation-js exportNavMesh(navMesh) \
                 without the tile cache",
            );
        }
        _ if magic.swap_bytes() == MSET => {
            return refuse("MSET with the bytes swapped", "export it on a little-endian machine");
        }
        TILE_MAGIC => {
            return refuse(
                "DNAV: one tile without the file around it",
                "save the navmesh as MSET, with its parameters",
            );
        }
        _ => {
            return refuse("no MSET file", "name a navmesh that Detour's tools saved as MSET");
        }
    }
    file.within(4, "version", FILE_VERSION..=FILE_VERSION)?;
    let max_tiles = file.within(32, "maxTiles", 1..=MOST)?;
    let max_polys = file.within(36, "maxPolys", 1..=MOST)?;
    let count = file.within(8, "numTiles", 0..=max_tiles)?;
    let origin = file.point(12, "orig")?;
    let tile_size = [file.f32(24, "tileWidth")?, file.f32(28, "tileHeight")?];
    for (size, field) in tile_size.into_iter().zip(["tileWidth", "tileHeight"]) {
        if size < NARROWEST {
            return Err(file.refuse(field, format!("{size} m is below {NARROWEST}")));
        }
    }
    let (refs, head) = reference_width(&file, count)?;
    let used = bits(max_tiles as u32) + bits(max_polys as u32);
    if refs == RefWidth::Bits32 && used > INDEX_BITS {
        return Err(file.refuse(
            "maxTiles and maxPolys",
            format!("they need {used} bits of a 32-bit reference, which has {INDEX_BITS}"),
        ));
    }

    let mut tiles = vec![];
    let mut seen = BTreeSet::new();
    let mut cells = BTreeSet::new();
    let mut at = FILE_HEAD;
    for number in 0..count as u32 {
        let place = Bytes { tile: Some(number), ..file };
        let (reference, size) = match refs {
            RefWidth::Bits32 => (place.u32(at, "tileRef")?.into(), place.i32(at + 4, "dataSize")?),
            RefWidth::Bits64 => (place.u64(at, "tileRef")?, place.i32(at + 8, "dataSize")?),
        };
        if reference == 0 {
            return Err(place.refuse("tileRef", "0: Detour stops reading here"));
        }
        if !seen.insert(reference) {
            return Err(place.refuse("tileRef", format!("{reference:#x} is that of another tile")));
        }
        at += head;
        let end = usize::try_from(size).ok().filter(|&size| size >= TILE_HEAD);
        let end = end.and_then(|size| at.checked_add(size)).filter(|&end| end <= bytes.len());
        let Some(end) = end else {
            return Err(place.refuse(
                "dataSize",
                format!(
                    "{size}, and {} bytes are left, of which a tile has at least {TILE_HEAD}",
                    bytes.len().saturating_sub(at)
                ),
            ));
        };
        let data = Bytes { tile: Some(number), all: &bytes[at..end] };
        let tile = tile::tile(&data, refs)?;
        if tile.ground() + tile.connections.len() > max_polys as usize {
            let found = tile.ground() + tile.connections.len();
            return Err(data.refuse("polyCount", format!("{found} is above maxPolys, {max_polys}")));
        }
        if !cells.insert((tile.x, tile.y, tile.layer)) {
            return Err(data.refuse("x, y and layer", "those of another tile"));
        }
        tiles.push(tile);
        at = end;
    }
    if at != bytes.len() {
        return Err(file.refuse("end", format!("{} bytes after the last tile", bytes.len() - at)));
    }
    Ok(TileSet { refs, origin, tile_size, tiles })
}

/// The width of references, and the bytes of a tile's header in the file.
///
/// Nothing says which it is but the place of the first tile's magic.
fn reference_width(file: &Bytes<'_>, tiles: i32) -> Result<(RefWidth, usize), Refused> {
    if tiles == 0 {
        return Ok((RefWidth::Bits32, 8));
    }
    // On 32-bit x86 the wide header has no padding.
    let widths = [(RefWidth::Bits32, 8), (RefWidth::Bits64, 16), (RefWidth::Bits64, 12)];
    let found = widths.into_iter().find(|(_, head)| {
        file.u32(FILE_HEAD + head, "magic").is_ok_and(|magic| magic == TILE_MAGIC)
    });
    found.ok_or_else(|| {
        Bytes { tile: Some(0), ..*file }
            .refuse("magic", "no tile begins at byte 48 (32-bit references) or 56 (64-bit)")
    })
}
