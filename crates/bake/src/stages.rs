//! The stages as the driver calls them: settings from the config, names for faults, work for threads.

use navbake_format::UpAxis;
use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, EncodeError, GridMapParts, MarkerParts, MeshParts,
    ReliefParts, RoomsParts, SwitchParts, VehicleParts, WeightParts, encode,
};
use navbake_geom::Grid;
use navbake_hierarchy::{islands, keep};
use navbake_level::{Agent, Area, GridMap, Level, Role, Switch, Triangle, Warning};
use navbake_mesh::{
    AreaMap, CellAreas, FloorSettings, MergeSettings, NavMesh, Patch, PatchSettings, Relief,
    StitchSettings, areas_of_floor, floor, floor_gaps, join, merge, merge_polygons, round_heights,
    stitch,
};
use navbake_turning::Packed;
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers, grid_map_lines};

use crate::config::{Surface, Up};
use crate::error::{BakeError, ConfigError};
use crate::hash;
use crate::job::{Class, Ground};
use crate::regions;
use crate::run::{ClassMesh, Run};
use crate::tiles::{Areas, BandLayers, Place, Shapes, Take, TileJobs};

impl<'a> Run<'a> {
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
                let settings = StitchSettings {
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
        let (pieces, warnings) = self.serial("floor", || floor(level, &marks, &settings))?;
        self.warnings.extend(warnings);
        self.tiles.total += 1;
        self.tiles.baked += 1;
        let seams = StitchSettings {
            climb: level.grid.length(class.agent.climb),
        };
        let joined = self.serial("join", || {
            let mut joined = stitch(&pieces, &seams);
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

    /// How polygons of a class are made of its ground.
    fn shapes(&self, level: &Level, plan: &Plan, agent: &Agent, class: usize) -> Shapes {
        let slope_error = self.slope_error(agent, &level.grid);
        let coarse = PatchSettings {
            tolerance: plan.cell(class),
            // What lies between the places that are looked at, and the steps that points are told in, take the rest.
            height_error: self.height_error() * 17 / 20,
            // Both sides may be off by it; edges are joined up to more than their sum.
            seam_error: match slope_error {
                0 => level.grid.length(agent.climb) / 2,
                error => error.min(level.grid.length(agent.climb) / 2),
            },
            slope_error,
            max_corners: MergeSettings::default().max_corners,
        };
        let exact = PatchSettings {
            tolerance: level.grid.length(self.job.config.border_error.min(1000.0)),
            ..coarse
        };
        Shapes {
            first: if plan.is_exact() { exact } else { coarse },
            fallback: coarse,
        }
    }

    /// Leaves out islands that are too small or that no seed reaches.
    pub(crate) fn keep_islands(
        &mut self,
        mesh: NavMesh,
        number: u16,
        class: &Class,
    ) -> Result<ClassMesh, BakeError> {
        let job = self.job;
        let (kept, warnings, remarks, emptied) = self.serial("islands", || {
            let islands = islands(&mesh);
            let choice = regions::choose(job, number, class, &mesh, &islands);
            let kept = if choice.keep.iter().all(|&k| k) {
                ClassMesh {
                    mesh,
                    islands,
                    rooms: None,
                }
            } else {
                let of = islands.of.iter();
                let marks: Vec<bool> = of.map(|&i| choice.keep[i as usize]).collect();
                let mesh = keep(&mesh, &marks);
                ClassMesh {
                    islands: navbake_hierarchy::islands(&mesh),
                    mesh,
                    rooms: None,
                }
            };
            (kept, choice.warnings, choice.remarks, choice.emptied)
        })?;
        self.warnings.extend(warnings);
        self.remarks.extend(remarks);
        self.emptied.push(emptied);
        Ok(kept)
    }

    /// The bytes of the file, read back and validated.
    pub(crate) fn encode(
        &mut self,
        navmeshes: &[ClassMesh],
        class_of_agent: &[usize],
    ) -> Result<Vec<u8>, BakeError> {
        let job = self.job;
        let grid = job.ground.grid();
        let agents = job.config.agent_list();
        let agents: Vec<AgentParts> = agents
            .iter()
            .zip(class_of_agent)
            .map(|(agent, &class)| AgentParts {
                name: &agent.name,
                class: class as u16,
                radius: agent.radius,
                height: agent.height,
                climb: agent.climb,
                slope: agent.slope,
            })
            .collect();
        let markers: Vec<MarkerParts> = job
            .ground
            .markers()
            .iter()
            .map(|m| MarkerParts {
                name: &m.name,
                position: m.position,
            })
            .collect();
        let vertices: Vec<Vec<[i32; 3]>> = navmeshes
            .iter()
            .map(|m| m.mesh.vertices.iter().map(|p| [p.x, p.y, p.z]).collect())
            .collect();
        let reliefs: Vec<Vec<ReliefParts>> = navmeshes
            .iter()
            .map(|m| m.mesh.reliefs.iter().map(relief_parts).collect())
            .collect();
        let units = grid.units();
        let rooms: Vec<Option<_>> = navmeshes
            .iter()
            .map(|m| {
                let rooms = m.rooms.as_ref()?;
                Some((
                    rooms.parts(&m.mesh, units),
                    rooms.doors(units),
                    rooms.door_likes(),
                ))
            })
            .collect();
        let doors: Vec<Vec<_>> = navmeshes
            .iter()
            .map(|m| m.rooms.as_ref().map_or(vec![], |r| r.portals(units)))
            .collect();
        let meshes: Vec<MeshParts> = navmeshes
            .iter()
            .zip(vertices.iter().zip(&reliefs).zip(rooms.iter().zip(&doors)))
            .map(|(m, ((vertices, reliefs), (rooms, doors)))| MeshParts {
                doors,
                rooms: m.rooms.as_ref().zip(rooms.as_ref()).map(
                    |(own, (rooms, doors, door_likes))| RoomsParts {
                        like: own.is_like.then_some([&own.found.like, door_likes]),
                        of: &own.found.of,
                        rooms,
                        doors,
                        plan: None,
                        wider: &own.found.wider,
                    },
                ),
                vertices,
                first_edge: &m.mesh.first_edge,
                corners: &m.mesh.corners,
                neighbours: &m.mesh.neighbours,
                islands: &m.islands.of,
                relief_of: &m.mesh.relief_of,
                reliefs,
                areas: &m.mesh.areas,
                ..MeshParts::default()
            })
            .collect();
        let area = |a: &'a Area| AreaParts {
            name: &a.name,
            switch: a.switch,
            tags: a.tags,
            edge_tags: a.edge_tags,
            factor: job.config.clearance.factor(a.band) as f32,
        };
        let rows = &job.weights().rows;
        // A level of one area says nothing about it.
        let areas: Vec<AreaParts> = match job.areas() {
            [_] if rows.is_empty() => vec![],
            areas => areas.iter().map(area).collect(),
        };
        let switch = |s: &'a Switch| SwitchParts {
            name: &s.name,
            closed: s.closed,
        };
        let switches: Vec<SwitchParts> = job.switches().iter().map(switch).collect();
        let table: Vec<Vec<f64>> = (rows.iter())
            .map(|row| {
                row.by_area
                    .iter()
                    .map(|w| w.unwrap_or(f64::INFINITY))
                    .collect()
            })
            .collect();
        let weights: Vec<WeightParts> = (rows.iter().zip(&table))
            .map(|(row, weights)| WeightParts {
                name: &row.name,
                agent: Some(row.agent),
                weights,
                slopes: (row.uphill, row.downhill),
            })
            .collect();
        let config = job.config.brief();
        let source_parts = job.source_parts();
        // Units that turn, with tables for the tiles of this level.
        let packed = self.vehicles()?;
        let grounds = self.tile_grounds(navmeshes, class_of_agent, &packed)?;
        let sheets = grounds.sheets();
        let tile_grounds = grounds.parts(&sheets);
        let vehicles: Vec<VehicleParts> = packed.iter().map(Packed::parts).collect();
        let grid_map = self.grid_map();
        let parts = BlobParts {
            grid_bits: grid.bits,
            origin: grid.origin,
            up: match job.config.up {
                Up::Y => UpAxis::Y,
                Up::Z => UpAxis::Z,
            },
            scale: job.config.scale,
            level_hash: job.hashes.level,
            config_hash: job.hashes.config,
            agents: &agents,
            markers: &markers,
            switches: &switches,
            areas: &areas,
            weights: &weights,
            source_parts: &source_parts,
            config: &config,
            grid_map,
            vehicles: &vehicles,
            tile_grounds: &tile_grounds,
            ground_of_vehicle: &grounds.of_vehicle,
            ..BlobParts::default()
        };
        let mut plans = vec![None; meshes.len()];
        if rooms.iter().any(Option::is_some) {
            let made = encode(&BlobParts {
                meshes: &meshes,
                ..parts
            });
            plans = self.plans(&made.map_err(|e| self_or_level(&job.place, e))?)?;
        }
        let told = meshes.iter().zip(&plans);
        let meshes: Vec<MeshParts> = told
            .map(|(mesh, plan)| MeshParts {
                rooms: mesh.rooms.map(|rooms| RoomsParts {
                    plan: plan.as_ref(),
                    ..rooms
                }),
                ..*mesh
            })
            .collect();
        // It checks what it made with the reader's own eyes.
        self.with_links(navmeshes, class_of_agent, |links| {
            let linked = meshes.iter().zip(links);
            let meshes: Vec<MeshParts> = linked
                .map(|(mesh, links)| MeshParts { links, ..*mesh })
                .collect();
            encode(&BlobParts {
                meshes: &meshes,
                ..parts
            })
            .map_err(|e| self_or_level(&job.place, e))
        })
    }

    /// The cells of a grid map as they were read: also those whose islands were left out of the navmesh.
    fn grid_map(&mut self) -> Option<GridMapParts<'a>> {
        let job = self.job;
        let Ground::Map(map, _) = &job.ground else {
            return None;
        };
        let fits = GridMapParts::fits(map.width, map.height);
        if !fits && !map.free.is_empty() {
            self.warnings.push(Warning {
                code: "grid-map-left-out",
                message: format!(
                    "{} x {} cells are more than a blob has room for: it has the navmesh, and no cells for `grid4` and `grid8`",
                    map.width, map.height
                ),
                place: job.place.clone(),
            });
        }
        fits.then_some(GridMapParts {
            width: map.width,
            height: map.height,
            cell: map.cell,
            corner: [0.0; 3],
            free: &map.free,
            terrain: &map.terrain,
        })
    }

    /// How polygons are merged once their patches are joined: seams of ground that is as good as flat, so that errors do not add up; a designer's own
    /// triangles up to the allowed height error.
    fn merge_settings(&self) -> MergeSettings {
        let own =
            self.job.config.surface == Surface::Floor || matches!(self.job.ground, Ground::Map(..));
        let error = self.height_error();
        MergeSettings {
            height_error: if own { error } else { error / 4 }.max(1),
            ..MergeSettings::default()
        }
    }

    /// How far corners may be off the ground within polygons, in grid units; 0 where heights cost none of the class's agents anything.
    fn slope_error(&self, agent: &Agent, grid: &Grid) -> i32 {
        let (classes, class_of) = self.job.classes();
        let agents = self.job.config.agents.iter().zip(class_of);
        let mut own = agents.filter(|(_, class)| classes[*class].agent == *agent);
        match own.any(|(a, _)| a.uphill > 0.0 || a.downhill > 0.0) {
            true => grid.length(self.job.config.slope_error.min(1000.0)).max(1),
            false => 0,
        }
    }

    /// The allowed height error in grid units.
    fn height_error(&self) -> i32 {
        let grid = self.job.ground.grid();
        grid.length(self.job.config.height_error.min(1000.0))
    }

    fn floor_settings(&self, class: &Class) -> FloorSettings {
        let grid = self.job.ground.grid();
        FloorSettings {
            climb: grid.length(class.agent.climb),
            height: grid.length(class.agent.height),
        }
    }
}

fn relief_parts(relief: &Relief) -> ReliefParts<'_> {
    ReliefParts {
        least: relief.least,
        size: relief.size,
        shift: relief.shift,
        base: relief.base,
        up: relief.up,
        corners: relief.corners,
        points: &relief.points,
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

/// Whose fault is it that the parts do not make a file?
fn self_or_level(place: &str, error: EncodeError) -> BakeError {
    match error {
        EncodeError::Length {
            what: "marker name",
            ..
        } => BakeError::input(place, format!("a marker's name is too long: {error}")),
        EncodeError::Length {
            what: "agent name", ..
        } => BakeError::from(ConfigError::new(format!(
            "an agent's name is too long: {error}"
        ))),
        _ => BakeError::internal("encode", error.to_string()),
    }
}
