//! `navbake info`: what a blob holds.

use std::fmt::Write;

use navbake_bake::Config;
use navbake_format::{Blob, CheckedBlob, RoomId, Rooms};
use serde::Serialize;

use crate::args::Info;
use crate::blob_file;
use crate::counts::counts;
use crate::failure::{Exit, Failure};
use crate::ground::{self, AreaInfo, ClassInfo, WeightInfo};
use crate::output::Output;
use crate::place::show;
use crate::planners::{Supported, supported};

/// The JSON object of `info`.
#[derive(Debug, Serialize)]
struct Contents {
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
    /// Doors between rooms; those that switches close count below.
    room_doors: u64,
    named_rooms: Vec<RoomInfo>,
    doors: u64,
    links: u64,
    /// Polygons that a switch closes.
    closures: u64,
    /// What `query --closed` takes.
    switches: Vec<SwitchInfo>,
    planners: Vec<Supported>,
    area_m2: f64,
    agents: Vec<AgentInfo>,
    /// The navmeshes, one for all agents of the same size.
    classes: Vec<ClassInfo>,
    /// Kinds of ground; empty when all is of one.
    areas: Vec<AreaInfo>,
    weights: Vec<WeightInfo>,
    markers: Vec<MarkerInfo>,
    /// Null where the level is none.
    grid_map: Option<GridMapInfo>,
    sections: Vec<SectionRow>,
    config: String,
    summary: String,
    verified: bool,
}

#[derive(Debug, Serialize)]
struct SwitchInfo {
    name: String,
    /// As the level begins.
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

/// Runs it.
pub(crate) fn run(options: &Info, output: Output) -> Result<Exit, Failure> {
    let name = blob_file::name(&options.blob);
    let bytes = blob_file::load(&options.blob)?;
    // Everything that is printed is read from records, so that they are checked in any case; the checksum, which also finds damage
    // that makes sense, only when asked.
    let bad = |error| Failure::input(format_args!("{name}: {error}"));
    let blob = Blob::open(&bytes).map_err(bad)?;
    if options.verify {
        blob.verify_checksum().map_err(bad)?;
    }
    let checked = blob.validate().map_err(bad)?;
    let contents = contents(&checked, name.clone(), options.verify);
    output.result(&contents, text)?;
    Ok(Exit::Done)
}

fn contents(blob: &CheckedBlob<'_>, file: String, verified: bool) -> Contents {
    let header = blob.header();
    let counts = counts(blob);
    let meshes =
        || (0..blob.class_count()).filter_map(|class| blob.decode(class).map(|nav| nav.leak()));
    Contents {
        file,
        bytes: header.total_len,
        version: header.version,
        min_reader: header.min_reader,
        checksum: format!("{:08x}", header.checksum),
        level_hash: hexadecimal(&header.level_hash),
        config_hash: hexadecimal(&header.config_hash),
        grid: GridInfo {
            units_per_metre: header.grid.units(),
            origin: header.grid.origin,
        },
        up: match header.up {
            navbake_format::UpAxis::Y => 'y',
            navbake_format::UpAxis::Z => 'z',
        },
        scale: header.scale,
        polygons: counts.polygons,
        vertices: counts.vertices,
        portals: counts.portals,
        islands: counts.islands,
        rooms: all_rooms(blob).map(|r| u64::from(r.count())).sum(),
        room_doors: all_rooms(blob).map(|r| u64::from(r.door_count())).sum(),
        named_rooms: named_rooms(blob),
        doors: meshes().map(|m| m.doors().len() as u64).sum(),
        links: meshes().map(|m| u64::from(m.link_count())).sum(),
        closures: meshes().map(|m| m.closures().len() as u64).sum(),
        switches: blob
            .switches()
            .map(|s| SwitchInfo {
                name: s.name.into(),
                closed: s.closed,
            })
            .collect(),
        planners: supported(blob),
        area_m2: counts.area_m2,
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
        classes: ground::classes(blob),
        areas: ground::areas(blob),
        weights: ground::weights(blob),
        markers: blob
            .markers()
            .map(|m| MarkerInfo {
                name: m.name.into(),
                position: m.position,
            })
            .collect(),
        grid_map: blob.grid_map().map(|map| GridMapInfo {
            width: map.width(),
            height: map.height(),
            cell: map.cell(),
            corner: map.corner(),
            free: map.free_count(),
            terrains: map.terrain_count(),
        }),
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
        // Blobs hold what differs from the defaults.
        config: Config::from_brief(blob.config())
            .map_or_else(|_| blob.config().into(), |config| config.effective()),
        summary: blob.summary().into(),
        verified,
    }
}

/// The rooms of all classes.
fn all_rooms<'a>(blob: &CheckedBlob<'a>) -> impl Iterator<Item = Rooms<'a>> {
    let blob = *blob;
    (0..blob.class_count()).filter_map(move |class| blob.rooms(class))
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
    (0..blob.class_count())
        .filter_map(of_class)
        .flatten()
        .collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn text(c: &Contents) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(out, "{key:<12}{value}");
    };
    line("file", c.file.clone());
    line("bytes", c.bytes.to_string());
    line(
        "format",
        format!(
            "version {}, readers from version {}",
            c.version, c.min_reader
        ),
    );
    line("level hash", c.level_hash.clone());
    line("config hash", c.config_hash.clone());
    line(
        "checksum",
        format!(
            "{}{}",
            c.checksum,
            if c.verified {
                ", verified with every record"
            } else {
                ""
            }
        ),
    );
    line(
        "grid",
        format!(
            "1/{} m around ({}); input: {} up, {} m a unit",
            c.grid.units_per_metre,
            show(c.grid.origin),
            c.up,
            c.scale
        ),
    );
    line(
        "navmesh",
        format!(
            "{} polygons, {} vertices, {} portals, {} islands, {:.1} m2",
            c.polygons, c.vertices, c.portals, c.islands, c.area_m2
        ),
    );
    if c.rooms > 0 {
        line(
            "rooms",
            format!("{} rooms, {} doors between them", c.rooms, c.room_doors),
        );
    }
    for r in &c.named_rooms {
        line(
            "room",
            format!(
                "{}: {:.1} m2, {} doors (class {}, room {})",
                r.name, r.area_m2, r.doors, r.class, r.room
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
            "closings",
            format!(
                "{} doors, {} polygons that close, {} links",
                c.doors, c.closures, c.links
            ),
        );
    }
    for s in &c.switches {
        let state = if s.closed { "closed" } else { "open" };
        line("switch", format!("{}: {state} as the level begins", s.name));
    }
    for p in &c.planners {
        line("planner", p.text());
    }
    for m in &c.markers {
        line("marker", format!("{} at {}", m.name, show(m.position)));
    }
    if let Some(map) = &c.grid_map {
        line(
            "grid map",
            format!(
                "{} x {} cells of {} m from ({}), {} free, {} terrains",
                map.width,
                map.height,
                map.cell,
                show(map.corner),
                map.free,
                map.terrains
            ),
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
