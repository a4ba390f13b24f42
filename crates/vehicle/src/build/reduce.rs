//! Edges that searches do not need.
//!
//! Where two edges in a row are no longer than a third between the same ends, and touch no tile
//! that it does not touch, the third never makes a path shorter or possible. Each of the two is
//! shorter than the third, so replacing them in turn ends: all of these edges can be removed at
//! once, and no shortest path gets longer by a part of a tile.

use std::collections::HashMap;

use rayon::prelude::*;

use super::edges::Edge;

/// Ends of edges from a heading, to the edges there.
type Ends<'e> = HashMap<([i32; 2], u32), Vec<&'e Edge>>;

/// The edges that no two of `all`, by first heading, replace.
pub(crate) fn needed(edges: Vec<Edge>, all: &[Vec<Edge>]) -> Vec<Edge> {
    let ends: Vec<Ends<'_>> = all
        .iter()
        .map(|list| {
            let mut ends: Ends<'_> = HashMap::new();
            for edge in list {
                ends.entry((edge.offset, edge.to)).or_default().push(edge);
            }
            ends
        })
        .collect();
    let keep: Vec<bool> = edges.par_iter().map(|edge| !has_stand_in(edge, all, &ends)).collect();
    let mut keep = keep.into_iter();
    let mut edges = edges;
    edges.retain(|_| keep.next().unwrap_or(true));
    edges
}

fn has_stand_in(edge: &Edge, all: &[Vec<Edge>], ends: &[Ends<'_>]) -> bool {
    let first = all[edge.from as usize].iter();
    // By length: those behind are longer.
    let shorter = first.take_while(|a| a.length < edge.length);
    shorter.filter(|a| a.swept.is_subset(&edge.swept)).any(|a| {
        let rest = [edge.offset[0] - a.offset[0], edge.offset[1] - a.offset[1]];
        let Some(on) = ends[a.to as usize].get(&(rest, edge.to)) else {
            return false;
        };
        on.iter().any(|b| {
            a.length + b.length <= edge.length && b.swept.is_subset_moved(a.offset, &edge.swept)
        })
    })
}
