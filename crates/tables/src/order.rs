//! Which corners are hubs first: those that the most shortest paths go over.
//!
//! Trees of shortest paths grow from a sample of corners. The corner that the most paths of all trees go over comes first; what those paths
//! lead to beyond it is covered and cut off, and so on (Delling, Goldberg, Pajor and Werneck, Robust distance queries on massive networks,
//! 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::graph::Graph;
use crate::search::Search;

/// How many trees serve so many corners: more make for smaller labels, and take longer. Their places are at most so many in all.
pub fn trees_for(corners: usize) -> usize {
    const PLACES: usize = 3 << 23;
    (PLACES / corners.max(1)).clamp(64, 2048)
}

/// From how much there is to cut off on, in all trees together, threads share the work.
const MUCH: u64 = 1 << 15;

/// A tree of shortest paths. Places are numbered so that those of a subtree follow one another, the place that all hang on first.
struct Tree {
    /// The corner at each place.
    corners: Vec<u32>,
    /// The place of the corner before.
    parents: Vec<u32>,
    /// Where each subtree ends.
    ends: Vec<u32>,
    /// How many places are left in the subtree of each; 0 when it is cut off.
    sizes: Vec<u32>,
}

/// Memory for growing trees.
struct Growth {
    search: Search,
    /// Corners in the order in which they were settled, and the numbers of those before them.
    settled: Vec<(u32, u32)>,
    /// When each corner was settled.
    numbers: Vec<u32>,
}

impl Growth {
    fn new(count: usize) -> Growth {
        Growth {
            search: Search::new(count),
            settled: vec![],
            numbers: vec![0; count],
        }
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
        // Where each stands, and where its next child will.
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
    /// Cuts a subtree off, and takes what it weighed from the corners before and in it.
    fn cut(&mut self, place: u32, weights: &[AtomicU64]) {
        let whole = self.sizes[place as usize];
        if whole == 0 {
            return;
        }
        // Sums are the same whatever their order.
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
                // It was cut off before, and all behind it.
                at = self.ends[at as usize];
                continue;
            }
            lose(self.corners[at as usize], size);
            at += 1;
        }
    }
}

/// The corners in the order of their ranks: of those that hang together the one that most paths go over first, and those that hang together one after another, so that
/// what a look-up writes by rank lies together.
pub fn by_coverage(graph: &Graph, trees: usize) -> Vec<u32> {
    let count = graph.count();
    let trees = trees.min(count);
    // Spread over the mesh: corners near one another have numbers near one another.
    let roots: Vec<u32> = (0..trees)
        .map(|i| (i * count / trees + count / trees / 2) as u32)
        .collect();
    let trees: Vec<Mutex<Tree>> = roots
        .into_par_iter()
        .map_init(
            || Growth::new(count),
            |growth, root| Mutex::new(growth.grow(graph, root)),
        )
        .collect();
    // Where each corner stands in each tree.
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
        // Weights only fall.
        if weight != weights[corner as usize].load(Relaxed) {
            heap.push(key(corner));
            continue;
        }
        order.push(corner);
        let places = std::mem::take(&mut places[corner as usize]);
        let cut = |&(t, place): &(u32, u32)| {
            let mut tree = trees[t as usize]
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
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

/// The corners by how many others they see, for comparison.
pub fn by_degree(graph: &Graph) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.count() as u32).collect();
    order.sort_by_key(|&c| (Reverse(graph.edges(c).len()), c));
    order
}
