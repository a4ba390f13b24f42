//! The encoder: plain slices to the bytes of a blob. The same parts give the same bytes, whatever the order of polygons and vertices.

mod areas;
mod boxes;
mod districts;
mod edges;
mod findings;
mod grid_map;
mod labels;
mod landmarks;
mod link_ways;
mod mesh;
mod order;
mod reach;
mod relief;
mod rooms;
mod sources;
mod steps;
mod things;
mod tile_grounds;
mod vehicles;
mod vertices;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use zerocopy::IntoBytes;
use zerocopy::little_endian::{F64, U16, U32, U64};

use crate::blob::checksum;
use crate::header::{CHECKSUM_AT, HEADER_LEN, OLDEST, RawHeader};
use crate::labels::ground_of;
use crate::records::{AgentRecord, MarkerRecord, StringRef};
use crate::section::{REQUIRED, ROW_LEN, RawSection};
use crate::{Blob, BlobError, Grid, MAGIC, Section, SectionInfo, UpAxis, VERSION};

pub use areas::{AreaParts, WeightParts};
pub use districts::{DistrictParts, PlanParts};
pub use findings::{FindingsParts, with_findings};
pub use grid_map::GridMapParts;
pub use labels::{
    LabelParts, SquareParts, ViewCells, labels_bytes, squares_bytes, view_cells_bytes, views_bytes,
    with_labels,
};
pub use landmarks::{LandmarkParts, landmarks_bytes, with_landmarks};
pub use link_ways::with_link_ways;
pub use mesh::MeshParts;
pub use relief::ReliefParts;
pub use rooms::{RoomDoorParts, RoomParts, RoomsParts};
pub use sources::{ClassSources, SourcePart, with_sources};
pub use things::{ClosureParts, DoorParts, LinkParts, SwitchParts};
pub use tile_grounds::{SheetParts, TileGroundParts};
pub use vehicles::VehicleParts;

/// Everything that goes into a blob.
#[derive(Clone, Copy, Debug)]
pub struct BlobParts<'a> {
    /// A metre is `2^grid_bits` grid units; 4 to 14.
    pub grid_bits: u8,
    /// Where the grid's zero lies, y-up metres.
    pub origin: [f64; 3],
    /// The axis that pointed up in the input.
    pub up: UpAxis,
    /// Input units to metres.
    pub scale: f64,
    /// Hash of the canonical level.
    pub level_hash: [u8; 32],
    /// Hash of the settings that decide the result.
    pub config_hash: [u8; 32],
    /// Who the meshes are for.
    pub agents: &'a [AgentParts<'a>],
    /// Named points, kept in this order.
    pub markers: &'a [MarkerParts<'a>],
    /// What queries may say is closed; a switch's number is its place here.
    pub switches: &'a [SwitchParts<'a>],
    /// Kinds of ground; an area's id is its place here. None when nothing tells any apart.
    pub areas: &'a [AreaParts<'a>],
    /// What walking on them costs whom, in any order.
    pub weights: &'a [WeightParts<'a>],
    /// Objects of the level's file that triangles came from; see [`with_sources`].
    pub source_parts: &'a [SourcePart<'a>],
    /// The effective config without its defaults, TOML.
    pub config: &'a str,
    /// What the baker says about the bake; kept as it is.
    pub summary: &'a str,
    /// One navmesh an agent class.
    pub meshes: &'a [MeshParts<'a>],
    /// The grid map, when the level is one.
    pub grid_map: Option<GridMapParts<'a>>,
    /// Units that turn, with their tables.
    pub vehicles: &'a [VehicleParts<'a>],
    /// Tiles of navmeshes that vehicles drive on; none when the level is a grid map.
    pub tile_grounds: &'a [TileGroundParts<'a>],
    /// The number of each vehicle's among these.
    pub ground_of_vehicle: &'a [u16],
    /// Distances of links within rooms, a class an entry; see [`with_link_ways`].
    pub link_ways: &'a [Vec<f32>],
    /// Triangles of the level's file behind polygons.
    pub sources: &'a [ClassSources<'a>],
    /// Labels of corners, made on the same meshes.
    pub labels: &'a [LabelParts<'a>],
    /// Landmarks, made on the same meshes.
    pub landmarks: &'a [LandmarkParts<'a>],
    /// What the baker noticed, where it looked.
    pub findings: Option<FindingsParts<'a>>,
    /// Sections that this crate has no encoder for, sorted or not; their bytes are written as they are.
    pub others: &'a [OtherSection<'a>],
}

impl Default for BlobParts<'_> {
    fn default() -> Self {
        BlobParts {
            grid_bits: 10,
            origin: [0.0; 3],
            up: UpAxis::Y,
            scale: 1.0,
            level_hash: [0; 32],
            config_hash: [0; 32],
            agents: &[],
            markers: &[],
            switches: &[],
            areas: &[],
            weights: &[],
            source_parts: &[],
            config: "",
            summary: "",
            meshes: &[],
            grid_map: None,
            vehicles: &[],
            tile_grounds: &[],
            ground_of_vehicle: &[],
            link_ways: &[],
            sources: &[],
            labels: &[],
            landmarks: &[],
            findings: None,
            others: &[],
        }
    }
}

/// A kind of unit. Metres and degrees.
#[derive(Clone, Copy, Debug)]
pub struct AgentParts<'a> {
    /// The name that queries use.
    pub name: &'a str,
    /// The number of its mesh in [`BlobParts::meshes`].
    pub class: u16,
    /// Radius, m.
    pub radius: f64,
    /// Height, m.
    pub height: f64,
    /// The highest step it takes, m.
    pub climb: f64,
    /// The steepest ground it walks on, degrees.
    pub slope: f64,
}

/// A named point.
#[derive(Clone, Copy, Debug)]
pub struct MarkerParts<'a> {
    /// Its name.
    pub name: &'a str,
    /// In y-up metres.
    pub position: [f64; 3],
}

/// A section as it is.
#[derive(Clone, Copy, Debug)]
pub struct OtherSection<'a> {
    /// Its kind.
    pub section: Section,
    /// The agent class that it belongs to, 0 for sections of the whole blob.
    pub class: u16,
    /// Must a reader know it?
    pub required: bool,
    /// Bytes of a record, above 0.
    pub element_size: u16,
    /// All records.
    pub bytes: &'a [u8],
}

/// Why parts do not make a blob.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EncodeError {
    /// Two slices that belong together differ in length, or one is longer than the format can count.
    Length {
        /// Which.
        what: &'static str,
        /// Agent class, 0 for parts of the whole blob.
        class: u16,
        /// Its length.
        found: u64,
        /// The length that was expected, or the greatest.
        expected: u64,
    },
    /// An index is out of range.
    Index {
        /// In which slice.
        what: &'static str,
        /// Agent class.
        class: u16,
        /// At which place.
        at: u64,
        /// What stands there.
        found: u32,
        /// It must be less.
        limit: u64,
    },
    /// The blob that came out does not pass its own checks: polygons that are not convex, portals that are not mirrored and so on. Polygons
    /// are named by their place in the blob.
    Unsound(BlobError),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Length {
                what,
                class,
                found,
                expected,
            } => write!(
                f,
                "{what} of agent class {class}: {found} entries, expected {expected}; hand over slices that belong to one mesh"
            ),
            EncodeError::Index {
                what,
                class,
                at,
                found,
                limit,
            } => write!(
                f,
                "{what} of agent class {class}, entry {at}: {found}, expected less than {limit}; hand over slices that belong to one mesh"
            ),
            EncodeError::Unsound(e) => write!(f, "the parts do not make a sound navmesh: {e}"),
        }
    }
}

impl core::error::Error for EncodeError {}

/// A section on its way into the blob.
struct Draft {
    section: Section,
    class: u16,
    required: bool,
    element_size: u16,
    bytes: Vec<u8>,
}

impl Draft {
    fn of<T: IntoBytes + zerocopy::Immutable>(
        section: Section,
        class: u16,
        records: &[T],
    ) -> Draft {
        Draft {
            section,
            class,
            required: true,
            element_size: size_of::<T>() as u16, // records are a few bytes long
            bytes: records.as_bytes().to_vec(),
        }
    }
}

/// Makes a blob, and checks it with the reader's own eyes before it hands it over.
///
/// Polygons are put into the order of islands and of a Hilbert curve, and turned to begin with the corner of the least (x, z), vertices into the order in which polygons
/// first use them (those that none uses are dropped), islands are numbered by their first polygon. So ids differ from those of the
/// caller: read the blob to learn them.
///
/// # Errors
/// When the parts do not belong together or are no sound navmesh.
pub fn encode(parts: &BlobParts<'_>) -> Result<Vec<u8>, EncodeError> {
    let bytes = encode_unchecked(parts)?;
    Blob::open_checked(&bytes).map_err(EncodeError::Unsound)?;
    Ok(bytes)
}

/// As [`encode`], for those who validate the bytes themselves as they open them.
///
/// # Errors
/// When the parts do not belong together.
pub fn encode_unchecked(parts: &BlobParts<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut drafts = vec![];
    let mut strings = Strings::default();
    let mut agents = vec![];
    for a in parts.agents {
        agents.push(AgentRecord {
            name: strings.add(a.name, "agent name")?,
            class: U16::new(a.class),
            radius: F64::new(a.radius),
            height: F64::new(a.height),
            climb: F64::new(a.climb),
            slope: F64::new(a.slope),
        });
    }
    let mut markers = vec![];
    for m in parts.markers {
        markers.push(MarkerRecord {
            name: strings.add(m.name, "marker name")?,
            reserved: U16::new(0),
            position: m.position.map(F64::new),
        });
    }
    drafts.push(Draft::of(Section::AGENTS, 0, &agents));
    drafts.push(Draft::of(Section::MARKERS, 0, &markers));
    things::switches(parts.switches, &mut strings, &mut drafts)?;
    areas::of_blob(parts.areas, parts.weights, &mut strings, &mut drafts)?;
    sources::parts(parts.source_parts, &mut strings, &mut drafts)?;
    drafts.push(Draft::of(Section::CONFIG, 0, parts.config.as_bytes()));
    drafts.push(Draft::of(Section::SUMMARY, 0, parts.summary.as_bytes()));
    let mut numbers = vec![];
    for (class, m) in parts.meshes.iter().enumerate() {
        let class = u16::try_from(class).map_err(|_| EncodeError::Length {
            what: "meshes",
            class: 0,
            found: parts.meshes.len() as u64,
            expected: u16::MAX.into(),
        })?;
        numbers.push(mesh::encode(m, parts, class, &mut strings, &mut drafts)?);
    }
    rooms::likes(parts.meshes, &numbers, &mut drafts)?;
    vehicles::encode(parts.vehicles, &mut strings, &mut drafts)?;
    tile_grounds::encode(parts.tile_grounds, parts.ground_of_vehicle, &mut drafts)?;
    drafts.push(Draft::of(Section::STRINGS, 0, &strings.pool));
    if let Some(map) = &parts.grid_map {
        grid_map::encode(map, &mut drafts)?;
    }
    for o in parts.others {
        if o.element_size == 0 || o.bytes.len() % usize::from(o.element_size) != 0 {
            return Err(EncodeError::Length {
                what: "bytes of another section",
                class: o.class,
                found: o.bytes.len() as u64,
                expected: o.element_size.into(),
            });
        }
        drafts.push(Draft {
            section: o.section,
            class: o.class,
            required: o.required,
            element_size: o.element_size,
            bytes: o.bytes.to_vec(),
        });
    }
    let grid = Grid {
        bits: parts.grid_bits,
        origin: parts.origin,
    };
    link_ways::encode(parts.link_ways, &mut drafts);
    sources::encode(parts.sources, &mut drafts);
    labels::encode(&grid, parts.labels, &mut drafts);
    landmarks::encode(&grid, parts.landmarks, &mut drafts);
    if let Some(found) = &parts.findings {
        findings::encode(found, &mut drafts)?;
    }
    // What is empty is left out, but for the section that says that there is a class.
    drafts.retain(|d| !d.bytes.is_empty());
    drafts.sort_by_key(|d| (d.section, d.class));
    for d in &drafts {
        let count = d.bytes.len() / usize::from(d.element_size);
        if u32::try_from(count).is_err() {
            return Err(EncodeError::Length {
                what: "elements of a section",
                class: d.class,
                found: count as u64,
                expected: u32::MAX.into(),
            });
        }
    }
    Ok(assemble(parts, &drafts))
}

/// What a mesh's ground is known by, of its sections.
fn ground_of_drafts(grid: &Grid, class: u16, drafts: &[Draft]) -> u64 {
    let section = |section| {
        let mut all = drafts.iter().filter(|d| !d.bytes.is_empty());
        let own = all.find(|d| d.section == section && d.class == class)?;
        Some((own.element_size, own.bytes.as_slice()))
    };
    ground_of(grid.bits, section)
}

fn assemble(parts: &BlobParts<'_>, drafts: &[Draft]) -> Vec<u8> {
    let mut end = (HEADER_LEN + ROW_LEN * drafts.len()) as u64;
    let mut table = vec![];
    for d in drafts {
        let count = d.bytes.len() / usize::from(d.element_size);
        table.push(RawSection {
            kind: U16::new(d.section.0),
            class: U16::new(d.class),
            flags: U16::new(if d.required { REQUIRED } else { 0 }),
            element_size: U16::new(d.element_size),
            count: U32::new(count as u32), // checked above
        });
        end += d.bytes.len() as u64;
    }
    let header = RawHeader {
        magic: MAGIC,
        version: U32::new(VERSION),
        min_reader: U32::new(OLDEST),
        flags: U32::new(0),
        sections: U32::new(drafts.len() as u32),
        total_len: U64::new(end),
        checksum: U32::new(0),
        grid_bits: parts.grid_bits,
        up: parts.up.byte(),
        reserved: [0; 2],
        origin: parts.origin.map(F64::new),
        scale: F64::new(parts.scale),
        level_hash: parts.level_hash,
        config_hash: parts.config_hash,
    };
    let mut bytes = Vec::with_capacity(end as usize);
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(table.as_bytes());
    for d in drafts {
        bytes.extend_from_slice(&d.bytes);
    }
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The sections of a blob that are to stay.
fn drafts_of(blob: &Blob<'_>, stays: impl Fn(Section) -> bool) -> Vec<Draft> {
    let kept = blob.sections().filter(|info| stays(info.section));
    let draft = |info: SectionInfo| {
        let (_, bytes) = blob.section(info.section, info.class)?;
        Some(Draft {
            section: info.section,
            class: info.class,
            required: info.required,
            element_size: info.element_size,
            bytes: bytes.to_vec(),
        })
    };
    kept.filter_map(draft).collect()
}

/// A blob of the same level with these sections, checked as [`encode`] does.
fn rebuilt(blob: &Blob<'_>, mut drafts: Vec<Draft>) -> Result<Vec<u8>, EncodeError> {
    drafts.retain(|d| !d.bytes.is_empty());
    drafts.sort_by_key(|d| (d.section, d.class));
    let header = blob.header();
    let parts = BlobParts {
        grid_bits: header.grid.bits,
        origin: header.grid.origin,
        up: header.up,
        scale: header.scale,
        level_hash: header.level_hash,
        config_hash: header.config_hash,
        ..BlobParts::default()
    };
    let bytes = assemble(&parts, &drafts);
    Blob::open_checked(&bytes).map_err(EncodeError::Unsound)?;
    Ok(bytes)
}

/// The string pool; a name that is already there is not added again.
#[derive(Default)]
struct Strings {
    pool: Vec<u8>,
    known: Vec<(Vec<u8>, StringRef)>,
}

impl Strings {
    fn add(&mut self, name: &str, what: &'static str) -> Result<StringRef, EncodeError> {
        let key = |k: &(Vec<u8>, StringRef)| k.0.as_slice().cmp(name.as_bytes());
        let place = match self.known.binary_search_by(key) {
            Ok(i) => return Ok(self.known[i].1),
            Err(i) => i,
        };
        let length = |found: usize, expected: u64| EncodeError::Length {
            what,
            class: 0,
            found: found as u64,
            expected,
        };
        let len = u16::try_from(name.len()).map_err(|_| length(name.len(), u16::MAX.into()))?;
        let offset =
            u32::try_from(self.pool.len()).map_err(|_| length(self.pool.len(), u32::MAX.into()))?;
        let at = StringRef {
            offset: U32::new(offset),
            len: U16::new(len),
        };
        self.pool.extend_from_slice(name.as_bytes());
        self.known.insert(place, (name.as_bytes().to_vec(), at));
        Ok(at)
    }
}
