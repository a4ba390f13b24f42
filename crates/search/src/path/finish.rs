//! From a corridor to the answer: corners by the funnel, heights, lengths.

use navbake_format::{NavMeshView, PolyId};

use super::funnel::{self, FunnelNode};
use super::scratch::{Corridor, Scratch, Step};
use super::{Answer, Planner, Status};
use crate::math::{float, grid_distance, length};
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
                let portal = |i: usize| portal_ends(mesh, steps[i]);
                let end = funnel::pull(from.point(), to.point(), n, portal, &mut scratch);
                scratch.corridor = steps;
                end
            }
        };
        let (count, length_xz, length_3d) = match bend {
            Bend::Points(_) => {
                let last = corridor.last;
                let at = |steps: &[Step], node: &FunnelNode| {
                    let step = steps[..n].get(node.portal as usize);
                    let polygon = step.map_or(last, |s| PolyId(s.polygon));
                    let p = float(node.point);
                    (p, mesh.polygon(polygon).height(p))
                };
                self.collect(from, to, end, n, at, &mut scratch)
            }
            Bend::Corners => {
                let at = |steps: &[Step], node: &FunnelNode| {
                    corner(mesh, steps[node.portal as usize], node)
                };
                self.collect(from, to, end, n, at, &mut scratch)
            }
        };
        let units = mesh.grid().units();
        Answer {
            status: Status::Reached,
            length_xz: length_xz / units,
            length_3d: length_3d / units,
            cost: length_xz / units,
            points: &scratch.points[..count],
            polygons: &scratch.polygons[..polygons],
            ..Answer::none(Status::Reached, Planner::default())
        }
    }

    /// Follows the funnel's chain back from the end, turns it round and measures it. `at_bend` tells place and height where the path turns. Gives
    /// the number of points and both lengths, grid units.
    fn collect(
        &self,
        from: &Location,
        to: &Location,
        end: u32,
        portals: usize,
        at_bend: impl Fn(&[Step], &FunnelNode) -> ([f64; 2], f64),
        scratch: &mut Scratch<'_>,
    ) -> (usize, f64, f64) {
        let mesh = self.mesh();
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

        let (mut length_xz, mut length_3d) = (0.0, 0.0);
        let mut height = from.height(); // of the last crossing
        let mut at = float(from.point());
        let mut i = 0;
        scratch.points[0] = from.position();
        for j in 1..count {
            let a = scratch.funnel[chain[j - 1] as usize].point;
            let last = j + 1 == count;
            let node = scratch.funnel[chain[j] as usize];
            let b = if last { to.point() } else { node.point };
            length_xz += grid_distance(a, b);
            let until = if last { portals } else { node.portal as usize };
            let mut advance = |to: [f64; 2], up: f64| {
                let flat = length(to[0] - at[0], to[1] - at[1]);
                length_3d += length(flat, up - height);
                (at, height) = (to, up);
            };
            while i < until {
                let (p, up) = crossing(mesh, scratch.corridor[i], a, b);
                advance(p, up);
                i += 1;
            }
            if last {
                advance(float(b), to.height());
                scratch.points[j] = to.position();
            } else {
                let (p, up) = at_bend(scratch.corridor, &node);
                advance(p, up);
                let [x, z] = p;
                scratch.points[j] = mesh.grid().metres([x, up, z]);
            }
        }
        (count, length_xz, length_3d)
    }
}

/// Left and right end of a portal, seen by who walks through it.
pub(super) fn portal_ends(mesh: &NavMeshView<'_>, step: Step) -> [[i32; 2]; 2] {
    let polygon = mesh.polygon(PolyId(step.polygon));
    [
        polygon.corner(polygon.next(step.edge)),
        polygon.corner(step.edge),
    ]
}

/// Where the segment `a b` crosses a portal, and the height there: midway between both sides of a step.
fn crossing(mesh: &NavMeshView<'_>, step: Step, a: [i32; 2], b: [i32; 2]) -> ([f64; 2], f64) {
    let polygon = mesh.polygon(PolyId(step.polygon));
    let right = float(polygon.corner(step.edge));
    let left = float(polygon.corner(polygon.next(step.edge)));
    let (fa, fb) = (float(a), float(b));
    let d = [fb[0] - fa[0], fb[1] - fa[1]];
    let side = |p: [f64; 2]| (d[1] * (p[0] - fa[0]) - d[0] * (p[1] - fa[1])).abs();
    let (r, l) = (side(right), side(left));
    let e = [left[0] - right[0], left[1] - right[1]];
    let t = if r + l > 0.0 {
        r / (r + l)
    } else {
        // The segment runs along the portal: it meets it where it begins.
        let along = (fa[0] - right[0]) * e[0] + (fa[1] - right[1]) * e[1];
        (along / (e[0] * e[0] + e[1] * e[1])).clamp(0.0, 1.0)
    };
    let p = [right[0] + t * e[0], right[1] + t * e[1]];
    let here = polygon.edge_height(step.edge, p);
    let there = match polygon.across(step.edge) {
        // One relief has one height there.
        Some((beyond, _)) if is_one_relief(mesh, polygon.id(), beyond) => here,
        Some((beyond, twin)) => mesh.polygon(beyond).edge_height(twin, p),
        None => here,
    };
    (p, (here + there) / 2.0)
}

/// Do two polygons have the same relief?
fn is_one_relief(mesh: &NavMeshView<'_>, a: PolyId, b: PolyId) -> bool {
    let relief = mesh.relief_number(a);
    relief.is_some() && relief == mesh.relief_number(b)
}

/// A corner of the path: an end of a portal, at the height of the ground beyond.
fn corner(mesh: &NavMeshView<'_>, step: Step, node: &FunnelNode) -> ([f64; 2], f64) {
    let here = mesh.polygon(PolyId(step.polygon));
    let up = match here.across(step.edge) {
        Some((beyond, twin)) => {
            let beyond = mesh.polygon(beyond);
            let ends = [beyond.point(beyond.next(twin)), beyond.point(twin)];
            let end = ends.iter().find(|p| [p[0], p[2]] == node.point);
            end.unwrap_or(&ends[0])[1]
        }
        None => here.point(step.edge)[1],
    };
    (float(node.point), f64::from(up))
}
