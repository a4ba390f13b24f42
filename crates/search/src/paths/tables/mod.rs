//! Shortest paths by labels: lines of sight and look-ups, without a search.
//!
//! A shortest path that is not a straight line turns first at a corner that its start sees, and
//! last at a corner that its end sees ([`visible`]). The labels of these two corners, from the
//! blob, give the distance between them ([`merge`]) and the corners in between.
//!
//! Labels are made with everything open; the path itself is checked for blocked edges. A path from
//! labels that nothing blocks is still the shortest.

mod ask;
mod buckets;
mod distances;
#[cfg(feature = "alloc")]
mod goals;
mod hops;
mod hubs;
mod join;
mod label_mesh;
mod listed;
mod memory;
mod merge;
mod over_links;
mod points;
mod row;
mod squares;
mod trace;
mod visible;

use super::nodes::Goal;
use super::optimal::towards;
use crate::NavQuery;
use navbake_navmesh::math::{float, grid_distance, length};

#[cfg(feature = "alloc")]
pub use goals::Goals;
#[cfg(feature = "alloc")]
pub(crate) use memory::TablesVectors;
#[cfg(feature = "alloc")]
pub use memory::windows;
pub(crate) use memory::{Tables, TablesArrays};
pub use visible::{Look, Seen, Window};

use label_mesh::{LabelMesh, Way, fixed};
use listed::Listing;
use merge::{BAND, Near};

/// The work of looking through a portal for corners, and of one that is seen, in entries of labels.
const WINDOW: usize = 15;
const CORNER: usize = 6;

impl Tables<'_> {
    /// The labels of a mesh with its corners, if these slices fit them.
    fn labels<'m>(&self, query: &'m NavQuery<'_>) -> Option<LabelMesh<'m>> {
        let mesh = query.mesh();
        let own = LabelMesh {
            labels: mesh.labels()?,
            corners: mesh.label_corners(),
            polys: mesh.polys(),
        };
        let count = own.labels.corner_count();
        let fits = own.polys.corners == count
            && own.corners.len() == count as usize
            && self.stamps.len() >= count as usize
            && !self.clock.is_empty();
        fits.then_some(own)
    }

    /// The number of the next look around.
    fn stamp(&mut self) -> Option<u32> {
        let clock = self.clock.first_mut()?;
        clock.stamp = match clock.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.stamps.fill(0);
                1
            }
        };
        Some(clock.stamp)
    }

    /// Counts work, in entries of labels.
    fn spend(&mut self, work: usize) {
        if let Some(clock) = self.clock.first_mut() {
            clock.work = clock.work.wrapping_add(work as u32);
        }
    }

    /// The work of all look-ups up to now, in entries of labels. It wraps around.
    pub(super) fn work(&self) -> u32 {
        self.clock.first().map_or(0, |clock| clock.work)
    }

    /// Reads the corners that an end sees from the visibility lists of its polygon.
    /// `None` where there are none.
    fn list(
        &mut self,
        own: &LabelMesh<'_>,
        [here, there]: [&Goal; 2],
        is_start: bool,
        most: Option<u32>,
    ) -> Option<usize> {
        let parts = own.labels.view_parts(here.polygon, here.point)?;
        self.spend(parts.iter().map(|part| part.len()).sum());
        let stamp = self.stamp()?;
        Listing {
            polys: own.polys,
            labels: own.labels,
            corners: own.corners,
            stamps: self.stamps,
            stamp,
            near: if is_start { self.from } else { self.to },
            origin: here.point,
            goal: there.point,
            scale: f64::from(1u32 << own.labels.shift()),
            most: most.map_or(f64::INFINITY, |most| f64::from(most.saturating_add(BAND))),
            count: 0,
            once: false,
            full: false,
        }
        .run(here.polygon)
    }

    /// Looks around from an end for corners that may be on the shortest path.
    fn look(
        &mut self,
        own: &LabelMesh<'_>,
        [here, there]: [&Goal; 2],
        is_start: bool,
        most: Option<u32>,
    ) -> Option<usize> {
        let stamp = self.stamp()?;
        let mut look = Look {
            polys: own.polys,
            corners: own.corners,
            stamps: self.stamps,
            stamp,
            windows: self.windows,
            seen: self.seen,
            origin: here.point,
            goal: most.map(|most| {
                let scale = f64::from(1u32 << own.labels.shift());
                let goal = towards(here.point, there.point);
                (goal, f64::from(most.saturating_add(BAND)) / scale)
            }),
            count: 0,
            open: 0,
            left: 0,
            full: false,
        };
        let room = 64 * own.polys.edges.len() + 4096;
        let count = look.run(here.polygon)?;
        let windows = room - look.left;
        self.spend(WINDOW * windows + CORNER * count);
        let near = if is_start { &mut *self.from } else { &mut *self.to };
        let scale = f64::from(1u32 << own.labels.shift());
        for (slot, seen) in near.get_mut(..count)?.iter_mut().zip(&self.seen[..count]) {
            let [dx, dz] = float(seen.direction);
            let away = length(dx, dz);
            let corner = own.corners.at(seen.corner as usize);
            let ahead = grid_distance(corner.at, there.point);
            *slot = Near {
                corner: seen.corner,
                rank: corner.rank,
                side: seen.side,
                away: fixed(away, scale)?,
                around: ((away + ahead) * scale) as u32,
            };
        }
        Some(count)
    }

    /// All corners that an end sees, for any other end.
    fn sees(&mut self, own: &LabelMesh<'_>, ends: [&Goal; 2], is_start: bool) -> Option<usize> {
        let listed = self.list(own, ends, is_start, None);
        let count = listed.or_else(|| self.look(own, ends, is_start, None))?;
        if is_start {
            // The bound must hold for any goal.
            let near = self.from.get_mut(..count)?;
            near.iter_mut().for_each(|near| near.around = 0);
        }
        Some(count)
    }

    /// The shortest path between two places that do not see each other.
    /// Its corners are in the chain. `None` where labels do not determine it.
    pub(super) fn way(&mut self, query: &NavQuery<'_>, start: &Goal, goal: &Goal) -> Option<Way> {
        let own = &self.labels(query)?;
        if let Some(way) = self.way_by_squares(own, [start, goal]) {
            return Some(way);
        }
        let most = self.bound(own, [start, goal]);
        let mut near = |ends: [&Goal; 2], is_start: bool| {
            let listed = self.list(own, ends, is_start, most);
            listed.or_else(|| self.look(own, ends, is_start, most))
        };
        let from = near([start, goal], true)?;
        let to = near([goal, start], false)?;
        let most = self.some_way(own.labels, [from, to])?;
        self.spread(own.labels, from, most)?;
        self.join(own, [from, to], [start, goal], most)
    }
}
