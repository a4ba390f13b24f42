//! Links in plans: a link is come to within the room that it begins in, and leads on in the room that it ends in.
//!
//! Among doors a link has the number after theirs and that of the goal. Rooms that links begin or end in are not crossed at once, so that nothing is crossed that a
//! link could make shorter.

use navbake_format::{PolyId, Rooms};

use crate::math::{distance, float};
use crate::{Location, Query};

/// A link that may be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomLink {
    pub(super) number: u32,
    /// The polygons that it begins and ends on, and the rooms of these.
    polygons: [PolyId; 2],
    pub(super) rooms: [u32; 2],
    pub(super) from: [i32; 2],
    pub(super) to: [i32; 2],
    /// Grid units.
    pub(super) cost: f64,
}

impl RoomLink {
    /// The link that a number among doors stands for, if it is one and may be taken.
    pub(super) fn at(query: &Query<'_>, rooms: &Rooms<'_>, node: u32) -> Option<RoomLink> {
        let number = node.checked_sub(rooms.door_count().checked_add(1)?)?;
        let link = query.mesh().link(number)?;
        let polygons = [link.polygon, link.beyond];
        query.is_link_open(number, &link).then(|| RoomLink {
            number,
            polygons,
            rooms: polygons.map(|p| rooms.of(p).0),
            from: link.from,
            to: link.to,
            cost: link.cost * query.mesh().grid().units(),
        })
    }

    /// Where it begins.
    pub(super) fn begin(&self, query: &Query<'_>) -> Location {
        query.link_end(self.polygons[0], self.from)
    }

    /// Where it ends.
    pub(super) fn end(&self, query: &Query<'_>) -> Location {
        query.link_end(self.polygons[1], self.to)
    }
}

/// How much paths can save by links that cost less than their length, grid units: no path takes a link twice.
pub(super) fn saved(query: &Query<'_>) -> f64 {
    let units = query.mesh().grid().units();
    let saved = |link: navbake_format::Link<'_>| {
        (distance(float(link.from), float(link.to)) - link.cost * units).max(0.0)
    };
    query.links().map(|(_, link)| saved(link)).sum()
}
