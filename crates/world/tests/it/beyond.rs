//! Ground of chunks that are not loaded: no wall for any query.

use std::collections::{BTreeMap, BTreeSet};

use navbake_search::{AStar, Algorithm, NavQuery, PolyId, Scratch, Status};
use navbake_testkit::Random;
use navbake_world::{Obstacle, Way, World};

use crate::chunks::{Baked, SMALL, baked, flat, length, shortest};
use crate::kit::to_segment;

#[test]
fn ground_that_is_not_loaded_is_never_taken_for_a_wall() {
    let baked = baked(15, SMALL, 1.0);
    let all = baked.loaded();
    let mut random = Random(2);
    let mut scratch = Scratch::new();
    let places = baked.places(60);
    let (mut missing, mut apart) = (0, 0);
    for _ in 0..60 {
        let world = baked.with_some(&mut random, 60);
        let query = NavQuery::new(world.nav_mesh());
        let at = |place| query.locate(place, 1.0).map(|at| at.polygon());
        for pair in places.chunks_exact(2) {
            let pair = [pair[0], pair[1]];
            let (Some(from), Some(to)) = (at(pair[0]), at(pair[1])) else { continue };
            let [now, then] =
                [&world, &all].map(|world| length(world.nav_mesh(), pair, &mut scratch));
            let way = match (now.is_some(), then.is_some()) {
                (true, _) => Way::Loaded,
                (false, true) => Way::NotLoaded,
                (false, false) => Way::None,
            };
            assert_eq!(world.way(from, to), way, "{pair:?}");
            let found = query.find_path(&shortest(pair), &mut scratch).expect("an answer");
            let wanted = match way {
                Way::Loaded => Status::Reached,
                Way::NotLoaded => Status::NotLoaded,
                Way::None => Status::Unreachable,
            };
            assert_eq!(found.status, wanted, "{pair:?}");
            missing += usize::from(way == Way::NotLoaded);
            apart += usize::from(way == Way::None);
            let wanted = exits(&world, &baked, from);
            assert_eq!(world.not_loaded(from), wanted, "{pair:?}");
            assert!(way != Way::NotLoaded || !wanted.is_empty());
        }
    }
    assert!(missing > 20 && apart > 20, "{missing} and {apart}");
}

/// Chunks that the ground of a polygon goes on in.
fn exits(world: &World, baked: &Baked, from: PolyId) -> Vec<[i32; 2]> {
    let found: BTreeSet<[i32; 2]> =
        seams(world, baked, from).into_iter().map(|(_, [x, z])| [z, x]).collect();
    found.into_iter().map(|[z, x]| [x, z]).collect()
}

/// Walls of the ground of a polygon behind which there is more, by their ends, and the chunks of
/// that: by a walk over all polygons.
fn seams(world: &World, baked: &Baked, from: PolyId) -> Vec<([[i32; 3]; 2], [i32; 2])> {
    let mesh = world.nav_mesh();
    // Walls behind which there is more, by their ends.
    let mut seams: BTreeMap<[[i32; 3]; 2], [i32; 2]> = BTreeMap::new();
    for chunk in baked.chunks.iter().filter(|chunk| world.is_loaded(chunk.key())) {
        for seam in chunk.nav_mesh().seams().iter() {
            seams.insert([seam.from, seam.to], seam.beyond);
        }
    }
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    let mut found = vec![];
    while let Some(polygon) = waiting.pop() {
        if !seen.insert(polygon) {
            continue;
        }
        let own = mesh.polygon(polygon);
        for k in 0..own.len() {
            match own.across(k) {
                Some((beyond, _)) => waiting.push(beyond),
                None => {
                    let ends = [own.point(k), own.point(own.next(k))];
                    found.extend(seams.get(&ends).map(|&beyond| (ends, beyond)));
                }
            }
        }
    }
    found
}

#[test]
fn a_partial_path_ends_at_the_seam_nearest_to_a_goal_that_is_not_loaded() {
    let baked = baked(15, SMALL, 1.0);
    let mut random = Random(6);
    let mut scratch = Scratch::new();
    let places = baked.places(80);
    let (mut at_seams, mut missing, mut shut) = (0, 0, 0);
    for _ in 0..40 {
        let world = baked.with_some(&mut random, 50);
        let query = NavQuery::new(world.nav_mesh());
        for pair in places.chunks_exact(2) {
            let whole = shortest([pair[0], pair[1]]);
            let [from, goal] = [pair[0], pair[1]].map(|end| query.end(end, whole.extents));
            let Some(from) = from else { continue };
            let way = goal.as_ref().map(|goal| world.way(from.polygon(), goal.polygon()));
            let open = seams(&world, &baked, from.polygon());
            let status = query.find_path(&whole, &mut scratch).expect("an answer").status;
            match way {
                Some(Way::NotLoaded) => assert_eq!(status, Status::NotLoaded),
                Some(_) => continue,
                // The goal is where no chunk is loaded.
                None if open.is_empty() => {
                    assert_eq!(status, Status::Unreachable);
                    shut += 1;
                    continue;
                }
                None => {
                    assert_eq!(status, Status::NotLoaded);
                    missing += 1;
                }
            }
            let flat = |place| flat(&query, place).map(f64::from);
            let goal = flat(goal.as_ref().map_or(pair[1], |goal| goal.position()));
            let away = |seam: &[[i32; 3]; 2]| {
                let [a, b] = seam.map(|p| [f64::from(p[0]), f64::from(p[2])]);
                to_segment(a, b, goal)
            };
            let least = open.iter().map(|(seam, _)| away(seam)).fold(f64::INFINITY, f64::min);
            for algorithm in [Algorithm::Optimal, Algorithm::Corridor(AStar::default())] {
                let request = whole.algorithm(algorithm).partial(true);
                let path = query.find_path(&request, &mut scratch).expect("an answer");
                assert_eq!(path.status, Status::NotLoaded);
                assert!(!path.certified_optimal && path.bound == 0.0);
                let context = (pair, algorithm, way, &open, &path);
                let end = path.points.last().unwrap_or_else(|| panic!("no path: {context:?}"));
                let end = flat(*end);
                let far = (end[0] - goal[0]).hypot(end[1] - goal[1]);
                assert!((far - least).abs() < 3.0, "{far} of {least} units: {pair:?}");
                let on_seam = |seam: &[[i32; 3]; 2]| {
                    let [a, b] = seam.map(|p| [f64::from(p[0]), f64::from(p[2])]);
                    to_segment(a, b, end) < 2.0
                };
                assert!(open.iter().any(|(seam, _)| on_seam(seam)), "{pair:?}");
                at_seams += 1;
            }
        }
    }
    assert!(at_seams > 100 && missing > 50 && shut > 5, "{at_seams} {missing} {shut}");
}

#[test]
fn closed_ground_that_goes_on_in_other_chunks_is_not_called_unreachable() {
    let baked = baked(15, SMALL, 20.0);
    let (mut scratch, mut random) = (Scratch::new(), Random(7));
    let (mut open, mut shut) = (0, 0);
    let places = baked.places(120);
    for _ in 0..40 {
        let percent = if random.chance(50) { 100 } else { 60 };
        let mut world = baked.with_some(&mut random, percent);
        for pair in places.chunks_exact(2) {
            let query = NavQuery::new(world.nav_mesh());
            let ends = [pair[0], pair[1]].map(|end| query.locate(end, 1.0));
            let [Some(from), Some(to)] = ends else { continue };
            if world.way(from.polygon(), to.polygon()) != Way::Loaded {
                continue;
            }
            let goes_on = !world.not_loaded(from.polygon()).is_empty();
            // A ring of cylinders around the start.
            let [x, y, z] = pair[0];
            let ring = (0..24).map(|k| {
                let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / 24.0).sin_cos();
                let middle = [x + 1.5 * cos, z + 1.5 * sin];
                Obstacle::cylinder(middle, 0.3, [y - 2.0, y + 2.0]).expect("a cylinder")
            });
            let ids: Vec<_> = ring.map(|one| world.add(one).expect("on the grid")).collect();
            world.commit();
            let query = NavQuery::new(world.nav_mesh());
            let path = query.find_path(&shortest([pair[0], pair[1]]), &mut scratch);
            let status = path.expect("an answer").status;
            let wanted = if goes_on { Status::NotLoaded } else { Status::Unreachable };
            if status != Status::Reached {
                assert_eq!(status, wanted, "{pair:?}");
                open += usize::from(goes_on);
                shut += usize::from(!goes_on);
            }
            ids.into_iter().for_each(|id| world.remove(id).expect("an obstacle"));
        }
    }
    assert!(open > 10 && shut > 10, "{open} {shut}");
}
