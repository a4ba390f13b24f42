//! The navmesh of one agent, and the obstacles on it.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use navbake_format::NavMeshBuf;
use navbake_world::{Commit, Error, Obstacle, ObstacleError, ObstacleId, World};

/// The navmesh of one agent, and the obstacles on it.
#[derive(Debug)]
pub struct Ground {
    world: World,
    agent: String,
    /// How often obstacles have changed the navmesh.
    version: u64,
}

impl Ground {
    pub(crate) fn new(nav: NavMeshBuf, agent: &str) -> Ground {
        Ground { world: World::new(nav), agent: agent.to_owned(), version: 0 }
    }

    /// The navmesh and its obstacles.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The agent's name, empty for the only navmesh of a file.
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// How often obstacles have changed the navmesh.
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

    /// Makes changes until this many baked polygons were cut anew; 0 for all.
    pub fn commit(&mut self, polygons: usize) -> Commit {
        let done = match polygons {
            0 => self.world.commit(),
            most => self.world.commit_some(most),
        };
        self.version += u64::from(done.polygons > 0);
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

/// A solid thing with its middle at the origin of its own axes, as Godot's shapes.
///
/// It takes the outline seen from above: of a box in any rotation, of an upright cylinder exactly.
/// A cylinder that is tilted, or whose scales along x and z differ, takes the outline of the box
/// around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Half its size along its own axes, metres. The first and the last are a cylinder's radius.
    pub half: [f64; 3],
    /// Is it a cylinder along its own y axis? Else a box.
    pub is_round: bool,
    /// Its own axes, scaled.
    pub axes: [[f64; 3]; 3],
    /// Its middle, y-up metres.
    pub middle: [f64; 3],
}

impl Solid {
    /// The ground that it takes, without the agent's radius.
    fn obstacle(&self) -> Result<Obstacle, ObstacleError> {
        let corners: [[f64; 3]; 8] = std::array::from_fn(|k| self.corner(k));
        let heights = corners.map(|[_, y, _]| y);
        let heights = [
            heights.into_iter().fold(f64::INFINITY, f64::min),
            heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        ];
        let [x, y, z] = self.axes;
        let upright = y[0] == 0.0 && y[2] == 0.0 && x[1] == 0.0 && z[1] == 0.0;
        let [right, ahead] = [x[0].hypot(x[2]), z[0].hypot(z[2])];
        if self.is_round && upright && (right - ahead).abs() <= 1e-5 * right.max(ahead) {
            let [x, _, z] = self.middle;
            return Obstacle::cylinder([x, z], self.half[0] * right.max(ahead), heights);
        }
        Obstacle::prism(&corners.map(|[x, _, z]| [x, z]), heights)
    }

    /// A corner of the box around it, by the bits of a number.
    fn corner(&self, number: usize) -> [f64; 3] {
        let mut corner = self.middle;
        for (k, axis) in self.axes.iter().enumerate() {
            let half = if number >> k & 1 == 1 { self.half[k] } else { -self.half[k] };
            for (to, along) in corner.iter_mut().zip(axis) {
                *to += half * along;
            }
        }
        corner
    }
}
