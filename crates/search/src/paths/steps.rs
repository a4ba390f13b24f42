//! A search as a value: begun, stepped, and read as an answer.

use super::astar::{Front, nearest};
use super::corridor::Polygons;
use super::finish::Bend;
use super::midpoints::Portals;
use super::nodes::{Corridor, Goal};
use super::request::{Planner, Settings};
use super::slices::Slices;
use super::state::{Pause, Rules, State};
use super::turns::OneByOne;
use super::weighted::State as WeightedState;
use super::{Algorithm, NavPath, Status};
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};

/// A search under way.
///
/// It holds the search's state. Its nodes are in the scratch that it began with. That scratch must
/// serve this search alone until the answer is read, and every step must get it. Many searches on
/// one mesh may be under way at once, each with scratch of its own.
///
/// ```no_run
/// # fn game(query: &navbake_search::NavQuery<'_>, request: navbake_search::PathRequest)
/// # -> Result<(), navbake_search::Error> {
/// use navbake_search::{Scratch, Status};
///
/// let mut scratch = Scratch::new();
/// let mut search = query.start_path(&request, &mut scratch)?;
/// while search.step(query, &mut scratch, 100) == Status::Looking {
///     // A frame of the game passes. The direction to walk in until there is a path:
///     let _towards = search.direction(query, &mut scratch);
/// }
/// let path = search.path(query, &mut scratch);
/// # let _ = path;
/// # Ok::<(), navbake_search::Error>(())
/// # }
/// ```
///
/// A search that gets other scratch gives an answer without meaning, and nothing worse.
#[derive(Clone, Debug)]
pub struct Search {
    pub(super) request: Settings,
    pub(super) start: Goal,
    /// Number of goals in the scratch.
    ///
    /// Those that can be reached or, where there is none, all.
    pub(super) goals: usize,
    /// Can any goal be reached?
    pub(super) reachable: bool,
    pub(super) phase: Phase,
    pub(super) state: State,
    /// May links be taken?
    pub(super) linked: bool,
    /// Does the way to the goals go on in chunks that are not loaded? `None` while the ground that
    /// is loaded may lead there.
    pub(super) beyond: Option<bool>,
    /// Lower bound of all paths, grid units.
    pub(super) bound: f64,
    /// The work of the look-up in labels at its begin, in label entries that are read.
    #[doc(hidden)]
    pub looked: u32,
    /// Number of entries that earlier, replaced searches took off their open lists.
    #[doc(hidden)]
    pub before: u32,
}

/// The phase of a search.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// There is no path, and the reason is known.
    Over(Status),
    /// The straight line is not free, and no search has begun: see [`Search::go_on`].
    Opened,
    /// The straight line to the first goal is free; its corridor is in the scratch.
    Straight(Corridor),
    /// The path was looked up in tables; its corridor is in the scratch.
    ///
    /// So are its bends where they are known: the number counts both ends.
    LookedUp(Corridor, Bend),
    /// The same where only the points are wanted: the number of corners in the chain.
    Pointed(usize),
    /// Optimal searches.
    Optimal(OneByOne),
    /// A search of nodes, under way or done.
    Nodes { reverse: bool, done: bool },
    /// A path is known; the search brings its cost and a lower bound together.
    Weighted(WeightedState),
}

impl Search {
    pub(super) fn rules(&self, query: &NavQuery<'_>) -> Rules {
        let mesh = query.mesh();
        let places = match self.request.planner {
            Planner::Midpoints => mesh.edge_count(),
            _ => mesh.polygon_count(),
        };
        Rules::of(&self.request.a_star, places)
    }

    /// Continues the search: takes at most `budget` entries off the open list.
    ///
    /// [`Status::Looking`] means that the search is not done.
    ///
    /// A search gives the same answer whatever the budgets of its steps.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let mut search = query.start_path(&request, &mut scratch)?;
    /// while search.step(&query, &mut scratch, 100) == Status::Looking {
    ///     // A frame of the game passes.
    /// }
    /// assert!(search.status().is_over());
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn step(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut dyn Memory,
        mut budget: u32,
    ) -> Status {
        while budget > 0 && !self.found().is_over() {
            match self.phase {
                Phase::Optimal(_) => self.step_optimal(query, scratch, &mut budget),
                Phase::Opened => {
                    self.go_on(query, scratch);
                }
                Phase::Weighted(_) => self.step_weighted(query, &mut scratch.lend(), &mut budget),
                _ => self.step_nodes(query, scratch, &mut budget),
            }
        }
        self.ask_beyond(query);
        self.status()
    }

    fn step_nodes(&mut self, query: &NavQuery<'_>, memory: &mut dyn Memory, budget: &mut u32) {
        let Phase::Nodes { reverse, .. } = self.phase else {
            return;
        };
        let mut rules = self.rules(query);
        rules.may_grow = memory.grows(Need::Polygons);
        let mut scratch = memory.lend();
        let goals = self.goals;
        let start = reverse.then_some(&mut self.start);
        let mut front = Front::new(query, &mut scratch, start, goals, self.state, rules);
        let pause = match self.request.planner {
            Planner::Midpoints => front.run(&Portals(query), budget),
            _ => front.run(&Polygons(query), budget),
        };
        self.state = front.state();
        match pause {
            Pause::Budget => {}
            Pause::Full => {
                memory.grow(Need::Polygons);
            }
            // A reverse search has no path from the start yet. It is searched for from that side.
            Pause::Ended if reverse && self.state.end.is_none() => {
                self.before = self.state.expanded;
                self.begin_nodes(query, false, &mut scratch);
            }
            Pause::Ended if self.leads_to_nearest(query, &mut scratch).is_some() => {
                memory.prepare(query.mesh(), Need::Optimal);
            }
            Pause::Ended if self.goes_on_weighted(query, &mut scratch).is_some() => {}
            Pause::Ended => self.phase = Phase::Nodes { reverse, done: true },
        }
    }

    /// The state of the request.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// // A straight line is found at once.
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.status(), Status::Reached);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn status(&self) -> Status {
        self.named(self.found())
    }

    /// The state of the search for the goals that it has.
    pub(super) fn found(&self) -> Status {
        match self.phase {
            Phase::Over(status) => status,
            Phase::Opened => Status::Looking,
            Phase::Straight(_) | Phase::LookedUp(..) | Phase::Pointed(_) => Status::Reached,
            Phase::Optimal(turns) => turns.status(),
            Phase::Weighted(state) if state.done => Status::Reached,
            Phase::Weighted(_) => Status::Looking,
            Phase::Nodes { done: false, .. } => Status::Looking,
            Phase::Nodes { .. } if self.state.end.is_some() => Status::Reached,
            Phase::Nodes { .. } if self.state.dropped() > 0 => Status::OutOfNodes,
            Phase::Nodes { .. } if self.request.partial => Status::Partial,
            Phase::Nodes { .. } => Status::Unreachable,
        }
    }

    /// Number of entries taken off the open list up to now.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.expanded(), 0);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn expanded(&self) -> u32 {
        match self.phase {
            Phase::Optimal(turns) => turns.expanded().saturating_add(self.before),
            Phase::Weighted(state) => state.expanded.saturating_add(self.before),
            _ => self.state.expanded.saturating_add(self.before),
        }
    }

    /// The path, or the reason why there is none.
    ///
    /// While the search is not done: the path to the place nearest to a goal found up to now.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.path(&query, &mut scratch).points.len(), 2);
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn path<'s>(&self, query: &NavQuery<'_>, scratch: &'s mut dyn Memory) -> NavPath<'s> {
        self.answer(self.path_found(query, scratch.lend()))
    }

    fn path_found<'s>(&self, query: &NavQuery<'_>, scratch: Slices<'s>) -> NavPath<'s> {
        let mesh = query.mesh();
        let goals = &scratch.goals[..self.goals.min(scratch.goals.len())];
        let status = self.found();
        // Until there is a path to improve, and where there is none, it is the corridor's.
        let algorithm = match (self.request.planner, self.phase) {
            (Planner::Weighted, Phase::Nodes { .. }) => self.request.ran(Planner::Corridor),
            (planner, _) => self.request.ran(planner),
        };
        let counts = NavPath {
            bound: self.bound / mesh.grid().units(),
            expanded: self.expanded(),
            closed: self.state.closed(),
            max_open: self.state.open.max,
            dropped: self.state.dropped(),
            ..NavPath::none(status, algorithm)
        };
        let first = goals.first().copied().unwrap_or_default();
        let ends = || [&self.start, &first].map(|end| query.goal_place(end));
        let shortest = |by_tables: bool, path: NavPath<'s>| NavPath {
            by_tables,
            bound: path.cost,
            goal: first.number,
            certified_optimal: path.status == Status::Reached,
            algorithm,
            ..path
        };
        match self.phase {
            Phase::Over(status) => NavPath::none(status, algorithm),
            Phase::Opened => counts,
            Phase::Straight(corridor) => {
                let [from, to] = ends();
                shortest(false, query.finish_with(&from, &to, corridor, Bend::Nowhere, scratch))
            }
            Phase::LookedUp(corridor, bend) => {
                let [from, to] = ends();
                shortest(true, query.finish_with(&from, &to, corridor, bend, scratch))
            }
            Phase::Pointed(count) => {
                let [from, to] = ends();
                shortest(true, query.finish_points(&from, &to, count, scratch))
            }
            Phase::Optimal(turns) => self.optimal_answer(&turns, counts, query, scratch),
            Phase::Weighted(state) => self.weighted_answer(&state, counts, query, scratch),
            Phase::Nodes { reverse, .. } => self.nodes_answer(reverse, counts, query, scratch),
        }
    }

    fn nodes_answer<'s>(
        &self,
        reverse: bool,
        counts: NavPath<'s>,
        query: &NavQuery<'_>,
        mut scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let goals = self.goals.min(scratch.goals.len());
        let none = NavPath { bound: 0.0, ..counts };
        let found = match self.state.end {
            Some(end) => Some((end.node, end.target as usize)),
            // From the goal no path can be walked yet.
            None if reverse || counts.status == Status::Unreachable => None,
            None => {
                let used = (self.state.used as usize).min(scratch.nodes.len());
                nearest(query.mesh(), &scratch.nodes[..used], &scratch.goals[..goals])
            }
        };
        let Some((node, target)) = found else {
            return none;
        };
        let Some(mut way) = self.way(query, node, reverse, &mut scratch) else {
            return NavPath { status: Status::OutOfNodes, ..none };
        };
        let number = if reverse { way.mark as usize } else { target };
        let Some(goal) = scratch.goals[..goals].get(number).copied() else {
            return none;
        };
        let mut status = counts.status;
        let end = if self.state.end.is_some() && way.whole {
            Some(query.goal_place(&goal))
        } else {
            if status == Status::Reached {
                status = Status::OutOfNodes;
            }
            query.nearest_on(way.corridor.last, &goal)
        };
        let Some(end) = end else {
            return none;
        };
        way.corridor.last = end.polygon();
        let from = query.goal_place(&self.start);
        let path = self.finish(query, &from, &end, way.corridor, (node, reverse), scratch);
        if path.status != Status::Reached {
            status = path.status;
        }
        NavPath { status, goal: goal.number, ..path.counted(counts) }
    }

    /// Makes the points of a corridor.
    ///
    /// The corridor leads to a node, in a search of this direction.
    fn finish<'s>(
        &self,
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        corridor: Corridor,
        (node, reverse): (u32, bool),
        mut scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let middles = self.request.planner == Planner::Midpoints;
        let costs = query.costs.is_some_and(|costs| costs.most() > query.least_weight());
        // A line past portals may go around a hill.
        if !(middles || costs) || !query.slopes().are_free() {
            return query.finish(from, to, corridor, scratch);
        }
        // Over costs the cheaper of both: the shortest path in the corridor, or lines past it.
        let own = match costs {
            true => query.finish(from, to, corridor, scratch.lend()).cost,
            false => f64::INFINITY,
        };
        let skips = query.skip_places(middles, from, to, corridor.len, &mut scratch);
        if let Some((path, bends)) = skips {
            let bend = Bend::Points(bends);
            if query.finish_with(from, to, path, bend, scratch.lend()).cost < own {
                return query.finish_with(from, to, path, bend, scratch);
            }
        }
        // It did not fit, or costs more. The corners of a corridor always do, once the corridor
        // itself is written again.
        match self.way(query, node, reverse, &mut scratch) {
            Some(way) => query.finish(from, to, way.corridor, scratch),
            None => NavPath::none(Status::OutOfNodes, self.request.ran(self.request.planner)),
        }
    }

    /// The direction in which to set out, a unit vector `[x, z]`.
    ///
    /// It is along the path of [`Search::path`] as far as it is known, else straight towards
    /// the first goal. `None` where there is nowhere to go.
    ///
    /// ```
    /// # navbake_testkit::example!(nav, query, request, scratch);
    /// # let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 1.0]);
    /// let search = query.start_path(&request, &mut scratch)?;
    /// assert_eq!(search.direction(&query, &mut scratch), Some([1.0, 0.0]));
    /// # Ok::<(), navbake_search::Error>(())
    /// ```
    pub fn direction(&self, query: &NavQuery<'_>, scratch: &mut dyn Memory) -> Option<[f64; 2]> {
        let goal = scratch.lend().goals.get(..self.goals)?.first().copied()?;
        let [here, goal] = [&self.start, &goal].map(|end| query.goal_place(end).position());
        self.path(query, scratch).direction(here, goal)
    }

    /// How far the ground may be from the ends, m.
    #[doc(hidden)]
    pub fn extents(&self) -> [f64; 3] {
        self.request.extents
    }

    /// The algorithm of the search.
    #[doc(hidden)]
    pub fn algorithm(&self) -> Algorithm {
        self.request.ran(self.request.planner)
    }

    /// Writes the corridor of the path that was found; returns it with the start and the goal.
    #[doc(hidden)]
    pub fn corridor(
        &self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, [NavPoint; 2])> {
        let (corridor, goal) = self.corridor_to(query, scratch)?;
        Some((corridor, [&self.start, &goal].map(|end| query.goal_place(end))))
    }

    pub(super) fn corridor_to(
        &self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, Goal)> {
        let goal = *scratch.goals.first()?;
        let (from, to) = (query.goal_place(&self.start), query.goal_place(&goal));
        match self.phase {
            Phase::Over(_) | Phase::Opened => None,
            Phase::Straight(_) => Some((query.straight(&from, &to, scratch)?, goal)),
            Phase::LookedUp(corridor, _) => Some((corridor, goal)),
            Phase::Pointed(count) => Some((query.trace_chain(&from, &to, count, scratch)?, goal)),
            Phase::Optimal(turns) => self.optimal_corridor(&turns, query, scratch),
            Phase::Weighted(state) => state.corridor(scratch),
            Phase::Nodes { reverse, .. } => {
                let end = self.state.end?;
                let way = self.way(query, end.node, reverse, scratch)?;
                let number = if reverse { way.mark } else { end.target };
                let goal = *scratch.goals.get(..self.goals)?.get(number as usize)?;
                way.whole.then_some((way.corridor, goal))
            }
        }
    }
}
