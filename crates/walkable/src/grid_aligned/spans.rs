//! Walkable ground under cell centres, and which of it is a step apart.

use navbake_geom::{Point3, Whole, orient};
use navbake_level::Level;

use super::raster::{Columns, Solid};
use crate::params::Params;

/// Directions in counter-clockwise order seen from above: +z, +x, -z, -x.
pub(crate) const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// No span.
pub(crate) const NO_SPAN: u32 = u32::MAX;

/// Walkable ground under a cell's centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The cell in the window, row by row.
    pub(crate) cell: u32,
    /// Height of the ground at the centre.
    pub(crate) y: i32,
    /// Rise of the ground over half a cell along x and z.
    pub(crate) rise: [i32; 2],
    /// The spans one step away, in the order of [`STEPS`].
    pub(crate) links: [u32; 4],
}

/// All spans of a window.
#[derive(Debug)]
pub(crate) struct Spans {
    pub(crate) least: [i32; 2],
    pub(crate) side: i32,
    /// Sorted by cell, then height.
    pub(crate) spans: Vec<Span>,
    /// Where each cell's spans begin; one more entry than cells.
    pub(crate) first: Vec<u32>,
}

impl Spans {
    /// Spans with head room, linked to their neighbours.
    pub(crate) fn new(level: &Level, columns: &Columns, params: &Params) -> Spans {
        let cells = (columns.side * columns.side) as usize;
        let mut spans: Vec<Span> = vec![];
        let mut first = Vec::with_capacity(cells + 1);
        let mut here: Vec<(i32, u32)> = vec![];
        let mut overhead = Overhead::default();
        for cell in 0..cells {
            first.push(spans.len() as u32);
            here.clear();
            here.extend(columns.samples.of(cell).iter().map(|s| (s.y, s.triangle)));
            if here.is_empty() {
                continue;
            }
            here.sort_unstable_by(|a, b| b.cmp(a));
            overhead.fill(columns.solids.of(cell));
            let start = spans.len();
            for &(y, triangle) in &here {
                // Ground within a step below standable ground is under its carpet.
                if spans.len() > start && spans[spans.len() - 1].y - y <= params.climb {
                    continue;
                }
                let (knee, head) = (y.saturating_add(params.knee), y.saturating_add(params.height));
                if overhead.blocks(knee, head, triangle) {
                    continue;
                }
                // The grid may have tilted a sliver by any angle; its slope was judged before that.
                let most = params.most_rise();
                let rise = rise(level.corners(&level.triangles[triangle as usize]), params.cell)
                    .map(|r| r.clamp(-most, most));
                spans.push(Span { cell: cell as u32, y, rise, links: [NO_SPAN; 4] });
            }
            spans[start..].reverse();
        }
        first.push(spans.len() as u32);
        let mut out = Spans { least: columns.least, side: columns.side, spans, first };
        out.link(params);
        out
    }

    /// The spans of a cell, as indices.
    pub(crate) fn of(&self, cell: u32) -> std::ops::Range<u32> {
        self.first[cell as usize]..self.first[cell as usize + 1]
    }

    /// The cell one step away, if it is in the window.
    pub(crate) fn neighbour(&self, cell: u32, direction: usize) -> Option<u32> {
        let (column, row) = (cell as i32 % self.side, cell as i32 / self.side);
        let (dx, dz) = STEPS[direction];
        let (c, r) = (column + dx, row + dz);
        (c >= 0 && r >= 0 && c < self.side && r < self.side).then(|| (r * self.side + c) as u32)
    }

    /// Links each span with the one in the next cell nearest in height at the common side, if both
    /// agree.
    fn link(&mut self, params: &Params) {
        for direction in [0usize, 1] {
            let axis = 1 - direction;
            for cell in 0..(self.side * self.side) as u32 {
                let Some(next) = self.neighbour(cell, direction) else {
                    continue;
                };
                for a in self.of(cell) {
                    let Some(b) = self.best(a, next, axis, 1, params.climb) else {
                        continue;
                    };
                    if self.best(b, cell, axis, -1, params.climb) == Some(a) {
                        self.spans[a as usize].links[direction] = b;
                        self.spans[b as usize].links[direction + 2] = a;
                    }
                }
            }
        }
    }

    /// The span of cell `next` whose ground at the common side is nearest in height to that of span
    /// `a`, at most a climb away; the higher of two at the same distance.
    fn best(&self, a: u32, next: u32, axis: usize, sign: i32, climb: i32) -> Option<u32> {
        let from = &self.spans[a as usize];
        let edge = from.y + sign * from.rise[axis];
        let mut best: Option<(i32, u32)> = None;
        for b in self.of(next) {
            let to = &self.spans[b as usize];
            let jump = (to.y - sign * to.rise[axis] - edge).abs();
            if jump <= climb && best.is_none_or(|(least, _)| jump <= least) {
                best = Some((jump, b));
            }
        }
        best.map(|(_, b)| b)
    }

    /// Heights at the corners of a span's cell, then at its centre. Spans linked around a corner
    /// have the same height there.
    pub(crate) fn heights(&self, span: u32) -> [i32; 5] {
        // Corner k is between the directions given: (-x, -z), (+x, -z), (+x, +z), (-x, +z).
        const BETWEEN: [(usize, usize); 4] = [(2, 3), (1, 2), (0, 1), (3, 0)];
        let mut out = [self.spans[span as usize].y; 5];
        for (k, &(d, e)) in BETWEEN.iter().enumerate() {
            out[k] = self.corner(span, d, e);
        }
        out
    }

    /// Mean height of the grounds that meet in the corner of a span's cell between the directions
    /// `d` and `e = d + 1`.
    fn corner(&self, span: u32, d: usize, e: usize) -> i32 {
        let extend = |s: u32, sx: i32, sz: i32| {
            let p = &self.spans[s as usize];
            i64::from(p.y + sx * p.rise[0] + sz * p.rise[1])
        };
        let (sx, sz) = (STEPS[d].0 + STEPS[e].0, STEPS[d].1 + STEPS[e].1);
        let (mut sum, mut count) = (extend(span, sx, sz), 1i64);
        // Around the corner in one direction until a link is missing, then in the other.
        let way = |turns: [usize; 3], most: usize, sum: &mut i64, count: &mut i64| {
            let mut at = span;
            let (mut sx, mut sz) = (sx, sz);
            for (k, &turn) in turns.iter().take(most).enumerate() {
                let next = self.spans[at as usize].links[turn];
                if next == NO_SPAN {
                    return k;
                }
                if STEPS[turn].0 != 0 {
                    sx = -sx;
                } else {
                    sz = -sz;
                }
                *sum += extend(next, sx, sz);
                *count += 1;
                at = next;
            }
            most
        };
        let opposite = |k: usize| (k + 2) % 4;
        let done = way([d, e, opposite(d)], 3, &mut sum, &mut count);
        way([e, d, opposite(e)], 3 - done, &mut sum, &mut count);
        (2 * sum + count).div_euclid(2 * count) as i32
    }
}

/// The solids of a cell, sorted for tests of head room: a cell with a thousand layers must not take
/// a million steps.
#[derive(Default)]
struct Overhead {
    /// By their low ends.
    solids: Vec<Solid>,
    /// The greatest high end of this and all before.
    highest: Vec<i32>,
}

impl Overhead {
    fn fill(&mut self, solids: &[Solid]) {
        self.solids.clear();
        self.solids.extend_from_slice(solids);
        self.solids.sort_unstable_by_key(|s| (s.low, s.high, s.triangle));
        self.highest.clear();
        let mut highest = i32::MIN;
        self.highest.extend(self.solids.iter().map(|s| {
            highest = highest.max(s.high);
            highest
        }));
    }

    /// Is any triangle except `own`, on which the agent stands, above `knee` and below `head`?
    fn blocks(&self, knee: i32, head: i32, own: u32) -> bool {
        let below = self.solids.partition_point(|s| s.low < head);
        (0..below)
            .rev()
            .take_while(|&k| self.highest[k] > knee)
            .any(|k| self.solids[k].high > knee && self.solids[k].triangle != own)
    }
}

/// How much a triangle's plane rises over half a cell along x and z.
fn rise(corners: [Point3; 3], cell: i32) -> [i32; 2] {
    let [a, b, c] = corners;
    let area = orient(a.flat(), b.flat(), c.flat());
    if area == 0 {
        return [0, 0];
    }
    let d = |p: Point3| {
        [
            i64::from(p.x) - i64::from(a.x),
            i64::from(p.y) - i64::from(a.y),
            i64::from(p.z) - i64::from(a.z),
        ]
    };
    let (u, v) = (d(b), d(c));
    // Normal of the plane; its y is the area seen from above.
    let nx = (u[1] * v[2] - u[2] * v[1]) as f64;
    let nz = (u[0] * v[1] - u[1] * v[0]) as f64;
    let half = f64::from(cell) / 2.0;
    let ny = area as f64;
    [(-nx / ny * half).to_nearest(), (-nz / ny * half).to_nearest()]
}
