//! Border edges of a designer's floor that nearly meet others.

use navbake_geom::{BoxBounds, Point3, touching_pairs};

use crate::found::{EFFORT, Found};
use crate::{NONE, PolygonMesh};

/// Border edges that have another one beside them: in the opposite direction, beyond the edge, at
/// most `width` away seen from above and `climb` in height, over a stretch longer than `width`. The
/// flag says whether all pairs could be looked at.
pub(crate) fn gaps(mesh: &PolygonMesh, width: i32, climb: i32) -> (Found, bool) {
    let edges: Vec<[Point3; 2]> = (0..mesh.corners.len())
        .filter(|&e| mesh.neighbours[e] == NONE)
        .filter_map(|e| mesh.edge_ends(e as u32))
        .collect();
    let around = |e: &[Point3; 2]| BoxBounds::around(e, width, climb.max(0));
    let boxes: Vec<BoxBounds> = edges.iter().map(around).collect();
    let mut beside = vec![false; edges.len()];
    let all = touching_pairs(&boxes, EFFORT, |i, j| {
        if !(beside[i] && beside[j]) && faces(edges[i], edges[j], width, climb) {
            beside[i] = true;
            beside[j] = true;
        }
    });
    let mut found = Found::default();
    for (edge, _) in edges.iter().zip(&beside).filter(|(_, b)| **b) {
        found.note(edge[0].min(edge[1]));
    }
    (found, all)
}

/// For the report alone, in `f64`.
fn faces([a, b]: [Point3; 2], [c, d]: [Point3; 2], width: i32, climb: i32) -> bool {
    let [a, b, c, d] = [a, b, c, d].map(<[f64; 3]>::from);
    let width = f64::from(width);
    let (u, v) = (b[0] - a[0], b[2] - a[2]);
    let length = (u * u + v * v).sqrt();
    let along = |p: [f64; 3]| ((p[0] - a[0]) * u + (p[2] - a[2]) * v) / length;
    // How far beyond the edge, on the side without ground.
    let beyond = |p: [f64; 3]| ((p[2] - a[2]) * u - (p[0] - a[0]) * v) / length;
    let (s, t) = (along(c), along(d));
    if s <= t {
        return false;
    }
    // The other edge over the stretch that both have.
    let at = |x: f64, f: &dyn Fn([f64; 3]) -> f64| f(c) + (f(d) - f(c)) * (s - x) / (s - t);
    let (from, to) = (t.max(0.0), s.min(length));
    if to - from <= width.min(length / 2.0) {
        return false;
    }
    let height = |x: f64| a[1] + (b[1] - a[1]) * x / length;
    let inner = [from + (to - from) / 4.0, to - (to - from) / 4.0];
    inner.iter().all(|&x| {
        let away = at(x, &beyond);
        (-0.5..=width).contains(&away) && (at(x, &|p| p[1]) - height(x)).abs() <= f64::from(climb)
    })
}
