//! The length of the cheapest path, by a plain method.

use std::collections::BTreeSet;
use std::fmt::Debug;

use super::{Scene, UNITS};

/// Checks a length in metres against the optimum in grid units, up to rounding.
///
/// `ends` name the query in the message.
#[track_caller]
pub fn assert_shortest(length: f64, optimum: f64, ends: impl Debug) {
    let ours = length * UNITS;
    assert!(
        (ours - optimum).abs() <= 1e-9 * optimum.max(1.0),
        "{ends:?}: {ours}, but {optimum} is shortest"
    );
}

/// A point where a path can turn, the faces that are the same ground there as its own, and this.
///
/// Closed ground can be left, not entered: not all of them need be ground from which it is entered.
type Turn = ([i32; 2], BTreeSet<usize>, usize);

impl Scene {
    /// Cost of the cheapest path between two points, grid units.
    ///
    /// Dijkstra over the visibility graph of all corners and both ends of all links. Lines of sight
    /// are followed from face to face.
    pub fn shortest(&self, from: usize, a: [i32; 2], to: usize, b: [i32; 2]) -> Option<f64> {
        let turn = |f, p| -> Turn { (p, self.spread(&BTreeSet::from([f]), [p, p], [0, 1]), f) };
        let mut nodes = vec![turn(from, a), turn(to, b)];
        // The number of a node, which may be one of the first two.
        let number = |nodes: &mut Vec<Turn>, node: Turn| {
            nodes.iter().position(|n| (n.0, &n.1) == (node.0, &node.1)).unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let taken = || self.links.iter().filter(|link| self.can_take(link));
        let ends: Vec<usize> =
            taken().map(|link| number(&mut nodes, turn(link.beyond, link.to))).collect();
        let islands = self.islands();
        // A path can be in closed faces only from its start.
        let comes_to = |f: &usize| {
            (!ends.is_empty() || islands[*f] == islands[from])
                && (!self.closed.holds(*f) || self.closed.holds(from))
        };
        for f in (0..self.faces.len()).filter(comes_to) {
            for k in 0..self.faces[f].corners.len() {
                number(&mut nodes, turn(f, self.corner(f, k)));
            }
        }
        // The start of a link is a node of its own: paths reach it and leave it only by the link.
        let turns = nodes.len();
        let mut links: Vec<(usize, usize, f64)> = vec![];
        for (link, &end) in taken().zip(&ends) {
            links.push((nodes.len(), end, link.cost * UNITS));
            nodes.push(turn(link.face, link.from));
        }
        let away = |p: [i32; 2], q: [i32; 2]| f64::from(q[0] - p[0]).hypot(f64::from(q[1] - p[1]));
        let mut best = vec![f64::INFINITY; nodes.len()];
        let mut done = vec![false; nodes.len()];
        best[0] = 0.0;
        // A* with the straight distance, to skip far corners; with links, which may be shortcuts,
        // plain Dijkstra.
        let ahead = |p: [i32; 2]| if links.is_empty() { away(p, b) } else { 0.0 };
        loop {
            let key = |n: usize| best[n] + ahead(nodes[n].0);
            let n = (0..nodes.len())
                .filter(|&n| !done[n] && best[n].is_finite())
                .min_by(|&m, &n| key(m).total_cmp(&key(n)))?;
            if n == 1 {
                return Some(best[1]);
            }
            done[n] = true;
            for &(begin, end, cost) in &links {
                if begin == n {
                    best[end] = best[end].min(best[n] + cost);
                }
            }
            for m in 0..if n < turns { nodes.len() } else { 0 } {
                let (p, q) = (nodes[n].0, nodes[m].0);
                let length = best[n] + away(p, q);
                if !done[m]
                    && length < best[m]
                    && length + ahead(q) < best[1]
                    && self.walk(&nodes[n].1, p, q).contains(&nodes[m].2)
                {
                    best[m] = length;
                }
            }
        }
    }
}
