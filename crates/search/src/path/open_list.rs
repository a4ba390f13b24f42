//! The open list: a binary heap of nodes that stores each node's position.
//!
//! An improved node can therefore move up. Every search over polygons has an open list.

use super::scratch::Node;

/// In [`Queued::place`]: taken off the open list.
pub(super) const CLOSED: u32 = u32::MAX;
/// Not on the open list yet.
pub(super) const NEW: u32 = u32::MAX - 1;
/// Pushed out of a bounded open list.
pub(super) const DROPPED: u32 = u32::MAX - 2;

/// An entry of an open list.
pub(super) trait Queued: Copy + 'static {
    /// The value for a number that means nothing.
    const NOWHERE: &'static Self;

    /// Its position: an index into the heap, or [`CLOSED`], [`NEW`] or [`DROPPED`].
    fn place(&self) -> u32;

    /// Stores its position.
    fn stand(&mut self, place: u32);

    /// Is it better than another one? Both come with their numbers; no two are equal.
    fn is_better(&self, number: u32, other: &Self, others: u32) -> bool;
}

impl Queued for Node {
    const NOWHERE: &'static Node = &Node::NOWHERE;

    #[inline]
    fn place(&self) -> u32 {
        self.place
    }

    #[inline]
    fn stand(&mut self, place: u32) {
        self.place = place;
    }

    /// The lower priority is better.
    ///
    /// Of equals the one with the longer path behind (it is surer), then the one with the lower id.
    #[inline]
    fn is_better(&self, _: u32, other: &Node, _: u32) -> bool {
        self.f < other.f || (self.f == other.f && self.breaks_tie(other))
    }
}

impl Node {
    #[inline(never)]
    fn breaks_tie(&self, other: &Node) -> bool {
        if self.g != other.g { self.g > other.g } else { self.key < other.key }
    }
}

/// The state of an open list, without its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OpenState {
    pub(super) len: u32,
    /// The greatest length up to now.
    pub(super) max: u32,
    /// Number of entries pushed out.
    pub(super) dropped: u32,
}

/// A heap in borrowed memory.
///
/// `heap[..len]` holds numbers of nodes, the best first. It may be the wrong memory, whose numbers
/// mean nothing, so no number is trusted.
pub(super) struct OpenList<'a> {
    heap: &'a mut [u32],
    pub(super) state: OpenState,
}

#[inline]
fn node<T: Queued>(nodes: &[T], n: u32) -> &T {
    nodes.get(n as usize).unwrap_or(T::NOWHERE)
}

/// Is the first of two nodes better?
#[inline]
fn better<T: Queued>(nodes: &[T], a: u32, b: u32) -> bool {
    node(nodes, a).is_better(a, node(nodes, b), b)
}

impl<'a> OpenList<'a> {
    /// Continues with an open list in its memory, all of which it may use.
    pub(super) fn new(heap: &'a mut [u32], state: OpenState) -> OpenList<'a> {
        let len = state.len.min(heap.len() as u32);
        OpenList { heap, state: OpenState { len, ..state } }
    }

    #[inline]
    fn len(&self) -> usize {
        self.state.len as usize
    }

    /// Puts a node in, or moves a changed node to its new position.
    ///
    /// A shorter path behind may come with a longer one ahead. Where there is no room, the worst
    /// entry goes.
    pub(super) fn put<T: Queued>(&mut self, nodes: &mut [T], n: u32) {
        let Some(place) = nodes.get(n as usize).map(Queued::place) else {
            return;
        };
        if (place as usize) < self.len() {
            self.rise(nodes, place as usize, n);
            let at = nodes.get(n as usize).map_or(0, |n| n.place() as usize);
            self.sink(nodes, at, n);
            return;
        }
        if self.len() >= self.heap.len() && !self.drop_worst(nodes, n) {
            return;
        }
        self.state.len += 1;
        self.state.max = self.state.max.max(self.state.len);
        self.rise(nodes, self.len() - 1, n);
    }

    /// Makes room for a node that is better than the worst one.
    ///
    /// Returns false where the new node is itself the worst; it is then marked as dropped. The
    /// worst is one of the heap's leaves, and all leaves are compared: bounded lists are meant to
    /// be short.
    fn drop_worst<T: Queued>(&mut self, nodes: &mut [T], new: u32) -> bool {
        self.state.dropped = self.state.dropped.saturating_add(1);
        let leaves = self.len() / 2..self.len();
        let worst =
            leaves.reduce(|a, b| if better(nodes, self.heap[a], self.heap[b]) { b } else { a });
        let mark = |nodes: &mut [T], n: u32| {
            if let Some(node) = nodes.get_mut(n as usize) {
                node.stand(DROPPED);
            }
        };
        let Some(at) = worst.filter(|&at| better(nodes, new, self.heap[at])) else {
            mark(nodes, new);
            return false;
        };
        mark(nodes, self.heap[at]);
        self.state.len -= 1;
        let last = self.heap[self.len()];
        if at < self.len() {
            // A leaf takes a leaf's position: it can only rise.
            self.rise(nodes, at, last);
        }
        true
    }

    /// Takes the best node out and marks it closed.
    pub(super) fn pop<T: Queued>(&mut self, nodes: &mut [T]) -> Option<u32> {
        if self.len() == 0 {
            return None;
        }
        let best = self.heap[0];
        self.state.len -= 1;
        let last = self.heap[self.len()];
        nodes.get_mut(best as usize)?.stand(CLOSED);
        if self.len() > 0 {
            self.sink(nodes, 0, last);
        }
        Some(best)
    }

    /// Moves a node from a position to its place among those above.
    fn rise<T: Queued>(&mut self, nodes: &mut [T], at: usize, n: u32) {
        let own = *node(nodes, n);
        self.rise_to(nodes, 0, at, n, |above, other| !own.is_better(n, other, above));
    }

    /// Moves a node from a position up, past all others down to `top` for which `stays` is false.
    #[inline]
    fn rise_to<T: Queued>(
        &mut self,
        nodes: &mut [T],
        top: usize,
        mut at: usize,
        n: u32,
        stays: impl Fn(u32, &T) -> bool,
    ) {
        let Some(heap) = self.heap.get_mut(..=at) else {
            return;
        };
        while at > top {
            let above = (at - 1) / 2;
            let other = heap[above];
            if stays(other, node(nodes, other)) {
                break;
            }
            set(heap, nodes, at, other);
            at = above;
        }
        set(heap, nodes, at, n);
    }

    /// Moves a node from a position to its place among those below.
    ///
    /// The hole moves down to a leaf, then up to the node's position. The last entry of a heap,
    /// which is moved most often, belongs near the leaves.
    fn sink<T: Queued>(&mut self, nodes: &mut [T], top: usize, n: u32) {
        let Some(heap) = self.heap.get_mut(..self.state.len as usize) else {
            return;
        };
        let mut at = top;
        loop {
            let mut child = 2 * at + 1;
            let Some(&left) = heap.get(child) else {
                break;
            };
            let mut other = left;
            if let Some(&right) = heap.get(child + 1)
                && better(nodes, right, left)
            {
                (child, other) = (child + 1, right);
            }
            set(heap, nodes, at, other);
            at = child;
        }
        let own = *node(nodes, n);
        self.rise_to(nodes, top, at, n, |above, other| other.is_better(above, &own, n));
    }
}

/// Puts a node at a position of the heap.
#[inline]
fn set<T: Queued>(heap: &mut [u32], nodes: &mut [T], at: usize, n: u32) {
    if let Some(slot) = heap.get_mut(at) {
        *slot = n;
    }
    if let Some(node) = nodes.get_mut(n as usize) {
        node.stand(at as u32);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn nodes(values: &[(f64, f64)]) -> Vec<Node> {
        (0u32..)
            .zip(values)
            .map(|(key, &(g, h))| Node { key, g, h, f: g + h, place: NEW, ..Node::NOWHERE })
            .collect()
    }

    fn drain(open: &mut OpenList<'_>, nodes: &mut [Node]) -> Vec<u32> {
        core::iter::from_fn(|| open.pop(nodes)).collect()
    }

    const SIX: [(f64, f64); 6] =
        [(5.0, 1.0), (1.0, 5.0), (2.0, 2.0), (9.0, 0.0), (1.0, 5.0), (3.0, 0.5)];

    #[test]
    fn nodes_come_out_by_total_then_longer_way_then_id() {
        let mut nodes = nodes(&SIX);
        let mut heap = [0; 6];
        let mut open = OpenList::new(&mut heap, OpenState::default());
        (0..6).for_each(|n| open.put(&mut nodes, n));
        (nodes[3].g, nodes[3].f) = (0.0, 0.0); // improved: from last to first
        open.put(&mut nodes, 3);
        (nodes[2].g, nodes[2].f) = (1.0, 8.0); // a shorter way behind, a longer one ahead
        open.put(&mut nodes, 2);
        assert_eq!(drain(&mut open, &mut nodes), [3, 5, 0, 1, 4, 2]);
        assert_eq!((open.state.max, open.state.dropped), (6, 0));
    }

    #[test]
    fn a_node_that_was_taken_off_is_known_to_be_off() {
        // A flag that says "open" for ever would make an improved node move in a heap that it left.
        let mut nodes = nodes(&SIX);
        let mut heap = [0; 6];
        let mut open = OpenList::new(&mut heap, OpenState::default());
        (0..6).for_each(|n| open.put(&mut nodes, n));
        assert_eq!(open.pop(&mut nodes), Some(5));
        assert_eq!(nodes[5].place, CLOSED);
        (nodes[5].g, nodes[5].f) = (1.0, 1.5);
        open.put(&mut nodes, 5);
        assert_eq!(open.state.len, 6);
        assert_eq!(drain(&mut open, &mut nodes), [5, 2, 0, 1, 4, 3]);
    }

    #[test]
    fn a_full_list_drops_its_worst_entry() {
        let mut nodes = nodes(&SIX);
        let mut heap = [0; 3];
        let mut open = OpenList::new(&mut heap, OpenState::default());
        (0..6).for_each(|n| open.put(&mut nodes, n));
        assert_eq!((open.state.len, open.state.dropped), (3, 3));
        assert_eq!(nodes[3].place, DROPPED);
        assert_eq!(drain(&mut open, &mut nodes), [5, 2, 0]);
        // A dropped node may come back when it has improved.
        (nodes[3].g, nodes[3].f) = (0.0, 0.0);
        open.put(&mut nodes, 3);
        assert_eq!(drain(&mut open, &mut nodes), [3]);
    }

    #[test]
    fn a_bounded_list_keeps_the_best_of_any_sequence() {
        let mut seed = 1u64;
        for most in 1..9 {
            let values: Vec<(f64, f64)> = (0..200)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    ((seed >> 40) as f64 % 50.0, (seed >> 20 & 31) as f64)
                })
                .collect();
            let mut nodes = nodes(&values);
            let mut heap = [0; 8];
            let mut open = OpenList::new(&mut heap[..most], OpenState::default());
            (0..200).for_each(|n| open.put(&mut nodes, n));
            let mut sorted: Vec<u32> = (0..200).collect();
            sorted.sort_by(|&a, &b| {
                let (a, b) = (&nodes[a as usize], &nodes[b as usize]);
                (a.f.total_cmp(&b.f)).then(b.g.total_cmp(&a.g)).then(a.key.cmp(&b.key))
            });
            assert_eq!(drain(&mut open, &mut nodes), sorted[..most]);
        }
    }

    #[test]
    fn memory_of_another_search_is_harmless() {
        let mut nodes = nodes(&SIX);
        let mut heap = [7, u32::MAX, 3, 3, 9, 0];
        let state = OpenState { len: 99, ..OpenState::default() };
        let mut open = OpenList::new(&mut heap, state);
        open.put(&mut nodes, 1);
        for _ in 0..20 {
            open.pop(&mut nodes);
        }
    }
}
