//! A* over polygons (Hart, Nilsson and Raphael 1968).
//!
//! A polygon is entered through a point of its portal. Of all points of the portal that one is taken from which the way from the entry
//! before, through the portal, straight to the goal is shortest: a better guess than the portal's middle, at the cost of one division. The
//! lengths are those of ways that can be walked, so they never fall short of the optimum; the funnel shortens them afterwards. A closed
//! polygon that is reached by a shorter way is opened again.

use navbake_format::{NavMeshView, PolyId};

use super::open_list::OpenList;
use super::scratch::{CLOSED, Corridor, Node, Scratch};
use crate::math::{distance, float, length};
use crate::{Location, surface};

pub(super) enum Outcome {
    /// The goal's polygon, as a node.
    Reached(usize),
    /// The search ended before; this node's polygon is nearest to the goal.
    Nearest {
        node: Option<usize>,
        /// There was no room for further nodes.
        full: bool,
    },
}

pub(super) struct Found {
    pub(super) outcome: Outcome,
    pub(super) expanded: u32,
    pub(super) max_open: u32,
}

pub(super) fn search(
    mesh: &NavMeshView<'_>,
    from: &Location,
    to: &Location,
    scratch: &mut Scratch<'_>,
) -> Found {
    let goal = float(to.point());
    // A corridor is no longer than the nodes that it leads through.
    let room = (scratch.nodes.len())
        .min(scratch.open.len())
        .min(scratch.longest_corridor() + 1);
    let mut bank = Bank {
        slots: scratch.slots,
        nodes: scratch.nodes.get_mut(..room).unwrap_or_default(),
        used: 0,
    };
    let mut open = OpenList::new(scratch.open);
    let mut full = false;
    let start = float(from.point());
    match bank.node(from.polygon()) {
        Some(n) => {
            bank.nodes[n as usize] = Node {
                polygon: from.polygon().0,
                parent: n,
                edge: 0,
                place: CLOSED,
                entry: start,
                g: 0.0,
                h: distance(start, goal),
            };
            open.put(bank.nodes, n);
        }
        None => full = true,
    }

    // Reopening ends, but nothing says how soon; after this many expansions closed polygons stay closed.
    let patience = mesh.polygon_count().saturating_mul(8);
    let mut expanded = 0u32;
    let mut reached = None;
    while let Some(n) = open.pop(bank.nodes) {
        let node = bank.nodes[n as usize];
        expanded = expanded.saturating_add(1);
        if node.polygon() == to.polygon() {
            reached = Some(n as usize);
            break;
        }
        let polygon = mesh.polygon(node.polygon());
        let came_from = bank.nodes[node.parent as usize].polygon();
        for k in 0..polygon.len() {
            let Some(beyond) = polygon.neighbour(k) else {
                continue;
            };
            if beyond == came_from {
                continue;
            }
            let known = bank.find(beyond);
            if let Some(m) = known {
                let m = &bank.nodes[m as usize];
                // No entry is nearer than the one we stand in.
                if m.g <= node.g || (m.place == CLOSED && expanded > patience) {
                    continue;
                }
            }
            let (a, b) = (polygon.corner(k), polygon.corner(polygon.next(k)));
            let entry = best_entry(node.entry, float(a), float(b), goal);
            let g = node.g + distance(node.entry, entry);
            if known.is_some_and(|m| bank.nodes[m as usize].g <= g) {
                continue;
            }
            let Some(m) = known.or_else(|| bank.node(beyond)) else {
                full = true;
                continue;
            };
            let place = match known {
                Some(m) => bank.nodes[m as usize].place,
                None => CLOSED,
            };
            bank.nodes[m as usize] = Node {
                polygon: beyond.0,
                parent: n,
                edge: k,
                place,
                entry,
                g,
                h: distance(entry, goal),
            };
            open.put(bank.nodes, m);
        }
    }
    let outcome = match reached {
        Some(n) => Outcome::Reached(n),
        None => Outcome::Nearest {
            node: nearest(mesh, &bank, to),
            full,
        },
    };
    Found {
        outcome,
        expanded,
        max_open: open.max as u32,
    }
}

/// Of all nodes the one whose polygon comes nearest to the goal in space; of equals the one with the shorter way.
fn nearest(mesh: &NavMeshView<'_>, bank: &Bank<'_>, to: &Location) -> Option<usize> {
    let goal = float(to.point());
    let mut best = (f64::INFINITY, f64::INFINITY, u32::MAX, None);
    for (n, node) in bank.nodes.iter().take(bank.used).enumerate() {
        let polygon = mesh.polygon(node.polygon());
        let point = surface::nearest(&polygon, to.point());
        let up = surface::height(&polygon, point) - to.height();
        let away = length(distance(float(point), goal), up);
        let key = (away, node.g, node.polygon, Some(n));
        if key < best {
            best = key;
        }
    }
    best.3
}

/// The point of the portal `a b` through which the way from `p` to `goal` is shortest: where the line to the goal, or to its mirror image
/// when it lies on this side, crosses the portal, drawn back to the portal's ends.
fn best_entry(p: [f64; 2], a: [f64; 2], b: [f64; 2], goal: [f64; 2]) -> [f64; 2] {
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

/// Nodes of the polygons seen. A polygon's slot is believed only when the node there says that it is that polygon's, so nothing has to be
/// cleared between searches (Briggs and Torczon, An efficient representation for sparse sets, 1993).
struct Bank<'a> {
    slots: &'a mut [u32],
    nodes: &'a mut [Node],
    used: usize,
}

impl Bank<'_> {
    fn find(&self, polygon: PolyId) -> Option<u32> {
        let slot = *self.slots.get(polygon.index())?;
        let is_its = (slot as usize) < self.used && self.nodes[slot as usize].polygon == polygon.0;
        is_its.then_some(slot)
    }

    /// A new node, if there is room.
    fn node(&mut self, polygon: PolyId) -> Option<u32> {
        let slot = self.slots.get_mut(polygon.index())?;
        let node = self.nodes.get_mut(self.used)?;
        *slot = self.used as u32;
        node.polygon = polygon.0;
        self.used += 1;
        Some(*slot)
    }
}

/// Writes the way to a node into [`Scratch::corridor`].
pub(super) fn trace(node: usize, last: PolyId, scratch: &mut Scratch<'_>) -> Corridor {
    let mut corridor = Corridor::new(last);
    let mut n = node;
    // Ways have no circles: a node's length is never less than its parent's was. The bound is for a node that is none.
    for _ in 0..scratch.nodes.len() {
        let Some(node) = scratch.nodes.get(n) else {
            break;
        };
        let parent = node.parent as usize;
        if parent == n {
            break;
        }
        let Some(before) = scratch.nodes.get(parent) else {
            break;
        };
        corridor.push(scratch.corridor, before.polygon(), node.edge);
        n = parent;
    }
    if let Some(steps) = scratch.corridor.get_mut(..corridor.len) {
        steps.reverse();
    }
    corridor
}
