//! The space of polygons.
//!
//! A polygon is entered through a point of its portal. Of all points of the portal that one is taken from which the way from the entry
//! before, through the portal, straight to the goal is shortest: a better guess than the portal's middle, at the cost of one division. The
//! lengths are those of ways that can be walked, so they never fall short of the optimum; the funnel shortens them afterwards.

use navbake_format::PolyId;

use super::astar::{Front, Offer, Space};
use crate::Query;
use crate::math::{distance, float};

/// Keys are polygons.
pub(super) struct Polygons<'m, 'a>(pub(super) &'m Query<'a>);

impl Space for Polygons<'_, '_> {
    #[inline]
    fn expand(&self, n: u32, front: &mut Front<'_>) -> bool {
        let node = front.node(n);
        let polygon = self.0.mesh().polygon(PolyId(node.polygon));
        let came_from = front.node(node.parent).polygon;
        let mut fits = true;
        // The corner where the edge before ended, and its number: reading one is dear.
        let mut last = (u32::MAX, [0; 2]);
        for k in 0..polygon.len() {
            let Some(beyond) = self.0.beyond(&polygon, k) else {
                continue;
            };
            if beyond.0 == came_from {
                continue;
            }
            let known = front.find(beyond.0);
            // No entry is nearer than the one we stand in.
            if known.is_some_and(|m| !front.improves(m, node.g)) {
                continue;
            }
            let next = polygon.next(k);
            let a = if last.0 == k {
                last.1
            } else {
                polygon.corner(k)
            };
            let b = polygon.corner(next);
            last = (next, b);
            let entry = best_entry(node.entry, [a, b].map(float), front);
            let g = node.g + distance(node.entry, entry);
            if known.is_some_and(|m| !front.improves(m, g)) {
                continue;
            }
            let offer = Offer {
                key: beyond.0,
                polygon: beyond,
                edge: k,
                entry,
                g,
            };
            fits &= front.take(&offer, known, n);
        }
        fits
    }
}

/// The point of a portal through which the way from `p` to the nearest target is shortest.
#[inline]
fn best_entry(p: [f64; 2], ends: [[f64; 2]; 2], front: &Front<'_>) -> [f64; 2] {
    let entry = |t: usize| {
        let target = front.targets.get(t).map_or(p, |t| float(t.point));
        (through(p, ends, target), target)
    };
    let first = entry(0);
    if front.targets.len() < 2 {
        return first.0;
    }
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

/// The point of the portal `a b` through which the way from `p` to `goal` is shortest: where the line to the goal, or to its mirror image
/// when it lies on this side, crosses the portal, drawn back to the portal's ends.
fn through(p: [f64; 2], [a, b]: [[f64; 2]; 2], goal: [f64; 2]) -> [f64; 2] {
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
