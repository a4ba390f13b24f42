//! Estimates of the cost that remains on a square grid: their values, and by how much they
//! overestimate.
//!
//! | | is, for distances dx and dz | can overestimate |
//! |---|---|---|
//! | zero | 0 | never |
//! | Manhattan | dx + dz | `grid8`, by a factor of up to the square root of 2 |
//! | octile | greater + (sqrt 2 - 1) lesser | never |
//! | Euclidean | root of dx^2 + dz^2 | never |
//! | longest axis | greater | never |
//!
//! All are times the least cost of a terrain.

use navbake_navmesh::math;
use navbake_search::Heuristic;

use crate::GridPlanner;

/// The estimate for `dx` columns and `dz` rows, by the least costs of coming nearer by one of
/// either and by one of both.
///
/// Saturates where a goal is absurdly far outside the map.
#[inline]
pub(crate) fn estimate(heuristic: Heuristic, [one, both]: [u64; 2], dx: u32, dz: u32) -> u64 {
    let (long, short) = (u64::from(dx.max(dz)), u64::from(dx.min(dz)));
    match heuristic {
        Heuristic::Zero => 0,
        Heuristic::Manhattan => one.saturating_mul(long + short),
        Heuristic::Euclidean => {
            // A little less than the root, whatever its rounding, so that it never
            // overestimates.
            const BELOW: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;
            // Where diagonal steps cost less than the square root of 2, so does the straight line.
            let root = (both as f64 / core::f64::consts::SQRT_2).min(one as f64);
            (math::length(f64::from(dx), f64::from(dz)) * BELOW * root) as u64
        }
        Heuristic::LongestAxis => one.saturating_mul(long),
        _ => one.saturating_mul(long - short).saturating_add(both.saturating_mul(short)),
    }
}

/// The factor by which an estimate can exceed the remaining cost, diagonal steps of this cost.
pub(crate) fn overestimate(heuristic: Heuristic, planner: GridPlanner, diagonal: f64) -> f64 {
    match (planner, heuristic) {
        // Both steps against one: infinite where diagonal steps are free.
        (GridPlanner::Grid8, Heuristic::Manhattan) => (2.0 / diagonal).max(1.0),
        _ => 1.0,
    }
}

/// Does an estimate fall by no more than a step's cost at every step, exactly? The Euclidean one
/// is rounded.
pub(crate) fn is_consistent(heuristic: Heuristic, planner: GridPlanner, weight: f64) -> bool {
    match heuristic {
        Heuristic::Zero => true,
        Heuristic::Octile | Heuristic::LongestAxis => weight == 1.0,
        Heuristic::Manhattan => weight == 1.0 && planner == GridPlanner::Grid4,
        _ => false,
    }
}
