//! Occlusion of lines on a ground triangle: places where no agent can be on this ground.
//!
//! Walls, edges and ledges give many lines, and most bound nothing that an agent can use. A part of
//! a line on ground G is *hidden* if the agent cannot be on G on either side of it, because
//!
//! - other ground is up to a step above: the agent is on that one instead; or
//! - a surface is between knee and head above G: there is no head room.
//!
//! ```text
//!    ======== roof           ------- step    G + climb to G + height: no head room
//!                                            up to G + climb: the agent is on the step
//!  __________________________________ G
//!     hidden          free   hidden
//! ```
//!
//! Both are linear along a line: plane minus plane is a linear function, and its part between two
//! limits is an interval. So a line is processed as intervals of its parameter, without sampling. A
//! line on ground that continues on other ground, beyond an edge of G, is hidden where there is no
//! ground at all within a step, or only ground without head room.
//!
//! Most lines are decided by two kinds of triangles, those up to a step above and those that limit
//! the head room ([`candidates`]). Only otherwise is everything else near the line searched.

mod candidates;

use super::input::{Triangle, Triangles, UPRIGHT};
use super::math::{V2, length, lerp, max, min};
use super::measures::Measures;
use super::segments::cache::CRUMB;
use super::segments::intervals::{Intervals, between, both, hull, is_all, is_in, overlap, without};
use candidates::{AROUND, Candidates, LID, LOW, STEP, may_be_lid, may_be_step};
pub(crate) use candidates::{ROOF, TOUCH};
use navbake_geom::BoxBins;
use navbake_geom::PackedBox;

/// If more surfaces than these are around a ground triangle, they are searched for each line.
const FEW: usize = 1024;

/// The surfaces that may hide a ground triangle.
///
/// Most lines are free, as other ground up to a step above and surfaces that limit the head room
/// show; everything else near a line is searched only if needed.
#[derive(Debug)]
pub(crate) struct Occlusion<'a> {
    triangles: &'a Triangles,
    measures: &'a Measures,
    /// The ground triangle, and what may be a step above it or limit its head room.
    ground: u32,
    all: BoxBins,
    /// The candidates near a line, that line, and whether lower ground and lids were searched.
    near: Candidates,
    line: [V2; 2],
    is_known: bool,
    /// Scratch: parts.
    alive: Intervals,
    taken: Intervals,
    sides: [Intervals; 2],
    roofed: [Intervals; 2],
}

impl<'a> Occlusion<'a> {
    pub(crate) fn new(triangles: &'a Triangles, measures: &'a Measures) -> Occlusion<'a> {
        Occlusion {
            triangles,
            measures,
            ground: 0,
            all: BoxBins::default(),
            near: Candidates::default(),
            line: [[0.0; 2]; 2],
            is_known: false,
            alive: vec![],
            taken: vec![],
            sides: [vec![], vec![]],
            roofed: [vec![], vec![]],
        }
    }

    /// Collects what may hide a ground triangle in an area; `roofs` may limit its head room.
    pub(crate) fn gather(&mut self, ground: u32, area: [f64; 4], roofs: &[u32]) {
        self.ground = ground;
        let (triangles, measures) = (self.triangles, self.measures);
        let triangle = &triangles.all[ground as usize];
        let [x0, y0, x1, y1] = triangle.bounds;
        let within = [
            max(x0 - AROUND, area[0]),
            max(y0 - AROUND, area[1]),
            min(x1 + AROUND, area[2]),
            min(y1 + AROUND, area[3]),
        ];
        let high = triangle.high + measures.climb + 1.0;
        let wanted = triangles.wanted(within, triangle.low, high);
        let surfaces = &mut self.all;
        surfaces.empty(&wanted);
        roofs.iter().for_each(|&roof| surfaces.take(triangles.packed(roof, ROOF)));
        triangles.ground_near(&wanted, |item| {
            let other = &triangles.all[item.index() as usize];
            if item.index() != ground
                && may_be_step(measures, triangle, other)
                && !triangle.is_clear_of(other, AROUND)
            {
                surfaces.take(item.marked(STEP));
            }
        });
    }

    /// Adds the parts of a line where no agent can be on the collected ground on either side,
    /// `aside` away.
    pub(crate) fn hides(&mut self, line: [V2; 2], on: (f64, f64), aside: V2, out: &mut Intervals) {
        let ground = &self.triangles.all[self.ground as usize];
        let ends = [on.0, on.1].map(|t| lerp(line[0], line[1], t));
        if !self.focus(ground, ends) {
            return;
        }
        let long = length([line[1][0] - line[0][0], line[1][1] - line[0][1]]);
        let crumb = CRUMB / max(long, 1e-9);
        let on = within(ground, line, on, crumb);
        let beside = [1.0, -1.0].map(|sign| line.map(|p| [0, 1].map(|k| p[k] + sign * aside[k])));
        let inside = beside.map(|[a, b]| ground.cut(a, b, on.0, on.1, &[0.0; 3]));
        if self.settles(ground, beside, inside, on, 0.1 * crumb, out) {
            return;
        }
        // Well within a step above, both sides are on it.
        self.steps(ground, line, on, -1.0, out);
        // The side with more of this ground is hidden less; without it, the order does not matter.
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
            // A part is hidden if it is hidden on both sides.
            both(first, second, &mut self.taken, out);
        }
        self.sides = sides;
    }

    /// Adds the parts of a line without head room on both sides, as far as these are on the ground.
    /// Gives true if that is all, as for most lines: nearly everything is hidden, or one side is
    /// free.
    fn settles(
        &mut self,
        ground: &Triangle,
        beside: [[V2; 2]; 2],
        inside: [Option<(f64, f64)>; 2],
        on: (f64, f64),
        least: f64,
        out: &mut Intervals,
    ) -> bool {
        let mut roofed = std::mem::take(&mut self.roofed);
        for ((roofed, line), inside) in roofed.iter_mut().zip(beside).zip(inside) {
            roofed.clear();
            if let Some(on) = inside {
                self.add_lidded(&self.near.roofs, ground, line, on, roofed);
            }
        }
        let [first, second] = &mut roofed;
        both(first, second, &mut self.taken, out);
        let is_free = |k: usize, roofed: &Intervals| {
            roofed.is_empty() && inside[k] == Some(on) && !self.is_on_step(ground, beside[k], on)
        };
        let is_settled = is_all(out, on, least) || is_free(0, first) || is_free(1, second);
        self.roofed = roofed;
        is_settled
    }

    /// Adds the parts of a line beside another where no agent can be on the ground, but for those
    /// without head room inside the ground. `inside` is the part inside.
    fn beside(
        &mut self,
        ground: &Triangle,
        line: [V2; 2],
        on: (f64, f64),
        inside: Option<(f64, f64)>,
        out: &mut Intervals,
    ) {
        self.steps(ground, line, on, 0.0, out);
        // Beyond its edges, the head room above other ground may be another one.
        let (begin, end) = inside.unwrap_or((on.1, on.1));
        for outside in [(on.0, begin), (end, on.1)] {
            if outside.0 < outside.1 {
                self.add_without_ground(ground, line, outside, out);
            }
        }
    }

    /// Adds the parts of a line where no agent can be on this ground: other ground is a step above,
    /// or there is no head room. `steps` and `roofs` are the candidates.
    pub(crate) fn hides_at(
        &mut self,
        ground: u32,
        line: [V2; 2],
        on: (f64, f64),
        steps: &[u32],
        roofs: &[u32],
        out: &mut Intervals,
    ) {
        let (triangles, measures) = (self.triangles, self.measures);
        let triangle = &triangles.all[ground as usize];
        self.ground = ground;
        self.line = [on.0, on.1].map(|t| lerp(line[0], line[1], t));
        self.is_known = false;
        let (wanted, heights) = about(triangles, measures, triangle, self.line);
        let near = &mut self.near;
        near.clear();
        for &i in steps {
            near.add(measures, i, &triangles.all[i as usize], STEP, heights);
        }
        for &i in roofs {
            if triangles.packed(i, ROOF).meets(&wanted) {
                near.add(measures, i, &triangles.all[i as usize], ROOF, heights);
            }
        }
        self.steps(triangle, line, on, 0.0, out);
        self.add_lidded(&self.near.roofs, triangle, line, on, out);
    }

    /// Finds the candidates near a line on the collected ground. Gives false if there are none.
    fn focus(&mut self, ground: &Triangle, line: [V2; 2]) -> bool {
        (self.line, self.is_known) = (line, false);
        let (triangles, measures) = (self.triangles, self.measures);
        let (wanted, on) = about(triangles, measures, ground, line);
        let near = &mut self.near;
        near.clear();
        if self.all.len() > FEW {
            let index = self.ground;
            triangles.near(&wanted, |item| {
                if item.index() != index && item.mark() != UPRIGHT {
                    let other = &triangles.all[item.index() as usize];
                    let step = if other.ground { STEP } else { 0 };
                    near.add(measures, item.index(), other, ROOF | step, on);
                }
            });
        } else {
            self.all.near(&wanted, |item| {
                let other = &triangles.all[item.index() as usize];
                near.add(measures, item.index(), other, item.mark(), on);
            });
        }
        !near.steps.is_empty() || !near.roofs.is_empty()
    }

    /// Finds what else is near the line: lower ground, and surfaces that limit the head room there.
    fn look_around(&mut self, ground: &Triangle) {
        if std::mem::replace(&mut self.is_known, true) {
            return;
        }
        let (triangles, measures) = (self.triangles, self.measures);
        let (wanted, on) = about(triangles, measures, ground, self.line);
        let (near, index) = (&mut self.near, self.ground);
        triangles.near(&wanted, |item| {
            if item.index() != index && item.mark() != UPRIGHT {
                let other = &triangles.all[item.index() as usize];
                let low = if other.ground { LOW } else { 0 };
                let lid = if may_be_lid(measures, ground, other) { LID } else { 0 };
                near.add(measures, item.index(), other, lid | low, on);
            }
        });
    }

    /// Adds the parts of a line beside ground without other ground at the same height or up to a
    /// step below.
    fn add_without_ground(
        &mut self,
        ground: &Triangle,
        line: [V2; 2],
        on: (f64, f64),
        out: &mut Intervals,
    ) {
        self.look_around(ground);
        let mut alive = std::mem::take(&mut self.alive);
        alive.clear();
        let least = -self.measures.climb - TOUCH;
        for k in 0..self.near.low.len() {
            let other = &self.triangles.all[self.near.low[k] as usize];
            self.add_other_ground(other, ground, line, on, [least, TOUCH], 0.0, &mut alive);
        }
        without(on.0, on.1, &mut alive, |v0, v1| out.push((v0, v1)));
        self.alive = alive;
    }

    /// Is a part of a line on other ground a step above, with or without head room?
    fn is_on_step(&self, ground: &Triangle, [a, b]: [V2; 2], (t0, t1): (f64, f64)) -> bool {
        let most = self.measures.climb + TOUCH;
        self.near.steps.iter().any(|&k| {
            let other = &self.triangles.all[k as usize];
            let rise = |p: V2| other.at(p) - ground.at(p);
            let (w0, w1) = between(rise(a), rise(b), TOUCH, most, t0, t1);
            w1 > w0 && other.cut(a, b, w0, w1, &[0.0; 3]).is_some()
        })
    }

    /// Adds the parts of a line where an agent is on other ground, grown by `margin`, a step above.
    fn steps(
        &mut self,
        ground: &Triangle,
        line: [V2; 2],
        on: (f64, f64),
        margin: f64,
        out: &mut Intervals,
    ) {
        let most = self.measures.climb + TOUCH;
        for k in 0..self.near.steps.len() {
            let other = &self.triangles.all[self.near.steps[k] as usize];
            self.add_other_ground(other, ground, line, on, [TOUCH, most], margin, out);
        }
    }

    /// Adds the parts of a line where an agent is on other ground, grown by `margin`, between `low`
    /// and `high` above this one.
    #[allow(clippy::too_many_arguments)]
    fn add_other_ground(
        &mut self,
        other: &Triangle,
        ground: &Triangle,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        [low, high]: [f64; 2],
        margin: f64,
        out: &mut Intervals,
    ) {
        let rise = |p: V2| other.at(p) - ground.at(p);
        let (w0, w1) = between(rise(a), rise(b), low, high, t0, t1);
        if w1 <= w0 {
            return;
        }
        let grown = if margin == 0.0 { [0.0; 3] } else { other.grown(margin) };
        if let Some((w0, w1)) = other.cut(a, b, w0, w1, &grown) {
            // Ground mostly goes on in several triangles.
            if is_in(out, (w0, w1)) {
                return;
            }
            self.look_around(ground);
            let mut taken = std::mem::take(&mut self.taken);
            taken.clear();
            self.add_lidded(&self.near.lids, other, [a, b], (w0, w1), &mut taken);
            without(w0, w1, &mut taken, |v0, v1| out.push((v0, v1)));
            self.taken = taken;
        }
    }

    /// Adds the parts of a line where a lid is between knee and head above the plane of `ground`.
    fn add_lidded(
        &self,
        lids: &[u32],
        ground: &Triangle,
        [a, b]: [V2; 2],
        (t0, t1): (f64, f64),
        out: &mut Intervals,
    ) {
        let Measures { climb, height, .. } = *self.measures;
        let (knee, head) = (climb + TOUCH, height - TOUCH);
        let (ya, yb) = (ground.at(a), ground.at(b));
        for &i in lids {
            let lid = &self.triangles.all[i as usize];
            let (w0, w1) = between(lid.at(a) - ya, lid.at(b) - yb, knee, head, t0, t1);
            if w1 > w0 && !is_in(out, (w0, w1)) {
                out.extend(lid.cut(a, b, w0, w1, &[0.0; 3]));
            }
        }
    }
}

/// The part of a line to test: if hardly more than a crumb is beyond the ground's edges, that is
/// left out, as the surfaces next to the ground there decide nothing.
fn within(ground: &Triangle, [a, b]: [V2; 2], on: (f64, f64), crumb: f64) -> (f64, f64) {
    let Some((t0, t1)) = ground.cut(a, b, on.0, on.1, &[0.0; 3]) else {
        return on;
    };
    let inwards = |far: f64| {
        if far < 0.5 * crumb { far + 0.4 * crumb } else { 0.0 }
    };
    let (from, to) = (on.0 + inwards(t0 - on.0), on.1 - inwards(on.1 - t1));
    if from < to { (from, to) } else { on }
}

/// The box to search for triangles near a line on ground, and the ground's heights along it.
fn about(
    triangles: &Triangles,
    measures: &Measures,
    ground: &Triangle,
    line: [V2; 2],
) -> (PackedBox, (f64, f64)) {
    let on = heights(ground, line);
    let (low, high) = reach(measures, on.0 - 2.0, on.1 + 2.0);
    (triangles.wanted(around(line), low, high), on)
}

/// The box of a line with a little around it.
fn around([a, b]: [V2; 2]) -> [f64; 4] {
    [min(a[0], b[0]) - 2.0, min(a[1], b[1]) - 2.0, max(a[0], b[0]) + 2.0, max(a[1], b[1]) + 2.0]
}

/// Least and greatest height of ground along a line.
fn heights(ground: &Triangle, [a, b]: [V2; 2]) -> (f64, f64) {
    let (p, q) = (ground.at(a), ground.at(b));
    (max(min(p, q), ground.low), min(max(p, q), ground.high))
}

/// Heights that can matter to an agent on ground from `low` to `high`.
pub(crate) fn reach(measures: &Measures, low: f64, high: f64) -> (f64, f64) {
    (low - measures.climb, high + measures.climb + measures.height)
}
