//! Costs as whole numbers.
//!
//! A path of a straight and b diagonal steps costs a + b sqrt 2. Sums of floating-point numbers depend on the order of the steps, so that equally long
//! paths would differ. Here a cost is the whole number `a K + b S`, with K a power of two and S the least whole number above `K sqrt 2`: it adds up
//! exactly, and estimates made of the same two numbers are exactly consistent. Of two costs whose a and b do not exceed N, the lesser is
//! also lesser by the true square root when `K > 1.5 N^2`, since `|a + b sqrt 2|` is at least `1 / (|a| + |b| sqrt 2)` for whole numbers that are not both 0, and S is off
//! by less than 1. K is as large as the map allows in 64 bits: enough for every path on a million cells of one cost.
//!
//! Costs of terrains and the penalty are whole multiples of 1/1024, of which the greatest common divisor is taken out.

use navbake_format::GridMapView;

use super::{GridHeuristic, GridPlanner, GridRequest};
use crate::math;

/// Costs are multiples of one of this many parts of a straight step.
const PARTS: f64 = 1024.0;
/// The greatest cost of a terrain and the greatest penalty, in straight steps.
const MOST: f64 = 1024.0;

/// The whole numbers of a search.
pub(super) struct Metric {
    /// Units of cost of each terrain, 0 where it cannot be entered.
    units: [u32; 256],
    /// Units of the penalty of a step that is not straight on.
    penalty_units: u32,
    /// Units in a straight step of cost 1, with a fraction.
    pub(super) units_a_step: f64,
    /// A straight unit.
    k: u64,
    /// A diagonal unit.
    s: u64,
    /// The least cost of a terrain, straight and diagonal.
    least: [u64; 2],
    /// Of a turn.
    pub(super) penalty: u64,
    /// All terrains that can be entered cost the same.
    pub(super) is_uniform: bool,
    /// Is there ground that is free and cannot be entered?
    pub(super) has_blocked: bool,
}

/// A cost in parts, 0 where it is none that is allowed.
fn parts(cost: f64) -> u32 {
    if cost > 0.0 && cost <= MOST {
        ((cost * PARTS + 0.5) as u32).max(1)
    } else {
        0
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Metric {
    pub(super) fn new(map: &GridMapView<'_>, request: &GridRequest<'_>) -> Metric {
        let mut units = [0u32; 256];
        let terrains = usize::from(map.terrain_count()).min(256);
        for (t, units) in units.iter_mut().enumerate().take(terrains) {
            *units = match request.costs {
                [] => parts(1.0),
                costs => costs.get(t).map_or(0, |&c| parts(c)),
            };
        }
        // A penalty of less than nothing would make cycles pay.
        let penalty = parts(request.turn_penalty.min(MOST));
        let divisor = units.iter().fold(penalty, |d, &u| gcd(d, u)).max(1);
        units.iter_mut().for_each(|u| *u /= divisor);
        let penalty_units = penalty / divisor;
        let used = &units[..terrains];
        let enterable = || used.iter().copied().filter(|&u| u > 0);
        let (least, most) = (
            enterable().min().unwrap_or(1),
            enterable().max().unwrap_or(1),
        );
        let states = u64::from(map.free_count()).max(1) * if penalty > 0 { 8 } else { 1 };
        // The dearest way through all states, rounded up; below 2^31 * 2^22.
        let longest = states * (2 * u64::from(most) + u64::from(penalty_units));
        let k = 1u64 << ((1u64 << 62) / longest).ilog2().min(44);
        // 2 K^2 is no square: its root is a whole number of halves of an odd power of two.
        let s = (2 * u128::from(k) * u128::from(k)).isqrt() as u64 + 1;
        Metric {
            units,
            penalty_units,
            units_a_step: PARTS / f64::from(divisor),
            k,
            s,
            least: [k * u64::from(least), s * u64::from(least)],
            penalty: k * u64::from(penalty_units),
            is_uniform: least == most,
            has_blocked: used.contains(&0),
        }
    }

    /// Can ground of this terrain be entered?
    #[inline]
    pub(super) fn enters(&self, terrain: u8) -> bool {
        self.units[usize::from(terrain)] > 0
    }

    /// The cost of a step onto a terrain.
    #[inline]
    pub(super) fn step(&self, terrain: u8, diagonal: bool) -> u64 {
        u64::from(self.units[usize::from(terrain)]) * if diagonal { self.s } else { self.k }
    }

    /// The cost of any step, where all ground costs the same.
    #[inline]
    pub(super) fn least_step(&self, diagonal: bool) -> u64 {
        self.least[usize::from(diagonal)]
    }

    /// What remains for `dx` columns and `dz` rows. Saturates where a goal lies absurdly far outside.
    #[inline]
    pub(super) fn estimate(&self, heuristic: GridHeuristic, dx: u32, dz: u32) -> u64 {
        let (long, short) = (u64::from(dx.max(dz)), u64::from(dx.min(dz)));
        let [straight, diagonal] = self.least;
        match heuristic {
            GridHeuristic::Zero => 0,
            GridHeuristic::Manhattan => straight.saturating_mul(long + short),
            GridHeuristic::Octile => straight
                .saturating_mul(long - short)
                .saturating_add(diagonal.saturating_mul(short)),
            GridHeuristic::Euclidean => {
                // A little less than the root, whatever its rounding, so that it is never more than what it estimates.
                const BELOW: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;
                (math::length(f64::from(dx), f64::from(dz)) * BELOW * straight as f64) as u64
            }
            GridHeuristic::LongestAxis => straight.saturating_mul(long),
        }
    }

    /// The whole number of a unit.
    pub(super) fn step_unit(&self) -> f64 {
        self.k as f64
    }

    /// By how much the whole numbers may be off, relative: a path with the least of them is longer than the shortest by no more.
    pub(super) fn error(&self) -> f64 {
        1.0 / self.k as f64
    }

    /// Is a path with the least whole number, so many units long, the shortest beyond doubt?
    pub(super) fn is_exact(&self, units: f64) -> bool {
        let n = units + 2.0;
        1.5 * n * n < self.k as f64
    }
}

/// By what factor an estimate can exceed what remains.
pub(super) fn overestimate(planner: GridPlanner, heuristic: GridHeuristic) -> f64 {
    match (planner, heuristic) {
        (GridPlanner::Grid8, GridHeuristic::Manhattan) => core::f64::consts::SQRT_2,
        _ => 1.0,
    }
}

/// What a path is made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) straight: u32,
    pub(super) diagonal: u32,
    pub(super) turns: u32,
    straight_units: u64,
    diagonal_units: u64,
}

impl Sum {
    /// Adds a step.
    pub(super) fn add(&mut self, metric: &Metric, terrain: u8, diagonal: bool, turn: bool) {
        let units = u64::from(metric.units[usize::from(terrain)]);
        if diagonal {
            self.diagonal += 1;
            self.diagonal_units += units;
        } else {
            self.straight += 1;
            self.straight_units += units;
        }
        if turn {
            self.turns += 1;
            self.straight_units += u64::from(metric.penalty_units);
        }
    }

    /// In sides of a cell.
    pub(super) fn length(&self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * core::f64::consts::SQRT_2
    }

    /// In units of the metric.
    pub(super) fn units(&self) -> f64 {
        self.straight_units as f64 + self.diagonal_units as f64 * core::f64::consts::SQRT_2
    }
}
