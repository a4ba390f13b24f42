//! The queue itself, over any space.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use navbake_navmesh::math::towards;
use navbake_search::Error;

use crate::entries::{Entries, Entry};
use crate::mesh::Mesh;
use crate::space::Space;

/// The cost of beginning a search, in entries of an open list.
///
/// It covers two locations and a straight line.
const BEGIN: u32 = 8;

/// The cost of fitting a leader's path to a follower, besides its points.
const FIT: u32 = 4;

/// A search under way.
#[derive(Clone, Debug)]
struct Lane<S: Space> {
    memory: S::Memory,
    search: Option<(u64, S::Search)>,
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
/// It allocates when it is made, and when the memory of a search grows; over cells and routes also
/// for the goals of requests. It holds no more units than it was made for.
///
/// [`PathQueue::new`] makes one over a navmesh, [`PathQueue::over_cells`] one over a grid map,
/// [`PathQueue::over_routes`] one over a route network.
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
pub struct PathQueue<S: Space = Mesh> {
    entries: Entries<S::Request>,
    /// The units in line.
    line: VecDeque<u64>,
    lanes: Vec<Lane<S>>,
    /// The lane that is served next.
    turn: usize,
    most: usize,
    /// Units that get a fitted leader's path, in order.
    followers: Vec<u64>,
}

impl<S: Space> PathQueue<S> {
    pub(crate) fn with_memory(units: usize, lanes: usize, memory: S::Memory) -> PathQueue<S> {
        let lane = Lane { memory, search: None };
        PathQueue {
            entries: Entries::with_capacity(units),
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
        self.entries.len() == 0
    }

    /// Does a unit wait for an answer?
    pub fn holds(&self, unit: u64) -> bool {
        self.find(unit).is_some()
    }

    fn find(&self, unit: u64) -> Option<usize> {
        self.entries.find(unit)
    }

    /// Requests a path for a unit; false when the queue is full.
    ///
    /// A unit has one request. The same request again changes nothing: the search goes on. A
    /// different request takes the old one's place in line. If the old one is already being
    /// searched, that search is given up and the unit goes to the end of the line. So a unit that
    /// changes its request at every tick delays no other unit.
    pub fn ask(&mut self, unit: u64, request: impl Into<S::Request>) -> bool {
        let request = request.into();
        let Some(at) = self.find(unit) else {
            return self.add(unit, request, None);
        };
        let entry = &mut self.entries[at];
        if entry.request == request && entry.follows.is_none() {
            return true;
        }
        entry.request = request;
        if entry.lane.is_some() || entry.follows.is_some() {
            self.give_up(at);
            self.entries[at].follows = None;
            self.line.push_back(unit);
        }
        true
    }

    /// Requests a path for a unit that follows another one, which has a request.
    ///
    /// When the leader's path is found, it is fitted to the start of the unit's request and to an
    /// end near the leader's. No other unit of the group has that end; the ends are `spacing`
    /// metres apart, over cells at least. Goals of the request are ignored. If the leader's path
    /// cannot be fitted, the unit gets a search of its own. False when the queue is full or the
    /// leader does not wait for an answer.
    pub fn follow(
        &mut self,
        unit: u64,
        leader: u64,
        request: impl Into<S::Request>,
        spacing: f64,
    ) -> bool {
        let Some(first) = self.find(leader) else {
            return false;
        };
        // A unit that follows a follower follows the same leader.
        let leader = self.entries[first].leader().unwrap_or(leader);
        if leader == unit {
            return false;
        }
        let mut request = request.into();
        S::aim_like(&mut request, &self.entries[first].request);
        let follows = Some((leader, if spacing > 0.0 { spacing } else { 0.0 }));
        if let Some(leader) = self.find(leader) {
            self.entries[leader].leads = true;
        }
        let Some(at) = self.find(unit) else {
            return self.add(unit, request, follows);
        };
        self.give_up(at);
        self.line.retain(|&u| u != unit);
        let entry = &mut self.entries[at];
        (entry.request, entry.follows) = (request, follows);
        self.rename(unit, leader);
        true
    }

    /// Begins all searches anew, at the next tick.
    ///
    /// Call it when the mesh, or what a filter closes or makes dearer, has changed between two
    /// ticks: paths that were half found may lead where none does now.
    pub fn restart(&mut self) {
        // The line is written from its front, so the first unit comes last.
        for place in (0..self.entries.len()).rev() {
            let at = self.entries.slot(place);
            if let Some(lane) = self.entries[at].lane.take() {
                self.lanes[lane].search = None;
                self.entries[at].inherited = false;
                self.line.push_front(self.entries[at].unit);
            }
        }
    }

    fn add(&mut self, unit: u64, request: S::Request, follows: Option<(u64, f64)>) -> bool {
        if self.entries.len() >= self.most {
            return false;
        }
        self.entries.add(Entry {
            unit,
            request,
            lane: None,
            inherited: false,
            follows,
            leads: false,
        });
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
        if let Some(new) = self.find(new) {
            self.entries[new].leads = true;
        }
        for entry in self.entries.iter_mut() {
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
        let Some(at) = self.find(unit) else {
            return;
        };
        let heir = self.entries.in_order().find(|&k| self.entries[k].leader() == Some(unit));
        if let Some(heir) = heir {
            let Some([lost, heir]) = self.entries.two([at, heir]) else {
                return;
            };
            heir.follows = None;
            S::aim_like(&mut heir.request, &lost.request);
            heir.lane = lost.lane.take();
            // A search that was begun goes on from the lost leader's start; its path is fitted to
            // the heir.
            heir.inherited = heir.lane.is_some();
            let searched = heir.lane.and_then(|lane| self.lanes[lane].search.as_mut());
            let heir = heir.unit;
            if let Some((searched, _)) = searched {
                *searched = heir;
            }
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
        query: &S::Query<'_>,
        budget: u32,
        mut done: impl FnMut(u64, Result<&S::Path<'_>, &Error>),
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
                let Lane { memory, search } = &mut self.lanes[lane];
                let Some((unit, search)) = search else {
                    self.turn = lane + 1;
                    continue;
                };
                let unit = *unit;
                if room == 0 {
                    break;
                }
                self.turn = lane + 1;
                let (done_now, is_over) = S::step(query, search, memory, share.min(room));
                tick.spent = tick.spent.saturating_add(done_now);
                if is_over {
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
        query: &S::Query<'_>,
        budget: u32,
        tick: &mut Tick,
        done: &mut impl FnMut(u64, Result<&S::Path<'_>, &Error>),
    ) {
        for lane in 0..self.lanes.len() {
            if self.lanes[lane].search.is_some() || tick.spent >= budget {
                continue;
            }
            let Some(unit) = self.line.pop_front() else {
                return;
            };
            let Some(at) = self.find(unit) else {
                continue;
            };
            self.entries[at].lane = Some(lane);
            let Lane { memory, search } = &mut self.lanes[lane];
            tick.spent = tick.spent.saturating_add(BEGIN);
            match S::begin(query, &self.entries[at].request, memory) {
                Ok((begun, work)) => {
                    tick.spent = tick.spent.saturating_add(work);
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
        query: &S::Query<'_>,
        unit: u64,
        lane: usize,
        tick: &mut Tick,
        done: &mut impl FnMut(u64, Result<&S::Path<'_>, &Error>),
    ) {
        let (Some((_, search)), Some(at)) = (self.lanes[lane].search.take(), self.find(unit))
        else {
            return;
        };
        let memory = &mut self.lanes[lane].memory;
        let Entry { request, inherited, leads, .. } = &self.entries[at];
        let leads = *leads;
        let answer = match inherited {
            true => S::fitted(query, &search, request, None, memory),
            false => Some(S::path(query, &search, memory)),
        };
        let request = match answer {
            Some((answer, work)) => {
                tick.spent = tick.spent.saturating_add(work);
                done(unit, Ok(&answer));
                tick.answered += 1;
                self.entries.remove(at).request
            }
            None => {
                self.search_alone(at);
                self.entries[at].request.clone()
            }
        };
        if !leads {
            return;
        }
        self.list_followers(unit);
        let mut places = 0;
        for k in 0..self.followers.len() {
            let Some(at) = self.find(self.followers[k]) else {
                continue;
            };
            let spacing = self.entries[at].follows.map_or(0.0, |f| f.1);
            let memory = &mut self.lanes[lane].memory;
            tick.spent = tick.spent.saturating_add(FIT);
            let end = S::place_near_goal(query, &search, &mut places, spacing, memory);
            let own = &self.entries[at].request;
            let fit = end.and_then(|end| S::fitted(query, &search, own, Some(end), memory));
            if let Some((answer, work)) = fit {
                tick.spent = tick.spent.saturating_add(work);
                done(self.followers[k], Ok(&answer));
                tick.answered += 1;
                self.entries.remove(at);
                continue;
            }
            // To its end near the goal, or to the goal itself.
            let own = &mut self.entries[at].request;
            match end {
                Some(end) => S::aim_at(query, own, end),
                None => S::aim_like(own, &request),
            }
            self.search_alone(at);
        }
    }

    /// Lists the units that follow another one.
    fn list_followers(&mut self, leader: u64) {
        self.followers.clear();
        let all = self.entries.in_order().map(|k| &self.entries[k]);
        self.followers.extend(all.filter(|e| e.leader() == Some(leader)).map(|e| e.unit));
    }

    /// Drops a request that its algorithm does not serve. Its followers search alone.
    fn refuse(&mut self, at: usize) {
        let Entry { unit, request, .. } = self.entries.remove(at);
        self.list_followers(unit);
        for k in 0..self.followers.len() {
            if let Some(at) = self.find(self.followers[k]) {
                S::aim_like(&mut self.entries[at].request, &request);
                self.search_alone(at);
            }
        }
    }

    /// Puts a unit in line without a leader.
    fn search_alone(&mut self, at: usize) {
        let entry = &mut self.entries[at];
        (entry.follows, entry.lane, entry.inherited) = (None, None, false);
        self.line.push_back(entry.unit);
    }

    /// The direction in which a waiting unit may set out, a unit vector `[x, z]`.
    ///
    /// It is along the path that its search, or its leader's, has found up to now, else straight
    /// towards its goal. `None` for a unit that does not wait, or is at its goal.
    pub fn direction(&mut self, query: &S::Query<'_>, unit: u64) -> Option<[f64; 2]> {
        let entry = &self.entries[self.find(unit)?];
        let [from, mut to] = S::ends(&entry.request);
        let searched = match entry.leader() {
            Some(leader) => {
                let leader = &self.entries[self.find(leader)?];
                to = S::ends(&leader.request)[1];
                leader.lane
            }
            None => entry.lane,
        };
        if let Some(Lane { memory, search: Some((_, search)) }) =
            searched.and_then(|l| self.lanes.get_mut(l))
            && let Some(direction) = S::direction(query, search, memory)
        {
            return Some(direction);
        }
        towards([from[0], from[2]], [to[0], to[2]])
    }
}
