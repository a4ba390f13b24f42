//! The space of portal middles, and the path that skips middles by line of sight.
//!
//! Snook, Simplified 3D movement and pathfinding using navigation meshes, Game Programming Gems,
//! 2000.
//!
//! A node is a portal in one direction, so the length of a path through a polygon is that between
//! the two middles that it really uses. A node per polygon would know only one of its entries. The
//! other direction of a portal is left out where the first was reached by a path that is no longer:
//! turning back in a portal never pays.

use navbake_format::PolyId;
use navbake_format::exact::orient;

use super::astar::{Front, Offer, Space};
use super::corridor::through;
use super::funnel::PointList;
use super::nodes::{Corridor, Step};
use super::portal::{Portal, between, crossing};
use super::slices::Slices;
use crate::ray::{End, same_ground, walk};
use crate::{NavPoint, NavQuery, surface};
use navbake_navmesh::math::{distance, float, grid_distance, round};

/// Keys are edges, seen from the polygon that the path leaves.
pub(super) struct Portals<'m, 'a>(pub(super) &'m NavQuery<'a>);

impl Space for Portals<'_, '_> {
    #[inline]
    fn query(&self) -> &NavQuery<'_> {
        self.0
    }

    #[inline]
    fn expand(&self, n: u32, front: &mut Front<'_>) -> bool {
        let node = front.node(n);
        let weight = self.0.weight(PolyId(node.polygon));
        let polygon = self.0.mesh().polygon(PolyId(node.polygon));
        let came_from = front.came_from(&node);
        let climb = front.climb(self.0, n);
        let mut fits = true;
        for k in 0..polygon.len() {
            let Some((beyond, twin)) = self.0.across(&polygon, k) else {
                continue;
            };
            // Turning back into the previous polygon never pays.
            if beyond.0 == came_from || !self.0.enters(polygon.id(), beyond) {
                continue;
            }
            let key = polygon.edge(k).0;
            let known = front.find(key);
            if known.is_some_and(|m| !front.improves(m, node.g)) {
                continue;
            }
            let [a, b] = [polygon.corner(k), polygon.corner(polygon.next(k))].map(float);
            let entry = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
            let up = climb.map_or(0.0, |c| {
                let polygon = node.polygon;
                c.up_to_portal(self.0, Step { polygon, edge: k }, entry)
            });
            let g = node.g + distance(node.entry, entry) * weight + up;
            if known.is_some_and(|m| !front.improves(m, g)) {
                continue;
            }
            let back = front.find(self.0.mesh().polygon(beyond).edge(twin).0);
            if back.is_some_and(|m| front.node(m).g <= g) {
                continue;
            }
            let offer = Offer { key, polygon: beyond, edge: k, entry, g };
            fits &= front.take(self.0, &offer, known, n);
        }
        fits & front.offer_links(self.0, n, self.0.mesh().edge_count())
    }
}

/// How many hidden points in a row are skipped to look for a visible one.
const LOOK_AHEAD: usize = 8;

/// Portals that lines cross at most, for each portal of the corridor, and the least for a path.
const CROSSED: [usize; 2] = [256, 16_384];

/// A walked leg of the corridor in the deque.
///
/// It leads from a place through its portals, up to the one before `last`, to another place.
struct Walk {
    begin: NavPoint,
    end: NavPoint,
    first: usize,
    last: usize,
    middles: bool,
}

impl NavQuery<'_> {
    /// The path from place to place in the portals, with places skipped by line of sight.
    ///
    /// The places are the middles, or those where the path straight on to the end crosses. Where
    /// ground has costs, no line is taken that costs more than the places that it skips. The
    /// corridor in the scratch is `raw` portals long. Writes the path's own corridor and all
    /// its points, and returns their number. `None` where the scratch has no room for them, and
    /// where lines cross too many portals.
    pub(super) fn skip_places(
        &self,
        middles: bool,
        from: &NavPoint,
        to: &NavPoint,
        raw: usize,
        scratch: &mut Slices<'_>,
    ) -> Option<(Corridor, usize)> {
        let most = scratch.longest_corridor();
        // The deque keeps the corridor that was found while the skipping path's corridor is
        // written.
        if raw > most || scratch.deque.len() < 2 * raw {
            return None;
        }
        for i in 0..raw {
            let Step { polygon, edge } = scratch.corridor[i];
            scratch.deque[2 * i] = polygon;
            scratch.deque[2 * i + 1] = edge;
        }
        let mut path = Corridor::new(to.polygon());
        let mut points = PointList { nodes: scratch.funnel, used: 0 };
        let (mut begin, mut first) = (*from, 0);
        let mut left = (CROSSED[0] * raw).max(CROSSED[1]);
        loop {
            let (last, number) = (first..raw)
                .find_map(|i| Some((i, step(scratch.deque, i)?.link()?)))
                .map_or((raw, None), |(i, number)| (i, Some(number)));
            let link = number.and_then(|number| Some((number, self.mesh().link(number)?)));
            let end = link.map_or(*to, |(_, link)| self.link_end(link.polygon, link.from));
            let walk = Walk { begin, end, first, last, middles };
            points.put(begin.point(), path.len, true)?;
            self.skip(&walk, scratch.deque, &mut path, scratch.corridor, &mut points, &mut left)?;
            if !path.is_whole() || path.len > most {
                return None;
            }
            points.put(end.point(), path.len, false)?;
            let Some((number, link)) = link else {
                return Some((path, points.used));
            };
            path.take_link(scratch.corridor, link.polygon, number);
            (begin, first) = (self.link_end(link.beyond, link.to), last + 1);
        }
    }

    /// Skips the places of one walked leg where it can, by lines over the portals that are `left`.
    fn skip(
        &self,
        walk: &Walk,
        deque: &[u32],
        path: &mut Corridor,
        steps: &mut [Step],
        points: &mut PointList<'_>,
        left: &mut usize,
    ) -> Option<()> {
        let mesh = self.mesh();
        let (mut at, mut next) = (walk.begin, walk.first);
        // The wall that stopped the last line: it stops most of the following ones.
        let mut wall = None;
        // Point `last` is the end.
        while next <= walk.last {
            let mut best = None;
            let mut unseen = 0;
            // The place before and the least cost known to it.
            let (mut before, mut least) = (at, 0.0);
            for j in next..=walk.last {
                let Some(goal) = self.waypoint(walk, j, &before, deque) else {
                    continue;
                };
                let seen = if self.costs.is_none() {
                    self.walk_to(&at, &goal, |_, _| *left = left.saturating_sub(1))
                } else {
                    let flat = grid_distance(before.point(), goal.point());
                    least += self.weight(before.polygon()) * flat;
                    // After many that cost more, the end may still cost less.
                    let tried = unseen <= LOOK_AHEAD || j == walk.last;
                    let line = tried.then(|| self.line_cost(&at, &goal, &mut wall, left)).flatten();
                    // A place beside its portal may already cost more than up to there.
                    let line = line.filter(|&cost| cost <= least || j == next);
                    least = line.unwrap_or(least);
                    line.is_some()
                };
                if *left == 0 {
                    return None;
                }
                before = goal;
                if seen {
                    (best, unseen) = (Some((j, goal)), 0);
                } else {
                    unseen += 1;
                    if unseen > LOOK_AHEAD && self.costs.is_none() {
                        break;
                    }
                }
            }
            // A middle off the grid may be hidden behind an end of its portal; that end itself
            // never is.
            let (j, goal) = best.or_else(|| {
                let step = step(deque, next)?;
                let beyond = mesh.polygon(PolyId(step.polygon)).neighbour(step.edge)?;
                let end = Portal::ends(mesh, step)[0];
                Some((next, self.on_polygon_grid(beyond, end)?))
            })?;
            if !self.walk_to(&at, &goal, |p, k| path.push(steps, p, k)) || !path.is_whole() {
                return None;
            }
            if j < walk.last {
                points.put(goal.point(), path.len, false)?;
            }
            (at, next) = (goal, j + 1);
        }
        Some(())
    }

    /// The grid point at portal `j` of a leg, on the ground beyond it.
    ///
    /// Beyond the leg's portals, its end.
    fn waypoint(
        &self,
        walk: &Walk,
        j: usize,
        before: &NavPoint,
        deque: &[u32],
    ) -> Option<NavPoint> {
        if j >= walk.last {
            return Some(walk.end);
        }
        let step = step(deque, j)?;
        let polygon = self.mesh().polygon(PolyId(step.polygon));
        let beyond = polygon.neighbour(step.edge)?;
        let [a, b] = Portal::ends(self.mesh(), step);
        let place = match walk.middles {
            true => core::array::from_fn(|i| ((i64::from(a[i]) + i64::from(b[i])) >> 1) as i32),
            false => through(float(before.point()), [a, b].map(float), float(walk.end.point()))
                .map(round),
        };
        let point = surface::nearest(&self.mesh().polygon(beyond), place);
        // A place that is nearest to itself is held. Heights do not matter to lines.
        let holds = point == place || self.mesh().polys().holds(beyond.0, point);
        holds.then(|| self.location(beyond, point, 0.0))
    }

    /// The cost of the straight line from one place to another, grid units, with slopes.
    ///
    /// `None` where it is not free, or leads onto forbidden ground from other ground.
    #[doc(hidden)]
    pub fn straight_cost(&self, from: &NavPoint, to: &NavPoint) -> Option<f64> {
        self.line_cost(from, to, &mut None, &mut { usize::MAX })
    }

    /// The cost of the straight line between two places, grid units, with slopes.
    ///
    /// `None` where it is not free, or leads onto forbidden ground. Where it crosses `wall`, which
    /// stopped another line, it is not walked. Portals that it crosses are taken off `left`.
    fn line_cost(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        wall: &mut Option<[[i32; 2]; 2]>,
        left: &mut usize,
    ) -> Option<f64> {
        let [a, b] = [from, to].map(|p| p.point());
        let parts = |[a, b]: [[i32; 2]; 2], [p, q]: [[i32; 2]; 2]| {
            let [p, q] = [p, q].map(|p| orient(a, b, p).signum());
            p * q < 0
        };
        if wall.is_some_and(|wall| parts([a, b], wall) && parts(wall, [a, b])) {
            return None;
        }
        let (mut sum, mut enters, mut last) = (0.0, true, float(a));
        let slopes = self.slopes();
        let mut low = from.height();
        let mut push = |polygon: PolyId, edge| {
            *left = left.saturating_sub(1);
            let step = Step { polygon: polygon.0, edge };
            let [l, r] = Portal::ends(self.mesh(), step);
            let (t, at) = crossing([r, l].map(float), [a, b], last);
            sum += distance(last, at) * self.weight(polygon);
            last = at;
            if !slopes.are_free() {
                let high = between(Portal::of(self.mesh(), step).heights(), t);
                sum += slopes.cost(high - low);
                low = high;
            }
            let beyond = self.mesh().polygon(polygon).neighbour(edge);
            enters &= beyond.is_some_and(|beyond| self.enters(polygon, beyond));
        };
        let free = match walk(self, from.polygon(), a, b, &mut push) {
            End::Reached(last) => same_ground(self, last, to.polygon(), b, &mut push),
            End::Wall { polygon, edge, .. } => {
                *wall = Some(Portal::ends(self.mesh(), Step { polygon: polygon.0, edge }));
                false
            }
            End::Lost => false,
        };
        let rest = distance(last, float(b)) * self.weight(to.polygon());
        let rest = rest + slopes.cost(to.height() - low);
        (free && enters).then_some(sum + rest)
    }

    /// [`NavQuery::sees`], with all portals on the route.
    #[doc(hidden)]
    pub fn walk_to(
        &self,
        from: &NavPoint,
        to: &NavPoint,
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
    Some(Step { polygon: *deque.get(2 * i)?, edge: *deque.get(2 * i + 1)? })
}
