//! The tiles that ground covers, and the connections between tiles.
//!
//! The polygons within a tile are connected by the edges that they share within it. Where no wall
//! is within the tile, connected polygons cover all of it, because ground ends only at walls. So
//! nothing is sampled, and everything is decided in whole grid units; tiles whose sides are between
//! two units are enlarged.

use std::collections::HashMap;

use navbake_geom::{Grid, UnionFind, Whole};
use navbake_mesh::{NONE, PolygonMesh};

/// A free tile: ground that covers it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Column and row.
    pub(super) tile: [i32; 2],
    /// Height at its middle, grid units; height meshes aside.
    pub(super) height: i32,
    /// The node that it goes on to across the side of greater x, greater z, lesser x, lesser z, or
    /// [`NONE`].
    pub(super) beside: [u32; 4],
    /// The polygons that cover it, rising.
    polygons: Vec<u32>,
}

/// Tiles of a side, in metres, on a mesh.
pub(super) struct Cover<'m> {
    mesh: &'m PolygonMesh,
    grid: Grid,
    tile: f64,
}

/// A square in grid units: least and greatest x, then z.
type Square = [[i64; 2]; 2];

impl<'m> Cover<'m> {
    pub(super) fn new(mesh: &'m PolygonMesh, grid: Grid, tile: f64) -> Cover<'m> {
        Cover { mesh, grid, tile }
    }

    /// The total number of tiles in boxes around polygons, all of which [`Cover::nodes`] visits.
    pub(super) fn work(&self) -> f64 {
        let polygons = 0..self.mesh.len();
        polygons
            .map(|p| {
                let ranges = self.tiles_of(p);
                let sides = ranges.map(|[low, high]| f64::from(high) - f64::from(low) + 1.0);
                sides[0] * sides[1]
            })
            .sum()
    }

    /// The free tiles by row and column, those of one place by their polygons.
    pub(super) fn nodes(&self) -> Vec<Node> {
        let mut touched: Vec<([i32; 2], u32)> = vec![];
        for p in 0..self.mesh.len() {
            let [columns, rows] = self.tiles_of(p);
            for row in rows[0]..=rows[1] {
                for column in columns[0]..=columns[1] {
                    if self.overlaps(p, &self.square([column, row])) {
                        touched.push(([row, column], p as u32));
                    }
                }
            }
        }
        touched.sort_unstable();
        let mut nodes = vec![];
        for group in touched.chunk_by(|a, b| a.0 == b.0) {
            let [row, column] = group[0].0;
            let polygons: Vec<u32> = group.iter().map(|g| g.1).collect();
            self.pieces([column, row], &polygons, &mut nodes);
        }
        self.join(&mut nodes);
        nodes
    }

    /// A side's line, grid units, not rounded.
    fn line(&self, axis: usize, number: i32) -> f64 {
        let origin = self.grid.origin[2 * axis];
        (f64::from(number) * self.tile - origin) * self.grid.units()
    }

    fn square(&self, tile: [i32; 2]) -> Square {
        [0, 1].map(|k| {
            let lines = [self.line(k, tile[k]).floor(), self.line(k, tile[k] + 1).ceil()];
            lines.map(|v| v as i64) // within what coordinates are
        })
    }

    /// Columns and rows that a polygon may reach into, first and last.
    fn tiles_of(&self, polygon: usize) -> [[i32; 2]; 2] {
        let corners = self.mesh.polygon(polygon);
        let points = || corners.iter().map(|&v| self.mesh.vertices[v as usize]);
        let number = |axis: usize, v: i32| {
            let metres = f64::from(v) / self.grid.units() + self.grid.origin[2 * axis];
            (metres / self.tile).to_floor() // saturates
        };
        let range = |axis: usize, values: Vec<i32>| {
            let low = values.iter().min().map_or(0, |&v| number(axis, v));
            let high = values.iter().max().map_or(-1, |&v| number(axis, v));
            [low.saturating_sub(1), high.saturating_add(1)]
        };
        [range(0, points().map(|p| p.x).collect()), range(1, points().map(|p| p.z).collect())]
    }

    fn corner(&self, edge: usize) -> [i64; 2] {
        let v = self.mesh.vertices[self.mesh.corners[edge] as usize];
        [v.x.into(), v.z.into()]
    }

    /// Both ends of an edge.
    fn ends(&self, polygon: usize, edge: usize) -> [[i64; 2]; 2] {
        let edges = self.mesh.edges(polygon);
        let next = if edge + 1 < edges.end { edge + 1 } else { edges.start };
        [self.corner(edge), self.corner(next)]
    }

    /// Has a polygon ground within a square, not only on its border?
    fn overlaps(&self, polygon: usize, square: &Square) -> bool {
        let edges = self.mesh.edges(polygon);
        let beyond = (0..2).any(|k| {
            let values = || edges.clone().map(|e| self.corner(e)[k]);
            values().max() <= Some(square[k][0]) || values().min() >= Some(square[k][1])
        });
        !beyond
            && edges.into_iter().all(|edge| {
                let [a, b] = self.ends(polygon, edge);
                sides(a, b, square)[1] > 0
            })
    }

    /// Is an edge within a square, not only on its border?
    fn crosses(&self, polygon: usize, edge: usize, square: &Square) -> bool {
        let [a, b] = self.ends(polygon, edge);
        let inside = (0..2).all(|k| a[k].max(b[k]) > square[k][0] && a[k].min(b[k]) < square[k][1]);
        let [low, high] = sides(a, b, square);
        inside && low < 0 && high > 0
    }

    /// The ground that covers a tile, of the polygons that reach into it.
    fn pieces(&self, tile: [i32; 2], polygons: &[u32], nodes: &mut Vec<Node>) {
        let square = self.square(tile);
        let mut pieces = UnionFind::new(polygons.len());
        let mut walled = vec![false; polygons.len()];
        for (i, &p) in polygons.iter().enumerate() {
            for edge in self.mesh.edges(p as usize) {
                if !self.crosses(p as usize, edge, &square) {
                    continue;
                }
                match polygons.binary_search(&self.mesh.neighbours[edge]) {
                    Ok(k) => {
                        pieces.join(i as u32, k as u32);
                    }
                    Err(_) => walled[i] = true,
                }
            }
        }
        for first in 0..polygons.len() {
            if pieces.find(first as u32) != first as u32 {
                continue;
            }
            let own: Vec<usize> = (first..polygons.len())
                .filter(|&k| pieces.find(k as u32) == first as u32)
                .collect();
            if own.iter().any(|&k| walled[k]) {
                continue;
            }
            let own: Vec<u32> = own.iter().map(|&k| polygons[k]).collect();
            // Ground that winds around a point within the tile overlaps itself there.
            let all = (square[0][1] - square[0][0]) as f64 * (square[1][1] - square[1][0]) as f64;
            let covered: f64 = own.iter().map(|&p| self.area(p as usize, &square)).sum();
            if covered < 1.5 * all {
                nodes.push(Node {
                    tile,
                    height: self.height(tile, &own),
                    beside: [NONE; 4],
                    polygons: own,
                });
            }
        }
    }

    /// The area of a polygon within a square, nearly.
    fn area(&self, polygon: usize, square: &Square) -> f64 {
        let edges = self.mesh.edges(polygon);
        let mut shape: Vec<[f64; 2]> = edges.map(|e| self.corner(e).map(|v| v as f64)).collect();
        for (k, side) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let limit = square[k][side] as f64;
            let depth = |p: [f64; 2]| {
                if side == 0 { p[k] - limit } else { limit - p[k] }
            };
            let mut cut = vec![];
            for (i, &p) in shape.iter().enumerate() {
                let q = shape[(i + 1) % shape.len()];
                let (a, b) = (depth(p), depth(q));
                if a >= 0.0 {
                    cut.push(p);
                }
                if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
                    let t = a / (a - b);
                    cut.push([0, 1].map(|j| p[j] + t * (q[j] - p[j])));
                }
            }
            shape = cut;
        }
        let doubled: f64 = (0..shape.len())
            .map(|i| {
                let (p, q) = (shape[i], shape[(i + 1) % shape.len()]);
                p[0] * q[1] - p[1] * q[0]
            })
            .sum();
        doubled.abs() / 2.0
    }

    /// The height at the middle of a tile.
    fn height(&self, tile: [i32; 2], polygons: &[u32]) -> i32 {
        let middle = [0, 1].map(|k| (self.line(k, tile[k]) + self.line(k, tile[k] + 1)) / 2.0);
        let vertex = |v: u32| self.mesh.vertices[v as usize];
        let mut best: Option<(f64, f64)> = None; // how far outside, and the height
        for &p in polygons {
            let corners = self.mesh.polygon(p as usize);
            for pair in corners[1..].windows(2) {
                let t = [corners[0], pair[0], pair[1]].map(vertex);
                let at = t.map(|p| [f64::from(p.x), f64::from(p.z)]);
                let cross = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
                    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
                };
                let all = cross(at[0], at[1], at[2]);
                if all <= 0.0 {
                    continue;
                }
                let shares = [
                    cross(at[1], at[2], middle) / all,
                    cross(at[2], at[0], middle) / all,
                    cross(at[0], at[1], middle) / all,
                ];
                let out = shares.iter().fold(0.0, |out: f64, s| out.max(-s));
                let heights = t.map(|p| f64::from(p.y));
                let height = (0..3).map(|k| shares[k] * heights[k]).sum::<f64>();
                if best.is_none_or(|(known, _)| out < known) {
                    best = Some((out, height));
                }
            }
        }
        best.map_or(0, |(_, height)| height.round() as i32)
    }

    /// Finds the node beyond each side.
    fn join(&self, nodes: &mut [Node]) {
        let mut places: HashMap<[i32; 2], std::ops::Range<usize>> = HashMap::new();
        for (i, node) in nodes.iter().enumerate() {
            places.entry(node.tile).or_insert(i..i).end = i + 1;
        }
        for i in 0..nodes.len() {
            for side in 0..2 {
                let mut next = nodes[i].tile;
                next[side] += 1;
                let others = places.get(&next).cloned().unwrap_or(0..0);
                let mut others = others;
                let Some(other) = others.find(|&k| self.goes_on(&nodes[i], &nodes[k], side)) else {
                    continue;
                };
                nodes[i].beside[side] = other as u32;
                nodes[other].beside[side + 2] = i as u32;
            }
        }
    }

    /// Does ground go on from a tile to the one of the next column (side 0) or row (side 1)?
    fn goes_on(&self, from: &Node, to: &Node, side: usize) -> bool {
        let (here, there) = (self.square(from.tile), self.square(to.tile));
        let shared = from.polygons.iter().any(|p| to.polygons.binary_search(p).is_ok());
        let (line, across) = (here[side][1], here[1 - side]);
        if line > there[side][0] {
            return shared; // They overlap, and no wall is within either.
        }
        let (mut open, mut walled) = (shared, false);
        for &p in &from.polygons {
            for edge in self.mesh.edges(p as usize) {
                let [a, b] = self.ends(p as usize, edge);
                let on = a[side] == line && b[side] == line;
                let (low, high) = (a[1 - side].min(b[1 - side]), a[1 - side].max(b[1 - side]));
                if !on || low >= across[1] || high <= across[0] {
                    continue;
                }
                match self.mesh.neighbours[edge] {
                    NONE => walled = true,
                    next => open |= to.polygons.binary_search(&next).is_ok(),
                }
            }
        }
        open && !walled
    }
}

/// On which sides of a line from a to b the corners of a square are, the least and the greatest;
/// its left is positive.
fn sides(a: [i64; 2], b: [i64; 2], square: &Square) -> [i64; 2] {
    let at = |x: i64, z: i64| (b[1] - a[1]) * (x - a[0]) - (b[0] - a[0]) * (z - a[1]);
    let [x, z] = square;
    let all = [at(x[0], z[0]), at(x[0], z[1]), at(x[1], z[0]), at(x[1], z[1])];
    let [first, rest @ ..] = all;
    rest.into_iter().fold([first; 2], |[low, high], v| [low.min(v), high.max(v)])
}
