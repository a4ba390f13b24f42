//! From a corridor to the answer: corners by the funnel, heights, lengths.

use navbake_format::PolyId;

use super::course::Course;
use super::funnel::{self, FunnelNode};
use super::portal::Portal;
use super::scratch::{Corridor, Scratch, Step};
use super::{Answer, Planner, Status};
use crate::math::{float, grid_distance};
use crate::{Location, Query};

/// Where a path turns.
#[derive(Clone, Copy)]
pub(super) enum Bend {
    /// At the corners of the shortest path in its corridor.
    Corners,
    /// At so many points, which stand in [`Scratch::funnel`] from 1 on; each in the polygon before the portal that it names.
    Points(usize),
}

impl Query<'_> {
    /// Shortest path within a corridor that the scratch has room for; `straight` when that is known to be the straight line.
    pub(super) fn finish<'s>(
        &self,
        from: &Location,
        to: &Location,
        corridor: Corridor,
        straight: bool,
        scratch: Scratch<'s>,
    ) -> Answer<'s> {
        let bend = if straight {
            Bend::Points(0)
        } else {
            Bend::Corners
        };
        self.finish_with(from, to, corridor, bend, scratch)
    }

    /// The path within a corridor that turns where it is told.
    pub(super) fn finish_with<'s>(
        &self,
        from: &Location,
        to: &Location,
        corridor: Corridor,
        bend: Bend,
        mut scratch: Scratch<'s>,
    ) -> Answer<'s> {
        let mesh = self.mesh();
        let chart = scratch.sight.chart.of(mesh);
        let n = corridor.len.min(scratch.longest_corridor());
        if scratch.longest_corridor() == 0 && (scratch.funnel.len() < 2 || scratch.deque.len() < 5)
        {
            return Answer::none(Status::OutOfNodes, Planner::default());
        }
        let (polygons, points) = (n + 1, n + 2);
        if scratch.polygons.len() < polygons || scratch.points.len() < points {
            return Answer::none(Status::OutOfNodes, Planner::default());
        }
        for (polygon, step) in scratch.polygons.iter_mut().zip(&scratch.corridor[..n]) {
            *polygon = PolyId(step.polygon);
        }
        scratch.polygons[n] = corridor.last;

        let end = match bend {
            Bend::Points(bends) => {
                let bends =
                    bends.min(scratch.funnel.len().min(scratch.deque.len()).min(points) - 2);
                funnel::given(from.point(), to.point(), bends, n, &mut scratch)
            }
            Bend::Corners => {
                // The funnel borrows the scratch, so the corridor is lent to it apart.
                let steps = core::mem::take(&mut scratch.corridor);
                let portal = |i: usize| Portal::ends(mesh, &chart, steps[i]);
                let end = funnel::pull(from.point(), to.point(), n, portal, &mut scratch);
                scratch.corridor = steps;
                end
            }
        };
        let (count, length_xz) = match bend {
            Bend::Points(_) => {
                let last = corridor.last;
                let at = |steps: &[Step], node: &FunnelNode| {
                    let step = steps[..n].get(node.portal as usize);
                    let polygon = step.map_or(last, |s| PolyId(s.polygon));
                    let p = float(node.point);
                    (p, mesh.polygon(polygon).height(p))
                };
                self.collect(from, to, end, at, &mut scratch)
            }
            Bend::Corners => {
                let at = |steps: &[Step], node: &FunnelNode| {
                    let portal = Portal::of(mesh, &chart, steps[node.portal as usize]);
                    (float(node.point), portal.height_at(node.point))
                };
                self.collect(from, to, end, at, &mut scratch)
            }
        };
        let units = mesh.grid().units();
        Answer {
            status: Status::Reached,
            length_xz: length_xz / units,
            cost: length_xz / units,
            points: &scratch.points[..count],
            polygons: &scratch.polygons[..polygons],
            course: Course {
                steps: &scratch.corridor[..n],
                chain: &scratch.deque[..count],
                nodes: scratch.funnel,
                points: &scratch.points[..count],
                end: to.point(),
                chart,
            },
            ..Answer::none(Status::Reached, Planner::default())
        }
    }

    /// Follows the funnel's chain back from the end, turns it round and measures it. `at_bend` tells place and height where the path turns. Gives
    /// the number of points, which is how much of the chain is left in [`Scratch::deque`], and the length, grid units.
    fn collect(
        &self,
        from: &Location,
        to: &Location,
        end: u32,
        at_bend: impl Fn(&[Step], &FunnelNode) -> ([f64; 2], f64),
        scratch: &mut Scratch<'_>,
    ) -> (usize, f64) {
        let grid = self.mesh().grid();
        let chain = &mut scratch.deque; // done with by the funnel; long enough for every corner
        let mut count = 0;
        let mut n = end;
        loop {
            chain[count] = n;
            count += 1;
            if n == 0 || count == chain.len() {
                break;
            }
            n = scratch.funnel[n as usize].before;
        }
        chain[..count].reverse();
        // The end may stand on a border point that the funnel took for it.
        if count == 1 {
            chain[1] = 0;
            count = 2;
        }

        let mut length_xz = 0.0;
        scratch.points[0] = from.position();
        for j in 1..count {
            let a = scratch.funnel[chain[j - 1] as usize].point;
            let node = scratch.funnel[chain[j] as usize];
            if j + 1 == count {
                length_xz += grid_distance(a, to.point());
                scratch.points[j] = to.position();
            } else {
                length_xz += grid_distance(a, node.point);
                let ([x, z], up) = at_bend(scratch.corridor, &node);
                scratch.points[j] = grid.metres([x, up, z]);
            }
        }
        (count, length_xz)
    }
}
