//! The file: everything that goes into it in one value, its encoding, and the check of it.
//!
//! A bake encodes its meshes once. The stages that search them search what [`Encoded`] decodes
//! of these very bytes, and the file gets the same bytes. Links change records of polygons and
//! what can be reached: a bake with links encodes the meshes again with all of them. Before it
//! looks for drops and jumps, it also encodes them with the drawn links.

mod encoded;

use std::borrow::Cow;

use navbake_format::write::{
    AgentParts, AreaParts, BlobParts, ClassSources, EncodeError, FarLinkParts, FindingsParts,
    GridMapParts, LinkParts, MarkerParts, MeshParts, NetworkParts, OtherSection, PlanParts,
    SwitchParts, VehicleParts, WeightParts,
};
use navbake_format::{DiagnosticKind, Section};
use navbake_hierarchy::{ClassMesh, ClassParts};
use navbake_level::{Area, Switch};
use navbake_lint::Diagnostic;
use navbake_vehicle::build::Packed;

use crate::error::{BakeError, ConfigError};
use crate::input::BakeInput;
use crate::networks::ClassNetwork;
use crate::recorder::Recorder;
use crate::sources::PolygonSources;
use crate::tables::Tables;
use crate::tile_grounds::TileGrounds;

pub(crate) use encoded::Encoded;

/// Everything that goes into the file. Stages add to it.
pub(crate) struct FileParts<'a> {
    input: &'a BakeInput,
    /// The config in the file, as TOML text.
    config: Cow<'a, str>,
    class_of_agent: &'a [usize],
    meshes: Vec<ClassParts<'a>>,
    pub(crate) vehicles: Vec<Packed>,
    pub(crate) tile_grounds: TileGrounds,
    /// Distances between doors, by class; `None` without rooms.
    pub(crate) door_distances: Vec<Option<PlanParts>>,
    /// By class.
    pub(crate) links: Vec<Vec<LinkParts<'a>>>,
    /// Of a chunk: the ends of links between it and others, by class.
    pub(crate) far_links: Vec<Vec<FarLinkParts<'a>>>,
    /// Distances of links within rooms, by class.
    pub(crate) link_distances: Vec<Vec<f32>>,
    pub(crate) networks: Vec<ClassNetwork>,
    pub(crate) sources: Vec<PolygonSources>,
    pub(crate) tables: Tables,
    pub(crate) findings: Option<Findings>,
    /// What makes the file a chunk of a world or its index.
    pub(crate) others: Vec<OtherBytes>,
}

/// A section of chunks, as the file has it.
pub(crate) struct OtherBytes {
    section: Section,
    class: u16,
    bytes: Vec<u8>,
    /// Bytes of a record.
    size: u16,
}

impl OtherBytes {
    pub(crate) fn new(section: Section, class: u16, bytes: Vec<u8>, size: u16) -> OtherBytes {
        OtherBytes { section, class, bytes, size }
    }

    fn parts(&self) -> OtherSection<'_> {
        OtherSection {
            section: self.section,
            class: self.class,
            required: false,
            element_size: self.size,
            bytes: &self.bytes,
        }
    }
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
        let config = input.config.brief().into();
        FileParts::with_config(input, meshes, class_of_agent, config)
    }

    /// The same with another config in the file: TOML text for [`Config::from_brief`].
    ///
    /// [`Config::from_brief`]: crate::Config::from_brief
    pub(crate) fn with_config(
        input: &'a BakeInput,
        meshes: &'a [ClassMesh],
        class_of_agent: &'a [usize],
        config: Cow<'a, str>,
    ) -> FileParts<'a> {
        let units = input.level.grid.units();
        let meshes = meshes.iter().map(|m| ClassParts::new(m, units)).collect();
        FileParts::of(input, meshes, class_of_agent, config)
    }

    /// The index of a world in chunks: the rooms of the meshes, without their polygons.
    pub(crate) fn of_index(
        input: &'a BakeInput,
        meshes: &'a [ClassMesh],
        class_of_agent: &'a [usize],
    ) -> FileParts<'a> {
        let units = input.level.grid.units();
        let meshes = meshes.iter().map(|m| ClassParts::of_index(m, units)).collect();
        FileParts::of(input, meshes, class_of_agent, input.config.brief().into())
    }

    fn of(
        input: &'a BakeInput,
        meshes: Vec<ClassParts<'a>>,
        class_of_agent: &'a [usize],
        config: Cow<'a, str>,
    ) -> FileParts<'a> {
        FileParts {
            input,
            config,
            class_of_agent,
            vehicles: vec![],
            tile_grounds: TileGrounds::default(),
            door_distances: vec![None; meshes.len()],
            links: vec![vec![]; meshes.len()],
            far_links: vec![vec![]; meshes.len()],
            meshes,
            link_distances: vec![],
            networks: vec![],
            sources: vec![],
            tables: Tables::default(),
            findings: None,
            others: vec![],
        }
    }

    pub(crate) fn link_count(&self) -> usize {
        let within = self.links.iter().map(Vec::len).sum::<usize>();
        within + self.far_links.iter().map(Vec::len).sum::<usize>()
    }

    /// Calls `f` with all parts.
    fn with_all<T>(&self, f: impl FnOnce(&BlobParts<'_>) -> T) -> T {
        let sheets = self.tile_grounds.sheets();
        let tile_grounds = self.tile_grounds.parts(&sheets);
        let vehicles: Vec<VehicleParts> = self.vehicles.iter().map(Packed::parts).collect();
        let sources: Vec<ClassSources> = self.sources.iter().map(PolygonSources::parts).collect();
        let networks: Vec<NetworkParts> =
            self.networks.iter().map(|n| n.parts(self.input)).collect();
        let (labels, landmarks) = self.tables.parts();
        let records: Vec<navbake_format::Diagnostic> =
            (self.findings.iter()).flat_map(|f| f.found.iter().map(Diagnostic::record)).collect();
        let findings = self.findings.as_ref().map(|f| FindingsParts {
            looked: &f.kinds,
            found: &records,
            left_out: f.left_out,
        });
        let others: Vec<OtherSection> = self.others.iter().map(OtherBytes::parts).collect();
        self.with_meshes(|parts| {
            f(&BlobParts {
                others: &others,
                config: &self.config,
                grid_map: grid_map(self.input),
                vehicles: &vehicles,
                tile_grounds: &tile_grounds,
                ground_of_vehicle: &self.tile_grounds.of_vehicle,
                link_ways: &self.link_distances,
                networks: &networks,
                sources: &sources,
                labels: &labels,
                landmarks: &landmarks,
                findings,
                ..*parts
            })
        })
    }

    /// Calls `f` with the level, its agents and its meshes.
    fn with_meshes<T>(&self, f: impl FnOnce(&BlobParts<'_>) -> T) -> T {
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
            factor: config.factor(a, None) as f32,
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
        let links = self.links.iter().zip(&self.far_links);
        let meshes: Vec<MeshParts> = (own.zip(links))
            .map(|((class, distances), (links, far_links))| MeshParts {
                far_links,
                ..class.parts(distances.as_ref(), links)
            })
            .collect();
        f(&BlobParts {
            grid_bits: level.grid.bits,
            origin: level.grid.origin,
            up: config.up.into(),
            scale: config.scale,
            level_hash: self.input.hashes.level,
            config_hash: self.input.hashes.config,
            agents: &agents,
            markers: &markers,
            switches: &switches,
            areas: &areas,
            weights: &weights,
            source_parts: &self.input.source_parts(),
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
        shape: map.shape,
        width: map.width,
        height: map.height,
        cell: map.cell,
        corner: [map.corner[0], 0.0, map.corner[1]],
        free: &map.free,
        terrain: &map.terrain,
        factors: input.map.as_ref().map_or(&[], |cells| &cells.factors),
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

/// The error of the level or config behind parts that make no file, else an internal one.
fn encode_error(place: &str, error: EncodeError) -> BakeError {
    match error {
        EncodeError::Length { what: "marker name", .. } => {
            BakeError::input(place, format!("a marker's name is too long: {error}"))
        }
        EncodeError::Length { what: "agent name", .. } => {
            BakeError::from(ConfigError::new(format!("an agent's name is too long: {error}")))
        }
        _ => unsound(error),
    }
}

fn unsound(error: EncodeError) -> BakeError {
    BakeError::internal("encode", error.to_string())
}
