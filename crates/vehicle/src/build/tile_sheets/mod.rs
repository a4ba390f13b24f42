//! Tiles of a navmesh in sheets that do not overlap themselves.
//!
//! - `cover`: the tiles that ground covers, and the connections between them;
//! - `sheets`: how they are divided.

mod cover;
mod sheets;

use navbake_format::SHEET_GAP;
use navbake_format::write::SheetParts;
use navbake_geom::Grid;
use navbake_mesh::PolygonMesh;
use thiserror::Error;

use cover::{Cover, Node};

/// The most tiles that boxes around polygons hold together, and that a ground takes with its gaps.
const MOST_TILES: f64 = (1u32 << 26) as f64;

/// Tiles, no two at the same place, including those shared with earlier sheets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    least: [i32; 2],
    width: u32,
    height: u32,
    /// Heights of the free tiles, row by row.
    tiles: Vec<Option<i32>>,
    /// Tiles that an earlier sheet has as well, with the first of those sheets.
    twins: Vec<(u32, u32)>,
}

impl Sheet {
    /// As the encoder takes it.
    pub fn parts(&self) -> SheetParts<'_> {
        SheetParts {
            least: self.least,
            width: self.width,
            height: self.height,
            tiles: &self.tiles,
            twins: &self.twins,
        }
    }
}

/// Why a navmesh has no sheets.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SheetError {
    /// It has more tiles than a file has room for.
    #[error("too many tiles; increase `tile`")]
    TooMany,
    /// No tile is covered.
    #[error(
        "the ground of its agent covers no tile; decrease `tile`, or choose an `agent` of another radius"
    )]
    None,
}

/// The tiles of a side in metres that ground covers.
///
/// `half` is how many tiles the windows of vehicles reach to each side.
///
/// # Errors
/// When there are too many tiles, or none.
pub fn tile_sheets(
    mesh: &PolygonMesh,
    grid: Grid,
    tile: f64,
    half: u32,
) -> Result<Vec<Sheet>, SheetError> {
    let cover = Cover::new(mesh, grid, tile);
    if cover.work() >= MOST_TILES {
        return Err(SheetError::TooMany);
    }
    let nodes = cover.nodes();
    if square(&nodes) >= MOST_TILES {
        return Err(SheetError::TooMany);
    }
    let sheets = sheets::sheets(&nodes, half);
    if taken(&sheets) >= MOST_TILES {
        return Err(SheetError::TooMany);
    }
    if sheets.is_empty() { Err(SheetError::None) } else { Ok(sheets) }
}

/// How many tiles the rectangle around all free ones has.
fn square(nodes: &[Node]) -> f64 {
    let side = |k: usize| {
        let numbers = || nodes.iter().map(|n| n.tile[k]);
        let (low, high) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        f64::from(high) - f64::from(low) + 3.0
    };
    side(0) * side(1)
}

/// How many tiles sheets take below one another, with gaps and a rim.
fn taken(sheets: &[Sheet]) -> f64 {
    let width = sheets.iter().map(|s| s.width).max().unwrap_or(0);
    let rows = sheets.iter().map(|s| f64::from(s.height + SHEET_GAP));
    (f64::from(width) + 96.0) * (rows.sum::<f64>() + 32.0)
}
