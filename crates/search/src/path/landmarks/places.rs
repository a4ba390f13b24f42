//! The vertices of a mesh and what they see, for those who make landmarks.

use alloc::vec::Vec;

use navbake_format::PolyId;

use super::super::tables::{CornerLook, Corners};
use crate::Query;
use crate::ray::walk_straight;

/// The vertices of a mesh, each once for every ground around it that hangs together, by the numbers that landmarks know them by: corners that paths turn at
/// come first.
#[derive(Debug)]
pub struct Places {
    at: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    point: [i32; 2],
    polygon: u32,
    /// The ground takes no more than one turn there.
    plain: bool,
}

impl Places {
    /// Finds them.
    pub fn new(corners: &Corners) -> Places {
        let polys = &corners.polys();
        let nowhere = Place {
            point: [0; 2],
            polygon: u32::MAX,
            plain: true,
        };
        let mut at = alloc::vec![nowhere; polys.pivots as usize];
        for polygon in (0..polys.len()).rev() {
            for edge in polys.border(polygon).iter() {
                if let Some(place) = at.get_mut(edge.pivot_number() as usize) {
                    *place = Place {
                        point: edge.at,
                        polygon,
                        plain: !edge.is_wide(),
                    };
                }
            }
        }
        Places { at }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.at.len()
    }

    /// Where one is, grid units.
    pub fn point(&self, number: u32) -> [i32; 2] {
        self.at[number as usize].point
    }

    /// The first polygon that it is a corner of.
    pub fn polygon(&self, number: u32) -> PolyId {
        PolyId(self.at[number as usize].polygon)
    }

    /// Does the ground there take no more than one turn? Then a direction tells where a straight way leads.
    pub fn is_plain(&self, number: u32) -> bool {
        self.at[number as usize].plain
    }

    /// Calls `f` with every corner that is seen from one, so that a shortest path from there may turn at it. False when there was no room for all of them.
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

    /// Is the straight way from one to another free? The first must be plain. `query` is of the mesh that they are of.
    pub fn sees(&self, query: &Query<'_>, corners: &Corners, from: u32, to: u32) -> bool {
        let polys = &corners.polys();
        let [a, b] = [from, to].map(|n| &self.at[n as usize]);
        let start = PolyId(a.polygon);
        let end = walk_straight(query, start, a.point, b.point, |_, _| {});
        let mut border = polys.border(end.map_or(u32::MAX, |end| end.0)).iter();
        border.any(|edge| edge.pivot_number() == to)
    }
}
