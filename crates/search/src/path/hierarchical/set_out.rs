//! The first leg of a walk, which has to be there at once.
//!
//! It leads to the first door of a rough plan, in which how far the doors of the start's room are is told by the straight line, until a search to one of them
//! says more; so what is searched is one room, if the door is not in sight. Where the goal is in the same room or the next one the first leg is all of the way.

use navbake_format::Rooms;

use super::super::scratch::Scratch;
use super::aim::AHEAD;
use super::bound::bound;
use super::exits::MOST;
use super::leg::{Stretch, lead, to_goal};
use super::memory::Hop;
use super::plan::{MARKS, Marks};
use super::walk::Walk;
use super::within::{self, Found};
use crate::math::grid_distance;
use crate::{Location, Query};

/// The first leg by a rough plan may be longer than the straight line by so much of the whole way.
const LITTLE: f64 = 0.03;

/// Doors on a way to a goal at hand are wide when they are so much of it together.
const WIDE: f64 = 0.1;

/// So many times the shortest a way of [`AHEAD`] doors may be, as far as is known, before it is planned with more care.
const MOST_AHEAD: f64 = 1.15;

impl Walk<'_> {
    /// The way to the first door by a rough plan, which says how long the whole way is at least. Where that door is farther by more than a little of it, the plan is made
    /// again with what is known of it. To a goal in the same room or the next one it is all of the way.
    pub(super) fn set_out(
        &mut self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Scratch<'_>,
        expanded: &mut u32,
    ) -> Option<Stretch> {
        let (from, goal) = (query.goal_place(&self.at), query.goal_place(&self.goal));
        let [room, end] = [&from, &goal].map(|place| rooms.of(place.polygon()));
        let beyond = |door: u32| rooms.door(door)?.beyond(room);
        if end == room || (rooms.doors_of(room)).any(|door| beyond(door) == Some(end)) {
            if let Some(straight) = Stretch::straight(query, &from, &goal, None, scratch) {
                return Some(straight);
            }
        }
        if end == room {
            return all_the_way(query, rooms, [&from, &goal], scratch, expanded);
        }
        let mut marks = Marks::default();
        let mut found: Option<(u32, usize, Location)> = None;
        for _ in 0..=MARKS {
            let work = self.plan(query, rooms, true, &mut marks, scratch);
            *expanded = expanded.saturating_add(work.expanded);
            if self.whole || !self.look_ahead(query, rooms, scratch, expanded) {
                return None;
            }
            let first = *self.hops().first().filter(|hop| hop.cell == room.0)?;
            let known = marks.get(0, first.to).is_some();
            let thread = self.thread(rooms, &from)?;
            // It is still in the scratch.
            let kept = found.filter(|&(door, ..)| door == first.to && work.cones == 0);
            if let Some((_, cone, to)) = kept {
                if !self.is_sure(query, rooms, work.length - thread.saved, scratch, expanded) {
                    return self.stretch(query, rooms, scratch, expanded);
                }
                return lead(
                    query,
                    rooms,
                    [&from, &to],
                    cone,
                    [None, Some(first.to)],
                    scratch,
                );
            }
            let to = self.aim_along(query, rooms, &thread, 0, scratch)?;
            let straight = Stretch::straight(query, &from, &to, Some(first.to), scratch);
            let mut all = work.length - thread.saved;
            let mut last = None;
            if straight.is_none() {
                let own = scratch.doors.rooms.insert(0, room.0);
                let (way, cones) = within::search(query, &from, &to, own, scratch);
                *expanded = expanded.saturating_add(cones);
                let Found::Way { cone, length } = way else {
                    return None;
                };
                let more = length - grid_distance(from.point(), to.point());
                if !known && !work.is_forced && more > LITTLE * work.length {
                    let away = grid_distance(from.point(), rooms.stop(first.to)?.1);
                    marks.put(0, first.to, away + more);
                    found = Some((first.to, cone, to));
                    continue;
                }
                all += if known { 0.0 } else { more };
                last = Some(cone);
            }
            if !self.is_sure(query, rooms, all, scratch, expanded) {
                return self.stretch(query, rooms, scratch, expanded);
            }
            return match last {
                // It ends on the door: there is nothing to cut.
                Some(cone) => lead(
                    query,
                    rooms,
                    [&from, &to],
                    cone,
                    [None, Some(first.to)],
                    scratch,
                ),
                None => straight,
            };
        }
        None
    }

    /// Can a way of such a length be taken without more care? Short ways through wide doors cannot, unless they are short enough: a plan by the middles of doors may
    /// be far off.
    fn is_sure(
        &self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        length: f64,
        scratch: &mut Scratch<'_>,
        expanded: &mut u32,
    ) -> bool {
        let width = |hop: &Hop| {
            let door = rooms.door(hop.to);
            door.map_or(0.0, |door| grid_distance(door.ends[0], door.ends[1]))
        };
        let is_at_hand = (self.hops().last()).is_some_and(|last| last.to == rooms.door_count());
        if !is_at_hand || self.hops().iter().map(width).sum::<f64>() <= WIDE * length {
            return true;
        }
        let (from, goal) = (query.goal_place(&self.at), query.goal_place(&self.goal));
        let most = if self.hops().len() < AHEAD {
            MOST
        } else {
            MOST_AHEAD
        };
        if length <= most * grid_distance(from.point(), goal.point()) {
            return true;
        }
        let (least, doors) = bound(query, rooms, &from, &goal, scratch);
        *expanded = expanded.saturating_add(doors);
        length <= most * least
    }
}

/// All of the way to a goal in the same room or the next one.
fn all_the_way(
    query: &Query<'_>,
    rooms: &Rooms<'_>,
    [from, goal]: [&Location; 2],
    scratch: &mut Scratch<'_>,
    expanded: &mut u32,
) -> Option<Stretch> {
    let mut own = 0;
    for place in [from, goal] {
        own = scratch.doors.rooms.insert(own, rooms.of(place.polygon()).0);
    }
    let cone = to_goal(query, rooms, [from, goal], own, scratch, expanded)?;
    lead(query, rooms, [from, goal], cone, [None; 2], scratch)
}
