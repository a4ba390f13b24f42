//! Paths over links, with doors and polygons closed as well, against an oracle that walks from face
//! to face.
use navbake_search::blob::Blob;
use navbake_search::{
    Algorithm, Error, NavPath, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::cases::cases;
use navbake_testkit::scene;
use navbake_testkit::scene::doors::SWITCHES;
use navbake_testkit::scene::{Mix, Scene, UNITS, grid};
use proptest::prelude::*;

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

fn asks(planner: Algorithm) -> PathRequest {
    PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner)
}

/// Legs follow one another; walks lead over open edges and are free, links are ones that may be
/// taken, and all of it costs what the answer says.
fn check_legs(scene: &Scene, query: &NavQuery<'_>, answer: &NavPath<'_>, start: usize) {
    let mesh = query.mesh();
    let face = |p| (0..scene.faces.len()).find(|&f| scene.polygon(query, f) == p);
    let (mut point, mut polygon, mut walked, mut links) = (0, 0, 0.0, 0.0);
    let mut after_link = false;
    for leg in answer.legs() {
        let points = &answer.points[leg.points.clone()];
        let polygons = &answer.polygons[leg.polygons.clone()];
        if let Some(number) = leg.link {
            let link = mesh.link(number).expect("a link");
            assert!(query.is_link_open(number, &link));
            let is_it = |l: &&scene::links::SceneLink| {
                scene.polygon(query, l.face) == link.polygon
                    && scene.polygon(query, l.beyond) == link.beyond
                    && (l.from, l.to, l.cost) == (link.from, link.to, link.cost)
                    && scene.can_take(l)
            };
            assert!(scene.links.iter().any(|l| is_it(&l)));
            assert_eq!([grid(points[0]), grid(points[1])], [link.from, link.to]);
            assert_eq!(polygons, [link.polygon, link.beyond]);
            links += link.cost;
            after_link = true;
            point = leg.points.end - 1;
            polygon = leg.polygons.end - 1;
            continue;
        }
        assert_eq!((leg.points.start, leg.polygons.start), (point, polygon));
        assert!(point == 0 || after_link);
        let faces: Vec<usize> = polygons.iter().map(|&p| face(p).expect("a face")).collect();
        assert!(point > 0 || faces[0] == start);
        for w in faces.windows(2) {
            let mut edges = 0..scene.faces[w[0]].corners.len();
            assert!(edges.any(|k| scene.open(w[0], k) == Some(w[1])), "{w:?} is shut");
        }
        let mut at = vec![faces[0]];
        for w in points.windows(2) {
            let (a, b) = (grid(w[0]), grid(w[1]));
            at = (faces.iter().copied())
                .filter(|&f| {
                    scene.touches(f, b) && at.iter().any(|&from| scene.sees(from, a, f, b))
                })
                .collect();
            assert!(!at.is_empty(), "{a:?} does not see {b:?}: {answer:?}");
            walked += f64::from(b[0] - a[0]).hypot(f64::from(b[1] - a[1])) / UNITS;
        }
        let part = answer.walk(&leg);
        assert_eq!((part.points, part.polygons), (points, polygons));
        point = leg.points.end;
        polygon = leg.polygons.end;
    }
    assert_eq!((point, polygon), (answer.points.len(), answer.polygons.len()));
    assert!((answer.length_xz - walked).abs() < 1e-9 * walked.max(1.0));
    assert!((answer.cost - walked - links).abs() < 1e-9 * answer.cost.max(1.0));
    let parts: f64 = answer
        .legs()
        .map(|leg| match leg.link {
            Some(_) => 0.0,
            None => answer.walk(&leg).length_3d(query),
        })
        .sum();
    assert!((answer.length_3d(query) - parts).abs() < 1e-9 * parts.max(1.0));
}

fn check_paths(scene: &mut Scene, random: &mut Random, pairs: usize) {
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut filter = QueryFilter::new();
    let mut scratch = Scratch::new();
    for _ in 0..pairs {
        let switches = match random.chance(50) {
            true => 0,
            false => random.below(1 << SWITCHES) as u64,
        };
        let areas = match scene.areas.is_empty() {
            true => 0,
            false => random.below(8) as u64,
        };
        scene.close(switches, areas);
        scene.agents = [1, 2, u32::MAX][random.below(3)];
        filter.set_blocked(open.mesh(), &[switches], areas).unwrap();
        filter.set_agents(scene.agents);
        let query = open.with_filter(&filter);
        let [from, to] = [0; 2].map(|_| random.below(scene.faces.len()));
        let [a, b] = [from, to].map(|f| scene.point_in(random, f));
        let (start, goal) = (scene.place(&query, from, a), scene.place(&query, to, b));
        let optimum = scene.shortest(from, a, to, b);
        let shut_in = scene.closed.faces.contains(&from);
        if optimum.is_some() {
            assert!(query.reachable(&start, &goal));
        }
        for planner in [Algorithm::Optimal, CORRIDOR, MIDPOINTS] {
            let request = asks(planner).a_star(|a| a.reverse = random.chance(20));
            if planner == Algorithm::Optimal && shut_in {
                let refused = query.find_path_between(&start, &goal, &request, &mut scratch);
                assert_eq!(refused, Err(Error::StartBlocked));
                continue;
            }
            let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
            if random.chance(30) {
                let found = (answer.status, answer.cost, answer.points.to_vec());
                let budget = [1, 7][random.below(2)];
                let mut search =
                    query.start_path_between(&start, &goal, &request, &mut scratch).unwrap();
                while search.step(&query, &mut scratch, budget) == Status::Looking {}
                let stepped = search.path(&query, &mut scratch);
                let stepped = (stepped.status, stepped.cost, stepped.points.to_vec());
                assert_eq!(stepped, found, "{planner:?} in steps of {budget}");
            }
            let answer = query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
            let Some(optimum) = optimum else {
                assert_eq!(answer.status, Status::Unreachable, "{planner:?}");
                let request = request.partial(true);
                let answer =
                    query.find_path_between(&start, &goal, &request, &mut scratch).unwrap();
                assert_eq!(answer.status, Status::Partial, "{planner:?}");
                assert!(!answer.certified_optimal);
                check_legs(scene, &query, &answer, from);
                continue;
            };
            assert_eq!(answer.status, Status::Reached, "{planner:?}");
            let ours = answer.cost * UNITS;
            let slack = 1e-9 * optimum.max(1.0);
            assert!(ours >= optimum - slack, "{planner:?}: {ours}, {optimum}");
            assert!(answer.bound * UNITS <= optimum + slack, "{planner:?}");
            if planner == Algorithm::Optimal {
                assert!(
                    (ours - optimum).abs() <= slack,
                    "{a:?} in {from} to {b:?} in {to}: {ours}, but {optimum} is cheapest"
                );
                assert!(answer.certified_optimal);
            }
            assert!(!answer.certified_optimal || (ours - optimum).abs() <= slack);
            check_legs(scene, &query, &answer, from);
            let ends = [answer.points[0], answer.points[answer.points.len() - 1]];
            assert_eq!(ends.map(grid), [a, b]);
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn over_links_paths_cost_what_the_visibility_graph_says(
        seed in any::<u64>(), columns in 1..6usize, rows in 1..6usize, storeys in 1..4usize, jitter in 0..5i32, blocked in 0..40u64,
        cut in 0..20u64, exchanged in 0..50u64, merged in 0..100u64, links in 1..12usize, cheap in 0..100u64,
        doors in 0..30u64, closures in 0..15u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter, blocked, cut, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.join(&mut random, links, cheap);
        if random.chance(50) {
            scene.furnish(&mut random, doors, closures);
        }
        if random.chance(30) {
            let area = |_: &_| [0, 0, 0, 1, 2][random.below(5)];
            scene.areas = scene.faces.iter().map(area).collect();
        }
        check_paths(&mut scene, &mut random, 6);
    }

    #[test]
    fn of_several_goals_over_links_the_cheapest_is_taken(
        seed in any::<u64>(), columns in 1..5usize, rows in 1..5usize, storeys in 1..4usize, blocked in 0..40u64,
        exchanged in 0..50u64, merged in 0..100u64, links in 1..8usize, cheap in 0..100u64,
    ) {
        let mut random = Random(seed);
        let mix = Mix { columns, rows, storeys, jitter: 2, blocked, cut: 5, exchanged, merged };
        let mut scene = Scene::random(&mut random, mix);
        prop_assume!(!scene.faces.is_empty());
        scene.join(&mut random, links, cheap);
        let bytes = scene.bake();
        let blob = Blob::open_checked(&bytes).unwrap();
        let query = NavQuery::new(blob.decode(0).unwrap().leak());
        let mut scratch = Scratch::new();
        let from = random.below(scene.faces.len());
        let a = scene.point_in(&mut random, from);
        let goals: Vec<(usize, [i32; 2])> = (0..4)
            .map(|_| {
                let f = random.below(scene.faces.len());
                (f, scene.point_in(&mut random, f))
            })
            .collect();
        let place = |f, p| scene.place(&query, f, p).position();
        let places: Vec<[f64; 3]> = goals.iter().map(|&(f, p)| place(f, p)).collect();
        let request = PathRequest::new(place(from, a), places[0]).algorithm(Algorithm::Optimal).extents([0.0, 0.01, 0.0]);
        // Which of the faces that hold an end it is found in is not asked for here.
        let found = |p: [f64; 3]| {
            let at = query.end(p, request.extents).expect("on the mesh");
            (0..scene.faces.len()).find(|&f| scene.polygon(&query, f) == at.polygon()).expect("a face")
        };
        let start = found(request.from);
        let best = goals.iter().zip(&places)
            .filter_map(|(&(_, p), &q)| scene.shortest(start, a, found(q), p))
            .fold(f64::INFINITY, f64::min);
        let answer = query.find_path_to_any(&request, &places, &mut scratch).unwrap();
        if best == f64::INFINITY {
            prop_assert_eq!(answer.status, Status::Unreachable);
        } else {
            prop_assert_eq!(answer.status, Status::Reached);
            let ours = answer.cost * UNITS;
            prop_assert!((ours - best).abs() <= 1e-9 * best.max(1.0), "{} {}", ours, best);
        }
    }
}

/// Three storeys and ten links, some cheap: 2,083 cones, more than 16 a portal and 1,024 (found by
/// the property above).
#[test]
fn a_tangle_of_links_is_searched_to_its_end() {
    let mut random = Random(6_995_830_483_742_328_990);
    let mix = Mix {
        columns: 5,
        rows: 5,
        storeys: 3,
        jitter: 0,
        blocked: 3,
        cut: 1,
        exchanged: 11,
        merged: 70,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.join(&mut random, 10, 20);
    if random.chance(50) {
        scene.furnish(&mut random, 13, 4);
    }
    if random.chance(30) {
        let area = |_: &_| [0, 0, 0, 1, 2][random.below(5)];
        scene.areas = scene.faces.iter().map(area).collect();
    }
    check_paths(&mut scene, &mut random, 6);
}
