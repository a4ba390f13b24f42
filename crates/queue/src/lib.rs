//! Paths for many units, a little work every tick.
//!
//! Requests wait in line. A few of them, each with scratch of its own, are searched at once and
//! share the budget of a tick evenly. A search that has begun runs until it is done, and then the
//! next one in line takes its lane. So every request is answered, however many others come after
//! it.
//!
//! ```text
//!    line:  [unit] [unit] [unit] ...
//!              |
//!              v
//!    lanes: [search] [search] [search]     each tick: budget / busy lanes
//!              |
//!              v
//!           answer -> unit, then the units that follow it
//! ```
//!
//! Units that follow another one have no search of their own. They get the leader's path, fitted to
//! their own position and an end of their own.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod share;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use navbake_navmesh::math::length;
use navbake_rooms::{RoomMemory, RoomScratch, RoomSearch};
use navbake_search::{Algorithm, Error, NavPath, NavQuery, PathRequest, Scratch};

pub use share::{place_near_goal, shared};

/// The cost of beginning a search, in entries of an open list.
///
/// It covers two locations and a straight line.
const BEGIN: u32 = 16;

/// The cost of fitting a leader's path to a follower, besides its points.
const FIT: u32 = 4;

/// Polygons of a path that take as long as an entry of an open list to make points of.
const FUNNEL: u32 = 8;

/// The cost of an entry of a search over weighted ground.
const WEIGHTED: u32 = 4;

/// Entries of labels that are read in the time of an entry of an open list.
const READ: u32 = 64;

/// The cost of an entry of a search.
fn price(search: &RoomSearch) -> u32 {
    match search.algorithm() {
        Algorithm::Weighted { .. } => WEIGHTED,
        _ => 1,
    }
}

/// The work of an answer besides its search, in entries of an open list.
///
/// The way along the corners of labels is walked from polygon to polygon; reading them was counted
/// before. Where ground has costs, lines past the polygons of a search are tried.
fn work(path: &NavPath<'_>, searched: bool) -> u32 {
    let polygons = path.polygons.len() as u32;
    let costs = (path.cost - path.length_xz).abs() > 1e-9 * path.length_xz;
    match path.by_tables {
        true => 2 * polygons,
        false if searched && costs => polygons,
        false => polygons / FUNNEL,
    }
}

/// A request in the queue.
#[derive(Clone, Debug)]
struct Entry {
    unit: u64,
    request: PathRequest,
    /// Is it searched over rooms?
    by_rooms: bool,
    /// The lane that searches it.
    lane: Option<usize>,
    /// Did its search begin for another unit, which is gone?
    inherited: bool,
    /// The unit that it follows, and the spacing of the followers' ends, m.
    follows: Option<(u64, f64)>,
}

impl Entry {
    fn leader(&self) -> Option<u64> {
        self.follows.map(|f| f.0)
    }
}

/// A search under way.
#[derive(Clone, Debug)]
struct Lane {
    scratch: RoomScratch,
    search: Option<(u64, RoomSearch)>,
}

/// The work of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tick {
    /// The part of the budget that was used.
    pub spent: u32,
    /// Number of requests that were answered.
    pub answered: u32,
    /// Number of requests that still wait for an answer.
    pub waiting: u32,
}

/// Paths for many units: requests wait in line, each tick works on some of them.
///
/// It allocates when it is made, and when the scratch of a search grows. It holds no more units
/// than it was made for.
///
/// ```no_run
/// # fn game(query: &navbake_search::NavQuery<'_>, from: [f64; 3], to: [f64; 3]) {
/// use navbake_search::PathRequest;
/// use navbake_queue::PathQueue;
///
/// let mut queue = PathQueue::new(1000, 4);
/// queue.ask(7, &PathRequest::new(from, to)); // for unit 7
/// // Every frame:
/// queue.tick(query, 500, |unit, path| match path {
///     Ok(path) => println!("{unit}: {:?}", path.points),
///     Err(error) => eprintln!("{unit}: {error}"),
/// });
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PathQueue {
    /// Ordered by unit.
    entries: Vec<Entry>,
    /// The units in line.
    line: VecDeque<u64>,
    lanes: Vec<Lane>,
    /// The lane that is served next.
    turn: usize,
    most: usize,
    /// Units that get a fitted leader's path, in order.
    followers: Vec<u64>,
}

impl PathQueue {
    /// Makes a queue for `units` units and `lanes` searches at once.
    ///
    /// Each search has a [`Scratch`] of its own.
    pub fn new(units: usize, lanes: usize) -> PathQueue {
        PathQueue::with_scratch(units, lanes, &Scratch::new())
    }

    /// The same with copies of a scratch, which may be bounded.
    pub fn with_scratch(units: usize, lanes: usize, scratch: &Scratch) -> PathQueue {
        let lane = Lane { scratch: RoomScratch::with(scratch.clone()), search: None };
        PathQueue {
            entries: Vec::with_capacity(units),
            line: VecDeque::with_capacity(units),
            lanes: alloc::vec![lane; lanes.max(1)],
            turn: 0,
            most: units,
            followers: Vec::with_capacity(units),
        }
    }

    /// Number of units that wait for an answer.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Does no unit wait for an answer?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Does a unit wait for an answer?
    pub fn holds(&self, unit: u64) -> bool {
        self.find(unit).is_ok()
    }

    fn find(&self, unit: u64) -> Result<usize, usize> {
        self.entries.binary_search_by_key(&unit, |e| e.unit)
    }

    /// Requests a path for a unit; false when the queue is full.
    ///
    /// A unit has one request. The same request again changes nothing: the search goes on. A
    /// different request takes the old one's place in line. If the old one is already being
    /// searched, that search is given up and the unit goes to the end of the line. So a unit that
    /// changes its request at every tick delays no other unit.
    pub fn ask(&mut self, unit: u64, request: &PathRequest) -> bool {
        self.ask_by(unit, request, false)
    }

    /// [`PathQueue::ask`] for a path over rooms: see [`RoomSearch`].
    pub fn ask_over_rooms(&mut self, unit: u64, request: &PathRequest) -> bool {
        self.ask_by(unit, request, true)
    }

    fn ask_by(&mut self, unit: u64, request: &PathRequest, by_rooms: bool) -> bool {
        let at = match self.find(unit) {
            Ok(at) => at,
            Err(at) => return self.add(at, unit, request, by_rooms, None),
        };
        let entry = &mut self.entries[at];
        let same = entry.request == *request && entry.by_rooms == by_rooms;
        if same && entry.follows.is_none() {
            return true;
        }
        (entry.request, entry.by_rooms) = (*request, by_rooms);
        if entry.lane.is_some() || entry.follows.is_some() {
            self.give_up(at);
            self.entries[at].follows = None;
            self.line.push_back(unit);
        }
        true
    }

    /// Requests a path for a unit that follows another one, which has a request.
    ///
    /// When the leader's path is found, it is fitted to `request.from` and to an end near the
    /// leader's. No other unit of the group has that end; the ends are `spacing` metres apart.
    /// Ignores `request.to`. If the leader's path cannot be fitted, the unit gets a search of its
    /// own. False when the queue is full or the leader does not wait for an answer.
    pub fn follow(&mut self, unit: u64, leader: u64, request: &PathRequest, spacing: f64) -> bool {
        // A unit that follows a follower follows the same leader.
        let (leader, by_rooms) = match self.find(leader) {
            Ok(at) => (self.entries[at].leader().unwrap_or(leader), self.entries[at].by_rooms),
            Err(_) => return false,
        };
        if leader == unit {
            return false;
        }
        let follows = Some((leader, if spacing > 0.0 { spacing } else { 0.0 }));
        let at = match self.find(unit) {
            Ok(at) => at,
            Err(at) => return self.add(at, unit, request, by_rooms, follows),
        };
        self.give_up(at);
        self.line.retain(|&u| u != unit);
        let entry = &mut self.entries[at];
        (entry.request, entry.by_rooms, entry.follows) = (*request, by_rooms, follows);
        self.rename(unit, leader);
        true
    }

    fn add(
        &mut self,
        at: usize,
        unit: u64,
        request: &PathRequest,
        by_rooms: bool,
        follows: Option<(u64, f64)>,
    ) -> bool {
        if self.entries.len() >= self.most {
            return false;
        }
        let request = *request;
        let entry = Entry { unit, request, by_rooms, lane: None, inherited: false, follows };
        self.entries.insert(at, entry);
        if follows.is_none() {
            self.line.push_back(unit);
        }
        true
    }

    /// Ends the search of an entry.
    fn give_up(&mut self, at: usize) {
        let entry = &mut self.entries[at];
        entry.inherited = false;
        if let Some(lane) = entry.lane.take() {
            self.lanes[lane].search = None;
        }
    }

    /// Gives the followers of a unit to another one.
    fn rename(&mut self, old: u64, new: u64) {
        for entry in &mut self.entries {
            if let Some((leader, _)) = &mut entry.follows
                && *leader == old
            {
                *leader = new;
            }
        }
    }

    /// Removes a unit's request.
    ///
    /// If other units follow it, the first of them by number takes over: the goal, and the place in
    /// line or the search that was begun.
    pub fn lose(&mut self, unit: u64) {
        let Ok(at) = self.find(unit) else {
            return;
        };
        if let Some(heir) = self.entries.iter().position(|e| e.leader() == Some(unit)) {
            let lost = self.entries[at].clone();
            let heir = &mut self.entries[heir];
            heir.follows = None;
            heir.request.to = lost.request.to;
            heir.lane = lost.lane;
            // A search that was begun goes on from the lost leader's start; its path is fitted to
            // the heir.
            heir.inherited = lost.lane.is_some();
            let heir = heir.unit;
            if let Some((searched, _)) = lost.lane.and_then(|l| self.lanes[l].search.as_mut()) {
                *searched = heir;
            }
            self.entries[at].lane = None;
            for place in self.line.iter_mut().filter(|u| **u == unit) {
                *place = heir;
            }
            self.rename(unit, heir);
        }
        self.give_up(at);
        self.entries.remove(at);
        self.line.retain(|&u| u != unit);
    }

    /// Works on the requests within the budget, and hands over finished answers.
    ///
    /// The budget counts entries taken off open lists. Locating ends, straight lines, look-ups and
    /// the points of paths count as the entries that take about as long. The last answer, with
    /// those of the units that follow it, may exceed the budget. Answers borrow the queue's memory:
    /// copy the parts to keep.
    pub fn tick(
        &mut self,
        query: &NavQuery<'_>,
        budget: u32,
        mut done: impl FnMut(u64, Result<&NavPath<'_>, &Error>),
    ) -> Tick {
        let mut tick = Tick::default();
        while tick.spent < budget {
            self.fill_lanes(query, budget, &mut tick, &mut done);
            let busy = self.lanes.iter().filter(|l| l.search.is_some()).count() as u32;
            if busy == 0 && self.line.is_empty() {
                break;
            }
            // Every search gets the same share. A share of less than 1 goes round over several
            // ticks.
            let share = (budget.saturating_sub(tick.spent) / busy.max(1)).max(1);
            for _ in 0..self.lanes.len() {
                let lane = self.turn % self.lanes.len();
                let room = budget.saturating_sub(tick.spent);
                let Lane { scratch, search } = &mut self.lanes[lane];
                let Some((unit, search)) = search else {
                    self.turn = lane + 1;
                    continue;
                };
                let unit = *unit;
                if room == 0 {
                    break;
                }
                self.turn = lane + 1;
                let before = search.expanded();
                let price = price(search);
                let status = search.step(query, scratch, (share.min(room) / price).max(1));
                let taken = search.expanded().saturating_sub(before);
                tick.spent = tick.spent.saturating_add(taken.saturating_mul(price));
                if status.is_over() {
                    self.deliver(query, unit, lane, &mut tick, &mut done);
                }
            }
        }
        tick.waiting = self.entries.len() as u32;
        tick
    }

    /// Begins searches in free lanes.
    fn fill_lanes(
        &mut self,
        query: &NavQuery<'_>,
        budget: u32,
        tick: &mut Tick,
        done: &mut impl FnMut(u64, Result<&NavPath<'_>, &Error>),
    ) {
        for lane in 0..self.lanes.len() {
            if self.lanes[lane].search.is_some() || tick.spent >= budget {
                continue;
            }
            let Some(unit) = self.line.pop_front() else {
                return;
            };
            let Ok(at) = self.find(unit) else {
                continue;
            };
            self.entries[at].lane = Some(lane);
            let Lane { scratch, search } = &mut self.lanes[lane];
            tick.spent = tick.spent.saturating_add(BEGIN);
            let Entry { request, by_rooms, .. } = &self.entries[at];
            let begun = match by_rooms {
                true => RoomSearch::new(query, request, scratch),
                false => query.start_path(request, scratch.ground()).map(RoomSearch::from),
            };
            match begun {
                Ok(begun) => {
                    tick.spent = tick.spent.saturating_add(begun.looked().div_ceil(READ));
                    *search = Some((unit, begun));
                }
                Err(error) => {
                    done(unit, Err(&error));
                    tick.answered += 1;
                    self.refuse(at);
                }
            }
        }
    }

    /// Hands over the answer of a lane, and the paths of the units that follow.
    fn deliver(
        &mut self,
        query: &NavQuery<'_>,
        unit: u64,
        lane: usize,
        tick: &mut Tick,
        done: &mut impl FnMut(u64, Result<&NavPath<'_>, &Error>),
    ) {
        let (Some((_, search)), Ok(at)) = (self.lanes[lane].search.take(), self.find(unit)) else {
            return;
        };
        let scratch = &mut self.lanes[lane].scratch;
        let Entry { request, inherited, .. } = self.entries[at];
        let answer = if inherited {
            shared(&search, query, request.from, None, scratch.ground())
        } else {
            Some(search.path(query, scratch))
        };
        match answer {
            Some(answer) => {
                tick.spent = tick.spent.saturating_add(work(&answer, search.expanded() > 0));
                done(unit, Ok(&answer));
                tick.answered += 1;
                self.entries.remove(at);
            }
            None => self.search_alone(unit, request.to),
        }
        self.followers.clear();
        let followers = self.entries.iter().filter(|e| e.leader() == Some(unit));
        self.followers.extend(followers.map(|e| e.unit));
        let mut places = 0;
        for k in 0..self.followers.len() {
            let follower = self.followers[k];
            let Ok(at) = self.find(follower) else {
                continue;
            };
            let from = self.entries[at].request.from;
            let spacing = self.entries[at].follows.map_or(0.0, |f| f.1);
            let scratch = &mut self.lanes[lane].scratch;
            tick.spent = tick.spent.saturating_add(FIT);
            let end = place_near_goal(&search, query, &mut places, spacing, scratch.ground());
            match end.and_then(|end| shared(&search, query, from, Some(&end), scratch.ground())) {
                Some(answer) => {
                    tick.spent = tick.spent.saturating_add(work(&answer, true));
                    done(follower, Ok(&answer));
                    tick.answered += 1;
                    self.entries.remove(at);
                }
                // To its end near the goal, or to the goal itself.
                None => {
                    self.search_alone(follower, end.map_or(request.to, |end| end.position()));
                }
            }
        }
    }

    /// Drops a request that its algorithm does not serve. Its followers search alone.
    fn refuse(&mut self, at: usize) {
        let Entry { unit, request, .. } = self.entries.remove(at);
        self.followers.clear();
        let followers = self.entries.iter().filter(|e| e.leader() == Some(unit));
        self.followers.extend(followers.map(|e| e.unit));
        for k in 0..self.followers.len() {
            self.search_alone(self.followers[k], request.to);
        }
    }

    /// Puts a unit in line without a leader.
    fn search_alone(&mut self, unit: u64, to: [f64; 3]) {
        if let Ok(at) = self.find(unit) {
            let entry = &mut self.entries[at];
            (entry.follows, entry.lane, entry.inherited) = (None, None, false);
            entry.request.to = to;
            self.line.push_back(unit);
        }
    }

    /// The direction in which a waiting unit may set out, a unit vector `[x, z]`.
    ///
    /// It is along the path that its search, or its leader's, has found up to now, else straight
    /// towards its goal. `None` for a unit that does not wait, or is at its goal.
    pub fn direction(&mut self, query: &NavQuery<'_>, unit: u64) -> Option<[f64; 2]> {
        let entry = &self.entries[self.find(unit).ok()?];
        let (from, mut to) = (entry.request.from, entry.request.to);
        let searched = match entry.leader() {
            Some(leader) => {
                let leader = &self.entries[self.find(leader).ok()?];
                to = leader.request.to;
                leader.lane
            }
            None => entry.lane,
        };
        if let Some(Lane { scratch, search: Some((_, search)) }) =
            searched.and_then(|l| self.lanes.get_mut(l))
            && let Some(direction) = search.direction(query, scratch)
        {
            return Some(direction);
        }
        let (dx, dz) = (to[0] - from[0], to[2] - from[2]);
        let away = length(dx, dz);
        (away > 0.0 && away.is_finite()).then(|| [dx / away, dz / away])
    }
}
