//! Answers, beside those of `navbake-search`.

use navbake_godot::search::Search;
use navbake_search::around::Random;
use navbake_search::{
    AStar, Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch, Status,
};

use crate::support::{courtyard, ground, office, search, settings, terraces};

/// Places all over a mesh.
pub(crate) fn places(query: &NavQuery<'_>, count: usize) -> Vec<[f64; 3]> {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut random = Random::new(7);
    (0..count).map(|_| query.random_place(&areas, &mut random).unwrap().position()).collect()
}

#[test]
fn paths_are_those_of_the_search_itself() {
    let planners = [
        Algorithm::Auto,
        Algorithm::Corridor(AStar::default()),
        Algorithm::Midpoints(AStar::default()),
        Algorithm::Optimal,
        Algorithm::weighted(Algorithm::GAP),
    ];
    let (mut links, mut partial) = (0, 0);
    for (bytes, agent) in [(courtyard(), "default"), (terraces(), "cat")] {
        let nav = NavMeshBuf::open(bytes).unwrap();
        let filter = QueryFilter::new().agent(&nav.mesh(), agent).unwrap();
        let query = NavQuery::new(nav.mesh()).with_filter(&filter);
        let mut own = Search::new(ground(bytes, agent)).unwrap();
        let places = places(&query, 60);
        for (pair, algorithm) in places.windows(2).flat_map(|p| planners.map(|a| (p, a))) {
            let how = navbake_godot::search::Settings { partial: true, ..settings(algorithm) };
            let found = own.path(pair[0], pair[1], &how).unwrap();
            let request = PathRequest::new(pair[0], pair[1]).algorithm(algorithm).partial(true);
            let mut scratch = Scratch::new();
            let expected = query.find_path(&request, &mut scratch).unwrap();
            assert_eq!(found.status, expected.status);
            assert_eq!(found.points, expected.points);
            assert_eq!((found.length, found.cost), (expected.length_xz, expected.cost));
            assert_eq!(found.optimal, expected.certified_optimal);
            assert_eq!(found.links.len(), expected.legs().filter(|l| l.link.is_some()).count());
            for link in &found.links {
                assert!(link.point + 1 < found.points.len(), "{link:?}");
            }
            links += found.links.len();
            partial += usize::from(found.status == Status::Partial);
        }
    }
    assert!(links > 0 && partial > 0, "{links} links, {partial} partial paths");
}

#[test]
fn places_rays_motions_and_walls_are_those_of_the_search_itself() {
    let nav = NavMeshBuf::open(courtyard()).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut own = search(courtyard());
    let (reach, mut scratch, mut hits) = ([0.0, 2.0, 0.0], Scratch::new(), 0);
    for pair in places(&query, 100).windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let at = query.end(from, reach).unwrap();
        let ray = own.raycast(from, to, reach).unwrap();
        let hit = query.raycast(&at, to);
        assert_eq!((ray.point, ray.normal), (hit.point, hit.wall.map(|wall| wall.normal)));
        hits += usize::from(ray.normal.is_some());
        // Where nothing is in between, the motion ends at its target.
        let end = own.move_along(from, to, reach).unwrap();
        assert!(query.nearest(end, [0.01; 3]).is_some());
        assert!(hit.wall.is_some() || (end[0], end[2]) == (to[0], to[2]));
        let wall = own.wall_distance(from, 3.0, reach).unwrap();
        assert_eq!(wall, query.wall_distance(&at, 3.0, &mut scratch).distance);
        let beyond = query.end(to, reach).unwrap();
        assert_eq!(own.reachable(from, to, reach), query.reachable(&at, &beyond));
        let above = [from[0], from[1] + 1.0, from[2]];
        let near = query.nearest(above, [2.0; 3]).map(|at| at.position());
        assert_eq!(own.nearest(above, [2.0; 3]), near);
    }
    assert!((10..90).contains(&hits), "{hits} rays hit a wall");
}

#[test]
fn points_off_the_ground_have_no_answers() {
    let mut own = search(courtyard());
    let (off, on, reach) = ([900.0, 0.0, 900.0], [20.0, 0.0, 25.0], [0.0, 2.0, 0.0]);
    let path = own.path(off, on, &settings(Algorithm::Auto)).unwrap();
    assert_eq!((path.status, path.points.len()), (Status::OffMesh, 0));
    assert_eq!(own.nearest(off, [2.0; 3]), None);
    assert_eq!(own.raycast(off, on, reach), None);
    assert_eq!(own.move_along(off, on, reach), None);
    assert_eq!(own.wall_distance(off, 1.0, reach), None);
    assert!(!own.reachable(on, off, reach) && own.reachable(on, on, reach));
    let nan = [f64::NAN; 3];
    assert_eq!(own.path(nan, on, &settings(Algorithm::Auto)).unwrap().status, Status::OffMesh);
    assert_eq!(own.raycast(on, nan, reach).map(|ray| ray.point[0].is_nan()), Some(false));
}

#[test]
fn switches_are_closed_as_the_file_says_until_they_are_opened() {
    let [from, to] = [[2.5, 0.0, 11.5], [13.5, 0.0, 11.5]];
    let nav = NavMeshBuf::open(office()).unwrap();
    let length = |shut: &[&str]| {
        let mut filter = QueryFilter::new();
        for door in shut {
            filter = filter.block(&nav.mesh(), door).unwrap();
        }
        let query = NavQuery::new(nav.mesh()).with_filter(&filter);
        let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
        query.find_path(&request, &mut Scratch::new()).unwrap().length_xz
    };
    let mut own = search(office());
    let found = |own: &mut Search| own.path(from, to, &settings(Algorithm::Optimal)).unwrap();
    assert_eq!(found(&mut own).length, length(&["g"]));
    own.set_closed("g", false).unwrap();
    assert_eq!(found(&mut own).length, length(&[]));
    assert!(length(&["g"]) > length(&[]), "the door matters");
    for door in ["a", "b", "c", "d", "e", "f", "g"] {
        own.set_closed(door, true).unwrap();
    }
    assert_eq!(found(&mut own).status, Status::Unreachable);
    let error = own.set_closed("portcullis", true).unwrap_err();
    assert!(error.contains("no switch `portcullis` in the file, which has: a, b, c"), "{error}");
    assert_eq!(found(&mut own).status, Status::Unreachable, "nothing has changed");
}

#[test]
fn costs_change_paths_and_the_planner_that_serves_them() {
    let [from, to] = [[2.5, 0.0, 11.5], [13.5, 0.0, 11.5]];
    let mut own = search(office());
    let plain = own.path(from, to, &settings(Algorithm::Optimal)).unwrap();
    own.set_cost("ground", 3.0).unwrap();
    let refused = own.path(from, to, &settings(Algorithm::Optimal)).unwrap_err();
    assert!(refused.contains("use the algorithm weighted"), "{refused}");
    let dear = own.path(from, to, &settings(Algorithm::weighted(0.001))).unwrap();
    assert!((dear.cost / plain.cost - 3.0).abs() < 0.01, "{} of {}", dear.cost, plain.cost);
    let error = own.set_cost("lava", 2.0).unwrap_err();
    assert_eq!(error, "no area `lava` in the file, which has: ground");
    assert!(own.set_cost("ground", -1.0).unwrap_err().contains("a cost of -1"));
}

#[test]
fn one_seed_gives_one_sequence_of_places_on_open_ground() {
    let mut own = search(courtyard());
    let mut sequence = |seed| -> Vec<_> {
        own.seed(seed);
        (0..20).map(|_| own.random_place().unwrap()).collect()
    };
    let first = sequence(3);
    assert_ne!(sequence(4), first);
    assert_eq!(sequence(3), first);
    assert!(first.iter().all(|&at| own.nearest(at, [0.01; 3]) == Some(at)));
}
