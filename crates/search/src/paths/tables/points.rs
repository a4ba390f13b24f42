//! A path given by its points alone.
//!
//! Labels guarantee that the pieces between corners are free. Only which corners the ends see is
//! checked again, as for paths with their polygons. So only the first and the last straight piece
//! are followed through the mesh.

use super::super::course::Course;
use super::super::nodes::{Corridor, Step};
use super::super::optimal::{along, towards, turn};
use super::super::slices::Slices;
use super::super::{Algorithm, FunnelNode, NavPath, Status};
use super::trace::End;
use crate::{NavPoint, NavQuery};
use navbake_navmesh::math::{float, grid_distance};

impl NavQuery<'_> {
    /// Are the first and the last straight piece of a path free?
    /// The path is the one over the corners in the chain.
    pub(super) fn is_free_at_ends(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        count: usize,
        scratch: &mut Slices<'_>,
    ) -> bool {
        let chain = scratch.tables.chain.get(..count).unwrap_or(&[]);
        let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else {
            return false;
        };
        let steps = &mut *scratch.corridor;
        self.is_free_to(from, first, steps) && self.is_free_to(to, last, steps)
    }

    /// Is the straight piece from a place to the corner of this number free?
    pub(super) fn is_free_to(&self, end: &NavPoint, number: u32, steps: &mut [Step]) -> bool {
        let Some(corner) = self.mesh().label_corners().get(number as usize) else {
            return false;
        };
        let ends = [end.point(), corner.at];
        let mut corridor = Corridor::new(end.polygon());
        let polys = self.mesh().polys();
        self.leg(polys, ends, end.polygon(), &End::Corner(number), steps, &mut corridor).is_some()
    }

    /// The path over the corners in the chain.
    pub(in super::super) fn finish_points<'s>(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        count: usize,
        scratch: Slices<'s>,
    ) -> NavPath<'s> {
        let mesh = self.mesh();
        let grid = mesh.grid();
        let (corners, chain) = (self.mesh().label_corners(), &*scratch.tables.chain);
        let room = count + 2;
        let (Some(chain), Some(nodes), Some(numbers), Some(points)) = (
            chain.get(..count),
            scratch.funnel.get_mut(..room),
            scratch.deque.get_mut(..room),
            scratch.points.get_mut(..room),
        ) else {
            return NavPath::none(Status::OutOfNodes, Algorithm::Auto);
        };
        let corner = |i: usize| chain.get(i).and_then(|&c| corners.get(c as usize));
        let (mut walked, mut placed) = (0.0, 0);
        let mut put = |point: [i32; 2], position: [f64; 3]| {
            nodes[placed] =
                FunnelNode { point, before: placed.saturating_sub(1) as u32, portal: 0 };
            (numbers[placed], points[placed]) = (placed as u32, position);
            placed += 1;
        };
        put(from.point(), from.position());
        let mut before = from.point();
        for i in 0..count {
            let Some(here) = corner(i) else {
                continue;
            };
            let next = corner(i + 1).map_or(to.point(), |c| c.at);
            let (d, e) = (towards(before, here.at), towards(here.at, next));
            if turn(d, e) == 0 && along(d, e) > 0 {
                continue;
            }
            let [x, z] = float(here.at);
            put(here.at, grid.metres([x, here.height.into(), z]));
            walked += grid_distance(before, here.at);
            before = here.at;
        }
        put(to.point(), to.position());
        walked += grid_distance(before, to.point());
        let length_xz = walked / grid.units();
        let points = &scratch.points[..placed];
        NavPath {
            length_xz,
            cost: length_xz,
            points,
            course: Course {
                steps: &[],
                chain: &scratch.deque[..placed],
                nodes: &scratch.funnel[..placed.min(scratch.funnel.len())],
                points,
                end: to.point(),
                last: to.polygon(),
            },
            ..NavPath::none(Status::Reached, Algorithm::Auto)
        }
    }
}
