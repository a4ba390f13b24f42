//! Heights of a layer by place, from the cells of its grid.

use navbake_geom::{LIMIT, Point};
use navbake_walkable::{BreaklineKind, BreaklineSample, Heights, LayerGround};

/// From a place of a convex polygon towards its middle.
pub(crate) fn towards(corners: &[Point], p: Point) -> [i64; 2] {
    Middle::new(corners).from(p)
}

/// The middle of a convex polygon's corners, times their number.
#[derive(Clone, Copy)]
pub(crate) struct Middle {
    count: i64,
    sum: [i64; 2],
}

impl Middle {
    pub(crate) fn new(corners: &[Point]) -> Middle {
        let sum = |of: fn(&Point) -> i32| corners.iter().map(|c| i64::from(of(c))).sum();
        Middle { count: corners.len() as i64, sum: [sum(|c| c.x), sum(|c| c.z)] }
    }

    /// The direction there from a place.
    pub(crate) fn from(&self, p: Point) -> [i64; 2] {
        [self.sum[0] - self.count * i64::from(p.x), self.sum[1] - self.count * i64::from(p.z)]
    }
}

/// How many cells away ground is looked for where there is none.
const REACH: i64 = 2;

/// As many cells are visited as fit into the cost of one height for each of some places.
const FEW: i64 = 16;

/// The heights of a layer, to be looked up by place.
pub(crate) struct CellHeights<'a> {
    heights: &'a Heights,
    // Marks cells without heights.
    ground: Option<&'a LayerGround>,
    // For places far from any ground.
    anywhere: i32,
}

impl<'a> CellHeights<'a> {
    /// `None` when the grid does not fit its cells, or heights or places are beyond the grid.
    pub(crate) fn new(
        heights: &'a Heights,
        ground: Option<&'a LayerGround>,
    ) -> Option<CellHeights<'a>> {
        let Heights { cell, least, size, cells } = heights;
        if cells.is_empty() {
            return Some(CellHeights {
                heights,
                ground,
                anywhere: ground.and_then(LayerGround::any_cell).map_or(0, |c| c[4]),
            });
        }
        let count = u64::from(size[0]) * u64::from(size[1]);
        let shaped = cells.len() as u64 == count && *cell > 0 && cell % 2 == 0;
        let within = |k: usize| {
            let last = i64::from(least[k]) + i64::from(size[k]);
            i64::from(*cell) * i64::from(least[k]).abs().max(last.abs()) <= i64::from(LIMIT)
        };
        let sound = |c: &[i32; 5]| c[4] == Heights::NONE || c.iter().all(|h| h.abs() < LIMIT);
        let ground = cells.iter().find(|c| c[4] != Heights::NONE);
        (shaped && within(0) && within(1) && cells.iter().all(sound)).then_some(CellHeights {
            heights,
            ground: None,
            anywhere: ground.map_or(0, |c| c[4]),
        })
    }

    /// Are there no heights at all, so that everything is at zero?
    pub(crate) fn is_flat(&self) -> bool {
        self.heights.cells.is_empty() && self.ground.is_none()
    }

    /// Side of a cell; 0 without heights.
    pub(crate) fn pitch(&self) -> i32 {
        if self.is_flat() { 0 } else { self.heights.cell }
    }

    /// Centres and corners of cells with ground in the bounds of a polygon, and places along its
    /// border, but for those in the slab `plane` (see [`navbake_walkable::BreaklineSettings`]).
    pub(crate) fn samples(
        &self,
        corners: &[Point],
        plane: Option<[f64; 4]>,
        out: &mut Vec<BreaklineSample>,
    ) {
        let cell = i64::from(self.heights.cell);
        // Multiples of the cell's side, moved by `shift`, in the bounds along an axis.
        let range = |axis: usize, of: fn(&Point) -> i32, shift: i64| {
            let values = corners.iter().map(|p| i64::from(of(p)));
            let low = values.clone().min().unwrap_or(0) - shift;
            let high = values.max().unwrap_or(0) - shift;
            let least = i64::from(self.heights.least[axis]);
            let last = least + i64::from(self.heights.size[axis]);
            (low + cell - 1).div_euclid(cell).max(least)..=high.div_euclid(cell).min(last)
        };
        let mut push = |p: Point, kind: BreaklineKind| {
            let off = plane.is_none_or(|[sx, sz, base, within]| {
                let on = sx * f64::from(p.x) + sz * f64::from(p.z) + base;
                (on - f64::from(self.height(p, towards(corners, p)))).abs() > within
            });
            if off {
                out.push(BreaklineSample { place: p, kind, deep: false, away: [0; 2] });
            }
        };
        for shift in [0, cell / 2] {
            for j in range(1, |p| p.z, shift) {
                for i in range(0, |p| p.x, shift) {
                    // A corner belongs to the ground of any of four cells.
                    let around = match shift {
                        0 => &[[0, 0], [1, 0], [0, 1], [1, 1]][..],
                        _ => &[[0, 0]],
                    };
                    if !(around.iter()).any(|d| self.ground(i - d[0], j - d[1]).is_some()) {
                        continue;
                    }
                    let p = Point::new((i * cell + shift) as i32, (j * cell + shift) as i32);
                    push(p, BreaklineKind::Corner);
                }
            }
        }
        for (k, a) in corners.iter().enumerate() {
            let b = corners[(k + 1) % corners.len()];
            let [dx, dz] = [b.x - a.x, b.z - a.z].map(i64::from);
            let pieces = dx.abs().max(dz.abs()) / (2 * cell).max(1) + 1;
            for n in 1..pieces {
                let part = |d: i64| (d * n / pieces) as i32;
                push(Point::new(a.x + part(dx), a.z + part(dz)), BreaklineKind::Along);
            }
        }
    }

    /// Least and greatest height of the cells with ground that meet the bounds of places; `None`
    /// without any, and where these are more than a few.
    pub(crate) fn range(&self, places: impl Iterator<Item = Point> + Clone) -> Option<[i32; 2]> {
        if self.is_flat() {
            return None;
        }
        let cells = |of: fn(Point) -> i32| {
            let cell = |c: i32| i64::from(c).div_euclid(i64::from(self.heights.cell));
            let values = || places.clone().map(of);
            Some([cell(values().min()?), cell(values().max()?)])
        };
        let ([i0, i1], [j0, j1]) = (cells(|p| p.x)?, cells(|p| p.z)?);
        if (i1 - i0 + 1) * (j1 - j0 + 1) > FEW {
            return None;
        }
        let all = (j0..=j1).flat_map(|j| (i0..=i1).filter_map(move |i| self.ground(i, j)));
        let sides = all.flatten().map(|y| [y, y]);
        sides.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    fn ground(&self, i: i64, j: i64) -> Option<[i32; 5]> {
        if let Some(ground) = self.ground {
            return ground.cell(i, j);
        }
        let h = self.heights;
        let (u, v) = (i - i64::from(h.least[0]), j - i64::from(h.least[1]));
        if u < 0 || v < 0 || u >= i64::from(h.size[0]) || v >= i64::from(h.size[1]) {
            return None;
        }
        let cell = h.cells[(v * i64::from(h.size[0]) + u) as usize];
        (cell[4] != Heights::NONE).then_some(cell)
    }

    /// The height at a place, on its side in the direction (x, z), which need not be normalised:
    /// from the cell on that side where the place is between cells. Where there is no ground, the
    /// nearest cell that has some answers, with the height of its point nearest to the place.
    pub(crate) fn height(&self, p: Point, direction: [i64; 2]) -> i32 {
        if self.is_flat() {
            return 0;
        }
        let cell = i64::from(self.heights.cell);
        let [i, j] = [(p.x, direction[0]), (p.z, direction[1])].map(|(c, d)| {
            let c = i64::from(c);
            let k = c.div_euclid(cell);
            if d < 0 && c.rem_euclid(cell) == 0 { k - 1 } else { k }
        });
        match self.ground(i, j) {
            Some(heights) => self.inside(&heights, i, j, p),
            None => self.nearest(p),
        }
    }

    /// The height of the nearest point of a cell with ground no more than [`REACH`] cells away, the
    /// least cell (row first) among equals. Rings follow ground, so this is for places that
    /// rounding put beside it; further away any height does.
    fn nearest(&self, p: Point) -> i32 {
        let cell = i64::from(self.heights.cell);
        let gap = |c: i32, k: i64| {
            let c = i64::from(c);
            (k * cell - c).max(c - (k + 1) * cell).max(0)
        };
        let span = |c: i32| {
            let k = i64::from(c).div_euclid(cell);
            k - REACH..=k + REACH
        };
        let mut best: Option<(i64, i64, i64)> = None;
        for j in span(p.z) {
            for i in span(p.x).filter(|&i| self.ground(i, j).is_some()) {
                let (dx, dz) = (gap(p.x, i), gap(p.z, j));
                let key = (dx * dx + dz * dz, j, i);
                best = Some(best.map_or(key, |b| b.min(key)));
            }
        }
        let found = best.and_then(|(_, j, i)| Some(self.inside(&self.ground(i, j)?, i, j, p)));
        found.unwrap_or(self.anywhere)
    }

    /// Height in a cell at the point nearest to `p`, over the four triangles from its centre to its
    /// sides; rounded to nearest.
    fn inside(&self, c: &[i32; 5], i: i64, j: i64, p: Point) -> i32 {
        let s = i64::from(self.heights.cell);
        let u = (i64::from(p.x) - i * s).clamp(0, s);
        let v = (i64::from(p.z) - j * s).clamp(0, s);
        let [c0, c1, c2, c3, m] = c.map(i64::from);
        // Depth from the nearest side, and the heights at that side's ends with the position along
        // it.
        let (depth, from, to, along) =
            [(v, c0, c1, u), (s - u, c1, c2, v), (s - v, c3, c2, u), (u, c0, c3, v)]
                .into_iter()
                .min_by_key(|side| side.0)
                .unwrap_or((v, c0, c1, u));
        let scaled = from * s + (to - from) * along + (2 * m - from - to) * depth;
        (scaled + s / 2).div_euclid(s) as i32
    }
}
