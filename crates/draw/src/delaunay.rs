//! Triangles of height points, which a packed blob does not store, clipped to polygons.

use std::collections::BTreeSet;

use navbake_format::detail::SECOND;
use navbake_format::exact::{direction, orient};

/// The Delaunay triangles of a convex polygon and of height points in it, `[x, z]`.
///
/// Corners are counter-clockwise seen from above. Triangles hold indices of corners, then of
/// points; points outside and duplicates are left out. They are found edge by edge: beside an edge
/// is the triangle whose circumcircle is empty. Takes quadratic time in the number of points.
pub(crate) fn triangles(corners: &[[i32; 2]], points: &[[i32; 2]]) -> Vec<[u32; 3]> {
    let n = corners.len();
    let edges = || (0..n).map(|k| (corners[k], corners[(k + 1) % n]));
    let inside = |p: &[i32; 2]| edges().all(|(a, b)| orient(a, b, *p) >= 0);
    let all: Vec<[i32; 2]> = corners.iter().chain(points).copied().collect();
    let mut places = BTreeSet::new();
    let used: Vec<u32> = (0..all.len() as u32)
        .filter(|&i| places.insert(all[i as usize]))
        .filter(|&i| (i as usize) < n || inside(&all[i as usize]))
        .collect();
    let at = |i: u32| all[i as usize];

    // The border with the points on it.
    let mut open = vec![];
    for k in 0..n as u32 {
        let (a, b) = (k, (k + 1) % n as u32);
        let d = direction(at(a), at(b));
        let along = |i: u32| {
            let e = direction(at(a), at(i));
            d[0] * e[0] + d[1] * e[1]
        };
        let mut on: Vec<u32> = (used.iter().copied())
            .filter(|&i| i as usize >= n && orient(at(a), at(b), at(i)) == 0)
            // Not on the next edge, where three corners are collinear.
            .filter(|&i| (1..along(b)).contains(&along(i)))
            .collect();
        on.sort_unstable_by_key(|&i| (along(i), i));
        on.insert(0, a);
        on.push(b);
        open.extend(on.windows(2).map(|w| (w[0], w[1])));
    }
    let border: BTreeSet<(u32, u32)> = open.iter().copied().collect();
    let mut done = BTreeSet::new();
    let mut found = vec![];
    while let Some((a, b)) = open.pop() {
        if done.contains(&(a, b)) {
            continue;
        }
        let mut left = used.iter().copied().filter(|&c| orient(at(a), at(b), at(c)) > 0);
        let Some(first) = left.next() else { continue };
        let c =
            left.fold(first, |best, c| if in_circle([a, b, best, c].map(at)) { c } else { best });
        done.extend([(a, b), (b, c), (c, a)]);
        found.push([a, b, c]);
        open.extend([(c, b), (a, c)].into_iter().filter(|&(a, b)| !border.contains(&(b, a))));
    }
    found
}

/// The part of a triangle in a convex polygon, `[x, z]`, empty where they do not overlap.
///
/// Both are counter-clockwise seen from above. I. E. Sutherland and G. W. Hodgman, "Reentrant
/// polygon clipping", 1974.
pub(crate) fn clip(triangle: [[f64; 2]; 3], polygon: &[[f64; 2]]) -> Vec<[f64; 2]> {
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

/// Whether the last point is inside the circle through the others; exact.
///
/// A second lifting decides for points on the circle.
fn in_circle([a, b, c, d]: [[i32; 2]; 4]) -> bool {
    let [a, b, c] = [a, b, c].map(|p| direction(d, p).map(i128::from));
    let area = |p: [i128; 2], q: [i128; 2]| p[1] * q[0] - p[0] * q[1];
    let [wa, wb, wc] = [area(b, c), area(c, a), area(a, b)];
    let above = |lift: fn([i128; 2]) -> i128| wa * lift(a) + wb * lift(b) + wc * lift(c);
    let first = above(|[x, z]| x * x + z * z);
    let second = || above(|[x, z]| x * (i128::from(SECOND[1]) * x + i128::from(SECOND[0]) * z));
    first > 0 || (first == 0 && second() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_on_one_of_two_collinear_edges_splits_that_edge() {
        let corners = [[0, 0], [0, 10], [0, 60], [60, 60], [60, 0]];
        let points = [[0, 30], [0, 5], [20, 20]];
        let all: Vec<[i32; 2]> = corners.iter().chain(&points).copied().collect();
        let at = |i: u32| all[i as usize];
        let areas =
            triangles(&corners, &points).into_iter().map(|[a, b, c]| orient(at(a), at(b), at(c)));
        assert_eq!(areas.sum::<i64>(), 2 * 60 * 60);
    }

    #[test]
    fn triangles_cover_the_polygon() {
        let corners = [[0, 0], [0, 60], [30, 80], [60, 60], [60, 20], [60, 0]];
        // A grid, all on circles; two on the border, one twice, one at a corner, one outside.
        let mut points: Vec<[i32; 2]> =
            (1..6).flat_map(|i| (1..6).map(move |j| [10 * i, 10 * j])).collect();
        points.extend([[0, 30], [20, 0], [10, 10], [60, 60], [70, 0]]);
        let found = triangles(&corners, &points);
        let all: Vec<[i32; 2]> = corners.iter().chain(&points).copied().collect();
        let area: i64 = found
            .iter()
            .map(|t| orient(all[t[0] as usize], all[t[1] as usize], all[t[2] as usize]))
            .sum();
        assert_eq!(area, 2 * (60 * 60 + 60 * 20 / 2));
    }

    #[test]
    fn clipped_triangles_cover_the_polygon() {
        let square = [[0, 0], [0, 64], [64, 64], [64, 0]];
        let points = [[20, 30], [50, 10], [33, 33], [0, 20], [60, 60]];
        let all: Vec<[i32; 2]> = square.iter().chain(&points).copied().collect();
        let polygon = [[10.0, 5.0], [3.0, 40.0], [30.0, 61.0], [64.0, 20.0]];
        let area = |ring: &[[f64; 2]]| -> f64 {
            let cross = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
            let pairs = (0..ring.len()).map(|k| cross(ring[k], ring[(k + 1) % ring.len()]));
            pairs.sum::<f64>() / 2.0
        };
        let parts = triangles(&square, &points)
            .into_iter()
            .map(|t| clip(t.map(|i| all[i as usize].map(f64::from)), &polygon));
        let sum: f64 = parts.map(|p| area(&p)).sum();
        assert!((sum - area(&polygon)).abs() < 1e-9);
        assert!(clip([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], &polygon).is_empty());
    }
}
