//! Triangles to columns of a grid: ground under cell centres, and heights with anything solid.
//!
//! Ground is sampled exactly at the centre of a cell. Solids are conservative: a triangle counts in
//! every cell it touches, with the heights it has there. So no obstacle is missed however thin it
//! is, and ground keeps its true height on slopes.

use navbake_geom::{Point, Point3, Whole, orient};
use navbake_level::Level;

use crate::groups::Groups;
use crate::params::Params;

/// Ground under a cell's centre.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) y: i32,
    pub(crate) triangle: u32,
}

/// Heights within a cell that a triangle passes through.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solid {
    pub(crate) low: i32,
    pub(crate) high: i32,
    pub(crate) triangle: u32,
}

/// The grid of one tile and its surroundings.
#[derive(Debug)]
pub(crate) struct Columns {
    /// Grid coordinates of the window's least cell.
    pub(crate) least: [i32; 2],
    /// Cells along a side.
    pub(crate) side: i32,
    pub(crate) samples: Groups<Sample>,
    pub(crate) solids: Groups<Solid>,
}

/// Rasterises triangles of a level (ascending indices) around a tile.
pub(crate) fn columns(level: &Level, triangles: &[u32], params: &Params, key: [i32; 2]) -> Columns {
    let side = params.window();
    let least =
        [key[0] * params.tile_cells() - params.pad, key[1] * params.tile_cells() - params.pad];
    let mut raster = Raster {
        cell: params.cell,
        least,
        side,
        samples: vec![],
        solids: vec![],
        row: vec![],
        part: vec![],
    };
    for &t in triangles {
        let corners = level.corners(&level.triangles[t as usize]);
        raster.solid(corners, t);
        if params.is_ground(level, t as usize) {
            raster.ground(corners, t);
        }
    }
    let cells = (side * side) as usize;
    Columns {
        least,
        side,
        samples: Groups::new(cells, raster.samples.iter().copied()),
        solids: Groups::new(cells, raster.solids.iter().copied()),
    }
}

struct Raster {
    cell: i32,
    least: [i32; 2],
    side: i32,
    samples: Vec<(u32, Sample)>,
    solids: Vec<(u32, Solid)>,
    /// Scratch of [`Raster::solid`]: the triangle within a row, then within a cell.
    row: Vec<[f64; 3]>,
    part: Vec<[f64; 3]>,
}

impl Raster {
    fn index(&self, column: i32, row: i32) -> u32 {
        (row * self.side + column) as u32
    }

    /// Window rows or columns that the interval touches.
    fn range(&self, low: i32, high: i32, axis: usize) -> (i32, i32) {
        let from = low.div_euclid(self.cell) - self.least[axis];
        // A triangle that only touches a cell's least side is not in it, but a wall exactly on the
        // line counts on both sides.
        let to = high.div_euclid(self.cell) - self.least[axis];
        let from = if low.rem_euclid(self.cell) == 0 { from - 1 } else { from };
        (from.max(0), to.min(self.side - 1))
    }

    /// Samples a triangle at cell centres; centres on its border count.
    fn ground(&mut self, corners: [Point3; 3], triangle: u32) {
        let mut p = corners.map(Point3::flat);
        let mut y = corners.map(|c| f64::from(c.y));
        let mut area = orient(p[0], p[1], p[2]);
        if area == 0 {
            return;
        }
        if area < 0 {
            p.swap(1, 2);
            y.swap(1, 2);
            area = -area;
        }
        let half = self.cell / 2;
        let (x0, x1) = bounds(p.map(|q| q.x));
        let (z0, z1) = bounds(p.map(|q| q.z));
        // Cells whose centre is in the bounds.
        let first = |low: i32, axis: usize| {
            (low - half + self.cell - 1).div_euclid(self.cell) - self.least[axis]
        };
        let last = |high: i32, axis: usize| (high - half).div_euclid(self.cell) - self.least[axis];
        let (c0, c1) = (first(x0, 0).max(0), last(x1, 0).min(self.side - 1));
        let (r0, r1) = (first(z0, 1).max(0), last(z1, 1).min(self.side - 1));
        if c0 > c1 || r0 > r1 {
            return;
        }
        let inverse = 1.0 / area as f64;
        for row in r0..=r1 {
            let z = (self.least[1] + row) * self.cell + half;
            let start = Point::new((self.least[0] + c0) * self.cell + half, z);
            // Edge functions, stepped along the row.
            let mut e =
                [orient(p[1], p[2], start), orient(p[2], p[0], start), orient(p[0], p[1], start)];
            let step = [
                i64::from(p[2].z - p[1].z) * i64::from(self.cell),
                i64::from(p[0].z - p[2].z) * i64::from(self.cell),
                i64::from(p[1].z - p[0].z) * i64::from(self.cell),
            ];
            let (mut from, mut to) = (c0, c1);
            for k in 0..3 {
                narrow(e[k], step[k], c0, &mut from, &mut to);
            }
            if from > to {
                continue;
            }
            for k in 0..3 {
                e[k] += step[k] * i64::from(from - c0);
            }
            for column in from..=to {
                let height =
                    (e[0] as f64 * y[0] + e[1] as f64 * y[1] + e[2] as f64 * y[2]) * inverse;
                let cell = self.index(column, row);
                let y = height.to_nearest();
                self.samples.push((cell, Sample { y, triangle }));
                for k in 0..3 {
                    e[k] += step[k];
                }
            }
        }
    }

    /// Records the heights a triangle has in each cell it touches.
    fn solid(&mut self, corners: [Point3; 3], triangle: u32) {
        let (x0, x1) = bounds(corners.map(|q| q.x));
        let (z0, z1) = bounds(corners.map(|q| q.z));
        let (c0, c1) = self.range(x0, x1, 0);
        let (r0, r1) = self.range(z0, z1, 1);
        if c0 > c1 || r0 > r1 {
            return;
        }
        let (low, high) = bounds(corners.map(|q| q.y));
        let one = c0 == c1 && r0 == r1;
        if one && (low == high || (self.holds(x0, x1, 0, c0) && self.holds(z0, z1, 1, r0))) {
            self.solids.push((self.index(c0, r0), Solid { low, high, triangle }));
            return;
        }
        let whole = corners.map(|q| [f64::from(q.x), f64::from(q.y), f64::from(q.z)]);
        let side = f64::from(self.cell);
        for row in r0..=r1 {
            let z = f64::from(self.least[1] + row) * side;
            let mut clipped = std::mem::take(&mut self.row);
            let mut part = std::mem::take(&mut self.part);
            part.clear();
            part.extend_from_slice(&whole);
            clip(&part, 2, z, 1.0, &mut clipped);
            clip(&clipped, 2, z + side, -1.0, &mut part);
            if !part.is_empty() {
                std::mem::swap(&mut part, &mut clipped);
                self.cells(&clipped, &mut part, row, (c0, c1), triangle);
            }
            self.row = clipped;
            self.part = part;
        }
    }

    /// The cells of one row that a clipped polygon touches.
    fn cells(
        &mut self,
        polygon: &[[f64; 3]],
        part: &mut Vec<[f64; 3]>,
        row: i32,
        (c0, c1): (i32, i32),
        triangle: u32,
    ) {
        let side = f64::from(self.cell);
        let least = polygon.iter().fold(f64::INFINITY, |m, p| m.min(p[0]));
        let greatest = polygon.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p[0]));
        let (from, to) = self.range(least.to_floor(), greatest.to_ceil(), 0);
        let mut half = Vec::with_capacity(8);
        for column in from.max(c0)..=to.min(c1) {
            let x = f64::from(self.least[0] + column) * side;
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            if x <= least && greatest <= x + side {
                for p in polygon {
                    low = low.min(p[1]);
                    high = high.max(p[1]);
                }
            } else {
                clip(polygon, 0, x, 1.0, &mut half);
                clip(&half, 0, x + side, -1.0, part);
                for p in part.iter() {
                    low = low.min(p[1]);
                    high = high.max(p[1]);
                }
            }
            if low <= high {
                let (low, high) = (low.to_nearest(), high.to_nearest());
                self.solids.push((self.index(column, row), Solid { low, high, triangle }));
            }
        }
    }

    fn holds(&self, low: i32, high: i32, axis: usize, cell: i32) -> bool {
        let from = (self.least[axis] + cell) * self.cell;
        low >= from && high <= from + self.cell
    }
}

fn bounds(v: [i32; 3]) -> (i32, i32) {
    (v[0].min(v[1]).min(v[2]), v[0].max(v[1]).max(v[2]))
}

/// Narrows the columns `from..=to` to those where `value + step * (column - base)` is not negative.
fn narrow(value: i64, step: i64, base: i32, from: &mut i32, to: &mut i32) {
    match step {
        0 if value < 0 => *to = *from - 1,
        0 => {}
        s if s > 0 => {
            if value < 0 {
                let steps = (-value + s - 1) / s;
                *from = (*from).max(base.saturating_add(steps.min(i64::from(i32::MAX)) as i32));
            }
        }
        s => {
            if value < 0 {
                *to = *from - 1;
            } else {
                let steps = value / -s;
                *to = (*to).min(base.saturating_add(steps.min(i64::from(i32::MAX)) as i32));
            }
        }
    }
}

/// Sutherland-Hodgman clipping against one axis-parallel plane: keeps the part with `sign *
/// (p[axis] - at) >= 0`.
fn clip(polygon: &[[f64; 3]], axis: usize, at: f64, sign: f64, out: &mut Vec<[f64; 3]>) {
    out.clear();
    let Some(mut last) = polygon.last().copied() else {
        return;
    };
    let mut before = sign * (last[axis] - at);
    for &p in polygon {
        let now = sign * (p[axis] - at);
        if (before < 0.0) != (now < 0.0) {
            // Interpolated from the inner point, so that both directions give the same crossing.
            let (a, b, da, db) =
                if before < 0.0 { (p, last, now, before) } else { (last, p, before, now) };
            let t = da / (da - db);
            let mut q =
                [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
            q[axis] = at;
            out.push(q);
        }
        if now >= 0.0 {
            out.push(p);
        }
        last = p;
        before = now;
    }
}
