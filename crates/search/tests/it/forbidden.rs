//! Ground that a filter forbids can be left, and not entered from other ground. How it is cut into
//! polygons does not matter.

use navbake_search::blob::{AreaId, Blob};
use navbake_search::{Algorithm, Error, NavQuery, PathRequest, QueryFilter, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene::doors::SWITCHES;
use navbake_testkit::scene::{Mix, Scene, UNITS};
use proptest::prelude::*;

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

const GAP: f64 = 0.05;
const WEIGHTED: Algorithm = Algorithm::Weighted { gap: GAP, landmarks: false };

/// What a planner answers, and its cost and bound in metres.
type Answer = Result<(Status, f64, f64), Error>;

/// The answers of all planners between two points of faces.
fn answers(
    scene: &Scene,
    open: &NavQuery<'_>,
    filter: &QueryFilter,
    ends: [(usize, [i32; 2]); 2],
    reverse: bool,
) -> Vec<Answer> {
    let query = open.with_filter(filter);
    let mut scratch = Scratch::new();
    let [start, goal] = ends.map(|(f, p)| scene.place(&query, f, p));
    let all = [CORRIDOR, MIDPOINTS, WEIGHTED, Algorithm::Optimal].map(|algorithm| {
        let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(algorithm);
        let request = request.a_star(|a| a.reverse = reverse);
        let path = query.find_path_between(&start, &goal, &request, &mut scratch)?;
        let forbidden = |k: usize| {
            filter.is_blocked(path.polygons[k]) || {
                filter.area_cost(open.mesh().area(path.polygons[k])).is_infinite()
            }
        };
        // Once off forbidden ground a path stays off it.
        let off = (0..path.polygons.len()).find(|&k| !forbidden(k)).unwrap_or(usize::MAX);
        assert!((off..path.polygons.len()).all(|k| !forbidden(k)), "{algorithm:?}: {path:?}");
        Ok((path.status, path.cost, path.bound))
    });
    all.to_vec()
}

fn check(random: &mut Random, mut scene: Scene) {
    scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
    scene.furnish(random, 0, 20);
    let mut other = scene.clone();
    // The face of the scene that each face is a part of.
    let mut whole: Vec<usize> = (0..scene.faces.len()).collect();
    for _ in 0..2 {
        let cut_off = other.split(random, 70);
        whole.extend(cut_off.into_iter().map(|f| whole[f]).collect::<Vec<_>>());
    }
    let bytes = [&scene, &other].map(|scene| scene.bake());
    let [one, two] = bytes
        .each_ref()
        .map(|bytes| NavQuery::new(Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()));
    for _ in 0..6 {
        let mut filter = QueryFilter::new();
        for area in 0..3 {
            let cost = [1.0, 1.0, 3.0, f64::INFINITY, f64::INFINITY][random.below(5)];
            filter.set_cost(AreaId(area), cost).unwrap();
        }
        let switches = if random.chance(50) { random.below(1 << SWITCHES) as u64 } else { 0 };
        let areas = [0, filter.forbidden(), 0b10][random.below(3)];
        scene.forbid(switches, areas, filter.forbidden());
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let ends = [from, to].map(|f| (f, scene.point_in(random, f)));
        let part = |(f, p): (usize, [i32; 2])| {
            let own = |&g: &usize| whole[g] == f && other.touches(g, p);
            ((0..whole.len()).find(own).expect("a part"), p)
        };
        let parts = ends.map(part);
        let reverse = random.chance(30);
        let [mut here, mut there] = [filter.clone(), filter];
        here.set_blocked(one.mesh(), &[switches], areas).unwrap();
        there.set_blocked(two.mesh(), &[switches], areas).unwrap();
        let all = answers(&scene, &one, &here, ends, reverse);
        let cut = answers(&other, &two, &there, parts, reverse);
        let optimum = scene.shortest(ends[0].0, ends[0].1, ends[1].0, ends[1].1);
        for (a, b) in all.iter().zip(&cut) {
            let (Ok(a), Ok(b)) = (a, b) else {
                assert_eq!(a, b);
                continue;
            };
            assert_eq!(a.0, b.0, "{ends:?}");
            assert_eq!(a.0 == Status::Reached, optimum.is_some(), "{ends:?}");
        }
        let (Ok(a), Ok(b)) = (&all[2], &cut[2]) else { unreachable!("it serves all") };
        // No path of either costs less than what is proved of the other.
        let slack = 1e-6 * a.1.max(1.0);
        assert!(a.2 <= b.1 + slack && b.2 <= a.1 + slack, "{a:?} {b:?}");
        if let (Ok(a), Ok(b)) = (&all[3], &cut[3]) {
            assert!((a.1 - b.1).abs() <= 1e-9 * a.1.max(1.0), "{a:?} {b:?}");
        }
        if let (Some(optimum), true) = (optimum, one.with_filter(&here).is_plain()) {
            let costs = all.iter().chain(&cut).flatten().map(|a| a.1 * UNITS);
            costs.for_each(|cost| assert!(cost >= optimum * (1.0 - 1e-9) - 1e-9));
        }
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn however_forbidden_ground_is_cut_every_planner_answers_the_same(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..3usize, jitter in 0..5i32, blocked in 0..30u64,
        exchanged in 0..30u64, merged in 30..100u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut: 5, exchanged, merged };
        let scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        check(&mut random, scene);
    }
}

/// Ground that a switch closes beside ground whose area is closed and forbidden as well: with and
/// without costs it is one.
#[test]
fn ground_closed_for_two_reasons_is_left_over_either() {
    let mix = Mix {
        columns: 1,
        rows: 5,
        storeys: 1,
        jitter: 1,
        blocked: 0,
        cut: 5,
        exchanged: 18,
        merged: 62,
    };
    let mut random = Random(16_399_946_417_868_716_614);
    let scene = Scene::random(&mut random, mix);
    check(&mut random, scene);
}
