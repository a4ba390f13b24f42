//! All triangles of a detail mesh, one beside the other from a side of the box on (gift wrapping;
//! Chand and Kapur, An algorithm for convex polytopes, 1970).
//!
//! Beyond an edge comes the point whose circle through the edge's ends contains no other point
//! beyond it. Points are looked for in buckets around the edge's middle, ring after ring, as far as
//! the best circle yet reaches. All decisions are exact.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::circle::Circle;
use super::{DetailHead, DetailPoint, Node, Triangle};

/// More looks a point than this are not taken: some hundred are usual, and more are of files made
/// to do harm.
const MOST_LOOKS: usize = 4000;

/// The points of a detail mesh, sorted into buckets: squares of its box, row by row.
#[derive(Clone, Debug)]
pub struct Points {
    /// The box and steps; where points and squares are is not looked at.
    pub head: DetailHead,
    /// The side of a bucket is `2^bucket` steps.
    pub bucket: u32,
    /// Where the points of each bucket end, counted without the corners.
    pub ends: Vec<u32>,
    /// The corners of the box, counter-clockwise seen from above from the least one on, then the
    /// points, bucket by bucket.
    pub points: Vec<DetailPoint>,
}

impl Points {
    /// Buckets along x and z.
    fn buckets(&self) -> [i64; 2] {
        self.head.size.map(|s| i64::from(s >> self.bucket) + 1)
    }

    /// The points of a bucket, counted without the corners.
    #[inline]
    fn range(&self, [column, row]: [i64; 2]) -> Range<usize> {
        let i = (row * self.buckets()[0] + column) as usize;
        let end = |i: usize| self.ends.get(i).map_or(0, |&e| e as usize);
        i.checked_sub(1).map_or(0, end)..end(i)
    }

    /// First and last bucket along x and z that a circle may meet.
    #[inline]
    fn reach(&self, circle: &Circle) -> Reach {
        let [x, z, radius] = circle.round();
        let range = |centre: f64, size: i32| {
            let side = |c: f64| (c as i64).clamp(0, size.into()) >> self.bucket;
            (side(centre - radius), side(centre + radius))
        };
        [range(x, self.head.size[0]), range(z, self.head.size[1])]
    }
}

/// First and last bucket along x and z.
type Reach = [(i64, i64); 2];

/// How far the farthest bucket of a range is from one, in rings.
#[inline]
fn rings(home: [i64; 2], range: Reach) -> i64 {
    let far = |k: usize| (home[k] - range[k].0).max(range[k].1 - home[k]);
    far(0).max(far(1))
}

/// The buckets of a range in the ring at a distance from one.
#[inline]
fn each_in_ring(home: [i64; 2], distance: i64, range: Reach, mut found: impl FnMut([i64; 2])) {
    let side = |k: usize| {
        let (low, high) = (home[k] - distance, home[k] + distance);
        low.max(range[k].0)..=high.min(range[k].1)
    };
    for row in side(1) {
        if (row - home[1]).abs() == distance {
            side(0).for_each(|column| found([column, row]));
            continue;
        }
        for column in [home[0] - distance, home[0] + distance] {
            if column >= range[0].0 && column <= range[0].1 {
                found([column, row]);
            }
        }
    }
}

/// The triangles of all points, counter-clockwise; `None` when the points are unsound, and where it
/// takes too long.
pub(super) fn triangles(points: &Points, nodes: &[Node]) -> Option<Vec<Triangle>> {
    let mut wrap = Wrap { points, nodes, looks: MOST_LOOKS * nodes.len() };
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
    slots: Vec<u64>,
    free: usize,
    shift: u32,
}

impl Edges {
    /// For a triangulation of this many nodes, which has fewer than six times as many edges, both
    /// directions counted.
    fn new(nodes: usize) -> Edges {
        let bits = (8 * nodes).next_power_of_two().ilog2();
        Edges { slots: vec![0; 1 << bits], free: 6 * nodes, shift: u64::BITS - bits }
    }

    /// Where an edge is, or would be.
    #[inline]
    fn slot(&self, [from, to]: [u32; 2]) -> (usize, u64) {
        let key = u64::from(from) << 32 | u64::from(to);
        // Multiplicative hashing by the golden ratio (Knuth, The art of computer programming 3, 6.4).
        let mut at = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        while self.slots[at] != 0 && self.slots[at] != key {
            at = (at + 1) % self.slots.len();
        }
        (at, key)
    }

    fn contains(&self, edge: [u32; 2]) -> bool {
        let (at, key) = self.slot(edge);
        self.slots[at] == key
    }

    /// False when it is there already, and when there are too many.
    fn insert(&mut self, edge: [u32; 2]) -> bool {
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
    points: &'a Points,
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
    fn node(&self, i: u32) -> Node {
        self.nodes[i as usize]
    }

    /// From the box's least corner to the next node on its side of least x.
    fn first(&self) -> Option<[u32; 2]> {
        let side = (0..).zip(self.nodes).skip(1).filter(|(_, n)| n.x == 0);
        let (next, _) = side.min_by_key(|(_, n)| n.z)?;
        Some([0, next])
    }

    /// Is an edge on a side of the box, with nothing on its left?
    fn is_outside(&self, edge: [u32; 2]) -> bool {
        let [a, b] = edge.map(|i| self.node(i));
        self.nodes[..4].iter().all(|&c| area([a, b, c]) <= 0)
    }

    /// The node beyond an edge, on its left.
    fn beyond(&mut self, edge: [u32; 2]) -> Option<u32> {
        let [a, b] = edge.map(|i| self.node(i));
        let mut best = None;
        for corner in 0..4 {
            weigh([a, b], (corner, self.node(corner)), &mut best);
        }
        let buckets = self.points.buckets();
        let shift = self.points.bucket;
        let home = [(a.x + b.x, buckets[0]), (a.z + b.z, buckets[1])];
        let home = home.map(|(sum, count)| (sum >> 1 >> shift).min(count - 1));
        let mut ring = 0;
        loop {
            let (circle, node) = best.as_ref()?;
            let range = self.points.reach(circle);
            if ring > rings(home, range) {
                return Some(*node);
            }
            each_in_ring(home, ring, range, |bucket| self.look([a, b], bucket, &mut best));
            if self.looks == 0 {
                return None;
            }
            ring += 1;
        }
    }

    /// Looks at the points of a bucket.
    fn look(&mut self, [a, b]: [Node; 2], bucket: [i64; 2], best: &mut Option<(Circle, u32)>) {
        let shift = self.points.bucket;
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
        for i in self.points.range(bucket) {
            let Some(&node) = self.nodes.get(i + 4) else {
                return;
            };
            self.looks = self.looks.saturating_sub(1);
            weigh([a, b], (i as u32 + 4, node), best);
        }
    }
}

/// Takes a node for the one beyond an edge, if it is there and inside of the circle of the best so far.
#[inline]
fn weigh([a, b]: [Node; 2], (number, node): (u32, Node), best: &mut Option<(Circle, u32)>) {
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
