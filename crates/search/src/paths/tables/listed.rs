//! The corners that a place sees, read from the visibility lists of its polygon.
//!
//! An entry names a corner and the rays between which it is visible. Whether it is visible from a
//! place takes one or two products.
//!
//! One list is enough, except at a corner where paths turn. That holds even where other polygons
//! hold the place, too. A straight line that comes only through another polygon, along the end of
//! something in between, passes over the corner there, which is in the list.

use core::ops::Range;

use navbake_format::{Labels, Numbers, VIEW_KINDS};
use navbake_navmesh::record::{Record, Records};
use navbake_navmesh::{Corner, PolyMesh};

use super::super::optimal::{reversed, towards, turn};
use super::label_mesh::whole;
use super::merge::Near;
use super::visible::around;
use navbake_navmesh::math::{float, grid_distance, length};

/// Reads visibility lists; see [`Listing::run`].
pub(super) struct Listing<'l> {
    pub(super) polys: &'l PolyMesh<'l>,
    pub(super) labels: &'l Labels<'l>,
    pub(super) corners: Records<'l, Corner>,
    /// By corner: the number of the last look that saw it.
    pub(super) stamps: &'l mut [u32],
    /// The number of this look.
    pub(super) stamp: u32,
    pub(super) near: &'l mut [Near],
    pub(super) origin: [i32; 2],
    /// The other end of the path.
    pub(super) goal: [i32; 2],
    /// Label units in a grid unit.
    pub(super) scale: f64,
    /// Longer paths, in label units, are of no use.
    pub(super) most: f64,
    pub(super) count: usize,
    /// Keep each corner once, as several lists are read that name the same corners.
    /// Within one list a corner that is visible past both sides of an obstacle occurs more than
    /// once, which does no harm.
    pub(super) once: bool,
    /// Some memory was too small.
    pub(super) full: bool,
}

impl Listing<'_> {
    /// Lists the corners seen from the place, which `polygon` holds.
    /// Returns their number. `None` where there are no visibility lists, or not enough room.
    pub(super) fn run(&mut self, polygon: u32) -> Option<usize> {
        let border = self.polys.border(polygon);
        let at = border.corner_at(self.origin);
        let corner = at.filter(|&k| border.at(k).corner().is_some());
        self.once = corner.is_some();
        self.list(polygon)?;
        if let Some(k) = corner {
            let mut listed = Some(());
            around(self.polys, (polygon, k), |polygon| {
                listed = listed.and_then(|()| self.list(polygon));
            });
            listed?;
        }
        (!self.full).then_some(self.count)
    }

    fn list(&mut self, polygon: u32) -> Option<()> {
        let parts = self.labels.view_parts(polygon, self.origin)?;
        match self.labels.views() {
            Numbers::Two(n) => self.read(n, parts, u32::from),
            Numbers::Four(n) => self.read(n, parts, |n| n),
        }
        Some(())
    }

    fn read<N: Record>(
        &mut self,
        numbers: Records<'_, N>,
        parts: [Range<usize>; 4],
        number: impl Fn(N) -> u32,
    ) {
        let [whole, right, left, both] = parts.map(|p| numbers.slice(p).unwrap_or_default());
        let corners = self.corners;
        // The ray from a corner through another. The line back from the corner must be on one side
        // of it.
        let ray = |own: &Corner, to: u32| {
            let to = corners.get(to as usize);
            to.map_or([0; 2], |to| towards(own.at, to.at))
        };
        // The numbers of an entry.
        let views = |all: Records<'_, N>, kind: usize| all.len() / VIEW_KINDS[kind];
        let get = |all: Records<'_, N>, i: usize| all.get(i).map_or(0, &number);
        for i in 0..views(whole, 0) {
            self.see(get(whole, i), |_, _| true);
        }
        for i in 0..views(right, 1) {
            self.see(get(right, 2 * i), |own, back| {
                turn(ray(own, get(right, 2 * i + 1)), back) >= 0
            });
        }
        for i in 0..views(left, 2) {
            self.see(get(left, 2 * i), |own, back| turn(back, ray(own, get(left, 2 * i + 1))) >= 0);
        }
        for i in 0..views(both, 3) {
            self.see(get(both, 3 * i), |own, back| {
                turn(ray(own, get(both, 3 * i + 1)), back) >= 0
                    && turn(back, ray(own, get(both, 3 * i + 2))) >= 0
            });
        }
    }

    /// Keeps a corner if it is visible and on a possible shortest path.
    /// `is_seen` gets the corner and the direction back from it.
    #[inline(always)]
    fn see(&mut self, corner: u32, is_seen: impl FnOnce(&Corner, [i32; 2]) -> bool) {
        let Some(own) = self.corners.get(corner as usize) else {
            return;
        };
        // Products before square roots, as they are faster.
        let direction = towards(self.origin, own.at);
        if !is_seen(&own, reversed(direction)) {
            return;
        }
        let Some(side) = own.side(direction).filter(|_| direction != [0; 2]) else {
            return;
        };
        let [dx, dz] = float(direction);
        let away = length(dx, dz) * self.scale;
        let around = away + grid_distance(own.at, self.goal) * self.scale;
        if around > self.most {
            return;
        }
        if self.once {
            match self.stamps.get_mut(corner as usize) {
                Some(stamp) if *stamp != self.stamp => *stamp = self.stamp,
                _ => return,
            }
        }
        let (Some(slot), Some(away)) = (self.near.get_mut(self.count), whole(away)) else {
            self.full = true;
            return;
        };
        *slot = Near { corner, rank: own.rank, side, away, around: around as u32 };
        self.count += 1;
    }
}
