//! The tree of boxes in which Detour looks for polygons.

/// A node: a box in steps of the tile, and a polygon or minus the size of its subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) least: [u16; 3],
    pub(crate) greatest: [u16; 3],
    pub(crate) index: i32,
}

/// The greatest box in steps: a query rounds its own box outwards by one, within 16 bits.
pub(crate) const MOST_STEPS: f64 = 65_533.0;

/// The nodes of a tree over boxes, root first, children behind their parents.
///
/// Boxes are halved along their longest side at the median.
pub(crate) fn tree(mut leaves: Vec<Node>) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(leaves.len() * 2);
    if !leaves.is_empty() {
        add(&mut leaves, &mut nodes);
    }
    nodes
}

fn add(leaves: &mut [Node], nodes: &mut Vec<Node>) {
    if let [leaf] = leaves {
        nodes.push(*leaf);
        return;
    }
    let all = leaves.iter().copied().reduce(|a, b| Node {
        least: [0, 1, 2].map(|k| a.least[k].min(b.least[k])),
        greatest: [0, 1, 2].map(|k| a.greatest[k].max(b.greatest[k])),
        index: 0,
    });
    let Some(all) = all else { return };
    let side = |k: usize| all.greatest[k] - all.least[k];
    let axis = (0..3).rev().max_by_key(|&k| side(k)).unwrap_or(0);
    leaves.sort_unstable_by_key(|n| {
        (u32::from(n.least[axis]) + u32::from(n.greatest[axis]), n.index)
    });
    let at = nodes.len();
    nodes.push(all);
    let (one, other) = leaves.split_at_mut(leaves.len() / 2);
    add(one, nodes);
    add(other, nodes);
    nodes[at].index = -((nodes.len() - at) as i32);
}
