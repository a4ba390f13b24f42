//! A packed tree of boxes over the polygons: the index for point location.
//!
//! Polygons are stored along a Hilbert curve, so each run of [`FANOUT`] of them is a leaf, and
//! leaves need no list of polygons. Level 0 has a box for each leaf, the level above a box for each
//! [`FANOUT`] boxes, up to one box. (Kamel and Faloutsos, Hilbert-packed R-trees.)

#[cfg(feature = "write")]
use core::array;

use navbake_grid::PolyId;
use navbake_navmesh::record::Records;

use crate::records::BoxRecord;

/// Children of a box.
pub const FANOUT: u32 = 8;

/// Enough levels for 2^32 polygons.
const MAX_LEVELS: usize = 11;

/// Boxes over polygons, read in place.
#[derive(Clone, Copy)]
pub struct SpatialIndex<'a> {
    nodes: Records<'a, BoxRecord>,
    polygons: u32,
    /// Where each level begins; `starts[levels]` is the number of boxes.
    starts: [u32; MAX_LEVELS + 1],
    levels: usize,
    /// The box around all.
    whole: Bounds,
    /// Of a mesh of several parts: the boxes of each, in the order of their polygons.
    parts: Records<'a, IndexPart>,
}

navbake_navmesh::record! {
    /// The boxes of a part of a mesh.
    #[derive(Debug, PartialEq, Eq)]
    pub struct IndexPart: 36 {
        /// Its first polygon, and how many there are.
        pub polygons: [u32; 2],
        /// Its first box; the number of boxes follows from that of the polygons.
        pub node: u32,
        /// Least x, y, z of its ground, grid units.
        pub least: [i32; 3],
        /// Greatest x, y, z.
        pub greatest: [i32; 3],
    }
}

/// Least and greatest corner of a box, closed, grid units.
pub(crate) type Bounds = [[i64; 3]; 2];

/// By how many bits coordinates are shortened, so that the whole extent fits into 16 bits after
/// rounding up.
pub(crate) fn shift(least: i32, greatest: i32) -> u32 {
    let extent = (i64::from(greatest) - i64::from(least)).max(0);
    let mut s = 0;
    while (extent + (1 << s) - 1) >> s > 0xFFFF {
        s += 1;
    }
    s
}

/// Decodes the extent of a box on one axis, relative to the box above.
#[inline]
fn decode(node: &BoxRecord, above: &Bounds, k: usize) -> [i64; 2] {
    let [least, greatest] = [above[0][k], above[1][k]];
    let part = |q: u8| ((greatest - least) * i64::from(q)) >> 8;
    [least + part(node.least[k]), greatest - part(node.greatest[k])]
}

/// The smallest box that can be encoded and that contains `inner`, a box within the box above.
#[cfg(feature = "write")]
pub(crate) fn quantized(inner: &Bounds, above: &Bounds) -> (BoxRecord, Bounds) {
    let part = |k: usize, inside: i64| {
        let whole = above[1][k] - above[0][k];
        let most = (inside * 256).checked_div(whole).unwrap_or(0);
        most.clamp(0, 255) as u8
    };
    let node = BoxRecord {
        least: array::from_fn(|k| part(k, inner[0][k] - above[0][k])),
        greatest: array::from_fn(|k| part(k, above[1][k] - inner[1][k])),
    };
    let sides: [[i64; 2]; 3] = array::from_fn(|k| decode(&node, above, k));
    (node, [sides.map(|s| s[0]), sides.map(|s| s[1])])
}

/// Where each level of the tree over `polygons` polygons begins, and the number of levels.
pub(crate) fn levels(polygons: u32) -> ([u32; MAX_LEVELS + 1], usize) {
    let mut starts = [0; MAX_LEVELS + 1];
    let (mut below, mut level) = (polygons, 0);
    while below > 0 && level < MAX_LEVELS && (level == 0 || below > 1) {
        below = below.div_ceil(FANOUT);
        starts[level + 1] = starts[level] + below;
        level += 1;
    }
    (starts, level)
}

impl<'a> SpatialIndex<'a> {
    pub(crate) fn new(
        nodes: Records<'a, BoxRecord>,
        polygons: usize,
        least: [i32; 3],
        greatest: [i32; 3],
    ) -> SpatialIndex<'a> {
        let polygons = u32::try_from(polygons).unwrap_or(u32::MAX);
        let (starts, levels) = levels(polygons);
        SpatialIndex {
            nodes,
            polygons,
            starts,
            levels,
            whole: [least.map(i64::from), greatest.map(i64::from)],
            parts: Records::default(),
        }
    }

    /// The boxes of several parts.
    pub(crate) fn of_parts(
        nodes: Records<'a, BoxRecord>,
        parts: Records<'a, IndexPart>,
    ) -> SpatialIndex<'a> {
        SpatialIndex { parts, ..SpatialIndex::new(nodes, 0, [0; 3], [0; 3]) }
    }

    /// The boxes of one of several parts.
    fn part(&self, part: &IndexPart) -> SpatialIndex<'a> {
        let count = levels(part.polygons[1]);
        let first = part.node as usize;
        let nodes = self.nodes.slice(first..first + count.0[count.1] as usize);
        let polygons = part.polygons[1] as usize;
        SpatialIndex::new(nodes.unwrap_or_default(), polygons, part.least, part.greatest)
    }

    /// The boxes as they are stored.
    #[doc(hidden)]
    pub fn nodes(&self) -> Records<'a, BoxRecord> {
        self.nodes
    }

    /// Number of boxes.
    pub fn node_count(&self) -> usize {
        self.starts.get(self.levels).map_or(0, |&n| n as usize)
    }

    /// Number of boxes of a level.
    fn level_len(&self, level: usize) -> u32 {
        self.starts[level + 1] - self.starts[level]
    }

    /// Calls `leaf` for every box of level 0, in order.
    pub(crate) fn for_each_leaf<E>(
        &self,
        mut leaf: impl FnMut(u32, Bounds) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut result = Ok(());
        self.walk([i64::MIN; 3], [i64::MAX; 3], |i, bounds| {
            if result.is_ok() {
                result = leaf(i, *bounds);
            }
        });
        result
    }

    /// Calls `found` for every polygon whose leaf box meets the closed box from `least` to
    /// `greatest` (grid units, any range), in order of their ids. Some of the polygons may be
    /// outside the box: this is a filter.
    pub fn for_each_in(&self, least: [i64; 3], greatest: [i64; 3], mut found: impl FnMut(PolyId)) {
        for part in self.parts.iter() {
            let meets = (0..3).all(|k| {
                i64::from(part.least[k]) <= greatest[k] && least[k] <= part.greatest[k].into()
            });
            if meets {
                let of_part = |p: PolyId| found(PolyId(p.0 + part.polygons[0]));
                self.part(&part).walk_polygons(least, greatest, of_part);
            }
        }
        self.walk_polygons(least, greatest, found);
    }

    fn walk_polygons(&self, least: [i64; 3], greatest: [i64; 3], mut found: impl FnMut(PolyId)) {
        self.walk(least, greatest, |i, _| {
            let first = i * FANOUT;
            let end = first.saturating_add(FANOUT).min(self.polygons);
            (first..end).for_each(|p| found(PolyId(p)));
        });
    }

    /// Calls `leaf` for every box of level 0 that meets the closed box, in order.
    #[inline]
    fn walk(&self, least: [i64; 3], greatest: [i64; 3], mut leaf: impl FnMut(u32, &Bounds)) {
        if self.levels == 0 {
            return;
        }
        // Boxes above the level that is looked at.
        let mut above = [self.whole; MAX_LEVELS + 1];
        let (mut level, mut i) = (self.levels - 1, 0u32);
        loop {
            let at = self.starts[level] as usize + i as usize;
            let mut bounds = [[0; 3]; 2];
            let meets = self.nodes.get(at).is_some_and(|node| {
                (0..3).all(|k| {
                    let [lo, hi] = decode(&node, &above[level + 1], k);
                    (bounds[0][k], bounds[1][k]) = (lo, hi);
                    lo <= greatest[k] && least[k] <= hi
                })
            });
            if meets && level > 0 {
                above[level] = bounds;
                level -= 1;
                i *= FANOUT;
                continue;
            }
            if meets {
                leaf(i, &bounds);
            }
            // On to the next box of this level below the same parent, else upwards.
            loop {
                i += 1;
                if i % FANOUT != 0 && i < self.level_len(level) {
                    break;
                }
                if level + 1 >= self.levels {
                    return;
                }
                i = (i - 1) / FANOUT;
                level += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_the_least_that_fit_sixteen_bits() {
        assert_eq!(shift(0, 0), 0);
        assert_eq!(shift(0, 65535), 0);
        assert_eq!(shift(0, 65536), 1);
        assert_eq!(shift(-(1 << 25) + 1, (1 << 25) - 1), 11);
        assert_eq!(shift(5, -5), 0);
    }

    #[test]
    fn the_tree_narrows_to_one_box() {
        assert_eq!(levels(0).1, 0);
        assert_eq!(levels(1).0[..2], [0, 1]);
        let (starts, n) = levels(150);
        assert_eq!((n, &starts[..4]), (3, &[0, 19, 22, 23][..]));
        let (starts, n) = levels(u32::MAX - 1);
        assert!(n <= MAX_LEVELS && starts[n] - starts[n - 1] == 1);
    }
}
