//! The first leg of a path follower, which has to be there at once.
//!
//! It leads to the first door of a rough plan. In that plan the straight line gives the distances
//! to the doors of the start's room, until a search to one of them gives more. So one room is
//! searched, or none if the door is in sight. A repeated plan measures the last stretch as well, as
//! it compares routes to the goal over other doors.
//!
//! The goal may be in the same room or the next one, or one room farther where the plan may be too
//! long. Then the first leg is the whole path: the shortest overall, as that takes less work than
//! rooms do.

use navbake_format::Rooms;

use crate::aim::AHEAD;
use crate::bound::bound;
use crate::exits::MOST;
use crate::leg::{Stretch, lead, to_goal};
use crate::memory::{Hop, Lists};
use crate::plan::{MARKS, Marks};
use crate::walk::Walk;
use crate::within::{self, Found};
use navbake_navmesh::math::grid_distance;
use navbake_search::{NavPoint, NavQuery};

/// Excess over the straight line that the first leg of a rough plan may have.
/// A share of the whole path.
const LITTLE: f64 = 0.03;

/// Limit of cones opened for the shortest overall path to a near goal.
const NEAR: u32 = 1000;

/// Share of the path to a near goal from which doors count as wide.
/// It applies to the sum of the doors' widths.
const WIDE: f64 = 0.1;

/// Limit for a path of [`AHEAD`] abstract edges.
/// A factor of the known lower bound. A longer path is searched as a whole.
const MOST_AHEAD: f64 = 1.15;

/// The path to the first door.
enum First {
    Straight(Stretch),
    /// The last cone of a search in the scratch, and its end.
    Search(usize, NavPoint),
}

impl Walk<'_> {
    /// The path to the first door by a rough plan.
    /// The plan gives a lower bound on the whole path. Where the door is farther by more than a
    /// small share of it, the plan is made again with the measured distance.
    pub(super) fn set_out(
        &mut self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Lists<'_>,
        expanded: &mut u32,
    ) -> Option<Stretch> {
        let (from, goal) = (self.at, self.goal);
        let ends = [&from, &goal];
        let [room, end] = ends.map(|place| rooms.of(place.polygon()));
        let beyond = |door: u32| rooms.door(door)?.beyond(room);
        if end == room || rooms.doors_of(room).any(|door| beyond(door) == Some(end)) {
            return Stretch::straight(query, &from, &goal, None, scratch)
                .or_else(|| shortest(query, rooms, ends, scratch, expanded))
                .or_else(|| within_both(query, rooms, ends, scratch, expanded));
        }
        let mut marks = Marks::default();
        let mut is_tried = false;
        let mut kept: Option<(u32, First)> = None;
        for _ in 0..=MARKS {
            let work = self.plan(query, rooms, [true, kept.is_none()], &mut marks, scratch);
            *expanded = expanded.saturating_add(work.expanded);
            if self.whole || !self.look_ahead(AHEAD - 1, query, rooms, scratch, expanded) {
                return None;
            }
            let first = *self.hops().first().filter(|hop| hop.cell == room.0)?;
            let thread = self.thread(query, rooms, &from)?;
            let tight = thread.tight(work.length);
            let is_near = self.hops_to_goal(rooms).is_some_and(|hops| hops < AHEAD);
            let is_long = tight > MOST * grid_distance(from.point(), goal.point());
            if is_near && (kept.is_some() || is_long) && !is_tried {
                if let Some(way) = shortest(query, rooms, ends, scratch, expanded) {
                    return Some(way);
                }
                (is_tried, kept) = (true, None);
            }
            let (way, more) = match kept.take() {
                // It is still in the scratch.
                Some((door, way)) if door == first.to && !work.searched => (way, 0.0),
                _ => {
                    let to = self.aim(query, rooms, &thread, 0)?;
                    to_first(query, [&from, &to], first, scratch, expanded)?
                }
            };
            let is_known = marks.get(0, first.to).is_some();
            if !is_known && !work.is_forced && more > LITTLE * work.length {
                let away = grid_distance(from.point(), rooms.stop(first.to)?.1);
                marks.put(0, first.to, away + more);
                kept = Some((first.to, way));
                continue;
            }
            let all = work.length + if is_known { 0.0 } else { more };
            if self.is_doubtful(query, rooms, thread.tight(all), scratch, expanded) {
                return self.stretch(query, rooms, scratch, expanded);
            }
            return match way {
                First::Straight(stretch) => Some(stretch),
                // It ends on the door: there is nothing to cut.
                First::Search(cone, to) => {
                    let ends = [None, Some(first.to)];
                    lead(query, rooms, [&from, &to], cone, ends, scratch)
                }
            };
        }
        None
    }

    /// Must a path of this length be searched with more care?
    /// Short paths through wide doors must, unless they are close to the lower bound: a plan over
    /// the middles of doors may be far off.
    fn is_doubtful(
        &self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        length: f64,
        scratch: &mut Lists<'_>,
        expanded: &mut u32,
    ) -> bool {
        let most = match self.hops_to_goal(rooms) {
            Some(AHEAD) => MOST_AHEAD,
            Some(_) => MOST,
            None => return false,
        };
        let width = |hop: &Hop| {
            let door = rooms.door(hop.to);
            door.map_or(0.0, |door| grid_distance(door.ends[0], door.ends[1]))
        };
        let widths = || self.hops().iter().map(width).sum::<f64>();
        let (from, goal) = (self.at, self.goal);
        let straight = grid_distance(from.point(), goal.point());
        if length <= most * straight || widths() <= WIDE * length {
            return false;
        }
        let (least, doors) = bound(query, rooms, &from, &goal, scratch);
        *expanded = expanded.saturating_add(doors);
        length > most * least
    }
}

/// The path to a place on the first door.
/// Also returns its excess over the straight line, grid units.
fn to_first(
    query: &NavQuery<'_>,
    [from, to]: [&NavPoint; 2],
    first: Hop,
    scratch: &mut Lists<'_>,
    expanded: &mut u32,
) -> Option<(First, f64)> {
    if let Some(straight) = Stretch::straight(query, from, to, Some(first.to), scratch) {
        return Some((First::Straight(straight), 0.0));
    }
    let own = scratch.doors.rooms.insert(0, first.cell);
    let (found, cones) = within::search(query, from, to, own, scratch);
    *expanded = expanded.saturating_add(cones);
    match found {
        Found::Way { cone, length } => {
            let more = length - grid_distance(from.point(), to.point());
            Some((First::Search(cone, *to), more))
        }
        _ => None,
    }
}

/// The path to a goal in the same room or the next one, within both.
/// It uses more rooms where the path could be shorter by more than a tenth.
fn within_both(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    ends: [&NavPoint; 2],
    scratch: &mut Lists<'_>,
    expanded: &mut u32,
) -> Option<Stretch> {
    let mut own = 0;
    for place in ends {
        own = scratch.doors.rooms.insert(own, rooms.of(place.polygon()).0);
    }
    let cone = to_goal(query, rooms, ends, own, scratch, expanded)?;
    lead(query, rooms, ends, cone, [None; 2], scratch)
}

/// The shortest overall path to a near goal, if that takes little work.
fn shortest(
    query: &NavQuery<'_>,
    rooms: &Rooms<'_>,
    ends: [&NavPoint; 2],
    scratch: &mut Lists<'_>,
    expanded: &mut u32,
) -> Option<Stretch> {
    let (cone, cones) = within::search_all(query, ends, NEAR, scratch);
    *expanded = expanded.saturating_add(cones);
    lead(query, rooms, ends, cone?, [None; 2], scratch)
}
