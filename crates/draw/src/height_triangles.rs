//! Height triangles, clipped to the polygons that take their height from them.

use std::collections::BTreeMap;

use navbake_format::Detail;

/// The triangles of a height mesh, grid units.
pub(crate) struct HeightTriangles {
    all: Vec<[[i32; 3]; 3]>,
}

impl HeightTriangles {
    /// The triangles of a height mesh from its border inwards, each once.
    ///
    /// This order, and the corner that each begins with, decide the order of exported faces.
    pub(crate) fn new(detail: &Detail<'_>) -> HeightTriangles {
        let points: Vec<[i32; 3]> = detail.points().collect();
        // The corner to the left of each edge, until its triangle is taken.
        let turned =
            |[a, b, c]: [u16; 3]| [((a, b), Some(c)), ((b, c), Some(a)), ((c, a), Some(b))];
        let mut left: Vec<((u16, u16), Option<u16>)> =
            detail.triangles().flat_map(turned).collect();
        left.sort_unstable();
        let place = |left: &[((u16, u16), Option<u16>)], edge: (u16, u16)| {
            left.binary_search_by_key(&edge, |one| one.0).ok()
        };
        let border = left.iter().map(|one| one.0).filter(|&(a, b)| place(&left, (b, a)).is_none());
        let next: BTreeMap<u16, u16> = border.collect();
        // All around, from a corner of the box on.
        let mut open = vec![];
        let mut corner = 0;
        while let Some(&to) = next.get(&corner).filter(|_| open.len() < next.len()) {
            open.push((corner, to));
            corner = to;
        }
        let mut all = vec![];
        while let Some((a, b)) = open.pop() {
            let mut take = |edge| {
                let at = place(&left, edge)?;
                left[at].1.take()
            };
            let Some(c) = take((a, b)) else { continue };
            take((b, c));
            take((c, a));
            all.push([a, b, c].map(|i| points[usize::from(i)]));
            open.extend([(c, b), (a, c)]);
        }
        HeightTriangles { all }
    }

    /// The triangles clipped to a convex polygon `[x, z]`: the corners of each part, with heights.
    pub(crate) fn parts(&self, polygon: &[[f64; 2]]) -> Vec<Vec<[f64; 3]>> {
        let side = |k: usize| {
            let values = || polygon.iter().map(move |p| p[k]);
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let bounds = [side(0), side(1)];
        let mut parts = vec![];
        for t in &self.all {
            let beyond = |k: usize, c: usize| {
                t.iter().all(|p| f64::from(p[c]) <= bounds[k].0)
                    || t.iter().all(|p| f64::from(p[c]) >= bounds[k].1)
            };
            if beyond(0, 0) || beyond(1, 2) {
                continue;
            }
            let flat = t.map(|p| [f64::from(p[0]), f64::from(p[2])]);
            let raised = clip(flat, polygon).into_iter().map(|[x, z]| {
                let y = plane(flat, [0, 1, 2].map(|i| f64::from(t[i][1])), [x, z]);
                [x, y, z]
            });
            let part: Vec<[f64; 3]> = raised.collect();
            if part.len() > 2 {
                parts.push(part);
            }
        }
        parts
    }
}

/// The part of a triangle in a convex polygon, `[x, z]`, empty where they do not overlap.
///
/// Both are counter-clockwise seen from above. I. E. Sutherland and G. W. Hodgman, "Reentrant
/// polygon clipping", 1974.
fn clip(triangle: [[f64; 2]; 3], polygon: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut part = triangle.to_vec();
    for (k, &a) in polygon.iter().enumerate() {
        let b = polygon[(k + 1) % polygon.len()];
        let side = |p: [f64; 2]| (b[1] - a[1]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[1] - a[1]);
        let before = std::mem::take(&mut part);
        for (i, &to) in before.iter().enumerate() {
            let from = before[(i + before.len() - 1) % before.len()];
            let (s, e) = (side(from), side(to));
            if (s < 0.0 && e > 0.0) || (s > 0.0 && e < 0.0) {
                let t = s / (s - e);
                part.push([0, 1].map(|k| from[k] + t * (to[k] - from[k])));
            }
            if e >= 0.0 {
                part.push(to);
            }
        }
    }
    part.dedup();
    while part.len() > 1 && part.first() == part.last() {
        part.pop();
    }
    let doubled = |w: &[[f64; 2]]| {
        let [a, b, c] = [part[0], w[0], w[1]];
        (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
    };
    let area: f64 = part.windows(2).skip(1).map(doubled).sum();
    if area > 0.0 { part } else { vec![] }
}

/// The height at a point of the plane through a triangle.
fn plane([a, b, c]: [[f64; 2]; 3], heights: [f64; 3], p: [f64; 2]) -> f64 {
    let cross =
        |a: [f64; 2], b: [f64; 2]| (a[1] - p[1]) * (b[0] - p[0]) - (a[0] - p[0]) * (b[1] - p[1]);
    let weight = [cross(b, c), cross(c, a), cross(a, b)];
    let sum: f64 = (0..3).map(|k| weight[k] * heights[k]).sum();
    sum / (weight[0] + weight[1] + weight[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_triangles_cover_the_polygon() {
        // Four triangles around a point that is on no edge of the polygon.
        let corners = [[0.0, 0.0], [0.0, 64.0], [64.0, 64.0], [64.0, 0.0]];
        let polygon = [[10.0, 5.0], [3.0, 40.0], [30.0, 61.0], [64.0, 20.0]];
        let area = |ring: &[[f64; 2]]| -> f64 {
            let cross = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
            let pairs = (0..ring.len()).map(|k| cross(ring[k], ring[(k + 1) % ring.len()]));
            pairs.sum::<f64>() / 2.0
        };
        let parts =
            (0..4).map(|k| clip([corners[k], corners[(k + 1) % 4], [33.0, 31.0]], &polygon));
        let sum: f64 = parts.map(|p| area(&p)).sum();
        assert!((sum - area(&polygon)).abs() < 1e-9);
        assert!(clip([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], &polygon).is_empty());
    }
}
