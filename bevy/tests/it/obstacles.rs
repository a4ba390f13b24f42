//! Obstacles that follow their entities.

use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_navbake::search::{Algorithm, NavMeshBuf, NavQuery, PathRequest, Scratch};
use bevy_navbake::world::{Obstacle, World};
use bevy_navbake::{NavAgent, NavObstacle, NavPath};
use bevy_transform::components::{GlobalTransform, Transform};

use crate::support::{Event, Game, courtyard};

const FROM: [f32; 3] = [20.0, 0.0, 25.0];
const TO: [f32; 3] = [20.0, 0.0, 15.0];
/// The agent of the courtyard.
const RADIUS: f32 = 0.6;

fn barrel() -> NavObstacle {
    NavObstacle::Cylinder { radius: 1.0, height: 2.0 }
}

/// The length of a path in a world with these obstacles.
fn length(obstacles: &[Obstacle], from: [f32; 3], to: [f32; 3]) -> f64 {
    let mut world = World::new(NavMeshBuf::open(courtyard()).unwrap());
    for obstacle in obstacles {
        world.add(*obstacle).unwrap();
    }
    world.commit();
    let query = NavQuery::new(world.nav_mesh());
    let request = PathRequest::new(from, to).algorithm(Algorithm::Optimal);
    query.find_path(&request, &mut Scratch::new()).unwrap().length_xz
}

/// The distance of a path from a place, seen from above.
fn distance(points: &[Vec3], to: Vec3) -> f32 {
    let flat = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
    let pairs = points.windows(2).map(|ends| {
        let (a, b, p) = (flat(ends[0]), flat(ends[1]), flat(to));
        let along = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a.lerp(b, along))
    });
    pairs.fold(f32::INFINITY, f32::min)
}

#[test]
fn an_obstacle_on_a_path_makes_it_stale_and_changes_it() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    let free = game.answer(agent).found().unwrap().clone();
    assert_eq!(free.length, length(&[], FROM, TO));

    let middle = [20.0, 0.5, 20.0];
    let obstacle = game.obstacle(barrel(), middle);
    assert_eq!(game.until(2).0, [Event::Stale(agent), Event::Found(agent)]);
    let around = game.answer(agent).found().unwrap().clone();
    let same = Obstacle::cylinder([20.0, 20.0], 1.0, [-0.5, 1.5]).unwrap();
    assert_eq!(around.length, length(&[same], FROM, TO));
    assert!(around.length > free.length && around.optimal && !around.stale);
    assert!(distance(&around.points, Vec3::from(middle)) >= 1.0 + RADIUS);

    // To a place beside the new path, and away.
    game.move_to(obstacle, [20.0, 0.5, 21.0]);
    assert_eq!(game.until(2).0, [Event::Stale(agent), Event::Found(agent)]);
    let moved = same.moved([0.0, 0.0, 1.0]).unwrap();
    assert_eq!(game.answer(agent).found().unwrap().length, length(&[moved], FROM, TO));
    game.app.world_mut().despawn(obstacle);
    assert_eq!(game.until(2).0, [Event::Stale(agent), Event::Found(agent)]);
    assert_eq!(game.answer(agent).found().unwrap().points, free.points);
}

#[test]
fn the_old_path_stays_marked_until_there_is_a_new_one() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    // No search fits into this.
    game.app.world_mut().resource_mut::<bevy_navbake::NavbakeBudget>().entries = 0;
    game.obstacle(barrel(), [20.0, 0.5, 20.0]);
    game.app.update();
    assert_eq!(game.events(), [Event::Stale(agent)]);
    let found = game.answer(agent).found().unwrap();
    assert!(found.stale && !found.optimal && found.points.len() > 1);
    game.app.world_mut().resource_mut::<bevy_navbake::NavbakeBudget>().entries = 1000;
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    assert!(!game.answer(agent).found().unwrap().stale);
}

#[test]
fn obstacles_elsewhere_leave_paths_alone_unless_these_are_renewed() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    let own = *game.app.world().get::<NavAgent>(agent).unwrap();
    let renewing = game.spawn_agent(NavAgent { renew: true, ..own }, FROM, TO);
    game.until(2);
    game.obstacle(barrel(), [12.0, 4.5, 9.0]);
    for _ in 0..3 {
        game.app.update();
    }
    assert_eq!(game.events(), [Event::Found(renewing)]);
    let found = game.answer(agent).found().unwrap();
    assert!(!found.stale && !found.optimal, "it was not proved again");
    assert!(game.answer(renewing).found().unwrap().optimal);
}

#[test]
fn an_agent_whose_way_is_shut_learns_when_it_opens() {
    let (mut game, level) = Game::ready(courtyard());
    // The doorway of the house, in its south wall.
    let [from, inside] = [[10.0, 0.0, 20.0], [10.0, 0.0, 8.0]];
    let agent = game.agent(level, from, inside);
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
    let door = NavObstacle::Box { size: Vec3::new(14.0, 2.0, 1.0) };
    let shut = game.obstacle(door, [10.0, 1.0, 14.0]);
    let (events, _) = game.until(2);
    let why = "no path leads to the goal".to_owned();
    assert_eq!(events, [Event::Stale(agent), Event::Failed(agent, why)]);
    game.app.world_mut().entity_mut(shut).remove::<NavObstacle>();
    assert_eq!(game.until(1).0, [Event::Found(agent)]);
}

fn shape(obstacle: NavObstacle, place: Transform) -> Obstacle {
    obstacle.shape(&GlobalTransform::from(place).affine()).unwrap()
}

#[test]
fn shapes_are_outlines_seen_from_above() {
    let place = Transform::from_xyz(5.0, 1.0, -3.0);
    let cylinder = NavObstacle::Cylinder { radius: 0.5, height: 2.0 };
    assert_eq!(shape(cylinder, place), Obstacle::cylinder([5.0, -3.0], 0.5, [0.0, 2.0]).unwrap());
    // Turned around its axis and scaled evenly it stays one.
    let turned = place.with_rotation(Quat::from_rotation_y(0.7)).with_scale(Vec3::splat(2.0));
    assert_eq!(shape(cylinder, turned), {
        let axes = turned.compute_affine().matrix3;
        let radius = [axes.x_axis, axes.z_axis].map(|axis| {
            let [x, _, z] = axis.to_array().map(f64::from);
            0.5 * (x * x + z * z).sqrt()
        });
        let radius = radius[0].max(radius[1]);
        Obstacle::cylinder([5.0, -3.0], radius, [-1.0, 3.0]).unwrap()
    });
    // On its side it is at least as large as the box around it.
    let fallen = place.with_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
    let [low, high] = shape(cylinder, fallen).heights();
    assert!((low - 0.5).abs() < 1e-6 && (high - 1.5).abs() < 1e-6, "{low} to {high}");
    let flat = NavObstacle::Box { size: Vec3::new(2.0, 0.0, 4.0) };
    assert_eq!(shape(flat, place).heights(), [1.0, 1.0]);
}

#[test]
fn a_turned_box_takes_its_own_ground_and_no_more() {
    let (mut game, level) = Game::ready(courtyard());
    let beam = NavObstacle::Box { size: Vec3::new(4.0, 1.0, 0.2) };
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
    let parent = game.app.world_mut().spawn(Transform::from_xyz(20.0, 0.0, 20.0)).id();
    let child = (beam, Transform::from_xyz(0.0, 0.5, 0.0).with_rotation(turned), ChildOf(parent));
    game.app.world_mut().spawn(child);
    game.app.update();
    let query = game.nav(level).query().unwrap();
    // Along it, and across it: x and -z grow together.
    for (at, is_free) in [
        ([20.0, 0.0, 20.0], false),
        ([21.3, 0.0, 18.7], false),
        ([18.7, 0.0, 21.3], false),
        ([21.3, 0.0, 21.3], true),
        ([18.7, 0.0, 18.7], true),
    ] {
        assert_eq!(query.locate(at, 0.5).is_some(), is_free, "{at:?}");
    }
}

#[test]
fn an_obstacle_above_the_head_takes_no_ground() {
    let (mut game, level) = Game::ready(courtyard());
    let agent = game.agent(level, FROM, TO);
    game.until(1);
    game.obstacle(barrel(), [20.0, 10.0, 20.0]);
    for _ in 0..3 {
        game.app.update();
    }
    assert_eq!(game.events(), []);
    assert!(game.answer(agent).found().unwrap().optimal);
}

#[test]
fn a_refused_obstacle_is_reported_once_and_takes_no_ground() {
    let (mut game, level) = Game::ready(courtyard());
    let obstacle = game.obstacle(barrel(), [20.0, 0.5, 20.0]);
    game.app.update();
    let ground = |game: &Game| game.nav(level).query().unwrap().locate(FROM_MIDDLE, 0.5).is_some();
    const FROM_MIDDLE: [f64; 3] = [20.0, 0.0, 20.0];
    assert!(!ground(&game));
    for (bad, says) in [(f32::NAN, "finite"), (1e9, "beyond the grid")] {
        game.move_to(obstacle, [bad, 0.5, 20.0]);
        for _ in 0..3 {
            game.app.update();
        }
        let events = game.events();
        let [Event::Refused(who, of, error)] = &events[..] else {
            panic!("{events:?}");
        };
        assert_eq!((*who, *of), (obstacle, level));
        assert!(error.contains(says), "{error}");
        assert!(ground(&game));
    }
    game.move_to(obstacle, [20.0, 0.5, 20.0]);
    game.app.update();
    assert!(!ground(&game) && game.events().is_empty());
    let negative = NavObstacle::Cylinder { radius: -1.0, height: 2.0 };
    game.app.world_mut().entity_mut(obstacle).insert(negative);
    game.app.update();
    assert!(matches!(&game.events()[..], [Event::Refused(..)]));
}

#[test]
fn two_levels_have_the_same_obstacles() {
    let (mut game, first) = Game::ready(courtyard());
    let second = game.add(courtyard());
    let agents = [first, second].map(|level| game.agent(level, FROM, TO));
    game.obstacle(barrel(), [20.0, 0.5, 20.0]);
    game.until(3);
    let [a, b] = agents.map(|agent| match game.answer(agent) {
        NavPath::Found(found) => found.points.clone(),
        other => panic!("{other:?}"),
    });
    assert_eq!(a, b);
    assert!(a.len() > 2);
}
