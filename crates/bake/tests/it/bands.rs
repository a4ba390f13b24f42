//! Ground near walls that costs more: where its bands are, and that paths keep away from walls.

use std::path::Path;

use crate::scenes::Builder;
use navbake_bake::{Config, Options, bake_file};
use navbake_format::{Blob, CheckedBlob};
use navbake_search::around::Random;
use navbake_search::{Algorithm, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch, Status};

/// Borders of bands are drawn away from the wall by no more than this, m.
const NEAR: f64 = 0.12;

fn factor(blob: &CheckedBlob<'_>, query: &NavQuery<'_>, at: &NavPoint) -> f64 {
    let area = blob.area_of(query.mesh(), at.polygon());
    area.map_or(1.0, |a| f64::from(a.factor))
}

#[test]
fn bands_lie_as_far_off_the_walls_as_the_config_says() {
    let level =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/courtyard/courtyard.obj");
    let bake = |clearance: &str| {
        let text = format!("{clearance}[[agent]]\nradius = 0.3\n");
        let config = Config::parse(&text).unwrap();
        bake_file(&level, &config, &Options::default()).unwrap()
    };
    let plain = bake("");
    let banded = bake("[clearance]\nrange = 0.9\npeak = 3.0\nbands = 3\n");
    let codes: Vec<&str> = banded.summary.warnings.iter().map(|w| w.code.as_str()).collect();
    assert_eq!(codes, ["small-islands"]);
    let [one, blob] = [&plain, &banded].map(|b| Blob::open_checked(&b.bytes).unwrap());
    let navs = [one, blob].map(|b| b.decode(0).unwrap());
    let [one, query] = navs.each_ref().map(|nav| NavQuery::new(nav.mesh()));
    assert_eq!(one.mesh().island_count(), query.mesh().island_count());
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let mut sums_of_one = vec![0; one.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let all = one.areas(&mut sums_of_one).unwrap();
    assert!((areas.total() / all.total() - 1.0).abs() < 1e-4);

    let mut flood = Scratch::new();
    let mut random = Random::new(7);
    let mut seen = [0; 4];
    for _ in 0..4000 {
        let at = query.random_place(&areas, &mut random).unwrap();
        let away = query.wall_distance(&at, 2.0, &mut flood).distance;
        if [0.3, 0.6, 0.9].iter().any(|d| (away - d).abs() < NEAR) {
            continue;
        }
        let band = [0.9, 0.6, 0.3].iter().filter(|&&d| away < d).count();
        let expected = [1.0, 1.0 + 2.0 / 6.0, 2.0, 1.0 + 10.0 / 6.0][band];
        let found = factor(&blob, &query, &at);
        assert!(
            (found - expected).abs() < 1e-6,
            "{:?}, {away} m off the wall, costs {found}, not {expected}",
            at.position()
        );
        seen[band] += 1;
    }
    assert!(seen.iter().all(|&n| n > 50), "{seen:?}");
}

#[test]
fn ground_is_not_cut_where_its_cost_does_not_change() {
    let level =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/courtyard/courtyard.obj");
    let polygons = |falloff: &str, bands: u32| {
        let text = format!(
            "[clearance]\nrange = 0.9\nfalloff = \"{falloff}\"\nbands = {bands}\n[[agent]]\nradius = 0.3\n"
        );
        let baked = bake_file(&level, &Config::parse(&text).unwrap(), &Options::default()).unwrap();
        let blob = Blob::open_checked(&baked.bytes).unwrap();
        (blob.areas().count(), blob.decode(0).unwrap().mesh().polygon_count())
    };
    assert_eq!(polygons("none", 3), polygons("none", 1));
    assert_eq!(polygons("none", 3).0 + 2, polygons("linear", 3).0);
}

#[test]
fn a_path_round_a_corner_keeps_the_distance_where_there_is_room() {
    // A corridor 8 m wide round a corner, and through a door of 1.6 m in its middle.
    let floor = |x: [f64; 2], z: [f64; 2]| {
        [[x[0], 0.0, z[0]], [x[0], 0.0, z[1]], [x[1], 0.0, z[1]], [x[1], 0.0, z[0]]]
    };
    let source = || {
        Builder::new()
            .quad(floor([0.0, 8.0], [0.0, 40.0]))
            .quad(floor([8.0, 30.0], [32.0, 40.0]))
            .quad(floor([30.0, 31.0], [35.2, 36.8]))
            .quad(floor([31.0, 50.0], [32.0, 40.0]))
            .source()
    };
    let bake = |clearance: &str| {
        let text = format!("{clearance}[[agent]]\nradius = 0.4\n");
        let config = Config::parse(&text).unwrap();
        navbake_bake::bake(source(), &config, &Options::default()).unwrap().bytes
    };
    let (from, to) = ([4.0, 0.0, 2.0], [48.0, 0.0, 36.0]);
    let nearest = |bytes: &[u8]| {
        let blob = Blob::open_checked(bytes).unwrap();
        let nav = blob.decode(0).unwrap();
        let open = NavQuery::new(nav.mesh());
        let mut filter = QueryFilter::new();
        if let Some(row) = blob.weights_for("", 0) {
            filter.set_weights(&row);
        }
        let query = open.with_filter(&filter);
        let mut scratch = Scratch::new();
        let ends = [from, to].map(|p| open.locate(p, 1.0).unwrap());
        let asked = PathRequest::new(from, to).algorithm(Algorithm::weighted(Algorithm::GAP));
        let answer = query.find_path_between(&ends[0], &ends[1], &asked, &mut scratch).unwrap();
        assert_eq!(answer.status, Status::Reached);
        assert!(answer.gap() <= 0.02);
        // Along the path, but for the door and what is near it.
        let mut flood = Scratch::new();
        let mut least = f64::INFINITY;
        for w in answer.points.windows(2) {
            for k in 0..=20 {
                let t = f64::from(k) / 20.0;
                let p = [0, 1, 2].map(|c| w[0][c] + t * (w[1][c] - w[0][c]));
                if (28.0..33.0).contains(&p[0]) {
                    continue;
                }
                let at = open.nearest(p, [0.1, 0.5, 0.1]).unwrap();
                least = f64::min(least, open.wall_distance(&at, 4.0, &mut flood).distance);
            }
        }
        (least, answer.length_xz)
    };
    let (touching, shortest) = nearest(&bake(""));
    assert!(touching < 0.01, "{touching}");
    for falloff in ["none", "linear", "gaussian"] {
        let clearance =
            format!("[clearance]\nrange = 1.5\npeak = 20.0\nfalloff = \"{falloff}\"\nbands = 2\n");
        let (least, length) = nearest(&bake(&clearance));
        // The inner band at least; all of it where the outer one costs as much.
        let asked = if falloff == "none" { 1.5 } else { 0.75 };
        // The mesh's own border, which is measured to, is drawn into the ground as well.
        assert!(least > asked - 0.1, "{falloff}: {least}");
        assert!(length < shortest * 1.1, "{length} {shortest}");
    }
}
