//! Links in plans.
//!
//! A path reaches a link within the room where it begins, and continues in the room where it ends.
//! Links are numbered after the doors and the goal.
//!
//! Rooms where links begin or end are not crossed in one step, so that no crossing ignores a
//! shortcut link.

use navbake_format::{PolyId, RoomId, RoomLinks, Rooms};

use navbake_navmesh::math::{distance, float};
use navbake_search::{NavPoint, NavQuery};

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
    /// The link that a node number means, if it is one and may be taken.
    pub(super) fn at(query: &NavQuery<'_>, rooms: &Rooms<'_>, node: u32) -> Option<RoomLink> {
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

    /// The distance of its start from a door of its room, m.
    /// `place` is the door's index in the room's list. `None` where the distance was not measured.
    pub(super) fn behind_door(
        &self,
        rooms: &Rooms<'_>,
        links: &RoomLinks<'_>,
        place: u32,
    ) -> Option<f64> {
        self.way(rooms, links, place as usize)
    }

    /// The distance of its end from a door of the room there, m.
    pub(super) fn before_door(
        &self,
        rooms: &Rooms<'_>,
        links: &RoomLinks<'_>,
        place: u32,
    ) -> Option<f64> {
        let before = rooms.doors_of(RoomId(self.rooms[0])).len();
        self.way(rooms, links, before + place as usize)
    }

    /// The distance of its end from the start of a link there, m.
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

    /// The place where it begins.
    pub(super) fn begin(&self, query: &NavQuery<'_>) -> NavPoint {
        query.link_end(self.polygons[0], self.from)
    }

    /// The place where it ends.
    pub(super) fn end(&self, query: &NavQuery<'_>) -> NavPoint {
        query.link_end(self.polygons[1], self.to)
    }
}

/// The most that paths can save by links that cost less than their length.
/// In grid units. No path takes a link twice.
pub(super) fn saved(query: &NavQuery<'_>) -> f64 {
    let units = query.mesh().grid().units();
    let saved = |link: navbake_format::Link<'_>| {
        (distance(float(link.from), float(link.to)) - link.cost * units).max(0.0)
    };
    query.links().map(|(_, link)| saved(link)).sum()
}
