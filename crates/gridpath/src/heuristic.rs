//! Estimates of the cost that remains: their values, and by how much they overestimate.
//!
//! | | is, for distances dx and dz | can overestimate | of hexagons |
//! |---|---|---|---|
//! | zero | 0 | never | 0 |
//! | Manhattan | dx + dz | `grid8`, by a factor of up to the square root of 2 | steps |
//! | octile | greater + (sqrt 2 - 1) lesser | never | refused |
//! | Euclidean | root of dx^2 + dz^2 | never | the same between middles |
//! | longest axis | greater | never | the same between middles |
//!
//! All are times the least cost of a terrain.

use navbake_format::CellShape;
use navbake_navmesh::math;
use navbake_search::Heuristic;

use crate::GridPlanner;

/// The estimate between two cells, by column and row.
#[inline]
pub(crate) fn between(
    shape: CellShape,
    heuristic: Heuristic,
    costs: [u64; 2],
    from: [i32; 2],
    to: [i32; 2],
) -> u64 {
    match shape {
        CellShape::Square => {
            estimate(heuristic, costs, from[0].abs_diff(to[0]), from[1].abs_diff(to[1]))
        }
        CellShape::Hexagon => estimate_hexagons(heuristic, costs[0], from, to),
    }
}

/// The estimate for `dx` columns and `dz` rows, by the least costs of coming nearer by one of
/// either and by one of both.
///
/// Saturates where a goal is absurdly far outside the map.
#[inline]
fn estimate(heuristic: Heuristic, [one, both]: [u64; 2], dx: u32, dz: u32) -> u64 {
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

/// The estimate between two cells of hexagons, by the least cost of a step.
#[inline]
fn estimate_hexagons(heuristic: Heuristic, step: u64, from: [i32; 2], to: [i32; 2]) -> u64 {
    /// A little less than 1, against rounding.
    const BELOW: f64 = 1.0 - 1.0 / (1u64 << 48) as f64;
    let shape = CellShape::Hexagon;
    let [from, to] = [from, to].map(|cell| cell.map(i64::from));
    let apart = || {
        let [a, b] = [from, to].map(|cell| shape.middle(cell));
        [0, 1].map(|k| (b[k] - a[k]).abs())
    };
    let times = |cells: f64| (cells * BELOW * step as f64) as u64;
    match heuristic {
        Heuristic::Zero => 0,
        Heuristic::Euclidean => times(math::length(apart()[0], apart()[1])),
        Heuristic::LongestAxis => times(apart()[0].max(apart()[1])),
        _ => step.saturating_mul(shape.steps(from, to)),
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
        Heuristic::Octile | Heuristic::LongestAxis => weight == 1.0 && planner != GridPlanner::Hex,
        Heuristic::Manhattan => weight == 1.0 && planner != GridPlanner::Grid8,
        _ => false,
    }
}
