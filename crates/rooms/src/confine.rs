//! The ground that a search stays within: some rooms, and what is between its ends.

use navbake_format::{PolyId, RoomId, Rooms};
use navbake_navmesh::{HalfEdge, PolyMesh};

use super::super::optimal::{along, towards, turn};
use super::memory::{Doors, Set};
use crate::NavQuery;
use crate::closings::Closings;

/// Rooms that a search stays within, and biconnected components.
/// The components are those between the ends of the search.
#[derive(Clone, Copy)]
pub(in super::super) struct Within<'a> {
    pub(super) rooms: Option<&'a Rooms<'a>>,
    pub(super) own: &'a Set<'a>,
    pub(super) count: u32,
    pub(super) between: &'a Set<'a>,
    pub(super) blocks: u32,
}

impl Within<'_> {
    /// Can a path between the ends lead through a biconnected component at all?
    #[inline]
    pub(in super::super) fn is_between(&self, block: u32) -> bool {
        self.between.place(self.blocks, block).is_some()
    }

    /// Is a polygon in one of the rooms?
    #[inline]
    pub(in super::super) fn hold(&self, polygon: u32) -> bool {
        self.rooms.is_some_and(|rooms| self.has(rooms.of(PolyId(polygon))))
    }

    /// Can a path turn at a corner because ground around it is in other rooms?
    /// The corner is where `edge` begins. This happens where three rooms meet in the middle of open
    /// ground:
    ///
    /// ```text
    ///    own a  |  other
    ///           o--------     o: the corner
    ///    own a  |  own b
    /// ```
    ///
    /// Goes around the corner, clockwise to where the rooms begin, then counter-clockwise to where
    /// they end. Tests whether that takes more than half a turn.
    #[cold]
    pub(in super::super) fn turn(
        &self,
        polys: &PolyMesh<'_>,
        closings: &Closings<'_>,
        edge: &HalfEdge,
    ) -> bool {
        let number = edge.number();
        let Some(([polygon, _], k)) = polys.sides(number).zip(polys.place(number)) else {
            return false;
        };
        let across = |edge: HalfEdge| {
            let beyond = closings.beyond(&edge)?;
            self.hold(beyond).then_some((beyond, edge.twin))
        };
        let start = (polygon, k);
        let mut begin = start;
        for _ in 0..polys.edges.len() {
            let Some((beyond, twin)) = polys.edge(begin).and_then(across) else {
                break;
            };
            let count = polys.border(beyond).len() as u32;
            begin = (beyond, if twin + 1 < count { twin + 1 } else { 0 });
            if begin == start {
                // All ground around it is in these rooms.
                return false;
            }
        }
        let Some(first) = polys.ends(begin.0, begin.1).map(|[left, right]| towards(right, left))
        else {
            return false;
        };
        let (mut at, mut half) = (begin, false);
        for _ in 0..polys.edges.len() {
            let count = polys.border(at.0).len() as u32;
            let back = (at.0, if at.1 == 0 { count.saturating_sub(1) } else { at.1 - 1 });
            let Some(end) = polys.edge(back) else {
                return false;
            };
            let d = towards(edge.at, end.at);
            let side = turn(first, d);
            if half || side < 0 {
                return true;
            }
            half = side == 0 && along(first, d) < 0;
            match across(end) {
                Some(next) if next != begin => at = next,
                _ => return false,
            }
        }
        false
    }
}

impl<'a> Doors<'a> {
    /// The first `count` rooms of the set, to stay within.
    pub(in super::super) fn within<'s>(
        &'s self,
        query: &'s NavQuery<'_>,
        count: u32,
        blocks: u32,
    ) -> Within<'s> {
        Within {
            rooms: query.mesh().rooms(),
            own: &self.rooms,
            count,
            between: &self.blocks,
            blocks,
        }
    }
}

impl Within<'_> {
    /// Is a room in the set?
    #[inline]
    pub(super) fn has(&self, room: RoomId) -> bool {
        self.own.place(self.count, room.0).is_some()
    }
}
