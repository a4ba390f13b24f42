//! A whole path: the shortest within the rooms of the route over doors.
//!
//! Two lower bounds hold for any path: one from doors ([`bound`]), one from the exits of these
//! rooms ([`Exits`]). Where the path found is longer than the bound by more than a tenth, all rooms
//! are added that a path shorter by a tenth could lead through. Then the search runs once more. The
//! rooms left out cannot make the path shorter by more than a tenth.

use navbake_format::Rooms;
use navbake_navmesh::math::grid_distance;
use navbake_search::parts::{Corridor, Outcome, Slices, State as Ground, trace};
use navbake_search::trace::Visit;
use navbake_search::{Algorithm, Error, NavPath, NavPoint, NavQuery, PathRequest, Search, Status};

use crate::bound::bound;
use crate::exits::{Exits, MOST};
use crate::links::saved;
use crate::memory::Lists;
use crate::plan::{Marks, Planned, plan};
use crate::refine::refine;
use crate::scratch::RoomMemory;
use crate::within::Within;

/// A path that was searched for over rooms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoomPath<'s> {
    /// The path.
    pub path: NavPath<'s>,
    /// See [`RoomSearch::by_rooms`].
    pub by_rooms: bool,
}

/// Finds a path over rooms; [`RoomSearch`] does so in steps.
///
/// # Errors
/// Those of [`RoomSearch::new`].
///
/// ```
/// # navbake_testkit::example!(nav, query, request, scratch);
/// let mut scratch = navbake_rooms::RoomScratch::new();
/// let found = navbake_rooms::find_path(&query, &request, &mut scratch);
/// assert_eq!(found.err(), Some(Error::NoRooms)); // this level was baked without
/// ```
pub fn find_path<'s>(
    query: &NavQuery<'_>,
    request: &PathRequest,
    scratch: &'s mut dyn RoomMemory,
) -> Result<RoomPath<'s>, Error> {
    let mut search = RoomSearch::new(query, request, scratch)?;
    search.step(query, scratch, u32::MAX);
    let by_rooms = search.by_rooms();
    Ok(RoomPath { path: search.path(query, scratch), by_rooms })
}

/// A search over rooms under way, as [`Search`] is one over the ground.
///
/// A plan over doors comes first, then the shortest path in the rooms of the plan. The path is at
/// most a tenth longer than the shortest, which the search ensures, and far less as a rule. Where
/// doors do not decide, the search goes on over all ground.
///
/// A [`Search`] becomes one by `From`, for code that steps both.
///
/// ```no_run
/// # fn game(query: &navbake_search::NavQuery<'_>, request: navbake_search::PathRequest)
/// # -> Result<(), navbake_search::Error> {
/// use navbake_rooms::{RoomScratch, RoomSearch};
/// use navbake_search::Status;
///
/// let mut scratch = RoomScratch::new();
/// let mut search = RoomSearch::new(query, &request, &mut scratch)?;
/// while search.step(query, &mut scratch, 100) == Status::Looking {
///     // A frame of the game passes.
/// }
/// let path = search.path(query, &mut scratch);
/// # let _ = path;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RoomSearch {
    /// It is open as long as rooms decide.
    search: Search,
    rooms: Option<State>,
    by_rooms: bool,
}

/// The state of a search within the rooms of a route.
#[derive(Clone, Copy, Debug)]
struct State {
    ends: [NavPoint; 2],
    within: Within,
    ground: Ground,
    outcome: Option<Outcome>,
    /// Have rooms been added?
    grown: bool,
    done: bool,
    /// Lower bound on all paths, grid units.
    bound: f64,
    /// Doors settled, and cones of searches before.
    before: u32,
    max_open: u32,
}

/// Expands a plan down to rooms, and puts these into the scratch.
/// Returns the number of rooms, `None` where the cells do not determine them, and the number of
/// doors settled.
fn rooms_of(
    rooms: &Rooms<'_>,
    hops: u32,
    start: u32,
    units: f64,
    scratch: &mut Lists<'_>,
) -> (Option<u32>, u32) {
    let mut count = scratch.doors.rooms.insert(0, start);
    let (mut left, mut from, mut expanded) = (hops, u32::MAX, 0u32);
    while let Some(before) = left.checked_sub(1) {
        let Some(&hop) = scratch.doors.hops.get(before as usize) else {
            return (None, expanded);
        };
        left = before;
        if hop.cell < rooms.count() {
            count = scratch.doors.rooms.insert(count, hop.cell);
            from = hop.to;
            continue;
        }
        let (found, doors) = refine(rooms, from, hop, left, units, scratch);
        expanded = expanded.saturating_add(doors);
        if found == 0 {
            return (None, expanded);
        }
        left += found;
    }
    (Some(count), expanded)
}

impl From<Search> for RoomSearch {
    fn from(search: Search) -> RoomSearch {
        RoomSearch { search, rooms: None, by_rooms: false }
    }
}

impl RoomSearch {
    /// Begins a search that [`RoomSearch::step`] continues: tries the straight line, and plans the
    /// route over doors.
    ///
    /// Ignores the algorithm of the request.
    ///
    /// # Errors
    /// [`Error::NoRooms`] where the mesh has no distances between doors, and what
    /// [`Algorithm::Optimal`] refuses.
    pub fn new(
        query: &NavQuery<'_>,
        request: &PathRequest,
        scratch: &mut dyn RoomMemory,
    ) -> Result<RoomSearch, Error> {
        let request = request.algorithm(Algorithm::Optimal);
        let search = query.open_path(&request, &[request.to], false, scratch.ground())?;
        RoomSearch::plan(search, query, scratch)
    }

    /// Begins a search between two places.
    ///
    /// Ignores `from`, `to`, `extents` and the algorithm of the request.
    ///
    /// # Errors
    /// Those of [`RoomSearch::new`].
    pub fn between(
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        scratch: &mut dyn RoomMemory,
    ) -> Result<RoomSearch, Error> {
        let request = request.algorithm(Algorithm::Optimal);
        let search = query.open_path_between(from, to, &request, false, scratch.ground())?;
        RoomSearch::plan(search, query, scratch)
    }

    fn plan(
        search: Search,
        query: &NavQuery<'_>,
        scratch: &mut dyn RoomMemory,
    ) -> Result<RoomSearch, Error> {
        let rooms = query.mesh().rooms().filter(|rooms| rooms.has_ways()).ok_or(Error::NoRooms)?;
        let mut own = RoomSearch { search, rooms: None, by_rooms: true };
        if let Some(ends) = own.search.ends(query, &scratch.ground().lend()) {
            scratch.prepare(query.mesh());
            own.begin(query, rooms, ends, &mut scratch.lend());
        }
        if own.rooms.is_none() {
            own.go_on(query, scratch);
        }
        Ok(own)
    }

    /// Begins the search within the rooms of the route over doors, if there is one.
    fn begin(
        &mut self,
        query: &NavQuery<'_>,
        rooms: &Rooms<'_>,
        [from, to]: [NavPoint; 2],
        scratch: &mut Lists<'_>,
    ) {
        let (planned, work) =
            plan(query, rooms, [&from, &to], [false; 2], &mut Marks::default(), scratch);
        let before = &mut self.search.before;
        *before = before.saturating_add(work.expanded);
        let Planned::Way(hops) = planned else {
            return;
        };
        let units = query.mesh().grid().units();
        let start = rooms.of(from.polygon()).0;
        let (count, expanded) = rooms_of(rooms, hops, start, units, scratch);
        *before = before.saturating_add(expanded);
        let Some(count) = count else {
            return;
        };
        let (within, ground) = Within::begin(query, &from, &to, count, true, scratch);
        self.rooms = Some(State {
            ends: [from, to],
            within,
            ground,
            outcome: None,
            grown: false,
            done: false,
            bound: (grid_distance(from.point(), to.point()) - saved(query)).max(0.0),
            before: 0,
            max_open: work.max_open,
        });
    }

    /// Goes on over all ground, unless the search is over.
    fn go_on(&mut self, query: &NavQuery<'_>, scratch: &mut dyn RoomMemory) {
        self.by_rooms &= !self.search.go_on(query, scratch.ground());
    }

    /// Continues the search: takes at most `budget` entries off the open list.
    ///
    /// [`Status::Looking`] means that the search is not done.
    pub fn step(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut dyn RoomMemory,
        mut budget: u32,
    ) -> Status {
        while budget > 0
            && let Some(state) = &mut self.rooms
            && !state.done
        {
            if !state.step(query, &mut scratch.lend(), &mut budget) {
                // The route over doors is blocked: all ground is searched.
                let before = &mut self.search.before;
                *before = before.saturating_add(state.expanded());
                self.rooms = None;
                self.go_on(query, scratch);
            }
        }
        if self.rooms.is_none() {
            self.search.step(query, scratch.ground(), budget);
        }
        self.status()
    }

    /// The state of the request.
    pub fn status(&self) -> Status {
        self.rooms.as_ref().map_or(self.search.status(), State::status)
    }

    /// Did no search over all ground take over, because doors do not decide?
    pub fn by_rooms(&self) -> bool {
        self.by_rooms
    }

    /// The algorithm of the search over all ground.
    #[doc(hidden)]
    pub fn algorithm(&self) -> Algorithm {
        self.search.algorithm()
    }

    /// Number of entries taken off open lists up to now: doors and cones.
    pub fn expanded(&self) -> u32 {
        let own = self.rooms.as_ref().map_or(0, State::expanded);
        own.saturating_add(self.search.expanded())
    }

    /// The work of the look-up in labels at its begin, in label entries that are read.
    #[doc(hidden)]
    pub fn looked(&self) -> u32 {
        self.search.looked
    }

    /// The path, or the reason why there is none: see [`Search::path`].
    pub fn path<'s>(&self, query: &NavQuery<'_>, scratch: &'s mut dyn RoomMemory) -> NavPath<'s> {
        let scratch = scratch.ground();
        let Some(state) = &self.rooms else {
            return self.search.path(query, scratch);
        };
        let NavPath { bound, algorithm, .. } = self.search.path(query, scratch);
        let ground = &state.ground;
        let [from, to] = &state.ends;
        let outcome = state.outcome.unwrap_or(Outcome::Nowhere);
        let path = ground.answer(query, from, to, &outcome, scratch.lend());
        let whole = path.status == Status::Reached && state.done;
        let least = (state.bound / query.mesh().grid().units()).min(path.cost);
        NavPath {
            status: if state.done { path.status } else { Status::Looking },
            bound: if whole { least } else { bound },
            certified_optimal: whole && state.bound >= ground.length,
            expanded: self.expanded(),
            closed: ground.expanded,
            max_open: state.max_open,
            algorithm,
            ..path
        }
    }

    /// The direction in which to set out: see [`Search::direction`].
    pub fn direction(
        &self,
        query: &NavQuery<'_>,
        scratch: &mut dyn RoomMemory,
    ) -> Option<[f64; 2]> {
        match &self.rooms {
            None => self.search.direction(query, scratch.ground()),
            Some(state) => {
                let [here, goal] = state.ends.map(|end| end.position());
                self.path(query, scratch).direction(here, goal)
            }
        }
    }

    /// All nodes that the search has reached: see [`Search::visits`].
    pub fn visits<'v>(
        &self,
        query: &NavQuery<'v>,
        scratch: &'v mut dyn RoomMemory,
    ) -> impl Iterator<Item = Visit> + 'v {
        self.search.visits_within(query, scratch.ground(), self.rooms.map(|own| own.ground))
    }

    /// The node that was expanded last: see [`Search::last_visit`].
    pub fn last_visit(&self, query: &NavQuery<'_>, scratch: &mut dyn RoomMemory) -> Option<Visit> {
        let scratch = scratch.ground();
        match &self.rooms {
            None => self.search.last_visit(query, scratch),
            Some(state) => state.ground.last_visit(query, &scratch.lend()),
        }
    }

    /// The last node of the path that was found: see [`Search::end_node`].
    pub fn end_node(&self) -> Option<u32> {
        match self.rooms.map(|state| state.outcome) {
            None => self.search.end_node(),
            Some(Some(Outcome::Reached(end))) => Some(end as u32),
            Some(_) => None,
        }
    }

    /// The search over the ground.
    #[doc(hidden)]
    pub fn search(&self) -> &Search {
        &self.search
    }

    /// The corridor of the path that was found, written into the scratch, and the ends.
    #[doc(hidden)]
    pub fn corridor(
        &self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, [NavPoint; 2])> {
        let Some(state) = &self.rooms else {
            return self.search.corridor(query, scratch);
        };
        let Some(Outcome::Reached(end)) = state.outcome.filter(|_| state.done) else {
            return None;
        };
        let corridor = trace(query, end, &state.ends[1], scratch);
        corridor.is_whole().then_some((corridor, state.ends))
    }
}

impl State {
    /// Entries taken off open lists.
    fn expanded(&self) -> u32 {
        self.before.saturating_add(self.ground.expanded)
    }

    fn status(&self) -> Status {
        match self.outcome {
            _ if !self.done => Status::Looking,
            Some(Outcome::Reached(_)) => Status::Reached,
            _ => Status::OutOfNodes,
        }
    }

    /// Continues the search. False when there is no path within the rooms.
    fn step(&mut self, query: &NavQuery<'_>, scratch: &mut Lists<'_>, budget: &mut u32) -> bool {
        let before = self.ground.expanded;
        let outcome = self.within.step(&mut self.ground, query, scratch, *budget);
        *budget = budget.saturating_sub((self.ground.expanded - before).max(1));
        self.max_open = self.max_open.max(self.ground.max_open);
        match outcome {
            None => {}
            Some(Outcome::Reached(_)) => {
                self.outcome = outcome;
                self.reached(query, scratch);
            }
            Some(Outcome::Full | Outcome::OutOfNodes) => {
                (self.outcome, self.done) = (outcome, true)
            }
            // The route over doors is blocked from this side.
            Some(Outcome::Nowhere) => return false,
        }
        true
    }

    /// Checks whether the path is short enough; otherwise adds rooms, once.
    fn reached(&mut self, query: &NavQuery<'_>, scratch: &mut Lists<'_>) {
        let Some(rooms) = query.mesh().rooms() else {
            return;
        };
        let length = self.ground.length;
        let ([from, to], count) = (self.ends, self.within.rooms);
        let exits = Exits::new(query, rooms, &from, &to);
        self.done = true;
        self.bound = self.bound.max(exits.bound(count, scratch).min(length));
        if self.grown || length <= MOST * self.bound {
            return;
        }
        let (least, doors) = bound(query, rooms, &from, &to, scratch);
        self.before = self.before.saturating_add(doors);
        self.bound = self.bound.max(least.min(length));
        if length <= MOST * self.bound {
            return;
        }
        let count = exits.grow(count, length / MOST, scratch);
        self.before = self.expanded();
        (self.within, self.ground) = Within::begin(query, &from, &to, count, true, scratch);
        (self.grown, self.done, self.outcome) = (true, false, None);
    }
}
