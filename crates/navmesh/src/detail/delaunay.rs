//! The Delaunay triangles of points, by divide and conquer.
//!
//! Points are halved until two or three are left. Two halves are merged from one end of the gap
//! between them to the other (L. Guibas and J. Stolfi, Primitives for the manipulation of general
//! subdivisions and the computation of Voronoi diagrams, 1985). O(n log n) whatever the points
//! are. All decisions are exact; where more than three points are on one circle, the second lifting
//! decides, as if the plane were stretched by a trace.

use alloc::vec::Vec;

use super::circle::Circle;
use super::records::Node;

/// A directed edge. The number of the opposite one differs in the last bit.
#[derive(Clone, Copy)]
struct Edge {
    /// Where it begins, a number in sorted order; [`GONE`] for an edge that was taken away.
    origin: u32,
    /// The next edge around the origin, counter-clockwise.
    next: u32,
    /// The one before.
    previous: u32,
}

/// No edge any more.
const GONE: u32 = u32::MAX;

/// Edges between points.
struct Mesh {
    /// Points sorted by (z, x).
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Twice the area of a triangle, positive when it is counter-clockwise.
#[inline]
pub(super) fn area([a, b, c]: [Node; 3]) -> i64 {
    (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z)
}

/// Calls `found` for all triangles, counter-clockwise. No two nodes are at one place, and not all
/// are on one line.
pub(super) fn each_triangle(nodes: &[Node], mut found: impl FnMut([u32; 3])) {
    let key = |(number, n): (u32, &Node)| {
        ((n.z as u64) << 16 | n.x as u64) << 32 | u64::from(number) // below 2^14
    };
    let mut order: Vec<u64> = (0..).zip(nodes).map(key).collect();
    order.sort_unstable();
    let number = |key: u64| key as u32;
    let mut mesh = Mesh {
        nodes: order.iter().map(|&key| nodes[number(key) as usize]).collect(),
        edges: Vec::with_capacity(8 * nodes.len()),
    };
    if nodes.len() < 3 {
        return;
    }
    mesh.divide(0, nodes.len() as u32);
    for e in 0..mesh.edges.len() as u32 {
        if mesh.edges[e as usize].origin == GONE {
            continue;
        }
        let second = mesh.left_next(e);
        let third = mesh.left_next(second);
        if e < second && e < third && mesh.left_next(third) == e {
            let corners = [e, second, third].map(|e| mesh.origin(e));
            if area(corners.map(|c| mesh.nodes[c as usize])) > 0 {
                found(corners.map(|c| number(order[c as usize])));
            }
        }
    }
}

impl Mesh {
    #[inline]
    fn origin(&self, e: u32) -> u32 {
        self.edges[e as usize].origin
    }

    #[inline]
    fn end(&self, e: u32) -> u32 {
        self.origin(e ^ 1)
    }

    #[inline]
    fn next(&self, e: u32) -> u32 {
        self.edges[e as usize].next
    }

    #[inline]
    fn previous(&self, e: u32) -> u32 {
        self.edges[e as usize].previous
    }

    /// The next edge of the face on the left.
    #[inline]
    fn left_next(&self, e: u32) -> u32 {
        self.previous(e ^ 1)
    }

    fn new_edge(&mut self, origin: u32, end: u32) -> u32 {
        let e = self.edges.len() as u32;
        self.edges.push(Edge { origin, next: e, previous: e });
        self.edges.push(Edge { origin: end, next: e + 1, previous: e + 1 });
        e
    }

    /// Joins the rings of edges around two origins, or parts a ring in two.
    #[inline]
    fn splice(&mut self, a: u32, b: u32) {
        let (after_a, after_b) = (self.next(a), self.next(b));
        self.edges[a as usize].next = after_b;
        self.edges[after_b as usize].previous = a;
        self.edges[b as usize].next = after_a;
        self.edges[after_a as usize].previous = b;
    }

    /// A new edge from the end of `a` to the origin of `b`, with the same face on the left.
    fn connect(&mut self, a: u32, b: u32) -> u32 {
        let e = self.new_edge(self.end(a), self.origin(b));
        let after = self.left_next(a);
        self.splice(e, after);
        self.splice(e ^ 1, b);
        e
    }

    fn take_away(&mut self, e: u32) {
        for e in [e, e ^ 1] {
            self.splice(e, self.previous(e));
            self.edges[e as usize].origin = GONE;
        }
    }

    #[inline]
    fn nodes(&self, corners: [u32; 3]) -> [Node; 3] {
        corners.map(|c| self.nodes[c as usize])
    }

    /// Is a point to the left of an edge?
    #[inline]
    fn is_left(&self, point: u32, e: u32) -> bool {
        area(self.nodes([point, self.origin(e), self.end(e)])) > 0
    }

    #[inline]
    fn is_right(&self, point: u32, e: u32) -> bool {
        area(self.nodes([point, self.end(e), self.origin(e)])) > 0
    }

    /// Is a point inside the circle through the corners of a counter-clockwise triangle?
    #[inline]
    fn is_inside(&self, corners: [u32; 3], point: u32) -> bool {
        let circle = Circle::new(self.nodes(corners));
        let node = self.nodes[point as usize];
        match circle.inside(node) {
            0 => !corners.contains(&point) && circle.inside_tie(node) > 0,
            inside => inside > 0,
        }
    }

    /// Connects the points from one number up to another. Returns the hull's edge that leaves the
    /// first one, with all points on its left, and the one that leaves the last, with all on its
    /// right. Calls itself to a depth of log n.
    fn divide(&mut self, from: u32, to: u32) -> [u32; 2] {
        match to - from {
            0 | 1 => return [0; 2], // never with three points or more
            2 => {
                let e = self.new_edge(from, from + 1);
                return [e, e ^ 1];
            }
            3 => return self.three(from),
            _ => {}
        }
        let middle = from + (to - from) / 2;
        let [mut first, mut left] = self.divide(from, middle);
        let [mut right, mut last] = self.divide(middle, to);
        // The lowest edge of the hull of both.
        loop {
            if self.is_left(self.origin(right), left) {
                left = self.left_next(left);
            } else if self.is_right(self.origin(left), right) {
                right = self.next(right ^ 1);
            } else {
                break;
            }
        }
        let mut base = self.connect(right ^ 1, left);
        if self.origin(left) == self.origin(first) {
            first = base ^ 1;
        }
        if self.origin(right) == self.origin(last) {
            last = base;
        }
        self.merge(&mut base);
        [first, last]
    }

    fn three(&mut self, from: u32) -> [u32; 2] {
        let a = self.new_edge(from, from + 1);
        let b = self.new_edge(from + 1, from + 2);
        self.splice(a ^ 1, b);
        let turn = area(self.nodes([from, from + 1, from + 2]));
        if turn == 0 {
            return [a, b ^ 1];
        }
        let c = self.connect(b, a);
        if turn > 0 { [a, b ^ 1] } else { [c ^ 1, c] }
    }

    /// Fills the gap between two halves from the base on, which runs from the right one to the left
    /// one.
    fn merge(&mut self, base: &mut u32) {
        loop {
            let (begin, end) = (self.origin(*base), self.end(*base));
            let mut left = self.next(*base ^ 1);
            let mut is_left = self.is_right(self.end(left), *base);
            while is_left {
                let after = self.next(left);
                if !self.is_inside([end, begin, self.end(left)], self.end(after)) {
                    break;
                }
                self.take_away(left);
                left = after;
                is_left = self.is_right(self.end(left), *base);
            }
            let mut right = self.previous(*base);
            let mut is_right = self.is_right(self.end(right), *base);
            while is_right {
                let after = self.previous(right);
                if !self.is_inside([end, begin, self.end(right)], self.end(after)) {
                    break;
                }
                self.take_away(right);
                right = after;
                is_right = self.is_right(self.end(right), *base);
            }
            *base = match (is_left, is_right) {
                (false, false) => return,
                (true, true) if !self.is_inside([self.end(left), end, begin], self.end(right)) => {
                    self.connect(*base ^ 1, left ^ 1)
                }
                (true, false) => self.connect(*base ^ 1, left ^ 1),
                _ => self.connect(right, *base ^ 1),
            };
        }
    }
}
