//! The course of a path, kept to measure its length along the ground.

use navbake_format::{NavMesh, PolyId, Polygon};

use super::funnel::FunnelNode;
use super::legs::Leg;
use super::nodes::Step;
use super::portal::{Portal, between, nearer_height};
use crate::NavQuery;
use navbake_navmesh::math::{float, length};

/// A path in the scratch, for [`NavPath::length_3d`](super::NavPath::length_3d).
#[derive(Clone, Copy, Debug)]
pub struct Course<'s> {
    /// Its portals.
    pub(super) steps: &'s [Step],
    /// Numbers of border points: the start, where it turns, the end.
    pub(super) chain: &'s [u32],
    pub(super) nodes: &'s [FunnelNode],
    /// Its points in metres.
    pub(super) points: &'s [[f64; 3]],
    /// Its last point on the grid, and the polygon there.
    pub(super) end: [i32; 2],
    pub(super) last: PolyId,
}

/// The heights of a path at portals and bends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heights {
    /// None: the caller does not need them.
    None,
    /// Those of the ground.
    Ground,
    /// Straight between the ends of portals: the heights that costs are computed with.
    Portals,
}

impl Default for Course<'_> {
    fn default() -> Self {
        Course { steps: &[], chain: &[], nodes: &[], points: &[], end: [0; 2], last: PolyId(0) }
    }
}

impl<'s> Course<'s> {
    /// Does a walked leg begin with a point?
    pub(super) fn begins_leg(&self, j: usize) -> bool {
        begins(self.chain, self.nodes, j)
    }

    /// One of its walked legs.
    pub(super) fn part(&self, leg: &Leg) -> Course<'s> {
        let points = self.points.get(leg.points.clone()).unwrap_or(&[]);
        let chain = self.chain.get(leg.points.clone()).unwrap_or(&[]);
        let last = chain.last().and_then(|&n| self.nodes.get(n as usize));
        let steps = leg.polygons.end.saturating_sub(1);
        let polygon = self.steps.get(steps).map(|s| PolyId(s.polygon));
        Course {
            steps: self.steps.get(..steps).unwrap_or(&[]),
            chain,
            points,
            last: polygon.unwrap_or(self.last),
            end: match last {
                Some(last) if leg.points.end < self.points.len() => last.point,
                _ => self.end,
            },
            ..*self
        }
    }

    /// Where a point of the path is, and the portal that it is at or behind.
    #[doc(hidden)]
    pub fn turn(&self, j: usize) -> Option<([i32; 2], usize)> {
        let node = self.nodes.get(*self.chain.get(j)? as usize)?;
        Some((node.point, node.portal as usize))
    }

    /// Length along the surface, grid units: over every edge of the height triangles.
    pub(super) fn length(&self, query: &NavQuery<'_>) -> f64 {
        let mut sum = 0.0;
        self.pieces(query, Heights::Ground, |polygon, from, to| {
            sum += over_ground(&query.mesh().polygon(polygon), from, to);
        });
        sum
    }

    /// Cost of the ground walked, grid units.
    ///
    /// The cost of each polygon, and of going up and down from portal to portal.
    pub(super) fn cost(&self, query: &NavQuery<'_>) -> f64 {
        let (mut sum, slopes) = (0.0, query.slopes());
        let heights = if slopes.are_free() { Heights::None } else { Heights::Portals };
        self.pieces(query, heights, |polygon, from, to| {
            let flat = length(to.0[0] - from.0[0], to.0[1] - from.0[1]);
            sum += flat * query.weight(polygon) + slopes.cost(to.1 - from.1)
        });
        sum
    }

    /// The height of a bend for costs.
    fn bend_height(&self, mesh: &NavMesh<'_>, portal: usize, p: [f64; 2]) -> Option<f64> {
        let of = |i: Option<usize>| {
            let step = i.and_then(|i| self.steps.get(i));
            let step = step.filter(|step| step.link().is_none());
            step.map(|&step| Portal::of(mesh, step))
        };
        nearer_height([of(portal.checked_sub(1)), of(Some(portal))], p)
    }

    /// Calls `f` with every straight piece between portals.
    ///
    /// It gets the polygon and both ends: `[x, z]` and height, grid units.
    fn pieces(
        &self,
        query: &NavQuery<'_>,
        heights: Heights,
        mut f: impl FnMut(PolyId, GroundPoint, GroundPoint),
    ) {
        let mesh = query.mesh();
        let grid = mesh.grid();
        let up = |p: [f64; 3]| (p[1] - grid.origin[1]) * grid.units();
        let node = |j: usize| {
            let n = self.chain.get(j).copied().unwrap_or(0);
            self.nodes.get(n as usize).copied().unwrap_or_default()
        };
        let mut i = node(0).portal as usize;
        let mut last = (float(node(0).point), self.points.first().map_or(0.0, |&p| up(p)));
        let mut advance = |i: usize, last: &mut GroundPoint, to: [f64; 2], up: f64| {
            let step = self.steps.get(i).map(|s| PolyId(s.polygon));
            f(step.unwrap_or(self.last), *last, (to, up));
            *last = (to, up);
        };
        for (j, &point) in self.points.iter().enumerate().skip(1) {
            if self.begins_leg(j) {
                // Links are not walked.
                last = (float(node(j).point), up(point));
                i = node(j).portal as usize;
                continue;
            }
            let (a, mut b) = (node(j - 1).point, node(j).point);
            let mut until = node(j).portal as usize;
            if j + 1 == self.points.len() {
                (b, until) = (self.end, self.steps.len());
            } else if self.begins_leg(j + 1) {
                until = (node(j + 1).portal as usize).saturating_sub(1);
            }
            let first = i;
            for (k, &step) in (first..).zip(self.steps.get(first..until).unwrap_or(&[])) {
                let portal = Portal::of(mesh, step);
                let (t, p) = portal.crossing(a, b, last.0);
                let up = match heights {
                    Heights::None => 0.0,
                    Heights::Ground => portal.height(mesh, p),
                    Heights::Portals => between(portal.heights(), t),
                };
                advance(k, &mut last, p, up);
            }
            i = i.max(until);
            let is_bend = j + 1 < self.points.len() && !self.begins_leg(j + 1);
            let height = match heights {
                Heights::Portals if is_bend => self.bend_height(mesh, until, float(b)),
                _ => None,
            };
            advance(i, &mut last, float(b), height.unwrap_or(up(point)));
        }
    }
}

/// A place `[x, z]` and a height, grid units.
type GroundPoint = ([f64; 2], f64);

/// Length of a straight piece within a polygon over its ground, grid units.
///
/// The ground bends where the piece crosses an edge of the height triangles, or of the fan of a
/// polygon without them. Takes one look-up for each triangle on the way.
fn over_ground(polygon: &Polygon<'_, '_>, from: GroundPoint, to: GroundPoint) -> f64 {
    let whole = [to.0[0] - from.0[0], to.0[1] - from.0[1]];
    let size = length(whole[0], whole[1]);
    let straight = |a: GroundPoint, b: GroundPoint| {
        length(length(b.0[0] - a.0[0], b.0[1] - a.0[1]), b.1 - a.1)
    };
    // Ends less than a step of the grid apart have no triangle between them, and level ground has
    // no bends.
    let detail = polygon.detail();
    let base = polygon.point(0)[1];
    let is_level = detail.is_none() && (1..polygon.len()).all(|k| polygon.point(k)[1] == base);
    if size < 1.0 || is_level {
        return straight(from, to);
    }
    let place = |t: f64| [0, 1].map(|k| from.0[k] + t * whole[k]);
    let step = 1.0 / size;
    // Where the piece crosses a segment, as a share of it.
    let crossing = |a: [f64; 2], b: [f64; 2]| {
        let (e, p) = ([b[0] - a[0], b[1] - a[1]], [a[0] - from.0[0], a[1] - from.0[1]]);
        let across = whole[0] * e[1] - whole[1] * e[0];
        let along = (p[0] * whole[1] - p[1] * whole[0]) / across;
        (0.0..=1.0).contains(&along).then_some((p[0] * e[1] - p[1] * e[0]) / across)
    };
    let next = |t: f64| -> f64 {
        match &detail {
            // Out of the triangle just ahead, at least a little on where rounding hides its edge.
            Some(detail) => {
                let corners = detail.triangle(place(t + step / 64.0)).map(|t| t.map(float));
                let edges = corners.map(|[a, b, c]| [(a, b), (b, c), (c, a)]);
                let ends = edges.into_iter().flatten().filter_map(|(a, b)| crossing(a, b));
                ends.fold(t + step / 8.0, f64::max)
            }
            None => {
                let fan = (2..polygon.len().saturating_sub(1))
                    .filter_map(|k| crossing(float(polygon.corner(0)), float(polygon.corner(k))));
                fan.filter(|&at| at > t + step / 8.0).fold(1.0, f64::min)
            }
        }
    };
    let (mut sum, mut last, mut t) = (0.0, from, next(0.0));
    while t < 1.0 - step / 8.0 {
        let here = (place(t), polygon.height(place(t)));
        sum += straight(last, here);
        (last, t) = (here, next(t));
    }
    sum + straight(last, to)
}

/// The length of a path does not depend on its place in memory.
impl PartialEq for Course<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Does a walked leg begin with an entry of a chain?
pub(super) fn begins(chain: &[u32], nodes: &[FunnelNode], j: usize) -> bool {
    let Some(&n) = chain.get(j) else {
        return false;
    };
    let is_own = (nodes.get(n as usize)).is_some_and(|node| node.before == n);
    // A leg from a place to itself names it twice.
    is_own && (j == 0 || chain[j - 1] != n)
}
