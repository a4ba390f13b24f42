//! Tiles of navmeshes for vehicles: which grounds there are, and which vehicle drives on which.

use navbake_format::write::{SheetParts, TileGroundParts};
use navbake_hierarchy::ClassMesh;
use navbake_vehicle::build::{Packed, Sheet, tile_sheets};

use crate::error::BakeError;
use crate::input::BakeInput;
use crate::recorder::Recorder;

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
        all.map(|g| g.sheets.iter().map(Sheet::parts).collect()).collect()
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

/// A ground to be made: the first vehicle that needs it, and the reach of search windows.
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
        let find = || tile_sheets(mesh, input.level.grid, wanted.tile, wanted.half);
        let sheets = rec.serial("tile grounds", find)?.map_err(|fault| {
            let key = format!("vehicle[{}].tile", wanted.vehicle);
            let name = &config.vehicles[wanted.vehicle].name;
            config.fault_at(&key, format!("vehicle `{name}`: {fault}"))
        })?;
        grounds.all.push(TileGround { class: wanted.class, tile: wanted.tile, sheets });
    }
    Ok(grounds)
}
