//! Apps, baked fixtures, and events.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_navbake::search::Algorithm;
use bevy_navbake::{
    LevelFailed, LevelReady, NavAgent, NavGoal, NavLevel, NavObstacle, NavPath, NavWorld,
    NavbakePlugin, Navmesh, ObstacleRefused, PathFailed, PathFound, PathStale,
};
use bevy_transform::components::Transform;
use tempfile::TempDir;

/// Frames after which a test gives up: far more than any needs.
const FRAMES: usize = 20_000;

/// Events, in order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    Found(Entity),
    Failed(Entity, String),
    Stale(Entity),
    Ready(Entity),
    LevelFailed(Entity, String),
    Refused(Entity, Entity, String),
}

#[derive(Resource, Default)]
pub(crate) struct Events(pub(crate) Vec<Event>);

/// The bytes of a fixture, baked once.
fn baked(once: &'static OnceLock<Vec<u8>>, level: &str, options: &[&str]) -> &'static [u8] {
    baked_to("level.navbake", once, level, options)
}

fn baked_to(
    name: &str,
    once: &'static OnceLock<Vec<u8>>,
    level: &str,
    options: &[&str],
) -> &'static [u8] {
    once.get_or_init(|| {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(name);
        let navbake = std::env::var("NAVBAKE").unwrap_or_else(|_| "navbake".to_owned());
        let mut command = Command::new(&navbake);
        command.current_dir(&fixtures).args(["-q", "bake", level, "-o"]).arg(&out).args(options);
        let status = command.status().unwrap_or_else(|error| {
            panic!("{navbake}: {error}; `cargo build --release -p navbake` and set NAVBAKE")
        });
        assert!(status.success(), "{level} was not baked");
        std::fs::read(out).unwrap()
    })
}

/// The yard with a house of two storeys.
pub(crate) fn courtyard() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "courtyard/courtyard.obj", &[])
}

/// Terraces with drops and jumps for the cat, and none for the dog.
pub(crate) fn terraces() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "terraces/terraces.obj", &["--config", "terraces/bake.toml"])
}

/// Rooms with doors as switches; `g` is closed when the level begins.
pub(crate) fn office() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked(&BAKED, "office/office.obj", &["--config", "office/bake.toml", "--rooms"])
}

/// The courtyard for two classes of agents.
pub(crate) fn two_classes() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/two_classes.toml");
    baked(&BAKED, "courtyard/courtyard.obj", &["--config", config.to_str().unwrap()])
}

/// The index of the courtyard in chunks.
pub(crate) fn chunks() -> &'static [u8] {
    static BAKED: OnceLock<Vec<u8>> = OnceLock::new();
    baked_to("level.navw", &BAKED, "courtyard/courtyard.obj", &["--chunk", "20"])
}

/// An app with a folder of assets.
pub(crate) struct Game {
    pub(crate) app: App,
    pub(crate) folder: TempDir,
}

impl Game {
    pub(crate) fn new() -> Game {
        Game::with(NavbakePlugin::default())
    }

    pub(crate) fn with(plugin: NavbakePlugin) -> Game {
        let folder = tempfile::tempdir().unwrap();
        let mut app = App::new();
        let file_path = folder.path().to_str().unwrap().to_owned();
        app.add_plugins(TaskPoolPlugin::default())
            .add_plugins(AssetPlugin { file_path, ..AssetPlugin::default() })
            .add_plugins(plugin)
            .init_resource::<Events>();
        app.add_observer(|event: On<PathFound>, mut all: ResMut<Events>| {
            all.0.push(Event::Found(event.entity));
        });
        app.add_observer(|event: On<PathFailed>, mut all: ResMut<Events>| {
            all.0.push(Event::Failed(event.entity, event.why.to_string()));
        });
        app.add_observer(|event: On<PathStale>, mut all: ResMut<Events>| {
            all.0.push(Event::Stale(event.entity));
        });
        app.add_observer(|event: On<LevelReady>, mut all: ResMut<Events>| {
            all.0.push(Event::Ready(event.entity));
        });
        app.add_observer(|event: On<LevelFailed>, mut all: ResMut<Events>| {
            all.0.push(Event::LevelFailed(event.entity, event.error.to_string()));
        });
        app.add_observer(|event: On<ObstacleRefused>, mut all: ResMut<Events>| {
            let error = event.error.to_string();
            all.0.push(Event::Refused(event.entity, event.level, error));
        });
        Game { app, folder }
    }

    /// A path in the folder of assets.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A level from a file of the folder of assets.
    pub(crate) fn level(&mut self, name: &str) -> Entity {
        let handle = self.app.world().resource::<AssetServer>().load::<Navmesh>(name.to_owned());
        self.app.world_mut().spawn(NavLevel::new(handle)).id()
    }

    /// A level of these bytes, ready, and no events up to now.
    pub(crate) fn ready(bytes: &[u8]) -> (Game, Entity) {
        let mut game = Game::new();
        let level = game.add(bytes);
        game.app.update();
        assert_eq!(game.events(), [Event::Ready(level)]);
        (game, level)
    }

    /// A level of an asset made from bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Entity {
        let navmesh = Navmesh::new(bytes).unwrap();
        let handle = self.app.world_mut().resource_mut::<Assets<Navmesh>>().add(navmesh);
        self.app.world_mut().spawn(NavLevel::new(handle)).id()
    }

    /// An agent that wants a shortest path.
    pub(crate) fn agent(&mut self, level: Entity, from: [f32; 3], to: [f32; 3]) -> Entity {
        let agent = NavAgent { algorithm: Algorithm::Optimal, ..NavAgent::on(level) };
        self.spawn_agent(agent, from, to)
    }

    pub(crate) fn spawn_agent(&mut self, agent: NavAgent, from: [f32; 3], to: [f32; 3]) -> Entity {
        let place = Transform::from_translation(Vec3::from(from));
        self.app.world_mut().spawn((agent, NavGoal(Vec3::from(to)), place)).id()
    }

    pub(crate) fn obstacle(&mut self, obstacle: NavObstacle, at: [f32; 3]) -> Entity {
        let place = Transform::from_translation(Vec3::from(at));
        self.app.world_mut().spawn((obstacle, place)).id()
    }

    pub(crate) fn move_to(&mut self, entity: Entity, at: [f32; 3]) {
        self.app.world_mut().get_mut::<Transform>(entity).unwrap().translation = Vec3::from(at);
    }

    pub(crate) fn nav(&self, level: Entity) -> &NavWorld {
        self.app.world().get(level).unwrap()
    }

    pub(crate) fn answer(&self, agent: Entity) -> &NavPath {
        self.app.world().get(agent).unwrap()
    }

    /// The events since the last call.
    pub(crate) fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.app.world_mut().resource_mut::<Events>().0)
    }

    /// Frames until there are this many events; gives the events and the frames.
    pub(crate) fn until(&mut self, events: usize) -> (Vec<Event>, usize) {
        for frame in 1..=FRAMES {
            self.app.update();
            if self.app.world().resource::<Events>().0.len() >= events {
                return (self.events(), frame);
            }
            // Files are read by tasks between frames, which may be those of other threads.
            std::thread::sleep(Duration::from_millis(if frame > 100 { 1 } else { 0 }));
        }
        panic!("after {FRAMES} frames: {:?}", self.events());
    }
}
