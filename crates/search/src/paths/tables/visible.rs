//! The corners seen from a place where a shortest path may turn.
//!
//! The look goes from polygon to polygon, as the cones of an optimal search do (see
//! [`super::super::optimal`]). The view through a portal is between two rays, each through a grid
//! point, so that every decision about sides is an exact integer. These cones never turn. A point
//! on a ray is visible.

use super::super::optimal::{least_length, towards, turn};
use navbake_navmesh::record::Records;
use navbake_navmesh::{Corner, NONE, PolyMesh, is_between};

/// A portal to look through.
/// It stores the polygon beyond, its edge, and the rays that bound the view.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    /// The polygon beyond.
    pub polygon: u32,
    edge: u32,
    /// The right ray.
    pub right: [i32; 2],
    /// The left ray.
    pub left: [i32; 2],
}

/// A visible corner.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Its number.
    pub corner: u32,
    /// The side on which a path from the place goes around it; see [`Corner::side`].
    pub side: u8,
    /// The direction from the place to the corner.
    pub direction: [i32; 2],
}

impl Window {
    pub(super) const NONE: Window = Window { polygon: 0, edge: 0, right: [0; 2], left: [0; 2] };
}

impl Seen {
    pub(super) const NONE: Seen = Seen { corner: 0, side: 0, direction: [0; 2] };
}

/// A look around from a place, with its memory.
pub struct Look<'l> {
    /// The polygons of the mesh.
    pub polys: &'l PolyMesh<'l>,
    /// The corners of the mesh.
    pub corners: Records<'l, Corner>,
    /// By corner: the number of the last look that saw it.
    pub stamps: &'l mut [u32],
    /// The number of this look, greater than those of all looks before.
    pub stamp: u32,
    /// Windows that wait.
    pub windows: &'l mut [Window],
    /// Corners seen.
    pub seen: &'l mut [Seen],
    /// The place.
    pub origin: [i32; 2],
    /// The path's other end, relative to the place, and the path's greatest length.
    /// Windows through which it would be longer are left out.
    pub goal: Option<([i32; 2], f64)>,
    /// The number of corners seen.
    pub count: usize,
    /// The number of windows that wait.
    pub open: usize,
    /// The number of windows that may still be looked through.
    pub left: usize,
    /// Some memory was too small.
    pub full: bool,
}

/// Calls `f` with the other polygons around a polygon's corner.
/// Only polygons connected to it around the corner count.
pub(super) fn around(polys: &PolyMesh<'_>, start: (u32, usize), mut f: impl FnMut(u32)) {
    for counter_clockwise in [true, false] {
        let (mut p, mut k) = start;
        for _ in 0..polys.edges.len() {
            let Some((_, next)) = polys.step_around((p, k), counter_clockwise, |_| true) else {
                break;
            };
            (p, k) = next;
            if (p, k) == start {
                return;
            }
            f(p);
        }
    }
}

impl Look<'_> {
    /// Looks from the place, which `polygon` holds; returns the number of corners seen.
    /// `None` if some memory was too small.
    pub fn run(&mut self, polygon: u32) -> Option<usize> {
        self.start(polygon);
        while let Some(window) = self.next_window() {
            self.through(&window);
        }
        (!self.full).then_some(self.count)
    }

    /// Looks from all polygons that hold the place on the ground of this one.
    #[inline]
    pub fn start(&mut self, polygon: u32) {
        // A window ends in a polygon of its own, or is one of few into the same polygon.
        self.left = 64 * self.polys.edges.len() + 4096;
        self.begin(polygon);
        self.neighbours(polygon);
    }

    /// Takes a waiting window; `None` when there is none or some memory was too small.
    #[inline]
    pub fn next_window(&mut self) -> Option<Window> {
        let last = self.open.checked_sub(1)?;
        self.full |= self.left == 0;
        if self.full {
            return None;
        }
        self.left -= 1;
        self.open = last;
        Some(self.windows[last])
    }

    /// Looks from all other polygons that hold the place on the same ground.
    fn neighbours(&mut self, polygon: u32) {
        let polys = self.polys;
        let border = polys.border(polygon);
        let corner = border.corner_at(self.origin);
        let Some(corner) = corner else {
            for (k, edge) in border.iter().enumerate() {
                let next = border.after(k).at;
                if edge.neighbour != NONE && is_between(edge.at, next, self.origin) {
                    self.begin(edge.neighbour);
                }
            }
            return;
        };
        around(polys, (polygon, corner), |p| self.begin(p));
    }

    /// Looks from inside a polygon.
    fn begin(&mut self, polygon: u32) {
        let polys = self.polys;
        let border = polys.border(polygon);
        for (k, edge) in border.iter().enumerate() {
            let next = border.after(k).at;
            let [right, left] = [edge.at, next].map(|at| towards(self.origin, at));
            if let Some(corner) = edge.corner() {
                self.see(corner, right);
            }
            let rays = [right, left];
            if edge.neighbour != NONE && turn(right, left) > 0 && !self.is_too_far(rays, rays) {
                self.push(Window { polygon: edge.neighbour, edge: edge.twin, right, left });
            }
        }
    }

    /// Is every path through a portal, between two rays, longer than the limit?
    #[inline]
    fn is_too_far(&self, rays: [[i32; 2]; 2], portal: [[i32; 2]; 2]) -> bool {
        (self.goal).is_some_and(|(goal, most)| least_length(rays, portal, goal) > most)
    }

    #[inline]
    fn push(&mut self, window: Window) {
        match self.windows.get_mut(self.open) {
            Some(slot) => {
                *slot = window;
                self.open += 1;
            }
            None => self.full = true,
        }
    }

    #[inline]
    fn see(&mut self, corner: u32, direction: [i32; 2]) {
        let Some(stamp) = self.stamps.get_mut(corner as usize) else {
            return;
        };
        if *stamp == self.stamp || direction == [0; 2] {
            return;
        }
        *stamp = self.stamp;
        let Some(side) = self.corners.at(corner as usize).side(direction) else {
            return;
        };
        match self.seen.get_mut(self.count) {
            Some(slot) => {
                *slot = Seen { corner, side, direction };
                self.count += 1;
            }
            None => self.full = true,
        }
    }

    /// Looks through a window: corners follow from the portal's right end to its left.
    #[inline(always)]
    pub fn through(&mut self, window: &Window) {
        let polys = self.polys;
        let border = polys.border(window.polygon);
        let n = border.len();
        let last = window.edge as usize;
        if last >= n {
            return;
        }
        let (right, left) = (window.right, window.left);
        let next = |k: usize| if k + 1 < n { k + 1 } else { 0 };
        let mut after = next(last);
        while after != last {
            let k = after;
            after = next(k);
            let (edge, end) = (border.at(k), border.at(after));
            let corner = end.corner().filter(|_| after != last);
            // Most edges are walls, and most of their ends are no corners that paths turn at.
            if edge.neighbour == NONE && corner.is_none() {
                continue;
            }
            let dq = towards(self.origin, end.at);
            let rq = turn(right, dq);
            if rq < 0 {
                continue;
            }
            let lq = turn(dq, left);
            if lq >= 0
                && let Some(corner) = corner
            {
                self.see(corner, dq);
            }
            if rq > 0 && edge.neighbour != NONE {
                let dp = towards(self.origin, edge.at);
                let r = if turn(right, dp) >= 0 { dp } else { right };
                let l = if lq >= 0 { dq } else { left };
                if turn(r, l) > 0 && !self.is_too_far([r, l], [dp, dq]) {
                    let (polygon, edge) = (edge.neighbour, edge.twin);
                    self.push(Window { polygon, edge, right: r, left: l });
                }
            }
            // The border beyond the left ray does not return to the view.
            if lq < 0 {
                break;
            }
        }
    }
}
