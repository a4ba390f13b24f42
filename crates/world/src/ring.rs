//! The triangulation of the ground within a ring, before obstacles are cut out of it.
//!
//! A polygon is convex; places where obstacles cross its edges are rounded, so its ring has small
//! dents. Ears are cut off one after another (Meisters, Polygons have ears, 1975), of two neighbours
//! first the one with the shorter third edge. A ring that touches itself after rounding is cut out of
//! a box.

use alloc::vec::Vec;

use navbake_grid::{direction, dot, orient};

use crate::delaunay::{Delaunay, NONE, RING, Triangle};
use crate::shape::wrap;

/// A corner of a ring, and the number of the side on which the edge is that begins there.
pub(crate) type RingCorner = ([i32; 2], u32);

/// Memory of [`Delaunay::begin`].
#[derive(Debug, Default)]
pub(crate) struct Ears {
    /// For each corner of the ring that is left the one before and the next one.
    links: Vec<[u32; 2]>,
    /// The triangle behind the edge that begins there; [`NONE`] for edges of the ring.
    behind: Vec<u32>,
    /// Corners where the ring goes straight on or turns right.
    blunt: Vec<u32>,
}

impl Delaunay {
    /// Begins anew with the ground within a ring, counter-clockwise. Its edges are kept. `numbers`
    /// gets the point of each corner. Neighbours in the ring differ.
    ///
    /// False where the ring crosses itself or runs clockwise.
    pub(crate) fn begin(&mut self, ring: &[RingCorner], numbers: &mut Vec<u32>) -> bool {
        numbers.clear();
        if self.cut_ears(ring) {
            numbers.extend(0..ring.len() as u32);
            return true;
        }
        self.begin_in_box(ring, numbers)
    }

    /// Cuts off ears until nothing is left. False where the ring touches itself.
    fn cut_ears(&mut self, ring: &[RingCorner]) -> bool {
        let n = ring.len();
        self.points.clear();
        self.triangles.clear();
        self.at.clear();
        self.last = 0;
        self.ears.blunt.clear();
        for k in 0..n {
            let [a, b, c] = [k, k + 1, k + 2].map(|k| ring[wrap(k, n)].0);
            let side = orient(a, b, c);
            if side < 0 || (side == 0 && dot(direction(a, b), direction(b, c)) > 0) {
                self.ears.blunt.push(wrap(k + 1, n) as u32);
            } else if side == 0 {
                return false;
            }
        }
        self.points.extend(ring.iter().map(|corner| corner.0));
        self.at.resize(n, NONE);
        self.ears.behind.clear();
        self.ears.behind.resize(n, NONE);
        self.ears.links.clear();
        let around = (0..n).map(|k| [wrap(k + n - 1, n), wrap(k + 1, n)].map(|k| k as u32));
        self.ears.links.extend(around);
        let (mut left, mut tried, mut b) = (n, 0, 0);
        while left > 2 {
            let [a, c] = self.ears.links[b as usize];
            let d = self.ears.links[c as usize][1];
            let is_shorter = self.apart(a, c) <= self.apart(b, d) || tried > left;
            if is_shorter && self.is_ear([a, b, c]) {
                self.cut_ear([a, b, c], ring);
                (left, tried) = (left - 1, 0);
                b = d;
            } else {
                tried += 1;
                if tried > 2 * left {
                    return false;
                }
                b = c;
            }
        }
        true
    }

    /// How far two corners are apart, squared.
    fn apart(&self, a: u32, b: u32) -> i64 {
        let d = direction(self.place(a), self.place(b));
        dot(d, d)
    }

    /// Is a corner of what is left of the ring convex, without another one in its triangle?
    fn is_ear(&self, corners: [u32; 3]) -> bool {
        let [a, b, c] = corners.map(|v| self.place(v));
        let holds = |p| orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0;
        orient(a, b, c) > 0
            && !self.ears.blunt.iter().any(|v| !corners.contains(v) && holds(self.place(*v)))
    }

    fn cut_ear(&mut self, corners: [u32; 3], ring: &[RingCorner]) {
        let [a, b, c] = corners;
        let t = self.triangles.len() as u32;
        // The last triangle has an edge of the ring or a triangle behind its third edge too.
        let is_last = self.ears.links[c as usize][1] == a;
        let mut new =
            Triangle { corners, beyond: [NONE; 3], fixed: [0; 3], side: [NONE; 3], outside: false };
        for (i, v) in [a, b, c].into_iter().enumerate().take(if is_last { 3 } else { 2 }) {
            let behind = self.ears.behind[v as usize];
            new.beyond[i] = behind;
            match self.triangles.get_mut(behind as usize) {
                // Its third edge was the diagonal.
                Some(triangle) => triangle.beyond[2] = t,
                None => (new.fixed[i], new.side[i]) = (RING, ring[v as usize].1),
            }
        }
        self.triangles.push(new);
        for v in corners {
            self.at[v as usize] = t;
        }
        self.ears.behind[a as usize] = t;
        self.ears.links[a as usize][1] = c;
        self.ears.links[c as usize][0] = a;
    }

    /// Inserts the corners of the ring into a box, and marks what is outside. False where the ring
    /// crosses itself.
    fn begin_in_box(&mut self, ring: &[RingCorner], numbers: &mut Vec<u32>) -> bool {
        let [low, high] = ring.iter().fold([ring[0].0; 2], |[low, high], (p, _)| {
            [[0, 1].map(|k| low[k].min(p[k] - 8)), [0, 1].map(|k| high[k].max(p[k] + 8))]
        });
        let corners = [low, [low[0], high[1]], high, [high[0], low[1]]];
        let sound = self.cut_ears(&corners.map(|p| (p, NONE)));
        debug_assert!(sound);
        numbers.extend(ring.iter().filter_map(|&(p, _)| self.insert(p)));
        let n = numbers.len();
        let kept = (0..n).all(|k| {
            let (a, b) = (numbers[k], numbers[wrap(k + 1, n)]);
            self.connect(a, b, RING, ring[k].1)
        });
        self.leave_outside();
        // A part of the ring that runs the other way around has a negative area.
        let within = self.triangles.iter().filter(|triangle| !triangle.outside).map(|triangle| {
            let [a, b, c] = triangle.corners.map(|v| self.place(v));
            orient(a, b, c)
        });
        kept && within.sum::<i64>() == area(ring)
    }

    /// Marks the triangles outside of the ring: those from the corners of the box up to it.
    fn leave_outside(&mut self) {
        self.stack.clear();
        for (t, triangle) in self.triangles.iter_mut().enumerate() {
            if triangle.corners.iter().any(|&v| v < 4) {
                triangle.outside = true;
                self.stack.push(t as u32);
            }
        }
        while let Some(t) = self.stack.pop() {
            let triangle = self.triangles[t as usize];
            for (beyond, fixed) in triangle.beyond.into_iter().zip(triangle.fixed) {
                if let Some(other) = self.triangles.get_mut(beyond as usize)
                    && fixed & RING == 0
                    && !other.outside
                {
                    other.outside = true;
                    self.stack.push(beyond);
                }
            }
        }
    }
}

/// Twice the area of a ring; counter-clockwise is positive.
pub(crate) fn area(ring: &[RingCorner]) -> i64 {
    ring.windows(2).map(|pair| orient(ring[0].0, pair[0].0, pair[1].0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    use crate::delaunay::tests::{check, random};

    /// Have two lines a point in common?
    fn touch([a, b]: [[i32; 2]; 2], [c, d]: [[i32; 2]; 2]) -> bool {
        let apart = |s: i64, t: i64| (s > 0 && t > 0) || (s < 0 && t < 0);
        let beyond = |k: usize| a[k].max(b[k]) < c[k].min(d[k]) || c[k].max(d[k]) < a[k].min(b[k]);
        !beyond(0)
            && !beyond(1)
            && !apart(orient(a, b, c), orient(a, b, d))
            && !apart(orient(c, d, a), orient(c, d, b))
    }

    /// Does a ring touch or cross itself, or run back?
    fn touches_itself(ring: &[RingCorner]) -> bool {
        let n = ring.len();
        let edge = |k: usize| [wrap(k, n), wrap(k + 1, n)].map(|k| ring[wrap(k, n)].0);
        let back = |k: usize| {
            let ([a, b], [_, c]) = (edge(k), edge(wrap(k + 1, n)));
            orient(a, b, c) == 0 && dot(direction(a, b), direction(b, c)) < 0
        };
        let met = |i: usize, j: usize| (i > 0 || j + 1 < n) && touch(edge(i), edge(j));
        (0..n).any(|i| back(i) || (i + 2..n).any(|j| met(i, j)))
    }

    /// A convex ring with places along its edges that were rounded to the grid, or a little aside.
    fn dented(random: &mut impl FnMut(i32) -> i32) -> Vec<RingCorner> {
        let size = [3 + random(12), 3 + random(60)];
        let mut points: Vec<[i32; 2]> =
            (0..3 + random(5)).map(|_| size.map(&mut *random)).collect();
        points.sort_unstable();
        points.dedup();
        let mut ring: Vec<[i32; 2]> = vec![];
        for pass in 0..2 {
            let begin = ring.len();
            for &p in &points {
                while ring.len() >= begin + 2
                    && orient(ring[ring.len() - 2], ring[ring.len() - 1], p) <= 0
                {
                    ring.pop();
                }
                ring.push(p);
            }
            ring.pop();
            if pass == 0 {
                points.reverse();
            }
        }
        let n = ring.len();
        let mut all: Vec<RingCorner> = vec![];
        for k in 0..n {
            let [a, b] = [ring[k], ring[wrap(k + 1, n)]];
            let d = direction(a, b);
            let mut before = 0;
            all.push((a, k as u32));
            for _ in 0..random(4) {
                let t = i64::from(random(1000));
                let aside = [random(3) - 1, random(3) - 1];
                let p = [0, 1].map(|k| a[k] + (d[k] * t / 1000) as i32 + aside[k]);
                let along = dot(d, direction(a, p));
                if before < along && along < dot(d, d) {
                    all.push((p, k as u32));
                    before = along;
                }
            }
        }
        all
    }

    #[test]
    fn rings_are_cut_into_ears_unless_they_touch_themselves() {
        let mut random = random(7);
        let (mut mesh, mut numbers, mut seen) = (Delaunay::default(), vec![], [0; 3]);
        while seen.iter().any(|&count| count < 2000) {
            let ring = dented(&mut random);
            if ring.len() < 3 {
                continue;
            }
            let sound = area(&ring) > 0 && !touches_itself(&ring);
            assert_eq!(mesh.cut_ears(&ring), sound, "{ring:?}");
            let begun = mesh.begin(&ring, &mut numbers);
            assert!(begun || !sound);
            seen[usize::from(!sound) + usize::from(!begun)] += 1;
            if begun {
                check(&mesh, &ring);
                for (&number, (p, _)) in numbers.iter().zip(&ring) {
                    assert_eq!(mesh.points[number as usize], *p);
                }
            }
        }
    }
}
