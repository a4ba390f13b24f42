//! What is seen through a polygon: the successors of a cone.

use super::blocks::is_marked;
use super::chart::{CORNER, Chart, ChartEdge, NONE, WIDE};
use super::cone::{Cone, Root, along, end_length, least_length, reversed, towards, turn};
use super::heap::{Heap, Open};
use crate::math::grid_distance;

/// Ways to a corner whose lengths differ by less than this share are equally long: rounding is all that tells them apart.
const SAME: f64 = 1.0 + 1e-13;

/// An optimal search with its memory at hand.
pub(super) struct Front<'s> {
    pub(super) chart: Chart<'s>,
    pub(super) cones: &'s mut [Cone],
    pub(super) used: usize,
    pub(super) roots: &'s mut [Root],
    pub(super) bends: usize,
    /// For each place the root with the shortest way to it; believed only when that root says so.
    pub(super) best: &'s mut [u32],
    pub(super) heap: Heap<'s>,
    /// Blocks that a path can lead through.
    pub(super) marks: &'s [u64],
    /// The polygons that hold the goal, and the least and the greatest of them.
    pub(super) ends: &'s [u32],
    pub(super) span: [u32; 2],
    pub(super) goal: [i32; 2],
    /// Something did not fit.
    pub(super) full: bool,
}

/// Where successors are seen from.
#[derive(Clone, Copy)]
struct From {
    root: Root,
    /// The number of the root, [`NONE`] while it has none.
    number: u32,
    parent: u32,
    /// No path through the cone that is opened is shorter.
    least: f64,
}

impl From {
    /// The same from a corner that is seen from there.
    #[inline]
    fn moved(&self, corner: &ChartEdge) -> From {
        From {
            root: Root {
                point: corner.at,
                place: corner.place,
                g: self.root.g + grid_distance(self.root.point, corner.at),
            },
            number: NONE,
            ..*self
        }
    }
}

impl Front<'_> {
    /// The polygon beyond an edge, `None` where no path leads through: at a wall, and at a portal to where no path to the goal can be.
    /// Whatever may not be entered has to be told here, and what it makes a corner of in [`Front::is_corner`].
    #[inline]
    fn beyond(&self, edge: &ChartEdge) -> Option<u32> {
        (edge.beyond != NONE && is_marked(self.marks, edge.block)).then_some(edge.beyond)
    }

    /// Can a path turn where an edge begins?
    #[inline]
    fn is_corner(&self, edge: &ChartEdge) -> bool {
        edge.is_corner()
    }

    #[inline]
    pub(super) fn holds_goal(&self, polygon: u32) -> bool {
        self.span[0] <= polygon && polygon <= self.span[1] && self.ends.contains(&polygon)
    }

    /// The root of the shortest way known to a place.
    #[inline]
    fn best(&self, place: u32) -> Option<u32> {
        let number = *self.best.get((place & !(CORNER | WIDE)) as usize)?;
        let root = self.roots.get(..self.bends)?.get(number as usize)?;
        (root.place == place).then_some(number)
    }

    /// Is there no shorter way to a root by now?
    #[inline]
    pub(super) fn is_best(&self, root: u32) -> bool {
        let place = self.roots[root as usize].place;
        place == NONE || self.best(place) == Some(root)
    }

    /// The number of a new root, or of one as good at its place; `None` where there is a better one, or no room.
    fn admit(&mut self, root: Root) -> Option<u32> {
        if let Some(number) = self.best(root.place) {
            let g = self.roots[number as usize].g;
            if root.g * SAME >= g {
                return (root.g <= g * SAME).then_some(number);
            }
        }
        self.put_root(root)
    }

    /// Makes a root, that of the start or the best of its place.
    pub(super) fn put_root(&mut self, root: Root) -> Option<u32> {
        let Some(slot) = self.roots.get_mut(self.bends) else {
            self.full = true;
            return None;
        };
        *slot = root;
        if root.place != NONE {
            match self.best.get_mut((root.place & !(CORNER | WIDE)) as usize) {
                Some(best) => *best = self.bends as u32,
                None => self.full = true,
            }
        }
        self.bends += 1;
        Some(self.bends as u32 - 1)
    }

    /// Adds what is seen through the edge from `p` to `q` between two rays, if it may be part of a shortest path.
    #[inline]
    fn add(
        &mut self,
        edge: &ChartEdge,
        [p, q]: [[i32; 2]; 2],
        rays: [[i32; 2]; 2],
        from: &mut From,
    ) {
        let Some(beyond) = self.beyond(edge) else {
            return;
        };
        if from.number == NONE {
            let Some(number) = self.admit(from.root) else {
                return;
            };
            from.number = number;
        }
        let root = from.root.point;
        let portal = [towards(root, p), towards(root, q)];
        let goal = towards(root, self.goal);
        let ends = self.holds_goal(beyond);
        let (rest, rays) = if ends {
            match end_length(rays, portal, goal) {
                Some(rest) => (rest, [[0; 2]; 2]),
                None => return,
            }
        } else {
            (least_length(rays, portal, goal), rays)
        };
        let Some(slot) = self.cones.get_mut(self.used) else {
            self.full = true;
            return;
        };
        *slot = Cone {
            polygon: beyond,
            edge: edge.twin,
            parent: from.parent,
            root: from.number,
            rays,
        };
        // Rounding must not make a way shorter than the one it goes on from.
        let open = Open {
            f: (from.root.g + rest).max(from.least),
            cone: self.used as u32,
        };
        self.used += 1;
        self.full |= !self.heap.wait(open);
    }

    /// Adds what is seen through an edge from its nearer end, which lies on a line with it and the root.
    fn add_along(&mut self, [here, next]: [&ChartEdge; 2], from: &From) {
        let root = from.root.point;
        let ends = [here.at, next.at];
        let [dp, dq] = ends.map(|end| towards(root, end));
        let (corner, rays) = if along(dp, dp) < along(dq, dq) {
            (here, [reversed(dp), dp])
        } else {
            (next, [dq, reversed(dq)])
        };
        if along(dp, dq) > 0 && self.is_corner(corner) {
            self.add(here, ends, rays, &mut from.moved(corner));
        }
    }

    /// Adds what is seen from the start through the edges of a polygon that holds it.
    pub(super) fn look_around(&mut self, number: u32) {
        let Cone { polygon, root, .. } = self.cones[number as usize];
        let mut from = From {
            root: self.roots[root as usize],
            number: root,
            parent: number,
            least: 0.0,
        };
        let border = self.chart.border(polygon);
        for (k, edge) in border.iter().enumerate() {
            let next = border.get(k + 1).unwrap_or(&border[0]);
            let ends = [edge.at, next.at];
            let rays = ends.map(|end| towards(from.root.point, end));
            if turn(rays[0], rays[1]) > 0 {
                self.add(edge, ends, rays, &mut from);
            } else {
                self.add_along([edge, next], &from);
            }
        }
    }

    /// Has the path turned all the way around the cone's root?
    #[cold]
    fn comes_back(&self, cone: &Cone) -> bool {
        let mut n = cone.parent;
        for _ in 0..self.used {
            let before = &self.cones[n as usize];
            if before.polygon == cone.polygon {
                return true;
            }
            if before.root != cone.root || before.parent == n {
                break;
            }
            n = before.parent;
        }
        false
    }

    /// Adds all successors of a cone; `f` is its least length.
    pub(super) fn expand(&mut self, number: u32, f: f64) {
        let cone = self.cones[number as usize];
        let border = self.chart.border(cone.polygon);
        let n = border.len();
        let last = cone.edge as usize;
        if last >= n {
            return;
        }
        let next = |k: usize| if k + 1 < n { k + 1 } else { 0 };
        let mut own = From {
            root: self.roots[cone.root as usize],
            number: cone.root,
            parent: number,
            least: f,
        };
        let root = own.root.point;
        let [right, left] = cone.rays;
        // The portal from its right end to its left one, seen from the root: corners between them follow counter-clockwise.
        let first = next(last);
        let (b, a) = (border[first].at, border[last].at);
        let turned = |corner: &ChartEdge, ray: [i32; 2]| {
            let d = towards(root, corner.at);
            (d != [0, 0] && turn(ray, d) == 0 && self.is_corner(corner))
                .then(|| (d, own.moved(corner)))
        };
        // What the cone's sides hide is seen from the portal's ends, where the rays touch them.
        let mut at_right = turned(&border[first], right);
        let mut at_left = turned(&border[last], left);
        // Around the axis of a helix the path may go on turning, half a turn at a time.
        if (a == root || b == root)
            && own.root.place != NONE
            && own.root.place & WIDE != 0
            && !self.comes_back(&cone)
        {
            if b == root {
                at_right = Some((right, own));
            }
            if a == root {
                at_left = Some((left, own));
            }
        }

        let side = |v: [i32; 2]| {
            let d = towards(root, v);
            // Cones may be as wide as half a turn: what lies straight behind a ray is on the other one.
            let behind = |side: i64, ray| {
                if side == 0 && along(ray, d) < 0 {
                    1
                } else {
                    side
                }
            };
            (
                d,
                behind(turn(right, d), right),
                behind(turn(d, left), left),
            )
        };
        let mut k = first;
        let mut p = b;
        let (mut dp, mut rp, mut lp) = side(p);
        for _ in 1..n {
            let edge = &border[k];
            k = next(k);
            let q = border[k].at;
            let (dq, rq, lq) = side(q);
            let ends = [p, q];
            'edge: {
                if edge.beyond == NONE {
                    break 'edge;
                }
                // An edge on a line with the root is met where it begins.
                let inside = rp >= 0 && lp >= 0 && rq >= 0 && lq >= 0 && p != root && q != root;
                if inside && turn(dp, dq) == 0 {
                    self.add_along([edge, &border[k]], &own);
                    break 'edge;
                }
                if let Some((d, from)) = &mut at_right
                    && rp <= 0
                    && (p != root || (p == b && rq <= 0))
                    && (rq <= 0 || rp < 0)
                {
                    let r = if p == b { reversed(*d) } else { towards(b, p) };
                    let l = if rq <= 0 { towards(b, q) } else { *d };
                    if p != b && turn(towards(b, p), towards(b, q)) == 0 {
                        self.add_along([edge, &border[k]], from);
                    } else {
                        self.add(edge, ends, [r, l], from);
                    }
                }
                // Rays go through corners or along those of the cone, so that they stay exact.
                let seen = if p == root {
                    (rq > 0).then(|| [right, if lq >= 0 { dq } else { left }])
                } else if q == root {
                    (lp > 0).then(|| [if rp >= 0 { dp } else { right }, left])
                } else {
                    (rq > 0 && lp > 0).then(|| {
                        let r = if rp >= 0 { dp } else { right };
                        [r, if lq >= 0 { dq } else { left }]
                    })
                };
                if let Some(rays) = seen {
                    self.add(edge, ends, rays, &mut own);
                }
                if let Some((d, from)) = &mut at_left
                    && lq <= 0
                    && (q != root || (q == a && lp <= 0))
                    && (lp <= 0 || lq < 0)
                {
                    let r = if lp <= 0 { towards(a, p) } else { *d };
                    let l = if q == a { reversed(*d) } else { towards(a, q) };
                    if q != a && turn(towards(a, p), towards(a, q)) == 0 {
                        self.add_along([edge, &border[k]], from);
                    } else {
                        self.add(edge, ends, [r, l], from);
                    }
                }
            }
            (p, dp, rp, lp) = (q, dq, rq, lq);
        }
    }
}
