//! From a corridor to the answer: corners by the funnel, heights, lengths.
//!
//! It handles one walked leg between links at a time.

use navbake_format::PolyId;

use super::course::{Course, begins};
use super::funnel::{self, FunnelNode};
use super::legs::next_link;
use super::nodes::Corridor;
use super::portal::Portal;
use super::slices::Slices;
use super::{Algorithm, NavPath, Status};
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::{float, grid_distance};

/// The places where a path turns.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// At the corners of the shortest path in its corridor.
    Corners,
    /// The same, already in `Scratch::funnel`.
    ///
    /// The number counts both ends; each node is on the portal that it names.
    Known(usize),
    /// Nowhere: it is a straight line.
    Nowhere,
    /// At points in `Scratch::funnel`.
    ///
    /// The number counts the ends of all walked legs. Each point is in the polygon before the
    /// portal that it names.
    Points(usize),
}

impl NavQuery<'_> {
    /// Shortest path within a corridor that the scratch has room for.
    #[doc(hidden)]
    pub fn finish<'s>(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        corridor: Corridor,
        scratch: Slices<'s>,
    ) -> NavPath<'s> {
        self.finish_with(from, to, corridor, Bend::Corners, scratch)
    }

    /// The path within a corridor, with the given turns.
    #[doc(hidden)]
    pub fn finish_with<'s>(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        corridor: Corridor,
        bend: Bend,
        mut scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let mesh = self.mesh();
        let n = corridor.len.min(scratch.longest_corridor());
        let links = (scratch.corridor.iter().take(n)).filter(|s| s.link().is_some()).count();
        let (polygons, points) = (n + 1, n + links + 2);
        let short = scratch.funnel.len() < 2 * n + 2 || scratch.deque.len() < 2 * n + 5;
        if short || scratch.polygons.len() < polygons || scratch.points.len() < points {
            return NavPath::none(Status::OutOfNodes, Algorithm::Auto);
        }
        for (polygon, step) in scratch.polygons.iter_mut().zip(&scratch.corridor[..n]) {
            *polygon = PolyId(step.polygon);
        }
        scratch.polygons[n] = corridor.last;

        let count = match bend {
            Bend::Points(count) | Bend::Known(count) => {
                let count = count.min(points).min(scratch.funnel.len());
                for (number, place) in (0u32..).zip(&mut scratch.deque[..count]) {
                    *place = number;
                }
                count
            }
            Bend::Nowhere => {
                let ends = [(from.point(), 0), (to.point(), n)];
                for (number, (point, portal)) in (0u32..).zip(ends) {
                    scratch.funnel[number as usize] =
                        FunnelNode { point, before: 0, portal: portal as u32 };
                    scratch.deque[number as usize] = number;
                }
                2
            }
            Bend::Corners => self.pull_legs(from, to, n, &mut scratch),
        };
        let exact = matches!(bend, Bend::Corners | Bend::Known(_));
        let (walked, tolls) = self.measure([from, to], n, count, exact, &mut scratch);
        let units = mesh.grid().units();
        let chain = &scratch.deque[..count];
        // Only the part in use, so that equal paths compare equal.
        let nodes = chain.iter().max().map_or(0, |&n| n as usize + 1);
        let course = Course {
            steps: &scratch.corridor[..n],
            chain,
            nodes: &scratch.funnel[..nodes.min(scratch.funnel.len())],
            points: &scratch.points[..count],
            end: to.point(),
            last: corridor.last,
        };
        let cost = match self.costs {
            None => walked,
            Some(_) => course.cost(self),
        };
        NavPath {
            status: Status::Reached,
            length_xz: walked / units,
            cost: cost / units + tolls,
            points: course.points,
            polygons: &scratch.polygons[..polygons],
            course,
            ..NavPath::none(Status::Reached, Algorithm::Auto)
        }
    }

    /// Pulls every walked leg of a corridor of `n` steps tight.
    ///
    /// Leaves all border points in `Scratch::funnel`. Leaves the numbers of those on the path,
    /// from its start to its end, in [`Scratch::deque`], and returns their count. The begin of a
    /// leg is its own predecessor.
    fn pull_legs(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        n: usize,
        scratch: &mut Slices<'_>,
    ) -> usize {
        let mesh = self.mesh();
        let steps = &scratch.corridor[..n];
        let (mut nodes, mut chained, mut first) = (0, 0, 0);
        let mut begin = from.point();
        loop {
            let (last, number) = next_link(steps, first);
            let link = number.and_then(|number| mesh.link(number));
            let end = link.map_or(to.point(), |link| link.from);
            let portal = |i: usize| Portal::ends(mesh, steps[first + i]);
            let funnel = &mut scratch.funnel[nodes..];
            let deque = &mut scratch.deque[chained..];
            let (tip, used) = funnel::pull(begin, end, last - first, portal, funnel, deque);
            for node in &mut funnel[..used] {
                node.portal += first as u32;
            }
            chained += chain(tip, funnel, deque, nodes as u32);
            scratch.funnel[nodes].before = nodes as u32;
            nodes += used;
            let Some(link) = link else {
                return chained;
            };
            (begin, first) = (link.to, last + 1);
        }
    }

    /// Makes points of the border points on a path of `n` steps, and measures it.
    ///
    /// With `exact`, bends are at the ends of portals.
    fn measure(
        &self,
        [from, to]: [&NavPoint; 2],
        n: usize,
        count: usize,
        exact: bool,
        scratch: &mut Slices<'_>,
    ) -> (f64, f64) {
        let mesh = self.mesh();
        let grid = mesh.grid();
        let steps = &scratch.corridor[..n];
        let last = scratch.polygons[n];
        let (mut walked, mut tolls) = (0.0, 0.0);
        let (mut first, mut begin) = (0, *from);
        for j in 0..count {
            let node = scratch.funnel[scratch.deque[j] as usize];
            let begins = j == 0 || begins(scratch.deque, scratch.funnel, j);
            let ends = j + 1 == count || self::begins(scratch.deque, scratch.funnel, j + 1);
            let position = if begins {
                begin.position()
            } else if ends {
                let (at, number) = next_link(steps, first);
                let link = number.and_then(|number| mesh.link(number));
                let here = match link {
                    Some(link) => self.link_end(link.polygon, link.from),
                    None => *to,
                };
                if let Some(link) = link {
                    tolls += link.cost;
                    (first, begin) = (at + 1, self.link_end(link.beyond, link.to));
                }
                here.position()
            } else {
                let p = float(node.point);
                let step = steps.get(node.portal as usize);
                let up = match step {
                    Some(&step) if exact => Portal::of(mesh, step).height_at(node.point),
                    Some(step) => mesh.polygon(PolyId(step.polygon)).height(p),
                    None => mesh.polygon(last).height(p),
                };
                grid.metres([p[0], up, p[1]])
            };
            if !begins {
                let before = scratch.funnel[scratch.deque[j - 1] as usize].point;
                // The end of the path may differ from the border point that the funnel took for it.
                let here = if j + 1 == count { to.point() } else { node.point };
                walked += grid_distance(before, here);
            }
            scratch.points[j] = position;
        }
        (walked, tolls)
    }
}

/// Follows the chain back from a tip of the funnel and reverses it.
///
/// Returns its length. Numbers count all nodes; `first` nodes come before these.
fn chain(tip: u32, nodes: &[FunnelNode], chain: &mut [u32], first: u32) -> usize {
    let (mut count, mut n) = (0, tip);
    loop {
        chain[count] = n + first;
        count += 1;
        if n == 0 || count == chain.len() {
            break;
        }
        n = nodes[n as usize].before;
    }
    chain[..count].reverse();
    // The end may be on a border point that the funnel took for it.
    if count == 1 {
        chain[1] = first;
        count = 2;
    }
    count
}
