//! A grid of border edges that changes as edges go, for finding those near a polygon.

use navbake_geom::{Point, box_around};

const NONE: u32 = u32::MAX;

/// Where a polygon's bounds are so few buckets, all of them are looked at.
const FEW: i32 = 4;

/// A grid of buckets, each with the edges that pass through it.
///
/// Edges are pairs of vertex numbers; the caller knows which of them are still there.
pub(super) struct EdgeGrid {
    least: Point,
    // A bucket's side is a power of two.
    shift: u32,
    size: [i32; 2],
    // The last entry of each bucket; an entry is an edge and the entry before it.
    last: Vec<u32>,
    entries: Vec<(u32, u32, u32)>,
}

impl EdgeGrid {
    /// An empty grid over the bounds of some points, with about one bucket for each of them.
    pub(super) fn new(points: &[Point]) -> EdgeGrid {
        let [low, high] = box_around(points.iter().copied());
        let extent =
            [i64::from(high.x) - i64::from(low.x) + 1, i64::from(high.z) - i64::from(low.z) + 1];
        let n = points.len().max(1) as i64;
        let mut side = ((extent[0] * extent[1]) as f64 / n as f64).sqrt().ceil() as i64;
        side = side.max((extent[0] + extent[1]) / (4 * n) + 1);
        let shift = (side - 1).checked_ilog2().map_or(0, |bits| bits + 1);
        let size = extent.map(|e| ((e - 1) >> shift) as i32 + 1);
        EdgeGrid {
            least: low,
            shift,
            size,
            last: vec![NONE; size[0] as usize * size[1] as usize],
            entries: Vec::with_capacity(4 * points.len()),
        }
    }

    /// Adds the edge from vertex `u` at `p` to vertex `v` at `q`.
    pub(super) fn insert(&mut self, [u, v]: [u32; 2], p: Point, q: Point) {
        let mut last = std::mem::take(&mut self.last);
        let mut entries = std::mem::take(&mut self.entries);
        self.buckets(&[p, q], |k| {
            entries.push((u, v, last[k]));
            last[k] = entries.len() as u32 - 1;
            false
        });
        (self.last, self.entries) = (last, entries);
    }

    /// Does `hit` hold for any edge in the buckets that the hull of a polygon touches?
    ///
    /// Edges around may be asked about as well, and more than once. Edges that are not `there` any
    /// more, and never will be again, are not asked about, and taken out.
    pub(super) fn any_near(
        &mut self,
        polygon: &[Point],
        there: impl Fn(u32, u32) -> bool,
        hit: impl Fn(u32, u32) -> bool,
    ) -> bool {
        let mut last = std::mem::take(&mut self.last);
        let mut entries = std::mem::take(&mut self.entries);
        let found = self.buckets(polygon, |k| {
            let mut at = last[k];
            let mut after = NONE;
            while at != NONE {
                let (u, v, before) = entries[at as usize];
                if there(u, v) {
                    if hit(u, v) {
                        return true;
                    }
                    after = at;
                } else if after == NONE {
                    last[k] = before;
                } else {
                    entries[after as usize].2 = before;
                }
                at = before;
            }
            false
        });
        (self.last, self.entries) = (last, entries);
        found
    }

    /// Calls `f` with buckets, among them all that the hull of a polygon touches, until it gives
    /// true.
    fn buckets(&self, polygon: &[Point], mut f: impl FnMut(usize) -> bool) -> bool {
        // Places outside the grid belong to the buckets on its rim.
        let slot =
            |x: i64, axis: usize| (x >> self.shift).clamp(0, i64::from(self.size[axis]) - 1) as i32;
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for &p in polygon {
            for (k, c) in self.local(p).into_iter().enumerate() {
                low[k] = low[k].min(c);
                high[k] = high[k].max(c);
            }
        }
        let columns = [slot(low[0], 0), slot(high[0], 0)];
        let rows = [slot(low[1], 1), slot(high[1], 1)];
        let across = columns[1] - columns[0];
        let few = across.min(rows[1] - rows[0]) == 0 || across * (rows[1] - rows[0]) <= FEW;
        for j in rows[0]..=rows[1] {
            let [from, to] = match few {
                true => columns,
                false => {
                    let [x0, x1] = self.reach(polygon, j);
                    if x0 > x1 {
                        continue;
                    }
                    [slot(x0 as i64, 0), slot(x1 as i64, 0)]
                }
            };
            let row = j as usize * self.size[0] as usize;
            for i in from..=to {
                if f(row + i as usize) {
                    return true;
                }
            }
        }
        false
    }

    fn local(&self, p: Point) -> [i64; 2] {
        [i64::from(p.x) - i64::from(self.least.x), i64::from(p.z) - i64::from(self.least.z)]
    }

    /// How far a polygon's hull reaches along x in a row of buckets, a unit wider for rounding.
    fn reach(&self, polygon: &[Point], row: i32) -> [f64; 2] {
        let line = |j: i32| (i64::from(j) << self.shift) as f64;
        let z0 = match row {
            0 => f64::NEG_INFINITY,
            j => line(j),
        };
        let z1 = match row + 1 {
            j if j == self.size[1] => f64::INFINITY,
            j => line(j),
        };
        let local = |p: Point| self.local(p).map(|c| c as f64);
        let (mut x0, mut x1) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..polygon.len() {
            let (a, b) = (local(polygon[k]), local(polygon[(k + 1) % polygon.len()]));
            let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
            if b[1] < z0 || a[1] > z1 {
                continue;
            }
            let at = |z: f64, end: [f64; 2]| {
                if a[1] < z && z < b[1] {
                    a[0] + (z - a[1]) / (b[1] - a[1]) * (b[0] - a[0])
                } else {
                    end[0]
                }
            };
            for x in [at(z0, a), at(z1, b)] {
                x0 = x0.min(x - 1.0);
                x1 = x1.max(x + 1.0);
            }
        }
        [x0.floor(), x1.ceil()]
    }
}
