//! Cuts polygons along the lines of a square grid.

use navbake_geom::{Point, convex_corner, orient};
use navbake_mesh::NONE;

use super::cut::{Cutter, Place};
use super::flat::square;

impl Cutter<'_> {
    /// Cuts the pieces of a polygon along the lines of a lattice, whose multiples of `side` they
    /// are. Corners within a grid unit of a line count as on it. Where no grid point near to a
    /// crossing keeps both sides convex the piece stays whole.
    pub(super) fn slice(&mut self, polygon: u32, side: i32) {
        let mut waiting = self.pieces_of(polygon);
        while let Some(p) = waiting.pop() {
            let before = self.count();
            if self.is_sliced(p, side) {
                waiting.push(p);
                waiting.extend(before..self.count());
            }
        }
    }

    /// Cuts a piece once, if a line goes through it.
    fn is_sliced(&mut self, p: u32, side: i32) -> bool {
        for axis in [0, 1] {
            let along = |p: Point| if axis == 0 { p.x } else { p.z };
            let values = || self.corners_of(p).map(along);
            let (Some(low), Some(high)) = (values().min(), values().max()) else {
                return false;
            };
            // The line next to its middle, so that halves are alike.
            let middle = (i64::from(low) + i64::from(high)).div_euclid(2);
            let side = i64::from(side);
            let line = (middle + side / 2).div_euclid(side) * side;
            if line <= i64::from(low) + 1 || line >= i64::from(high) - 1 {
                continue;
            }
            if self.is_bent(p) {
                let before = self.count();
                self.unfold(p);
                return self.count() > before;
            }
            if self.slice_at(p, axis, line as i32) {
                return true;
            }
        }
        false
    }

    fn slice_at(&mut self, p: u32, axis: usize, line: i32) -> bool {
        let off = |p: Point| i64::from(if axis == 0 { p.x } else { p.z }) - i64::from(line);
        let mut ends: Vec<Point> = self.corners_of(p).filter(|&c| off(c).abs() <= 1).collect();
        let mut crossed: Vec<(Point, Point)> = vec![];
        for k in 0..self.len(p) {
            let (a, b) = (self.flat((p, k)), self.flat((p, k + 1)));
            let (from, to) = (off(a), off(b));
            if from.abs() > 1 && to.abs() > 1 && (from < 0) != (to < 0) {
                crossed.push((a, b));
            }
        }
        if ends.len() + crossed.len() != 2 {
            return false;
        }
        for (a, b) in crossed {
            let Some(k) = self.find(p, a) else {
                return false;
            };
            if self.flat((p, k + 1)) != b {
                return false;
            }
            let (from, to) = (off(a), off(b));
            let whole = i128::from((to - from).abs());
            let part = |u: i32, v: i32| {
                let d = i128::from(v) - i128::from(u);
                u + (2 * d * i128::from(from.abs()) + whole).div_euclid(2 * whole) as i32
            };
            let mut near = Point::new(part(a.x, b.x), part(a.z, b.z));
            *(if axis == 0 { &mut near.x } else { &mut near.z }) = line;
            let Some(x) = self.put(near, (p, k)) else {
                return false;
            };
            ends.push(x);
        }
        let (Some(i), Some(j)) = (self.find(p, ends[0]), self.find(p, ends[1])) else {
            return false;
        };
        self.split(p, i, j, NONE)
    }

    /// Puts a corner on an edge near to a place, on both of its sides.
    fn put(&mut self, near: Point, (p, k): Place) -> Option<Point> {
        let (a, b) = (self.flat((p, k)), self.flat((p, k + 1)));
        let beyond = self.twin((p, k));
        if beyond.is_none() && !self.is_wall((p, k)) {
            return None;
        }
        let mut around: Vec<Point> = (-1..=1)
            .flat_map(|x| (-1..=1).map(move |z| Point::new(near.x + x, near.z + z)))
            .collect();
        around.sort_by_key(|&x| (square(near, x), orient(a, b, x).abs(), x));
        let fits = |(p, k): Place, x: Point| {
            let n = self.len(p);
            let (a, b) = (self.flat((p, k)), self.flat((p, k + 1)));
            self.find(p, x).is_none()
                && convex_corner(self.flat((p, k + n - 1)), a, x)
                && convex_corner(x, b, self.flat((p, k + 2)))
        };
        let within = |x: &Point| match beyond {
            Some(twin) => fits((p, k), *x) && fits(twin, *x),
            // Ground is never added.
            None => fits((p, k), *x) && orient(a, b, *x) >= 0,
        };
        let x = around.into_iter().find(within)?;
        self.insert((p, k), x);
        if let Some(twin) = beyond {
            self.insert(twin, x);
        }
        Some(x)
    }
}
