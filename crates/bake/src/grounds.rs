//! The ground of each class of agents as a navmesh: tiles in parallel, their seams, and one merge over all; or a designer's floor.

use navbake_geom::Grid;
use navbake_level::{Agent, GridMap, Level, Role, Triangle};
use navbake_mesh::{
    AreaMap, CellAreas, FloorSettings, JoinSettings, MergeSettings, NavMesh, Patch, PatchSettings,
    areas_of_floor, floor, floor_gaps, join, join_triangles, merge, merge_polygons, round_heights,
};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers, grid_map_lines};

use crate::config::Surface;
use crate::error::BakeError;
use crate::hash;
use crate::job::{Class, Ground};
use crate::run::Run;
use crate::tiles::{Areas, BandLayers, Place, Shapes, Take, TileJobs};

impl Run<'_> {
    /// The navmesh of each class, of all its ground.
    pub(crate) fn grounds(&mut self, classes: &[Class]) -> Result<Vec<NavMesh>, BakeError> {
        let job = self.job;
        if let Ground::Level(level) = &job.ground
            && job.config.surface == Surface::Floor
        {
            return classes.iter().map(|c| self.floor(level, c)).collect();
        }
        let mut meshes: Vec<Option<NavMesh>> = vec![None; classes.len()];
        while let Some(first) = meshes.iter().position(Option::is_none) {
            let left: Vec<usize> = (first..classes.len())
                .filter(|&c| meshes[c].is_none())
                .collect();
            let agents: Vec<&Agent> = left.iter().map(|&c| &classes[c].agent).collect();
            // Tile by tile, in parallel, from the cache where it has them, for all classes that share tiles; then their seams. Edges are open only where ground
            // goes on within a step, so that what they may be off by on both sides parts nothing.
            for (place, patches) in self.patches(&agents)? {
                let climb = job.ground.grid().length(agents[place].climb);
                let settings = JoinSettings {
                    climb: climb + climb / 2,
                };
                let joined = self.serial("join", || join(&patches, &settings))?;
                drop(patches);
                let settings = self.merge_settings();
                let merged = self.serial("merge", || {
                    let mut merged = merge_polygons(&joined, &settings);
                    round_heights(&mut merged, settings.height_error);
                    merged
                })?;
                meshes[left[place]] = Some(merged);
            }
        }
        Ok(meshes.into_iter().flatten().collect())
    }

    /// A designer's floor: its triangles as they are, joined and merged.
    fn floor(&mut self, level: &Level, class: &Class) -> Result<NavMesh, BakeError> {
        let marks = floor_marks(level, &class.agent);
        let settings = self.floor_settings(class);
        let (patch, warnings) = self.serial("floor", || floor(level, &marks, &settings))?;
        self.warnings.extend(warnings);
        self.tiles.total += 1;
        self.tiles.baked += 1;
        let seams = JoinSettings {
            climb: level.grid.length(class.agent.climb),
        };
        let joined = self.serial("join", || {
            let mut joined = join_triangles(std::slice::from_ref(&patch), &seams);
            if level.areas.len() > 1 {
                let marked = level.triangles.iter().zip(&marks).filter(|(_, m)| **m);
                let all = marked.map(|(t, _)| (level.corners(t), t.area));
                areas_of_floor(&mut joined, &AreaMap::new(all, settings.climb));
            }
            joined
        })?;
        let gaps = self.serial("floor", || floor_gaps(level, &joined, &settings))?;
        self.warnings.extend(gaps);
        let settings = self.merge_settings();
        self.serial("merge", || merge(&joined, &settings))
    }

    /// Polygons, by tile and layer, of the first of some classes and of all others that share tiles with it; with their places in the list.
    fn patches(&mut self, agents: &[&Agent]) -> Result<Vec<(usize, Vec<Patch>)>, BakeError> {
        let job = self.job;
        match &job.ground {
            Ground::Level(level) => {
                let settings = WalkableSettings {
                    cell: job.config.cell,
                    borders: job.config.borders.into(),
                };
                let (plan, places) = self
                    .serial("plan", || Plan::shared(level, agents, &settings))?
                    .map_err(|e| BakeError::input(&job.place, e.to_string()))?;
                let plan = match self.options.without_reuse {
                    true => plan.without_reuse(),
                    false => plan,
                };
                let agent = |class: usize| agents[places[class]];
                let shapes: Vec<Shapes> = (0..plan.class_count())
                    .map(|class| self.shapes(level, &plan, agent(class), class))
                    .collect();
                let name = |at: Place| {
                    let [x, z] = plan.key(at.tile);
                    format!("tile ({x}, {z}) for agent `{}`", agent(at.class).name)
                };
                let layers = |tile: usize, classes: &[usize], take: &mut Take| {
                    plan.tiles(tile, classes, |class, found| {
                        take(class, found.map(|t| t.layers).map_err(|e| e.to_string()));
                    });
                };
                let fallback = |at: Place| plan.coarse_tile(at.tile, at.class).layers;
                // The tiles for agents that are wider by what bands along walls are; no classes without bands.
                let distances = job.config.clearance.distances();
                let by: Vec<i32> = distances.iter().map(|&d| level.grid.length(d)).collect();
                let wider = self.serial("plan", || {
                    let of = |class: usize| plan.wider(class, &by);
                    (0..plan.class_count())
                        .map(of)
                        .collect::<Result<Vec<Plan>, _>>()
                })?;
                let wider = wider.map_err(|e| BakeError::input(&job.place, e.to_string()))?;
                let areas = |at: Place| {
                    let map = AreaMap::new(plan.ground(at.tile), plan.climb());
                    let wider = &wider[at.class];
                    let bands: Vec<usize> = (0..wider.class_count()).collect();
                    if bands.is_empty() {
                        return Areas::Ground(map);
                    }
                    let mut layers = vec![];
                    wider.tiles(at.tile, &bands, |band, found| {
                        let found = found.unwrap_or_else(|_| wider.coarse_tile(at.tile, band));
                        layers.push(found.layers);
                    });
                    let bands = BandLayers {
                        areas: (level.areas.len() / (layers.len() + 1)) as u8, // at most 64
                        layers,
                        climb: plan.climb(),
                        tolerance: shapes[at.class].first.tolerance,
                    };
                    Areas::Banded(map, bands)
                };
                let key = |at: Place| {
                    let (agent, shape) = (agent(at.class), &shapes[at.class].first);
                    let of = |plan, at| hash::tile(plan, at, agent, shape, level.grid.bits);
                    let wider = &wider[at.class];
                    let bands =
                        (0..wider.class_count()).map(|class| of(wider, Place { class, ..at }));
                    match wider.class_count() {
                        0 => of(&plan, at),
                        _ => hash::tiles([of(&plan, at)].into_iter().chain(bands)),
                    }
                };
                let patches = self.tiles(&TileJobs {
                    tiles: plan.tile_count(),
                    shapes: &shapes,
                    name: &name,
                    layers: &layers,
                    areas: (level.areas.len() > 1).then_some(&areas),
                    fallback: plan.is_exact().then_some(&fallback),
                    key: Some(&key),
                })?;
                self.known += plan.reuse();
                Ok(places.into_iter().zip(patches).collect())
            }
            Ground::Map(map, grid) => {
                let layers = self.serial("plan", || grid_map_layers(map, grid))?;
                let shape = PatchSettings {
                    tolerance: 0,
                    height_error: 0,
                    seam_error: 0,
                    slope_error: 0,
                    max_corners: MergeSettings::default().max_corners,
                };
                let shapes = Shapes {
                    first: shape,
                    fallback: shape,
                };
                let name = |at: Place| format!("region {} of the map", at.tile);
                let layer = |tile: usize, classes: &[usize], take: &mut Take| {
                    for &class in classes {
                        take(class, Ok(vec![layers[tile].clone()]));
                    }
                };
                let cells = cell_areas(map, grid, &job.of_map.of_cell);
                let areas = (cells.as_ref()).map(|cells| move |_: Place| Areas::Cells(cells));
                // A region is most of its map: a cache would hardly ever have it.
                let patches = self.tiles(&TileJobs {
                    tiles: layers.len(),
                    shapes: &[shapes],
                    name: &name,
                    layers: &layer,
                    areas: (areas.as_ref()).map(|areas| areas as &(dyn Fn(Place) -> _ + Sync)),
                    fallback: None,
                    key: None,
                })?;
                Ok(patches.into_iter().enumerate().collect())
            }
        }
    }

    fn floor_settings(&self, class: &Class) -> FloorSettings {
        let grid = self.job.ground.grid();
        FloorSettings {
            climb: grid.length(class.agent.climb),
            height: grid.length(class.agent.height),
        }
    }
}

/// The area of each cell, when there is any but the first.
fn cell_areas(map: &GridMap, grid: &Grid, of_cell: &[u8]) -> Option<CellAreas> {
    let [columns, rows] = grid_map_lines(map, grid);
    (!of_cell.is_empty()).then(|| CellAreas {
        columns: columns.iter().map(|&c| c as i32).collect(),
        rows: rows.iter().map(|&r| r as i32).collect(),
        areas: of_cell.to_vec(),
    })
}

/// The triangles of a designer's floor: those with the role, or, when no part has it, all that are flat enough and no obstacle.
fn floor_marks(level: &Level, agent: &Agent) -> Vec<bool> {
    let role = |t: &Triangle| level.roles[t.part as usize];
    let marked = level.triangles.iter().any(|t| role(t) == Role::Floor);
    let least = agent.least_up();
    level
        .triangles
        .iter()
        .map(|t| {
            if marked {
                role(t) == Role::Floor
            } else {
                role(t) == Role::Ground && t.up >= least
            }
        })
        .collect()
}
