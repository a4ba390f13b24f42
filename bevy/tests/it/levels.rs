//! Settings of levels: agents, switches, costs.

use bevy_navbake::search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, QueryFilter, Scratch};
use bevy_navbake::{LinkKind, NavAgent, NavLevel};

use crate::support::{Event, Game, office, terraces, two_classes};

const FROM: [f32; 3] = [2.5, 0.0, 11.5];
const TO: [f32; 3] = [13.5, 0.0, 11.5];

/// The length of the path through the office with these doors shut.
fn length(shut: &[&str]) -> f64 {
    let nav = NavMeshBuf::open(office()).unwrap();
    let mut filter = QueryFilter::new();
    for door in shut {
        filter = filter.block(&nav.mesh(), door).unwrap();
    }
    let query = NavQuery::new(nav.mesh()).with_filter(&filter);
    let request = PathRequest::new(FROM, TO).algorithm(Algorithm::Optimal);
    query.find_path(&request, &mut Scratch::new()).unwrap().length_xz
}

#[test]
fn switches_are_closed_as_the_file_says_or_as_the_level_says() {
    let (mut game, level) = Game::ready(office());
    let agent = game.agent(level, FROM, TO);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    assert_eq!(game.answer(agent).found().unwrap().length, length(&["g"]));
    assert!(length(&["g"]) > length(&[]), "the door matters");

    let set = |game: &mut Game, closed: &[&str]| {
        let names = closed.iter().map(|name| (*name).to_owned()).collect();
        game.app.world_mut().get_mut::<NavLevel>(level).unwrap().closed = Some(names);
        game.until(3).0
    };
    let events = set(&mut game, &[]);
    assert_eq!(events, [Event::Ready(level), Event::Stale(agent), Event::Found(agent)]);
    assert_eq!(game.answer(agent).found().unwrap().length, length(&[]));
    // All of them.
    let events = set(&mut game, &["a", "b", "c", "d", "e", "f", "g"]);
    let why = "no path leads to the goal".to_owned();
    assert_eq!(events, [Event::Ready(level), Event::Stale(agent), Event::Failed(agent, why)]);
}

#[test]
fn names_that_the_file_does_not_have_are_errors_until_they_are_mended() {
    type Spoil = fn(&mut NavLevel);
    let spoils: [(Spoil, &str); 4] = [
        (
            |level| level.closed = Some(vec!["portcullis".to_owned()]),
            "no switch `portcullis` in the file, which has: a, b, c",
        ),
        (
            |level| level.costs = vec![("lava".to_owned(), 2.0)],
            "no area `lava` in the file, which has: ground",
        ),
        (|level| level.costs = vec![("ground".to_owned(), -1.0)], "`ground`: a cost of -1"),
        (
            |level| level.agent = Some("dragon".to_owned()),
            "no agent `dragon` in the file, which has: default",
        ),
    ];
    for (spoil, says) in spoils {
        let (mut game, level) = Game::ready(office());
        let agent = game.agent(level, FROM, TO);
        game.until(1);
        let good = game.app.world().get::<NavLevel>(level).unwrap().clone();
        spoil(&mut game.app.world_mut().get_mut::<NavLevel>(level).unwrap());
        let (events, _) = game.until(3);
        let [Event::LevelFailed(_, error), Event::Stale(_), Event::Failed(_, why)] = &events[..]
        else {
            panic!("{events:?}");
        };
        assert!(error.contains(says), "{error}");
        assert!(why.contains(says), "{why}");
        assert!(game.nav(level).query().is_none());
        *game.app.world_mut().get_mut::<NavLevel>(level).unwrap() = good;
        assert_eq!(game.until(2).0, [Event::Ready(level), Event::Found(agent)]);
    }
}

#[test]
fn obstacles_and_closed_doors_go_together() {
    let (mut game, level) = Game::ready(office());
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    let before = game.answer(agent).found().unwrap().clone();
    // On the path, after its first metre: the filter belongs to the mesh of another commit then.
    let [a, b] = [before.points[0], before.points[1]];
    let at = a + (b - a).normalize() * ((b - a).length() / 2.0);
    let barrel = bevy_navbake::NavObstacle::Cylinder { radius: 0.1, height: 1.0 };
    game.obstacle(barrel, at.to_array());
    let (events, _) = game.until(2);
    assert_eq!(events[0], Event::Stale(agent));
    assert_eq!(events[1], Event::Found(agent), "{events:?}");
    let found = game.answer(agent).found().unwrap();
    assert!(found.length > before.length);
}

#[test]
fn costs_change_paths() {
    let (mut game, level) = Game::ready(office());
    let agent = game.spawn_agent(NavAgent::on(level), FROM, TO);
    let optimal = game.agent(level, FROM, TO);
    game.until(2);
    let plain = game.answer(agent).found().unwrap().clone();
    game.app.world_mut().get_mut::<NavLevel>(level).unwrap().costs =
        vec![("ground".to_owned(), 3.0)];
    let (events, _) = game.until(5);
    assert!(events.contains(&Event::Found(agent)), "{events:?}");
    let dear = game.answer(agent).found().unwrap();
    assert!((dear.cost - 3.0 * plain.cost).abs() < 1e-6 * dear.cost, "{dear:?}");
    // A search that does not know costs is refused, with the cure.
    let [Event::Failed(_, why)] =
        &events.iter().filter(|e| matches!(e, Event::Failed(..))).collect::<Vec<_>>()[..]
    else {
        panic!("{events:?}");
    };
    assert!(why.contains("weighted") && game.answer(optimal).found().is_none(), "{why}");
}

#[test]
fn links_are_those_of_the_levels_agent() {
    let mut game = Game::new();
    let [cat, dog] = ["cat", "dog"].map(|name| {
        let level = game.add(terraces());
        let own = game.app.world().get::<NavLevel>(level).unwrap().clone().agent(name);
        game.app.world_mut().entity_mut(level).insert(own);
        level
    });
    // From the yard to the terrace that only jumps lead to.
    let [from, to] = [[40.0, 0.0, 20.0], [27.0, 3.0, 6.0]];
    let agents = [cat, dog].map(|level| game.agent(level, from, to));
    game.until(4);
    let found = game.answer(agents[0]).found().unwrap();
    assert!(!found.links.is_empty() && found.points.len() > 2);
    for link in &found.links {
        assert!(link.point + 1 < found.points.len());
        assert!(matches!(link.kind, LinkKind::Jump), "{link:?}");
    }
    assert!(game.answer(agents[1]).found().is_none(), "the dog does not jump");
}

#[test]
fn a_file_with_several_navmeshes_asks_for_an_agent() {
    let mut game = Game::new();
    let level = game.add(two_classes());
    let (events, _) = game.until(1);
    let [Event::LevelFailed(_, error)] = &events[..] else {
        panic!("{events:?}");
    };
    assert!(error.contains("2 classes of agents: name the agent"), "{error}");
    for name in ["thin", "wide"] {
        game.app.world_mut().get_mut::<NavLevel>(level).unwrap().agent = Some(name.to_owned());
        assert_eq!(game.until(1).0, [Event::Ready(level)]);
        let nav = NavMeshBuf::open_for(two_classes(), name).unwrap();
        let own = game.nav(level).world().unwrap().baked();
        assert_eq!(own.class(), nav.mesh().class());
        assert_eq!(own.polygon_count(), nav.mesh().polygon_count());
    }
}
