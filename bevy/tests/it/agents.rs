//! What agents get.

use bevy_app::{PostUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navbake::search::around::Random;
use bevy_navbake::search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch, Status};
use bevy_navbake::{
    NavAgent, NavGoal, NavLevel, NavPath, NavbakeBudget, NavbakePlugin, NavbakeSystems, NoPath,
};
use bevy_transform::components::Transform;

use crate::support::{Event, Game, courtyard, terraces};

/// Random ends, a few of them beside the ground.
pub(crate) fn ends(bytes: &[u8], count: usize) -> Vec<[[f32; 3]; 2]> {
    let nav = NavMeshBuf::open(bytes).unwrap();
    let query = NavQuery::new(nav.mesh());
    let mut sums = vec![0; nav.mesh().polygon_count() as usize];
    let areas = query.areas(&mut sums).unwrap();
    let mut random = Random::new(7);
    (0..count)
        .map(|k| {
            [0, 1].map(|end| {
                let place = query.random_place(&areas, &mut random).unwrap();
                let [x, y, z] = place.position().map(|c| c as f32);
                let aside = if k % 10 == end { 500.0 } else { 0.0 };
                [x + aside, y, z]
            })
        })
        .collect()
}

#[test]
fn paths_are_those_of_the_library() {
    for bytes in [courtyard(), terraces()] {
        for algorithm in [Algorithm::default(), Algorithm::Optimal] {
            let (mut game, level) = Game::ready(bytes);
            let ends = ends(bytes, 200);
            let agents: Vec<Entity> = ends
                .iter()
                .map(|&[from, to]| {
                    game.spawn_agent(NavAgent { algorithm, ..NavAgent::on(level) }, from, to)
                })
                .collect();
            game.until(agents.len());
            let nav = NavMeshBuf::open(bytes).unwrap();
            let query = NavQuery::new(nav.mesh());
            let mut scratch = Scratch::new();
            let mut counts = [0; 2];
            for (&agent, &[from, to]) in agents.iter().zip(&ends) {
                let request = PathRequest::new(from, to).algorithm(algorithm);
                let own = query.find_path(&request, &mut scratch).unwrap();
                match game.answer(agent) {
                    NavPath::Found(found) => {
                        assert_eq!(own.status, Status::Reached);
                        let points = own.points.iter().map(|p| Vec3::from(p.map(|c| c as f32)));
                        assert_eq!(found.points, points.collect::<Vec<_>>());
                        assert_eq!((found.length, found.cost), (own.length_xz, own.cost));
                        assert_eq!(found.optimal, own.certified_optimal);
                        let legs = own.legs().filter_map(|leg| Some((leg.link?, leg.points.start)));
                        let links: Vec<_> =
                            legs.map(|(k, at)| (nav.mesh().link(k).unwrap().kind, at)).collect();
                        let of = |k: &bevy_navbake::LinkOnPath| (k.kind, k.point);
                        assert_eq!(found.links.iter().map(of).collect::<Vec<_>>(), links);
                        counts[0] += 1;
                    }
                    NavPath::Failed(NoPath::Answer(status)) => {
                        assert_eq!(own.status, *status);
                        counts[1] += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert!(counts[0] > 100 && counts[1] >= 20, "{counts:?}");
        }
    }
}

#[test]
fn another_goal_gives_another_path_and_no_goal_none() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    // Neither frames nor motion of its own make it ask again.
    game.move_to(agent, [20.0, 0.0, 24.0]);
    game.app.update();
    assert_eq!(game.events(), []);

    game.app.world_mut().entity_mut(agent).insert(NavGoal(Vec3::new(20.0, 0.0, 2.0)));
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let found = game.answer(agent).found().unwrap();
    assert_eq!(found.points[0], Vec3::new(20.0, 0.0, 24.0), "from where it is now");

    game.app.world_mut().entity_mut(agent).remove::<NavGoal>();
    assert!(matches!(game.answer(agent), NavPath::Idle));
    // One that asks and goes away in the same frame, in both ways.
    let other = game.agent(level, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
    game.app.world_mut().entity_mut(other).remove::<NavGoal>();
    let gone = game.agent(level, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
    game.app.world_mut().despawn(gone);
    for _ in 0..5 {
        game.app.update();
    }
    assert_eq!(game.events(), []);
}

#[test]
fn a_goal_that_cannot_be_reached_is_a_reason_or_a_partial_path() {
    let (mut game, level) = Game::ready(courtyard());
    let [from, platform] = [[20.0, 0.0, 25.0], [36.5, 1.8, 26.0]];
    let agent = game.agent(level, from, platform);
    assert_eq!(game.until(1).0, [Event::Failed(agent, "no path leads to the goal".to_owned())]);
    let partial = NavAgent { partial: true, ..NavAgent::on(level) };
    let agent = game.spawn_agent(partial, from, platform);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let found = game.answer(agent).found().unwrap();
    assert!(!found.reached && !found.optimal && found.points.len() > 1);
}

#[test]
fn an_origin_above_the_ground_is_within_reach_where_the_agent_says_so() {
    let (mut game, level) = Game::ready(courtyard());
    let [from, to] = [[20.0, 3.0, 25.0], [20.0, 0.0, 15.0]];
    let agent = game.agent(level, from, to);
    assert!(matches!(&game.until(1).0[..], [Event::Failed(..)]));
    let reach = Vec3::new(0.0, 3.5, 0.0);
    game.app.world_mut().get_mut::<NavAgent>(agent).unwrap().reach = reach;
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    // A parent moves it, in the same frame.
    let parent = game.app.world_mut().spawn(Transform::from_xyz(1.0, 0.0, -1.0)).id();
    game.app.world_mut().entity_mut(agent).insert((ChildOf(parent), NavGoal(Vec3::from(to))));
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let found = game.answer(agent).found().unwrap();
    assert_eq!(found.points[0].x, 21.0);
    assert_eq!(found.points[0].z, 24.0);
}

#[test]
fn an_agent_without_a_level_or_a_place_gets_the_reason() {
    let (mut game, level) = Game::ready(courtyard());
    let nowhere = game.app.world_mut().spawn_empty().id();
    let agent = game.agent(nowhere, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
    let (events, _) = game.until(1);
    let why = "the agent's level is not an entity with NavLevel".to_owned();
    assert_eq!(events, [Event::Failed(agent, why.clone())]);
    game.app.world_mut().get_mut::<NavAgent>(agent).unwrap().level = level;
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let own = game.app.world().get::<NavLevel>(level).unwrap().clone();
    game.app.world_mut().entity_mut(level).remove::<NavLevel>();
    assert_eq!(game.until(1).0, [Event::Failed(agent, why.clone())]);
    game.app.world_mut().entity_mut(level).insert(own);
    game.app.world_mut().get_mut::<NavAgent>(agent).unwrap().level = level;
    assert_eq!(game.until(2).0, [Event::Ready(level), Event::Found(agent)]);
    game.app.world_mut().despawn(level);
    assert_eq!(game.until(1).0, [Event::Failed(agent, why)]);

    let (mut game, level) = Game::ready(courtyard());
    let parent = game.app.world_mut().spawn_empty().id();
    let agent = game.agent(level, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
    game.app.world_mut().entity_mut(agent).insert(ChildOf(parent));
    let why = "the agent has no place: give each entity above it a Transform".to_owned();
    assert_eq!(game.until(1).0, [Event::Failed(agent, why)]);
}

#[test]
fn numbers_that_are_not_finite_are_off_the_mesh() {
    let (mut game, level) = Game::ready(courtyard());
    for bad in [f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX] {
        let start = game.agent(level, [bad, 0.0, 25.0], [10.0, 4.0, 9.0]);
        assert!(matches!(&game.until(1).0[..], [Event::Failed(agent, _)] if *agent == start));
        let goal = game.agent(level, [20.0, 0.0, 25.0], [10.0, bad, 9.0]);
        assert!(matches!(&game.until(1).0[..], [Event::Failed(agent, _)] if *agent == goal));
    }
}

#[test]
fn an_agent_on_another_level_gets_no_answer_of_the_old_one() {
    let (mut game, courtyard) = Game::ready(courtyard());
    let terraces = game.add(terraces());
    assert_eq!(game.until(1).0, [Event::Ready(terraces)]);
    let budget = |game: &mut Game, entries| {
        game.app.world_mut().resource_mut::<NavbakeBudget>().entries = entries;
    };
    // The question is in the queue of the first level, and no search goes on.
    budget(&mut game, 0);
    let agent = game.agent(courtyard, [2.0, 0.0, 20.0], [6.0, 0.0, 20.0]);
    game.app.update();
    game.app.world_mut().get_mut::<NavAgent>(agent).unwrap().level = terraces;
    game.app.world_mut().entity_mut(agent).insert(NavGoal(Vec3::new(40.0, 0.0, 20.0)));
    budget(&mut game, 1000);
    for _ in 0..5 {
        game.app.update();
    }
    assert_eq!(game.events(), [Event::Found(agent)]);
    assert_eq!(game.answer(agent).found().unwrap().points.last().unwrap().x, 40.0);
}

#[derive(Resource, Default)]
struct SeenIn(Vec<bool>);

#[test]
fn systems_run_in_the_schedule_and_the_order_that_are_asked_for() {
    let look = |paths: Query<&NavPath>, mut seen: ResMut<SeenIn>| {
        seen.0.push(paths.iter().any(|path| path.found().is_some()));
    };
    for (in_update, expected) in [(true, [false, true]), (false, [false, false])] {
        let mut game = Game::with(match in_update {
            true => NavbakePlugin::in_schedule(Update),
            false => NavbakePlugin::in_schedule(PostUpdate),
        });
        game.app.init_resource::<SeenIn>().add_systems(
            Update,
            (look.before(NavbakeSystems::All), look.after(NavbakeSystems::All)),
        );
        let level = game.add(courtyard());
        let agent = game.agent(level, [20.0, 0.0, 25.0], [10.0, 4.0, 9.0]);
        game.app.update();
        assert_eq!(game.events(), [Event::Ready(level), Event::Found(agent)]);
        assert_eq!(game.app.world().resource::<SeenIn>().0, expected);
    }
}
