//! Worlds in chunks: what is loaded, paths over it, and files that are refused.

use bevy_asset::{AssetServer, Assets};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navbake::search::{self, Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use bevy_navbake::world::{ChunkMesh, World};
use bevy_navbake::{
    NavAgent, NavGoal, NavLevel, NavLoader, NavObstacle, NavPath, NavWorld, NavbakeBudget, Navmesh,
    NoPath, PathFailed,
};
use bevy_transform::components::Transform;

use crate::agents::ends;
use crate::support::courtyard;
use crate::support::{Event, Game, chunks, chunks_of_rooms, chunks_of_two_classes};

/// All chunks of the courtyard.
const ALL: [[i32; 2]; 4] = [[0, 0], [1, 0], [0, 1], [1, 1]];
/// In the first and in the last chunk.
const FROM: [f32; 3] = [2.0, 0.0, 2.0];
const TO: [f32; 3] = [30.0, 0.0, 25.0];
const NOT_LOADED: &str =
    "a path may lead over chunks that are not loaded: NavWorld::route names them";

fn loader(game: &mut Game, loader: NavLoader, at: [f32; 3]) -> Entity {
    let place = Transform::from_translation(Vec3::from(at));
    game.app.world_mut().spawn((loader, place)).id()
}

fn keys(keys: &[[i32; 2]]) -> NavLoader {
    NavLoader::Chunks(keys.to_vec())
}

/// The length of the shortest path on a file of one blob.
fn length(nav: &NavMeshBuf, [from, to]: [[f32; 3]; 2]) -> Option<f64> {
    let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
    let mut scratch = Scratch::new();
    let found = NavQuery::new(nav.mesh()).find_path(&request, &mut scratch).unwrap();
    (found.status == Status::Reached).then_some(found.length_xz)
}

/// Paths between random places are as long as those of one blob.
fn compare(game: &mut Game, level: Entity, nav: &NavMeshBuf, ends: &[[[f32; 3]; 2]]) {
    let agents: Vec<Entity> = ends.iter().map(|&[from, to]| game.agent(level, from, to)).collect();
    game.until(agents.len());
    let mut found = 0;
    for (&agent, &ends) in agents.iter().zip(ends) {
        match (length(nav, ends), game.answer(agent)) {
            (Some(own), NavPath::Found(path)) => {
                assert!((path.length - own).abs() < 1e-6, "{ends:?}: {} {own}", path.length);
                assert!(path.optimal && path.reached && !path.not_loaded);
                found += 1;
            }
            (None, NavPath::Failed(NoPath::Answer(status))) => {
                assert!(matches!(status, Status::OffMesh | Status::Unreachable), "{status:?}");
            }
            (own, other) => panic!("{ends:?}: {own:?}, {other:?}"),
        }
    }
    assert!(found > ends.len() / 2, "{found}");
}

#[test]
fn an_index_lists_its_chunks() {
    let list = |bytes: &[u8]| {
        let all = Navmesh::new(bytes).unwrap();
        all.chunks().map(|chunk| (chunk.key, chunk.file_name())).collect::<Vec<_>>()
    };
    let listed = list(&chunks().index);
    assert_eq!(listed.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ALL);
    for (key, name) in listed {
        assert_eq!(name, chunks().file(key).0);
    }
    assert_eq!(list(courtyard()), []);
    // The file of a chunk is a navmesh like any other.
    assert_eq!(list(&chunks().file([0, 0]).1), []);
}

#[test]
fn paths_over_all_chunks_are_those_of_one_blob() {
    let (mut game, level) = Game::chunked(chunks(), None);
    loader(&mut game, NavLoader::Within(f32::INFINITY), FROM);
    game.until_loaded(level, &ALL);
    assert_eq!(game.events(), []);
    let nav = NavMeshBuf::open(&chunks().whole).unwrap();
    compare(&mut game, level, &nav, &ends(courtyard(), 100));
}

#[test]
fn agents_of_each_class_have_chunks_of_their_own() {
    let (mut game, thin) = Game::chunked(chunks_of_two_classes(), Some("thin"));
    let own = game.app.world().get::<NavLevel>(thin).unwrap().clone().agent("wide");
    let wide = game.app.world_mut().spawn(own).id();
    assert_eq!(game.until(1).0, [Event::Ready(wide)]);
    // One loader for both levels, which share files.
    loader(&mut game, keys(&ALL), FROM);
    for (level, name) in [(thin, "thin"), (wide, "wide")] {
        game.until_loaded(level, &ALL);
        let nav = NavMeshBuf::open_for(&chunks_of_two_classes().whole, name).unwrap();
        assert_eq!(game.nav(level).world().unwrap().baked().class(), nav.mesh().class());
        compare(&mut game, level, &nav, &ends(courtyard(), 50));
    }
}

#[test]
fn a_path_that_needs_chunks_fails_until_they_come_and_is_stale_when_they_go() {
    let (mut game, level) = Game::chunked(chunks(), None);
    let agent = game.agent(level, FROM, TO);
    // Nothing is loaded.
    let failed = [Event::Failed(agent, NOT_LOADED.to_owned())];
    assert_eq!(game.until(1).0, failed);
    let first = loader(&mut game, keys(&[[0, 0]]), FROM);
    game.until_loaded(level, &[[0, 0]]);
    assert_eq!(game.events(), failed, "searched again");
    let route = game.nav(level).route(FROM.into(), TO.into(), 2.0).unwrap();
    assert_eq!(route.passages.last().unwrap().into, [1, 1]);

    let others: Vec<[i32; 2]> = ALL.into_iter().filter(|&key| key != [0, 0]).collect();
    let second = loader(&mut game, keys(&others), FROM);
    game.until_loaded(level, &ALL);
    assert_eq!(game.events().last(), Some(&Event::Found(agent)));
    let nav = NavMeshBuf::open(&chunks().whole).unwrap();
    let own = length(&nav, [FROM, TO]).unwrap();
    assert!((game.answer(agent).found().unwrap().length - own).abs() < 1e-6);

    game.app.world_mut().despawn(second);
    game.until_loaded(level, &[[0, 0]]);
    let events = game.events();
    assert_eq!(events[0], Event::Stale(agent));
    assert_eq!(events[1..].last(), failed.last());
    // The loader goes, and with it all ground.
    game.app.world_mut().despawn(first);
    game.until_loaded(level, &[]);
    assert_eq!(game.nav(level).query().unwrap().mesh().polygons().map(|p| p.len()).sum::<u32>(), 0);
}

/// The observer of docs/engines/bevy.md.
fn want_chunks(
    failed: On<PathFailed>,
    worlds: Query<&NavWorld>,
    mut agents: Query<(&NavAgent, &NavGoal, &Transform, &mut NavLoader)>,
) {
    if let NoPath::Answer(search::Status::NotLoaded) = failed.why
        && let Ok((agent, goal, at, mut loader)) = agents.get_mut(failed.entity)
        && let NavLoader::Chunks(keys) = &mut *loader
        && let Ok(world) = worlds.get(agent.level)
        && let Ok(route) = world.route(at.translation, goal.0, 2.0)
    {
        keys.extend(route.passages.iter().map(|passage| passage.into));
    }
}

#[test]
fn an_agent_that_wants_the_chunks_of_its_route_gets_there() {
    let (mut game, level) = Game::chunked(chunks(), None);
    game.app.add_observer(want_chunks);
    loader(&mut game, NavLoader::Within(5.0), FROM);
    let agent = game.agent(level, FROM, TO);
    game.app.world_mut().entity_mut(agent).insert(NavLoader::Chunks(vec![]));
    for _ in 0..1000 {
        game.app.update();
        if game.answer(agent).found().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(game.answer(agent).found().unwrap().reached);
    let loader = game.app.world().get::<NavLoader>(agent).unwrap();
    assert!(matches!(loader, NavLoader::Chunks(keys) if keys.contains(&[1, 1])), "{loader:?}");
}

#[test]
fn a_partial_path_goes_on_when_chunks_come() {
    let (mut game, level) = Game::chunked(chunks(), None);
    loader(&mut game, keys(&[[0, 0]]), FROM);
    game.until_loaded(level, &[[0, 0]]);
    let partial = NavAgent { partial: true, ..NavAgent::on(level) };
    let agent = game.spawn_agent(partial, FROM, TO);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let found = game.answer(agent).found().unwrap();
    assert!(!found.reached && found.not_loaded && found.points.len() > 1);
    loader(&mut game, keys(&ALL), FROM);
    game.until_loaded(level, &ALL);
    let found = game.answer(agent).found().unwrap();
    assert!(found.reached && !found.not_loaded);
}

#[test]
fn a_loader_wants_the_chunks_around_it_and_lets_them_go_farther_away() {
    let (mut game, level) = Game::chunked(chunks(), None);
    // The second column begins at x = 22.5.
    let player = loader(&mut game, NavLoader::Within(10.0), [5.0, 0.0, 5.0]);
    game.until_loaded(level, &[[0, 0]]);
    game.move_to(player, [14.0, 0.0, 5.0]);
    game.until_loaded(level, &[[0, 0], [1, 0]]);
    // A fourth of 22.5 m longer.
    game.move_to(player, [8.0, 0.0, 5.0]);
    for _ in 0..20 {
        game.app.update();
    }
    assert!(game.nav(level).world().unwrap().is_loaded([1, 0]));
    game.move_to(player, [6.0, 0.0, 5.0]);
    game.until_loaded(level, &[[0, 0]]);
    // Far above the ground, and under a parent that moves it.
    let parent = game.app.world_mut().spawn(Transform::from_xyz(38.0, 500.0, 20.0)).id();
    game.app.world_mut().entity_mut(player).insert(ChildOf(parent));
    game.until_loaded(level, &[[1, 0], [1, 1]]);
    for (radius, wanted) in [(f32::NAN, &[][..]), (-100.0, &[]), (f32::INFINITY, &ALL)] {
        game.app.world_mut().entity_mut(player).insert(NavLoader::Within(radius));
        game.until_loaded(level, wanted);
    }
    // Under a parent without a place it is nowhere.
    let nowhere = game.app.world_mut().spawn_empty().id();
    game.app.world_mut().entity_mut(player).insert(ChildOf(nowhere));
    game.until_loaded(level, &[]);
    assert_eq!(game.events(), []);
}

#[test]
fn the_same_order_of_chunks_gives_the_same_world() {
    let order = [[1, 1], [0, 0], [0, 1], [1, 0]];
    let (mut game, level) = Game::chunked(chunks(), None);
    for count in 1..=order.len() {
        let one = loader(&mut game, keys(&order[..count]), FROM);
        game.until_loaded(level, &order[..count]);
        // The next one wants them too, so none goes.
        loader(&mut game, keys(&order[..count]), FROM);
        game.app.world_mut().despawn(one);
    }
    let mut own = World::new(NavMeshBuf::open(&chunks().index).unwrap());
    for key in order {
        let nav = NavMeshBuf::open(&chunks().file(key).1).unwrap();
        own.insert_chunk(ChunkMesh::new(nav).unwrap()).unwrap();
        own.commit();
    }
    assert_eq!(game.nav(level).world().unwrap().save(), own.save());
}

#[test]
fn a_budget_bounds_the_chunks_of_a_run() {
    let (mut game, level) = Game::chunked(chunks(), None);
    game.app.world_mut().resource_mut::<NavbakeBudget>().polygons = 1;
    loader(&mut game, keys(&ALL), FROM);
    let count = |game: &Game| {
        let world = game.nav(level).world().unwrap();
        ALL.iter().filter(|&&key| world.is_loaded(key)).count()
    };
    let mut before = 0;
    while before < ALL.len() {
        game.app.update();
        let now = count(&game);
        assert!(now <= before + 1, "{now} after {before}");
        assert_eq!(game.nav(level).loading(), ALL.len() - now);
        before = now;
    }
}

#[test]
fn obstacles_stay_while_chunks_come_and_go() {
    let (mut game, level) = Game::chunked(chunks(), None);
    // On the side of two chunks, with no ground there at first.
    let crate_of = NavObstacle::Box { size: Vec3::new(2.0, 2.0, 2.0) };
    game.obstacle(crate_of, [22.5, 1.0, 26.0]);
    game.app.update();
    let [from, to] = [[19.5, 0.0, 26.0], [25.5, 0.0, 26.0]];
    let agent = game.agent(level, from, to);
    let both = [[0, 1], [1, 1]];
    let player = loader(&mut game, keys(&both), FROM);
    game.until_loaded(level, &both);
    let around = game.answer(agent).found().unwrap().length;
    let (mut plain, own) = Game::ready(&chunks().whole);
    plain.obstacle(crate_of, [22.5, 1.0, 26.0]);
    let other = plain.agent(own, from, to);
    plain.until(1);
    let expected = plain.answer(other).found().unwrap().length;
    assert!((around - expected).abs() < 1e-6 && around > 6.1, "{around} {expected}");

    game.app.world_mut().entity_mut(player).insert(keys(&both[..1]));
    game.until_loaded(level, &both[..1]);
    assert!(game.answer(agent).found().is_none());
    game.app.world_mut().entity_mut(player).insert(keys(&both));
    game.until_loaded(level, &both);
    assert_eq!(game.answer(agent).found().unwrap().length, around);
}

#[test]
fn closed_switches_are_closed_in_chunks_that_come_later() {
    let (mut game, level) = Game::chunked(chunks_of_rooms(), None);
    let ends = [[8.0, 0.0, 20.0], [16.0, 0.0, 20.0]];
    loader(&mut game, keys(&ALL), FROM);
    game.until_loaded(level, &ALL);
    let agent = game.agent(level, ends[0], ends[1]);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let (mut plain, own) = Game::ready(&chunks_of_rooms().whole);
    let other = plain.agent(own, ends[0], ends[1]);
    plain.until(1);
    let [closed, expected] =
        [game.answer(agent), plain.answer(other)].map(|path| path.found().unwrap().length);
    assert!((closed - expected).abs() < 1e-6, "{closed} {expected}");
    game.app.world_mut().get_mut::<NavLevel>(level).unwrap().closed = Some(vec![]);
    game.until(3);
    let open = game.answer(agent).found().unwrap().length;
    assert!(open < closed, "{open} {closed}");
    assert_eq!(game.nav(level).loading(), 0, "chunks stay when settings change");
}

#[test]
fn routes_say_why_there_is_none() {
    let mut game = Game::new();
    game.write(chunks());
    let level = game.level("world.navw");
    let why = |game: &Game, from: [f32; 3], to: [f32; 3]| match game.nav(level).route(
        from.into(),
        to.into(),
        2.0,
    ) {
        Err(NoPath::Answer(status)) => status,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(&game, FROM, TO), Status::NotLoaded, "the level is being loaded");
    game.until(1);
    assert_eq!(why(&game, FROM, TO), Status::NotLoaded, "the start is not loaded");
    loader(&mut game, keys(&[[0, 0]]), FROM);
    game.until_loaded(level, &[[0, 0]]);
    assert_eq!(why(&game, [2.0, 9.0, 2.0], TO), Status::OffMesh);
    assert_eq!(why(&game, [500.0, 0.0, 2.0], TO), Status::OffMesh);
    assert_eq!(why(&game, [f32::NAN, 0.0, 2.0], TO), Status::OffMesh);
    assert_eq!(why(&game, FROM, [500.0, 0.0, 2.0]), Status::Unreachable);
    let near = game.nav(level).route(FROM.into(), Vec3::new(4.0, 0.0, 2.0), 2.0).unwrap();
    assert_eq!((near.passages.len(), near.length), (0, 2.0));
    let lost = game.level("missing.navw");
    game.until(1);
    let error = game.nav(lost).route(FROM.into(), TO.into(), 2.0).unwrap_err();
    assert!(error.to_string().contains("missing.navw"), "{error}");
}

/// The message of the only event, which is that of a level that failed.
fn failure(events: &[Event]) -> &str {
    match events {
        [Event::LevelFailed(_, error)] => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_chunk_of_another_bake_or_a_broken_file_is_an_error_until_it_is_mended() {
    let (name, good) = chunks().file([1, 1]);
    let other = &chunks_of_two_classes().file([1, 1]).1;
    let beside = &chunks().file([0, 0]).1;
    // A byte of a hash, which no other check reads.
    let mut changed = good.to_vec();
    changed[100] ^= 1;
    let cures: [(Option<&[u8]>, &str); 6] = [
        (Some(&changed), "checksum"),
        (Some(other), "load index and chunks of one bake"),
        (Some(beside), "chunk 1, 1 is not one of this world"),
        (Some(courtyard()), "open a file that the index (.navw) names"),
        (Some(&good[..good.len() / 2]), "put the folder of chunks that was baked with the index"),
        (None, "put the folder of chunks that was baked with the index"),
    ];
    for (spoilt, cure) in cures {
        let (mut game, level) = Game::chunked(chunks(), None);
        let path = game.path("world.chunks").join(name);
        match spoilt {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        loader(&mut game, keys(&ALL), FROM);
        let (events, _) = game.until(1);
        let error = failure(&events);
        assert!(error.contains(&format!("world.chunks/{name}")), "{error}");
        assert!(error.contains(cure), "{error}");
        assert_eq!(game.nav(level).error().unwrap().to_string(), error);
        // All others are in use, and it is said once.
        for _ in 0..20 {
            game.app.update();
        }
        assert_eq!(game.events(), []);
        let world = game.nav(level).world().unwrap();
        assert_eq!(ALL.map(|key| world.is_loaded(key)), [true, true, true, false]);
        assert_eq!(game.nav(level).loading(), 0);

        std::fs::write(&path, good).unwrap();
        let server = game.app.world().resource::<AssetServer>();
        server.reload(format!("world.chunks/{name}"));
        game.until_loaded(level, &ALL);
        assert!(game.nav(level).error().is_none());
        assert_eq!(game.events(), []);
    }
}

#[test]
fn chunks_that_a_world_does_not_have_and_an_index_without_a_folder_are_errors() {
    let (mut game, level) = Game::chunked(chunks(), None);
    let unknown = loader(&mut game, keys(&[[9, -9], [0, 0]]), FROM);
    game.until_loaded(level, &[[0, 0]]);
    let events = game.events();
    let error = failure(&events);
    assert!(error.contains("no chunk 9, -9 in the world: Navmesh::chunks has"), "{error}");
    game.app.world_mut().entity_mut(unknown).insert(keys(&[[0, 0]]));
    game.app.update();
    assert!(game.nav(level).error().is_none());

    let navmesh = Navmesh::new(&chunks().index).unwrap();
    let handle = game.app.world_mut().resource_mut::<Assets<Navmesh>>().add(navmesh);
    let level = game.app.world_mut().spawn(NavLevel::new(handle)).id();
    let (events, _) = game.until(1);
    assert!(failure(&events).contains("load it with the AssetServer"), "{events:?}");
    assert!(game.nav(level).query().is_none());
}

#[test]
fn an_index_that_is_baked_again_is_loaded_with_its_chunks() {
    let (mut game, level) = Game::chunked(chunks(), None);
    loader(&mut game, NavLoader::Within(f32::INFINITY), FROM);
    game.until_loaded(level, &ALL);
    let agent = game.agent(level, FROM, TO);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    for (name, _) in &chunks().chunks {
        std::fs::remove_file(game.path("world.chunks").join(name)).unwrap();
    }
    game.write(chunks_of_rooms());
    game.app.world().resource::<AssetServer>().reload("world.navw");
    let (events, _) = game.until(2);
    assert_eq!(events[..2], [Event::Ready(level), Event::Stale(agent)]);
    game.until_loaded(level, &ALL);
    assert_eq!(game.events().last(), Some(&Event::Found(agent)));
    assert!(game.nav(level).world().unwrap().baked().rooms().is_some());
    // Back to a level of one blob: nothing is left of the chunks.
    let handle = game.app.world().get::<NavLevel>(level).unwrap().navmesh.clone();
    let whole = Navmesh::new(courtyard()).unwrap();
    game.app.world_mut().resource_mut::<Assets<Navmesh>>().insert(handle.id(), whole).unwrap();
    game.until(2);
    assert_eq!(game.nav(level).loading(), 0);
    assert!(!game.nav(level).world().unwrap().is_loaded([0, 0]));
}
