//! Worlds as bytes, and back.

use bevy_asset::Handle;
use navbake_world::{Error, World};

use crate::{LevelError, NavChunk, NavFiles, NavWorld};

/// Saving.
impl NavWorld {
    /// Obstacles, chunks and staged changes as bytes, for [`NavWorld::restore`]. They are those of
    /// [`World::save`].
    ///
    /// Entities, what a [`NavLevel`](crate::NavLevel) closes and costs, and paths are not part of
    /// it.
    ///
    /// # Errors
    /// Why the level cannot be searched, or [`LevelError::NotReady`].
    pub fn save(&self) -> Result<Vec<u8>, LevelError> {
        Ok(self.world().ok_or_else(|| self.not_ready())?.save())
    }

    /// Begins to load the chunks that [`NavWorld::restore`] needs. Keep the handles until then:
    /// what no handle holds is unloaded. None for a level of one file.
    ///
    /// # Errors
    /// Those of [`NavWorld::restore`] for a level that is not ready and for bytes that are no saved
    /// world, or one of another level.
    pub fn saved_chunks(
        &self,
        saved: &[u8],
        files: &NavFiles<'_>,
    ) -> Result<Vec<Handle<NavChunk>>, LevelError> {
        let ready = self.ready.as_ref().ok_or_else(|| self.not_ready())?;
        let keys = World::saved_chunks(saved).map_err(LevelError::Saved)?;
        let path = |key| ready.chunks.as_ref()?.path(key);
        let load = |key| Some(files.server.load(path(key)?));
        keys.into_iter()
            .map(|key| load(key).ok_or(LevelError::Saved(Error::OtherNavMesh)))
            .collect()
    }

    /// Makes the world what it was when [`NavWorld::save`] gave these bytes, to the bit: answers,
    /// and the ids of obstacles and polygons.
    ///
    /// In the next run of the systems, an entity with a [`NavObstacle`](crate::NavObstacle) has its
    /// obstacle again where its shape and place are those of the save, to the bit: the same entity,
    /// or another one after a new start of the program. Obstacles of the save without such an
    /// entity go, and those of other entities come. So put entities where they were when the world
    /// was saved, then restore it. Loaders decide which chunks stay, and paths are searched for
    /// again. It takes as long as [`World::restore`].
    ///
    /// # Errors
    /// [`LevelError::NotReady`], or why the level has failed; [`LevelError::Saved`] for bytes that
    /// were changed or cut, of another level or version, or a chunk that has changed since;
    /// [`LevelError::SavedChunks`] with all chunks that are needed and not loaded, and
    /// [`LevelError::ChunkFile`] where one of them cannot be. The world is then as it was before.
    pub fn restore(&mut self, saved: &[u8], files: &NavFiles<'_>) -> Result<(), LevelError> {
        let not_ready = self.not_ready();
        let (Some(ready), Some((id, agent))) = (&mut self.ready, &self.source) else {
            return Err(not_ready);
        };
        let navmesh = files.navmeshes.get(*id).and_then(|all| all.mesh(agent.as_deref()).ok());
        let nav = navmesh.ok_or(LevelError::NotReady)?;
        let chunks = ready.chunks.as_ref();
        let copy = |key| chunks?.copy(key, files);
        let world = World::restore(nav.clone(), saved, copy).map_err(|error| match error {
            Error::NoSavedChunk(_) => {
                let mut keys = World::saved_chunks(saved).unwrap_or_default();
                keys.retain(|&key| copy(key).is_none());
                let handle = |key| files.server.get_handle(chunks?.path(key)?);
                let failure = |&key: &[i32; 2]| files.failure(&handle(key)?);
                keys.iter().find_map(failure).unwrap_or(LevelError::SavedChunks(keys))
            }
            error => LevelError::Saved(error),
        })?;
        ready.restored = world.staged_obstacles().map(|(id, own)| (id, *own)).collect();
        ready.obstacles.clear();
        if let Some(chunks) = &mut ready.chunks {
            chunks.restored(&world);
        }
        ready.world = world;
        ready.renew();
        self.era += 1;
        Ok(())
    }

    fn not_ready(&self) -> LevelError {
        self.error().cloned().unwrap_or(LevelError::NotReady)
    }
}
