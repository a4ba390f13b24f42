//! What hides parts of a ground triangle: other ground a step above it, and what takes the head room.

use super::Measures;
use super::blocks::{least, most};
use super::facet::{Facet, Facets, UPRIGHT, V2, length, lerp};
use super::known::CRUMB;
use super::parties::{AROUND, LID, LOW, Near, ROOF, STEP, TOUCH, may_be_lid, may_be_step};
use super::parts::{Parts, between, both, hull, is_all, overlap, without};
use navbake_geom::BoxBins;
use navbake_geom::PackedBox;

/// What is sure has as much to spare: more than anything is off by rounding.
const SPARE: f64 = 0.01;
/// More surfaces than these about a ground triangle are looked up by place for each line on it.
const FEW: usize = 1024;

/// The surfaces that may hide a ground triangle. Most of its lines are not hidden, which other ground up to a step above and what may take the head room
/// there tell; all else about a line is looked up when it matters.
#[derive(Debug)]
pub(crate) struct Cover<'a> {
    facets: &'a Facets,
    measures: &'a Measures,
    /// The ground triangle, and what may be a step above it or take its head room.
    ground: u32,
    all: BoxBins,
    /// What is near a line on it, that line, and whether lower ground and lids are known as well.
    near: Near,
    line: [V2; 2],
    is_known: bool,
    /// Scratch: parts.
    alive: Parts,
    taken: Parts,
    sides: [Parts; 2],
    roofed: [Parts; 2],
}

impl<'a> Cover<'a> {
    pub(crate) fn new(facets: &'a Facets, measures: &'a Measures) -> Cover<'a> {
        Cover {
            facets,
            measures,
            ground: 0,
            all: BoxBins::default(),
            near: Near::default(),
            line: [[0.0; 2]; 2],
            is_known: false,
            alive: vec![],
            taken: vec![],
            sides: [vec![], vec![]],
            roofed: [vec![], vec![]],
        }
    }

    /// Takes in what may hide a ground facet in an area, of which what may take its head room is known.
    pub(crate) fn gather(&mut self, ground: u32, area: [f64; 4], roofs: &[PackedBox]) {
        self.ground = ground;
        let (facets, measures) = (self.facets, self.measures);
        let facet = &facets.all[ground as usize];
        let [x0, y0, x1, y1] = facet.bounds;
        let within = [
            most(x0 - AROUND, area[0]),
            most(y0 - AROUND, area[1]),
            least(x1 + AROUND, area[2]),
            least(y1 + AROUND, area[3]),
        ];
        let high = facet.high + measures.climb + 1.0;
        let wanted = facets.wanted(within, facet.low, high);
        let surfaces = &mut self.all;
        surfaces.empty(&wanted);
        roofs.iter().for_each(|roof| surfaces.take(*roof));
        facets.ground_near(&wanted, |item| {
            let other = &facets.all[item.index() as usize];
            if item.index() != ground
                && may_be_step(measures, facet, other)
                && !facet.is_clear_of(other, AROUND)
            {
                surfaces.take(item.marked(STEP));
            }
        });
    }

    /// Adds the parts of a line on the ground gathered for where nobody stands on this ground on either side, `aside` away.
    pub(crate) fn hides(&mut self, line: [V2; 2], on: (f64, f64), aside: V2, out: &mut Parts) {
        let ground = &self.facets.all[self.ground as usize];
        let ends = [on.0, on.1].map(|t| lerp(line[0], line[1], t));
        if !self.focus(ground, ends) {
            return;
        }
        let long = length([line[1][0] - line[0][0], line[1][1] - line[0][1]]);
        let crumb = CRUMB / most(long, 1e-9);
        let on = within(ground, line, on, crumb);
        let beside = [1.0, -1.0].map(|sign| line.map(|p| [0, 1].map(|k| p[k] + sign * aside[k])));
        let inside = beside.map(|[a, b]| ground.cut(a, b, on.0, on.1, &[0.0; 3]));
        if self.settles(ground, beside, inside, on, 0.1 * crumb, out) {
            return;
        }
        // Well within a step above, both sides are on it.
        self.steps(ground, line, on, -1.0, out);
        // The side with more of it on this ground is hidden less; where it is not, it does not matter what the other one is.
        let long = inside.map(|on| on.map_or(0.0, |(t0, t1)| t1 - t0));
        let order = if long[0] >= long[1] { [0, 1] } else { [1, 0] };
        let mut sides = std::mem::take(&mut self.sides);
        let [first, second] = &mut sides;
        let [a, b] = order.map(|k| (beside[k], inside[k]));
        first.clear();
        first.extend_from_slice(&self.roofed[order[0]]);
        self.beside(ground, a.0, on, a.1, first);
        if let Some(on) = hull(first) {
            second.clear();
            second.extend_from_slice(&self.roofed[order[1]]);
            let inside = b.1.and_then(|part| overlap(part, on));
            self.beside(ground, b.0, on, inside, second);
            // What the second side leaves of the first is not hidden.
            both(first, second, &mut self.taken, out);
        }
        self.sides = sides;
    }

    /// Adds the parts of a line where the head room is taken on both sides, some of each inside. Is that known to be all, as it is for most lines: are there next to
    /// no others, or is one of the sides free?
    fn settles(
        &mut self,
        ground: &Facet,
        beside: [[V2; 2]; 2],
        inside: [Option<(f64, f64)>; 2],
        on: (f64, f64),
        least: f64,
        out: &mut Parts,
    ) -> bool {
        let mut roofed = std::mem::take(&mut self.roofed);
        for ((roofed, line), inside) in roofed.iter_mut().zip(beside).zip(inside) {
            roofed.clear();
            if let Some(on) = inside {
                self.lidded(&self.near.roofs, ground, line, on, 0.0, roofed);
            }
        }
        let [first, second] = &mut roofed;
        both(first, second, &mut self.taken, out);
        let is_free = |k: usize, roofed: &Parts| {
            roofed.is_empty() && inside[k] == Some(on) && !self.is_on_step(ground, beside[k], on)
        };
        let is_settled = is_all(out, on, least) || is_free(0, first) || is_free(1, second);
        self.roofed = roofed;
        is_settled
    }

    /// Adds the parts of a line beside a line on ground where nobody stands on that ground, some of it inside, but for those where the head room is taken inside.
    fn beside(
        &mut self,
        ground: &Facet,
        line: [V2; 2],
        on: (f64, f64),
        inside: Option<(f64, f64)>,
        out: &mut Parts,
    ) {
        self.steps(ground, line, on, 0.0, out);
        // Beyond its edges, the head room above other ground may be another one.
        let (begin, end) = inside.unwrap_or((on.1, on.1));
        for outside in [(on.0, begin), (end, on.1)] {
            if outside.0 < outside.1 {
                self.deserted(ground, line, outside, out);
            }
        }
    }

    /// Adds the parts of a line on the ground gathered for where surfaces take the head room on both sides, with something to spare. Whatever else is around
    /// there, [`Cover::hides`] adds those parts as well.
    pub(crate) fn surely_hides(
        &mut self,
        line: [V2; 2],
        on: (f64, f64),
        aside: V2,
        out: &mut Parts,
    ) {
        let ground = &self.facets.all[self.ground as usize];
        if !self.focus(ground, [on.0, on.1].map(|t| lerp(line[0], line[1], t))) {
            return;
        }
        let mut sides = std::mem::take(&mut self.sides);
        for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
            side.clear();
            let [a, b] = line.map(|p| [0, 1].map(|k| p[k] + sign * aside[k]));
            if let Some(on) = ground.cut(a, b, on.0, on.1, &ground.grown(-SPARE)) {
                self.lidded(&self.near.roofs, ground, [a, b], on, SPARE, side);
            }
        }
        let [first, second] = &mut sides;
        both(first, second, &mut self.taken, out);
        self.sides = sides;
    }

    /// Adds the parts of a line on ground where nobody stands on this ground: a step above there is other ground, or the head room is taken, of which what may
    /// do so is known.
    pub(crate) fn hides_at(
        &mut self,
        ground: u32,
        line: [V2; 2],
        on: (f64, f64),
        steps: &[u32],
        roofs: &[PackedBox],
        out: &mut Parts,
    ) {
        let (facets, measures) = (self.facets, self.measures);
        let facet = &facets.all[ground as usize];
        self.ground = ground;
        self.line = [on.0, on.1].map(|t| lerp(line[0], line[1], t));
        self.is_known = false;
        let (wanted, heights) = about(facets, measures, facet, self.line);
        let near = &mut self.near;
        near.clear();
        for &i in steps {
            near.add(measures, i, &facets.all[i as usize], STEP, heights);
        }
        for roof in roofs.iter().filter(|roof| roof.meets(&wanted)) {
            let other = &facets.all[roof.index() as usize];
            near.add(measures, roof.index(), other, ROOF, heights);
        }
        self.steps(facet, line, on, 0.0, out);
        self.lidded(&self.near.roofs, facet, line, on, 0.0, out);
    }

    /// Looks up what may hide the ground gathered for near a line. Is there anything?
    fn focus(&mut self, ground: &Facet, line: [V2; 2]) -> bool {
        (self.line, self.is_known) = (line, false);
        let (facets, measures) = (self.facets, self.measures);
        let (wanted, on) = about(facets, measures, ground, line);
        let near = &mut self.near;
        near.clear();
        if self.all.len() > FEW {
            let index = self.ground;
            facets.near(&wanted, |item| {
                if item.index() != index && item.mark() != UPRIGHT {
                    let other = &facets.all[item.index() as usize];
                    let step = if other.ground { STEP } else { 0 };
                    near.add(measures, item.index(), other, ROOF | step, on);
                }
            });
        } else {
            self.all.near(&wanted, |item| {
                let other = &facets.all[item.index() as usize];
                near.add(measures, item.index(), other, item.mark(), on);
            });
        }
        !near.steps.is_empty() || !near.roofs.is_empty()
    }

    /// Looks up what else is near the line, beside ground: other ground as low, and what may take the head room there.
    fn look_around(&mut self, ground: &Facet) {
        if std::mem::replace(&mut self.is_known, true) {
            return;
        }
        let (facets, measures) = (self.facets, self.measures);
        let (wanted, on) = about(facets, measures, ground, self.line);
        let (near, index) = (&mut self.near, self.ground);
        facets.near(&wanted, |item| {
            if item.index() != index && item.mark() != UPRIGHT {
                let other = &facets.all[item.index() as usize];
                let low = if other.ground { LOW } else { 0 };
                let lid = if may_be_lid(measures, ground, other) {
                    LID
                } else {
                    0
                };
                near.add(measures, item.index(), other, lid | low, on);
            }
        });
    }

    /// Adds the parts of a line beside ground where nobody stands at the same height or up to a step below.
    fn deserted(&mut self, ground: &Facet, line: [V2; 2], on: (f64, f64), out: &mut Parts) {
        self.look_around(ground);
        let mut alive = std::mem::take(&mut self.alive);
        alive.clear();
        let least = -self.measures.climb - TOUCH;
        for k in 0..self.near.low.len() {
            let other = &self.facets.all[self.near.low[k] as usize];
            self.stood_on(other, ground, line, on, [least, TOUCH], 0.0, &mut alive);
        }
        without(on.0, on.1, &mut alive, |v0, v1| out.push((v0, v1)));
        self.alive = alive;
    }

    /// Does some of a line lie on other ground a step above, whatever may be above that?
    fn is_on_step(&self, ground: &Facet, [a, b]: [V2; 2], (t0, t1): (f64, f64)) -> bool {
        let most = self.measures.climb + TOUCH;
        self.near.steps.iter().any(|&k| {
            let other = &self.facets.all[k as usize];
            let rise = |p: V2| other.at(p) - ground.at(p);
            let (w0, w1) = between(rise(a), rise(b), TOUCH, most, t0, t1);
            w1 > w0 && other.cut(a, b, w0, w1, &[0.0; 3]).is_some()
        })
    }

    /// Adds the parts of a line where an agent stands on other ground, grown by `margin`, a step above.
    fn steps(
        &mut self,
        ground: &Facet,
        line: [V2; 2],
        on: (f64, f64),
        margin: f64,
        out: &mut Parts,
    ) {
        let most = self.measures.climb + TOUCH;
        for k in 0..self.near.steps.len() {
            let other = &self.facets.all[self.near.steps[k] as usize];
            self.stood_on(other, ground, line, on, [TOUCH, most], margin, out);
        }
    }

    /// Adds the parts of a line where an agent stands on other ground, grown by `margin`, that lies so high above this one.
    #[allow(clippy::too_many_arguments)]
    fn stood_on(
        &mut self,
        other: &Facet,
        ground: &Facet,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        [low, high]: [f64; 2],
        margin: f64,
        out: &mut Parts,
    ) {
        let rise = |p: V2| other.at(p) - ground.at(p);
        let (w0, w1) = between(rise(a), rise(b), low, high, t0, t1);
        if w1 <= w0 {
            return;
        }
        let grown = if margin == 0.0 {
            [0.0; 3]
        } else {
            other.grown(margin)
        };
        if let Some((w0, w1)) = other.cut(a, b, w0, w1, &grown) {
            self.look_around(ground);
            let mut taken = std::mem::take(&mut self.taken);
            taken.clear();
            self.lidded(&self.near.lids, other, [a, b], (w0, w1), 0.0, &mut taken);
            without(w0, w1, &mut taken, |v0, v1| out.push((v0, v1)));
            self.taken = taken;
        }
    }

    /// Adds the parts of a line where one of the lids lies between knee and head above the plane of `ground`, with so much to spare.
    fn lidded(
        &self,
        lids: &[u32],
        ground: &Facet,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        spare: f64,
        out: &mut Parts,
    ) {
        let Measures { climb, height, .. } = *self.measures;
        let (knee, head) = (climb + TOUCH + spare, height - TOUCH - spare);
        let (ya, yb) = (ground.at(a), ground.at(b));
        for &i in lids {
            let lid = &self.facets.all[i as usize];
            let (w0, w1) = between(lid.at(a) - ya, lid.at(b) - yb, knee, head, t0, t1);
            if w1 > w0 {
                let grown = if spare == 0.0 {
                    [0.0; 3]
                } else {
                    lid.grown(-spare)
                };
                out.extend(lid.cut(a, b, w0, w1, &grown));
            }
        }
    }
}

/// The part of a line to be looked at for what hides it: where hardly more than a crumb of it lies beyond the ground's edges, what is next to the ground there
/// tells nothing.
fn within(ground: &Facet, [a, b]: [V2; 2], on: (f64, f64), crumb: f64) -> (f64, f64) {
    let Some((t0, t1)) = ground.cut(a, b, on.0, on.1, &[0.0; 3]) else {
        return on;
    };
    let inwards = |far: f64| {
        if far < 0.5 * crumb {
            far + 0.4 * crumb
        } else {
            0.0
        }
    };
    let (from, to) = (on.0 + inwards(t0 - on.0), on.1 - inwards(on.1 - t1));
    if from < to { (from, to) } else { on }
}

/// What facets near a line on ground are compared with, and the least and the greatest height along it.
fn about(
    facets: &Facets,
    measures: &Measures,
    ground: &Facet,
    line: [V2; 2],
) -> (PackedBox, (f64, f64)) {
    let on = heights(ground, line);
    let (low, high) = reach(measures, on.0 - 2.0, on.1 + 2.0);
    (facets.wanted(around(line), low, high), on)
}

/// The box of a line with a little around it.
fn around([a, b]: [V2; 2]) -> [f64; 4] {
    [
        least(a[0], b[0]) - 2.0,
        least(a[1], b[1]) - 2.0,
        most(a[0], b[0]) + 2.0,
        most(a[1], b[1]) + 2.0,
    ]
}

/// Least and greatest height of ground along a line.
fn heights(ground: &Facet, [a, b]: [V2; 2]) -> (f64, f64) {
    let (p, q) = (ground.at(a), ground.at(b));
    (
        most(least(p, q), ground.low),
        least(most(p, q), ground.high),
    )
}

/// Heights of what can matter to an agent on ground from `low` to `high`.
pub(crate) fn reach(measures: &Measures, low: f64, high: f64) -> (f64, f64) {
    (
        low - measures.climb,
        high + measures.climb + measures.height,
    )
}
