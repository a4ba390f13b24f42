//! Levels of square cells on storeys, and a slow, plain oracle for the cheapest path over them:
//! Dijkstra over all corners that a path can turn at and both ends of all links, sight in whole
//! numbers.

use std::collections::{BTreeMap, BTreeSet};

/// Number of steps a cell.
pub(crate) const STEPS: i64 = 16;

/// A place: the height of its storey, and x and z in steps.
pub(crate) type Place = (i64, [i64; 2]);

/// A link, in one direction.
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) from: Place,
    pub(crate) to: Place,
    /// Metres.
    pub(crate) cost: f64,
    /// Does the agent that asks take it?
    pub(crate) open: bool,
}

/// Cells by height and place, and what is in them.
pub(crate) struct Cells {
    free: BTreeMap<(i64, i64, i64), char>,
    heights: Vec<i64>,
    pub(crate) links: Vec<Link>,
    /// Cells with these letters are shut.
    pub(crate) shut: BTreeSet<char>,
}

/// Nodes of the graph of sight, with the distances between them.
pub(crate) struct Sight {
    nodes: Vec<Place>,
    /// To each node that is seen, and how far it is.
    seen: Vec<Vec<(usize, f64)>>,
}

impl Cells {
    /// Reads a `plan.txt`, or a MovingAI map.
    pub(crate) fn read(text: &str) -> Cells {
        let (mut y, mut z) = (0, -4);
        let mut cells =
            Cells { free: BTreeMap::new(), heights: vec![], links: vec![], shut: BTreeSet::new() };
        if !text.starts_with("storey") {
            cells.heights.push(0);
        }
        for line in text.lines() {
            if let Some(height) = line.strip_prefix("storey ") {
                (y, z) = (height.parse().unwrap(), 0);
                cells.heights.push(y);
                continue;
            }
            if z >= 0 {
                for (x, c) in (0i64..).zip(line.chars()).filter(|(_, c)| *c != '@') {
                    cells.free.insert((y, x, z), c);
                }
            }
            z += 1;
        }
        cells
    }

    /// All cells without a letter.
    pub(crate) fn plain(&self) -> Vec<(i64, i64, i64)> {
        let plain = self.free.iter().filter(|(_, c)| **c == '.');
        plain.map(|(cell, _)| *cell).collect()
    }

    fn is_free(&self, y: i64, x: i64, z: i64) -> bool {
        (self.free.get(&(y, x, z))).is_some_and(|c| !self.shut.contains(c))
    }

    /// May one go straight from place to place?
    fn sees(&self, y: i64, a: [i64; 2], b: [i64; 2]) -> bool {
        let [dx, dz] = [b[0] - a[0], b[1] - a[1]];
        let range = |k: usize| {
            let (low, high) = (a[k].min(b[k]), a[k].max(b[k]));
            low.div_euclid(STEPS)..(high + STEPS - 1).div_euclid(STEPS)
        };
        // Along a line between cells either side will do.
        if dx == 0 && a[0] % STEPS == 0 {
            let x = a[0] / STEPS;
            return range(1).all(|z| self.is_free(y, x - 1, z) || self.is_free(y, x, z));
        }
        if dz == 0 && a[1] % STEPS == 0 {
            let z = a[1] / STEPS;
            return range(0).all(|x| self.is_free(y, x, z - 1) || self.is_free(y, x, z));
        }
        range(1).all(|z| {
            range(0).all(|x| {
                let side = |cx: i64, cz: i64| dx * (cz * STEPS - a[1]) - dz * (cx * STEPS - a[0]);
                let sides = [side(x, z), side(x + 1, z), side(x, z + 1), side(x + 1, z + 1)];
                let inside = sides.iter().any(|&s| s < 0) && sides.iter().any(|&s| s > 0);
                !inside || self.is_free(y, x, z)
            })
        })
    }

    /// The graph of sight between corners and ends of links.
    pub(crate) fn sight(&self) -> Sight {
        let mut nodes: Vec<Place> = vec![];
        for link in &self.links {
            nodes.extend([link.from, link.to]);
        }
        let (mut most, free) = ([0; 2], self.free.keys());
        free.for_each(|&(_, x, z)| most = [most[0].max(x + 1), most[1].max(z + 1)]);
        for &y in &self.heights {
            for z in 0..=most[1] {
                for x in 0..=most[0] {
                    let around = [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)];
                    let around = around.map(|(x, z)| self.is_free(y, x, z));
                    assert!(
                        around != [true, false, false, true]
                            && around != [false, true, true, false]
                    );
                    if around.iter().filter(|f| **f).count() == 3 {
                        nodes.push((y, [x * STEPS, z * STEPS]));
                    }
                }
            }
        }
        let seen = nodes.iter().map(|&n| self.seen(&nodes, n)).collect();
        Sight { nodes, seen }
    }

    /// The nodes that are seen from a place.
    fn seen(&self, nodes: &[Place], (y, p): Place) -> Vec<(usize, f64)> {
        let seen = (0..).zip(nodes).filter(|(_, (h, q))| *h == y && self.sees(y, p, *q));
        seen.map(|(n, (_, q))| (n, away(p, *q))).collect()
    }

    /// The cost of the cheapest path over these links; `None` without any path.
    pub(crate) fn cheapest(
        &self,
        sight: &Sight,
        from: Place,
        to: Place,
        takes: impl Fn(&Link) -> bool,
    ) -> Option<f64> {
        let mut best = vec![f64::INFINITY; sight.nodes.len()];
        let mut done = vec![false; sight.nodes.len()];
        let seen = self.seen(&sight.nodes, from);
        seen.iter().for_each(|&(n, d)| best[n] = d);
        let mut end = vec![f64::INFINITY; sight.nodes.len()];
        self.seen(&sight.nodes, to).iter().for_each(|&(n, d)| end[n] = d);
        let straight = from.0 == to.0 && self.sees(from.0, from.1, to.1);
        let mut cheapest = if straight { away(from.1, to.1) } else { f64::INFINITY };
        while let Some(n) = (0..best.len())
            .filter(|&n| !done[n] && best[n].is_finite())
            .min_by(|&a, &b| best[a].total_cmp(&best[b]))
        {
            done[n] = true;
            cheapest = cheapest.min(best[n] + end[n]);
            for &(m, d) in &sight.seen[n] {
                best[m] = best[m].min(best[n] + d);
            }
            // Ends of link i are the nodes 2 i and 2 i + 1.
            if let Some(link) = self.links.get(n / 2).filter(|l| n % 2 == 0 && l.open && takes(l)) {
                best[n + 1] = best[n + 1].min(best[n] + link.cost);
            }
        }
        cheapest.is_finite().then_some(cheapest)
    }
}

/// In metres.
fn away(a: [i64; 2], b: [i64; 2]) -> f64 {
    let [x, z] = [b[0] - a[0], b[1] - a[1]].map(|d| d as f64);
    (x * x + z * z).sqrt() / STEPS as f64
}
