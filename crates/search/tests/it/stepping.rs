//! A search in steps is the search at once; a search in progress can be looked at; and the faults
//! of well-known listings are not ours.

use navbake_format::write::{BlobParts, MeshParts, encode};
use navbake_search::blob::Blob;
use navbake_search::path::Order;
use navbake_search::trace::Visit;
use navbake_search::{
    Algorithm, Heuristic, NavQuery, PathRequest, PolyId, Scratch, Search, Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::point_agent;
use navbake_testkit::squares::World;
use navbake_testkit::squares::walk::{check, random_point, worlds};

use crate::a_star::{CORRIDOR, MIDPOINTS, Options};

const BLANK: [f64; 3] = [0.0; 3];
const NONE: u32 = u32::MAX;

fn all_settings() -> Vec<PathRequest> {
    let base = PathRequest::new(BLANK, BLANK);
    let mut all = vec![base.algorithm(Algorithm::Optimal)];
    for planner in [CORRIDOR, MIDPOINTS] {
        let base = base.algorithm(planner);
        all.extend([
            base,
            base.a_star(|a| a.reverse = true),
            base.a_star(|a| a.order = Order::Greedy),
            base.a_star(|a| a.order = Order::Dijkstra),
            base.a_star(|a| (a.heuristic, a.weight) = (Heuristic::Manhattan, 3.0)),
            base.a_star(|a| (a.heuristic, a.weight) = (Heuristic::Octile, 1.0)).partial(true),
            base.a_star(|a| a.max_open = Some(3)),
        ]);
    }
    all
}

fn visits(search: &Search, query: &NavQuery<'_>, scratch: &mut Scratch) -> Vec<Visit> {
    search.visits(query, scratch).collect()
}

#[test]
fn steps_of_any_size_give_the_answer_of_one() {
    let mut steps = 0;
    worlds(0..24, |world, query, random| {
        let mut scratch = Scratch::new();
        let mut whole = Scratch::new();
        for _ in 0..3 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            for request in all_settings() {
                let expected =
                    query.find_path_between(&from.place, &to.place, &request, &mut whole).unwrap();
                for budget in [1, 7, 1000] {
                    let mut search = query
                        .start_path_between(&from.place, &to.place, &request, &mut scratch)
                        .unwrap();
                    while search.step(query, &mut scratch, budget) == Status::Looking {
                        steps += 1;
                    }
                    assert_eq!(search.path(query, &mut scratch), expected);
                    assert_eq!(search.status(), expected.status);
                    // A search that is over stays over.
                    assert_eq!(search.step(query, &mut scratch, budget), expected.status);
                    assert_eq!(search.path(query, &mut scratch), expected);
                }
                let mut idle = query
                    .start_path_between(&from.place, &to.place, &request, &mut scratch)
                    .unwrap();
                let status = idle.status();
                assert_eq!(idle.step(query, &mut scratch, 0), status);
            }
        }
    });
    assert!(steps > 1000, "{steps}");
}

#[test]
fn searches_on_one_mesh_do_not_know_of_each_other() {
    worlds(0..8, |world, query, random| {
        let settings = all_settings();
        let pairs: Vec<_> = (0..settings.len())
            .map(|_| (random_point(world, query, random), random_point(world, query, random)))
            .collect();
        let mut scratches = vec![Scratch::new(); settings.len()];
        let mut searches: Vec<Search> = (settings.iter().zip(&pairs).zip(&mut scratches))
            .map(|((request, (a, b)), scratch)| {
                query.start_path_between(&a.place, &b.place, request, scratch).unwrap()
            })
            .collect();
        for round in 1.. {
            let mut looking = false;
            for (search, scratch) in searches.iter_mut().zip(&mut scratches) {
                looking |= search.step(query, scratch, round % 3 + 1) == Status::Looking;
            }
            if !looking {
                break;
            }
        }
        let mut alone = Scratch::new();
        for (k, request) in settings.iter().enumerate() {
            let (a, b) = &pairs[k];
            let expected =
                query.find_path_between(&a.place, &b.place, request, &mut alone).unwrap();
            assert_eq!(searches[k].path(query, &mut scratches[k]), expected);
        }
    });
}

#[test]
fn an_unfinished_search_knows_where_to_go() {
    let (mut looked, mut walked) = (0, 0);
    worlds(0..20, |world, query, random| {
        let mut scratch = Scratch::new();
        for request in all_settings() {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let mut search =
                query.start_path_between(&from.place, &to.place, &request, &mut scratch).unwrap();
            while search.step(query, &mut scratch, 2) == Status::Looking {
                looked += 1;
                let direction = search.direction(query, &mut scratch);
                let answer = search.path(query, &mut scratch);
                assert_eq!(answer.status, Status::Looking);
                assert!(!answer.certified_optimal);
                match direction {
                    Some([x, z]) => assert!((x.hypot(z) - 1.0).abs() < 1e-9),
                    // Straight above or below the goal, as long as no path is known.
                    None => {
                        assert_eq!(from.place.point(), to.place.point());
                        assert!(answer.length_xz == 0.0);
                    }
                }
                if !answer.points.is_empty() {
                    walked += 1;
                    check(world, query, &from, &answer);
                }
            }
        }
    });
    assert!(looked > 200 && walked > 100, "{looked} {walked}");
}

#[test]
fn the_scratch_of_another_search_does_no_harm() {
    let mut random = Random(5);
    let large = World::random(&mut random, 9, 9, 2, 20, 10, 30).bake(false, false);
    let small = World::random(&mut random, 5, 5, 2, 20, 10, 30).bake(true, true);
    let [large, small] = [&large, &small]
        .map(|b| NavQuery::new(Blob::open_checked(b).unwrap().decode(0).unwrap().leak()));
    let mut scratches = [Scratch::new(), Scratch::new()];
    for round in 0..400 {
        let point = |random: &mut Random| {
            let mut c = || random.below(50) as f64 / 10.0;
            [c(), 2.0 * c(), c()]
        };
        let settings = all_settings();
        let pick = settings[random.below(settings.len())];
        let request = PathRequest {
            from: point(&mut random),
            to: point(&mut random),
            ..pick.extents([1.0, 20.0, 1.0])
        };
        let mut search = large.start_path(&request, &mut scratches[0]).unwrap();
        for _ in 0..20 {
            let other = random.below(2);
            search.step(&large, &mut scratches[other], 3);
            search.path(&large, &mut scratches[other]);
            search.direction(&small, &mut scratches[other]);
            visits(&search, &small, &mut scratches[other]);
            let own = search.clone().into();
            navbake_queue::shared(&own, &large, request.from, None, &mut scratches[other]);
        }
        search.step(&small, &mut scratches[round % 2], u32::MAX);
        search.path(&small, &mut scratches[round % 2]);
    }
}

/// A triangle, and a triangle beyond each of its sides, all of different lengths.
fn triangles() -> Vec<u8> {
    let vertices =
        [[0, 0, 0], [0, 0, 160], [320, 0, 80], [-160, 0, 96], [480, 0, 480], [480, 0, -320]];
    encode(&BlobParts {
        grid_bits: 4,
        agents: &[point_agent("point")],
        meshes: &[MeshParts {
            vertices: &vertices,
            first_edge: &[0, 3, 6, 9, 12],
            corners: &[0, 1, 2, 1, 0, 3, 2, 1, 4, 0, 2, 5],
            neighbours: &[1, 2, 3, 0, NONE, NONE, 0, NONE, NONE, 0, NONE, NONE],
            islands: &[0; 4],
            ..MeshParts::default()
        }],
        ..BlobParts::default()
    })
    .unwrap()
}

#[test]
fn a_total_is_made_of_the_way_behind_and_the_estimate_ahead() {
    // The fault: totals without the estimate search in all directions.
    let row = ".".repeat(21);
    let mut rows = vec![row.as_str(); 21];
    let wall = format!("{}#{}", ".".repeat(10), ".".repeat(10));
    rows[10] = &wall;
    let bytes = World::flat(&rows).bake(false, true);
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    for planner in [CORRIDOR, MIDPOINTS] {
        let request = PathRequest::new([7.5, 0.0, 10.5], [13.5, 0.0, 10.5]).algorithm(planner);
        let guided = query.find_path(&request, &mut scratch).unwrap().expanded;
        let blind = request.a_star(|a| (a.heuristic, a.weight) = (Heuristic::Zero, 1.0));
        let blind = query.find_path(&blind, &mut scratch).unwrap().expanded;
        assert!(3 * guided < blind, "{guided} {blind}");
        for v in 0..2 {
            let mut search = query.start_path(&request, &mut scratch).unwrap();
            search.step(&query, &mut scratch, 1 + v);
            let last = search.last_visit(&query, &mut scratch).unwrap();
            let visits = search.visits(&query, &mut scratch);
            let least = (visits.filter(|v| !v.closed))
                .map(|v| v.behind + v.ahead)
                .fold(f64::INFINITY, f64::min);
            assert!(last.behind + last.ahead <= least + 1e-9);
        }
    }
}

#[test]
fn a_node_taken_off_the_open_list_is_not_open() {
    // The fault: a flag that is set when a node is put on the open list and never cleared.
    let mut closed = 0;
    worlds(0..10, |world, query, random| {
        let mut scratch = Scratch::new();
        for planner in [CORRIDOR, MIDPOINTS] {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let request = PathRequest::new(BLANK, BLANK).algorithm(planner);
            let mut search =
                query.start_path_between(&from.place, &to.place, &request, &mut scratch).unwrap();
            while search.step(query, &mut scratch, 1) == Status::Looking {
                let last = search.last_visit(query, &mut scratch).unwrap();
                assert!(last.closed);
                let all = visits(&search, query, &mut scratch);
                let count = all.iter().filter(|v| v.closed).count();
                assert_eq!(count as u32, search.path(query, &mut scratch).closed);
                closed += 1;
            }
        }
    });
    assert!(closed > 50, "{closed}");
}

#[test]
fn the_way_through_a_triangle_is_measured_between_the_walls_it_uses() {
    // The fault: the distance between two walls looked up by abs(i - wall), which is that of
    // another pair for walls 0 and 1.
    let bytes = triangles();
    let query = NavQuery::new(Blob::open_checked(&bytes).unwrap().decode(0).unwrap().leak());
    let mut scratch = Scratch::new();
    // Deep in the three outer triangles, and the middles of the sides of the inner one.
    let places = [[-9.0, 0.0, 5.625], [27.0, 0.0, 27.5], [28.0, 0.0, -18.0]];
    let middles = [[0.0, 5.0], [10.0, 7.5], [10.0, 2.5]];
    let length = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let flat = |p: [f64; 3]| [p[0], p[2]];
    for i in 0..3 {
        for j in (0..3).filter(|&j| j != i) {
            for reverse in [false, true] {
                let request = (PathRequest::new(places[i], places[j]))
                    .algorithm(MIDPOINTS)
                    .a_star(|a| a.reverse = reverse);
                let mut search = query.start_path(&request, &mut scratch).unwrap();
                assert_eq!(search.step(&query, &mut scratch, u32::MAX), Status::Reached);
                let expected = length(flat(places[i]), middles[i])
                    + length(middles[i], middles[j])
                    + length(middles[j], flat(places[j]));
                let Some(raw) = search.raw_length(&query) else {
                    panic!("{i} and {j} see each other");
                };
                assert!((raw - expected).abs() < 1e-9, "{i} {j}: {raw} {expected}");
            }
        }
    }
}

/// Steps searches one by one; counts how often a node's path got shorter while it was open, and how
/// often a closed node was opened again.
fn watch(request: &PathRequest) -> (u32, u32) {
    let (mut improved, mut reopened) = (0, 0);
    worlds(0..40, |world, query, random| {
        let mut scratch = Scratch::new();
        for _ in 0..4 {
            let (from, to) =
                (random_point(world, query, random), random_point(world, query, random));
            let mut search =
                query.start_path_between(&from.place, &to.place, request, &mut scratch).unwrap();
            let mut before: Vec<Visit> = vec![];
            loop {
                let status = search.step(query, &mut scratch, 1);
                let now: Vec<Visit> =
                    (search.visits(query, &mut scratch)).filter(|v| v.node != NONE).collect();
                for old in &before {
                    let Some(new) = now.iter().find(|v| v.node == old.node) else {
                        continue;
                    };
                    assert!(new.behind <= old.behind, "ways never get longer");
                    improved += u32::from(!old.closed && new.behind < old.behind);
                    reopened += u32::from(old.closed && !new.closed);
                    assert!(!old.closed || new.closed || new.behind < old.behind);
                }
                before = now;
                if status.is_over() {
                    break;
                }
            }
        }
    });
    (improved, reopened)
}

#[test]
fn a_frontier_node_is_improved() {
    // The fault: a node on the open list keeps the first path by which it was found.
    for planner in [CORRIDOR, MIDPOINTS] {
        let request = PathRequest::new(BLANK, BLANK).algorithm(planner);
        let (improved, _) = watch(&request);
        assert!(improved > 0, "{planner:?}");
        let (improved, _) = watch(&request.a_star(|a| a.order = Order::Greedy));
        assert!(improved > 0, "{planner:?}, greedy");
    }
}

#[test]
fn a_closed_node_is_opened_again_where_the_heuristic_is_not_consistent() {
    // The fault: what is closed stays closed, though a shorter path to it was found.
    let request = PathRequest::new(BLANK, BLANK).algorithm(MIDPOINTS);
    let (_, consistent) = watch(&request);
    assert_eq!(consistent, 0, "a consistent heuristic closes nodes for good");
    let (_, heavy) =
        watch(&request.a_star(|a| (a.heuristic, a.weight) = (Heuristic::Euclidean, 4.0)));
    assert!(heavy > 0);
    let (_, greedy) = watch(&request.a_star(|a| a.order = Order::Greedy));
    assert_eq!(greedy, 0, "greedy search does not look back");
}

#[test]
fn an_optimal_search_shows_its_cones_from_the_start_to_the_end_of_the_path() {
    let (mut found, mut opened, mut waiting) = (0, 0, 0);
    worlds(0..40, |world, query, random| {
        let mut scratch = Scratch::new();
        let request = PathRequest::new(BLANK, BLANK).algorithm(Algorithm::Optimal);
        let (from, to) = (random_point(world, query, random), random_point(world, query, random));
        let mut search =
            query.start_path_between(&from.place, &to.place, &request, &mut scratch).unwrap();
        let mut order = vec![];
        while !search.status().is_over() {
            let before = search.expanded();
            search.step(query, &mut scratch, 1);
            if search.expanded() > before {
                let last = search.last_visit(query, &mut scratch);
                order.push(last.expect("it is under way").node);
            }
        }
        assert_eq!(order.len() as u32, search.expanded());
        let all = visits(&search, query, &mut scratch);
        let (Some(end), Status::Reached) = (search.end_node(), search.status()) else {
            return;
        };
        // Nothing is opened twice, and nothing that was is open.
        let mut once = order.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), order.len());
        assert!(order.iter().all(|&n| all[n as usize].closed));
        for visit in &all {
            let before = all[visit.parent as usize];
            let least = |v: Visit| v.behind + v.ahead;
            assert!(visit.parent <= visit.node);
            assert!(least(*visit) >= least(before) - 1e-9, "{visit:?} {before:?}");
        }
        assert!(order.iter().all(|&n| all[n as usize].seen.is_some()));
        let answer = search.path(query, &mut scratch);
        let last = all[end as usize];
        assert!((last.behind + last.ahead - answer.length_xz).abs() < 1e-9);
        let mut way = vec![last];
        while way[0].parent != way[0].node {
            way.insert(0, all[way[0].parent as usize]);
        }
        let mut polygons: Vec<PolyId> = way.iter().map(|v| v.polygon).collect();
        // The goal is in the polygon of the cone before.
        polygons.dedup();
        assert!(answer.polygons.starts_with(&polygons));
        found += 1;
        opened += order.len();
        waiting += all.iter().filter(|v| !v.closed).count();
    });
    assert!(found > 10 && opened > 100 && waiting > 10, "{found} {opened} {waiting}");
}
