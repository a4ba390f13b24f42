//! Files that are loaded, loaded again, broken or missing.

use bevy_asset::{AssetServer, Assets};
use bevy_math::Vec3;
use bevy_navbake::search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch};
use bevy_navbake::{NavGoal, NavLevel, NavObstacle, NavPath, Navmesh};

use crate::support::{Event, Game, courtyard, office, terraces};

const FROM: [f32; 3] = [20.0, 0.0, 25.0];
const TO: [f32; 3] = [10.0, 4.0, 9.0];

/// The length of the shortest path on a file.
fn length(bytes: &[u8], from: [f32; 3], to: [f32; 3]) -> f64 {
    let nav = NavMeshBuf::open(bytes).unwrap();
    let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
    NavQuery::new(nav.mesh()).find_path(&request, &mut Scratch::new()).unwrap().length_xz
}

#[test]
fn a_file_of_either_ending_is_loaded_and_searched() {
    for name in ["level.navbake", "level.nav"] {
        let mut game = Game::new();
        std::fs::write(game.path(name), courtyard()).unwrap();
        let level = game.level(name);
        let agent = game.agent(level, FROM, TO);
        assert!(game.nav(level).world().is_none());
        let (events, _) = game.until(2);
        assert_eq!(events, [Event::Ready(level), Event::Found(agent)]);
        let found = game.answer(agent).found().unwrap();
        assert_eq!(found.length, length(courtyard(), FROM, TO));
        assert!(found.reached && found.optimal && !found.stale);
        assert_eq!(found.points[0], Vec3::from(FROM));
        let handle = game.app.world().get::<NavLevel>(level).unwrap().navmesh.clone();
        let asset = game.app.world().resource::<Assets<Navmesh>>().get(&handle).unwrap();
        assert_eq!(asset.agents().collect::<Vec<_>>(), ["default"]);
    }
}

#[test]
fn a_file_that_changes_on_disk_is_loaded_again_with_obstacles_and_paths() {
    let mut game = Game::new();
    std::fs::write(game.path("level.navbake"), courtyard()).unwrap();
    let level = game.level("level.navbake");
    let [from, to] = [[2.0, 0.0, 20.0], [6.0, 0.0, 20.0]];
    let agent = game.agent(level, from, to);
    let barrel = NavObstacle::Cylinder { radius: 0.4, height: 2.0 };
    game.obstacle(barrel, [4.0, 0.5, 20.0]);
    game.until(2);
    let around = game.answer(agent).found().unwrap().clone();
    assert!(around.length > length(courtyard(), from, to));

    // Other ground: what `file_watcher` does when the file changes.
    std::fs::write(game.path("level.navbake"), terraces()).unwrap();
    game.app.world().resource::<AssetServer>().reload("level.navbake");
    let (events, _) = game.until(3);
    assert_eq!(events, [Event::Ready(level), Event::Stale(agent), Event::Found(agent)]);
    let found = game.answer(agent).found().unwrap();
    let world = game.nav(level).world().unwrap();
    let nav = NavMeshBuf::open(terraces()).unwrap();
    assert_eq!(world.baked().vertex_count(), nav.mesh().vertex_count());
    let query = game.nav(level).query().unwrap();
    let mut scratch = Scratch::new();
    let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
    let own = query.find_path(&request, &mut scratch).unwrap();
    assert_eq!(found.length, own.length_xz);
    assert!(found.length > length(terraces(), from, to), "the obstacle is there");
}

#[test]
fn an_asset_that_is_replaced_is_used() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let handle = game.app.world().get::<NavLevel>(level).unwrap().navmesh.clone();
    let other = Navmesh::new(office()).unwrap();
    game.app.world_mut().resource_mut::<Assets<Navmesh>>().insert(handle.id(), other).unwrap();
    let (events, _) = game.until(3);
    let off = "the start or the goal is not on the ground: look at NavAgent::reach".to_owned();
    assert_eq!(events, [Event::Ready(level), Event::Stale(agent), Event::Failed(agent, off)]);
    let rooms = game.nav(level).world().unwrap().baked();
    assert!(rooms.rooms().is_some());
}

#[test]
fn a_broken_file_is_an_error_that_names_file_and_place() {
    let mut game = Game::new();
    let bytes = courtyard();
    std::fs::write(game.path("short.navbake"), &bytes[..bytes.len() / 2]).unwrap();
    std::fs::write(game.path("text.navbake"), "not a navmesh, but a text of some length\n")
        .unwrap();
    std::fs::write(game.path("empty.nav"), "").unwrap();
    for (name, says) in
        [("short.navbake", "bytes"), ("text.navbake", "no navmesh"), ("empty.nav", "0")]
    {
        let level = game.level(name);
        let agent = game.agent(level, FROM, TO);
        let (events, _) = game.until(2);
        let [Event::LevelFailed(of, error), Event::Failed(who, why)] = &events[..] else {
            panic!("{events:?}");
        };
        assert_eq!((*of, *who), (level, agent));
        assert!(error.contains(name) && error.contains(says), "{error}");
        assert_eq!(*why, format!("the level cannot be searched: {error}"));
        assert!(matches!(game.answer(agent), NavPath::Failed(_)));
        assert!(game.nav(level).error().is_some() && game.nav(level).query().is_none());
        // Said once.
        for _ in 0..10 {
            game.app.update();
        }
        assert_eq!(game.events(), []);
        game.app.world_mut().despawn(agent);
        game.app.world_mut().despawn(level);
    }
}

#[test]
fn a_missing_file_is_an_error_until_it_is_there() {
    let mut game = Game::new();
    let level = game.level("missing.navbake");
    let agent = game.agent(level, FROM, TO);
    let (events, _) = game.until(2);
    let [Event::LevelFailed(_, error), Event::Failed(..)] = &events[..] else {
        panic!("{events:?}");
    };
    assert!(error.contains("missing.navbake"), "{error}");

    // A level that is spawned afterwards learns of it too.
    let late = game.level("missing.navbake");
    let (events, _) = game.until(1);
    assert!(matches!(&events[..], [Event::LevelFailed(..), ..]), "{events:?}");
    game.app.world_mut().despawn(late);

    std::fs::write(game.path("missing.navbake"), courtyard()).unwrap();
    game.app.world().resource::<AssetServer>().reload("missing.navbake");
    game.events();
    let (events, _) = game.until(2);
    assert_eq!(events, [Event::Ready(level), Event::Found(agent)]);
    assert!(game.nav(level).error().is_none());
}

#[test]
fn a_broken_new_version_leaves_the_old_one_in_use() {
    let mut game = Game::new();
    std::fs::write(game.path("level.navbake"), courtyard()).unwrap();
    let level = game.level("level.navbake");
    let agent = game.agent(level, FROM, TO);
    game.until(2);
    std::fs::write(game.path("level.navbake"), &courtyard()[..1000]).unwrap();
    game.app.world().resource::<AssetServer>().reload("level.navbake");
    let (events, _) = game.until(1);
    assert!(matches!(&events[..], [Event::LevelFailed(of, _)] if *of == level), "{events:?}");
    assert!(game.nav(level).error().is_some());
    // It is searched as before.
    game.app.world_mut().entity_mut(agent).insert(NavGoal(Vec3::new(2.0, 0.0, 2.0)));
    assert_eq!(game.until(1).0, [Event::Found(agent)]);

    std::fs::write(game.path("level.navbake"), courtyard()).unwrap();
    game.app.world().resource::<AssetServer>().reload("level.navbake");
    let (events, _) = game.until(3);
    assert_eq!(events, [Event::Ready(level), Event::Stale(agent), Event::Found(agent)]);
    assert!(game.nav(level).error().is_none());
}

#[test]
fn a_file_that_failed_before_is_an_error_for_a_level_that_has_another_one() {
    let mut game = Game::new();
    let lost = game.level("missing.navbake");
    game.until(1);
    let missing = game.app.world().get::<NavLevel>(lost).unwrap().navmesh.clone();
    let level = game.add(courtyard());
    assert_eq!(game.until(1).0, [Event::Ready(level)]);
    game.app.world_mut().get_mut::<NavLevel>(level).unwrap().navmesh = missing;
    let (events, _) = game.until(1);
    assert!(matches!(&events[..], [Event::LevelFailed(of, _)] if *of == level), "{events:?}");
    assert!(game.nav(level).query().is_some(), "the old one stays in use");
    game.app.update();
    assert_eq!(game.events(), []);
}

#[test]
fn no_changed_bytes_make_loading_panic() {
    let bytes = courtyard();
    for length in (0..bytes.len()).step_by(97) {
        assert!(Navmesh::new(&bytes[..length]).is_err());
    }
    // What is changed and still accepted must have a navmesh.
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(53) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1 << (at % 8);
        match Navmesh::new(&changed) {
            Ok(navmesh) => assert!(navmesh.mesh(None).is_ok()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > bytes.len() / 53 / 4, "{refused} were refused");
}

#[test]
fn an_asset_says_what_the_baker_noticed() {
    let navmesh = Navmesh::new(terraces()).unwrap();
    assert!(!navmesh.findings().is_empty());
    for finding in navmesh.findings() {
        assert!(finding.at.is_finite(), "{finding:?}");
    }
}
