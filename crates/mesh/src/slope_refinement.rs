//! Extra vertices so that polygons follow slopes, for agents whose costs depend on height.
//!
//! Costs of going up and down are computed from the heights of polygon corners.

use navbake_geom::Point;
use navbake_walkable::Ring;

use crate::height_fit::fit_heights;
use crate::layer_heights::LayerHeights;
use crate::{Patch, PolygonMesh};

/// Corners are not put nearer to a border than this, grid units: slivers follow nothing.
const APART: f64 = 32.0;

/// Points on breaklines inside rings, so that triangles between them stay within `error` grid units
/// of the ground: the points of the height mesh that the patch would need for that.
pub(crate) fn places(
    patch: &Patch,
    rings: &[Ring],
    ground: &LayerHeights<'_>,
    error: i32,
) -> Vec<Point> {
    let mut rough: PolygonMesh = patch.mesh.clone();
    fit_heights(&mut rough, ground, f64::from(error));
    let mut places: Vec<Point> = rough
        .height_meshes
        .iter()
        .flat_map(|height_mesh| {
            let at = |axis: usize, step: u16| {
                height_mesh.least[axis] + (i32::from(step) << height_mesh.shift)
            };
            height_mesh.points.iter().map(move |p| Point::new(at(0, p[0]), at(1, p[2])))
        })
        .filter(|&p| is_apart(p, rings))
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Is a place away from all rings?
fn is_apart(p: Point, rings: &[Ring]) -> bool {
    let float = |p: Point| [f64::from(p.x), f64::from(p.z)];
    let p = float(p);
    rings.iter().all(|ring| {
        let n = ring.points.len();
        (0..n).all(|k| {
            let (a, b) = (float(ring.points[k]), float(ring.points[(k + 1) % n]));
            let (d, v) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
            let square = d[0] * d[0] + d[1] * d[1];
            let t = ((v[0] * d[0] + v[1] * d[1]) / square.max(1.0)).clamp(0.0, 1.0);
            let off = [v[0] - t * d[0], v[1] - t * d[1]];
            off[0] * off[0] + off[1] * off[1] >= APART * APART
        })
    })
}
