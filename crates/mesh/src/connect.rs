//! Triangles between rings.

use navbake_geom::{Delaunay, Point, TriangulateError};
use navbake_walkable::Ring;

/// The triangles between rings, with corners at some places inside, and for each ring edge whether
/// it is open.
pub(crate) fn connect(
    rings: &[Ring],
    places: &[Point],
) -> Result<(Delaunay, Vec<bool>), TriangulateError> {
    let count: usize = rings.iter().map(|r| r.points.len()).sum();
    let mut points = Vec::with_capacity(count);
    let mut edges = Vec::with_capacity(count);
    let mut open = Vec::with_capacity(count);
    for ring in rings {
        let (base, n) = (points.len() as u32, ring.points.len() as u32);
        points.extend(&ring.points);
        edges.extend((0..n).map(|i| [base + i, base + (i + 1) % n]));
        open.extend(&ring.open);
    }
    points.extend(places);
    Ok((Delaunay::unordered(&points, &edges)?, open))
}
