//! What hides parts of a ground triangle: other ground a step above it, and what takes the head room.

use super::Measures;
use super::facet::{Facet, Facets, V2, meet};

/// A surface has to differ by this much from a limit to be on one side of it.
pub(crate) const TOUCH: f64 = 0.5;

/// Parts of a segment, as parameters along it.
pub(crate) type Parts = Vec<(f64, f64)>;

/// Other facets about a ground triangle, or about a line on it.
#[derive(Debug, Default)]
struct About {
    /// Ground that may lie a step above.
    steps: Vec<u32>,
    /// Ground at most a step below.
    low: Vec<u32>,
    /// What may take the head room, here or on those.
    lids: Vec<u32>,
    /// What may take it here.
    roofs: Vec<u32>,
}

impl About {
    fn add(&mut self, measures: &Measures, ground: &Facet, i: u32, other: &Facet) {
        let Measures { climb, height, .. } = *measures;
        if other.upright || other.high < ground.low - climb - TOUCH {
            return;
        }
        if other.ground && other.low <= ground.high + climb {
            if other.high > ground.low + TOUCH {
                self.steps.push(i);
            }
            if other.low <= ground.high + TOUCH {
                self.low.push(i);
            }
        }
        if other.high > ground.low && other.low < ground.high + climb + height {
            self.lids.push(i);
        }
    }

    fn clear(&mut self) {
        self.steps.clear();
        self.low.clear();
        self.lids.clear();
    }
}

/// More surfaces than these above a ground triangle are looked up by place for each line on it.
const FEW: usize = 64;

/// The surfaces that may hide a ground triangle.
#[derive(Debug)]
pub(crate) struct Cover<'a> {
    facets: &'a Facets,
    measures: &'a Measures,
    all: About,
    /// Scratch: what is near a line; parts.
    near: About,
    found: About,
    taken: Parts,
    sides: [Parts; 2],
}

impl<'a> Cover<'a> {
    pub(crate) fn new(facets: &'a Facets, measures: &'a Measures) -> Cover<'a> {
        Cover {
            facets,
            measures,
            all: About::default(),
            near: About::default(),
            found: About::default(),
            taken: vec![],
            sides: [vec![], vec![]],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }

    /// Takes in a facet that meets ground, seen from above.
    pub(crate) fn add(&mut self, ground: &Facet, i: u32, other: &Facet) {
        self.all.add(self.measures, ground, i, other);
    }

    /// Adds the parts of a line on ground where nobody stands on this ground on either side, `aside` away.
    pub(crate) fn hides(
        &mut self,
        ground: &Facet,
        line: [V2; 2],
        on: (f64, f64),
        aside: V2,
        out: &mut Parts,
    ) {
        self.focus(ground, line);
        if self.near.steps.is_empty() && self.near.roofs.is_empty() {
            return;
        }
        // Well within a step above, both sides are on it.
        self.steps(ground, line, on, -1.0, out);
        let beside = [1.0, -1.0].map(|sign| line.map(|p| [0, 1].map(|k| p[k] + sign * aside[k])));
        let inside = beside.map(|l| ground.cut(l[0], l[1], on.0, on.1, &[0.0; 3]));
        let mut sides = std::mem::take(&mut self.sides);
        let mut open = false;
        for k in 0..2 {
            sides[k].clear();
            self.steps(ground, beside[k], on, 0.0, &mut sides[k]);
            if let Some(on) = inside[k] {
                self.roofs(ground, beside[k], on, &mut sides[k]);
            }
            open |= sides[k].is_empty() && inside[k] == Some(on);
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

    /// Adds the parts of a line on ground where nobody stands on this ground: a step above there is other ground, or the head room is taken.
    pub(crate) fn hides_at(
        &mut self,
        ground: &Facet,
        line: [V2; 2],
        on: (f64, f64),
        out: &mut Parts,
    ) {
        self.focus(ground, line);
        self.steps(ground, line, on, 0.0, out);
        self.roofs(ground, line, on, out);
    }

    /// Looks up what is near a line on ground.
    fn focus(&mut self, ground: &Facet, [a, b]: [V2; 2]) {
        let around = [
            a[0].min(b[0]) - 2.0,
            a[1].min(b[1]) - 2.0,
            a[0].max(b[0]) + 2.0,
            a[1].max(b[1]) + 2.0,
        ];
        let least = ground.at(a).min(ground.at(b)).max(ground.low);
        let most = ground.at(a).max(ground.at(b)).min(ground.high);
        let Measures { climb, height, .. } = *self.measures;
        let facets = &self.facets.all;
        let pick = |from: &[u32], to: &mut Vec<u32>, low: f64, high: f64| {
            to.clear();
            to.extend(from.iter().filter(|&&i| {
                let f = &facets[i as usize];
                f.high >= low && f.low <= high && meet(f.bounds, around)
            }));
        };
        let all = if self.all.steps.len() + self.all.low.len() + self.all.lids.len() > FEW {
            let (found, measures) = (&mut self.found, self.measures);
            found.clear();
            let (low, high) = (least - climb - 2.0, most + climb + height + 2.0);
            self.facets.near(around, low, high, |item| {
                let other = &facets[item.facet as usize];
                if !std::ptr::eq(other, ground) {
                    found.add(measures, ground, item.facet, other);
                }
            });
            &self.found
        } else {
            &self.all
        };
        let near = &mut self.near;
        pick(&all.steps, &mut near.steps, least, most + climb + 2.0);
        pick(
            &all.lids,
            &mut near.lids,
            least,
            most + climb + height + 2.0,
        );
        pick(&near.lids, &mut near.roofs, least + climb, most + height);
        pick(&all.low, &mut near.low, least - climb - 2.0, most + 2.0);
    }

    /// Adds the parts of a line beside ground where nobody stands at the same height or up to a step below.
    fn deserted(&self, ground: &Facet, [a, b]: [V2; 2], (t0, t1): (f64, f64), out: &mut Parts) {
        let mut alive: Parts = vec![];
        let mut taken: Parts = vec![];
        let mut lids = Lids::default();
        for &i in &self.near.low {
            let other = &self.facets.all[i as usize];
            let Some((u0, u1)) = other.cut(a, b, t0, t1, &[0.0; 3]) else {
                continue;
            };
            let rise = |p: V2| other.at(p) - ground.at(p);
            let least = -self.measures.climb - TOUCH;
            let (w0, w1) = between(rise(a), rise(b), least, TOUCH, u0, u1);
            if w1 > w0 {
                taken.clear();
                lids.find(self.facets, &self.near.lids, [a, b], (t0, t1));
                lids.over(self.measures, other, [a, b], (w0, w1), &mut taken);
                without(w0, w1, &mut taken, |v0, v1| alive.push((v0, v1)));
            }
        }
        without(t0, t1, &mut alive, |v0, v1| out.push((v0, v1)));
    }

    fn roofs(&self, ground: &Facet, line: [V2; 2], on: (f64, f64), out: &mut Parts) {
        let mut lids = Lids::default();
        lids.find(self.facets, &self.near.roofs, line, on);
        lids.over(self.measures, ground, line, on, out);
    }

    /// Adds the parts of a line where an agent stands on other ground, grown by `margin`, a step above.
    fn steps(
        &mut self,
        ground: &Facet,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        margin: f64,
        out: &mut Parts,
    ) {
        let most = self.measures.climb + TOUCH;
        let mut lids = Lids::default();
        for &i in &self.near.steps {
            let other = &self.facets.all[i as usize];
            let Some((u0, u1)) = other.cut(a, b, t0, t1, &other.grown(margin)) else {
                continue;
            };
            let rise = |p: V2| other.at(p) - ground.at(p);
            let (w0, w1) = between(rise(a), rise(b), TOUCH, most, u0, u1);
            if w1 > w0 {
                let taken = &mut self.taken;
                taken.clear();
                lids.find(self.facets, &self.near.lids, [a, b], (t0, t1));
                lids.over(self.measures, other, [a, b], (w0, w1), taken);
                without(w0, w1, taken, |v0, v1| out.push((v0, v1)));
            }
        }
    }
}

/// What lies over or under a line, found at the first need.
#[derive(Default)]
struct Lids {
    found: bool,
    /// Begin and end along the line, and the heights of the plane at its two ends.
    all: Vec<[f64; 4]>,
}

impl Lids {
    fn find(&mut self, facets: &Facets, lids: &[u32], [a, b]: [V2; 2], (t0, t1): (f64, f64)) {
        if self.found {
            return;
        }
        self.found = true;
        for &i in lids {
            let lid = &facets.all[i as usize];
            if let Some((u0, u1)) = lid.cut(a, b, t0, t1, &[0.0; 3]) {
                self.all.push([u0, u1, lid.at(a), lid.at(b)]);
            }
        }
    }

    /// Adds the parts of the line where one of them lies between knee and head above the plane of `ground`.
    fn over(
        &self,
        measures: &Measures,
        ground: &Facet,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        out: &mut Parts,
    ) {
        let (knee, head) = (measures.climb + TOUCH, measures.height - TOUCH);
        let (ya, yb) = (ground.at(a), ground.at(b));
        for &[u0, u1, la, lb] in &self.all {
            let (u0, u1) = (u0.max(t0), u1.min(t1));
            if u0 < u1 {
                let (w0, w1) = between(la - ya, lb - yb, knee, head, u0, u1);
                if w1 > w0 {
                    out.push((w0, w1));
                }
            }
        }
    }
}

/// The part of `from..to` where the linear function with `f0` at 0 and `f1` at 1 lies from `low` to `high`; empty when it ends before it begins.
pub(crate) fn between(f0: f64, f1: f64, low: f64, high: f64, from: f64, to: f64) -> (f64, f64) {
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
