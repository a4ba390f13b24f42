//! The open list: a heap with four children a node (Johnson 1975), half as deep as a binary one.
//!
//! A node that improves is put in again. Its old entry is known by its cost, and thrown away when
//! it comes out or when room is short.

use crate::scratch::{GridNode, GridOpen};

/// A heap in borrowed memory: `heap[..len]`, the best first. One more entry is held outside: of the
/// steps from a cell the best is often the best of all, and never sees the heap.
pub(crate) struct OpenList<'a> {
    heap: &'a mut [GridOpen],
    len: usize,
    held: Option<GridOpen>,
}

/// Is `a` better: a lower total, then the greater cost from the start, then the lower state?
#[inline]
fn before(a: &GridOpen, b: &GridOpen) -> bool {
    if a.f != b.f {
        a.f < b.f
    } else if a.g != b.g {
        a.g > b.g
    } else {
        a.state < b.state
    }
}

impl<'a> OpenList<'a> {
    /// A list of which [`OpenList::parts`] were kept; empty with 0 and `None`.
    pub(crate) fn new(
        heap: &'a mut [GridOpen],
        len: usize,
        held: Option<GridOpen>,
    ) -> OpenList<'a> {
        OpenList { len: len.min(heap.len()), heap, held }
    }

    /// The number of entries in the heap, and the one beside it.
    pub(crate) fn parts(&self) -> (usize, Option<GridOpen>) {
        (self.len, self.held)
    }

    /// Puts a node in; `false` when there is no room for it or for one that it takes the place of.
    #[inline]
    pub(crate) fn push(&mut self, nodes: &[GridNode], entry: GridOpen) -> bool {
        let worse = match self.held {
            None => {
                self.held = Some(entry);
                return true;
            }
            Some(held) if before(&entry, &held) => {
                self.held = Some(entry);
                held
            }
            Some(_) => entry,
        };
        self.put(nodes, worse)
    }

    fn put(&mut self, nodes: &[GridNode], entry: GridOpen) -> bool {
        if self.len == self.heap.len() {
            self.clear_out(nodes);
            if self.len == self.heap.len() {
                return false;
            }
        }
        let mut at = self.len;
        self.len += 1;
        while at > 0 {
            let above = (at - 1) / 4;
            let other = self.heap[above];
            if !before(&entry, &other) {
                break;
            }
            self.heap[at] = other;
            at = above;
        }
        self.heap[at] = entry;
        true
    }

    /// Takes the best entry out.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<GridOpen> {
        let heap = self.heap.get_mut(..self.len)?;
        if let Some(held) = self.held.take() {
            return match heap.first().copied() {
                Some(best) if before(&best, &held) => {
                    sink(heap, 0, held);
                    Some(best)
                }
                _ => Some(held),
            };
        }
        let best = *heap.first()?;
        self.len -= 1;
        let last = heap[self.len];
        sink(&mut heap[..self.len], 0, last);
        Some(best)
    }

    /// Takes the worst entry out and gives its node. Looks at all of them.
    #[cold]
    pub(crate) fn drop_worst(&mut self, nodes: &[GridNode]) -> Option<u32> {
        self.clear_out(nodes);
        self.held = self.held.filter(|held| held.is_current(nodes));
        let heap = self.heap.get_mut(..self.len)?;
        let worst = (0..heap.len()).reduce(|a, b| if before(&heap[a], &heap[b]) { b } else { a });
        let Some(at) = worst else {
            return self.held.take().map(|entry| entry.node);
        };
        if let Some(held) = self.held.filter(|held| before(&heap[at], held)) {
            self.held = None;
            return Some(held.node);
        }
        let node = heap[at].node;
        // It is a leaf, as no entry is worse: the last one may only rise from there.
        self.len -= 1;
        let entry = heap[self.len];
        let mut at = at;
        while at < self.len && at > 0 && before(&entry, &heap[(at - 1) / 4]) {
            heap[at] = heap[(at - 1) / 4];
            at = (at - 1) / 4;
        }
        if at < self.len {
            heap[at] = entry;
        }
        Some(node)
    }

    /// Throws away what was improved or closed since.
    #[cold]
    fn clear_out(&mut self, nodes: &[GridNode]) {
        let mut kept = 0;
        for i in 0..self.len {
            let entry = self.heap[i];
            if entry.is_current(nodes) {
                self.heap[kept] = entry;
                kept += 1;
            }
        }
        self.len = kept;
        for at in (0..kept.div_ceil(4)).rev() {
            let entry = self.heap[at];
            sink(&mut self.heap[..kept], at, entry);
        }
    }
}

/// Puts an entry into the place at the root of a part of the heap that is one otherwise.
#[inline]
fn sink(heap: &mut [GridOpen], mut at: usize, entry: GridOpen) {
    if heap.is_empty() {
        return;
    }
    loop {
        let first = 4 * at + 1;
        let children = heap.get(first..).unwrap_or_default();
        let Some(mut best) = children.first() else {
            break;
        };
        let mut child = first;
        for (k, other) in children.iter().enumerate().take(4).skip(1) {
            if before(other, best) {
                (best, child) = (other, first + k);
            }
        }
        if !before(best, &entry) {
            break;
        }
        heap[at] = *best;
        at = child;
    }
    heap[at] = entry;
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn entry(f: u64, g: u64, state: u32) -> GridOpen {
        GridOpen { f, g, state, node: state }
    }

    #[test]
    fn entries_come_out_by_total_then_longer_way_then_state() {
        let mut entries: Vec<GridOpen> = (0..200u32)
            .map(|i| entry(u64::from(i * 7 % 13), u64::from(i * 5 % 3), i * 37 % 200))
            .collect();
        let mut heap = alloc::vec![GridOpen::default(); 199];
        let mut open = OpenList::new(&mut heap, 0, None);
        for &e in &entries {
            assert!(open.push(&[], e));
        }
        // Taken out and put in again nothing changes.
        for _ in 0..3 {
            let best = open.pop().unwrap();
            let next = open.pop().unwrap();
            assert!(open.push(&[], best) && open.push(&[], next));
        }
        entries.sort_by_key(|e| (e.f, u64::MAX - e.g, e.state));
        for e in entries {
            let out = open.pop().unwrap();
            assert_eq!((out.f, out.g, out.state), (e.f, e.g, e.state));
        }
        assert!(open.pop().is_none());
    }

    #[test]
    fn a_full_list_drops_what_was_improved_and_no_more() {
        let node = |state, g| GridNode { state, g, ..GridNode::default() };
        let nodes = [node(0, 5), node(1, 3), node(2, 9)];
        let mut heap = [GridOpen::default(); 3];
        let mut open = OpenList::new(&mut heap, 0, None);
        for (g, state) in [(8, 0), (5, 0), (3, 1), (11, 2)] {
            assert!(open.push(&nodes, entry(g, g, state)));
        }
        assert!(open.push(&nodes, entry(9, 9, 2)));
        let out: Vec<(u64, u32)> =
            core::iter::from_fn(|| open.pop().map(|e| (e.g, e.state))).collect();
        assert_eq!(out, [(3, 1), (5, 0), (9, 2)]);
        let mut heap = [GridOpen::default(); 1];
        let mut open = OpenList::new(&mut heap, 0, None);
        assert!(open.push(&nodes, entry(5, 5, 0)) && open.push(&nodes, entry(3, 3, 1)));
        assert!(!open.push(&nodes, entry(9, 9, 2)));
    }
}
