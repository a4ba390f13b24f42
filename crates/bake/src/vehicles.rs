//! Tables of units that turn: from the config's metres to the tiles of the level.

use navbake_level::CellShape;
use navbake_level::number::exact;
use navbake_vehicle::Footprint;
use navbake_vehicle::build::{Packed, Reverse, VehicleSpec, build};

use crate::config::{Config, FootprintConfig, VehicleConfig};
use crate::error::{BakeError, ConfigError};
use crate::input::BakeInput;
use crate::recorder::Recorder;

/// The tables of all vehicles, in the order of the config.
pub(crate) fn vehicles(
    input: &BakeInput,
    rec: &mut Recorder<'_>,
) -> Result<Vec<Packed>, BakeError> {
    let config = &input.config;
    if config.vehicles.is_empty() {
        return Ok(vec![]);
    }
    let cell = input.grid_map().map(|map| map.cell);
    if input.grid_map().is_some_and(|map| map.shape != CellShape::Square) {
        let found = "vehicles drive on squares, and this map has hexagons; leave `vehicle` out";
        return Err(config.fault_at("vehicle[0].name", found).into());
    }
    let tables: Result<Vec<_>, _> = rec.parallel("tables", || {
        let each = config.vehicles.iter().enumerate();
        each.map(|(i, vehicle)| tables(config, i, vehicle, cell)).collect()
    })?;
    Ok(tables.map_err(|fault| config.in_its_file(fault))?)
}

fn tables(
    config: &Config,
    number: usize,
    vehicle: &VehicleConfig,
    cell: Option<f64>,
) -> Result<Packed, ConfigError> {
    let fault = |key: &str, message: String| {
        let message = format!("vehicle `{}`: {message}", vehicle.name);
        config.fault(&format!("vehicle[{number}].{key}"), message)
    };
    let tile = match (cell, vehicle.tile) {
        (None, Some(tile)) => tile,
        (Some(cell), None) => cell,
        (None, None) => {
            return Err(fault(
                "name",
                "this level is made of triangles: give the vehicle a `tile`, the side in m of the squares that its ground is cut into, such as half of what it is wide".into(),
            ));
        }
        (Some(cell), Some(_)) => {
            return Err(fault(
                "tile",
                format!(
                    "the tiles of a grid map are its cells, {} m here: leave out `tile`",
                    exact(cell)
                ),
            ));
        }
    };
    let footprint = match &vehicle.footprint {
        FootprintConfig::Disc(radius) => Some(Footprint::disc(radius / tile)),
        FootprintConfig::Rectangle([length, width]) => {
            let (l, w) = (length / 2.0 / tile, width / 2.0 / tile);
            Footprint::polygon(&[[l, w], [-l, w], [-l, -w], [l, -w]])
        }
        FootprintConfig::Polygon(corners) => {
            let corners: Vec<[f64; 2]> = corners.iter().map(|c| c.map(|v| v / tile)).collect();
            Footprint::polygon(&corners)
        }
    };
    let Some(footprint) = footprint else {
        return Err(fault(
            "footprint",
            "its footprint must be convex, hold [0, 0], and have 3 to 16 corners; lengths must be finite and above 0".into(),
        ));
    };
    let tables = build(&VehicleSpec {
        turn_radius: vehicle.turn_radius / tile,
        footprint,
        headings: vehicle.headings,
        rings: vehicle.rings,
        window: vehicle.window,
        words: vehicle.words,
        // Long loops are made of shorter edges; with one ring there are no others.
        detour: (vehicle.detour).or((vehicle.rings > 1).then_some(3.0)),
        reverse: vehicle
            .reverse
            .as_ref()
            .map(|r| Reverse { penalty: r.penalty, change: r.change / tile }),
    });
    let tables = tables.map_err(|error| {
        let side = match tile {
            1.0 => String::new(),
            _ => format!(" (a tile is {} m)", exact(tile)),
        };
        fault("turn_radius", format!("{error}{side}"))
    })?;
    Ok(Packed::new(tables, &vehicle.name, tile))
}
