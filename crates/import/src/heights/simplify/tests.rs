//! Height maps with fewer triangles: near the samples, without gaps, and exact where it is steep.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Field, Simplify, triangles};

const SPACING: f64 = 0.5;
const STEP: f64 = 0.001;

/// A map of samples of 1 mm.
#[derive(Clone, Debug)]
struct Map {
    size: [usize; 2],
    values: Vec<u16>,
}

/// The value of samples without ground.
const HOLE: u16 = 65_535;

struct Ground {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Map {
    /// The ground with all of its triangles, or simplified.
    fn ground(&self, simplify: Option<&Simplify>) -> Ground {
        let place = |(k, value): (usize, &u16)| {
            let [x, z] = [k % self.size[0], k / self.size[0]].map(|k| k as f64 * SPACING);
            [x, f64::from(*value) * STEP, z]
        };
        let vertices: Vec<[f64; 3]> = self.values.iter().enumerate().map(place).collect();
        let is_hole = |x: usize, z: usize| self.values[z * self.size[0] + x] == HOLE;
        let (size, spacing) = (self.size, SPACING);
        let field = Field { vertices: &vertices, size, spacing, is_hole: Some(&is_hole) };
        let triangles = match simplify {
            Some(simplify) => triangles(&field, simplify),
            None => field.triangles(),
        };
        Ground { vertices, triangles }
    }
}

/// Waves, a plateau with steep sides, rough ground in a corner, and holes.
fn map(size: [usize; 2], wave: f64, cliff: f64, rough: u16, holes: &[usize]) -> Map {
    let mut values = vec![];
    for z in 0..size[1] {
        for x in 0..size[0] {
            let [u, v] = [x, z].map(|k| k as f64);
            let mut height = 20.0 + wave * (u * 0.05).sin() * (v * 0.07).cos();
            if (u - 20.0).hypot(v - 15.0) < 9.0 {
                height += cliff;
            }
            let noise = (x * 7919 + z * 104_729) as u16 % (rough + 1);
            let is_rough = x > size[0] / 2 && z > size[1] / 2;
            values.push((height / STEP) as u16 + if is_rough { noise } else { 0 });
        }
    }
    for at in holes {
        let at = at % values.len();
        values[at] = HOLE;
    }
    Map { size, values }
}

fn up(corners: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = corners;
    let [u, v] = [b, c].map(|p| [0, 1, 2].map(|k| p[k] - a[k]));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    assert!(n[1] > 0.0, "its front does not face up");
    n[1] * n[1] / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
}

/// The height of a triangle at a place; `None` beside it.
fn height_at(corners: [[f64; 3]; 3], [x, z]: [f64; 2]) -> Option<f64> {
    let turn = |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (z - p[2]) - (q[2] - p[2]) * (x - p[0]);
    let [a, b, c] = corners;
    let parts = [turn(b, c), turn(c, a), turn(a, b)];
    let all: f64 = parts.iter().sum();
    let is_inside = parts.iter().all(|part| part / all >= -1e-9);
    is_inside.then(|| (a[1] * parts[0] + b[1] * parts[1] + c[1] * parts[2]) / all)
}

/// Compares a simplified map with all of its triangles, by brute force.
fn check(map: &Map, simplify: Simplify) -> [usize; 2] {
    let [all, few] = [None, Some(&simplify)].map(|simplify| map.ground(simplify));
    let corners = |ground: &Ground, t: [u32; 3]| t.map(|v| ground.vertices[v as usize]);
    // No place is covered twice or not at all: sides are shared by two triangles, once each way.
    // The others are sides that the map without simplification has.
    let sides = |ground: &Ground| {
        let mut sides: BTreeMap<[[u64; 2]; 2], i32> = BTreeMap::new();
        for t in &ground.triangles {
            let flat = corners(ground, *t).map(|p| [p[0].to_bits(), p[2].to_bits()]);
            for k in 0..3 {
                *sides.entry([flat[k], flat[(k + 1) % 3]]).or_default() += 1;
            }
        }
        assert!(sides.values().all(|count| *count == 1));
        sides
    };
    let outer = |sides: BTreeMap<[[u64; 2]; 2], i32>| {
        let lone = |[a, b]: &[[u64; 2]; 2]| !sides.contains_key(&[*b, *a]);
        let lone: Vec<_> = sides.keys().filter(|side| lone(side)).copied().collect();
        lone
    };
    let length = |lone: &[[[u64; 2]; 2]]| -> f64 {
        let far = |side: &[[u64; 2]; 2]| {
            let [a, b] = side.map(|p| p.map(f64::from_bits));
            (a[0] - b[0]).hypot(a[1] - b[1])
        };
        lone.iter().map(far).sum()
    };
    let area = |ground: &Ground| -> f64 {
        let flat = |t: &[u32; 3]| {
            let [a, b, c] = corners(ground, *t);
            ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / 2.0
        };
        ground.triangles.iter().map(flat).sum()
    };
    let [a, b] = [area(&all), area(&few)];
    assert!((a - b).abs() < 1e-6 * (1.0 + a), "{a} {b}");
    let [a, b] = [&all, &few].map(|ground| length(&outer(sides(ground))));
    assert!((a - b).abs() < 1e-6 * (1.0 + a), "{a} {b}");
    // Steep triangles are there as they were, and nothing else is steep.
    let is_steep = |ground: &Ground, t: &[u32; 3]| up(corners(ground, *t)) < simplify.least_up;
    let steep = |ground: &Ground| {
        let steep = ground.triangles.iter().filter(|t| is_steep(ground, t));
        let mut steep: Vec<_> = steep
            .map(|t| {
                let mut places = corners(ground, *t).map(|p| p.map(f64::to_bits));
                places.sort_unstable();
                places
            })
            .collect();
        steep.sort_unstable();
        steep
    };
    assert_eq!(steep(&all), steep(&few));
    // Heights are linear between these: samples, and where sides may cross.
    for t in &few.triangles {
        let own = corners(&few, *t);
        let [low, high] = [f64::min, f64::max]
            .map(|of| [0, 2].map(|k| own.iter().map(|p| p[k]).reduce(of).unwrap() / SPACING));
        for z in low[1] as usize..high[1] as usize {
            for x in low[0] as usize..high[0] as usize {
                let at = |i: usize, j: usize| all.vertices[(z + j) * map.size[0] + x + i];
                let [a, b, c, d] = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
                let middle = [(a[0] + c[0]) / 2.0, (a[1] + c[1]) / 2.0, (a[2] + c[2]) / 2.0];
                for p in [a, b, c, d, middle] {
                    let Some(height) = height_at(own, [p[0], p[2]]) else { continue };
                    assert!((height - p[1]).abs() <= simplify.error + 1e-9, "{p:?} {height}");
                }
            }
        }
    }
    [all.triangles.len(), few.triangles.len()]
}

#[test]
fn gentle_ground_has_fewer_triangles_and_rough_ground_keeps_its_own() {
    let simplify = Simplify { error: 0.02, least_up: 0.5 };
    let flat = Map { size: [129, 129], values: vec![7; 129 * 129] };
    assert_eq!(check(&flat, simplify), [2 * 128 * 128, 2 * 4]);
    let [all, few] = check(&map([193, 150], 1.0, 5.0, 0, &[]), simplify);
    assert!(few < all / 4, "{few} of {all}");
    let rough = map([64, 64], 0.0, 0.0, 900, &[]);
    let none = Simplify { error: 0.0, least_up: 0.999_999 };
    let [all, few] = check(&rough, none);
    assert!(few > all / 4, "{few} of {all}");
    // Where nothing is gentle enough, the triangles are those without simplification.
    let steep = Simplify { error: 1.0, least_up: 1.0 };
    let [all, few] = check(&flat, steep);
    assert_eq!(all, few);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn simplified_maps_are_near_their_samples_and_without_gaps(
        columns in 2usize..150,
        rows in 2usize..150,
        wave in 0.0..8.0,
        cliff in -6.0..6.0,
        rough in 0u16..400,
        holes in proptest::collection::vec(any::<usize>(), 0..5),
        error in 0.0..0.3,
        least_up in 0.2..0.999,
    ) {
        let map = map([columns, rows], wave, cliff, rough, &holes);
        check(&map, Simplify { error, least_up });
    }
}
