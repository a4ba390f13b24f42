//! The triangles of the level file that polygons come from: `source-parts`, `source-ends` and
//! `sources`.

use navbake_grid::PolyId;

use crate::packed_mesh::NavMeshView;
use crate::place::{BLOB, Checked, Place};
use crate::strings::StringRef;
use crate::{Blob, CheckedBlob, NavMesh, Section};

navbake_navmesh::record! {
    /// Section `source-parts`.
    struct SourcePartRecord: 18 { node: StringRef, mesh: StringRef, material: StringRef }
}
navbake_navmesh::record! {
    /// Section `sources`.
    struct SourceRecord: 8 { part: u32, triangle: u32 }
}

/// A triangle of the level file behind a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The path of node names from the scene's root, joined by `/`; for OBJ the object or group.
    pub node: &'a str,
    /// The mesh, empty where the file's format has none.
    pub mesh: &'a str,
    /// The material, empty for none.
    pub material: &'a str,
    /// Its number among the triangles of that node, mesh and material, in file order, from 0.
    pub triangle: u32,
}

impl<'a> CheckedBlob<'a> {
    /// The triangles of the level file that a polygon's ground comes from, part by part.
    ///
    /// None unless the bake kept them (`sources` in the config), and on ground without a walkable
    /// triangle of the file, for example over low steps.
    pub fn sources(
        &self,
        mesh: &NavMesh<'_>,
        p: PolyId,
    ) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let blob = self.blob();
        let class = mesh.class();
        let ends = blob.records::<u32>(Section::SOURCE_ENDS, class);
        let end = |k: usize| ends.get(k).map_or(0, |e| e as usize);
        let from = p.index().checked_sub(1).map_or(0, end);
        let all = blob.records::<SourceRecord>(Section::SOURCES, class);
        let own = all.slice(from..end(p.index())).unwrap_or_default();
        let parts = blob.records::<SourcePartRecord>(Section::SOURCE_PARTS, 0);
        own.iter().filter_map(move |r| {
            let part = parts.get(r.part as usize)?;
            Some(Source {
                node: blob.name(part.node),
                mesh: blob.name(part.mesh),
                material: blob.name(part.material),
                triangle: r.triangle,
            })
        })
    }
}

/// Names of the file's objects.
pub(crate) fn check_parts(blob: &Blob<'_>) -> Checked {
    let section = Section::SOURCE_PARTS;
    for (it, r) in BLOB.each(section, blob.records::<SourcePartRecord>(section, 0).iter()) {
        for text in [r.node, r.mesh, r.material] {
            it.name(blob, text)?;
        }
    }
    Ok(())
}

/// Each polygon has a run of triangles, of parts that exist.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let parts = blob.records::<SourcePartRecord>(Section::SOURCE_PARTS, 0).len();
    let ends = blob.records::<u32>(Section::SOURCE_ENDS, at.class);
    let all = blob.records::<SourceRecord>(Section::SOURCES, at.class);
    if ends.is_empty() && all.is_empty() {
        return Ok(());
    }
    if ends.len() != mesh.polygon_count() as usize {
        let expected = "an end for each polygon";
        return at.fail(Section::SOURCE_ENDS, 0, ends.len(), expected);
    }
    let expected = "ends that do not fall, within the section sources";
    let last = at.ends(Section::SOURCE_ENDS, ends, all.len(), expected, |_, _| Ok(()))?;
    let expected = "as many elements as the last of source-ends says";
    at.refuse(last != all.len(), Section::SOURCES, last, all.len(), expected)?;
    for (it, r) in at.each(Section::SOURCES, all.iter()) {
        it.refuse(r.part as usize >= parts, r.part, "an element of source-parts")?;
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::{ClassSources, SourcePart};
#[cfg(feature = "write")]
pub(crate) use encoder::{encode, encode_parts};

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use super::{SourcePartRecord, SourceRecord};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::EncodeError;

    /// An object of the level file.
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
        /// The agent class of the mesh.
        pub class: u16,
        /// Where those of each polygon end, by the ids of the blob.
        pub ends: &'a [u32],
        /// An index into [`source_parts`](crate::write::BlobParts::source_parts), and the
        /// triangle's number among those of the part.
        pub triangles: &'a [(u32, u32)],
    }

    pub(crate) fn encode_parts(
        parts: &[SourcePart<'_>],
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let mut records = Vec::with_capacity(parts.len());
        for part in parts {
            records.push(SourcePartRecord {
                node: strings.add(part.node, "node name")?,
                mesh: strings.add(part.mesh, "mesh name")?,
                material: strings.add(part.material, "material name")?,
            });
        }
        drafts.push(Draft::optional(Section::SOURCE_PARTS, 0, records));
        Ok(())
    }

    pub(crate) fn encode(sources: &[ClassSources<'_>], drafts: &mut Drafts<'_>) {
        for own in sources.iter().filter(|own| !own.triangles.is_empty()) {
            let ends = own.ends.iter().copied();
            drafts.push(Draft::optional(Section::SOURCE_ENDS, own.class, ends));
            let record = |&(part, triangle): &(u32, u32)| SourceRecord { part, triangle };
            let triangles = own.triangles.iter().map(record);
            drafts.push(Draft::optional(Section::SOURCES, own.class, triangles));
        }
    }
}
