//! The stages as the driver calls them: settings from the config, names for faults, work for threads.

use navbake_format::write::{AgentParts, BlobParts, EncodeError, MarkerParts, MeshParts, encode};
use navbake_format::{Blob, UpAxis};
use navbake_hierarchy::{islands_of_polygons, islands_of_triangles, keep};
use navbake_level::{Agent, Level, Role, Triangle};
use navbake_mesh::{
    FloorSettings, MergeSettings, NavMesh, Piece, PieceSettings, StitchSettings, Triangulation,
    floor, floor_gaps, merge, stitch,
};
use navbake_walkable::{Plan, WalkableSettings, grid_map_layers};

use crate::config::{Surface, Up};
use crate::error::{BakeError, ConfigError};
use crate::hash;
use crate::job::{Class, Ground};
use crate::regions;
use crate::run::{ClassMesh, Run};
use crate::tiles::{Fallback, TileJobs};

/// How far an exact border may be drawn into the ground to save corners, m.
const BORDER_TOLERANCE: f64 = 0.008;

impl Run<'_> {
    /// Ground of a class as triangles, by tile and layer.
    pub(crate) fn pieces(&mut self, class: &Class) -> Result<Vec<Piece>, BakeError> {
        let job = self.job;
        match &job.ground {
            Ground::Level(level) if job.config.surface == Surface::Floor => {
                let marks = floor_marks(level, &class.agent);
                let settings = self.floor_settings(class);
                let (pieces, warnings) =
                    self.serial("floor", || floor(level, &marks, &settings))?;
                self.warnings.extend(warnings);
                self.tiles.total += 1;
                self.tiles.baked += 1;
                Ok(pieces)
            }
            Ground::Level(level) => {
                let settings = WalkableSettings {
                    cell: job.config.cell,
                    borders: job.config.borders.into(),
                };
                let plan = self
                    .serial("plan", || Plan::new(level, &class.agent, &settings))?
                    .map_err(|e| BakeError::input(&job.place, e.to_string()))?;
                let coarse = PieceSettings {
                    tolerance: plan.cell(),
                    height_error: self.piece_error(),
                };
                let shape = if plan.is_exact() {
                    let tolerance = level.grid.length(BORDER_TOLERANCE);
                    PieceSettings {
                        tolerance,
                        ..coarse
                    }
                } else {
                    coarse
                };
                let name = |i: usize| {
                    let [x, z] = plan.key(i);
                    format!("tile ({x}, {z}) for agent `{}`", class.agent.name)
                };
                let layers = |i: usize| match plan.tile(i) {
                    Ok(tile) => Ok(tile.layers),
                    Err(fault) => Err(fault.to_string()),
                };
                let fallback = Fallback {
                    layers: &|i| plan.coarse_tile(i).layers,
                    shape: coarse,
                };
                let key = |i: usize| hash::tile(&plan, i, &class.agent, &shape, level.grid.bits);
                self.tiles(&TileJobs {
                    count: plan.tile_count(),
                    name: &name,
                    layers: &layers,
                    shape,
                    fallback: plan.is_exact().then_some(fallback),
                    key: Some(&key),
                })
            }
            Ground::Map(map, grid) => {
                let layers = self.serial("plan", || grid_map_layers(map, grid))?;
                let shape = PieceSettings {
                    tolerance: 0,
                    height_error: 0,
                };
                let name = |i: usize| format!("region {i} of the map");
                let layer = |i: usize| Ok(vec![layers[i].clone()]);
                // A region is most of its map: a cache would hardly ever have it.
                self.tiles(&TileJobs {
                    count: layers.len(),
                    name: &name,
                    layers: &layer,
                    shape,
                    fallback: None,
                    key: None,
                })
            }
        }
    }

    pub(crate) fn stitch(
        &mut self,
        pieces: Vec<Piece>,
        class: &Class,
    ) -> Result<Triangulation, BakeError> {
        let settings = StitchSettings {
            climb: self.job.ground.grid().length(class.agent.climb),
        };
        let joined = self.serial("stitch", || stitch(&pieces, &settings))?;
        if let Ground::Level(level) = &self.job.ground
            && self.job.config.surface == Surface::Floor
        {
            let settings = self.floor_settings(class);
            let gaps = self.serial("floor", || floor_gaps(level, &joined, &settings))?;
            self.warnings.extend(gaps);
        }
        Ok(joined)
    }

    /// Leaves out islands that are too small or that no seed reaches.
    pub(crate) fn keep_islands(
        &mut self,
        triangulation: Triangulation,
        class: &Class,
    ) -> Result<Triangulation, BakeError> {
        let job = self.job;
        let (kept, warnings, emptied) = self.serial("regions", || {
            let islands = islands_of_triangles(&triangulation);
            let choice = regions::choose(job, class, &triangulation, &islands);
            if choice.keep.iter().all(|&k| k) {
                return (triangulation, choice.warnings, choice.emptied);
            }
            let marks: Vec<bool> = islands
                .of
                .iter()
                .map(|&i| choice.keep[i as usize])
                .collect();
            (
                keep(&triangulation, &marks),
                choice.warnings,
                choice.emptied,
            )
        })?;
        self.warnings.extend(warnings);
        self.emptied.push(emptied);
        Ok(kept)
    }

    pub(crate) fn merge(&mut self, triangulation: &Triangulation) -> Result<NavMesh, BakeError> {
        let settings = MergeSettings {
            height_error: self.merge_error(),
            ..MergeSettings::default()
        };
        self.serial("merge", || merge(triangulation, &settings))
    }

    pub(crate) fn islands(&mut self, mesh: NavMesh) -> Result<ClassMesh, BakeError> {
        self.serial("islands", || {
            let islands = islands_of_polygons(&mesh);
            ClassMesh { mesh, islands }
        })
    }

    /// The bytes of the file, opened, compared with their checksum and validated.
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
        let points: Vec<Vec<[i32; 3]>> = navmeshes
            .iter()
            .map(|m| {
                m.mesh
                    .height_points
                    .iter()
                    .map(|p| [p.x, p.y, p.z])
                    .collect()
            })
            .collect();
        let meshes: Vec<MeshParts> = navmeshes
            .iter()
            .zip(vertices.iter().zip(&points))
            .map(|(m, (vertices, points))| MeshParts {
                vertices,
                first_edge: &m.mesh.first_edge,
                corners: &m.mesh.corners,
                neighbours: &m.mesh.neighbours,
                islands: &m.islands.of,
                first_point: &m.mesh.first_point,
                points,
            })
            .collect();
        let config = job.config.brief();
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
            config: &config,
            meshes: &meshes,
            ..BlobParts::default()
        };
        self.serial("encode", || -> Result<Vec<u8>, BakeError> {
            let bytes = encode(&parts).map_err(|e| self_or_level(&job.place, e))?;
            let check = || {
                let blob = Blob::open(&bytes)?;
                blob.verify_checksum()?;
                blob.validate().map(|_| ())
            };
            check().map_err(|e| BakeError::internal("the file that was made", e.to_string()))?;
            Ok(bytes)
        })?
    }

    /// How far polygons may lie from their triangles, in grid units: all of the allowed height error where the triangles are the
    /// input's own, else the half that [`Run::piece_error`] leaves.
    fn merge_error(&self) -> i32 {
        let own =
            self.job.config.surface == Surface::Floor || matches!(self.job.ground, Ground::Map(..));
        if own {
            (2 * self.piece_error()).max(1)
        } else {
            self.piece_error().max(1)
        }
    }

    /// How far triangles may lie from the ground they stand for, in grid units: half of the allowed height error.
    fn piece_error(&self) -> i32 {
        let grid = self.job.ground.grid();
        grid.length(self.job.config.height_error.min(1000.0)) / 2
    }

    fn floor_settings(&self, class: &Class) -> FloorSettings {
        let grid = self.job.ground.grid();
        FloorSettings {
            climb: grid.length(class.agent.climb),
            height: grid.length(class.agent.height),
        }
    }
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
