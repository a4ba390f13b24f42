//! Maps with weights, gates and links, and plain costs over them.

use navbake_format::NetworkView;
use navbake_level::{CellShape, GridMap};
use navbake_testkit::Random;

/// Weights of the units on the terrains 0, 1 and 2.
pub(super) const UNITS: [(&str, [f64; 3]); 2] =
    [("walker", [1.0, 2.5, 4.0]), ("tank", [1.5, f64::INFINITY, 1.25])];

/// A map with a gate over some cells, and links.
pub(super) struct World {
    pub(super) map: GridMap,
    /// Least and greatest column and row.
    pub(super) gate: [usize; 4],
    pub(super) links: Vec<([f64; 2], [f64; 2], f64)>,
    pub(super) weights: [f64; 3],
    pub(super) closed: bool,
}

/// How the ground is at a place.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ground {
    Blocked,
    /// Closed or forbidden: only left, at this cost.
    Shut(f64),
    Open(f64),
}

/// May a path lead from one place to another?
fn enters(from: Ground, to: Ground) -> bool {
    !matches!((from, to), (_, Ground::Blocked) | (Ground::Open(_), Ground::Shut(_)))
}

impl World {
    pub(super) fn new(random: &mut Random, terrains: usize, links: usize) -> World {
        let (width, height) = (5 + random.below(12), 5 + random.below(12));
        let blocked = random.below(40) as u64;
        let free: Vec<bool> =
            (0..width * height).map(|k| k == 0 || !random.chance(blocked)).collect();
        let patch: Vec<u8> = free.iter().map(|_| random.below(terrains) as u8).collect();
        let terrain: Vec<u8> = (0..free.len())
            .map(|k| {
                let (c, r) = (k % width / 4, k / width / 4);
                if random.chance(85) { patch[r * width + c] } else { patch[k] }
            })
            .collect();
        let (c, r) = (random.below(width), random.below(height));
        let gate =
            [c, r, (c + 1 + random.below(3)).min(width), (r + 1 + random.below(3)).min(height)];
        let map = GridMap {
            shape: CellShape::Square,
            cell: 1.0,
            width: width as u32,
            height: height as u32,
            free,
            terrain,
        };
        let mut world = World { map, gate, links: vec![], weights: UNITS[0].1, closed: false };
        for k in 0..links {
            let (from, to) = (world.place(random), world.place(random));
            if from != to {
                world.links.push((from, to, (3 * k + 1) as f64 / 4.0));
            }
        }
        world
    }

    /// A place on a free cell, on no line of the map.
    pub(super) fn place(&self, random: &mut Random) -> [f64; 2] {
        let free: Vec<usize> = (0..self.map.free.len()).filter(|&k| self.map.free[k]).collect();
        let (k, width) = (free[random.below(free.len())], self.map.width as usize);
        let mut within = || (3 + 2 * random.below(28)) as f64 / 64.0 + 1.0 / 256.0;
        [(k % width) as f64 + within(), (k / width) as f64 + within()]
    }

    pub(super) fn config(&self, networks: &str) -> String {
        let mut text = String::from("[terrain]\nnames = [\"plain\", \"mud\", \"water\"]\n");
        for (name, _) in UNITS {
            text += &format!("[[agent]]\nname = \"{name}\"\n");
        }
        text += "[weights.units]\n";
        for (name, [plain, mud, water]) in UNITS {
            text +=
                &format!("{name} = {{ plain = {plain:?}, mud = {mud:?}, water = {water:?} }}\n");
        }
        text += "[[area]]\nname = \"gate\"\nswitch = \"gate\"\n[[switch]]\nname = \"gate\"\n";
        let [c, r, far_c, far_r] = self.gate;
        text += &format!(
            "[[volume]]\nbox = [[{c}.25, -1.0, {r}.25], [{far_c}.25, 1.0, {far_r}.25]]\narea = \"gate\"\n"
        );
        for ([x, z], [to_x, to_z], cost) in &self.links {
            text += &format!(
                "[[link]]\nfrom = [{x:?}, 0.0, {z:?}]\nto = [{to_x:?}, 0.0, {to_z:?}]\ncost = {cost:?}\n"
            );
        }
        text + networks
    }

    pub(super) fn cell(&self, column: f64, row: f64) -> Option<usize> {
        let inside = |v: f64, most: u32| v >= 0.0 && v < f64::from(most);
        let k = row.floor() as usize * self.map.width as usize + column.floor() as usize;
        (inside(column, self.map.width) && inside(row, self.map.height) && self.map.free[k])
            .then_some(k)
    }

    /// The least cost of ground that is not forbidden.
    pub(super) fn least(&self) -> f64 {
        let free = (0..self.map.free.len()).filter(|&k| self.map.free[k]);
        let least = free.map(|k| self.weight(k)).filter(|w| w.is_finite());
        let least = least.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }

    /// Is a cell of the gate? Its middle decides.
    pub(super) fn is_gate(&self, cell: usize) -> bool {
        let width = self.map.width as usize;
        let [column, row, far_column, far_row] = self.gate;
        (column..far_column).contains(&(cell % width)) && (row..far_row).contains(&(cell / width))
    }

    pub(super) fn weight(&self, cell: usize) -> f64 {
        match self.is_gate(cell) {
            true => 1.0,
            false => self.weights[usize::from(self.map.terrain[cell])],
        }
    }

    pub(super) fn ground(&self, at: [f64; 2], least: f64) -> Ground {
        let Some(cell) = self.cell(at[0], at[1]) else {
            return Ground::Blocked;
        };
        match self.weight(cell) {
            _ if self.is_gate(cell) && self.closed => Ground::Shut(1.0),
            weight if weight.is_finite() => Ground::Open(weight),
            _ => Ground::Shut(least),
        }
    }

    /// The cost of a straight line, where it is free: from one line of the map to the next.
    pub(super) fn cost(&self, from: [f64; 2], to: [f64; 2]) -> Option<f64> {
        let least = self.least();
        let d = [to[0] - from[0], to[1] - from[1]];
        let mut cuts = vec![0.0, 1.0];
        for k in 0..2 {
            let lines = (0..=40).map(f64::from);
            cuts.extend(lines.map(|line| (line - from[k]) / d[k]).filter(|t| *t > 0.0 && *t < 1.0));
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup_by(|b, a| *b - *a < 1e-12);
        let at = |t: f64| [from[0] + t * d[0], from[1] + t * d[1]];
        let (mut sum, mut last) = (0.0, None);
        for pair in cuts.windows(2) {
            let middle = at((pair[0] + pair[1]) / 2.0);
            let here = self.ground(middle, least);
            if let Some(before) = last {
                if !enters(before, here) {
                    return None;
                }
                // Through a point where lines cross, one of the places beside it must be open.
                let [x, z] = at(pair[0]);
                let is_line = |v: f64| (v - v.round()).abs() < 1e-9;
                if is_line(x) && is_line(z) && d[0] * d[1] != 0.0 {
                    let beside = [[-0.01, 0.01], [0.01, -0.01], [-0.01, -0.01], [0.01, 0.01]];
                    let beside = beside.iter().filter(|b| b[0] * d[0] * b[1] * d[1] < 0.0);
                    if !beside.into_iter().any(|b| {
                        let side = self.ground([x + b[0], z + b[1]], least);
                        enters(before, side) && enters(side, here)
                    }) {
                        return None;
                    }
                }
            }
            let (Ground::Open(weight) | Ground::Shut(weight)) = here else {
                return None;
            };
            sum += weight * (pair[1] - pair[0]) * d[0].hypot(d[1]);
            last = Some(here);
        }
        Some(sum)
    }

    /// The least cost from a place to another over a network, by Dijkstra's algorithm.
    pub(super) fn distance(
        &self,
        network: &NetworkView<'_>,
        units: f64,
        ends: [[f64; 2]; 2],
    ) -> f64 {
        let mut points: Vec<[f64; 2]> =
            network.points().map(|p| p.at.map(|v| f64::from(v) / units)).collect();
        let first = points.len();
        let mut edges: Vec<(usize, usize, f64)> = vec![];
        for from in 0..points.len() {
            for edge in network.edges_of(from as u32) {
                let to = edge.to as usize;
                let cost = self.cost(points[from], points[to]);
                edges.extend(cost.map(|cost| (from, to, cost * f64::from(edge.factor))));
            }
        }
        for &(from, to, cost) in &self.links {
            if enters(self.ground(from, 1.0), self.ground(to, 1.0)) {
                points.extend([from, to]);
                edges.push((points.len() - 2, points.len() - 1, cost));
            }
        }
        let count = points.len();
        let nearest = |at: [f64; 2], outwards: bool, own: usize| {
            let apart = |p: usize| {
                let d = [0, 1].map(|k| (points[p][k] - at[k]) * units);
                (d[0] * d[0] + d[1] * d[1]).round() as i64
            };
            let mut all: Vec<usize> = (0..count).collect();
            all.sort_by_key(|&p| (apart(p), p));
            let seen = all.into_iter().filter_map(|p| {
                let line = if outwards { [at, points[p]] } else { [points[p], at] };
                self.cost(line[0], line[1]).map(|cost| (p, cost))
            });
            let seen: Vec<(usize, f64)> = match network.joined {
                0 => seen.collect(),
                most => seen.take(most as usize).collect(),
            };
            seen.into_iter().filter(move |(p, _)| *p != own)
        };
        for from in (first..count).step_by(2) {
            let to = from + 1;
            edges.extend(nearest(points[from], false, from).map(|(p, cost)| (p, from, cost)));
            edges.extend(nearest(points[to], true, to).map(|(p, cost)| (to, p, cost)));
        }
        edges.extend(nearest(ends[0], true, usize::MAX).map(|(p, cost)| (count, p, cost)));
        edges.extend(nearest(ends[1], false, usize::MAX).map(|(p, cost)| (p, count + 1, cost)));
        edges.extend(self.cost(ends[0], ends[1]).map(|cost| (count, count + 1, cost)));
        let mut best = vec![f64::INFINITY; count + 2];
        best[count] = 0.0;
        let mut done = vec![false; count + 2];
        loop {
            let open = (0..count + 2).filter(|&p| !done[p] && best[p].is_finite());
            let Some(p) = open.min_by(|&a, &b| best[a].total_cmp(&best[b])) else {
                return best[count + 1];
            };
            done[p] = true;
            for &(_, to, cost) in edges.iter().filter(|edge| edge.0 == p) {
                best[to] = best[to].min(best[p] + cost);
            }
        }
    }
}
