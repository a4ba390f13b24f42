//! The begin of a search: ends, islands, the straight line and the first nodes.

use navbake_format::PolyId;

use super::astar::Front;
use super::cheap::Savings;
use super::landmarks::Landmarks;
use super::nodes::Goal;
use super::open_list::NEW;
use super::request::{Planner, Settings};
use super::slices::Slices;
use super::state::State;
use super::steps::{Phase, Search};
use super::turns::OneByOne;
use super::{AStar, Algorithm, Heuristic, PathRequest, Status};
use crate::links::is_marked;
use crate::scratch::{Memory, Need};
use crate::{Error, NavPoint, NavQuery};
use navbake_navmesh::blocks;
use navbake_navmesh::math::{float, grid_distance};

impl NavQuery<'_> {
    /// Begins a search that [`Search::step`] continues.
    ///
    /// Finds the ends, compares their islands and tries the straight line and the labels.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](super::Algorithm).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut search = query.start_path(&request, &mut scratch)?;
    /// while search.step(&query, &mut scratch, 100) == Status::Looking {}
    /// assert_eq!(search.path(&query, &mut scratch).status, Status::Reached);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn start_path(
        &self,
        request: &PathRequest,
        scratch: &mut dyn Memory,
    ) -> Result<Search, Error> {
        self.start_path_to_any(request, &[request.to], scratch)
    }

    /// Begins a search for the nearest of several goals; see [`NavQuery::find_path_to_any`].
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](super::Algorithm).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let goals = [[8.0, 0.0, 5.0], [2.0, 0.0, 1.0]];
    /// let mut search = query.start_path_to_any(&request, &goals, &mut scratch)?;
    /// while search.step(&query, &mut scratch, 100) == Status::Looking {}
    /// assert_eq!(search.path(&query, &mut scratch).goal, 1);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn start_path_to_any(
        &self,
        request: &PathRequest,
        goals: &[[f64; 3]],
        scratch: &mut dyn Memory,
    ) -> Result<Search, Error> {
        self.open_path(request, goals, true, scratch)
    }

    /// Begins a search, or opens it: up to the straight line. [`Search::go_on`] goes on.
    #[doc(hidden)]
    pub fn open_path(
        &self,
        request: &PathRequest,
        goals: &[[f64; 3]],
        begin: bool,
        scratch: &mut dyn Memory,
    ) -> Result<Search, Error> {
        let from = self.end(request.from, request.extents);
        let settings = self.settings(request, from.as_ref())?;
        let Some(from) = from else {
            let missing = self.is_missing(request.from);
            let status = if missing { Status::NotLoaded } else { Status::OffMesh };
            return Ok(Search::over(settings, status));
        };
        scratch.prepare(self.mesh(), Need::Goals(goals.len()));
        let slices = scratch.lend();
        let mut count = 0;
        for (number, &point) in goals.iter().enumerate() {
            let goal = match self.end(point, request.extents) {
                Some(to) => Goal::of(&to, number as u32),
                // A partial path may lead towards a goal that is not on the mesh.
                None if request.partial || self.is_missing(point) => {
                    let Some([x, y, z]) = self.mesh().grid().snap(point) else {
                        continue;
                    };
                    Goal {
                        polygon: u32::MAX,
                        point: [x, z],
                        height: f64::from(y),
                        number: number as u32,
                        ..Goal::default()
                    }
                }
                None => continue,
            };
            let Some(slot) = slices.goals.get_mut(count) else {
                return Ok(Search::over(settings, Status::OutOfNodes));
            };
            *slot = goal;
            count += 1;
        }
        Ok(self.begin(settings, Goal::of(&from, 0), count, begin, scratch))
    }

    /// Begins a search between two places.
    ///
    /// Ignores `from`, `to` and `extents` of the request.
    ///
    /// # Errors
    /// When the algorithm does not serve the request: see [`Algorithm`](super::Algorithm).
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let from = query.locate([1.0, 0.0, 1.0], 2.0).unwrap();
    /// let to = query.locate([3.0, 0.0, 1.0], 2.0).unwrap();
    /// let mut search = query.start_path_between(&from, &to, &request, &mut scratch)?;
    /// assert_eq!(search.step(&query, &mut scratch, 100), Status::Reached);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn start_path_between(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        scratch: &mut dyn Memory,
    ) -> Result<Search, Error> {
        self.open_path_between(from, to, request, true, scratch)
    }

    #[doc(hidden)]
    pub fn open_path_between(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        request: &PathRequest,
        begin: bool,
        scratch: &mut dyn Memory,
    ) -> Result<Search, Error> {
        let settings = self.settings(request, Some(from))?;
        scratch.prepare(self.mesh(), Need::Goals(1));
        let Some(slot) = scratch.lend().goals.first_mut() else {
            return Ok(Search::over(settings, Status::OutOfNodes));
        };
        *slot = Goal::of(to, 0);
        Ok(self.begin(settings, Goal::of(from, 0), 1, begin, scratch))
    }

    /// The settings of a request, if its algorithm serves it.
    fn settings(&self, request: &PathRequest, from: Option<&NavPoint>) -> Result<Settings, Error> {
        // An agent can leave blocked ground but not come back, so its corners differ on the route
        // out. The optimal search knows only the corners on the outside, and a search from the goal
        // would have to enter that ground.
        let shut_in = from.is_some_and(|from| self.closings().is_closed(from.polygon()));
        let plain = self.is_plain();
        if self.stale {
            return Err(Error::StaleFilter);
        }
        let auto = match plain && !shut_in && self.mesh().labels().is_some() {
            true => Planner::Optimal,
            false => Planner::Corridor,
        };
        let mut settings = Settings::of(request, auto);
        if settings.a_star.heuristic == Heuristic::Table && Landmarks::of(self).is_none() {
            return Err(Error::NoLandmarks);
        }
        match settings.planner {
            Planner::Optimal if !plain => return Err(Error::Costs),
            Planner::Optimal if shut_in => return Err(Error::StartBlocked),
            Planner::Weighted if plain && !shut_in => settings.planner = Planner::Optimal,
            _ => {}
        }
        Ok(settings)
    }

    /// The algorithm for the cheapest path from a place, whatever is blocked and has costs now.
    #[doc(hidden)]
    pub fn cheapest(&self, from: &NavPoint) -> Algorithm {
        match self.is_plain() {
            true if self.closings().is_closed(from.polygon()) => {
                Algorithm::Corridor(AStar::default())
            }
            true => Algorithm::Optimal,
            false => Algorithm::weighted(Algorithm::GAP),
        }
    }

    /// Begins or opens a search for the goals that are in the scratch.
    fn begin(
        &self,
        settings: Settings,
        start: Goal,
        count: usize,
        begin: bool,
        memory: &mut dyn Memory,
    ) -> Search {
        if count == 0 {
            return Search::over(settings, Status::OffMesh);
        }
        let mut slices = memory.lend();
        let scratch = &mut slices;
        let mesh = self.mesh();
        let island = mesh.island(PolyId(start.polygon));
        let linked = self.links().next().is_some();
        let goals = scratch.goals.get(..count).unwrap_or(&[]);
        let elsewhere =
            |goal: &Goal| goal.polygon != u32::MAX && mesh.island(PolyId(goal.polygon)) != island;
        // Spread over the islands only where the answer needs it.
        let leads = |polygon: u32| self.leads(PolyId(start.polygon), PolyId(polygon));
        let unknown = |goal: &Goal| elsewhere(goal) && leads(goal.polygon).is_none();
        // A partial path may lead to another island, from which the ground goes on.
        let needed = (settings.partial && mesh.is_in_chunks()) || goals.iter().any(unknown);
        let by_links = linked && needed && self.spread_over_links(island, scratch.slots);
        let slots = &*scratch.slots;
        let comes_to = |polygon: u32| {
            leads(polygon).unwrap_or_else(|| {
                let other = mesh.island(PolyId(polygon));
                other == island || (by_links && is_marked(slots, other))
            })
        };
        let can_be_reached = |goal: &Goal| goal.polygon != u32::MAX && comes_to(goal.polygon);
        // Goals that can be reached come first. Where there are some, the others are dropped.
        let mut reachable = 0;
        for i in 0..count {
            let goal = scratch.goals[i];
            if can_be_reached(&goal) {
                scratch.goals[reachable] = goal;
                reachable += 1;
            }
        }
        let away = |goal: &Goal| grid_distance(start.point, goal.point);
        let mut search = Search {
            start,
            linked,
            goals: if reachable > 0 { reachable } else { count },
            reachable: reachable > 0,
            ..Search::over(settings, Status::Unreachable)
        };
        if !search.reachable {
            let beyond = self.goes_beyond(&start, &scratch.goals[..count]);
            search.beyond = Some(beyond);
            if !settings.partial {
                return search;
            }
            let goals = &mut scratch.goals[..count];
            let exit = if beyond { self.exit_towards(&start, goals, comes_to) } else { None };
            if let Some(exit) = exit {
                goals[0] = exit;
                (search.goals, search.reachable) = (1, true);
            } else {
                goals.iter_mut().for_each(|goal| goal.polygon = u32::MAX);
            }
        }
        let goals = scratch.goals.get(..search.goals).unwrap_or(&[]);
        search.bound = goals.iter().map(away).fold(f64::INFINITY, f64::min);
        if linked {
            search.state.savings = Savings::to_goals(self, goals, scratch.cheap);
            let linked = search.state.savings.least(float(start.point), scratch.cheap);
            search.bound = search.bound.min(linked);
        }
        search.bound *= self.least_weight();
        search.phase = Phase::Opened;
        if search.reachable {
            search.straight(self, scratch);
        }
        if begin {
            search.go_on(self, memory);
        }
        search
    }

    pub(super) fn goal_place(&self, goal: &Goal) -> NavPoint {
        self.location(PolyId(goal.polygon), goal.point, goal.height)
    }
}

impl Goal {
    pub(super) fn of(place: &NavPoint, number: u32) -> Goal {
        Goal {
            polygon: place.polygon().0,
            point: place.point(),
            height: place.height(),
            number,
            ..Goal::default()
        }
    }
}

impl Search {
    /// The start and the goal where the search is open and one can be reached: there is a path to
    /// look for.
    #[doc(hidden)]
    pub fn ends(&self, query: &NavQuery<'_>, scratch: &Slices<'_>) -> Option<[NavPoint; 2]> {
        let goal = scratch.goals.first()?;
        let open = self.reachable && matches!(self.phase, Phase::Opened);
        open.then(|| [query.goal_place(&self.start), query.goal_place(goal)])
    }

    /// Begins an open search: looks the path up in labels, or puts the first nodes on the list.
    /// False where the search is not open.
    #[doc(hidden)]
    pub fn go_on(&mut self, query: &NavQuery<'_>, memory: &mut dyn Memory) -> bool {
        self.go_on_in_row(query, None, memory)
    }

    /// The same for a goal of the row that was found last.
    pub(super) fn go_on_in_row(
        &mut self,
        query: &NavQuery<'_>,
        row: Option<usize>,
        memory: &mut dyn Memory,
    ) -> bool {
        if !matches!(self.phase, Phase::Opened) {
            return false;
        }
        let mesh = query.mesh();
        if self.request.planner == Planner::Optimal && self.reachable {
            memory.prepare(mesh, Need::Labels);
            let before = memory.lend().tables.work();
            let found = self.look_up(query, row, &mut memory.lend()).is_some();
            self.looked = memory.lend().tables.work().wrapping_sub(before);
            if !found {
                memory.prepare(mesh, Need::Optimal);
                self.phase = Phase::Optimal(OneByOne::default());
            }
            return true;
        }
        memory.prepare(
            mesh,
            match self.request.planner {
                Planner::Midpoints => Need::Portals,
                Planner::Weighted => Need::Weighted,
                _ => Need::Polygons,
            },
        );
        // Links are stored at their begin, and going up costs something else than going down.
        let one_way = self.linked || !query.slopes().are_free();
        let shut_in = query.is_forbidden(PolyId(self.start.polygon));
        let reverse = self.request.a_star.reverse && self.reachable && !shut_in && !one_way;
        self.begin_nodes(query, reverse, &mut memory.lend());
        true
    }

    fn over(request: Settings, status: Status) -> Search {
        Search {
            request,
            start: Goal::default(),
            goals: 0,
            reachable: false,
            phase: Phase::Over(status),
            state: State::default(),
            before: 0,
            linked: false,
            beyond: None,
            bound: f64::INFINITY,
            looked: 0,
        }
    }

    /// Tries the straight line to the goal that is nearest in the ground plane.
    ///
    /// When that line is free, no path is shorter. That goal becomes the first.
    fn straight(&mut self, query: &NavQuery<'_>, scratch: &mut Slices<'_>) {
        let from = query.goal_place(&self.start);
        let away = |g: &Goal| grid_distance(self.start.point, g.point);
        let Some(nearest) = (0..self.goals.min(scratch.goals.len()))
            .min_by(|&a, &b| away(&scratch.goals[a]).total_cmp(&away(&scratch.goals[b])))
        else {
            return;
        };
        // Over a shortcut link a path may be shorter, and around costly ground cheaper.
        if self.bound < away(&scratch.goals[nearest]) || !query.is_plain() {
            return;
        }
        let to = query.goal_place(&scratch.goals[nearest]);
        if let Some(corridor) = query.straight(&from, &to, scratch) {
            scratch.goals.swap(0, nearest);
            self.phase = Phase::Straight(corridor);
        }
    }

    /// Puts the starts on the open list.
    pub(super) fn begin_nodes(
        &mut self,
        query: &NavQuery<'_>,
        reverse: bool,
        scratch: &mut Slices<'_>,
    ) {
        let goals = self.goals.min(scratch.goals.len());
        for goal in &mut scratch.goals[..goals] {
            goal.node = NEW;
        }
        self.start.node = NEW;
        let slot = self.request.planner != Planner::Midpoints;
        let mut state = State::after(&self.state);
        state.metre =
            (self.request.a_star.ahead).metre(query, &self.start, &scratch.goals[..goals]);
        if self.linked {
            state.savings = Savings::to_goals(query, &scratch.goals[..goals], scratch.cheap);
        }
        state.marked = self.leaves_out(query, scratch);
        let rules = self.rules(query);
        if rules.by_landmarks()
            && let Some(landmarks) = Landmarks::of(query)
        {
            let goals = scratch.goals[..goals].iter_mut().chain([&mut self.start]);
            goals.for_each(|goal| landmarks.tell(goal));
        }
        let start = self.start;
        let mut fits = true;
        if reverse {
            // The search borrows the goals one by one: they are not its targets.
            let mut target = self.start;
            let mut now = state;
            for i in 0..goals {
                let goal = scratch.goals[i];
                let mut front = Front::new(query, scratch, Some(&mut target), 0, now, rules);
                fits &= front.start(query, &goal, i as u32, slot);
                now = front.state();
            }
            self.state = now;
        } else {
            let mut front = Front::new(query, scratch, None, goals, state, rules);
            fits = front.start(query, &start, 0, slot);
            self.state = front.state();
        }
        self.phase = Phase::Nodes { reverse, done: !fits };
    }

    /// Marks the ground that paths to the goals can lead through, where other ground may be left
    /// out.
    ///
    /// A path through polygons that comes back to one is not the shortest, so dead ends are not
    /// looked at. Not where paths may end elsewhere, or take links.
    fn leaves_out(&self, query: &NavQuery<'_>, scratch: &mut Slices<'_>) -> bool {
        let only = self.request.planner == Planner::Corridor;
        let polys = query.mesh().polys();
        let (goals, marks) = (&*scratch.goals, &mut *scratch.sight.marks);
        if !only
            || self.linked
            || self.request.partial
            || marks.len() < polys.tops.len().div_ceil(64)
        {
            return false;
        }
        marks.fill(0);
        let goals = goals.iter().take(self.goals);
        goals.for_each(|goal| blocks::mark(polys, self.start.polygon, goal.polygon, marks));
        true
    }
}
