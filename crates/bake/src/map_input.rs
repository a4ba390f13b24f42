//! Grid maps as input: their grid, their cells' areas and factors, and what they refuse.

use std::path::PathBuf;

use navbake_geom::Grid;
use navbake_level::number::{exact, point};
use navbake_level::{CellShape, GridMap, WeightRow, default_origin};

use crate::areas::PaintedMap;
use crate::config::Config;
use crate::error::BakeError;
use crate::terrain;

/// The cells of a grid map.
#[derive(Debug)]
pub(crate) struct MapCells {
    pub(crate) map: GridMap,
    /// The area of each cell; empty where all are of the first.
    pub(crate) areas: Vec<u8>,
    /// Factors on the costs of cells' areas, a row for all agents or one for each; empty without
    /// clearance and cost fields.
    pub(crate) factors: Vec<f32>,
}

/// Factors of clearance and cost fields on the costs of cells' areas: a row for all agents, or one
/// for each where some fields name agents.
pub(crate) fn factors(map: &GridMap, painted: &PaintedMap, config: &Config) -> Vec<f32> {
    if !config.has_fields() {
        return vec![];
    }
    let differ = config.fields.iter().any(|field| field.agents.is_some());
    let agents = &config.agents[..if differ { config.agents.len() } else { 1 }];
    let rows = agents.iter().flat_map(|agent| {
        (0..map.free.len()).map(|cell| {
            if !map.free[cell] {
                return 1.0;
            }
            let area = painted.of_cell.get(cell).map_or(0, |&area| usize::from(area));
            let in_bands = config.factor(&painted.areas[area], Some(&agent.name));
            (painted.distances.factor(cell, config, &agent.name) / in_bands) as f32
        })
    });
    rows.collect()
}

/// The most that a cell may cost, times plain ground.
const MOST_OF_A_CELL: f64 = 1024.0;

/// Checks that no cell costs more than searches over cells can represent.
///
/// # Errors
/// When clearance and cost fields may make one cost more.
pub(crate) fn cells_are_not_too_dear(
    row: &WeightRow,
    agent: &str,
    config: &Config,
) -> Result<(), BakeError> {
    if !config.has_fields() {
        return Ok(());
    }
    let known = row.by_area.iter().flatten().copied().filter(|&w| w <= MOST_OF_A_CELL);
    let dearest = known.fold(0.0, f64::max) * config.greatest_factor(agent);
    if dearest <= MOST_OF_A_CELL {
        return Ok(());
    }
    let found = format!(
        "weights of agent `{agent}` times clearance and cost fields reach {}; on a grid map a cell costs {MOST_OF_A_CELL} at most: lower `peak` or the weight",
        exact(dearest)
    );
    let path = if config.fields.is_empty() { "clearance.peak" } else { "field[0].peak" };
    Err(config.fault_at(path, found).into())
}

/// A grid map with its terrain, and its grid.
pub(crate) fn map_on_grid(
    mut map: GridMap,
    config: &Config,
    smallest: f64,
    place: &str,
    files: &mut Vec<PathBuf>,
) -> Result<(GridMap, Grid), BakeError> {
    let origin = config.origin.unwrap_or_else(|| map_origin(&map));
    let grid = Grid::for_radius(smallest, origin);
    validate_map(&map, &grid, config, place)?;
    files.extend(terrain::read(&mut map, config, place)?);
    Ok((map, grid))
}

/// The centre of a map, rounded as for a level.
fn map_origin(map: &GridMap) -> [f64; 3] {
    let ([x, z], [far_x, far_z]) = (map.corner, map.end());
    default_origin([[x, 0.0, z], [far_x, 0.0, far_z]])
}

/// Can the map be baked for these agents, on this grid?
fn validate_map(map: &GridMap, grid: &Grid, config: &Config, place: &str) -> Result<(), BakeError> {
    let agents = config.agent_list();
    if let Some((i, agent)) = agents.iter().enumerate().find(|(_, a)| a.radius > 0.0) {
        let found = format!(
            "agent `{}`: radius {} m: navbake {} bakes grid maps for points only; set `radius = 0` or leave it out",
            agent.name,
            agent.radius,
            env!("CARGO_PKG_VERSION")
        );
        return Err(config.fault_at(&format!("agent[{i}].radius"), found).into());
    }
    let corners = [map.corner, map.end()].map(|[x, z]| [x, 0.0, z]);
    // The shortest side of a hexagon is more than half of its width.
    let least = if map.shape == CellShape::Square { 1.0 } else { 2.0 };
    let fine = map.cell * grid.units() >= least;
    if !fine || corners.iter().any(|&corner| grid.snap(corner).is_none()) {
        return Err(BakeError::input(
            place,
            format!(
                "the map of {} x {} cells of {} m from {} does not fit the grid of 1/{} m around {}; check `scale` and `origin`",
                map.width,
                map.height,
                exact(map.cell),
                point(corners[0]),
                grid.units(),
                point(grid.origin)
            ),
        ));
    }
    Ok(())
}
