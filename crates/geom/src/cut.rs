//! Cutting polygons in space into triangles.

use std::collections::HashSet;

use geo::{Coord, LineString, Polygon, TriangulateEarcut};

/// Cuts a polygon in space, concave or slightly bent ones too, into triangles that keep its winding: `n - 2` of them for
/// `n` points, each three indices into `points`.
///
/// The cut is made by cutting ears (geo's port of mapbox/earcut) as seen along the polygon's normal by Newell's method
/// (Sutherland, Sproull, Schumacker, A characterization of ten hidden-surface algorithms, 1974). `None` when that
/// has no answer: fewer than three points, points that are not finite, no area, a border that crosses itself. [`fan`]
/// is what is left then.
pub fn cut_polygon(points: &[[f64; 3]]) -> Option<Vec<[usize; 3]>> {
    let n = points.len();
    if n < 3 || points.iter().flatten().any(|c| !c.is_finite()) {
        return None;
    }
    let flat = flatten(points)?;
    if n == 3 {
        return Some(vec![[0, 1, 2]]);
    }
    let ring: Vec<Coord<f64>> = flat.iter().map(|&[x, y]| Coord { x, y }).collect();
    let polygon = Polygon::new(LineString::new(ring), Vec::new());
    let raw = polygon.earcut_triangles_raw();
    // Were first and last point equal, geo would have dropped one.
    if raw.vertices.len() != n {
        return None;
    }
    let mut triangles: Vec<[usize; 3]> = raw
        .triangle_indices
        .chunks_exact(3)
        .map(|t| [t[0], t[1], t[2]])
        .collect();
    for t in &mut triangles {
        let area = area(t.map(|i| flat[i]));
        // Ears of no area may come out either way round: the ring's order is the winding.
        if area < 0.0 || (area == 0.0 && !ascending(*t)) {
            t.swap(1, 2);
        }
    }
    put_back(&mut triangles, n);
    if triangles.len() != n - 2 {
        return None;
    }
    let (mut covered, mut absolute) = (0.0, 0.0);
    for t in &mut triangles {
        let area = area(t.map(|i| flat[i]));
        covered += area;
        absolute += area.abs();
        let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
        t.rotate_left(least);
    }
    // Ears that overlap (a border that crosses itself) cover more than the ring encloses.
    let ring = enclosed(&flat);
    let slack = 1e-9 * absolute;
    if (absolute - ring).abs() > slack || (covered - ring).abs() > slack {
        return None;
    }
    triangles.sort_unstable();
    Some(triangles)
}

/// Cuts triangles at points that were left out since they lie on their sides: between two corners that follow each other in what
/// is left of the ring lie all that were left out there.
fn put_back(triangles: &mut Vec<[usize; 3]>, n: usize) {
    if triangles.len() == n - 2 {
        return;
    }
    let sides = |t: &[usize; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let mut there: HashSet<(usize, usize)> = triangles.iter().flat_map(sides).collect();
    let mut done = 0;
    while done < triangles.len() && triangles.len() < n - 2 {
        let t = triangles[done];
        let gap = (0..3).find(|&k| {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            (a + 1) % n != b && !there.contains(&(b, a))
        });
        match gap {
            Some(k) => {
                let (a, b, c) = (t[k], t[(k + 1) % 3], t[(k + 2) % 3]);
                let next = (a + 1) % n;
                let parts = [[next, b, c], [a, next, c]];
                there.extend(parts.iter().flat_map(sides));
                triangles[done] = parts[0];
                triangles.push(parts[1]);
            }
            None => done += 1,
        }
    }
}

/// The triangles from the first of `n` points to all others: a poor man's cut of a polygon, right for convex ones only.
pub fn fan(n: usize) -> Vec<[usize; 3]> {
    (2..n).map(|i| [0, i - 1, i]).collect()
}

/// The points as seen along their polygon's normal, so that it is counter-clockwise; `None` when it has no area.
fn flatten(points: &[[f64; 3]]) -> Option<Vec<[f64; 2]>> {
    let origin = points[0];
    let rel: Vec<[f64; 3]> = points
        .iter()
        .map(|p| [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]])
        .collect();
    let mut normal = [0.0f64; 3];
    let mut reach = 0.0f64;
    for (i, p) in rel.iter().enumerate() {
        let q = rel[(i + 1) % rel.len()];
        for k in 0..3 {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            normal[k] += p[u] * q[v] - p[v] * q[u];
            reach = reach.max(p[k].abs());
        }
    }
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    // Less than rounding leaves of a line's area.
    if !length.is_finite() || length <= reach * reach * 1e-13 {
        return None;
    }
    let n = normal.map(|c| c / length);
    // A first axis from the coordinate axis that the normal leans on least.
    let k = (0..3).min_by(|&a, &b| n[a].abs().total_cmp(&n[b].abs()))?;
    let mut u = [-n[0] * n[k], -n[1] * n[k], -n[2] * n[k]];
    u[k] += 1.0;
    let size = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
    let u = u.map(|c| c / size);
    let v = [
        n[1] * u[2] - n[2] * u[1],
        n[2] * u[0] - n[0] * u[2],
        n[0] * u[1] - n[1] * u[0],
    ];
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    Some(rel.iter().map(|&p| [dot(p, u), dot(p, v)]).collect())
}

/// Twice the signed area of a triangle.
fn area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Twice the signed area of a ring.
fn enclosed(ring: &[[f64; 2]]) -> f64 {
    (2..ring.len())
        .map(|i| area([ring[0], ring[i - 1], ring[i]]))
        .sum()
}

/// Are the indices in the ring's order, begun anywhere?
fn ascending([a, b, c]: [usize; 3]) -> bool {
    (a < b && b < c) || (b < c && c < a) || (c < a && a < b)
}
