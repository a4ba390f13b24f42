//! Links, by the polygons that they can be taken from.

use crate::PolyMesh;
use crate::record::Records;

crate::record! {
    /// A link as searches see it, in the list of a polygon that contains the place it begins at.
    #[derive(Debug, PartialEq)]
    pub struct LinkStart: 36 {
        /// Its number.
        pub number: u32,
        /// The polygon that it begins on. Others that contain the place on the same ground list
        /// it too.
        pub polygon: u32,
        /// Which agents may take it, a bit each.
        pub agents: u32,
        /// Where it begins, `[x, z]`, grid units.
        pub from: [i32; 2],
        /// Where it ends.
        pub to: [i32; 2],
        /// Grid units.
        pub cost: f64,
    }
}

/// The links of a mesh, by all polygons that contain the places they begin at.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkStarts<'a> {
    /// Where the list of each polygon begins, and where the last one ends; empty on a mesh
    /// without links.
    pub starts: Records<'a, u32>,
    /// The lists.
    pub items: Records<'a, LinkStart>,
}

impl<'a> LinkStarts<'a> {
    /// The links that begin on a polygon.
    #[inline]
    pub fn of(&self, polygon: u32) -> Records<'a, LinkStart> {
        let start = |p: usize| self.starts.get(p).map_or(0, |s| s as usize);
        if self.starts.is_empty() {
            return Records::default();
        }
        let at = polygon as usize;
        let list = self.items.slice(start(at)..start(at.wrapping_add(1)));
        list.unwrap_or_default()
    }
}

impl PolyMesh<'_> {
    /// Are the links those that `link` gives by number, each in the lists of the polygons that
    /// contain the place it begins at? Borders are known to be sound. O(links log links).
    pub fn has_sound_links(&self, count: u32, link: impl Fn(u32) -> Option<LinkStart>) -> bool {
        let (starts, items) = (self.links.starts, self.links.items);
        if count == 0 {
            return starts.is_empty() && items.is_empty();
        }
        let ends = [starts.first(), starts.last()];
        if starts.len() != self.polygons.len()
            || ends != [Some(0), u32::try_from(items.len()).ok()]
            || (1..starts.len()).any(|i| starts.at(i - 1) > starts.at(i))
        {
            return false;
        }
        for polygon in 0..self.len() {
            let list = self.links.of(polygon);
            if (1..list.len()).any(|i| list.at(i - 1).number >= list.at(i).number) {
                return false;
            }
        }
        let is_listed = |polygon: u32, link: &LinkStart| {
            let list = self.links.of(polygon);
            let found = list.find(link.number, |l: LinkStart| l.number);
            found.and_then(|i| list.get(i)) == Some(*link)
        };
        // As many entries as links need, so there are no others.
        let mut listed = 0;
        for number in 0..count {
            let Some(link) = link(number) else {
                return false;
            };
            let mut right = is_listed(link.polygon, &link);
            listed += 1;
            self.each_holder(
                link.polygon,
                link.from,
                |_| true,
                |_, _, edge| {
                    right &= is_listed(edge.neighbour, &link);
                    listed += 1;
                },
            );
            if !right || listed > items.len() {
                return false;
            }
        }
        listed == items.len()
    }
}
