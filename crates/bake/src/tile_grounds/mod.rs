//! Tiles of navmeshes for vehicles, in sheets that do not overlap themselves.
//!
//! - `cover`: the tiles that ground covers, and how it goes on from one to another;
//! - `sheets`: how they are parted.

mod cover;
mod sheets;

use navbake_format::SHEET_GAP;
use navbake_format::write::{SheetParts, TileGroundParts};
use navbake_hierarchy::ClassMesh;
use navbake_vehicle::build::Packed;

use crate::error::BakeError;
use crate::input::BakeInput;
use crate::recorder::Recorder;
use cover::{Cover, Node};
use sheets::{Sheet, sheets};

/// The most tiles that boxes around polygons hold together, and that a ground takes with its gaps.
const MOST_TILES: f64 = (1u32 << 26) as f64;

/// The tiles of a class's navmesh.
pub(crate) struct TileGround {
    class: usize,
    tile: f64,
    sheets: Vec<Sheet>,
}

/// Grounds, and which of them each vehicle drives on.
#[derive(Default)]
pub(crate) struct TileGrounds {
    all: Vec<TileGround>,
    pub(crate) of_vehicle: Vec<u16>,
}

impl TileGrounds {
    /// What the encoder of the format takes for each sheet.
    pub(crate) fn sheets(&self) -> Vec<Vec<SheetParts<'_>>> {
        let all = self.all.iter();
        all.map(|g| g.sheets.iter().map(part).collect()).collect()
    }

    /// And for each ground, with its sheets.
    pub(crate) fn parts<'a>(&self, sheets: &'a [Vec<SheetParts<'a>>]) -> Vec<TileGroundParts<'a>> {
        let all = self.all.iter().zip(sheets);
        all.map(|(ground, sheets)| TileGroundParts {
            class: ground.class as u16,
            tile: ground.tile,
            sheets,
        })
        .collect()
    }
}

fn part(sheet: &Sheet) -> SheetParts<'_> {
    SheetParts {
        least: sheet.least,
        width: sheet.width,
        height: sheet.height,
        tiles: &sheet.tiles,
        twins: &sheet.twins,
    }
}

/// A ground to be made: who asks for it first, and how far windows reach.
struct Wanted {
    vehicle: usize,
    class: usize,
    tile: f64,
    half: u32,
}

/// The tiles that vehicles drive on; none for a grid map, whose cells are the tiles.
pub(crate) fn tile_grounds(
    input: &BakeInput,
    meshes: &[ClassMesh],
    class_of_agent: &[usize],
    packed: &[Packed],
    rec: &mut Recorder<'_>,
) -> Result<TileGrounds, BakeError> {
    let config = &input.config;
    let mut grounds = TileGrounds::default();
    if input.map.is_some() {
        return Ok(grounds);
    }
    let mut all: Vec<Wanted> = vec![];
    for (i, (vehicle, packed)) in config.vehicles.iter().zip(packed).enumerate() {
        let class = class_of_agent[vehicle.agent_of(&config.agents)];
        let tile = vehicle.tile.unwrap_or(1.0);
        let half = packed.tables().window / 2;
        let same = |w: &Wanted| w.class == class && w.tile == tile;
        let at = all.iter().position(same).unwrap_or_else(|| {
            all.push(Wanted { vehicle: i, class, tile, half });
            all.len() - 1
        });
        all[at].half = all[at].half.max(half);
        grounds.of_vehicle.push(at as u16); // one a vehicle at most
    }
    for wanted in all {
        let mesh = &meshes[wanted.class].mesh;
        let cover = Cover::new(mesh, input.level.grid, wanted.tile);
        let fault = |message: &str| {
            let key = format!("vehicle[{}].tile", wanted.vehicle);
            let name = &config.vehicles[wanted.vehicle].name;
            let message = format!("vehicle `{name}`: {message}");
            BakeError::from(config.fault_at(&key, message))
        };
        let too_many = "too many tiles; increase `tile`";
        if cover.work() >= MOST_TILES {
            return Err(fault(too_many));
        }
        let nodes = rec.serial("tile grounds", || cover.nodes())?;
        if square(&nodes) >= MOST_TILES {
            return Err(fault(too_many));
        }
        let sheets = rec.serial("tile grounds", || sheets(&nodes, wanted.half))?;
        if taken(&sheets) >= MOST_TILES {
            return Err(fault(too_many));
        }
        if sheets.is_empty() {
            return Err(fault(
                "the ground of its agent covers no tile; decrease `tile`, or choose an `agent` of another radius",
            ));
        }
        grounds.all.push(TileGround { class: wanted.class, tile: wanted.tile, sheets });
    }
    Ok(grounds)
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
