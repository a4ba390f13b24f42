//! Shortest paths from one corner to all others, or to those that are not pruned.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::graph::Graph;

/// No path.
pub(crate) const FAR: u64 = u64::MAX;

/// Dijkstra's search with its memory.
pub(crate) struct Search {
    pub(crate) distance: Vec<u64>,
    pub(crate) parent: Vec<u32>,
    touched: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Search {
    pub(crate) fn new(count: usize) -> Search {
        Search {
            distance: vec![FAR; count],
            parent: vec![0; count],
            touched: vec![],
            heap: BinaryHeap::new(),
        }
    }

    /// Calls `settle` with each corner, in order of distance, then number.
    ///
    /// The arguments are the corner, its distance, and the corner before it on the path from the
    /// root. Of several such corners, that is the one with the least number among those settled
    /// first. The search continues from corners for which `settle` returns true.
    pub(crate) fn run(
        &mut self,
        graph: &Graph,
        root: u32,
        settle: impl FnMut(u32, u64, u32) -> bool,
    ) {
        self.run_from(graph, &[(root, 0)], settle);
    }

    /// The same from several corners at once, each with an initial distance.
    pub(crate) fn run_from(
        &mut self,
        graph: &Graph,
        roots: &[(u32, u64)],
        mut settle: impl FnMut(u32, u64, u32) -> bool,
    ) {
        for corner in self.touched.drain(..) {
            self.distance[corner as usize] = FAR;
        }
        self.heap.clear();
        for &(root, distance) in roots {
            if distance >= self.distance[root as usize] {
                continue;
            }
            self.distance[root as usize] = distance;
            self.parent[root as usize] = root;
            self.touched.push(root);
            self.heap.push(Reverse((distance, root)));
        }
        while let Some(Reverse((distance, corner))) = self.heap.pop() {
            if distance > self.distance[corner as usize]
                || !settle(corner, distance, self.parent[corner as usize])
            {
                continue;
            }
            for edge in graph.edges(corner) {
                let far = distance + edge.length;
                let known = &mut self.distance[edge.to as usize];
                if far < *known {
                    if *known == FAR {
                        self.touched.push(edge.to);
                    }
                    *known = far;
                    self.parent[edge.to as usize] = corner;
                    self.heap.push(Reverse((far, edge.to)));
                }
            }
        }
    }
}
