//! Drawings, without a renderer.

use bevy_gizmos::GizmoPlugin;
use bevy_gizmos::config::{DefaultGizmoConfigGroup, GizmoConfigStore};
use bevy_gizmos::gizmos::GizmoBuffer;
use bevy_navbake::world::World;
use bevy_navbake::{NavLoader, NavObstacle, NavbakeGizmos, NavbakeGizmosPlugin, Navmesh};

use crate::support::{Event, Game, chunks_of_rooms, office, terraces};

type Buffer = GizmoBuffer<DefaultGizmoConfigGroup, ()>;

/// Points that are drawn, as ends of lines and along strips.
fn drawn(draw: impl FnOnce(&mut Buffer)) -> [usize; 2] {
    let mut buffer = Buffer::default();
    draw(&mut buffer);
    let view = buffer.buffer();
    assert!(view.list_positions.iter().all(|point| point.is_finite()));
    [view.list_positions.len(), view.strip_positions.len()]
}

const NONE: NavbakeGizmos = NavbakeGizmos {
    mesh: false,
    rooms: false,
    links: false,
    findings: false,
    paths: false,
    lift: 0.0,
};

#[test]
fn each_part_is_drawn_where_it_is_asked_for() {
    for bytes in [office(), terraces()] {
        let (mut game, level) = Game::ready(bytes);
        let points = |world: &World, options: NavbakeGizmos| {
            let [lines, strips] = drawn(|buffer| options.draw_world(world, buffer));
            lines + strips
        };
        let world = game.nav(level).world().unwrap();
        assert_eq!(points(world, NONE), 0);
        let mesh = world.baked();
        let lines = points(world, NavbakeGizmos { mesh: true, ..NONE }) / 2;
        let all: u32 = mesh.polygons().map(|polygon| polygon.len()).sum();
        let inner = mesh.polygons().flat_map(|polygon| {
            (0..polygon.len()).filter_map(move |k| polygon.neighbour(k)).collect::<Vec<_>>()
        });
        assert_eq!(lines, all as usize - inner.count() / 2, "each edge once");
        let rooms = points(world, NavbakeGizmos { rooms: true, ..NONE });
        assert_eq!(rooms > 0, mesh.rooms().is_some());
        let links = points(world, NavbakeGizmos { links: true, ..NONE });
        assert_eq!(links > 0, mesh.link_count() > 0);
        assert_eq!(points(world, NavbakeGizmos::default()), 2 * lines + rooms + links);

        // Obstacles take ground, so there are more edges, and rooms stay drawn.
        let barrel = NavObstacle::Cylinder { radius: 0.2, height: 2.0 };
        game.obstacle(barrel, [20.0, 0.5, 10.0]);
        game.app.update();
        let world = game.nav(level).world().unwrap();
        let more = points(world, NavbakeGizmos { mesh: true, ..NONE }) / 2;
        assert!(more > lines, "{more} after {lines}");
        assert_eq!(points(world, NavbakeGizmos { rooms: true, ..NONE }), rooms);
    }
}

#[test]
fn what_is_loaded_of_a_world_in_chunks_is_drawn() {
    let (mut game, level) = Game::chunked(chunks_of_rooms(), None);
    let points = |game: &Game, options: NavbakeGizmos| {
        let world = game.nav(level).world().unwrap();
        let [lines, _] = drawn(|buffer| options.draw_world(world, buffer));
        lines
    };
    let rooms = NavbakeGizmos { rooms: true, ..NONE };
    assert_eq!(points(&game, NavbakeGizmos::default()), 0);
    let keys = [[0, 0], [1, 0], [0, 1], [1, 1]];
    let loader = game.app.world_mut().spawn(NavLoader::Chunks(keys[..1].to_vec())).id();
    game.until_loaded(level, &keys[..1]);
    let some = [points(&game, NavbakeGizmos { mesh: true, ..NONE }), points(&game, rooms)];
    game.app.world_mut().entity_mut(loader).insert(NavLoader::Chunks(keys.to_vec()));
    game.until_loaded(level, &keys);
    let all = [points(&game, NavbakeGizmos { mesh: true, ..NONE }), points(&game, rooms)];
    assert!(0 < some[0] && some[0] < all[0], "{some:?} {all:?}");
    assert!(some[1] < all[1], "{some:?} {all:?}");
    let mesh = game.nav(level).world().unwrap().baked();
    let [count, portals] = {
        let rooms = mesh.rooms().unwrap();
        let portals = (0..rooms.door_count()).map(|door| rooms.portals(door).len()).sum::<usize>();
        [rooms.count() as usize, portals]
    };
    assert_eq!(all[1], 6 * count + 2 * portals);
}

#[test]
fn findings_and_paths_are_drawn_and_an_app_draws_them() {
    let navmesh = Navmesh::new(terraces()).unwrap();
    let options = NavbakeGizmos { findings: true, paths: true, ..NONE };
    let [crosses, _] = drawn(|buffer| options.draw_findings(navmesh.findings(), buffer));
    assert_eq!(crosses, 6 * navmesh.findings().len());
    assert_eq!(drawn(|buffer| NONE.draw_findings(navmesh.findings(), buffer)), [0, 0]);

    let mut game = Game::new();
    game.app.add_plugins((GizmoPlugin, NavbakeGizmosPlugin));
    let level = game.add(office());
    let agent = game.agent(level, [2.5, 0.0, 11.5], [13.5, 0.0, 11.5]);
    game.app.update();
    assert_eq!(game.events(), [Event::Ready(level), Event::Found(agent)]);
    game.app.update();
    let path = game.answer(agent).found().unwrap();
    // A strip ends with a point that is no number.
    let mut buffer = Buffer::default();
    options.draw_path(path, &mut buffer);
    assert_eq!(buffer.buffer().strip_positions.len(), path.points.len() + 1);
    let store = game.app.world().resource::<GizmoConfigStore>();
    assert_eq!(*store.config::<NavbakeGizmos>().1, NavbakeGizmos::default());
}
