//! Encodes a blob in two steps: the meshes, which can be searched at once, then all other sections.

use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::Grid;

use super::assemble::{assembled, checked, finish};
use super::error::EncodeError;
use super::mesh;
use super::parts::BlobParts;
use crate::blob::Blob;
use crate::decode::NavMeshBuf;
use crate::draft::{Draft, Drafts};
use crate::header::{MAGIC, OLDEST, RawHeader, VERSION};
use crate::section::Section;
use crate::sections::rooms::encode::{self as rooms, RoomNumbers};
use crate::sections::{
    agents, areas, findings, grid_map, labels, landmarks, networks, sources, switches,
    tile_grounds, vehicles,
};
use crate::strings::Strings;

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

/// The section of the names added up to now.
fn names(strings: &Strings) -> Draft<'static> {
    Draft::required(Section::STRINGS, 0, strings.pool.iter().copied())
}

/// A blob that is being written.
///
/// Some tables are the results of searches on the finished mesh. So an encoder encodes the meshes
/// once: [`Encoder::decode`] returns them as games search them, and [`Encoder::finish`] adds the
/// tables and writes the blob.
pub struct Encoder {
    header: RawHeader,
    drafts: Drafts<'static>,
    strings: Strings,
    /// Classes whose distances between doors are encoded.
    planned: Vec<bool>,
}

impl Encoder {
    /// Encodes agents, markers, switches, areas, source parts and meshes.
    ///
    /// Plans of rooms may be left out here and given to [`Encoder::finish`].
    ///
    /// # Errors
    /// When the parts do not belong together.
    pub fn new(parts: &BlobParts<'_>) -> Result<Encoder, EncodeError> {
        let mut drafts = vec![];
        let mut strings = Strings::default();
        let (text, all) = (&mut strings, &mut drafts);
        agents::encode(parts.agents, parts.markers, text, all)?;
        switches::encode(parts.switches, text, all)?;
        areas::encode(parts.areas, parts.weights, text, all)?;
        sources::encode_parts(parts.source_parts, text, all)?;
        let mut numbers: Vec<RoomNumbers> = vec![];
        for (class, m) in parts.meshes.iter().enumerate() {
            let class = u16::try_from(class).map_err(|_| {
                EncodeError::length("meshes", 0, parts.meshes.len(), u16::MAX.into())
            })?;
            numbers.push(mesh::encode(m, parts, class, text, all)?);
        }
        rooms::encode_likes(parts.meshes, &numbers, all)?;
        let header = RawHeader {
            magic: MAGIC,
            version: VERSION,
            min_reader: OLDEST,
            flags: 0,
            sections: 0,
            total_len: 0,
            checksum: 0,
            grid_bits: parts.grid_bits,
            up: parts.up.byte(),
            reserved: [0; 2],
            origin: parts.origin,
            scale: parts.scale,
            level_hash: parts.level_hash,
            config_hash: parts.config_hash,
        };
        let planned = vec![false; parts.meshes.len()];
        let mut encoder = Encoder { header, drafts, strings, planned };
        encoder.plans(parts)?;
        Ok(encoder)
    }

    /// Encodes the plans of rooms that were not encoded before.
    fn plans(&mut self, parts: &BlobParts<'_>) -> Result<(), EncodeError> {
        for ((class, mesh), planned) in (0u16..).zip(parts.meshes).zip(&mut self.planned) {
            if let Some(plan) = mesh.rooms.and_then(|r| r.plan).filter(|_| !*planned) {
                rooms::encode_plan(plan, class, &mut self.drafts)?;
                *planned = true;
            }
        }
        Ok(())
    }

    /// The meshes as they are now, decoded for searches. They are not validated.
    ///
    /// # Errors
    /// When a mesh cannot be searched: it has too many edges, or its height points have no
    /// triangles.
    pub fn decode(&mut self) -> Result<Vec<NavMeshBuf>, EncodeError> {
        self.drafts.push(names(&self.strings));
        let bytes = assembled(self.header, &mut self.drafts)?;
        self.drafts.retain(|d| d.section != Section::STRINGS);
        let blob = Blob::trusted(&bytes).map_err(EncodeError::Unsound)?;
        let decode = |class: u16| NavMeshBuf::new(&blob, class).map_err(EncodeError::Unsound);
        (0..blob.class_count()).map(decode).collect()
    }

    /// Adds all other parts and gives the bytes, which are not validated.
    ///
    /// `parts` are those of [`Encoder::new`] with further data; the encoder adds the sections that
    /// it has not encoded yet.
    ///
    /// # Errors
    /// When the parts do not belong together.
    pub fn finish(&mut self, parts: &BlobParts<'_>) -> Result<Vec<u8>, EncodeError> {
        self.plans(parts)?;
        let (text, all) = (&mut self.strings, &mut self.drafts);
        all.push(Draft::required(Section::CONFIG, 0, parts.config.bytes()));
        all.push(Draft::required(Section::SUMMARY, 0, parts.summary.bytes()));
        vehicles::encode(parts.vehicles, text, all)?;
        tile_grounds::encode(parts.tile_grounds, parts.ground_of_vehicle, all)?;
        if let Some(map) = &parts.grid_map {
            grid_map::encode(map, parts.agents.len(), all)?;
        }
        networks::encode(parts.networks, text, all)?;
        all.push(names(text));
        for o in parts.others {
            if o.element_size == 0 || o.bytes.len() % usize::from(o.element_size) != 0 {
                return Err(EncodeError::length(
                    "bytes of another section",
                    o.class,
                    o.bytes.len(),
                    o.element_size.into(),
                ));
            }
            all.push(Draft {
                required: o.required,
                ..Draft::bytes(o.section, o.class, o.element_size.into(), o.bytes.to_vec())
            });
        }
        rooms::encode_link_ways(parts.link_ways, all);
        sources::encode(parts.sources, all);
        labels::encode::encode(parts.labels, parts.grid_bits, all);
        landmarks::encode(parts.landmarks, parts.grid_bits, all);
        if let Some(found) = &parts.findings {
            let grid = Grid { bits: parts.grid_bits, origin: parts.origin };
            findings::encode(found, grid, all)?;
        }
        finish(self.header, all)
    }

    /// The first section that a blob does not have as it was encoded, and its agent class.
    pub fn difference(&self, blob: &Blob<'_>) -> Option<(Section, u16)> {
        let differs = |d: &&Draft<'_>| {
            let found = blob.section(d.section, d.class);
            !d.bytes.is_empty() && found.is_none_or(|(_, bytes)| *bytes != *d.bytes)
        };
        self.drafts.iter().find(differs).map(|d| (d.section, d.class))
    }
}
