//! Estimates of the cost that remains: their names, their values, and by how much they
//! overestimate.

use core::str::FromStr;

use navbake_navmesh::math;

use crate::{GridPlanner, UnknownName};

/// Estimate of the remaining cost, times the least cost of a terrain.
///
/// With several goals it is the least of theirs.
///
/// | | is, for distances dx and dz | can overestimate |
/// |---|---|---|
/// | zero | 0 | never |
/// | Manhattan | dx + dz | `grid8`, by a factor of up to the square root of 2 |
/// | octile | greater + (sqrt 2 - 1) lesser | never |
/// | Euclidean | root of dx² + dz² | never |
/// | longest axis | greater | never |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GridHeuristic {
    /// Nothing.
    Zero,
    /// Steps along x and z.
    Manhattan,
    /// Steps along x and z and diagonal ones.
    #[default]
    Octile,
    /// The straight line.
    Euclidean,
    /// The greater of the distances along x and z.
    LongestAxis,
}

impl GridHeuristic {
    /// All of them.
    pub const ALL: [GridHeuristic; 5] = [
        GridHeuristic::Zero,
        GridHeuristic::Euclidean,
        GridHeuristic::Manhattan,
        GridHeuristic::Octile,
        GridHeuristic::LongestAxis,
    ];

    /// The word for it on the command line; `FromStr` reads it.
    pub fn name(self) -> &'static str {
        match self {
            GridHeuristic::Zero => "zero",
            GridHeuristic::Manhattan => "manhattan",
            GridHeuristic::Octile => "octile",
            GridHeuristic::Euclidean => "euclidean",
            GridHeuristic::LongestAxis => "longest-axis",
        }
    }

    /// The estimate for `dx` columns and `dz` rows at the least costs of a straight and a diagonal
    /// step.
    ///
    /// Saturates where a goal is absurdly far outside the map.
    #[inline]
    pub(crate) fn estimate(self, [straight, diagonal]: [u64; 2], dx: u32, dz: u32) -> u64 {
        let (long, short) = (u64::from(dx.max(dz)), u64::from(dx.min(dz)));
        match self {
            GridHeuristic::Zero => 0,
            GridHeuristic::Manhattan => straight.saturating_mul(long + short),
            GridHeuristic::Octile => {
                straight.saturating_mul(long - short).saturating_add(diagonal.saturating_mul(short))
            }
            GridHeuristic::Euclidean => {
                // A little less than the root, whatever its rounding, so that it never
                // overestimates.
                const BELOW: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;
                (math::length(f64::from(dx), f64::from(dz)) * BELOW * straight as f64) as u64
            }
            GridHeuristic::LongestAxis => straight.saturating_mul(long),
        }
    }

    /// The factor by which it can exceed the remaining cost.
    pub(crate) fn overestimate(self, planner: GridPlanner) -> f64 {
        match (planner, self) {
            (GridPlanner::Grid8, GridHeuristic::Manhattan) => core::f64::consts::SQRT_2,
            _ => 1.0,
        }
    }

    /// Does it fall by no more than a step's cost at every step, exactly? The Euclidean one is
    /// rounded.
    pub(crate) fn is_consistent(self, planner: GridPlanner, weight: f64) -> bool {
        match self {
            GridHeuristic::Zero => true,
            GridHeuristic::Octile | GridHeuristic::LongestAxis => weight == 1.0,
            GridHeuristic::Manhattan => weight == 1.0 && planner == GridPlanner::Grid4,
            GridHeuristic::Euclidean => false,
        }
    }
}

impl FromStr for GridHeuristic {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GridHeuristic, UnknownName> {
        let found = GridHeuristic::ALL.into_iter().find(|h| h.name() == name);
        found.ok_or(UnknownName)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_as_its_planner() {
        assert_eq!(GridPlanner::ALL.map(GridPlanner::name), GridPlanner::NAMES);
        for planner in GridPlanner::ALL {
            assert_eq!(planner.name().parse(), Ok(planner));
        }
    }

    #[test]
    fn every_name_is_read_as_its_heuristic() {
        for heuristic in GridHeuristic::ALL {
            assert_eq!(heuristic.name().parse(), Ok(heuristic));
        }
        assert_eq!("table".parse::<GridHeuristic>(), Err(UnknownName));
    }
}
