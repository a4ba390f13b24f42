//! The navmesh of one agent, and the obstacles on it.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use navbake_format::NavMeshBuf;
use navbake_search::NavQuery;
use navbake_world::{ChunkMesh, Commit, Error, ObstacleId, Solid, World};

use crate::level::Level;

/// The navmesh of one agent, the obstacles on it, and the chunks of a world that are loaded.
#[derive(Debug)]
pub struct Ground {
    world: World,
    /// As baked, for worlds that are restored. The level has it too.
    nav: Arc<NavMeshBuf>,
    agent: String,
    /// How often obstacles, chunks and saves have changed the navmesh.
    version: u64,
}

impl Ground {
    pub(crate) fn new(nav: Arc<NavMeshBuf>, agent: &str) -> Ground {
        let world = World::new(NavMeshBuf::clone(&nav));
        Ground { world, nav, agent: agent.to_owned(), version: 0 }
    }

    /// The navmesh and its obstacles.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The agent's name, empty for the only navmesh of a file.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// How often obstacles, chunks and saves have changed the navmesh.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Adds an obstacle at the next commit; gives its number.
    ///
    /// # Errors
    /// When it reaches beyond the grid of the level, or a number is not finite.
    pub fn add(&mut self, solid: &Solid) -> Result<u64, Error> {
        Ok(self.world.add(solid.obstacle()?)?.bits())
    }

    /// Puts an obstacle elsewhere at the next commit.
    ///
    /// # Errors
    /// Those of [`Ground::add`], and a number that no obstacle has.
    pub fn move_to(&mut self, number: u64, solid: &Solid) -> Result<(), Error> {
        self.world.move_to(ObstacleId::from_bits(number), solid.obstacle()?)
    }

    /// Takes an obstacle away at the next commit.
    ///
    /// # Errors
    /// A number that no obstacle has.
    pub fn remove(&mut self, number: u64) -> Result<(), Error> {
        self.world.remove(ObstacleId::from_bits(number))
    }

    /// A copy of a chunk, the level of its file, for the agent.
    ///
    /// # Errors
    /// A file that is no chunk, or has none for the agent.
    pub fn chunk(&self, level: &Level) -> Result<ChunkMesh, Error> {
        level.chunk(self.world.baked().class())
    }

    /// Puts a copy of a chunk, the level of its file, on the navmesh of an index at the next
    /// commit.
    ///
    /// # Errors
    /// Those of [`Ground::chunk`], or a chunk of another bake, that is there, or too much for a
    /// mesh.
    pub fn insert_chunk(&mut self, chunk: &Level) -> Result<(), Error> {
        self.world.insert_chunk(self.chunk(chunk)?)
    }

    /// Takes a chunk off at the next commit, by its column and row.
    ///
    /// # Errors
    /// A chunk that is not there.
    pub fn remove_chunk(&mut self, key: [i32; 2]) -> Result<(), Error> {
        self.world.remove_chunk(key)
    }

    /// The chunks that are not loaded and in which the ground of a position goes on, by column and
    /// row. The ground is at most `vertical` metres above or below the position.
    ///
    /// # Errors
    /// When there is none.
    pub fn not_loaded(&self, at: [f64; 3], vertical: f64) -> Result<Vec<[i32; 2]>, String> {
        let place = NavQuery::new(self.world.nav_mesh()).locate(at, vertical).ok_or_else(|| {
            format!(
                "no ground within {vertical} m above or below {at:?}: give a place on ground that \
                 is loaded"
            )
        })?;
        Ok(self.world.not_loaded(place.polygon()))
    }

    /// Makes the navmesh what it was when [`World::save`] gave these bytes, to the bit: answers,
    /// and the numbers of obstacles. What is on it before is gone.
    ///
    /// `chunks` are those of [`World::saved_chunks`], in any order; others do no harm.
    ///
    /// # Errors
    /// Those of [`World::restore`]. The navmesh is then as it was before.
    pub fn restore(&mut self, saved: &[u8], chunks: Vec<ChunkMesh>) -> Result<(), Error> {
        let chunks = chunks.into_iter().map(|chunk| (chunk.key(), chunk));
        let mut chunks: BTreeMap<[i32; 2], ChunkMesh> = chunks.collect();
        let nav = NavMeshBuf::clone(&self.nav);
        self.world = World::restore(nav, saved, |key| chunks.remove(&key))?;
        self.version += 1;
        Ok(())
    }

    /// Makes changes until this many baked polygons were cut anew, or came and went with chunks; 0
    /// for all.
    pub fn commit(&mut self, polygons: usize) -> Commit {
        let done = match polygons {
            0 => self.world.commit(),
            most => self.world.commit_some(most),
        };
        self.version += u64::from(done.polygons + done.chunks > 0);
        done
    }
}

/// The ground that a mesh and the queries on it share.
#[derive(Clone, Debug)]
pub struct Shared(Arc<RwLock<Ground>>);

impl Shared {
    /// Shares a ground.
    pub fn new(ground: Ground) -> Shared {
        Shared(Arc::new(RwLock::new(ground)))
    }

    /// The ground, to search on. Waits while it is changed.
    pub fn read(&self) -> RwLockReadGuard<'_, Ground> {
        // A panic of another thread leaves the world between two commits.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ground, to change it. Waits while it is searched.
    pub fn write(&self) -> RwLockWriteGuard<'_, Ground> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}
