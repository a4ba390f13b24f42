//! A path follower: a path leg by leg, each computed on demand.
//!
//! A leg is cut from the shortest path to the door beyond the next, within the rooms before both.
//! It ends at the next door:
//!
//! ```text
//!   +--------+--------+--------+
//!   |        d        d        |
//!   | unit   d        d        |     d: door   ==: the leg
//!   |    *===d........x        |     x: crossing of the door beyond
//!   +--------+--------+--------+
//! ```
//!
//! A tight thread through the doors ahead gives the crossing of the door beyond. A leg to a link
//! takes the link.
//!
//! The first leg has to be there at once, by a rough plan; see [`set_out`](super::set_out). The
//! plan for the next one is not rough.
//!
//! If a leg to the goal may be longer than the shortest path by more than a tenth, it is searched
//! again in all rooms that could make it shorter.

use navbake_format::{PolyId, Rooms};

use crate::aim::{AHEAD, Thread, on_door};
use crate::cells::is_passable;
use crate::leg::{Stretch, lead, take, to_goal};
use crate::links::RoomLink;
use crate::memory::{Hop, Lists};
use crate::plan::{Marks, Planned, Work, plan};
use crate::refine::refine;
use crate::scratch::RoomMemory;
use crate::within::{self, Found};
use navbake_search::{Algorithm, Error, NavPath, NavPoint, NavQuery, PathRequest, Status};

/// The number of rooms that the search for a leg covers.
/// The path is then cut at the first door.
const LOOK: usize = 2;

/// The number of consecutive legs without progress that are allowed.
/// Where rooms meet in a corner, a path may go through several of them there.
const STILL: u32 = 8;

/// A path follower: a path found leg by leg while a unit moves.
///
/// It holds the place where the unit will be after the legs up to now. Searches take scratch, which
/// any number of path followers may share.
///
/// ```no_run
/// # fn game(query: &navbake_search::NavQuery<'_>, request: navbake_search::PathRequest)
/// # -> Result<(), navbake_search::Error> {
/// use navbake_rooms::{Hop, RoomScratch, Walk};
/// use navbake_search::Status;
///
/// let mut scratch = RoomScratch::new();
/// let mut route = [Hop::default(); 1000];
/// let mut walk = Walk::new(query, &request, &mut route)?;
/// while let Some(leg) = walk.next_leg(query, &mut scratch) {
///     for point in leg.path.points {
///         // Go there. Ask for the next leg before the end of this one.
///         let _ = point;
///     }
/// }
/// assert_eq!(walk.status(), Status::Reached);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Walk<'r> {
    request: PathRequest,
    pub(super) at: NavPoint,
    pub(super) goal: NavPoint,
    /// The rest of the route, the last abstract edge first.
    route: &'r mut [Hop],
    left: u32,
    /// The next abstract edges, over rooms, in order.
    pub(super) ready: [Hop; AHEAD],
    pub(super) count: usize,
    /// The door at which the next abstract edge of the route begins.
    door: u32,
    status: Status,
    is_planned: bool,
    /// Is there no leg yet?
    is_new: bool,
    /// That of the mesh at the last leg.
    generation: u32,
    /// Consecutive legs without progress.
    still: u32,
    /// Is the rest one leg, by another planner?
    pub(super) whole: bool,
}

/// A leg of a [`Walk`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkLeg<'s> {
    /// The leg's path, as from [`NavQuery::find_path`].
    /// Its bound and whether it is shortest do not apply to the whole path.
    pub path: NavPath<'s>,
    /// The door where it ends.
    /// `None` for a leg that ends with a link, and for the last leg.
    pub door: Option<u32>,
    /// The link that it ends with: the unit is at the link's end then.
    pub link: Option<u32>,
    /// Is it within the rooms of a route over doors? Else another search took over.
    pub by_rooms: bool,
    /// Entries taken off open lists for it: doors and cones, of plans too.
    pub expanded: u32,
}

impl<'r> Walk<'r> {
    /// A path between two places from room to room, leg by leg.
    ///
    /// `route` holds the planned rest of the route. As many abstract edges as the rooms have doors
    /// and the mesh has links, plus one, are always enough; a few hundred are enough in most
    /// worlds.
    ///
    /// Of the request, only the ends and extents count. Where doors do not decide, and from a start
    /// on blocked ground, the whole path is one leg. The follower goes around a door that closes
    /// while it is under way.
    ///
    /// # Errors
    /// When the mesh has no distances between doors, and when the filter has costs.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # use navbake_search::{PathRequest};
    /// use navbake_rooms::{Hop, Walk};
    /// use navbake_search::Error;
    ///
    /// let mut route = [Hop::default(); 16];
    /// let walk = Walk::new(&query, &request, &mut route);
    /// assert_eq!(walk.err(), Some(Error::NoRooms)); // this level was baked without
    /// ```
    pub fn new(
        query: &NavQuery<'_>,
        request: &PathRequest,
        route: &'r mut [Hop],
    ) -> Result<Walk<'r>, Error> {
        if !query.mesh().rooms().is_some_and(|rooms| rooms.has_ways()) {
            return Err(Error::NoRooms);
        }
        if !query.is_plain() {
            return Err(Error::Costs);
        }
        let ends = [request.from, request.to].map(|p| query.end(p, request.extents));
        let nowhere = query.location(PolyId(0), [0; 2], 0.0);
        let mut walk = Walk {
            request: *request,
            at: ends[0].unwrap_or(nowhere),
            goal: ends[1].unwrap_or(nowhere),
            route,
            left: 0,
            ready: [Hop::default(); AHEAD],
            count: 0,
            door: u32::MAX,
            status: Status::OffMesh,
            is_planned: false,
            is_new: true,
            generation: query.mesh().polys().pieces.generation,
            still: 0,
            whole: false,
        };
        if let [Some(from), Some(to)] = ends {
            walk.status = match query.leads(from.polygon(), to.polygon()) {
                Some(false) => Status::Unreachable,
                _ => Status::Looking,
            };
            walk.whole = query.closings().is_closed(from.polygon());
        }
        Ok(walk)
    }
}

impl Walk<'_> {
    /// [`Status::Looking`] while there are more legs, [`Status::Reached`] after the last one.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The end of the last leg given out.
    pub fn place(&self) -> NavPoint {
        self.at
    }

    /// The next leg; it begins where the one before ended. Where an obstacle takes that place now,
    /// it begins on the nearest ground within the extents.
    /// `None` when there is none; [`Walk::status`] says why.
    ///
    /// What is blocked and what obstacles take may have changed since the last leg. With costs, the
    /// rest is one leg, by [`Algorithm::Weighted`].
    pub fn next_leg<'s>(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &'s mut dyn RoomMemory,
    ) -> Option<WalkLeg<'s>> {
        if self.status != Status::Looking || !self.find_ends(query) {
            return None;
        }
        let rooms = query.mesh().rooms()?;
        // Distances between doors know of no costs.
        self.whole |= !query.is_plain();
        scratch.prepare(query.mesh());
        let mut expanded = 0;
        let from = self.at;
        let Some(found) = self.find_leg(query, rooms, &mut scratch.lend(), &mut expanded) else {
            // The rest in one leg.
            let request = self.request.algorithm(query.cheapest(&from));
            let ground = scratch.ground();
            let path = query.find_path_between(&from, &self.goal, &request, ground).ok()?;
            self.status = path.status;
            return (path.status == Status::Reached).then_some(WalkLeg {
                path,
                door: None,
                link: None,
                by_rooms: false,
                expanded: expanded.saturating_add(path.expanded),
            });
        };
        let Stretch { end, door, .. } = found;
        self.still = if from.point() == end.point() { self.still + 1 } else { 0 };
        self.whole |= self.still > STILL;
        self.at = end;
        match door {
            Some(door) => self.pass(door, rooms.of(end.polygon()).0),
            None => self.status = Status::Reached,
        }
        let path =
            query.finish_with(&from, &end, found.corridor, found.bend, scratch.lend().ground);
        if path.status != Status::Reached {
            self.status = path.status;
            return None;
        }
        let doors = rooms.door_count();
        Some(WalkLeg {
            path: NavPath { algorithm: Algorithm::Optimal, ..path },
            by_rooms: true,
            door: door.filter(|&door| door < doors),
            link: door.and_then(|node| Some(RoomLink::at(query, rooms, node)?.number)),
            expanded,
        })
    }

    /// Finds the unit and the goal on ground that changed since the last leg. False where one of
    /// them is no longer on the navmesh.
    fn find_ends(&mut self, query: &NavQuery<'_>) -> bool {
        let generation = query.mesh().polys().pieces.generation;
        if generation != self.generation {
            self.generation = generation;
            let extents = self.request.extents;
            match [self.at, self.goal].map(|place| query.end(place.position(), extents)) {
                [Some(at), Some(goal)] => (self.at, self.goal) = (at, goal),
                _ => self.status = Status::OffMesh,
            }
        }
        self.status == Status::Looking
    }

    /// The next leg by the present plan, or by a rough one at first, then by a new one.
    /// `None` where another planner has to take over.
    fn find_leg(
        &mut self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Lists<'_>,
        expanded: &mut u32,
    ) -> Option<Stretch> {
        let is_new = core::mem::take(&mut self.is_new);
        for again in [false, true] {
            if self.whole {
                break;
            }
            // With links, the straight line does not bound the first leg.
            let sets_out = is_new && !again && query.links().next().is_none();
            let found = if sets_out {
                self.set_out(query, rooms, scratch, expanded)
            } else {
                if again || !self.is_planned {
                    let work = self.plan(query, rooms, [false; 2], &mut Marks::default(), scratch);
                    *expanded = expanded.saturating_add(work.expanded);
                    if self.whole {
                        break;
                    }
                }
                self.stretch(query, rooms, scratch, expanded)
            };
            if found.is_some() {
                self.is_planned = !sets_out;
                return found;
            }
        }
        None
    }

    /// Plans the route from the unit's place.
    pub(super) fn plan(
        &mut self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        rough: [bool; 2],
        marks: &mut Marks,
        scratch: &mut Lists<'_>,
    ) -> Work {
        let (from, to) = (self.at, self.goal);
        let (planned, work) = plan(query, rooms, [&from, &to], rough, marks, scratch);
        (self.is_planned, self.count, self.left, self.door) = (true, 0, 0, u32::MAX);
        self.whole = match planned {
            Planned::Way(hops) => !self.put(hops, scratch),
            _ => true,
        };
        work
    }

    /// The number of abstract edges to the goal, if they are known.
    /// All of them must be in `ready`, except perhaps the last one.
    pub(super) fn hops_to_goal(&self, rooms: &Rooms<'_>) -> Option<usize> {
        let is_last = |hop: &&Hop| hop.to == rooms.door_count();
        match self.route.get(..self.left as usize)? {
            [] => self.hops().last().filter(is_last).map(|_| self.count),
            [hop] if is_last(&hop) => Some(self.count + 1),
            _ => None,
        }
    }

    /// The next abstract edges, as far as they are known.
    pub(super) fn hops(&self) -> &[Hop] {
        self.ready.get(..self.count).unwrap_or(&[])
    }

    /// Copies this many abstract edges of the scratch to the route.
    /// Returns false when there is no room.
    fn put(&mut self, hops: u32, scratch: &Lists<'_>) -> bool {
        let (begin, end) = (self.left as usize, self.left as usize + hops as usize);
        let own = self.route.get_mut(begin..end);
        let (Some(own), Some(found)) = (own, scratch.doors.hops.get(..hops as usize)) else {
            return false;
        };
        own.copy_from_slice(found);
        self.left += hops;
        true
    }

    /// Makes this many of the next abstract edges available, over rooms.
    /// Returns false where the cells do not determine them.
    pub(super) fn look_ahead(
        &mut self,
        ahead: usize,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Lists<'_>,
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

    /// Drops the abstract edges up to a door that the unit went through into a room.
    /// Only if the route continues there; it may return to the room later.
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

    /// Drops abstract edges that are behind the unit.
    /// Returns false when the unit is off the planned route.
    fn catch_up(&mut self, room: u32) -> bool {
        let ready = &mut self.ready[..self.count];
        let Some(first) = ready.iter().position(|hop| hop.cell == room) else {
            return false;
        };
        ready.rotate_left(first);
        self.count -= first;
        true
    }

    /// The path to the next door, or to the goal.
    pub(super) fn stretch(
        &mut self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        scratch: &mut Lists<'_>,
        expanded: &mut u32,
    ) -> Option<Stretch> {
        let from = self.at;
        let room = rooms.of(from.polygon()).0;
        let ready = self.look_ahead(AHEAD, query, rooms, scratch, expanded)
            && self.catch_up(room)
            && self.look_ahead(AHEAD, query, rooms, scratch, expanded);
        let goal = rooms.door_count();
        let ready = self.ready.get(..self.count).filter(|_| ready)?;
        // A link is a goal of its own.
        let link = ready.iter().position(|hop| hop.to > goal);
        let ready = ready.get(..link.map_or(ready.len(), |k| k + 1))?;
        let is_near = ready.len() < AHEAD && ready.last().is_some_and(|last| last.to == goal);
        // Where the goal is near, the rest of the route is searched.
        let look = if is_near { ready.len() } else { ready.len().min(LOOK) };
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
            None if last == goal => self.goal,
            None => {
                let thread = self.thread(query, rooms, &from)?;
                self.aim(query, rooms, &thread, hops.len() - 1)?
            }
        };
        let mut count = scratch.doors.rooms.insert(0, room);
        for hop in hops {
            count = scratch.doors.rooms.insert(count, hop.cell);
        }
        let cone = if is_near {
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

    /// The place where a thread crosses one of the next doors.
    pub(super) fn aim(
        &self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        thread: &Thread,
        number: usize,
    ) -> Option<NavPoint> {
        let hop = self.hops().get(number)?;
        let at = thread.crossing(number)?;
        on_door(query, rooms, hop.to, at, Some(hop.cell))
    }

    /// A tight thread through the next doors.
    /// It leads to the goal or to what comes after these doors.
    pub(super) fn thread(
        &self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        from: &NavPoint,
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
        let to = after.or(link.map(|link| link.from)).unwrap_or(self.goal.point());
        Thread::new(rooms, from.point(), doors.get(..count)?, to)
    }
}
