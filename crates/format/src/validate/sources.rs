//! What must hold of the triangles behind polygons.

use zerocopy::little_endian::U32;

use super::words::name;
use super::{Checked, Place};
use crate::packed_mesh::NavMeshView;
use crate::records::{SourcePartRecord, SourceRecord};
use crate::{Blob, Section};

/// Names of the file's objects.
pub(super) fn parts(blob: &Blob<'_>) -> Checked {
    let parts = blob.records::<SourcePartRecord>(Section::SOURCE_PARTS, 0);
    for (index, r) in (0u64..).zip(parts) {
        for text in [r.node, r.mesh, r.material] {
            name(blob, Section::SOURCE_PARTS, index, text)?;
        }
    }
    Ok(())
}

/// The triangles of a mesh.
pub(super) fn sources(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let parts = blob
        .records::<SourcePartRecord>(Section::SOURCE_PARTS, 0)
        .len();
    let ends = blob.records::<U32>(Section::SOURCE_ENDS, at.class);
    let all = blob.records::<SourceRecord>(Section::SOURCES, at.class);
    if ends.is_empty() && all.is_empty() {
        return Ok(());
    }
    if ends.len() != mesh.polygon_count() as usize {
        let expected = "an end for each polygon";
        return at.int(Section::SOURCE_ENDS, 0, ends.len() as i64, expected);
    }
    let mut last = 0;
    for (index, end) in (0u32..).zip(ends) {
        if end.get() < last || end.get() as usize > all.len() {
            let expected = "ends that do not fall, within the section sources";
            return at.int(Section::SOURCE_ENDS, index, end.get(), expected);
        }
        last = end.get();
    }
    if last as usize != all.len() {
        let expected = "as many elements as the last of source-ends says";
        return at.int(Section::SOURCES, last, all.len() as i64, expected);
    }
    for (index, r) in (0u32..).zip(all) {
        if r.part.get() as usize >= parts {
            let expected = "an element of source-parts";
            return at.int(Section::SOURCES, index, r.part.get(), expected);
        }
    }
    Ok(())
}
