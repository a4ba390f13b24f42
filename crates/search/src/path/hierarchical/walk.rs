//! A path piece by piece: each leads to the next door, and is made when it is asked for.
//!
//! A leg is the shortest way from where the unit is to the door beyond the next, within the rooms before both, as far as the next door. Where to go through
//! the door beyond is where a tight thread through the doors ahead crosses it. A leg to a link takes it.
//!
//! The first leg has to be there at once, by a rough plan; see [`set_out`](super::set_out). The next one is planned with care.
//!
//! A leg to the goal that may be longer than the shortest way by more than a tenth is searched again in all rooms that could make it shorter.

use navbake_format::Rooms;

use super::super::scratch::{Goal, Lender, Scratch};
use super::super::{Answer, PathRequest, Planner, Status};
use super::aim::{AHEAD, Thread};
use super::cells::is_passable;
use super::leg::{Stretch, lead, take, to_goal};
use super::links::RoomLink;
use super::memory::Hop;
use super::plan::{Marks, Planned, Work, plan};
use super::refine::refine;
use super::within::{self, Found};
use crate::{Location, Query};

/// A leg leads over so many rooms before it is cut at the first door.
const LOOK: usize = 2;

/// More legs than this that lead nowhere do not follow one another: where rooms meet in a corner a path may go through several of them there.
const STILL: u32 = 8;

/// A path that is found piece by piece while a unit walks it. It holds where the unit will be after the legs told so far; searches take scratch that any
/// number of walks may share.
///
/// ```no_run
/// # fn game(query: &navbake_search::Query<'_>, request: navbake_search::PathRequest) {
/// use navbake_search::{Hop, SearchBuffer, Status};
///
/// let mut buffer = SearchBuffer::new(query.mesh());
/// let mut route = [Hop::default(); 1000];
/// let mut walk = query.hierarchical(&request, &mut route);
/// while let Some(leg) = walk.next_leg(query, &mut buffer) {
///     for point in leg.path.points {
///         // Go there. Ask for the next leg on the way.
///         let _ = point;
///     }
/// }
/// assert_eq!(walk.status(), Status::Reached);
/// # }
/// ```
#[derive(Debug)]
pub struct Walk<'r> {
    request: PathRequest,
    pub(super) at: Goal,
    pub(super) goal: Goal,
    /// What is not yet looked at, the last hop first.
    route: &'r mut [Hop],
    left: u32,
    /// The next hops, over rooms, in order.
    pub(super) ready: [Hop; AHEAD],
    pub(super) count: usize,
    /// The door at which the last hop of the route begins.
    door: u32,
    status: Status,
    is_planned: bool,
    /// Is there no leg yet?
    is_new: bool,
    /// Legs that led nowhere, one after another.
    still: u32,
    /// Is the rest one leg, by another planner?
    pub(super) whole: bool,
}

/// A stretch of a [`Walk`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkLeg<'s> {
    /// The way, as of [`Query::path`]; its bound and whether it is shortest tell nothing of the whole walk.
    pub path: Answer<'s>,
    /// The door that it ends on; `None` for one that ends with a link, and for the last leg.
    pub door: Option<u32>,
    /// The link that it ends with: the unit is where that leads to then.
    pub link: Option<u32>,
    /// Entries taken off open lists for it: doors and cones, of plans too.
    pub expanded: u32,
}

impl Query<'_> {
    /// A path between two places from room to room, piece by piece: see [`Walk`]. `route` holds the way that is planned and not yet walked; as many hops as the rooms have
    /// doors, the mesh links, and one are always enough, and a few hundred in most worlds.
    ///
    /// Of the request the ends and extents are looked at. Where [`Planner::Hierarchical`] has another planner stand in, the whole path is one leg. A door that closes
    /// on the way is gone around.
    pub fn hierarchical<'r>(&self, request: &PathRequest, route: &'r mut [Hop]) -> Walk<'r> {
        let mut walk = Walk {
            request: request.planner(Planner::Hierarchical),
            at: Goal::default(),
            goal: Goal::default(),
            route,
            left: 0,
            ready: [Hop::default(); AHEAD],
            count: 0,
            door: u32::MAX,
            status: Status::OffMesh,
            is_planned: false,
            is_new: true,
            still: 0,
            whole: false,
        };
        let [from, to] = [request.from, request.to].map(|p| self.end(p, request.extents));
        let (Some(from), Some(to)) = (from, to) else {
            return walk;
        };
        (walk.at, walk.goal) = (Goal::of(&from, 0), Goal::of(&to, 0));
        if !self.mesh().rooms().is_some_and(|rooms| rooms.has_ways()) {
            walk.status = Status::NoRooms;
            return walk;
        }
        walk.status = match self.leads(from.polygon(), to.polygon()) {
            Some(false) => Status::Unreachable,
            _ => Status::Looking,
        };
        let shut_in = self.closings().is_closed(from.polygon());
        walk.whole = shut_in || !self.is_plain();
        walk
    }
}

impl Walk<'_> {
    /// How it stands: [`Status::Looking`] while there are more legs, [`Status::Reached`] after the last one.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Where the legs told so far end.
    pub fn place(&self, query: &Query<'_>) -> Location {
        query.goal_place(&self.at)
    }

    /// The next leg: it begins where the one before ended. `None` when there is none, and [`Walk::status`] says why.
    ///
    /// What is closed may have changed since the last leg.
    pub fn next_leg<'s>(
        &mut self,
        query: &Query<'_>,
        scratch: impl Lender<'s>,
    ) -> Option<WalkLeg<'s>> {
        if self.status != Status::Looking {
            return None;
        }
        let rooms = query.mesh().rooms()?;
        let mut scratch = scratch.lend_for_good();
        let mut expanded = 0;
        let is_new = core::mem::take(&mut self.is_new);
        let from = query.goal_place(&self.at);
        // By the plan as it stands, or by a rough one at first, then by a new one, then by another planner.
        for again in [false, true] {
            if self.whole {
                break;
            }
            // How short a first leg may be is not told by the straight line where links lead.
            let sets_out = is_new && !again && query.links().next().is_none();
            let found = if sets_out {
                self.set_out(query, rooms, &mut scratch, &mut expanded)
            } else {
                if again || !self.is_planned {
                    let work = self.plan(
                        query,
                        rooms,
                        [false; 2],
                        &mut Marks::default(),
                        &mut scratch,
                    );
                    expanded = expanded.saturating_add(work.expanded);
                    if self.whole {
                        break;
                    }
                }
                self.stretch(query, rooms, &mut scratch, &mut expanded)
            };
            let Some(found) = found else {
                continue;
            };
            let Stretch { end, door, .. } = found;
            self.is_planned = !sets_out;
            self.still = if from.point() == end.point() {
                self.still + 1
            } else {
                0
            };
            self.whole |= self.still > STILL;
            self.at = Goal::of(&end, 0);
            match door {
                Some(door) => self.pass(door, rooms.of(end.polygon()).0),
                None => self.status = Status::Reached,
            }
            let path = query.finish_with(&from, &end, found.corridor, found.bend, scratch);
            if path.status != Status::Reached {
                self.status = path.status;
                return None;
            }
            let planner = Planner::Hierarchical;
            let doors = rooms.door_count();
            return Some(WalkLeg {
                path: Answer { planner, ..path },
                door: door.filter(|&door| door < doors),
                link: door.and_then(|node| Some(RoomLink::at(query, rooms, node)?.number)),
                expanded,
            });
        }
        let goal = query.goal_place(&self.goal);
        let request = self.request.planner(Planner::Optimal);
        let path = query.path_between(&from, &goal, &request, scratch);
        self.status = path.status;
        (path.status == Status::Reached).then_some(WalkLeg {
            path,
            door: None,
            link: None,
            expanded: expanded.saturating_add(path.expanded),
        })
    }

    /// Plans the way from where the unit is.
    pub(super) fn plan(
        &mut self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        rough: [bool; 2],
        marks: &mut Marks,
        scratch: &mut Scratch<'_>,
    ) -> Work {
        let (from, to) = (query.goal_place(&self.at), query.goal_place(&self.goal));
        let (planned, work) = plan(query, rooms, [&from, &to], rough, marks, scratch);
        (self.is_planned, self.count, self.left, self.door) = (true, 0, 0, u32::MAX);
        self.whole = match planned {
            Planned::Way(hops) => !self.put(hops, scratch),
            _ => true,
        };
        work
    }

    /// How many hops there are to the goal, if all of them are at hand but for the last one perhaps.
    pub(super) fn hops_to_goal(&self, rooms: &Rooms<'_>) -> Option<usize> {
        let is_last = |hop: &&Hop| hop.to == rooms.door_count();
        let left = self.route.get(..self.left as usize)?;
        match left {
            [] => self.hops().last().filter(is_last).map(|_| self.count),
            [hop] if is_last(&hop) => Some(self.count + 1),
            _ => None,
        }
    }

    /// The hops at hand.
    pub(super) fn hops(&self) -> &[Hop] {
        self.ready.get(..self.count).unwrap_or(&[])
    }

    /// Puts so many hops of the scratch on the route. False when there is no room.
    fn put(&mut self, hops: u32, scratch: &Scratch<'_>) -> bool {
        let (begin, end) = (self.left as usize, self.left as usize + hops as usize);
        let own = self.route.get_mut(begin..end);
        let (Some(own), Some(found)) = (own, scratch.doors.hops.get(..hops as usize)) else {
            return false;
        };
        own.copy_from_slice(found);
        self.left += hops;
        true
    }

    /// Sees to it that so many of the next hops are at hand, over rooms. False where the districts do not tell.
    pub(super) fn look_ahead(
        &mut self,
        ahead: usize,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Scratch<'_>,
        expanded: &mut u32,
    ) -> bool {
        let units = query.mesh().grid().units();
        while self.count < ahead.min(AHEAD) && self.left > 0 {
            let Some(&hop) = self.route.get(self.left as usize - 1) else {
                return false;
            };
            self.left -= 1;
            if hop.cell < rooms.count() {
                self.ready[self.count] = hop;
                self.count += 1;
                self.door = hop.to;
                continue;
            }
            let (found, doors) = refine(rooms, self.door, hop, 0, units, scratch);
            *expanded = expanded.saturating_add(doors);
            if found == 0 || !self.put(found, scratch) {
                return false;
            }
        }
        true
    }

    /// Leaves out the hops up to a door that the unit went through into a room, if the way goes on there. It may come back to the room later.
    fn pass(&mut self, door: u32, room: u32) {
        let ready = &mut self.ready[..self.count];
        let passed = ready.windows(2);
        let mut passed = passed.take_while(|w| w[0].to != door).count() + 1;
        if ready.get(passed).is_none_or(|next| next.cell != room) {
            passed = 0;
        }
        ready.rotate_left(passed);
        self.count -= passed;
    }

    /// Leaves out hops that lie behind. False when the unit is where the plan does not lead.
    fn catch_up(&mut self, room: u32) -> bool {
        let ready = &mut self.ready[..self.count];
        let Some(first) = ready.iter().position(|hop| hop.cell == room) else {
            return false;
        };
        ready.rotate_left(first);
        self.count -= first;
        true
    }

    /// The way to the next door, or to the goal.
    pub(super) fn stretch(
        &mut self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Scratch<'_>,
        expanded: &mut u32,
    ) -> Option<Stretch> {
        let from = query.goal_place(&self.at);
        let room = rooms.of(from.polygon()).0;
        let ready = self.look_ahead(AHEAD, query, rooms, scratch, expanded)
            && self.catch_up(room)
            && self.look_ahead(AHEAD, query, rooms, scratch, expanded);
        let goal = rooms.door_count();
        let ready = self.ready.get(..self.count).filter(|_| ready)?;
        // A link is gone to like a goal.
        let link = ready.iter().position(|hop| hop.to > goal);
        let ready = ready.get(..link.map_or(ready.len(), |k| k + 1))?;
        let at_hand = ready.len() < AHEAD && ready.last().is_some_and(|last| last.to == goal);
        // With the goal at hand all that is left is looked at.
        let look = if at_hand {
            ready.len()
        } else {
            ready.len().min(LOOK)
        };
        let hops = ready.get(..look)?;
        let last = hops.last()?.to;
        let is_shut = |hop: &Hop| match hop.to {
            to if to < goal => !is_passable(query, rooms, to),
            to => to > goal && RoomLink::at(query, rooms, to).is_none(),
        };
        if hops.iter().any(is_shut) {
            return None;
        }
        let link = RoomLink::at(query, rooms, last);
        let to = match link {
            Some(link) => link.begin(query),
            None if last == goal => query.goal_place(&self.goal),
            None => self.aim(query, rooms, hops.len() - 1, &from)?,
        };
        let mut count = scratch.doors.rooms.insert(0, room);
        for hop in hops {
            count = scratch.doors.rooms.insert(count, hop.cell);
        }
        let cone = if at_hand {
            to_goal(query, rooms, [&from, &to], count, scratch, expanded)?
        } else {
            let (found, cones) = within::search(query, &from, &to, count, scratch);
            *expanded = expanded.saturating_add(cones);
            let Found::Way { cone, .. } = found else {
                return None;
            };
            cone
        };
        let ends = (last != goal).then_some(last);
        let all = ends.is_none() && hops.len() <= LOOK;
        let first = hops.first().filter(|_| !all).map(|hop| hop.to);
        let found = lead(query, rooms, [&from, &to], cone, [first, ends], scratch)?;
        match link.filter(|_| found.door == Some(last)) {
            Some(link) => take(query, found, &link, scratch),
            None => Some(found),
        }
    }

    /// Where to go through one of the next doors.
    fn aim(
        &self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        number: usize,
        from: &Location,
    ) -> Option<Location> {
        let thread = self.thread(query, rooms, from)?;
        self.aim_along(query, rooms, &thread, number)
    }

    /// The same by a thread that is drawn already.
    pub(super) fn aim_along(
        &self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        thread: &Thread,
        number: usize,
    ) -> Option<Location> {
        let hop = self.hops().get(number)?;
        let at = thread.crossing(number)?;
        query.on_door(rooms, hop.to, at, Some(hop.cell))
    }

    /// A tight thread through the doors at hand, to the goal or to what comes after them.
    pub(super) fn thread(
        &self,
        query: &Query<'_>,
        rooms: &Rooms<'_>,
        from: &Location,
    ) -> Option<Thread> {
        let goal = rooms.door_count();
        let (mut doors, mut count) = ([0; AHEAD], 0);
        for hop in self.hops().iter().take_while(|hop| hop.to < goal) {
            doors[count] = hop.to;
            count += 1;
        }
        let after = match self.left.checked_sub(1) {
            Some(next) if count == self.count => {
                let hop = self.route.get(next as usize);
                hop.and_then(|hop| rooms.stop(hop.to)).map(|stop| stop.1)
            }
            _ => None,
        };
        let link = self.hops().get(count);
        let link = link.and_then(|hop| RoomLink::at(query, rooms, hop.to));
        let to = after
            .or(link.map(|link| link.from))
            .unwrap_or(self.goal.point);
        Thread::new(rooms, from.point(), doors.get(..count)?, to)
    }
}
