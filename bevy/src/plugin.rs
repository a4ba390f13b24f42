//! The plugin: what runs when, and how much of it.

use bevy_app::{App, Plugin, PostUpdate};
use bevy_asset::AssetApp;
use bevy_ecs::intern::Interned;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel, SystemSet};

use crate::chunks::{self, ChunkLoader};
use crate::{NavChunk, Navmesh, NavmeshLoader, agent, answers, level, obstacle};

/// All systems of the plugin, in the order of the variants.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavbakeSystems {
    /// Everything: order this one.
    All,
    /// Levels whose files or settings changed are made ready, and chunks are loaded.
    Levels,
    /// Obstacles are put where their transforms are, and a part of all changes is committed.
    Obstacles,
    /// Stale paths are found, agents ask, searches go on, and agents get answers.
    Paths,
}

/// How much work is done in one run of the systems, for each level.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct NavbakeBudget {
    /// Baked polygons that are cut anew for obstacles, or come and go with chunks; at least one
    /// obstacle or chunk changes, and each changes as a whole. A polygon that is cut takes about 50
    /// to 100 microseconds, a chunk of 1,500 polygons 200.
    pub polygons: usize,
    /// Entries of open lists of searches. An entry takes about half a microsecond.
    pub entries: u32,
    /// The most agents that wait for an answer of a level at a time; others ask later. A level
    /// takes it when its file is loaded.
    pub waiting: usize,
}

impl Default for NavbakeBudget {
    /// About a millisecond each.
    fn default() -> NavbakeBudget {
        NavbakeBudget { polygons: 16, entries: 2000, waiting: 1024 }
    }
}

/// Adds the asset, its loader and the systems.
///
/// It needs `AssetPlugin`. The default schedule is `PostUpdate`; take `FixedUpdate` or another one
/// with [`NavbakePlugin::in_schedule`]. Global transforms are computed from transforms, so the
/// schedule need not come after `TransformSystems::Propagate`.
#[derive(Clone, Copy, Debug)]
pub struct NavbakePlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for NavbakePlugin {
    fn default() -> NavbakePlugin {
        NavbakePlugin::in_schedule(PostUpdate)
    }
}

impl NavbakePlugin {
    /// The plugin with its systems in another schedule.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> NavbakePlugin {
        NavbakePlugin { schedule: schedule.intern() }
    }
}

impl Plugin for NavbakePlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<Navmesh>()
            .init_asset_loader::<NavmeshLoader>()
            .init_asset::<NavChunk>()
            .init_asset_loader::<ChunkLoader>()
            .init_resource::<NavbakeBudget>()
            .add_observer(agent::forget)
            .add_observer(level::forget)
            .configure_sets(
                self.schedule,
                (NavbakeSystems::Levels, NavbakeSystems::Obstacles, NavbakeSystems::Paths)
                    .chain()
                    .in_set(NavbakeSystems::All),
            )
            .add_systems(
                self.schedule,
                (
                    (level::prepare, chunks::load).chain().in_set(NavbakeSystems::Levels),
                    (obstacle::place, level::commit).chain().in_set(NavbakeSystems::Obstacles),
                    (answers::outdate, agent::ask, answers::search)
                        .chain()
                        .in_set(NavbakeSystems::Paths),
                ),
            );
    }
}
