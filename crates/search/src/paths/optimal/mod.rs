//! Shortest any-angle paths by Polyanya.
//!
//! Source: Cui, Harabor and Grastien, Compromise-free pathfinding on a navigation mesh, 2017.
//!
//! A search node is a cone of sight (Polyanya's interval). It begins at its *root*, the last corner
//! of the path, and looks through a portal into a polygon:
//!
//! ```text
//!       left \   polygon   / right
//!             \           /
//!              +---------+      portal
//!               \       /
//!                \     /        rays
//!                 root
//! ```
//!
//! A ray that bounds the cone may pass through an end of the portal. If the ground behind that end
//! is visible from the end only, the path may turn there: the end becomes a root.
//! The search opens nodes in order of the least length of a path through them: to the goal, or to
//! its mirror image on the portal's far side.
//! Of all nodes with one root, it drops those with a longer path to that root. It replaces a node
//! that has a single successor by that successor at once.
//!
//! Differences from the paper:
//! - A cone stores the two rays that bound it, each from the root through a grid point, and never
//!   the points where they meet the portal. So all decisions about sides are exact integers; only
//!   lengths are rounded.
//! - The search follows adjacency, so storeys may be above one another. Roots belong to a *pivot*:
//!   the corners around a vertex that share one connected piece of ground. Ground beyond a pinch
//!   there, or on another storey, has its own pivot.
//! - Ground that no path between the two ends can lead through is left out from the start; see
//!   [`navbake_navmesh::blocks`].
//! - Blocked edges are walls. Around their ends, paths turn at other corners than on the mesh; see
//!   [`Closings`](crate::Closings).
//! - Paths may take links; see [`links`].
//! - A search may settle many goals; see [`all`].
//! - Borders are read from a layout of the polygons that is built once per mesh; see [`polys`].

mod all;
mod cone;
mod expand;
mod front;
mod goals;
mod heap;
mod links;
mod memory;
mod notes;
mod region;
mod seen;
mod trace;

#[cfg(test)]
mod tests;

use navbake_format::PolyId;
use navbake_navmesh::blocks;

use super::cheap::Savings;
use super::finish::Bend;
use super::landmarks::Landmarks;
use super::slices::Slices;
use super::{Algorithm, NavPath, Status};
use crate::ray::holders;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::{distance, float};

use cone::Cone;
pub(super) use cone::least_length;
pub use cone::{along, reversed, towards, turn};
#[cfg(feature = "alloc")]
pub(crate) use memory::SightVectors;
pub(crate) use memory::{Sight, SightArrays};
pub use region::Region;
pub use trace::{bends, trace};

use front::Front;
use goals::All;
use heap::{Heap, Open};
use notes::Notes;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The goal was reached: the number of the last cone.
    Reached(usize),
    /// There is no path to the goal.
    Nowhere,
    /// There may be no room for the next cones, but the memory can grow.
    Full,
    /// Some memory was too small for an answer.
    OutOfNodes,
}

/// The state of an optimal search.
/// Its results up to now are in the scratch that it began with. That scratch must serve this search
/// alone until it ends and its answer is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    goal: [i32; 2],
    cones: u32,
    roots: u32,
    open: u32,
    ends: u32,
    /// The number of goals of a search for all of them; 0 for one goal.
    goals: u32,
    /// The number of this search among those that noted lengths in its memory; 0 without notes.
    notes: u32,
    /// The least and the greatest number of the polygons that hold the goal.
    span: [u32; 2],
    /// A cone that replaces the one opened before.
    next: Option<Open>,
    full: bool,
    /// May links be taken?
    hops: bool,
    savings: Savings,
    /// Do landmarks guide the search, where the mesh has any?
    guided: bool,
    /// The cone that the last step opened, plus one.
    /// 0 if that step did not open exactly one.
    last: u32,
    /// Length of the path found, grid units.
    pub length: f64,
    /// Cones opened.
    pub expanded: u32,
    /// The greatest length of the open list.
    pub max_open: u32,
}

impl State {
    /// Begins a search between two places of one island.
    pub(super) fn begin(
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        scratch: &mut Slices<'_>,
    ) -> State {
        State::begin_within(query, from, to, None, true, scratch)
    }

    /// Begins a search that may be confined to a region, which every step must get as well.
    /// `linked` says whether it may take links.
    pub fn begin_within(
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        within: Option<&dyn Region>,
        linked: bool,
        scratch: &mut Slices<'_>,
    ) -> State {
        let mut state = State {
            hops: linked && query.links().next().is_some(),
            goal: to.point(),
            span: [to.polygon().0; 2],
            ..State::default()
        };
        let sight = &mut scratch.sight;
        let polys = query.mesh().polys();
        if within.is_none() && sight.marks.len() < polys.tops.len().div_ceil(64) {
            state.full = true;
            return state;
        }
        let (a, b) = (from.polygon().0, to.polygon().0);
        if within.is_none() {
            sight.marks.fill(0);
            blocks::mark(polys, a, b, sight.marks);
        }
        let mut end = |polygon: PolyId| {
            match sight.ends.get_mut(state.ends as usize) {
                Some(slot) => *slot = polygon.0,
                None => state.full = true,
            }
            state.ends += 1;
            let [least, greatest] = state.span;
            state.span = [least.min(polygon.0), greatest.max(polygon.0)];
        };
        end(to.polygon());
        if polys.is_on_border(to.polygon().0, to.point()) {
            holders(query, to.polygon(), to.point(), |_, edge| {
                end(PolyId(edge.neighbour));
            });
        }
        if state.full {
            return state;
        }
        if state.hops {
            let rest = |p| distance(p, float(to.point()));
            state.savings = Savings::collect(query, rest, scratch.cheap);
        }
        // Within a region, goals are near and all ground is on the path there.
        state.guided = within.is_none();
        // Less ground than that of the mesh may part what is at one vertex.
        let whole = query.closings().is_ground_open() && !polys.is_changed();
        if within.is_none() && whole {
            state.notes = notes::begin(scratch.sight.notes);
        }
        let mut front = state.front(query, within, scratch);
        if let Some(root) = front.start_root(from.point()) {
            front.begin_at(from.polygon(), root, None, 0.0);
            front.let_in();
        }
        state.keep(&front);
        state
    }

    /// Takes at most `budget` cones off the open list.
    /// Returns the outcome when the search ends.
    pub fn step(
        &mut self,
        query: &NavQuery<'_>,
        within: Option<&dyn Region>,
        scratch: &mut Slices<'_>,
        budget: u32,
        may_grow: bool,
    ) -> Option<Outcome> {
        let mut front = self.front(query, within, scratch);
        // The most cones that a cone has as successors, but for links.
        let ahead = if may_grow { 4 * front.polys.widest as usize + 8 } else { 0 };
        let (mut next, mut expanded, mut longest) = (self.next, self.expanded, self.max_open);
        // Computed beforehand, so that the loop need not keep track of it.
        let top = front.heap.items.first().filter(|_| front.heap.len > 0);
        let first = next.as_ref().or(top).map_or(0, |open| open.cone + 1);
        let mut outcome = None;
        for _ in 0..budget {
            if front.full || !front.has_room(ahead) {
                break;
            }
            let open = match next.take() {
                Some(open) => open,
                None => match front.heap.pop(front.cones, front.roots) {
                    Some(open) => open,
                    None => break,
                },
            };
            let cone = &front.cones[open.cone as usize];
            if cone.is_end() {
                outcome = Some(Outcome::Reached(open.cone as usize));
                self.length = open.f;
                break;
            }
            if !front.is_best(cone.root) {
                continue;
            }
            expanded = expanded.saturating_add(1);
            let before = front.used;
            if let Some(link) = cone.link() {
                front.arrive(open.cone, link, open.f);
                front.let_in();
                longest = longest.max(front.heap.len as u32);
                continue;
            }
            front.expand(open.cone, open.f);
            // A cone with a single successor is replaced by it.
            if front.used == before + 1 && !front.cones[before].is_end() {
                next = front.heap.take_only();
            } else {
                front.let_in();
                longest = longest.max(front.heap.len as u32);
            }
        }
        if outcome.is_none() {
            outcome = match front.full {
                true if may_grow => Some(Outcome::Full),
                true => Some(Outcome::OutOfNodes),
                false if next.is_none() && front.heap.len == 0 => Some(Outcome::Nowhere),
                false if !front.has_room(ahead) => Some(Outcome::Full),
                false => None,
            };
        }
        self.keep(&front);
        let one = budget == 1 && expanded > self.expanded;
        self.last = if one { first } else { 0 };
        (self.next, self.expanded, self.max_open) = (next, expanded, longest);
        outcome
    }

    /// Was there room for every cone up to now?
    pub(super) fn may_go_on(&self) -> bool {
        !self.full
    }

    fn keep(&mut self, front: &Front<'_>) {
        (self.cones, self.roots) = (front.used as u32, front.bends as u32);
        (self.open, self.full) = (front.heap.len as u32, front.full);
        self.max_open = self.max_open.max(self.open);
    }

    /// The search with its memory.
    /// Scratch other than the one it began with counts as full.
    fn front<'s>(
        &self,
        query: &'s NavQuery<'_>,
        within: Option<&'s dyn Region>,
        scratch: &'s mut Slices<'_>,
    ) -> Front<'s> {
        let sight = scratch.sight.lend();
        let fits = sight.cones.len() >= self.cones as usize
            && sight.roots.len() >= self.roots as usize
            && sight.opened.len() >= self.open as usize;
        let ends = sight.ends.get(..self.ends as usize);
        let all = (self.goals > 0)
            .then(|| All::new(self.goals as usize, scratch.goals, sight.settled, scratch.slots));
        let landmarks = match (self.guided, sight.ends.first()) {
            (true, Some(&polygon)) => {
                Landmarks::of(query).map(|l| (l, l.within(polygon, float(self.goal))))
            }
            _ => None,
        };
        Front {
            within,
            landmarks,
            polys: query.mesh().polys(),
            closings: *query.closings(),
            cones: sight.cones,
            used: self.cones as usize,
            roots: sight.roots,
            bends: self.roots as usize,
            best: sight.best,
            marks: sight.marks,
            full: self.full || !fits || ends.is_none(),
            ends: ends.unwrap_or(&[]),
            span: self.span,
            goal: self.goal,
            query,
            hops: self.hops,
            savings: self.savings,
            cheap: scratch.cheap,
            notes: Notes { items: sight.notes, search: self.notes },
            all: all.flatten(),
            heap: Heap { items: sight.opened, len: self.open as usize, waiting: 0 },
        }
    }

    /// The answer of a search that ended.
    /// If the search ran out of nodes, the path leads to the place nearest to the goal that it saw.
    pub fn answer<'s>(
        &self,
        query: &NavQuery<'_>,
        from: &NavPoint,
        to: &NavPoint,
        outcome: &Outcome,
        mut scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let mesh = query.mesh();
        let counts = NavPath {
            expanded: self.expanded,
            max_open: self.max_open,
            ..NavPath::none(Status::OutOfNodes, Algorithm::Optimal)
        };
        let node = match outcome {
            Outcome::Reached(node) => Some(*node),
            _ => self.nearest(mesh, to, &scratch),
        };
        let Some(node) = node else {
            return counts;
        };
        let mut end = *to;
        let mut corridor = None;
        if let Outcome::Reached(_) = outcome {
            let whole = trace::trace(query, node, to, &mut scratch);
            let fits = whole.is_whole() && whole.len <= scratch.longest_corridor();
            corridor = fits.then_some(whole);
        }
        let reached = corridor.is_some();
        let known =
            corridor.and_then(|whole| trace::bends(query, node, [from, to], &whole, &mut scratch));
        let corridor = corridor.unwrap_or_else(|| {
            let node = trace::within_room(node, &scratch);
            if let Some(place) = query.nearest_on_cone(node, to, &scratch) {
                end = place;
            }
            trace::trace(query, node, &end, &mut scratch)
        });
        if !corridor.is_whole() || corridor.len > scratch.longest_corridor() {
            return counts;
        }
        let bend = known.map_or(Bend::Corners, Bend::Known);
        let path = query.finish_with(from, &end, corridor, bend, scratch);
        if path.status != Status::Reached {
            return counts;
        }
        NavPath {
            status: if reached { Status::Reached } else { Status::OutOfNodes },
            bound: if reached { path.cost } else { 0.0 },
            certified_optimal: reached,
            ..path.counted(counts)
        }
    }
}

impl NavQuery<'_> {
    /// The place nearest to the goal on the polygon of a cone.
    fn nearest_on_cone(
        &self,
        node: usize,
        to: &NavPoint,
        scratch: &Slices<'_>,
    ) -> Option<NavPoint> {
        let polygon = PolyId(scratch.sight.cones.get(node)?.polygon);
        let point = crate::surface::nearest(&self.mesh().polygon(polygon), to.point());
        self.on_polygon_grid(polygon, point)
    }
}
