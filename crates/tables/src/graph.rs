//! The taut visibility graph: corners, and edges between those that see each other.
//!
//! An edge exists where a shortest path may turn at both of its ends.

use crate::{CornerLook, Corners};
use rayon::prelude::*;

/// A length of 1 grid unit, in the whole numbers used for sums of lengths.
///
/// So sums are exact, and the comparison of two path lengths too.
pub const UNIT: f64 = (1u64 << BITS_OF_UNIT) as f64;

/// [`UNIT`] as a power of two.
pub(crate) const BITS_OF_UNIT: u32 = 20;

/// Corners and the straight lines between them, in both directions.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Where the edges of each corner end in `edges`.
    ends: Vec<usize>,
    edges: Vec<Edge>,
}

/// A straight line to another corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The other corner.
    pub to: u32,
    /// Its length in units of 2^-20 grid units, rounded to the nearest.
    pub length: u64,
}

impl Graph {
    /// Computes visibility from every corner.
    ///
    /// `None` when that took too much memory somewhere, as on a mesh whose polygons do not fit
    /// together.
    pub fn new(corners: &Corners) -> Option<Graph> {
        Graph::watched(corners, &|| ())
    }

    /// The same; calls `tick` for each corner, from any thread.
    pub(crate) fn watched(corners: &Corners, tick: &(dyn Fn() + Sync)) -> Option<Graph> {
        let count = corners.count() as u32;
        let look = |look: &mut CornerLook, corner: u32| {
            tick();
            let mut seen = vec![];
            corners.neighbours(corner, look, |other| seen.push(other)).then_some(seen)
        };
        let seen: Option<Vec<Vec<u32>>> =
            (0..count).into_par_iter().map_init(|| corners.look(), look).collect();
        // Visibility is symmetric; where rays end on other rays, only one side may report it.
        let mut pairs: Vec<(u32, u32)> = vec![];
        for (corner, seen) in (0..count).zip(seen?) {
            pairs.extend(seen.iter().flat_map(|&o| [(corner, o), (o, corner)]));
        }
        pairs.par_sort_unstable();
        pairs.dedup();
        let mut graph =
            Graph { ends: vec![0; count as usize], edges: Vec::with_capacity(pairs.len()) };
        for (from, to) in pairs {
            let length = length(corners.point(from), corners.point(to));
            graph.edges.push(Edge { to, length });
            graph.ends[from as usize] = graph.edges.len();
        }
        let mut end = 0;
        for slot in &mut graph.ends {
            end = end.max(*slot);
            *slot = end;
        }
        Some(graph)
    }

    /// The number of corners.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The number of edges, both directions counted.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a corner, by the number of the other end.
    pub fn edges(&self, corner: u32) -> &[Edge] {
        let corner = corner as usize;
        let begin = corner.checked_sub(1).map_or(0, |c| self.ends[c]);
        &self.edges[begin..self.ends[corner]]
    }

    /// For each corner, the first corner of its connected component.
    pub fn components(&self) -> Vec<u32> {
        let mut first = vec![u32::MAX; self.count()];
        let mut open = vec![];
        for corner in 0..self.count() as u32 {
            open.push(corner);
            while let Some(next) = open.pop() {
                if first[next as usize] == u32::MAX {
                    first[next as usize] = corner;
                    open.extend(self.edges(next).iter().map(|e| e.to));
                }
            }
        }
        first
    }
}

/// The straight distance between two points, in units of 1 / [`UNIT`] grid units.
pub(crate) fn length(a: [i32; 2], b: [i32; 2]) -> u64 {
    let [dx, dz] = [0, 1].map(|k| f64::from(b[k]) - f64::from(a[k]));
    ((dx * dx + dz * dz).sqrt() * UNIT + 0.5) as u64
}
