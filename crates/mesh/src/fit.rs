//! Height points: where a polygon's corners do not tell how high the ground is inside of it.
//!
//! Greedy insertion, the worst place first: M. Garland and P. S. Heckbert, Fast polygonal approximation of terrains and
//! height fields, 1995.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_format::Steps;
use navbake_format::relief::{MOST_POINTS, height};
use navbake_geom::{Delaunay, Point, Point3, orient};

use crate::heights::towards;
use crate::relief::Relief;

/// Scratch of [`Fit::points`].
#[derive(Default)]
pub(crate) struct Fit {
    flat: Vec<Point>,
    places: Vec<Point>,
    samples: Vec<Point3>,
}

impl Fit {
    /// Points that bring the heights of a convex polygon to within `limit` of the ground at all places where the ground may bend, if
    /// [`MOST_POINTS`] are enough; none where its corners do.
    pub(crate) fn points(
        &mut self,
        corners: &[Point3],
        relief: &Relief<'_>,
        limit: f64,
    ) -> Vec<Point3> {
        self.flat.clear();
        self.flat.extend(corners.iter().map(|c| c.flat()));
        let slab = plane(corners, limit);
        self.find(relief, slab);
        let fan = |p: Point| {
            let at = |i: usize| [corners[i].x, corners[i].y, corners[i].z];
            height(corners.len(), 0, at, [f64::from(p.x), f64::from(p.z)])
        };
        let right = |s: &Point3| (fan(s.flat()) - f64::from(s.y)).abs() <= limit;
        if self.samples.iter().all(right) {
            return vec![];
        }
        if slab.is_some() {
            // The polygon is not the plane of its corners any more: it matters again what lay along that.
            self.find(relief, None);
        }
        let samples = &self.samples[..];
        let n = self.flat.len() as u32;
        let ring: Vec<[u32; 2]> = (0..n).map(|k| [k, (k + 1) % n]).collect();
        let Ok(mesh) = Delaunay::new(&self.flat, &ring) else {
            return vec![];
        };
        let mut surface = Surface::new(mesh, corners, samples, limit);
        surface.refine();
        let mut found: Vec<Point3> = surface.mesh.points()[corners.len()..]
            .iter()
            .zip(&surface.heights[corners.len()..])
            .map(|(p, &y)| p.at(y))
            .collect();
        if found.is_empty() {
            // The Delaunay triangles of the corners are right, and the fan is not: a point at a corner says which are meant.
            found.push(corners[0]);
        }
        found
    }

    /// Places that the polygon holds and the file can tell where the ground may bend, in ascending order, with their heights.
    fn find(&mut self, relief: &Relief<'_>, slab: Option<[f64; 4]>) {
        let flat = &self.flat;
        let steps = Steps::new(flat.iter().map(|p| [p.x, p.z]), 0, 0);
        let [u, _, v] = steps.step();
        // So far off an edge that a place is told on its side of it.
        let beside = 1.5 * f64::from(u.max(v)) + 1.0;
        self.places.clear();
        relief.bends(flat, slab, beside, &mut self.places);
        let holds = |[x, z]: [i32; 2]| {
            let p = Point::new(x, z);
            (0..flat.len()).all(|k| orient(flat[k], flat[(k + 1) % flat.len()], p) >= 0)
        };
        self.places.retain_mut(|p| {
            let told = steps.round([p.x, 0, p.z], holds);
            if let Some([x, _, z]) = told {
                *p = Point::new(x, z);
            }
            told.is_some()
        });
        self.places.sort_unstable();
        self.places.dedup();
        self.samples.clear();
        let all = self.places.iter().map(|&p| {
            let height = relief.height(p, towards(flat, p));
            p.at(height)
        });
        self.samples.extend(all);
    }
}

/// Triangles with heights, and the places in each that are to be met.
struct Surface<'a> {
    mesh: Delaunay,
    heights: Vec<i32>,
    /// In ascending order of places.
    samples: &'a [Point3],
    /// Of each triangle.
    inside: Vec<Vec<u32>>,
    worst: BinaryHeap<(u64, Reverse<Point>, u32, u32)>,
    /// How often each triangle was looked at: older entries count no more.
    turn: Vec<u32>,
    limit: f64,
}

impl<'a> Surface<'a> {
    fn new(mesh: Delaunay, corners: &[Point3], samples: &'a [Point3], limit: f64) -> Surface<'a> {
        let count = mesh.triangles().len();
        let mut surface = Surface {
            mesh,
            heights: corners.iter().map(|c| c.y).collect(),
            samples,
            inside: vec![vec![]; count],
            worst: BinaryHeap::new(),
            turn: vec![0; count],
            limit,
        };
        let all: Vec<u32> = (0..count as u32).collect();
        surface.share_out((0..samples.len() as u32).collect(), &all);
        surface
    }

    fn refine(&mut self) {
        let most = self.heights.len() + MOST_POINTS;
        while let Some((_, Reverse(point), t, turn)) = self.worst.pop() {
            if self.turn[t as usize] != turn {
                continue;
            }
            let height = (self.samples.binary_search_by_key(&point, |s| s.flat()).ok())
                .map(|k| self.samples[k]);
            let changed = self.mesh.insert(t, point).to_vec();
            let (Some(height), false) = (height, changed.is_empty()) else {
                continue;
            };
            self.heights.push(height.y);
            if self.heights.len() >= most {
                return;
            }
            let count = self.mesh.triangles().len();
            self.inside.resize(count, vec![]);
            self.turn.resize(count, 0);
            let mut loose = vec![];
            for &t in &changed {
                loose.append(&mut self.inside[t as usize]);
            }
            self.share_out(loose, &changed);
        }
    }

    /// Gives samples to those of `triangles` that hold them.
    fn share_out(&mut self, samples: Vec<u32>, triangles: &[u32]) {
        let planes: Vec<[Point; 3]> = triangles.iter().map(|&t| self.mesh.corners(t)).collect();
        for s in samples {
            let p = self.samples[s as usize].flat();
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
        let vertices = self.mesh.triangles()[t as usize];
        let corners = vertices.map(|v| self.mesh.points()[v as usize].at(self.heights[v as usize]));
        let mut worst: Option<(u64, Reverse<Point>)> = None;
        for &s in &self.inside[t as usize] {
            let sample = self.samples[s as usize];
            let Some(off) = off_triangle(corners, sample) else {
                continue;
            };
            if off > self.limit {
                // In sixteenths of a grid unit.
                worst = worst.max(Some(((off * 16.0) as u64, Reverse(sample.flat()))));
            }
        }
        if let Some((off, point)) = worst {
            self.worst.push((off, point, t, self.turn[t as usize]));
        }
    }
}

fn spot(p: Point3) -> [f64; 3] {
    [f64::from(p.x), f64::from(p.z), f64::from(p.y)]
}

/// How far a sample lies above or below the plane of a triangle with an area.
fn off_triangle(corners: [Point3; 3], sample: Point3) -> Option<f64> {
    let [a, b, c] = corners.map(|p| p.flat());
    let p = sample.flat();
    let weights = [orient(b, c, p), orient(c, a, p), orient(a, b, p)].map(|w| w as f64);
    let all = weights[0] + weights[1] + weights[2];
    if all <= 0.0 {
        return None;
    }
    let sum: f64 = (0..3).map(|k| weights[k] * f64::from(corners[k].y)).sum();
    Some((sum / all - f64::from(sample.y)).abs())
}

/// The plane of the corners as height = plane[0] x + plane[1] z + plane[2] with plane[3] around it, where they lie on one.
fn plane(corners: &[Point3], limit: f64) -> Option<[f64; 4]> {
    let o = spot(corners[0]);
    let mut widest = (0.0, [0.0; 2]);
    for w in corners[1..].windows(2) {
        let [a, b] = [w[0], w[1]].map(|c| {
            let c = spot(c);
            [c[0] - o[0], c[1] - o[1], c[2] - o[2]]
        });
        let area = a[1] * b[0] - a[0] * b[1];
        if area > widest.0 {
            let slope_x = (a[1] * b[2] - b[1] * a[2]) / area;
            let slope_z = (b[0] * a[2] - a[0] * b[2]) / area;
            widest = (area, [slope_x, slope_z]);
        }
    }
    let [sx, sz] = widest.1;
    let base = o[2] - sx * o[0] - sz * o[1];
    let within = limit / 4.0;
    let flat = |&c: &Point3| {
        let c = spot(c);
        (sx * c[0] + sz * c[1] + base - c[2]).abs() <= within
    };
    corners
        .iter()
        .all(flat)
        .then_some([sx, sz, base, limit - within])
}
