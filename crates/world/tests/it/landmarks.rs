//! Searches that landmarks guide, on ground that obstacles changed.

use navbake_search::blob::AreaId;
use navbake_search::{
    AStar, Algorithm, Heuristic, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;

use crate::changes::{change, ground, point};
use crate::kit::{Extras, world};

#[test]
fn landmarks_guide_searches_around_obstacles_and_change_no_cost() {
    let mut random = Random(61);
    let mut scratch = Scratch::new();
    let (mut compared, mut bounded) = (0, 0);
    let (mut opened, mut expanded) = ([0; 3], [0; 2]);
    for round in 0..60 {
        let scale = [4, 16][round % 2];
        let extras = Extras { labels: true, areas: true, ..Extras::default() };
        let (scene, mut world) = world(&mut random, scale, extras);
        if scene.faces.is_empty() {
            continue;
        }
        let mut solids = vec![];
        for _ in 0..8 {
            change(&mut random, &scene, &mut world, &mut solids, 40 * scale);
            world.commit();
            let mesh = world.nav_mesh();
            if !mesh.polys().is_changed() {
                continue;
            }
            assert!(mesh.landmarks().is_some());
            let mut filter = QueryFilter::new();
            for area in 0..3 {
                filter.set_cost(AreaId(area), (2 + random.below(5)) as f64 / 2.0).unwrap();
            }
            for _ in 0..4 {
                let mut end = |query: &NavQuery<'_>| {
                    let face = random.below(scene.faces.len());
                    ground(query, &scene, face, point(&mut random, &scene, face))
                };
                let plain = NavQuery::new(mesh);
                let (Some(from), Some(to)) = (end(&plain), end(&plain)) else {
                    continue;
                };
                let base = PathRequest::new(from.position(), to.position());
                let costly = NavQuery::new(mesh).with_filter(&filter);
                let planner = [Algorithm::Midpoints, Algorithm::Corridor][random.below(2)];
                let all = [Heuristic::Zero, Heuristic::Euclidean, Heuristic::Table];
                let answers = all.map(|heuristic| {
                    let a_star = AStar { heuristic, ..AStar::default() };
                    let request = base.algorithm(planner(a_star));
                    let found = costly.find_path(&request, &mut scratch).unwrap();
                    (found.status, found.cost, found.expanded)
                });
                let [zero, straight, table] = answers;
                assert_eq!((zero.0, straight.0), (table.0, table.0), "{round}");
                if table.0 == Status::Reached {
                    compared += 1;
                    opened.iter_mut().zip(answers).for_each(|(sum, one)| *sum += one.2);
                    // Of paths through middles of equal length one may be straightened more.
                    if (zero.1 - straight.1).abs() < 1e-9 {
                        assert!((table.1 - zero.1).abs() < 1e-9, "{round}: {answers:?}");
                    }
                }
                let pair = [false, true].map(|landmarks| {
                    let request = base.algorithm(Algorithm::Weighted { gap: 0.02, landmarks });
                    let found = costly.find_path(&request, &mut scratch).unwrap();
                    (found.status, found.cost, found.bound, found.expanded)
                });
                let [without, with] = pair;
                assert_eq!(without.0, with.0, "{round}");
                if with.0 == Status::Reached {
                    bounded += 1;
                    expanded.iter_mut().zip(pair).for_each(|(sum, one)| *sum += one.3);
                    let most = 1.0 + 1e-9;
                    assert!(without.2 <= with.1 * most && with.2 <= without.1 * most, "{pair:?}");
                }
            }
        }
    }
    assert!(compared > 300 && bounded > 300, "{compared} {bounded}");
    assert!(opened[2] < opened[1] && opened[1] < opened[0], "{opened:?}");
    assert!(expanded[1] < expanded[0], "{expanded:?}");
}
