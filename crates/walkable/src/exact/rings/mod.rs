//! The border of each layer: pieces of border, joined to rings.
//!
//! Each square gives the pieces of border inside it, each from one name to another. A name is an
//! end of an opening, or a node:
//!
//! ```text
//!  o---------------o      A walk enters the square at p, the end of an opening, and follows
//!  |     ..        |      capsules, these to its right, to q, an end of another opening: a
//!  |    /  \...    |      piece from p to q.
//!  p---/       \---q
//!  ~               ~      Where the ground goes on in another layer or tile, the side itself
//!  ~    free       ~      is border: an open piece from one end of the opening to the other.
//!  o~~~~~~~~~~~~~~~o
//! ```
//!
//! Squares on both sides of an edge have the same openings, so pieces join by their names alone: no
//! coordinates are compared. A chain of pieces that returns to its first name is a ring. One that
//! ends elsewhere is dropped where it is smaller than half a square; else the edges at some node
//! disagree ([`Clearance::agree`]). Rings may cross where capsules nearly touch.

mod cleanup;
mod walk;

use navbake_geom::{Point, Whole, ring_area};

use super::capsules::{Clearance, End};
use super::layer_map::LayerMap;
use super::math::V2;
use super::sampling::{NONE, SamplingGrid};
use crate::groups::Groups;
use crate::layers::Ring;
use cleanup::{cleaned, without_spikes};
use walk::{Met, place, walk};

/// A part of a border with ground to its left.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Ends of openings or nodes.
    from: u32,
    to: u32,
    /// Its corners but the last, as a range of the corners.
    corners: (u32, u32),
    open: bool,
}

/// The rings of those layers that have an outer one, by layer, and how many border lines do not
/// close by themselves.
pub(crate) fn rings(
    grid: &SamplingGrid,
    clearance: &Clearance,
    layers: &LayerMap,
) -> (Vec<(u32, Vec<Ring>)>, u32) {
    let count = layers.seeds.len();
    let bordered = layers.bordered.iter().map(|&s| (layers.of(s), s));
    let squares = Groups::new(count, bordered);
    let mut found = vec![];
    let mut border = Border::new(grid, clearance);
    for k in 0..count {
        border.parts(squares.of(k), |s| layers.of(s) == k as u32);
        let rings = border.rings();
        if rings.iter().any(|r| ring_area(&r.points) > 0) {
            found.push((k as u32, rings));
        }
    }
    (found, border.unclosed)
}

/// The border of a layer, as it is put together.
struct Border<'a> {
    grid: &'a SamplingGrid,
    clearance: &'a Clearance,
    parts: Vec<Part>,
    corners: Vec<V2>,
    met: Vec<Met>,
    /// For each end of an opening and each node: the first part that begins there; for each part,
    /// the next one that begins at the same name.
    starts: Vec<u32>,
    next: Vec<u32>,
    used: Vec<bool>,
    /// Lines that did not close.
    unclosed: u32,
}

impl<'a> Border<'a> {
    fn new(grid: &'a SamplingGrid, clearance: &'a Clearance) -> Border<'a> {
        Border {
            grid,
            clearance,
            parts: vec![],
            corners: vec![],
            met: vec![],
            starts: vec![NONE; 2 * clearance.opening_count() as usize + grid.len()],
            next: vec![],
            used: vec![],
            unclosed: 0,
        }
    }

    /// Collects the border of a layer in parts, with their corners, from the squares that it may
    /// run through or along.
    fn parts(&mut self, squares: &[u32], member: impl Fn(u32) -> bool) {
        let Border { grid, clearance, parts, corners, met, .. } = self;
        let (grid, clearance) = (*grid, *clearance);
        parts.clear();
        corners.clear();
        let (mut taken, mut lost) = (vec![], vec![]);
        // Ends of openings at capsules, then nodes.
        let nodes = 2 * clearance.opening_count();
        let name =
            |edge: usize, opening: u32, end: usize| match clearance.opening(opening).ends[end] {
                End::Capsule(..) => 2 * opening + end as u32,
                End::Node if end == 0 => nodes + (edge / 2) as u32,
                End::Node => nodes + grid.links((edge / 2) as u32)[edge % 2],
            };
        for &square in squares {
            met.clear();
            let mut bordered = false;
            // A border keeps one grid unit off the open sides of its square, or rounding could put
            // it on them.
            let [a, c] = [0, 2].map(|k| grid.place(grid.corners(square).map_or(square, |q| q[k])));
            let (mut low, mut high) = (a, c);
            for k in 0..4 {
                let (edge, against) = (grid.edge(square, k), k >= 2);
                let beyond = grid.beyond(square, k);
                let is_side = !member(beyond);
                // Where no square is beyond, an agent without a radius is at the end of the ground.
                let open = beyond != NONE;
                if is_side {
                    match k {
                        0 => low[1] += 1.0,
                        1 => high[0] -= 1.0,
                        2 => high[1] -= 1.0,
                        _ => low[0] += 1.0,
                    }
                }
                let Some(openings) = clearance.openings_of(edge) else {
                    if is_side {
                        let ends = [(edge / 2) as u32, grid.links((edge / 2) as u32)[edge % 2]];
                        let [a, b] = if against { [ends[1], ends[0]] } else { ends };
                        let at = corners.len() as u32;
                        corners.push(grid.place(a));
                        parts.push(Part {
                            from: nodes + a,
                            to: nodes + b,
                            corners: (at, at + 1),
                            open,
                        });
                    }
                    continue;
                };
                bordered = true;
                let begin = met.len();
                met.extend(openings.map(|opening| Met { edge, opening, against }));
                if against {
                    met[begin..].reverse();
                }
                if is_side {
                    for m in &met[begin..] {
                        let (a, b) = (m.end(0), m.end(1));
                        let at = corners.len() as u32;
                        corners.push(place(
                            grid,
                            edge,
                            f64::from(clearance.opening(m.opening).rounded[a]),
                        ));
                        let (from, to) = (name(edge, m.opening, a), name(edge, m.opening, b));
                        parts.push(Part { from, to, corners: (at, at + 1), open });
                    }
                }
            }
            if !bordered {
                continue;
            }
            // Every walk ends at an opening of its own; a lost one gets the next free one around
            // the square.
            taken.clear();
            taken.resize(met.len(), false);
            lost.clear();
            for k in 0..met.len() {
                let m = met[k];
                if clearance.opening(m.opening).ends[m.end(1)] == End::Node {
                    continue;
                }
                let at = corners.len() as u32;
                corners.push(place(
                    grid,
                    m.edge,
                    f64::from(clearance.opening(m.opening).rounded[m.end(1)]),
                ));
                match walk(grid, clearance, square, met, k, corners) {
                    Some(to) if !taken[to] => {
                        taken[to] = true;
                        for c in &mut corners[at as usize + 1..] {
                            *c = [0, 1].map(|axis| c[axis].clamp(low[axis], high[axis]));
                        }
                        let to = met[to];
                        parts.push(Part {
                            from: name(m.edge, m.opening, m.end(1)),
                            to: name(to.edge, to.opening, to.end(0)),
                            corners: (at, corners.len() as u32),
                            open: false,
                        });
                    }
                    _ => {
                        corners.truncate(at as usize + 1);
                        lost.push((k, at));
                    }
                }
            }
            for &(k, at) in &lost {
                let mut turns = (1..=met.len()).map(|n| (k + n) % met.len());
                let free = |&k: &usize| {
                    let m = met[k];
                    !taken[k] && clearance.opening(m.opening).ends[m.end(0)] != End::Node
                };
                let Some(to) = turns.find(free) else {
                    continue;
                };
                taken[to] = true;
                let (m, to) = (met[k], met[to]);
                parts.push(Part {
                    from: name(m.edge, m.opening, m.end(1)),
                    to: name(to.edge, to.opening, to.end(0)),
                    corners: (at, at + 1),
                    open: false,
                });
            }
        }
    }

    /// Joins parts to rings, and counts those that do not close.
    fn rings(&mut self) -> Vec<Ring> {
        let Border { parts, corners, starts, next, used, .. } = self;
        next.clear();
        next.resize(parts.len(), NONE);
        for (k, part) in parts.iter().enumerate().rev() {
            let start = &mut starts[part.from as usize];
            (next[k], *start) = (*start, k as u32);
        }
        used.clear();
        used.resize(parts.len(), false);
        let crumb = (self.grid.row(1) - self.grid.row(0)) / 2.0;
        let mut rings = vec![];
        let mut ring = Ring::default();
        for first in 0..parts.len() {
            if used[first] {
                continue;
            }
            ring.points.clear();
            ring.open.clear();
            let mut at = first;
            let closed = loop {
                used[at] = true;
                let part = &parts[at];
                for c in &corners[part.corners.0 as usize..part.corners.1 as usize] {
                    let [x, y] = c.map(Whole::to_nearest);
                    ring.push(Point::new(x, -y), part.open);
                }
                if part.to == parts[first].from {
                    break true;
                }
                // The first of those that begin here and are not taken.
                let mut after = starts[part.to as usize];
                while after != NONE && used[after as usize] {
                    after = next[after as usize];
                }
                if after == NONE {
                    break false;
                }
                at = after as usize;
            };
            if !closed {
                // A chain within half a square is a pocket that is no loss.
                if is_within(&ring.points, crumb) {
                    continue;
                }
                self.unclosed += 1;
            }
            let ring = without_spikes(cleaned(&mut ring));
            // Rounding can flatten a ring; it bounds nothing then.
            if ring.points.len() > 2 && ring_area(&ring.points).abs() > FLAT {
                rings.push(ring);
            }
        }
        for part in parts.iter() {
            starts[part.from as usize] = NONE;
        }
        rings
    }
}

/// Do points fit in a box with this side?
fn is_within(points: &[Point], side: f64) -> bool {
    let spread = |of: fn(&Point) -> i32| {
        let (least, most) = (points.iter().map(of).min(), points.iter().map(of).max());
        f64::from(most.unwrap_or(0) - least.unwrap_or(0))
    };
    spread(|p| p.x) < side && spread(|p| p.z) < side
}

/// Rings of no more than this, in grid units squared, twice, bound nothing.
const FLAT: i64 = 512;
