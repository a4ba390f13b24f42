//! Heights of polygons with height points: by pivoting, the same as by all triangles with empty circles.

use std::collections::BTreeSet;
use std::time::Instant;

use navbake_format::exact::orient;
use navbake_format::relief::{MOST_POINTS, SECOND, height, height_on_edge, height_on_segment};

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn within(&mut self, low: i32, high: i32) -> i32 {
        (i64::from(low) + (self.next() % (i64::from(high) - i64::from(low) + 1) as u64) as i64)
            as i32
    }
}

fn flat(p: [i32; 3]) -> [i32; 2] {
    [p[0], p[2]]
}

fn holds(corners: &[[i32; 3]], p: [i32; 2]) -> bool {
    (0..corners.len())
        .all(|k| orient(flat(corners[k]), flat(corners[(k + 1) % corners.len()]), p) >= 0)
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
        for j in (0..n).filter(|&j| j != i) {
            for k in (i + 1..n).filter(|&k| k != j && j > i) {
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

fn ask(corners: &[[i32; 3]], points: &[[i32; 3]], p: [f64; 2]) -> f64 {
    let at = |i: usize| {
        if i < corners.len() {
            corners[i]
        } else {
            points[i - corners.len()]
        }
    };
    height(corners.len(), points.len(), at, p)
}

/// A convex polygon with collinear corners now and then.
fn polygon(random: &mut Random, size: i32) -> Vec<[i32; 3]> {
    loop {
        let mut points: Vec<[i32; 2]> = (0..random.within(3, 9))
            .map(|_| [random.within(-size, size), random.within(-size, size)])
            .collect();
        points.sort_unstable();
        points.dedup();
        let half = |points: &mut dyn Iterator<Item = [i32; 2]>| {
            let mut chain: Vec<[i32; 2]> = vec![];
            for p in points {
                while let [.., a, b] = chain[..] {
                    let turn = orient(a, b, p);
                    if turn > 0 {
                        break;
                    }
                    chain.pop();
                }
                chain.push(p);
            }
            chain.pop();
            chain
        };
        let mut ring = half(&mut points.iter().copied());
        ring.extend(half(&mut points.iter().rev().copied()));
        if ring.len() < 3 {
            continue;
        }
        let n = ring.len();
        let mut corners = vec![];
        for k in 0..n {
            let (a, b) = (ring[k], ring[(k + 1) % n]);
            corners.push([a[0], random.within(-50, 50), a[1]]);
            let d = [b[0] - a[0], b[1] - a[1]];
            if d[0] % 2 == 0 && d[1] % 2 == 0 && random.next().is_multiple_of(3) {
                corners.push([a[0] + d[0] / 2, random.within(-50, 50), a[1] + d[1] / 2]);
            }
        }
        return corners;
    }
}

#[test]
fn pivoting_gives_the_heights_of_the_empty_circle_triangles() {
    let mut random = Random(1);
    let mut asked = 0;
    for round in 0..600 {
        let lattice = [1, 5, 40][round % 3]; // coarse lattices: circles through many points, points twice, on borders and on lines
        let size = [12, 60, 100_000][round / 3 % 3];
        let corners = polygon(&mut random, size);
        let mut points = vec![];
        for _ in 0..random.within(1, 18) {
            let p = [0; 2].map(|_: i32| random.within(-size, size) / lattice * lattice);
            if holds(&corners, p) {
                points.push([p[0], random.within(-50, 50), p[1]]);
            }
        }
        if points.is_empty() {
            continue;
        }
        let all: Vec<[i32; 3]> = corners.iter().chain(&points).copied().collect();
        let mut seen = BTreeSet::new();
        // Of several points at one place the first counts.
        let unique: Vec<[i32; 3]> = all
            .iter()
            .copied()
            .filter(|&p| seen.insert(flat(p)))
            .collect();
        let triangles = delaunay(&unique);
        let area =
            |t: &[usize; 3]| orient(flat(unique[t[0]]), flat(unique[t[1]]), flat(unique[t[2]]));
        let whole: i64 = (1..corners.len() - 1)
            .map(|k| orient(flat(corners[0]), flat(corners[k]), flat(corners[k + 1])))
            .sum();
        assert_eq!(
            triangles.iter().map(area).sum::<i64>(),
            whole,
            "the triangles are a triangulation"
        );
        for _ in 0..60 {
            let p = match random.next() % 4 {
                0 => flat(all[random.next() as usize % all.len()]),
                _ => [0; 2].map(|_: i32| random.within(-size, size)),
            };
            if !holds(&corners, p) {
                continue;
            }
            let found = ask(&corners, &points, p.map(f64::from));
            let expected = by_triangles(&unique, &triangles, p);
            asked += 1;
            for e in &expected {
                assert!(
                    (found - e).abs() < 1e-9,
                    "{p:?}: {found} for {expected:?}\n{corners:?}\n{points:?}"
                );
            }
            assert!(!expected.is_empty());
        }
    }
    assert!(asked > 3000, "{asked}");
}

#[test]
fn edges_are_linear_between_their_ends_and_the_points_on_them() {
    let mut random = Random(2);
    for _ in 0..300 {
        let corners = polygon(&mut random, 400);
        let mut points: Vec<[i32; 3]> = (0..40)
            .map(|_| [0; 3].map(|_: i32| random.within(-400, 400)))
            .filter(|&p| holds(&corners, flat(p)))
            .collect();
        // Those on the border are for the second half.
        let on = |p: [i32; 3], k: usize| {
            orient(
                flat(corners[k]),
                flat(corners[(k + 1) % corners.len()]),
                flat(p),
            ) == 0
        };
        points.retain(|&p| (0..corners.len()).all(|k| !on(p, k)));
        for k in 0..corners.len() {
            let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
            for s in 0..=8 {
                let t = f64::from(s) / 8.0;
                let place = [0, 2].map(|c| f64::from(a[c]) + t * f64::from(b[c] - a[c]));
                let straight = f64::from(a[1]) + t * f64::from(b[1] - a[1]);
                assert!((ask(&corners, &points, place) - straight).abs() < 1e-6);
                assert_eq!(
                    height_on_segment(a, b, place),
                    height_on_edge(b, a, points.iter().copied(), place)
                );
            }
            let d = [b[0] - a[0], b[2] - a[2]];
            if d[0] % 4 == 0 && d[1] % 4 == 0 {
                let part = |i: i32, y: i32| [a[0] + d[0] / 4 * i, y, a[2] + d[1] / 4 * i];
                let border = [part(3, 7), part(1, 900)];
                let with: Vec<[i32; 3]> = points.iter().copied().chain(border).collect();
                for (p, up) in [(part(1, 0), 900.0), (part(2, 0), 453.5), (part(3, 0), 7.0)] {
                    let place = flat(p).map(f64::from);
                    assert!((ask(&corners, &with, place) - up).abs() < 1e-9);
                    assert!((height_on_edge(a, b, with.iter().copied(), place) - up).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn whatever_the_points_are_the_height_is_one_between_theirs() {
    let mut random = Random(3);
    let extremes = [i32::MIN, i32::MAX, -(1 << 25) + 1, (1 << 25) - 1, 0, 1, -1];
    for _ in 0..20_000 {
        let mut coordinate = || match random.next() % 3 {
            0 => extremes[random.next() as usize % extremes.len()],
            1 => random.within(-3, 3),
            _ => random.within(-(1 << 25), 1 << 25),
        };
        let all: Vec<[i32; 3]> = (0..12).map(|_| [0; 3].map(|_: i32| coordinate())).collect();
        let place = [coordinate(), coordinate()].map(f64::from);
        let corners = 3 + random.next() as usize % 5;
        let found = height(corners, all.len() - corners, |i| all[i], place);
        let ups = || all.iter().map(|p| f64::from(p[1]));
        let (low, high) = (
            ups().fold(f64::INFINITY, f64::min),
            ups().fold(-f64::INFINITY, f64::max),
        );
        assert!(
            found >= low - 1e-3 * (high - low) && found <= high + 1e-3 * (high - low),
            "{found}"
        );
    }
}

/// Not a test of speed: prints what a height costs.
#[test]
fn the_cost_of_a_height_is_printed() {
    let mut random = Random(4);
    let size = 4000;
    let ring: Vec<[i32; 3]> = [[0, 1], [1, 2], [2, 2], [3, 1], [2, 0], [1, 0]]
        .iter()
        .map(|c| [c[0] * size / 3, random.within(0, 900), c[1] * size / 2])
        .collect();
    for count in [0, 1, 4, 16, 64, MOST_POINTS] {
        let mut inside = || loop {
            let p = [0; 3].map(|_: i32| random.within(0, size));
            if holds(&ring, flat(p)) {
                return p;
            }
        };
        let points: Vec<[i32; 3]> = (0..count).map(|_| inside()).collect();
        let places: Vec<[f64; 2]> = (0..200).map(|_| flat(inside()).map(f64::from)).collect();
        let mut best = f64::INFINITY;
        let mut sum = 0.0;
        for _ in 0..50 {
            let start = Instant::now();
            sum += places.iter().map(|&p| ask(&ring, &points, p)).sum::<f64>();
            best = best.min(start.elapsed().as_secs_f64() * 1e9 / places.len() as f64);
        }
        println!("{count} points: {best:.0} ns ({sum:.0})");
    }
}
