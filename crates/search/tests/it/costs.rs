//! Paths over ground of different costs.
use navbake_search::blob::{AreaId, Blob};
use navbake_search::{
    Algorithm, Error, NavQuery, PathRequest, PolyId, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene, UNITS};
use proptest::prelude::*;

use crate::a_star::{CORRIDOR, MIDPOINTS};

const ALL: [Algorithm; 3] =
    [CORRIDOR, MIDPOINTS, Algorithm::Weighted { gap: Algorithm::GAP, landmarks: false }];

fn asks(planner: Algorithm) -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner)
}

fn with_areas(random: &mut Random, mix: Mix) -> Scene {
    let mut scene = Scene::random(random, mix);
    let area = |_: &_| random.below(3) as u8;
    scene.areas = scene.faces.iter().map(area).collect();
    scene
}

fn grid(p: [f64; 3]) -> [f64; 2] {
    [p[0], p[2]].map(|c| c * UNITS)
}

/// How much of a straight line from `a` to `b` is in a face, grid units: cut at every edge.
fn within(scene: &Scene, f: usize, a: [f64; 2], b: [f64; 2]) -> f64 {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    let n = scene.faces[f].corners.len();
    for k in 0..n {
        let (u, v) = (scene.corner(f, k), scene.corner(f, k + 1));
        let side = |p: [f64; 2]| {
            let e = [v[0] - u[0], v[1] - u[1]].map(f64::from);
            e[1] * (p[0] - f64::from(u[0])) - e[0] * (p[1] - f64::from(u[1]))
        };
        let (s, t) = (side(a), side(b));
        if s < 0.0 && t < 0.0 {
            return 0.0;
        }
        if s < 0.0 {
            from = from.max(s / (s - t));
        } else if t < 0.0 {
            to = to.min(s / (s - t));
        }
    }
    (to - from).max(0.0) * (b[0] - a[0]).hypot(b[1] - a[1])
}

/// Paths between random places of a scene, at random weights: what they cost is what a plain walk
/// along them adds up.
fn check_costs(seed: u64, mix: Mix) -> Result<(), TestCaseError> {
    let mut random = Random(seed);
    let mut scene = with_areas(&mut random, mix);
    prop_assume!(!scene.faces.is_empty());
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let face = |scene: &Scene, p: PolyId| {
        (0..scene.faces.len()).find(|&f| scene.polygon(&open, f) == p).unwrap()
    };
    for _ in 0..4 {
        let mut costs = QueryFilter::new();
        for area in 0..3 {
            let weight = [0.5, 1.0, 2.0, 8.0, f64::INFINITY][random.below(5)];
            costs.set_cost(AreaId(area), weight).unwrap();
        }
        scene.close(0, costs.forbidden());
        if random.chance(50) {
            costs.set_blocked(open.mesh(), &[], costs.forbidden()).unwrap();
        }
        let query = open.with_filter(&costs);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        let reached = scene.shortest(from, a, to, b).is_some();
        for planner in ALL {
            let answer =
                query.find_path_between(&start, &goal, &asks(planner), &mut scratch).unwrap();
            prop_assert_eq!(answer.status == Status::Reached, reached, "{:?}", planner);
            if !reached {
                continue;
            }
            // Where a piece runs along a border either side may be charged.
            // Of the ground that is there.
            let weights = scene.areas.iter().map(|&k| costs.area_cost(AreaId(k)));
            let least = weights.filter(|w| w.is_finite()).reduce(f64::min).unwrap_or(1.0);
            let weight = |p: PolyId| match costs.area_cost(AreaId(scene.areas[face(&scene, p)])) {
                w if w.is_finite() => w,
                _ => least,
            };
            let (mut lowest, mut highest) = (0.0, 0.0);
            for w in answer.points.windows(2) {
                let (p, q) = (grid(w[0]), grid(w[1]));
                let length = (q[0] - p[0]).hypot(q[1] - p[1]);
                let mut inside = 0.0;
                let (mut low, mut high) = (f64::INFINITY, 0.0f64);
                let mut sum = 0.0;
                for &id in answer.polygons {
                    let part = within(&scene, face(&scene, id), p, q);
                    if part > 0.0 {
                        (low, high) = (low.min(weight(id)), high.max(weight(id)));
                        sum += part * weight(id);
                        inside += part;
                    }
                }
                // Each part is in one polygon, unless it runs along a border or the path is on two
                // storeys.
                if (inside - length).abs() < 1e-9 * length.max(1.0) {
                    (lowest, highest) = (lowest + sum, highest + sum);
                } else {
                    (lowest, highest) = (lowest + low.min(high) * length, highest + high * length);
                }
            }
            let cost = answer.cost * UNITS;
            let slack = 1e-6 * highest.max(1.0);
            prop_assert!(
                lowest - slack <= cost && cost <= highest + slack,
                "{lowest} {cost} {highest}"
            );
            prop_assert!(answer.bound <= answer.cost + 1e-9);
            let plain = [0, 1, 2]
                .into_iter()
                .all(|k| [1.0, f64::INFINITY].contains(&costs.area_cost(AreaId(k))));
            prop_assert!(plain || !answer.certified_optimal);
        }
    }
    Ok(())
}

/// Where a line is in that of a portal that it does not reach, or has no length, it leads through
/// none: around the end of a wall that the start and the goal are on, there is a path.
#[test]
fn no_straight_line_leads_through_a_wall_that_it_runs_along() {
    let mix = |columns, rows, storeys, blocked, cut, exchanged, merged| Mix {
        columns,
        rows,
        storeys,
        jitter: 0,
        blocked,
        cut,
        exchanged,
        merged,
    };
    let scenes = [
        (11_601_149_857_275_516_457, mix(5, 2, 3, 2, 15, 20, 65)),
        (11_759_973_707_863_468_843, mix(3, 3, 2, 0, 12, 45, 72)),
        (16_165_344_946_109_522_504, mix(4, 4, 2, 6, 13, 9, 77)),
        (14_031_038_539_039_678_894, mix(3, 2, 3, 13, 0, 11, 48)),
    ];
    for (seed, mix) in scenes {
        check_costs(seed, mix).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_path_costs_what_its_polygons_charge_and_no_less_than_the_bound(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..4usize, jitter in 0..6i32, blocked in 0..30u64,
        cut in 0..20u64, exchanged in 0..50u64, merged in 0..100u64,
    ) {
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged };
        check_costs(seed, mix)?;
    }

    #[test]
    fn when_all_ground_costs_the_same_the_path_is_the_same(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, blocked in 0..30u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter: 3, blocked, cut: 5, exchanged: 20, merged: 50 };
        let scene = with_areas(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        let bytes = scene.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let open = NavQuery::new(blob.decode(0).unwrap().leak());
        let mut scratch = Scratch::new();
        let mut costs = QueryFilter::new();
        for area in 0..64 {
            costs.set_cost(AreaId(area), 4.0).unwrap();
        }
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
        let (start, goal) = (scene.place(&open, from, a), scene.place(&open, to, b));
        let plain = open.find_path_between(&start, &goal, &asks(CORRIDOR), &mut scratch).unwrap();
        let (cost, status) = (plain.cost, plain.status);
        let dear = open.with_filter(&costs).find_path_between(&start, &goal, &asks(CORRIDOR), &mut scratch).unwrap();
        prop_assert_eq!(dear.status, status);
        // A straight line is no search, and may be shorter than what a search of polygons finds.
        prop_assert!(dear.cost >= 4.0 * cost - 1e-9);
    }
}

/// Three rooms in a row with mud in the middle, and a path around.
fn around_the_mud() -> Scene {
    let mut random = Random(1);
    let mix = Mix {
        columns: 3,
        rows: 3,
        storeys: 1,
        jitter: 0,
        blocked: 0,
        cut: 0,
        exchanged: 0,
        merged: 0,
    };
    let mut scene = Scene::random(&mut random, mix);
    let middle = |f: usize| {
        let corners = 0..scene.faces[f].corners.len();
        let x: i32 = corners.clone().map(|k| scene.corner(f, k)[0]).sum();
        let z: i32 = corners.map(|k| scene.corner(f, k)[1]).sum();
        [x, z].iter().all(|c| (3 * 32..3 * 64).contains(c))
    };
    scene.areas = (0..scene.faces.len()).map(|f| u8::from(middle(f))).collect();
    scene
}

#[test]
fn dear_ground_is_gone_around_and_closed_areas_are_walls() {
    let scene = around_the_mud();
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let place = |x, z| open.locate([x, 0.0, z], 1.0).expect("on the mesh");
    let (west, east) = (place(0.5, 3.0), place(5.5, 3.0));
    let mud = |id: &PolyId| open.mesh().area(*id) == AreaId(1);

    let straight =
        open.find_path_between(&west, &east, &asks(Algorithm::Optimal), &mut scratch).unwrap();
    assert!(straight.polygons.iter().any(mud) && straight.certified_optimal);
    assert_eq!(straight.length_xz, 5.0);

    let mut costs = QueryFilter::new();
    costs.set_cost(AreaId(1), 10.0).unwrap();
    let query = open.with_filter(&costs);
    let around = query.find_path_between(&west, &east, &asks(CORRIDOR), &mut scratch).unwrap();
    assert!(!around.polygons.iter().any(mud), "{:?}", around.points);
    // Around two corners of the middle square, each 1.5 m aside and 1.5 m along.
    let shortest = 2.0 + 2.0 * 1.5f64.hypot(1.0);
    assert!(around.cost >= shortest - 1e-9 && around.cost < 1.2 * shortest);
    assert!(around.bound <= shortest && !around.certified_optimal);
    assert_eq!(around.cost, around.length_xz);

    let mut closings = QueryFilter::new();
    closings.set_blocked(open.mesh(), &[], 1 << 1).unwrap();
    let query = open.with_filter(&closings);
    let optimal =
        query.find_path_between(&west, &east, &asks(Algorithm::Optimal), &mut scratch).unwrap();
    assert!(optimal.certified_optimal && !optimal.polygons.iter().any(mud));
    assert!((optimal.cost - shortest).abs() < 1e-9, "{}", optimal.cost);
    assert!(query.raycast(&west, east.position()).wall.is_some());
}

#[test]
fn weights_that_are_none_are_refused() {
    let mut costs = QueryFilter::new();
    for wrong in [0.0, -1.0, f64::NAN, 1e-9, 1e9, f64::NEG_INFINITY] {
        let refused = costs.set_cost(AreaId(1), wrong);
        assert!(matches!(refused, Err(Error::Cost(cost)) if cost.to_bits() == wrong.to_bits()));
    }
    assert!(costs.set_cost(AreaId(64), 2.0).is_err());
    assert_eq!(costs, QueryFilter::new());
    costs.set_cost(AreaId(63), f64::INFINITY).unwrap();
    assert_eq!(costs.forbidden(), 1 << 63);
}

#[test]
fn around_a_corner_that_its_portals_lead_away_from_nothing_is_walked_twice() {
    let mix = Mix {
        columns: 2,
        rows: 4,
        storeys: 3,
        jitter: 3,
        blocked: 18,
        cut: 7,
        exchanged: 3,
        merged: 90,
    };
    check_costs(8_168_581_791_367_566_747, mix).unwrap();
}

#[test]
fn along_a_border_a_path_costs_what_its_points_do() {
    let mix = Mix {
        columns: 4,
        rows: 3,
        storeys: 3,
        jitter: 3,
        blocked: 0,
        cut: 5,
        exchanged: 6,
        merged: 10,
    };
    check_costs(3_728_458_631_579_204_002, mix).unwrap();
}

/// Over open ground of small patches that cost nearly the same the straight line is hardly ever
/// dearer than what polygons were found for.
#[test]
fn over_patches_of_nearly_equal_cost_a_corridor_goes_straight() {
    let mut random = Random(20);
    let mix = Mix {
        columns: 9,
        rows: 9,
        storeys: 1,
        jitter: 4,
        blocked: 0,
        cut: 0,
        exchanged: 0,
        merged: 40,
    };
    let mut costs = QueryFilter::new();
    for (area, cost) in [1.0, 1.1, 1.25].into_iter().enumerate() {
        costs.set_cost(AreaId(area as u8), cost).unwrap();
    }
    let mut worst: [f64; 2] = [1.0; 2];
    for _ in 0..20 {
        let scene = with_areas(&mut random, mix);
        let bytes = scene.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let query = NavQuery::new(blob.decode(0).unwrap().leak()).with_filter(&costs);
        let mut scratch = Scratch::new();
        for _ in 0..20 {
            let faces = [0; 2].map(|_| random.below(scene.faces.len()));
            let ends = faces.map(|f| scene.point_in(&mut random, f));
            let [start, goal] = [0, 1].map(|k| scene.place(&query, faces[k], ends[k]));
            if !query.sees(&start, &goal) || ends[0] == ends[1] {
                continue;
            }
            let [a, b] = ends.map(|p| p.map(f64::from));
            let cost = |f: usize| costs.area_cost(AreaId(scene.areas[f]));
            let line: f64 = (0..scene.faces.len()).map(|f| within(&scene, f, a, b) * cost(f)).sum();
            for (planner, worst) in [CORRIDOR, MIDPOINTS].into_iter().zip(&mut worst) {
                let path =
                    query.find_path_between(&start, &goal, &asks(planner), &mut scratch).unwrap();
                *worst = worst.max(path.cost * UNITS / line);
            }
        }
    }
    assert!(worst.iter().all(|&ratio| ratio < 1.02), "{worst:?}");
}

/// The costs from one place to many are those of one query each, within the gap.
#[test]
fn costs_to_many_places_are_within_the_gap_of_one_query_each() {
    let mut random = Random(23);
    let mix = Mix {
        columns: 5,
        rows: 5,
        storeys: 2,
        jitter: 4,
        blocked: 10,
        cut: 5,
        exchanged: 10,
        merged: 40,
    };
    let mut found = 0;
    for _ in 0..40 {
        let scene = with_areas(&mut random, mix);
        let bytes = scene.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let mut costs = QueryFilter::new();
        for area in 0..3 {
            let cost = [0.5, 1.0, 3.0, 8.0, f64::INFINITY][random.below(5)];
            costs.set_cost(AreaId(area), cost).unwrap();
        }
        let query = NavQuery::new(blob.decode(0).unwrap().leak()).with_filter(&costs);
        let mut scratch = Scratch::new();
        let mut place = || {
            let face = random.below(scene.faces.len());
            let point = scene.point_in(&mut random, face);
            scene.place(&query, face, point)
        };
        let start = place();
        let goals: Vec<_> = (0..12).map(|_| place()).collect();
        let mut lengths = vec![None; goals.len()];
        let gap = query.distances(&start, &goals, &mut lengths, &mut scratch);
        let mut worst = 0.0f64;
        for (goal, length) in goals.iter().zip(lengths) {
            let request = asks(Algorithm::weighted(Algorithm::GAP));
            let path = query.find_path_between(&start, goal, &request, &mut scratch).unwrap();
            assert_eq!(length.is_some(), path.status == Status::Reached);
            let Some(length) = length else { continue };
            found += 1;
            assert!(length >= path.bound * (1.0 - 1e-9));
            assert!(length <= path.cost * (1.0 + gap) + 1e-9, "{length} {} {gap}", path.cost);
            worst = worst.max(path.gap());
        }
        // Each traced a path: first paths cost up to 168 % more here.
        assert!(worst < 0.1, "{worst}");
        // Searches as small as these end where one query does, or at the usual gap.
        assert!(gap <= worst.max(Algorithm::GAP + 1e-6) + 1e-9, "{gap} {worst}");
    }
    assert!(found > 100, "{found}");
}
