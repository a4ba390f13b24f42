//! The contents of a blob.

mod ground;
mod planners;
mod sizes;

use std::fmt::Write;

use navbake_bake::Config;
use navbake_format::{CellShape, CheckedBlob, RoomId};
use navbake_level::number::count;
use serde::Serialize;

use crate::Meshes;
use ground::{AreaInfo, ClassInfo, WeightInfo};
use planners::{Supported, supported};
pub use sizes::Sizes;

/// The contents of a blob, as `navbake info` prints them.
#[derive(Debug, Serialize)]
pub struct Contents {
    file: String,
    bytes: u64,
    version: u32,
    min_reader: u32,
    checksum: String,
    level_hash: String,
    config_hash: String,
    grid: GridInfo,
    up: char,
    scale: f64,
    polygons: u64,
    vertices: u64,
    portals: u64,
    islands: u64,
    rooms: u64,
    /// Doors between rooms, without those of switches.
    room_doors: u64,
    named_rooms: Vec<RoomInfo>,
    doors: u64,
    links: u64,
    /// Polygons that switches block.
    closures: u64,
    /// The names that `query --closed` takes.
    switches: Vec<SwitchInfo>,
    planners: Vec<Supported>,
    area_m2: f64,
    agents: Vec<AgentInfo>,
    /// The navmeshes, one for each class of agents of the same size.
    classes: Vec<ClassInfo>,
    /// Terrain areas; empty if there is only one.
    areas: Vec<AreaInfo>,
    weights: Vec<WeightInfo>,
    markers: Vec<MarkerInfo>,
    /// Null unless the level is a grid map.
    grid_map: Option<GridMapInfo>,
    /// Route networks.
    networks: Vec<NetworkInfo>,
    /// Null unless the file is the index of a world in chunks.
    chunks: Option<ChunksInfo>,
    sections: Vec<SectionRow>,
    config: String,
    summary: String,
    verified: bool,
}

#[derive(Debug, Serialize)]
struct SwitchInfo {
    name: String,
    /// Is it blocked at the start of the level?
    closed: bool,
}

#[derive(Debug, Serialize)]
struct GridInfo {
    /// Grid units in a metre.
    units_per_metre: f64,
    origin: [f64; 3],
}

#[derive(Debug, Serialize)]
struct AgentInfo {
    name: String,
    class: u16,
    radius: f64,
    height: f64,
    climb: f64,
    slope: f64,
}

#[derive(Debug, Serialize)]
struct MarkerInfo {
    name: String,
    position: [f64; 3],
}

#[derive(Debug, Serialize)]
struct GridMapInfo {
    shape: &'static str,
    width: u32,
    height: u32,
    /// Side of a cell, m.
    cell: f64,
    /// The corner of the first cell with the least x and z.
    corner: [f64; 3],
    /// Free cells.
    free: u32,
    terrains: u16,
}

#[derive(Debug, Serialize)]
struct NetworkInfo {
    name: String,
    class: u16,
    kind: &'static str,
    points: u32,
    /// Each in one direction.
    edges: u32,
}

/// The chunks of a world.
#[derive(Debug, Serialize)]
struct ChunksInfo {
    count: usize,
    /// Side of a chunk, m.
    side: f64,
    /// The files of all chunks.
    bytes: u64,
    /// What is wrong with files of chunks; the ground of these chunks does not count.
    faults: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SectionRow {
    name: String,
    class: u16,
    required: bool,
    offset: u64,
    bytes: u64,
    count: u64,
}

#[derive(Debug, Serialize)]
struct RoomInfo {
    name: String,
    class: u16,
    room: u32,
    area_m2: f32,
    doors: usize,
}

impl Contents {
    /// The contents of a blob named `file`.
    ///
    /// `verified` is set if its checksum was verified.
    pub fn new(blob: &CheckedBlob<'_>, file: &str, verified: bool) -> Contents {
        Contents::with_meshes(blob, &Meshes::of(blob), file, verified)
    }

    /// The contents of a world in chunks whose index is named `file`.
    ///
    /// `whole` is the blob of all chunks that are there, and `faults` are findings about others.
    pub fn of_world(
        index: &CheckedBlob<'_>,
        whole: &CheckedBlob<'_>,
        (file, verified): (&str, bool),
        faults: Vec<String>,
    ) -> Contents {
        let table = index.chunks();
        let side = table.first().map_or(0, |chunk| chunk.side);
        let chunks = ChunksInfo {
            count: table.len(),
            side: f64::from(side) / index.header().grid.units(),
            bytes: table.iter().fold(0, |sum: u64, chunk| sum.saturating_add(chunk.bytes)),
            faults,
        };
        let contents = Contents::with_meshes(index, &Meshes::of(whole), file, verified);
        Contents { chunks: Some(chunks), ..contents }
    }

    /// Are the files of all chunks there, and those of the index?
    pub fn is_whole(&self) -> bool {
        self.chunks.as_ref().is_none_or(|chunks| chunks.faults.is_empty())
    }

    fn with_meshes(
        blob: &CheckedBlob<'_>,
        meshes: &Meshes,
        file: &str,
        verified: bool,
    ) -> Contents {
        let header = blob.header();
        let sizes = Sizes::new(meshes);
        let classes = ground::classes(blob, meshes);
        Contents {
            file: file.into(),
            bytes: header.total_len,
            version: header.version,
            min_reader: header.min_reader,
            checksum: format!("{:08x}", header.checksum),
            level_hash: hexadecimal(&header.level_hash),
            config_hash: hexadecimal(&header.config_hash),
            grid: GridInfo { units_per_metre: header.grid.units(), origin: header.grid.origin },
            up: header.up.name(),
            scale: header.scale,
            polygons: sizes.polygons,
            vertices: sizes.vertices,
            portals: sizes.portals,
            islands: sizes.islands,
            rooms: classes.iter().map(|c| u64::from(c.rooms)).sum(),
            room_doors: classes.iter().map(|c| u64::from(c.room_doors)).sum(),
            named_rooms: named_rooms(blob),
            doors: meshes.iter().map(|m| m.doors().len() as u64).sum(),
            links: meshes.iter().map(|m| u64::from(m.link_count())).sum(),
            closures: meshes.iter().map(|m| m.closures().len() as u64).sum(),
            switches: blob
                .switches()
                .map(|s| SwitchInfo { name: s.name.into(), closed: s.closed })
                .collect(),
            planners: supported(blob),
            area_m2: sizes.area_m2,
            agents: blob
                .agents()
                .map(|a| AgentInfo {
                    name: a.name.into(),
                    class: a.class,
                    radius: a.radius,
                    height: a.height,
                    climb: a.climb,
                    slope: a.slope,
                })
                .collect(),
            classes,
            areas: ground::areas(blob, meshes),
            weights: ground::weights(blob),
            markers: blob
                .markers()
                .map(|m| MarkerInfo { name: m.name.into(), position: m.position })
                .collect(),
            grid_map: blob.grid_map().map(|map| GridMapInfo {
                shape: match map.shape() {
                    CellShape::Square => "square",
                    CellShape::Hexagon => "hexagon",
                },
                width: map.width(),
                height: map.height(),
                cell: map.cell(),
                corner: map.corner(),
                free: map.free_count(),
                terrains: map.terrain_count(),
            }),
            networks: (0..blob.class_count())
                .flat_map(|class| blob.networks(class).map(move |network| (class, network)))
                .map(|(class, network)| NetworkInfo {
                    name: network.name.into(),
                    class,
                    kind: network.kind.name(),
                    points: network.point_count(),
                    edges: network.edge_count(),
                })
                .collect(),
            chunks: None,
            sections: blob
                .blob()
                .sections()
                .map(|s| SectionRow {
                    name: s.section.to_string(),
                    class: s.class,
                    required: s.required,
                    offset: s.offset,
                    bytes: s.len(),
                    count: s.count,
                })
                .collect(),
            // A blob stores only settings that differ from the defaults.
            config: Config::from_brief(blob.config())
                .map_or_else(|_| blob.config().into(), |config| config.effective()),
            summary: blob.summary().into(),
            verified,
        }
    }

    /// The contents for people.
    pub fn text(&self) -> String {
        let c = self;
        let mut out = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "{key:<12}{value}");
        };
        line("file", c.file.clone());
        line("bytes", c.bytes.to_string());
        line("format", format!("version {}, readable from version {}", c.version, c.min_reader));
        line("level hash", c.level_hash.clone());
        line("config hash", c.config_hash.clone());
        line("checksum", format!("{}{}", c.checksum, if c.verified { ", verified" } else { "" }));
        line(
            "grid",
            format!(
                "1/{} m, origin ({}); input: {} up, {} m per unit",
                c.grid.units_per_metre,
                plain(c.grid.origin),
                c.up,
                c.scale
            ),
        );
        line(
            "navmesh",
            format!(
                "{}, {}, {}, {}, {:.1} m2",
                count(c.polygons, "polygon"),
                count(c.vertices, "vertex"),
                count(c.portals, "portal"),
                count(c.islands, "island"),
                c.area_m2
            ),
        );
        if let Some(chunks) = &c.chunks {
            let (count, side) = (count(chunks.count, "chunk"), chunks.side);
            line("chunks", format!("{count} of {side} x {side} m, {} bytes", chunks.bytes));
            for fault in &chunks.faults {
                line("fault", fault.clone());
            }
        }
        if c.rooms > 0 {
            line("rooms", format!("{}, {}", count(c.rooms, "room"), count(c.room_doors, "door")));
        }
        for r in &c.named_rooms {
            line(
                "room",
                format!(
                    "{}: {:.1} m2, {} (class {}, room {})",
                    r.name,
                    r.area_m2,
                    count(r.doors, "door"),
                    r.class,
                    r.room
                ),
            );
        }
        for a in &c.agents {
            line(
                "agent",
                format!(
                    "{}: radius {} m, height {} m, climb {} m, slope {} degrees (class {})",
                    a.name, a.radius, a.height, a.climb, a.slope, a.class
                ),
            );
        }
        if c.classes.len() > 1 {
            for class in &c.classes {
                line("class", class.text());
            }
        }
        for area in &c.areas {
            line("area", area.text());
        }
        for row in &c.weights {
            line("weights", row.text(&c.areas));
        }
        if c.doors + c.links + c.closures > 0 || !c.switches.is_empty() {
            line(
                "closable",
                format!(
                    "{}, {}, {}",
                    count(c.doors, "door"),
                    count(c.closures, "polygon"),
                    count(c.links, "link")
                ),
            );
        }
        for s in &c.switches {
            let state = if s.closed { "closed" } else { "open" };
            line("switch", format!("{}: {state} at the start", s.name));
        }
        for p in &c.planners {
            line("planner", p.text());
        }
        for m in &c.markers {
            line("marker", format!("{} at {}", m.name, plain(m.position)));
        }
        if let Some(map) = &c.grid_map {
            line(
                "grid map",
                format!(
                    "{} x {} cells of {} m from ({}), {} free, {} terrains",
                    map.width,
                    map.height,
                    map.cell,
                    plain(map.corner),
                    map.free,
                    map.terrains
                ),
            );
        }
        for n in &c.networks {
            let (points, edges) = (count(n.points, "point"), count(n.edges, "edge"));
            line(
                "network",
                format!("{}: {}, {points}, {edges} (class {})", n.name, n.kind, n.class),
            );
        }
        for s in &c.sections {
            line(
                "section",
                format!(
                    "{:<14} class {} {:>10} bytes {:>8} records",
                    s.name, s.class, s.bytes, s.count
                ),
            );
        }
        line("config", String::new());
        for row in c.config.lines() {
            let _ = writeln!(out, "    {row}");
        }
        out
    }
}

fn named_rooms(blob: &CheckedBlob<'_>) -> Vec<RoomInfo> {
    let of_class = |class: u16| {
        let rooms = blob.rooms(class)?;
        let named = (0..rooms.count()).map(RoomId).filter_map(move |id| {
            let room = rooms.get(id).filter(|room| !room.name.is_empty())?;
            Some(RoomInfo {
                name: room.name.into(),
                class,
                room: id.0,
                area_m2: room.area,
                doors: rooms.doors_of(id).len(),
            })
        });
        Some(named.collect::<Vec<_>>())
    };
    (0..blob.class_count()).filter_map(of_class).flatten().collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Coordinates that parse back exactly, in exponent notation from 1e9 on.
fn plain(p: [f64; 3]) -> String {
    let [x, y, z] = p.map(|v| match v.is_finite() && v.abs() >= 1e9 {
        true => format!("{v:e}"),
        false => v.to_string(),
    });
    format!("{x},{y},{z}")
}
