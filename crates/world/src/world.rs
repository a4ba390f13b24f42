//! A navmesh with obstacles.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use navbake_format::{NavMesh, NavMeshBuf, PolyId};

use crate::Error;
use crate::ground::Ground;
use crate::shape::{Agent, Obstacle, Shape};

/// An obstacle of a world. After it was removed, its id is an error, never another obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    number: u32,
    generation: u32,
}

impl ObstacleId {
    /// The id as a number, for other languages.
    pub fn bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.number)
    }

    /// The id of [`ObstacleId::bits`]. Other numbers are refused where they are used.
    pub fn from_bits(bits: u64) -> ObstacleId {
        ObstacleId { number: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// A polygon of a world at the time when the reference was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolyRef {
    polygon: PolyId,
    generation: u32,
}

/// What a commit has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Obstacles that were added, moved or removed.
    pub changed: usize,
    /// Baked polygons that were cut anew or came back.
    pub polygons: usize,
    /// Polygons whose ground is taken as a whole, because they are too narrow to be cut on the
    /// grid.
    pub lost: usize,
    /// Changes that are left for the next commit.
    pub left: usize,
}

/// A place for an obstacle.
#[derive(Debug, Default)]
struct Slot {
    generation: u32,
    /// The obstacle that callers know; `None` once it is removed.
    obstacle: Option<Obstacle>,
    /// The ground that it shall take: staged.
    next: Option<Shape>,
    /// Is a change of it in the queue?
    waits: bool,
}

/// A navmesh with obstacles: one writer, and readers between commits.
///
/// [`World::add`], [`World::move_to`] and [`World::remove`] stage changes; [`World::commit`] makes
/// them, or [`World::commit_some`] a part of them. Readers borrow the world, so none sees half a
/// commit. The same changes in the same order give the same polygons and ids on every machine.
#[derive(Debug)]
pub struct World {
    ground: Ground,
    agent: Agent,
    slots: Vec<Slot>,
    free: Vec<u32>,
    queue: VecDeque<u32>,
}

impl World {
    /// A world without obstacles. Their ground is offset by the radius of the mesh's agent, and an
    /// agent as high as the highest of the mesh must fit below them. O(bytes).
    pub fn new(nav: NavMeshBuf) -> World {
        let mesh = nav.mesh();
        let own = mesh.file().agents().filter(|agent| agent.class == mesh.class());
        let most = own.fold([0.0, 0.0f64], |[radius, height]: [f64; 2], agent| {
            [radius.max(agent.radius), height.max(agent.height)]
        });
        let [radius, height] = most.map(|metres| metres * mesh.grid().units());
        World {
            ground: Ground::new(nav),
            agent: Agent { radius, height },
            slots: Vec::new(),
            free: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    /// Stages an obstacle.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] beyond the grid of the level.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, Error> {
        let shape = self.shape(&obstacle)?;
        let number = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[number as usize];
        slot.obstacle = Some(obstacle);
        slot.next = Some(shape);
        let id = ObstacleId { number, generation: slot.generation };
        self.wait(number);
        Ok(id)
    }

    /// Stages another place or shape of an obstacle.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed, [`Error::OutOfRange`] beyond the grid.
    pub fn move_to(&mut self, id: ObstacleId, obstacle: Obstacle) -> Result<(), Error> {
        self.obstacle(id)?;
        let shape = self.shape(&obstacle)?;
        let slot = &mut self.slots[id.number as usize];
        slot.obstacle = Some(obstacle);
        slot.next = Some(shape);
        self.wait(id.number);
        Ok(())
    }

    /// Stages the removal of an obstacle. Its id is an error from now on.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed before.
    pub fn remove(&mut self, id: ObstacleId) -> Result<(), Error> {
        self.obstacle(id)?;
        let slot = &mut self.slots[id.number as usize];
        slot.generation = slot.generation.wrapping_add(1);
        (slot.obstacle, slot.next) = (None, None);
        self.wait(id.number);
        Ok(())
    }

    /// An obstacle as it was staged last.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed.
    pub fn obstacle(&self, id: ObstacleId) -> Result<&Obstacle, Error> {
        let slot = self.slots.get(id.number as usize).ok_or(Error::NoObstacle)?;
        let own = slot.obstacle.as_ref().filter(|_| slot.generation == id.generation);
        own.ok_or(Error::NoObstacle)
    }

    fn shape(&self, obstacle: &Obstacle) -> Result<Shape, Error> {
        Shape::new(&self.ground.grid(), self.agent, obstacle)
    }

    fn wait(&mut self, number: u32) {
        let slot = &mut self.slots[number as usize];
        if !slot.waits {
            slot.waits = true;
            self.queue.push_back(number);
        }
    }

    /// Makes all staged changes.
    pub fn commit(&mut self) -> Commit {
        self.commit_some(usize::MAX)
    }

    /// Makes staged changes until this many baked polygons were cut anew or came back, the oldest
    /// changes first, and at least one. An obstacle changes as a whole. The rest is left for later
    /// commits: until then such obstacles are where they were.
    pub fn commit_some(&mut self, polygons: usize) -> Commit {
        let mut done = Commit::default();
        let lost = self.ground.lost;
        while done.polygons < polygons.max(1)
            && let Some(number) = self.queue.pop_front()
        {
            let slot = &mut self.slots[number as usize];
            slot.waits = false;
            let next = slot.next.take();
            if slot.obstacle.is_none() {
                self.free.push(number);
            }
            done.polygons += self.ground.replace(number, next);
            done.changed += 1;
        }
        if done.polygons > 0 {
            self.ground.join_blocks();
        }
        done.lost = self.ground.lost - lost;
        done.left = self.queue.len();
        done
    }

    /// The navmesh of now. Takes about a microsecond.
    ///
    /// Rooms and landmarks are left out while any obstacle takes ground, because their distances
    /// are those of the mesh as baked. Without obstacles it is the navmesh as baked.
    pub fn nav_mesh(&self) -> NavMesh<'_> {
        self.ground.nav_mesh()
    }

    /// [`World::nav_mesh`] from the memory of changes even where nothing is changed: for tests.
    #[doc(hidden)]
    pub fn changed_mesh(&self) -> NavMesh<'_> {
        self.ground.changed_mesh()
    }

    /// The navmesh as baked, without obstacles.
    pub fn baked(&self) -> NavMesh<'_> {
        self.ground.baked()
    }

    /// A reference to a polygon that survives commits, or is an error after one that changed it.
    pub fn polygon_ref(&self, polygon: PolyId) -> PolyRef {
        PolyRef { polygon, generation: self.ground.generation(polygon.0) }
    }

    /// The polygon of a reference.
    ///
    /// # Errors
    /// [`Error::Stale`] when it has changed since, even if it came back.
    pub fn polygon(&self, reference: PolyRef) -> Result<PolyId, Error> {
        let same = self.ground.generation(reference.polygon.0) == reference.generation;
        let there = !self.nav_mesh().polygon(reference.polygon).is_empty();
        (same && there).then_some(reference.polygon).ok_or(Error::Stale)
    }
}
