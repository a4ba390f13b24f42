//! Links, by the polygons that they can be taken from.

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
