//! Tables of units that turn: from the config's metres to the tiles of the level.

use navbake_format::{VehicleRules, VehicleSpeeds};
use navbake_level::CellShape;
use navbake_level::number::exact;
use navbake_vehicle::Footprint;
use navbake_vehicle::build::{Packed, Reverse, Tables, VehicleSpec, build};

use crate::config::{Config, FootprintConfig, RoadRings, VehicleConfig};
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
        speeds: speeds(vehicle, tile).map_err(|(key, message)| fault(key, message))?,
    });
    let tables = tables.map_err(|error| {
        let side = match tile {
            1.0 => String::new(),
            _ => format!(" (a tile is {} m)", exact(tile)),
        };
        fault("turn_radius", format!("{error}{side}"))
    })?;
    let rules = rules(config, vehicle, &tables).map_err(|(key, message)| fault(key, message))?;
    Ok(Packed::new(tables, &vehicle.name, tile).with_rules(rules))
}

/// The roads of a vehicle and its directions, or the key at fault and the finding.
fn rules(
    config: &Config,
    vehicle: &VehicleConfig,
    tables: &Tables,
) -> Result<VehicleRules, (&'static str, String)> {
    let free = VehicleRules { directions: vehicle.directions, ..VehicleRules::NONE };
    let Some(roads) = &vehicle.roads else {
        return Ok(free);
    };
    let names = config.area_names();
    let number = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let turn = |key: &'static str| {
        let rings = tables.rings_for_turn().and_then(|rings| u16::try_from(rings).ok());
        rings.ok_or_else(|| {
            let found = "no move of it is a turn, which `cones` and `rings` \"turn\" need: more \
                         `rings` of the vehicle do";
            (key, found.into())
        })
    };
    Ok(VehicleRules {
        areas: roads.areas.iter().map(number).fold(0, |all, area| all | 1 << (area & 63)),
        off_road_cost: roads.off_road.unwrap_or(if roads.cones { 1.0 } else { f64::INFINITY }),
        rings: match roads.rings {
            None => None,
            Some(RoadRings::Tiles(tiles)) => Some(tiles),
            Some(RoadRings::Word(_)) => Some(turn("roads.rings")?),
        },
        cones: if roads.cones { Some(turn("roads.cones")?) } else { None },
        ..free
    })
}

/// The speed classes of a vehicle on tiles of that side, or the key at fault and the finding.
fn speeds(
    vehicle: &VehicleConfig,
    tile: f64,
) -> Result<Option<VehicleSpeeds>, (&'static str, String)> {
    let classes = &vehicle.speeds;
    if classes.is_empty() {
        let given = [
            ("acceleration", vehicle.acceleration.is_some()),
            ("braking", vehicle.braking.is_some()),
            ("speed_steps", vehicle.speed_steps.is_some()),
        ];
        return match given.into_iter().find(|&(_, given)| given) {
            None => Ok(None),
            Some((key, _)) => {
                let found = format!("`{key}` belongs to `speeds`: add those, or leave it out");
                Err((key, found))
            }
        };
    }
    let most = VehicleSpeeds::MOST;
    if classes.len() > most {
        let found = format!("{} speed classes: expected 1 to {most}", classes.len());
        return Err(("speeds", found));
    }
    let Some(acceleration) = vehicle.acceleration else {
        let found = "`speeds` need an `acceleration` in m/s², such as 1.0";
        return Err(("speeds", found.into()));
    };
    let braking = vehicle.braking.unwrap_or(acceleration);
    for (key, value) in [("acceleration", acceleration), ("braking", braking)] {
        if !(1e-3..=1e6).contains(&value) {
            let found = format!("{key} of {} m/s²: expected 0.001 to 1000000", exact(value));
            return Err((key, found));
        }
    }
    let steps = vehicle.speed_steps.unwrap_or(4);
    if !(1..=64).contains(&steps) {
        return Err(("speed_steps", format!("{steps} speed steps: expected 1 to 64")));
    }
    let mut own = VehicleSpeeds {
        classes: classes.len() as u32, // at most 4
        speeds: [0.0; VehicleSpeeds::MOST],
        turn_radii: [0.0; VehicleSpeeds::MOST],
        acceleration: acceleration / tile,
        braking: braking / tile,
        steps,
    };
    let (mut slower, mut sharper) = (0.0, vehicle.turn_radius);
    for (k, class) in classes.iter().enumerate() {
        let (speed, radius) = (class.speed, class.turn_radius.unwrap_or(vehicle.turn_radius));
        if !(speed > slower && speed <= 1e6) {
            let found = format!(
                "speed class {k} has a speed of {} m/s: expected more than {}, as classes are in \
                 the order of their speeds",
                exact(speed),
                exact(slower)
            );
            return Err(("speeds", found));
        }
        if k == 0 && radius != vehicle.turn_radius {
            let found = format!(
                "the first speed class has a turn radius of {} m: it turns as sharply as the \
                 vehicle can, {} m; leave it out there",
                exact(radius),
                exact(vehicle.turn_radius)
            );
            return Err(("speeds", found));
        }
        if radius.is_nan() || radius < sharper {
            let found = format!(
                "speed class {k} has a turn radius of {} m: expected {} at least, that of the \
                 class before",
                exact(radius),
                exact(sharper)
            );
            return Err(("speeds", found));
        }
        own.speeds[k] = speed / tile;
        own.turn_radii[k] = radius / tile;
        (slower, sharper) = (speed, radius);
    }
    let (levels, most) = (own.level_count(), (VehicleSpeeds::MOST_LEVELS - 1 - most) as f64);
    if levels > most {
        let found = format!(
            "speeds up to {} m/s need {} speed levels at this acceleration and braking, and at \
             most {most} are possible: a lower speed, larger tiles, or fewer `speed_steps` do",
            exact(slower),
            levels.ceil()
        );
        return Err(("speeds", found));
    }
    Ok(Some(own))
}
