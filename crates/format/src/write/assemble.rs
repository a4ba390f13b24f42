//! Assembles the bytes of a file from sections.

use alloc::vec::Vec;

use super::error::EncodeError;
use crate::blob::Blob;
use crate::draft::{Draft, Drafts, assemble, seal};
use crate::header::{OLDEST, RawHeader, VERSION};
use crate::section::Section;
use crate::sections::labels::mesh_hash_of;

/// The hash of a mesh, by its drafts; see [`mesh_hash_of`].
pub(crate) fn mesh_hash_of_drafts(grid_bits: u8, class: u16, drafts: &[Draft<'_>]) -> u64 {
    mesh_hash_of(grid_bits, |section| {
        let mut all = drafts.iter().filter(|d| !d.bytes.is_empty());
        let own = all.find(|d| d.section == section && d.class == class)?;
        Some((own.element_size, &*own.bytes))
    })
}

/// Writes header, table and sections, sorted and without those that are empty. The checksum is 0.
pub(super) fn assembled(
    header: RawHeader,
    drafts: &mut Drafts<'_>,
) -> Result<Vec<u8>, EncodeError> {
    drafts.retain(|d| !d.bytes.is_empty());
    for d in &*drafts {
        let elements = d.bytes.len() / usize::from(d.element_size);
        u32::try_from(elements).map_err(|_| {
            let what = "elements of a section";
            EncodeError::length(what, d.class, elements, u32::MAX.into())
        })?;
    }
    Ok(assemble(header, drafts))
}

/// As [`assembled`], with the checksum.
pub(super) fn finish(header: RawHeader, drafts: &mut Drafts<'_>) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = assembled(header, drafts)?;
    seal(&mut bytes);
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
    fill: impl FnOnce(&Blob<'_>, &mut Drafts<'_>) -> Result<(), EncodeError>,
) -> Result<Vec<u8>, EncodeError> {
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let derived = [Section::LABELS, Section::LANDMARKS, Section::LINK_WAYS];
    if blob.is_unpacked() && derived.into_iter().any(&ours) {
        return Err(EncodeError::Unpacked);
    }
    let kept = blob.sections().filter(|info| !ours(info.section));
    let mut drafts: Drafts<'_> = kept.filter_map(|info| Draft::copy(&blob, info)).collect();
    fill(&blob, &mut drafts)?;
    let Some((header, _)) = RawHeader::split(bytes) else {
        return checked(bytes.to_vec());
    };
    let header = RawHeader { version: VERSION, min_reader: OLDEST, ..header };
    checked(finish(header, &mut drafts)?)
}
