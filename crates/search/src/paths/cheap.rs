//! The most that a path can save by links that cost less than their length.
//!
//! Where all links cost at least the distance between their ends, no path is shorter than the
//! straight line. Where some cost less, a path may follow a chain of these shortcut links. The
//! bound is then the least over all such chains, with straight lines between the links. By the
//! triangle inequality a link that is no shortcut saves nothing, whatever chain it is part of.

use super::nodes::Goal;
use crate::NavQuery;
use navbake_navmesh::math::{distance, float};

/// A shortcut link that a search may take.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cheap {
    /// Its begin, grid units.
    from: [f64; 2],
    /// Its end.
    to: [f64; 2],
    /// Its cost, grid units.
    cost: f64,
    /// Lower bound of the distance from its begin to the goal over this link.
    bound: f64,
    settled: bool,
}

impl Cheap {
    pub(super) const NONE: Cheap =
        Cheap { from: [0.0; 2], to: [0.0; 2], cost: 0.0, bound: 0.0, settled: false };
}

fn is_cheap(from: [f64; 2], to: [f64; 2], cost: f64) -> bool {
    cost < distance(from, to)
}

/// Limit of shortcut links that are compared; with more, estimates are zero.
pub(super) const MANY: usize = 256;

/// The effect of shortcut links on estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Savings {
    /// This many shortcut links are known.
    Known(usize),
    /// There were too many for the memory: nothing is known.
    Unknown,
}

impl Default for Savings {
    fn default() -> Savings {
        Savings::Known(0)
    }
}

impl Savings {
    /// Collects the shortcut links that a query may take, and computes their bounds.
    ///
    /// Every pair is compared once. `rest` is the straight distance from a place to the nearest
    /// goal, grid units.
    pub(super) fn collect(
        query: &NavQuery<'_>,
        rest: impl Fn([f64; 2]) -> f64,
        memory: &mut [Cheap],
    ) -> Savings {
        if query.mesh().link_count() == 0 {
            return Savings::default();
        }
        // Where a metre does not cost 1, all costs are in plain ground and multiplied in the end.
        let units = query.mesh().grid().units() / query.least_weight();
        let ends =
            query.links().map(|(_, link)| (float(link.from), float(link.to), link.cost * units));
        Savings::among(ends, rest, memory)
    }

    /// The same with the goals of a search.
    pub(super) fn to_goals(query: &NavQuery<'_>, goals: &[Goal], memory: &mut [Cheap]) -> Savings {
        let away = |p: [f64; 2], goal: &Goal| distance(p, float(goal.point));
        let rest = |p| goals.iter().fold(f64::INFINITY, |least, g| away(p, g).min(least));
        Savings::collect(query, rest, memory)
    }

    /// The same for links given by both ends and cost, grid units.
    fn among(
        links: impl Iterator<Item = ([f64; 2], [f64; 2], f64)>,
        rest: impl Fn([f64; 2]) -> f64,
        memory: &mut [Cheap],
    ) -> Savings {
        let room = memory.len().min(MANY);
        let mut count = 0;
        for (from, to, cost) in links.filter(|&(from, to, cost)| is_cheap(from, to, cost)) {
            if count == room {
                return Savings::Unknown;
            }
            memory[count] = Cheap { from, to, cost, bound: cost + rest(to), settled: false };
            count += 1;
        }
        let cheap = &mut memory[..count];
        // Dijkstra's method backwards from the goal.
        for _ in 0..count {
            let open = (0..count).filter(|&k| !cheap[k].settled);
            let Some(best) = open.min_by(|&a, &b| cheap[a].bound.total_cmp(&cheap[b].bound)) else {
                break;
            };
            cheap[best].settled = true;
            let next = cheap[best];
            for link in cheap.iter_mut().filter(|l| !l.settled) {
                let chained = link.cost + distance(link.to, next.from) + next.bound;
                link.bound = link.bound.min(chained);
            }
        }
        Savings::Known(count)
    }

    /// Do links leave estimates unchanged?
    #[inline]
    pub(super) fn is_none(&self) -> bool {
        *self == Savings::Known(0)
    }

    /// Lower bound of the distance from a place to the goal over a shortcut link.
    ///
    /// In grid units.
    #[inline]
    pub(super) fn least(&self, place: [f64; 2], memory: &[Cheap]) -> f64 {
        let &Savings::Known(count) = self else {
            return 0.0;
        };
        (memory.iter().take(count))
            .fold(f64::INFINITY, |least, link| least.min(distance(place, link.from) + link.bound))
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;

    #[test]
    fn the_bound_is_the_least_over_all_chains_of_links() {
        let mut seed = 5u32;
        let mut next = move |most: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        };
        for _ in 0..200 {
            let mut place = || [next(1000) as i32, next(1000) as i32];
            let goal = place();
            let links: Vec<_> = (0..6)
                .map(|k| {
                    let (from, to) = (place(), place());
                    // Some cost more than their length.
                    let (from, to) = (float(from), float(to));
                    (from, to, distance(from, to) * f64::from(k) / 4.0)
                })
                .collect();
            let mut memory = [Cheap::default(); 8];
            let rest = |p| distance(p, float(goal));
            let savings = Savings::among(links.iter().copied(), rest, &mut memory);
            let Savings::Known(_) = savings else {
                panic!("there is room for all");
            };
            let from = place();
            // Plain: relax until nothing changes.
            let mut bounds: Vec<f64> = vec![f64::INFINITY; links.len()];
            for _ in 0..=links.len() {
                for i in 0..links.len() {
                    let (_, to, cost) = links[i];
                    let mut best = rest(to);
                    for j in 0..links.len() {
                        best = best.min(distance(to, links[j].0) + bounds[j]);
                    }
                    bounds[i] = bounds[i].min(cost + best);
                }
            }
            let from = float(from);
            let straight = rest(from);
            let plain = (0..links.len())
                .map(|i| distance(from, links[i].0) + bounds[i])
                .fold(straight, f64::min);
            let ours = savings.least(from, &memory).min(straight);
            assert!((plain - ours).abs() < 1e-9, "{plain} {ours}");
        }
    }

    #[test]
    fn too_many_links_leave_no_estimate() {
        let links = (0..9).map(|k| ([f64::from(k), 0.0], [500.0; 2], 0.0));
        let mut memory = [Cheap::default(); 8];
        let savings = Savings::among(links, |p| distance(p, [0.0; 2]), &mut memory);
        assert_eq!(savings, Savings::Unknown);
        assert_eq!(savings.least([7.0; 2], &memory), 0.0);
    }
}
