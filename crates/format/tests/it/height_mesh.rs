//! Heights of height meshes: by pivoting from bucket to bucket, the same as by all triangles with empty
//! circles.

use std::time::Instant;

use navbake_format::detail::SECOND;
use navbake_format::exact::orient;
use navbake_format::write::{BlobParts, HeightMeshParts, MeshParts, encode};
use navbake_format::{Blob, Detail, fan};

use navbake_testkit::Random;

fn flat(p: [i32; 3]) -> [i32; 2] {
    [p[0], p[2]]
}

/// Inside the circle through three points, or on it and below in the second lifting. Exact.
fn in_circle([a, b, c, d]: [[i32; 2]; 4]) -> bool {
    let rel = |p: [i32; 2]| [i128::from(p[0] - d[0]), i128::from(p[1] - d[1])];
    let [a, b, c] = [rel(a), rel(b), rel(c)];
    let area = |p: [i128; 2], q: [i128; 2]| p[1] * q[0] - p[0] * q[1];
    let sum =
        |f: &dyn Fn([i128; 2]) -> i128| area(b, c) * f(a) + area(c, a) * f(b) + area(a, b) * f(c);
    let first = sum(&|[x, z]| x * x + z * z);
    let [t, u] = SECOND.map(i128::from);
    first > 0 || (first == 0 && sum(&|[x, z]| u * x * x + t * x * z) > 0)
}

/// All triangles whose circle holds no other point.
fn delaunay(all: &[[i32; 3]]) -> Vec<[usize; 3]> {
    let n = all.len();
    let mut found = vec![];
    for i in 0..n {
        for j in (0..n).filter(|&j| j > i) {
            for k in (i + 1..n).filter(|&k| k != j) {
                let t = [i, j, k].map(|v| flat(all[v]));
                let empty = || !all.iter().any(|&d| in_circle([t[0], t[1], t[2], flat(d)]));
                if orient(t[0], t[1], t[2]) > 0 && empty() {
                    found.push([i, j, k]);
                }
            }
        }
    }
    found
}

/// Heights of all triangles that hold a place.
fn by_triangles(all: &[[i32; 3]], triangles: &[[usize; 3]], p: [i32; 2]) -> Vec<f64> {
    let mut heights = vec![];
    for &t in triangles {
        let [a, b, c] = t.map(|i| flat(all[i]));
        let w = [orient(b, c, p), orient(c, a, p), orient(a, b, p)];
        if w.iter().all(|&w| w >= 0) {
            let sum: f64 = (0..3).map(|k| w[k] as f64 * f64::from(all[t[k]][1])).sum();
            heights.push(sum / orient(a, b, c) as f64);
        }
    }
    heights
}

/// A blob with one rectangle that has the height mesh.
fn blob(parts: &HeightMeshParts<'_>) -> Vec<u8> {
    let [x, z] = parts.least;
    let [w, h] = parts.size.map(|s| i32::from(s) << parts.shift);
    encode(&BlobParts {
        meshes: &[MeshParts {
            vertices: &[[x, 0, z], [x, 0, z + h], [x + w, 0, z + h], [x + w, 0, z]],
            first_edge: &[0, 4],
            corners: &[0, 1, 2, 3],
            neighbours: &[u32::MAX; 4],
            islands: &[0],
            height_mesh_of: &[0],
            height_meshes: std::slice::from_ref(parts),
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap()
}

fn with_height_mesh(parts: &HeightMeshParts<'_>, f: impl FnOnce(Detail<'_>)) {
    let bytes = blob(parts);
    let checked = Blob::open_checked(&bytes).unwrap();
    f(checked.decode(0).unwrap().leak().detail(0).unwrap());
}

/// Random points on a lattice of the box, none at its corners, none twice.
fn points(
    random: &mut Random,
    size: [u16; 2],
    lattice: u16,
    count: usize,
    top: u16,
) -> Vec<[u16; 3]> {
    let mut points: Vec<[u16; 3]> = (0..count)
        .map(|_| {
            let [x, z] = size.map(|s| random.within(0, (s / lattice).into()) as u16 * lattice);
            [x, random.within(0, top.into()) as u16, z]
        })
        .filter(|p| !((p[0] == 0 || p[0] == size[0]) && (p[2] == 0 || p[2] == size[1])))
        .collect();
    points.sort_unstable_by_key(|p| [p[0], p[2]]);
    points.dedup_by_key(|p| [p[0], p[2]]);
    points
}

#[test]
fn pivoting_gives_the_heights_of_the_empty_circle_triangles() {
    let mut random = Random(1);
    let mut asked = 0;
    for round in 0..400 {
        let [lattice, least] = [[1, 1], [1, 5], [16, 32], [256, 512], [300, 900]][round % 5];
        // From a step to as many as there may be; narrow ones too, and many buckets for few points.
        let most = [40, 700, 16_383][round / 5 % 3].max(least);
        let size = [0; 2].map(|_: i32| random.within(least, most) as u16);
        let top = [1, 900, 60_000][round % 3];
        let inner = points(&mut random, size, lattice as u16, round % 23, top);
        let shift = random.within(0, 5) as u32;
        let parts = HeightMeshParts {
            least: [random.within(-5000, 5000), random.within(-5000, 5000)],
            size,
            shift,
            base: random.within(-900, 900),
            up: random.within(0, 4) as u32,
            corners: [0; 4].map(|_: i32| random.within(0, top.into()) as u16),
            points: &inner,
        };
        with_height_mesh(&parts, |height_mesh| {
            let all: Vec<[i32; 3]> = height_mesh.points().collect();
            assert_eq!(all.len(), inner.len() + 4);
            let triangles = delaunay(&all);
            let steepest = steepest(&all, &triangles);
            let area = |t: &[usize; 3]| orient(flat(all[t[0]]), flat(all[t[1]]), flat(all[t[2]]));
            let whole = size.map(|s| i64::from(s) << shift);
            assert_eq!(
                triangles.iter().map(area).sum::<i64>(),
                2 * whole[0] * whole[1],
                "the triangles are a triangulation"
            );
            let [low, high] = height_mesh.bounds();
            for _ in 0..60 {
                let p = match random.next() % 4 {
                    // At a point, between two, at the borders of buckets, anywhere.
                    0 => flat(all[random.next() as usize % all.len()]),
                    1 => {
                        let [a, b] = [0; 2].map(|_: i32| all[random.next() as usize % all.len()]);
                        [(a[0] + b[0]) / 2, (a[2] + b[2]) / 2]
                    }
                    2 => [0, 1].map(|k| {
                        let bucket = 1 << (shift + 6 + (random.next() % 6) as u32);
                        let c = random.within(low[k], high[k]) - low[k];
                        low[k] + c / bucket * bucket
                    }),
                    _ => [0, 1].map(|k| random.within(low[k], high[k])),
                };
                let found = height_mesh.height(p.map(f64::from));
                let expected = by_triangles(&all, &triangles, p);
                assert!(!expected.is_empty());
                asked += 1;
                for e in &expected {
                    // A place is given to 1/256 of a step: that matters where it is steep.
                    let doubt = steepest * f64::from(1 << shift) / 128.0 + 1e-6;
                    assert!(
                        (found - e).abs() <= doubt,
                        "{p:?}: {found} for {expected:?}\n{parts:?}"
                    );
                }
            }
        });
    }
    assert!(asked > 15_000, "{asked}");
}

/// The steepest slope of all triangles, along x and z together.
fn steepest(all: &[[i32; 3]], triangles: &[[usize; 3]]) -> f64 {
    let slope = |&t: &[usize; 3]| {
        let [a, b, c] = t.map(|i| all[i].map(f64::from));
        let (u, v) =
            ([b[0] - a[0], b[1] - a[1], b[2] - a[2]], [c[0] - a[0], c[1] - a[1], c[2] - a[2]]);
        let area = (u[2] * v[0] - u[0] * v[2]).abs();
        let x = (u[1] * v[2] - v[1] * u[2]).abs() / area;
        let z = (u[1] * v[0] - v[1] * u[0]).abs() / area;
        x + z
    };
    triangles.iter().map(slope).fold(0.0, f64::max)
}

#[test]
fn places_outside_have_the_height_of_the_nearest_in_the_box() {
    let parts = HeightMeshParts {
        least: [-100, 40],
        size: [50, 30],
        shift: 2,
        base: -7,
        up: 1,
        corners: [3, 9, 4, 0],
        points: &[[20, 11, 9], [0, 5, 17]],
    };
    with_height_mesh(&parts, |height_mesh| {
        for (out, at) in [
            ([-500.0, 60.0], [-100.0, 60.0]),
            ([-100.5, 39.0], [-100.0, 40.0]),
            ([1e30, 1e30], [100.0, 160.0]),
            ([f64::NEG_INFINITY, 100.0], [-100.0, 100.0]),
        ] {
            assert_eq!(height_mesh.height(out), height_mesh.height(at), "{out:?}");
        }
        assert_eq!(height_mesh.height([-100.0, 40.0]), -1.0);
        assert_eq!(height_mesh.height([100.0, 160.0]), 1.0);
        assert_eq!(height_mesh.height([-100.0, 108.0]), 3.0);
        assert!(height_mesh.height([f64::NAN, f64::NAN]).is_finite());
    });
}

#[test]
fn fans_are_linear_on_their_edges_and_in_their_triangles() {
    let corners = [[0, 0, 0], [0, 8, 8], [4, 20, 8], [8, 8, 8], [8, 16, 0]];
    let at = |i: usize| corners[i];
    let height = |p: [f64; 2]| fan::height(5, at, p);
    assert_eq!(height([0.0, 4.0]), 4.0);
    assert_eq!(height([2.0, 8.0]), 14.0);
    assert_eq!(height([8.0, 2.0]), 14.0);
    assert_eq!(height([2.0, 4.0]), 10.0);
    assert_eq!(height([4.0, 4.0]), 4.0);
    for (k, &a) in corners.iter().enumerate() {
        let b = corners[(k + 1) % 5];
        let middle = [0, 2].map(|c| f64::from(a[c] + b[c]) / 2.0);
        let straight = fan::height_on_segment(a, b, middle);
        assert_eq!(straight, fan::height_on_segment(b, a, middle));
        assert_eq!(straight, height(middle));
    }
    assert_eq!(fan::height(0, at, [0.0; 2]), 0.0);
    assert_eq!(fan::height(5, at, [90.0, 90.0]), 0.0);
}

/// Not a test of speed: prints the cost of a height.
#[test]
fn the_cost_of_a_height_is_printed() {
    let mut random = Random(4);
    let size = [9600; 2];
    let step = 512;
    let regular: Vec<[u16; 3]> =
        (1..361).map(|i| [i % 19 * step, random.within(0, 900) as u16, i / 19 * step]).collect();
    let any = |count: usize, random: &mut Random| points(random, size, 1, count, 900);
    let sets = [
        ("a lattice", regular),
        ("10 points", any(10, &mut random)),
        ("100 points", any(100, &mut random)),
        ("300 points", any(300, &mut random)),
        ("3000 points", any(3000, &mut random)),
    ];
    for (name, inner) in &sets {
        let parts = HeightMeshParts { size, shift: 2, points: inner, ..HeightMeshParts::default() };
        with_height_mesh(&parts, |height_mesh| {
            let places: Vec<[f64; 2]> = (0..500)
                .map(|_| [0; 2].map(|_: i32| f64::from(random.within(0, 4 * 9600))))
                .collect();
            let mut best = f64::INFINITY;
            let mut sum = 0.0;
            for _ in 0..50 {
                let start = Instant::now();
                sum += places.iter().map(|&p| height_mesh.height(p)).sum::<f64>();
                best = best.min(start.elapsed().as_secs_f64() * 1e9 / places.len() as f64);
            }
            println!("{name}: {best:.0} ns ({sum:.0})");
        });
    }
}
