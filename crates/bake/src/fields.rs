//! Cost fields of a level: volumes around their sources, and distances of a grid map's cells.

use std::f64::consts::TAU;

use navbake_level::{GridMap, Level, MAX_FIELDS, Marker, Volume, VolumeError, Warning};

use crate::config::{Config, FieldConfig, VolumeConfig, places};
use crate::error::BakeError;

/// Corners of the polygon that approximates a circle, to within 0.3 % of its radius.
const CORNERS: u32 = 32;

/// A band around a source of a field, with all inner ones.
pub(crate) struct FieldVolume {
    pub(crate) volume: Volume,
    pub(crate) field: usize,
    pub(crate) band: u8,
}

/// The volumes of all fields on a level of triangles.
///
/// # Errors
/// When a source is out of the grid, or an area as a source has no volume.
pub(crate) fn volumes(level: &Level, config: &Config) -> Result<Vec<FieldVolume>, BakeError> {
    let mut all = vec![];
    for (number, field) in config.fields.iter().enumerate() {
        for (outlines, y, path) in sources(field, number, level, config)? {
            let y = [y[0] - field.height, y[1] + field.height];
            let ends = field.profile().distances();
            for (band, distance) in (1..=ends.len() as u8).rev().zip(&ends) {
                let around: Vec<[f64; 2]> =
                    outlines.iter().flat_map(|&corner| circle(corner, *distance)).collect();
                match Volume::around(&around, y, &level.grid) {
                    Ok(volume) => all.push(FieldVolume { volume, field: number, band }),
                    // Narrower than the grid: no ground has that band.
                    Err(VolumeError::Flat) => {}
                    Err(error) => {
                        let found = format!("{}: {error}", name_of(number, &field.name));
                        return Err(config.fault_at(&path, found).into());
                    }
                }
            }
        }
    }
    Ok(all)
}

/// A source: its corners seen from above, its least and greatest height, and its key.
type Source = (Vec<[f64; 2]>, [f64; 2], String);

/// The sources of a field on a level of triangles.
fn sources(
    field: &FieldConfig,
    number: usize,
    level: &Level,
    config: &Config,
) -> Result<Vec<Source>, BakeError> {
    let mut all: Vec<Source> = places(&field.points, &level.markers)
        .into_iter()
        .map(|[x, y, z]| (vec![[x, z]], [y; 2], format!("field[{number}].points")))
        .collect();
    for (k, area) in field.areas.iter().enumerate() {
        let path = format!("field[{number}].areas[{k}]");
        let own = config.volumes.iter().filter(|v| v.area.as_ref() == Some(area));
        let outlines: Vec<Source> =
            own.filter_map(outline).map(|(corners, y)| (corners, y, path.clone())).collect();
        if outlines.is_empty() {
            let found = format!(
                "`{path}` is `{area}`, which no `[[volume]]` gives; on levels of triangles fields are around points and volumes: draw one with `area = \"{area}\"`"
            );
            return Err(config.fault_at(&path, found).into());
        }
        all.extend(outlines);
    }
    Ok(all)
}

/// The corners of a volume and its heights.
fn outline(volume: &VolumeConfig) -> Option<(Vec<[f64; 2]>, [f64; 2])> {
    if let Some([a, b]) = volume.corners {
        let corners = [[a[0], a[2]], [a[0], b[2]], [b[0], b[2]], [b[0], a[2]]];
        return Some((corners.to_vec(), [a[1].min(b[1]), a[1].max(b[1])]));
    }
    Some((volume.polygon.clone()?, volume.y?))
}

/// Corners of a polygon around a point. Each side is half inside of the circle, half outside.
fn circle([x, z]: [f64; 2], radius: f64) -> impl Iterator<Item = [f64; 2]> {
    let step = TAU / f64::from(CORNERS);
    let radius = radius * 2.0 / (1.0 + libm::cos(step / 2.0));
    (0..CORNERS).map(move |k| {
        // Software: the same on every machine.
        let (sin, cos) = libm::sincos(step * f64::from(k));
        [x + radius * cos, z + radius * sin]
    })
}

/// Distances of a grid map's cells from walls and sources, m; infinite beyond the ranges.
#[derive(Debug, Default)]
pub(crate) struct Distances {
    /// From a blocked cell, or from the end of the map; empty without clearance.
    walls: Vec<f64>,
    /// From the nearest source, by field and cell.
    fields: Vec<Vec<f64>>,
}

impl Distances {
    /// The distances of all cells; `is_of` says whether a free cell is of an area.
    pub(crate) fn of_map(
        map: &GridMap,
        markers: &[Marker],
        is_of: impl Fn(usize, &str) -> bool,
        config: &Config,
    ) -> Distances {
        let mut walls = vec![];
        if config.clearance.profile().is_on() {
            walls = vec![f64::INFINITY; map.free.len()];
            let range = config.clearance.range;
            let is_wall = |column, row| !map.is_free(column, row);
            from_cells(map, is_wall, range, &mut walls);
        }
        let fields = config.fields.iter().map(|field| {
            let mut own = vec![f64::INFINITY; map.free.len()];
            for [x, _, z] in places(&field.points, markers) {
                for (cell, own) in own.iter_mut().enumerate() {
                    let [mx, mz] = map.middle(cell);
                    *own = own.min(length(mx - x, mz - z));
                }
            }
            for area in &field.areas {
                let is_source = |column: i64, row: i64| {
                    map.is_free(column, row)
                        && is_of(row as usize * map.width as usize + column as usize, area)
                };
                from_cells(map, is_source, field.range, &mut own);
            }
            own
        });
        Distances { walls, fields: fields.collect() }
    }

    /// Those of a cell: from a wall, and from the nearest source of each field.
    fn at(&self, cell: usize) -> (f64, Vec<f64>) {
        let wall = self.walls.get(cell).copied().unwrap_or(f64::INFINITY);
        (wall, self.fields.iter().map(|own| own[cell]).collect())
    }

    /// The bands that a cell is in: along walls, and of each field.
    pub(crate) fn bands(&self, cell: usize, config: &Config) -> (u8, [u8; MAX_FIELDS]) {
        let (wall, own) = self.at(cell);
        let mut fields = [0; MAX_FIELDS];
        for ((band, field), distance) in fields.iter_mut().zip(&config.fields).zip(own) {
            *band = field.profile().band(distance);
        }
        (config.clearance.profile().band(wall), fields)
    }

    /// The factor on an agent's weight in a cell.
    pub(crate) fn factor(&self, cell: usize, config: &Config, agent: &str) -> f64 {
        let (wall, own) = self.at(cell);
        config.factor_at(wall, &own, agent)
    }
}

/// Lowers the distances of cells to those from the nearest of some cells, up to a range in m.
///
/// Takes time by the number of such cells that have others beside them, times the cells in range.
fn from_cells(
    map: &GridMap,
    is_source: impl Fn(i64, i64) -> bool,
    range: f64,
    distances: &mut [f64],
) {
    let (width, height) = (i64::from(map.width), i64::from(map.height));
    // Rows of hexagons are 0.87 cells apart.
    let reach = (range / map.cell * 1.2).min(width.max(height) as f64) as i64 + 2;
    for row in -1..=height {
        for column in -1..=width {
            if !is_source(column, row) {
                continue;
            }
            let own = [column, row];
            if (0..width).contains(&column) && (0..height).contains(&row) {
                distances[(row * width + column) as usize] = 0.0;
            }
            let mut beside = (0..map.shape.sides()).map(|k| map.shape.neighbour(own, k));
            if beside.all(|[c, r]| is_source(c, r)) {
                continue;
            }
            for r in (row - reach).max(0)..(row + reach + 1).min(height) {
                for c in (column - reach).max(0)..(column + reach + 1).min(width) {
                    let apart = map.shape.square_apart(map.shape.middle([c, r]), own);
                    let nearest = &mut distances[(r * width + c) as usize];
                    *nearest = nearest.min(apart.sqrt() * map.cell);
                }
            }
        }
    }
}

fn length(x: f64, z: f64) -> f64 {
    (x * x + z * z).sqrt()
}

fn name_of(number: usize, name: &str) -> String {
    match name {
        "" => format!("`[[field]]` {}", number + 1),
        _ => format!("`[[field]]` {} (`{name}`)", number + 1),
    }
}

/// Warns of fields that reach no ground.
pub(crate) fn warn_of_idle(
    reaches: impl Fn(usize) -> bool,
    config: &Config,
    warnings: &mut Vec<Warning>,
) {
    for (i, field) in config.fields.iter().enumerate().filter(|(i, _)| !reaches(*i)) {
        warnings.push(Warning {
            code: "field-reaches-no-ground",
            message: format!("{} reaches no ground; it has no effect", name_of(i, &field.name)),
            place: format!("[[field]] {}", i + 1).into(),
        });
    }
}
