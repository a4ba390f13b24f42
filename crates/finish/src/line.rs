//! The finished path as it grows, each piece walked before it is added.

use navbake_navmesh::math::grid_distance;
use navbake_search::around::PolyPoint;
use navbake_search::parts::{End, holds, same_ground, walk};
use navbake_search::{NavPoint, NavQuery};

use crate::{FinishError, Finished};

/// The finished path as it grows.
pub(crate) struct Line<'a, 'o> {
    pub(crate) query: NavQuery<'a>,
    pub(crate) points: &'o mut [NavPoint],
    pub(crate) used: usize,
}

impl<'a, 'o> Line<'a, 'o> {
    /// In memory that has room for `needed` points.
    pub(crate) fn new(
        query: NavQuery<'a>,
        points: &'o mut [NavPoint],
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
    pub(crate) fn put(&mut self, place: NavPoint) {
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
        let reached = walk_straight(&self.query, last, to).and_then(|end| self.query.place(end));
        if let Some(place) = reached {
            self.put(place);
        }
        reached.is_some()
    }

    /// The last place.
    pub(crate) fn last(&self) -> Option<NavPoint> {
        self.points.get(self.used.checked_sub(1)?).copied()
    }

    /// Takes the line back to its first `used` points, whose last was `last`.
    pub(crate) fn back_to(&mut self, used: usize, last: Option<NavPoint>) {
        self.used = used;
        if let (Some(last), Some(k)) = (last, used.checked_sub(1)) {
            self.points[k] = last;
        }
    }

    /// Does the line end on the ground of a place at the same point, not on another storey?
    pub(crate) fn is_on_ground_of(&self, place: &NavPoint) -> bool {
        self.last().is_some_and(|last| is_same_ground(&self.query, PolyPoint::from(&last), place))
    }

    /// The finished path, with this many curves left out.
    pub(crate) fn finished(self, kept: usize) -> Finished<'o> {
        let points = &self.points[..self.used];
        let sum = |sum, pair: &[NavPoint]| sum + grid_distance(pair[0].point(), pair[1].point());
        Finished {
            points,
            length_xz: points.windows(2).fold(0.0, sum) / self.query.mesh().grid().units(),
            kept,
        }
    }
}

/// Goes straight to a grid point; `None` where that leaves the mesh.
pub(crate) fn walk_straight(
    query: &NavQuery<'_>,
    from: &NavPoint,
    to: [i32; 2],
) -> Option<PolyPoint> {
    match walk(query, from.polygon(), from.point(), to, |_, _| {}) {
        End::Reached(id) if holds(&query.mesh().polygon(id), to) => Some(PolyPoint::new(id, to)),
        _ => None,
    }
}

/// Are two places at the same point on the same ground, not on two storeys?
pub(crate) fn is_same_ground(query: &NavQuery<'_>, a: PolyPoint, b: &NavPoint) -> bool {
    same_ground(query, a.polygon(), b.polygon(), a.point(), |_, _| {})
}
