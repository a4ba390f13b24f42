//! Random changes: shortest paths, ground that is left, removal.

use navbake_search::{
    AStar, Algorithm, Error, NavMeshBuf, NavPoint, NavQuery, PathRequest, QueryFilter, Scratch,
    Status,
};
use navbake_testkit::Random;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_testkit::scene::{Scene, UNITS};
use navbake_world::{ObstacleId, World};

use crate::kit::{Extras, Solid, check, check_restored, check_walkable, level, solid, world};

/// Adds, moves or removes an obstacle.
pub(crate) fn change(
    random: &mut Random,
    scene: &Scene,
    world: &mut World,
    solids: &mut Vec<(ObstacleId, Solid)>,
    most: i32,
) {
    let new = solid(random, scene, most);
    match random.below(3) {
        0 if !solids.is_empty() => {
            let one = random.below(solids.len());
            world.move_to(solids[one].0, new.obstacle).expect("an obstacle of the world");
            solids[one].1 = new;
        }
        1 if !solids.is_empty() => {
            let (id, _) = solids.swap_remove(random.below(solids.len()));
            world.remove(id).expect("an obstacle of the world");
            assert_eq!(world.remove(id), Err(navbake_world::Error::NoObstacle));
        }
        _ if solids.len() < 6 => {
            solids.push((world.add(new.obstacle).expect("within the grid"), new));
        }
        _ => {}
    }
}

/// A point of a face on the grid: the middle of an edge need not be.
pub(crate) fn point(random: &mut Random, scene: &Scene, face: usize) -> [i32; 2] {
    let p = scene.point_in(random, face);
    if scene.touches(face, p) { p } else { scene.corner(face, 0) }
}

/// The place of a point of a face.
pub(crate) fn ground(
    query: &NavQuery<'_>,
    scene: &Scene,
    face: usize,
    p: [i32; 2],
) -> Option<NavPoint> {
    let [x, z] = p.map(|c| f64::from(c) / UNITS);
    query.locate([x, 10.0 * scene.faces[face].storey as f64, z], 1.0)
}

/// Returns how many paths that turn are looked up, and how many of those take a link.
fn optimal_is_shortest(seed: u64, rounds: usize, scale: i32, extras: Extras) -> [usize; 2] {
    let mut random = Random(seed);
    let mut scratch = Scratch::new();
    let (mut reached, mut cut, mut by_tables, mut over_links) = (0, 0, 0, 0);
    for round in 0..rounds {
        let (scene, mut world) = world(&mut random, scale, extras);
        let mut solids = vec![];
        for step in 0..10 {
            change(&mut random, &scene, &mut world, &mut solids, 40 * scale);
            world.commit();
            let mesh = world.nav_mesh();
            check(&mesh);
            let (mut now, there) = Scene::of(&mesh);
            if there.is_empty() {
                continue;
            }
            cut += usize::from(mesh.polys().is_changed());
            let switches = if extras.doors > 0 { random.below(8) as u64 } else { 0 };
            now.close(switches, 0);
            let mut filter = QueryFilter::new();
            filter.set_blocked(&mesh, &[switches], 0).expect("memory that grows");
            let query = NavQuery::new(mesh).with_filter(&filter);
            for _ in 0..2 {
                let (from, to) = (random.below(there.len()), random.below(there.len()));
                let (a, b) = (point(&mut random, &now, from), point(&mut random, &now, to));
                let place = |f: usize, p| query.on_polygon_grid(there[f], p).expect("of the face");
                let (start, goal) = (place(from, a), place(to, b));
                let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
                let path = match query.find_path_between(&start, &goal, &request, &mut scratch) {
                    Err(Error::StartBlocked) if now.closed.holds(from) => continue,
                    path => path.expect("a request that Optimal serves"),
                };
                let optimum = now.shortest(from, a, to, b);
                let at = format!("seed {seed} scale {scale} round {round} step {step}");
                let Some(optimum) = optimum else {
                    assert_eq!(path.status, Status::Unreachable, "{at}: {a:?} to {b:?}");
                    continue;
                };
                reached += 1;
                by_tables += usize::from(path.by_tables && path.points.len() > 2);
                over_links += usize::from(path.by_tables && path.legs().count() > 1);
                assert_eq!(path.status, Status::Reached, "{at}: {a:?} to {b:?}");
                assert_shortest(path.cost, optimum, (&at, from, a, to, b));
                assert!(path.certified_optimal);
                check_walkable(&query, &start, &goal, &path);
                assert!(query.reachable(&start, &goal), "{at}: a wrong no");
                for algorithm in [Algorithm::Corridor(AStar::default()), Algorithm::weighted(0.0)] {
                    let request = request.algorithm(algorithm);
                    let path = query.find_path_between(&start, &goal, &request, &mut scratch);
                    let path = path.expect("a request that every mesh serves");
                    assert_eq!(path.status, Status::Reached, "{at}: {a:?} to {b:?}");
                    assert!(path.cost * UNITS >= optimum * (1.0 - 1e-9), "{at}");
                    check_walkable(&query, &start, &goal, &path);
                }
            }
        }
    }
    assert!(reached > 4 * rounds && cut > 4 * rounds, "{reached} {cut}");
    [by_tables, over_links]
}

/// Of the boxes in which ends of paths are looked for, metres.
const EXTENTS: [f64; 3] = [0.0, 2.0, 0.0];

#[test]
fn of_several_goals_on_a_changed_mesh_with_labels_and_links_the_nearest_is_found() {
    let (mut random, mut scratch) = (Random(9), Scratch::new());
    let (mut reached, mut by_tables) = (0, 0);
    for round in 0..120 {
        let links = [4, 0, 8][round % 3];
        let extras = Extras { links, labels: true, ..Extras::default() };
        // Where rounding is coarse it takes places to polygons beside theirs.
        let scale = [1, 1, 4][round / 3 % 3];
        let (scene, mut world) = world(&mut random, scale, extras);
        let mut solids = vec![];
        for step in 0..10 {
            change(&mut random, &scene, &mut world, &mut solids, 40 * scale);
            world.commit();
            let mesh = world.nav_mesh();
            let (now, there) = Scene::of(&mesh);
            if there.is_empty() {
                continue;
            }
            let query = NavQuery::new(mesh);
            let mut place = || {
                let face = random.below(there.len());
                let p = point(&mut random, &now, face);
                let own = query.on_polygon_grid(there[face], p).expect("of the face");
                // On an edge or where storeys meet it may be another polygon's.
                let found = query.end(own.position(), EXTENTS).expect("of the face");
                let face = there.iter().position(|&own| own == found.polygon());
                (face.expect("a polygon of now"), found.point(), own.position())
            };
            for _ in 0..3 {
                let (from, ends) = (place(), [(); 3].map(|()| place()));
                let lengths = ends.map(|(face, p, _)| now.shortest(from.0, from.1, face, p));
                let least = lengths.into_iter().flatten().min_by(f64::total_cmp);
                let request = PathRequest::new(from.2, from.2).algorithm(Algorithm::Optimal);
                let request = request.extents(EXTENTS);
                let goals = ends.map(|(_, _, position)| position);
                let path = query.find_path_to_any(&request, &goals, &mut scratch);
                let path = path.expect("a request that Optimal serves");
                let at = format!("round {round} step {step}: {from:?} to {ends:?}");
                let Some(least) = least else {
                    assert_eq!(path.status, Status::Unreachable, "{at}");
                    continue;
                };
                reached += 1;
                by_tables += usize::from(path.by_tables && path.points.len() > 2);
                assert_eq!(path.status, Status::Reached, "{at}");
                assert!(path.certified_optimal, "{at}");
                assert_shortest(path.cost, least, &at);
            }
        }
    }
    assert!(reached > 1000 && by_tables > 60, "{reached} {by_tables}");
}

#[test]
fn optimal_equals_brute_force_after_each_change() {
    optimal_is_shortest(1, 100, 16, Extras::default());
}

#[test]
fn optimal_equals_brute_force_where_rounding_is_coarse() {
    optimal_is_shortest(2, 100, 1, Extras::default());
}

#[test]
fn optimal_equals_brute_force_with_closed_doors_and_links() {
    optimal_is_shortest(3, 60, 16, Extras { doors: 30, ..Extras::default() });
    optimal_is_shortest(4, 60, 16, Extras { links: 4, ..Extras::default() });
    optimal_is_shortest(5, 60, 4, Extras { doors: 20, links: 3, labels: true, areas: false });
}

#[test]
fn labels_still_answer_where_nothing_touches_the_path() {
    let labels = Extras { labels: true, ..Extras::default() };
    let [by_tables, _] = optimal_is_shortest(6, 100, 16, labels);
    assert!(by_tables > 50, "{by_tables} paths by labels");
    let [_, over_links] = optimal_is_shortest(8, 60, 16, Extras { links: 4, ..labels });
    assert!(over_links > 50, "{over_links} paths over links by labels");
}

#[test]
fn obstacles_take_the_ground_within_their_reach_and_no_other() {
    let mut random = Random(7);
    let (mut taken, mut left) = (0, 0);
    for _ in 0..100 {
        let (scene, mut world) = world(&mut random, 16, Extras::default());
        let mut solids = vec![];
        for _ in 0..10 {
            change(&mut random, &scene, &mut world, &mut solids, 640);
        }
        world.commit();
        let [baked, now] = [world.baked(), world.nav_mesh()].map(NavQuery::new);
        if scene.faces.is_empty() {
            continue;
        }
        for _ in 0..300 {
            let face = random.below(scene.faces.len());
            let p = point(&mut random, &scene, face);
            let Some([x, y, z]) = ground(&baked, &scene, face, p).map(|at| at.position()) else {
                continue;
            };
            let away = (solids.iter().map(|s| &s.1))
                .filter(|solid| solid.meets(y))
                .map(|solid| solid.away(p))
                .fold(f64::INFINITY, f64::min);
            if away < -0.5 {
                assert_eq!(now.locate([x, y, z], 0.5), None, "{p:?} is in an obstacle");
                taken += 1;
            } else if away > 6.0 {
                // Rounding takes a few grid units, also of walls that obstacles cross.
                let near = now.nearest([x, y, z], [2.0 / UNITS, 0.5, 2.0 / UNITS]);
                assert!(near.is_some(), "{p:?} is {away} units away");
                left += 1;
            }
        }
    }
    assert!(taken > 1000 && left > 5000, "{taken} {left}");
}

#[test]
fn removal_restores_every_polygon_and_answer() {
    let mut random = Random(8);
    let mut scratch = Scratch::new();
    for _ in 0..60 {
        let (scene, mut world) = world(&mut random, 8, Extras { links: 2, ..Extras::default() });
        if scene.faces.is_empty() {
            continue;
        }
        // Some obstacles stay; the answers after others came and went must be the same.
        let mut stay = vec![];
        for _ in 0..3 {
            change(&mut random, &scene, &mut world, &mut stay, 160);
        }
        world.commit();
        let mut ends = vec![];
        for _ in 0..8 {
            let face = random.below(scene.faces.len());
            let p = point(&mut random, &scene, face);
            let [x, z] = p.map(|c| f64::from(c) / UNITS);
            ends.push([x, 10.0 * scene.faces[face].storey as f64, z]);
        }
        let mut ask = |world: &World| {
            let query = NavQuery::new(world.nav_mesh());
            let mut answers = vec![];
            for from in &ends {
                for to in &ends {
                    let request = PathRequest::new(*from, *to).algorithm(Algorithm::Optimal);
                    let path = query.find_path(&request, &mut scratch).expect("plain ground");
                    let points: Vec<[f64; 3]> = path.points.to_vec();
                    answers.push((path.status, path.length_xz.to_bits(), points));
                }
            }
            answers
        };
        let before = ask(&world);
        let mut others = vec![];
        for _ in 0..12 {
            change(&mut random, &scene, &mut world, &mut others, 160);
            world.commit_some(1 + random.below(4));
        }
        for (id, _) in others {
            world.remove(id).expect("an obstacle of the world");
        }
        world.commit();
        for (now, before) in ask(&world).into_iter().zip(before) {
            assert_eq!(now, before);
        }
        for (id, _) in stay {
            world.remove(id).expect("an obstacle of the world");
        }
        world.commit();
        check_restored(&world);
        let now = world.changed_mesh();
        let rings = now.polys().pieces.rings;
        assert!(rings.iter().enumerate().all(|(k, next)| next == k as u32));
    }
}

#[test]
fn a_commit_of_many_changes_cuts_each_polygon_once_and_as_one_after_another() {
    let mut random = Random(11);
    let mut shared = 0;
    for _ in 0..40 {
        let (scene, bytes) = level(&mut random, 8, Extras::default());
        if scene.faces.is_empty() {
            continue;
        }
        let new = || World::new(NavMeshBuf::open(&bytes).expect("a sound file"));
        let (mut together, mut singly) = (new(), new());
        let polygons = together.nav_mesh().polygon_count() as usize;
        let mut ids = vec![];
        for round in 0..3 {
            let mut cut = 0;
            for k in 0..12 {
                let new = solid(&mut random, &scene, 160).obstacle;
                // The next round moves all, and the last one removes some.
                match ids.get(k).copied() {
                    None => {
                        ids.push(together.add(new).unwrap());
                        assert_eq!(singly.add(new).as_ref(), Ok(&ids[k]));
                    }
                    Some(id) if round == 2 && k % 2 == 0 => {
                        for world in [&mut together, &mut singly] {
                            world.remove(id).unwrap();
                        }
                    }
                    Some(id) => {
                        for world in [&mut together, &mut singly] {
                            world.move_to(id, new).unwrap();
                        }
                    }
                }
                cut += singly.commit().polygons;
            }
            let done = together.commit();
            assert_eq!((done.changed, done.left), (12, 0));
            assert!(done.polygons <= polygons.min(cut), "{done:?}, {cut} one after another");
            shared += cut - done.polygons;
            check(&together.nav_mesh());
            let rings = |world: &World| {
                let mesh = world.nav_mesh();
                let rings = mesh.polygons().map(|p| (0..p.len()).map(|k| p.point(k)).collect());
                let mut all: Vec<Vec<[i32; 3]>> = rings.collect();
                // Polygons that are gone have no corners. Their number depends on memory.
                all.retain(|ring| !ring.is_empty());
                all.sort_unstable();
                all
            };
            assert_eq!(rings(&together), rings(&singly));
        }
    }
    assert!(shared > 500, "{shared}");
}
