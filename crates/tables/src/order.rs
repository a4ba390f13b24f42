//! Which corners are hubs first: those that the most shortest paths go over.
//!
//! Trees of shortest paths grow from a sample of corners. The corner that the most paths of all trees go over comes first; what those paths
//! lead to beyond it is covered and cut off, and so on (Delling, Goldberg, Pajor and Werneck, Robust distance queries on massive networks,
//! 2014).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use crate::graph::Graph;
use crate::search::Search;

/// How many trees serve so many corners: more make for smaller labels, and take longer. Their places are at most so many in all.
pub fn trees_for(corners: usize) -> usize {
    const PLACES: usize = 1 << 23;
    (PLACES / corners.max(1)).clamp(64, 2048)
}

/// A tree of shortest paths. Corners are numbered by their place in the order in which they were settled, so that parents come first.
struct Tree {
    /// The corner at each place.
    corners: Vec<u32>,
    /// The place of the corner before.
    parents: Vec<u32>,
    /// How many there are in the subtree of each place; 0 when it is cut off.
    sizes: Vec<u32>,
}

/// No place in a tree.
const NOWHERE: u32 = u32::MAX;

impl Tree {
    fn grow(graph: &Graph, root: u32, search: &mut Search, places: &mut [u32]) -> Tree {
        let mut tree = Tree {
            corners: vec![],
            parents: vec![],
            sizes: vec![],
        };
        search.run(graph, root, |corner, _, parent| {
            let place = tree.corners.len() as u32;
            places[corner as usize] = place;
            tree.corners.push(corner);
            tree.parents.push(places[parent as usize]);
            true
        });
        tree.sizes = vec![1; tree.corners.len()];
        for place in (1..tree.corners.len()).rev() {
            tree.sizes[tree.parents[place] as usize] += tree.sizes[place];
        }
        tree
    }

    /// Cuts a subtree off, and takes what it weighed from the corners before and in it.
    fn cut(&mut self, place: u32, weights: &mut [u64]) {
        let whole = self.sizes[place as usize];
        if whole == 0 {
            return;
        }
        let mut at = place;
        while at != 0 {
            at = self.parents[at as usize];
            self.sizes[at as usize] -= whole;
            weights[self.corners[at as usize] as usize] -= u64::from(whole);
        }
        // Those behind a place in its subtree lie behind it in the order too.
        let mut left = whole;
        let mut p = place as usize;
        let mut inside = vec![];
        while left > 0 {
            let is_inside = p == place as usize
                || (self.sizes[p] > 0 && inside.binary_search(&self.parents[p]).is_ok());
            if is_inside {
                inside.push(p as u32);
                left -= 1;
            }
            p += 1;
        }
        for p in inside {
            let size = std::mem::take(&mut self.sizes[p as usize]);
            weights[self.corners[p as usize] as usize] -= u64::from(size);
        }
    }
}

/// The corners in the order of their ranks.
pub fn by_coverage(graph: &Graph, trees: usize) -> Vec<u32> {
    let count = graph.count();
    let trees = trees.min(count);
    // Spread over the mesh: corners near one another have numbers near one another.
    let roots: Vec<u32> = (0..trees)
        .map(|i| (i * count / trees + count / trees / 2) as u32)
        .collect();
    let mut trees: Vec<Tree> = roots
        .into_par_iter()
        .map_init(
            || (Search::new(count), vec![NOWHERE; count]),
            |(search, places), root| Tree::grow(graph, root, search, places),
        )
        .collect();
    // Where each corner stands in each tree.
    let mut places: Vec<Vec<(u32, u32)>> = vec![vec![]; count];
    let mut weights = vec![0u64; count];
    for (t, tree) in (0..).zip(&trees) {
        for (place, &corner) in (0..).zip(&tree.corners) {
            places[corner as usize].push((t, place));
            weights[corner as usize] += u64::from(tree.sizes[place as usize]);
        }
    }
    let key = |weights: &[u64], corner: u32| {
        let degree = graph.edges(corner).len();
        (weights[corner as usize], degree, Reverse(corner))
    };
    let mut heap: BinaryHeap<_> = (0..count as u32).map(|c| key(&weights, c)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((weight, _, Reverse(corner))) = heap.pop() {
        // Weights only fall.
        if weight != weights[corner as usize] {
            heap.push(key(&weights, corner));
            continue;
        }
        order.push(corner);
        for &(t, place) in &places[corner as usize] {
            trees[t as usize].cut(place, &mut weights);
        }
    }
    order
}

/// The corners by how many others they see, for comparison.
pub fn by_degree(graph: &Graph) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.count() as u32).collect();
    order.sort_by_key(|&c| (Reverse(graph.edges(c).len()), c));
    order
}
