//! Lays the triangles of reliefs out in memory.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::place::in_order;
use super::triangles::{Laid, Point, Triangles};
use super::wrap::{self, Corners};
use super::{Node, Relief};
use crate::NavMeshView;

/// The most squares a node, places in lists a node, and squares looked at a node for these.
const MOST: [usize; 3] = [2, 12, 48];

/// As many points are laid out at most: each takes some microseconds, which on huge terrain nobody who asks for one path should wait for.
const MOST_POINTS: usize = 65_536;

/// [`Triangles`] that own their memory: about 50 bytes a point. Reliefs beyond 65,536 points in all are left to the blob.
#[derive(Clone, Debug, Default)]
pub struct TrianglesBuffer {
    reliefs: Vec<Laid>,
    nodes: Vec<Point>,
    starts: Vec<u32>,
    items: Vec<Corners>,
}

impl TrianglesBuffer {
    /// The triangles of all reliefs of a mesh.
    pub fn new(mesh: &NavMeshView<'_>) -> TrianglesBuffer {
        let mut buffer = TrianglesBuffer::default();
        for i in 0..mesh.relief_count() {
            buffer.lay(&mesh.relief(i));
        }
        buffer.nodes.shrink_to_fit();
        buffer.starts.shrink_to_fit();
        buffer.items.shrink_to_fit();
        buffer
    }

    /// To read.
    pub fn triangles(&self) -> Triangles<'_> {
        Triangles {
            reliefs: &self.reliefs,
            nodes: &self.nodes,
            starts: &self.starts,
            items: &self.items,
        }
    }

    fn lay(&mut self, relief: &Relief<'_>) {
        self.reliefs.push(Laid {
            head: *relief.head(),
            node: self.nodes.len() as u32,
            square: self.starts.len() as u32,
            shift: 0,
            columns: 0,
        });
        let nodes: Vec<Node> = relief.nodes().collect();
        if self.nodes.len() + nodes.len() > MOST_POINTS {
            return;
        }
        let Some(corners) = wrap::triangles(relief, &nodes) else {
            return;
        };
        let corners = sorted(&nodes, corners);
        let squares = Squares::new(relief, &nodes, &corners);
        if let Some(laid) = self.reliefs.last_mut() {
            (laid.shift, laid.columns) = (squares.shift, squares.across[0] as u32);
        }
        self.nodes.extend(nodes.iter().map(Point::of));
        squares.fill(&nodes, &corners, &mut self.starts, &mut self.items);
    }
}

/// The squares of a relief's box.
struct Squares {
    shift: u32,
    /// Along x and z.
    across: [i64; 2],
}

impl Squares {
    /// The least of which there are not too many, nor too many places in their lists.
    fn new(relief: &Relief<'_>, nodes: &[Node], corners: &[Corners]) -> Squares {
        let mut squares = Squares {
            shift: 0,
            across: [1, 1],
        };
        loop {
            let side = |s: i32| i64::from(s >> squares.shift) + 1;
            squares.across = relief.head().size.map(side);
            if squares.across == [1, 1] || squares.are_few(nodes, corners) {
                return squares;
            }
            squares.shift += 1;
        }
    }

    fn are_few(&self, nodes: &[Node], corners: &[Corners]) -> bool {
        let [most, most_places, most_looks] = MOST.map(|m| m * nodes.len());
        let looks = |t: &Corners| {
            let [x, z] = self.range(&t.map(|i| nodes[usize::from(i)]));
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
        [
            along(|n| n.x, self.across[0]),
            along(|n| n.z, self.across[1]),
        ]
    }

    /// Calls for each square and triangle that meet.
    fn each(&self, nodes: &[Node], corners: &[Corners], mut found: impl FnMut(usize, Corners)) {
        for t in corners {
            let triangle = t.map(|i| nodes[usize::from(i)]);
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
        corners: &[Corners],
        starts: &mut Vec<u32>,
        items: &mut Vec<Corners>,
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
fn sorted(nodes: &[Node], mut corners: Vec<Corners>) -> Vec<Corners> {
    let triangle = |t: &Corners| t.map(|i| nodes[usize::from(i)]);
    for t in &mut corners {
        let [least, ..] = in_order(triangle(t));
        let first = triangle(t).iter().position(|&n| n == least);
        t.rotate_left(first.unwrap_or(0));
    }
    corners.sort_by_cached_key(|t| (Reverse(wrap::area(triangle(t))), *t));
    corners
}
