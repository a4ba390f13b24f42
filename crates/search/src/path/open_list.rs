//! The open list: a binary heap of nodes that knows where each node stands, so that an improved node moves up.

use core::cmp::Ordering;

use super::scratch::{CLOSED, Node};

/// A heap in borrowed memory. `heap[..len]` holds numbers of nodes, the best first.
pub(super) struct OpenList<'a> {
    heap: &'a mut [u32],
    len: usize,
    /// The greatest length so far.
    pub(super) max: usize,
}

/// Less is better: estimated total, then the longer way behind (it is surer), then the lower polygon.
fn order(a: &Node, b: &Node) -> Ordering {
    (a.g + a.h)
        .total_cmp(&(b.g + b.h))
        .then_with(|| b.g.total_cmp(&a.g))
        .then_with(|| a.polygon.cmp(&b.polygon))
}

impl<'a> OpenList<'a> {
    pub(super) fn new(heap: &'a mut [u32]) -> OpenList<'a> {
        OpenList {
            heap,
            len: 0,
            max: 0,
        }
    }

    /// Puts a node in, or moves it up when it is in already and has improved. There is room for every node.
    pub(super) fn put(&mut self, nodes: &mut [Node], node: u32) {
        let Some(place) = nodes.get(node as usize).map(|n| n.place) else {
            return;
        };
        let at = if place == CLOSED {
            if self.len >= self.heap.len() {
                return;
            }
            self.len += 1;
            self.max = self.max.max(self.len);
            self.len - 1
        } else {
            place as usize
        };
        self.rise(nodes, at, node);
    }

    /// Takes the best node out and marks it closed.
    pub(super) fn pop(&mut self, nodes: &mut [Node]) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let best = self.heap[0];
        self.len -= 1;
        let last = self.heap[self.len];
        nodes[best as usize].place = CLOSED;
        if self.len > 0 {
            self.sink(nodes, last);
        }
        Some(best)
    }

    fn rise(&mut self, nodes: &mut [Node], mut at: usize, node: u32) {
        while at > 0 {
            let above = (at - 1) / 2;
            let other = self.heap[above];
            if order(&nodes[node as usize], &nodes[other as usize]) != Ordering::Less {
                break;
            }
            self.heap[at] = other;
            nodes[other as usize].place = at as u32;
            at = above;
        }
        self.heap[at] = node;
        nodes[node as usize].place = at as u32;
    }

    fn sink(&mut self, nodes: &mut [Node], node: u32) {
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= self.len {
                break;
            }
            let mut child = left;
            if right < self.len {
                let (l, r) = (self.heap[left] as usize, self.heap[right] as usize);
                if order(&nodes[r], &nodes[l]) == Ordering::Less {
                    child = right;
                }
            }
            let other = self.heap[child];
            if order(&nodes[other as usize], &nodes[node as usize]) != Ordering::Less {
                break;
            }
            self.heap[at] = other;
            nodes[other as usize].place = at as u32;
            at = child;
        }
        self.heap[at] = node;
        nodes[node as usize].place = at as u32;
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn nodes_come_out_by_total_then_longer_way_then_polygon() {
        let values = [
            (5.0, 1.0),
            (1.0, 5.0),
            (2.0, 2.0),
            (9.0, 0.0),
            (1.0, 5.0),
            (3.0, 0.5),
        ];
        let mut nodes: Vec<Node> = (0u32..)
            .zip(values)
            .map(|(polygon, (g, h))| Node {
                polygon,
                g,
                h,
                place: CLOSED,
                ..Node::default()
            })
            .collect();
        let mut heap = [0; 6];
        let mut open = OpenList::new(&mut heap);
        (0..6).for_each(|n| open.put(&mut nodes, n));
        nodes[3].g = 0.0; // improved: from last to first
        open.put(&mut nodes, 3);
        let mut order = Vec::new();
        while let Some(n) = open.pop(&mut nodes) {
            order.push(n);
        }
        assert_eq!(order, [3, 5, 2, 0, 1, 4]);
        assert_eq!(open.max, 6);
    }
}
