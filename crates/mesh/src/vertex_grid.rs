//! Vertices by place, for asking which lie near a triangle.

use navbake_geom::Point;

/// A grid of buckets with vertices in them; vertices can be taken out.
#[derive(Default)]
pub(crate) struct VertexGrid {
    least: Point,
    side: i64,
    size: [i64; 2],
    // Vertices of bucket k: `vertices[first[k]..first[k + 1]]`.
    first: Vec<u32>,
    vertices: Vec<u32>,
    there: Vec<bool>,
}

impl VertexGrid {
    pub(crate) fn new(points: &[Point]) -> VertexGrid {
        let Some(&p) = points.first() else {
            return VertexGrid::default();
        };
        let (mut low, mut high) = (p, p);
        for q in points {
            low = Point::new(low.x.min(q.x), low.z.min(q.z));
            high = Point::new(high.x.max(q.x), high.z.max(q.z));
        }
        let extent = [
            i64::from(high.x) - i64::from(low.x) + 1,
            i64::from(high.z) - i64::from(low.z) + 1,
        ];
        // About one vertex a bucket.
        let n = points.len() as i64;
        let mut side = ((extent[0] * extent[1]) as f64 / n as f64).sqrt().ceil() as i64;
        side = side.max((extent[0] + extent[1]) / (4 * n) + 1);
        let size = extent.map(|e| (e - 1) / side + 1);
        let mut grid = VertexGrid {
            least: low,
            side,
            size,
            first: vec![0; (size[0] * size[1] + 1) as usize],
            vertices: vec![0; points.len()],
            there: vec![true; points.len()],
        };
        for &q in points {
            let k = grid.bucket(q);
            grid.first[k + 1] += 1;
        }
        for k in 1..grid.first.len() {
            grid.first[k] += grid.first[k - 1];
        }
        let mut at = grid.first.clone();
        for (v, &q) in points.iter().enumerate() {
            let slot = &mut at[grid.bucket(q)];
            grid.vertices[*slot as usize] = v as u32;
            *slot += 1;
        }
        grid
    }

    fn bucket(&self, p: Point) -> usize {
        let i = (i64::from(p.x) - i64::from(self.least.x)) / self.side;
        let j = (i64::from(p.z) - i64::from(self.least.z)) / self.side;
        (j * self.size[0] + i) as usize
    }

    /// Has the vertex not been taken out?
    pub(crate) fn has(&self, v: u32) -> bool {
        self.there[v as usize]
    }

    /// Takes a vertex out.
    pub(crate) fn remove(&mut self, v: u32) {
        self.there[v as usize] = false;
    }

    /// Does `f` hold for any vertex in the buckets that a triangle touches? Others may be asked about as well.
    pub(crate) fn any_near(&self, triangle: [Point; 3], f: impl Fn(u32) -> bool) -> bool {
        let corners = triangle.map(|p| {
            [
                (i64::from(p.x) - i64::from(self.least.x)) as f64,
                (i64::from(p.z) - i64::from(self.least.z)) as f64,
            ]
        });
        let side = self.side as f64;
        let row = |z: f64| (z / side).floor() as i64;
        let rows = corners.map(|c| row(c[1]));
        let low = rows.into_iter().min().unwrap_or(0).max(0);
        let high = rows.into_iter().max().unwrap_or(0).min(self.size[1] - 1);
        for j in low..=high {
            let (z0, z1) = (j as f64 * side, (j + 1) as f64 * side);
            // The triangle's reach along x in this row of buckets, a unit wider for rounding.
            let (mut x0, mut x1) = (f64::INFINITY, f64::NEG_INFINITY);
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
                if b[1] < z0 || a[1] > z1 {
                    continue;
                }
                let at = |z: f64| {
                    let t = if b[1] > a[1] {
                        (z - a[1]) / (b[1] - a[1])
                    } else {
                        0.0
                    };
                    a[0] + t.clamp(0.0, 1.0) * (b[0] - a[0])
                };
                let ends = if b[1] > a[1] {
                    [at(z0), at(z1)]
                } else {
                    [a[0], b[0]]
                };
                for x in ends {
                    x0 = x0.min(x - 1.0);
                    x1 = x1.max(x + 1.0);
                }
            }
            let from = ((x0 / side).floor().max(0.0)) as i64;
            let to = ((x1 / side).floor().min((self.size[0] - 1) as f64)) as i64;
            for i in from..=to {
                let k = (j * self.size[0] + i) as usize;
                let bucket = self.first[k] as usize..self.first[k + 1] as usize;
                if self.vertices[bucket].iter().any(|&v| self.has(v) && f(v)) {
                    return true;
                }
            }
        }
        false
    }
}
