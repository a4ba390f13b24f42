//! The navmesh of each agent class, from tiles or from a designer's floor.

use navbake_geom::{Grid, Point3};
use navbake_level::{Agent, CellShape, Class, GridMap, Level, Role, Triangle};
use navbake_mesh::{
    AreaMap, CellAreas, FloorSettings, JoinSettings, MergeSettings, Patch, PatchSettings,
    PolygonMesh, areas_of_floor, floor, floor_gaps, join, join_triangles, merge, merge_polygons,
    round_heights,
};
use navbake_walkable::{
    Plan, Tile, WalkableSettings, cell_corners, grid_map_labels, grid_map_layers, grid_map_lines,
};

use crate::config::Surface;
use crate::error::BakeError;
use crate::given;
use crate::hash;
use crate::input::{BakeInput, MapCells};
use crate::recorder::Recorder;
use crate::tile_result::Place;
use crate::tiles::{Areas, BandLayers, Take, TileJobs, TileReport, bake_tiles};
use crate::tolerances::{merge_settings, shape};

/// Makes the navmesh of each class: tiles in parallel, their seams, one merge over all.
pub(crate) fn navmeshes(
    input: &BakeInput,
    classes: &[Class],
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
            None => level_patches(input, &agents, rec, &mut report)?,
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
                let mut merged = merge_polygons(&joined, &settings);
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

/// Polygons by tile and layer, of the first class and of all others that share tiles with it.
///
/// Each comes with its place in `agents`.
fn level_patches(
    input: &BakeInput,
    agents: &[&Agent],
    rec: &mut Recorder<'_>,
    report: &mut TileReport,
) -> Result<Vec<(usize, Vec<Patch>)>, BakeError> {
    let level = &input.level;
    let settings = WalkableSettings { cell: input.config.cell };
    let (plan, places) = rec
        .serial("plan", || Plan::shared(level, agents, &settings))?
        .map_err(|e| BakeError::input(&input.place, e.to_string()))?;
    let agent = |class: usize| agents[places[class]];
    let class_shapes: Vec<PatchSettings> = (0..plan.class_count())
        .map(|class| shape(&input.config, level, &plan, class, agent(class)))
        .collect();
    let name = |at: Place| {
        let [x, z] = plan.key(at.tile);
        format!("tile ({x}, {z}) for agent `{}`", agent(at.class).name)
    };
    let layers = |tile: usize, classes: &[usize], take: &mut Take| {
        plan.tiles(tile, classes, take);
    };
    // The tiles for agents that are wider by what bands along walls are; no classes without bands.
    let distances = input.config.clearance.profile().distances();
    let by: Vec<i32> = distances.iter().map(|&d| level.grid.length(d)).collect();
    let wider = rec.serial("plan", || {
        let of = |class: usize| plan.wider(class, &by);
        (0..plan.class_count()).map(of).collect::<Result<Vec<Plan>, _>>()
    })?;
    let wider = wider.map_err(|e| BakeError::input(&input.place, e.to_string()))?;
    let areas = |at: Place| {
        let map = AreaMap::new(plan.ground(at.tile), plan.climb());
        let wider = &wider[at.class];
        let bands: Vec<usize> = (0..wider.class_count()).collect();
        if bands.is_empty() {
            return Areas::Ground(map);
        }
        let mut layers = vec![];
        wider.tiles(at.tile, &bands, |_, found| {
            layers.push(found.layers);
        });
        let bands = BandLayers {
            areas: (level.areas.len() / (layers.len() + 1)) as u8, // at most 64
            layers,
            climb: plan.climb(),
            tolerance: class_shapes[at.class].tolerance,
        };
        Areas::Banded(map, bands)
    };
    let key = |at: Place| {
        let (agent, shape) = (agent(at.class), &class_shapes[at.class]);
        let of = |plan, at| hash::tile(plan, at, agent, shape, level.grid.bits);
        let wider = &wider[at.class];
        let bands = (0..wider.class_count()).map(|class| of(wider, Place { class, ..at }));
        match wider.class_count() {
            0 => of(&plan, at),
            _ => hash::tiles([of(&plan, at)].into_iter().chain(bands)),
        }
    };
    let patches = bake_tiles(
        &TileJobs {
            tiles: plan.tile_count(),
            shapes: &class_shapes,
            name: &name,
            layers: &layers,
            areas: (level.areas.len() > 1).then_some(&areas),
            key: Some(&key),
        },
        rec,
        report,
    )?;
    Ok(places.into_iter().zip(patches).collect())
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
            key: None,
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
