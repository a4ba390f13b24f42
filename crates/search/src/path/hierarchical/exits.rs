//! What leads out of the rooms that a search stayed within, and how short a path through there could be.

use navbake_format::{RoomId, Rooms};

use super::super::corridor::through;
use super::super::scratch::Scratch;
use super::cells::is_passable;
use super::links::{RoomLink, saved};
use crate::math::{distance, float, grid_distance};
use crate::{Location, Query};

/// A path may be so many times as long as the shortest.
pub(super) const MOST: f64 = 1.1;

/// More than what rounding adds to a length, as a share.
const ROUNDED: f64 = 1e-12;

/// The search that stayed within the first `rooms` of the scratch, between two places.
pub(super) struct Exits<'q> {
    pub(super) query: &'q Query<'q>,
    pub(super) rooms: &'q Rooms<'q>,
    pub(super) from: [i32; 2],
    pub(super) to: [i32; 2],
    /// What links can save.
    saved: f64,
}

impl<'q> Exits<'q> {
    pub(super) fn new(
        query: &'q Query<'q>,
        rooms: &'q Rooms<'q>,
        from: &Location,
        to: &Location,
    ) -> Exits<'q> {
        Exits {
            query,
            rooms,
            from: from.point(),
            to: to.point(),
            saved: saved(query),
        }
    }

    /// No path through a door is shorter, grid units.
    fn least(&self, door: u32) -> f64 {
        let polys = self.query.mesh().polys();
        let [from, to] = [self.from, self.to].map(float);
        let way = |(p, k): (navbake_format::PolyId, u32)| {
            let ends = polys.ends(p.0, k)?.map(float);
            let at = through(from, ends, to);
            Some(distance(from, at) + distance(at, to))
        };
        let least = self.rooms.portals(door).filter_map(way);
        self.less(least.fold(f64::INFINITY, f64::min))
    }

    /// A length less what links can save.
    fn less(&self, length: f64) -> f64 {
        (length * (1.0 - ROUNDED) - self.saved).max(0.0)
    }

    /// No path over a link is shorter.
    fn least_over(&self, link: &RoomLink) -> f64 {
        let walked = grid_distance(self.from, link.from) + grid_distance(link.to, self.to);
        self.less(walked + link.cost)
    }

    /// The rooms beyond the doors and links of the one at a place of the set, if they are not among the first `count`.
    fn beyond(&self, place: u32, count: u32, scratch: &Scratch<'_>, mut f: impl FnMut(u32, f64)) {
        let Some(room) = scratch.doors.rooms.get(place) else {
            return;
        };
        for door in self.rooms.doors_of(RoomId(room)) {
            let beyond = self.rooms.door(door).and_then(|d| d.beyond(RoomId(room)));
            let Some(beyond) = beyond else {
                continue;
            };
            let inside = scratch.doors.rooms.place(count, beyond.0).is_some();
            if !inside && is_passable(self.query, self.rooms, door) {
                f(beyond.0, self.least(door));
            }
        }
        for node in self.query.mesh().room_links().of_room(room).iter() {
            let Some(link) = RoomLink::at(self.query, self.rooms, node) else {
                continue;
            };
            let beyond = link.rooms[1];
            if scratch.doors.rooms.place(count, beyond).is_none() {
                f(beyond, self.least_over(&link));
            }
        }
    }

    /// No path that leaves the first `count` rooms is shorter, grid units.
    pub(super) fn bound(&self, count: u32, scratch: &Scratch<'_>) -> f64 {
        let mut least = f64::INFINITY;
        for place in 0..count {
            self.beyond(place, count, scratch, |_, way| least = least.min(way));
        }
        least
    }

    /// Could a path be shorter by more than a tenth than one within the first `count` rooms?
    pub(super) fn is_long(&self, count: u32, length: f64, scratch: &Scratch<'_>) -> bool {
        let is_long = |least: f64| length > MOST * least;
        is_long(self.less(grid_distance(self.from, self.to))) && is_long(self.bound(count, scratch))
    }

    /// Adds all rooms that paths shorter than a length could lead through; gives how many there are then.
    pub(super) fn grow(&self, mut count: u32, most: f64, scratch: &mut Scratch<'_>) -> u32 {
        let mut place = 0;
        while place < count {
            // One at a time, as adding rooms and looking at them do not go together.
            let mut next = None;
            self.beyond(place, count, scratch, |room, way| {
                if way < most && next.is_none() {
                    next = Some(room);
                }
            });
            match next {
                Some(room) => {
                    let grown = scratch.doors.rooms.insert(count, room);
                    if grown == count {
                        return count;
                    }
                    count = grown;
                }
                None => place += 1,
            }
        }
        count
    }
}
