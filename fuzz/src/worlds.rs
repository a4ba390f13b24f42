//! Obstacles that come, move and go: programs of changes beside slow models.

use navbake_format::{NavMeshBuf, crc32c};
use navbake_search::{Algorithm, NavQuery, PathRequest, Scratch, Status};
use navbake_testkit::Random;
use navbake_testkit::scene::Scene;
use navbake_testkit::scene::shortest::assert_shortest;
use navbake_world::{AreaId, Error, ObstacleId, World};

use crate::input::Input;
use crate::queries::{Rounds, ask_mesh};

/// Scenes, obstacles and checks are those of the tests of the crate.
#[path = "../../crates/world/tests/it/kit.rs"]
#[allow(dead_code)]
pub(crate) mod kit;

use kit::{Extras, Solid, check, check_restored, check_walkable, level, solid};

/// A program: scene, then changes, commits and questions.
pub fn world(data: &[u8]) {
    let mut input = Input(data);
    let scale = [1, 4, 16, 1024][input.below(4)];
    let extras = Extras {
        doors: [0, 0, 20, 40][input.below(4)],
        links: input.below(4),
        labels: input.chance(60),
        areas: false,
    };
    let mut random = Random(u64::from(input.word()));
    let (scene, file) = level(&mut random, scale, extras);
    let nav = NavMeshBuf::open(&file).expect("a sound file");
    let mut world = World::new(nav.clone());
    let mut solids: Vec<(ObstacleId, Solid)> = vec![];
    let mut volumes: Vec<ObstacleId> = vec![];
    // What readers see: the staged changes that commits have made.
    let mut is_committed;
    if input.is_empty() {
        return;
    }
    crate::worked();
    for _ in 0..24 {
        if input.is_empty() {
            break;
        }
        let (kind, size) = (input.byte(), input.word());
        let mut own = Random(u64::from(size) << 8 | u64::from(kind));
        let most = [5, 40, 160, 640][usize::from(size) % 4] * scale;
        match kind % 8 {
            2 if size & 0x100 != 0 && volumes.len() < 4 => {
                let shape = solid(&mut own, &scene, most).obstacle;
                match world.add_volume(shape, AreaId(own.below(AreaId::LIMIT) as u8)) {
                    Ok(id) => volumes.push(id),
                    Err(error) => assert_eq!(error, Error::OutOfRange),
                }
                is_committed = false;
            }
            4 if size & 0x100 != 0 && !volumes.is_empty() => {
                let id = volumes.swap_remove(usize::from(size) % volumes.len());
                world.remove(id).expect("a volume of the world");
                is_committed = false;
            }
            0..=2 if solids.len() < 8 => {
                let new = solid(&mut own, &scene, most);
                match world.add(new.obstacle) {
                    Ok(id) => solids.push((id, new)),
                    Err(error) => assert_eq!(error, Error::OutOfRange),
                }
                is_committed = false;
            }
            3 if !solids.is_empty() => {
                let one = usize::from(size) % solids.len();
                let new = solid(&mut own, &scene, most);
                if world.move_to(solids[one].0, new.obstacle).is_ok() {
                    solids[one].1 = new;
                }
                is_committed = false;
            }
            4 if !solids.is_empty() => {
                let (id, _) = solids.swap_remove(usize::from(size) % solids.len());
                world.remove(id).expect("an obstacle of the world");
                assert_eq!(world.remove(id), Err(Error::NoObstacle));
                is_committed = false;
            }
            5 => {
                let done = world.commit_some(usize::from(size % 5));
                is_committed = done.left == 0;
                check(&world.nav_mesh());
            }
            6 => {
                let restore = |saved: &[u8]| World::restore(nav.clone(), saved, |_| None);
                save_and_restore(&mut world, restore, &mut input, true);
                is_committed = true;
            }
            _ => {
                world.commit();
                is_committed = true;
                check(&world.nav_mesh());
            }
        }
        if is_committed {
            let mesh = world.nav_mesh();
            ask_mesh(&mesh, Rounds { seed: u64::from(size), count: 1 }, &mut |_| {});
            solids_are_kept(&world, &solids, u64::from(size));
            without_one(&mut world, &solids, u64::from(size));
            if kind & 0x30 == 0 {
                shortest(&world, &mut own);
            }
        }
    }
    for id in solids.into_iter().map(|(id, _)| id).chain(volumes) {
        world.remove(id).expect("an obstacle of the world");
    }
    world.commit();
    check_restored(&world);
}

/// A save gives a world that goes on as the one that was saved, which it replaces; a damaged save
/// is refused, or gives a world that works.
pub(crate) fn save_and_restore(
    world: &mut World,
    restore: impl Fn(&[u8]) -> Result<World, Error>,
    input: &mut Input<'_>,
    is_sound: bool,
) {
    let saved = world.save();
    let (head, content) = saved.split_at(16);
    let mut damaged = content.to_vec();
    for _ in 0..1 + input.below(3) {
        let at = usize::from(input.word()) % damaged.len();
        damaged[at] = input.byte();
    }
    let sum = crc32c(&[&damaged]).to_le_bytes();
    if let Ok(mut other) = restore(&[&head[..12], &sum, &damaged].concat()) {
        other.commit();
        if is_sound {
            check(&other.nav_mesh());
        }
    }
    match restore(&saved) {
        Ok(mut restored) => {
            let same = |one: &World, other: &World| assert!(one.save() == other.save());
            if is_sound {
                same(world, &restored);
                assert_eq!(world.commit(), restored.commit());
                same(world, &restored);
            }
            *world = restored;
        }
        // Chunks that are forged may be joined in another order.
        Err(error) => assert!(!is_sound, "a sound save is refused: {error}"),
    }
    world.commit();
}

/// A world without an obstacle works, and is afterwards as before.
fn without_one(world: &mut World, solids: &[(ObstacleId, Solid)], seed: u64) {
    let Some((id, _)) = solids.get(seed as usize % solids.len().max(1)) else {
        return;
    };
    let saved = world.save();
    let asked = world.without(&[*id], |mesh| {
        check(&mesh);
        ask_mesh(&mesh, Rounds { seed, count: 1 }, &mut |_| {});
    });
    asked.expect("an obstacle of the world");
    assert!(world.save() == saved, "a question changed the world");
}

/// Places are on their polygons and outside of obstacles.
fn solids_are_kept(world: &World, solids: &[(ObstacleId, Solid)], seed: u64) {
    let mesh = world.nav_mesh();
    let query = NavQuery::new(mesh);
    let mut sums = vec![0; mesh.polygon_count() as usize];
    let Some(areas) = query.areas(&mut sums) else {
        return;
    };
    let mut draws = navbake_search::around::Random::new(seed);
    for _ in 0..6 {
        let Some(at) = query.random_place(&areas, &mut draws) else {
            return;
        };
        assert!(mesh.polys().holds(at.polygon().0, at.point()), "{at:?} is not on its polygon");
        let [_, y, _] = at.position();
        for (_, solid) in solids.iter().filter(|(_, solid)| solid.meets(y)) {
            assert!(solid.away(at.point()) > -0.5, "{at:?} is in {solid:?}");
        }
    }
}

/// A path is as short as a search over the visibility graph of the polygons that are left.
fn shortest(world: &World, random: &mut Random) {
    let mesh = world.nav_mesh();
    let (now, there) = Scene::of(&mesh);
    if there.is_empty() || there.len() > 60 {
        return;
    }
    let query = NavQuery::new(mesh);
    let (from, to) = (random.below(there.len()), random.below(there.len()));
    let mut point = |face| {
        let p = now.point_in(random, face);
        if now.touches(face, p) { p } else { now.corner(face, 0) }
    };
    let (a, b) = (point(from), point(to));
    let place = |face: usize, p| query.on_polygon_grid(there[face], p).expect("of the face");
    let (start, goal) = (place(from, a), place(to, b));
    let request = PathRequest::new([0.0; 3], [0.0; 3]).algorithm(Algorithm::Optimal);
    let mut scratch = Scratch::new();
    let path = query.find_path_between(&start, &goal, &request, &mut scratch);
    let path = path.expect("a request that Optimal serves");
    match now.shortest(from, a, to, b) {
        None => assert_eq!(path.status, Status::Unreachable, "{a:?} to {b:?}"),
        Some(optimum) => {
            assert_eq!(path.status, Status::Reached, "{a:?} to {b:?}");
            assert_shortest(path.cost, optimum, (from, a, to, b));
            check_walkable(&query, &start, &goal, &path);
        }
    }
}
