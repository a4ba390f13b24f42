//! Links of the chunks that are loaded, and between them.

use alloc::string::String;
use alloc::vec::Vec;

use navbake_format::{FarLink, Link, NavMesh, PolyId};

use super::{Loaded, Placed};
use crate::arena::Arena;

/// The links that begin in a chunk, and the ends of others in it. Polygons have their numbers of
/// now.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnLinks {
    links: Vec<OwnLink>,
    /// By number.
    ends: Vec<End>,
}

/// A link that begins in a chunk, and its name.
#[derive(Clone, Debug)]
struct OwnLink {
    /// Without a name; one to another chunk without its end.
    link: Link<'static>,
    name: String,
    /// Of a link to another chunk its number, and that chunk.
    beyond: Option<(u32, [i32; 2])>,
}

/// The end of a link from another chunk.
#[derive(Clone, Copy, Debug)]
struct End {
    number: u32,
    from: [i32; 2],
    polygon: PolyId,
    at: [i32; 2],
}

impl OwnLinks {
    /// Of a chunk whose first polygon has this number now.
    pub(crate) fn of(mesh: &NavMesh<'_>, first: u32) -> OwnLinks {
        let now = |polygon: PolyId| PolyId(polygon.0 + first);
        let own = |link: Link<'_>, beyond| {
            let name = link.name.into();
            let ends = (now(link.polygon), now(link.beyond));
            let link = Link { polygon: ends.0, beyond: ends.1, name: "", ..link };
            OwnLink { link, name, beyond }
        };
        let within = (0..mesh.link_count()).filter_map(|number| mesh.link(number));
        let mut links: Vec<OwnLink> = within.map(|link| own(link, None)).collect();
        let mut ends = Vec::new();
        for FarLink { number, ends_here, chunk, link } in mesh.far_links() {
            if ends_here {
                ends.push(End { number, from: chunk, polygon: now(link.polygon), at: link.to });
            } else {
                links.push(own(link, Some((number, chunk))));
            }
        }
        // In the order that searches expect; links of one polygon keep theirs.
        links.sort_by_key(|own| own.link.polygon);
        OwnLinks { links, ends }
    }

    /// Polygons and places where links to other chunks begin, and these chunks.
    pub(crate) fn exits(&self) -> impl Iterator<Item = (u32, [i32; 2], [i32; 2])> {
        let all = self.links.iter();
        all.filter_map(|own| Some((own.link.polygon.0, own.link.from, own.beyond?.1)))
    }
}

impl Loaded {
    /// The links that begin in a chunk and whose other end is loaded, by the polygon they begin on.
    pub(super) fn links_of<'a>(&'a self, placed: &'a Placed) -> impl Iterator<Item = Link<'a>> {
        placed.links.links.iter().filter_map(|own| {
            let link = Link { name: &own.name, ..own.link };
            let Some((number, key)) = own.beyond else {
                return Some(link);
            };
            let other = self.placed[self.number(key)?].as_ref()?;
            let ends = &other.links.ends;
            let end = ends[ends.binary_search_by_key(&number, |end| end.number).ok()?];
            let is_its = end.from == placed.chunk.key;
            is_its.then_some(Link { beyond: end.polygon, to: end.at, ..link })
        })
    }

    /// Lists the links of now by the polygons that they can be taken from.
    pub(super) fn list_links(&mut self) {
        (self.link_starts, self.link_items) = Default::default();
        let (starts, items) = self.mesh(0).link_starts();
        (self.link_starts, self.link_items) = (Arena::from_iter(starts), Arena::from_iter(items));
    }
}
