//! The A* search that the planners share, with its settings, in steps.
//!
//! Hart, Nilsson and Raphael 1968. Each planner defines its nodes and their successors: polygons
//! ([`super::corridor`]) or portals ([`super::midpoints`]). All state outside the scratch is a
//! [`State`], so a search can stop after any expansion and go on later. A closed node that is
//! reached by a shorter path is opened again, unless the order is greedy.

use navbake_format::{NavMesh, PolyId};
use navbake_navmesh::blocks::is_marked;

use super::cheap::Cheap;
use super::climb::Climb;
use super::landmarks::Landmarks;
use super::nodes::{Goal, Node, Step};
use super::open_list::{CLOSED, NEW, OpenList};
use super::slices::Slices;
use super::state::{End, Pause, Rules, State};
use super::{Heuristic, Order};
use crate::{NavQuery, surface};
use navbake_navmesh::math::{distance, float, length};

/// The nodes of a planner, and their successors.
pub(super) trait Space {
    /// The query that runs the search.
    fn query(&self) -> &NavQuery<'_>;

    /// Offers all successors of a node. False when there was no room for one.
    fn expand(&self, n: u32, front: &mut Front<'_>) -> bool;
}

/// A path into a polygon that is offered to the search.
pub(super) struct Offer {
    /// The node's number among all nodes of the space.
    pub(super) key: u32,
    /// The polygon that is entered.
    pub(super) polygon: PolyId,
    /// The edge of the parent's polygon that leads there.
    pub(super) edge: u32,
    pub(super) entry: [f64; 2],
    pub(super) g: f64,
}

/// A search at work in its memory.
///
/// A node's slot is believed only when the node there names the same key, so nothing has to be
/// cleared between searches (Briggs and Torczon, An efficient representation for sparse sets,
/// 1993).
pub(super) struct Front<'s> {
    slots: &'s mut [u32],
    pub(super) nodes: &'s mut [Node],
    pub(super) targets: &'s mut [Goal],
    cheap: &'s [Cheap],
    /// The sources of estimates besides the straight line.
    landmarks: Option<Landmarks<'s>>,
    /// Biconnected components that a path can lead through, as bits.
    marks: &'s [u64],
    open: OpenList<'s>,
    state: State,
    rules: Rules,
}

/// In [`Node::edge`] with [`Node::key`] beyond all keys: an end.
///
/// Its edge is the number of the target.
const END: u32 = u32::MAX;

impl<'s> Front<'s> {
    pub(super) fn new(
        query: &'s NavQuery<'_>,
        scratch: &'s mut Slices<'_>,
        start: Option<&'s mut Goal>,
        targets: usize,
        state: State,
        rules: Rules,
    ) -> Front<'s> {
        let room = scratch.open.len().min(rules.max_open);
        Front {
            landmarks: if rules.by_landmarks() { Landmarks::of(query) } else { None },
            slots: scratch.slots,
            nodes: scratch.nodes,
            targets: match start {
                Some(start) => core::slice::from_mut(start),
                None => scratch.goals.get_mut(..targets).unwrap_or_default(),
            },
            cheap: scratch.cheap,
            marks: scratch.sight.marks,
            open: OpenList::new(scratch.open.get_mut(..room).unwrap_or_default(), state.open),
            state,
            rules,
        }
    }

    pub(super) fn state(&self) -> State {
        State { open: self.open.state, ..self.state }
    }

    #[inline]
    pub(super) fn node(&self, n: u32) -> Node {
        self.nodes.get(n as usize).copied().unwrap_or(Node::NOWHERE)
    }

    /// The node of a key.
    #[inline]
    pub(super) fn find(&self, key: u32) -> Option<u32> {
        let slot = *self.slots.get(key as usize)?;
        let is_its =
            slot < self.state.used && self.nodes.get(slot as usize).is_some_and(|n| n.key == key);
        is_its.then_some(slot)
    }

    /// Adds a node, if there is room. `slot` is false for one that is never looked up.
    fn add(&mut self, key: u32, slot: bool) -> Option<u32> {
        let n = self.state.used;
        let node = self.nodes.get_mut(n as usize)?;
        if slot {
            *self.slots.get_mut(key as usize)? = n;
        }
        *node = Node { key, place: NEW, ..Node::NOWHERE };
        self.state.used += 1;
        Some(n)
    }

    /// Adds a start.
    ///
    /// `mark` is kept in the node's edge. In spaces whose keys are polygons the slot is that of the
    /// polygon.
    pub(super) fn start(
        &mut self,
        query: &NavQuery<'_>,
        from: &Goal,
        mark: u32,
        slot: bool,
    ) -> bool {
        let key = if slot { from.polygon } else { END };
        let Some(n) = self.add(key, slot) else {
            self.state.missing = self.state.missing.saturating_add(1);
            return false;
        };
        let entry = float(from.point);
        let h = self.ahead(query, from.polygon, entry, None);
        if let Some(node) = self.nodes.get_mut(n as usize) {
            let (polygon, f) = (from.polygon, h * self.rules.weight);
            *node = Node { polygon, parent: n, edge: mark, entry, h, f, ..*node };
        }
        self.open.put(self.nodes, n);
        true
    }

    /// The estimate from a point of a polygon to the nearest target.
    ///
    /// `through` is the node before and the edge of its polygon through which this one is entered.
    #[inline]
    fn ahead(
        &self,
        query: &NavQuery<'_>,
        polygon: u32,
        from: [f64; 2],
        through: Option<(u32, u32)>,
    ) -> f64 {
        match self.rules.heuristic {
            Heuristic::Zero => 0.0,
            heuristic => {
                let estimate = |t: &Goal| heuristic.estimate(from, float(t.point));
                let mut h = match (&self.landmarks, &*self.targets) {
                    (Some(_), _) => self.by_landmarks(polygon, from, through),
                    (None, [only]) => estimate(only),
                    (None, all) => all.iter().map(estimate).fold(f64::INFINITY, f64::min),
                };
                if !self.state.savings.is_none() {
                    h = h.min(self.state.savings.least(from, self.cheap));
                }
                let metre = match self.rules.own {
                    true => query.weight(PolyId(polygon)),
                    false => self.state.metre,
                };
                h * metre
            }
        }
    }

    /// The same by landmarks, and no less than the straight line.
    #[inline(never)]
    fn by_landmarks(&self, polygon: u32, from: [f64; 2], through: Option<(u32, u32)>) -> f64 {
        let Some(landmarks) = &self.landmarks else {
            return 0.0;
        };
        let before = through.and_then(|(n, edge)| Some((self.nodes.get(n as usize)?, edge)));
        let away = match before {
            Some((n, edge)) => landmarks.on_edge((n.polygon, edge), from),
            None => landmarks.within(polygon, from),
        };
        let ahead = |t: &Goal| {
            let straight = self.rules.heuristic.estimate(from, float(t.point));
            straight.max(landmarks.apart(&away, &t.away))
        };
        self.targets.iter().map(ahead).fold(f64::INFINITY, f64::min)
    }

    /// The polygon that a node was entered from.
    ///
    /// None after a link, because it may pay to go back from its end.
    #[inline]
    pub(super) fn came_from(&self, node: &Node) -> u32 {
        let step = Step { polygon: node.polygon, edge: node.edge };
        let parent = self.nodes.get(node.parent as usize);
        match (parent, step.link()) {
            (Some(parent), None) => parent.polygon,
            _ => u32::MAX,
        }
    }

    /// The cost of going up and down from a node, where there is one.
    #[inline]
    pub(super) fn climb(&self, query: &NavQuery<'_>, n: u32) -> Option<Climb> {
        query.costs?;
        let node = self.nodes.get(n as usize)?;
        let parent = self.nodes.get(node.parent as usize);
        Climb::of(query, node, parent.filter(|_| node.parent != n))
    }

    /// Offers the places that the links of a node's polygon lead to.
    ///
    /// Their keys begin with `first`. False when there was no room.
    #[inline]
    pub(super) fn offer_links(&mut self, query: &NavQuery<'_>, n: u32, first: u32) -> bool {
        query.mesh().link_count() == 0 || self.offer_each_link(query, n, first)
    }

    fn offer_each_link(&mut self, query: &NavQuery<'_>, n: u32, first: u32) -> bool {
        let node = self.node(n);
        let units = query.mesh().grid().units();
        let weight = query.weight(PolyId(node.polygon));
        let climb = self.climb(query, n);
        let mut fits = true;
        for (number, link) in query.links_from(PolyId(node.polygon)) {
            if !query.enters(link.polygon, link.beyond) {
                continue;
            }
            let key = first.saturating_add(number);
            let walk = distance(node.entry, float(link.from)) * weight
                + climb.map_or(0.0, |c| c.up_to_place(query, node.polygon, link.from));
            let g = node.g + walk + link.cost * units;
            let known = self.find(key);
            if known.is_some_and(|m| !self.improves(m, g)) {
                continue;
            }
            let offer = Offer {
                key,
                polygon: link.beyond,
                edge: Step::by_link(node.polygon, number).edge,
                entry: float(link.to),
                g,
            };
            fits &= self.take(query, &offer, known, n);
        }
        fits
    }

    /// Can a path to a goal lead over an edge of a block?
    #[inline]
    pub(super) fn leads_on(&self, block: u32) -> bool {
        !self.state.marked || is_marked(self.marks, block)
    }

    /// Does a path of this length improve a known node?
    #[inline]
    pub(super) fn improves(&self, known: u32, g: f64) -> bool {
        self.nodes.get(known as usize).is_some_and(|node| {
            let stays =
                self.rules.order == Order::Greedy || self.state.expanded > self.rules.patience;
            g < node.g && !(node.place == CLOSED && stays)
        })
    }

    /// Takes an offer for a new node, or for a known one that it improves.
    ///
    /// See [`Front::improves`]. False when there is no room.
    #[inline]
    pub(super) fn take(
        &mut self,
        query: &NavQuery<'_>,
        offer: &Offer,
        known: Option<u32>,
        parent: u32,
    ) -> bool {
        let Offer { key, polygon: PolyId(polygon), edge, entry, g } = *offer;
        let h = self.ahead(query, polygon, entry, Some((parent, edge)));
        let ahead = h * self.rules.weight;
        let f = match self.rules.order {
            Order::Greedy => ahead,
            _ => g + ahead,
        };
        let Some(n) = known.or_else(|| self.add(key, key != END)) else {
            return false;
        };
        let Some(node) = self.nodes.get_mut(n as usize) else {
            return false;
        };
        if node.place == CLOSED {
            self.state.reopened = self.state.reopened.saturating_add(1);
        }
        *node = Node { key, polygon, parent, edge, place: node.place, entry, g, h, f };
        self.open.put(self.nodes, n);
        true
    }

    /// Offers the targets in the polygon of a node, which was the best one.
    ///
    /// Returns the end when one of the targets is at least as good as the node itself.
    #[inline(never)]
    fn offer_ends(&mut self, query: &NavQuery<'_>, n: u32, node: &Node) -> Option<End> {
        let (polygon, weight) = (node.polygon, query.weight(PolyId(node.polygon)));
        let mut best: Option<End> = None;
        for t in 0..self.targets.len() {
            let target = &self.targets[t];
            if target.polygon != polygon {
                continue;
            }
            let (edge, entry, own) = (t as u32, float(target.point), target.node);
            let climb = self.climb(query, n).map_or(0.0, |c| c.up_to(target.height));
            let g = node.g + distance(node.entry, entry) * weight + climb;
            let end = End { node: n, target: edge, length: g };
            let f = if self.rules.order == Order::Greedy { 0.0 } else { g };
            let known = (own != NEW).then_some(own);
            if f <= node.f {
                if best.is_none_or(|b| g < b.length) {
                    best = Some(end);
                }
            } else if known.is_none_or(|m| self.improves(m, g)) {
                let Some(m) = known.or_else(|| self.add(END, false)) else {
                    // Without room the search cannot wait for a better path to it.
                    self.state.missing = self.state.missing.saturating_add(1);
                    best = best.or(Some(end));
                    continue;
                };
                self.targets[t].node = m;
                if let Some(slot) = self.nodes.get_mut(m as usize) {
                    *slot = Node { polygon, parent: n, edge, entry, g, f, ..*slot };
                }
                self.open.put(self.nodes, m);
            }
        }
        best
    }

    /// Runs until the budget is spent, a goal is reached, or nodes run out.
    ///
    /// It also ends when no node is left. An expansion costs 1 of the budget.
    pub(super) fn run(&mut self, space: &impl Space, budget: &mut u32) -> Pause {
        // More expansions than patience allows, plus one for every node, can only happen in memory
        // that belongs to another search.
        let most = (self.rules.patience).saturating_add(self.nodes.len() as u32).saturating_add(1);
        // Memory grows between expansions: within one, the order of equal entries could change.
        let mesh = space.query().mesh();
        let ahead = mesh.polys().widest as usize + self.targets.len();
        let linked = mesh.link_count() > 0;
        let links = |node: &Node| match linked {
            true => mesh.links_of(PolyId(node.polygon)).len(),
            false => 0,
        };
        while *budget > 0 && self.state.end.is_none() && self.state.expanded < most {
            let Some(n) = self.open.pop(self.nodes) else {
                return Pause::Ended;
            };
            let node = self.node(n);
            if node.key == END && node.parent != n {
                self.state.end = Some(End { node: node.parent, target: node.edge, length: node.g });
                return Pause::Ended;
            }
            if self.rules.may_grow
                && self.nodes.len() < self.state.used as usize + ahead + links(&node)
            {
                // As if the node had not been taken off.
                self.open.put(self.nodes, n);
                return Pause::Full;
            }
            self.state.expanded += 1;
            self.state.last = n;
            *budget -= 1;
            if self.targets.iter().any(|t| t.polygon == node.polygon) {
                self.state.end = self.offer_ends(space.query(), n, &node);
                if self.state.end.is_some() {
                    return Pause::Ended;
                }
            }
            if !space.expand(n, self) {
                self.state.missing = self.state.missing.saturating_add(1);
            }
        }
        if *budget > 0 { Pause::Ended } else { Pause::Budget }
    }
}

/// The node whose polygon is nearest to a target in space, and that target.
///
/// Of equals the one with the shorter path behind it.
pub(super) fn nearest(
    mesh: &NavMesh<'_>,
    nodes: &[Node],
    targets: &[Goal],
) -> Option<(u32, usize)> {
    let mut best = (f64::INFINITY, f64::INFINITY, u32::MAX, None);
    for (n, node) in nodes.iter().enumerate() {
        let polygon = mesh.polygon(PolyId(node.polygon));
        if polygon.is_empty() {
            continue;
        }
        for (t, target) in targets.iter().enumerate() {
            let point = surface::nearest(&polygon, target.point);
            let up = surface::height(&polygon, point) - target.height;
            let away = length(distance(float(point), float(target.point)), up);
            let key = (away, node.g, node.key, Some((n as u32, t)));
            if key < best {
                best = key;
            }
        }
    }
    best.3
}
