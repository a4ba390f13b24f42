//! Triangles between points, with edges that are kept: Delaunay where points were inserted.
//!
//! It begins with a ring ([`crate::ring`]). Points are inserted one by one, with flips (Lawson), then
//! edges are forced by flips (Sloan, A fast algorithm for generating constrained Delaunay
//! triangulations, 1993). All tests are exact. The memory is kept from one polygon to the next.

use alloc::vec::Vec;

use navbake_grid::{Point, in_circle, on_segment, orient};

use crate::ring::Ears;

pub(crate) const NONE: u32 = u32::MAX;

/// An edge of the ring around the ground.
pub(crate) const RING: u8 = 1;
/// An edge of an obstacle.
pub(crate) const WALL: u8 = 2;

/// A triangle, counter-clockwise. Edge i runs from corner i to the next. Edge 0 of a triangle that
/// was made last, by a new point or by a flip, is opposite to that point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) beyond: [u32; 3],
    /// [`RING`] and [`WALL`]; such edges are not flipped.
    pub(crate) fixed: [u8; 3],
    /// The number of the baked edge that each edge is on.
    pub(crate) side: [u32; 3],
    /// Is it outside of the ring?
    pub(crate) outside: bool,
}

/// The triangulation.
#[derive(Debug, Default)]
pub(crate) struct Delaunay {
    pub(crate) points: Vec<[i32; 2]>,
    pub(crate) triangles: Vec<Triangle>,
    /// A triangle at each point.
    pub(crate) at: Vec<u32>,
    pub(crate) stack: Vec<u32>,
    pub(crate) ears: Ears,
    crossed: Vec<[u32; 2]>,
    pub(crate) last: u32,
}

/// The number of the next corner of a triangle.
fn next(i: usize) -> usize {
    if i < 2 { i + 1 } else { 0 }
}

/// The number of the corner before.
fn before(i: usize) -> usize {
    if i > 0 { i - 1 } else { 2 }
}

fn turn(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    orient(a, b, c)
}

fn point(p: [i32; 2]) -> Point {
    p.into()
}

impl Delaunay {
    pub(crate) fn place(&self, corner: u32) -> [i32; 2] {
        self.points[corner as usize]
    }

    /// Lets the neighbour of a triangle know another number for it.
    fn rename(&mut self, neighbour: u32, old: u32, new: u32) {
        if let Some(t) = self.triangles.get_mut(neighbour as usize) {
            for beyond in &mut t.beyond {
                if *beyond == old {
                    *beyond = new;
                    return;
                }
            }
        }
    }

    /// On which side of each edge of a triangle is a point? Positive is within.
    fn sides(&self, t: u32, p: [i32; 2]) -> [i64; 3] {
        let [a, b, c] = self.triangles[t as usize].corners.map(|v| self.place(v));
        [turn(a, b, p), turn(b, c, p), turn(c, a, p)]
    }

    /// The triangle that holds a point, and the edge that the point is on. `None` outside of all.
    fn locate(&self, p: [i32; 2]) -> Option<(u32, Option<usize>)> {
        let on = |sides: [i64; 3]| (0..3).find(|&i| sides[i] == 0);
        let mut t = self.last;
        for _ in 0..4 * self.triangles.len() + 8 {
            let beyond = &self.triangles[t as usize].beyond;
            let sides = self.sides(t, p);
            match (0..3).find(|&i| sides[i] < 0 && beyond[i] != NONE) {
                Some(i) => t = beyond[i],
                None if sides.iter().any(|&side| side < 0) => break,
                None => return Some((t, on(sides))),
            }
        }
        // A walk may end in a dent of the ring.
        (0..self.triangles.len() as u32).find_map(|t| {
            let sides = self.sides(t, p);
            sides.iter().all(|&side| side >= 0).then_some((t, on(sides)))
        })
    }

    /// Writes a triangle whose last corner is a new point: it has an edge of `from`, and its other
    /// edges have `beyond` behind them.
    fn put(&mut self, number: u32, (from, i): (&Triangle, usize), beyond: [u32; 2]) {
        let corners = [from.corners[i], from.corners[next(i)], self.points.len() as u32 - 1];
        let new = Triangle {
            corners,
            beyond: [from.beyond[i], beyond[0], beyond[1]],
            fixed: [from.fixed[i], 0, 0],
            side: [from.side[i], NONE, NONE],
            outside: from.outside,
        };
        match self.triangles.get_mut(number as usize) {
            Some(triangle) => *triangle = new,
            None => self.triangles.push(new),
        }
        for corner in corners {
            self.at[corner as usize] = number;
        }
        self.stack.push(number);
    }

    /// Adds a point; returns its number, that of the point there if there is one. `None` outside of
    /// all triangles.
    pub(crate) fn insert(&mut self, p: [i32; 2]) -> Option<u32> {
        let (t, on) = self.locate(p)?;
        let one = self.triangles[t as usize];
        if let Some(&same) = one.corners.iter().find(|&&v| self.place(v) == p) {
            return Some(same);
        }
        let number = self.points.len() as u32;
        self.points.push(p);
        self.at.push(NONE);
        let new = self.triangles.len() as u32;
        match on {
            None => {
                let [t1, t2] = [new, new + 1];
                self.put(t, (&one, 0), [t1, t2]);
                self.put(t1, (&one, 1), [t2, t]);
                self.put(t2, (&one, 2), [t, t1]);
                self.rename(one.beyond[1], t, t1);
                self.rename(one.beyond[2], t, t2);
            }
            Some(i) => {
                // The halves of the edge are the second edge of `t` and of `u`, and the third of
                // the new triangles.
                let (t1, u) = (new, one.beyond[i]);
                let other = self.triangles.get(u as usize).copied();
                let u1 = if other.is_some() { new + 1 } else { NONE };
                self.put(t, (&one, before(i)), [u1, t1]);
                self.put(t1, (&one, next(i)), [t, u]);
                self.rename(one.beyond[next(i)], t, t1);
                let halves = |t: &mut Triangle, k: usize| {
                    (t.fixed[k], t.side[k]) = (one.fixed[i], one.side[i]);
                };
                halves(&mut self.triangles[t as usize], 1);
                halves(&mut self.triangles[t1 as usize], 2);
                if let Some(other) = other {
                    let j = (0..3).find(|&j| other.beyond[j] == t).unwrap_or(0);
                    self.put(u, (&other, before(j)), [t1, u1]);
                    self.put(u1, (&other, next(j)), [u, t]);
                    self.rename(other.beyond[next(j)], u, u1);
                    halves(&mut self.triangles[u as usize], 1);
                    halves(&mut self.triangles[u1 as usize], 2);
                }
            }
        }
        self.last = t;
        // All of these have the new point as their last corner, opposite to edge 0.
        while let Some(t) = self.stack.pop() {
            let Triangle { corners: [a, b, _], beyond: [u, ..], fixed: [fixed, ..], .. } =
                self.triangles[t as usize];
            let Some(other) = self.triangles.get(u as usize).filter(|_| fixed == 0) else {
                continue;
            };
            let Some(j) = (0..3).find(|&j| other.corners[j] == b) else {
                continue;
            };
            let far = other.corners[before(j)];
            let [a, b, far] = [a, b, far].map(|v| point(self.place(v)));
            if in_circle(a, b, point(p), far) > 0 {
                self.flip(t, 0);
                self.stack.extend([t, u]);
            }
        }
        Some(number)
    }

    /// Exchanges the diagonal of the two triangles at an edge. The corner of the first that is
    /// opposite to the edge is the last corner of both then.
    fn flip(&mut self, t: u32, i: usize) {
        let one = self.triangles[t as usize];
        let u = one.beyond[i];
        let other = self.triangles[u as usize];
        let [a, b, c] = [i, next(i), before(i)].map(|k| one.corners[k]);
        let j = (0..3).find(|&j| other.corners[j] == b).unwrap_or(0);
        let d = other.corners[before(j)];
        let ([ab, ca], [ad, db]) = ([next(i), before(i)], [next(j), before(j)]);
        self.triangles[t as usize] = Triangle {
            corners: [a, d, c],
            beyond: [other.beyond[ad], u, one.beyond[ca]],
            fixed: [other.fixed[ad], 0, one.fixed[ca]],
            side: [other.side[ad], NONE, one.side[ca]],
            outside: one.outside,
        };
        self.triangles[u as usize] = Triangle {
            corners: [d, b, c],
            beyond: [other.beyond[db], one.beyond[ab], t],
            fixed: [other.fixed[db], one.fixed[ab], 0],
            side: [other.side[db], one.side[ab], NONE],
            outside: other.outside,
        };
        self.rename(other.beyond[ad], u, t);
        self.rename(one.beyond[ab], t, u);
        for (corner, t) in [(a, t), (b, u), (c, u), (d, u)] {
            self.at[corner as usize] = t;
        }
    }

    /// Calls `f` with the triangles around a point, counter-clockwise, and the number of the point
    /// in each, until it returns something.
    fn around<T>(&self, v: u32, mut f: impl FnMut(u32, usize) -> Option<T>) -> Option<T> {
        let start = self.at[v as usize];
        // Around the corners of the box there is less than a turn: from the start in both
        // directions.
        for counter_clockwise in [true, false] {
            let mut t = start;
            for _ in 0..self.triangles.len() {
                let triangle = self.triangles.get(t as usize)?;
                let i = (0..3).find(|&i| triangle.corners[i] == v)?;
                if let Some(found) = f(t, i) {
                    return Some(found);
                }
                t = triangle.beyond[if counter_clockwise { before(i) } else { i }];
                if t == start {
                    return None;
                }
                if t == NONE {
                    break;
                }
            }
        }
        None
    }

    /// The triangle with an edge from `a` to `b`, and the edge's number.
    fn edge(&self, a: u32, b: u32) -> Option<(u32, usize)> {
        self.around(a, |t, i| (self.triangles[t as usize].corners[next(i)] == b).then_some((t, i)))
    }

    /// Marks an edge of a triangle, on both sides.
    fn fix(&mut self, (t, i): (u32, usize), kind: u8, side: u32) {
        let u = self.triangles[t as usize].beyond[i];
        let other = self.triangles.get(u as usize);
        let back = other.and_then(|other| other.beyond.iter().position(|&beyond| beyond == t));
        for (t, i) in [Some((t, i)), back.map(|j| (u, j))].into_iter().flatten() {
            let triangle = &mut self.triangles[t as usize];
            triangle.fixed[i] |= kind;
            if side != NONE {
                triangle.side[i] = side;
            }
        }
    }

    /// Makes a line between two points an edge, or several past points that are on it. False where
    /// it crosses another such edge.
    pub(crate) fn connect(&mut self, from: u32, to: u32, kind: u8, side: u32) -> bool {
        let mut a = from;
        for _ in 0..self.points.len() {
            if a == to {
                return true;
            }
            let Some((next, edge)) = self.force(a, to) else {
                return false;
            };
            let Some(edge) = edge.or_else(|| self.edge(a, next)) else {
                return false;
            };
            self.fix(edge, kind, side);
            a = next;
        }
        a == to
    }

    /// Makes an edge from `a` towards `b`; returns the first point on the line, and the edge to it
    /// where that was there before.
    fn force(&mut self, a: u32, b: u32) -> Option<(u32, Option<(u32, usize)>)> {
        let (pa, pb) = (self.place(a), self.place(b));
        enum First {
            Point(u32, u32, usize),
            Edge(u32, usize),
        }
        let on_line = |p| on_segment(point(pa), point(pb), point(self.place(p)));
        let first = self.around(a, |t, i| {
            let Triangle { corners, beyond, .. } = self.triangles[t as usize];
            let (p, q) = (corners[next(i)], corners[before(i)]);
            let right = turn(pa, pb, self.place(p));
            if right == 0 && on_line(p) {
                return Some(First::Point(p, t, i));
            }
            // On the last edge around a corner of the ring.
            if beyond[before(i)] == NONE && on_line(q) {
                return Some(First::Point(q, t, before(i)));
            }
            // Counter-clockwise from the right to the left is ahead.
            let ahead = right < 0 && turn(pa, pb, self.place(q)) > 0;
            ahead.then_some(First::Edge(t, next(i)))
        })?;
        let (mut t, mut e) = match first {
            First::Point(p, t, i) => return Some((p, Some((t, i)))),
            First::Edge(t, e) => (t, e),
        };
        self.crossed.clear();
        let end = loop {
            let triangle = &self.triangles[t as usize];
            if triangle.fixed[e] != 0 {
                return None;
            }
            let (p, q) = (triangle.corners[e], triangle.corners[next(e)]);
            self.crossed.push([p, q]);
            let u = triangle.beyond[e];
            let other = self.triangles.get(u as usize)?;
            let j = (0..3).find(|&j| other.corners[j] == q)?;
            let d = other.corners[before(j)];
            let side = turn(pa, pb, self.place(d));
            if d == b || side == 0 {
                break d;
            }
            // The edge (q, p) of the other triangle; d is on the right or on the left.
            t = u;
            e = if side < 0 { before(j) } else { next(j) };
        };
        let pe = self.place(end);
        let mut left = 16 * (self.crossed.len() * self.crossed.len() + 16);
        let mut next = 0;
        while next < self.crossed.len() {
            left = left.checked_sub(1)?;
            let [p, q] = self.crossed[next];
            next += 1;
            let (t, e) = self.edge(p, q)?;
            let triangle = &self.triangles[t as usize];
            let (u, c) = (triangle.beyond[e], triangle.corners[before(e)]);
            let other = self.triangles.get(u as usize)?;
            let d = *other.corners.iter().find(|&&v| v != p && v != q)?;
            let [pp, pq, pc, pd] = [p, q, c, d].map(|v| self.place(v));
            let convex = turn(pc, pd, pp).signum() * turn(pc, pd, pq).signum() < 0;
            if !convex {
                self.crossed.push([p, q]);
                continue;
            }
            self.flip(t, e);
            if [c, d].contains(&a) || [c, d].contains(&end) {
                continue;
            }
            let (sc, sd) = (turn(pa, pe, pc), turn(pa, pe, pd));
            if (sc < 0 && sd > 0) || (sc > 0 && sd < 0) {
                self.crossed.push(if sc < 0 { [c, d] } else { [d, c] });
            }
        }
        Some((end, None))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ring::{self, RingCorner};

    /// Triangles are counter-clockwise, cover the ring, and know their neighbours.
    pub(crate) fn check(mesh: &Delaunay, ring: &[RingCorner]) {
        let mut area = 0;
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let [a, b, c] = triangle.corners.map(|v| mesh.place(v));
            assert!(turn(a, b, c) > 0);
            if !triangle.outside {
                area += turn(a, b, c);
            }
            for i in 0..3 {
                let beyond = triangle.beyond[i];
                if beyond == NONE {
                    assert_eq!(triangle.fixed[i] & RING, RING);
                    continue;
                }
                let other = &mesh.triangles[beyond as usize];
                let ends = [triangle.corners[next(i)], triangle.corners[i]];
                let j = (0..3).find(|&j| [other.corners[j], other.corners[next(j)]] == ends);
                let j = j.expect("the same edge");
                assert_eq!(other.beyond[j], t as u32);
                assert_eq!(other.fixed[j], triangle.fixed[i]);
            }
        }
        assert_eq!(area, ring::area(ring));
        for (v, &t) in mesh.at.iter().enumerate() {
            assert!(mesh.triangles[t as usize].corners.contains(&(v as u32)));
        }
    }

    /// Random numbers below a given one.
    pub(crate) fn random(mut seed: u64) -> impl FnMut(i32) -> i32 {
        move |n| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n as u64) as i32
        }
    }

    #[test]
    fn edges_that_cross_no_other_are_kept() {
        let mut random = random(1);
        let mut mesh = Delaunay::default();
        for round in 0..2000 {
            let size = if round % 2 == 0 { 12 } else { 500 };
            let ring = [[0, 0], [0, size], [size, size], [size, 0]].map(|p| (p, 0));
            assert!(mesh.begin(&ring, &mut Vec::new()));
            let count = 3 + random(40);
            let points: Vec<u32> = (0..count)
                .map(|_| {
                    let p = [random(size), random(size)];
                    mesh.insert(p).expect("within the ring")
                })
                .collect();
            check(&mesh, &ring);
            for _ in 0..20 {
                let [a, b] = [(); 2].map(|()| points[random(count) as usize]);
                let [pa, pb] = [a, b].map(|v| mesh.place(v));
                // Also of lines that were kept up to a crossing.
                let mut kept = mesh.triangles.iter().flat_map(|t| {
                    let edge = |i: usize| [t.corners[i], t.corners[next(i)]];
                    (0..3).filter(|&i| t.fixed[i] & WALL != 0).map(edge)
                });
                let crosses = kept.any(|e| {
                    let [u, v] = e.map(|v| mesh.place(v));
                    let opposite = |s: i64, t: i64| (s > 0 && t < 0) || (s < 0 && t > 0);
                    opposite(turn(u, v, pa), turn(u, v, pb))
                        && opposite(turn(pa, pb, u), turn(pa, pb, v))
                });
                let done = a == b || mesh.connect(a, b, WALL, NONE);
                check(&mesh, &ring);
                assert_eq!(done, !crosses, "{pa:?} {pb:?}");
            }
        }
    }
}
