//! Fewer corners on the border of ground, which is only ever drawn in, never out.
//!
//! First, straight runs keep what their heights need and nothing else. Then corners that stick out (convex corners
//! of the ground, such as the steps of a voxel staircase) are cut off, the smallest loss of ground first, as in Visvalingam and Whyatt, Line
//! generalisation by repeated elimination of points, 1993, but with exact guards: every point cut off so far stays within a
//! tolerance of the new border, heights along it stay true, and no other border may be in the way, so that rings stay simple and apart.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::{Point, orient};
use navbake_walkable::Ring;

use crate::vertex_grid::VertexGrid;

/// Rings with fewer corners; as many rings, in the same order and direction.
pub(crate) fn simplify(rings: &[Ring], tolerance: i32) -> Vec<Ring> {
    let shared = Shared::new(rings);
    let mut straight: Vec<Ring> = rings
        .iter()
        .map(|ring| straighten(ring, &shared))
        .collect();
    if tolerance > 0 {
        Cutter::new(&straight, &shared).run(&mut straight, tolerance);
    }
    straight
}

/// Places that more than one ring, or a ring more than once, goes through; sorted.
struct Shared {
    places: Vec<Point>,
}

impl Shared {
    fn new(rings: &[Ring]) -> Shared {
        let mut all: Vec<Point> = rings.iter().flat_map(|r| &r.points).copied().collect();
        all.sort_unstable();
        let mut places: Vec<Point> = all
            .windows(2)
            .filter(|w| w[0] == w[1])
            .map(|w| w[0])
            .collect();
        places.dedup();
        Shared { places }
    }

    fn has(&self, p: Point) -> bool {
        self.places.binary_search(&p).is_ok()
    }
}

fn minus(a: Point, b: Point) -> [i64; 2] {
    [
        i64::from(a.x) - i64::from(b.x),
        i64::from(a.z) - i64::from(b.z),
    ]
}

fn dot(a: [i64; 2], b: [i64; 2]) -> i64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The ring without those collinear corners that neither its height nor another ring needs; with new ones where the
/// height along a long edge needs them.
fn straighten(ring: &Ring, shared: &Shared) -> Ring {
    let n = ring.points.len();
    let turns = |i: usize| {
        let (a, b, c) = (
            ring.points[(i + n - 1) % n],
            ring.points[i],
            ring.points[(i + 1) % n],
        );
        orient(a, b, c) != 0
            || dot(minus(b, a), minus(c, b)) <= 0
            || ring.open[(i + n - 1) % n] != ring.open[i]
            || shared.has(b)
    };
    let corners: Vec<usize> = (0..n).filter(|&i| turns(i)).collect();
    let mut result = Ring::default();
    for &i in &corners {
        let (a, open) = (ring.points[i], ring.open[i]);
        result.points.push(a);
        result.open.push(open);
    }
    if result.points.len() < 2 {
        return ring.clone();
    }
    result
}

/// The rings' vertices in one array, as linked lists.
struct Cutter {
    at: Vec<Point>,
    // One after the last vertex of each vertex's ring, and its first: rings are contiguous.
    ring: Vec<u32>,
    range: Vec<[u32; 2]>,
    left_in_ring: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    open: Vec<bool>,
    shared: Vec<bool>,
    grid: VertexGrid,
}

type Candidate = Reverse<(i64, Point, u32, u32, u32)>;

impl Cutter {
    fn new(rings: &[Ring], shared: &Shared) -> Cutter {
        let mut cutter = Cutter {
            at: Vec::new(),
            ring: Vec::new(),
            range: Vec::new(),
            left_in_ring: Vec::new(),
            next: Vec::new(),
            before: Vec::new(),
            open: Vec::new(),
            shared: Vec::new(),
            grid: VertexGrid::default(),
        };
        for (r, ring) in rings.iter().enumerate() {
            let (base, n) = (cutter.at.len() as u32, ring.points.len() as u32);
            cutter.range.push([base, base + n]);
            cutter.left_in_ring.push(n);
            for i in 0..n {
                let p = ring.points[i as usize];
                cutter.at.push(p);
                cutter.ring.push(r as u32);
                cutter.next.push(base + (i + 1) % n);
                cutter.before.push(base + (i + n - 1) % n);
                cutter.open.push(ring.open[i as usize]);
                cutter.shared.push(shared.has(p));
            }
        }
        cutter.grid = VertexGrid::new(&cutter.at);
        cutter
    }

    /// Cuts corners off until none can go, and writes the rings that are left.
    fn run(mut self, rings: &mut [Ring], tolerance: i32) {
        let mut heap: BinaryHeap<Candidate> = BinaryHeap::new();
        loop {
            // A corner may be kept by another ring's vertex that goes later: so again until nothing goes.
            let alive = (0..self.at.len() as u32).filter(|&v| self.grid.has(v));
            heap.extend(alive.filter_map(|v| self.candidate(v)));
            let mut cut = false;
            while let Some(Reverse((_, _, b, a, c))) = heap.pop() {
                let current =
                    self.grid.has(b) && self.before[b as usize] == a && self.next[b as usize] == c;
                if !current || !self.may_go(a, b, c, tolerance) {
                    continue;
                }
                self.grid.remove(b);
                self.next[a as usize] = c;
                self.before[c as usize] = a;
                self.left_in_ring[self.ring[b as usize] as usize] -= 1;
                heap.extend([a, c].into_iter().filter_map(|v| self.candidate(v)));
                cut = true;
            }
            if !cut {
                break;
            }
        }
        for (ring, &[first, end]) in rings.iter_mut().zip(&self.range) {
            let kept: Vec<u32> = (first..end).filter(|&v| self.grid.has(v)).collect();
            ring.points = kept.iter().map(|&v| self.at[v as usize]).collect();
            ring.open = kept.iter().map(|&v| self.open[v as usize]).collect();
        }
    }

    /// A vertex that might be cut off, with its loss of ground.
    fn candidate(&self, b: u32) -> Option<Candidate> {
        let (a, c) = (self.before[b as usize], self.next[b as usize]);
        let closed = !self.open[a as usize] && !self.open[b as usize];
        if !closed
            || self.shared[b as usize]
            || self.left_in_ring[self.ring[b as usize] as usize] <= 3
        {
            return None;
        }
        let [pa, pb, pc] = [a, b, c].map(|v| self.at[v as usize]);
        let loss = orient(pa, pb, pc);
        let straight = loss == 0 && dot(minus(pb, pa), minus(pc, pb)) > 0;
        (loss > 0 || straight).then_some(Reverse((loss, pb, b, a, c)))
    }

    fn may_go(&self, a: u32, b: u32, c: u32, tolerance: i32) -> bool {
        let [pa, pb, pc] = [a, b, c].map(|v| self.at[v as usize]);
        if self.left_in_ring[self.ring[b as usize] as usize] <= 3 {
            return false;
        }
        let straight = orient(pa, pb, pc) == 0;
        if !straight {
            // The new edge must not run back along one that is there, which only touching rings can bring about.
            let back =
                [self.next[c as usize], self.before[a as usize]].map(|v| self.at[v as usize]);
            if back[0] == pa || back[1] == pc || self.shared[a as usize] && self.shared[c as usize]
            {
                return false;
            }
            let near = |v: u32| near_segment(self.at[v as usize], pa, pc, tolerance);
            if !self.cut_off(a, c).all(near) {
                return false;
            }
            let in_the_way = |v: u32| {
                let q = self.at[v as usize];
                v != b
                    && q != pa
                    && q != pc
                    && orient(pa, pb, q) >= 0
                    && orient(pb, pc, q) >= 0
                    && orient(pc, pa, q) >= 0
            };
            if self.grid.any_near([pa, pb, pc], in_the_way) {
                return false;
            }
        }
        true
    }

    /// The given vertices between two that are left, in order.
    fn cut_off(&self, a: u32, c: u32) -> impl Iterator<Item = u32> + '_ {
        let [first, end] = self.range[self.ring[a as usize] as usize];
        let step = move |v: u32| if v + 1 == end { first } else { v + 1 };
        std::iter::successors(Some(step(a)), move |&v| Some(step(v))).take_while(move |&v| v != c)
    }

}

/// Is `p` at most `tolerance` away from the segment? Exact.
fn near_segment(p: Point, a: Point, b: Point, tolerance: i32) -> bool {
    let (d, e) = (minus(b, a), minus(p, a));
    let limit = i64::from(tolerance).pow(2);
    let (along, square) = (dot(e, d), dot(d, d));
    if along <= 0 {
        return dot(e, e) <= limit;
    }
    if along >= square {
        let f = minus(p, b);
        return dot(f, f) <= limit;
    }
    let cross = i128::from(orient(a, b, p));
    cross * cross <= i128::from(limit) * i128::from(square)
}
