//! Links, by the polygons that they can be taken from.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

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

/// The fields of [`LinkStarts`] for a mesh with this number of polygons. `holders` are pairs of a
/// polygon and a link that can be taken from it ([`add_holders`](crate::PolyMesh::add_holders));
/// `link` gives a link by its number.
///
/// O(polygons + pairs log pairs); pairs that are nearly sorted take less.
#[cfg(feature = "alloc")]
pub fn link_starts(
    polygons: u32,
    mut holders: Vec<(u32, u32)>,
    link: impl Fn(u32) -> Option<LinkStart>,
) -> (Vec<u32>, Vec<LinkStart>) {
    // This sort is fast where links are sorted by polygon.
    holders.sort();
    let mut starts = Vec::new();
    if !holders.is_empty() {
        starts.resize(polygons as usize + 1, holders.len() as u32);
        // Filled in blocks, since most polygons have no link.
        let mut next = 0;
        for (number, (polygon, _)) in (0u32..).zip(&holders) {
            let polygon = *polygon as usize;
            if let Some(before) = starts.get_mut(next..=polygon) {
                before.fill(number);
                next = polygon + 1;
            }
        }
    }
    (starts, holders.into_iter().filter_map(|(_, number)| link(number)).collect())
}
