//! Worlds of which something is asked without some obstacles, beside worlds without these.

use navbake_search::blob::Polygon;
use navbake_search::{NavMesh, NavMeshBuf, NavQuery, PathRequest, Scratch};
use navbake_testkit::Random;
use navbake_world::{Error, Obstacle, ObstacleId, World};

use crate::chunks::{SMALL, baked};
use crate::kit::{Extras, check, furnished, level};
use crate::saves::{answers, assert_same_ground, change, change_chunks, of};

/// How queries between places end, without the numbers of polygons.
fn ends(mesh: NavMesh<'_>, places: &[[f64; 3]]) -> Vec<String> {
    let (query, mut scratch) = (NavQuery::new(mesh), Scratch::new());
    let pairs = places.iter().zip(places.iter().skip(1));
    pairs
        .map(|(&from, &to)| {
            let request = PathRequest::new(from, to).partial(true);
            match query.find_path(&request, &mut scratch) {
                Ok(path) => format!("{:?} {:.6}", path.status, path.length_xz),
                Err(error) => format!("{error:?}"),
            }
        })
        .collect()
}

/// The middle of a polygon's corners, y-up metres.
fn middle(mesh: &NavMesh<'_>, polygon: Polygon<'_, '_>) -> [f64; 3] {
    let share = 1.0 / f64::from(polygon.len());
    let corners = (0..polygon.len()).map(|k| mesh.grid().metres(polygon.point(k).map(f64::from)));
    corners.fold([0.0; 3], |sum, corner| [0, 1, 2].map(|k| sum[k] + share * corner[k]))
}

/// Some of the obstacles, some of them twice.
fn some(random: &mut Random, ids: &[ObstacleId]) -> Vec<ObstacleId> {
    (0..random.below(4)).filter_map(|_| ids.get(random.below(8)).copied()).collect()
}

/// Asks a world without some obstacles. Nothing of it may change, and the answers must be those of
/// `other` once the obstacles have been removed there.
fn ask(world: &mut World, aside: &[ObstacleId], mut other: World, places: &[[f64; 3]]) {
    let before = world.save();
    let stamp = world.nav_mesh().polys().pieces.generation;
    let found = world.without(aside, |mesh| {
        check(&mesh);
        (mesh.polys().is_changed(), mesh.polys().pieces.generation, ends(mesh, places))
    });
    let (is_changed, within, found) = found.expect("obstacles that are there");
    assert_eq!(world.save(), before);
    // Filters and fields of one mesh are refused on the other.
    assert!(found == ends(world.nav_mesh(), places) || !is_changed || within != stamp);
    for &id in aside {
        // One that is named twice is gone already.
        let _ = other.remove(id);
    }
    other.commit();
    assert_eq!(found, ends(other.nav_mesh(), places));
}

#[test]
fn a_question_without_some_obstacles_is_answered_as_if_they_were_gone_and_leaves_no_trace() {
    let mut random = Random(31);
    let (mut asked, mut differ) = (0, 0);
    for round in 0..120 {
        let (scene, file) = furnished(&mut random, round);
        let open = || NavMeshBuf::open(&file).expect("a sound file");
        if scene.faces.is_empty() {
            continue;
        }
        let (mut own, mut plain) = (World::new(open()), World::new(open()));
        let (mut ids, mut others) = (vec![], vec![]);
        let places: Vec<[f64; 3]> = {
            let mesh = plain.baked();
            let mut all = mesh.polygons().map(|polygon| middle(&mesh, polygon));
            (0..12).filter_map(|_| all.nth(random.below(4))).collect()
        };
        for step in 0..20 {
            let mut again = Random(random.0);
            let a = change(&mut random, &scene, &mut own, &mut ids);
            let b = change(&mut again, &scene, &mut plain, &mut others);
            assert_eq!(a, b, "round {round} step {step}");
            assert_eq!(own.commit(), plain.commit());
            let aside = some(&mut random, &ids);
            let saved = plain.save();
            let other = World::restore(open(), &saved, |_| None).expect("a sound save");
            ask(&mut own, &aside, other, &places);
            assert_same_ground(&own, &plain);
            assert_eq!(own.save(), saved, "round {round} step {step}");
            let [a, b] = [&own, &plain].map(|world| answers(world.nav_mesh(), step));
            assert_eq!(a, b, "round {round} step {step}");
            asked += aside.len();
            let with = ends(own.nav_mesh(), &places);
            let without = own.without(&aside, |mesh| ends(mesh, &places)).expect("obstacles");
            differ += usize::from(with != without);
        }
    }
    assert!(asked > 500 && differ > 50, "{asked} {differ}");
}

#[test]
fn a_question_to_a_world_in_chunks_without_some_obstacles_leaves_no_trace() {
    let baked = baked(15, SMALL, 1.0);
    let places = baked.places(100);
    let mut random = Random(32);
    let mut changed = 0;
    for round in 0..40 {
        let (mut own, mut plain) = (baked.world(), baked.world());
        let (mut ids, mut others) = (vec![], vec![]);
        for step in 0..60 {
            let mut again = Random(random.0);
            let level = (&baked, &places[..]);
            let a = change_chunks(&mut random, level, &mut own, &mut ids);
            let b = change_chunks(&mut again, level, &mut plain, &mut others);
            assert_eq!(a, b, "round {round} step {step}");
            let aside = some(&mut random, &ids);
            if step % 6 == 0 {
                assert_eq!(own.commit(), plain.commit());
                let chunk = |key| of(&baked, key);
                let other = World::restore(baked.index.clone(), &plain.save(), chunk);
                let few: Vec<[f64; 3]> =
                    places.iter().skip(random.below(80)).take(8).copied().collect();
                ask(&mut own, &aside, other.expect("a sound save"), &few);
            } else {
                own.without(&aside, |_| {}).expect("obstacles that are there");
            }
            changed += usize::from(!aside.is_empty() && own.nav_mesh().polys().is_changed());
            assert_same_ground(&own, &plain);
            assert_eq!(own.save(), plain.save(), "round {round} step {step}");
        }
    }
    assert!(changed > 200, "{changed}");
}

#[test]
fn an_obstacle_that_was_removed_cannot_be_set_aside_and_all_others_stay() {
    let (_, file) = level(&mut Random(33), 16, Extras::default());
    let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
    let disc = Obstacle::cylinder([0.5, 0.5], 0.2, [-1.0, 1.0]).expect("a cylinder");
    let ids = [(); 2].map(|()| world.add(disc).expect("an obstacle"));
    world.commit();
    world.remove(ids[1]).expect("an obstacle");
    let saved = world.save();
    assert_eq!(world.without(&ids, |_| ()), Err(Error::NoObstacle));
    assert_eq!(world.save(), saved);
    assert_eq!(world.obstacles().count(), 2, "the removal waits for a commit");
}

#[test]
fn references_taken_while_obstacles_are_set_aside_are_stale_afterwards() {
    let (_, file) = level(&mut Random(33), 16, Extras::default());
    let mut world = World::new(NavMeshBuf::open(&file).expect("a sound file"));
    let [x, y, z] = {
        let mesh = world.baked();
        let first = mesh.polygons().next().expect("ground");
        middle(&mesh, first)
    };
    let disc = Obstacle::cylinder([x, z], 0.01, [y - 0.5, y + 0.5]).expect("a cylinder");
    let id = world.add(disc).expect("an obstacle");
    world.commit();
    let changed = |world: &World| {
        let mesh = world.nav_mesh();
        let there = mesh.polygons().filter(|polygon| !polygon.is_empty());
        there.map(|polygon| world.polygon_ref(polygon.id())).collect::<Vec<_>>()
    };
    let before = changed(&world);
    world.set_aside(&[id]).expect("an obstacle");
    let within = changed(&world);
    let stale = |world: &World, all: &[navbake_world::PolyRef]| {
        all.iter().filter(|&&own| world.polygon(own) == Err(Error::Stale)).count()
    };
    assert!(stale(&world, &before) > 0 && stale(&world, &within) == 0);
    world.put_back();
    assert!(stale(&world, &within) > 0 && stale(&world, &before) == 0);
}
