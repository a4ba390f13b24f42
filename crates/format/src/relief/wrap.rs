//! All triangles of a relief, one beside the other from a side of the box on (gift wrapping; Chand and Kapur, An algorithm for convex polytopes, 1970).
//!
//! Beyond an edge lies the point whose circle through its ends holds no other point beyond it. Points are looked for in buckets around the edge's middle, ring
//! after ring, as far as the best circle yet reaches. What decides is exact, so the triangles are those that [`Relief::height`] finds.

use alloc::vec;
use alloc::vec::Vec;

use super::circle::Circle;
use super::{Node, Relief, each_in_ring, rings};

/// The numbers of a triangle's corners among a relief's nodes.
pub(super) type Corners = [u16; 3];

/// More looks a point than this are not taken: some hundred are usual, and more are of reliefs made to do harm.
const MOST_LOOKS: usize = 4000;

/// The triangles of all of a relief's nodes, counter-clockwise; `None` where that comes to nothing: for too many nodes
/// to number them in 16 bits, of unsound reliefs, and where it takes too long.
pub(super) fn triangles(relief: &Relief<'_>, nodes: &[Node]) -> Option<Vec<Corners>> {
    if nodes.len() > usize::from(u16::MAX) {
        return None;
    }
    let mut wrap = Wrap {
        relief,
        nodes,
        looks: MOST_LOOKS * nodes.len(),
    };
    let mut found = Vec::with_capacity(2 * nodes.len());
    // Edges that have their triangle on the left, and such that may want one.
    let mut done = Edges::new(nodes.len());
    let mut open = Vec::from([wrap.first()?]);
    while let Some([a, b]) = open.pop() {
        if done.contains([a, b]) || wrap.is_outside([a, b]) {
            continue;
        }
        let c = wrap.beyond([a, b])?;
        found.push([a, b, c]);
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if !done.insert([from, to]) {
                return None;
            }
            open.push([to, from]);
        }
    }
    Some(found)
}

/// Edges by the nodes they lead from and to, in a table of hashes.
struct Edges {
    /// 0 where there is none: no edge leads from node 0 to itself.
    slots: Vec<u32>,
    free: usize,
    shift: u32,
}

impl Edges {
    /// Of a triangulation of so many nodes, which has fewer than six times as many, both ways counted.
    fn new(nodes: usize) -> Edges {
        let bits = (8 * nodes).next_power_of_two().ilog2();
        Edges {
            slots: vec![0; 1 << bits],
            free: 6 * nodes,
            shift: u32::BITS - bits,
        }
    }

    /// Where an edge is, or would be.
    #[inline]
    fn slot(&self, [from, to]: [u16; 2]) -> (usize, u32) {
        let key = u32::from(from) << 16 | u32::from(to);
        // Multiplicative hashing by the golden ratio (Knuth, The art of computer programming 3, 6.4).
        let mut at = (key.wrapping_mul(0x9E37_79B9) >> self.shift) as usize;
        while self.slots[at] != 0 && self.slots[at] != key {
            at = (at + 1) % self.slots.len();
        }
        (at, key)
    }

    fn contains(&self, edge: [u16; 2]) -> bool {
        let (at, key) = self.slot(edge);
        self.slots[at] == key
    }

    /// False when it is there already, and when there are too many.
    fn insert(&mut self, edge: [u16; 2]) -> bool {
        let (at, key) = self.slot(edge);
        if self.slots[at] == key || self.free == 0 {
            return false;
        }
        (self.slots[at], self.free) = (key, self.free - 1);
        true
    }
}

/// The search for triangles.
struct Wrap<'a> {
    relief: &'a Relief<'a>,
    nodes: &'a [Node],
    /// How many more points may be looked at.
    looks: usize,
}

/// Twice the area of a triangle, positive when it is counter-clockwise.
#[inline]
pub(super) fn area([a, b, c]: [Node; 3]) -> i64 {
    (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z)
}

impl Wrap<'_> {
    fn node(&self, i: u16) -> Node {
        self.nodes[usize::from(i)]
    }

    /// From the box's least corner to the next node on its side of least x.
    fn first(&self) -> Option<[u16; 2]> {
        let side = (0..).zip(self.nodes).skip(1).filter(|(_, n)| n.x == 0);
        let (next, _) = side.min_by_key(|(_, n)| n.z)?;
        Some([0, next])
    }

    /// Does an edge lie on a side of the box, with nothing on its left?
    fn is_outside(&self, edge: [u16; 2]) -> bool {
        let [a, b] = edge.map(|i| self.node(i));
        self.nodes[..4].iter().all(|&c| area([a, b, c]) <= 0)
    }

    /// The node beyond an edge, on its left.
    fn beyond(&mut self, edge: [u16; 2]) -> Option<u16> {
        let [a, b] = edge.map(|i| self.node(i));
        let mut best = None;
        for corner in 0..4 {
            weigh([a, b], (corner, self.node(corner)), &mut best);
        }
        let buckets = self.relief.head.buckets();
        let shift = self.relief.head.shifts[1];
        let home = [(a.x + b.x, buckets[0]), (a.z + b.z, buckets[1])];
        let home = home.map(|(sum, count)| (sum >> 1 >> shift).min(count - 1));
        let mut ring = 0;
        loop {
            let (circle, node) = best.as_ref()?;
            let range = self.relief.reach(circle);
            if ring > rings(home, range) {
                return Some(*node);
            }
            each_in_ring(home, ring, range, |bucket| {
                self.look([a, b], bucket, &mut best)
            });
            if self.looks == 0 {
                return None;
            }
            ring += 1;
        }
    }

    /// Looks at the points of a bucket.
    fn look(&mut self, [a, b]: [Node; 2], bucket: [i64; 2], best: &mut Option<(Circle, u16)>) {
        let shift = self.relief.head.shifts[1];
        let [low_x, low_z] = bucket.map(|c| c << shift);
        let farthest = Node {
            x: low_x + (i64::from(b.z > a.z) << shift),
            z: low_z + (i64::from(b.x < a.x) << shift),
            y: 0,
        };
        self.looks = self.looks.saturating_sub(1);
        if area([a, b, farthest]) <= 0 {
            return;
        }
        for i in self.relief.bucket(self.relief.number(bucket)) {
            let Some(&node) = self.nodes.get(i + 4) else {
                return;
            };
            self.looks = self.looks.saturating_sub(1);
            weigh([a, b], (i as u16 + 4, node), best);
        }
    }
}

/// Takes a node for the one beyond an edge, if it lies there and is inside of the circle of the best so far.
#[inline]
fn weigh([a, b]: [Node; 2], (number, node): (u16, Node), best: &mut Option<(Circle, u16)>) {
    if area([a, b, node]) <= 0 {
        return;
    }
    let better = match best {
        None => true,
        Some((circle, old)) => match circle.inside(node) {
            0 => number != *old && circle.inside_tie(node) > 0,
            inside => inside > 0,
        },
    };
    if better {
        *best = Some((Circle::new([a, b, node]), number));
    }
}
