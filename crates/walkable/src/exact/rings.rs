//! Squares to layers, pieces of border to rings.

use navbake_geom::{Point, Whole, ring_area};

use super::Contradiction;
use super::drawn::{drawn, without_spikes};
use super::facet::V2;
use super::lattice::{Lattice, NONE};
use super::reach::{End, Reach};
use super::sheets::Sheets;
use super::walk::{Met, place, walk};
use crate::layers::Ring;

/// A part of a border with ground to its left.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Ends of gaps or nodes.
    from: u32,
    to: u32,
    /// Its corners but the last, as a range of the corners.
    corners: (u32, u32),
    open: bool,
}

/// The rings of those sheets that have an outer one, by sheet.
///
/// # Errors
/// When a border line does not close.
pub(crate) fn rings(
    lattice: &Lattice,
    reach: &Reach,
    sheets: &Sheets,
) -> Result<Vec<(u32, Vec<Ring>)>, Contradiction> {
    let count = sheets.seeds.len();
    // Bordered squares by sheet.
    let mut first = vec![0u32; count + 1];
    for &s in &sheets.bordered {
        first[sheets.of(s) as usize + 1] += 1;
    }
    for k in 0..count {
        first[k + 1] += first[k];
    }
    let mut squares = vec![0; sheets.bordered.len()];
    let mut next = first.clone();
    for &s in &sheets.bordered {
        let at = &mut next[sheets.of(s) as usize];
        squares[*at as usize] = s;
        *at += 1;
    }
    let mut layers = vec![];
    let mut border = Border::new(lattice, reach);
    for k in 0..count {
        let squares = &squares[first[k] as usize..first[k + 1] as usize];
        border.parts(squares, |s| sheets.of(s) == k as u32);
        let rings = border.rings();
        if rings.iter().any(|r| ring_area(&r.points) > 0) {
            layers.push((k as u32, rings));
        }
    }
    match border.unclosed {
        0 => Ok(layers),
        open_rings => Err(Contradiction { open_rings }),
    }
}

/// The border of a sheet, as it is put together.
struct Border<'a> {
    lattice: &'a Lattice,
    reach: &'a Reach,
    parts: Vec<Part>,
    corners: Vec<V2>,
    met: Vec<Met>,
    /// For each end of a gap and each node: the first part that begins there; for each part, the next one that does.
    starts: Vec<u32>,
    next: Vec<u32>,
    used: Vec<bool>,
    /// Lines that did not close.
    unclosed: u32,
}

impl<'a> Border<'a> {
    fn new(lattice: &'a Lattice, reach: &'a Reach) -> Border<'a> {
        Border {
            lattice,
            reach,
            parts: vec![],
            corners: vec![],
            met: vec![],
            starts: vec![NONE; 2 * reach.gap_count() as usize + lattice.len()],
            next: vec![],
            used: vec![],
            unclosed: 0,
        }
    }

    /// The border of a sheet in parts, and their corners: of the squares that it may run through or along.
    fn parts(&mut self, squares: &[u32], member: impl Fn(u32) -> bool) {
        let Border {
            lattice,
            reach,
            parts,
            corners,
            met,
            ..
        } = self;
        let (lattice, reach) = (*lattice, *reach);
        parts.clear();
        corners.clear();
        let (mut taken, mut lost) = (vec![], vec![]);
        // Ends of gaps at stadiums, then nodes.
        let nodes = 2 * reach.gap_count();
        let name = |edge: usize, gap: u32, end: usize| match reach.gap(gap).ends[end] {
            End::Stadium(..) => 2 * gap + end as u32,
            End::Node if end == 0 => nodes + (edge / 2) as u32,
            End::Node => nodes + lattice.links((edge / 2) as u32)[edge % 2],
        };
        for &square in squares {
            met.clear();
            let mut bordered = false;
            // A border stays a grid unit off the open sides of its square, or rounding could put it on them.
            let [a, c] =
                [0, 2].map(|k| lattice.place(lattice.corners(square).map_or(square, |q| q[k])));
            let (mut low, mut high) = (a, c);
            for k in 0..4 {
                let (edge, against) = (lattice.edge(square, k), k >= 2);
                let open = !member(lattice.beyond(square, k));
                if open {
                    match k {
                        0 => low[1] += 1.0,
                        1 => high[0] -= 1.0,
                        2 => high[1] -= 1.0,
                        _ => low[0] += 1.0,
                    }
                }
                let Some(gaps) = reach.gaps_of(edge) else {
                    if open {
                        let ends = [
                            (edge / 2) as u32,
                            lattice.links((edge / 2) as u32)[edge % 2],
                        ];
                        let [a, b] = if against { [ends[1], ends[0]] } else { ends };
                        let at = corners.len() as u32;
                        corners.push(lattice.place(a));
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
                met.extend(gaps.map(|gap| Met { edge, gap, against }));
                if against {
                    met[begin..].reverse();
                }
                if open {
                    for m in &met[begin..] {
                        let (a, b) = (m.end(0), m.end(1));
                        let at = corners.len() as u32;
                        corners.push(place(lattice, edge, f64::from(reach.gap(m.gap).drawn[a])));
                        let (from, to) = (name(edge, m.gap, a), name(edge, m.gap, b));
                        parts.push(Part {
                            from,
                            to,
                            corners: (at, at + 1),
                            open,
                        });
                    }
                }
            }
            if !bordered {
                continue;
            }
            // Every walk comes out at a gap of its own; one that got lost takes the next around the square that is left over.
            taken.clear();
            taken.resize(met.len(), false);
            lost.clear();
            for k in 0..met.len() {
                let m = met[k];
                if reach.gap(m.gap).ends[m.end(1)] == End::Node {
                    continue;
                }
                let at = corners.len() as u32;
                corners.push(place(
                    lattice,
                    m.edge,
                    f64::from(reach.gap(m.gap).drawn[m.end(1)]),
                ));
                match walk(lattice, reach, square, met, k, corners) {
                    Some(to) if !taken[to] => {
                        taken[to] = true;
                        for c in &mut corners[at as usize + 1..] {
                            *c = [0, 1].map(|axis| c[axis].clamp(low[axis], high[axis]));
                        }
                        let to = met[to];
                        parts.push(Part {
                            from: name(m.edge, m.gap, m.end(1)),
                            to: name(to.edge, to.gap, to.end(0)),
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
                    !taken[k] && reach.gap(m.gap).ends[m.end(0)] != End::Node
                };
                let Some(to) = turns.find(free) else {
                    continue;
                };
                taken[to] = true;
                let (m, to) = (met[k], met[to]);
                parts.push(Part {
                    from: name(m.edge, m.gap, m.end(1)),
                    to: name(to.edge, to.gap, to.end(0)),
                    corners: (at, at + 1),
                    open: false,
                });
            }
        }
    }

    /// Joins parts to rings, and counts those that do not close.
    fn rings(&mut self) -> Vec<Ring> {
        let Border {
            parts,
            corners,
            starts,
            next,
            used,
            ..
        } = self;
        next.clear();
        next.resize(parts.len(), NONE);
        for (k, part) in parts.iter().enumerate().rev() {
            let start = &mut starts[part.from as usize];
            (next[k], *start) = (*start, k as u32);
        }
        used.clear();
        used.resize(parts.len(), false);
        let crumb = (self.lattice.row(1) - self.lattice.row(0)) / 2.0;
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
                // What lies within half a square is a pocket that nobody misses.
                self.unclosed += u32::from(!is_within(&ring.points, crumb));
                continue;
            }
            let ring = without_spikes(drawn(&mut ring));
            // What rounding made flat bounds nothing.
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

/// Do points lie within a box of this side?
fn is_within(points: &[Point], side: f64) -> bool {
    let spread = |of: fn(&Point) -> i32| {
        let (least, most) = (points.iter().map(of).min(), points.iter().map(of).max());
        f64::from(most.unwrap_or(0) - least.unwrap_or(0))
    };
    spread(|p| p.x) < side && spread(|p| p.z) < side
}

/// Rings of no more than this, in grid units squared, twice, bound nothing.
const FLAT: i64 = 512;
