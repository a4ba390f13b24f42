//! Links of the chunks that are loaded, and between them.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use navbake_format::{FarLink, Link, LoadedDoorsLinks, NavMesh, PolyId, Seam};

use navbake_navmesh::{LinkStart, link_starts};

use super::{Loaded, Placed};
use crate::arena::Arena;

/// The links that begin in a chunk, and the ends of others in it. Polygons have their numbers of
/// now.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnLinks {
    links: Vec<OwnLink>,
    /// Polygons of the chunk that links can be taken from.
    holders: Vec<u32>,
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
    /// Its part of [`OwnLinks::holders`]; `None` where polygons of other chunks may be added.
    holders: Option<Range<usize>>,
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
            OwnLink { link, name, beyond, holders: None }
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
        let (polys, seams) = (mesh.polys(), mesh.seams());
        let is_at_side = |polygon| seams.find(polygon, |seam: Seam| seam.polygon).is_some();
        let (mut holders, mut of_link) = (Vec::new(), Vec::new());
        for own in &mut links {
            of_link.clear();
            polys.add_holders(0, (own.link.polygon.0 - first, own.link.from), &mut of_link);
            // A walk around the start leaves the chunk over a seam of such a polygon alone.
            if of_link.iter().all(|&(polygon, _)| !is_at_side(polygon)) {
                let begin = holders.len();
                holders.extend(of_link.iter().map(|(polygon, _)| polygon + first));
                own.holders = Some(begin..holders.len());
            }
        }
        OwnLinks { links, holders, ends }
    }

    /// Polygons and places where links to other chunks begin, and these chunks.
    pub(crate) fn exits(&self) -> impl Iterator<Item = (u32, [i32; 2], [i32; 2])> {
        let all = self.links.iter();
        all.filter_map(|own| Some((own.link.polygon.0, own.link.from, own.beyond?.1)))
    }
}

impl Loaded {
    /// The links that begin in a chunk and whose other end is loaded, by the polygon they begin
    /// on, and the polygons that each can be taken from where these are known.
    fn links_of<'a>(
        &'a self,
        placed: &'a Placed,
    ) -> impl Iterator<Item = (Link<'a>, Option<&'a [u32]>)> {
        let OwnLinks { links, holders, .. } = &placed.links;
        links.iter().filter_map(|own| {
            let holders = own.holders.clone().and_then(|range| holders.get(range));
            let link = Link { name: &own.name, ..own.link };
            let Some((number, key)) = own.beyond else {
                return Some((link, holders));
            };
            let other = self.placed[self.number(key)?].as_ref()?;
            let ends = &other.links.ends;
            let end = ends[ends.binary_search_by_key(&number, |end| end.number).ok()?];
            let is_its = end.from == placed.chunk.key;
            is_its.then_some((Link { beyond: end.polygon, to: end.at, ..link }, holders))
        })
    }

    /// Adds the links of chunks, which are sorted by polygon, to a list. Returns the fields of
    /// [`LinkStarts`](navbake_navmesh::LinkStarts). `units` is a metre in grid units.
    pub(super) fn list_links(
        &self,
        chunks: &[&Placed],
        list: &mut LoadedDoorsLinks,
        units: f64,
    ) -> (Arena<u32>, Arena<LinkStart>) {
        let polys = self.polys(0);
        let count = chunks.iter().map(|placed| placed.links.holders.len()).sum();
        let mut all = Vec::with_capacity(count);
        let links = chunks.iter().flat_map(|placed| self.links_of(placed));
        for (number, (link, holders)) in (0..).zip(links) {
            list.add_link(&link);
            match holders {
                Some(own) => all.extend(own.iter().map(|&polygon| (polygon, number))),
                None => polys.add_holders(number, (link.polygon.0, link.from), &mut all),
            }
        }
        let link = |number| list.link_start(number, units);
        let (starts, items) = link_starts(polys.len(), all, link);
        (Arena::from_iter(starts), Arena::from_iter(items))
    }
}
