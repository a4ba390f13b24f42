use std::collections::BTreeMap;

use navbake_level::{LevelSettings, Part, Role, Scene, Winding};

use super::*;

/// Triangles of all sizes and slopes.
///
/// Some have corners on columns, some have sides along an axis, and some are ignored.
fn level(bits: u8, far: f64) -> Level {
    let mut seed = 11u32;
    let mut next = move |most: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from((seed >> 8) % most)
    };
    let mut scene = Scene { parts: vec![Part::default(), Part::default()], ..Scene::default() };
    for k in 0..900u32 {
        let side = [14.0, 3.0, 0.6][k as usize % 3];
        let corner = [far + next(160) * 0.1, next(6) * 0.9, next(160) * 0.1];
        for _ in 0..3 {
            let round = |v: f64| if k % 5 == 0 { v.round() } else { v };
            let [x, z] = [0, 1].map(|_| round(next(1000) * side / 1000.0));
            let y = if k % 4 == 0 { 0.0 } else { next(100) * 0.03 };
            let vertex = [corner[0] + x, corner[1] + y, corner[2] + z];
            scene.vertices.push(vertex);
        }
        let at = 3 * k;
        scene.triangles.push([at, at + 1, at + 2]);
        scene.triangle_parts.push(u32::from(k % 11 == 0));
    }
    // A pile.
    for k in 0..60u32 {
        let at = scene.vertices.len() as u32;
        for [x, z] in [[3.0, 3.0], [4.5, 3.2], [3.1, 4.4]] {
            let y = next(100) * 0.01 + f64::from(k) * 0.03;
            scene.vertices.push([far + x, y, z]);
        }
        scene.triangles.push([at, at + 1, at + 2]);
        scene.triangle_parts.push(0);
    }
    let settings =
        LevelSettings { bits, origin: Some([0.0; 3]), winding: Winding::Both, bounds: None };
    let roles = [Role::Ground, Role::Ignored];
    Level::new(&scene, &roles, &settings).unwrap().0
}

/// The samples of all columns, by brute force.
///
/// Tests each triangle in each column of its bounds and a margin.
fn plainly(level: &Level, step: f64) -> BTreeMap<Column, Vec<Sample>> {
    let mut columns: BTreeMap<Column, Vec<Sample>> = BTreeMap::new();
    for (number, triangle) in (0u32..).zip(&level.triangles) {
        let Some(flat) = Flat::new(level, number) else {
            continue;
        };
        if level.roles[triangle.part as usize] == Role::Ignored {
            continue;
        }
        let ([x0, x1], [z0, z1]) = (flat.range(0, step), flat.range(2, step));
        for x in x0 - 2..=x1 + 2 {
            for z in z0 - 2..=z1 + 2 {
                let place = [middle(x, step), middle(z, step)];
                if flat.holds(place) {
                    let height = flat.height(place);
                    let triangle = number;
                    let sample = Sample { height, triangle };
                    columns.entry([x, z]).or_default().push(sample);
                }
            }
        }
    }
    for samples in columns.values_mut() {
        samples.sort_by(|a, b| {
            let by_height = a.height.total_cmp(&b.height);
            by_height.then(a.triangle.cmp(&b.triangle))
        });
    }
    columns
}

#[test]
fn columns_meet_what_each_triangle_tried_in_each_column_says() {
    for (bits, far, metres) in [(10, 0.0, 0.2), (10, 30_000.0, 0.35), (4, 0.0, 0.2)] {
        let level = level(bits, far);
        let step = metres * level.grid.units();
        let plain = plainly(&level, step);
        let spans = Spans::new(&level, step);
        let mut wanted: Vec<Column> = plain.keys().copied().collect();
        wanted.extend([[-900, 3], [i32::MAX - 3, 0]]);
        wanted.sort_unstable();
        let mut found = BTreeMap::new();
        spans.at(&wanted, |column, samples| {
            assert!(found.insert(column, samples.to_vec()).is_none());
        });
        assert!(found.len() > 1000 && found == plain);
        let count: i64 = spans.all.iter().map(|s| i64::from(s.last - s.first + 1)).sum();
        assert_eq!(count as usize, plain.values().map(Vec::len).sum::<usize>());
    }
}

#[test]
fn columns_with_ground_as_far_from_something_as_asked_are_all_looked_at_once_and_in_order() {
    let level = level(10, 0.0);
    let step = 0.2 * level.grid.units();
    let plain = plainly(&level, step);
    let spans = Spans::new(&level, step);
    let ground: Vec<bool> = (0..level.triangles.len()).map(|t| t % 3 > 0).collect();
    // Some stacks are larger than the limit for comparisons pair by pair, some are not.
    assert!(plain.values().any(|s| s.len() > FEW) && plain.values().any(|s| s.len() < 4));
    for (low, high) in [(-9.0, 9.0), (500.0, 600.0), (2000.0, 2001.0), (1e6, 2e6)] {
        let is_wanted = |gap: f64| gap >= low && gap <= high;
        let matters = |_: u32, _: u32, [least, most]: [f64; 2]| {
            least <= high && most >= low || -most <= high && -least >= low
        };
        let mut found = vec![];
        spans.crowded(&ground, matters, |column, samples| {
            assert_eq!(samples, plain[&column]);
            found.push(column);
        });
        assert!(found.is_sorted_by(|a, b| a < b));
        let mut wanted = 0;
        for (column, samples) in &plain {
            let pairs = (0..samples.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
            let is_met = |pair: [usize; 2]| {
                let [a, b] = pair.map(|k| samples[k]);
                let is_ground = ground[a.triangle as usize] || ground[b.triangle as usize];
                is_ground && is_wanted((a.height - b.height).abs())
            };
            if pairs.into_iter().any(is_met) {
                assert!(found.binary_search(column).is_ok(), "{column:?}");
                wanted += 1;
            }
        }
        assert!(wanted > 50 || low > 1e5, "{wanted}");
    }
}
