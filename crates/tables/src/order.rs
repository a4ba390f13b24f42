//! The order of hubs: corners on the most shortest paths come first.
//!
//! Trees of shortest paths grow from a sample of corners. The corner on the most paths of all trees
//! comes first. The parts of the trees beyond it are covered by it and cut off; then the next
//! corner is chosen, and so on (Delling, Goldberg, Pajor and Werneck, Robust distance queries on
//! massive networks, 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::graph::Graph;
use crate::search::Search;

/// The number of trees for a number of corners.
///
/// More trees make smaller labels and take longer. All trees together have at most `PLACES` places,
/// except with the minimum of 64 trees.
pub fn trees_for(corners: usize) -> usize {
    const PLACES: usize = 3 << 23;
    (PLACES / corners.max(1)).clamp(64, 2048)
}

/// Threads share the work from this weight on, summed over all trees.
const MUCH: u64 = 1 << 15;

/// A tree of shortest paths.
///
/// Places are numbered so that each subtree is a range, its root first.
struct Tree {
    /// The corner at each place.
    corners: Vec<u32>,
    /// The place of each place's parent.
    parents: Vec<u32>,
    /// Where each subtree ends.
    ends: Vec<u32>,
    /// The number of remaining places in each subtree; 0 when it is cut off.
    sizes: Vec<u32>,
}

/// Memory for growing trees.
struct Growth {
    search: Search,
    /// Corners in settling order, with the numbers of their parents.
    settled: Vec<(u32, u32)>,
    /// The settling number of each corner.
    numbers: Vec<u32>,
}

impl Growth {
    fn new(count: usize) -> Growth {
        Growth { search: Search::new(count), settled: vec![], numbers: vec![0; count] }
    }

    fn grow(&mut self, graph: &Graph, root: u32) -> Tree {
        self.settled.clear();
        let (settled, numbers) = (&mut self.settled, &mut self.numbers);
        self.search.run(graph, root, |corner, _, parent| {
            numbers[corner as usize] = settled.len() as u32;
            settled.push((corner, numbers[parent as usize]));
            true
        });
        let count = settled.len();
        let mut sizes = vec![1u32; count];
        for i in (1..count).rev() {
            sizes[settled[i].1 as usize] += sizes[i];
        }
        // The place of each corner, and of its next child.
        let (mut places, mut next) = (vec![0u32; count], vec![1u32; count]);
        for i in 1..count {
            let parent = settled[i].1 as usize;
            places[i] = next[parent];
            next[parent] += sizes[i];
            next[i] = places[i] + 1;
        }
        let mut tree = Tree {
            corners: vec![0; count],
            parents: vec![0; count],
            ends: vec![0; count],
            sizes: vec![0; count],
        };
        for (i, &(corner, parent)) in settled.iter().enumerate() {
            let place = places[i] as usize;
            tree.corners[place] = corner;
            tree.parents[place] = places[parent as usize];
            tree.ends[place] = places[i] + sizes[i];
            tree.sizes[place] = sizes[i];
        }
        tree
    }
}

impl Tree {
    /// Cuts a subtree off, and subtracts its weight from its corners and ancestors.
    fn cut(&mut self, place: u32, weights: &[AtomicU64]) {
        let whole = self.sizes[place as usize];
        if whole == 0 {
            return;
        }
        // The order of subtractions does not change the result.
        let lose = |corner: u32, weight: u32| {
            weights[corner as usize].fetch_sub(weight.into(), Relaxed);
        };
        let mut at = place;
        while at != 0 {
            at = self.parents[at as usize];
            self.sizes[at as usize] -= whole;
            lose(self.corners[at as usize], whole);
        }
        let (mut at, end) = (place, self.ends[place as usize]);
        while at < end {
            let size = std::mem::take(&mut self.sizes[at as usize]);
            if size == 0 {
                // Cut off before, with its whole subtree.
                at = self.ends[at as usize];
                continue;
            }
            lose(self.corners[at as usize], size);
            at += 1;
        }
    }
}

/// The corners in the order of their ranks.
///
/// Within a connected component, the corner on the most paths comes first. Components come one
/// after another, so that what a look-up writes by rank is close together in memory.
pub fn by_coverage(graph: &Graph, trees: usize) -> Vec<u32> {
    let count = graph.count();
    let trees = trees.min(count);
    // Roots are spread over the mesh, as near corners have near numbers.
    let roots: Vec<u32> =
        (0..trees).map(|i| (i * count / trees + count / trees / 2) as u32).collect();
    let trees: Vec<Mutex<Tree>> = roots
        .into_par_iter()
        .map_init(|| Growth::new(count), |growth, root| Mutex::new(growth.grow(graph, root)))
        .collect();
    // The places of each corner, as pairs of tree and place.
    let mut places: Vec<Vec<(u32, u32)>> = vec![vec![]; count];
    let weights: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
    for (t, tree) in (0..).zip(&trees) {
        let tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, &corner) in (0..).zip(&tree.corners) {
            places[corner as usize].push((t, place));
            weights[corner as usize].fetch_add(tree.sizes[place as usize].into(), Relaxed);
        }
    }
    let key = |corner: u32| {
        let degree = graph.edges(corner).len();
        let weight = weights[corner as usize].load(Relaxed);
        (weight, degree, Reverse(corner))
    };
    let mut heap: BinaryHeap<_> = (0..count as u32).map(key).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((weight, _, Reverse(corner))) = heap.pop() {
        // Weights only fall, so an outdated one goes back into the heap.
        if weight != weights[corner as usize].load(Relaxed) {
            heap.push(key(corner));
            continue;
        }
        order.push(corner);
        let places = std::mem::take(&mut places[corner as usize]);
        let cut = |&(t, place): &(u32, u32)| {
            let mut tree = trees[t as usize].lock().unwrap_or_else(PoisonError::into_inner);
            tree.cut(place, &weights);
        };
        match weight {
            0 => {}
            MUCH.. => places.par_iter().with_min_len(16).for_each(cut),
            _ => places.iter().for_each(cut),
        }
    }
    let first = graph.components();
    order.sort_by_key(|&corner| first[corner as usize]);
    order
}

/// The corners by their number of neighbours, for comparison.
pub fn by_degree(graph: &Graph) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.count() as u32).collect();
    order.sort_by_key(|&c| (Reverse(graph.edges(c).len()), c));
    order
}
