//! What hides parts of a ground triangle: other ground a step above it, and what takes the head room.

use super::Measures;
use super::bins::Entry;
use super::facet::{Facet, Facets, V2};

/// A surface has to differ by this much from a limit to be on one side of it.
pub(crate) const TOUCH: f64 = 0.5;

/// Parts of a segment, as parameters along it.
pub(crate) type Parts = Vec<(f64, f64)>;

/// What a facet may be to ground, one bit each.
type Parties = u8;

/// Ground that may lie a step above.
const STEP: Parties = 1;
/// Ground at most a step below.
const LOW: Parties = 2;
/// What may take the head room on those.
const LID: Parties = 4;
/// What may take it here.
const ROOF: Parties = 8;

/// How far around a ground triangle lines on it may lie.
const AROUND: f64 = 4.0;
/// More than heights of planes are off by rounding.
const ROUNDING: f64 = 1e-3;

/// What a facet that is not upright may be to ground, going by how high it may lie above it.
fn parties(measures: &Measures, ground: &Facet, other: &Facet) -> Parties {
    let Measures { climb, height, .. } = *measures;
    let [least, most] = rise(ground, other);
    let meets = |low: f64, high: f64| least <= high + ROUNDING && most >= low - ROUNDING;
    let mut parties = 0;
    if other.ground && meets(TOUCH, climb + TOUCH) {
        parties |= STEP;
    }
    if other.ground && meets(-climb - TOUCH, TOUCH) {
        parties |= LOW;
    }
    if most > ROUNDING && least < climb + height {
        parties |= LID;
        if meets(climb + TOUCH, height - TOUCH) {
            parties |= ROOF;
        }
    }
    parties
}

/// The least and the most that a facet may lie above ground where both are, or nearly.
fn rise(ground: &Facet, other: &Facet) -> [f64; 2] {
    let ([g, h], [p, q]) = (ground.rise(), other.rise());
    let (mut middle, mut most) = ([0.0; 2], 0.0);
    for (axis, slope) in [p - g, q - h].into_iter().enumerate() {
        let low = ground.bounds[axis].max(other.bounds[axis]) - AROUND;
        let high = ground.bounds[axis + 2].min(other.bounds[axis + 2]) + AROUND;
        middle[axis] = (low + high) / 2.0;
        most += slope.abs() * ((high - low) / 2.0).max(0.0);
    }
    let rise = other.at(middle) - ground.at(middle);
    // Nor more than their heights leave.
    let slack = AROUND * (g.abs() + h.abs() + p.abs() + q.abs());
    [
        (rise - most).max(other.low - ground.high - slack),
        (rise + most).min(other.high - ground.low + slack),
    ]
}

/// More surfaces than these about a ground triangle are looked up by place for each line on it.
const FEW: usize = 1024;

/// What lies about a ground triangle, and of that what may hide it.
#[derive(Debug)]
pub(crate) struct Cover<'a> {
    facets: &'a Facets,
    measures: &'a Measures,
    /// The ground triangle.
    ground: u32,
    around: Vec<Entry>,
    /// The part of it that is asked for, and how far beside its edges.
    within: [f64; 4],
    beside: [f64; 3],
    /// What may hide it there, and what decides whether anybody stands on other ground; gathered at the first need.
    hiders: Gathered,
    others: Gathered,
    near: Near,
    /// Scratch: parts.
    alive: Parts,
    taken: Parts,
    sides: [Parts; 2],
}

/// Facets about ground with what they may be to it.
#[derive(Debug, Default)]
struct Gathered {
    is_known: bool,
    all: Vec<(Entry, Parties)>,
}

/// Facets near a line on ground by what they may be to it.
#[derive(Debug, Default)]
struct Near {
    steps: Vec<u32>,
    roofs: Vec<u32>,
    /// Is only the part of the ground that is asked for looked at?
    is_within: bool,
    /// Are the others known, too?
    has_others: bool,
    low: Vec<u32>,
    lids: Vec<u32>,
}

impl Near {
    fn clear(&mut self, is_within: bool) {
        self.is_within = is_within;
        self.has_others = false;
        self.steps.clear();
        self.roofs.clear();
        self.low.clear();
        self.lids.clear();
    }

    fn add(&mut self, i: u32, parties: Parties) {
        let lists = [
            (STEP, &mut self.steps),
            (LOW, &mut self.low),
            (LID, &mut self.lids),
            (ROOF, &mut self.roofs),
        ];
        for (party, list) in lists {
            if parties & party != 0 {
                list.push(i);
            }
        }
    }

    fn is_free(&self) -> bool {
        self.steps.is_empty() && self.roofs.is_empty()
    }
}

/// What hides.
const HIDERS: Parties = STEP | ROOF;
/// What decides on other ground.
const OTHERS: Parties = LOW | LID;

impl<'a> Cover<'a> {
    pub(crate) fn new(facets: &'a Facets, measures: &'a Measures) -> Cover<'a> {
        Cover {
            facets,
            measures,
            ground: 0,
            around: vec![],
            within: [0.0; 4],
            beside: [0.0; 3],
            hiders: Gathered::default(),
            others: Gathered::default(),
            near: Near::default(),
            alive: vec![],
            taken: vec![],
            sides: [vec![], vec![]],
        }
    }

    /// Turns to a ground facet: collects what lies about it in a box. [`Cover::hides`] is about the part `within` of it, and `margin` beside.
    pub(crate) fn turn_to(&mut self, ground: u32, grown: [f64; 4], within: [f64; 4], margin: f64) {
        let facet = &self.facets.all[ground as usize];
        self.ground = ground;
        self.within = within;
        self.beside = facet.grown(margin);
        self.hiders.is_known = false;
        self.others.is_known = false;
        let (low, high) = reach(self.measures, facet.low, facet.high);
        self.facets.collect(grown, low, high, &mut self.around);
    }

    /// What lies about the ground.
    pub(crate) fn around(&self) -> &[Entry] {
        &self.around
    }

    /// Adds the parts of a line on the ground where nobody stands on it on either side, `aside` away.
    pub(crate) fn hides(&mut self, line: [V2; 2], on: (f64, f64), aside: V2, out: &mut Parts) {
        let ground = &self.facets.all[self.ground as usize];
        self.near.clear(true);
        self.find(ground, line, HIDERS);
        if self.near.is_free() {
            return;
        }
        // Well within a step above, both sides are on it.
        self.steps(ground, line, on, -1.0, out);
        let beside = [1.0, -1.0].map(|sign| line.map(|p| [0, 1].map(|k| p[k] + sign * aside[k])));
        let mut inside = [None; 2];
        let mut sides = std::mem::take(&mut self.sides);
        let mut open = false;
        for k in 0..2 {
            let [a, b] = beside[k];
            inside[k] = ground.cut(a, b, on.0, on.1, &[0.0; 3]);
            sides[k].clear();
            self.steps(ground, beside[k], on, 0.0, &mut sides[k]);
            if let Some(on) = inside[k] {
                self.lidded(&self.near.roofs, ground, beside[k], on, &mut sides[k]);
            }
            open = sides[k].is_empty() && inside[k] == Some(on);
            if open {
                break;
            }
        }
        if !open {
            for k in 0..2 {
                // Beyond its edges, the head room above other ground may be another one.
                let (begin, end) = inside[k].unwrap_or((on.1, on.1));
                for outside in [(on.0, begin), (end, on.1)] {
                    if outside.0 < outside.1 {
                        self.deserted(ground, beside[k], outside, &mut sides[k]);
                    }
                }
            }
            // What the second side leaves of the first is not hidden.
            let [first, second] = &mut sides;
            for &(u0, u1) in first.iter() {
                self.taken.clear();
                without(u0, u1, second, |v0, v1| self.taken.push((v0, v1)));
                without(u0, u1, &mut self.taken, |v0, v1| out.push((v0, v1)));
            }
        }
        self.sides = sides;
    }

    /// Adds the parts of a line on the ground where nobody stands on it: a step above there is other ground, or the head room is taken.
    pub(crate) fn hides_at(&mut self, line: [V2; 2], on: (f64, f64), out: &mut Parts) {
        let ground = &self.facets.all[self.ground as usize];
        self.near.clear(false);
        self.find(ground, line, HIDERS);
        if self.near.is_free() {
            return;
        }
        self.steps(ground, line, on, 0.0, out);
        self.lidded(&self.near.roofs, ground, line, on, out);
    }

    /// Of what lies about the ground, gathers what may be something to the part of it that is asked for.
    fn gather(&mut self, wanted: Parties) {
        let (facets, measures) = (self.facets, self.measures);
        let facet = &facets.all[self.ground as usize];
        let to = if wanted == HIDERS {
            &mut self.hiders
        } else {
            &mut self.others
        };
        to.is_known = true;
        to.all.clear();
        let (low, high) = heights_of(measures, wanted, facet.low, facet.high);
        for item in facets.among(&self.around, self.within, low, high) {
            let other = &facets.all[item.index() as usize];
            if item.index() == self.ground || other.upright {
                continue;
            }
            let parties = parties(measures, facet, other) & wanted;
            if parties != 0 && !facet.excludes(other, &self.beside) {
                to.all.push((*item, parties));
            }
        }
    }

    /// Looks up what is near a line on the ground.
    fn find(&mut self, ground: &Facet, line: [V2; 2], wanted: Parties) {
        let (facets, measures, index) = (self.facets, self.measures, self.ground);
        let is_crowded = self.around.len() > FEW;
        let is_known = if wanted == HIDERS {
            self.hiders.is_known
        } else {
            self.others.is_known
        };
        if self.near.is_within && !is_crowded && !is_known {
            self.gather(wanted);
        }
        let (least, most) = heights(ground, line);
        let (low, high) = heights_of(measures, wanted, least, most);
        let bounds = facets.wanted(around(line), low, high);
        let near = &mut self.near;
        if near.is_within && !is_crowded {
            let gathered = if wanted == HIDERS {
                &self.hiders
            } else {
                &self.others
            };
            for (item, parties) in gathered.all.iter().filter(|a| a.0.meets(&bounds)) {
                near.add(item.index(), *parties);
            }
            return;
        }
        let mut judge = |item: &Entry| {
            let other = &facets.all[item.index() as usize];
            if item.index() != index && !other.upright {
                near.add(item.index(), parties(measures, ground, other) & wanted);
            }
        };
        if is_crowded {
            facets.near(&bounds, judge);
        } else {
            let all = self.around.iter().filter(|item| item.meets(&bounds));
            all.for_each(&mut judge);
        }
    }

    /// Looks up what decides on other ground near a line.
    fn find_others(&mut self, ground: &Facet, line: [V2; 2]) {
        if !self.near.has_others {
            self.near.has_others = true;
            self.find(ground, line, OTHERS);
        }
    }

    /// Adds the parts of a line beside ground where nobody stands at the same height or up to a step below.
    fn deserted(&mut self, ground: &Facet, line: [V2; 2], on: (f64, f64), out: &mut Parts) {
        let mut alive = std::mem::take(&mut self.alive);
        alive.clear();
        let least = -self.measures.climb - TOUCH;
        self.find_others(ground, line);
        for k in 0..self.near.low.len() {
            let other = &self.facets.all[self.near.low[k] as usize];
            self.stood_on(other, ground, line, on, [least, TOUCH], 0.0, &mut alive);
        }
        without(on.0, on.1, &mut alive, |v0, v1| out.push((v0, v1)));
        self.alive = alive;
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
            self.find_others(ground, [a, b]);
            let mut taken = std::mem::take(&mut self.taken);
            taken.clear();
            self.lidded(&self.near.lids, other, [a, b], (w0, w1), &mut taken);
            without(w0, w1, &mut taken, |v0, v1| out.push((v0, v1)));
            self.taken = taken;
        }
    }

    /// Adds the parts of a line where one of the lids lies between knee and head above the plane of `ground`.
    fn lidded(
        &self,
        lids: &[u32],
        ground: &Facet,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        out: &mut Parts,
    ) {
        let Measures { climb, height, .. } = *self.measures;
        let (knee, head) = (climb + TOUCH, height - TOUCH);
        let (ya, yb) = (ground.at(a), ground.at(b));
        for &i in lids {
            let lid = &self.facets.all[i as usize];
            let (w0, w1) = between(lid.at(a) - ya, lid.at(b) - yb, knee, head, t0, t1);
            if w1 > w0 {
                out.extend(lid.cut(a, b, w0, w1, &[0.0; 3]));
            }
        }
    }
}

/// Heights of what may hide ground from `least` to `most`, or of the others.
fn heights_of(measures: &Measures, wanted: Parties, least: f64, most: f64) -> (f64, f64) {
    if wanted == HIDERS {
        (least - 2.0, most + measures.height.max(measures.climb) + 2.0)
    } else {
        reach(measures, least - 2.0, most + 2.0)
    }
}

/// The box of a line with a little around it: the lines beside it lie in it as well.
fn around([a, b]: [V2; 2]) -> [f64; 4] {
    [
        a[0].min(b[0]) - AROUND,
        a[1].min(b[1]) - AROUND,
        a[0].max(b[0]) + AROUND,
        a[1].max(b[1]) + AROUND,
    ]
}

/// Least and greatest height of ground along a line.
fn heights(ground: &Facet, [a, b]: [V2; 2]) -> (f64, f64) {
    (
        ground.at(a).min(ground.at(b)).max(ground.low),
        ground.at(a).max(ground.at(b)).min(ground.high),
    )
}

/// Heights of what can matter to an agent on ground from `low` to `high`.
fn reach(measures: &Measures, low: f64, high: f64) -> (f64, f64) {
    (low - measures.climb, high + measures.climb + measures.height)
}

/// The part of `from..to` (between 0 and 1) where the linear function with `f0` at 0 and `f1` at 1 lies from `low` to `high`; empty when it ends before it begins.
pub(crate) fn between(f0: f64, f1: f64, low: f64, high: f64, from: f64, to: f64) -> (f64, f64) {
    if (f0 < low && f1 < low) || (f0 > high && f1 > high) {
        return (1.0, 0.0);
    }
    let slope = f1 - f0;
    if slope.abs() < 1e-9 {
        return if f0 >= low && f0 <= high {
            (from, to)
        } else {
            (1.0, 0.0)
        };
    }
    let (p, q) = ((low - f0) / slope, (high - f0) / slope);
    (p.min(q).max(from), p.max(q).min(to))
}

/// Calls `f` for what is left of `from..to` without the holes.
pub(crate) fn without(from: f64, to: f64, holes: &mut Parts, mut f: impl FnMut(f64, f64)) {
    holes.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    let mut at = from;
    for &(begin, end) in holes.iter() {
        if begin >= to {
            break;
        }
        if begin > at {
            f(at, begin);
        }
        at = at.max(end);
    }
    if at < to {
        f(at, to);
    }
}
