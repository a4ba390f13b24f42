//! How long any path between two places is at least, by doors alone.
//!
//! From any place of a door to any of another it is no shorter than the way between their stops less what both stops are from the doors' ends, nor than their
//! lines are apart. The larger the cell that is crossed at once, the less the former takes away. Divides have neither stops nor lines: between them nothing counts.

use navbake_format::exact::orient;
use navbake_format::{RoomDoor, Rooms};

use super::super::scratch::Scratch;
use super::cells::Opened;
use super::memory::DoorOpen;
use super::open::Front;
use crate::flood::nearest_on_segment;
use crate::math::{float, grid_distance, sqrt};
use crate::{Location, Query};

/// What ways may be too long by, as they are kept in 32 bits, and grid points beside a door's line, grid units.
const ROUNDED: (f64, f64) = (1.0 - 1e-6, 4.0);

struct Least<'q> {
    rooms: &'q Rooms<'q>,
    from: [i32; 2],
    to: [i32; 2],
}

/// No path between two places is shorter, grid units, and the number of doors settled; 0 where nothing is known.
pub(super) fn bound(
    query: &Query<'_>,
    rooms: &Rooms<'_>,
    from: &Location,
    to: &Location,
    scratch: &mut Scratch<'_>,
) -> (f64, u32) {
    let units = query.mesh().grid().units();
    let least = Least {
        rooms,
        from: from.point(),
        to: to.point(),
    };
    let [start, end] = [from, to].map(|place| rooms.of(place.polygon()).0);
    let opened = Opened::new(query, rooms, [start, end], scratch);
    let goal = rooms.door_count();
    let mut front = Front::default();
    let offer = |front: &mut Front,
                 parent: u32,
                 cell: u32,
                 door: u32,
                 g: f64,
                 scratch: &mut Scratch<'_>| {
        let f = g + if door == goal {
            0.0
        } else {
            least.away(door, least.to)
        };
        let item = DoorOpen {
            f,
            g,
            door,
            parent,
            cell,
            exact: true,
        };
        front.offer(item, &mut scratch.doors);
    };
    for door in rooms.cell(start).doors() {
        offer(
            &mut front,
            u32::MAX,
            start,
            door,
            least.away(door, least.from),
            scratch,
        );
    }
    if start == end {
        let away = grid_distance(least.from, least.to);
        offer(&mut front, u32::MAX, start, goal, away, scratch);
    }
    while let Some((item, label)) = front.pop(&mut scratch.doors) {
        front.expanded = front.expanded.saturating_add(1);
        if front.full || front.expanded > goal.saturating_add(8).saturating_mul(8) {
            return (0.0, front.expanded);
        }
        if item.door == goal {
            return (item.g * ROUNDED.0, front.expanded);
        }
        let Some(door) = rooms.door(item.door) else {
            continue;
        };
        for room in door.rooms.map(|r| r.0) {
            let cell = opened.largest(rooms, room, scratch);
            if cell == end {
                let g = item.g + least.away(item.door, least.to);
                offer(&mut front, label, cell, goal, g, scratch);
            }
            let own = rooms.cell(cell);
            let Some(here) = own.place(item.door) else {
                continue;
            };
            for (place, to) in (0u32..).zip(own.doors()).filter(|(p, _)| *p != here) {
                let Some(way) = own.way(here, place) else {
                    continue;
                };
                let g = item.g + least.between(&door, item.door, to, f64::from(way) * units);
                offer(&mut front, label, cell, to, g, scratch);
            }
        }
    }
    (0.0, front.expanded)
}

impl Least<'_> {
    /// How far a place is from a door.
    fn away(&self, door: u32, place: [i32; 2]) -> f64 {
        let Some(door) = self.rooms.door(door) else {
            return 0.0;
        };
        let p = float(place);
        if door.is_divide {
            return 0.0;
        }
        let [a, b] = door.ends.map(float);
        (sqrt(nearest_on_segment(a, b, p).1) - ROUNDED.1).max(0.0)
    }

    /// How far it is from one door to another, when it is so far between their stops.
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

/// How far two lines are from each other; 0 where they cross.
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
