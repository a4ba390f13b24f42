//! Which triangles are one room.
//!
//! A merge tree of clearance: the widest circles of the ground are the middles of rooms, and the
//! narrow edges between them are the passages (Halldórsson and Björnsson, "Automated decomposition
//! of game maps", AIIDE 2015, on cells). Edges are taken in the order of how alike both sides are:
//! their width over the widest circle of both. An edge joins two rooms when that is at least
//! `alpha`, or when one of them is none: too small, or neither behind something narrower nor long
//! enough to be a corridor.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::UnionFind;

use super::flat::Flat;
use super::sample::reach_squared;

/// How long a corridor is at least, of its own widths.
pub(super) const CORRIDOR: f64 = 3.0;

/// What decides over rooms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// Added to half of each width, grid units: the distance of the ground's border from the walls.
    pub(super) radius: f64,
    /// Rooms have at least this area, grid units squared.
    pub(super) min_area: f64,
}

/// Triangles as sets that grow together.
pub(super) struct Regions {
    sets: UnionFind,
    /// Of each set, at its first triangle: half the width of its widest circle, and its area.
    widest: Vec<f64>,
    area: Vec<f64>,
    /// The half widths of its circles, times the areas of their triangles.
    widths: Vec<f64>,
}

impl Regions {
    /// Each triangle is a set of its own.
    pub(super) fn new(flat: &Flat, growth: &Growth) -> Regions {
        let all = || 0..flat.triangles() as u32;
        let wide = |t: u32| reach_squared(flat, t).sqrt() + growth.radius;
        let area = |t: u32| flat.area_doubled(t) as f64 / 2.0;
        Regions {
            sets: UnionFind::new(flat.triangles()),
            widest: all().map(wide).collect(),
            area: all().map(area).collect(),
            widths: all().map(|t| wide(t) * area(t)).collect(),
        }
    }

    /// Joins sets until none are alike by `alpha`. Sets that were joined for a greater one stay so.
    pub(super) fn grow(&mut self, flat: &Flat, growth: &Growth, alpha: f64) {
        let half = |h: u32| (flat.square(h) as f64).sqrt() / 2.0 + growth.radius;
        // Positive numbers are in the order of their bits.
        let mut edges = vec![];
        for h in 0..flat.at.len() as u32 {
            let g = flat.twin[h as usize];
            if h < g && g != navbake_mesh::NONE && self.sets.find(h / 3) != self.sets.find(g / 3) {
                edges.push((self.alike(h, g, half(h)).to_bits(), Reverse(h)));
            }
        }
        let mut heap = BinaryHeap::from(edges);
        while let Some((key, Reverse(h))) = heap.pop() {
            let g = flat.twin[h as usize];
            let (x, y) = (self.sets.find(h / 3), self.sets.find(g / 3));
            if x == y {
                continue;
            }
            let half = half(h);
            let now = self.alike(h, g, half);
            if now.to_bits() < key {
                heap.push((now.to_bits(), Reverse(h)));
                continue;
            }
            if now >= alpha || !self.are_two(x, y, half, growth, alpha) {
                self.join(x, y);
            }
        }
    }

    fn alike(&mut self, h: u32, g: u32, half: f64) -> f64 {
        let (x, y) = (self.sets.find(h / 3), self.sets.find(g / 3));
        half / self.widest[x as usize].max(self.widest[y as usize])
    }

    /// Are both sides of an edge rooms?
    fn are_two(&self, x: u32, y: u32, half: f64, growth: &Growth, alpha: f64) -> bool {
        let [x, y] = [x, y].map(|s| s as usize);
        let narrower = if self.widest[x] <= self.widest[y] { x } else { y };
        let is_narrow = half < alpha * self.widest[narrower];
        let area = self.area[narrower];
        // On average, so that the funnel to its mouth does not count for more than it is.
        let wide = 2.0 * self.widths[narrower] / area;
        let is_long = area >= CORRIDOR * wide * (wide - 2.0 * growth.radius);
        self.area[x].min(self.area[y]) >= growth.min_area && (is_narrow || is_long)
    }

    fn join(&mut self, x: u32, y: u32) {
        self.sets.join(x, y);
        let (x, y) = (x.min(y) as usize, x.max(y) as usize);
        self.widest[x] = self.widest[x].max(self.widest[y]);
        self.area[x] += self.area[y];
        self.widths[x] += self.widths[y];
    }

    /// The set of each triangle.
    pub(super) fn of(&mut self) -> Vec<u32> {
        (0..self.widest.len() as u32).map(|t| self.sets.find(t)).collect()
    }

    /// Half the average width of each set, by its representative triangle.
    pub(super) fn means(&self) -> Vec<f64> {
        let pairs = self.widths.iter().zip(&self.area);
        pairs.map(|(widths, area)| widths / area).collect()
    }
}
