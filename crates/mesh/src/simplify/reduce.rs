//! Steps in the order of the ground they lose.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::{Point, direction, dot, orient};
use navbake_walkable::Ring;

use super::Shared;
use super::chain::{Chain, NONE};
use super::edge_grid::EdgeGrid;
use super::lost::{Change, corner, is_narrow, is_tip, near_segment};

/// A step, by the ground it loses.
///
/// No two steps are equal but for the numbers of vertices, since no other border goes through the
/// place of a vertex that goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    /// Twice the area; for a corner that was straightened, that of the step that did so: those wait
    /// until all of their run are straight.
    loss: i64,
    /// Cuts a straight corner, and others of its run with it.
    straight: bool,
    /// Place of the (first) vertex that goes.
    place: Point,
    /// Of the vertex that comes, if it is no cut.
    new: Option<Point>,
    /// Vertices in a row: the first and the last stay. The last is [`NONE`] for a cut.
    row: [u32; 4],
}

/// A corner stays when cutting it off would lose more ground than this many squares with the
/// tolerance as their side: one corner less is not worth a long strip of ground.
const MOST_LOST: i64 = 12;

/// Does steps until none is left.
pub(super) fn reduce(rings: &mut [Ring], shared: &Shared, tolerance: i32) {
    let chain = Chain::new(rings, shared);
    let mut edges = EdgeGrid::new(&chain.at);
    for u in 0..chain.at.len() as u32 {
        let v = chain.after(u);
        edges.insert([u, v], chain.place(u), chain.place(v));
    }
    let mut reducer = Reducer { chain, edges, tolerance, queue: BinaryHeap::new(), level: 0 };
    reducer.run();
    reducer.chain.write(rings);
}

struct Reducer {
    chain: Chain,
    edges: EdgeGrid,
    tolerance: i32,
    queue: BinaryHeap<Reverse<Step>>,
    // Loss of the last step.
    level: i64,
}

impl Reducer {
    fn run(&mut self) {
        for v in 0..self.chain.at.len() as u32 {
            self.offer_cut(v);
            self.offer_collapse(v);
        }
        let mut blocked: Vec<Reverse<Step>> = vec![];
        loop {
            let mut done = false;
            while let Some(Reverse(step)) = self.queue.pop() {
                if !self.stands(&step) {
                    continue;
                }
                // Looked at as late as this because edges may replace much of the first border, and
                // most steps fail.
                let Some(parting) = self.keeps_near(&step) else {
                    continue;
                };
                if !self.is_free(&step) {
                    blocked.push(Reverse(step));
                    continue;
                }
                self.take(&step, parting);
                done = true;
            }
            if !done {
                break;
            }
            // The edges that blocked these steps may have gone since.
            self.queue.extend(blocked.drain(..));
        }
    }

    /// Are the step's vertices still in a row, and enough others left?
    fn stands(&self, step: &Step) -> bool {
        let [a, b, c, d] = step.row;
        let chain = &self.chain;
        chain.has_edge(a, b)
            && chain.has_edge(b, c)
            && (d == NONE || chain.has_edge(c, d))
            && chain.left(b) > 3
    }

    /// Where the new vertex parts the first border ([`NONE`] for a cut), if all of that stays
    /// within the tolerance.
    fn keeps_near(&self, step: &Step) -> Option<u32> {
        let [a, b, c, d] = step.row;
        let (chain, tolerance) = (&self.chain, self.tolerance);
        let [pa, pb, pc] = [a, b, c].map(|v| chain.place(v));
        match step.new {
            None => {
                let near = step.straight
                    || chain.is_near(a, c, tolerance)
                    || is_tip([pa, pb, pc], step.loss, tolerance)
                        && chain.covers(a, c, [pa, pc], tolerance / 2)
                        && is_narrow(&chain.first_line(a, c), tolerance);
                near.then_some(NONE)
            }
            Some(x) => chain.part(a, d, x, tolerance).or_else(|| {
                // The tip is at the convex one of the two corners.
                let pd = chain.place(d);
                let (tip, sides) = match orient(pa, pb, pc) > 0 {
                    true => (b, [x, pb, pc]),
                    false => (c, [pb, pc, x]),
                };
                let kept = is_tip(sides, step.loss, tolerance)
                    && (orient(pa, pb, pc) > 0 || orient(pb, pc, pd) > 0)
                    && [[pa, x], [x, pd]].iter().all(|&e| chain.covers(a, d, e, tolerance / 2))
                    && {
                        // All ground lost there before counts too.
                        let mut lost = chain.first_line(a, d);
                        lost.push(x);
                        is_narrow(&lost, tolerance)
                    };
                kept.then(|| chain.parted_at(tip))
            }),
        }
    }

    /// Does no other border block the step?
    fn is_free(&mut self, step: &Step) -> bool {
        if step.straight {
            return true;
        }
        let chain = &self.chain;
        let [a, b, c, d] = step.row;
        let last = if d == NONE { c } else { d };
        // There may be an edge from the one to the other already.
        if chain.shared[a as usize] && chain.shared[last as usize] {
            return false;
        }
        let [pa, pb, pc] = [chain.place(a), chain.place(b), chain.place(c)];
        let change = match step.new {
            None => Change::Cut([pa, pb, pc]),
            Some(x) => Change::Collapse([pa, pb, pc, chain.place(d), x]),
        };
        let there = |u, v| chain.has_edge(u, v);
        let [[x0, x1], [z0, z1]] = change.bounds();
        !self.edges.any_near(change.around(), there, |u, v| {
            let own = u == a || u == b || u == c && d != NONE;
            let (p, q) = (chain.place(u), chain.place(v));
            let apart = (p.x.max(q.x) < x0) | (p.x.min(q.x) > x1);
            let apart = apart | (p.z.max(q.z) < z0) | (p.z.min(q.z) > z1);
            !own && !apart && change.meets(p, q)
        })
    }

    fn take(&mut self, step: &Step, parting: u32) {
        let [mut a, b, mut c, d] = step.row;
        self.level = step.loss;
        let (mid, last) = match step.new {
            None => {
                self.chain.cut(b);
                while step.straight && self.is_straight(a) {
                    a = self.chain.ahead_of(a);
                    self.chain.cut(self.chain.after(a));
                }
                while step.straight && self.is_straight(c) {
                    c = self.chain.after(c);
                    self.chain.cut(self.chain.ahead_of(c));
                }
                self.insert(a, c);
                (a, c)
            }
            Some(x) => {
                let v = self.chain.collapse(b, x, parting);
                self.insert(a, v);
                self.insert(v, d);
                self.offer_cut(v);
                self.offer_collapse(a);
                (v, d)
            }
        };
        self.offer_cut(a);
        self.offer_cut(last);
        self.offer_collapse(self.chain.ahead_of(a));
        self.offer_collapse(mid);
        self.offer_collapse(last);
    }

    fn insert(&mut self, u: u32, v: u32) {
        let (p, q) = (self.chain.place(u), self.chain.place(v));
        self.edges.insert([u, v], p, q);
    }

    /// May the corner be cut off as far as its edges and its ring go?
    fn is_loose(&self, b: u32) -> bool {
        let chain = &self.chain;
        let a = chain.ahead_of(b);
        !chain.open[a as usize]
            && !chain.open[b as usize]
            && !chain.shared[b as usize]
            && chain.left(b) > 3
    }

    /// May it, and does the border go straight on there?
    fn is_straight(&self, b: u32) -> bool {
        let chain = &self.chain;
        let [pa, pb, pc] = [chain.ahead_of(b), b, chain.after(b)].map(|v| chain.place(v));
        self.is_loose(b) && orient(pa, pb, pc) == 0 && dot(direction(pa, pb), direction(pb, pc)) > 0
    }

    /// Queues cutting `b` off.
    fn offer_cut(&mut self, b: u32) {
        if !self.is_loose(b) {
            return;
        }
        let chain = &self.chain;
        let (a, c) = (chain.ahead_of(b), chain.after(b));
        let [pa, pb, pc] = [chain.place(a), chain.place(b), chain.place(c)];
        let loss = orient(pa, pb, pc);
        let straight = self.is_straight(b);
        // All of the first border is near `a c` afterwards, and `b` was near it.
        let twice = self.tolerance.saturating_mul(2);
        let most = i64::from(self.tolerance).pow(2).saturating_mul(2 * MOST_LOST);
        let is_near =
            || near_segment(pb, pa, pc, twice) || is_tip([pa, pb, pc], loss, self.tolerance);
        if straight || (1..=most).contains(&loss) && is_near() {
            self.queue.push(Reverse(Step {
                loss: if straight { self.level } else { loss },
                straight,
                place: pb,
                new: None,
                row: [a, b, c, NONE],
            }));
        }
    }

    /// Queues collapsing the edge from `b` onwards.
    fn offer_collapse(&mut self, b: u32) {
        let chain = &self.chain;
        let (a, c) = (chain.ahead_of(b), chain.after(b));
        let d = chain.after(c);
        if chain.left(b) <= 3
            || [a, b, c].iter().any(|&v| chain.open[v as usize])
            || [b, c].iter().any(|&v| chain.shared[v as usize])
        {
            return;
        }
        let [pa, pb, pc, pd] = [chain.place(a), chain.place(b), chain.place(c), chain.place(d)];
        let turns = [orient(pa, pb, pc), orient(pb, pc, pd)];
        // Of two convex corners each may be cut off; a straight one goes by itself.
        if turns.contains(&0) || turns.iter().all(|&t| t > 0) {
            return;
        }
        if let Some((loss, x)) = corner([pa, pb, pc, pd], self.tolerance) {
            self.queue.push(Reverse(Step {
                loss,
                straight: false,
                place: pb,
                new: Some(x),
                row: [a, b, c, d],
            }));
        }
    }
}
