//! Queries on a world without some of its obstacles.

use navbake_format::NavMesh;

use crate::{Error, ObstacleId, World};

impl World {
    /// Runs queries on the navmesh without some obstacles or volumes.
    ///
    /// Use it for the path of a unit that is an obstacle to others but not to itself. `ask` gets
    /// the navmesh as if the obstacles had been removed, so its answers are as exact as any.
    /// Afterwards the world is unchanged, to the bit: ids, references and saved bytes stay the
    /// same. Inside `ask`, filters that block anything need `QueryFilter::refresh`. Takes the time
    /// of two changes of these obstacles, and allocates nothing once memory has grown.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_search::{NavQuery, PathRequest, Scratch};
    /// use navbake_world::{NavMeshBuf, Obstacle, World};
    ///
    /// let mut world = World::new(NavMeshBuf::open(&bytes)?);
    /// let place = [3.0, 0.0, 2.0];
    /// let unit = world.add(Obstacle::cylinder([place[0], place[2]], 0.5, [0.0, 1.8])?)?;
    /// world.commit();
    ///
    /// let request = PathRequest::new(place, [5.0, 0.0, 2.0]);
    /// let mut scratch = Scratch::new();
    /// let path = world.without(&[unit], |mesh| {
    ///     NavQuery::new(mesh).find_path(&request, &mut scratch)
    /// })??;
    /// assert_eq!(path.length_xz, 2.0); // straight away, from the middle of its own ground
    /// assert!(NavQuery::new(world.nav_mesh()).locate(place, 1.0).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for an obstacle that was removed.
    pub fn without<T>(
        &mut self,
        obstacles: &[ObstacleId],
        ask: impl FnOnce(NavMesh<'_>) -> T,
    ) -> Result<T, Error> {
        /// Puts the obstacles back even if `ask` panics.
        struct PutBack<'w>(&'w mut World);
        impl Drop for PutBack<'_> {
            fn drop(&mut self) {
                self.0.put_back();
            }
        }
        self.set_aside(obstacles)?;
        let world = PutBack(self);
        Ok(ask(world.0.nav_mesh()))
    }

    /// The first half of [`World::without`], for languages without closures. It lasts until
    /// [`World::put_back`] or the next commit, and first puts back what was set aside before.
    #[doc(hidden)]
    pub fn set_aside(&mut self, obstacles: &[ObstacleId]) -> Result<(), Error> {
        self.put_back();
        for &id in obstacles {
            self.obstacle(id)?;
        }
        self.aside.extend(obstacles.iter().map(|id| id.number));
        self.ground.set_aside(&self.aside);
        Ok(())
    }

    /// The second half of [`World::without`]. Was anything set aside?
    #[doc(hidden)]
    pub fn put_back(&mut self) -> bool {
        let is_any = !self.aside.is_empty();
        self.aside.clear();
        self.ground.put_back();
        is_any
    }
}
