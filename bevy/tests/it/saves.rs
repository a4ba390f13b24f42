//! Worlds as bytes: what comes back, and bytes that are refused.

use bevy_asset::{AssetServer, Handle, LoadState};
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_math::Vec3;
use bevy_navbake::search::NavMeshBuf;
use bevy_navbake::world::{self, World};
use bevy_navbake::{
    LevelError, NavChunk, NavFiles, NavLoader, NavObstacle, NavWorld, NavbakeBudget,
};
use bevy_transform::components::Transform;

use crate::support::{Event, Game, chunks, chunks_of_rooms, courtyard, office};

const BARRELS: [[f32; 3]; 4] =
    [[20.0, 0.5, 20.0], [15.0, 0.5, 20.0], [4.0, 0.5, 20.0], [25.0, 0.5, 24.0]];
const FROM: [f32; 3] = [20.0, 0.0, 25.0];
const TO: [f32; 3] = [20.0, 0.0, 15.0];
const SLOW: NavbakeBudget = NavbakeBudget { polygons: 1, entries: 2000, waiting: 1024 };

fn barrel() -> NavObstacle {
    NavObstacle::Cylinder { radius: 1.0, height: 2.0 }
}

fn save(game: &Game, level: Entity) -> Vec<u8> {
    game.nav(level).save().unwrap()
}

fn restore(game: &mut Game, level: Entity, saved: &[u8]) -> Result<(), LevelError> {
    let saved = saved.to_vec();
    let restore = move |mut worlds: Query<&mut NavWorld>, files: NavFiles| {
        worlds.get_mut(level).unwrap().restore(&saved, &files)
    };
    game.app.world_mut().run_system_once(restore).unwrap()
}

fn saved_chunks(
    game: &mut Game,
    level: Entity,
    saved: &[u8],
) -> Result<Vec<Handle<NavChunk>>, LevelError> {
    let saved = saved.to_vec();
    let begin = move |worlds: Query<&NavWorld>, files: NavFiles| {
        worlds.get(level).unwrap().saved_chunks(&saved, &files)
    };
    game.app.world_mut().run_system_once(begin).unwrap()
}

/// Frames until all files are read, or refused.
fn wait(game: &mut Game, files: &[Handle<NavChunk>]) {
    let is_read = |game: &Game| {
        let server = game.app.world().resource::<AssetServer>();
        let read = |state| matches!(state, LoadState::Loaded | LoadState::Failed(_));
        files.iter().all(|file| read(server.load_state(file)))
    };
    for _ in 0..20_000 {
        if is_read(game) {
            return;
        }
        game.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("files are not read: {files:?}");
}

/// All files of a world in chunks: with these held, chunks come in known frames.
fn hold(game: &mut Game) -> Vec<Handle<NavChunk>> {
    let server = game.app.world().resource::<AssetServer>().clone();
    let names = chunks().chunks.iter().map(|(name, _)| format!("world.chunks/{name}"));
    let files: Vec<Handle<NavChunk>> = names.map(|name| server.load(name)).collect();
    wait(game, &files);
    files
}

/// A game in which some obstacles have their ground, and others are staged; with these entities.
fn busy() -> (Game, Entity, Vec<Entity>) {
    let (mut game, level) = Game::ready(courtyard());
    game.app.insert_resource(SLOW);
    let obstacles = BARRELS.map(|at| game.obstacle(barrel(), at)).to_vec();
    game.app.update();
    game.app.update();
    (game, level, obstacles)
}

fn plain(saved: &[u8]) -> World {
    World::restore(NavMeshBuf::open(courtyard()).unwrap(), saved, |_| None).unwrap()
}

fn is_free(game: &Game, level: Entity, [x, _, z]: [f32; 3]) -> bool {
    game.nav(level).query().unwrap().locate([x, 0.0, z], 0.5).is_some()
}

#[test]
fn after_a_new_start_a_world_goes_on_as_the_one_that_was_saved() {
    let (mut game, level, obstacles) = busy();
    let saved = save(&game, level);
    assert_eq!(plain(&saved).commit().changed, 2, "two are staged");
    // Other entities, in another order.
    let (mut other, second) = Game::ready(courtyard());
    other.app.insert_resource(SLOW);
    let mut own = BARRELS;
    own.reverse();
    let mut own = own.map(|at| other.obstacle(barrel(), at)).to_vec();
    own.reverse();
    restore(&mut other, second, &saved).unwrap();
    assert_eq!(save(&other, second), saved);
    let agents = [game.agent(level, FROM, TO), other.agent(second, FROM, TO)];
    for frame in 0..8 {
        for (game, obstacles) in [(&mut game, &obstacles), (&mut other, &own)] {
            match frame {
                1 => game.move_to(obstacles[0], [20.0, 0.5, 21.0]),
                2 => assert!(game.app.world_mut().despawn(obstacles[1])),
                4 => game.move_to(obstacles[3], [20.0, 0.5, 17.5]),
                5 => {
                    game.obstacle(barrel(), [9.0, 0.5, 21.0]);
                }
                _ => {}
            }
            game.app.update();
        }
        assert_eq!(save(&other, second), save(&game, level), "frame {frame}");
    }
    assert_eq!(World::commit(&mut plain(&save(&game, level))).changed, 0, "all are made");
    let [a, b] = [(&game, agents[0]), (&other, agents[1])].map(|(game, agent)| {
        let found = game.answer(agent).found().unwrap();
        assert!(found.optimal && !found.stale && found.points.len() > 2);
        (found.points.clone(), found.length, found.cost)
    });
    assert_eq!(a, b);
}

#[test]
fn entities_that_are_still_there_have_their_obstacles_again() {
    let (mut game, level, obstacles) = busy();
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    let saved = save(&game, level);
    // One moves, one goes, one comes.
    game.move_to(obstacles[0], [9.0, 0.5, 21.0]);
    game.app.world_mut().despawn(obstacles[1]);
    let late = game.obstacle(barrel(), [12.0, 0.5, 24.0]);
    for _ in 0..6 {
        game.app.update();
    }
    assert_ne!(save(&game, level), saved);
    // As a game loads: entities first.
    game.move_to(obstacles[0], BARRELS[0]);
    let back = game.obstacle(barrel(), BARRELS[1]);
    game.app.world_mut().despawn(late);
    restore(&mut game, level, &saved).unwrap();
    assert_eq!(save(&game, level), saved);
    game.events();
    let mut expected = plain(&saved);
    for _ in 0..4 {
        game.app.update();
        expected.commit_some(1);
        assert_eq!(save(&game, level), expected.save());
    }
    assert_eq!(game.events()[..2], [Event::Stale(agent), Event::Found(agent)]);
    // They are moved and go as ever.
    for (entity, at) in [(obstacles[0], BARRELS[0]), (back, BARRELS[1])] {
        assert!(!is_free(&game, level, at));
        game.move_to(entity, [9.0, 0.5, 21.0]);
        game.app.update();
        assert!(is_free(&game, level, at) && !is_free(&game, level, [9.0, 0.5, 21.0]));
        game.app.world_mut().despawn(entity);
        game.app.update();
        assert!(is_free(&game, level, [9.0, 0.5, 21.0]));
    }
}

#[test]
fn paths_are_searched_for_again_after_a_restore() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    let (free, saved) = (game.answer(agent).found().unwrap().length, save(&game, level));
    let obstacle = game.obstacle(barrel(), BARRELS[0]);
    game.until(2);
    assert!(game.answer(agent).found().unwrap().length > free);
    game.app.world_mut().despawn(obstacle);
    restore(&mut game, level, &saved).unwrap();
    // Nothing is left to commit.
    assert_eq!(game.until(2).0, [Event::Stale(agent), Event::Found(agent)]);
    assert_eq!(game.answer(agent).found().unwrap().length, free);
}

#[test]
fn what_no_entity_has_goes_and_what_the_save_does_not_have_comes() {
    let (mut game, level, obstacles) = busy();
    let saved = save(&game, level);
    // Two of the save have an entity: one whose ground is taken, one that is staged. The last
    // entity was elsewhere.
    game.app.world_mut().despawn(obstacles[0]);
    game.app.world_mut().despawn(obstacles[2]);
    let elsewhere = [9.0, 0.5, 21.0];
    game.move_to(obstacles[3], elsewhere);
    restore(&mut game, level, &saved).unwrap();
    for _ in 0..8 {
        game.app.update();
    }
    let free = BARRELS.map(|at| is_free(&game, level, at));
    assert_eq!((free, is_free(&game, level, elsewhere)), ([true, false, true, true], false));
    let world = game.nav(level).world().unwrap();
    assert_eq!(world.obstacles().count(), 2);
    game.app.world_mut().despawn(obstacles[1]);
    game.app.world_mut().despawn(obstacles[3]);
    game.app.update();
    game.app.update();
    assert!(BARRELS.into_iter().chain([elsewhere]).all(|at| is_free(&game, level, at)));
}

#[test]
fn a_save_that_was_cut_or_changed_at_any_byte_is_refused() {
    let (mut game, level, _) = busy();
    let saved = save(&game, level);
    let mut refused = |bytes: &[u8]| {
        let error = restore(&mut game, level, bytes).unwrap_err();
        let LevelError::Saved(reason) = &error else {
            panic!("{error:?}");
        };
        let own = matches!(
            reason,
            world::Error::NotSaved | world::Error::SavedVersion(_) | world::Error::Damaged
        );
        assert!(own && error.to_string() == reason.to_string(), "{error:?}");
        let chunks = saved_chunks(&mut game, level, bytes).unwrap_err();
        assert_eq!(chunks.to_string(), error.to_string());
        assert_eq!(save(&game, level), saved, "the world is as before");
    };
    for k in 0..saved.len() {
        let mut changed = saved.clone();
        changed[k] ^= 1 << (k % 8);
        refused(&changed);
        refused(&saved[..k]);
    }
    refused(&[&saved[..], &[0]].concat());
    restore(&mut game, level, &saved).unwrap();
}

/// A game with a world in chunks: one is there and shall go, another one waits, an obstacle is
/// between them. With the entity of the loader, and files that are held.
fn busy_in_chunks() -> (Game, Entity, Entity, Vec<Handle<NavChunk>>) {
    let (mut game, level) = Game::chunked(chunks(), None);
    let files = hold(&mut game);
    let wanted = [[0, 0], [1, 0], [0, 1]];
    let loader = NavLoader::Chunks(wanted.to_vec());
    let loader = game.app.world_mut().spawn((loader, Transform::default())).id();
    game.until_loaded(level, &wanted);
    game.obstacle(crate_of(), CRATE);
    game.app.update();
    game.app.insert_resource(SLOW);
    *game.app.world_mut().get_mut(loader).unwrap() = NavLoader::Chunks(vec![[1, 1]]);
    game.app.update();
    game.app.update();
    assert_eq!(loaded(&game, level), [[0, 1]]);
    assert_eq!(game.nav(level).loading(), 1);
    (game, level, loader, files)
}

/// On the side of two chunks.
const CRATE: [f32; 3] = [22.5, 1.0, 26.0];

fn crate_of() -> NavObstacle {
    NavObstacle::Box { size: Vec3::new(2.0, 2.0, 2.0) }
}

fn loaded(game: &Game, level: Entity) -> Vec<[i32; 2]> {
    let world = game.nav(level).world().unwrap();
    let all = world.baked().file().chunks();
    all.iter().map(|own| own.key).filter(|&key| world.is_loaded(key)).collect()
}

#[test]
fn a_world_in_chunks_goes_on_with_its_chunks_and_loaders() {
    let (mut game, level, loader, _files) = busy_in_chunks();
    let saved = save(&game, level);
    let both = [[0, 1], [1, 1]];
    assert_eq!(World::saved_chunks(&saved), Ok(both.to_vec()));

    let (mut other, second) = Game::chunked(chunks(), None);
    let files = saved_chunks(&mut other, second, &saved).unwrap();
    assert_eq!(files.len(), 2);
    wait(&mut other, &files);
    let _files = hold(&mut other);
    other.app.insert_resource(SLOW);
    other.obstacle(crate_of(), CRATE);
    restore(&mut other, second, &saved).unwrap();
    assert_eq!((save(&other, second), loaded(&other, second)), (saved, vec![[0, 1]]));
    assert_eq!(other.nav(second).loading(), 1);
    // Both want the one again that is going.
    let wanted = NavLoader::Chunks(both.to_vec());
    *game.app.world_mut().get_mut(loader).unwrap() = wanted.clone();
    other.app.world_mut().spawn((wanted, Transform::default()));
    for frame in 0..8 {
        for game in [&mut game, &mut other] {
            game.app.update();
        }
        assert_eq!(save(&other, second), save(&game, level), "frame {frame}");
    }
    assert_eq!(loaded(&other, second), both);
    assert_eq!(other.nav(second).loading(), 0);
    let [from, to] = [[19.5, 0.0, 26.0], [25.5, 0.0, 26.0]];
    let agents = [game.agent(level, from, to), other.agent(second, from, to)];
    let [a, b] = [(&mut game, agents[0]), (&mut other, agents[1])].map(|(game, agent)| {
        game.app.update();
        game.answer(agent).found().unwrap().length
    });
    assert!(a == b && a > 6.1, "{a} {b}");
}

#[test]
fn chunks_that_no_loader_wants_go_after_a_restore() {
    let (mut game, level, loader, _files) = busy_in_chunks();
    let saved = save(&game, level);
    *game.app.world_mut().get_mut(loader).unwrap() = NavLoader::Chunks(vec![]);
    for _ in 0..4 {
        game.app.update();
    }
    assert_eq!(loaded(&game, level), [[0; 2]; 0]);
    restore(&mut game, level, &saved).unwrap();
    assert_eq!(loaded(&game, level), [[0, 1]]);
    for _ in 0..4 {
        game.app.update();
    }
    assert_eq!((loaded(&game, level), game.nav(level).loading()), (vec![], 0));
}

#[test]
fn chunks_that_are_not_loaded_are_named_with_the_cure() {
    let (game, level, ..) = busy_in_chunks();
    let saved = save(&game, level);
    let (mut other, second) = Game::chunked(chunks(), None);
    let before = save(&other, second);
    let says = |game: &mut Game, text: &str| {
        let error = restore(game, second, &saved).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
        assert_eq!(save(game, second), before, "the world is as before");
    };
    says(&mut other, "not loaded: 0, 1; 1, 1: load them with NavWorld::saved_chunks, and keep");
    let mut files = saved_chunks(&mut other, second, &saved).unwrap();
    wait(&mut other, &files);
    // One is let go.
    files.pop();
    other.app.update();
    other.app.update();
    says(&mut other, "not loaded: 1, 1: load them");
    // Its file is missing, or of another bake.
    let path = other.path("world.chunks").join(&chunks().file([1, 1]).0);
    let (name, _) = chunks().file([1, 1]);
    let foreign = &chunks_of_rooms().file([1, 1]).1;
    for (bytes, cures) in [
        (None, [name.as_str(), "put the folder of chunks that was baked with the index"]),
        (Some(foreign), ["chunk 1, 1 is not one of this world", "load index and chunks of one"]),
    ] {
        match bytes {
            None => std::fs::remove_file(&path).unwrap(),
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
        }
        let files = saved_chunks(&mut other, second, &saved).unwrap();
        wait(&mut other, &files);
        for cure in cures {
            says(&mut other, cure);
        }
        drop(files);
        other.app.update();
        other.app.update();
    }
}

#[test]
fn a_save_of_another_level_or_before_it_is_ready_is_refused() {
    let (game, level, _) = busy();
    let saved = save(&game, level);
    let cure = "restore it with the file that it was saved with";
    let (mut rooms, office) = Game::ready(office());
    let (mut world, index) = Game::chunked(chunks(), None);
    for (game, level) in [(&mut rooms, office), (&mut world, index)] {
        let error = restore(game, level, &saved).unwrap_err().to_string();
        assert!(error.contains(cure), "{error}");
    }
    // A save of a world in chunks, for a level of one file.
    let (chunked, own, ..) = busy_in_chunks();
    let of_chunks = save(&chunked, own);
    let errors = [
        restore(&mut rooms, office, &of_chunks).unwrap_err(),
        saved_chunks(&mut rooms, office, &of_chunks).unwrap_err(),
    ];
    for error in errors {
        assert!(error.to_string().contains(cure), "{error}");
    }
    assert!(saved_chunks(&mut rooms, office, &saved).unwrap().is_empty());

    let mut game = Game::new();
    game.write(chunks());
    let [soon, lost] = ["world.navw", "missing.navbake"].map(|name| game.level(name));
    let early = restore(&mut game, soon, &saved).unwrap_err().to_string();
    assert!(early.contains("wait for LevelReady"), "{early}");
    assert_eq!(game.nav(soon).save().unwrap_err().to_string(), early);
    assert_eq!(saved_chunks(&mut game, soon, &saved).unwrap_err().to_string(), early);
    game.until(2);
    let failed = restore(&mut game, lost, &saved).unwrap_err().to_string();
    assert!(failed.contains("missing.navbake"), "{failed}");
}
