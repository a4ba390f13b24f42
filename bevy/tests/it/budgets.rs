//! A bounded part of the work in each frame, with the same result.

use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navbake::{NavGoal, NavLevel, NavObstacle, NavPath, NavbakeBudget, Navmesh};

use crate::support::{Event, Game, courtyard, office, terraces};

/// A row of obstacles through the yard.
fn obstacles(game: &mut Game) -> Vec<Entity> {
    let barrel = NavObstacle::Cylinder { radius: 0.3, height: 2.0 };
    (0..30).map(|k| game.obstacle(barrel, [3.0 + k as f32, 0.5, 18.0])).collect()
}

/// Which of the obstacles' places are ground.
fn free(game: &Game, level: Entity) -> usize {
    let query = game.nav(level).query().unwrap();
    (0..30).filter(|&k| query.locate([3.0 + f64::from(k), 0.0, 18.0], 0.5).is_some()).count()
}

#[test]
fn obstacles_are_committed_over_frames() {
    let ready = || Game::ready(courtyard());
    let (mut whole, level) = ready();
    whole.app.world_mut().resource_mut::<NavbakeBudget>().polygons = usize::MAX;
    obstacles(&mut whole);
    whole.app.update();
    assert_eq!(free(&whole, level), 0);

    let (mut game, own) = ready();
    game.app.world_mut().resource_mut::<NavbakeBudget>().polygons = 1;
    obstacles(&mut game);
    let mut left = free(&game, own);
    let mut frames = 0;
    while left > 0 {
        game.app.update();
        let now = free(&game, own);
        // One obstacle a frame; its ground and the agent's radius hold one place of them.
        assert!(now <= left && left - now <= 1, "{left} to {now}");
        left = now;
        frames += 1;
        assert!(frames <= 30, "{frames}");
    }
    assert!(frames >= 20, "{frames}");
    for _ in 0..30 {
        game.app.update();
    }
    // The same ground as all at once.
    let [a, b] = [(&whole, level), (&game, own)].map(|(game, level)| {
        let mesh = game.nav(level).world().unwrap().nav_mesh();
        let mut rings: Vec<Vec<[i32; 3]>> = mesh
            .polygons()
            .map(|polygon| (0..polygon.len()).map(|k| polygon.point(k)).collect())
            .collect();
        rings.sort();
        rings
    });
    assert_eq!(a, b);
}

#[test]
fn searches_go_on_over_frames() {
    let ask = |entries: u32, waiting: usize| {
        let mut game = Game::new();
        *game.app.world_mut().resource_mut::<NavbakeBudget>() =
            NavbakeBudget { entries, waiting, ..NavbakeBudget::default() };
        let level = game.add(courtyard());
        let agents: Vec<Entity> = (0..40)
            .map(|k| game.agent(level, [3.0 + 0.5 * k as f32, 0.0, 25.0], [10.0, 4.0, 9.0]))
            .collect();
        // An event of the level and one of each agent.
        let (_, frames) = game.until(1 + agents.len());
        let paths = agents.into_iter().map(|agent| match game.answer(agent) {
            NavPath::Found(found) => (found.points.clone(), found.length),
            other => panic!("{other:?}"),
        });
        (paths.collect::<Vec<_>>(), frames)
    };
    let (at_once, frames) = ask(1_000_000, 1000);
    assert_eq!(frames, 1);
    let (slowly, frames) = ask(20, 1000);
    assert!(frames > 10, "{frames}");
    assert_eq!(at_once, slowly);
    // A queue that holds three of them.
    let (three, frames) = ask(1_000_000, 3);
    assert!(frames >= 13, "{frames}");
    assert_eq!(at_once, three);
}

#[test]
fn a_search_that_has_begun_sees_what_changes_before_it_ends() {
    let door = NavObstacle::Box { size: Vec3::new(14.0, 2.0, 1.0) };
    let mut begun = 0;
    for frames in 1..40 {
        for by_obstacle in [true, false] {
            let bytes = if by_obstacle { courtyard() } else { office() };
            let (mut game, level) = Game::ready(bytes);
            game.app.world_mut().resource_mut::<NavbakeBudget>().entries = 2;
            let agent = match by_obstacle {
                true => game.agent(level, [10.0, 0.0, 20.0], [10.0, 0.0, 8.0]),
                false => game.agent(level, [2.5, 0.0, 11.5], [13.5, 0.0, 11.5]),
            };
            for _ in 0..frames {
                game.app.update();
            }
            let NavPath::Waiting = game.answer(agent) else {
                continue;
            };
            begun += 1;
            // The only way is shut.
            if by_obstacle {
                game.obstacle(door, [10.0, 1.0, 14.0]);
            } else {
                let doors = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned);
                game.app.world_mut().get_mut::<NavLevel>(level).unwrap().closed =
                    Some(doors.to_vec());
            }
            let (events, _) = game.until(if by_obstacle { 1 } else { 2 });
            let why = "no path leads to the goal".to_owned();
            assert_eq!(events.last(), Some(&Event::Failed(agent, why)), "after {frames} frames");
        }
    }
    assert!(begun >= 6, "{begun}");
}

#[test]
fn a_question_survives_a_file_that_is_loaded_again() {
    let (mut game, level) = Game::ready(courtyard());
    game.app.world_mut().resource_mut::<NavbakeBudget>().entries = 0;
    let agent = game.agent(level, [2.5, 0.0, 20.0], [6.0, 0.0, 20.0]);
    game.app.update();
    let handle = game.app.world().get::<NavLevel>(level).unwrap().navmesh.clone();
    let again = Navmesh::new(terraces()).unwrap();
    game.app.world_mut().resource_mut::<Assets<Navmesh>>().insert(handle.id(), again).unwrap();
    assert_eq!(game.until(1).0, [Event::Ready(level)]);
    assert!(matches!(game.answer(agent), NavPath::Waiting));
    game.app.world_mut().resource_mut::<NavbakeBudget>().entries = 1000;
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
}

#[test]
fn an_agent_that_gives_up_its_goal_leaves_the_line_to_others() {
    let mut game = Game::new();
    *game.app.world_mut().resource_mut::<NavbakeBudget>() =
        NavbakeBudget { entries: 0, waiting: 1, ..NavbakeBudget::default() };
    let level = game.add(courtyard());
    let [from, to] = [[2.5, 0.0, 20.0], [6.0, 0.0, 20.0]];
    let first = game.agent(level, from, to);
    game.app.update();
    assert_eq!(game.events(), [Event::Ready(level)]);
    let second = game.agent(level, from, to);
    game.app.update();
    game.app.world_mut().entity_mut(first).remove::<NavGoal>();
    game.app.world_mut().resource_mut::<NavbakeBudget>().entries = 1000;
    assert_eq!(game.until(1), (vec![Event::Found(second)], 1));
}
