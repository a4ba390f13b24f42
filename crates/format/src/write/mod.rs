//! The encoder: plain slices to the bytes of a blob.
//!
//! The same parts give the same bytes, whatever the order of polygons and vertices.

mod boxes;
mod edges;
mod encoder;
mod mesh;
mod order;
mod relief;
mod vertices;

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use navbake_navmesh::record::Record;

use crate::VERSION;
use crate::blob::checksum;
use crate::header::{CHECKSUM_AT, OLDEST, RawHeader};
use crate::section::{REQUIRED, ROW_LEN, RawSection};
use crate::sections::labels::mesh_hash_of;
use crate::{Agent, Area, Blob, BlobError, MAGIC, Marker, Section, SectionInfo, Switch, UpAxis};

pub(crate) use mesh::{Stored, renumber};

pub use crate::Switch as SwitchParts;
pub use crate::sections::areas::WeightParts;
pub use crate::sections::clusters::{ClusterParts, PlanParts};
pub use crate::sections::doors_links::{ClosureParts, DoorParts, LinkParts};
pub use crate::sections::findings::{FindingsParts, with_findings};
pub use crate::sections::grid_map::GridMapParts;
pub use crate::sections::labels::{
    LabelParts, SquareParts, ViewCells, labels_bytes, replace_labels, squares_bytes,
    view_cells_bytes, views_bytes,
};
pub use crate::sections::landmarks::{LandmarkParts, landmarks_bytes, replace_landmarks};
pub use crate::sections::rooms::{RoomDoorParts, RoomParts, RoomsParts, with_link_ways};
pub use crate::sections::sources::{ClassSources, SourcePart, with_sources};
pub use crate::sections::tile_grounds::{SheetParts, TileGroundParts};
pub use crate::sections::vehicles::VehicleParts;
pub use crate::{Agent as AgentParts, Area as AreaParts, Marker as MarkerParts};
pub use encoder::Encoder;
pub use mesh::MeshParts;
pub use relief::ReliefParts;

/// Everything that goes into a blob.
#[derive(Clone, Copy, Debug)]
pub struct BlobParts<'a> {
    /// A metre is `2^grid_bits` grid units; 4 to 14.
    pub grid_bits: u8,
    /// The origin of the grid, y-up metres.
    pub origin: [f64; 3],
    /// The axis that pointed up in the input.
    pub up: UpAxis,
    /// Input units to metres.
    pub scale: f64,
    /// Hash of the canonical level.
    pub level_hash: [u8; 32],
    /// Hash of the settings that decide the result.
    pub config_hash: [u8; 32],
    /// Agents that the meshes are for.
    pub agents: &'a [Agent<'a>],
    /// Named points, kept in this order.
    pub markers: &'a [Marker<'a>],
    /// Switches; a switch's number is its place here.
    pub switches: &'a [Switch<'a>],
    /// Area types; an area's id is its place here. None when all ground is the same.
    pub areas: &'a [Area<'a>],
    /// Costs of areas, by name and agent, in any order.
    pub weights: &'a [WeightParts<'a>],
    /// Objects of the level's file that triangles came from; see [`with_sources`].
    pub source_parts: &'a [SourcePart<'a>],
    /// The effective config without its defaults, TOML.
    pub config: &'a str,
    /// A summary of the bake.
    pub summary: &'a str,
    /// One navmesh an agent class.
    pub meshes: &'a [MeshParts<'a>],
    /// The grid map, when the level is one.
    pub grid_map: Option<GridMapParts<'a>>,
    /// Vehicles, with their tables.
    pub vehicles: &'a [VehicleParts<'a>],
    /// Tiles that vehicles drive on; none when the level is a grid map.
    pub tile_grounds: &'a [TileGroundParts<'a>],
    /// The number of each vehicle's among these.
    pub ground_of_vehicle: &'a [u16],
    /// Distances of links within rooms, a class an entry; see [`with_link_ways`].
    pub link_ways: &'a [Vec<f32>],
    /// Triangles of the level file behind polygons; see [`with_sources`].
    pub sources: &'a [ClassSources<'a>],
    /// Labels of corners, made for the same meshes; see [`replace_labels`].
    pub labels: &'a [LabelParts<'a>],
    /// Landmarks, made for the same meshes; see [`replace_landmarks`].
    pub landmarks: &'a [LandmarkParts<'a>],
    /// Diagnostics of the bake, where it looked for any.
    pub findings: Option<FindingsParts<'a>>,
    /// Sections without an encoder, in any order; their bytes are written as they are.
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

/// A section whose bytes are written as they are.
#[derive(Clone, Copy, Debug)]
pub struct OtherSection<'a> {
    /// Its kind.
    pub section: Section,
    /// The agent class that it belongs to, 0 for sections of the whole blob.
    pub class: u16,
    /// A reader that does not know it must refuse the blob.
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
    /// Two slices that belong together differ in length, or one is longer than the format allows.
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
        /// The value found.
        found: u32,
        /// It must be less.
        limit: u64,
    },
    /// The blob does not pass validation: polygons are not convex, portals are not mirrored and so
    /// on. Polygons are named by their place in the blob.
    Unsound(BlobError),
    /// The file is unpacked: its layout depends on the sections to replace.
    Unpacked,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Length { what, class, found, expected } => write!(
                f,
                "{what} of agent class {class}: {found} entries, expected {expected}; hand over slices that belong to one mesh"
            ),
            EncodeError::Index { what, class, at, found, limit } => write!(
                f,
                "{what} of agent class {class}, entry {at}: {found}, expected less than {limit}; hand over slices that belong to one mesh"
            ),
            EncodeError::Unsound(e) => write!(f, "the parts do not make a sound navmesh: {e}"),
            EncodeError::Unpacked => f.write_str(
                "the file is unpacked, and its layout depends on what is replaced; replace it in the packed file, and unpack that again",
            ),
        }
    }
}

impl core::error::Error for EncodeError {}

impl EncodeError {
    pub(crate) fn length(what: &'static str, class: u16, found: usize, expected: u64) -> Self {
        EncodeError::Length { what, class, found: found as u64, expected }
    }

    pub(crate) fn index(
        what: &'static str,
        class: u16,
        at: usize,
        found: u32,
        limit: usize,
    ) -> Self {
        EncodeError::Index { what, class, at: at as u64, found, limit: limit as u64 }
    }
}

/// A count that the format holds in 32 bits.
pub(crate) fn count(what: &'static str, found: usize) -> Result<u32, EncodeError> {
    u32::try_from(found).map_err(|_| EncodeError::length(what, 0, found, u32::MAX.into()))
}

/// Where polygons and edges of a caller's mesh are stored.
pub(crate) struct Places {
    /// For each of the caller's polygons its number.
    pub(crate) polygons: Vec<u32>,
    /// For each of the caller's edges: its polygon's number, and its own in there.
    pub(crate) edges: Vec<(u32, u32)>,
}

impl Places {
    /// Where a portal is stored, on the side of the polygon with the lesser number.
    pub(crate) fn portal(&self, parts: &MeshParts<'_>, edge: u32) -> Option<(u32, u32)> {
        let place = *self.edges.get(edge as usize)?;
        let other = other_side(parts, edge).and_then(|e| self.edges.get(e as usize));
        Some(other.map_or(place, |&other| other.min(place)))
    }
}

/// The edge of the neighbour that leads back through a portal.
fn other_side(parts: &MeshParts<'_>, edge: u32) -> Option<u32> {
    let at = |e: u32| {
        let [x, _, z] = parts.vertices[parts.corners[e as usize] as usize];
        [x, z]
    };
    let polygon = parts.first_edge.partition_point(|&first| first <= edge) - 1;
    let edges = |p: usize| parts.first_edge[p]..parts.first_edge[p + 1];
    let end = |e: u32, p: usize| match e + 1 < parts.first_edge[p + 1] {
        true => e + 1,
        false => parts.first_edge[p],
    };
    let beyond = parts.neighbours[edge as usize];
    if beyond == navbake_grid::NONE {
        return None;
    }
    let (from, to) = (at(edge), at(end(edge, polygon)));
    let beyond = beyond as usize;
    edges(beyond).find(|&e| at(e) == to && at(end(e, beyond)) == from)
}

/// A section to be written.
pub(crate) struct Draft {
    pub(crate) section: Section,
    pub(crate) class: u16,
    pub(crate) required: bool,
    element_size: u16,
    pub(crate) bytes: Vec<u8>,
}

impl Draft {
    /// A section that a reader must know.
    pub(crate) fn required<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft {
        Draft { required: true, ..Draft::optional(section, class, records) }
    }

    /// A section that a reader may do without.
    pub(crate) fn optional<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft {
        let mut bytes = vec![];
        for record in records {
            bytes.extend_from_slice(record.to_bytes().as_ref());
        }
        Draft::bytes(section, class, R::SIZE, bytes)
    }

    /// An optional section of whole numbers in `size` bytes each, 1, 2 or 4.
    pub(crate) fn numbers(
        section: Section,
        class: u16,
        size: usize,
        numbers: impl IntoIterator<Item = u32>,
    ) -> Draft {
        let mut bytes = vec![];
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes()[..size]);
        }
        Draft::bytes(section, class, size, bytes)
    }

    /// An optional section of records of `size` bytes each.
    pub(crate) fn bytes(section: Section, class: u16, size: usize, bytes: Vec<u8>) -> Draft {
        Draft {
            section,
            class,
            required: false,
            element_size: size as u16, // records are a few bytes long
            bytes,
        }
    }
}

/// Encodes a blob and validates it.
///
/// Polygons are put into the order of islands and of a Hilbert curve, and begin with the corner of
/// the least (x, z). Vertices are put into the order in which polygons first use them; those that
/// none uses are dropped. Islands are numbered by their first polygon. So ids differ from those of
/// the caller: read the blob to learn them.
///
/// # Errors
/// When the parts do not belong together or are no sound navmesh.
pub fn encode(parts: &BlobParts<'_>) -> Result<Vec<u8>, EncodeError> {
    checked(Encoder::new(parts)?.finish(parts)?)
}

/// The hash of a mesh, by its drafts; see [`mesh_hash_of`].
pub(crate) fn mesh_hash_of_drafts(grid_bits: u8, class: u16, drafts: &[Draft]) -> u64 {
    mesh_hash_of(grid_bits, |section| {
        let mut all = drafts.iter().filter(|d| !d.bytes.is_empty());
        let own = all.find(|d| d.section == section && d.class == class)?;
        Some((own.element_size, own.bytes.as_slice()))
    })
}

/// What an encoder decides of the header.
struct Header {
    grid_bits: u8,
    origin: [f64; 3],
    up: UpAxis,
    scale: f64,
    level_hash: [u8; 32],
    config_hash: [u8; 32],
}

/// Writes header, table and sections, sorted and without those that are empty. The checksum is 0.
fn assemble(header: &Header, drafts: &mut Vec<Draft>) -> Result<Vec<u8>, EncodeError> {
    drafts.retain(|d| !d.bytes.is_empty());
    drafts.sort_by_key(|d| (d.section, d.class));
    let mut end = (RawHeader::SIZE + ROW_LEN * drafts.len()) as u64;
    let mut table = vec![];
    for d in &*drafts {
        let elements = d.bytes.len() / usize::from(d.element_size);
        let count = u32::try_from(elements).map_err(|_| {
            let what = "elements of a section";
            EncodeError::length(what, d.class, elements, u32::MAX.into())
        })?;
        let row = RawSection {
            kind: d.section.0,
            class: d.class,
            flags: if d.required { REQUIRED } else { 0 },
            element_size: d.element_size,
            count,
        };
        table.extend_from_slice(&row.to_bytes());
        end += d.bytes.len() as u64;
    }
    let header = RawHeader {
        magic: MAGIC,
        version: VERSION,
        min_reader: OLDEST,
        flags: 0,
        sections: drafts.len() as u32,
        total_len: end,
        checksum: 0,
        grid_bits: header.grid_bits,
        up: header.up.byte(),
        reserved: [0; 2],
        origin: header.origin,
        scale: header.scale,
        level_hash: header.level_hash,
        config_hash: header.config_hash,
    };
    let mut bytes = Vec::with_capacity(end as usize);
    bytes.extend_from_slice(&header.to_bytes());
    bytes.extend_from_slice(&table);
    for d in &*drafts {
        bytes.extend_from_slice(&d.bytes);
    }
    Ok(bytes)
}

/// As [`assemble`], with the checksum.
fn finish(header: &Header, drafts: &mut Vec<Draft>) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = assemble(header, drafts)?;
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// The bytes, once they are found sound.
fn checked(bytes: Vec<u8>) -> Result<Vec<u8>, EncodeError> {
    Blob::open_checked(&bytes).map_err(EncodeError::Unsound)?;
    Ok(bytes)
}

/// A blob with some of its sections replaced, validated as by [`encode`].
///
/// `ours` are the sections that are left out, `fill` adds others.
pub(crate) fn replaced(
    bytes: &[u8],
    ours: impl Fn(Section) -> bool,
    fill: impl FnOnce(&Blob<'_>, &mut Vec<Draft>) -> Result<(), EncodeError>,
) -> Result<Vec<u8>, EncodeError> {
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let derived = [Section::LABELS, Section::LANDMARKS, Section::LINK_WAYS];
    if blob.is_unpacked() && derived.into_iter().any(&ours) {
        return Err(EncodeError::Unpacked);
    }
    let kept = blob.sections().filter(|info| !ours(info.section));
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
    let mut drafts: Vec<Draft> = kept.filter_map(draft).collect();
    fill(&blob, &mut drafts)?;
    let header = blob.header();
    let header = Header {
        grid_bits: header.grid.bits,
        origin: header.grid.origin,
        up: header.up,
        scale: header.scale,
        level_hash: header.level_hash,
        config_hash: header.config_hash,
    };
    checked(finish(&header, &mut drafts)?)
}
