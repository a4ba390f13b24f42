//! Border edges by place, for asking which lie near a polygon.

use navbake_geom::Point;

const NONE: u32 = u32::MAX;

/// A grid of buckets, each with the edges that pass through it. Edges are pairs of vertex numbers; they are never taken out, the asker
/// knows which of them still are.
pub(super) struct EdgeGrid {
    least: Point,
    side: f64,
    size: [i64; 2],
    // The last entry of each bucket; an entry is an edge and the entry before it.
    last: Vec<u32>,
    entries: Vec<(u32, u32, u32)>,
}

impl EdgeGrid {
    /// An empty grid over the bounds of some points, with about one bucket for each of them.
    pub(super) fn new(points: &[Point]) -> EdgeGrid {
        let first = points.first().copied().unwrap_or_default();
        let (mut low, mut high) = (first, first);
        for q in points {
            low = Point::new(low.x.min(q.x), low.z.min(q.z));
            high = Point::new(high.x.max(q.x), high.z.max(q.z));
        }
        let extent = [
            i64::from(high.x) - i64::from(low.x) + 1,
            i64::from(high.z) - i64::from(low.z) + 1,
        ];
        let n = points.len().max(1) as i64;
        let mut side = ((extent[0] * extent[1]) as f64 / n as f64).sqrt().ceil() as i64;
        side = side.max((extent[0] + extent[1]) / (4 * n) + 1);
        let size = extent.map(|e| (e - 1) / side + 1);
        EdgeGrid {
            least: low,
            side: side as f64,
            size,
            last: vec![NONE; (size[0] * size[1]) as usize],
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

    /// Does `f` hold for any edge in the buckets that the hull of a polygon touches? Edges around may be asked about as well, and more
    /// than once.
    pub(super) fn any_near(&self, polygon: &[Point], f: impl Fn(u32, u32) -> bool) -> bool {
        self.buckets(polygon, |k| {
            let mut at = self.last[k];
            while at != NONE {
                let (u, v, before) = self.entries[at as usize];
                if f(u, v) {
                    return true;
                }
                at = before;
            }
            false
        })
    }

    /// Calls `f` with buckets, among them all that the hull of a polygon touches, until it gives true.
    fn buckets(&self, polygon: &[Point], mut f: impl FnMut(usize) -> bool) -> bool {
        let local = |p: Point| {
            [
                (i64::from(p.x) - i64::from(self.least.x)) as f64,
                (i64::from(p.z) - i64::from(self.least.z)) as f64,
            ]
        };
        // What lies outside of the grid belongs to the buckets on its rim.
        let slot =
            |x: f64, axis: usize| ((x / self.side).floor() as i64).clamp(0, self.size[axis] - 1);
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for &p in polygon {
            let p = local(p);
            for k in 0..2 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let rows = [slot(low[1], 1), slot(high[1], 1)];
        for j in rows[0]..=rows[1] {
            let (mut x0, mut x1) = (low[0], high[0]);
            if rows[0] < rows[1] {
                // The reach along x in this row, a unit wider for rounding.
                let z0 = if j == 0 {
                    f64::NEG_INFINITY
                } else {
                    j as f64 * self.side
                };
                let z1 = if j + 1 == self.size[1] {
                    f64::INFINITY
                } else {
                    (j + 1) as f64 * self.side
                };
                (x0, x1) = (f64::INFINITY, f64::NEG_INFINITY);
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
            }
            for i in slot(x0, 0)..=slot(x1, 0) {
                if x0 <= x1 && f((j * self.size[0] + i) as usize) {
                    return true;
                }
            }
        }
        false
    }
}
