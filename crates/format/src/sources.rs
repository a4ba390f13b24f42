//! Where the ground of a polygon comes from: triangles of the level's file, where the bake was asked to keep that.

use navbake_grid::PolyId;
use zerocopy::little_endian::U32;

use crate::records::{SourcePartRecord, SourceRecord, StringRef};
use crate::{Blob, CheckedBlob, NavMeshView, Section};

/// A triangle of the level's file behind a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The path of node names from the scene's root, joined by `/`; for OBJ the object or group.
    pub node: &'a str,
    /// The mesh, empty where the file's format has none.
    pub mesh: &'a str,
    /// The material, empty for none.
    pub material: &'a str,
    /// Its number among the triangles of that node, mesh and material, in the order of the file, from 0.
    pub triangle: u32,
}

impl<'a> CheckedBlob<'a> {
    /// The triangles of the level's file that a polygon's ground is, part by part. None where the bake was not asked to keep them (`sources` in the config), and on
    /// ground that no walkable triangle of the file lies at: over low steps, say.
    pub fn sources(
        &self,
        mesh: &NavMeshView<'_>,
        p: PolyId,
    ) -> impl Iterator<Item = Source<'a>> + use<'a> {
        let blob = self.blob();
        let class = mesh.class();
        let ends = blob.records::<U32>(Section::SOURCE_ENDS, class);
        let end = |k: usize| ends.get(k).map_or(0, |e| e.get() as usize);
        let from = p.index().checked_sub(1).map_or(0, end);
        let all = blob.records::<SourceRecord>(Section::SOURCES, class);
        let own = all.get(from..end(p.index())).unwrap_or(&[]);
        let parts = blob.records::<SourcePartRecord>(Section::SOURCE_PARTS, 0);
        own.iter().filter_map(move |r| {
            let part = parts.get(r.part.get() as usize)?;
            Some(Source {
                node: name(&blob, part.node),
                mesh: name(&blob, part.mesh),
                material: name(&blob, part.material),
                triangle: r.triangle.get(),
            })
        })
    }
}

fn name<'a>(blob: &Blob<'a>, at: StringRef) -> &'a str {
    blob.string(at).unwrap_or("")
}
