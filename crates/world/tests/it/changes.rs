//! Random changes: paths, walls, removal.

use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::scene::Mix;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_world::{ObstacleId, World};

use crate::kit::{check, obstacle, scene_of, world};

/// Adds, moves or removes an obstacle.
fn change(
    random: &mut Random,
    scene: &navbake_testkit::scene::Scene,
    world: &mut World,
    ids: &mut Vec<ObstacleId>,
    most: i32,
) {
    let crowded = ids.len() >= 6;
    match random.below(3) {
        0 if !crowded => {
            ids.push(world.add(obstacle(random, scene, most)).expect("within the grid"))
        }
        1 if !ids.is_empty() => {
            let id = ids[random.below(ids.len())];
            world.move_to(id, obstacle(random, scene, most)).expect("an obstacle of the world");
        }
        _ if !ids.is_empty() => {
            let id = ids.swap_remove(random.below(ids.len()));
            world.remove(id).expect("an obstacle of the world");
        }
        _ => ids.push(world.add(obstacle(random, scene, most)).expect("within the grid")),
    }
}

fn optimal_is_shortest(seed: u64, rounds: usize, scale: i32) {
    let mut random = Random(seed);
    let mut scratch = Scratch::new();
    let (mut reached, mut cut) = (0, 0);
    for round in 0..rounds {
        let mix = Mix {
            columns: 1 + random.below(3),
            rows: 1 + random.below(3),
            storeys: 1 + random.below(2),
            jitter: random.below(5) as i32,
            blocked: random.below(30) as u64,
            cut: random.below(20) as u64,
            exchanged: random.below(40) as u64,
            merged: random.below(100) as u64,
        };
        let (scene, mut world) = world(&mut random, mix, scale);
        let mut ids = vec![];
        for step in 0..10 {
            change(&mut random, &scene, &mut world, &mut ids, 40 * scale);
            world.commit();
            let mesh = world.nav_mesh();
            check(&mesh);
            let (now, there) = scene_of(&mesh);
            if there.is_empty() {
                continue;
            }
            cut += usize::from(mesh.polys().is_changed());
            let query = NavQuery::new(mesh);
            let islands = now.islands();
            for _ in 0..2 {
                let (from, to) = (random.below(there.len()), random.below(there.len()));
                // The middle of an edge need not be on the grid.
                let mut point = |f: usize| {
                    let p = now.point_in(&mut random, f);
                    if now.touches(f, p) { p } else { now.corner(f, 0) }
                };
                let (a, b) = (point(from), point(to));
                let place = |f: usize, p| query.on_polygon_grid(there[f], p).expect("of the face");
                let (start, goal) = (place(from, a), place(to, b));
                let optimum = now.shortest(from, a, to, b);
                assert_eq!(optimum.is_some(), islands[from] == islands[to]);
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
                let path = query.find_path_between(&start, &goal, &request, &mut scratch);
                let path = path.expect("a request that Optimal serves");
                let at = format!("seed {seed} scale {scale} round {round} step {step}");
                match optimum {
                    Some(optimum) => {
                        reached += 1;
                        assert_eq!(path.status, Status::Reached, "{at}: {a:?} to {b:?}");
                        assert_shortest(path.length_xz, optimum, (&at, from, a, to, b));
                        assert!(path.certified_optimal);
                        assert!(query.reachable(&start, &goal));
                    }
                    None => assert_eq!(path.status, Status::Unreachable, "{at}"),
                }
            }
        }
    }
    assert!(reached > 8 * rounds && cut > 4 * rounds, "{reached} {cut}");
}

#[test]
fn optimal_equals_brute_force_after_each_change() {
    optimal_is_shortest(1, 50, 16);
}

#[test]
fn optimal_equals_brute_force_where_rounding_is_coarse() {
    optimal_is_shortest(2, 50, 1);
}
