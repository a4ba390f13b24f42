//! The view through a polygon: the successors of a cone.

use navbake_navmesh::{Border, HalfEdge, NONE, WIDE};

use super::cone::{Cone, along, reversed, towards, turn};
use super::front::{From, Front};

/// A corner at an end of the portal.
enum Turn {
    /// The path cannot turn there, or a shorter path to it is known.
    None,
    /// The path may turn there.
    /// The length up to there is computed only when the path has somewhere to go.
    Seen,
    From(From),
}

impl Turn {
    /// The view from the corner through an edge, if the edge is worth a look.
    #[inline]
    fn from(
        &mut self,
        front: &Front<'_>,
        edge: &HalfEdge,
        corner: &HalfEdge,
        own: &From,
    ) -> Option<&mut From> {
        if matches!(self, Turn::None) || front.beyond(edge).is_none() {
            return None;
        }
        if matches!(self, Turn::Seen) {
            *self = match front.turning(corner, own) {
                Some(from) => Turn::From(from),
                None => Turn::None,
            };
        }
        match self {
            Turn::From(from) => Some(from),
            _ => None,
        }
    }
}

/// A cone's portal and the polygon behind it.
#[derive(Clone, Copy)]
struct Look<'b> {
    border: Border<'b>,
    /// The portal's right and left ends, as corners of the polygon.
    first: usize,
    last: usize,
    rays: [[i32; 2]; 2],
    /// The portal's ends, relative to the root.
    ends: [[i32; 2]; 2],
}

impl Front<'_> {
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

    /// Adds all successors of a cone; `f` is its lower bound.
    pub(super) fn expand(&mut self, number: u32, f: f64) {
        let cone = self.cones[number as usize];
        let border = self.polys.border(cone.polygon);
        let n = border.len();
        let last = cone.edge as usize;
        if last >= n {
            return;
        }
        let next = |k: usize| if k + 1 < n { k + 1 } else { 0 };
        let own = From {
            root: self.roots[cone.root as usize],
            number: cone.root,
            parent: number,
            least: f,
        };
        let root = own.root.point;
        let [right, left] = cone.rays;
        // The portal from its right end to its left end, relative to the root: the corners between
        // them follow counter-clockwise.
        let first = next(last);
        let (b, a) = (border.at(first).at, border.at(last).at);
        let (db, da) = (towards(root, b), towards(root, a));
        // Ground hidden by the cone's sides is visible from the portal's ends, where the rays touch
        // them.
        let (right_of, left_of) = (turn(right, db), turn(da, left));
        let turned = |side: i64, d: [i32; 2], corner: &HalfEdge| match side {
            0 if d != [0, 0] && self.is_corner(corner) => Turn::Seen,
            _ => Turn::None,
        };
        let at_right = turned(right_of, db, &border.at(first));
        let at_left = turned(left_of, da, &border.at(last));
        let look = Look { border, first, last, rays: cone.rays, ends: [db, da] };
        if turn(db, da) > 0 {
            self.look_ahead(&look, own, at_right, at_left, left_of == 0);
        } else {
            let back = own.root.pivot != NONE
                && own.root.pivot & WIDE != 0
                && (a == root || b == root)
                && !self.comes_back(&cone);
            // Around the axis of a helix the path may turn on, half a turn at a time.
            let at_right = match back && b == root {
                true => Turn::From(own),
                false => at_right,
            };
            let at_left = match back && a == root {
                true => Turn::From(own),
                false => at_left,
            };
            self.look_along(&look, own, at_right, at_left);
        }
    }

    /// Adds the view through a portal that the root faces.
    /// The corners run from the portal's right end to the right, then to the left, then to the
    /// portal's left end: each ray is passed once.
    fn look_ahead(
        &mut self,
        look: &Look<'_>,
        mut own: From,
        mut at_right: Turn,
        mut at_left: Turn,
        on_left: bool,
    ) {
        let Look { border, first, last, rays: [right, left], ends: [db, da] } = *look;
        let root = own.root.point;
        let n = border.len();
        let (mut k, mut dp) = (first, db);
        let mut rp = turn(right, dp);
        let mut lp = None;
        let mut here = border.at(k);
        while k != last {
            let edge = &here;
            k = if k + 1 < n { k + 1 } else { 0 };
            let next = &border.at(k);
            let dq = towards(root, next.at);
            let rq = if rp > 0 { 1 } else { turn(right, dq) };
            if rp <= 0 {
                if rp == 0 && rq == 0 {
                    // An edge on one line with the root is met where it begins.
                    self.add_along([edge, next], &own);
                } else if let Some(from) = at_right.from(self, edge, &border.at(first), &own) {
                    self.look_right([dp, dq], [rp, rq], db, right, [edge, next], from);
                }
            }
            if rq > 0 {
                let l = lp.unwrap_or_else(|| turn(dp, left));
                let lq = turn(dq, left);
                if l > 0 && edge.neighbour != NONE {
                    let r = if rp >= 0 { dp } else { right };
                    let rays = [r, if lq >= 0 { dq } else { left }];
                    self.add(edge, [dp, dq], rays, &mut own);
                }
                if lq <= 0 {
                    if !on_left {
                        break;
                    }
                    if l == 0 && lq == 0 {
                        self.add_along([edge, next], &own);
                    } else if let Some(from) = at_left.from(self, edge, &border.at(last), &own) {
                        self.look_left([dp, dq], [l, lq], da, left, [edge, next], from);
                    }
                }
                lp = Some(lq);
            }
            (dp, rp, here) = (dq, rq, *next);
        }
    }

    /// Adds the view through an edge from the portal's right end.
    fn look_right(
        &mut self,
        [dp, dq]: [[i32; 2]; 2],
        [rp, rq]: [i64; 2],
        db: [i32; 2],
        right: [i32; 2],
        edge: [&HalfEdge; 2],
        from: &mut From,
    ) {
        if rq > 0 && rp == 0 {
            return;
        }
        let portal = [towards(db, dp), towards(db, dq)];
        let begins = dp == db;
        if !begins && turn(portal[0], portal[1]) == 0 {
            self.add_along(edge, from);
            return;
        }
        let r = if begins { reversed(right) } else { portal[0] };
        let l = if rq <= 0 { portal[1] } else { right };
        self.add(edge[0], portal, [r, l], from);
    }

    /// Adds the view through an edge from the portal's left end.
    fn look_left(
        &mut self,
        [dp, dq]: [[i32; 2]; 2],
        [lp, lq]: [i64; 2],
        da: [i32; 2],
        left: [i32; 2],
        edge: [&HalfEdge; 2],
        from: &mut From,
    ) {
        if lp > 0 && lq == 0 {
            return;
        }
        let portal = [towards(da, dp), towards(da, dq)];
        let ends = dq == da;
        if !ends && turn(portal[0], portal[1]) == 0 {
            self.add_along(edge, from);
            return;
        }
        let r = if lp <= 0 { portal[0] } else { left };
        let l = if ends { reversed(left) } else { portal[1] };
        self.add(edge[0], portal, [r, l], from);
    }

    /// Adds the view through a portal that is on one line with the root.
    /// The root is at one of the portal's ends or beside it.
    fn look_along(
        &mut self,
        look: &Look<'_>,
        mut own: From,
        mut at_right: Turn,
        mut at_left: Turn,
    ) {
        let Look { border, first, last, rays: [right, left], .. } = *look;
        let root = own.root.point;
        let (b, a) = (border.at(first).at, border.at(last).at);
        let n = border.len();
        let next = |k: usize| if k + 1 < n { k + 1 } else { 0 };
        let side = |v: [i32; 2]| {
            let d = towards(root, v);
            // Cones may be as wide as half a turn: a point straight behind a ray is on the other
            // ray.
            let behind = |side: i64, ray| {
                if side == 0 && along(ray, d) < 0 { 1 } else { side }
            };
            (d, behind(turn(right, d), right), behind(turn(d, left), left))
        };
        let mut k = first;
        let mut p = b;
        let (mut dp, mut rp, mut lp) = side(p);
        let mut here = border.at(k);
        for _ in 1..n {
            let edge = &here;
            k = next(k);
            let after = border.at(k);
            let q = after.at;
            let (dq, rq, lq) = side(q);
            let seen_from = |c: [i32; 2]| [towards(c, p), towards(c, q)];
            'edge: {
                if edge.neighbour == NONE {
                    break 'edge;
                }
                // An edge on one line with the root is met where it begins.
                let inside = rp >= 0 && lp >= 0 && rq >= 0 && lq >= 0 && p != root && q != root;
                if inside && turn(dp, dq) == 0 {
                    self.add_along([edge, &after], &own);
                    break 'edge;
                }
                if rp <= 0
                    && (p != root || (p == b && rq <= 0))
                    && (rq <= 0 || rp < 0)
                    && let Some(from) = at_right.from(self, edge, &border.at(first), &own)
                {
                    let r = if p == b { reversed(right) } else { towards(b, p) };
                    let l = if rq <= 0 { towards(b, q) } else { right };
                    if p != b && turn(towards(b, p), towards(b, q)) == 0 {
                        self.add_along([edge, &after], from);
                    } else {
                        self.add(edge, seen_from(b), [r, l], from);
                    }
                }
                // Rays go through corners or follow those of the cone, so that they stay exact.
                let seen = if p == root {
                    (rq > 0).then_some([right, if lq >= 0 { dq } else { left }])
                } else if q == root {
                    (lp > 0).then_some([if rp >= 0 { dp } else { right }, left])
                } else {
                    (rq > 0 && lp > 0).then(|| {
                        let r = if rp >= 0 { dp } else { right };
                        [r, if lq >= 0 { dq } else { left }]
                    })
                };
                if let Some(rays) = seen {
                    self.add(edge, [dp, dq], rays, &mut own);
                }
                if lq <= 0
                    && (q != root || (q == a && lp <= 0))
                    && (lp <= 0 || lq < 0)
                    && let Some(from) = at_left.from(self, edge, &border.at(last), &own)
                {
                    let r = if lp <= 0 { towards(a, p) } else { left };
                    let l = if q == a { reversed(left) } else { towards(a, q) };
                    if q != a && turn(towards(a, p), towards(a, q)) == 0 {
                        self.add_along([edge, &after], from);
                    } else {
                        self.add(edge, seen_from(a), [r, l], from);
                    }
                }
            }
            (p, dp, rp, lp) = (q, dq, rq, lq);
            here = after;
        }
    }
}
