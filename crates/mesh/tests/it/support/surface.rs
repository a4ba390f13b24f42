//! Heights of polygons as readers find them, by a slow method.

use navbake_format::detail::SECOND;
use navbake_geom::{Point, Point3, orient};
use navbake_mesh::{HeightMesh, PolygonMesh};

/// The heights of one polygon.
pub(crate) struct Surface {
    corners: Vec<Point3>,
    height_mesh: bool,
    triangles: Vec<[Point3; 3]>,
}

/// The corners of a height mesh's box, and its points.
fn points(height_mesh: &HeightMesh) -> Vec<Point3> {
    let [w, h] = height_mesh.size;
    let [c0, c1, c2, c3] = height_mesh.corners;
    let corners = [[0, c0, 0], [0, c1, h], [w, c2, h], [w, c3, 0]];
    let place = |&[x, y, z]: &[u16; 3]| {
        Point3::new(
            height_mesh.least[0] + (i32::from(x) << height_mesh.shift),
            height_mesh.base + (i32::from(y) << height_mesh.up),
            height_mesh.least[1] + (i32::from(z) << height_mesh.shift),
        )
    };
    corners.iter().chain(&height_mesh.points).map(place).collect()
}

impl Surface {
    pub(crate) fn new(mesh: &PolygonMesh, polygon: usize) -> Surface {
        let corners: Vec<Point3> =
            mesh.polygon(polygon).iter().map(|&v| mesh.vertices[v as usize]).collect();
        let height_mesh = mesh.height_mesh(polygon);
        let triangles = match height_mesh {
            None => {
                let fan = |k: usize| [corners[0], corners[k], corners[k + 1]];
                (1..corners.len() - 1).map(fan).collect()
            }
            Some(height_mesh) => delaunay(&points(height_mesh)),
        };
        Surface { corners, height_mesh: height_mesh.is_some(), triangles }
    }

    pub(crate) fn holds(&self, p: Point) -> bool {
        self.sides().all(|[a, b]| orient(a.flat(), b.flat(), p) >= 0)
    }

    fn sides(&self) -> impl Iterator<Item = [Point3; 2]> + '_ {
        let n = self.corners.len();
        (0..n).map(move |k| [self.corners[k], self.corners[(k + 1) % n]])
    }

    /// The height at a place that the polygon holds.
    pub(crate) fn height(&self, p: Point) -> f64 {
        let edge = self.sides().find(|s| navbake_geom::on_segment(s[0].flat(), s[1].flat(), p));
        if let (Some([a, b]), false) = (edge, self.height_mesh) {
            return on_edge(a, b, p);
        }
        for &[a, b, c] in &self.triangles {
            let w = [(b, c), (c, a), (a, b)].map(|(u, v)| orient(u.flat(), v.flat(), p));
            let whole: i64 = w.iter().sum();
            if whole > 0 && w.iter().all(|&w| w >= 0) {
                let y = [a.y, b.y, c.y].map(f64::from);
                return (0..3).map(|k| w[k] as f64 * y[k]).sum::<f64>() / whole as f64;
            }
        }
        panic!("{p:?} lies in no triangle of {:?}", self.corners);
    }
}

/// Between the edge's ends.
fn on_edge(a: Point3, b: Point3, p: Point) -> f64 {
    let way = |u: Point, v: Point| f64::hypot(f64::from(v.x - u.x), f64::from(v.z - u.z));
    let share = way(a.flat(), p) / way(a.flat(), b.flat());
    f64::from(a.y) + f64::from(b.y - a.y) * share
}

/// Inside the circle through three points, or on it and below in the reader's second lifting.
/// Exact.
fn in_circle([a, b, c, d]: [Point; 4]) -> bool {
    let far = |p: Point| [i128::from(p.x - d.x), i128::from(p.z - d.z)];
    let [a, b, c] = [far(a), far(b), far(c)];
    let area = |p: [i128; 2], q: [i128; 2]| p[1] * q[0] - p[0] * q[1];
    let sum =
        |f: &dyn Fn([i128; 2]) -> i128| area(b, c) * f(a) + area(c, a) * f(b) + area(a, b) * f(c);
    let first = sum(&|[x, z]| x * x + z * z);
    let [t, u] = SECOND.map(i128::from);
    first > 0 || (first == 0 && sum(&|[x, z]| u * x * x + t * x * z) > 0)
}

/// Delaunay triangles of points, one edge after the other (gift wrapping).
fn delaunay(all: &[Point3]) -> Vec<[Point3; 3]> {
    let flat = |i: usize| all[i].flat();
    // An edge of the hull: from the least point to the first one counter-clockwise.
    let first = (0..all.len()).min_by_key(|&i| flat(i)).unwrap();
    let far = |i: usize| {
        let (dx, dz) = (flat(i).x - flat(first).x, flat(i).z - flat(first).z);
        i64::from(dx) * i64::from(dx) + i64::from(dz) * i64::from(dz)
    };
    let second = (0..all.len())
        .filter(|&i| i != first)
        .reduce(|a, b| match orient(flat(first), flat(a), flat(b)) {
            0 if far(b) < far(a) => b,
            turn if turn < 0 => b,
            _ => a,
        })
        .unwrap();
    let mut triangles = vec![];
    let mut done = std::collections::BTreeSet::new();
    let mut edges = vec![[first, second]];
    while let Some([a, b]) = edges.pop() {
        if !done.insert([a, b]) {
            continue;
        }
        let left = (0..all.len()).filter(|&c| orient(flat(a), flat(b), flat(c)) > 0);
        let best = left.reduce(|c, d| match in_circle([a, b, c, d].map(flat)) {
            true => d,
            false => c,
        });
        if let Some(c) = best {
            triangles.push([all[a], all[b], all[c]]);
            done.extend([[b, c], [c, a]]);
            edges.extend([[c, b], [a, c]]);
        }
    }
    triangles
}
