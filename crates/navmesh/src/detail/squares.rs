//! Lays out the triangles of detail meshes.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::wrap::{self, Points};
use super::{DetailHead, DetailPoint, Node, Triangle};

/// The most squares a node, list entries a node, and squares looked at a node for these.
const MOST: [usize; 3] = [2, 12, 48];

/// [`Details`](super::Details) that own their memory.
#[derive(Clone, Debug, Default)]
pub struct DetailsBuffer {
    /// One each.
    pub heads: Vec<DetailHead>,
    /// Points of all.
    pub points: Vec<DetailPoint>,
    /// Where the list of each square begins.
    pub starts: Vec<u32>,
    /// Lists of triangles.
    pub triangles: Vec<Triangle>,
}

impl DetailsBuffer {
    /// Adds the triangles of some points. False when the points are unsound, or so uneven that
    /// finding the triangles would take too long.
    #[must_use]
    pub fn add(&mut self, points: &Points) -> bool {
        let nodes: Vec<Node> = points.points.iter().map(DetailPoint::node).collect();
        let Some(corners) = wrap::triangles(points, &nodes) else {
            return false;
        };
        let corners = sorted(&nodes, corners);
        let squares = Squares::new(points.head.size, &nodes, &corners);
        self.heads.push(DetailHead {
            square: squares.shift as u8,
            first_point: self.points.len() as u32,
            points: nodes.len() as u32,
            first_square: self.starts.len() as u32,
            columns: squares.across[0] as u32,
            ..points.head
        });
        self.points.extend(&points.points);
        squares.fill(&nodes, &corners, &mut self.starts, &mut self.triangles);
        true
    }
}

/// The squares of a box.
struct Squares {
    shift: u32,
    /// Along x and z.
    across: [i64; 2],
}

impl Squares {
    /// The least of which there are not too many, nor too many entries in their lists.
    fn new(size: [i32; 2], nodes: &[Node], corners: &[Triangle]) -> Squares {
        let mut squares = Squares { shift: 0, across: [1, 1] };
        loop {
            let side = |s: i32| i64::from(s >> squares.shift) + 1;
            squares.across = size.map(side);
            if squares.across == [1, 1] || squares.are_few(nodes, corners) {
                return squares;
            }
            squares.shift += 1;
        }
    }

    fn are_few(&self, nodes: &[Node], corners: &[Triangle]) -> bool {
        let [most, most_places, most_looks] = MOST.map(|m| m * nodes.len());
        let looks = |t: &Triangle| {
            let [x, z] = self.range(&t.map(|i| nodes[i as usize]));
            ((x.1 - x.0 + 1) * (z.1 - z.0 + 1)) as usize
        };
        if (self.across[0] * self.across[1]) as usize > most
            || corners.iter().map(looks).sum::<usize>() > most_looks
        {
            return false;
        }
        let mut places = 0;
        self.each(nodes, corners, |_, _| places += 1);
        places <= most_places
    }

    /// First and last square along x and z that a triangle's box meets.
    fn range(&self, triangle: &[Node; 3]) -> [(i64, i64); 2] {
        let along = |of: fn(&Node) -> i64, across: i64| {
            let [a, b, c] = [0, 1, 2].map(|k| of(&triangle[k]) >> self.shift);
            (a.min(b).min(c), a.max(b).max(c).min(across - 1))
        };
        [along(|n| n.x, self.across[0]), along(|n| n.z, self.across[1])]
    }

    /// Calls `found` for each square and triangle that meet.
    fn each(&self, nodes: &[Node], corners: &[Triangle], mut found: impl FnMut(usize, Triangle)) {
        for t in corners {
            let triangle = t.map(|i| nodes[i as usize]);
            let [x, z] = self.range(&triangle);
            for row in z.0..=z.1 {
                for column in x.0..=x.1 {
                    if self.meet([column, row], &triangle) {
                        found((row * self.across[0] + column) as usize, *t);
                    }
                }
            }
        }
    }

    /// Does no side of a triangle part it from a square that meets its box?
    fn meet(&self, square: [i64; 2], t: &[Node; 3]) -> bool {
        let low = square.map(|c| c << self.shift);
        let side = 1 << self.shift;
        (0..3).all(|k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            let (dx, dz) = (b.x - a.x, b.z - a.z);
            let x = low[0] - a.x + if dz > 0 { side } else { 0 };
            let z = low[1] - a.z + if dx < 0 { side } else { 0 };
            dz * x >= dx * z
        })
    }

    /// Writes the lists behind what is there, in the order of the triangles.
    fn fill(
        &self,
        nodes: &[Node],
        corners: &[Triangle],
        starts: &mut Vec<u32>,
        items: &mut Vec<Triangle>,
    ) {
        let count = (self.across[0] * self.across[1]) as usize;
        let mut next = vec![0; count + 1];
        self.each(nodes, corners, |square, _| next[square + 1] += 1);
        next[0] = items.len();
        for i in 0..count {
            next[i + 1] += next[i];
        }
        starts.extend(next.iter().map(|&start| start as u32));
        items.resize(next[count], [0; 3]);
        self.each(nodes, corners, |square, t| {
            items[next[square]] = t;
            next[square] += 1;
        });
    }
}

/// Triangles each from its least corner on, larger ones first, as more places are theirs.
fn sorted(nodes: &[Node], mut corners: Vec<Triangle>) -> Vec<Triangle> {
    let triangle = |t: &Triangle| t.map(|i| nodes[i as usize]);
    for t in &mut corners {
        let [least, ..] = in_order(triangle(t));
        let first = triangle(t).iter().position(|&n| n == least);
        t.rotate_left(first.unwrap_or(0));
    }
    corners.sort_by_cached_key(|t| (Reverse(wrap::area(triangle(t))), *t));
    corners
}

/// The same triangle, from its least corner (x, then z) on.
fn in_order([a, b, c]: [Node; 3]) -> [Node; 3] {
    let place = |n: Node| (n.x, n.z);
    if place(b) < place(a) && place(b) < place(c) {
        [b, c, a]
    } else if place(c) < place(a) {
        [c, a, b]
    } else {
        [a, b, c]
    }
}
