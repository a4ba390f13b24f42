//! The polygons of a path that is given by its corners.

use navbake_format::PolyId;
use navbake_navmesh::PolyMesh;

use super::super::nodes::{Corridor, Step};
use super::super::optimal::{towards, turn};
use super::super::slices::Slices;
use crate::ray::{same_ground, walk_straight};
use crate::{NavPoint, NavQuery};

/// The end of a straight piece: the corner of this number, or the goal.
pub(super) enum End<'e> {
    Corner(u32),
    Goal(&'e NavPoint),
}

impl NavQuery<'_> {
    /// Writes the polygons of the path over the corners in the chain.
    /// They go into `Scratch::corridor`, the corners into the funnel for
    /// [`settle`](super::super::bends::settle). `None` where a blocked edge is in the path, or
    /// where a straight line has several courses past the end of a wall without thickness.
    pub(in super::super) fn trace_chain(
        &self,
        from: &NavPoint,
        to: &NavPoint,
        count: usize,
        scratch: &mut Slices<'_>,
    ) -> Option<Corridor> {
        let mut corridor = Corridor::new(to.polygon());
        self.trace_on([from, to], count, &mut corridor, scratch)?;
        let fits = corridor.is_whole() && corridor.len <= scratch.longest_corridor();
        fits.then_some(corridor)
    }

    /// The same at the end of a corridor.
    pub(super) fn trace_on(
        &self,
        [from, to]: [&NavPoint; 2],
        count: usize,
        corridor: &mut Corridor,
        scratch: &mut Slices<'_>,
    ) -> Option<()> {
        let polys = self.mesh().polys();
        let steps = &mut *scratch.corridor;
        let (mut at, mut polygon) = (from.point(), from.polygon());
        for (i, &number) in scratch.tables.chain.get(..count)?.iter().enumerate() {
            let next = self.mesh().label_corners().get(number as usize)?.at;
            let end = End::Corner(number);
            polygon = self.leg(polys, [at, next], polygon, &end, steps, corridor)?;
            if let Some(node) = scratch.funnel.get_mut(i + 1) {
                // The index of the next portal.
                (node.point, node.portal) = (next, corridor.len as u32);
            }
            at = next;
        }
        let end = End::Goal(to);
        self.leg(polys, [at, to.point()], polygon, &end, steps, corridor)?;
        Some(())
    }

    /// Writes the polygons of a straight piece; returns the one where it ends.
    /// From a corner it starts in any polygon there that has the direction between its edges, if
    /// the piece then ends on the right ground.
    pub(super) fn leg(
        &self,
        polys: &PolyMesh<'_>,
        ends: [[i32; 2]; 2],
        polygon: PolyId,
        end: &End<'_>,
        steps: &mut [Step],
        corridor: &mut Corridor,
    ) -> Option<PolyId> {
        let begin = corridor.len;
        let last = self.walk_leg(polys, ends, polygon, end, steps, corridor);
        if last.is_some() {
            return last;
        }
        let border = polys.border(polygon.0);
        let corner = border.corner_at(ends[0])?;
        let d = towards(ends[0], ends[1]);
        for counter_clockwise in [true, false] {
            let (mut p, mut k) = (polygon.0, corner);
            let mut turned = begin;
            let open = |edge| self.closings.is_ground_open() || !self.closings.is_shut(edge);
            for _ in 0..polys.edges.len() {
                let step = polys.step_around((p, k), counter_clockwise, open);
                let Some((out, next)) = step else {
                    break;
                };
                corridor.len = turned;
                corridor.push(steps, PolyId(p), out as u32);
                turned = corridor.len;
                (p, k) = next;
                if (p, k) == (polygon.0, corner) {
                    return None;
                }
                let border = polys.border(p);
                let ahead = border.after(k).at;
                let back = border.at(border.previous(k)).at;
                let holds =
                    turn(towards(ends[0], ahead), d) >= 0 && turn(d, towards(ends[0], back)) >= 0;
                if holds {
                    let last = self.walk_leg(polys, ends, PolyId(p), end, steps, corridor);
                    if last.is_some() {
                        return last;
                    }
                }
            }
        }
        None
    }

    /// Writes the polygons of a straight piece that starts in one polygon.
    fn walk_leg(
        &self,
        polys: &PolyMesh<'_>,
        [a, b]: [[i32; 2]; 2],
        polygon: PolyId,
        end: &End<'_>,
        steps: &mut [Step],
        corridor: &mut Corridor,
    ) -> Option<PolyId> {
        let last = walk_straight(self, polygon, a, b, |p, k| {
            corridor.push(steps, p, k);
        })?;
        match *end {
            End::Corner(number) => {
                let mut border = polys.border(last.0).iter();
                let is_there = border.any(|e| e.at == b && e.corner() == Some(number));
                is_there.then_some(last)
            }
            End::Goal(to) => same_ground(self, last, to.polygon(), b, |p, k| {
                corridor.push(steps, p, k);
            })
            .then_some(last),
        }
    }
}
