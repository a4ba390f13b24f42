//! Queries allocate nothing once their scratch exists.
use navbake_search::around::{Convex, MoveLog, Random as Seeded, Shape};
use navbake_search::blob::{AreaId, Blob, EdgeId};
use navbake_search::path::Order;
use navbake_search::{
    Algorithm, Heuristic, MoveRequest, NavQuery, PathRequest, PolyId, QueryFilter, Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::allocations::count as allocations;
use navbake_testkit::scene::{Mix, Scene};
use navbake_testkit::squares::World;

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

/// Runs twice: the first time scratch may grow, the second time nothing is allocated.
fn nothing_the_second_time(mut run: impl FnMut()) {
    run();
    let before = allocations();
    run();
    assert_eq!(allocations(), before);
}

#[test]
fn whole_answers_allocate_nothing() {
    let mut random = Random(3);
    let bytes = World::random(&mut random, 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5);
    let before_open = allocations();
    let blob = Blob::open(&bytes).unwrap();
    blob.verify_checksum().unwrap();
    let checked = blob.validate().unwrap();
    assert_eq!(allocations(), before_open, "opening and checking");
    let nav = checked.decode(0).unwrap();
    let decoded = allocations();
    let query = NavQuery::new(nav.mesh());
    assert_eq!(allocations(), decoded, "a query on the decoded mesh");

    let mut scratch = Scratch::new();
    let mut flood = Scratch::new();
    assert_eq!(allocations(), decoded, "scratch that is not used yet");
    let mut sums = vec![0; query.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let (mut reached, mut searched, mut moved, mut spread) = (0, 0, 0, 0);
    nothing_the_second_time(|| {
        let mut random = Random(3);
        let mut seeded = Seeded::new(5);
        for _ in 0..2000 {
            let mut point = || {
                let storey = 10.0 * random.below(2) as f64;
                [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
            };
            let (from, to) = (point(), point());
            let request = PathRequest::new(from, to).partial(random.chance(50));
            let answer = query.find_path(&request, &mut scratch).unwrap();
            reached += usize::from(answer.status == Status::Reached);
            searched += usize::from(answer.expanded > 0);
            if !answer.points.is_empty() {
                navbake_finish::path_places(&query, &answer).unwrap().last();
            }
            if let Some(at) = query.nearest(from, [1.0; 3]) {
                let (mut entered, mut hit) = ([PolyId(0); 8], [EdgeId(0); 8]);
                query.raycast_through(&at, to, &mut entered);
                query.reachable(&at, &at);
                let log = MoveLog { entered: &mut entered, hit: &mut hit };
                let motion = query.move_along(&at, &MoveRequest::new(to), log);
                moved += usize::from(motion.contacts > 0);
                query.wall_distance(&at, 9.0, &mut flood);
                let [x, _, z] = at.position();
                let grid = query.mesh().grid();
                let convex = Convex::new(grid, &[[x, z], [x + 3.0, z], [x, z + 3.0]]).unwrap();
                for shape in [Shape::Circle(3.0), Shape::Walk(5.0), Shape::Convex(&convex)] {
                    spread += query.around(&at, shape, &mut flood).polygons.len();
                }
                query.random_place(&areas, &mut seeded);
                query.random_on_island(&areas, query.mesh().island(at.polygon()), &mut seeded);
                query.random_within(&at, 4.0, &mut seeded, &mut flood);
            }
        }
    });
    assert!(reached > 200 && searched > 200);
    assert!(moved > 200 && spread > 20_000, "{moved} {spread}");
}

/// Sixteen squares a side, two storeys.
fn world() -> Vec<u8> {
    World::random(&mut Random(3), 16, 16, 2, 25, 5, 20).bake_with_points(true, true, 5)
}

fn point(random: &mut Random) -> [f64; 3] {
    let storey = 10.0 * random.below(2) as f64;
    [random.below(160) as f64 / 10.0, storey, random.below(160) as f64 / 10.0]
}

#[test]
fn steps_and_settings_allocate_nothing() {
    let bytes = world();
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let mut small = Scratch::bounded(12);
    let mut steps = 0;
    nothing_the_second_time(|| {
        let mut random = Random(4);
        for round in 0..600 {
            let goals = [point(&mut random), point(&mut random), point(&mut random)];
            let request = PathRequest::new(point(&mut random), goals[0])
                .algorithm([CORRIDOR, MIDPOINTS, Algorithm::Optimal][round % 3])
                .a_star(|a| a.order = [Order::AStar, Order::Greedy, Order::Dijkstra][round / 3 % 3])
                .a_star(|a| (a.heuristic, a.weight) = (Heuristic::ALL[round % 5], 1.5))
                .a_star(|a| a.reverse = round % 2 == 0)
                .partial(round % 7 == 0)
                .a_star(|a| a.max_open = (round % 5 == 0).then_some(6));
            for scratch in [&mut scratch, &mut small] {
                let mut search = query.start_path_to_any(&request, &goals, &mut *scratch).unwrap();
                while search.step(&query, &mut *scratch, 5) == Status::Looking {
                    search.direction(&query, &mut *scratch);
                    steps += 1;
                }
                search.path(&query, &mut *scratch);
                let search = search.into();
                navbake_queue::shared(&search, &query, request.from, None, &mut *scratch);
                navbake_queue::place_near_goal(&search, &query, &mut 0, 0.5, &mut *scratch);
            }
        }
    });
    assert!(steps > 400);
}

#[test]
fn blocking_and_opening_doors_allocates_nothing() {
    let mut random = Random(5);
    let mix = Mix {
        columns: 6,
        rows: 6,
        storeys: 2,
        jitter: 3,
        blocked: 5,
        cut: 5,
        exchanged: 10,
        merged: 30,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.furnish(&mut random, 40, 10);
    let bytes = scene.bake();
    let open = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let places: Vec<_> = (0..scene.faces.len())
        .map(|f| scene.place(&open, f, scene.point_in(&mut random, f)))
        .collect();
    let mut scratch = Scratch::new();
    let mut filter = QueryFilter::new();
    let mut reached = [0; 2];
    nothing_the_second_time(|| {
        for switches in 0..8u64 {
            filter.set_blocked(open.mesh(), &[switches], 0).unwrap();
            let query = open.with_filter(&filter);
            for (k, from) in places.iter().enumerate() {
                let to = &places[(7 * k + 3) % places.len()];
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
                let request = match filter.is_blocked(from.polygon()) {
                    true => request.algorithm(CORRIDOR),
                    false => request,
                };
                let path = query
                    .find_path_between(from, to, &request.partial(true), &mut scratch)
                    .unwrap();
                reached[usize::from(path.status == Status::Reached)] += 1;
                query.sees(from, to);
            }
        }
    });
    assert!(reached.iter().all(|&count| count > 100), "{reached:?}");
}

#[test]
fn paths_over_links_and_dear_ground_allocate_nothing() {
    let mut random = Random(11);
    let mix = Mix {
        columns: 8,
        rows: 8,
        storeys: 2,
        jitter: 3,
        blocked: 10,
        cut: 5,
        exchanged: 10,
        merged: 50,
    };
    let mut scene = Scene::random(&mut random, mix);
    scene.join(&mut random, 12, 40);
    scene.areas = scene.faces.iter().map(|_| random.below(3) as u8).collect();
    let bytes = scene.bake();
    let blob = Blob::open_checked(&bytes).unwrap();
    let open = NavQuery::new(blob.decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    let mut unit = QueryFilter::new();
    let mesh = open.mesh();
    let ends: Vec<_> = (0..200)
        .map(|_| {
            let face = random.below(scene.faces.len());
            let p = scene.point_in(&mut random, face);
            scene.place(&open, face, p)
        })
        .collect();
    let mut costs = QueryFilter::new();
    costs.set_cost(AreaId(1), 3.0).unwrap();
    costs.set_cost(AreaId(2), f64::INFINITY).unwrap();
    let (mut links, mut dear) = (0, 0);
    nothing_the_second_time(|| {
        for (pair, switches) in ends.windows(2).zip((0..8).cycle()) {
            let agents = 1 + (switches as u32) % 3;
            unit.set_agents(agents);
            costs.set_agents(agents);
            costs.set_blocked(mesh, &[switches], costs.forbidden()).unwrap();
            let (open, weighed) = (open.with_filter(&unit), open.with_filter(&costs));
            for (planner, dear_planner) in [
                (Algorithm::Optimal, Algorithm::weighted(Algorithm::GAP)),
                (CORRIDOR, CORRIDOR),
                (MIDPOINTS, MIDPOINTS),
            ] {
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(planner);
                let answer =
                    open.find_path_between(&pair[0], &pair[1], &request, &mut scratch).unwrap();
                links += answer.legs().filter(|leg| leg.link.is_some()).count();
                for leg in answer.legs() {
                    let _ = answer.walk(&leg).length_3d(&open);
                }
                let request = request.algorithm(dear_planner);
                let answer =
                    weighed.find_path_between(&pair[0], &pair[1], &request, &mut scratch).unwrap();
                dear += usize::from(answer.cost > answer.length_xz);
            }
        }
    });
    assert!(links > 20 && dear > 200, "{links} {dear}");
}
