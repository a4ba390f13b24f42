//! Cutting polygons in space.

use navbake_geom::{cut_polygon, fan, is_strictly_convex};
use proptest::prelude::*;

type V = [f64; 3];

fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Twice the area along a normal of a polygon given by indices.
fn vector(points: &[V], polygon: &[usize]) -> V {
    let o = points[polygon[0]];
    let mut sum = [0.0; 3];
    for w in polygon.windows(2) {
        let c = cross(minus(points[w[0]], o), minus(points[w[1]], o));
        sum = [sum[0] + c[0], sum[1] + c[1], sum[2] + c[2]];
    }
    sum
}

fn check(points: &[V], triangles: &[[usize; 3]]) {
    let all: Vec<usize> = (0..points.len()).collect();
    let normal = vector(points, &all);
    let size = dot(normal, normal).sqrt();
    assert_eq!(triangles.len(), points.len() - 2);
    let mut area = 0.0;
    let mut sides = std::collections::BTreeMap::new();
    for t in triangles {
        let along = dot(vector(points, t), normal) / size;
        assert!(along >= -1e-9 * size, "{t:?} is the wrong way round");
        area += along;
        for k in 0..3 {
            *sides.entry((t[k], t[(k + 1) % 3])).or_insert(0) += 1;
        }
    }
    assert!((area - size).abs() <= 1e-9 * size, "{area} {size}");
    // Every side of the polygon once, every other side with its mate.
    for (&(a, b), &count) in &sides {
        assert_eq!(count, 1, "{a} {b}");
        let border = b == (a + 1) % points.len();
        assert!(border != sides.contains_key(&(b, a)), "{a} {b}");
    }
}

#[test]
fn a_convex_polygon_is_cut() {
    let points = [[0., 1., 0.], [0., 1., 2.], [1., 1., 3.], [2., 1., 2.], [2., 1., 0.]];
    check(&points, &cut_polygon(&points).unwrap());
}

#[test]
fn a_triangle_stays_as_it_is() {
    let points = [[5., 0., 0.], [0., 0., 2.], [1., 1., 3.]];
    assert_eq!(cut_polygon(&points).unwrap(), [[0, 1, 2]]);
}

#[test]
fn a_notch_is_not_covered() {
    // An arrow head; a fan from its first point would leave it.
    let points = [[0., 0., 0.], [4., 0., 4.], [0., 0., 1.], [-4., 0., 4.]];
    check(&points, &cut_polygon(&points).unwrap());
    let turned = [[4., 0., 4.], [0., 0., 1.], [-4., 0., 4.], [0., 0., 0.]];
    check(&turned, &cut_polygon(&turned).unwrap());
}

#[test]
fn winding_is_kept_either_way_round_and_on_every_plane() {
    let flat = [[0., 0.], [6., 0.], [6., 6.], [4., 6.], [4., 2.], [2., 2.], [2., 6.], [0., 6.]];
    for k in 0..3 {
        for flip in [false, true] {
            let mut points: Vec<V> = flat
                .iter()
                .map(|&[u, v]| {
                    let mut p = [0.0; 3];
                    (p[k], p[(k + 1) % 3], p[(k + 2) % 3]) = (u, v, 0.25 * u - 0.5 * v + 1e4);
                    p
                })
                .collect();
            if flip {
                points.reverse();
            }
            check(&points, &cut_polygon(&points).unwrap());
        }
    }
}

#[test]
fn points_on_a_side_are_kept() {
    let points = [
        [0., 0., 0.],
        [0., 0., 1.],
        [0., 0., 2.],
        [2., 0., 2.],
        [2., 0., 1.],
        [2., 0., 0.],
        [1., 0., 0.],
    ];
    check(&points, &cut_polygon(&points).unwrap());
}

#[test]
fn a_slightly_bent_polygon_is_cut() {
    let points = [
        [0., 0.01, 0.],
        [0., 0., 3.],
        [3., -0.02, 3.],
        [3., 0., 2.],
        [1., 0.015, 2.],
        [1., 0., 0.],
    ];
    check(&points, &cut_polygon(&points).unwrap());
}

#[test]
fn what_has_no_inside_is_not_cut() {
    assert_eq!(cut_polygon(&[]), None);
    assert_eq!(cut_polygon(&[[0.; 3], [1.; 3]]), None);
    assert_eq!(cut_polygon(&[[0.; 3], [1.; 3], [2.; 3], [3.; 3]]), None);
    assert_eq!(cut_polygon(&[[1., 2., 3.]; 5]), None);
    assert_eq!(cut_polygon(&[[0., 0., f64::NAN], [1., 0., 0.], [0., 1., 0.]]), None);
    assert_eq!(cut_polygon(&[[0., 0., 1e308], [1e308, 0., 0.], [0., 1e308, 0.]]), None);
    // A bow tie with unequal wings.
    assert_eq!(cut_polygon(&[[0., 0., 0.], [4., 0., 4.], [4., 0., 0.], [0., 0., 3.]]), None);
    assert_eq!(fan(5), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert!(fan(2).is_empty());
}

#[test]
fn a_convex_polygon_is_the_fan_of_its_first_point() {
    let bent = [[0., 0., 0.], [0., 0.1, 2.], [2., 0., 2.], [2., 0., 0.]];
    for k in 0..4 {
        let mut points = bent;
        points.rotate_left(k);
        assert!(is_strictly_convex(&points));
        assert_eq!(cut_polygon(&points).unwrap(), fan(4));
    }
    // A star turns in one direction everywhere, and is not convex.
    let star: Vec<V> = (0..5)
        .map(|i| f64::from(2 * i) * std::f64::consts::TAU / 5.0)
        .map(|angle| [angle.cos(), 0.0, angle.sin()])
        .collect();
    assert!(!is_strictly_convex(&star));
    assert_eq!(cut_polygon(&star), None);
}

#[test]
fn combs_are_cut() {
    let mut comb: Vec<V> = vec![];
    for i in 0..50 {
        let x = f64::from(i);
        comb.extend([[x, 0.5 * x, 5.0], [x + 0.5, 0.5 * x + 0.25, 1.0]]);
    }
    comb.extend([[50., 25., 5.], [50., 25., 0.], [25., 12.5, 0.], [0.; 3]]);
    check(&comb, &cut_polygon(&comb).unwrap());
    comb.reverse();
    check(&comb, &cut_polygon(&comb).unwrap());
}

#[test]
fn a_ring_with_a_bridge_keeps_its_hole() {
    let mut ring = [
        [0., 0.],
        [6., 0.],
        [6., 6.],
        [0., 6.],
        [0., 0.],
        [2., 2.],
        [2., 4.],
        [4., 4.],
        [4., 2.],
        [2., 2.],
    ]
    .map(|[x, z]| [x, 0.25 * x - 0.5 * z, z]);
    for _ in 0..2 {
        for _ in 0..ring.len() {
            check(&ring, &cut_polygon(&ring).unwrap());
            ring.rotate_left(1);
        }
        ring.reverse();
    }
}

#[test]
fn sides_on_one_another_are_no_crossings_among_many() {
    // A ring with a bridge, its outer border with teeth, on a plane that rounds.
    let mut flat: Vec<[f64; 2]> = vec![];
    for i in 0..40 {
        let x = f64::from(i);
        flat.extend([[x, -4.0], [x + 0.5, -0.5]]);
    }
    flat.extend([[40., -4.], [40., 9.], [0.5, 9.], [0.5, 5.]]);
    flat.extend((1..39).map(|i| [f64::from(i) + 0.5, if i % 2 == 0 { 5. } else { 3. }]));
    flat.extend((0..39).rev().map(|i| [f64::from(i) + 0.5, if i % 2 == 0 { 2. } else { 0. }]));
    flat.extend([[0.5, 5.], [0.5, 9.], [0., 9.]]);
    let mut points: Vec<V> = flat
        .iter()
        .map(|&[u, v]| [0.7 * u + 0.1 * v, 0.3 * u - 0.9 * v, 0.2 * u + 0.6 * v + 1e3])
        .collect();
    check(&points, &cut_polygon(&points).unwrap());
    points.reverse();
    check(&points, &cut_polygon(&points).unwrap());
}

proptest! {
    #[test]
    fn star_shaped_polygons_are_cut(
        radii in prop::collection::vec(1i32..100, 3..40),
        tilt in (-3i32..4, -3i32..4),
        bend in 0i32..2,
        reverse in any::<bool>(),
    ) {
        let n = radii.len();
        let mut points: Vec<V> = radii
            .iter()
            .enumerate()
            .map(|(i, &r)| {
                let angle = std::f64::consts::TAU * i as f64 / n as f64;
                let (x, z) = (f64::from(r) * angle.cos(), f64::from(r) * angle.sin());
                [x, f64::from(tilt.0) * x + f64::from(tilt.1) * z + f64::from(bend) * 0.01 * f64::from(r % 3), z]
            })
            .collect();
        if reverse {
            points.reverse();
        }
        let o = [0.0; 3];
        let up = vector(&points, &(0..n).collect::<Vec<_>>())[1];
        let star = (0..n).all(|i| {
            let turn = cross(minus(points[i], o), minus(points[(i + 1) % n], o))[1];
            turn * up > 0.0
        });
        prop_assume!(star);
        check(&points, &cut_polygon(&points).unwrap());
    }

    #[test]
    fn points_on_sides_are_kept_wherever_they_are(
        ring in prop::sample::select(vec![
            vec![[0, 0], [8, 0], [8, 8], [0, 8]],
            vec![[0, 0], [12, 0], [12, 12], [8, 12], [8, 4], [4, 4], [4, 12], [0, 12]],
            vec![[0, 0], [8, 8], [0, 4], [-8, 8]],
        ]),
        more in prop::collection::vec(0i32..4, 8),
        rotate in 0usize..40,
        reverse in any::<bool>(),
    ) {
        let mut points: Vec<V> = Vec::new();
        for (k, a) in ring.iter().enumerate() {
            let b = ring[(k + 1) % ring.len()];
            for i in 0..=more[k] {
                let t = f64::from(i) / f64::from(more[k] + 1);
                let at = |j: usize| f64::from(a[j]) + t * f64::from(b[j] - a[j]);
                points.push([at(0), 0.3 * at(0) - at(1), at(1)]);
            }
        }
        let n = points.len();
        points.rotate_left(rotate % n);
        if reverse {
            points.reverse();
        }
        check(&points, &cut_polygon(&points).unwrap());
    }

    #[test]
    fn any_points_give_an_answer(points in prop::collection::vec(prop::array::uniform3(-3i32..4), 0..12)) {
        let points: Vec<V> = points.iter().map(|p| p.map(f64::from)).collect();
        if let Some(triangles) = cut_polygon(&points) {
            prop_assert_eq!(triangles.len(), points.len() - 2);
            prop_assert!(triangles.iter().flatten().all(|&i| i < points.len()));
        }
    }
}
