//! What a path of `weighted` costs along the level's own triangles, beside the cost that it is said
//! to have on the mesh's surface.

use navbake_bake::{Options, bake};
use navbake_format::Blob;
use navbake_level::Source;
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch, Status};

use super::ground::Heights;
use super::levels;

/// The distance of places along a path, m.
const PACE: f64 = 0.02;
const UPHILL: f64 = 2.0;
/// Of the levels that always run, few pairs.
const QUICK: [&str; 2] = ["recast_nav_test.obj", "recast_dungeon.obj"];

/// The metres that the ground rises along a path: at each place the surface that is nearest to the
/// mesh, where it is within a climb. Ground hidden in stairs and walls is none of the path's.
fn rise(query: &NavQuery<'_>, heights: &Heights, points: &[[f64; 3]]) -> f64 {
    let mut all = vec![];
    let mut on_mesh = points.first().map_or(0.0, |p| p[1]);
    let mut last: Option<f64> = None;
    let mut up = 0.0;
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let steps = ((b[0] - a[0]).hypot(b[2] - a[2]) / PACE).ceil().max(1.0);
        for k in 0..=steps as i32 {
            let mix = |c: usize| a[c] + f64::from(k) / steps * (b[c] - a[c]);
            if let Some(at) = query.locate([mix(0), on_mesh, mix(2)], heights.climb + 0.05) {
                on_mesh = at.position()[1];
            }
            all.clear();
            heights.at([mix(0), mix(2)], &mut all);
            let away = |y: &f64| (y - on_mesh).abs();
            let next = all.iter().copied().min_by(|p, q| away(p).total_cmp(&away(q)));
            if let Some(y) = next.filter(|y| away(y) <= heights.climb + 0.05) {
                up += last.map_or(0.0, |last| (y - last).max(0.0));
                last = Some(y);
            }
        }
    }
    up
}

/// Prints what the record has. `NAVBAKE_LEVEL` names other levels, `NAVBAKE_PAIRS` the number of
/// pairs.
#[test]
fn the_true_cost_of_a_path_is_the_one_told_but_for_the_slope_error_at_each_crossing() {
    let test = "the_true_cost_of_a_path_is_the_one_told_but_for_the_slope_error_at_each_crossing";
    let pairs = std::env::var("NAVBAKE_PAIRS").map_or(60, |pairs| pairs.parse().unwrap());
    for (file, source, config) in levels(test, &QUICK) {
        let Source::Scene(scene) = &source else { panic!("{file} is a scene") };
        let heights = Heights::new(scene, &config);
        let baked =
            bake(source.clone(), &config, &Options { threads: 2, ..Options::default() }).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let mut filter = QueryFilter::new();
        filter.set_slopes(UPHILL, 0.0).unwrap();
        let query = NavQuery::new(nav.mesh()).with_filter(&filter);
        let mut sums = vec![0; nav.mesh().polygon_count() as usize];
        let areas = query.areas(&mut sums).unwrap();
        let (mut random, mut scratch) = (Random::new(7), Scratch::new());
        // By how much of the stated cost the true one is more.
        let mut more: Vec<f64> = vec![];
        let (mut beyond_one, mut below) = (0, 0);
        let (mut stated, mut climbed) = (0.0, 0.0);
        // Many pairs are on two islands.
        for _ in 0..20 * pairs {
            if more.len() == pairs {
                break;
            }
            let [start, goal] = [0; 2].map(|_| query.random_place(&areas, &mut random).unwrap());
            let request = PathRequest::new(start.position(), goal.position())
                .algorithm(Algorithm::weighted(Algorithm::GAP));
            let path = query.find_path(&request, &mut scratch).unwrap();
            if path.status != Status::Reached || path.cost <= 0.0 {
                continue;
            }
            let cost = path.length_xz + UPHILL * rise(&query, &heights, path.points);
            let one = 2.0 * UPHILL * config.slope_error;
            let crossings = path.polygons.len() as f64;
            let off = cost - path.cost;
            assert!(
                off.abs() <= one * crossings,
                "{file}: {cost} for {} from {:?} to {:?}, {crossings} polygons",
                path.cost,
                start.position(),
                goal.position()
            );
            beyond_one += i32::from(off > one);
            below += i32::from(cost < path.bound);
            more.push(off / path.cost);
            stated += path.cost;
            climbed += path.cost - path.length_xz;
        }
        let count = more.len() as f64;
        assert!(count > 0.0, "{file}: no paths");
        let mean = more.iter().sum::<f64>() / count;
        let apart = more.iter().map(|m| m.abs()).sum::<f64>() / count;
        let [least, most] =
            [more.iter().copied().fold(0.0, f64::min), more.iter().copied().fold(0.0, f64::max)];
        let share = |n: i32| 100.0 * f64::from(n) / count;
        println!(
            "| {file} | {count} | {:.1} | {:+.2} | {:.2} | {:+.1} | {:+.1} | {:.1} | {:.1} |",
            100.0 * climbed / stated,
            100.0 * mean,
            100.0 * apart,
            100.0 * least,
            100.0 * most,
            share(beyond_one),
            share(below)
        );
    }
}
