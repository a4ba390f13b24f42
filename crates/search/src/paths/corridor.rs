//! The space of polygons.
//!
//! A polygon is entered through a point of its portal: the one at which the path from the previous
//! entry, through the portal, straight to the goal is shortest. That is a better guess than the
//! portal's middle, and costs one division.
//!
//! ```text
//!    entry o----.__          left end
//!                  `--.__   |
//!                        `-x------.__
//!                           |        `---o goal
//!                           right end
//! ```
//!
//! The lengths are those of paths that can be walked, so they are never less than the optimum. The
//! funnel shortens them afterwards.

use navbake_format::PolyId;

use super::astar::{Front, Offer, Space};
use super::climb::Climb;
use super::nodes::{Node, Step};
use crate::NavQuery;
use navbake_navmesh::math::{distance, float};

/// Keys are polygons.
pub(super) struct Polygons<'m, 'a>(pub(super) &'m NavQuery<'a>);

impl Space for Polygons<'_, '_> {
    #[inline]
    fn query(&self) -> &NavQuery<'_> {
        self.0
    }

    #[inline]
    fn expand(&self, n: u32, front: &mut Front<'_>) -> bool {
        let node = front.node(n);
        let here = PolyId(node.polygon);
        let ground =
            Ground { query: self.0, weight: self.0.weight(here), climb: front.climb(self.0, n) };
        let plain = self.0.costs.is_none();
        let came_from = front.came_from(&node);
        let mut fits = front.offer_links(self.0, n, self.0.mesh().polygon_count());
        let border = self.0.mesh().polys().border(node.polygon);
        let closings = *self.0.closings();
        for k in 0..border.len() {
            let edge = border.at(k);
            // Most edges are walls.
            let Some(beyond) = closings.beyond(&edge) else {
                continue;
            };
            if beyond == came_from
                || !front.leads_on(edge.block)
                || !(plain || self.0.enters(here, PolyId(beyond)))
            {
                continue;
            }
            let ends = || [edge.at, border.after(k).at];
            fits &= offer(&node, n, (k as u32, PolyId(beyond)), ends, &ground, front);
        }
        fits
    }
}

/// The cost of walking from the entry of a node.
struct Ground<'q, 'a> {
    query: &'q NavQuery<'a>,
    weight: f64,
    climb: Option<Climb>,
}

impl Ground<'_, '_> {
    /// The cost of the path to a place on an edge.
    #[inline]
    fn cost(&self, node: &Node, edge: u32, entry: [f64; 2]) -> f64 {
        let flat = distance(node.entry, entry) * self.weight;
        let Some(climb) = &self.climb else {
            return flat;
        };
        let polygon = node.polygon;
        flat + climb.up_to_portal(self.query, Step { polygon, edge }, entry)
    }
}

/// Offers the polygon beyond an edge of a node's polygon.
///
/// False when there was no room for it.
#[inline]
fn offer(
    node: &Node,
    n: u32,
    (edge, beyond): (u32, PolyId),
    ends: impl FnOnce() -> [[i32; 2]; 2],
    ground: &Ground<'_, '_>,
    front: &mut Front<'_>,
) -> bool {
    let known = front.find(beyond.0);
    // No entry is nearer than the current one.
    if known.is_some_and(|m| !front.improves(m, node.g)) {
        return true;
    }
    let entry = best_entry(node.entry, ends().map(float), front);
    let g = node.g + ground.cost(node, edge, entry);
    if known.is_some_and(|m| !front.improves(m, g)) {
        return true;
    }
    let offer = Offer { key: beyond.0, polygon: beyond, edge, entry, g };
    front.take(ground.query, &offer, known, n)
}

/// The point of a portal with the shortest path from `p` to the nearest target.
#[inline]
fn best_entry(p: [f64; 2], ends: [[f64; 2]; 2], front: &Front<'_>) -> [f64; 2] {
    if let [only] = &*front.targets {
        return through(p, ends, float(only.point));
    }
    best_of_many(p, ends, front)
}

/// The same where there are several targets.
#[inline(never)]
fn best_of_many(p: [f64; 2], ends: [[f64; 2]; 2], front: &Front<'_>) -> [f64; 2] {
    let entry = |t: usize| {
        let target = front.targets.get(t).map_or(p, |t| float(t.point));
        (through(p, ends, target), target)
    };
    let first = entry(0);
    let way = |(e, target): ([f64; 2], [f64; 2])| distance(p, e) + distance(e, target);
    let mut best = (way(first), first.0);
    for t in 1..front.targets.len() {
        let next = entry(t);
        if way(next) < best.0 {
            best = (way(next), next.0);
        }
    }
    best.1
}

/// The point of the portal `a b` at which the path from `p` to `goal` is shortest.
///
/// It is where the line to the goal crosses the portal, clamped to the portal's ends. A goal on
/// this side of the portal is mirrored first.
pub fn through(p: [f64; 2], [a, b]: [[f64; 2]; 2], goal: [f64; 2]) -> [f64; 2] {
    let d = [b[0] - a[0], b[1] - a[1]];
    let off = |q: [f64; 2]| ((q[0] - a[0]) * d[1] - (q[1] - a[1]) * d[0]).abs();
    let along = |q: [f64; 2]| (q[0] - a[0]) * d[0] + (q[1] - a[1]) * d[1];
    let square = d[0] * d[0] + d[1] * d[1];
    let (here, there) = (off(p), off(goal));
    let t = if here + there > 0.0 {
        (along(p) * there + along(goal) * here) / ((here + there) * square)
    } else {
        along(p) / square
    };
    if t <= 0.0 {
        a
    } else if t >= 1.0 {
        b
    } else {
        [a[0] + t * d[0], a[1] + t * d[1]]
    }
}
