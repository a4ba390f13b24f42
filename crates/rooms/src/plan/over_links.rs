//! Links in a plan: how they are offered, and their successors.

use super::Planner;
use crate::links::RoomLink;
use crate::memory::Lists;
use crate::open::Offer;
use navbake_navmesh::math::grid_distance;

impl Planner<'_> {
    pub(super) fn link(&self, node: u32) -> Option<RoomLink> {
        RoomLink::at(self.query, self.rooms, node)
    }

    /// Offers the links that begin in a room, from a place in it on.
    /// `way` gives a link's stored distance, m, where it was measured.
    #[cold]
    pub(super) fn offer_links(
        &mut self,
        (parent, room): (u32, u32),
        from: [i32; 2],
        way: impl Fn(&RoomLink, &Lists<'_>) -> Option<f64>,
        scratch: &mut Lists<'_>,
    ) {
        for node in self.query.mesh().room_links().of_room(room).iter() {
            if let Some(link) = self.link(node) {
                let straight = grid_distance(from, link.from);
                let way = way(&link, scratch);
                let (length, exact) = self.link_length(room, way, straight, scratch);
                self.offer(parent, room, node, length + link.cost, exact, scratch);
            }
        }
    }

    /// Lower bound on a stretch over a room, grid units, and whether it is exact.
    /// A stored distance, m, is exact where nothing is blocked.
    fn link_length(
        &self,
        room: u32,
        way: Option<f64>,
        straight: f64,
        scratch: &Lists<'_>,
    ) -> (f64, bool) {
        match way.map(|way| way * self.units) {
            Some(way) if self.opened.is_dirty(room, scratch) => (way.max(straight), false),
            Some(way) => (way, true),
            None => (straight, false),
        }
    }

    /// Offers the successors of a link.
    #[cold]
    pub(super) fn expand_link(
        &mut self,
        item: &Offer,
        link: &RoomLink,
        label: u32,
        scratch: &mut Lists<'_>,
    ) {
        let room = link.rooms[1];
        if room == self.ends[1] {
            let away = grid_distance(link.to, self.to.point());
            self.offer(label, room, self.goal(), away, false, scratch);
        }
        let rooms = self.rooms;
        for (place, door) in (0u32..).zip(rooms.cell(room).doors()) {
            let way = link.before_door(rooms, self.query.mesh().room_links(), place);
            let (length, exact) =
                self.link_length(room, way, self.straight(item.door, door), scratch);
            self.offer(label, room, door, length, exact, scratch);
        }
        let way = |next: &RoomLink, _: &Lists<'_>| {
            link.before_link(rooms, self.query.mesh().room_links(), next.number)
        };
        self.offer_links((label, room), link.to, way, scratch);
    }

    /// Offers the links that begin in a room, from one of its doors on.
    #[cold]
    pub(super) fn offer_links_of_door(
        &mut self,
        from: (u32, u32),
        door: u32,
        scratch: &mut Lists<'_>,
    ) {
        let rooms = self.rooms;
        if self.query.mesh().room_links().of_room(from.1).is_empty() {
            return;
        }
        let place = rooms.cell(from.1).place(door);
        let way = |link: &RoomLink, _: &Lists<'_>| {
            link.behind_door(rooms, self.query.mesh().room_links(), place?)
        };
        self.offer_links(from, self.point(door), way, scratch);
    }
}
