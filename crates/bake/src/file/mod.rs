//! The file: everything that goes into it in one value, its one encoding, and the check of it.

mod mesh;
mod rooms;

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClassSources, EncodeError, FindingsParts, GridMapParts,
    LinkParts, MarkerParts, MeshParts, PlanParts, SwitchParts, VehicleParts, WeightParts,
    encode_unchecked,
};
use navbake_format::{Blob, CheckedBlob, DiagnosticKind, Section, UpAxis};
use navbake_hierarchy::ClassMesh;
use navbake_level::{Area, Switch};
use navbake_lint::Diagnostic;
use navbake_vehicle::build::Packed;

use self::mesh::Shape;
use crate::config::Up;
use crate::error::{BakeError, ConfigError};
use crate::input::BakeInput;
use crate::recorder::Recorder;
use crate::sources::PolygonSources;
use crate::tables::Tables;
use crate::tile_grounds::TileGrounds;

/// Everything that goes into the file. Stages add to it, and it is encoded once.
///
/// Stages that query the navmesh do so on [`FileParts::encode_meshes`], which has only what
/// queries use.
pub(crate) struct FileParts<'a> {
    input: &'a BakeInput,
    class_of_agent: &'a [usize],
    meshes: Vec<Shape<'a>>,
    pub(crate) vehicles: Vec<Packed>,
    pub(crate) tile_grounds: TileGrounds,
    /// Distances between doors, by class; `None` without rooms.
    pub(crate) door_distances: Vec<Option<PlanParts>>,
    /// By class.
    pub(crate) links: Vec<Vec<LinkParts<'a>>>,
    /// Distances of links within rooms, by class.
    pub(crate) link_distances: Vec<Vec<f32>>,
    pub(crate) sources: Vec<PolygonSources>,
    pub(crate) tables: Tables,
    pub(crate) findings: Option<Findings>,
}

/// What was looked for on the level, and what was found.
pub(crate) struct Findings {
    pub(crate) kinds: Vec<DiagnosticKind>,
    pub(crate) found: Vec<Diagnostic>,
    /// How many more there were.
    pub(crate) left_out: u32,
}

impl<'a> FileParts<'a> {
    pub(crate) fn new(
        input: &'a BakeInput,
        meshes: &'a [ClassMesh],
        class_of_agent: &'a [usize],
    ) -> FileParts<'a> {
        let units = input.level.grid.units();
        FileParts {
            input,
            class_of_agent,
            meshes: meshes.iter().map(|m| Shape::new(m, units)).collect(),
            vehicles: vec![],
            tile_grounds: TileGrounds::default(),
            door_distances: vec![None; meshes.len()],
            links: vec![vec![]; meshes.len()],
            link_distances: vec![],
            sources: vec![],
            tables: Tables::default(),
            findings: None,
        }
    }

    pub(crate) fn has_links(&self) -> bool {
        self.links.iter().any(|l| !l.is_empty())
    }

    /// The navmeshes with rooms, links, areas and switches: what queries use. Not validated.
    pub(crate) fn encode_meshes(&self, rec: &mut Recorder<'_>) -> Result<Vec<u8>, BakeError> {
        let encode =
            || self.with_level(|parts| encode_unchecked(parts).map_err(|e| self.encode_error(e)));
        rec.serial("encode", encode)?
    }

    /// The bytes of the file. Not validated.
    pub(crate) fn encode(&self, rec: &mut Recorder<'_>) -> Result<Vec<u8>, BakeError> {
        rec.serial("encode", || self.encode_all())?
    }

    fn encode_all(&self) -> Result<Vec<u8>, BakeError> {
        let config = self.input.config.brief();
        let source_parts = self.input.source_parts();
        let sheets = self.tile_grounds.sheets();
        let tile_grounds = self.tile_grounds.parts(&sheets);
        let vehicles: Vec<VehicleParts> = self.vehicles.iter().map(Packed::parts).collect();
        let sources: Vec<ClassSources> = self.sources.iter().map(PolygonSources::parts).collect();
        let (labels, landmarks) = self.tables.parts();
        let records: Vec<navbake_format::Diagnostic> =
            (self.findings.iter()).flat_map(|f| f.found.iter().map(Diagnostic::record)).collect();
        let findings = self.findings.as_ref().map(|f| FindingsParts {
            looked: &f.kinds,
            found: &records,
            left_out: f.left_out,
        });
        self.with_level(|parts| {
            let parts = BlobParts {
                source_parts: &source_parts,
                config: &config,
                grid_map: grid_map(self.input),
                vehicles: &vehicles,
                tile_grounds: &tile_grounds,
                ground_of_vehicle: &self.tile_grounds.of_vehicle,
                link_ways: &self.link_distances,
                sources: &sources,
                labels: &labels,
                landmarks: &landmarks,
                findings,
                ..*parts
            };
            encode_unchecked(&parts).map_err(|e| self.encode_error(e))
        })
    }

    /// Calls `f` with the level, its agents and its meshes.
    fn with_level<T>(&self, f: impl FnOnce(&BlobParts<'_>) -> T) -> T {
        let BakeInput { level, config, .. } = self.input;
        let agents = config.agent_list();
        let agents: Vec<AgentParts> = (agents.iter().zip(self.class_of_agent))
            .map(|(agent, &class)| AgentParts {
                name: &agent.name,
                class: class as u16,
                radius: agent.radius,
                height: agent.height,
                climb: agent.climb,
                slope: agent.slope,
            })
            .collect();
        let markers: Vec<MarkerParts> = (level.markers.iter())
            .map(|m| MarkerParts { name: &m.name, position: m.position })
            .collect();
        let area = |a: &'a Area| AreaParts {
            name: &a.name,
            switch: a.switch,
            tags: a.tags,
            edge_tags: a.edge_tags,
            factor: config.clearance.factor(a.band) as f32,
        };
        let rows = &self.input.weights.rows;
        // A level of one area and no weights has no areas in the file.
        let areas: Vec<AreaParts> = match level.areas.as_slice() {
            [_] if rows.is_empty() => vec![],
            areas => areas.iter().map(area).collect(),
        };
        let switch = |s: &'a Switch| SwitchParts { name: &s.name, closed: s.closed };
        let switches: Vec<SwitchParts> = level.switches.iter().map(switch).collect();
        let blocked = |w: &Option<f64>| w.unwrap_or(f64::INFINITY);
        let table: Vec<Vec<f64>> =
            (rows.iter()).map(|row| row.by_area.iter().map(blocked).collect()).collect();
        let weights: Vec<WeightParts> = (rows.iter().zip(&table))
            .map(|(row, weights)| WeightParts {
                name: &row.name,
                agent: Some(row.agent),
                weights,
                slopes: (row.uphill, row.downhill),
            })
            .collect();
        let own = self.meshes.iter().zip(&self.door_distances);
        let meshes: Vec<MeshParts> = (own.zip(&self.links))
            .map(|((shape, distances), links)| shape.parts(distances.as_ref(), links))
            .collect();
        f(&BlobParts {
            grid_bits: level.grid.bits,
            origin: level.grid.origin,
            up: match config.up {
                Up::Y => UpAxis::Y,
                Up::Z => UpAxis::Z,
            },
            scale: config.scale,
            level_hash: self.input.hashes.level,
            config_hash: self.input.hashes.config,
            agents: &agents,
            markers: &markers,
            switches: &switches,
            areas: &areas,
            weights: &weights,
            meshes: &meshes,
            ..BlobParts::default()
        })
    }

    fn encode_error(&self, error: EncodeError) -> BakeError {
        encode_error(&self.input.place, error)
    }
}

/// The cells of a grid map as they were read, those of islands that were dropped included.
fn grid_map(input: &BakeInput) -> Option<GridMapParts<'_>> {
    let map = input.grid_map()?;
    GridMapParts::fits(map.width, map.height).then_some(GridMapParts {
        width: map.width,
        height: map.height,
        cell: map.cell,
        corner: [0.0; 3],
        free: &map.free,
        terrain: &map.terrain,
    })
}

/// Warns of a grid map with more cells than a file has room for.
pub(crate) fn warn_of_large_map(input: &BakeInput, rec: &mut Recorder<'_>) {
    let Some(map) = input.grid_map() else {
        return;
    };
    if !GridMapParts::fits(map.width, map.height) && !map.free.is_empty() {
        let message = format!(
            "{} x {} cells are more than a blob has room for: it has the navmesh, and no cells for `grid4` and `grid8`",
            map.width, map.height
        );
        rec.warn("grid-map-left-out", &input.place, message);
    }
}

/// Reads bytes back with the runtime reader, and validates them.
pub(crate) fn open(bytes: &[u8]) -> Result<CheckedBlob<'_>, BakeError> {
    Blob::open_checked(bytes).map_err(|e| {
        let error = EncodeError::Unsound(e);
        BakeError::internal("encode", error.to_string())
    })
}

/// Checks that the file has the very meshes that stages queried.
pub(crate) fn compare(
    queried: &CheckedBlob<'_>,
    written: &CheckedBlob<'_>,
) -> Result<(), BakeError> {
    let kinds = [
        Section::MESH,
        Section::VERTICES,
        Section::POLYGONS,
        Section::EDGES,
        Section::FAR,
        Section::LINKS,
    ];
    // A link's record ends with a reference to its name among all names of the file, of which the
    // written file has more.
    const NAME: usize = 6;
    let equal = |kind, class| {
        let [a, b] = [queried, written].map(|b| b.blob().section(kind, class));
        let (Some((info, a)), Some((_, b))) = (a, b) else {
            return a.is_none() && b.is_none();
        };
        if kind != Section::LINKS {
            return a == b;
        }
        let size = usize::from(info.element_size);
        let without_name = |record: &[u8]| record[..size - NAME].to_vec();
        let [a, b] = [a, b].map(|bytes| bytes.chunks_exact(size).map(without_name));
        a.eq(b)
    };
    for class in 0..queried.class_count() {
        for kind in kinds {
            if !equal(kind, class) {
                let what =
                    format!("{kind:?} of class {class} differs from the mesh that was queried");
                return Err(BakeError::internal("encode", what));
            }
        }
    }
    Ok(())
}

/// The error of the level or config behind parts that make no file, else an internal one.
fn encode_error(place: &str, error: EncodeError) -> BakeError {
    match error {
        EncodeError::Length { what: "marker name", .. } => {
            BakeError::input(place, format!("a marker's name is too long: {error}"))
        }
        EncodeError::Length { what: "agent name", .. } => {
            BakeError::from(ConfigError::new(format!("an agent's name is too long: {error}")))
        }
        _ => BakeError::internal("encode", error.to_string()),
    }
}
