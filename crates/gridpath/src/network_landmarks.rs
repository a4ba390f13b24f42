//! Landmarks over route networks: the costs to and from a few points bound the cost between any
//! two, as in `landmarks`.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::network::Network;

/// The most landmarks.
const MOST: u32 = 64;
/// No path leads there.
const UNKNOWN: u64 = u64::MAX;

/// The landmarks of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetworkLandmarks {
    count: usize,
    /// By point and landmark: the cost from the landmark, and to it.
    costs: Vec<[u64; 2]>,
}

/// What a landmark knows of the goals of a search: for a point with the costs `from` and `to`, the
/// rest costs at least `goals - from` and `to - back`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LandmarkGoals {
    /// The least cost from the landmark to a goal.
    goals: u64,
    /// The greatest cost back to the landmark from a point beside a goal, less what is left from
    /// there; [`UNKNOWN`] where a point has no path to the landmark.
    back: u64,
}

impl Network {
    /// A number of landmarks that serves most networks.
    pub const LANDMARKS: u32 = 8;

    /// The same with landmarks, by which [`Heuristic::Table`](navbake_search::Heuristic::Table)
    /// estimates: requests expand fewer points, most of all around walls, over ground that costs
    /// more and over links.
    ///
    /// Two searches over all points for each landmark, up to 64, and 16 bytes a point and
    /// landmark. They are of the piece of the network from whose first point the most points can
    /// be reached, as if no unit stood on it: units that stand later leave them as they are.
    ///
    /// ```
    /// # fn run(
    /// #     query: navbake_search::NavQuery<'_>,
    /// #     patrol: navbake_format::NetworkView<'_>,
    /// # ) {
    /// use navbake_gridpath::Network;
    ///
    /// let network = Network::new(&patrol, &query).landmarks(Network::LANDMARKS);
    /// # let _ = network;
    /// # }
    /// ```
    #[must_use]
    pub fn landmarks(mut self, count: u32) -> Network {
        self.landmarks = found(&self, count.min(MOST) as usize);
        self
    }

    /// Has it landmarks? [`Network::landmarks`] finds none where there are no points.
    pub fn has_landmarks(&self) -> bool {
        self.landmarks.count > 0
    }
}

/// The costs from a point to all others, or from all others to it.
fn costs(network: &Network, point: u32, back: bool) -> Vec<u64> {
    let mut costs = vec![UNKNOWN; network.point_count() as usize];
    let mut open = BinaryHeap::from([Reverse((0, point))]);
    costs[point as usize] = 0;
    while let Some(Reverse((cost, at))) = open.pop() {
        if cost > costs[at as usize] {
            continue;
        }
        for edge in network.edges(at, back) {
            let cost = cost.saturating_add(edge.cost);
            let known = &mut costs[edge.other as usize];
            if cost < *known {
                *known = cost;
                open.push(Reverse((cost, edge.other)));
            }
        }
    }
    costs
}

fn found(network: &Network, count: usize) -> NetworkLandmarks {
    let points = network.point_count();
    let mut seen = vec![false; points as usize];
    let mut largest: (usize, Vec<u64>) = (0, vec![]);
    for point in 0..points {
        if count > 0 && !seen[point as usize] {
            let own = costs(network, point, false);
            seen.iter_mut().zip(&own).for_each(|(seen, &cost)| *seen |= cost != UNKNOWN);
            let reached = own.iter().filter(|&&cost| cost != UNKNOWN).count();
            if reached > largest.0 {
                largest = (reached, own);
            }
        }
    }
    let (reached, mut nearest) = largest;
    let count = count.min(reached);
    let mut all = NetworkLandmarks { count, costs: vec![[UNKNOWN; 2]; count * seen.len()] };
    for k in 0..count {
        // The point that is farthest from all landmarks; the first one from where the piece began.
        let known = (0u32..).zip(&nearest).filter(|(_, cost)| **cost != UNKNOWN);
        let Some((farthest, _)) = known.max_by_key(|&(p, &cost)| (cost, u32::MAX - p)) else {
            break;
        };
        let [from, to] = [false, true].map(|back| costs(network, farthest, back));
        for (point, (&from, &to)) in from.iter().zip(&to).enumerate() {
            all.costs[point * count + k] = [from, to];
        }
        match k {
            0 => nearest = from,
            _ => nearest.iter_mut().zip(from).for_each(|(n, own)| *n = own.min(*n)),
        }
    }
    all
}

impl NetworkLandmarks {
    /// The costs from and to each landmark of a point; of a search from the goals to and from it.
    fn of(&self, point: u32, reverse: bool) -> impl Iterator<Item = [u64; 2]> {
        let first = (point as usize).saturating_mul(self.count);
        let own = self.costs.get(first..first.saturating_add(self.count)).unwrap_or_default();
        own.iter().map(move |&[from, to]| if reverse { [to, from] } else { [from, to] })
    }

    /// Finds what each landmark knows of the points beside the goals, each with the cost from there
    /// to a goal.
    pub(crate) fn aim(
        &self,
        beside: impl Iterator<Item = (u32, u64)>,
        reverse: bool,
        known: &mut Vec<LandmarkGoals>,
    ) {
        known.clear();
        known.resize(self.count, LandmarkGoals { goals: UNKNOWN, back: 0 });
        for (point, rest) in beside {
            for (own, [from, to]) in known.iter_mut().zip(self.of(point, reverse)) {
                own.goals = own.goals.min(from.saturating_add(rest));
                let back = if to == UNKNOWN { UNKNOWN } else { to.saturating_sub(rest) };
                own.back = own.back.max(back);
            }
        }
    }

    /// A lower bound of the cost from a point to the nearest goal.
    pub(crate) fn least(&self, point: u32, reverse: bool, known: &[LandmarkGoals]) -> u64 {
        let bounds = known.iter().zip(self.of(point, reverse)).map(|(own, [from, to])| {
            // Where the landmark reaches the point, it reaches the goals that the point reaches.
            let ahead = match from == UNKNOWN || own.goals == UNKNOWN {
                true => 0,
                false => own.goals.saturating_sub(from),
            };
            match to == UNKNOWN || own.back == UNKNOWN {
                true => ahead,
                false => ahead.max(to.saturating_sub(own.back)),
            }
        });
        bounds.max().unwrap_or(0)
    }
}
