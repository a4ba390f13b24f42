//! Searches that landmarks guide, on ground that obstacles changed and on chunks.

use navbake_search::blob::AreaId;
use navbake_search::{
    AStar, Algorithm, Heuristic, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_world::{Obstacle, World};

use crate::changes::{change, ground, point};
use crate::chunks::{baked_file, shortest};
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

/// Chunks have rows of the landmarks of their world: whichever are loaded, and whatever obstacles
/// take, paths are as short as without.
#[test]
fn landmarks_of_chunks_guide_searches_and_change_no_path() {
    let castle = navbake_testkit::data::fixture("rooms").join("castle.obj");
    let [with, without] = ["landmarks = \"always\"", "budget = \"none\""].map(|tables| {
        let config = format!(
            "cell = 0.06\nfindings = false\ntables.{tables}\nseeds = [[5.0, 0.0, 5.0]]\n\
             [[agent]]\nradius = 0.3\nheight = 1.8\nclimb = 0.4\n"
        );
        baked_file(&castle, &config, 1.0)
    });
    assert!(with.index.mesh().landmarks().is_some_and(|own| own.count() == 0));
    assert!(without.index.mesh().landmarks().is_none());
    for chunk in &with.chunks {
        let rows = chunk.nav_mesh().landmarks().map_or(0, |own| own.count());
        assert_eq!(rows, chunk.nav_mesh().polys().pivots);
    }
    let (mut random, mut scratch) = (Random(67), Scratch::new());
    let (mut reached, mut expanded, mut turned) = (0, [0; 2], 0);
    let mut worlds: [World; 2] = [with.world(), without.world()];
    let mut loaded = vec![false; with.chunks.len()];
    for round in 0..24 {
        for (number, is_loaded) in loaded.iter_mut().enumerate() {
            // All of them every third time.
            let wanted = round % 3 == 0 || random.chance(70);
            if wanted == std::mem::replace(is_loaded, wanted) {
                continue;
            }
            for (world, baked) in worlds.iter_mut().zip([&with, &without]) {
                let chunk = &baked.chunks[number];
                match wanted {
                    true => world.insert_chunk(chunk.clone()).expect("a chunk"),
                    false => world.remove_chunk(chunk.key()).expect("it is there"),
                }
            }
        }
        if round % 2 == 1 {
            for [x, y, z] in with.places(4 * round).split_off(4 * round - 4) {
                let barrel = Obstacle::cylinder([x, z], 0.3, [y - 0.5, y + 1.0]).expect("finite");
                for world in &mut worlds {
                    world.add(barrel).expect("on the grid");
                }
            }
        }
        for world in &mut worlds {
            world.commit();
        }
        let meshes = worlds.each_ref().map(|world| world.nav_mesh());
        turned += usize::from(meshes[0].polys().is_changed());
        for pair in with.places(120).chunks_exact(2) {
            let request = shortest([pair[0], pair[1]]);
            let found = meshes.map(|mesh| {
                let path = NavQuery::new(mesh).find_path(&request, &mut scratch).expect("answer");
                (path.status, path.cost, path.expanded)
            });
            assert_eq!(found[0].0, found[1].0, "{pair:?}");
            if found[0].0 == Status::Reached {
                assert!((found[0].1 - found[1].1).abs() <= 1e-9 * found[1].1, "{found:?}");
                expanded.iter_mut().zip(found).for_each(|(sum, one)| *sum += one.2);
                reached += 1;
            }
        }
    }
    assert!(reached > 500 && turned > 10, "{reached} {turned}");
    assert!(expanded[0] < expanded[1], "{expanded:?}");
}
