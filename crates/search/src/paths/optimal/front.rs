//! A running optimal search: its roots, and how it adds a cone.

use navbake_navmesh::{Border, CORNER, HalfEdge, NONE, OWN, PolyMesh, WIDE};

use super::super::cheap::{Cheap, Savings};
use super::super::landmarks::{Away, Landmarks};
use super::blocks::is_marked;
use super::cone::{
    Cone, Root, SAME, along, end_length, least_length, reversed, seen_part, towards, turn,
};
use super::goals::All;
use super::heap::Heap;
use super::notes::Notes;
use super::region::{self, Region};
use crate::NavQuery;
use crate::closings::Closings;
use navbake_navmesh::math::grid_distance;

/// An optimal search with its memory.
pub(super) struct Front<'s> {
    pub(super) polys: &'s PolyMesh<'s>,
    pub(super) closings: Closings<'s>,
    pub(super) cones: &'s mut [Cone],
    pub(super) used: usize,
    pub(super) roots: &'s mut [Root],
    pub(super) bends: usize,
    /// For each pivot, the root with the shortest path to it.
    /// An entry counts only when that root names the same pivot.
    pub(super) best: &'s mut [u32],
    pub(super) heap: Heap<'s>,
    /// Biconnected components that a path can lead through, as bits.
    pub(super) marks: &'s [u64],
    /// The polygons that hold the goal, and their least and greatest number.
    pub(super) ends: &'s [u32],
    pub(super) span: [u32; 2],
    pub(super) goal: [i32; 2],
    /// Some memory was too small.
    pub(super) full: bool,
    pub(super) query: &'s NavQuery<'s>,
    /// The ground that the search stays within.
    pub(super) within: Option<&'s dyn Region>,
    /// Landmarks, and the goal's distances from them.
    pub(super) landmarks: Option<(Landmarks<'s>, Away)>,
    /// May links be taken?
    pub(super) hops: bool,
    /// Lower bounds on the rest of a path that takes shortcut links.
    pub(super) savings: Savings,
    pub(super) cheap: &'s [Cheap],
    pub(super) notes: Notes<'s>,
    /// The goals of a search for all of them.
    pub(super) all: Option<All<'s>>,
}

/// The far side of an edge: a polygon and the number of its edge there.
#[derive(Clone, Copy)]
pub(super) struct Across {
    pub(super) polygon: u32,
    pub(super) edge: u32,
}

/// The root and the cone from which successors are seen.
#[derive(Clone, Copy)]
pub(super) struct From {
    pub(super) root: Root,
    /// The number of the root; [`NONE`] before it has one.
    pub(super) number: u32,
    pub(super) parent: u32,
    /// Lower bound on the length of paths through the opened cone.
    pub(super) least: f64,
}

impl From {
    /// The same from a corner that is visible from there.
    #[inline]
    fn moved(&self, corner: &HalfEdge, pivot: u32) -> From {
        From {
            root: Root {
                point: corner.at,
                pivot,
                before: self.number,
                g: self.root.g + grid_distance(self.root.point, corner.at),
            },
            number: NONE,
            ..*self
        }
    }
}

impl Front<'_> {
    /// The polygon beyond an edge; `None` where no path leads through.
    /// That is the case at a wall, and at a portal to ground that cannot be on a path to the goal.
    /// A rule against entering ground belongs here; the corners that it makes belong in
    /// [`Front::is_corner`].
    #[inline]
    pub(super) fn beyond(&self, edge: &HalfEdge) -> Option<u32> {
        let beyond = self.closings.beyond(edge)?;
        let open = match &self.within {
            None => self.hops || is_marked(self.marks, edge.block),
            Some(region) => self.leads_into(*region, edge.block, beyond),
        };
        open.then_some(beyond)
    }

    /// Does an edge of a block lead to a polygon within the region, or to the goal?
    #[inline(never)]
    fn leads_into(&self, region: &dyn Region, block: u32, beyond: u32) -> bool {
        // The goal may be on the border of the region, on its far side.
        (self.hops || region.is_between(block)) && (region.holds(beyond) || self.holds_goal(beyond))
    }

    /// The polygon beyond an edge, with the number of its edge that leads back.
    /// `None` as for [`Front::beyond`].
    #[inline]
    pub(super) fn across(&self, edge: &HalfEdge) -> Option<Across> {
        self.beyond(edge).map(|polygon| Across { polygon, edge: edge.twin })
    }

    /// Can a path turn where an edge begins?
    #[inline]
    pub(super) fn is_corner(&self, edge: &HalfEdge) -> bool {
        let on_mesh = edge.is_corner();
        let open = if self.closings.is_ground_open() {
            on_mesh
        } else {
            (self.closings).is_corner(edge.number(), on_mesh)
        };
        match &self.within {
            None => open,
            // Where a wall touches the corner, less ground makes no other turn.
            Some(region) => {
                let inner = edge.pivot & !WIDE >= self.polys.inner;
                open || (inner && region::turns(*region, self.polys, &self.closings, edge))
            }
        }
    }

    /// The pivot that identifies the roots at a corner.
    /// Roots of one sector of ground must not be compared with those of another. A pivot of at most
    /// one full turn has only one sector where paths turn, whatever is blocked.
    #[inline]
    fn pivot(&self, corner: &HalfEdge) -> u32 {
        if corner.pivot & WIDE != 0 && !self.closings.is_ground_open() {
            let number = corner.number();
            if self.closings.is_touched(number) {
                return number | CORNER | WIDE | OWN;
            }
        }
        corner.pivot
    }

    /// Is there room for this many more cones and roots?
    #[inline]
    pub(super) fn has_room(&self, ahead: usize) -> bool {
        self.used + ahead <= self.cones.len() && self.bends + ahead <= self.roots.len()
    }

    #[inline]
    pub(super) fn holds_goal(&self, polygon: u32) -> bool {
        self.span[0] <= polygon && polygon <= self.span[1] && self.ends.contains(&polygon)
    }

    /// The root of the shortest known path to a pivot.
    #[inline]
    fn best(&self, pivot: u32) -> Option<u32> {
        if pivot & OWN != 0 {
            // Few corners have a pivot of their own; the last root is the best.
            let roots = self.roots.get(..self.bends)?;
            return (roots.iter().rposition(|r| r.pivot == pivot)).map(|n| n as u32);
        }
        let number = *self.best.get((pivot & !(CORNER | WIDE)) as usize)?;
        let root = self.roots.get(..self.bends)?.get(number as usize)?;
        (root.pivot == pivot).then_some(number)
    }

    /// Is there still no shorter path to the pivot of a root?
    #[inline]
    pub(super) fn is_best(&self, root: u32) -> bool {
        let pivot = self.roots[root as usize].pivot;
        pivot == NONE || self.best(pivot) == Some(root)
    }

    /// Is an equally short path to the root's pivot known?
    pub(super) fn is_known(&self, root: &Root) -> bool {
        let best = (self.best(root.pivot)).and_then(|number| self.roots.get(number as usize));
        best.is_some_and(|best| root.g * SAME >= best.g)
    }

    /// The number of a new root, or of an equally good one at its pivot.
    /// `None` where there is a better one, or no room.
    fn admit(&mut self, root: Root) -> Option<u32> {
        if let Some(number) = self.best(root.pivot) {
            let g = self.roots[number as usize].g;
            if root.g * SAME >= g {
                return (root.g <= g * SAME).then_some(number);
            }
        }
        self.put_root(root)
    }

    /// The view from a corner where the path may turn.
    /// `None` if a shorter path to the corner is known.
    #[inline]
    pub(super) fn turning(&self, corner: &HalfEdge, from: &From) -> Option<From> {
        let mut from = from.moved(corner, self.pivot(corner));
        if let Some(number) = self.best(from.root.pivot) {
            let g = self.roots[number as usize].g;
            if from.root.g > g * SAME {
                return None;
            }
            if from.root.g * SAME >= g {
                from.number = number;
            }
        }
        Some(from)
    }

    /// Adds a root: that of the start, or the best of its pivot.
    pub(super) fn put_root(&mut self, root: Root) -> Option<u32> {
        let Some(slot) = self.roots.get_mut(self.bends) else {
            self.full = true;
            return None;
        };
        *slot = root;
        if root.pivot != NONE && root.pivot & OWN == 0 {
            match self.best.get_mut((root.pivot & !(CORNER | WIDE)) as usize) {
                Some(best) => *best = self.bends as u32,
                None => self.full = true,
            }
        }
        self.bends += 1;
        Some(self.bends as u32 - 1)
    }

    /// Adds the cone through an edge between two rays.
    /// Drops it if it cannot be part of a shortest path. `portal` holds the edge's ends relative to
    /// the root.
    #[inline]
    pub(super) fn add(
        &mut self,
        across: Across,
        portal: [[i32; 2]; 2],
        rays: [[i32; 2]; 2],
        from: &mut From,
    ) {
        if from.number == NONE {
            let Some(number) = self.admit(from.root) else {
                return;
            };
            from.number = number;
        }
        if self.hops {
            self.add_with_links(across, portal, rays, from);
            return;
        }
        if self.all.is_some() {
            self.add_for_all(across, portal, rays, from);
            return;
        }
        let goal = towards(from.root.point, self.goal);
        let Across { polygon, edge } = across;
        let ends = self.holds_goal(polygon);
        let (rest, rays) = if ends {
            match end_length(rays, portal, goal) {
                Some(rest) => (rest, [[0; 2]; 2]),
                None => return,
            }
        } else {
            (least_length(rays, portal, goal), rays)
        };
        let cone = Cone { polygon, edge, parent: from.parent, root: from.number, rays };
        // Rounding must not make a path shorter than the one it continues.
        self.put(cone, (from.root.g + rest).max(from.least));
    }

    /// Moves the waiting cones into the open list.
    #[inline]
    pub(super) fn let_in(&mut self) {
        if self.landmarks.is_some() {
            self.guide();
        }
        self.heap.let_in(self.cones, self.roots);
    }

    /// Raises the lower bounds of the waiting cones with landmarks.
    /// A cone that waits alone is opened next whatever its bound, and needs none.
    fn guide(&mut self) {
        let Some((landmarks, goal)) = &self.landmarks else {
            return;
        };
        let waiting = self.heap.len..self.heap.len + self.heap.waiting;
        for open in self.heap.items.get_mut(waiting).unwrap_or(&mut []) {
            let cone = &self.cones[open.cone as usize];
            if cone.is_end() {
                continue;
            }
            let root = &self.roots[cone.root as usize];
            let border = self.polys.border(cone.polygon);
            // From inside the polygon, the portal runs in the opposite direction.
            let Some(left) = border.get(cone.edge as usize) else {
                continue;
            };
            let right = border.after(cone.edge as usize);
            let ends = [&*right, &*left];
            let portal = ends.map(|end| towards(root.point, end.at));
            let rest = landmarks.through(cone.polygon, ends, &seen_part(cone.rays, portal), goal);
            open.f = open.f.max(root.g + rest);
        }
    }

    /// Adds a cone where links may be taken, even beyond a polygon that holds the goal.
    fn add_with_links(
        &mut self,
        Across { polygon, edge }: Across,
        portal: [[i32; 2]; 2],
        rays: [[i32; 2]; 2],
        from: &From,
    ) {
        let point = from.root.point;
        let rest = least_length(rays, portal, towards(point, self.goal)).min(self.saved(point));
        let number = self.used as u32;
        let cone = Cone { polygon, edge, parent: from.parent, root: from.number, rays };
        self.put(cone, (from.root.g + rest).max(from.least));
        if self.used as u32 > number {
            self.add_what_is_there(number, from, rays, portal);
        }
    }

    /// Adds the cone through edge `k`, which is on one line with the root.
    /// The path turns at the nearer end of the edge.
    #[cold]
    pub(super) fn add_along(
        &mut self,
        across: Across,
        (border, k): (&Border<'_>, usize),
        from: &From,
    ) {
        let root = from.root.point;
        let (here, next) = (border.at(k), border.after(k));
        let ends = [here.at, next.at];
        let [dp, dq] = ends.map(|end| towards(root, end));
        let (corner, rays) = if along(dp, dp) < along(dq, dq) {
            (&here, [reversed(dp), dp])
        } else {
            (&next, [dq, reversed(dq)])
        };
        if along(dp, dq) > 0 && self.is_corner(corner) {
            let mut from = from.moved(corner, self.pivot(corner));
            let portal = ends.map(|end| towards(corner.at, end));
            self.add(across, portal, rays, &mut from);
        }
    }

    /// Adds the cones from a root through the edges of a cone's polygon.
    /// That polygon must hold the root.
    pub(super) fn look_around(&mut self, number: u32, from: &From) {
        let Cone { polygon, .. } = self.cones[number as usize];
        let mut from = *from;
        let border = &self.polys.border(polygon);
        for k in 0..border.len() {
            let edge = border.at(k);
            let Some(across) = self.across(&edge) else {
                continue;
            };
            let rays = [edge.at, border.after(k).at].map(|end| towards(from.root.point, end));
            if turn(rays[0], rays[1]) > 0 {
                self.add(across, rays, rays, &mut from);
            } else {
                self.add_along(across, (border, k), &from);
            }
        }
    }
}
