//! The finished path as it grows, each piece walked before it is added.

use navbake_navmesh::math::grid_distance;
use navbake_search::{Location, Query};

use crate::{FinishError, Finished};

/// The finished path as it grows.
pub(crate) struct Line<'a, 'o> {
    pub(crate) query: Query<'a>,
    pub(crate) points: &'o mut [Location],
    pub(crate) used: usize,
}

impl<'a, 'o> Line<'a, 'o> {
    /// In memory that has room for `needed` points.
    pub(crate) fn new(
        query: Query<'a>,
        points: &'o mut [Location],
        needed: usize,
    ) -> Result<Line<'a, 'o>, FinishError> {
        if points.len() < needed {
            return Err(FinishError::NoRoom { needed });
        }
        Ok(Line { query, points, used: 0 })
    }

    /// Adds a place that is known to be in sight.
    ///
    /// Two equal points in a row are one, unless they are the whole path.
    pub(crate) fn put(&mut self, place: Location) {
        if self.used > 1 && self.points[self.used - 1].point() == place.point() {
            self.used -= 1;
        }
        if let Some(slot) = self.points.get_mut(self.used) {
            *slot = place;
            self.used += 1;
        }
    }

    /// Walks straight on to a point, and adds it when that is possible.
    pub(crate) fn walk(&mut self, to: [i32; 2]) -> bool {
        let Some(last) = self.used.checked_sub(1).and_then(|k| self.points.get(k)) else {
            return false;
        };
        if last.point() == to {
            return true;
        }
        let reached = self.query.walk_straight(last, to).and_then(|end| self.query.place(end));
        if let Some(place) = reached {
            self.put(place);
        }
        reached.is_some()
    }

    /// The last place.
    pub(crate) fn last(&self) -> Option<Location> {
        self.points.get(self.used.checked_sub(1)?).copied()
    }

    /// Takes the line back to its first `used` points, whose last was `last`.
    pub(crate) fn back_to(&mut self, used: usize, last: Option<Location>) {
        self.used = used;
        if let (Some(last), Some(k)) = (last, used.checked_sub(1)) {
            self.points[k] = last;
        }
    }

    /// Does the line end on the ground of a place at the same point, not on another storey?
    pub(crate) fn is_on_ground_of(&self, place: &Location) -> bool {
        self.last().is_some_and(|last| self.query.is_same_ground(&last, place))
    }

    /// The finished path, with this many curves left out.
    pub(crate) fn finished(self, kept: usize) -> Finished<'o> {
        let points = &self.points[..self.used];
        let sum = |sum, pair: &[Location]| sum + grid_distance(pair[0].point(), pair[1].point());
        Finished {
            points,
            length_xz: points.windows(2).fold(0.0, sum) / self.query.mesh().grid().units(),
            kept,
        }
    }
}
