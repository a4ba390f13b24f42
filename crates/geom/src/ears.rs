//! Triangulates one simple ring by cutting off ears.
//!
//! Most ground is bounded by a single ring of few corners, where a sweep costs more than it saves.
//! Any ear will do (G. H. Meisters, "Polygons have ears", 1975), since [`crate::Delaunay`] flips
//! the diagonals afterwards. O(n²).

use crate::delaunay::{NO_EDGE, NO_TRIANGLE};
use crate::triangulate::Parts;
use navbake_grid::{LIMIT, Point, orient, ring_area};

/// The time grows with the square of the corners: rings with more are left to the sweep.
const MOST: usize = 96;

/// The triangles inside a ring whose edge `i` runs from point `i` to the next.
///
/// `None` for anything else than one simple ring with ground on its left: also when a corner
/// touches another edge.
pub(crate) fn ears(points: &[Point], edges: &[[u32; 2]]) -> Option<Parts> {
    let n = points.len();
    let next = |i: usize| if i + 1 == n { 0 } else { i + 1 };
    let runs_on = |(i, e): (usize, &[u32; 2])| *e == [i as u32, next(i) as u32];
    if !(3..=MOST).contains(&n) || edges.len() != n || !edges.iter().enumerate().all(runs_on) {
        return None;
    }
    let beyond = |p: &Point| p.x.abs() >= LIMIT || p.z.abs() >= LIMIT;
    if points.iter().any(beyond) || !is_simple(points) || ring_area(points) <= 0 {
        return None;
    }
    let mut ring = Ring::new(points);
    let mut parts = Parts {
        triangles: Vec::with_capacity(n - 2),
        neighbours: Vec::with_capacity(n - 2),
        edges: Vec::with_capacity(n - 2),
    };
    let (mut at, mut failed) = (0, 0);
    let mut left = n;
    while left > 3 {
        // There always is an ear.
        if failed == left {
            return None;
        }
        if ring.is_ear(at) {
            let after = ring.after[at] as usize;
            ring.cut(at, &mut parts);
            (left, failed) = (left - 1, 0);
            // Round about, so that no corner gets all the diagonals.
            at = ring.after[after] as usize;
        } else {
            failed += 1;
            at = ring.after[at] as usize;
        }
    }
    (ring.turn(at) > 0).then(|| {
        ring.last(at, &mut parts);
        parts
    })
}

/// The rest of the ring.
struct Ring<'a> {
    points: &'a [Point],
    before: Vec<u32>,
    after: Vec<u32>,
    /// Does the border turn to the left at the corner?
    is_convex: Vec<bool>,
    /// Of the edge from each corner on: what was given there, and the triangle and its side beyond.
    edge: Vec<u32>,
    beyond: Vec<(u32, u8)>,
}

impl<'a> Ring<'a> {
    fn new(points: &'a [Point]) -> Ring<'a> {
        let n = points.len() as u32;
        let mut ring = Ring {
            points,
            before: (0..n).map(|i| if i == 0 { n - 1 } else { i - 1 }).collect(),
            after: (1..=n).map(|i| if i == n { 0 } else { i }).collect(),
            is_convex: vec![false; n as usize],
            edge: (0..n).collect(),
            beyond: vec![(NO_TRIANGLE, 0); n as usize],
        };
        for v in 0..n as usize {
            ring.is_convex[v] = ring.turn(v) > 0;
        }
        ring
    }

    /// The corner with those before and after it.
    fn corners(&self, v: usize) -> [usize; 3] {
        [self.before[v] as usize, v, self.after[v] as usize]
    }

    fn turn(&self, v: usize) -> i64 {
        let [a, b, c] = self.corners(v);
        orient(self.points[a], self.points[b], self.points[c])
    }

    /// Does the triangle of a corner hold no other one?
    ///
    /// Only those at which the border does not turn to the left can be in it first.
    fn is_ear(&self, v: usize) -> bool {
        if !self.is_convex[v] {
            return false;
        }
        let [a, b, c] = self.corners(v);
        let [p, q, r] = [a, b, c].map(|k| self.points[k]);
        let mut other = self.after[c] as usize;
        while other != a {
            if !self.is_convex[other] {
                let s = self.points[other];
                if orient(r, p, s) >= 0 && orient(p, q, s) >= 0 && orient(q, r, s) >= 0 {
                    return false;
                }
            }
            other = self.after[other] as usize;
        }
        true
    }

    fn cut(&mut self, v: usize, parts: &mut Parts) {
        let [a, _, c] = self.corners(v);
        let number = parts.triangles.len() as u32;
        self.push(v, parts);
        self.after[a] = c as u32;
        self.before[c] = a as u32;
        self.edge[a] = NO_EDGE;
        self.beyond[a] = (number, 2);
        for v in [a, c] {
            self.is_convex[v] = self.turn(v) > 0;
        }
    }

    /// The triangle of a corner, whose third side has nothing beyond as yet.
    fn push(&self, v: usize, parts: &mut Parts) {
        let [a, b, c] = self.corners(v);
        let number = parts.triangles.len() as u32;
        parts.triangles.push([a, b, c].map(|k| k as u32));
        parts.edges.push([self.edge[a], self.edge[b], NO_EDGE]);
        parts.neighbours.push([NO_TRIANGLE; 3]);
        self.link(a, number, 0, parts);
        self.link(b, number, 1, parts);
    }

    /// The last triangle.
    fn last(&self, v: usize, parts: &mut Parts) {
        let number = parts.triangles.len() as u32;
        self.push(v, parts);
        let c = self.after[v] as usize;
        parts.edges[number as usize][2] = self.edge[c];
        self.link(c, number, 2, parts);
    }

    /// Side `k` of a triangle is the ring's edge from a corner on.
    fn link(&self, corner: usize, triangle: u32, k: usize, parts: &mut Parts) {
        let (beyond, side) = self.beyond[corner];
        parts.neighbours[triangle as usize][k] = beyond;
        if let Some(sides) = parts.neighbours.get_mut(beyond as usize) {
            sides[usize::from(side)] = triangle;
        }
    }
}

/// Do edges meet in the corner between them only?
fn is_simple(points: &[Point]) -> bool {
    let n = points.len();
    // By their least x: what begins beyond an edge's greatest x is not near it.
    let mut order: Vec<(i32, i32, u32)> = (0..n)
        .map(|i| {
            let (p, q) = (points[i], points[if i + 1 == n { 0 } else { i + 1 }]);
            (p.x.min(q.x), p.x.max(q.x), i as u32)
        })
        .collect();
    order.sort_unstable();
    order.iter().enumerate().all(|(k, &(_, most, i))| {
        let mut near = order[k + 1..].iter().take_while(|e| e.0 <= most);
        near.all(|&(_, _, j)| {
            let (first, second) = (i.min(j) as usize, i.max(j) as usize);
            let next = |v: usize| if v + 1 == n { 0 } else { v + 1 };
            let ends = |v: usize| [points[v], points[next(v)]];
            let [[a, b], [c, d]] = [ends(first), ends(second)];
            if next(first) == second {
                goes_on(a, b, d)
            } else if next(second) == first {
                goes_on(c, d, b)
            } else {
                !meet(a, b, c, d)
            }
        })
    })
}

/// Have `a b` and `b c` nothing in common but `b`?
fn goes_on(a: Point, b: Point, c: Point) -> bool {
    let apart = |p: Point, q: Point| [p.x, p.z] != [q.x, q.z];
    let along = |p: i32, q: i32| i64::from(q) - i64::from(p);
    let ahead = || along(a.x, b.x) * along(b.x, c.x) + along(a.z, b.z) * along(b.z, c.z) > 0;
    apart(a, b) && apart(b, c) && (orient(a, b, c) != 0 || ahead())
}

/// Have two closed segments, neither of them a point, a point in common?
fn meet(a: Point, b: Point, c: Point, d: Point) -> bool {
    if a.z.max(b.z) < c.z.min(d.z) || c.z.max(d.z) < a.z.min(b.z) {
        return false;
    }
    let beside = |p: Point, q: Point, r: Point, s: Point| {
        let [u, v] = [orient(p, q, r), orient(p, q, s)];
        u > 0 && v > 0 || u < 0 && v < 0
    };
    if beside(a, b, c, d) || beside(c, d, a, b) {
        return false;
    }
    // On one line they meet where their bounds do; along x as well, for the caller has seen to it.
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Delaunay;
    use crate::triangulate::sweep;

    /// The same as the sweep gives for a ring, or nothing; was there something?
    fn agrees(ring: &[Point]) -> bool {
        let n = ring.len() as u32;
        let edges: Vec<[u32; 2]> = (0..n).map(|i| [i, (i + 1) % n]).collect();
        let Some(parts) = ears(ring, &edges) else {
            return false;
        };
        let own = Delaunay::of_parts(ring.to_vec(), parts);
        let other = Delaunay::of_parts(ring.to_vec(), sweep(ring, &edges).unwrap());
        for (own, other) in [(&own, &other), (&other, &own)] {
            for t in 0..own.triangles().len() {
                let corners = own.triangles()[t];
                // Turned as the other has it.
                let found = (0..3).find_map(|turn| {
                    let turned = |of: [u32; 3]| [of[turn], of[(turn + 1) % 3], of[(turn + 2) % 3]];
                    let u = (other.triangles().iter()).position(|&o| o == turned(corners))?;
                    let beyond = |mesh: &Delaunay, n: u32| {
                        let mut corners = mesh.triangles().get(n as usize).copied();
                        corners.iter_mut().for_each(|c| c.sort_unstable());
                        corners
                    };
                    let sides = turned(own.edges()[t]) == other.edges()[u];
                    let same = turned(own.neighbours()[t]).map(|n| beyond(own, n))
                        == other.neighbours()[u].map(|n| beyond(other, n));
                    Some(sides && same)
                });
                assert_eq!(found, Some(true), "{ring:?}");
            }
        }
        true
    }

    fn turned(mut ring: Vec<Point>) -> Vec<Point> {
        if ring_area(&ring) < 0 {
            ring.reverse();
        }
        ring
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn rings_of_few_corners_are_cut_as_by_the_sweep_or_left_to_it(
            places in prop::collection::vec((0i32..7, 0i32..7), 3..9),
        ) {
            agrees(&turned(places.iter().map(|&(x, z)| Point::new(x, z)).collect()));
        }

        #[test]
        fn rings_around_a_place_are_cut_as_by_the_sweep(
            reach in prop::collection::vec(1i32..40, 3..60),
            straight in 1i32..4,
        ) {
            // Along the sides of a square, so that many corners are on one line.
            let n = reach.len() as i32;
            let ring: Vec<Point> = (0..n).map(|i| {
                let (side, along) = (8 * i / n / 2, 8000 * i / n % 2000 - 1000);
                let r = reach[i as usize] / straight * straight + straight;
                let (x, z) = [(1000, -along), (-along, -1000), (-1000, along), (along, 1000)][side as usize];
                Point::new(x * r, z * r)
            }).collect();
            let middle = Point::new(0, 0);
            let around = (0..ring.len()).all(|i| orient(middle, ring[i], ring[(i + 1) % ring.len()]) > 0);
            prop_assert_eq!(agrees(&ring), around);
        }
    }

    #[test]
    fn combs_are_cut() {
        let mut comb = vec![Point::new(0, 0), Point::new(0, 10)];
        for k in 0..40 {
            comb.push(Point::new(2 * k + 1, if k % 2 == 0 { 1 } else { 2 }));
            comb.push(Point::new(2 * k + 2, 10));
        }
        comb.push(Point::new(80, 0));
        assert!(agrees(&turned(comb)));
    }

    #[test]
    fn what_is_no_simple_ring_is_left_to_the_sweep() {
        let p = |x, z| Point::new(x, z);
        let square = [p(0, 0), p(0, 4), p(4, 4), p(4, 0)];
        assert!(agrees(&square));
        let mut clockwise = square;
        clockwise.reverse();
        assert!(!agrees(&clockwise));
        // A corner on an edge, a corner twice, a fold, edges that cross.
        assert!(!agrees(&[p(0, 0), p(0, 4), p(4, 4), p(4, 0), p(2, 4)]));
        assert!(!agrees(&[p(0, 0), p(0, 2), p(2, 2), p(2, 4), p(4, 4), p(4, 2), p(2, 2), p(2, 0)]));
        assert!(!agrees(&[p(0, 0), p(0, 4), p(4, 4), p(8, 4), p(4, 4), p(4, 0)]));
        assert!(!agrees(&[p(0, 0), p(0, 4), p(4, 0), p(4, 4)]));
        // No edge from the last point on.
        assert!(ears(&square, &[[0, 1], [1, 2], [2, 3], [3, 1]]).is_none());
    }
}
