//! Queries of every kind on worlds that change, references to polygons, and memory.

use std::collections::BTreeSet;

use navbake_search::around::{MoveLog, Random as Draws, Shape};
use navbake_search::{
    MoveRequest, NavMesh, NavMeshBuf, NavPoint, NavQuery, PathRequest, PolyId, QueryFilter,
    Scratch, Status,
};
use navbake_testkit::Random;
use navbake_testkit::allocations;
use navbake_testkit::plain_walk::walk;
use navbake_testkit::scene::UNITS;
use navbake_world::{Commit, Error, Obstacle, ObstacleError, World};

use crate::changes::change;
use crate::kit::{Extras, Solid, check, world};

/// A place is on the ground of now, and in no obstacle.
fn check_place(mesh: &NavMesh<'_>, at: &NavPoint, solids: &[Solid]) {
    assert!(mesh.polys().holds(at.polygon().0, at.point()), "{at:?} is not on its polygon");
    let [_, y, _] = at.position();
    for solid in solids.iter().filter(|solid| solid.meets(y)) {
        assert!(solid.away(at.point()) > -0.5, "{at:?} is in {solid:?}");
    }
}

#[test]
fn every_query_stays_on_the_ground_that_obstacles_leave() {
    let mut random = Random(20);
    let mut draws = Draws::new(20);
    let mut scratch = Scratch::new();
    let (mut hits, mut moves) = (0, 0);
    for round in 0..80 {
        let scale = [1, 4, 16][round % 3];
        let (scene, mut world) =
            world(&mut random, scale, Extras { links: 2, ..Extras::default() });
        let mut kept = vec![];
        for _ in 0..8 {
            change(&mut random, &scene, &mut world, &mut kept, 40 * scale);
            world.commit();
            let solids: Vec<Solid> = kept.iter().map(|k| k.1.clone()).collect();
            let mesh = world.nav_mesh();
            let query = NavQuery::new(mesh);
            let mut sums = vec![0; mesh.polygon_count() as usize];
            let areas = query.areas(&mut sums).expect("room for all");
            for _ in 0..6 {
                let Some(at) = query.random_place(&areas, &mut draws) else {
                    continue;
                };
                check_place(&mesh, &at, &solids);
                let island = mesh.island(at.polygon());
                if let Some(place) = query.random_on_island(&areas, island, &mut draws) {
                    check_place(&mesh, &place, &solids);
                    assert_eq!(mesh.island(place.polygon()), island);
                }
                let near = query.random_within(&at, 4.0, &mut draws, &mut scratch);
                check_place(&mesh, &near, &solids);
                let step = |random: &mut Random| f64::from(random.within(-64, 64) * scale) / UNITS;
                let [x, y, z] = at.position();
                let target = [x + step(&mut random), y, z + step(&mut random)];
                if let Some(nearest) = query.nearest(target, [3.0; 3]) {
                    check_place(&mesh, &nearest, &solids);
                }

                let hit = query.raycast(&at, target);
                hits += usize::from(hit.wall.is_some());
                if hit.wall.is_none() {
                    let to = [target[0], target[2]].map(|c| (c * UNITS).round() as i32);
                    let ends = walk(&mesh, &BTreeSet::from([at.polygon()]), at.point(), to);
                    assert!(ends.contains(&hit.polygon), "{at:?} {target:?} {hit:?}");
                }
                let motion = query.move_along(&at, &MoveRequest::new(target), MoveLog::default());
                let end = query.place(motion.end).expect("on the ground");
                check_place(&mesh, &end, &solids);
                moves += usize::from(motion.hit > 0);

                let wall = query.wall_distance(&at, 3.0, &mut scratch).distance * UNITS;
                for solid in solids.iter().filter(|solid| solid.meets(y)) {
                    let there = solid.away(at.point());
                    // Obstacles beyond a wall are not seen; those before one are walls.
                    let angle = random.unit() * std::f64::consts::TAU;
                    let reach = (wall - 1.5).max(0.0);
                    let to = [x + reach / UNITS * angle.cos(), y, z + reach / UNITS * angle.sin()];
                    assert!(query.raycast(&at, to).wall.is_none(), "{at:?} {to:?} {wall} {there}");
                }
                let reached = query.around(&at, Shape::Circle(2.0), &mut scratch);
                assert!(reached.polygons.iter().all(|r| !mesh.polygon(r.polygon()).is_empty()));
            }
        }
    }
    assert!(hits > 500 && moves > 500, "{hits} {moves}");
}

#[test]
fn a_stale_reference_is_always_an_error() {
    let mut random = Random(21);
    let mut stale = 0;
    for _ in 0..40 {
        let (scene, mut world) = world(&mut random, 16, Extras::default());
        let mut kept = vec![];
        let mut known: Vec<(_, Vec<[i32; 3]>)> = vec![];
        for _ in 0..10 {
            let corners = |world: &World, id: PolyId| {
                let mesh = world.nav_mesh();
                let polygon = mesh.polygon(id);
                (0..polygon.len()).map(|k| polygon.point(k)).collect::<Vec<_>>()
            };
            for polygon in world.nav_mesh().polygons().filter(|p| !p.is_empty()) {
                let id = polygon.id();
                known.push((world.polygon_ref(id), corners(&world, id)));
            }
            change(&mut random, &scene, &mut world, &mut kept, 640);
            world.commit();
            for (reference, before) in &known {
                match world.polygon(*reference) {
                    // What is returned is the polygon that was meant.
                    Ok(id) => assert_eq!(&corners(&world, id), before),
                    Err(error) => {
                        assert_eq!(error, Error::Stale);
                        stale += 1;
                    }
                }
            }
        }
    }
    assert!(stale > 1000, "{stale}");
}

#[test]
fn obstacles_that_reach_beyond_the_grid_are_refused() {
    let (_, mut world) = world(&mut Random(22), 16, Extras::default());
    // Beyond 32 bits, where the least number has no positive one.
    for radius in [1e7, 1e9, 1e12, 1e300] {
        let wide = Obstacle::cylinder([1.0, 1.0], radius, [0.0, 1.0]).expect("finite");
        assert_eq!(world.add(wide), Err(Error::OutOfRange), "{radius}");
    }
}

#[test]
fn ids_of_removed_obstacles_are_errors() {
    let mut random = Random(22);
    let (_, mut world) = world(&mut random, 16, Extras::default());
    let barrel = Obstacle::cylinder([1.0, 1.0], 0.5, [0.0, 1.0]).expect("a cylinder");
    let first = world.add(barrel).expect("on the grid");
    world.commit();
    assert_eq!(world.obstacle(first), Ok(&barrel));
    assert_eq!(world.remove(first), Ok(()));
    assert_eq!(world.move_to(first, barrel), Err(Error::NoObstacle));
    world.commit();
    let second = world.add(barrel).expect("on the grid");
    assert_ne!(first, second);
    assert_eq!(world.obstacle(first), Err(Error::NoObstacle));
    let far = barrel.moved([1e9, 0.0, 0.0]).expect("finite");
    assert_eq!(world.add(far), Err(Error::OutOfRange));
    let none = Obstacle::prism(&[[0.0; 2]], [0.0, 1.0]);
    assert_eq!(none, Err(ObstacleError::Corners(1)));
    assert_eq!(
        Obstacle::prism(&[[0.0; 2]; 2], [1.0, 0.0]),
        Err(ObstacleError::Heights([1.0, 0.0]))
    );
    assert_eq!(Obstacle::cylinder([0.0; 2], -1.0, [0.0; 2]), Err(ObstacleError::Radius(-1.0)));
    let infinite = Obstacle::cylinder([f64::INFINITY, 0.0], 1.0, [0.0; 2]);
    assert_eq!(infinite, Err(ObstacleError::NotFinite(f64::INFINITY)));
}

#[test]
fn obstacles_are_listed_as_they_were_committed() {
    let (_, mut world) = world(&mut Random(22), 16, Extras::default());
    let listed = |world: &World| world.obstacles().map(|(id, own)| (id, *own)).collect::<Vec<_>>();
    let barrel = Obstacle::cylinder([1.0, 1.0], 0.5, [0.0, 1.0]).expect("a cylinder");
    let moved = barrel.moved([1.0, 0.0, 0.0]).expect("finite");
    let ids = [barrel, moved].map(|own| world.add(own).expect("on the grid"));
    assert_eq!(listed(&world), []);
    world.commit();
    assert_eq!(listed(&world), [(ids[0], barrel), (ids[1], moved)]);
    world.remove(ids[0]).expect("it is there");
    world.move_to(ids[1], barrel).expect("it is there");
    assert_eq!(listed(&world), [(ids[0], barrel), (ids[1], moved)], "staged");
    world.commit();
    assert_eq!(listed(&world), [(ids[1], barrel)]);
}

#[test]
fn a_commit_is_bounded_and_the_rest_is_left() {
    let mut random = Random(23);
    let (scene, mut world) = world(&mut random, 16, Extras::default());
    let mut kept = vec![];
    while kept.len() < 6 {
        change(&mut random, &scene, &mut world, &mut kept, 640);
    }
    let mut left = usize::MAX;
    while left > 0 {
        let done = world.commit_some(1);
        assert!(done.changed >= 1 && done.left < left, "{done:?}");
        check(&world.nav_mesh());
        left = done.left;
    }
    assert_eq!(world.commit(), Commit::default());
}

#[test]
fn readers_on_other_threads_see_whole_commits() {
    let mut random = Random(27);
    let (scene, world) = world(&mut random, 16, Extras::default());
    let world = std::sync::RwLock::new(world);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let readers = [1, 2].map(|seed| {
            let (world, done) = (&world, &done);
            scope.spawn(move || {
                let (mut draws, mut scratch) = (Draws::new(seed), Scratch::new());
                let mut asked = 0;
                while asked < 200 || !done.load(std::sync::atomic::Ordering::Relaxed) {
                    let world = world.read().expect("no writer panics");
                    let query = NavQuery::new(world.nav_mesh());
                    let mut sums = vec![0; query.mesh().polygon_count() as usize];
                    let areas = query.areas(&mut sums).expect("room for all");
                    let ends = [(); 2].map(|()| query.random_place(&areas, &mut draws));
                    if let [Some(from), Some(to)] = ends {
                        let request = PathRequest::new(from.position(), to.position());
                        query.find_path(&request, &mut scratch).expect("plain ground");
                    }
                    asked += 1;
                }
            })
        });
        let mut kept = vec![];
        for _ in 0..200 {
            change(
                &mut random,
                &scene,
                &mut world.write().expect("no reader panics"),
                &mut kept,
                640,
            );
            world.write().expect("no reader panics").commit_some(3);
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        for reader in readers {
            reader.join().expect("a reader that ends");
        }
    });
    check(&world.read().expect("no writer panics").nav_mesh());
}

#[test]
fn the_same_changes_give_the_same_mesh() {
    let mesh = |world: &World| {
        let mesh = world.nav_mesh();
        let polygons = mesh.polygons().filter(|p| !p.is_empty());
        polygons.map(|p| (p.id(), p.border().iter().collect::<Vec<_>>())).collect::<Vec<_>>()
    };
    let play = || {
        let mut random = Random(24);
        let (scene, mut world) = world(&mut random, 16, Extras::default());
        let mut kept = vec![];
        for _ in 0..50 {
            change(&mut random, &scene, &mut world, &mut kept, 640);
            world.commit_some(3);
        }
        mesh(&world)
    };
    assert_eq!(play(), play());
}

#[test]
fn paths_refuse_a_filter_that_blocked_ground_before_a_commit() {
    let rows = ["....", "....", "...."];
    let bytes = navbake_testkit::squares::World::flat(&rows).bake(true, false);
    let mut world = World::new(NavMeshBuf::open(&bytes).expect("a sound file"));
    let mut filter = QueryFilter::new();
    filter.set_blocked(&world.nav_mesh(), &[], 1 << 5).expect("memory that grows");
    let at = {
        let mesh = world.nav_mesh();
        let [low, high] = mesh.bounds();
        mesh.grid().metres([0, 1, 2].map(|k| f64::from(low[k] + high[k]) / 2.0))
    };
    let request = PathRequest::new(at, at);
    let ask = |world: &World, filter: &QueryFilter| {
        let query = NavQuery::new(world.nav_mesh()).with_filter(filter);
        query.find_path(&request, &mut Scratch::new()).map(|path| path.status)
    };
    assert_eq!(ask(&world, &filter), Ok(Status::Reached));
    let far = [at[0] + 1.0, at[2] + 1.0];
    let heights = [at[1] - 1.0, at[1] + 1.0];
    world.add(Obstacle::cylinder(far, 0.25, heights).expect("a cylinder")).expect("on the grid");
    assert!(world.commit().polygons > 0);
    assert_eq!(ask(&world, &filter), Err(navbake_search::Error::StaleFilter));
    filter.refresh(&world.nav_mesh()).expect("memory that grows");
    assert_eq!(ask(&world, &filter), Ok(Status::Reached));
}

/// Random operations of every kind, committed in parts.
#[test]
fn a_soak_of_random_changes_keeps_the_mesh_sound() {
    let mut random = Random(25);
    for round in 0..60 {
        let scale = [1, 2, 16, 4096][round % 4];
        let extras = Extras { doors: 20, links: 3, ..Extras::default() };
        let (scene, mut world) = world(&mut random, scale, extras);
        let mut kept = vec![];
        for step in 0..200 {
            change(&mut random, &scene, &mut world, &mut kept, [5, 40, 120][step % 3] * scale);
            world.commit_some(1 + random.below(8));
            if step % 10 == 0 {
                check(&world.nav_mesh());
            }
        }
    }
}

#[test]
fn commits_allocate_nothing_after_warm_up() {
    let mut random = Random(26);
    let (_, mut world) = world(&mut random, 64, Extras::default());
    let barrel = |x: f64| Obstacle::cylinder([x, 20.0], 3.0, [-0.5, 20.0]).expect("a cylinder");
    let id = world.add(barrel(0.0)).expect("on the grid");
    let walk = |world: &mut World| {
        let (mut most, mut changed) = (0, 0);
        for step in 0..200 {
            world.move_to(id, barrel(f64::from(step))).expect("an obstacle of the world");
            let before = allocations::count();
            changed += world.commit().polygons;
            most = most.max(allocations::count() - before);
        }
        assert!(changed > 200, "{changed} polygons");
        most
    };
    walk(&mut world);
    assert_eq!(walk(&mut world), 0);
}
