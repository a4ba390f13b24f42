//! A polygon without the ground that obstacles take: convex pieces with corners on the grid.
//!
//! The border of the ground is the polygon's ring, with the places where obstacles cross its edges;
//! both polygons beside an edge find the same ones. Within it the edges of obstacles are kept
//! between their corners and crossings. Then each triangle is kept that no obstacle has an inner
//! point of: an exact test, so rounding only takes ground away. Triangles are merged where the
//! union is convex (Hertel and Mehlhorn, Fast triangulation of simple polygons, 1983).

use alloc::vec::Vec;

use navbake_grid::{AreaId, along, convex_corner, orient};

use crate::delaunay::{Delaunay, NONE, RING, WALL};
use crate::nodes::{self, Node};
use crate::ring::RingCorner;
use crate::shape::{Shape, Shapes, wrap};

/// The most corners of a piece.
pub(crate) const MOST: usize = 16;

/// A corner of a piece, and what the edge that begins there is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    pub(crate) at: [i32; 2],
    /// Its number among the points of the triangulation.
    pub(crate) point: u32,
    /// The number of the polygon's edge; [`NONE`] within.
    pub(crate) side: u32,
}

/// Cuts polygons; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Cutter {
    mesh: Delaunay,
    /// Crossings with the ring, by edge of the polygon: for each the end of its list.
    pub(crate) nodes: Vec<Node>,
    pub(crate) ends: Vec<usize>,
    /// The polygon's corner at each point; [`NONE`] where there is none.
    corner_of: Vec<u32>,
    /// The ring of the polygon, and the obstacles that take its ground.
    pub(crate) polygon: Vec<[i32; 2]>,
    pub(crate) takers: Vec<u32>,
    ring: Vec<RingCorner>,
    /// The point of each of its corners.
    numbers: Vec<u32>,
    /// The obstacles around one, itself included: others hold none of its corners and crossings.
    near: Vec<u32>,
    /// Places along edges of obstacles: obstacle, edge, how far along, point.
    chain: Vec<(u32, usize, i64, u32)>,
    /// The piece of each triangle, and edges between them by length.
    owner: Vec<u32>,
    inner: Vec<(i64, u32, u32, [u32; 2])>,
    parts: Vec<Vec<(u32, u32)>>,
    /// The area that each of them gets.
    areas: Vec<Option<AreaId>>,
    merged: Vec<(u32, u32)>,
    /// The pieces: corners of all, and where each ends, with the area that it gets.
    pub(crate) corners: Vec<Corner>,
    pub(crate) pieces: Vec<(usize, Option<AreaId>)>,
    /// Edges within the polygon by their two points, with piece and number; both sides of a portal
    /// between pieces follow each other.
    pub(crate) portals: Vec<([u32; 2], u32, u32)>,
}

/// Does a convex ring hold a point, its border included?
pub(crate) fn holds(ring: &[[i32; 2]], p: [i32; 2]) -> bool {
    (0..ring.len()).all(|k| orient(ring[k], ring[wrap(k + 1, ring.len())], p) >= 0)
}

impl Cutter {
    /// Cuts the ring of a polygon. `nodes` and `ends` have been filled. Obstacles are numbered as
    /// in the nodes.
    ///
    /// False when its ring crosses itself after rounding. Then no ground is left.
    pub(crate) fn cut(&mut self, polygon: &[[i32; 2]], shapes: Shapes<'_>) -> bool {
        self.corners.clear();
        self.pieces.clear();
        self.portals.clear();
        self.ring.clear();
        self.chain.clear();
        let mut first = 0;
        for (k, &at) in polygon.iter().enumerate() {
            self.add_to_ring(at, k);
            for i in first..self.ends[k] {
                let number = self.add_to_ring(self.nodes[i].point, k);
                self.chain.push((self.nodes[i].obstacle, self.nodes[i].edge, 0, number));
            }
            first = self.ends[k];
        }
        let closed = self.ring.first().map(|c| c.0) == self.ring.last().map(|c| c.0);
        if closed {
            self.ring.pop();
        }
        if !self.mesh.begin(&self.ring, &mut self.numbers) {
            // The ring crosses itself after rounding: it is narrower than the grid allows.
            return false;
        }
        if closed {
            self.numbers.push(self.numbers[0]);
        }
        for link in &mut self.chain {
            link.3 = self.numbers[link.3 as usize];
        }
        self.corner_of.clear();
        self.corner_of.resize(self.points(), NONE);
        let mut corner = 0;
        for (&number, &(at, _)) in self.numbers.iter().zip(&self.ring) {
            if polygon.get(corner) == Some(&at) {
                self.corner_of[number as usize] = corner as u32;
                corner += 1;
            }
        }
        self.insert_obstacles(polygon, shapes);
        self.connect_obstacles(shapes);
        self.keep(shapes);
        self.merge();
        self.write();
        true
    }

    /// Adds a corner to the ring, where another edge begins; returns its number. The last corner
    /// may be the same.
    fn add_to_ring(&mut self, at: [i32; 2], side: usize) -> u32 {
        match self.ring.last_mut().filter(|last| last.0 == at) {
            Some(last) => last.1 = side as u32,
            None => self.ring.push((at, side as u32)),
        }
        self.ring.len() as u32 - 1
    }

    /// How many points the triangulation has.
    pub(crate) fn points(&self) -> usize {
        self.mesh.points.len()
    }

    /// The corner of the polygon that a corner of a piece is.
    pub(crate) fn corner_of(&self, corner: &Corner) -> Option<usize> {
        let number = self.corner_of.get(corner.point as usize).copied().unwrap_or(NONE);
        (number != NONE).then_some(number as usize)
    }

    /// Adds corners of obstacles and crossings of their edges.
    fn insert_obstacles(&mut self, polygon: &[[i32; 2]], shapes: Shapes<'_>) {
        for (i, (number, shape)) in (0u32..).zip(shapes.iter()) {
            let meets = |k: usize, other: &Shape| {
                shape.low[k] - nodes::AROUND <= other.high[k]
                    && other.low[k] <= shape.high[k] + nodes::AROUND
            };
            let all = (0u32..).zip(shapes.iter());
            let near = all.filter(|(_, (_, other))| meets(0, other) && meets(1, other));
            self.near.clear();
            self.near.extend(near.map(|(other, _)| other));
            // A shape holds no corner of its own.
            let is_free = |p| {
                let mut near = self.near.iter().map(|&other| shapes.at(other).1);
                !near.any(|other| other.area.is_none() && other.holds(p))
            };
            let n = shape.ring.len();
            for (j, &p) in shape.ring.iter().enumerate() {
                let is_node = || self.nodes.iter().any(|node| node.point == p);
                if (holds(polygon, p) || is_node())
                    && is_free(p)
                    && let Some(point) = self.mesh.insert(p)
                {
                    self.chain.push((number, j, 0, point));
                    self.chain.push((number, wrap(j + n - 1, n), 0, point));
                }
            }
            for &other in self.near.iter().filter(|other| **other > i) {
                let (other_number, other) = shapes.at(other);
                for (j, own) in shape.edges().enumerate() {
                    for (l, edge) in other.edges().enumerate() {
                        let allowed = |p| holds(polygon, p) && is_free(p);
                        let point = nodes::of_edges(own, edge, allowed);
                        if let Some(point) = point.and_then(|p| self.mesh.insert(p)) {
                            self.chain.push((number, j, 0, point));
                            self.chain.push((other_number, l, 0, point));
                        }
                    }
                }
            }
        }
    }

    /// Keeps the edges of obstacles where they bound the ground, and those of volumes on it.
    fn connect_obstacles(&mut self, shapes: Shapes<'_>) {
        for link in &mut self.chain {
            if let Ok(place) = shapes.numbers.binary_search(&link.0) {
                let ring = &shapes.at(place as u32).1.ring;
                let (a, b) = (ring[link.1], ring[wrap(link.1 + 1, ring.len())]);
                link.2 = along(a.into(), b.into(), self.mesh.points[link.3 as usize].into());
            }
        }
        self.chain.sort_unstable();
        self.chain.dedup();
        for i in 1..self.chain.len() {
            let (from, to) = (self.chain[i - 1], self.chain[i]);
            if (from.0, from.1) != (to.0, to.1) || from.3 == to.3 {
                continue;
            }
            let line = [from.3, to.3].map(|p| self.mesh.points[p as usize]);
            if !shapes.takers().any(|(_, shape)| nodes::crosses(shape, line)) {
                self.mesh.connect(from.3, to.3, WALL, NONE);
            }
        }
    }

    /// Keeps the triangles that obstacles leave.
    fn keep(&mut self, shapes: Shapes<'_>) {
        self.owner.clear();
        self.areas.clear();
        self.inner.clear();
        for part in &mut self.parts {
            part.clear();
        }
        let mut count = 0;
        for triangle in &self.mesh.triangles {
            let corners = triangle.corners.map(|v| self.mesh.points[v as usize]);
            let kept = !triangle.outside && shapes.takers().all(|(_, shape)| shape.leaves(corners));
            if !kept {
                self.owner.push(NONE);
                continue;
            }
            self.owner.push(count);
            if self.parts.len() <= count as usize {
                self.parts.push(Vec::with_capacity(MOST));
            }
            let part = &mut self.parts[count as usize];
            part.extend((0..3).map(|i| (triangle.corners[i], triangle.side[i])));
            self.areas.push(shapes.area(corners));
            count += 1;
        }
        for (t, triangle) in self.mesh.triangles.iter().enumerate() {
            for i in 0..3 {
                let beyond = triangle.beyond[i] as usize;
                if beyond > t
                    && self.owner[t] != NONE
                    && self.owner.get(beyond).is_some_and(|&o| o != NONE)
                    && triangle.fixed[i] & RING == 0
                {
                    let [a, b] = [i, wrap(i + 1, 3)].map(|i| triangle.corners[i]);
                    let d = [a, b].map(|v| self.mesh.points[v as usize]);
                    let d = [0, 1].map(|k| i64::from(d[1][k]) - i64::from(d[0][k]));
                    let owners = [t, beyond].map(|t| self.owner[t]);
                    self.inner.push((-(d[0] * d[0] + d[1] * d[1]), a, b, owners));
                }
            }
        }
        // Long edges go first.
        self.inner.sort_unstable();
    }

    /// Merges neighbours where the union is convex.
    fn merge(&mut self) {
        let count = self.parts.iter().filter(|part| !part.is_empty()).count();
        self.owner.clear();
        self.owner.extend(0..count as u32);
        for e in 0..self.inner.len() {
            let (_, a, b, owners) = self.inner[e];
            // Parts that were merged into others name them.
            let [p, q] = owners.map(|mut part| {
                while self.owner[part as usize] != part {
                    part = self.owner[part as usize];
                }
                part as usize
            });
            let find = |part: &[(u32, u32)], a: u32, b: u32| {
                (0..part.len()).find(|&k| part[k].0 == a && part[wrap(k + 1, part.len())].0 == b)
            };
            let (Some(k), Some(l)) = (find(&self.parts[p], a, b), find(&self.parts[q], b, a))
            else {
                continue;
            };
            let (one, two) = (&self.parts[p], &self.parts[q]);
            let (n, m) = (one.len(), two.len());
            if p == q || self.areas[p] != self.areas[q] || n + m - 2 > MOST {
                continue;
            }
            let place = |v: u32| self.mesh.points[v as usize].into();
            let convex = |x: u32, y: u32, z: u32| convex_corner(place(x), place(y), place(z));
            let at_a = convex(one[wrap(k + n - 1, n)].0, a, two[wrap(l + 2, m)].0);
            let at_b = convex(two[wrap(l + m - 1, m)].0, b, one[wrap(k + 2, n)].0);
            if !at_a || !at_b {
                continue;
            }
            self.merged.clear();
            self.merged.extend((1..n).map(|i| one[wrap(k + i, n)]));
            self.merged.extend((1..m).map(|i| two[wrap(l + i, m)]));
            core::mem::swap(&mut self.parts[p], &mut self.merged);
            self.parts[q].clear();
            self.owner[q] = p as u32;
        }
    }

    /// Writes the pieces, each from its least corner, and the edges within the polygon.
    fn write(&mut self) {
        for (part, &area) in self.parts.iter().zip(&self.areas) {
            if part.is_empty() {
                continue;
            }
            let place = |v: u32| self.mesh.points[v as usize];
            let least = (0..part.len()).min_by_key(|&k| place(part[k].0)).unwrap_or(0);
            self.corners.extend((0..part.len()).map(|k| {
                let (v, side) = part[wrap(least + k, part.len())];
                Corner { at: place(v), point: v, side }
            }));
            for k in 0..part.len() {
                let ((a, side), (b, _)) =
                    (part[wrap(least + k, part.len())], part[wrap(least + k + 1, part.len())]);
                if side == NONE {
                    let piece = self.pieces.len() as u32;
                    self.portals.push(([a.min(b), a.max(b)], piece, k as u32));
                }
            }
            self.pieces.push((self.corners.len(), area));
        }
        self.portals.sort_unstable();
    }
}
