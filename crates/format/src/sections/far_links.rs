//! Links between two chunks of a world: the section `far-links`.
//!
//! The chunk in which a link begins has a record of it, and so has the chunk in which it ends: each
//! with the polygon on its own side. A world joins the two where both chunks are loaded.

use navbake_grid::PolyId;

use super::chunks::Chunk;
use super::doors_links::{Link, link_kind};
use super::switches::switch;
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::strings::StringRef;
use crate::{Blob, NavMesh, Section};

navbake_navmesh::record! {
    /// Section `far-links`.
    struct FarLinkRecord: 50 {
        number: u32, polygon: u32, at: [i32; 2], chunk: [i32; 2], cost: f64, width: f32,
        agents: u32, switch: u16, kind: u8, side: u8, name: StringRef,
    }
}

/// One end of a link between two chunks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarLink<'a> {
    /// The number of the link among those between chunks; both chunks have it.
    pub number: u32,
    /// Does the link end here, rather than begin?
    pub ends_here: bool,
    /// The chunk of the other end: column and row.
    pub chunk: [i32; 2],
    /// The link, with the end that is here in place of both.
    pub link: Link<'a>,
}

impl<'a> NavMesh<'a> {
    /// The ends of links between this chunk and others, by number; none in other files.
    pub fn far_links(&self) -> impl ExactSizeIterator<Item = FarLink<'a>> + use<'a> {
        let blob = self.blob;
        let all = blob.records::<FarLinkRecord>(Section::FAR_LINKS, self.class);
        all.iter().map(move |r| FarLink {
            number: r.number,
            ends_here: r.side == 1,
            chunk: r.chunk,
            link: Link {
                polygon: PolyId(r.polygon),
                beyond: PolyId(r.polygon),
                from: r.at,
                to: r.at,
                cost: r.cost,
                width: r.width,
                agents: r.agents,
                switch: switch(r.switch),
                kind: link_kind(r.kind),
                name: blob.name(r.name),
            },
        })
    }
}

/// Ends are on their polygons, and lead to other chunks.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let section = Section::FAR_LINKS;
    let chunks = blob.records::<Chunk>(Section::CHUNKS, 0);
    let Some(own) = chunks.first().filter(|own| chunks.len() == 1 && own.bytes == 0) else {
        return at.alone(blob, [section], "links to other chunks in the file of one chunk");
    };
    let mut last = None;
    for (it, r) in at.each(section, blob.records::<FarLinkRecord>(section, at.class).iter()) {
        it.refuse(last >= Some(r.number), r.number, "links sorted by number, each once")?;
        last = Some(r.number);
        it.refuse(r.side > 1, r.side, "0 for a link that begins here, 1 for one that ends here")?;
        it.refuse(r.chunk == own.key, r.chunk[0], "another chunk")?;
        it.link_end(mesh, r.polygon, r.at)?;
        it.link_terms(r.cost, r.width, r.kind)?;
        it.switch(blob, r.switch)?;
        it.name(blob, r.name)?;
    }
    Ok(())
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use super::super::switches::NO_SWITCH;
    use super::FarLinkRecord;
    use crate::draft::{Draft, Drafts};
    use crate::section::Section;
    use crate::strings::Strings;
    use crate::write::{EncodeError, MeshParts, Places};

    /// Links are put into the order of their numbers.
    pub(crate) fn encode(
        parts: &MeshParts<'_>,
        places: &Places,
        class: u16,
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let mut all = Vec::with_capacity(parts.far_links.len());
        for (i, far) in parts.far_links.iter().enumerate() {
            let (link, count) = (&far.link, places.polygons.len());
            let (polygon, at) = link.from;
            let lost = || EncodeError::index("far links", class, i, polygon, count);
            all.push(FarLinkRecord {
                number: far.number,
                polygon: *places.polygons.get(polygon as usize).ok_or_else(lost)?,
                at,
                chunk: far.chunk,
                cost: link.cost,
                width: link.width,
                agents: link.agents,
                switch: link.switch.unwrap_or(NO_SWITCH),
                kind: link.kind as u8,
                side: far.ends_here.into(),
                name: strings.add(link.name, "link name")?,
            });
        }
        all.sort_by_key(|l| l.number);
        drafts.push(Draft::optional(Section::FAR_LINKS, class, all));
        Ok(())
    }
}
