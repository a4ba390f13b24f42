//! The vertices of a mesh and what they see, to compute landmarks.

use navbake_search::parts::walk_straight;
use navbake_search::{NavQuery, PolyId};

use crate::corners::{CornerLook, Corners};

/// The vertices of a mesh, once for each connected ground around them.
/// They have the numbers that landmarks use: corners where paths turn come first.
#[derive(Debug)]
pub struct Places {
    at: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    point: [i32; 2],
    polygon: u32,
    /// The ground takes at most one turn there.
    plain: bool,
}

impl Places {
    /// Collects the vertices of a mesh.
    pub fn new(corners: &Corners) -> Places {
        let polys = &corners.polys();
        let nowhere = Place { point: [0; 2], polygon: u32::MAX, plain: true };
        let mut at = vec![nowhere; polys.pivots as usize];
        for polygon in (0..polys.len()).rev() {
            for edge in polys.border(polygon).iter() {
                if let Some(place) = at.get_mut(edge.pivot_number() as usize) {
                    *place = Place { point: edge.at, polygon, plain: !edge.is_wide() };
                }
            }
        }
        Places { at }
    }

    /// The number of places.
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// The position of a place, grid units.
    pub fn point(&self, number: u32) -> [i32; 2] {
        self.at[number as usize].point
    }

    /// The first polygon that has the place as a corner.
    pub fn polygon(&self, number: u32) -> PolyId {
        PolyId(self.at[number as usize].polygon)
    }

    /// Does the ground there take at most one turn?
    /// If so, a direction determines where a straight line leads.
    pub fn is_plain(&self, number: u32) -> bool {
        self.at[number as usize].plain
    }

    /// Calls `f` with every corner seen from a place where a shortest path may turn.
    /// Returns false when there was no room for all of them.
    pub fn corners_seen(
        &self,
        number: u32,
        corners: &Corners,
        look: &mut CornerLook,
        f: impl FnMut(u32),
    ) -> bool {
        let place = &self.at[number as usize];
        corners.seen_from(place.polygon, place.point, look, f)
    }

    /// Is the straight line from one place to another free?
    /// The first must be plain. `query` must be of the same mesh.
    pub fn sees(&self, query: &NavQuery<'_>, corners: &Corners, from: u32, to: u32) -> bool {
        let polys = &corners.polys();
        let [a, b] = [from, to].map(|n| &self.at[n as usize]);
        let start = PolyId(a.polygon);
        let end = walk_straight(query, start, a.point, b.point, |_, _| {});
        let mut border = polys.border(end.map_or(u32::MAX, |end| end.0)).iter();
        border.any(|edge| edge.pivot_number() == to)
    }
}
