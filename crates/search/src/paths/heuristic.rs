//! Estimates of the remaining distance.

use core::str::FromStr;

use navbake_navmesh::math::distance;

/// The estimate of the length from a point to the goal.
///
/// It uses their differences dx and dz in the ground plane. A search whose estimates never exceed
/// the remaining cost finds the cheapest path of its algorithm. One that overestimates is faster as
/// a rule, and its path may be longer. See [`Heuristic::overestimates`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Heuristic {
    /// Zero: the search goes out in all directions.
    Zero,
    /// The straight line. Never more than a path's length.
    #[default]
    Euclidean,
    /// |dx| + |dz|, the length of steps along the axes.
    ///
    /// Up to 1.42 times the straight line.
    Manhattan,
    /// The length of steps along the axes and diagonals.
    ///
    /// Up to 1.083 times the straight line.
    Octile,
    /// The greater of |dx| and |dz|.
    ///
    /// Never more than the straight line, and at least 0.7 of it.
    LongestAxis,
    /// The greater of the straight line and the landmarks' lower bound.
    ///
    /// The landmarks are those of the blob ([`navbake_format::Landmarks`]). Never more than a
    /// path's length. Without landmarks the
    /// request is refused: [`Error::NoLandmarks`](crate::Error::NoLandmarks).
    Table,
}

/// How much longer a diagonal step is than a straight one.
const DIAGONAL: f64 = core::f64::consts::SQRT_2 - 1.0;

impl Heuristic {
    /// All heuristics that need no tables.
    pub const ALL: [Heuristic; 5] = [
        Heuristic::Zero,
        Heuristic::Euclidean,
        Heuristic::Manhattan,
        Heuristic::Octile,
        Heuristic::LongestAxis,
    ];

    /// The names of all heuristics in their order, which [`FromStr`] reads.
    pub const NAMES: [&'static str; 6] =
        ["zero", "euclidean", "manhattan", "octile", "longest-axis", "table"];

    /// The name that the command line uses.
    pub fn name(self) -> &'static str {
        Heuristic::NAMES[self as usize]
    }

    /// Can the estimate, with this weight, exceed the remaining cost?
    ///
    /// The cost is in the algorithm's metric. A\* may then miss its cheapest path.
    pub fn overestimates(self, weight: f64) -> bool {
        self.most() * weight > 1.0
    }

    /// The greatest estimate for a straight line of length 1.
    #[doc(hidden)]
    pub fn most(self) -> f64 {
        match self {
            Heuristic::Zero => 0.0,
            Heuristic::Euclidean | Heuristic::LongestAxis | Heuristic::Table => 1.0,
            Heuristic::Manhattan => core::f64::consts::SQRT_2,
            // The root of 1 + (√2 - 1)², at the angle where the two parts add up to most.
            Heuristic::Octile => 1.082_392_200_292_394,
        }
    }

    /// The straight line's estimate, for a table.
    #[doc(hidden)]
    #[inline]
    pub fn estimate(self, from: [f64; 2], to: [f64; 2]) -> f64 {
        let axes = || {
            let (dx, dz) = ((to[0] - from[0]).abs(), (to[1] - from[1]).abs());
            (dx.max(dz), dx.min(dz))
        };
        match self {
            Heuristic::Zero => 0.0,
            Heuristic::Euclidean | Heuristic::Table => distance(from, to),
            Heuristic::Manhattan => {
                let (long, short) = axes();
                long + short
            }
            Heuristic::Octile => {
                let (long, short) = axes();
                long + DIAGONAL * short
            }
            Heuristic::LongestAxis => axes().0,
        }
    }
}

impl FromStr for Heuristic {
    type Err = &'static str;

    /// Parses a name; the error lists the expected ones.
    fn from_str(name: &str) -> Result<Heuristic, &'static str> {
        let mut all = Heuristic::ALL.into_iter().chain([Heuristic::Table]);
        all.find(|one| one.name() == name)
            .ok_or("expected zero, euclidean, manhattan, octile, longest-axis or table")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heuristic_overestimates_a_straight_line_exactly_when_it_says_so() {
        for heuristic in Heuristic::ALL {
            for weight in [0.0, 0.5, 0.9, 1.0, 1.05, 1.3, 2.0] {
                let most = (0..=720)
                    .map(|k| {
                        let angle = f64::from(k) * core::f64::consts::PI / 360.0;
                        let to = [cosine(angle), cosine(angle - core::f64::consts::FRAC_PI_2)];
                        weight * heuristic.estimate([0.0; 2], to) / distance([0.0; 2], to)
                    })
                    .fold(0.0, f64::max);
                let says = heuristic.overestimates(weight);
                assert_eq!(says, most > 1.0 + 1e-9, "{heuristic:?} {weight} {most}");
            }
        }
    }

    /// Cosine by its series; the crate itself needs none.
    fn cosine(x: f64) -> f64 {
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..20 {
            let k = f64::from(k);
            term *= -x * x / ((2.0 * k - 1.0) * (2.0 * k));
            sum += term;
        }
        sum
    }
}
