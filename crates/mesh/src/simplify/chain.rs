//! The rings as linked lists of vertices that know which part of the first border each edge
//! replaces.

use navbake_geom::Point;
use navbake_walkable::Ring;

use super::Shared;
use super::lost::{is_covered, near_segment};

pub(super) const NONE: u32 = u32::MAX;

/// `v`, or as many less when it is past the end.
fn wrap_by(v: u32, end: u32, n: u32) -> u32 {
    if v < end { v } else { v - n }
}

/// Rings that change.
///
/// A vertex never moves: one that replaces others is a new one, so a number always means one place.
pub(super) struct Chain {
    // Vertices of the first border, ring after ring, then new ones.
    pub(super) at: Vec<Point>,
    pub(super) ring: Vec<u32>,
    // NONE for vertices that are no more.
    pub(super) next: Vec<u32>,
    pub(super) before: Vec<u32>,
    /// Does the edge from the vertex onwards keep its place?
    pub(super) open: Vec<bool>,
    /// Does other border go through the vertex?
    pub(super) shared: Vec<bool>,
    // Where each vertex divides the first border between the edges beside it: 2 v at its vertex v,
    // 2 v + 1 between v and the one after it.
    parting: Vec<u32>,
    // Of each ring: its first vertices, one of those it has now, and how many these are.
    range: Vec<[u32; 2]>,
    start: Vec<u32>,
    pub(super) count: Vec<u32>,
}

impl Chain {
    pub(super) fn new(rings: &[Ring], shared: &Shared) -> Chain {
        let total = rings.iter().map(|r| r.points.len()).sum();
        let mut chain = Chain {
            at: Vec::with_capacity(total),
            ring: Vec::with_capacity(total),
            next: Vec::with_capacity(total),
            before: Vec::with_capacity(total),
            open: Vec::with_capacity(total),
            shared: Vec::with_capacity(total),
            parting: (0..total as u32).map(|v| 2 * v).collect(),
            range: Vec::with_capacity(rings.len()),
            start: Vec::with_capacity(rings.len()),
            count: Vec::with_capacity(rings.len()),
        };
        for (r, ring) in rings.iter().enumerate() {
            let (base, n) = (chain.at.len() as u32, ring.points.len() as u32);
            chain.range.push([base, base + n]);
            chain.start.push(base);
            chain.count.push(n);
            chain.at.extend(&ring.points);
            chain.open.extend(&ring.open);
            chain.shared.extend(ring.points.iter().map(|&p| shared.has(p)));
            for i in 0..n {
                chain.ring.push(r as u32);
                chain.next.push(base + (i + 1) % n);
                chain.before.push(base + (i + n - 1) % n);
            }
        }
        chain
    }

    pub(super) fn place(&self, v: u32) -> Point {
        self.at[v as usize]
    }

    pub(super) fn after(&self, v: u32) -> u32 {
        self.next[v as usize]
    }

    pub(super) fn ahead_of(&self, v: u32) -> u32 {
        self.before[v as usize]
    }

    pub(super) fn left(&self, v: u32) -> u32 {
        self.count[self.ring[v as usize] as usize]
    }

    /// Is the edge `u v` still there?
    pub(super) fn has_edge(&self, u: u32, v: u32) -> bool {
        self.next[u as usize] == v
    }

    /// The first border's vertices from where `a` parts it to where `d` does, in order.
    fn first_border(&self, a: u32, d: u32) -> impl Iterator<Item = u32> + '_ {
        let [first, end] = self.range[self.ring[a as usize] as usize];
        let wrap = move |v: u32| if v == end { first } else { v };
        let from = wrap(self.parting[a as usize].div_ceil(2));
        let to = self.parting[d as usize] / 2;
        let n = end - first;
        // No two vertices part it in the same edge: there is one at least, or all of them.
        let count = match (to + 1 + n - from) % n {
            0 => n,
            count => count,
        };
        (0..count).map(move |i| wrap_by(from + i, end, n))
    }

    /// Is all of the first border that the edges from `a` to `c` replace within the tolerance of
    /// the segment between the two?
    pub(super) fn is_near(&self, a: u32, c: u32, tolerance: i32) -> bool {
        let (p, q) = (self.place(a), self.place(c));
        self.first_border(a, c).all(|v| near_segment(self.place(v), p, q, tolerance))
    }

    /// Is all of a segment between `a` and `d` within the tolerance of the first border that the
    /// edges from the one to the other replace?
    pub(super) fn covers(&self, a: u32, d: u32, [p, q]: [Point; 2], tolerance: i32) -> bool {
        is_covered(
            &self.first_line(a, d),
            [f64::from(p.x), f64::from(p.z)],
            [f64::from(q.x), f64::from(q.z)],
            f64::from(tolerance),
        )
    }

    /// The first border from `a` to `d`.
    pub(super) fn first_line(&self, a: u32, d: u32) -> Vec<Point> {
        let mut line: Vec<Point> = vec![self.place(a)];
        line.extend(self.first_border(a, d).map(|v| self.place(v)));
        line.push(self.place(d));
        line
    }

    /// Where `v` parts the first border.
    pub(super) fn parted_at(&self, v: u32) -> u32 {
        self.parting[v as usize]
    }

    /// Where to part the first border between `a` and `d` so that all before is within the
    /// tolerance of the segment from `a` to `x`, all after of that from `x` to `d`, and `x` within
    /// the tolerance of where it is parted: as for `parting`.
    pub(super) fn part(&self, a: u32, d: u32, x: Point, tolerance: i32) -> Option<u32> {
        let (p, q) = (self.place(a), self.place(d));
        // The last vertex that must belong to the second part.
        let mut first_of_second = 0;
        for (k, v) in self.first_border(a, d).enumerate() {
            if !near_segment(self.place(v), x, q, tolerance) {
                first_of_second = k + 1;
            }
        }
        let mut before: Option<u32> = None;
        for (k, v) in self.first_border(a, d).enumerate() {
            if let Some(u) = before
                && k >= first_of_second
                && near_segment(x, self.place(u), self.place(v), tolerance)
            {
                return Some(2 * u + 1);
            }
            if !near_segment(self.place(v), p, x, tolerance) {
                return None;
            }
            before = Some(v);
        }
        None
    }

    /// Takes `b` out of its ring.
    pub(super) fn cut(&mut self, b: u32) {
        let (a, c) = (self.ahead_of(b), self.after(b));
        self.next[a as usize] = c;
        self.before[c as usize] = a;
        self.next[b as usize] = NONE;
        let ring = self.ring[b as usize] as usize;
        self.count[ring] -= 1;
        self.start[ring] = a;
    }

    /// Replaces `b` and the vertex after it by a new one at `x`; its number.
    pub(super) fn collapse(&mut self, b: u32, x: Point, parting: u32) -> u32 {
        self.cut(self.after(b));
        let (a, d) = (self.ahead_of(b), self.after(b));
        let v = self.at.len() as u32;
        self.at.push(x);
        self.ring.push(self.ring[b as usize]);
        self.next.push(d);
        self.before.push(a);
        self.open.push(false);
        self.shared.push(false);
        self.parting.push(parting);
        self.next[a as usize] = v;
        self.before[d as usize] = v;
        self.next[b as usize] = NONE;
        self.start[self.ring[b as usize] as usize] = v;
        v
    }

    /// Writes what is left of each ring.
    pub(super) fn write(&self, rings: &mut [Ring]) {
        for (ring, (&start, &count)) in rings.iter_mut().zip(self.start.iter().zip(&self.count)) {
            ring.points.clear();
            ring.open.clear();
            let mut v = start;
            for _ in 0..count {
                ring.push(self.place(v), self.open[v as usize]);
                v = self.after(v);
            }
        }
    }
}
