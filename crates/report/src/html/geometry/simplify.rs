//! Fewer triangles: vertices of a cell become one, at the place of the least error.
//!
//! P. Lindstrom, "Out-of-core simplification of large polygonal models", 2000. It takes any soup.

use navbake_geom::sort_by_parts;

use super::soup::Soup;
use crate::cell_map::CellMap;

/// A cell of space, by its numbers along the axes.
pub(super) type Cell = [i64; 3];

/// A mesh whose vertices are in cells: those of a cell become one.
pub(super) struct Clusters<'a> {
    soup: &'a Soup,
    /// The cluster of each vertex.
    of: Vec<u32>,
    /// The first vertex of each cluster.
    first: Vec<u32>,
    /// The cell of each cluster; none of a vertex that stays where it is.
    cells: Vec<Option<Cell>>,
    /// The triangles of the mesh that are left.
    kept: Vec<u32>,
}

/// A mesh with a vertex for each cluster.
pub(super) struct Simplified {
    pub(super) soup: Soup,
    /// The triangles of the whole mesh that these are.
    pub(super) kept: Vec<u32>,
    /// The cell of each vertex; none of one that stayed where it was.
    pub(super) cells: Vec<Option<Cell>>,
    /// How far the planes of the triangles at each vertex are at most from the place it moved to,
    /// m.
    pub(super) errors: Vec<f64>,
}

impl<'a> Clusters<'a> {
    /// Puts the vertices into cells by their numbers. One without a cell stays where it is.
    ///
    /// Triangles with two corners in one cell vanish, and so do second ones at the same corners.
    /// `kind` separates triangles that must both stay where they coincide. The result has only the
    /// first `count` triangles; the others only influence the places of vertices.
    pub(super) fn new(
        soup: &'a Soup,
        count: usize,
        cell: impl Fn(usize) -> Option<Cell>,
        kind: impl Fn(usize) -> u32,
    ) -> Clusters<'a> {
        let (mut first, mut cells) = (vec![], vec![]);
        let mut known: CellMap<Cell, u32> = CellMap::default();
        let cluster = |number: u32| {
            let new = first.len() as u32;
            let cell = cell(number as usize);
            let at = cell.map_or(new, |cell| *known.entry(cell).or_insert(new));
            if at == new {
                first.push(number);
                cells.push(cell);
            }
            at
        };
        let of: Vec<u32> = (0..soup.vertices.len() as u32).map(cluster).collect();
        // The clusters of a triangle, least first, and its number.
        let mut keys: Vec<u128> = Vec::with_capacity(count);
        for (t, number) in soup.triangles[..count].iter().zip(0u32..) {
            let [a, b, c] = t.map(|i| of[i as usize]);
            if a == b || b == c || c == a {
                continue;
            }
            let least = a.min(b).min(c);
            let most = a.max(b).max(c);
            let middle = a ^ b ^ c ^ least ^ most;
            let [a, b, c] = [least, middle, most].map(u128::from);
            keys.push(a << 96 | b << 64 | c << 32 | u128::from(number));
        }
        let keys = sort_by_parts(keys, first.len(), |key| (key >> 96) as usize);
        let mut kept: Vec<u32> = Vec::with_capacity(keys.len());
        let mut same = vec![];
        for keys in keys.chunk_by(|a, b| a >> 32 == b >> 32) {
            if let [key] = keys {
                kept.push(*key as u32);
                continue;
            }
            same.clear();
            same.extend(keys.iter().map(|&key| (kind(key as u32 as usize), key as u32)));
            same.sort_unstable();
            same.dedup_by_key(|one| one.0);
            kept.extend(same.iter().map(|one| one.1));
        }
        Clusters { soup, of, first, cells, kept }
    }

    /// How many triangles are left.
    pub(super) fn count(&self) -> usize {
        self.kept.len()
    }

    /// The mesh that is left. `side` is that of the cells, m.
    pub(super) fn simplified(mut self, side: f64) -> Simplified {
        self.kept.sort_unstable();
        let place = |i: u32| self.soup.vertices[i as usize];
        let quadric = |&i: &u32| Quadric { origin: place(i), ..Quadric::default() };
        let mut clusters: Vec<Quadric> = self.first.iter().map(quadric).collect();
        for (p, &at) in self.soup.vertices.iter().zip(&self.of) {
            clusters[at as usize].mean.add(*p);
        }
        for t in &self.soup.triangles {
            let corners = t.map(place);
            let normal = normal(corners);
            for i in t {
                clusters[self.of[*i as usize] as usize].plane(corners[0], normal);
            }
        }
        let best = |(quadric, cell): (&Quadric, &Option<Cell>)| match cell {
            None => quadric.origin,
            Some(_) => quadric.best(side),
        };
        let vertices: Vec<[f64; 3]> = clusters.iter().zip(&self.cells).map(best).collect();
        let mut errors = vec![0.0f64; vertices.len()];
        for t in &self.soup.triangles {
            let corners = t.map(place);
            let Some(normal) = unit_normal(corners) else { continue };
            for i in t {
                let at = self.of[*i as usize] as usize;
                let moved = vertices[at];
                let off = dot(normal, [0, 1, 2].map(|k| moved[k] - corners[0][k])).abs();
                errors[at] = errors[at].max(off);
            }
        }
        let triangle = |&t: &u32| self.soup.triangles[t as usize].map(|i| self.of[i as usize]);
        let triangles = self.kept.iter().map(triangle).collect();
        let soup = Soup { vertices, triangles };
        Simplified { soup, kept: self.kept, cells: self.cells, errors }
    }
}

#[derive(Default)]
struct Sum {
    sum: [f64; 3],
    count: f64,
}

impl Sum {
    fn add(&mut self, p: [f64; 3]) {
        self.sum = [0, 1, 2].map(|k| self.sum[k] + p[k]);
        self.count += 1.0;
    }
}

/// The planes of the triangles at the vertices of a cell, weighted by area, around `origin`.
#[derive(Default)]
struct Quadric {
    origin: [f64; 3],
    mean: Sum,
    a: [[f64; 3]; 3],
    b: [f64; 3],
}

impl Quadric {
    /// Adds the plane through a place with a normal.
    fn plane(&mut self, at: [f64; 3], n: [f64; 3]) {
        let d = dot(n, [0, 1, 2].map(|k| at[k] - self.origin[k]));
        for (row, nr) in self.a.iter_mut().zip(n) {
            for (value, nc) in row.iter_mut().zip(n) {
                *value += nr * nc;
            }
        }
        self.b = [0, 1, 2].map(|k| self.b[k] + n[k] * d);
    }

    /// The place with the least sum of squared distances, near the mean where planes leave it open.
    fn best(&self, cell: f64) -> [f64; 3] {
        let mean = self.mean.sum.map(|s| s / self.mean.count);
        let local = [0, 1, 2].map(|k| mean[k] - self.origin[k]);
        let trace = self.a[0][0] + self.a[1][1] + self.a[2][2];
        // Keeps the system regular; a thousandth pulls to the mean by as much.
        let pull = 1e-3 * trace + 1e-30;
        let mut a = self.a;
        let mut b = self.b;
        for k in 0..3 {
            a[k][k] += pull;
            b[k] += pull * local[k];
        }
        let det = |m: [[f64; 3]; 3]| dot(m[0], cross(m[1], m[2]));
        let whole = det(a);
        // Cramer's rule: A is symmetric, so that rows are columns.
        let x = [0, 1, 2].map(|k| {
            let mut m = a;
            m[k] = b;
            det(m) / whole
        });
        let far = dot([0, 1, 2].map(|k| x[k] - local[k]), [0, 1, 2].map(|k| x[k] - local[k]));
        let at = if far <= cell * cell { x } else { local };
        [0, 1, 2].map(|k| at[k] + self.origin[k])
    }
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A normal as long as twice the area.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let side = |p: [f64; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
    cross(side(b), side(c))
}

fn unit_normal(corners: [[f64; 3]; 3]) -> Option<[f64; 3]> {
    let n = normal(corners);
    let length = dot(n, n).sqrt();
    (length > 0.0).then(|| n.map(|c| c / length))
}

/// Twice the area of triangles of a mesh, m2.
pub(super) fn doubled_area(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
    let corners = triangles.iter().map(|t| t.map(|i| vertices[i as usize]));
    corners.map(|c| dot(normal(c), normal(c)).sqrt()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of `n` x `n` cells of a metre, with these heights.
    fn field(n: u32, height: impl Fn(f64, f64) -> f64) -> Soup {
        let at = |x: u32, z: u32| {
            let (x, z) = (f64::from(x), f64::from(z));
            [x, height(x, z), z]
        };
        let vertices = (0..=n).flat_map(|x| (0..=n).map(move |z| (x, z))).map(|(x, z)| at(x, z));
        let number = |x: u32, z: u32| x * (n + 1) + z;
        let cells = (0..n).flat_map(|x| (0..n).map(move |z| (x, z)));
        let triangles = cells.flat_map(|(x, z)| {
            let [a, b, c, d] =
                [number(x, z), number(x, z + 1), number(x + 1, z + 1), number(x + 1, z)];
            [[a, b, c], [a, c, d]]
        });
        Soup { vertices: vertices.collect(), triangles: triangles.collect() }
    }

    /// A mesh in cells of this side without its vertices that are pinned, and its greatest error.
    fn simple(soup: &Soup, side: f64, is_pinned: fn(usize) -> bool) -> (Soup, f64) {
        let numbers = |v: usize| soup.vertices[v].map(|c| (c / side).floor() as i64);
        let cell = |v| (!is_pinned(v)).then(|| numbers(v));
        let made = Clusters::new(soup, soup.triangles.len(), cell, |_| 0).simplified(side);
        (made.soup, made.errors.into_iter().fold(0.0, f64::max))
    }

    #[test]
    fn a_plane_loses_triangles_without_error_and_a_roof_keeps_its_ridge() {
        let flat = field(40, |x, z| 0.3 * x - 0.2 * z);
        let (few, error) = simple(&flat, 4.0, |_| false);
        assert!(few.triangles.len() * 10 < flat.triangles.len());
        assert!(error < 1e-9, "{error}");
        let roof = field(40, |x, _| -(x - 21.0f64).abs());
        let (few, error) = simple(&roof, 4.0, |_| false);
        let ridge = few.vertices.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        assert!(ridge > -0.05, "{ridge}");
        assert!(error < 0.05, "{error}");
    }

    #[test]
    fn pinned_vertices_stay() {
        let hills = field(20, |x, z| (x * 0.7).sin() + (z * 0.9).cos());
        let (few, _) = simple(&hills, 5.0, |v| v % 7 == 0);
        let stays = |p: &[f64; 3]| few.vertices.contains(p);
        assert!(hills.vertices.iter().step_by(7).all(stays));
    }
}
