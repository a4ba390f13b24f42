//! The path from a cone back to the start.

use navbake_format::{NavMesh, PolyId};
use navbake_navmesh::PolyMesh;

use super::super::bends::settle;
use super::super::funnel::FunnelNode;
use super::super::nodes::{Corridor, Step};
use super::super::slices::Slices;
use super::State;
use super::cone::{Cone, HERE, towards, turn};
use crate::ray::same_ground;
use crate::{NavPoint, NavQuery, surface};
use navbake_navmesh::math::{float, length};

/// The number of portals on the path to a cone.
fn portals(node: usize, scratch: &Slices<'_>) -> usize {
    let cones = &scratch.sight.cones;
    let (mut n, mut count) = (node, 0);
    while let Some(cone) = cones.get(n)
        && cone.parent as usize != n
        && count < cones.len()
    {
        n = cone.parent as usize;
        count += 1;
    }
    count
}

/// The last cone on the path for which the scratch has room for a corridor.
pub(super) fn within_room(node: usize, scratch: &Slices<'_>) -> usize {
    let excess = portals(node, scratch).saturating_sub(scratch.longest_corridor());
    (0..excess).fold(node, |n, _| scratch.sight.cones[n].parent as usize)
}

/// Writes the corridor to a cone into `Scratch::corridor`.
/// It continues to the end's own polygon.
pub fn trace(
    query: &NavQuery<'_>,
    node: usize,
    end: &NavPoint,
    scratch: &mut Slices<'_>,
) -> Corridor {
    let count = portals(node, scratch);
    let polys = query.mesh().polys();
    let cones = &*scratch.sight.cones;
    let mut way = Backwards {
        corridor: Corridor::new(end.polygon()),
        steps: scratch.corridor,
        slots: scratch.slots,
        begin: 0,
        last: Some(end.polygon().0),
    };
    let last = cones.get(node).map_or(end.polygon(), |c| PolyId(c.polygon));
    same_ground(query, last, end.polygon(), end.point(), |p, k| {
        way.corridor.push(way.steps, p, k);
    });
    way.turn(0);
    let mut n = node;
    for _ in 0..count {
        let cone = cones[n];
        if let Some(number) = cone.link() {
            way.link(query, PolyId(cone.polygon), number);
        } else if let Some(edge) = polys.edge((cone.polygon, cone.edge)) {
            way.push(Step { polygon: edge.neighbour, edge: edge.twin });
        }
        n = cone.parent as usize;
    }
    if let Some(steps) = way.steps.get_mut(..way.corridor.len) {
        steps.reverse();
    }
    way.corridor
}

/// A corridor written from its end backwards, without loops.
/// Loops arise because a place on a border may first be seen from the far side, and a path along
/// borders may change sides. Polygons are convex, so a loop from one back to it is no shorter than
/// the straight line within.
struct Backwards<'s> {
    corridor: Corridor,
    steps: &'s mut [Step],
    /// The index of each polygon's step.
    /// Valid only when that step is the polygon's own.
    slots: &'s mut [u32],
    /// The step of the last link taken, or the first step: nothing is cut beyond it.
    begin: usize,
    /// The polygon at the end, before a link is taken.
    last: Option<u32>,
}

impl Backwards<'_> {
    /// Adds a step before all others.
    /// Cuts the steps between it and a later step from the same polygon.
    fn push(&mut self, step: Step) {
        let polygon = step.polygon;
        if self.last == Some(polygon) {
            self.corridor.cut(0);
            return;
        }
        if let Some(slot) = self.slots.get_mut(polygon as usize) {
            let at = *slot as usize;
            if (self.begin..self.corridor.len).contains(&at) && self.steps[at].polygon == polygon {
                self.corridor.cut(at + 1);
                return;
            }
            *slot = self.corridor.len as u32;
        }
        self.corridor.push(self.steps, PolyId(polygon), step.edge);
    }

    /// Reverses the steps from `first` on, which were written forwards.
    fn turn(&mut self, first: usize) {
        let count = self.corridor.len;
        if let Some(steps) = self.steps.get_mut(first..count) {
            steps.reverse();
        }
        self.corridor.len = first;
        for k in first..count {
            self.push(self.steps[k]);
        }
    }

    /// Adds a link before all others, and the path to it.
    /// `holder` is the polygon that the path comes from; it holds the link's begin.
    fn link(&mut self, query: &NavQuery<'_>, holder: PolyId, number: u32) {
        let Some(link) = query.mesh().link(number) else {
            return;
        };
        (self.begin, self.last) = (self.corridor.len, None);
        self.corridor.take_link(self.steps, link.polygon, number);
        if let Some(slot) = self.slots.get_mut(link.polygon.0 as usize) {
            *slot = self.begin as u32;
        }
        let first = self.corridor.len;
        same_ground(query, holder, link.polygon, link.from, |p, k| {
            self.corridor.push(self.steps, p, k);
        });
        self.turn(first);
    }
}

/// Settles the bends of the path to a cone whose corridor was just traced.
/// The bends are roots. Returns the number of nodes in `Scratch::funnel` then, both ends
/// included. `None` where cones do not determine the bends: where links are taken or loops were
/// cut.
pub fn bends(
    query: &NavQuery<'_>,
    node: usize,
    [from, to]: [&NavPoint; 2],
    corridor: &Corridor,
    scratch: &mut Slices<'_>,
) -> Option<usize> {
    if query.mesh().link_count() > 0 || corridor.is_cut() {
        return None;
    }
    let polys = query.mesh().polys();
    let ways = portals(node, scratch);
    let (cones, roots) = (&*scratch.sight.cones, &*scratch.sight.roots);
    let nodes = scratch.funnel.get_mut(1..)?;
    let (mut count, mut steps) = (0, 0);
    let mut put = |point, portal| {
        *nodes.get_mut(count)? = FunnelNode { point, before: 0, portal };
        count += 1;
        Some(())
    };
    // From the end backwards: portals are counted from there.
    let mut cone = cones.get(node)?;
    let mut ahead = Some(to.point());
    for _ in 0..=ways {
        let root = roots.get(cone.root as usize)?.point;
        // Behind one cone the path may turn twice, the first time at the cone's portal.
        if let Some(corner) = ahead.and_then(|to| corner_on_way(polys, cone, root, to)) {
            put(corner, steps)?;
        }
        let before = cones.get(cone.parent as usize)?;
        ahead = (before.root != cone.root).then_some(root);
        if ahead.is_some() {
            put(root, steps)?;
        }
        steps += u32::from(cone.edge != HERE);
        cone = before;
    }
    let nodes = nodes.get_mut(..count)?;
    nodes.reverse();
    for node in nodes {
        node.portal = steps.checked_sub(node.portal + 1)?;
    }
    settle(query, [from, to], count, corridor, scratch)
}

/// The end of a cone's portal where the path to a place in its polygon turns.
/// `None` if the path goes straight there.
fn corner_on_way(
    polys: &PolyMesh<'_>,
    cone: &Cone,
    root: [i32; 2],
    goal: [i32; 2],
) -> Option<[i32; 2]> {
    // From inside the polygon, the portal runs in the opposite direction.
    let [right, left] = polys.ends(cone.polygon, cone.edge)?;
    let [d, r, l] = [goal, right, left].map(|p| towards(root, p));
    match () {
        _ if turn(r, d) < 0 => Some(right),
        _ if turn(d, l) < 0 => Some(left),
        _ => None,
    }
}

impl State {
    /// The cone whose polygon is nearest to the goal in space.
    /// Of equals, the one with the shorter path. Visits every cone.
    pub(in super::super) fn nearest(
        &self,
        mesh: &NavMesh<'_>,
        to: &NavPoint,
        scratch: &Slices<'_>,
    ) -> Option<usize> {
        let goal = float(to.point());
        let mut best = (f64::INFINITY, f64::INFINITY, u32::MAX, None);
        let cones = scratch.sight.cones.iter().take(self.cones as usize);
        for (n, cone) in cones.enumerate() {
            let polygon = mesh.polygon(PolyId(cone.polygon));
            // A cone that takes a link ends elsewhere.
            if polygon.is_empty() || cone.link().is_some() {
                continue;
            }
            let point = surface::nearest(&polygon, to.point());
            let up = surface::height(&polygon, point) - to.height();
            let away = length(float(point)[0] - goal[0], length(float(point)[1] - goal[1], up));
            let g = (scratch.sight.roots.get(cone.root as usize)).map_or(0.0, |r| r.g);
            let key = (away, g, cone.polygon, Some(n));
            if key < best {
                best = key;
            }
        }
        best.3
    }
}
