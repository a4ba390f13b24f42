//! Flow fields against plain oracles: the visibility graph of scenes, and paths to each goal.

use navbake_crowd::{Error, Field, Next};
use navbake_search::blob::Blob;
use navbake_search::{
    Algorithm, Error as SearchError, NavMesh, NavPoint, NavQuery, PathRequest, QueryFilter,
    Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::cases::count;
use navbake_testkit::scene::adverse::{cut_up, fan, rings, sieve, spiral};
use navbake_testkit::scene::doors::SWITCHES;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{Mix, Scene, grid};
use navbake_testkit::squares::{self, World as Squares};
use navbake_world::{Obstacle, World};

use crate::kit::{at, rooms};

fn mix(random: &mut Random) -> Mix {
    Mix {
        columns: 1 + random.below(6),
        rows: 1 + random.below(5),
        storeys: 1 + random.below(3),
        jitter: random.below(5) as i32,
        blocked: random.below(40) as u64,
        cut: random.below(30) as u64,
        exchanged: random.below(50) as u64,
        merged: random.below(100) as u64,
    }
}

fn mesh_of(bytes: &[u8]) -> NavMesh<'static> {
    Blob::open_checked(bytes).unwrap().decode(0).unwrap().leak()
}

/// Follows the field from corner to corner; gives the length walked, m, and where it ended.
fn follow(field: &Field, query: &NavQuery<'_>, from: NavPoint) -> (f64, NavPoint, Vec<Next>) {
    let (mut at, mut walked, mut steps) = (from, 0.0, vec![]);
    loop {
        let next = field.next(query, &at).unwrap().expect("a way from each of its places");
        if next.remaining == 0.0 {
            return (walked, at, steps);
        }
        assert!(query.sees(&at, &next.towards), "{at:?} sees {next:?}");
        let ([a, _, b], [c, _, d]) = (at.position(), next.towards.position());
        walked += (a - c).hypot(b - d);
        at = next.towards;
        steps.push(next);
        assert!(steps.len() < 1000, "the way from {from:?} has no end");
    }
}

/// A field of some goals, asked at random places, against the visibility graph.
fn check_scene(scene: &Scene, random: &mut Random, query: &NavQuery<'_>) -> usize {
    let mut draw = || {
        let face = random.below(scene.faces.len());
        let point = scene.point_in(random, face);
        (face, point, scene.place(query, face, point))
    };
    let goals: Vec<_> = (0..3).map(|_| draw()).collect();
    let places: Vec<NavPoint> = goals.iter().map(|goal| goal.2).collect();
    let field = Field::new(query, &places).unwrap();
    let mut ways = 0;
    for _ in 0..6 {
        let (face, point, place) = draw();
        let next = field.next(query, &place).unwrap();
        if scene.closed.faces.contains(&face) {
            assert_eq!(next, None, "closed ground has no ways");
            continue;
        }
        let goal_ways = goals.iter().map(|(f, p, _)| {
            let closed = scene.closed.faces.contains(f);
            (!closed).then(|| scene.shortest(face, point, *f, *p)).flatten()
        });
        let optimum = goal_ways.flatten().reduce(f64::min);
        assert_eq!(next.is_some(), optimum.is_some(), "{face} {point:?}");
        let (Some(next), Some(optimum)) = (next, optimum) else { continue };
        assert_shortest(next.remaining, optimum, (face, point));
        let (walked, end, steps) = follow(&field, query, place);
        assert_shortest(walked, optimum, (face, point));
        assert_eq!(grid(end.position()), goals[next.goal].1);
        assert!(steps.iter().all(|step| step.goal == next.goal), "one goal all the way");
        ways += 1;
    }
    ways
}

#[test]
fn a_field_is_as_long_as_the_visibility_graph_says_and_leads_to_a_nearest_goal() {
    let mut ways = 0;
    for seed in 0..count("PROPTEST_CASES", 128) as u64 {
        let mut random = Random(seed);
        let mix = mix(&mut random);
        let scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        ways += check_scene(&scene, &mut random, &NavQuery::new(mesh_of(&scene.bake())));
    }
    assert!(ways > 200, "{ways}");
}

#[test]
fn doors_and_ground_that_are_closed_are_walls_for_a_field() {
    let (mut ways, mut filter) = (0, QueryFilter::new());
    for seed in 0..count("PROPTEST_CASES", 128) as u64 {
        let mut random = Random(seed);
        let mix = mix(&mut random);
        let mut scene = Scene::random(&mut random, mix);
        if scene.faces.is_empty() {
            continue;
        }
        scene.furnish(&mut random, 25, 10);
        let mesh = mesh_of(&scene.bake());
        let switches = random.below(1 << SWITCHES) as u64;
        scene.close(switches, 0);
        filter.set_blocked(&mesh, &[switches], 0).unwrap();
        let query = NavQuery::new(mesh).with_filter(&filter);
        ways += check_scene(&scene, &mut random, &query);
    }
    assert!(ways > 100, "{ways}");
}

#[test]
fn a_field_over_many_squares_is_as_long_as_the_visibility_graph_says() {
    let (mut random, mut ways) = (Random(5), 0);
    for case in 0..24 {
        let world = Squares::random_flat(&mut random, 16, 12, 15 + 2 * (case % 12));
        let free: Vec<usize> = (0..world.free.len()).filter(|&i| world.free[i]).collect();
        let bytes = world.bake(case % 2 == 0, case % 3 == 0);
        let query = NavQuery::new(mesh_of(&bytes));
        let mut draw = || {
            let square = free[random.below(free.len())];
            let (c, r, _) = world.cell(square);
            let mut offset = || squares::SIDE / 2 * random.below(3) as i32;
            let point = [c * squares::SIDE + offset(), r * squares::SIDE + offset()];
            (square, point, world.place(&query, square, point))
        };
        let goal = draw();
        let field = Field::new(&query, &[goal.2]).unwrap();
        for _ in 0..6 {
            let (square, point, place) = draw();
            let optimum = world.shortest(square, point, goal.0, goal.1);
            let next = field.next(&query, &place).unwrap();
            assert_eq!(next.is_some(), optimum.is_some());
            let (Some(next), Some(optimum)) = (next, optimum) else { continue };
            let ours = next.remaining * f64::from(squares::SIDE);
            assert!((ours - optimum).abs() <= 1e-9 * optimum.max(1.0), "{ours} or {optimum}");
            ways += 1;
        }
    }
    assert!(ways > 60, "{ways}");
}

/// The length of the shortest path to the nearest of the goals.
fn nearest(query: &NavQuery<'_>, from: &NavPoint, goals: &[NavPoint]) -> Option<f64> {
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    let mut scratch = Scratch::new();
    let length = |goal: &NavPoint| {
        let path = query.find_path_between(from, goal, &request, &mut scratch).unwrap();
        (path.status == Status::Reached).then_some(path.length_xz)
    };
    goals.iter().filter_map(length).reduce(f64::min)
}

/// Fields of four random goals, asked at random places; gives how many of these have a way.
fn check_places(query: &NavQuery<'_>, count: usize) -> usize {
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut random = navbake_search::around::Random::new(11);
    let mut draw = || query.random_place(&areas, &mut random).unwrap();
    let goals: Vec<NavPoint> = (0..4).map(|_| draw()).collect();
    let field = Field::new(query, &goals).unwrap();
    let (mut ways, mut path) = (0, vec![]);
    for _ in 0..count {
        let from = draw();
        let wanted = nearest(query, &from, &goals);
        let next = field.next(query, &from).unwrap();
        assert_eq!(next.is_some(), wanted.is_some());
        assert_eq!(field.path(query, &from, &mut path), Ok(wanted.is_some()));
        let (Some(next), Some(wanted)) = (next, wanted) else { continue };
        assert!((next.remaining - wanted).abs() <= 1e-9 * wanted.max(1.0));
        let (walked, end, steps) = follow(&field, query, from);
        assert!((walked - wanted).abs() <= 1e-9 * wanted.max(1.0), "{walked} or {wanted}");
        assert_eq!(end.position(), goals[next.goal].position());
        let corners: Vec<NavPoint> = steps.iter().map(|next| next.towards).collect();
        assert_eq!(path[1..], corners);
        ways += 1;
    }
    ways
}

#[test]
fn a_field_on_baked_levels_is_as_long_as_the_shortest_paths_to_each_goal() {
    for name in ["office", "dungeon", "castle", "spiral", "tower"] {
        let nav = rooms(name);
        let ways = check_places(&NavQuery::new(nav.mesh()), 100);
        assert!(ways > 20, "{name}: {ways}");
    }
}

#[test]
fn a_field_sees_obstacles_and_is_stale_after_they_move() {
    let nav = rooms("office");
    let mut world = World::new(nav);
    // Across the way between the two places.
    let place = |x: f64| Obstacle::prism(&[[x, 5.0], [x + 0.5, 5.0], [x, 9.0]], [0.0, 1.0]);
    let id = world.add(place(7.0).unwrap()).unwrap();
    world.commit();
    let lengths = {
        let query = NavQuery::new(world.nav_mesh());
        let [from, goal] = [[4.0, 7.0], [10.0, 7.0]].map(|p| at(&query, p));
        let field = Field::new(&query, &[goal]).unwrap();
        let length = field.next(&query, &from).unwrap().unwrap().remaining;
        assert_eq!(Some(length), nearest(&query, &from, &[goal]));
        assert!(length > 6.1, "around the obstacle: {length} m");
        (field, length)
    };
    world.move_to(id, place(2.0).unwrap()).unwrap();
    world.commit();
    let query = NavQuery::new(world.nav_mesh());
    let from = at(&query, [5.0, 7.0]);
    assert_eq!(lengths.0.next(&query, &from), Err(Error::StaleField));
    let field = Field::new(&query, &[at(&query, [10.0, 7.0])]).unwrap();
    assert_eq!(field.next(&query, &from).unwrap().unwrap().remaining, 5.0);
}

#[test]
fn a_field_around_obstacles_is_as_long_as_the_shortest_paths() {
    let mut world = World::new(rooms("castle"));
    let mut random = Random(3);
    for _ in 0..60 {
        let [x, z] = [random.within(0, 26), random.within(0, 18)].map(f64::from);
        let corners = [[x, z], [x + 0.7, z + 0.3], [x + 0.2, z + 1.1]];
        world.add(Obstacle::prism(&corners, [0.0, 1.0]).unwrap()).unwrap();
    }
    world.commit();
    let ways = check_places(&NavQuery::new(world.nav_mesh()), 100);
    assert!(ways > 50, "{ways}");
}

#[test]
fn costs_and_links_are_refused_by_a_field() {
    let nav = rooms("office");
    let mesh = nav.mesh();
    let query = NavQuery::new(mesh);
    let goal = at(&query, [8.0, 7.0]);
    let mut costs = QueryFilter::new();
    costs.set_slopes(1.0, 0.0).unwrap();
    let query = query.with_filter(&costs);
    let refused = Field::new(&query, &[goal]).map(|_| ());
    assert_eq!(refused, Err(Error::Search(SearchError::Costs)));

    let mut random = Random(8);
    let mut scene = Scene::random(&mut random, mix(&mut Random(2)));
    scene.join(&mut random, 3, 30);
    let query = NavQuery::new(mesh_of(&scene.bake()));
    let goal = scene.place(&query, 0, scene.corner(0, 0));
    assert_eq!(Field::new(&query, &[goal]).map(|_| ()), Err(Error::Links));
    let mut walking = QueryFilter::new();
    walking.set_agents(0);
    assert!(Field::new(&query.with_filter(&walking), &[goal]).is_ok());
}

#[test]
fn a_field_to_a_place_of_another_mesh_is_refused() {
    let (castle, office) = (rooms("castle"), rooms("office"));
    let goal = at(&NavQuery::new(castle.mesh()), [30.0, 9.0]);
    let query = NavQuery::new(office.mesh());
    let own = at(&query, [8.0, 7.0]);
    assert_eq!(Field::new(&query, &[own, goal]).map(|_| ()), Err(Error::NoGoal(1)));
}

#[test]
fn a_field_keeps_few_views_on_meshes_that_are_made_to_cost_much() {
    let mut random = Random(1);
    let mut scenes = vec![fan(125), spiral(41, 3), rings(12, 2), sieve(1, 100), sieve(3, 40)];
    scenes.extend([2, 6, 12].map(|cut| cut_up(&mut random, 24, cut)));
    for (case, (scene, ends)) in scenes.into_iter().enumerate() {
        let query = NavQuery::new(mesh_of(&scene.bake()));
        let [from, goal] = ends.map(|face| scene.place(&query, face, scene.corner(face, 0)));
        let field = Field::new(&query, &[goal]).unwrap();
        let wanted = nearest(&query, &from, &[goal]);
        let length = field.next(&query, &from).unwrap().map(|next| next.remaining);
        let same = |(a, b): (f64, f64)| (a - b).abs() <= 1e-9 * b.max(1.0);
        assert!(length.zip(wanted).is_none_or(same), "{case}: {length:?} {wanted:?}");
        assert_eq!(length.is_some(), wanted.is_some());
        let each = field.size() / query.mesh().polygon_count() as usize;
        assert!(each < 2000, "{case}: {each} bytes a polygon");
    }
}

#[test]
fn a_field_on_which_corners_see_too_much_is_refused() {
    let (scene, [_, goal]) = sieve(1, 500);
    let query = NavQuery::new(mesh_of(&scene.bake()));
    let goal = scene.place(&query, goal, scene.corner(goal, 0));
    let refused = Field::new(&query, &[goal]).map(|_| ());
    let most = 128 * query.mesh().polygon_count() as usize + 16_384;
    assert_eq!(refused, Err(Error::TooManyCones(most)));
}

#[test]
fn without_a_goal_that_can_be_reached_there_is_no_way() {
    let nav = rooms("office");
    let query = NavQuery::new(nav.mesh());
    let field = Field::new(&query, &[]).unwrap();
    assert_eq!(field.next(&query, &at(&query, [8.0, 7.0])), Ok(None));
}
