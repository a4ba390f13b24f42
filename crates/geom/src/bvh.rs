//! A bounding volume hierarchy over boxes in space.
//!
//! Boxes are sorted along a Morton curve through their centres, which fills one half of each cube
//! before the other (G. M. Morton, "A computer oriented geodetic data base", 1966). The halves are
//! the tree (C. Lauterbach and others, "Fast BVH construction on GPUs", 2009), written depth first
//! into one array. A hull knows where its subtree ends, so a search is one loop without a stack:
//!
//! ```text
//!   hull A   hull B   b0 b1 b2   hull C   b3 b4   hull D ...
//!     |        `--- misses: skip to ---^ C                ^
//!     `--- misses: skip to D -----------------------------'
//! ```

use crate::{PackedBox, sort_by_digits};

/// A bounding volume hierarchy over packed boxes.
///
/// Built in O(n) after a radix sort; a search takes O(log n + found) for boxes that are small
/// beside the area.
#[derive(Debug, Default)]
pub struct Bvh {
    /// Boxes, each group behind its hull. A hull has the mark [`HULL`], and its index is that of
    /// the first node after its subtree.
    nodes: Vec<PackedBox>,
}

/// Marks hulls.
const HULL: u32 = u32::MAX;
/// The greatest number of boxes in a leaf.
const GROUP: usize = 8;
/// Bits of a coordinate on the curve.
const BITS: u32 = 10;

impl Bvh {
    /// A tree over the boxes that `order` names, a part of [`morton_order`] in its order.
    ///
    /// Marks of boxes are not `u32::MAX`.
    pub fn new(boxes: &[PackedBox], order: &[u64]) -> Bvh {
        let mut nodes = Vec::with_capacity(order.len() + order.len() / 2 + 1);
        if !order.is_empty() {
            let at = |key: &u64| boxes[*key as u32 as usize];
            grow(&mut nodes, order, &at);
        }
        Bvh { nodes }
    }

    /// Calls `f` once with each box that meets `wanted`, in an order that depends on all boxes.
    #[inline]
    pub fn near(&self, wanted: &PackedBox, mut f: impl FnMut(&PackedBox)) {
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            let meets = node.meets(wanted);
            k = if node.mark() == HULL && !meets { node.index() as usize } else { k + 1 };
            if meets && node.mark() != HULL {
                f(node);
            }
        }
    }
}

/// The order of boxes along the Morton curve, for [`Bvh::new`].
///
/// A key has the place on the curve in its upper 32 bits and the number of the box in its lower.
pub fn morton_order(boxes: &[PackedBox]) -> Vec<u64> {
    let Some(hull) = boxes.iter().copied().reduce(|a, b| a.hull(&b)) else {
        return vec![];
    };
    let sides = [0, 1, 2].map(|axis| hull.along(axis));
    let extent = sides.map(|[low, high]| high - low);
    let most = extent.into_iter().fold(0, u32::max);
    let shift = (0..32).find(|s| most >> s < 1 << BITS).unwrap_or(0);
    let key = |(number, b): (u64, &PackedBox)| {
        let along = [0, 1, 2].map(|axis| b.along(axis));
        let mut curve = 0;
        for (axis, [low, high]) in along.into_iter().enumerate() {
            let centre = (low + high) / 2 - sides[axis][0];
            curve |= spread(centre >> shift) << axis;
        }
        curve << 32 | number
    };
    let mut order: Vec<u64> = (0u64..).zip(boxes).map(key).collect();
    sort_by_digits(&mut order);
    order
}

/// Adds boxes in their order along the curve, with hulls, and returns the hull around all.
fn grow(nodes: &mut Vec<PackedBox>, order: &[u64], at: &impl Fn(&u64) -> PackedBox) -> PackedBox {
    let [only] = order else {
        let place = nodes.len();
        nodes.push(PackedBox::default());
        let hull = if order.len() <= GROUP {
            nodes.extend(order.iter().map(at));
            let all = nodes[place + 1..].iter().copied();
            all.reduce(|a, b| a.hull(&b)).unwrap_or_default()
        } else {
            let (low, high) = order.split_at(halfway(order));
            let low = grow(nodes, low, at);
            low.hull(&grow(nodes, high, at))
        };
        nodes[place] = hull.named(nodes.len() as u32, HULL);
        return hull;
    };
    nodes.push(at(only));
    at(only)
}

/// Where the curve enters the second half of the least cube around some of its places.
fn halfway(order: &[u64]) -> usize {
    let [first, .., last] = order else {
        return 0;
    };
    match ((first ^ last) >> 32).checked_ilog2() {
        Some(bit) => order.partition_point(|key| key >> 32 >> bit & 1 == 0),
        None => order.len() / 2,
    }
}

/// Spreads the bits of a number: two zero bits between each and the next.
fn spread(v: u32) -> u64 {
    let mut v = u64::from(v);
    for (by, kept) in [(16, 0x0300_00FF), (8, 0x0300_F00F), (4, 0x030C_30C3), (2, 0x0924_9249)] {
        v = (v | v << by) & kept;
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed_box::tests::{bounds, plainly_met};
    use crate::{BoxBounds, BoxFrame};

    #[test]
    fn a_search_gives_exactly_the_boxes_that_meet() {
        let mut seed = 1u32;
        for count in [0, 1, 4, 5, 16, 17, 64, 65, 700] {
            let boxes: Vec<BoxBounds> =
                (0..count).map(|k| bounds(&mut seed, if k % 9 == 0 { 400 } else { 20 })).collect();
            // What reaches beyond the area is found as well.
            let frame = BoxFrame::new(boxes.iter().copied(), [-500, -500, 500, 500]);
            let entries = (0u32..).zip(&boxes).map(|(k, b)| frame.entry(b, k, k % 2));
            let entries: Vec<PackedBox> = entries.collect();
            let tree = Bvh::new(&entries, &morton_order(&entries));
            for turn in 0..50 {
                let mut wanted = bounds(&mut seed, 90);
                if turn % 2 == 0 {
                    (wanted.high[0], wanted.high[1]) = (wanted.low[0], wanted.low[1]);
                }
                let mut found = vec![];
                tree.near(&frame.entry(&wanted, 0, 0), |e| {
                    assert_eq!(e.mark(), e.index() % 2);
                    found.push(e.index());
                });
                found.sort_unstable();
                assert_eq!(found, plainly_met(&boxes, &wanted));
            }
        }
    }

    #[test]
    fn no_box_is_missed_however_wide_and_far_everything_is() {
        let far = 1 << 25;
        let boxes = [
            ([-far, -far, -far], [far, far, far]),
            ([-far, -far, -far], [-far + 1, -far + 1, -far]),
            ([5, 5, 5], [6, 6, 6]),
            ([far, far, far], [far, far, far]),
        ]
        .map(|(low, high)| BoxBounds { low, high });
        for area in [[-far, -far, far, far], [0, 0, 10, 10]] {
            let frame = BoxFrame::new(boxes.into_iter(), area);
            let entries = [0, 1, 2, 3].map(|k| frame.entry(&boxes[k as usize], k, 0));
            let tree = Bvh::new(&entries, &morton_order(&entries));
            for (k, b) in boxes.iter().enumerate() {
                let mut found = vec![];
                tree.near(&frame.entry(b, 0, 0), |e| found.push(e.index()));
                assert!(found.contains(&0) && found.contains(&(k as u32)));
                found.sort_unstable();
                found.dedup();
                assert!(found.len() <= boxes.len());
            }
        }
    }
}
