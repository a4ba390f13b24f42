//! Polygons by place: which of them holds a point.

use navbake_geom::{Point, SquareGrid, box_around, orient};
use navbake_mesh::PolygonMesh;

/// Squares for each polygon at most.
const SQUARES: f64 = 2.0;

/// The polygons of a navmesh by the squares that they reach into.
pub(super) struct PolygonIndex<'a> {
    mesh: &'a PolygonMesh,
    squares: SquareGrid,
}

impl<'a> PolygonIndex<'a> {
    pub(super) fn new(mesh: &'a PolygonMesh) -> PolygonIndex<'a> {
        let area = box_around(mesh.vertices.iter().map(|v| v.flat()));
        let [low, high] = area;
        let sides = [(low.x, high.x), (low.z, high.z)].map(|(a, b)| i64::from(b) - i64::from(a));
        let covered = sides.iter().map(|&s| s.max(1) as f64).product::<f64>();
        let side = (covered / (SQUARES * mesh.len().max(1) as f64)).sqrt().ceil() as i64;
        let boxes = (0..mesh.len())
            .map(|p| box_around(mesh.polygon(p).iter().map(|&v| mesh.vertices[v as usize].flat())));
        PolygonIndex { mesh, squares: SquareGrid::new(area, side, boxes) }
    }

    /// The polygons that reach into the squares of a box around points, ascending.
    pub(super) fn near(&self, points: &[Point]) -> Vec<u32> {
        self.squares.near(box_around(points.iter().copied()))
    }

    /// The polygon that holds a place, the nearest in height, and its height difference.
    ///
    /// Heights are those of the fan of corners.
    pub(super) fn at(&self, place: Point, height: f64) -> Option<(u32, f64)> {
        let off = |p: u32| Some((p, (self.height(p, place)? - height).abs()));
        let found = self.squares.at(place).iter().copied().filter_map(off);
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
                weighted.map(|(v, w)| f64::from(v.y) * (w as f64 / whole)).sum()
            };
            (whole > 0.0 && parts.iter().all(|&w| w >= 0)).then(height)
        })
    }
}

/// PolygonIndex within a polygon, one before each corner, with heights.
pub(super) fn samples(mesh: &PolygonMesh, polygon: usize) -> Vec<(Point, f64)> {
    let (corners, middle) = corners(mesh, polygon);
    let inner = |c: &[f64; 3]| {
        let [x, y, z] = [0, 1, 2].map(|k| c[k] + INNER * (middle[k] - c[k]));
        (Point::new(x.round() as i32, z.round() as i32), y)
    };
    corners.iter().map(inner).collect()
}

/// The share of the segment from a corner to the middle.
const INNER: f64 = 0.25;

/// The parts of a polygon between its middle and each edge: a place within, its height, and twice
/// the area.
pub(super) fn shares(mesh: &PolygonMesh, polygon: usize) -> Vec<(Point, f64, i64)> {
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
fn corners(mesh: &PolygonMesh, polygon: usize) -> (Vec<[f64; 3]>, [f64; 3]) {
    let corners: Vec<[f64; 3]> = (mesh.polygon(polygon).iter())
        .map(|&v| mesh.vertices[v as usize])
        .map(<[f64; 3]>::from)
        .collect();
    let mean = |k: usize| corners.iter().map(|c| c[k]).sum::<f64>() / corners.len() as f64;
    let middle = [0, 1, 2].map(mean);
    (corners, middle)
}
