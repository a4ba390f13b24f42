//! The assumed cost of the path ahead, where ground has different weights.

use core::str::FromStr;

use super::nodes::Goal;
use crate::locate::extent;
use crate::{NavPoint, NavQuery};

/// The cost that estimates assume for a metre of the path ahead.
///
/// In costly ground an estimate by the cheapest ground is far below the real cost. The search then
/// looks around nearly as far as one without any estimate (B. Stout, The basics of A* for path
/// planning, Game Programming Gems, 2000). All but [`Ahead::Least`] may overestimate: the search is
/// then faster, as a rule, and may miss its planner's cheapest path. None of them makes a path
/// certified, and none changes [`NavPath::bound`](super::NavPath::bound).
/// [`Algorithm::Optimal`](super::Algorithm::Optimal) and
/// [`Algorithm::Weighted`](super::Algorithm::Weighted) ignore them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Ahead {
    /// The cost of the cheapest ground: it never overestimates.
    #[default]
    Least,
    /// A weight that the caller gives from knowledge of the level.
    ///
    /// A value outside 0 to 1000 becomes the nearest one; NaN becomes [`Ahead::Least`].
    Typical(f64),
    /// The mean weight under the straight line from the start to the nearest goal.
    ///
    /// Sampled in 32 places before the search. Places off the mesh and ground that the agent cannot
    /// walk on are left out.
    Sampled,
    /// The weight of the ground at the node being expanded (h' W).
    ///
    /// The search hurries off costly ground, and hardly looks ahead from cheap ground.
    Own,
}

/// Number of sampled places.
const SAMPLES: i32 = 32;
/// How far above and below the straight line in space ground is looked for, m.
const UP: f64 = 64.0;

impl Ahead {
    /// The name that the command line uses; a typical weight is written as its number.
    pub fn name(self) -> &'static str {
        match self {
            Ahead::Least => "least",
            Ahead::Typical(_) => "typical",
            Ahead::Sampled => "sampled",
            Ahead::Own => "own",
        }
    }

    /// The assumed cost of a metre, the same at every node.
    ///
    /// With [`Ahead::Own`] it depends on the node and is not known in advance.
    pub(super) fn metre(self, query: &NavQuery<'_>, start: &Goal, goals: &[Goal]) -> f64 {
        let least = query.least_weight();
        match self {
            Ahead::Typical(weight) if !weight.is_nan() => weight.clamp(0.0, 1000.0),
            Ahead::Sampled if query.costs.is_some() => {
                let place = |goal: &Goal| (goal.point, goal.height);
                mean_between(query, place(start), goals.iter().map(place)).unwrap_or(least)
            }
            _ => least,
        }
    }
}

impl NavQuery<'_> {
    /// The mean weight of ground under a straight line to the nearest goal, or the least weight.
    #[doc(hidden)]
    pub fn mean_weight(&self, from: &NavPoint, to: &[NavPoint]) -> f64 {
        let place = |at: &NavPoint| (at.point(), at.height());
        mean_between(self, place(from), to.iter().map(place)).unwrap_or(self.least_weight())
    }
}

impl FromStr for Ahead {
    type Err = &'static str;

    /// `least`, `sampled`, `own`, or a number from 0 to 1000 for [`Ahead::Typical`].
    fn from_str(text: &str) -> Result<Ahead, &'static str> {
        match text {
            "least" => Ok(Ahead::Least),
            "sampled" => Ok(Ahead::Sampled),
            "own" => Ok(Ahead::Own),
            _ => match text.parse::<f64>() {
                Ok(cost) if (0.0..=1000.0).contains(&cost) => Ok(Ahead::Typical(cost)),
                _ => Err("expected least, sampled, own, or a number from 0 to 1000"),
            },
        }
    }
}

/// The mean weight of ground under a straight line to the nearest goal.
///
/// Places are `[x, z]` and a height, grid units.
fn mean_between(
    query: &NavQuery<'_>,
    (start, low): ([i32; 2], f64),
    goals: impl Iterator<Item = ([i32; 2], f64)>,
) -> Option<f64> {
    let away = |goal: &([i32; 2], f64)| {
        let d = [0, 1].map(|k| i64::from(goal.0[k]) - i64::from(start[k]));
        d[0] * d[0] + d[1] * d[1]
    };
    let (goal, high) = goals.min_by_key(away)?;
    let vertical = extent(query.mesh().grid(), UP);
    let (mut sum, mut count) = (0.0, 0u32);
    for k in 0..SAMPLES {
        // The middle of each part.
        let t = (f64::from(k) + 0.5) / f64::from(SAMPLES);
        let between = |a: f64, b: f64| (a + t * (b - a)) as i32;
        let along = |k: usize| between(f64::from(start[k]), f64::from(goal[k]));
        let p = [along(0), between(low, high), along(1)];
        let ground = query.locate_on_grid(p, vertical).map(|at| at.polygon());
        if let Some(polygon) = ground.filter(|&p| query.walks_on(p)) {
            sum += query.weight(polygon);
            count += 1;
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
