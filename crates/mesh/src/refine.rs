//! Corners where the ground is not as flat as its triangles.
//!
//! Greedy insertion, the worst place first: M. Garland and P. S. Heckbert, Fast polygonal approximation of terrains and
//! height fields, 1995.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use navbake_geom::{Delaunay, NO_EDGE, Point, orient};

use crate::heights::Field;

/// Triangles with heights at their corners.
pub(crate) struct Surface<'a> {
    pub(crate) mesh: Delaunay,
    field: &'a Field<'a>,
    // The height of each point, unless it depends on the triangle.
    known: Vec<Option<i32>>,
}

impl<'a> Surface<'a> {
    pub(crate) fn new(mesh: Delaunay, field: &'a Field<'a>) -> Surface<'a> {
        let known = mesh.points().iter().map(|&p| field.around(p)).collect();
        Surface { mesh, field, known }
    }

    /// Heights at a triangle's corners: of the ground on the triangle's side.
    pub(crate) fn heights(&self, triangle: u32) -> [i32; 3] {
        let corners = self.mesh.corners(triangle);
        let vertices = self.mesh.triangles()[triangle as usize];
        [0, 1, 2].map(|k| match self.known[vertices[k] as usize] {
            Some(height) => height,
            None => {
                let sum = |c: fn(&Point) -> i32| {
                    let at = |p: &Point| i64::from(c(p));
                    corners.iter().map(at).sum::<i64>() - 3 * at(&corners[k])
                };
                self.field.towards(corners[k], [sum(|p| p.x), sum(|p| p.z)])
            }
        })
    }

    /// Puts corners into the triangles at cells' centres until no centre is further than `height_error` above or below its triangle.
    pub(crate) fn refine(&mut self, height_error: i32) {
        if self.field.is_flat() {
            return;
        }
        let mut worst = Worst::default();
        worst.grow(self.mesh.triangles().len());
        for t in 0..self.mesh.triangles().len() as u32 {
            worst.add(t, self.scan(t, height_error));
        }
        while let Some((t, point)) = worst.pop() {
            let changed = self.mesh.insert(t, point).to_vec();
            if changed.is_empty() {
                continue;
            }
            self.known.push(self.field.around(point));
            worst.grow(self.mesh.triangles().len());
            for t in changed {
                worst.add(t, self.scan(t, height_error));
            }
        }
    }

    /// The cell centre in a triangle that is furthest above or below it, if it is further than `height_error`; with how
    /// far, in sixteenths of a grid unit. Centres on given edges are left alone: heights along borders are settled.
    fn scan(&self, triangle: u32, height_error: i32) -> Option<(i64, Point)> {
        let mut corners = self.mesh.corners(triangle);
        let mut heights = self.heights(triangle).map(f64::from);
        // From the least corner, so that rounding depends on places alone.
        let least = (0..3).min_by_key(|&k| corners[k]).unwrap_or(0);
        corners.rotate_left(least);
        heights.rotate_left(least);
        let [a, b, c] = corners;
        let rel = |p: Point| {
            [
                f64::from(p.x) - f64::from(a.x),
                f64::from(p.z) - f64::from(a.z),
            ]
        };
        let ([bx, bz], [cx, cz]) = (rel(b), rel(c));
        let area = bz * cx - bx * cz;
        let (hb, hc) = (heights[1] - heights[0], heights[2] - heights[0]);
        let slope_x = (bz * hc - cz * hb) / area;
        let slope_z = (cx * hb - bx * hc) / area;

        let low = i64::from(a.z.min(b.z).min(c.z));
        let high = i64::from(a.z.max(b.z).max(c.z));
        let (j0, j1) = self.field.centres_between(1, low, high);
        let mut worst: Option<(i64, Point)> = None;
        for j in j0..=j1 {
            let z = i64::from(self.field.centre(0, j).z);
            let Some((x0, x1)) = row(&corners, z) else {
                continue;
            };
            let (i0, i1) = self.field.centres_between(0, x0, x1);
            for i in i0..=i1 {
                let Some(height) = self.field.centre_height(i, j) else {
                    continue;
                };
                let p = self.field.centre(i, j);
                let [x, z] = rel(p);
                let off = f64::from(height) - (heights[0] + slope_x * x + slope_z * z);
                if off.abs() <= f64::from(height_error) {
                    continue;
                }
                let key = ((off.abs() * 16.0) as i64, Reverse(p));
                let better = worst.is_none_or(|(w, q)| key > (w, Reverse(q)));
                if better && !self.on_border(triangle, p) {
                    worst = Some((key.0, p));
                }
            }
        }
        worst
    }

    /// Is the point on a given edge of the triangle, or a corner?
    fn on_border(&self, triangle: u32, p: Point) -> bool {
        let corners = self.mesh.corners(triangle);
        let edges = self.mesh.edges()[triangle as usize];
        corners.contains(&p)
            || (0..3)
                .any(|k| edges[k] != NO_EDGE && orient(corners[k], corners[(k + 1) % 3], p) == 0)
    }
}

/// The least and the greatest whole x in a counter-clockwise triangle at `z`.
fn row(corners: &[Point; 3], z: i64) -> Option<(i64, i64)> {
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    for k in 0..3 {
        let (p, q) = (corners[k], corners[(k + 1) % 3]);
        let dx = i64::from(q.x) - i64::from(p.x);
        let dz = i64::from(q.z) - i64::from(p.z);
        // To the left of the edge: dz (x - p.x) >= dx (z - p.z).
        let right = dx * (z - i64::from(p.z));
        match dz.signum() {
            1 => {
                low = low.max(
                    i64::from(p.x) + right.div_euclid(dz) + i64::from(right.rem_euclid(dz) != 0),
                )
            }
            -1 => high = high.min(i64::from(p.x) + (-right).div_euclid(-dz)),
            _ if right > 0 => return None,
            _ => {}
        }
    }
    (low <= high).then_some((low, high))
}

/// The worst place of each triangle, worst of all first.
#[derive(Default)]
struct Worst {
    heap: BinaryHeap<(i64, Reverse<Point>, u32, u32)>,
    // How often each triangle was looked at: older entries count no more.
    turn: Vec<u32>,
}

impl Worst {
    fn grow(&mut self, triangles: usize) {
        self.turn.resize(triangles, 0);
    }

    fn add(&mut self, triangle: u32, place: Option<(i64, Point)>) {
        let turn = &mut self.turn[triangle as usize];
        *turn += 1;
        if let Some((off, point)) = place {
            self.heap.push((off, Reverse(point), triangle, *turn));
        }
    }

    fn pop(&mut self) -> Option<(u32, Point)> {
        while let Some((_, Reverse(point), triangle, turn)) = self.heap.pop() {
            if self.turn[triangle as usize] == turn {
                return Some((triangle, point));
            }
        }
        None
    }
}
