//! The lines that bound a ground triangle, for agents of any radius, from the triangles around it.

use std::cell::OnceCell;

use super::cache::{Line, UNKNOWN, left_of};
use super::gap_finder::GapFinder;
use super::intervals::{Intervals, between, without};
use super::join;
use super::slab::Slab;
use crate::exact::input::{Triangle, Triangles, UPRIGHT};
use crate::exact::math::{V2, clamp_box, length, lerp, max, min};
use crate::exact::measures::Measures;
use crate::exact::occlusion::Occlusion;

/// A wall may be this far beside the ground it bounds, in grid units.
pub(crate) const BESIDE: f64 = 2.0;
/// A segment is useless if no agent can be this far to either side of it.
const ASIDE: f64 = 1.0;
/// How far outside an edge further ground is searched, in grid units.
const OUTSIDE: f64 = 4.0;
/// Looks at ground triangles among others.
pub(crate) struct Outlines<'a> {
    triangles: &'a Triangles,
    measures: &'a Measures,
    /// Nothing outside it is searched.
    area: [f64; 4],
    /// The triangle that [`Outlines::occlusion`] knows about.
    gathered: Option<u32>,
    occlusion: Occlusion<'a>,
    gap_finder: GapFinder,
    slab: Slab,
    /// Scratch: ground beside an edge, outlines of walls, parts to leave out, and the rest.
    near: Vec<u32>,
    /// Ground that may be a step above it.
    above: Vec<u32>,
    walls: Vec<(V2, V2)>,
    /// What may limit the head room above the triangle of the last call of [`Outlines::lines`].
    roofs: Vec<u32>,
    holes: Intervals,
    left: Intervals,
    bare: Intervals,
}

impl<'a> Outlines<'a> {
    pub(crate) fn new(
        triangles: &'a Triangles,
        measures: &'a Measures,
        area: [f64; 4],
    ) -> Outlines<'a> {
        Outlines {
            triangles,
            measures,
            area,
            gathered: None,
            occlusion: Occlusion::new(triangles, measures),
            gap_finder: GapFinder::default(),
            slab: Slab::default(),
            near: vec![],
            above: vec![],
            walls: vec![],
            roofs: vec![],
            holes: vec![],
            left: vec![],
            bare: vec![],
        }
    }

    /// The lines where triangles cut the slab between knee and head above a triangle.
    pub(crate) fn lines(&mut self, index: u32) -> impl Iterator<Item = Line> {
        let triangles = self.triangles;
        let triangle = &triangles.all[index as usize];
        let Measures { climb, height, .. } = *self.measures;
        let within = clamp_box(triangle.bounds, self.area);
        let (walls, slab, roofs) = (&mut self.walls, &mut self.slab, &mut self.roofs);
        walls.clear();
        roofs.clear();
        // Most ground has no walls.
        let grown = OnceCell::new();
        // Heights are whole numbers: what only touches the slab is not inside it.
        let (low, high) = (triangle.low + climb + 1.0, triangle.high + height - 1.0);
        let wanted = triangles.wanted(within, low, high);
        triangles.near(&wanted, |item| {
            let other = &triangles.all[item.index() as usize];
            let above = other.corners.map(|c| c[2] - triangle.at([c[0], c[1]]));
            let meets = item.index() != index && Slab::meets(above, climb, height);
            if !meets || triangle.is_clear_of(other, BESIDE) {
                return;
            }
            if item.mark() != UPRIGHT {
                roofs.push(item.index());
            }
            if Slab::cuts(other, above, climb, height) {
                let grown = grown.get_or_init(|| triangle.grown(BESIDE));
                let is_beside = |a: V2, b: V2| triangle.cut(a, b, 0.0, 1.0, grown).is_some();
                slab.outline(other, above, climb, height, |a, b| {
                    if is_beside(a, b) {
                        walls.push((a, b));
                    }
                });
            }
        });
        join::join(walls);
        let grown = grown.into_inner().unwrap_or_default();
        walls.iter().filter_map(move |&(a, b)| {
            let on = triangle.cut(a, b, 0.0, 1.0, &grown)?;
            Some(Line { ends: [a, b], on, left: UNKNOWN })
        })
    }

    /// What may limit the head room above the triangle of the last call of [`Outlines::lines`].
    pub(crate) fn roofs(&self) -> &[u32] {
        &self.roofs
    }

    /// Adds the parts of a line across the gathered triangle that are not hidden.
    pub(crate) fn left(&mut self, line: &Line, out: &mut Intervals) {
        self.holes.clear();
        let aside = aside(line.ends);
        self.occlusion.hides(line.ends, line.on, aside, &mut self.holes);
        left_of(line.ends, line.on, &mut self.holes, out);
    }

    /// Gathers what may hide lines on a triangle; `roofs` may limit its head room.
    pub(crate) fn gather(&mut self, index: u32, roofs: &[u32]) {
        if self.gathered != Some(index) {
            self.gathered = Some(index);
            self.occlusion.gather(index, self.area, roofs);
        }
    }

    /// The parts of edge `k` of a triangle, from parameter `t0` to `t1`, without further ground
    /// within a step, and with head room.
    pub(crate) fn ledge(
        &mut self,
        index: u32,
        k: usize,
        (t0, t1): (f64, f64),
        roofs: &[u32],
    ) -> &Intervals {
        let triangles = self.triangles;
        let triangle = &triangles.all[index as usize];
        let around = beside_edge(triangle, k, self.measures);
        let Measures { climb, gap, .. } = *self.measures;
        let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
        let along = [b[0] - a[0], b[1] - a[1]];
        let long = length(along);
        let (near, above) = (&mut self.near, &mut self.above);
        near.clear();
        above.clear();
        let ends = [triangle.corners[k][2], triangle.corners[(k + 1) % 3][2]];
        let low = (ends[0].min(ends[1]) - 1.0).max(triangle.low) - climb;
        let high = (ends[0].max(ends[1]) + 1.0).min(triangle.high) + climb;
        let clamped = clamp_box(around, self.area);
        let inside = (1.0 - OUTSIDE) * long;
        triangles.ground_near(&triangles.wanted(clamped, low, high), |item| {
            if item.index() == index {
                return;
            }
            // Only ground that reaches beyond the edge, and is beside it, can continue it.
            let other = &triangles.all[item.index() as usize];
            let flat = [0, 1, 2].map(|j| other.flat(j));
            let ahead = flat.map(|p| (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]);
            let is_beside =
                ahead.iter().any(|&t| t > 0.0) && ahead.iter().any(|&t| t < long * long);
            if is_beside && other.high > low + climb {
                above.push(item.index());
            }
            if is_beside && flat.iter().any(|&p| triangle.inside_of(k, p) < inside) {
                near.push(item.index());
            }
        });
        self.holes.clear();
        let outwards = [along[1] / long, -along[0] / long];
        'steps: for step in [OUTSIDE, OUTSIDE + gap / 3.0, gap * 2.0 / 3.0, gap] {
            let beside = |p: V2| [p[0] + outwards[0] * step, p[1] + outwards[1] * step];
            let (c, d) = (beside(a), beside(b));
            for &i in near.iter() {
                let other = &self.triangles.all[i as usize];
                let Some((u0, u1)) = other.cut(c, d, 0.0, 1.0, &[0.0; 3]) else {
                    continue;
                };
                let rise = [other.at(c) - triangle.at(a), other.at(d) - triangle.at(b)];
                let (w0, w1) = between(rise[0], rise[1], -climb - 1.0, climb + 1.0, u0, u1);
                // Neighbours meet up to rounding. Ground that meets the line only by rounding, such
                // as the ground around a hole's right angle, does not continue it.
                let slack = BESIDE / long;
                if w1 - w0 > slack.min(0.5) {
                    self.holes.push((w0 - slack, w1 + slack));
                    if w0 - slack <= t0 && w1 + slack >= t1 {
                        break 'steps;
                    }
                }
            }
        }
        self.left.clear();
        let left = &mut self.left;
        without(t0, t1, &mut self.holes, |u, v| {
            // Between ground and ground a gap is stepped over along the edge as well.
            if u == t0 || v == t1 || (v - u) * long >= gap {
                left.push((u, v));
            }
        });
        // A rest at one end of it may be over a gap that is stepped over along another edge.
        let gap_finder = &mut self.gap_finder;
        left.retain(|&(u, v)| {
            let is_tip = (u == t0) != (v == t1) && (v - u) * long < gap;
            let tips = [(u + v) / 2.0, if u == t0 { u } else { v }];
            let is_in_gap = |t: f64| {
                let p = lerp(a, b, t);
                let beside = [p[0] + outwards[0] * OUTSIDE, p[1] + outwards[1] * OUTSIDE];
                gap_finder.hold(triangles, beside, triangle.at(p), climb, gap)
            };
            !(is_tip && tips.into_iter().all(is_in_gap))
        });
        // No ground ends where no agent can be on it.
        let occlusion = &mut self.occlusion;
        let inwards = outwards.map(|v| -v * ASIDE);
        self.bare.clear();
        for on in self.left.iter().copied() {
            self.holes.clear();
            let inside = [a, b].map(|p| [p[0] + inwards[0], p[1] + inwards[1]]);
            occlusion.hides_at(index, inside, on, &self.above, roofs, &mut self.holes);
            left_of([a, b], on, &mut self.holes, &mut self.bare);
        }
        self.gathered = None;
        &self.bare
    }
}

/// The box around edge `k` of a triangle to search for further ground.
pub(crate) fn beside_edge(triangle: &Triangle, k: usize, measures: &Measures) -> [f64; 4] {
    let (a, b) = (triangle.flat(k), triangle.flat(k + 1));
    let reach = measures.gap + OUTSIDE;
    [
        min(a[0], b[0]) - reach,
        min(a[1], b[1]) - reach,
        max(a[0], b[0]) + reach,
        max(a[1], b[1]) + reach,
    ]
}

/// From a line to its left side.
fn aside([a, b]: [V2; 2]) -> V2 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let aside = ASIDE / length(along).max(1e-9);
    [-along[1] * aside, along[0] * aside]
}
