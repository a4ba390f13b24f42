//! Whether an obstacle meets ground in height.

use alloc::vec::Vec;

use navbake_grid::orient;
use navbake_navmesh::{NONE, PolyMesh};

use crate::shape::Shape;
use crate::shape::wrap;

/// Memory for a triangle that is cut.
pub(crate) type Clip = [Vec<[f64; 3]>; 2];

/// Does the ground of a polygon meet an obstacle in height, where they meet in the plane? They do
/// meet there.
pub(crate) fn meet(polys: &PolyMesh<'_>, polygon: u32, shape: &Shape, clip: &mut Clip) -> bool {
    let Some(own) = polys.polygon(polygon) else {
        return false;
    };
    let meets =
        |least: i32, greatest: i32| least <= shape.heights[1] && shape.heights[0] <= greatest;
    // Then wherever they meet in the plane.
    let within =
        |least: i32, greatest: i32| shape.heights[0] <= least && greatest <= shape.heights[1];
    let border = polys.border(polygon);
    if let Some(detail) = polys.details.get(own.detail).filter(|_| own.detail != NONE) {
        let [least, greatest] = detail.heights();
        return within(least, greatest)
            || meets(least, greatest)
                && detail.triangles_in([shape.low, shape.high]).any(|triangle| {
                    let [a, b, c] = triangle.map(|k| detail.point(k.into()));
                    let (Some(a), Some(b), Some(c)) = (a, b, c) else {
                        return false;
                    };
                    meets_triangle(polys, polygon, [a, b, c], shape, clip)
                });
    }
    let heights = || border.iter().map(|edge| edge.height);
    let (Some(least), Some(greatest)) = (heights().min(), heights().max()) else {
        return false;
    };
    if !meets(least, greatest) || within(least, greatest) || least == greatest {
        return meets(least, greatest);
    }
    // The height is linear in each triangle of the fan.
    (1..border.len().saturating_sub(1)).any(|k| {
        let corners = [0, k, k + 1].map(|k| border.at(k).point());
        meets_triangle(polys, polygon, corners, shape, clip)
    })
}

/// The same for a triangle in space: its part over the polygon and the obstacle's ground, cut edge
/// by edge. A grid unit covers rounding.
fn meets_triangle(
    polys: &PolyMesh<'_>,
    polygon: u32,
    corners: [[i32; 3]; 3],
    shape: &Shape,
    [ring, cut]: &mut Clip,
) -> bool {
    let beyond = |along: [i32; 3], low: i32, high: i32| {
        along.iter().all(|&c| c < low) || along.iter().all(|&c| high < c)
    };
    let [x, y, z] = [0, 1, 2].map(|k| corners.map(|p| p[k]));
    if beyond(x, shape.low[0], shape.high[0])
        || beyond(z, shape.low[1], shape.high[1])
        || beyond(y, shape.heights[0], shape.heights[1])
    {
        return false;
    }
    let flat = corners.map(|p| [p[0], p[2]]);
    if orient(flat[0], flat[1], flat[2]) <= 0 {
        return false;
    }
    ring.clear();
    ring.extend(corners.iter().map(|p| p.map(f64::from)));
    let border = polys.border(polygon);
    let own = (0..border.len()).map(|k| [border.at(k).at, border.after(k).at]);
    for [a, b] in shape.edges().chain(own) {
        let d = [0, 1].map(|k| f64::from(b[k]) - f64::from(a[k]));
        // A place on the line is on both sides.
        let slack = 0.5 * (d[0].abs() + d[1].abs());
        let side = |p: &[f64; 3]| {
            let q = [p[0] - f64::from(a[0]), p[2] - f64::from(a[1])];
            d[1] * q[0] - d[0] * q[1] + slack
        };
        cut.clear();
        for i in 0..ring.len() {
            let (p, q) = (ring[i], ring[wrap(i + 1, ring.len())]);
            let (s, t) = (side(&p), side(&q));
            if s >= 0.0 {
                cut.push(p);
            }
            if (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0) {
                let f = s / (s - t);
                cut.push([0, 1, 2].map(|k| p[k] + (q[k] - p[k]) * f));
            }
        }
        core::mem::swap(ring, cut);
    }
    let least = ring.iter().map(|p| p[1]).fold(f64::INFINITY, f64::min);
    let greatest = ring.iter().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
    least <= f64::from(shape.heights[1]) + 1.0 && f64::from(shape.heights[0]) - 1.0 <= greatest
}
