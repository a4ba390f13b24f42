//! The place where a path crosses a door ahead.
//!
//! It is not the door's middle, but the place with the shortest path to what comes after the door.

use navbake_format::{PolyId, Rooms};

use crate::cells::each_portal;
use navbake_navmesh::math::{distance, float, round};
use navbake_search::around::PolyPoint;
use navbake_search::parts::{beside, nearest_on_segment, through};
use navbake_search::{NavPoint, NavQuery};

/// The number of doors to look ahead.
pub(super) const AHEAD: usize = 4;

/// The number of sweeps that pull a thread tight, one door at a time.
const SWEEPS: usize = 4;

/// A tight thread from one place through doors to another.
/// It ignores walls: it says where to search, not where to move.
pub(super) struct Thread {
    /// The point where it crosses each door.
    at: [[f64; 2]; AHEAD],
    count: usize,
    /// Length of the initial line over door anchors, grid units.
    loose: f64,
    /// The length saved by pulling the thread tight, grid units.
    saved: f64,
}

impl Thread {
    /// The thread through the first [`AHEAD`] doors of a list.
    pub(super) fn new(
        rooms: &Rooms<'_>,
        from: [i32; 2],
        doors: &[u32],
        to: [i32; 2],
    ) -> Option<Thread> {
        let mut at = [[0.0; 2]; AHEAD];
        let mut ends = [[[0.0; 2]; 2]; AHEAD];
        let doors = doors.get(..doors.len().min(AHEAD))?;
        for ((at, ends), &door) in at.iter_mut().zip(&mut ends).zip(doors) {
            *at = float(rooms.stop(door)?.1);
            *ends = rooms.door(door)?.ends.map(float);
        }
        let mut thread = Thread { at, count: doors.len(), saved: 0.0, loose: 0.0 };
        let [from, to] = [from, to].map(float);
        let loose = thread.length(from, to);
        for _ in 0..SWEEPS {
            if !thread.sweep(from, &ends, to) {
                break;
            }
        }
        thread.loose = loose;
        thread.saved = loose - thread.length(from, to);
        Some(thread)
    }

    /// Pulls the thread tight at each door once. Returns false when it was tight.
    fn sweep(&mut self, from: [f64; 2], ends: &[[[f64; 2]; 2]; AHEAD], to: [f64; 2]) -> bool {
        let mut before = from;
        let mut has_moved = false;
        for (k, &ends) in ends.iter().enumerate().take(self.count) {
            let after = if k + 1 < self.count { self.at[k + 1] } else { to };
            before = through(before, ends, after);
            has_moved |= before != self.at[k];
            self.at[k] = before;
        }
        has_moved
    }

    fn length(&self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let (mut before, mut length) = (from, 0.0);
        for &at in self.at.iter().take(self.count).chain([&to]) {
            length += distance(before, at);
            before = at;
        }
        length
    }

    /// The estimated length of a path over door anchors when pulled tight.
    /// Walls reduce what that saves.
    pub(super) fn tight(&self, way: f64) -> f64 {
        way - (self.saved - (way - self.loose).max(0.0)).max(0.0)
    }

    /// The point where it crosses one of the doors.
    pub(super) fn crossing(&self, number: usize) -> Option<[f64; 2]> {
        self.at.get(number).copied().filter(|_| number < self.count)
    }
}

/// The place on a door that is nearest to a point, rounded to the grid.
/// With `room`, it is beyond the door as seen from that room.
pub(super) fn on_door(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    door: u32,
    point: [f64; 2],
    room: Option<u32>,
) -> Option<NavPoint> {
    let polys = query.mesh().polys();
    let mut nearest: Option<(f64, (u32, u32), [f64; 2])> = None;
    each_portal(query, rooms, door, |side, beyond| {
        let Some([a, b]) = polys.ends(side.0, side.1) else {
            return;
        };
        let (at, away) = nearest_on_segment(float(a), float(b), point);
        if nearest.is_none_or(|(least, ..)| away < least) {
            let is_behind = room.is_some_and(|room| rooms.of(PolyId(side.0)).0 != room);
            nearest = Some((away, if is_behind { beyond } else { side }, at));
        }
    });
    let (_, (polygon, edge), at) = nearest?;
    on_portal(query, PolyId(polygon), edge, at)
}

/// The anchor of a door: where distances between doors begin.
/// Where an obstacle takes it, the place of the door nearest to it; `None` where obstacles take
/// the whole door.
pub(super) fn anchor(query: &NavQuery<'_>, rooms: &Rooms<'_>, door: u32) -> Option<NavPoint> {
    let (polygon, point) = rooms.stop(door)?;
    if !query.mesh().polys().is_gone(polygon.0) {
        return Some(query.location(polygon, point, 0.0));
    }
    let there = query.place(PolyPoint::new(polygon, point));
    there.or_else(|| on_door(query, rooms, door, float(point), None))
}

/// The place on a portal at a point of it, rounded to the grid.
/// It is on the polygon beyond the portal. If that does not hold the grid point, it is at a
/// grid point beside it that the polygon holds.
pub(super) fn on_portal(
    query: &NavQuery<'_>,
    polygon: PolyId,
    edge: u32,
    point: [f64; 2],
) -> Option<NavPoint> {
    let polys = query.mesh().polys();
    let beyond = PolyId(polys.border(polygon.0).get(edge as usize)?.neighbour);
    let nearest = point.map(round);
    query.on_polygon_grid(beyond, nearest).or_else(|| {
        let beside = beside(&query.mesh().polygon(beyond), point, nearest);
        query.on_polygon_grid(beyond, beside)
    })
}
