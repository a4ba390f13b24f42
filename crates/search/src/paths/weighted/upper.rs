//! The upper bound: the best crossings of a path through given portals.
//!
//! Through given portals the cost of a path is a convex function of its crossings, each a number
//! between 0 and 1. Newton's method with bounds lowers it (Bertsekas, Projected Newton methods for
//! optimization problems with simple constraints, 1982). Crossings that would leave their portal
//! are held at its end. The others solve a system of equations in which each crossing depends only
//! on its two neighbours. At corners, where crossings coincide, lengths have no derivative; they
//! are rounded off first, less and less.
//!
//! ```text
//!    start o                             o goal
//!           \      |          |         /
//!            `--. t0 ------- t1 ------'      each t is 0 to 1
//!                  |          |
//!               portal 0   portal 1
//! ```

use super::super::nodes::Step;
use crate::costs::Slopes;
use navbake_navmesh::math::{length, sqrt};

/// A crossing of a portal, or a link.
///
/// Places are relative to the start, in grid units.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crossing {
    pub(super) step: Step,
    /// The first end of the portal, and the vector to the other one.
    ///
    /// For a link its begin, and zero.
    pub(super) at: [f64; 2],
    pub(super) along: [f64; 2],
    /// The vector from the begin of a link to its end.
    pub(super) hop: [f64; 2],
    /// The height at the begin of the portal, and the rise along it.
    ///
    /// For a link: the height of its begin, and `lift`, the rise from there to its end.
    pub(super) height: f64,
    pub(super) rise: f64,
    pub(super) lift: f64,
    pub(super) toll: f64,
    /// The cost of a unit of the ground before it.
    pub(super) weight: f64,
    /// The piece that found it.
    pub(super) piece: u32,
    /// The place of the crossing, from 0 to 1.
    pub(super) t: f64,
    pub(super) slope: f64,
    /// The second derivatives: the diagonal of the matrix, and the entry beside it.
    ///
    /// That entry depends on the next crossing.
    pub(super) diagonal: f64,
    pub(super) beside: f64,
    pub(super) change: f64,
    /// The place of the crossing before the last step.
    pub(super) old: f64,
}

impl Crossing {
    /// No crossing of any path.
    pub(super) const NONE: Crossing = Crossing {
        step: Step::NONE,
        at: [0.0; 2],
        along: [0.0; 2],
        hop: [0.0; 2],
        height: 0.0,
        rise: 0.0,
        lift: 0.0,
        toll: 0.0,
        weight: 0.0,
        piece: 0,
        t: 0.0,
        slope: 0.0,
        diagonal: 0.0,
        beside: 0.0,
        change: 0.0,
        old: 0.0,
    };

    /// The place of arrival.
    pub(super) fn point(&self) -> [f64; 2] {
        [0, 1].map(|k| self.at[k] + self.t * self.along[k])
    }

    fn exit(&self) -> [f64; 2] {
        let p = self.point();
        [p[0] + self.hop[0], p[1] + self.hop[1]]
    }

    /// The height of arrival.
    pub(super) fn up(&self) -> f64 {
        self.height + self.t * self.rise
    }
}

/// A course from the start, at zero, through crossings to the goal.
///
/// At the goal the ground costs `weight` a unit.
pub(super) struct Course<'c> {
    pub(super) crossings: &'c mut [Crossing],
    pub(super) goal: [f64; 2],
    /// The height of the goal; the start's is zero.
    pub(super) height: f64,
    /// The polygon of the goal, and the cost of a unit of its ground.
    pub(super) last: u32,
    pub(super) weight: f64,
    pub(super) slopes: Slopes,
}

/// The shares to which lengths are rounded off, one after another.
///
/// They are shares of the mean length between crossings.
const ROUNDED: [f64; 5] = [0.3, 0.03, 3e-3, 3e-4, 3e-5];
/// The most steps for each.
const STEPS: usize = 12;
/// A step that lowers the cost by less than this share is the last.
const ENOUGH: f64 = 1e-9;

impl Course<'_> {
    /// The place and height at which the leg to crossing `i` begins.
    ///
    /// Beyond the crossings it is the leg to the goal.
    fn exit(&self, i: usize) -> ([f64; 2], f64) {
        let before = i.checked_sub(1).and_then(|i| self.crossings.get(i));
        before.map_or(([0.0; 2], 0.0), |c| (c.exit(), c.up() + c.lift))
    }

    /// The place and the height of crossing `i`, or of the goal.
    fn arrival(&self, i: usize) -> ([f64; 2], f64) {
        let crossing = self.crossings.get(i);
        crossing.map_or((self.goal, self.height), |c| (c.point(), c.up()))
    }

    /// The polygon that crossing `i` leaves, and the cost of a unit there.
    ///
    /// Beyond the crossings it is the polygon of the goal.
    pub(super) fn ground(&self, i: usize) -> (u32, f64) {
        let crossing = self.crossings.get(i);
        crossing.map_or((self.last, self.weight), |c| (c.step.polygon, c.weight))
    }

    /// Both ends of the leg to crossing `i`, or to the goal, and the cost of a unit.
    fn leg(&self, i: usize) -> ([f64; 2], [f64; 2], f64) {
        (self.exit(i).0, self.arrival(i).0, self.ground(i).1)
    }

    /// The rise of the leg to crossing `i`, or to the goal.
    fn ascent(&self, i: usize) -> f64 {
        self.arrival(i).1 - self.exit(i).1
    }

    /// The cost of the straight line from before crossing `i` to crossing `k`.
    ///
    /// Beyond the crossings `k` is the goal. The ground is that before crossing `i`.
    pub(super) fn straight(&self, i: usize, k: usize) -> f64 {
        let ((a, from), (b, to)) = (self.exit(i), self.arrival(k));
        self.ground(i).1 * length(b[0] - a[0], b[1] - a[1]) + self.slopes.cost(to - from)
    }

    /// The cost of a rise, rounded off, with its first and second derivative.
    fn climb(&self, up: f64, rounded: f64) -> [f64; 3] {
        let Slopes { uphill, downhill } = self.slopes;
        let (mean, lean) = ((uphill + downhill) / 2.0, (uphill - downhill) / 2.0);
        let reach = sqrt(up * up + rounded * rounded);
        if reach == 0.0 {
            return [0.0; 3];
        }
        let second = mean * rounded * rounded / (reach * reach * reach);
        [mean * reach + lean * up, mean * up / reach + lean, second]
    }

    /// The cost of the path, with lengths rounded off.
    fn cost_with(&self, rounded: f64) -> f64 {
        let leg = |i: usize| {
            let (a, b, weight) = self.leg(i);
            let (dx, dz) = (b[0] - a[0], b[1] - a[1]);
            let flat = weight * sqrt(dx * dx + dz * dz + rounded * rounded);
            if self.slopes.are_free() {
                return flat;
            }
            flat + self.climb(self.ascent(i), rounded)[0]
        };
        let tolls: f64 = self.crossings.iter().map(|c| c.toll).sum();
        (0..=self.crossings.len()).map(leg).sum::<f64>() + tolls
    }

    /// The cost of the path.
    pub(super) fn cost(&self) -> f64 {
        self.cost_with(0.0)
    }

    /// Lowers the cost to within a millionth or so of the least in its portals.
    pub(super) fn descend(&mut self) {
        let legs = self.crossings.len() + 1;
        let mut sum = 0.0;
        for i in 0..legs {
            let (a, b, _) = self.leg(i);
            sum += length(b[0] - a[0], b[1] - a[1]);
        }
        let mean = (sum / legs as f64).max(1.0);
        for share in ROUNDED {
            let rounded = mean * share;
            let mut cost = self.cost_with(rounded);
            for _ in 0..STEPS {
                let next = self.step(rounded, cost);
                let gain = cost - next;
                cost = next;
                if gain.is_nan() || gain <= ENOUGH * cost {
                    break;
                }
            }
        }
    }

    /// Makes one step; returns the cost after it, which does not exceed the one before.
    fn step(&mut self, rounded: f64, cost: f64) -> f64 {
        self.derive(rounded);
        self.solve();
        for c in self.crossings.iter_mut() {
            c.old = c.t;
        }
        let mut share = 1.0;
        for _ in 0..12 {
            for c in self.crossings.iter_mut() {
                c.t = (c.old + share * c.change).clamp(0.0, 1.0);
            }
            let now = self.cost_with(rounded);
            if now < cost {
                return now;
            }
            share /= 2.0;
        }
        for c in self.crossings.iter_mut() {
            c.t = c.old;
        }
        cost
    }

    /// Computes the first and second derivatives by the crossings.
    fn derive(&mut self, rounded: f64) {
        for c in self.crossings.iter_mut() {
            (c.slope, c.diagonal, c.beside) = (0.0, 0.0, 0.0);
        }
        for i in 0..=self.crossings.len() {
            let (a, b, weight) = self.leg(i);
            let d = [b[0] - a[0], b[1] - a[1]];
            let reach = sqrt(d[0] * d[0] + d[1] * d[1] + rounded * rounded);
            let unit = [d[0] / reach, d[1] / reach];
            let dot = |u: [f64; 2], v: [f64; 2]| u[0] * v[0] + u[1] * v[1];
            let second = |u: [f64; 2], v: [f64; 2]| {
                weight / reach * (dot(u, v) - dot(unit, u) * dot(unit, v))
            };
            let ahead = self.crossings.get(i).map(|c| c.along);
            let behind = i.checked_sub(1).map(|i| self.crossings[i].along);
            if let Some(along) = ahead {
                self.crossings[i].slope += weight * dot(unit, along);
                self.crossings[i].diagonal += second(along, along);
            }
            if let Some(along) = behind {
                self.crossings[i - 1].slope -= weight * dot(unit, along);
                self.crossings[i - 1].diagonal += second(along, along);
                if let Some(ahead) = ahead {
                    self.crossings[i - 1].beside = -second(along, ahead);
                }
            }
            if !self.slopes.are_free() {
                self.derive_climb(i, rounded);
            }
        }
    }

    /// Adds the height terms of the leg to crossing `i`, or to the goal.
    fn derive_climb(&mut self, i: usize, rounded: f64) {
        let [_, first, second] = self.climb(self.ascent(i), rounded);
        let rise = self.crossings.get(i).map_or(0.0, |c| c.rise);
        if let Some(c) = self.crossings.get_mut(i) {
            c.slope += first * rise;
            c.diagonal += second * rise * rise;
        }
        if let Some(c) = i.checked_sub(1).and_then(|i| self.crossings.get_mut(i)) {
            c.slope -= first * c.rise;
            c.diagonal += second * c.rise * c.rise;
            c.beside -= second * c.rise * rise;
        }
    }

    /// Solves for the changes, by elimination from the first crossing to the last.
    ///
    /// Held crossings do not change.
    fn solve(&mut self) {
        let held = |c: &Crossing| {
            let out = (c.t <= 0.0 && c.slope >= 0.0) || (c.t >= 1.0 && c.slope <= 0.0);
            out || c.diagonal.is_nan() || c.diagonal <= 0.0
        };
        let n = self.crossings.len();
        let mut before: Option<(f64, f64, f64)> = None;
        for i in 0..n {
            let c = &mut self.crossings[i];
            if held(c) {
                (c.change, c.beside, before) = (0.0, 0.0, None);
                c.diagonal = 0.0;
                continue;
            }
            // Slightly more, so that it can be solved where no term limits the step.
            let own = c.diagonal * (1.0 + 1e-9);
            let (mut pivot, mut right) = (own, -c.slope);
            if let Some((beside, above, its_right)) = before {
                pivot -= beside * beside / above;
                right -= beside / above * its_right;
            }
            pivot = pivot.max(own * 1e-9);
            (c.diagonal, c.change) = (pivot, right);
            before = Some((c.beside, pivot, right));
        }
        let mut after = 0.0;
        for c in self.crossings.iter_mut().rev() {
            if c.diagonal > 0.0 {
                c.change = (c.change - c.beside * after) / c.diagonal;
            }
            after = c.change;
        }
    }
}
