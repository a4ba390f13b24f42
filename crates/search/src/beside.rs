//! The grid point beside a place that is between grid points, on the same ground.

use navbake_format::{PolyId, Polygon};

use crate::NavQuery;
use crate::ray::ends;
use crate::surface::{self, nearest_on_segment};
use navbake_navmesh::math::{float, round};

/// The largest distance from the place to the grid point, grid units.
const REACH: f64 = 2.0;

/// The grid point nearest to a place of a polygon, and the polygon that holds it.
///
/// The point is at most two units away. Its polygon may be another one where slices of ground
/// narrower than the grid step are side by side, as in an acute corner. Calls `enter` with a
/// polygon and the number of its edge for each portal on the path there, in order.
pub(crate) fn beside(
    query: &NavQuery<'_>,
    polygon: &Polygon<'_, '_>,
    place: [f64; 2],
    mut enter: impl FnMut(PolyId, u32),
) -> Option<(PolyId, [i32; 2])> {
    let mut best: Option<(u32, [i32; 2], f64)> = None;
    let mut slice = Slice::first(polygon.id());
    for number in 0..query.mesh().polygon_count() {
        let here = query.mesh().polygon(slice.polygon);
        if let Some((point, square)) = grid_point(&here, place)
            && best.is_none_or(|b| square < b.2)
        {
            best = Some((number, point, square));
        }
        // Nearly always true for the first polygon.
        if best.is_some_and(|b| b.2 <= 1.0) {
            break;
        }
        let Some((_, next)) = slice.next(query, place) else {
            break;
        };
        slice = next;
    }
    let (number, point, _) = best?;
    let mut slice = Slice::first(polygon.id());
    for _ in 0..number {
        let (edge, next) = slice.next(query, place)?;
        enter(slice.polygon, edge);
        slice = next;
    }
    Some((slice.polygon, point))
}

/// One of several polygons side by side.
#[derive(Clone, Copy)]
struct Slice {
    polygon: PolyId,
    /// The edge over which the slice was entered; `None` for the first.
    came: Option<u32>,
}

impl Slice {
    fn first(polygon: PolyId) -> Slice {
        Slice { polygon, came: None }
    }

    /// The next slice across an edge, and that edge.
    fn next(self, query: &NavQuery<'_>, place: [f64; 2]) -> Option<(u32, Slice)> {
        let here = query.mesh().polygon(self.polygon);
        let mut others = (0..here.len()).filter(|&k| Some(k) != self.came);
        others.find_map(|k| {
            if !passes(&here, k, place) {
                return None;
            }
            let (polygon, twin) = query.across(&here, k)?;
            let came = Some(twin);
            Some((k, Slice { polygon, came }))
        })
    }
}

/// Does an edge of a polygon pass near the place, between its ends?
///
/// Ends do not count: around an end there may be the other side of a wall, and the end itself is a
/// grid point.
fn passes(polygon: &Polygon<'_, '_>, edge: u32, place: [f64; 2]) -> bool {
    let [a, b] = ends(polygon, edge).map(float);
    let (nearest, square) = nearest_on_segment(a, b, place);
    square <= REACH * REACH && nearest != a && nearest != b
}

/// The grid point of a polygon nearest to a place, and the squared distance.
fn grid_point(polygon: &Polygon<'_, '_>, place: [f64; 2]) -> Option<([i32; 2], f64)> {
    let middle = place.map(round);
    let mut best: Option<([i32; 2], f64)> = None;
    for dx in -2..=2 {
        for dz in -2..=2 {
            let point = [middle[0].saturating_add(dx), middle[1].saturating_add(dz)];
            let off = [0, 1].map(|i| f64::from(point[i]) - place[i]);
            let square = off[0] * off[0] + off[1] * off[1];
            let nearer = best.map_or(square <= REACH * REACH, |b| square < b.1);
            if nearer && surface::holds(polygon, point) {
                best = Some((point, square));
            }
        }
    }
    best
}
