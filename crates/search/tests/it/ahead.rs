//! Estimates of the remaining cost over ground of different weights.
use navbake_search::blob::{AreaId, Blob};
use navbake_search::path::Ahead;
use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::scene::{Mix, Scene};
use proptest::prelude::*;

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

const PLANNERS: [Algorithm; 2] = [CORRIDOR, MIDPOINTS];

fn asks(planner: Algorithm, ahead: Ahead) -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner).a_star(|a| a.ahead = ahead)
}

fn field(columns: usize, rows: usize, blocked: u64) -> Mix {
    Mix { columns, rows, storeys: 1, jitter: 3, blocked, cut: 0, exchanged: 0, merged: 20 }
}

fn weighing(weights: impl Iterator<Item = (u8, f64)>) -> QueryFilter {
    let mut costs = QueryFilter::new();
    for (area, weight) in weights {
        costs.set_cost(AreaId(area), weight).unwrap();
    }
    costs
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_estimate_the_goal_is_reached_no_cheaper_than_the_bound_and_nothing_is_certified(
        seed in any::<u64>(), columns in 1..7usize, rows in 1..7usize, storeys in 1..3usize, blocked in 0..30u64,
    ) {
        let mut random = Random(seed);
        let mut scene = Scene::random(&mut random, Mix { storeys, ..field(columns, rows, blocked) });
        prop_assume!(!scene.faces.is_empty());
        scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
        let bytes = scene.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let open = NavQuery::new(blob.decode(0).unwrap().leak());
        let mut scratch = Scratch::new();
        let weights = [0.5, 2.0, 8.0, f64::INFINITY];
        let costs = weighing((0..3).map(|area| (area, weights[random.below(4)])));
        let query = open.with_filter(&costs);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        for planner in PLANNERS {
            let usual = query.find_path_between(&start, &goal, &asks(planner, Ahead::Least), &mut scratch).unwrap();
            let (status, cost, bound) = (usual.status, usual.cost, usual.bound);
            let (expanded, certified) = (usual.expanded, usual.certified_optimal);
            // Of the ground that is there.
            let weights = scene.areas.iter().map(|&k| costs.area_cost(AreaId(k)));
            let least = weights.filter(|w| w.is_finite()).reduce(f64::min).unwrap_or(1.0);
            let measured = query.find_path_between(&start, &goal, &asks(planner, Ahead::Typical(least)), &mut scratch).unwrap();
            prop_assert_eq!((measured.status, measured.cost, measured.expanded), (status, cost, expanded));
            for ahead in [
                Ahead::Typical(f64::NAN), Ahead::Typical(-1.0), Ahead::Typical(f64::INFINITY), Ahead::Typical(3.0), Ahead::Sampled, Ahead::Own,
            ] {
                let answer = query.find_path_between(&start, &goal, &asks(planner, ahead), &mut scratch).unwrap();
                prop_assert_eq!(answer.status, status, "{:?}", ahead);
                prop_assert_eq!(answer.bound, bound, "{:?}", ahead);
                prop_assert!(answer.cost >= bound - 1e-9, "{:?}", ahead);
                prop_assert_eq!(answer.certified_optimal, certified, "{:?}", ahead);
            }
        }
    }
}

#[test]
fn in_dear_ground_estimates_that_know_of_it_search_as_little_as_in_cheap_ground() {
    let mut random = Random(7);
    let mut scene = Scene::random(&mut random, field(16, 16, 10));
    let mud = AreaId(1);
    scene.areas = vec![mud.0; scene.faces.len()];
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let costs = weighing([(mud.0, 8.0)].into_iter());
    let query = open.with_filter(&costs);
    let mut sums = [0; 5];
    let mut looked = 0;
    while looked < 100 {
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(&mut random, f));
        let (start, goal) = (scene.place(&open, from, a), scene.place(&open, to, b));
        let plain = open
            .find_path_between(&start, &goal, &asks(CORRIDOR, Ahead::Least), &mut scratch)
            .unwrap();
        if plain.status != Status::Reached || plain.expanded == 0 {
            continue;
        }
        let (cost, expanded) = (plain.cost, plain.expanded);
        let all = [Ahead::Typical(8.0), Ahead::Sampled, Ahead::Own, Ahead::Least];
        for (ahead, sum) in all.into_iter().zip(&mut sums) {
            let answer = query
                .find_path_between(&start, &goal, &asks(CORRIDOR, ahead), &mut scratch)
                .unwrap();
            *sum += answer.expanded;
            // The search is the same step by step; costs are added up polygon by polygon, in
            // another order. The weight 1 of areas that are not there does not count.
            assert_eq!(answer.expanded, expanded, "{ahead:?}");
            assert!((answer.cost - 8.0 * cost).abs() <= 1e-12 * cost, "{ahead:?}");
        }
        sums[4] += expanded;
        looked += 1;
    }
    assert_eq!(sums[..4], [sums[4]; 4]);
}

#[test]
fn a_sampled_estimate_is_the_mean_of_what_lies_under_the_straight_line() {
    // A row of 16 squares, the last twelve of them dear: 4 of 32 places cost 1 at a quarter of the
    // path, the others 5.
    let mut random = Random(1);
    let mix = Mix { jitter: 0, merged: 0, ..field(16, 1, 0) };
    let mut scene = Scene::random(&mut random, mix);
    let least_x = |f: usize| {
        let corners = 0..scene.faces[f].corners.len();
        corners.map(|k| scene.corner(f, k)[0]).min().unwrap()
    };
    let xs: Vec<i32> = (0..scene.faces.len()).map(least_x).collect();
    let (west, east) = (*xs.iter().min().unwrap(), *xs.iter().max().unwrap());
    let quarter = west + (east - west) / 15 * 4;
    scene.areas = xs.iter().map(|&x| u8::from(x >= quarter)).collect();
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let costs = weighing([(1, 5.0)].into_iter());
    let query = open.with_filter(&costs);
    let end = |x: i32| {
        let f = xs.iter().position(|&at| at == x).unwrap();
        scene.place(&open, f, scene.corner(f, 0))
    };
    let (start, goal) = (end(west), end(east));
    let mut search = |ahead| {
        let answer =
            query.find_path_between(&start, &goal, &asks(CORRIDOR, ahead), &mut scratch).unwrap();
        (answer.status, answer.cost, answer.expanded)
    };
    let sampled = search(Ahead::Sampled);
    // The line ends at the west border of the easternmost square: 11 of 15 squares under it are
    // dear.
    let typical = |share: f64| Ahead::Typical(1.0 + 4.0 * share);
    assert_eq!(sampled, search(typical(11.0 / 15.0)));
    assert_eq!(sampled.0, Status::Reached);
}
