//! From the corners of a path to the polygons that it leads through.

use navbake_format::PolyId;

use super::super::Chart;
use super::super::optimal::{towards, turn, walk_straight};
use super::super::scratch::{Corridor, Scratch, Step};
use crate::ray::same_ground;
use crate::{Location, Query};

/// Where a straight piece of a path ends: at a corner of this number, or at the goal.
pub(super) enum End<'e> {
    Corner(u32),
    Goal(&'e Location),
}

impl Query<'_> {
    /// Writes the polygons of a path over the corners in the chain into [`Scratch::corridor`], and the corners for [`settle`](super::super::bends::settle). `None` where something shut is in the way, or a
    /// straight line can be walked in several ways past the end of a wall without thickness.
    pub(in super::super) fn trace_chain(
        &self,
        from: &Location,
        to: &Location,
        count: usize,
        scratch: &mut Scratch<'_>,
    ) -> Option<Corridor> {
        let chart = scratch.sight.chart;
        let steps = &mut *scratch.corridor;
        let mut corridor = Corridor::new(to.polygon());
        let (mut at, mut polygon) = (from.point(), from.polygon());
        for (i, &number) in scratch.tables.chain.get(..count)?.iter().enumerate() {
            let next = scratch.tables.corners.get(number as usize)?.at;
            let end = End::Corner(number);
            polygon = self.leg(&chart, [at, next], polygon, &end, steps, &mut corridor)?;
            if let Some(node) = scratch.funnel.get_mut(i + 1) {
                // Where the next portal will stand.
                (node.point, node.portal) = (next, corridor.len as u32);
            }
            at = next;
        }
        let end = End::Goal(to);
        self.leg(
            &chart,
            [at, to.point()],
            polygon,
            &end,
            steps,
            &mut corridor,
        )?;
        let fits = corridor.is_whole() && corridor.len <= scratch.longest_corridor();
        fits.then_some(corridor)
    }

    /// Writes the polygons of a straight piece; gives the one that it ends in. From a corner it sets out into any polygon there that has the
    /// direction between its edges and from where the piece ends on the ground that is meant.
    pub(super) fn leg(
        &self,
        chart: &Chart<'_>,
        ends: [[i32; 2]; 2],
        polygon: PolyId,
        end: &End<'_>,
        steps: &mut [Step],
        corridor: &mut Corridor,
    ) -> Option<PolyId> {
        let begin = corridor.len;
        let last = self.walk_leg(chart, ends, polygon, end, steps, corridor);
        if last.is_some() {
            return last;
        }
        let border = chart.border(polygon.0);
        let corner = border.iter().position(|e| e.at == ends[0])?;
        let d = towards(ends[0], ends[1]);
        for counter_clockwise in [true, false] {
            let (mut p, mut k) = (polygon.0, corner);
            let mut turned = begin;
            for _ in 0..chart.edges.len() {
                let border = chart.border(p);
                let back = if k == 0 { border.len() - 1 } else { k - 1 };
                let out = if counter_clockwise { back } else { k };
                let edge = border.get(out)?;
                let Some(beyond) = edge.leads_to(chart, self.closings()) else {
                    break;
                };
                corridor.len = turned;
                corridor.push(steps, PolyId(p), out as u32);
                turned = corridor.len;
                let next = chart.border(beyond);
                let twin = edge.twin as usize;
                let after = if twin + 1 < next.len() { twin + 1 } else { 0 };
                (p, k) = (beyond, if counter_clockwise { twin } else { after });
                if (p, k) == (polygon.0, corner) {
                    return None;
                }
                let ahead = next.get(k + 1).unwrap_or(&next[0]).at;
                let back = next[if k == 0 { next.len() - 1 } else { k - 1 }].at;
                let holds =
                    turn(towards(ends[0], ahead), d) >= 0 && turn(d, towards(ends[0], back)) >= 0;
                if holds {
                    let last = self.walk_leg(chart, ends, PolyId(p), end, steps, corridor);
                    if last.is_some() {
                        return last;
                    }
                }
            }
        }
        None
    }

    /// The same from one polygon on.
    fn walk_leg(
        &self,
        chart: &Chart<'_>,
        [a, b]: [[i32; 2]; 2],
        polygon: PolyId,
        end: &End<'_>,
        steps: &mut [Step],
        corridor: &mut Corridor,
    ) -> Option<PolyId> {
        let last = walk_straight(self, chart, polygon, a, b, |p, k| {
            corridor.push(steps, p, k);
        })?;
        match *end {
            End::Corner(number) => {
                let mut border = chart.border(last.0).iter();
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
