//! Ground that something else comes close to: along steps above all, where heights fall off right
//! beside it.

use navbake_geom::Point;

use super::find::{Found, Misfit, Use};
use crate::PolygonMesh;
use crate::cell_heights::Middle;
use crate::layer_heights::Expected;

/// Ground along one side of a step, or along the border, from one sample to the next: heights may
/// fall off right beside it.
pub(super) struct Ledge {
    pub(super) ends: [Point; 2],
    pub(super) heights: [i32; 2],
    /// How much of the ground between the two sides has neither's height, grid units squared.
    pub(super) wrong: f64,
    /// Into the polygon.
    pub(super) inwards: [i64; 2],
    pub(super) expected: Expected,
}

/// Takes in the ground along both sides of an edge, right and left in turns, where it is a step.
pub(super) fn along_step(
    edge: &[Option<usize>],
    found: &[Found],
    own: &Misfit,
    middle: &Middle,
    limit: f64,
    ledges: &mut Vec<Ledge>,
) {
    let met = |k: usize| found.get((*edge.get(k)?)?).filter(|f| f.use_of != Use::None);
    for from in 0..edge.len().saturating_sub(2) {
        let (Some(a), Some(b)) = (met(from), met(from + 2)) else {
            continue;
        };
        let mut is_step = false;
        let mut between = 0.0f64;
        for (here, other) in [(a, met(from ^ 1)), (b, met((from + 2) ^ 1))] {
            let Some(other) = other else { continue };
            let apart = f64::from(here.height.abs_diff(other.height));
            is_step |= apart > limit;
            // Heights fall from one side to the other, and are right next to each.
            let share = (1.0 - 2.0 * limit / apart).max(0.0);
            between = between.max(share * double_area(a.place, b.place, other.place));
        }
        if is_step && a.place != b.place {
            ledges.push(Ledge {
                ends: [a.place, b.place],
                heights: [a.height, b.height],
                wrong: between,
                inwards: middle.from(a.place),
                expected: own.expected,
            });
        }
    }
}

/// Twice the area of a triangle.
fn double_area(a: Point, b: Point, c: Point) -> f64 {
    let side = |p: Point| [p.x - a.x, p.z - a.z].map(f64::from);
    let (b, c) = (side(b), side(c));
    (b[0] * c[1] - b[1] * c[0]).abs()
}

/// Area of all polygons seen from above, grid units squared.
pub(super) fn area(mesh: &PolygonMesh) -> f64 {
    let of = |p: usize| {
        let ring = mesh.polygon(p);
        let at = |k: usize| mesh.vertices[ring[k % ring.len()] as usize].flat();
        let parts = (2..ring.len()).map(|k| double_area(at(0), at(k - 1), at(k)));
        parts.sum::<f64>() / 2.0
    };
    (0..mesh.len()).map(of).sum()
}
