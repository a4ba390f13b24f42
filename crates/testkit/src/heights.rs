//! Plain oracle of height triangles: one place at a time, by the simplex method.
//!
//! The Delaunay triangle over a place is where the vertical line through it meets the lower convex
//! hull of the points lifted to x² + z² (Brown, Voronoi diagrams from convex hulls, 1979). The
//! search starts from a triangle that contains the place. The deepest point inside its circumcircle
//! replaces one corner, such that the new triangle contains the place again. It ends when no point
//! is inside the circle.

use navbake_format::Detail;
use navbake_format::detail::SECOND;

type Node = [i128; 3];

/// Height of a detail mesh at a place `[x, z]`, grid units, by its points alone.
pub fn height(detail: &Detail<'_>, place: [f64; 2]) -> f64 {
    let head = detail.head();
    let step = f64::from(1u32 << head.flat);
    let at = [0, 1].map(|k| {
        let offset = (place[k] - f64::from(head.least[k])) / step;
        offset.max(0.0).min(f64::from(head.size[k]))
    });
    // In units of 2^-24 steps, off every line through two points.
    let fine = [0, 1].map(|k| {
        let most = (i128::from(head.size[k]) << 8) - 1;
        (((at[k] * 256.0) as i128).min(most)) << 16
    });
    let fine = [fine[0] + (1 << 15), fine[1] + 1];
    let nodes: Vec<Node> = (detail.points())
        .map(|p| {
            let flat = |k: usize, least: i32| i128::from((p[k] - least) >> head.flat);
            let up = i128::from((p[1] - head.base) >> head.up);
            [flat(0, head.least[0]), flat(2, head.least[1]), up]
        })
        .collect();
    let [a, b, c] = in_order(triangle(&nodes, fine));
    let to = |n: Node| [n[0] as f64 - at[0], n[1] as f64 - at[1]];
    let cross = |a: [f64; 2], b: [f64; 2]| a[1] * b[0] - a[0] * b[1];
    let (fa, fb, fc) = (to(a), to(b), to(c));
    let weight = [cross(fb, fc), cross(fc, fa), cross(fa, fb)];
    let area = weight[0] + weight[1] + weight[2];
    let sum = weight[0] * a[2] as f64 + weight[1] * b[2] as f64 + weight[2] * c[2] as f64;
    let up = (sum / area).max(0.0).min(f64::from(head.top));
    f64::from(head.base) + up * f64::from(1u32 << head.up)
}

/// Is a place to the left of the line from `a` to `b`?
fn left_of(a: Node, b: Node, p: [i128; 2]) -> bool {
    (b[1] - a[1]) * (p[0] - (a[0] << 24)) > (b[0] - a[0]) * (p[1] - (a[1] << 24))
}

/// The triangle over a place; the first four points are the corners of the box.
fn triangle(nodes: &[Node], p: [i128; 2]) -> [Node; 3] {
    let [c0, c1, c2, c3] = [nodes[0], nodes[1], nodes[2], nodes[3]];
    let mut found = match left_of(c0, c2, p) {
        true => [c0, c2, c3],
        false => [c0, c1, c2],
    };
    loop {
        let (mut depth, mut deepest) = ((0, 0), None);
        for node in nodes.iter().filter(|n| !found.contains(n)) {
            let inside = inside(found, *node);
            if inside > depth {
                (depth, deepest) = (inside, Some(*node));
            }
        }
        let Some(q) = deepest else {
            return found;
        };
        let left = found.map(|c| left_of(q, c, p));
        let k = (0..3).find(|&k| left[k] && !left[(k + 1) % 3]);
        let k = k.expect("one of the three contains the place");
        found = [q, found[k], found[(k + 1) % 3]];
    }
}

/// The depth of a point inside the circle through a triangle.
///
/// For a point on the circle, also the depth in the second lifting.
fn inside([a, b, c]: [Node; 3], q: Node) -> (i128, i128) {
    let from = |n: Node| [n[0] - a[0], n[1] - a[1]];
    let (b, c, q) = (from(b), from(c), from(q));
    let area = b[1] * c[0] - b[0] * c[1];
    let [t, u] = SECOND.map(i128::from);
    let depth = |lift: &dyn Fn([i128; 2]) -> i128| {
        let slope_x = lift(c) * b[1] - lift(b) * c[1];
        let slope_z = lift(b) * c[0] - lift(c) * b[0];
        slope_x * q[0] + slope_z * q[1] - area * lift(q)
    };
    match depth(&|[x, z]| x * x + z * z) {
        0 => (0, depth(&|[x, z]| x * (u * x + t * z))),
        first => (first, 0),
    }
}

/// The same triangle, from its least corner (x, then z) on.
fn in_order([a, b, c]: [Node; 3]) -> [Node; 3] {
    let place = |n: Node| (n[0], n[1]);
    if place(b) < place(a) && place(b) < place(c) {
        [b, c, a]
    } else if place(c) < place(a) {
        [c, a, b]
    } else {
        [a, b, c]
    }
}
