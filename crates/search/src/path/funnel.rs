//! The shortest path through a corridor.
//!
//! Lee and Preparata, Euclidean shortest paths in the presence of rectilinear barriers (1984), with Chazelle's double-ended queue: the
//! funnel's left and right chain stand in one queue, joined at the apex, and every border point remembers the point that the shortest way
//! to it comes from. Linear in the corridor's length; all turns are decided by exact integers.

use navbake_format::exact::{direction, dot, orient};

use super::scratch::Scratch;

/// A border point of a corridor.
#[derive(Clone, Copy, Debug, Default)]
pub struct FunnelNode {
    pub(super) point: [i32; 2],
    /// The border point before it on the shortest way.
    pub(super) before: u32,
    /// The first portal that it stands on; for the end their number.
    pub(super) portal: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
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

/// Finds the shortest way from `start` through portals (left and right end each) to `end`, and leaves it in [`Scratch::funnel`] as a chain:
/// gives the node of the end. Node 0 is the start. The scratch must have room for the portals.
pub(super) fn pull(
    start: [i32; 2],
    end: [i32; 2],
    portals: usize,
    mut portal: impl FnMut(usize) -> [[i32; 2]; 2],
    scratch: &mut Scratch<'_>,
) -> u32 {
    let middle = portals + 2;
    let mut funnel = Funnel {
        nodes: scratch.funnel,
        used: 1,
        deque: scratch.deque,
        front: middle,
        back: middle,
        apex: middle,
    };
    funnel.nodes[0] = FunnelNode {
        point: start,
        before: 0,
        portal: 0,
    };
    funnel.deque[middle] = 0;
    for i in 0..portals {
        let [left, right] = portal(i);
        funnel.add(left, i, Side::Left);
        funnel.add(right, i, Side::Right);
    }
    funnel.add(end, portals, Side::Left);
    funnel.deque[funnel.front]
}

impl Funnel<'_> {
    fn point(&self, place: usize) -> [i32; 2] {
        self.nodes[self.deque[place] as usize].point
    }

    /// Moves the left or right tip to a point.
    fn add(&mut self, p: [i32; 2], portal: usize, side: Side) {
        let (mut tip, far) = match side {
            Side::Left => (self.front, self.back),
            Side::Right => (self.back, self.front),
        };
        if self.point(tip) == p {
            return;
        }
        let inwards = |place: usize| match side {
            Side::Left => place + 1,
            Side::Right => place - 1,
        };
        while tip != far {
            let (outer, inner) = (self.point(tip), self.point(inwards(tip)));
            if tip != self.apex {
                // On its own chain the way goes on around the tip when it turns to that side there.
                if wraps(inner, outer, p, side) {
                    break;
                }
                tip = inwards(tip);
            } else {
                // Beyond the other chain's first segment the way has to go around that chain.
                let other = if side == Side::Left {
                    Side::Right
                } else {
                    Side::Left
                };
                if !wraps(outer, inner, p, other) {
                    break;
                }
                tip = inwards(tip);
                self.apex = tip;
            }
        }
        let node = self.used as u32;
        self.nodes[self.used] = FunnelNode {
            point: p,
            before: self.deque[tip],
            portal: portal as u32,
        };
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

/// Does the way `a b c` turn to a side at `b`? A turn right back, as around the tip of a wall without thickness, counts as a turn to both.
fn wraps(a: [i32; 2], b: [i32; 2], c: [i32; 2], side: Side) -> bool {
    let turn = orient(a, b, c);
    match side {
        _ if turn == 0 => dot(direction(a, b), direction(b, c)) < 0,
        Side::Left => turn > 0,
        Side::Right => turn < 0,
    }
}
