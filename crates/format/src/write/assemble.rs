//! Assembles the bytes of a file from sections.

use alloc::vec;
use alloc::vec::Vec;

use navbake_navmesh::record::Record;

use super::draft::Draft;
use super::error::EncodeError;
use crate::blob::{Blob, SectionInfo};
use crate::checksum::checksum;
use crate::header::{CHECKSUM_AT, MAGIC, OLDEST, RawHeader, UpAxis, VERSION};
use crate::section::{REQUIRED, ROW_LEN, RawSection, Section};
use crate::sections::labels::mesh_hash_of;

/// The hash of a mesh, by its drafts; see [`mesh_hash_of`].
pub(crate) fn mesh_hash_of_drafts(grid_bits: u8, class: u16, drafts: &[Draft]) -> u64 {
    mesh_hash_of(grid_bits, |section| {
        let mut all = drafts.iter().filter(|d| !d.bytes.is_empty());
        let own = all.find(|d| d.section == section && d.class == class)?;
        Some((own.element_size, own.bytes.as_slice()))
    })
}

/// The fields of the header that an encoder sets.
pub(super) struct Header {
    pub(super) grid_bits: u8,
    pub(super) origin: [f64; 3],
    pub(super) up: UpAxis,
    pub(super) scale: f64,
    pub(super) level_hash: [u8; 32],
    pub(super) config_hash: [u8; 32],
}

/// Writes header, table and sections, sorted and without those that are empty. The checksum is 0.
pub(super) fn assemble(header: &Header, drafts: &mut Vec<Draft>) -> Result<Vec<u8>, EncodeError> {
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
pub(super) fn finish(header: &Header, drafts: &mut Vec<Draft>) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = assemble(header, drafts)?;
    let sum = checksum(&bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&sum.to_le_bytes());
    Ok(bytes)
}

/// The bytes, once they are found sound.
pub(super) fn checked(bytes: Vec<u8>) -> Result<Vec<u8>, EncodeError> {
    Blob::open_checked(&bytes).map_err(EncodeError::Unsound)?;
    Ok(bytes)
}

/// A blob with some of its sections replaced, validated as by [`encode`](super::encode).
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
