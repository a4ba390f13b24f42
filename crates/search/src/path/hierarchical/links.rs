//! Links in plans: a link is come to within the room that it begins in, and leads on in the room that it ends in.
//!
//! Among doors a link has the number after theirs and that of the goal. Rooms that links begin or end in are not crossed at once, so that nothing is crossed that a
//! link could make shorter.

use navbake_format::{PolyId, RoomId, RoomLinks, Rooms};

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

    /// How far it begins from a door of its room, told by its place in the room's list, m; nothing where that was not measured.
    pub(super) fn behind_door(
        &self,
        rooms: &Rooms<'_>,
        links: &RoomLinks<'_>,
        place: u32,
    ) -> Option<f64> {
        self.way(rooms, links, place as usize)
    }

    /// How far its end is from a door of the room there.
    pub(super) fn before_door(
        &self,
        rooms: &Rooms<'_>,
        links: &RoomLinks<'_>,
        place: u32,
    ) -> Option<f64> {
        let before = rooms.doors_of(RoomId(self.rooms[0])).len();
        self.way(rooms, links, before + place as usize)
    }

    /// How far its end is from the begin of a link there.
    pub(super) fn before_link(
        &self,
        rooms: &Rooms<'_>,
        links: &RoomLinks<'_>,
        next: u32,
    ) -> Option<f64> {
        let [before, after] = self.rooms.map(|room| rooms.doors_of(RoomId(room)).len());
        let [place, _] = links.distances(next)?;
        self.way(rooms, links, before + after + place as usize)
    }

    fn way(&self, rooms: &Rooms<'_>, links: &RoomLinks<'_>, place: usize) -> Option<f64> {
        let [_, begin] = links.distances(self.number)?;
        rooms.link_way(begin as usize + place).map(f64::from)
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
