//! A network as plain lines between places, and Dijkstra's algorithm over them.

use navbake_format::NetworkView;
use navbake_gridpath::Network;

use super::world::World;

/// The points of a network and the ends of links, and the lines that lead out of each.
pub(super) struct Lines<'w> {
    world: &'w World,
    places: Vec<[f64; 3]>,
    steps: Vec<Vec<(usize, f64)>>,
    /// Grid units in a metre.
    units: f64,
    /// Ends are joined to this many points; 0 for all.
    joined: usize,
}

impl<'w> Lines<'w> {
    pub(super) fn new(
        world: &'w World,
        view: &NetworkView<'_>,
        network: &Network,
        units: f64,
    ) -> Lines<'w> {
        let count = view.point_count();
        let places: Vec<[f64; 3]> = (0..count).map(|p| network.point(p).unwrap()).collect();
        let step = |from: usize| {
            let edges = view.edges_of(from as u32).map(|edge| (edge.to as usize, edge.factor));
            let cost = |to: usize| world.cost(places[from], places[to]);
            edges.filter_map(|(to, f)| Some((to, cost(to)? * f64::from(f)))).collect()
        };
        let steps = (0..places.len()).map(step).collect();
        let mut own = Lines { world, places, steps, units, joined: view.joined as usize };
        let first = own.places.len();
        for &(from, to, cost) in &world.links {
            if world.may_leap(from, to) {
                let number = own.places.len();
                own.places.extend([from, to]);
                own.steps.extend([vec![(number + 1, cost)], vec![]]);
            }
        }
        for from in (first..own.places.len()).step_by(2) {
            let to = from + 1;
            for (p, cost) in own.nearest(own.places[from], false) {
                own.steps[p].extend((p != from).then_some((from, cost)));
            }
            let seen = own.nearest(own.places[to], true);
            own.steps[to].extend(seen.into_iter().filter(|(p, _)| *p != to));
        }
        own
    }

    /// The points nearest to a place from above that it sees, with the costs of lines.
    fn nearest(&self, at: [f64; 3], outwards: bool) -> Vec<(usize, f64)> {
        let apart = |p: &usize| {
            let d = [0, 2].map(|k| (self.places[*p][k] - at[k]) * self.units);
            (d[0] * d[0] + d[1] * d[1]).round() as i64
        };
        let mut all: Vec<usize> = (0..self.places.len()).collect();
        all.sort_by_key(|p| (apart(p), *p));
        let seen = all.into_iter().filter_map(|p| {
            let [from, to] = if outwards { [at, self.places[p]] } else { [self.places[p], at] };
            self.world.cost(from, to).map(|cost| (p, cost))
        });
        seen.take(if self.joined == 0 { usize::MAX } else { self.joined }).collect()
    }

    /// The least cost from a place to another.
    pub(super) fn distance(&self, ends: [[f64; 3]; 2]) -> f64 {
        let mut into = vec![f64::INFINITY; self.places.len()];
        for (p, cost) in self.nearest(ends[1], false) {
            into[p] = cost;
        }
        let mut least = self.world.cost(ends[0], ends[1]).unwrap_or(f64::INFINITY);
        let mut best = vec![f64::INFINITY; self.places.len()];
        for (p, cost) in self.nearest(ends[0], true) {
            best[p] = cost;
        }
        let mut done = vec![false; self.places.len()];
        loop {
            let open = (0..best.len()).filter(|&p| !done[p] && best[p].is_finite());
            let Some(p) = open.min_by(|&a, &b| best[a].total_cmp(&best[b])) else {
                return least;
            };
            done[p] = true;
            least = least.min(best[p] + into[p]);
            for &(to, cost) in &self.steps[p] {
                best[to] = best[to].min(best[p] + cost);
            }
        }
    }
}
