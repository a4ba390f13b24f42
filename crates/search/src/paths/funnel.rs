//! The shortest path through a corridor.
//!
//! Lee and Preparata, Euclidean shortest paths in the presence of rectilinear barriers (1984), with
//! Chazelle's double-ended queue. The funnel's left and right chain share one queue and are joined
//! at the apex. Every border point stores its predecessor on the shortest path.
//!
//! ```text
//!               left chain
//!            .--o----o  left tip (front)
//!    apex o-'
//!            `-o------o  right tip (back)
//!               right chain
//! ```
//!
//! Linear in the corridor's length. All turns are decided by exact integers.

use navbake_format::exact::{direction, dot, orient};

/// A border point of a corridor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FunnelNode {
    pub(super) point: [i32; 2],
    /// The border point before it on the shortest path.
    pub(super) before: u32,
    /// The first portal that it is on; for the end the number of portals.
    pub(super) portal: u32,
}

/// The points of a path that no funnel made.
///
/// They are written to `Scratch::funnel`(super::Scratch::funnel).
pub(super) struct PointList<'s> {
    pub(super) nodes: &'s mut [FunnelNode],
    pub(super) used: usize,
}

impl PointList<'_> {
    /// Adds a point; `None` where there is no room.
    ///
    /// The begin of a leg is its own predecessor.
    pub(super) fn put(&mut self, point: [i32; 2], portal: usize, begins: bool) -> Option<()> {
        let n = self.used as u32;
        *self.nodes.get_mut(self.used)? = FunnelNode {
            point,
            before: if begins { n } else { n.saturating_sub(1) },
            portal: portal as u32,
        };
        self.used += 1;
        Some(())
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

struct Funnel<'a> {
    nodes: &'a mut [FunnelNode],
    used: usize,
    deque: &'a mut [u32],
    /// The left tip.
    front: usize,
    /// The right tip.
    back: usize,
    apex: usize,
}

/// Finds the shortest path from `start` through portals to `end`.
///
/// A portal is its left and right end. Leaves the path in the nodes as a chain, and returns the
/// node of the end and the number of nodes. Node 0 is the start. For `n` portals there must be room
/// for `2 n + 2` nodes and `2 n + 5` places in the deque.
pub(super) fn pull(
    start: [i32; 2],
    end: [i32; 2],
    portals: usize,
    mut portal: impl FnMut(usize) -> [[i32; 2]; 2],
    nodes: &mut [FunnelNode],
    deque: &mut [u32],
) -> (u32, usize) {
    let middle = portals + 2;
    let mut funnel = Funnel { nodes, used: 1, deque, front: middle, back: middle, apex: middle };
    funnel.nodes[0] = FunnelNode { point: start, before: 0, portal: 0 };
    funnel.deque[middle] = 0;
    let mut last = [start; 2];
    for i in 0..portals {
        let [left, right] = portal(i);
        funnel.add(left, i, Side::Left, last);
        funnel.add(right, i, Side::Right, last);
        last = [left, right];
    }
    funnel.add(end, portals, Side::Left, last);
    (funnel.deque[funnel.front], funnel.used)
}

impl Funnel<'_> {
    fn node(&self, place: usize) -> FunnelNode {
        self.nodes[self.deque[place] as usize]
    }

    /// Moves the left or right tip to a point of a portal.
    ///
    /// `last` is the previous portal, left and right end.
    fn add(&mut self, p: [i32; 2], portal: usize, side: Side, last: [[i32; 2]; 2]) {
        let [last_here, last_there] = match side {
            Side::Left => last,
            Side::Right => [last[1], last[0]],
        };
        let (mut tip, far) = match side {
            Side::Left => (self.front, self.back),
            Side::Right => (self.back, self.front),
        };
        if self.node(tip).point == p {
            return;
        }
        let inwards = |place: usize| match side {
            Side::Left => place + 1,
            Side::Right => place - 1,
        };
        let first = tip;
        while tip != far {
            let (outer, inner) = (self.node(tip), self.node(inwards(tip)));
            if tip != self.apex {
                // On its own chain the path goes on around the tip when it turns to that side
                // there. See `wraps` for turns straight back.
                let (a, b) = (inner.point, outer.point);
                if wraps(a, b, p, side, || tip != first || opposite(b, last_there, a)) {
                    break;
                }
                tip = inwards(tip);
            } else {
                // Beyond the other chain's first segment the path has to go around that chain.
                let (a, b) = (outer.point, inner.point);
                let back = || match () {
                    _ if inner.portal as usize == portal => false,
                    _ if b == last_there => opposite(b, last_here, a),
                    _ => dot(direction(a, b), direction(a, p)) > 0,
                };
                if !wraps(a, b, p, side.other(), back) {
                    break;
                }
                tip = inwards(tip);
                self.apex = tip;
            }
        }
        let node = self.used as u32;
        self.nodes[self.used] =
            FunnelNode { point: p, before: self.deque[tip], portal: portal as u32 };
        self.used += 1;
        match side {
            Side::Left => {
                self.front = tip - 1;
                self.deque[self.front] = node;
            }
            Side::Right => {
                self.back = tip + 1;
                self.deque[self.back] = node;
            }
        }
    }
}

/// Seen from `b`, are `p` and `q` on opposite sides?
fn opposite(b: [i32; 2], p: [i32; 2], q: [i32; 2]) -> bool {
    dot(direction(b, p), direction(b, q)) < 0
}

/// Does the path `a b c` turn to a side at `b`?
///
/// A turn straight back has two explanations. Either `a`, `b` and `c` are on a line along a portal,
/// and the path to `c` does not depend on `b`. Or `b` is the tip of a wall without thickness, and
/// the path goes all around it. In the second case the previous portal led from `b` straight on:
/// polygons are convex, so no single one turns further. `goes_around` decides.
fn wraps(
    a: [i32; 2],
    b: [i32; 2],
    c: [i32; 2],
    side: Side,
    goes_around: impl FnOnce() -> bool,
) -> bool {
    let turn = orient(a, b, c);
    match side {
        _ if turn == 0 => dot(direction(a, b), direction(b, c)) < 0 && goes_around(),
        Side::Left => turn > 0,
        Side::Right => turn < 0,
    }
}
