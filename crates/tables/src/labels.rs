//! Pruned labelling, many hubs at once.
//!
//! By Akiba, Iwata and Yoshida, Fast exact shortest-path distance queries on large networks by
//! pruned landmark labeling, 2013.
//!
//! The method searches from one hub after another. It adds the hub to the label of each corner
//! whose shortest path to it is not covered by an earlier hub. Here the hubs of a batch search in
//! parallel, each against the labels of earlier batches. Afterwards, entries that a hub of the same
//! batch covers are removed. The remaining entries are those of the sequential method, so labels
//! depend on the graph and the order alone.

use rayon::prelude::*;

use crate::graph::Graph;
use crate::search::{FAR, Search};

/// A hub in the label of a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its distance, in the graph's units.
    pub distance: u64,
    /// Its rank.
    pub hub: u32,
    /// The next corner on the path to it; this corner where it is itself the hub.
    pub hop: u32,
}

/// The labels of all corners, hubs rising in each.
///
/// Every corner is the last hub of its own label.
pub type Labels = Vec<Vec<Entry>>;

/// The largest number of hubs that search at once.
const BATCH: usize = 256;

/// Computes labels. `order` names each corner once, the first hub first.
///
/// The work is shared among the threads of the current pool.
pub fn label(graph: &Graph, order: &[u32]) -> Labels {
    watched(graph, order, &|_| ())
}

/// The same; calls `made` with the number of hubs done.
pub(crate) fn watched(graph: &Graph, order: &[u32], made: &dyn Fn(usize)) -> Labels {
    let mut labels: Labels = vec![vec![]; graph.count()];
    let (mut done, mut size) = (0, 1);
    while done < order.len() {
        let hubs = &order[done..order.len().min(done + size)];
        let found: Vec<Vec<(u32, u64, u32)>> = hubs
            .par_iter()
            .map_init(
                || (Search::new(graph.count()), vec![FAR; order.len()]),
                |(search, known), &hub| search_from(graph, &labels, hub, search, known),
            )
            .collect();
        add(&mut labels, done as u32, hubs, found);
        done += hubs.len();
        made(done);
        size = (done / 4).clamp(1, BATCH);
    }
    labels
}

/// The corners whose path to a hub no label covers.
///
/// Each with its distance, and the next corner on the path to the hub.
fn search_from(
    graph: &Graph,
    labels: &Labels,
    hub: u32,
    search: &mut Search,
    known: &mut [u64],
) -> Vec<(u32, u64, u32)> {
    let own = &labels[hub as usize];
    for entry in own {
        known[entry.hub as usize] = entry.distance;
    }
    let mut found = vec![];
    search.run(graph, hub, |corner, distance, parent| {
        let is_covered = (labels[corner as usize].iter())
            .any(|e| known[e.hub as usize].saturating_add(e.distance) <= distance);
        if !is_covered {
            found.push((corner, distance, parent));
        }
        !is_covered
    });
    for entry in own {
        known[entry.hub as usize] = FAR;
    }
    found
}

/// Adds the results of a batch, except what other hubs of the batch cover.
fn add(labels: &mut Labels, first: u32, hubs: &[u32], found: Vec<Vec<(u32, u64, u32)>>) {
    let mut news: Vec<Vec<Entry>> = vec![vec![]; labels.len()];
    for (rank, found) in (first..).zip(found) {
        for (corner, distance, hop) in found {
            news[corner as usize].push(Entry { distance, hub: rank, hop });
        }
    }
    // Distances from each hub of the batch to those before it.
    let between: Vec<Vec<u64>> = hubs
        .par_iter()
        .map(|&hub| {
            let mut row = vec![FAR; hubs.len()];
            for entry in &news[hub as usize] {
                row[(entry.hub - first) as usize] = entry.distance;
            }
            row
        })
        .collect();
    labels.par_iter_mut().zip(&news).for_each(|(label, new)| {
        for (i, entry) in new.iter().enumerate() {
            let row = &between[(entry.hub - first) as usize];
            let is_covered = new[..i].iter().any(|before| {
                let rest = row[(before.hub - first) as usize];
                rest.saturating_add(before.distance) <= entry.distance
            });
            if !is_covered {
                label.push(*entry);
            }
        }
    });
}

/// The shortest distance between two corners by their labels, without tricks.
pub fn distance(labels: &Labels, a: u32, b: u32) -> Option<u64> {
    let [a, b] = [a, b].map(|c| &labels[c as usize]);
    let mut best = None;
    let mut i = 0;
    for entry in a {
        while i < b.len() && b[i].hub < entry.hub {
            i += 1;
        }
        if i < b.len() && b[i].hub == entry.hub {
            let sum = entry.distance + b[i].distance;
            best = Some(best.map_or(sum, |best: u64| best.min(sum)));
        }
    }
    best
}
