//! Lays out the triangles of detail meshes.

use alloc::vec;
use alloc::vec::Vec;

use super::delaunay::{area, each_triangle};
use super::records::{DetailHead, DetailPoint, Listed, Node, Triangle};

/// The most squares a node, list entries a node, and squares looked at a node for these.
const MOST: [usize; 3] = [2, 12, 48];

/// [`Details`](super::Details) that own their memory.
#[derive(Clone, Debug, Default)]
pub struct DetailsBuffer {
    /// One each.
    pub heads: Vec<DetailHead>,
    /// Points of all.
    pub points: Vec<DetailPoint>,
    /// Triangles of all.
    pub triangles: Vec<Triangle>,
    /// Where the list of each square begins.
    pub starts: Vec<u32>,
    /// The triangles in squares.
    pub lists: Vec<Listed>,
}

impl DetailsBuffer {
    /// Adds the triangles of some points: the corners of the box, counter-clockwise seen from
    /// above from the least one on, then points in the box, no two at one place, at most
    /// [`MOST_POINTS`](super::MOST_POINTS). Of the head only the box and the steps are read.
    /// O(n log n).
    pub fn add(&mut self, head: &DetailHead, points: impl IntoIterator<Item = DetailPoint>) {
        let first = self.points.len();
        self.points.extend(points);
        let nodes: Vec<Node> = self.points[first..].iter().map(DetailPoint::node).collect();
        let triangles = sorted(&nodes);
        let squares = Squares::new(head.size, &nodes, &triangles);
        self.heads.push(DetailHead {
            square: squares.shift as u8,
            first_point: first as u32,
            points: nodes.len() as u32,
            first_triangle: self.triangles.len() as u32,
            triangles: triangles.len() as u32,
            first_square: self.starts.len() as u32,
            columns: squares.across[0] as u32,
            ..*head
        });
        squares.fill(&mut self.starts, &mut self.lists);
        self.triangles.extend(triangles);
    }
}

/// The squares of a box.
#[derive(Default)]
struct Squares {
    shift: u32,
    /// Along x and z.
    across: [i64; 2],
    /// Squares and the triangles that meet them, triangle by triangle.
    places: Vec<[u32; 2]>,
}

impl Squares {
    /// The least of which there are not too many, nor too many entries in their lists.
    fn new(size: [i32; 2], nodes: &[Node], triangles: &[Triangle]) -> Squares {
        let mut squares = Squares::default();
        loop {
            squares.across = size.map(|s| i64::from(s >> squares.shift) + 1);
            if squares.are_few(nodes, triangles) || squares.across == [1, 1] {
                return squares;
            }
            squares.shift += 1;
        }
    }

    /// Finds the places. False when there are too many.
    fn are_few(&mut self, nodes: &[Node], triangles: &[Triangle]) -> bool {
        let [most, most_places, most_looks] = MOST.map(|m| m * nodes.len());
        let looks = |t: &Triangle| {
            let [x, z] = self.range(&t.map(|i| nodes[usize::from(i)]));
            ((x.1 - x.0 + 1) * (z.1 - z.0 + 1)) as usize
        };
        if (self.across[0] * self.across[1]) as usize > most
            || triangles.iter().map(looks).sum::<usize>() > most_looks
        {
            return false;
        }
        self.places.clear();
        for (number, t) in (0..).zip(triangles) {
            self.meet(number, &t.map(|i| nodes[usize::from(i)]));
            if self.places.len() > most_places {
                return false;
            }
        }
        true
    }

    /// First and last square along x and z that a triangle's box meets.
    #[inline]
    fn range(&self, [a, b, c]: &[Node; 3]) -> [(i64, i64); 2] {
        let along =
            |[a, b, c]: [i64; 3]| (a.min(b).min(c) >> self.shift, a.max(b).max(c) >> self.shift);
        [along([a.x, b.x, c.x]), along([a.z, b.z, c.z])]
    }

    /// Adds the squares that a triangle meets: those that meet its box and that no side of it
    /// parts from it.
    fn meet(&mut self, number: u32, t: &[Node; 3]) {
        let [x, z] = self.range(t);
        let square = |column: i64, row: i64| (row * self.across[0] + column) as u32;
        if x.0 == x.1 || z.0 == z.1 {
            // Squares in a row have the triangle within the row, so each of them meets it.
            for row in z.0..=z.1 {
                for column in x.0..=x.1 {
                    self.places.push([square(column, row), number]);
                }
            }
            return;
        }
        let (shift, side) = (self.shift, 1 << self.shift);
        // For each side how far the corner of the first square that is most to its left is to its
        // left, and how much that changes from square to square.
        let sides = [0, 1, 2].map(|k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            let (dx, dz) = (b.x - a.x, b.z - a.z);
            let left = (x.0 << shift) - a.x + if dz > 0 { side } else { 0 };
            let low = (z.0 << shift) - a.z + if dx < 0 { side } else { 0 };
            [dz * left - dx * low, dz << shift, -(dx << shift)]
        });
        for row in z.0..=z.1 {
            let mut left = sides.map(|[first, _, up]| first + up * (row - z.0));
            for column in x.0..=x.1 {
                if left.iter().all(|&l| l >= 0) {
                    self.places.push([square(column, row), number]);
                }
                for (left, [_, right, _]) in left.iter_mut().zip(sides) {
                    *left += right;
                }
            }
        }
    }

    /// Writes the lists behind what is there, each in the order of the triangles.
    fn fill(&self, starts: &mut Vec<u32>, lists: &mut Vec<Listed>) {
        let count = (self.across[0] * self.across[1]) as usize;
        let mut next = vec![0; count + 1];
        for [square, _] in &self.places {
            next[*square as usize + 1] += 1;
        }
        next[0] = lists.len() as u32;
        for i in 0..count {
            next[i + 1] += next[i];
        }
        starts.extend(&next);
        lists.resize(next[count] as usize, Listed::default());
        for [square, number] in &self.places {
            let at = &mut next[*square as usize];
            lists[*at as usize] = Listed::new(*number);
            *at += 1;
        }
    }
}

/// All triangles, each from its least corner (x, then z) on, larger ones first, as more places are
/// theirs.
fn sorted(nodes: &[Node]) -> Vec<Triangle> {
    let mut keys: Vec<u128> = Vec::with_capacity(2 * nodes.len());
    each_triangle(nodes, |[a, b, c]| {
        let [p, q, r] = [a, b, c].map(|i| (nodes[i as usize].x, nodes[i as usize].z));
        let [a, b, c] = if q < p && q < r {
            [b, c, a]
        } else if r < p {
            [c, a, b]
        } else {
            [a, b, c]
        };
        let size = area([a, b, c].map(|i| nodes[i as usize])) as u64; // below 2^29
        let smaller = u128::from(u32::MAX) - u128::from(size);
        let numbers = [a, b, c].iter().fold(smaller, |key, &i| key << 16 | u128::from(i));
        keys.push(numbers);
    });
    keys.sort_unstable();
    keys.iter().map(|&key| [32, 16, 0].map(|shift| (key >> shift) as u16)).collect()
}
