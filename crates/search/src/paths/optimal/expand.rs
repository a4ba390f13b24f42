//! The view through a polygon: the successors of a cone.

use navbake_navmesh::{Border, NONE, WIDE};

use super::cone::{Cone, along, reversed, towards, turn};
use super::front::{Across, From, Front};
use super::notes::Seen;

/// Cones of a search before lengths are noted: shorter searches end before that pays.
const FEW: usize = 32;

/// The views from a corner at an end of the portal.
#[derive(Clone, Copy)]
enum Turn {
    /// The path cannot turn there, or a shorter path to it is known.
    None,
    /// The path may turn there.
    /// The length up to there is computed only when the path has somewhere to go.
    Seen,
    From(From),
}

/// What a cone sees: its root, its portal and the polygon behind it.
struct View<'b> {
    border: Border<'b>,
    /// The portal's right and left ends, as corners of the polygon.
    first: usize,
    last: usize,
    /// The cone's right and left rays.
    rays: [[i32; 2]; 2],
    own: From,
    at_right: Turn,
    at_left: Turn,
}

/// An edge of the polygon that leads on.
#[derive(Clone, Copy)]
struct Exit {
    k: usize,
    across: Across,
    /// Where it begins and ends, relative to the root.
    ends: [[i32; 2]; 2],
    /// Positive where these are on the inner side of the ray that the edge reaches beyond.
    sides: [i64; 2],
}

impl View<'_> {
    /// The number of the corner after corner k.
    #[inline]
    fn next(&self, k: usize) -> usize {
        if k + 1 < self.border.len() { k + 1 } else { 0 }
    }

    /// The view from the portal's right end.
    #[inline]
    fn right_end(&mut self, front: &Front<'_>) -> Option<&mut From> {
        let corner = (&self.border, self.first);
        self.at_right.from(front, corner, &self.own)
    }

    /// The view from the portal's left end.
    #[inline]
    fn left_end(&mut self, front: &Front<'_>) -> Option<&mut From> {
        let corner = (&self.border, self.last);
        self.at_left.from(front, corner, &self.own)
    }
}

impl Turn {
    /// The view from the corner where edge `k` begins; `own` is the view from the root.
    #[inline]
    fn from(
        &mut self,
        front: &Front<'_>,
        (border, k): (&Border<'_>, usize),
        own: &From,
    ) -> Option<&mut From> {
        if let Turn::Seen = self {
            *self = match front.turning(&border.at(k), own) {
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

impl Front<'_> {
    /// Has the path made a full turn around the cone's root?
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
        let cone = &self.cones[number as usize];
        let Cone { rays, .. } = *cone;
        let last = cone.edge as usize;
        let border = self.polys.border(cone.polygon);
        if last >= border.len() {
            return;
        }
        let own = From {
            root: self.roots[cone.root as usize],
            number: cone.root,
            parent: number,
            least: f,
        };
        let root = own.root.point;
        // The portal from its right end to its left end, relative to the root: the corners between
        // them follow counter-clockwise.
        let first = if last + 1 < border.len() { last + 1 } else { 0 };
        let corners = [first, last].map(|k| border.at(k));
        let [db, da] = [0, 1].map(|k| towards(root, corners[k].at));
        // Ground hidden by the cone's sides is visible from the portal's ends, where the rays touch
        // them.
        let (on_right, on_left) = (turn(rays[0], db) == 0, turn(da, rays[1]) == 0);
        let faces = turn(db, da) > 0;
        if faces && self.used >= FEW && self.notes.are_kept() {
            let seen = Seen { rays, portal: [db, da], reached: [on_right, on_left] };
            if self.notes.is_passed(&seen, corners.map(|c| c.pivot), own.root.g) {
                return;
            }
        }
        let at_right = match on_right {
            true => self.touched(db, &border, first),
            false => Turn::None,
        };
        let at_left = match on_left {
            true => self.touched(da, &border, last),
            false => Turn::None,
        };
        let mut view = View { border, first, last, rays, own, at_right, at_left };
        if faces {
            self.look_ahead(&mut view, on_left);
        } else {
            self.look_along(&mut view, number, [db, da]);
        }
    }

    /// The view from a corner that a ray touches, in direction `d` from the root.
    #[inline(always)]
    fn touched(&self, d: [i32; 2], border: &Border<'_>, k: usize) -> Turn {
        match d != [0, 0] && self.is_corner(&border.at(k)) {
            true => Turn::Seen,
            false => Turn::None,
        }
    }

    /// Adds the view through a portal that the root faces.
    /// The corners run from the portal's right end to the right, then to the left, then to the
    /// portal's left end: each ray is passed once.
    #[inline]
    fn look_ahead(&mut self, view: &mut View<'_>, on_left: bool) {
        let View { border, last, rays: [right, left], .. } = *view;
        let (turns_right, turns_left) =
            (!matches!(view.at_right, Turn::None), !matches!(view.at_left, Turn::None));
        let root = view.own.root.point;
        let mut is_past_right = false;
        let mut after = view.first;
        while after != last {
            let k = after;
            after = if k + 1 < border.len() { k + 1 } else { 0 };
            // Most edges are walls.
            let edge = border.at(k);
            let Some(across) = self.across(&edge) else {
                continue;
            };
            let (dp, dq) = (towards(root, edge.at), towards(root, border.at(after).at));
            let rp = if is_past_right { 1 } else { turn(right, dp) };
            let rq = if rp > 0 { 1 } else { turn(right, dq) };
            is_past_right = rq > 0;
            if rp <= 0 && (turns_right || (rp == 0 && rq == 0)) {
                let exit = Exit { k, across, ends: [dp, dq], sides: [rp, rq] };
                self.look_right(view, &exit);
            }
            if !is_past_right {
                continue;
            }
            let (lp, lq) = (turn(dp, left), turn(dq, left));
            if lp > 0 {
                let r = if rp >= 0 { dp } else { right };
                let rays = [r, if lq >= 0 { dq } else { left }];
                self.add(across, [dp, dq], rays, &mut view.own);
            }
            if lq <= 0 {
                if !on_left {
                    break;
                }
                if turns_left || (lp == 0 && lq == 0) {
                    let exit = Exit { k, across, ends: [dp, dq], sides: [lp, lq] };
                    self.look_left(view, &exit);
                }
            }
        }
    }

    /// Adds the view through an edge from the portal's right end.
    /// The edge begins to the right of the cone's right ray, or on it.
    #[inline(never)]
    fn look_right(&mut self, view: &mut View<'_>, exit: &Exit) {
        let Exit { k, across, ends, sides: [rp, rq] } = *exit;
        let [right, _] = view.rays;
        let border = view.border;
        if rp == 0 && rq == 0 {
            // An edge on one line with the root is met where it begins.
            return self.add_along(across, (&border, k), &view.own);
        }
        let (begins, b) = (k == view.first, border.at(view.first).at);
        let db = towards(view.own.root.point, b);
        let Some(from) = view.right_end(self).filter(|_| rp != 0 || rq <= 0) else {
            return;
        };
        let portal = ends.map(|end| towards(db, end));
        if !begins && turn(portal[0], portal[1]) == 0 {
            return self.add_along(across, (&border, k), from);
        }
        let r = if begins { reversed(right) } else { portal[0] };
        let l = if rq <= 0 { portal[1] } else { right };
        self.add(across, portal, [r, l], from);
    }

    /// Adds the view through an edge from the portal's left end.
    /// The edge ends to the left of the cone's left ray, or on it.
    #[inline(never)]
    fn look_left(&mut self, view: &mut View<'_>, exit: &Exit) {
        let Exit { k, across, ends: seen, sides: [lp, lq] } = *exit;
        let [_, left] = view.rays;
        let border = view.border;
        if lp == 0 && lq == 0 {
            return self.add_along(across, (&border, k), &view.own);
        }
        let (ends, a) = (view.next(k) == view.last, border.at(view.last).at);
        let da = towards(view.own.root.point, a);
        let Some(from) = view.left_end(self).filter(|_| lp <= 0 || lq != 0) else {
            return;
        };
        let portal = seen.map(|end| towards(da, end));
        if !ends && turn(portal[0], portal[1]) == 0 {
            return self.add_along(across, (&border, k), from);
        }
        let r = if lp <= 0 { portal[0] } else { left };
        let l = if ends { reversed(left) } else { portal[1] };
        self.add(across, portal, [r, l], from);
    }

    /// Adds the view through a portal that is on one line with the root.
    /// The root is at one of the portal's ends or beside it.
    #[inline(never)]
    fn look_along(&mut self, view: &mut View<'_>, number: u32, [db, da]: [[i32; 2]; 2]) {
        let View { border, first, last, rays: [right, left], .. } = *view;
        let root = view.own.root.point;
        let pivot = view.own.root.pivot;
        if pivot != NONE && pivot & WIDE != 0 && (db == [0; 2] || da == [0; 2]) {
            // Around the axis of a helix the path may turn on, half a turn at a time.
            if !self.comes_back(&self.cones[number as usize]) {
                let turn = match db == [0; 2] {
                    true => &mut view.at_right,
                    false => &mut view.at_left,
                };
                *turn = Turn::From(view.own);
            }
        }
        let (b, a) = (border.at(first).at, border.at(last).at);
        // On which side of the right and the left ray a direction is.
        let sides = |d: [i32; 2]| {
            // Cones may be as wide as half a turn: a point straight behind a ray is on the other
            // ray.
            let behind = |side: i64, ray| {
                if side == 0 && along(ray, d) < 0 { 1 } else { side }
            };
            (behind(turn(right, d), right), behind(turn(d, left), left))
        };
        let mut after = first;
        while after != last {
            let k = after;
            after = view.next(k);
            let edge = border.at(k);
            let Some(across) = self.across(&edge) else {
                continue;
            };
            let (p, q) = (edge.at, border.at(after).at);
            let (dp, dq) = (towards(root, p), towards(root, q));
            let ((rp, lp), (rq, lq)) = (sides(dp), sides(dq));
            let seen_from = |c: [i32; 2]| [towards(c, p), towards(c, q)];
            // An edge on one line with the root is met where it begins.
            let inside = rp >= 0 && lp >= 0 && rq >= 0 && lq >= 0 && p != root && q != root;
            if inside && turn(dp, dq) == 0 {
                self.add_along(across, (&border, k), &view.own);
                continue;
            }
            if rp <= 0
                && (p != root || (p == b && rq <= 0))
                && (rq <= 0 || rp < 0)
                && let Some(from) = view.right_end(self)
            {
                let r = if p == b { reversed(right) } else { towards(b, p) };
                let l = if rq <= 0 { towards(b, q) } else { right };
                if p != b && turn(towards(b, p), towards(b, q)) == 0 {
                    self.add_along(across, (&border, k), from);
                } else {
                    self.add(across, seen_from(b), [r, l], from);
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
                self.add(across, [dp, dq], rays, &mut view.own);
            }
            if lq <= 0
                && (q != root || (q == a && lp <= 0))
                && (lp <= 0 || lq < 0)
                && let Some(from) = view.left_end(self)
            {
                let r = if lp <= 0 { towards(a, p) } else { left };
                let l = if q == a { reversed(left) } else { towards(a, q) };
                if q != a && turn(towards(a, p), towards(a, q)) == 0 {
                    self.add_along(across, (&border, k), from);
                } else {
                    self.add(across, seen_from(a), [r, l], from);
                }
            }
        }
    }
}
