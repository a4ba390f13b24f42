//! Paths for many units, a little every tick.
//!
//! Requests wait in line; a few of them, each with scratch of its own, are searched at once, and share the budget of a tick evenly. A search
//! that has begun goes on until it is done, and the next one in line takes its place, so every request is answered, however many others come
//! after it. Units that follow another one have no search of their own: they get its path, fitted to where they stand and to an end of their own.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use navbake_format::NavMesh;

use super::{Answer, PathRequest, Search, SearchBuffer};
use crate::Query;

/// What it costs to begin a search, in entries of an open list: two locations and a straight line.
const BEGIN: u32 = 4;

/// A request in the queue.
#[derive(Clone, Debug)]
struct Entry {
    unit: u64,
    request: PathRequest,
    /// Where it is being searched.
    lane: Option<usize>,
    /// Was its search begun for another unit, which is gone?
    inherited: bool,
    /// The unit that it follows, and how far apart the ends of followers are, m.
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
    buffer: SearchBuffer,
    search: Option<(u64, Search)>,
}

/// What a tick did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tick {
    /// How much of the budget was used.
    pub spent: u32,
    /// How many requests were answered.
    pub answered: u32,
    /// How many wait for an answer still.
    pub waiting: u32,
}

/// Paths for many units: requests wait in line, and each tick works on some of them. Allocates when it is made, and never again while it holds
/// no more units than it was made for.
///
/// ```no_run
/// # fn game(query: &navbake_search::Query<'_>, from: [f64; 3], to: [f64; 3]) {
/// use navbake_search::{PathQueue, PathRequest};
///
/// let mut queue = PathQueue::new(query.mesh(), 1000, 4);
/// queue.ask(7, &PathRequest::new(from, to)); // for unit 7
/// // Every frame:
/// queue.tick(query, 500, |unit, answer| println!("{unit}: {:?}", answer.points));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PathQueue {
    /// By unit.
    entries: Vec<Entry>,
    /// Units in line.
    line: VecDeque<u64>,
    lanes: Vec<Lane>,
    /// The lane whose turn is next.
    turn: usize,
    most: usize,
    /// Units to be answered from a leader's path, in order.
    followers: Vec<u64>,
}

impl PathQueue {
    /// For so many units, with so many searches at once; each has a [`SearchBuffer`].
    pub fn new(mesh: &NavMesh<'_>, units: usize, lanes: usize) -> PathQueue {
        let buffer = SearchBuffer::new(mesh);
        PathQueue::with_buffer(units, lanes, &buffer)
    }

    /// The same with copies of a buffer, which may be small, or may grow.
    pub fn with_buffer(units: usize, lanes: usize, buffer: &SearchBuffer) -> PathQueue {
        let lane = Lane {
            buffer: buffer.clone(),
            search: None,
        };
        PathQueue {
            entries: Vec::with_capacity(units),
            line: VecDeque::with_capacity(units),
            lanes: alloc::vec![lane; lanes.max(1)],
            turn: 0,
            most: units,
            followers: Vec::with_capacity(units),
        }
    }

    /// How many units wait for an answer.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Does nobody wait?
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

    /// Asks for a path for a unit; false when the queue is full.
    ///
    /// A unit has one request. The same request again changes nothing: what was begun goes on. Another one takes its place in line; when it is
    /// being searched already, that search is given up, and the unit goes to the end of the line, so that a unit that changes its mind at every
    /// tick holds up nobody else.
    pub fn ask(&mut self, unit: u64, request: &PathRequest) -> bool {
        let at = match self.find(unit) {
            Ok(at) => at,
            Err(at) => return self.add(at, unit, request, None),
        };
        let entry = &mut self.entries[at];
        if entry.request == *request && entry.follows.is_none() {
            return true;
        }
        entry.request = *request;
        if entry.lane.is_some() || entry.follows.is_some() {
            self.give_up(at);
            self.entries[at].follows = None;
            self.line.push_back(unit);
        }
        true
    }

    /// Asks for a path for a unit that goes along with another one, which has asked before: once that one's path is found, it is fitted to
    /// `request.from` and to an end near the leader's that nobody else of the group has, `spacing` metres from the others; `request.to` is
    /// not looked at. A unit that the leader's path cannot be fitted to is searched for by itself. False when the queue is full or the leader does
    /// not wait for an answer.
    pub fn follow(&mut self, unit: u64, leader: u64, request: &PathRequest, spacing: f64) -> bool {
        // Who follows a follower follows the same leader.
        let leader = match self.find(leader) {
            Ok(at) => self.entries[at].leader().unwrap_or(leader),
            Err(_) => return false,
        };
        if leader == unit {
            return false;
        }
        let follows = Some((leader, if spacing > 0.0 { spacing } else { 0.0 }));
        let at = match self.find(unit) {
            Ok(at) => at,
            Err(at) => return self.add(at, unit, request, follows),
        };
        self.give_up(at);
        self.line.retain(|&u| u != unit);
        (self.entries[at].request, self.entries[at].follows) = (*request, follows);
        self.rename(unit, leader);
        true
    }

    fn add(
        &mut self,
        at: usize,
        unit: u64,
        request: &PathRequest,
        follows: Option<(u64, f64)>,
    ) -> bool {
        if self.entries.len() >= self.most {
            return false;
        }
        let entry = Entry {
            unit,
            request: *request,
            lane: None,
            inherited: false,
            follows,
        };
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

    /// Forgets a unit's request. When others follow it, the first of them by number takes over: its goal, and its place in line or the search that
    /// was begun.
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
            // A search that was begun goes on from where the lost leader stood; its path is fitted to the heir.
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

    /// Works on the requests, as much as the budget allows, in entries taken off open lists, and hands over the answers that are ready. Answers
    /// borrow the queue's memory: copy what is to be kept.
    pub fn tick(
        &mut self,
        query: &Query<'_>,
        budget: u32,
        mut done: impl FnMut(u64, &Answer<'_>),
    ) -> Tick {
        let mut tick = Tick::default();
        while tick.spent < budget {
            self.fill_lanes(query, budget, &mut tick);
            let busy = self.lanes.iter().filter(|l| l.search.is_some()).count() as u32;
            if busy == 0 {
                break;
            }
            // Everybody gets the same share; a share of less than 1 goes round over several ticks.
            let share = ((budget.saturating_sub(tick.spent)) / busy).max(1);
            for _ in 0..self.lanes.len() {
                let lane = self.turn % self.lanes.len();
                let room = budget.saturating_sub(tick.spent);
                let Lane { buffer, search } = &mut self.lanes[lane];
                let Some((unit, search)) = search else {
                    self.turn = lane + 1;
                    continue;
                };
                let unit = *unit;
                if room == 0 && !search.status().is_over() {
                    break;
                }
                self.turn = lane + 1;
                let before = search.expanded();
                let status = search.step(query, buffer, share.min(room));
                tick.spent = tick.spent.saturating_add(search.expanded() - before);
                if status.is_over() {
                    self.deliver(query, unit, lane, &mut tick, &mut done);
                }
            }
        }
        tick.waiting = self.entries.len() as u32;
        tick
    }

    /// Begins searches in free lanes.
    fn fill_lanes(&mut self, query: &Query<'_>, budget: u32, tick: &mut Tick) {
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
            let Lane { buffer, search } = &mut self.lanes[lane];
            *search = Some((unit, query.begin(&self.entries[at].request, buffer)));
            tick.spent = tick.spent.saturating_add(BEGIN);
        }
    }

    /// Hands over the answer of a lane, and the paths of those who follow its unit.
    fn deliver(
        &mut self,
        query: &Query<'_>,
        unit: u64,
        lane: usize,
        tick: &mut Tick,
        done: &mut impl FnMut(u64, &Answer<'_>),
    ) {
        let (Some((_, search)), Ok(at)) = (self.lanes[lane].search.take(), self.find(unit)) else {
            return;
        };
        let buffer = &mut self.lanes[lane].buffer;
        let Entry {
            request, inherited, ..
        } = self.entries[at];
        let answer = if inherited {
            search.shared(query, request.from, None, buffer)
        } else {
            Some(search.answer(query, buffer))
        };
        match answer {
            Some(answer) => {
                done(unit, &answer);
                tick.answered += 1;
                self.entries.remove(at);
            }
            None => self.search_alone(unit, request.to),
        }
        self.followers.clear();
        let followers = self.entries.iter().filter(|e| e.leader() == Some(unit));
        self.followers.extend(followers.map(|e| e.unit));
        let mut spots = 0;
        for k in 0..self.followers.len() {
            let follower = self.followers[k];
            let Ok(at) = self.find(follower) else {
                continue;
            };
            let from = self.entries[at].request.from;
            let spacing = self.entries[at].follows.map_or(0.0, |f| f.1);
            let buffer = &mut self.lanes[lane].buffer;
            tick.spent = tick.spent.saturating_add(BEGIN);
            let end = search.spot(query, &mut spots, spacing, &mut *buffer);
            match end.and_then(|end| search.shared(query, from, Some(&end), buffer)) {
                Some(answer) => {
                    done(follower, &answer);
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

    /// Puts a unit in line by itself.
    fn search_alone(&mut self, unit: u64, to: [f64; 3]) {
        if let Ok(at) = self.find(unit) {
            let entry = &mut self.entries[at];
            (entry.follows, entry.lane, entry.inherited) = (None, None, false);
            entry.request.to = to;
            self.line.push_back(unit);
        }
    }

    /// Which way a unit that waits may set out, a unit vector `[x, z]`: along what its search, or that of its leader, has found so far, else
    /// straight towards its goal. `None` for one that does not wait, or is there.
    pub fn direction(&mut self, query: &Query<'_>, unit: u64) -> Option<[f64; 2]> {
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
        if let Some(Lane {
            buffer,
            search: Some((_, search)),
        }) = searched.and_then(|l| self.lanes.get_mut(l))
            && let Some(direction) = search.direction(query, buffer)
        {
            return Some(direction);
        }
        let (dx, dz) = (to[0] - from[0], to[2] - from[2]);
        let away = crate::math::length(dx, dz);
        (away > 0.0 && away.is_finite()).then(|| [dx / away, dz / away])
    }
}
