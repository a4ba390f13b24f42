//! A constrained Delaunay triangulation to which points can be added.
//!
//! A new point cuts the triangle that holds it in three (or two triangles in four, on an edge).
//! Then edges are flipped until every edge without a constraint is locally Delaunay: no corner
//! opposite is inside the circle around the triangle (Lawson 1977). Ties on one circle are decided
//! by a second lifting ([`navbake_grid::in_circle_tie`]), so the result does not depend on the
//! order of points.
//!
//! ```text
//!      d                d
//!     / \              /|\
//!    a---b    flip    a | b      when c is inside the circle through a, b, d
//!     \ /              \|/
//!      c                c
//! ```

use navbake_grid::{Point, in_circle, in_circle_tie, orient};

use crate::triangulate::{Parts, TriangulateError, connect};

/// Marks a side of a triangle with nothing beyond.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// Marks a side of a triangle that is on no given edge.
pub const NO_EDGE: u32 = u32::MAX;

/// Corners of a triangle from each on.
const TURN: [[usize; 3]; 3] = [[0, 1, 2], [1, 2, 0], [2, 0, 1]];

/// Constrained Delaunay triangles of the ground inside directed edges (see [`crate::triangulate`]),
/// to which points can be added.
///
/// Points are added as Lawson did (C. L. Lawson, Software for C1 surface interpolation, 1977): the
/// triangle is cut, then diagonals are flipped until all are locally Delaunay, with exact
/// predicates.
#[derive(Clone, Debug)]
pub struct Delaunay {
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    neighbours: Vec<[u32; 3]>,
    edges: Vec<[u32; 3]>,
    // Sides still to be looked at, and triangles changed since the last insertion began.
    pending: Vec<(u32, u8)>,
    changed: Vec<u32>,
}

impl Delaunay {
    /// The triangles inside `edges`; see [`crate::triangulate`], which this is but for the order of
    /// the triangles' corners.
    ///
    /// # Errors
    /// As [`crate::triangulate`].
    pub fn new(points: &[Point], edges: &[[u32; 2]]) -> Result<Delaunay, TriangulateError> {
        let mut mesh = Delaunay::unordered(points, edges)?;
        mesh.sort();
        Ok(mesh)
    }

    /// The same triangles in any order, each from any of its corners on: for callers that sort them
    /// themselves.
    ///
    /// # Errors
    /// As [`crate::triangulate`].
    pub fn unordered(points: &[Point], edges: &[[u32; 2]]) -> Result<Delaunay, TriangulateError> {
        let parts = connect(points, edges)?;
        Ok(Delaunay::of_parts(points.to_vec(), parts))
    }

    /// Builds from triangles with any connections.
    pub(crate) fn of_parts(points: Vec<Point>, parts: Parts) -> Delaunay {
        let Parts { triangles, neighbours, edges } = parts;
        let mut mesh = Delaunay {
            points,
            triangles,
            neighbours,
            edges,
            pending: Vec::new(),
            changed: Vec::new(),
        };
        // Which diagonals come first may differ from run to run; what becomes of them may not.
        // Each side between two triangles once.
        for (t, beyond) in (0u32..).zip(&mesh.neighbours) {
            let sides = (0u8..).zip(beyond).filter(|&(_, &u)| u != NO_TRIANGLE && t < u);
            mesh.pending.extend(sides.map(|(k, _)| (t, k)));
        }
        mesh.legalise(false);
        mesh
    }

    /// The points, given and added. Some may be corners of no triangle.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The triangles: indices of points, counter-clockwise seen from above.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// For each side of each triangle (corner k to the next) the triangle beyond, or
    /// [`NO_TRIANGLE`].
    pub fn neighbours(&self) -> &[[u32; 3]] {
        &self.neighbours
    }

    /// For each side of each triangle (corner k to the next) the given edge that it is or is part
    /// of, or [`NO_EDGE`].
    pub fn edges(&self) -> &[[u32; 3]] {
        &self.edges
    }

    /// Corners of a triangle.
    #[inline]
    pub fn corners(&self, triangle: u32) -> [Point; 3] {
        let [a, b, c] = self.triangles[triangle as usize];
        [self.at(a), self.at(b), self.at(c)]
    }

    #[inline]
    fn at(&self, v: u32) -> Point {
        self.points[v as usize]
    }

    /// The triangles alone, least index first, in ascending order.
    pub fn into_triangles(mut self) -> Vec<[u32; 3]> {
        self.sort();
        self.triangles
    }

    /// Adds a point inside a triangle or on its sides.
    ///
    /// Gives the triangles that changed or are new, in ascending order; none when the point is not
    /// in the triangle or is one of its corners.
    pub fn insert(&mut self, triangle: u32, point: Point) -> &[u32] {
        self.changed.clear();
        let [a, b, c] = self.corners(triangle);
        let sides = [orient(a, b, point), orient(b, c, point), orient(c, a, point)];
        let on = sides.iter().filter(|&&s| s == 0).count();
        if sides.iter().any(|&s| s < 0) || on > 1 {
            return &self.changed;
        }
        let v = self.points.len() as u32;
        self.points.push(point);
        match sides.iter().position(|&s| s == 0) {
            Some(k) => self.split_side(triangle, k, v),
            None => self.split_triangle(triangle, v),
        }
        self.legalise(true);
        self.changed.sort_unstable();
        self.changed.dedup();
        &self.changed
    }

    fn split_triangle(&mut self, t: u32, v: u32) {
        let [a, b, c] = self.triangles[t as usize];
        let [na, nb, nc] = self.neighbours[t as usize];
        let [ea, eb, ec] = self.edges[t as usize];
        let t1 = self.triangles.len() as u32;
        let t2 = t1 + 1;
        self.set(t, [a, b, v], [na, t1, t2], [ea, NO_EDGE, NO_EDGE]);
        self.push([b, c, v], [nb, t2, t], [eb, NO_EDGE, NO_EDGE]);
        self.push([c, a, v], [nc, t, t1], [ec, NO_EDGE, NO_EDGE]);
        self.relink(nb, t, t1);
        self.relink(nc, t, t2);
        self.pending.extend([(t, 0), (t1, 0), (t2, 0)]);
    }

    fn split_side(&mut self, t: u32, k: usize, v: u32) {
        let beyond = self.neighbours[t as usize][k];
        let halves = self.halve(t, k, v);
        if beyond == NO_TRIANGLE {
            return;
        }
        let Some(j) = self.neighbours[beyond as usize].iter().position(|&n| n == t) else {
            return;
        };
        let others = self.halve(beyond, j, v);
        // The side's first half on one side of it is the second half on the other.
        self.neighbours[halves[0] as usize][0] = others[1];
        self.neighbours[others[1] as usize][0] = halves[0];
        self.neighbours[halves[1] as usize][0] = others[0];
        self.neighbours[others[0] as usize][0] = halves[1];
    }

    /// Cuts a triangle from a point on its side `k` to the corner opposite.
    ///
    /// Side 0 of both halves is half of the side.
    fn halve(&mut self, t: u32, k: usize, v: u32) -> [u32; 2] {
        let i = t as usize;
        let [a, b, c] = [0, 1, 2].map(|s| self.triangles[i][(k + s) % 3]);
        let [n, nb, nc] = [0, 1, 2].map(|s| self.neighbours[i][(k + s) % 3]);
        let [e, eb, ec] = [0, 1, 2].map(|s| self.edges[i][(k + s) % 3]);
        let u = self.triangles.len() as u32;
        self.set(t, [a, v, c], [n, u, nc], [e, NO_EDGE, ec]);
        self.push([v, b, c], [n, nb, t], [e, eb, NO_EDGE]);
        self.relink(nb, t, u);
        self.pending.extend([(t, 2), (u, 1)]);
        [t, u]
    }

    fn set(&mut self, t: u32, corners: [u32; 3], neighbours: [u32; 3], edges: [u32; 3]) {
        self.triangles[t as usize] = corners;
        self.neighbours[t as usize] = neighbours;
        self.edges[t as usize] = edges;
        self.changed.push(t);
    }

    fn push(&mut self, corners: [u32; 3], neighbours: [u32; 3], edges: [u32; 3]) {
        self.changed.push(self.triangles.len() as u32);
        self.triangles.push(corners);
        self.neighbours.push(neighbours);
        self.edges.push(edges);
    }

    /// Replaces the neighbour `old` of triangle `t` by `new`.
    fn relink(&mut self, t: u32, old: u32, new: u32) {
        if t == NO_TRIANGLE {
            return;
        }
        for n in &mut self.neighbours[t as usize] {
            if *n == old {
                *n = new;
            }
        }
    }

    /// Flips diagonals until every pending side and all that depend on it are locally Delaunay.
    ///
    /// Around a new point only sides opposite to it can fail to be.
    fn legalise(&mut self, around_new: bool) {
        while let Some((t, k)) = self.pending.pop() {
            let k = usize::from(k);
            let u = self.neighbours[t as usize][k];
            if u == NO_TRIANGLE || self.edges[t as usize][k] != NO_EDGE {
                continue;
            }
            let Some(j) = self.neighbours[u as usize].iter().position(|&n| n == t) else {
                continue;
            };
            if self.should_flip(t, k, u, j) {
                self.flip(t, k, u, j);
                // The first corner of the one and the second of the other were opposite to the
                // side.
                self.pending.extend([(t, 1), (u, 0)]);
                if !around_new {
                    self.pending.extend([(t, 0), (u, 1)]);
                }
            }
        }
    }

    fn should_flip(&self, t: u32, k: usize, u: u32, j: usize) -> bool {
        let (corners, turn) = (&self.triangles[t as usize], &TURN[k]);
        let [a, b] = [self.at(corners[turn[0]]), self.at(corners[turn[1]])];
        let c = self.at(corners[turn[2]]);
        let d = self.at(self.triangles[u as usize][TURN[j][2]]);
        match in_circle(a, b, c, d) {
            0 => match in_circle_tie(a, b, c, d) {
                0 => c.min(d) < a.min(b),
                sign => sign > 0,
            },
            sign => sign > 0,
        }
    }

    fn flip(&mut self, t: u32, k: usize, u: u32, j: usize) {
        let (ti, ui) = (t as usize, u as usize);
        let turned = |of: &[u32; 3], k: usize| {
            let turn = &TURN[k];
            [of[turn[0]], of[turn[1]], of[turn[2]]]
        };
        let [a, b, c] = turned(&self.triangles[ti], k);
        let d = self.triangles[ui][TURN[j][2]];
        let [_, n_bc, n_ca] = turned(&self.neighbours[ti], k);
        let [_, e_bc, e_ca] = turned(&self.edges[ti], k);
        let [_, n_ad, n_db] = turned(&self.neighbours[ui], j);
        let [_, e_ad, e_db] = turned(&self.edges[ui], j);
        self.set(t, [c, a, d], [n_ca, n_ad, u], [e_ca, e_ad, NO_EDGE]);
        self.set(u, [d, b, c], [n_db, n_bc, t], [e_db, e_bc, NO_EDGE]);
        self.relink(n_ad, u, t);
        self.relink(n_bc, t, u);
    }

    /// Puts the triangles in ascending order, each from its least corner.
    fn sort(&mut self) {
        for i in 0..self.triangles.len() {
            let corners = self.triangles[i];
            let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
            self.triangles[i].rotate_left(least);
            self.neighbours[i].rotate_left(least);
            self.edges[i].rotate_left(least);
        }
        let mut order: Vec<u32> = (0..self.triangles.len() as u32).collect();
        order.sort_unstable_by_key(|&t| self.triangles[t as usize]);
        let mut number = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let old = |t: &u32| *t as usize;
        self.triangles = order.iter().map(|t| self.triangles[old(t)]).collect();
        self.edges = order.iter().map(|t| self.edges[old(t)]).collect();
        let renumber = |n: u32| number.get(n as usize).copied().unwrap_or(NO_TRIANGLE);
        self.neighbours = order.iter().map(|t| self.neighbours[old(t)].map(renumber)).collect();
    }
}
