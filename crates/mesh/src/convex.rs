//! Ground inside one convex ring: a polygon as it is, without triangles.
//!
//! Most ground of a level in many storeys is that.

use navbake_geom::{Point, Point3, convex_corner, orient};
use navbake_walkable::Ring;

use crate::cell_heights::Middle;
use crate::layer_heights::LayerHeights;
use crate::{NONE, Patch, PolygonMesh};

/// The result of merging the triangles between rings when they are one convex ring with at most
/// `max_corners` corners, none of them idle, at places with one height each in the ring. `None` for
/// others.
pub(crate) fn convex_patch(
    rings: &[Ring],
    heights: &LayerHeights<'_>,
    max_corners: u32,
) -> Option<Patch> {
    let [ring] = rings else { return None };
    let n = ring.points.len();
    if !(3..=max_corners.max(3) as usize).contains(&n) {
        return None;
    }
    let first = (0..n).min_by_key(|&k| ring.points[k])?;
    let at = |k: usize| (first + k) % n;
    if !is_convex((0..n).map(|k| (ring.points[at(k)], ring.open[at(k)]))) {
        return None;
    }
    let middle = Middle::new(&ring.points);
    let bounds = |of: fn(&Point) -> i32| {
        let values = || ring.points.iter().map(of);
        values().min().zip(values().max())
    };
    let bounds = [bounds(|p| p.x)?, bounds(|p| p.z)?];
    let mut vertices = Vec::with_capacity(n);
    for k in 0..n {
        let p = ring.points[at(k)];
        // All triangles at the corner are on one side of it.
        let y = match heights.only_height(p) {
            Some(y) => y,
            None if heights.is_one_within(p, bounds) => heights.height(p, middle.from(p)),
            None => return None,
        };
        vertices.push(p.at(y));
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_unstable_by_key(|&k| vertices[k as usize].flat());
    let mut corners = vec![0; n];
    for (number, &k) in (0u32..).zip(&order) {
        corners[k as usize] = number;
    }
    Some(Patch {
        mesh: PolygonMesh {
            vertices: order.iter().map(|&k| vertices[k as usize]).collect::<Vec<Point3>>(),
            first_edge: vec![0, n as u32],
            corners,
            neighbours: vec![NONE; n],
            ..PolygonMesh::default()
        },
        open: (0..n).map(|k| ring.open[at(k)]).collect(),
    })
}

/// Does a ring that begins with its least corner rise to its greatest, fall from there, and never
/// turn to the right, going straight on at ends of open edges only?
fn is_convex(ring: impl ExactSizeIterator<Item = (Point, bool)> + Clone) -> bool {
    let n = ring.len();
    let mut falling = false;
    let mut turns = false;
    let mut around = ring.clone().cycle().skip(n - 1);
    let (Some((mut a, mut before)), Some((mut b, mut open))) = (around.next(), around.next())
    else {
        return false;
    };
    for (c, next) in around.take(n) {
        if falling && c > b || b == c {
            return false;
        }
        falling |= c < b;
        let straight = orient(a, b, c) == 0;
        if !convex_corner(a, b, c) || straight && !before && !open {
            return false;
        }
        turns |= !straight;
        (a, before, b, open) = (b, open, c, next);
    }
    turns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::PatchSettings;
    use crate::patch::merged;
    use navbake_walkable::{Heights, Layer};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn a_convex_ring_is_what_its_triangles_merge_to(
            sides in prop::collection::vec((-4i32..5, -4i32..5), 2..8),
            turn in 0usize..8,
            open in prop::collection::vec(any::<bool>(), 16),
            corner in prop::option::of((0usize..16, -3i32..4, -3i32..4)),
            cells in prop::option::of(prop::collection::vec(prop::array::uniform5(0i32..50), 900)),
        ) {
            // Sides and the same ones back, by direction, make a convex ring; with a corner moved
            // it may be none.
            let mut sides: Vec<[i32; 2]> = sides.iter().flat_map(|&(x, z)| [[x, z], [-x, -z]]).filter(|s| *s != [0, 0]).collect();
            let half = |s: &[i32; 2]| s[1] > 0 || s[1] == 0 && s[0] < 0;
            sides.sort_by(|a, b| half(a).cmp(&half(b)).then_with(|| (a[1] * b[0] - a[0] * b[1]).cmp(&0).reverse()));
            let mut at = Point::new(3, -5);
            let mut points = vec![];
            for s in &sides {
                points.push(at);
                at = Point::new(at.x + s[0], at.z + s[1]);
            }
            if points.len() < 3 {
                return Ok(());
            }
            let n = points.len();
            points.rotate_left(turn % n);
            if let Some((k, x, z)) = corner {
                let p = &mut points[k % n];
                *p = Point::new(p.x + x, p.z + z);
            }
            let rings = [Ring { open: open[..n].to_vec(), points }];
            let has_heights = cells.is_some();
            let lattice = |cells| Heights { cell: 4, least: [-15, -15], size: [30, 30], cells };
            let layer = Layer { heights: cells.map(lattice).unwrap_or_default(), ..Layer::default() };
            let heights = LayerHeights::new(&layer).unwrap();
            let most = 32;
            let settings = PatchSettings { tolerance: 100, height_error: 1, seam_error: 1, slope_error: 0, max_corners: most };
            if let Some(patch) = convex_patch(&rings, &heights, most) {
                prop_assert_eq!(Ok(patch), merged(&rings, &rings, &heights, &settings));
            } else if corner.is_none() && !has_heights && orient(rings[0].points[0], rings[0].points[1], rings[0].points[n - 1]) != 0 {
                // Corners that are not needed.
                let idle = (0..n).any(|k| {
                    let [a, b, c] = [(k + n - 1) % n, k, (k + 1) % n].map(|k| rings[0].points[k]);
                    orient(a, b, c) == 0 && !rings[0].open[(k + n - 1) % n] && !rings[0].open[k]
                });
                prop_assert!(idle, "{:?}", rings);
            }
        }
    }
}
