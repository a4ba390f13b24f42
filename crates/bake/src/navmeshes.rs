//! The navmesh of each agent class, from tiles or from a designer's floor.

use navbake_geom::{Grid, Point3};
use navbake_level::{Agent, CellShape, Class, GridMap, Level, Role, Triangle};
use navbake_mesh::{
    AreaMap, CellAreas, FloorSettings, JoinSettings, MergeSettings, Patch, PatchSettings,
    PolygonMesh, areas_of_floor, floor, floor_gaps, join, join_triangles, merge, merge_in_chunks,
    round_heights,
};
use navbake_walkable::{Tile, cell_corners, grid_map_labels, grid_map_layers, grid_map_lines};

use crate::config::Surface;
use crate::error::BakeError;
use crate::given;
use crate::input::BakeInput;
use crate::level_tiles::{Task, level_patches};
use crate::map_input::MapCells;
use crate::recorder::Recorder;
use crate::tile_result::Place;
use crate::tiles::{Areas, Take, TileJobs, TileReport, bake_tiles};
use crate::tolerances::merge_settings;

/// Makes the navmesh of each class: tiles in parallel, their seams, one merge over all, but not
/// over the sides of chunks. `chunk` is the side of these, grid units; 0 for none.
pub(crate) fn navmeshes(
    input: &BakeInput,
    classes: &[Class],
    chunk: i32,
    rec: &mut Recorder<'_>,
) -> Result<(Vec<PolygonMesh>, TileReport), BakeError> {
    let mut report = TileReport::default();
    let level = &input.level;
    if let Some(polygons) = &input.given {
        report.tiles.total += classes.len() as u64;
        report.tiles.baked += classes.len() as u64;
        return Ok((given::meshes(input, polygons, classes.len(), rec)?, report));
    }
    if input.map.is_none() && input.config.surface == Surface::Floor {
        report.tiles.total += classes.len() as u64;
        report.tiles.baked += classes.len() as u64;
        let meshes: Result<_, _> =
            (classes.iter()).map(|c| designed_floor(input, &c.agent, rec)).collect();
        return Ok((meshes?, report));
    }
    let mut meshes: Vec<Option<PolygonMesh>> = vec![None; classes.len()];
    let mut all_narrow = vec![];
    while let Some(first) = meshes.iter().position(Option::is_none) {
        let left: Vec<usize> = (first..classes.len()).filter(|&c| meshes[c].is_none()).collect();
        let agents: Vec<&Agent> = left.iter().map(|&c| &classes[c].agent).collect();
        // All classes that share tiles are made together. Edges are open only where ground goes
        // on within a step, so errors on both sides do not part anything.
        let patches = match &input.map {
            None => level_patches(input, &agents, &mut Task::Bake, rec, &mut report)?,
            Some(cells) => map_patches(&level.grid, cells, rec, &mut report)?,
        };
        let narrow = std::mem::take(&mut report.narrow).into_iter();
        all_narrow.extend(narrow.map(|(class, passage)| (left[patches[class].0], passage)));
        for (place, patches) in patches {
            let climb = level.grid.length(agents[place].climb);
            let settings = JoinSettings { climb: climb + climb / 2 };
            let joined = rec.serial("join", || join(&patches, &settings))?;
            drop(patches);
            let settings = merge_settings(input);
            let merged = rec.serial("merge", || {
                let mut merged = merge_in_chunks(&joined, &settings, chunk);
                round_heights(&mut merged, settings.height_error);
                merged
            })?;
            meshes[left[place]] = Some(merged);
        }
    }
    report.narrow = all_narrow;
    Ok((meshes.into_iter().flatten().collect(), report))
}

/// A designer's floor: its triangles as they are, joined and merged.
fn designed_floor(
    input: &BakeInput,
    agent: &Agent,
    rec: &mut Recorder<'_>,
) -> Result<PolygonMesh, BakeError> {
    let level = &input.level;
    let marks = floor_marks(level, agent);
    let settings = FloorSettings {
        climb: level.grid.length(agent.climb),
        height: level.grid.length(agent.height),
    };
    let (patch, warnings) = rec.serial("floor", || floor(level, &marks, &settings))?;
    rec.warnings.extend(warnings);
    let seams = JoinSettings { climb: settings.climb };
    let joined = rec.serial("join", || {
        let mut joined = join_triangles(std::slice::from_ref(&patch), &seams);
        if level.areas.len() > 1 {
            let marked = level.triangles.iter().zip(&marks).filter(|(_, m)| **m);
            let all = marked.map(|(t, _)| (level.corners(t), t.area));
            areas_of_floor(&mut joined, &AreaMap::new(all, settings.climb));
        }
        joined
    })?;
    let gaps = rec.serial("floor", || floor_gaps(level, &joined, &settings))?;
    rec.warnings.extend(gaps);
    rec.serial("merge", || merge(&joined, &merge_settings(input)))
}

/// Polygons of a grid map by region.
fn map_patches(
    grid: &Grid,
    cells: &MapCells,
    rec: &mut Recorder<'_>,
    report: &mut TileReport,
) -> Result<Vec<(usize, Vec<Patch>)>, BakeError> {
    let map = &cells.map;
    let layers = rec.serial("plan", || grid_map_layers(map, grid))?;
    let shape = PatchSettings {
        tolerance: 0,
        height_error: 0,
        seam_error: 0,
        slope_error: 0,
        max_corners: MergeSettings::default().max_corners,
    };
    let name = |at: Place| format!("region {} of the map", at.tile);
    let layer = |tile: usize, classes: &[usize], take: &mut Take| {
        for &class in classes {
            take(class, Tile { layers: vec![layers[tile].clone()], ..Tile::default() });
        }
    };
    let squares = match map.shape {
        CellShape::Square => cell_areas(map, grid, &cells.areas),
        CellShape::Hexagon => None,
    };
    let labels = match &squares {
        None if !cells.areas.is_empty() => grid_map_labels(map),
        _ => vec![],
    };
    let areas = |at: Place| match &squares {
        Some(squares) => Areas::Cells(squares),
        None => {
            let own = (0..labels.len()).filter(|&c| labels[c] as usize == at.tile + 1);
            let triangles = own.flat_map(|c| cell_triangles(grid, cells, c));
            Areas::Ground(AreaMap::new(triangles, 0))
        }
    };
    let has_areas = !cells.areas.is_empty();
    // A region is most of its map: a cache would hardly ever have it.
    let patches = bake_tiles(
        &TileJobs {
            tiles: layers.len(),
            shapes: &[shape],
            name: &name,
            layers: &layer,
            areas: has_areas.then_some(&areas as &(dyn Fn(Place) -> _ + Sync)),
            keys: &[],
        },
        rec,
        report,
    )?;
    Ok(patches.into_iter().enumerate().collect())
}

/// A cell as a fan of triangles, with its area.
fn cell_triangles(
    grid: &Grid,
    cells: &MapCells,
    cell: usize,
) -> impl Iterator<Item = ([Point3; 3], u8)> {
    let area = cells.areas.get(cell).copied().unwrap_or(0);
    let corners = cell_corners(&cells.map, grid, cell).unwrap_or_default();
    let at = move |k: usize| Point3::new(corners[k].x, 0, corners[k].z);
    let count = cells.map.shape.sides();
    let is_there = cells.map.free.get(cell) == Some(&true);
    (1..count - 1).filter(move |_| is_there).map(move |k| ([at(0), at(k), at(k + 1)], area))
}

/// The area of each square cell, when there is any but the first.
fn cell_areas(map: &GridMap, grid: &Grid, of_cell: &[u8]) -> Option<CellAreas> {
    let [columns, rows] = grid_map_lines(map, grid);
    (!of_cell.is_empty()).then(|| CellAreas {
        columns: columns.iter().map(|&c| c as i32).collect(),
        rows: rows.iter().map(|&r| r as i32).collect(),
        areas: of_cell.to_vec(),
    })
}

/// The triangles of a designer's floor: those with the role, or, when no part has it, all that are
/// flat enough and no obstacle.
fn floor_marks(level: &Level, agent: &Agent) -> Vec<bool> {
    let role = |t: &Triangle| level.roles[t.part as usize];
    let marked = level.triangles.iter().any(|t| role(t) == Role::Floor);
    let least = agent.least_up();
    level
        .triangles
        .iter()
        .map(
            |t| {
                if marked {
                    role(t) == Role::Floor
                } else {
                    role(t) == Role::Ground && t.up >= least
                }
            },
        )
        .collect()
}
