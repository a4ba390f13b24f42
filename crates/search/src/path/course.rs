//! Where a path goes, kept for who asks how long it is along the ground.

use navbake_format::PolyId;

use super::finish::begins;
use super::funnel::FunnelNode;
use super::legs::Leg;
use super::optimal::Chart;
use super::portal::Portal;
use super::scratch::Step;
use crate::Query;
use crate::math::{float, length};

/// A path as it lies in the scratch, for [`Answer::length_3d`](super::Answer::length_3d).
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
    pub(super) chart: Chart<'s>,
}

impl Default for Course<'_> {
    fn default() -> Self {
        Course {
            steps: &[],
            chain: &[],
            nodes: &[],
            points: &[],
            end: [0; 2],
            last: PolyId(0),
            chart: Chart::default(),
        }
    }
}

impl<'s> Course<'s> {
    /// Does a walk begin with a point?
    pub(super) fn begins_leg(&self, j: usize) -> bool {
        begins(self.chain, self.nodes, j)
    }

    /// One of its walks.
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

    /// Length along the surface, grid units: straight from portal to portal, at the heights of the ground there.
    pub(super) fn length(&self, query: &Query<'_>) -> f64 {
        let mut sum = 0.0;
        self.pieces(query, |_, flat, up| sum += length(flat, up));
        sum
    }

    /// Cost of the ground walked, grid units.
    pub(super) fn cost(&self, query: &Query<'_>) -> f64 {
        let mut sum = 0.0;
        self.pieces(query, |polygon, flat, _| {
            sum += flat * query.weight(polygon)
        });
        sum
    }

    /// Calls `f` with every straight piece between portals: its polygon, how long it is in the ground plane, and how far it leads up, grid units.
    fn pieces(&self, query: &Query<'_>, mut f: impl FnMut(PolyId, f64, f64)) {
        let mesh = query.mesh();
        let chart = self.chart.of(mesh);
        let grid = mesh.grid();
        let up = |p: [f64; 3]| (p[1] - grid.origin[1]) * grid.units();
        let node = |j: usize| {
            let n = self.chain.get(j).copied().unwrap_or(0);
            self.nodes.get(n as usize).copied().unwrap_or_default()
        };
        let mut i = node(0).portal as usize;
        let mut last = (
            float(node(0).point),
            self.points.first().map_or(0.0, |&p| up(p)),
        );
        let mut advance = |i: usize, last: &mut ([f64; 2], f64), to: [f64; 2], up: f64| {
            let step = self.steps.get(i).map(|s| PolyId(s.polygon));
            let flat = length(to[0] - last.0[0], to[1] - last.0[1]);
            f(step.unwrap_or(self.last), flat, up - last.1);
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
                let (p, up) = Portal::of(mesh, &chart, step).crossing(mesh, a, b, last.0);
                advance(k, &mut last, p, up);
            }
            i = i.max(until);
            advance(i, &mut last, float(b), up(point));
        }
    }
}

/// How long a path is does not depend on where it lies.
impl PartialEq for Course<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
