//! Worlds of unit squares with arbitrary links between them, and slow oracles.
//!
//! The worlds can be baked as navmeshes. The oracles work on the squares alone.

pub mod walk;

use std::collections::{BTreeMap, BTreeSet};

use navbake_format::write::{BlobParts, HeightMeshParts, MeshParts, encode};
use navbake_search::{NavPoint, NavQuery};

use crate::Random;
use crate::scene::point_agent;

/// Grid units per side of a square, which is a metre.
pub const SIDE: i32 = 16;
/// Height between storeys, grid units.
pub const STOREY: i32 = 160;

/// Directions to the neighbours, in the order of the counter-clockwise edges.
///
/// West (least x), south (greatest z), east, north.
const SIDES: [[i32; 2]; 4] = [[-1, 0], [0, 1], [1, 0], [0, -1]];

#[derive(Clone)]
pub struct World {
    pub width: i32,
    pub depth: i32,
    pub storeys: usize,
    /// By storey, row, column.
    pub free: Vec<bool>,
    /// The square beyond each side.
    pub links: Vec<[Option<usize>; 4]>,
}

impl World {
    pub fn id(&self, column: i32, row: i32, storey: usize) -> usize {
        (storey * self.depth as usize + row as usize) * self.width as usize + column as usize
    }

    pub fn cell(&self, id: usize) -> (i32, i32, usize) {
        let (w, d) = (self.width as usize, self.depth as usize);
        ((id % w) as i32, (id / w % d) as i32, id / (w * d))
    }

    /// Makes a world of rows of `.` (free) and other characters (blocked).
    ///
    /// Adjacent squares are linked.
    pub fn flat(rows: &[&str]) -> World {
        let mut world = World {
            width: rows[0].len() as i32,
            depth: rows.len() as i32,
            storeys: 1,
            free: rows.iter().flat_map(|r| r.bytes().map(|b| b == b'.')).collect(),
            links: vec![],
        };
        world.link_neighbours(|_, _| true);
        world
    }

    pub fn random_flat(random: &mut Random, width: i32, depth: i32, blocked: u64) -> World {
        World::random(random, width, depth, 1, blocked, 0, 0)
    }

    /// A random world of squares.
    ///
    /// Some squares are blocked, some links cut (walls without thickness), and some links exchanged
    /// between storeys (ramps, helices).
    pub fn random(
        random: &mut Random,
        width: i32,
        depth: i32,
        storeys: usize,
        blocked: u64,
        cut: u64,
        exchanged: u64,
    ) -> World {
        let count = width as usize * depth as usize * storeys;
        let mut world = World {
            width,
            depth,
            storeys,
            free: (0..count).map(|_| !random.chance(blocked)).collect(),
            links: vec![],
        };
        world.link_neighbours(|_, _| !random.chance(cut));
        for row in 0..depth {
            for column in 0..width {
                for side in [1, 2] {
                    let (c, r) = (column + SIDES[side][0], row + SIDES[side][1]);
                    if storeys > 1 && c < width && r < depth && random.chance(exchanged) {
                        let (s, t) = (random.below(storeys), random.below(storeys));
                        if s != t {
                            let (a, b) = (world.id(column, row, s), world.id(column, row, t));
                            let (la, lb) = (world.links[a][side], world.links[b][side]);
                            let far = (side + 2) % 4;
                            if let (Some(x), Some(y)) = (la, lb) {
                                (world.links[a][side], world.links[b][side]) = (lb, la);
                                (world.links[x][far], world.links[y][far]) = (Some(b), Some(a));
                            }
                        }
                    }
                }
            }
        }
        world
    }

    fn link_neighbours(&mut self, mut keep: impl FnMut(usize, usize) -> bool) {
        self.links = vec![[None; 4]; self.free.len()];
        for id in 0..self.free.len() {
            let (column, row, storey) = self.cell(id);
            for side in [1, 2] {
                let (c, r) = (column + SIDES[side][0], row + SIDES[side][1]);
                if c >= self.width || r >= self.depth {
                    continue;
                }
                let other = self.id(c, r, storey);
                if self.free[id] && self.free[other] && keep(id, other) {
                    self.links[id][side] = Some(other);
                    self.links[other][(side + 2) % 4] = Some(id);
                }
            }
        }
    }

    /// The island of each square, `usize::MAX` for blocked ones. Breadth first.
    pub fn islands(&self) -> Vec<usize> {
        let mut island = vec![usize::MAX; self.free.len()];
        for start in 0..self.free.len() {
            if !self.free[start] || island[start] != usize::MAX {
                continue;
            }
            let mut queue = std::collections::VecDeque::from([start]);
            island[start] = start;
            while let Some(id) = queue.pop_front() {
                for next in self.links[id].into_iter().flatten() {
                    if island[next] == usize::MAX {
                        island[next] = start;
                        queue.push_back(next);
                    }
                }
            }
        }
        island
    }

    /// The blob of the world.
    ///
    /// With `join`, squares are joined to rectangles. With `sparse`, collinear corners are kept
    /// only where the neighbour changes. Heights vary slightly from corner to corner.
    pub fn bake(&self, join: bool, sparse: bool) -> Vec<u8> {
        self.bake_with_points(join, sparse, 0)
    }

    /// The same, with `points` height points in every second polygon.
    ///
    /// Some of them are on its border.
    pub fn bake_with_points(&self, join: bool, sparse: bool, points: usize) -> Vec<u8> {
        let rectangles = self.rectangles(join);
        let mut owner = vec![usize::MAX; self.free.len()];
        for (i, &(c0, r0, c1, r1, s)) in rectangles.iter().enumerate() {
            for r in r0..r1 {
                for c in c0..c1 {
                    owner[self.id(c, r, s)] = i;
                }
            }
        }
        let (mut vertices, mut numbers) = (vec![], BTreeMap::new());
        let (mut first_edge, mut corners, mut neighbours) = (vec![0u32], vec![], vec![]);
        for &(c0, r0, c1, r1, s) in &rectangles {
            // Unit edges, counter-clockwise, each with its start and the rectangle beyond.
            let mut edges: Vec<([i32; 2], u32, usize)> = vec![];
            let mut edge = |point, c, r, side: usize| {
                let beyond = self.links[self.id(c, r, s)][side];
                edges.push((point, beyond.map_or(u32::MAX, |b| owner[b] as u32), side));
            };
            (r0..r1).for_each(|r| edge([c0, r], c0, r, 0));
            (c0..c1).for_each(|c| edge([c, r1], c, r1 - 1, 1));
            (r0..r1).rev().for_each(|r| edge([c1, r + 1], c1 - 1, r, 2));
            (c0..c1).rev().for_each(|c| edge([c + 1, r0], c, r0, 3));
            if sparse {
                edges.dedup_by(|b, a| a.1 == b.1 && a.2 == b.2);
            }
            for (point, beyond, _) in edges {
                let v = *numbers.entry((point, s)).or_insert_with(|| {
                    let wobble = (point[0] * 7 + point[1] * 13 + s as i32 * 5) % 4;
                    vertices.push([point[0] * SIDE, s as i32 * STOREY + wobble, point[1] * SIDE]);
                    vertices.len() as u32 - 1
                });
                corners.push(v);
                neighbours.push(beyond);
            }
            first_edge.push(corners.len() as u32);
        }
        // Every second rectangle has a height mesh of its own, with the rectangle as its box.
        let mut random = Random(points as u64);
        let mut inner: Vec<Vec<[u16; 3]>> = vec![];
        for &(c0, r0, c1, r1, _) in &rectangles {
            let [w, h] = [c1 - c0, r1 - r0].map(|n| (n * SIDE) as u16);
            let mut own: Vec<[u16; 3]> = (0..points)
                .map(|_| {
                    let mut below = |n: u16| random.below(usize::from(n) + 1) as u16;
                    [below(w), below(11), below(h)]
                })
                .filter(|p| !((p[0] == 0 || p[0] == w) && (p[2] == 0 || p[2] == h)))
                .collect();
            own.sort_unstable_by_key(|p| (p[0], p[2]));
            own.dedup_by_key(|p| (p[0], p[2]));
            inner.push(own);
        }
        let height_meshes: Vec<HeightMeshParts> = (rectangles.iter().zip(&inner))
            .map(|(&(c0, r0, c1, r1, s), points)| HeightMeshParts {
                least: [c0 * SIDE, r0 * SIDE],
                size: [c1 - c0, r1 - r0].map(|n| (n * SIDE) as u16),
                base: s as i32 * STOREY,
                corners: [3, 1, 4, 1],
                points,
                ..HeightMeshParts::default()
            })
            .collect();
        let height_mesh_of: Vec<u32> = (0..rectangles.len() as u32)
            .map(|i| if points > 0 && i % 2 == 0 { i } else { u32::MAX })
            .collect();
        let island = self.islands();
        let islands: Vec<u32> =
            (rectangles.iter()).map(|&(c, r, _, _, s)| island[self.id(c, r, s)] as u32).collect();
        encode(&BlobParts {
            grid_bits: 4,
            agents: &[point_agent("point")],
            meshes: &[MeshParts {
                height_mesh_of: &height_mesh_of,
                height_meshes: &height_meshes,
                vertices: &vertices,
                first_edge: &first_edge,
                corners: &corners,
                neighbours: &neighbours,
                islands: &islands,
                ..MeshParts::default()
            }],
            ..BlobParts::default()
        })
        .unwrap()
    }

    fn rectangles(&self, join: bool) -> Vec<(i32, i32, i32, i32, usize)> {
        let mut taken: Vec<bool> = self.free.iter().map(|f| !f).collect();
        let mut all = vec![];
        for id in 0..self.free.len() {
            if taken[id] {
                continue;
            }
            let (c0, r0, s) = self.cell(id);
            let (mut c1, mut r1) = (c0 + 1, r0 + 1);
            let linked = |c: i32, r: i32, side: usize| {
                let (x, z) = (c + SIDES[side][0], r + SIDES[side][1]);
                x < self.width
                    && z < self.depth
                    && !taken[self.id(x, z, s)]
                    && self.links[self.id(c, r, s)][side] == Some(self.id(x, z, s))
            };
            if join {
                while linked(c1 - 1, r0, 2) {
                    c1 += 1;
                }
                while (c0..c1).all(|c| linked(c, r1 - 1, 1))
                    && (c0..c1 - 1).all(|c| linked(c, r1, 2))
                {
                    r1 += 1;
                }
            }
            for r in r0..r1 {
                for c in c0..c1 {
                    let id = self.id(c, r, s);
                    taken[id] = true;
                }
            }
            all.push((c0, r0, c1, r1, s));
        }
        all
    }

    /// The place of a grid point on the polygon that holds the middle of a square.
    pub fn place(&self, query: &NavQuery<'_>, square: usize, point: [i32; 2]) -> NavPoint {
        let (c, r, s) = self.cell(square);
        let metres = |v: f64| v / f64::from(SIDE);
        let y = metres(s as f64 * f64::from(STOREY));
        let middle = [f64::from(c) + 0.5, y, f64::from(r) + 0.5];
        let polygon = query.locate(middle, 1.0).expect("a free square").polygon();
        let at = point.map(|p| metres(p.into()));
        query.on_polygon(polygon, [at[0], y, at[1]]).expect("on its square")
    }

    /// All squares that are the same ground at a point as those of a set that touch it.
    pub fn spread(&self, set: &BTreeSet<usize>, point: [i128; 2], scale: i128) -> BTreeSet<usize> {
        let mut all = BTreeSet::new();
        let mut stack: Vec<usize> =
            set.iter().copied().filter(|&s| self.touches(s, point, scale)).collect();
        while let Some(id) = stack.pop() {
            if !all.insert(id) {
                continue;
            }
            let (c, r, _) = self.cell(id);
            for (side, next) in self.links[id].iter().enumerate() {
                let line = match side {
                    0 => point[0] == i128::from(c * SIDE) * scale,
                    1 => point[1] == i128::from((r + 1) * SIDE) * scale,
                    2 => point[0] == i128::from((c + 1) * SIDE) * scale,
                    _ => point[1] == i128::from(r * SIDE) * scale,
                };
                if let (true, Some(next)) = (line, next) {
                    stack.push(*next);
                }
            }
        }
        all
    }

    fn touches(&self, id: usize, point: [i128; 2], scale: i128) -> bool {
        let (c, r, _) = self.cell(id);
        [c, r].iter().zip(point).all(|(&low, p)| {
            i128::from(low * SIDE) * scale <= p && p <= i128::from((low + 1) * SIDE) * scale
        })
    }

    /// Squares that a straight line from `a` to `b` (grid units) can end in.
    ///
    /// `set` holds the squares where it can begin. At corners and along walls without thickness
    /// there is a choice; all choices are followed.
    pub fn walk(&self, set: &BTreeSet<usize>, a: [i32; 2], b: [i32; 2]) -> BTreeSet<usize> {
        let d = [i128::from(b[0] - a[0]), i128::from(b[1] - a[1])];
        let a = a.map(i128::from);
        let side = i128::from(SIDE);
        // Times are multiples of 1 / (2 |dx| |dz|), so midpoints of pieces are whole numbers too.
        let unit = 2 * d[0].abs().max(1) * d[1].abs().max(1);
        let mut times = BTreeSet::from([0, unit]);
        for k in 0..2 {
            if d[k] == 0 {
                continue;
            }
            let (low, high) = (a[k].min(a[k] + d[k]), a[k].max(a[k] + d[k]));
            for line in low.div_euclid(side)..=high.div_euclid(side) + 1 {
                let c = line * side;
                if low < c && c < high {
                    times.insert((c - a[k]) * unit / d[k]);
                }
            }
        }
        let at = |t: i128| [a[0] * 2 * unit + d[0] * t, a[1] * 2 * unit + d[1] * t];
        let times: Vec<i128> = times.into_iter().collect();
        // at() takes half time units, in a scale of 2 * unit.
        let mut set = self.spread(set, at(0), 2 * unit);
        for w in times.windows(2) {
            let middle = at(w[0] + w[1]);
            set.retain(|&s| self.touches(s, middle, 2 * unit));
            set = self.spread(&set, at(2 * w[1]), 2 * unit);
        }
        set
    }

    /// Length of the shortest path between two points in two squares, grid units.
    ///
    /// Uses a visibility graph over all corners of free squares.
    pub fn shortest(&self, from: usize, a: [i32; 2], to: usize, b: [i32; 2]) -> Option<f64> {
        // A node is a point and the squares that are the same ground there.
        let mut nodes: Vec<([i32; 2], BTreeSet<usize>)> = vec![];
        let ground =
            |id: usize, p: [i32; 2]| self.spread(&BTreeSet::from([id]), p.map(i128::from), 1);
        nodes.push((a, ground(from, a)));
        nodes.push((b, ground(to, b)));
        let islands = self.islands();
        for id in (0..self.free.len()).filter(|&i| islands[i] == islands[from]) {
            let (c, r, _) = self.cell(id);
            for p in [[c, r], [c + 1, r], [c, r + 1], [c + 1, r + 1]] {
                let p = p.map(|v| v * SIDE);
                let squares = ground(id, p);
                if !nodes.iter().any(|n| n.0 == p && n.1 == squares) {
                    nodes.push((p, squares));
                }
            }
        }
        let mut best = vec![f64::INFINITY; nodes.len()];
        let mut done = vec![false; nodes.len()];
        best[0] = 0.0;
        loop {
            let n = (0..nodes.len())
                .filter(|&n| !done[n] && best[n].is_finite())
                .min_by(|&a, &b| best[a].total_cmp(&best[b]))?;
            if n == 1 {
                return Some(best[1]);
            }
            done[n] = true;
            for m in 0..nodes.len() {
                let (p, q) = (nodes[n].0, nodes[m].0);
                let length = f64::from(q[0] - p[0]).hypot(f64::from(q[1] - p[1]));
                if !done[m]
                    && best[n] + length < best[m]
                    && !self.walk(&nodes[n].1, p, q).is_disjoint(&nodes[m].1)
                {
                    best[m] = best[n] + length;
                }
            }
        }
    }
}
