//! Optimal searches that settle all of many goals.
//!
//! Cones are opened by the least length of a path to what they see of their portal, as no goal is
//! ahead. A cone into a polygon with goals sees them or not, as for a single goal; the search goes
//! on behind. It ends when no cone can lead to a shorter path to any goal.
//!
//! The shortest path to a goal has the same bends whatever found it, and so the same length to the
//! last bit, unless another is as short. Where two paths to a root or to a goal are equally short
//! up to rounding, the goals behind are left to searches for one goal, which choose one of them.

use navbake_navmesh::math::length;
use navbake_navmesh::{NONE, blocks};

use super::super::slices::Slices;
use super::super::{NavPath, Status};
use super::cone::{Cone, HERE, end_length, seen_part, towards};
use super::front::{Across, From, Front};
use super::goals::{All, FIRST, Settled};
use super::{Outcome, State, notes};
use crate::scratch::{Memory, Need};
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::grid_distance;

/// In [`Root::before`](super::cone::Root): several paths to the root are equally short.
const TIED: u32 = u32::MAX - 1;

/// How far beyond the longest path a search goes on, so that it sees all paths that are as short.
const BEYOND: f64 = 1.0 + 1e-12;

impl Front<'_> {
    /// Adds a cone in a search for all goals, and notes the goals that it sees.
    pub(super) fn add_for_all(
        &mut self,
        Across { polygon, edge }: Across,
        portal: [[i32; 2]; 2],
        rays: [[i32; 2]; 2],
        from: &From,
    ) {
        let own = &mut self.roots[from.number as usize];
        if own.g != from.root.g || own.before != from.root.before {
            own.before = TIED;
        }
        let (point, g) = (from.root.point, from.root.g);
        if let Some(all) = &mut self.all {
            all.each_in(polygon, |all, goal, at| {
                if let Some(rest) = end_length(rays, portal, towards(point, at)) {
                    let (parent, root) = (from.parent, from.number);
                    let length = g + rest;
                    all.offer(goal, Settled { length, edge, parent, root, is_tied: false });
                }
            });
        }
        let part = seen_part(rays, portal);
        let [right, left] = part.shares.map(|share| share * part.long);
        let rest = length(part.foot.clamp(right.min(left), left.max(right)) - part.foot, part.off);
        let cone = Cone { polygon, edge, parent: from.parent, root: from.number, rays };
        self.put(cone, (g + rest).max(from.least));
    }

    /// Notes the goals in a polygon that holds the start.
    pub(super) fn settle_here(&mut self, number: u32, from: &From) {
        let polygon = self.cones[number as usize].polygon;
        let Some(all) = &mut self.all else {
            return;
        };
        all.each_in(polygon, |all, goal, at| {
            let length = from.root.g + grid_distance(from.root.point, at);
            let (parent, root) = (number, from.number);
            all.offer(goal, Settled { length, edge: HERE, parent, root, is_tied: false });
        });
    }
}

impl State {
    /// Searches for the shortest paths from a place to the goals in the scratch, which follow its
    /// first. `None` where some memory was too small.
    pub(in super::super) fn settle_all(
        query: &NavQuery<'_>,
        from: &NavPoint,
        goals: usize,
        memory: &mut dyn Memory,
    ) -> Option<State> {
        memory.prepare(query.mesh(), Need::Optimal);
        let mut state = State::begin_all(query, from, goals, &mut memory.lend())?;
        loop {
            let may_grow = memory.grows(Need::Optimal);
            match state.step_all(query, &mut memory.lend(), may_grow) {
                None => return Some(state),
                Some(Outcome::Full) if memory.grow(Need::Optimal) => {
                    if !state.may_go_on() {
                        state = State::begin_all(query, from, goals, &mut memory.lend())?;
                    }
                }
                Some(_) => return None,
            }
        }
    }

    fn begin_all(
        query: &NavQuery<'_>,
        from: &NavPoint,
        goals: usize,
        scratch: &mut Slices<'_>,
    ) -> Option<State> {
        let polys = query.mesh().polys();
        let mut state = State { goals: u32::try_from(goals).ok()?, ..State::default() };
        let sight = &mut scratch.sight;
        if sight.marks.len() < polys.tops.len().div_ceil(64) {
            return None;
        }
        sight.marks.fill(0);
        let settled = sight.settled.get_mut(..goals)?;
        let all = scratch.goals.get_mut(FIRST..FIRST + goals)?;
        for goal in &*all {
            *scratch.slots.get_mut(goal.polygon as usize)? = NONE;
            blocks::mark(polys, from.polygon().0, goal.polygon, sight.marks);
        }
        for ((number, goal), settled) in (0..).zip(all).zip(settled) {
            *settled = Settled::NONE;
            if polys.is_on_border(goal.polygon, goal.point) {
                // Several polygons hold it.
                *settled = Settled { length: 0.0, is_tied: true, ..Settled::NONE };
                continue;
            }
            let first = scratch.slots.get_mut(goal.polygon as usize)?;
            goal.node = core::mem::replace(first, number);
        }
        // Less ground than that of the mesh may part what is at one vertex.
        if query.closings().is_ground_open() && !polys.is_changed() {
            state.notes = notes::begin(scratch.sight.notes);
        }
        let mut front = state.front(query, None, scratch);
        front.all.as_ref()?;
        let root = front.start_root(from.point())?;
        front.begin_at(from.polygon(), root, None, 0.0);
        front.let_in();
        state.keep(&front);
        Some(state)
    }

    /// Opens cones until all goals are settled, or the memory for cones is full.
    fn step_all(
        &mut self,
        query: &NavQuery<'_>,
        scratch: &mut Slices<'_>,
        may_grow: bool,
    ) -> Option<Outcome> {
        let mut front = self.front(query, None, scratch);
        let ahead = if may_grow { 4 * front.polys.widest as usize + 8 } else { 0 };
        let mut longest = f64::INFINITY;
        let mut next = self.next.take();
        let full = loop {
            if front.full || !front.has_room(ahead) {
                break true;
            }
            let chained = next.take();
            let Some(open) = chained.or_else(|| front.heap.pop(front.cones, front.roots)) else {
                break false;
            };
            if open.f > longest || self.expanded.is_multiple_of(64) {
                longest = front.all.as_ref().map_or(0.0, All::longest) * BEYOND;
            }
            if open.f > longest {
                match chained {
                    Some(_) => continue,
                    None => break false,
                }
            }
            if !front.is_best(front.cones[open.cone as usize].root) {
                continue;
            }
            self.expanded = self.expanded.saturating_add(1);
            let before = front.used;
            front.expand(open.cone, open.f);
            // A cone with a single successor is replaced by it.
            if front.used == before + 1 {
                next = front.heap.take_only();
            } else {
                front.let_in();
            }
        };
        let full = match (full, may_grow) {
            (true, true) => Some(Outcome::Full),
            (true, false) => Some(Outcome::OutOfNodes),
            (false, _) => None,
        };
        self.keep(&front);
        self.next = next;
        full
    }

    /// The cost of the path to a goal of a search for all of them, m: infinite where there is none.
    /// `None` where it takes a search for this goal alone.
    pub(in super::super) fn cost_to(
        &self,
        query: &NavQuery<'_>,
        from: &NavPoint,
        goal: usize,
        scratch: &mut Slices<'_>,
    ) -> Option<f64> {
        let to = *scratch.goals.get(FIRST + goal)?;
        let sight = &mut scratch.sight;
        let settled = *sight.settled.get(goal)?;
        if settled.is_tied {
            return None;
        }
        if settled.length == f64::INFINITY {
            return Some(f64::INFINITY);
        }
        let is_tied = |root: u32| sight.roots.get(root as usize).is_none_or(|r| r.before == TIED);
        let mut at = settled.parent;
        if is_tied(settled.root) {
            return None;
        }
        for _ in 0..self.cones {
            let cone = sight.cones.get(at as usize)?;
            if is_tied(cone.root) {
                return None;
            }
            if cone.parent == at {
                break;
            }
            at = cone.parent;
        }
        let Settled { edge, parent, root, .. } = settled;
        let end = self.cones as usize;
        let rays = [[0; 2]; 2];
        *sight.cones.get_mut(end)? = Cone { polygon: to.polygon, edge, parent, root, rays };
        let to = query.goal_place(&to);
        let path: NavPath<'_> =
            self.answer(query, from, &to, &Outcome::Reached(end), scratch.lend());
        (path.status == Status::Reached).then_some(path.cost)
    }
}
