//! Cuts a polygon in space into triangles: concave and not quite flat ones too.
//!
//! The polygon is seen along the axis nearest to its normal (Newell's method, after Sutherland, Sproull and Schumacker) and cut there
//! by ear clipping (Meisters, *Polygons have ears*, 1975). Strictly convex polygons become the fan of their first corner, as nearly
//! every tool does it, so that a bent quad is the same surface here as in the editor.

/// More corners than this are not cut when the polygon is concave: the time grows with the square of the corners.
pub(crate) const MOST_CORNERS: usize = 20_000;

/// Triangles over the corners of a polygon, in the polygon's direction; always `points.len() - 2` of them, some without area where
/// corners coincide or lie on a line. A polygon that crosses itself is cut somehow. `None` for more than [`MOST_CORNERS`] corners
/// that are not convex.
pub(crate) fn cut_polygon(points: &[[f64; 3]]) -> Option<Vec<[usize; 3]>> {
    let n = points.len();
    if n < 3 {
        return Some(vec![]);
    }
    if n == 3 {
        return Some(vec![[0, 1, 2]]);
    }
    let Some(flat) = flatten(points) else {
        return Some(fan(n)); // no area at all: any cut is as good
    };
    if strictly_convex(&flat) {
        return Some(fan(n));
    }
    if n > MOST_CORNERS {
        return None;
    }
    Some(clip_ears(&flat))
}

fn fan(n: usize) -> Vec<[usize; 3]> {
    (1..n - 1).map(|i| [0, i, i + 1]).collect()
}

/// The polygon as seen against its normal, counter-clockwise; `None` when it has no area.
fn flatten(points: &[[f64; 3]]) -> Option<Vec<[f64; 2]>> {
    let origin = points[0];
    let local = |p: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| p[k] - origin[k]) };
    let mut normal = [0.0f64; 3];
    for (i, &p) in points.iter().enumerate() {
        let (p, q) = (local(p), local(points[(i + 1) % points.len()]));
        normal[0] += (p[1] - q[1]) * (p[2] + q[2]);
        normal[1] += (p[2] - q[2]) * (p[0] + q[0]);
        normal[2] += (p[0] - q[0]) * (p[1] + q[1]);
    }
    let mut axis = 0;
    for k in 1..3 {
        if normal[k].abs() > normal[axis].abs() {
            axis = k;
        }
    }
    if normal[axis] == 0.0 || !normal.iter().all(|c| c.is_finite()) {
        return None;
    }
    let (u, v) = match (axis, normal[axis] > 0.0) {
        (0, true) => (1, 2),
        (0, false) => (2, 1),
        (1, true) => (2, 0),
        (1, false) => (0, 2),
        (_, true) => (0, 1),
        (_, false) => (1, 0),
    };
    Some(
        points
            .iter()
            .map(|&p| {
                let p = local(p);
                [p[u], p[v]]
            })
            .collect(),
    )
}

/// Twice the signed area of a triangle, positive for counter-clockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn strictly_convex(p: &[[f64; 2]]) -> bool {
    let n = p.len();
    let left = (0..n).all(|i| turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) > 0.0);
    // A star turns left everywhere too, but goes round more than once.
    left && (0..2).all(|k| {
        let signs: Vec<bool> = (0..n)
            .map(|i| p[(i + 1) % n][k] - p[i][k])
            .filter(|&d| d != 0.0)
            .map(|d| d > 0.0)
            .collect();
        let m = signs.len();
        (0..m).filter(|&i| signs[i] != signs[(i + 1) % m]).count() <= 2
    })
}

/// How much is asked of the next ear; each step gives up something, so that there always is one.
const STRICT: u8 = 0;
/// A corner on a line, or the tip of a spike: its triangle has no area.
const FLAT: u8 = 1;
/// Any corner that turns left: the polygon crosses itself.
const LEFT: u8 = 2;

fn clip_ears(p: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let n = p.len();
    let mut prev: Vec<usize> = (0..n).map(|i| (i + n - 1) % n).collect();
    let mut next: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
    // Only corners that do not turn left can lie in an ear; clipping never makes a left turn into one of the others in a simple
    // polygon, so the list only shrinks.
    let blocks =
        |prev: &[usize], next: &[usize], i: usize| turn(p[prev[i]], p[i], p[next[i]]) <= 0.0;
    let mut blocking: Vec<bool> = (0..n).map(|i| blocks(&prev, &next, i)).collect();
    let mut reflex: Vec<usize> = (0..n).filter(|&i| blocking[i]).collect();
    let mut stale = 0;
    let (mut i, mut left, mut since, mut level) = (0, n, 0, STRICT);
    let mut triangles = Vec::with_capacity(n - 2);
    while left > 3 {
        let (a, c) = (prev[i], next[i]);
        if ear(p, [a, i, c], &reflex, &blocking, level) {
            triangles.push([a, i, c]);
            next[a] = c;
            prev[c] = a;
            left -= 1;
            (since, level) = (0, STRICT);
            for k in [a, i, c] {
                let still = k != i && blocking[k] && blocks(&prev, &next, k);
                stale += usize::from(blocking[k] && !still);
                blocking[k] = still;
            }
            if 2 * stale > reflex.len() {
                reflex.retain(|&r| blocking[r]);
                stale = 0;
            }
            i = next[c]; // skipping one makes fewer slivers
        } else {
            i = c;
            since += 1;
            if since > left {
                (since, level) = (0, level + 1);
            }
        }
    }
    triangles.push([prev[i], i, next[i]]);
    // Each begins with its least corner: the order in which ears were found does not matter then.
    for t in &mut triangles {
        let least = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
        t.rotate_left(least);
    }
    triangles
}

fn ear(
    p: &[[f64; 2]],
    [a, b, c]: [usize; 3],
    reflex: &[usize],
    blocking: &[bool],
    level: u8,
) -> bool {
    let (a, b, c) = (p[a], p[b], p[c]);
    let area = turn(a, b, c);
    match level {
        STRICT if area > 0.0 => {
            let least: [f64; 2] = std::array::from_fn(|k| a[k].min(b[k]).min(c[k]));
            let greatest: [f64; 2] = std::array::from_fn(|k| a[k].max(b[k]).max(c[k]));
            !reflex.iter().any(|&r| {
                let q = p[r];
                (0..2).all(|k| least[k] <= q[k] && q[k] <= greatest[k])
                    && blocking[r]
                    && q != a
                    && q != b
                    && q != c
                    && turn(a, b, q) >= 0.0
                    && turn(b, c, q) >= 0.0
                    && turn(c, a, q) >= 0.0
            })
        }
        STRICT => false,
        FLAT => area == 0.0,
        LEFT => area > 0.0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(p: &[[f64; 2]]) -> f64 {
        (0..p.len())
            .map(|i| {
                let (a, b) = (p[i], p[(i + 1) % p.len()]);
                a[0] * b[1] - a[1] * b[0]
            })
            .sum()
    }

    /// Areas add up and no triangle is turned over: then the triangles cover the polygon exactly once.
    fn check(points: &[[f64; 3]]) {
        let flat = flatten(points).unwrap();
        let cut = cut_polygon(points).unwrap();
        assert_eq!(cut.len(), points.len() - 2);
        let mut sum = 0.0;
        for [a, b, c] in cut {
            let t = turn(flat[a], flat[b], flat[c]);
            assert!(t >= 0.0, "turned over");
            sum += t;
        }
        let whole = area(&flat);
        assert!((sum - whole).abs() <= 1e-9 * whole, "{sum} {whole}");
    }

    fn lift(p: &[[f64; 2]], axis: usize, turned: bool) -> Vec<[f64; 3]> {
        let mut points: Vec<[f64; 3]> = p
            .iter()
            .map(|q| {
                let mut r = [0.5 * q[0] - 0.25 * q[1] + 7.0; 3];
                r[(axis + 1) % 3] = 3.0 * q[0];
                r[(axis + 2) % 3] = 3.0 * q[1];
                r
            })
            .collect();
        if turned {
            points.reverse();
        }
        points
    }

    #[test]
    fn a_convex_polygon_is_the_fan_of_its_first_corner() {
        let p = [
            [0.0, 0.0, 0.0],
            [0.0, 0.1, 2.0],
            [2.0, 0.0, 2.0],
            [2.0, 0.0, 0.0],
        ];
        assert_eq!(cut_polygon(&p).unwrap(), vec![[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn a_concave_quad_is_cut_at_its_reflex_corner() {
        for turned in [false, true] {
            for axis in 0..3 {
                check(&lift(
                    &[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]],
                    axis,
                    turned,
                ));
                check(&lift(
                    &[[1.0, 1.0], [0.0, 4.0], [0.0, 0.0], [4.0, 0.0]],
                    axis,
                    turned,
                ));
            }
        }
    }

    #[test]
    fn combs_and_collinear_corners_are_covered_exactly_once() {
        let mut comb = vec![];
        for i in 0..50 {
            let x = f64::from(i);
            comb.extend([[x, 5.0], [x + 0.5, 1.0]]);
        }
        comb.extend([[50.0, 5.0], [50.0, 0.0], [25.0, 0.0], [0.0, 0.0]]);
        for axis in 0..3 {
            check(&lift(&comb, axis, false));
            check(&lift(&comb, axis, true));
        }
        check(&lift(
            &[
                [0.0, 0.0],
                [1.0, 0.0],
                [2.0, 0.0],
                [2.0, 2.0],
                [1.0, 2.0],
                [0.0, 2.0],
            ],
            1,
            false,
        ));
    }

    #[test]
    fn a_ring_with_a_bridge_keeps_its_hole() {
        let ring = [
            [0.0, 0.0],
            [6.0, 0.0],
            [6.0, 6.0],
            [0.0, 6.0],
            [0.0, 0.0],
            [2.0, 2.0],
            [2.0, 4.0],
            [4.0, 4.0],
            [4.0, 2.0],
            [2.0, 2.0],
        ];
        for turned in [false, true] {
            check(&lift(&ring, 1, turned));
        }
    }

    #[test]
    fn polygons_without_area_still_give_all_triangles() {
        for p in [
            vec![[1.0, 2.0, 3.0]; 6],
            vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        ] {
            assert_eq!(cut_polygon(&p).unwrap().len(), p.len() - 2);
        }
    }

    proptest! {
        #[test]
        fn star_shaped_polygons_are_covered_exactly_once(radii in prop::collection::vec(1u32..100, 5..60), axis in 0usize..3) {
            let n = radii.len() as f64;
            let p: Vec<[f64; 2]> = radii.iter().enumerate().map(|(i, &r)| {
                let angle = std::f64::consts::TAU * i as f64 / n;
                [f64::from(r) * angle.cos(), f64::from(r) * angle.sin()]
            }).collect();
            check(&lift(&p, axis, false));
        }

        #[test]
        fn any_corners_at_all_are_cut_into_corners_minus_two(points in prop::collection::vec(prop::array::uniform3(-3i8..3), 3..40)) {
            let p: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
            let cut = cut_polygon(&p).unwrap();
            prop_assert_eq!(cut.len(), p.len() - 2);
            prop_assert!(cut.iter().flatten().all(|&i| i < p.len()));
        }
    }
}
