//! Where a path goes, kept for who asks how long it is along the ground.

use super::funnel::FunnelNode;
use super::optimal::Chart;
use super::portal::Portal;
use super::scratch::Step;
use crate::Query;
use crate::math::{float, length};

/// A path as it lies in the scratch, for [`Answer::length_3d`](super::Answer::length_3d).
#[derive(Clone, Copy, Debug, Default)]
pub struct Course<'s> {
    /// Its portals.
    pub(super) steps: &'s [Step],
    /// Numbers of border points: the start, where it turns, the end.
    pub(super) chain: &'s [u32],
    pub(super) nodes: &'s [FunnelNode],
    /// Its points in metres.
    pub(super) points: &'s [[f64; 3]],
    /// Its last point on the grid.
    pub(super) end: [i32; 2],
    pub(super) chart: Chart<'s>,
}

impl Course<'_> {
    /// Length along the surface, grid units: straight from portal to portal, at the heights of the ground there.
    pub(super) fn length(&self, query: &Query<'_>) -> f64 {
        let mesh = query.mesh();
        let chart = self.chart.of(mesh);
        let grid = mesh.grid();
        let up = |p: [f64; 3]| (p[1] - grid.origin[1]) * grid.units();
        let node = |j: usize| {
            let n = self.chain.get(j).copied().unwrap_or(0);
            self.nodes.get(n as usize).copied().unwrap_or_default()
        };
        let (mut sum, mut i) = (0.0, 0);
        let mut last = (
            float(node(0).point),
            self.points.first().map_or(0.0, |&p| up(p)),
        );
        let mut advance = |to: [f64; 2], up: f64| {
            let flat = length(to[0] - last.0[0], to[1] - last.0[1]);
            sum += length(flat, up - last.1);
            last = (to, up);
        };
        for (j, &point) in self.points.iter().enumerate().skip(1) {
            let (a, mut b) = (node(j - 1).point, node(j).point);
            let mut until = node(j).portal as usize;
            if j + 1 == self.points.len() {
                (b, until) = (self.end, self.steps.len());
            }
            for &step in self.steps.get(i..until).unwrap_or(&[]) {
                let (p, up) = Portal::of(mesh, &chart, step).crossing(mesh, a, b);
                advance(p, up);
            }
            i = i.max(until);
            advance(float(b), up(point));
        }
        sum
    }
}

/// How long a path is does not depend on where it lies.
impl PartialEq for Course<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
