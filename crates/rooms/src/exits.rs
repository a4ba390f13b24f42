//! The exits of the rooms that a search stayed within, with lower bounds.
//! A bound holds for all paths through an exit.

use navbake_format::{RoomId, Rooms};

use crate::cells::{each_portal, is_passable};
use crate::links::{RoomLink, saved};
use crate::memory::Lists;
use navbake_navmesh::math::{distance, float, grid_distance};
use navbake_search::parts::through;
use navbake_search::{NavPoint, NavQuery};

/// The factor by which a path may be longer than the shortest.
pub(super) const MOST: f64 = 1.1;

/// Upper limit of what rounding adds to a length, as a share.
const ROUNDED: f64 = 1e-12;

/// The ends of a search that stayed within the first rooms of the scratch.
pub(super) struct Exits<'q> {
    pub(super) query: &'q NavQuery<'q>,
    pub(super) rooms: &'q Rooms<'q>,
    pub(super) from: [i32; 2],
    pub(super) to: [i32; 2],
    /// The length that links can save.
    saved: f64,
}

impl<'q> Exits<'q> {
    pub(super) fn new(
        query: &'q NavQuery<'q>,
        rooms: &'q Rooms<'q>,
        from: &NavPoint,
        to: &NavPoint,
    ) -> Exits<'q> {
        Exits { query, rooms, from: from.point(), to: to.point(), saved: saved(query) }
    }

    /// Lower bound on paths through a door, grid units.
    fn least(&self, door: u32) -> f64 {
        let polys = self.query.mesh().polys();
        let [from, to] = [self.from, self.to].map(float);
        let mut least = f64::INFINITY;
        each_portal(self.query, self.rooms, door, |(polygon, k), _| {
            if let Some(ends) = polys.ends(polygon, k) {
                let at = through(from, ends.map(float), to);
                least = least.min(distance(from, at) + distance(at, to));
            }
        });
        self.less(least)
    }

    /// A length minus what links can save.
    fn less(&self, length: f64) -> f64 {
        (length * (1.0 - ROUNDED) - self.saved).max(0.0)
    }

    /// Lower bound on paths over a link, grid units.
    fn least_over(&self, link: &RoomLink) -> f64 {
        let walked = grid_distance(self.from, link.from) + grid_distance(link.to, self.to);
        self.less(walked + link.cost)
    }

    /// Calls `f` for the rooms beyond the exits of a room of the set.
    /// `place` is the room's index. Exits are doors and links; rooms among the first `count` are
    /// skipped. `f` also gets a lower bound on paths over the exit.
    fn beyond(&self, place: u32, count: u32, scratch: &Lists<'_>, mut f: impl FnMut(u32, f64)) {
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

    /// Lower bound on paths that leave the first `count` rooms, grid units.
    pub(super) fn bound(&self, count: u32, scratch: &Lists<'_>) -> f64 {
        let mut least = f64::INFINITY;
        for place in 0..count {
            self.beyond(place, count, scratch, |_, way| least = least.min(way));
        }
        least
    }

    /// Could a path be shorter by more than a tenth than the present one?
    /// The present one stays within the first `count` rooms.
    pub(super) fn is_long(&self, count: u32, length: f64, scratch: &Lists<'_>) -> bool {
        let is_long = |least: f64| length > MOST * least;
        is_long(self.less(grid_distance(self.from, self.to))) && is_long(self.bound(count, scratch))
    }

    /// Adds all rooms that paths shorter than a length could lead through.
    /// Returns the new number of rooms.
    pub(super) fn grow(&self, mut count: u32, most: f64, scratch: &mut Lists<'_>) -> u32 {
        let mut place = 0;
        while place < count {
            // One at a time, as the set cannot grow while it is read.
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
