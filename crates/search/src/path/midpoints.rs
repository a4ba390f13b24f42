//! The space of portals, met in their middles, and the path that skips what it can see past (Snook, Simplified 3D movement and pathfinding
//! using navigation meshes, Game Programming Gems, 2000).
//!
//! A node is a portal in one direction, so the length of a way through a polygon is that between the two middles it really uses; a node for
//! each polygon would know one of its entries only. The other direction of a portal is left out where the first was reached by a way that is
//! no longer: turning back in a portal never pays.

use navbake_format::PolyId;

use super::astar::{Front, Offer, Space};
use super::optimal::Chart;
use super::portal::Portal;
use super::scratch::{Corridor, Scratch, Step};
use crate::math::{distance, float};
use crate::ray::{End, same_ground, walk};
use crate::{Location, Query, surface};

/// Keys are edges, seen from the polygon that is left.
pub(super) struct Portals<'m, 'a>(pub(super) &'m Query<'a>);

impl Space for Portals<'_, '_> {
    #[inline]
    fn expand(&self, n: u32, front: &mut Front<'_>) -> bool {
        let node = front.node(n);
        let polygon = self.0.mesh().polygon(PolyId(node.polygon));
        let came_from = front.node(node.parent).polygon;
        let mut fits = true;
        for k in 0..polygon.len() {
            let Some((beyond, twin)) = self.0.across(&polygon, k) else {
                continue;
            };
            // Turning back into the polygon before never pays.
            if beyond.0 == came_from {
                continue;
            }
            let key = polygon.edge(k).0;
            let known = front.find(key);
            if known.is_some_and(|m| !front.improves(m, node.g)) {
                continue;
            }
            let [a, b] = [polygon.corner(k), polygon.corner(polygon.next(k))].map(float);
            let entry = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
            let g = node.g + distance(node.entry, entry);
            if known.is_some_and(|m| !front.improves(m, g)) {
                continue;
            }
            let back = front.find(self.0.mesh().polygon(beyond).edge(twin).0);
            if back.is_some_and(|m| front.node(m).g <= g) {
                continue;
            }
            let offer = Offer {
                key,
                polygon: beyond,
                edge: k,
                entry,
                g,
            };
            fits &= front.take(&offer, known, n);
        }
        fits
    }
}

/// How many points in a row that cannot be seen are looked past for a later one that can.
const LOOK_AHEAD: usize = 8;

impl Query<'_> {
    /// The path from middle to middle of the corridor in the scratch, `raw` portals long, with line of sight skipping: writes its own corridor
    /// and the points where it turns, and gives their number. `None` where the scratch has no room for them.
    pub(super) fn skip_middles(
        &self,
        from: &Location,
        to: &Location,
        raw: usize,
        scratch: &mut Scratch<'_>,
    ) -> Option<(Corridor, usize)> {
        let mesh = self.mesh();
        let most = scratch.longest_corridor();
        // The corridor found is kept in the deque while the one of the skipping path is written.
        if raw > most || scratch.deque.len() < 2 * raw {
            return None;
        }
        for i in 0..raw {
            let Step { polygon, edge } = scratch.corridor[i];
            scratch.deque[2 * i] = polygon;
            scratch.deque[2 * i + 1] = edge;
        }
        let mut path = Corridor::new(to.polygon());
        let mut bends = 0;
        let (mut at, mut next) = (*from, 0);
        // Point `raw` is the end.
        while next <= raw {
            let mut best = None;
            let mut unseen = 0;
            for j in next..=raw {
                let Some(goal) = self.waypoint(to, raw, j, scratch.deque) else {
                    continue;
                };
                if self.sees(&at, &goal) {
                    (best, unseen) = (Some((j, goal)), 0);
                } else {
                    unseen += 1;
                    if unseen > LOOK_AHEAD {
                        break;
                    }
                }
            }
            // A middle beside the grid may be hidden behind an end of its portal; that end itself never is.
            let (j, goal) = best.or_else(|| {
                let step = step(scratch.deque, next)?;
                let beyond = mesh.polygon(PolyId(step.polygon)).neighbour(step.edge)?;
                let end = Portal::ends(mesh, &Chart::default(), step)[0];
                Some((next, self.on_polygon_grid(beyond, end)?))
            })?;
            let push = |p, k| path.push(scratch.corridor, p, k);
            if !self.walk_to(&at, &goal, push) || !path.is_whole() || path.len > most {
                return None;
            }
            if j < raw {
                let node = scratch.funnel.get_mut(bends + 1)?;
                node.point = goal.point();
                node.before = bends as u32;
                node.portal = path.len as u32;
                bends += 1;
            }
            (at, next) = (goal, j + 1);
        }
        Some((path, bends))
    }

    /// The grid point at the middle of portal j of the corridor in the deque, on the ground beyond it.
    fn waypoint(&self, to: &Location, raw: usize, j: usize, deque: &[u32]) -> Option<Location> {
        if j >= raw {
            return Some(*to);
        }
        let step = step(deque, j)?;
        let polygon = self.mesh().polygon(PolyId(step.polygon));
        let beyond = polygon.neighbour(step.edge)?;
        let [a, b] = Portal::ends(self.mesh(), &Chart::default(), step);
        let middle = core::array::from_fn(|i| ((i64::from(a[i]) + i64::from(b[i])) >> 1) as i32);
        let point = surface::nearest(&self.mesh().polygon(beyond), middle);
        self.on_polygon_grid(beyond, point)
    }

    /// [`Query::sees`], with all portals on the way.
    pub(super) fn walk_to(
        &self,
        from: &Location,
        to: &Location,
        mut push: impl FnMut(PolyId, u32),
    ) -> bool {
        let (a, b) = (from.point(), to.point());
        match walk(self, from.polygon(), a, b, &mut push) {
            End::Reached(last) => same_ground(self, last, to.polygon(), b, &mut push),
            _ => false,
        }
    }
}

fn step(deque: &[u32], i: usize) -> Option<Step> {
    Some(Step {
        polygon: *deque.get(2 * i)?,
        edge: *deque.get(2 * i + 1)?,
    })
}
