//! A path, an obstacle on it, and another path: without a window.
//!
//! `cargo run -p bevy_navbake_example` in `bevy/`, with the command `navbake` in the `PATH`.

use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::asset::{AssetPlugin, AssetServer};
use bevy::prelude::*;
use bevy_navbake::*;

fn main() -> AppExit {
    let frame = ScheduleRunnerPlugin::run_loop(Duration::from_millis(16));
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/assets").to_owned();
    App::new()
        .add_plugins(MinimalPlugins.set(frame))
        .add_plugins(AssetPlugin { file_path: assets, ..default() })
        .add_plugins(NavbakePlugin::default())
        .add_systems(Startup, spawn)
        .add_observer(found)
        .add_observer(|failed: On<PathFailed>, mut exit: MessageWriter<AppExit>| {
            eprintln!("no path: {}", failed.why);
            exit.write(AppExit::error());
        })
        .run()
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    let level = commands.spawn(NavLevel::new(assets.load("courtyard.navbake"))).id();
    let agent = NavAgent::on(level);
    commands.spawn((
        agent,
        NavGoal(Vec3::new(20.0, 0.0, 2.0)),
        Transform::from_xyz(20.0, 0.0, 25.0),
    ));
}

fn found(
    found: On<PathFound>,
    paths: Query<&NavPath>,
    obstacles: Query<(), With<NavObstacle>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    let Some(path) = paths.get(found.entity).ok().and_then(NavPath::found) else { return };
    println!("{:.2} m: {:?}", path.length, path.points);
    if obstacles.is_empty() {
        // In the middle of the path: the plugin finds another one.
        let [a, b] = [path.points[0], path.points[1]];
        let crate_ = NavObstacle::Box { size: Vec3::new(3.0, 2.0, 3.0) };
        commands.spawn((crate_, Transform::from_translation(a.midpoint(b))));
    } else {
        exit.write(AppExit::Success);
    }
}
