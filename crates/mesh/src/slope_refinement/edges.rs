//! Distances between places and edges, grid units.

use navbake_geom::Point;

/// The least distance between corners, grid units.
pub(super) const APART: f64 = 8.0;

pub(super) fn offset(from: Point, to: Point) -> [f64; 2] {
    [f64::from(to.x - from.x), f64::from(to.z - from.z)]
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    let [x, z] = offset(a, b);
    (x * x + z * z).sqrt()
}

/// The place on an edge nearest to `p`, as a share of the edge, and how far away it is; `None` near
/// the edge's ends.
pub(super) fn foot([a, b]: [Point; 2], p: Point) -> Option<(f64, f64)> {
    let (d, v) = (offset(a, b), offset(a, p));
    let square = d[0] * d[0] + d[1] * d[1];
    let t = (v[0] * d[0] + v[1] * d[1]) / square;
    let long = square.sqrt();
    let far = (v[0] * d[1] - v[1] * d[0]).abs() / long;
    (t * long >= APART && (1.0 - t) * long >= APART).then_some((t, far))
}
