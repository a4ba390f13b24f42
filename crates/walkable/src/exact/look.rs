//! What bounds a ground triangle, for agents of any radius: looked up among the triangles around it.

use std::cell::OnceCell;

use super::Measures;
use super::blocks::{least, most};
use super::cover::Cover;
use super::facet::{Facet, Facets, UPRIGHT, V2, length, lerp};
use super::known::{CRUMB, Line, UNKNOWN, left_of};
use super::lines;
use super::parties::ROOF;
use super::parts::{Parts, between, without};
use super::slab::Slab;
use super::slots::Slots;
use navbake_geom::PackedBox;

/// A wall may stand this far beside the ground it bounds.
pub(super) const BESIDE: f64 = 2.0;
/// A segment is useless where, this far to both of its sides, nobody can stand.
const ASIDE: f64 = 1.0;
/// Ground is looked for this far outside of an edge.
const OUTSIDE: f64 = 4.0;
/// Looks at ground facets among others.
pub(super) struct Look<'a> {
    facets: &'a Facets,
    measures: &'a Measures,
    /// Nothing is looked for outside of it.
    area: [f64; 4],
    /// The facet that [`Look::cover`] knows about.
    gathered: Option<u32>,
    cover: Cover<'a>,
    slots: Slots,
    slab: Slab,
    /// Scratch: ground beside an edge; outlines of what is in the way; parts to leave out; what is left.
    near: Vec<u32>,
    /// And ground that may lie a step above it.
    above: Vec<u32>,
    walls: Vec<(V2, V2)>,
    /// What may take the head room above the facet whose lines were asked for last.
    roofs: Vec<PackedBox>,
    holes: Parts,
    left: Parts,
    bare: Parts,
}

impl<'a> Look<'a> {
    pub(super) fn new(facets: &'a Facets, measures: &'a Measures, area: [f64; 4]) -> Look<'a> {
        Look {
            facets,
            measures,
            area,
            gathered: None,
            cover: Cover::new(facets, measures),
            slots: Slots::default(),
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

    /// The lines where triangles cut the slab between knee and head above a facet.
    pub(super) fn lines(&mut self, index: u32) -> impl Iterator<Item = Line> {
        let facets = self.facets;
        let facet = &facets.all[index as usize];
        let Measures { climb, height, .. } = *self.measures;
        let within = clamp(facet.bounds, self.area);
        let (walls, slab, roofs) = (&mut self.walls, &mut self.slab, &mut self.roofs);
        walls.clear();
        roofs.clear();
        // Most ground has no walls.
        let grown = OnceCell::new();
        // Heights are whole numbers: what only touches the slab does not lie in it.
        let (low, high) = (facet.low + climb + 1.0, facet.high + height - 1.0);
        let wanted = facets.wanted(within, low, high);
        facets.near(&wanted, |item| {
            let other = &facets.all[item.index() as usize];
            let above = other.corners.map(|c| c[2] - facet.at([c[0], c[1]]));
            let meets = item.index() != index && Slab::meets(above, climb, height);
            if !meets || facet.is_clear_of(other, BESIDE) {
                return;
            }
            if item.mark() != UPRIGHT {
                roofs.push(item.marked(ROOF));
            }
            if Slab::cuts(other, above, climb, height) {
                let grown = grown.get_or_init(|| facet.grown(BESIDE));
                let is_beside = |a: V2, b: V2| facet.cut(a, b, 0.0, 1.0, grown).is_some();
                slab.outline(other, above, climb, height, |a, b| {
                    if is_beside(a, b) {
                        walls.push((a, b));
                    }
                });
            }
        });
        lines::join(walls);
        let grown = grown.into_inner().unwrap_or_default();
        walls.iter().filter_map(move |&(a, b)| {
            let on = facet.cut(a, b, 0.0, 1.0, &grown)?;
            Some(Line {
                ends: [a, b],
                on,
                left: UNKNOWN,
            })
        })
    }

    /// What may take the head room above the facet whose lines were asked for last.
    pub(super) fn roofs(&self) -> &[PackedBox] {
        &self.roofs
    }

    /// Adds the parts of a line across the facet gathered for that are not hidden.
    pub(super) fn left(&mut self, line: &Line, out: &mut Parts) {
        self.holes.clear();
        let aside = aside(line.ends);
        self.cover.hides(line.ends, line.on, aside, &mut self.holes);
        left_of(line.ends, line.on, &mut self.holes, out);
    }

    /// Is a line across the facet gathered for hidden as a whole, whatever else may stand around?
    pub(super) fn is_surely_hidden(&mut self, line: &Line) -> bool {
        let [a, b] = line.ends;
        let long = length([b[0] - a[0], b[1] - a[1]]).max(1e-9);
        let aside = aside(line.ends);
        self.holes.clear();
        (self.cover).surely_hides(line.ends, line.on, aside, &mut self.holes);
        let mut is_whole = !self.holes.is_empty();
        // What is left is a crumb, and so is what a little more is hidden of.
        without(line.on.0, line.on.1, &mut self.holes, |u, v| {
            is_whole &= (v - u) * long < CRUMB - 1.0;
        });
        is_whole
    }

    /// Takes in what may hide lines on a facet; what may take its head room is known.
    pub(super) fn gather(&mut self, index: u32, roofs: &[PackedBox]) {
        if self.gathered != Some(index) {
            self.gathered = Some(index);
            self.cover.gather(index, self.area, roofs);
        }
    }

    /// The parts of edge `k` of a facet, from parameter `t0` to `t1`, that no ground within a step goes on from and where one can stand under
    /// what may take the head room.
    pub(super) fn ledge(
        &mut self,
        index: u32,
        k: usize,
        (t0, t1): (f64, f64),
        roofs: &[PackedBox],
    ) -> &Parts {
        let facets = self.facets;
        let facet = &facets.all[index as usize];
        let around = beside_edge(facet, k, self.measures);
        let Measures { climb, crack, .. } = *self.measures;
        let (a, b) = (facet.flat(k), facet.flat(k + 1));
        let along = [b[0] - a[0], b[1] - a[1]];
        let long = length(along);
        let (near, above) = (&mut self.near, &mut self.above);
        near.clear();
        above.clear();
        let ends = [facet.corners[k][2], facet.corners[(k + 1) % 3][2]];
        let low = (ends[0].min(ends[1]) - 1.0).max(facet.low) - climb;
        let high = (ends[0].max(ends[1]) + 1.0).min(facet.high) + climb;
        let clamped = clamp(around, self.area);
        let inside = (1.0 - OUTSIDE) * long;
        facets.ground_near(&facets.wanted(clamped, low, high), |item| {
            if item.index() == index {
                return;
            }
            // Only what reaches out of the edge, and lies beside it, can go on from it.
            let other = &facets.all[item.index() as usize];
            let flat = [0, 1, 2].map(|j| other.flat(j));
            let ahead = flat.map(|p| (p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]);
            let is_beside =
                ahead.iter().any(|&t| t > 0.0) && ahead.iter().any(|&t| t < long * long);
            if is_beside && other.high > low + climb {
                above.push(item.index());
            }
            if is_beside && flat.iter().any(|&p| facet.inside_of(k, p) < inside) {
                near.push(item.index());
            }
        });
        self.holes.clear();
        let outwards = [along[1] / long, -along[0] / long];
        'steps: for step in [OUTSIDE, OUTSIDE + crack / 3.0, crack * 2.0 / 3.0, crack] {
            let beside = |p: V2| [p[0] + outwards[0] * step, p[1] + outwards[1] * step];
            let (c, d) = (beside(a), beside(b));
            for &i in near.iter() {
                let other = &self.facets.all[i as usize];
                let Some((u0, u1)) = other.cut(c, d, 0.0, 1.0, &[0.0; 3]) else {
                    continue;
                };
                let rise = [other.at(c) - facet.at(a), other.at(d) - facet.at(b)];
                let (w0, w1) = between(rise[0], rise[1], -climb - 1.0, climb + 1.0, u0, u1);
                // Neighbours meet with a rounding between them; what meets the line only by a rounding, as the ground around a hole's right
                // angle, goes on from nothing.
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
            // Between ground and ground a slot is stepped over along the edge as well.
            if u == t0 || v == t1 || (v - u) * long >= crack {
                left.push((u, v));
            }
        });
        // What is left at one end of it may hang over a slot that is stepped over along another edge.
        let slots = &mut self.slots;
        left.retain(|&(u, v)| {
            let is_tip = (u == t0) != (v == t1) && (v - u) * long < crack;
            let tips = [(u + v) / 2.0, if u == t0 { u } else { v }];
            let is_in_slot = |t: f64| {
                let p = lerp(a, b, t);
                let beside = [p[0] + outwards[0] * OUTSIDE, p[1] + outwards[1] * OUTSIDE];
                slots.hold(facets, beside, facet.at(p), climb, crack)
            };
            !(is_tip && tips.into_iter().all(is_in_slot))
        });
        // Nothing ends where nobody stands on this ground.
        let cover = &mut self.cover;
        let inwards = outwards.map(|v| -v * ASIDE);
        self.bare.clear();
        for on in self.left.iter().copied() {
            self.holes.clear();
            let inside = [a, b].map(|p| [p[0] + inwards[0], p[1] + inwards[1]]);
            cover.hides_at(index, inside, on, &self.above, roofs, &mut self.holes);
            left_of([a, b], on, &mut self.holes, &mut self.bare);
        }
        self.gathered = None;
        &self.bare
    }
}

/// The box around edge `k` of a facet that ground beyond it is looked for in.
pub(super) fn beside_edge(facet: &Facet, k: usize, measures: &Measures) -> [f64; 4] {
    let (a, b) = (facet.flat(k), facet.flat(k + 1));
    let reach = measures.crack + OUTSIDE;
    [
        least(a[0], b[0]) - reach,
        least(a[1], b[1]) - reach,
        most(a[0], b[0]) + reach,
        most(a[1], b[1]) + reach,
    ]
}

/// From a line to its left side.
fn aside([a, b]: [V2; 2]) -> V2 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let aside = ASIDE / length(along).max(1e-9);
    [-along[1] * aside, along[0] * aside]
}

/// The part of a box that lies in another.
pub(super) fn clamp(b: [f64; 4], to: [f64; 4]) -> [f64; 4] {
    [
        most(b[0], to[0]),
        most(b[1], to[1]),
        least(b[2], to[2]),
        least(b[3], to[3]),
    ]
}
