//! Triangles of the level's file behind polygons, added to a blob: they are found on the very mesh that it holds.

use alloc::vec::Vec;

use zerocopy::little_endian::U32;

use super::{Draft, EncodeError, Strings, drafts_of, rebuilt};
use crate::records::{SourcePartRecord, SourceRecord};
use crate::{Blob, Section};

/// An object of the level's file.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourcePart<'a> {
    /// The path of node names, or the OBJ object or group.
    pub node: &'a str,
    /// Its mesh.
    pub mesh: &'a str,
    /// Its material.
    pub material: &'a str,
}

/// The triangles behind the polygons of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassSources<'a> {
    /// The mesh that they are of.
    pub class: u16,
    /// Where those of each polygon end, by the ids of the blob.
    pub ends: &'a [u32],
    /// An index into [`super::BlobParts::source_parts`], and the triangle's number among those of the part.
    pub triangles: &'a [(u32, u32)],
}

/// The section of the blob.
pub(super) fn parts(
    parts: &[SourcePart<'_>],
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let mut records = Vec::with_capacity(parts.len());
    for part in parts {
        records.push(SourcePartRecord {
            node: strings.add(part.node, "node name")?,
            mesh: strings.add(part.mesh, "mesh name")?,
            material: strings.add(part.material, "material name")?,
        });
    }
    drafts.push(Draft {
        required: false,
        ..Draft::of(Section::SOURCE_PARTS, 0, &records)
    });
    Ok(())
}

/// The blob with these triangles behind its polygons, in place of all that it has.
///
/// # Errors
/// When the blob or what is added is unsound.
pub fn with_sources(bytes: &[u8], sources: &[ClassSources<'_>]) -> Result<Vec<u8>, EncodeError> {
    let is_source = |s: Section| (Section::SOURCE_ENDS..=Section::SOURCES).contains(&s);
    let blob = Blob::open(bytes).map_err(EncodeError::Unsound)?;
    let mut drafts = drafts_of(&blob, |s| !is_source(s));
    encode(sources, &mut drafts);
    rebuilt(&blob, drafts)
}

pub(super) fn encode(sources: &[ClassSources<'_>], drafts: &mut Vec<Draft>) {
    for own in sources {
        let ends: Vec<U32> = own.ends.iter().map(|&n| U32::new(n)).collect();
        let record = |&(part, triangle): &(u32, u32)| SourceRecord {
            part: U32::new(part),
            triangle: U32::new(triangle),
        };
        let triangles: Vec<SourceRecord> = own.triangles.iter().map(record).collect();
        if triangles.is_empty() {
            continue;
        }
        for draft in [
            Draft::of(Section::SOURCE_ENDS, own.class, &ends),
            Draft::of(Section::SOURCES, own.class, &triangles),
        ] {
            // Whoever does not know them has no use for them.
            drafts.push(Draft {
                required: false,
                ..draft
            });
        }
    }
}
