//! Levels: a navmesh, what obstacles do to it, and what is closed.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bevy_asset::{
    AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, AssetPath, AssetServer, Assets,
    Handle, LoadState,
};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use navbake_format::BlobError;
use navbake_queue::PathQueue;
use navbake_search::{NavQuery, QueryFilter};
use navbake_world::{Obstacle, ObstacleId, World};

use crate::asset::modified;
use crate::chunks::Chunks;
use crate::obstacle::Placed;
use crate::{LevelFailed, LevelReady, NavbakeBudget, Navmesh};

/// Searches that run at the same time on a level: a long one does not hold up all others.
const LANES: usize = 4;

/// A navmesh for one class of agents, in world space.
///
/// Spawn it once for each class of agents. A change of it makes the paths on it stale.
#[derive(Component, Clone, Debug, Default)]
#[require(NavWorld)]
pub struct NavLevel {
    /// The baked file.
    pub navmesh: Handle<Navmesh>,
    /// The agent of the file whose navmesh it is, and whose links are allowed. Needed where the
    /// file has several navmeshes.
    pub agent: Option<String>,
    /// Switches that are closed: doors, bridges, areas. `None`: those that the file says are closed
    /// when the level begins.
    pub closed: Option<Vec<String>>,
    /// What a metre on the areas of a name costs, from 0.01; infinity forbids them.
    pub costs: Vec<(String, f64)>,
}

impl NavLevel {
    /// A level as the file says it, at a cost of 1 per metre.
    pub fn new(navmesh: Handle<Navmesh>) -> NavLevel {
        NavLevel { navmesh, ..NavLevel::default() }
    }

    /// The same for an agent of the file.
    #[must_use]
    pub fn agent(self, name: impl Into<String>) -> NavLevel {
        NavLevel { agent: Some(name.into()), ..self }
    }

    /// The filter for a navmesh.
    fn filter(&self, world: &World) -> Result<QueryFilter, LevelError> {
        let mesh = world.nav_mesh();
        let file = mesh.file();
        let refused = |name: &str| {
            let name = name.to_owned();
            move |error| LevelError::Setting { name, error }
        };
        let mut filter = QueryFilter::new();
        if let Some(agent) = &self.agent {
            filter = filter.agent(&mesh, agent).map_err(refused(agent))?;
        }
        let closed: Vec<&str> = match &self.closed {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => file.switches().filter(|switch| switch.closed).map(|s| s.name).collect(),
        };
        for switch in closed {
            known("switch", switch, file.switches().map(|switch| switch.name))?;
            filter = filter.block(&mesh, switch).map_err(refused(switch))?;
        }
        for (area, cost) in &self.costs {
            known("area", area, file.areas().map(|area| area.name))?;
            filter = filter.cost(&mesh, area, *cost).map_err(refused(area))?;
        }
        Ok(filter)
    }
}

/// Refuses a name that is none of these.
fn known<'a>(
    kind: &'static str,
    name: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), LevelError> {
    let mut known: Vec<String> = names.map(str::to_owned).collect();
    if known.iter().any(|own| own == name) {
        return Ok(());
    }
    known.dedup();
    Err(LevelError::Unknown { kind, name: name.to_owned(), known })
}

/// Why a level cannot be searched, or not in its newest version.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LevelError {
    /// The file is missing, unreadable or damaged.
    File(Arc<AssetLoadError>),
    /// The file has no navmesh for the agent.
    Navmesh(BlobError),
    /// The file has no agent, switch or area of this name.
    Unknown {
        /// `agent`, `switch` or `area`.
        kind: &'static str,
        /// The name.
        name: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A cost is out of range, or an agent has another mesh.
    Setting {
        /// The name of the agent, switch or area.
        name: String,
        /// What is wrong.
        error: navbake_search::Error,
    },
    /// It is a world in chunks, and its index was not loaded by the `AssetServer`.
    NoFolder,
    /// The file of a chunk is missing, unreadable or damaged.
    ChunkFile(Arc<AssetLoadError>),
    /// A chunk is of another bake than the index, or too much for one mesh.
    Chunk {
        /// Its file.
        file: AssetPath<'static>,
        /// What is wrong.
        error: navbake_world::Error,
    },
    /// A [`NavLoader`](crate::NavLoader) names a chunk, by column and row, that the world does not
    /// have.
    NoChunk([i32; 2]),
    /// A world is to be saved or restored before its level is ready.
    NotReady,
    /// The bytes of a saved world are refused, or a chunk that it needs has changed since.
    Saved(navbake_world::Error),
    /// Chunks that a saved world needs, by column and row, and whose files are not loaded.
    SavedChunks(Vec<[i32; 2]>),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::File(error) => error.fmt(f),
            LevelError::Navmesh(error) => error.fmt(f),
            LevelError::Unknown { kind, name, known } if known.is_empty() => {
                write!(f, "no {kind} `{name}` in the file, which has none")
            }
            LevelError::Unknown { kind, name, known } => {
                write!(f, "no {kind} `{name}` in the file, which has: {}", known.join(", "))
            }
            LevelError::Setting { name, error } => write!(f, "`{name}`: {error}"),
            LevelError::NoFolder => f.write_str(
                "the index of a world in chunks does not come from a file, so its chunks have no \
                 folder: load it with the AssetServer",
            ),
            LevelError::ChunkFile(error) => write!(
                f,
                "{error}: put the folder of chunks that was baked with the index beside it"
            ),
            LevelError::Chunk { file, error } => write!(f, "{file}: {error}"),
            LevelError::NoChunk([x, z]) => write!(
                f,
                "no chunk {x}, {z} in the world: Navmesh::chunks has columns and rows of all"
            ),
            LevelError::NotReady => f.write_str(
                "the level is not ready, so it has no world to save or restore: wait for \
                 LevelReady",
            ),
            LevelError::Saved(error) => error.fmt(f),
            LevelError::SavedChunks(keys) => {
                f.write_str("the saved world needs chunks whose files are not loaded:")?;
                for (i, [x, z]) in keys.iter().enumerate() {
                    write!(f, "{} {x}, {z}", if i == 0 { "" } else { ";" })?;
                }
                f.write_str(
                    ": load them with NavWorld::saved_chunks, and keep the handles until it is \
                     restored",
                )
            }
        }
    }
}

impl std::error::Error for LevelError {}

/// The navmesh of a [`NavLevel`] as it is now: with obstacles, without what is closed.
#[derive(Component, Debug, Default)]
pub struct NavWorld {
    pub(crate) ready: Option<Ready>,
    error: Option<LevelError>,
    /// The file that could not be loaded, if that was reported.
    failed: Option<AssetId<Navmesh>>,
    /// What `ready` was made of.
    pub(crate) source: Option<(AssetId<Navmesh>, Option<String>)>,
    /// How often the level was made ready or restored: paths of another time are stale.
    pub(crate) era: u64,
}

/// What there is once the file is loaded.
#[derive(Debug)]
pub(crate) struct Ready {
    pub(crate) world: World,
    pub(crate) filter: QueryFilter,
    pub(crate) queue: PathQueue,
    pub(crate) obstacles: BTreeMap<Entity, Placed>,
    /// Those of a world that was restored, until the next run finds their entities.
    pub(crate) restored: Vec<(ObstacleId, Obstacle)>,
    /// Those of a world in chunks.
    pub(crate) chunks: Option<Chunks>,
    /// How often obstacles and chunks have changed the ground.
    pub(crate) version: u64,
}

impl Ready {
    /// Brings the filter and searches to a world that has changed.
    pub(crate) fn renew(&mut self) {
        // Its memory grows with the mesh, so nothing is refused here; if it were, searches would
        // answer `StaleFilter`.
        let _ = self.filter.refresh(&self.world.nav_mesh());
        self.queue.restart();
    }
}

impl NavWorld {
    /// The navmesh and its obstacles; `None` until the file is loaded.
    pub fn world(&self) -> Option<&World> {
        Some(&self.ready.as_ref()?.world)
    }

    /// Queries on the navmesh of now, with the level's filter; `None` until the file is loaded.
    ///
    /// For rays, nearest places, moving along the ground, and paths at once. Paths found with it
    /// are those that agents get.
    pub fn query(&self) -> Option<NavQuery<'_>> {
        let ready = self.ready.as_ref()?;
        Some(NavQuery::new(ready.world.nav_mesh()).with_filter(&ready.filter))
    }

    /// Why the level cannot be searched, or why its newest version or a chunk that is wanted is not
    /// in use.
    pub fn error(&self) -> Option<&LevelError> {
        let chunks = || self.ready.as_ref()?.chunks.as_ref()?.error();
        self.error.as_ref().or_else(chunks)
    }

    /// Makes the level ready, or closes other switches on the same navmesh.
    fn make(&mut self, level: &NavLevel, asset: &Navmesh, from: &Source<'_>, anew: bool) {
        self.error = self.try_make(level, asset, from, anew).err();
        self.failed = None;
        self.source = Some((level.navmesh.id(), level.agent.clone()));
        self.era += 1;
        if self.error.is_some() {
            self.ready = None;
        }
    }

    fn try_make(
        &mut self,
        level: &NavLevel,
        asset: &Navmesh,
        from: &Source<'_>,
        anew: bool,
    ) -> Result<(), LevelError> {
        if let Some(ready) = self.ready.as_mut().filter(|_| !anew) {
            ready.filter = level.filter(&ready.world)?;
            ready.queue.restart();
            return Ok(());
        }
        if let Some(agent) = &level.agent {
            known("agent", agent, asset.agents())?;
        }
        let nav = asset.mesh(level.agent.as_deref()).map_err(LevelError::Navmesh)?;
        let world = World::new(nav.clone());
        let chunks = match world.baked().file().is_index() {
            true => {
                let path = from.server.get_path(level.navmesh.id());
                Some(Chunks::new(&world, &path.ok_or(LevelError::NoFolder)?))
            }
            false => None,
        };
        self.ready = Some(Ready {
            filter: level.filter(&world)?,
            world,
            queue: PathQueue::new(from.budget.waiting, LANES),
            obstacles: BTreeMap::new(),
            restored: Vec::new(),
            chunks,
            version: 0,
        });
        Ok(())
    }
}

/// What a level is made of beside its file.
#[derive(SystemParam)]
pub(crate) struct Source<'w> {
    server: Res<'w, AssetServer>,
    budget: Res<'w, NavbakeBudget>,
}

/// Makes levels ready whose files were loaded, or loaded again, or whose settings changed.
pub(crate) fn prepare(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<Navmesh>>,
    mut failed: MessageReader<AssetLoadFailedEvent<Navmesh>>,
    assets: Res<Assets<Navmesh>>,
    from: Source<'_>,
    mut levels: Query<(Entity, Ref<NavLevel>, &mut NavWorld)>,
) {
    let reloaded = modified(&mut events);
    let failed: Vec<_> = failed.read().map(|f| (f.id, f.error.clone())).collect();
    for (entity, level, mut world) in &mut levels {
        let id = level.navmesh.id();
        let source = Some((id, level.agent.clone()));
        let anew = world.source != source || reloaded.contains(&id);
        let changed = level.is_changed() && world.source.is_some();
        if let Some(asset) = assets.get(id).filter(|_| anew || changed) {
            world.make(&level, asset, &from, anew);
            match world.error.clone() {
                Some(error) => commands.trigger(LevelFailed { entity, error }),
                None => commands.trigger(LevelReady { entity }),
            }
        } else if let Some(error) = failure(&world, id, &failed, &from.server) {
            world.failed = Some(id);
            world.error = Some(error.clone());
            commands.trigger(LevelFailed { entity, error });
        }
    }
}

/// Why the file of a level could not be loaded; the same error once.
fn failure(
    world: &NavWorld,
    id: AssetId<Navmesh>,
    failed: &[(AssetId<Navmesh>, AssetLoadError)],
    server: &AssetServer,
) -> Option<LevelError> {
    if let Some((_, error)) = failed.iter().find(|(of, _)| *of == id) {
        return Some(LevelError::File(Arc::new(error.clone())));
    }
    // It may have failed before the level was spawned.
    match server.get_load_state(id) {
        Some(LoadState::Failed(error)) if world.failed != Some(id) => Some(LevelError::File(error)),
        _ => None,
    }
}

/// What is no level any more has no navmesh.
pub(crate) fn forget(gone: On<Remove, NavLevel>, mut commands: Commands) {
    commands.entity(gone.entity).try_remove::<NavWorld>();
}

/// Commits a part of the changes of obstacles and chunks.
pub(crate) fn commit(budget: Res<NavbakeBudget>, mut levels: Query<&mut NavWorld>) {
    for mut world in &mut levels {
        let Some(ready) = world.bypass_change_detection().ready.as_mut() else {
            continue;
        };
        let done = ready.world.commit_some(budget.polygons);
        if done.polygons + done.chunks == 0 {
            continue;
        }
        ready.renew();
        ready.version += 1;
        world.set_changed();
    }
}
