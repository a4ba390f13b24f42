//! The triangles that a polygon's height points make, which a blob does not store.

use std::collections::BTreeSet;

use navbake_format::exact::{direction, orient};
use navbake_format::relief::SECOND;

/// The Delaunay triangles of a convex polygon's corners (counter-clockwise seen from above) and its height points, `[x, z]`: indices of
/// corners, then of points. Points outside and those at a place that is taken are left out. Found edge by edge: the triangle beside an edge is that whose circle is empty.
/// Quadratic in the number of points.
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

    // The border, with the points on it.
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
            // Not on the edge before or after it, where three corners lie on one line.
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
        let mut left = used
            .iter()
            .copied()
            .filter(|&c| orient(at(a), at(b), at(c)) > 0);
        let Some(first) = left.next() else { continue };
        let c = left.fold(first, |best, c| {
            if in_circle([a, b, best, c].map(at)) {
                c
            } else {
                best
            }
        });
        done.extend([(a, b), (b, c), (c, a)]);
        found.push([a, b, c]);
        open.extend(
            [(c, b), (a, c)]
                .into_iter()
                .filter(|&(a, b)| !border.contains(&(b, a))),
        );
    }
    found
}

/// Does the last point lie inside the circle through the others, or on it and below their plane in the second lifting? Exact.
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
    use navbake_format::relief;

    #[test]
    fn a_point_on_one_of_two_edges_in_line_cuts_that_one() {
        let corners = [[0, 0], [0, 10], [0, 60], [60, 60], [60, 0]];
        let points = [[0, 30], [0, 5], [20, 20]];
        let all: Vec<[i32; 2]> = corners.iter().chain(&points).copied().collect();
        let at = |i: u32| all[i as usize];
        let areas = triangles(&corners, &points)
            .into_iter()
            .map(|[a, b, c]| orient(at(a), at(b), at(c)));
        assert_eq!(areas.sum::<i64>(), 2 * 60 * 60);
    }

    #[test]
    fn triangles_cover_the_polygon_and_have_its_heights() {
        let corners = [[0, 0], [0, 60], [30, 80], [60, 60], [60, 20], [60, 0]];
        // A grid, all on circles; two on the border, one twice, one at a corner, one outside.
        let mut points: Vec<[i32; 2]> = (1..6)
            .flat_map(|i| (1..6).map(move |j| [10 * i, 10 * j]))
            .collect();
        points.extend([[0, 30], [20, 0], [10, 10], [60, 60], [70, 0]]);
        let up = |[x, z]: [i32; 2]| (x * 7 + z * z) % 31;
        let found = triangles(&corners, &points);
        let all: Vec<[i32; 2]> = corners.iter().chain(&points).copied().collect();
        let area: i64 = found
            .iter()
            .map(|t| orient(all[t[0] as usize], all[t[1] as usize], all[t[2] as usize]))
            .sum();
        assert_eq!(area, 2 * (60 * 60 + 60 * 20 / 2));
        let at = |i: usize| [all[i][0], up(all[i]), all[i][1]];
        for t in found {
            let middle: [f64; 3] = std::array::from_fn(|k| {
                t.iter().map(|&i| f64::from(at(i as usize)[k])).sum::<f64>() / 3.0
            });
            let place = [middle[0], middle[2]];
            let height = relief::height(corners.len(), points.len() - 1, at, place);
            assert!((height - middle[1]).abs() < 1e-9, "{t:?}");
        }
    }
}
