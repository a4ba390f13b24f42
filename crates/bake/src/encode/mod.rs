//! The bytes of the file, from the navmeshes and all that the config says of them.

mod mesh;

use navbake_format::UpAxis;
use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, EncodeError, GridMapParts, MarkerParts, MeshParts,
    RoomsParts, SwitchParts, VehicleParts, WeightParts, encode,
};
use navbake_level::{Area, Switch, Warning};
use navbake_vehicle::build::Packed;

use self::mesh::Shape;
use crate::config::Up;
use crate::error::{BakeError, ConfigError};
use crate::job::Ground;
use crate::run::{ClassMesh, Run};

impl<'a> Run<'a> {
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
        let units = grid.units();
        let shapes: Vec<Shape> = navmeshes.iter().map(|m| Shape::new(m, units)).collect();
        let meshes: Vec<MeshParts> = shapes.iter().map(Shape::parts).collect();
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
        if meshes.iter().any(|m| m.rooms.is_some()) {
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
