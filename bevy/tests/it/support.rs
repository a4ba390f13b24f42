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
    once.get_or_init(|| {
        let folder = bake("level.navbake", level, options);
        std::fs::read(folder.path().join("level.navbake")).unwrap()
    })
}

/// A folder with a fixture baked to a file of a name.
fn bake(name: &str, level: &str, options: &[&str]) -> TempDir {
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
    folder
}

/// The courtyard as a world in four chunks of 22.5 m.
pub(crate) struct Chunked {
    pub(crate) index: Vec<u8>,
    /// Names and bytes.
    pub(crate) chunks: Vec<(String, Vec<u8>)>,
    /// The same in one file.
    pub(crate) whole: Vec<u8>,
}

impl Chunked {
    /// Bakes it with a config of the folder of tests, if there is one.
    fn bake(config: Option<&str>) -> Chunked {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let config = config.map(|name| tests.join(name));
        // Sides are whole tiles, which grow with cells.
        let mut options = vec!["--cell", "0.03"];
        if let Some(path) = &config {
            options.extend(["--config", path.to_str().unwrap()]);
        }
        let whole = bake("level.navbake", "courtyard/courtyard.obj", &options);
        options.extend(["--chunk", "20"]);
        let folder = bake("world.navw", "courtyard/courtyard.obj", &options);
        let files = std::fs::read_dir(folder.path().join("world.chunks")).unwrap();
        Chunked {
            index: std::fs::read(folder.path().join("world.navw")).unwrap(),
            chunks: files
                .map(|file| file.unwrap())
                .map(|file| (file.file_name().into_string().unwrap(), file.path()))
                .map(|(name, path)| (name, std::fs::read(path).unwrap()))
                .collect(),
            whole: std::fs::read(whole.path().join("level.navbake")).unwrap(),
        }
    }

    /// The file of a chunk.
    pub(crate) fn file(&self, key: [i32; 2]) -> &(String, Vec<u8>) {
        let [column, row] = key;
        let own = |(name, _): &&(String, Vec<u8>)| name.starts_with(&format!("{column}_{row}-"));
        self.chunks.iter().find(own).unwrap()
    }
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

/// The courtyard in chunks.
pub(crate) fn chunks() -> &'static Chunked {
    static BAKED: OnceLock<Chunked> = OnceLock::new();
    BAKED.get_or_init(|| Chunked::bake(None))
}

/// The same for two classes of agents.
pub(crate) fn chunks_of_two_classes() -> &'static Chunked {
    static BAKED: OnceLock<Chunked> = OnceLock::new();
    BAKED.get_or_init(|| Chunked::bake(Some("two_classes.toml")))
}

/// The same with rooms, and a switch that is closed when the level begins.
pub(crate) fn chunks_of_rooms() -> &'static Chunked {
    static BAKED: OnceLock<Chunked> = OnceLock::new();
    BAKED.get_or_init(|| Chunked::bake(Some("chunks.toml")))
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

    /// Writes a world in chunks to the folder of assets.
    pub(crate) fn write(&self, world: &Chunked) {
        std::fs::create_dir_all(self.path("world.chunks")).unwrap();
        for (name, bytes) in &world.chunks {
            std::fs::write(self.path("world.chunks").join(name), bytes).unwrap();
        }
        std::fs::write(self.path("world.navw"), &world.index).unwrap();
    }

    /// A game with a level of a world in chunks, ready, and no events up to now.
    pub(crate) fn chunked(world: &Chunked, agent: Option<&str>) -> (Game, Entity) {
        let mut game = Game::new();
        game.write(world);
        let handle = game.app.world().resource::<AssetServer>().load::<Navmesh>("world.navw");
        let own = NavLevel { agent: agent.map(str::to_owned), ..NavLevel::new(handle) };
        let level = game.app.world_mut().spawn(own).id();
        assert_eq!(game.until(1).0, [Event::Ready(level)]);
        (game, level)
    }

    /// Frames until as many chunks as are wanted are on the navmesh of a level, and one more.
    pub(crate) fn until_loaded(&mut self, level: Entity, wanted: &[[i32; 2]]) {
        let is_loaded = |game: &Game| {
            let nav = game.nav(level);
            let world = nav.world().unwrap();
            let table = world.baked().file().chunks();
            nav.loading() == 0
                && table.iter().all(|own| world.is_loaded(own.key) == wanted.contains(&own.key))
        };
        for _ in 0..FRAMES {
            self.app.update();
            if is_loaded(self) {
                self.app.update();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("after {FRAMES} frames: {:?}", self.events());
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
