//! Searches over a route network, and their paths.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;

use navbake_search::path::{Ahead, Order};
use navbake_search::{AStar, Error, Heuristic, NavPoint, NavQuery, Status};

use crate::GridLeg;
use crate::links::{Detour, MOST_DETOURS, detours_between};
use crate::network::{Near, Network, below};
use crate::network_landmarks::LandmarkGoals;
use crate::scratch::{GridNode, GridOpen, GridScratch};
use crate::search::{NONE, Progress, Rules};
use crate::space::{Space, Step};

/// A request for a path over a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkRequest<'r> {
    /// The start, on the mesh of the network.
    pub from: NavPoint,
    /// Goals; the path leads to the cheapest.
    pub to: &'r [NavPoint],
    /// Order, estimate and limits of the search. [`Heuristic::Table`] needs
    /// [`Network::landmarks`] and is the greater of them and of the straight line.
    ///
    /// `reverse` searches from the goals; with `partial` it has no effect.
    pub a_star: AStar,
    /// Where no goal can be reached, go as near as possible.
    pub partial: bool,
    /// The unit that asks: points that it stands on are free for it.
    pub unit: Option<u32>,
}

impl<'r> NetworkRequest<'r> {
    /// A path to the cheapest of some goals, by A* with straight lines as estimates.
    pub fn new(from: NavPoint, to: &'r [NavPoint]) -> NetworkRequest<'r> {
        NetworkRequest { from, to, a_star: AStar::default(), partial: false, unit: None }
    }

    /// The same request without its goals, to keep it.
    pub fn settings(&self) -> NetworkRequest<'static> {
        let NetworkRequest { from, a_star, partial, unit, .. } = *self;
        NetworkRequest { from, to: &[], a_star, partial, unit }
    }
}

/// A path over a network, or why there is none. Its points are in the buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkAnswer<'s> {
    /// The outcome. [`Status::OffMesh`] where the start or all goals see no point of the network.
    pub status: Status,
    /// Length of its straight lines in the plane, without links, m.
    pub length_xz: f64,
    /// What it costs, m of plain ground.
    pub cost: f64,
    /// No path over the network costs less.
    pub bound: f64,
    /// The start, the points of the network that it leads over, and the goal, y-up metres.
    pub points: &'s [[f64; 3]],
    /// Its links: each leads from the point with the number `at` to the next.
    pub links: &'s [GridLeg],
    /// Which of the goals was reached.
    pub goal: Option<usize>,
    /// Points taken off the open list; one that was opened again counts again.
    pub expanded: u32,
    /// The greatest number of open points.
    pub max_open: u32,
    /// Closed points at the end.
    pub closed: u32,
    /// Entries that the limit of the open list pushed out.
    pub dropped: u32,
    /// The search has proved that no path over the network is cheaper.
    pub certified_optimal: bool,
}

impl NetworkAnswer<'_> {
    pub(crate) fn none(status: Status) -> Self {
        NetworkAnswer {
            status,
            length_xz: 0.0,
            cost: 0.0,
            bound: 0.0,
            points: &[],
            links: &[],
            goal: None,
            expanded: 0,
            max_open: 0,
            closed: 0,
            dropped: 0,
            certified_optimal: false,
        }
    }
}

/// The memory of searches over networks. It grows as they need; later ones allocate nothing.
#[derive(Clone, Debug, Default)]
pub struct NetworkBuffer {
    slots: Vec<u32>,
    pub(crate) nodes: Vec<GridNode>,
    open: Vec<GridOpen>,
    /// The goals.
    pub(crate) to: Vec<NavPoint>,
    /// The weights of the ground at start and goals.
    pub(crate) weights: Vec<f64>,
    /// Points that the start is joined to, with the costs, in rising order.
    pub(crate) starts: Vec<(u32, u64)>,
    /// Points that goals are joined to, with the goals and costs, in rising order.
    pub(crate) goals: Vec<(u32, u32, u64)>,
    /// The straight lines from the start to goals.
    pub(crate) direct: Vec<(u32, u64)>,
    /// What landmarks know of the goals.
    known: Vec<LandmarkGoals>,
    pub(crate) pending: BinaryHeap<Near>,
    /// The states of the path, with their costs from where the search began.
    pub(crate) route: Vec<(u32, u64)>,
    pub(crate) points: Vec<[f64; 3]>,
    pub(crate) links: Vec<GridLeg>,
}

impl NetworkBuffer {
    /// Makes room for as many states.
    pub(crate) fn reserve(&mut self, states: usize) {
        self.slots.resize(self.slots.len().max(states), 0);
        self.nodes.resize(self.nodes.len().max(states), GridNode::default());
        let open = states + states / 2 + 8;
        self.open.resize(self.open.len().max(open), GridOpen::default());
    }
}

/// A search that can go on. What it has seen is in the buffer.
#[derive(Clone, Debug)]
pub struct NetworkSearch {
    /// Without its goals, which are in the buffer.
    pub(crate) request: NetworkRequest<'static>,
    pub(crate) rules: Rules,
    pub(crate) heuristic: Heuristic,
    /// Estimates are by landmarks too.
    by_landmarks: bool,
    /// What estimates assume for a metre; `None` for what the point itself costs.
    metre: Option<f64>,
    detours: [Detour; MOST_DETOURS],
    detour_count: usize,
    pub(crate) reverse: bool,
    pub(crate) bound: u64,
    pub(crate) failed: Option<Status>,
    pub(crate) progress: Progress,
}

/// Points of the network by their numbers, then the start, then the goals.
pub(crate) struct Points<'q> {
    network: &'q Network,
    search: &'q NetworkSearch,
    /// The goals of the request.
    pub(crate) to: &'q [NavPoint],
    weights: &'q [f64],
    starts: &'q [(u32, u64)],
    goals: &'q [(u32, u32, u64)],
    direct: &'q [(u32, u64)],
    known: &'q [LandmarkGoals],
}

impl Points<'_> {
    fn start(&self) -> u32 {
        self.network.point_count()
    }

    pub(crate) fn goal(&self, number: u32) -> u32 {
        self.start() + 1 + number
    }

    pub(crate) fn place(&self, state: u32) -> &NavPoint {
        let ends = || match state.checked_sub(self.goal(0)) {
            None => Some(&self.search.request.from),
            Some(goal) => self.to.get(goal as usize),
        };
        self.network.place(state).or_else(ends).unwrap_or(&self.search.request.from)
    }

    fn estimate_with(&self, state: u32, heuristic: Heuristic, metre: Option<f64>) -> u64 {
        let search = self.search;
        let metre = metre.unwrap_or_else(|| match state.checked_sub(self.start()) {
            None => self.network.weight(state),
            Some(end) => self.weights.get(end as usize).copied().unwrap_or(1.0),
        });
        let from = self.place(state).point();
        let remains = |to| apart(heuristic, metre, from, to);
        let mut least = u64::MAX;
        if search.reverse {
            least = remains(search.request.from.point());
        } else {
            self.to.iter().for_each(|goal| least = least.min(remains(goal.point())));
        }
        for detour in &search.detours[..search.detour_count] {
            least = least.min(remains(detour.at).saturating_add(detour.rest));
        }
        least
    }

    /// Calls `each` with the cost of every step between a start or goal and other states.
    fn each_end_step(&self, state: u32, mut each: impl FnMut(u32, u64)) {
        let (start, reverse) = (self.start(), self.search.reverse);
        match state.checked_sub(start) {
            // A point: goals that it sees, or the start.
            None if reverse => {
                let found = self.starts.binary_search_by_key(&state, |join| join.0);
                found.into_iter().for_each(|k| each(start, self.starts[k].1));
            }
            None => {
                let first = self.goals.partition_point(|join| join.0 < state);
                let own = self.goals[first..].iter().take_while(|join| join.0 == state);
                own.for_each(|&(_, goal, cost)| each(self.goal(goal), cost));
            }
            Some(0) if !reverse => {
                self.starts.iter().for_each(|&(point, cost)| each(point, cost));
                self.direct.iter().for_each(|&(goal, cost)| each(self.goal(goal), cost));
            }
            Some(end) if reverse && end > 0 => {
                let own = self.goals.iter().filter(|join| join.1 == end - 1);
                own.for_each(|&(point, _, cost)| each(point, cost));
                let own = self.direct.iter().filter(|join| join.0 == end - 1);
                own.for_each(|&(_, cost)| each(start, cost));
            }
            Some(_) => {}
        }
    }
}

/// An estimate between two places, by the cost of a metre.
fn apart(heuristic: Heuristic, metre: f64, from: [i32; 2], to: [i32; 2]) -> u64 {
    below(heuristic.estimate(from.map(f64::from), to.map(f64::from)) * metre)
}

impl Space for Points<'_> {
    fn each_step(&self, node: &GridNode, mut each: impl FnMut(Step)) {
        let own = |point| self.network.is_open(point, self.search.request.unit);
        for edge in self.network.edges(node.state, self.search.reverse) {
            if own(edge.other) {
                each(Step { to: edge.other, cost: edge.cost, direction: NONE });
            }
        }
        self.each_end_step(node.state, |to, cost| {
            if to >= self.start() || own(to) {
                each(Step { to, cost, direction: NONE });
            }
        });
    }

    fn estimate(&self, state: u32) -> u64 {
        let search = self.search;
        let least = self.estimate_with(state, search.heuristic, search.metre);
        match search.by_landmarks && state < self.start() {
            true => least.max(self.network.landmarks.least(state, search.reverse, self.known)),
            false => least,
        }
    }

    fn is_goal(&self, state: u32) -> bool {
        match self.search.reverse {
            true => state == self.start(),
            false => state > self.start(),
        }
    }
}

impl Network {
    /// Finds a path.
    ///
    /// The query is that which the network was made with: it decides which points start and goals
    /// see.
    ///
    /// # Errors
    /// [`Error::NoLandmarks`] for the heuristic `Table` where the network has none.
    pub fn find_path<'s>(
        &self,
        query: &NavQuery<'_>,
        request: &NetworkRequest<'_>,
        buffer: &'s mut NetworkBuffer,
    ) -> Result<NetworkAnswer<'s>, Error> {
        let mut search = self.start_path(query, request, buffer)?;
        search.step(self, buffer, u32::MAX);
        Ok(search.path(self, buffer))
    }

    /// Begins a search that runs in steps. It joins start and goals to the network.
    ///
    /// The buffer belongs to this search until its path is read.
    ///
    /// # Errors
    /// Those of [`Network::find_path`].
    pub fn start_path(
        &self,
        query: &NavQuery<'_>,
        request: &NetworkRequest<'_>,
        buffer: &mut NetworkBuffer,
    ) -> Result<NetworkSearch, Error> {
        let mut joining = self.start_joining(query, request, buffer)?;
        joining.step(self, query, buffer, u32::MAX);
        Ok(joining.search(self, query, buffer))
    }
}

impl NetworkSearch {
    pub(crate) fn new(
        network: &Network,
        query: &NavQuery<'_>,
        request: &NetworkRequest<'_>,
        buffer: &mut NetworkBuffer,
    ) -> NetworkSearch {
        let a_star = &request.a_star;
        let rules = Rules {
            order: a_star.order,
            weight: if a_star.weight.is_nan() { 1.0 } else { a_star.weight.clamp(0.0, 1000.0) },
            max_open: a_star.max_open.unwrap_or(u32::MAX),
        };
        let metre = match a_star.ahead {
            Ahead::Typical(cost) if !cost.is_nan() => Some(cost.clamp(0.0, 1000.0)),
            Ahead::Sampled => Some(query.mean_weight(&request.from, &buffer.to)),
            Ahead::Own => None,
            _ => Some(network.least),
        };
        let mut search = NetworkSearch {
            request: request.settings(),
            rules,
            heuristic: match rules.order {
                Order::Dijkstra => Heuristic::Zero,
                _ => a_star.heuristic,
            },
            by_landmarks: a_star.heuristic == Heuristic::Table && a_star.order != Order::Dijkstra,
            metre,
            detours: [Detour::default(); MOST_DETOURS],
            detour_count: 0,
            reverse: false,
            bound: 0,
            failed: None,
            progress: Progress::default(),
        };
        if buffer.direct.is_empty() && (buffer.starts.is_empty() || buffer.goals.is_empty()) {
            let nowhere = !request.partial || buffer.starts.is_empty();
            search.failed = nowhere.then_some(Status::OffMesh);
        }
        if buffer.to.is_empty() {
            search.failed = Some(Status::OffMesh);
        }
        if search.failed.is_none() {
            search.begin(network, buffer);
        }
        search
    }

    /// Finds the links that estimates consider, and puts the first states onto the open list.
    fn begin(&mut self, network: &Network, buffer: &mut NetworkBuffer) {
        // By straight lines, whatever the estimate: the bound of all paths.
        let usual = (Heuristic::Euclidean, network.least);
        self.find_detours(network, &buffer.to, usual);
        let start = network.point_count();
        if self.detour_count <= MOST_DETOURS {
            let points = self.points(network, buffer);
            self.bound = points.estimate_with(start, usual.0, Some(usual.1));
        }
        self.reverse = self.request.a_star.reverse && !self.request.partial;
        if self.by_landmarks {
            let NetworkBuffer { starts, goals, known, .. } = buffer;
            let goals = goals.iter().map(|&(point, _, cost)| (point, cost));
            match self.reverse {
                true => network.landmarks.aim(starts.iter().copied(), true, known),
                false => network.landmarks.aim(goals, false, known),
            }
        }
        let metre = self.metre.unwrap_or(network.least);
        self.find_detours(network, &buffer.to, (self.heuristic, metre));
        if self.detour_count > MOST_DETOURS {
            (self.heuristic, self.detour_count) = (Heuristic::Zero, 0);
        }
        let goals = start + 1..start + 1 + buffer.to.len() as u32;
        let starts = if self.reverse { goals } else { start..start + 1 };
        let (points, mut scratch) = self.split(network, buffer);
        self.progress = Progress::begin(&points, &self.rules, starts, &mut scratch);
    }

    /// The links that save something by an estimate; more than [`MOST_DETOURS`] where there are
    /// too many of them.
    fn find_detours(
        &mut self,
        network: &Network,
        to: &[NavPoint],
        (heuristic, metre): (Heuristic, f64),
    ) {
        let reverse = self.reverse;
        let at = |point| network.place(point).map_or([0; 2], NavPoint::point);
        let links = network.links.iter().map(|&([from, to], cost)| {
            let ends = if reverse { [to, from] } else { [from, to] };
            (ends.map(at), cost)
        });
        let goals = if reverse { core::slice::from_ref(&self.request.from) } else { to };
        let found = detours_between(
            links,
            |from, to| apart(heuristic, metre, from, to),
            goals.iter().map(NavPoint::point),
            &mut self.detours,
        );
        self.detour_count = found.unwrap_or(MOST_DETOURS + 1);
    }

    pub(crate) fn points<'q>(
        &'q self,
        network: &'q Network,
        buffer: &'q NetworkBuffer,
    ) -> Points<'q> {
        Points {
            network,
            search: self,
            to: &buffer.to,
            weights: &buffer.weights,
            starts: &buffer.starts,
            goals: &buffer.goals,
            direct: &buffer.direct,
            known: &buffer.known,
        }
    }

    /// The space, and the memory of the search.
    fn split<'q>(
        &'q self,
        network: &'q Network,
        buffer: &'q mut NetworkBuffer,
    ) -> (Points<'q>, GridScratch<'q>) {
        let NetworkBuffer { to, weights, starts, goals, direct, known, .. } = buffer;
        let NetworkBuffer { slots, nodes, open, .. } = buffer;
        let scratch =
            GridScratch { slots, nodes, open, goals: &mut [], cells: &mut [], links: &mut [] };
        let points = Points { network, search: self, to, weights, starts, goals, direct, known };
        (points, scratch)
    }

    /// Expands up to `most` points. [`Status::Looking`] while the search goes on.
    ///
    /// Network and buffer are those that the search began with. The answer does not depend on the
    /// number of steps.
    pub fn step(&mut self, network: &Network, buffer: &mut NetworkBuffer, most: u32) -> Status {
        if self.failed.is_none() {
            let mut progress = self.progress;
            let (points, mut scratch) = self.split(network, buffer);
            progress.advance(&points, &self.rules, most, &mut scratch);
            self.progress = progress;
        }
        self.status()
    }

    /// Points taken off the open list.
    pub fn expanded(&self) -> u32 {
        self.progress.expanded
    }

    /// [`Status::Looking`] while there is more to do, else the outcome.
    pub fn status(&self) -> Status {
        self.failed.unwrap_or_else(|| self.progress.status(self.request.partial))
    }
}
