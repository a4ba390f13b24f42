//! Where places lie: polygons sorted into squares, and which of them holds a place.

use navbake_geom::{Point, orient};
use navbake_mesh::NavMesh;

/// More squares than polygons, times this, are not made.
const SQUARES: f64 = 2.0;

/// The polygons of a navmesh by the squares that they reach into.
pub(super) struct Places<'a> {
    mesh: &'a NavMesh,
    least: Point,
    side: i64,
    /// Squares along x and z.
    count: [i64; 2],
    /// Where the list of each square begins, row by row, and where the last one ends.
    first: Vec<u32>,
    polygons: Vec<u32>,
}

impl<'a> Places<'a> {
    pub(super) fn new(mesh: &'a NavMesh) -> Places<'a> {
        let all = || mesh.vertices.iter().map(|v| v.flat());
        let box_of = |f: fn(Point) -> i32| {
            let (low, high) = (all().map(f).min(), all().map(f).max());
            (low.unwrap_or(0), high.unwrap_or(0))
        };
        let ((x0, x1), (z0, z1)) = (box_of(|p| p.x), box_of(|p| p.z));
        let sides = [i64::from(x1) - i64::from(x0), i64::from(z1) - i64::from(z0)];
        let area = sides.iter().map(|&s| s.max(1) as f64).product::<f64>();
        let side = (area / (SQUARES * mesh.len().max(1) as f64)).sqrt().ceil() as i64;
        let mut places = Places {
            mesh,
            least: Point::new(x0, z0),
            side: side.max(1),
            count: sides.map(|s| s / side.max(1) + 1),
            first: vec![],
            polygons: vec![],
        };
        let mut items: Vec<(i64, u32)> = vec![];
        for p in 0..mesh.len() {
            let ring = mesh.polygon(p).iter();
            let corners: Vec<Point> = ring.map(|&v| mesh.vertices[v as usize].flat()).collect();
            items.extend(places.squares(&corners).map(|s| (s, p as u32)));
        }
        items.sort_unstable();
        let ends = 0..=places.count[0] * places.count[1];
        let begin = |s: i64| items.partition_point(|i| i.0 < s) as u32;
        places.first = ends.map(begin).collect();
        places.polygons = items.into_iter().map(|i| i.1).collect();
        places
    }

    /// The squares that a box around points reaches into.
    fn squares(&self, points: &[Point]) -> impl Iterator<Item = i64> + use<> {
        let square = |v: i32, least: i32, count: i64| {
            ((i64::from(v) - i64::from(least)).div_euclid(self.side)).clamp(0, count - 1)
        };
        let span = |f: fn(Point) -> i32, k: usize| {
            let all = || {
                points
                    .iter()
                    .map(|&p| square(f(p), f(self.least), self.count[k]))
            };
            all().min().unwrap_or(0)..=all().max().unwrap_or(-1)
        };
        let (columns, width) = (span(|p| p.x, 0), self.count[0]);
        span(|p| p.z, 1).flat_map(move |row| columns.clone().map(move |c| row * width + c))
    }

    /// The polygons that reach into the squares of a box around points, rising.
    pub(super) fn near(&self, points: &[Point]) -> Vec<u32> {
        let list = |s: i64| {
            let [from, to] = [s, s + 1].map(|s| self.first[s as usize] as usize);
            &self.polygons[from..to]
        };
        let mut found: Vec<u32> = self.squares(points).flat_map(list).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The polygon whose ground holds a place, the nearest in height; heights are told by corners.
    pub(super) fn at(&self, place: Point, height: f64) -> Option<(u32, f64)> {
        let off = |p: u32| Some((p, (self.height(p, place)? - height).abs()));
        let found = self.near(&[place]).into_iter().filter_map(off);
        found.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    /// How high a polygon is at a place of it: in the triangles from its first corner.
    fn height(&self, polygon: u32, place: Point) -> Option<f64> {
        let ring = self.mesh.polygon(polygon as usize);
        let at = |k: usize| self.mesh.vertices[ring[k] as usize];
        (1..ring.len() - 1).find_map(|k| {
            let corners = [at(0), at(k), at(k + 1)];
            let [a, b, c] = corners.map(|v| v.flat());
            let parts = [(b, c), (c, a), (a, b)].map(|(u, v)| orient(u, v, place));
            let whole = parts.iter().sum::<i64>() as f64;
            let height = || -> f64 {
                let weighted = corners.iter().zip(parts);
                weighted
                    .map(|(v, w)| f64::from(v.y) * (w as f64 / whole))
                    .sum()
            };
            (whole > 0.0 && parts.iter().all(|&w| w >= 0)).then(height)
        })
    }
}

/// Places within a polygon, one before each corner, with heights.
pub(super) fn samples(mesh: &NavMesh, polygon: usize) -> Vec<(Point, f64)> {
    let (corners, middle) = corners(mesh, polygon);
    let inner = |c: &[f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| c[k] + INNER * (middle[k] - c[k]));
        (Point::new(x.round() as i32, z.round() as i32), y)
    };
    corners.iter().map(inner).collect()
}

/// So far on the way from a corner to the middle.
const INNER: f64 = 0.25;

/// The parts of a polygon between its middle and each edge: a place within, its height, and twice the area.
pub(super) fn shares(mesh: &NavMesh, polygon: usize) -> Vec<(Point, f64, i64)> {
    let (corners, middle) = corners(mesh, polygon);
    let whole = |c: [f64; 3]| Point::new(c[0].round() as i32, c[2].round() as i32);
    let part = |k: usize| {
        let three = [corners[k], corners[(k + 1) % corners.len()], middle];
        let mean = [0, 1, 2].map(|axis| three.iter().map(|c| c[axis]).sum::<f64>() / 3.0);
        let [a, b, c] = three.map(whole);
        (whole(mean), mean[1], orient(a, b, c))
    };
    (0..corners.len()).map(part).collect()
}

/// The corners of a polygon, and their mean.
fn corners(mesh: &NavMesh, polygon: usize) -> (Vec<[f64; 3]>, [f64; 3]) {
    let corners: Vec<[f64; 3]> = (mesh.polygon(polygon).iter())
        .map(|&v| mesh.vertices[v as usize])
        .map(|v| [v.x, v.y, v.z].map(f64::from))
        .collect();
    let mean = |k: usize| corners.iter().map(|c| c[k]).sum::<f64>() / corners.len() as f64;
    let middle = [0, 1, 2].map(mean);
    (corners, middle)
}
