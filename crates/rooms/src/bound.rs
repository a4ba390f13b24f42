//! A lower bound on the paths between two places, from doors alone.
//!
//! From any place on one door to any place on another, two bounds hold:
//! - the distance between their door anchors, minus the distances of the anchors from the farther
//!   ends of their doors;
//! - the distance between the lines of the doors.
//!
//! ```text
//!      |                  |
//!      |  distance        |
//!      a..................b      a, b: anchors
//!      |                  |
//!    door               door
//! ```
//!
//! The larger the cell crossed in one step, the less the former loses. Divides have neither anchors
//! nor lines: the bound between them is 0.

use navbake_format::exact::orient;
use navbake_format::{RoomDoor, Rooms};

use crate::cells::Opened;
use crate::links::{RoomLink, saved};
use crate::memory::Lists;
use crate::open::{Front, Offer};
use navbake_navmesh::math::{float, grid_distance, sqrt};
use navbake_search::parts::nearest_on_segment;
use navbake_search::{NavPoint, NavQuery};

/// Tolerances for stored distances and for door lines.
/// The factor makes up for the rounding of distances to 32 bits. The second value, grid units,
/// makes up for grid points beside a door's line.
const ROUNDED: (f64, f64) = (1.0 - 1e-6, 4.0);

struct Least<'q> {
    query: &'q NavQuery<'q>,
    rooms: &'q Rooms<'q>,
    from: [i32; 2],
    to: [i32; 2],
    /// The length that links can save.
    saved: f64,
    front: Front,
}

/// Lower bound on the paths between two places, grid units.
/// Also returns the number of doors settled. The bound is 0 where nothing is known.
pub(super) fn bound(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    from: &NavPoint,
    to: &NavPoint,
    scratch: &mut Lists<'_>,
) -> (f64, u32) {
    let mut least = Least {
        query,
        rooms,
        from: from.point(),
        to: to.point(),
        saved: saved(query),
        front: Front::default(),
    };
    let ends = [from, to].map(|place| rooms.of(place.polygon()).0);
    let opened = Opened::new(query, rooms, ends, scratch);
    least.begin(ends, scratch);
    let goal = rooms.door_count();
    let nodes = goal.saturating_add(query.mesh().link_count());
    while let Some((item, label)) = least.front.pop(&mut scratch.doors) {
        let front = &mut least.front;
        front.expanded = front.expanded.saturating_add(1);
        if front.full || front.expanded > nodes.saturating_add(8).saturating_mul(8) {
            return (0.0, front.expanded);
        }
        if item.door == goal {
            return (item.g * ROUNDED.0, front.expanded);
        }
        least.expand(&item, label, ends[1], &opened, scratch);
    }
    (0.0, least.front.expanded)
}

impl Least<'_> {
    /// Offers the doors and links of the start's room.
    fn begin(&mut self, [start, end]: [u32; 2], scratch: &mut Lists<'_>) {
        let (rooms, from) = (self.rooms, self.from);
        for door in rooms.cell(start).doors() {
            let away = self.away(door, from);
            self.offer((u32::MAX, start), door, away, scratch);
        }
        self.offer_links((u32::MAX, start), 0.0, |link| grid_distance(from, link.from), scratch);
        if start == end {
            let away = grid_distance(from, self.to);
            self.offer((u32::MAX, start), rooms.door_count(), away, scratch);
        }
    }

    /// Offers the successors of a door or a link.
    fn expand(
        &mut self,
        item: &Offer,
        label: u32,
        end: u32,
        opened: &Opened,
        scratch: &mut Lists<'_>,
    ) {
        let (rooms, goal) = (self.rooms, self.rooms.door_count());
        let Some(door) = rooms.door(item.door) else {
            if let Some(link) = RoomLink::at(self.query, rooms, item.door) {
                self.expand_link(item.g, &link, (label, link.rooms[1]), end, scratch);
            }
            return;
        };
        for room in door.rooms.map(|r| r.0) {
            let cell = opened.largest(rooms, room, scratch);
            let from = (label, cell);
            if cell == end {
                let g = item.g + self.away(item.door, self.to);
                self.offer(from, goal, g, scratch);
            }
            let (rooms, number) = (self.rooms, item.door);
            let away = |link: &RoomLink| away(rooms, number, link.from);
            self.offer_links(from, item.g, away, scratch);
            let own = rooms.cell(cell);
            let Some(here) = own.place(item.door) else {
                continue;
            };
            for (to, way) in own.ways_from(here) {
                // It is no nearer than this door.
                if (self.front.wanted(to, item.g, true, &scratch.doors)).is_none() {
                    continue;
                }
                let way = f64::from(way) * self.query.mesh().grid().units();
                let g = item.g + self.between(&door, item.door, to, way);
                self.offer(from, to, g, scratch);
            }
        }
    }

    /// Offers the successors of a link.
    fn expand_link(
        &mut self,
        g: f64,
        link: &RoomLink,
        from: (u32, u32),
        end: u32,
        scratch: &mut Lists<'_>,
    ) {
        let rooms = self.rooms;
        if from.1 == end {
            let g = g + grid_distance(link.to, self.to);
            self.offer(from, rooms.door_count(), g, scratch);
        }
        for door in rooms.cell(from.1).doors() {
            self.offer(from, door, g + self.away(door, link.to), scratch);
        }
        self.offer_links(from, g, |next| grid_distance(link.to, next.from), scratch);
    }

    /// Offers the links that begin in a room; `away` gives their distances.
    fn offer_links(
        &mut self,
        from: (u32, u32),
        g: f64,
        away: impl Fn(&RoomLink) -> f64,
        scratch: &mut Lists<'_>,
    ) {
        for node in self.query.mesh().room_links().of_room(from.1).iter() {
            if let Some(link) = RoomLink::at(self.query, self.rooms, node) {
                self.offer(from, node, g + away(&link) + link.cost, scratch);
            }
        }
    }

    /// Offers a door, a link or the goal, from a label over a cell.
    /// `g` is its distance from the start.
    fn offer(&mut self, (parent, cell): (u32, u32), node: u32, g: f64, scratch: &mut Lists<'_>) {
        let ahead = match RoomLink::at(self.query, self.rooms, node) {
            Some(link) => grid_distance(link.to, self.to),
            None => self.away(node, self.to),
        };
        let item = Offer {
            f: g + (ahead - self.saved).max(0.0),
            g,
            door: node,
            parent,
            cell,
            exact: true,
        };
        self.front.offer(item, &mut scratch.doors);
    }

    /// Lower bound on the distance of a place from a door.
    fn away(&self, door: u32, place: [i32; 2]) -> f64 {
        away(self.rooms, door, place)
    }

    /// Lower bound between two doors, given the distance of their anchors.
    fn between(&self, door: &RoomDoor<'_>, number: u32, to: u32, way: f64) -> f64 {
        let Some(other) = self.rooms.door(to) else {
            return 0.0;
        };
        if door.is_divide || other.is_divide {
            return 0.0;
        }
        let stop = |door: &RoomDoor<'_>, number: u32| {
            self.rooms.stop(number).map_or(door.ends[0], |s| s.1)
        };
        let (here, there) = (stop(door, number), stop(&other, to));
        let reach = |door: &RoomDoor<'_>, stop: [i32; 2]| {
            let away = |end: [i32; 2]| grid_distance(stop, end);
            away(door.ends[0]).max(away(door.ends[1])) + ROUNDED.1
        };
        let least = (way - reach(door, here) - reach(&other, there)).max(0.0);
        // Wide doors: they are no nearer than their lines are.
        match least < grid_distance(here, there) {
            true => least.max(apart(door.ends, other.ends) - 2.0 * ROUNDED.1),
            false => least,
        }
    }
}

/// The distance between two segments; 0 where they cross.
fn apart(a: [[i32; 2]; 2], b: [[i32; 2]; 2]) -> f64 {
    let parts = |[p, q]: [[i32; 2]; 2], ends: [[i32; 2]; 2]| {
        let [r, s] = ends.map(|end| orient(p, q, end).signum());
        r * s < 0
    };
    if parts(a, b) && parts(b, a) {
        return 0.0;
    }
    let near = |line: [[i32; 2]; 2], ends: [[i32; 2]; 2]| {
        let [p, q] = line.map(float);
        let [r, s] = ends.map(|end| nearest_on_segment(p, q, float(end)).1);
        r.min(s)
    };
    sqrt(near(a, b).min(near(b, a)))
}

/// Lower bound on the distance of a place from a door; 0 for anything else.
fn away(rooms: &Rooms<'_>, door: u32, place: [i32; 2]) -> f64 {
    let Some(door) = rooms.door(door).filter(|door| !door.is_divide) else {
        return 0.0;
    };
    let [a, b] = door.ends.map(float);
    (sqrt(nearest_on_segment(a, b, float(place)).1) - ROUNDED.1).max(0.0)
}
