//! Triangles over a box that follow the ground: the place that lies farthest off becomes a point, until none lies too far off.
//!
//! Greedy insertion: M. Garland and P. S. Heckbert, Fast polygonal approximation of terrains and height fields, 1995.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::{Delaunay, NO_TRIANGLE, Point, orient};

/// Where the ground is likely to bend, a point is of more use than elsewhere, even if it is off by this share of the limit only: with the corners
/// of the ground's triangles, their edges come by themselves more often than not.
const SHARE: f64 = 0.02;

/// A place and the ground there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// In steps.
    pub(crate) place: Point,
    /// In steps, as exactly as it is known.
    pub(crate) height: f64,
    /// Is the ground likely to bend there? Other places are looked at once those are met.
    pub(crate) likely: bool,
}

impl Sample {
    /// The height as a point tells it.
    fn told(&self) -> f64 {
        self.height.round()
    }
}

/// Is a sample a likely one, how far is it off, its number: what comes first.
type Key = (bool, u64, Reverse<u32>);

/// Delaunay triangles with heights, and the places in each that are to be met.
pub(crate) struct Tin<'a> {
    mesh: Delaunay,
    heights: Vec<f64>,
    /// In ascending order of places.
    samples: &'a [Sample],
    /// Of each triangle.
    inside: Vec<Vec<u32>>,
    worst: BinaryHeap<(Key, u32, u32)>,
    /// How often each triangle was looked at: older entries count no more.
    turn: Vec<u32>,
    limit: f64,
    loose: Vec<u32>,
}

impl<'a> Tin<'a> {
    /// Over a box with these corners (counter-clockwise seen from above) and heights; `None` when it has no area. Samples lie in it, in
    /// ascending order of places, and are to be met to within `limit` steps.
    pub(crate) fn new(
        corners: [Point; 4],
        heights: [f64; 4],
        samples: &'a [Sample],
        limit: f64,
    ) -> Option<Tin<'a>> {
        let mesh = Delaunay::new(&corners, &[[0, 1], [1, 2], [2, 3], [3, 0]]).ok()?;
        let count = mesh.triangles().len();
        let mut tin = Tin {
            mesh,
            heights: heights.to_vec(),
            samples,
            inside: vec![vec![]; count],
            worst: BinaryHeap::new(),
            turn: vec![0; count],
            limit,
            loose: vec![],
        };
        let likely = |&s: &u32| samples[s as usize].likely;
        tin.loose.extend((0..samples.len() as u32).filter(likely));
        let all: Vec<u32> = (0..count as u32).collect();
        tin.share_out(&all);
        Some(tin)
    }

    /// Adds points, at most so many, until all samples are met.
    pub(crate) fn refine(&mut self, most: usize) {
        let most = self.heights.len() + most;
        self.meet(most);
        let mut t = 0;
        for (s, sample) in self.samples.iter().enumerate() {
            if !sample.likely {
                t = self.walk(t, sample.place);
                self.inside[t as usize].push(s as u32);
            }
        }
        for t in 0..self.inside.len() as u32 {
            self.look_at(t);
        }
        self.meet(most);
    }

    /// The triangle that holds a place, from one near it.
    fn walk(&self, mut t: u32, p: Point) -> u32 {
        // Delaunay triangles are never gone round in circles (H. Edelsbrunner, An acyclicity theorem for cell complexes in d dimensions, 1990).
        loop {
            let [a, b, c] = self.mesh.corners(t);
            let sides = [(a, b), (b, c), (c, a)];
            let beyond = sides.iter().position(|&(a, b)| orient(a, b, p) < 0);
            match beyond.map(|k| self.mesh.neighbours()[t as usize][k]) {
                None | Some(NO_TRIANGLE) => return t,
                Some(next) => t = next,
            }
        }
    }

    fn meet(&mut self, most: usize) {
        while self.heights.len() < most
            && let Some(((_, _, Reverse(sample)), t, turn)) = self.worst.pop()
        {
            if self.turn[t as usize] != turn {
                continue;
            }
            let sample = self.samples[sample as usize];
            let changed = self.mesh.insert(t, sample.place).to_vec();
            if changed.is_empty() {
                continue;
            }
            self.heights.push(sample.told());
            let count = self.mesh.triangles().len();
            self.inside.resize(count, vec![]);
            self.turn.resize(count, 0);
            for &t in &changed {
                self.loose.append(&mut self.inside[t as usize]);
            }
            self.share_out(&changed);
        }
    }

    /// The points that were added, with their heights.
    pub(crate) fn points(&self) -> impl Iterator<Item = (Point, f64)> + '_ {
        let all = self.mesh.points().iter().copied();
        all.zip(self.heights.iter().copied()).skip(4)
    }

    /// Gives the loose samples to those of `triangles` that hold them.
    fn share_out(&mut self, triangles: &[u32]) {
        let planes: Vec<[Point; 3]> = triangles.iter().map(|&t| self.mesh.corners(t)).collect();
        for s in self.loose.drain(..) {
            let p = self.samples[s as usize].place;
            let holder = planes.iter().position(|&[a, b, c]| {
                orient(a, b, p) >= 0 && orient(b, c, p) >= 0 && orient(c, a, p) >= 0
            });
            if let Some(k) = holder {
                self.inside[triangles[k] as usize].push(s);
            }
        }
        for &t in triangles {
            self.look_at(t);
        }
    }

    fn look_at(&mut self, t: u32) {
        self.turn[t as usize] += 1;
        let corners = self.mesh.corners(t);
        let heights = self.mesh.triangles()[t as usize].map(|v| self.heights[v as usize]);
        // Of all samples, and of the likely ones.
        let mut worst = [(0.0f64, 0u32); 2];
        for &s in &self.inside[t as usize] {
            let sample = self.samples[s as usize];
            let off = (height(corners, heights, sample.place) - sample.height).abs();
            // A corner is as right as it can be told.
            if corners.contains(&sample.place) {
                continue;
            }
            for (k, other) in worst.iter_mut().enumerate() {
                if off > other.0 && (k == 0 || sample.likely) {
                    *other = (off, s);
                }
            }
        }
        let [(off, any), (less, likely)] = worst;
        if off > self.limit {
            let is_likely = less > SHARE * self.limit;
            let sample = if is_likely { likely } else { any };
            let key = (is_likely, (off * 65_536.0) as u64, Reverse(sample));
            self.worst.push((key, t, self.turn[t as usize]));
        }
    }
}

/// Height of the plane of a triangle, which has an area, at a place.
fn height(corners: [Point; 3], heights: [f64; 3], p: Point) -> f64 {
    let [a, b, c] = corners;
    let weights = [orient(b, c, p), orient(c, a, p), orient(a, b, p)].map(|w| w as f64);
    let sum: f64 = (0..3).map(|k| weights[k] * heights[k]).sum();
    sum / (weights[0] + weights[1] + weights[2])
}
