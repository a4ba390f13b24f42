//! How much a path can save by links that cost less than their length.
//!
//! Where all links cost at least the straight way between their ends, no path is shorter than the straight line. Where some cost less, a path may
//! go by chains of those: the bound is then the least over all such chains, with straight lines between them. A link that is not cheap saves
//! nothing, whatever it is part of, by the triangle inequality.

use navbake_format::Link;

use crate::math::{distance, float};

/// A cheap link that a search may take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cheap {
    /// Where it begins, grid units.
    from: [f64; 2],
    /// Where it ends.
    to: [f64; 2],
    /// Its cost, grid units.
    cost: f64,
    /// No way from its begin to the goal is shorter, if it is taken.
    bound: f64,
    settled: bool,
}

/// More cheap links than these are not looked at one by one: estimates are zero then.
pub(super) const MANY: usize = 256;

/// What cheap links leave of estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Savings {
    /// So many cheap links are known.
    Known(usize),
    /// There were too many for the memory: nothing is known.
    Unknown,
}

impl Savings {
    /// Collects the cheap ones of links and works out their bounds to the goal: every pair is compared once.
    pub(super) fn collect<'l>(
        links: impl Iterator<Item = Link<'l>>,
        units: f64,
        goal: [i32; 2],
        memory: &mut [Cheap],
    ) -> Savings {
        let room = memory.len().min(MANY);
        let goal = float(goal);
        let mut count = 0;
        for link in links {
            let (from, to) = (float(link.from), float(link.to));
            let cost = link.cost * units;
            if cost >= distance(from, to) {
                continue;
            }
            if count == room {
                return Savings::Unknown;
            }
            memory[count] = Cheap {
                from,
                to,
                cost,
                bound: cost + distance(to, goal),
                settled: false,
            };
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

    /// No way from a place to the goal that takes a cheap link is shorter than this, grid units.
    #[inline]
    pub(super) fn least(&self, place: [i32; 2], memory: &[Cheap]) -> f64 {
        let &Savings::Known(count) = self else {
            return 0.0;
        };
        let place = float(place);
        (memory.iter().take(count)).fold(f64::INFINITY, |least, link| {
            least.min(distance(place, link.from) + link.bound)
        })
    }
}

#[cfg(test)]
mod tests {
    use navbake_format::{LinkKind, PolyId};

    use super::*;

    fn link(from: [i32; 2], to: [i32; 2], cost: f64) -> Link<'static> {
        Link {
            polygon: PolyId(0),
            beyond: PolyId(0),
            from,
            to,
            cost,
            width: 0.0,
            agents: u32::MAX,
            switch: None,
            kind: LinkKind::Teleport,
            name: "",
        }
    }

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
                    let share = f64::from(k) / 4.0;
                    link(from, to, distance(float(from), float(to)) * share)
                })
                .collect();
            let mut memory = [Cheap::default(); 8];
            let savings = Savings::collect(links.iter().copied(), 1.0, goal, &mut memory);
            let Savings::Known(_) = savings else {
                panic!("there is room for all");
            };
            let from = place();
            // Plain: relax until nothing changes.
            let mut bounds: Vec<f64> = vec![f64::INFINITY; links.len()];
            for _ in 0..=links.len() {
                for i in 0..links.len() {
                    let to = float(links[i].to);
                    let mut best = distance(to, float(goal));
                    for j in 0..links.len() {
                        best = best.min(distance(to, float(links[j].from)) + bounds[j]);
                    }
                    bounds[i] = bounds[i].min(links[i].cost + best);
                }
            }
            let straight = distance(float(from), float(goal));
            let plain = (0..links.len())
                .map(|i| distance(float(from), float(links[i].from)) + bounds[i])
                .fold(straight, f64::min);
            let ours = savings.least(from, &memory).min(straight);
            assert!((plain - ours).abs() < 1e-9, "{plain} {ours}");
        }
    }

    #[test]
    fn too_many_links_leave_no_estimate() {
        let links = (0..9).map(|k| link([k, 0], [500, 500], 0.0));
        let mut memory = [Cheap::default(); 8];
        let savings = Savings::collect(links, 1.0, [0, 0], &mut memory);
        assert_eq!(savings, Savings::Unknown);
        assert_eq!(savings.least([7, 7], &memory), 0.0);
    }
}
