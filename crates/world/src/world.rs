//! A navmesh with obstacles, of one blob or of chunks.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::vec::Vec;

use navbake_format::{AreaId, Grid, NavMesh, NavMeshBuf, PolyId};
use navbake_navmesh::Obstacle;

use crate::Error;
use crate::base::Base;
use crate::chunk::ChunkMesh;
use crate::ground::Ground;
use crate::loaded::Loaded;
use crate::shape::{Agent, Shape};

/// An obstacle of a world. After it was removed, its id is an error, never another obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObstacleId {
    pub(crate) number: u32,
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

impl PolyRef {
    /// The reference as a number, for other languages and for saved games.
    pub fn bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.polygon.0)
    }

    /// The reference of [`PolyRef::bits`]. [`World::polygon`] refuses other numbers, unless they
    /// are a reference by chance.
    pub fn from_bits(bits: u64) -> PolyRef {
        PolyRef { polygon: PolyId(bits as u32), generation: (bits >> 32) as u32 }
    }
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
    /// Chunks that were inserted or removed.
    pub chunks: usize,
    /// Changes that are left for the next commit.
    pub left: usize,
}

/// A staged change.
#[derive(Debug)]
pub(crate) enum Change {
    /// Of the obstacle with this number.
    Obstacle(u32),
    /// A chunk comes, by its number in the index.
    Insert(usize, Box<ChunkMesh>),
    /// A chunk goes.
    Remove(usize),
}

/// What the chunks of a world say of a path between two polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The ground between them is loaded, in part at least: a search finds the path, unless
    /// obstacles or filters are in the way, or the agent may not take its links. With more chunks
    /// loaded it may be shorter.
    Loaded,
    /// There is a path once more chunks are loaded, unless obstacles or filters are in the way.
    /// Over one-way links there may be one.
    NotLoaded,
    /// There is none, whatever is loaded.
    None,
}

/// A place for an obstacle.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    pub(crate) generation: u32,
    /// The obstacle that callers know; `None` once it is removed.
    pub(crate) obstacle: Option<Obstacle>,
    /// The obstacle that takes ground now; another one while a change is staged.
    pub(crate) placed: Option<Obstacle>,
    /// The ground that it shall take: staged.
    pub(crate) next: Option<Shape>,
    /// The area that a volume gives; `None` if ground is taken.
    pub(crate) area: Option<AreaId>,
    /// Is a change of it in the queue?
    pub(crate) waits: bool,
}

/// A navmesh with obstacles: one writer, and readers between commits.
///
/// [`World::add`], [`World::move_to`] and [`World::remove`] stage changes; [`World::commit`] makes
/// them, or [`World::commit_some`] a part of them. Readers borrow the world, so none sees half a
/// commit. The same changes in the same order give the same polygons and ids on every machine.
#[derive(Debug)]
pub struct World {
    pub(crate) ground: Ground,
    grid: Grid,
    agent: Agent,
    pub(crate) slots: Vec<Slot>,
    pub(crate) free: Vec<u32>,
    pub(crate) queue: VecDeque<Change>,
    /// By number in the index: is the chunk loaded once all staged changes are made?
    pub(crate) wanted: Vec<bool>,
    /// Numbers of the obstacles that are set aside.
    pub(crate) aside: Vec<u32>,
}

impl World {
    /// A world without obstacles. Their ground is offset by the radius of the mesh's agent, and an
    /// agent as high as the highest of the mesh must fit below them. O(bytes).
    ///
    /// Of the index of a world in chunks, none of these is loaded: see [`World::insert_chunk`].
    pub fn new(nav: NavMeshBuf) -> World {
        let mesh = nav.mesh();
        let is_index = mesh.file().is_index();
        let chunks = if is_index { mesh.file().chunks().len() } else { 0 };
        let grid = mesh.grid();
        let [radius, height] = mesh.agent_size().map(|metres| metres * grid.units());
        let base = match is_index {
            true => Base::Chunks(Loaded::new(nav)),
            false => Base::Blob(nav),
        };
        World {
            ground: Ground::new(base),
            grid,
            agent: Agent { radius, height },
            slots: Vec::new(),
            free: Vec::new(),
            queue: VecDeque::new(),
            wanted: alloc::vec![false; chunks],
            aside: Vec::new(),
        }
    }

    /// Stages a chunk.
    ///
    /// # Errors
    /// [`Error::OtherWorld`] for a chunk of another bake, [`Error::Loaded`] when it is there
    /// already, [`Error::TooLarge`] when there would be more edges than a mesh can have.
    pub fn insert_chunk(&mut self, chunk: ChunkMesh) -> Result<(), Error> {
        let key = chunk.key();
        let loaded = self.ground.loaded().ok_or(Error::OtherWorld(key))?;
        let number = loaded.number_of(&chunk)?;
        if self.wanted[number] {
            return Err(Error::Loaded(key));
        }
        if loaded.is_full(&chunk) {
            return Err(Error::TooLarge(key));
        }
        self.wanted[number] = true;
        self.queue.push_back(Change::Insert(number, Box::new(chunk)));
        Ok(())
    }

    /// Stages that a chunk goes, by its column and row.
    ///
    /// # Errors
    /// [`Error::NotLoaded`] when it is not there.
    pub fn remove_chunk(&mut self, key: [i32; 2]) -> Result<(), Error> {
        let number = self.ground.loaded().and_then(|loaded| loaded.number(key));
        let number = number.filter(|&number| self.wanted[number]).ok_or(Error::NotLoaded(key))?;
        self.wanted[number] = false;
        self.queue.push_back(Change::Remove(number));
        Ok(())
    }

    /// Is a chunk loaded now, by its column and row?
    pub fn is_loaded(&self, key: [i32; 2]) -> bool {
        let loaded = self.ground.loaded();
        loaded.is_some_and(|own| own.number(key).is_some_and(|i| own.placed[i].is_some()))
    }

    /// Is a chunk loaded once all staged changes are made?
    pub fn is_wanted(&self, key: [i32; 2]) -> bool {
        let number = self.ground.loaded().and_then(|loaded| loaded.number(key));
        number.is_some_and(|number| self.wanted[number])
    }

    /// Chunks that are not loaded and in which the ground of a polygon goes on: all ground that can
    /// be reached from there over chunks that are loaded. By column and row, sorted by row; none
    /// in a world of one blob.
    ///
    /// A search that ends without a path has looked at all ground that is loaded. Where this names
    /// chunks, there may be a path through them. Obstacles and filters do not count. O(chunks), and
    /// O(links) for each island that links lead to.
    pub fn not_loaded(&self, from: PolyId) -> Vec<[i32; 2]> {
        let exits = |loaded: &Loaded| loaded.exits(&self.ground.reached(from));
        self.ground.loaded().map_or_else(Vec::new, exits)
    }

    /// What the chunks say of a path from one polygon to another. O(1) on one island, else
    /// O(islands * links) at most.
    pub fn way(&self, from: PolyId, to: PolyId) -> Way {
        let mesh = self.nav_mesh();
        let by_links = || self.ground.reached(from).contains(&mesh.island(to).0);
        if mesh.on_one_island(from, to) || by_links() {
            Way::Loaded
        } else if mesh.goes_on(from, to) {
            Way::NotLoaded
        } else {
            Way::None
        }
    }

    /// Stages an obstacle.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] beyond the grid of the level.
    pub fn add(&mut self, obstacle: Obstacle) -> Result<ObstacleId, Error> {
        self.put(obstacle, None)
    }

    /// Stages a volume: a shape that takes no ground, but gives it an area while it is there.
    ///
    /// Each filter says what a metre of the area costs, or forbids it. Unlike the ground that an
    /// obstacle takes, that of a volume is not widened by the agent's radius. Where volumes
    /// overlap, the highest number counts. Any area can be given, also one that the navmesh does
    /// not have. Volumes are moved and removed as obstacles are.
    ///
    /// ```
    /// # let bytes = navbake_testkit::level();
    /// use navbake_search::{Algorithm, NavQuery, PathRequest, QueryFilter, Scratch};
    /// use navbake_world::{AreaId, NavMeshBuf, Obstacle, World};
    ///
    /// let fire = AreaId(7);
    /// let mut world = World::new(NavMeshBuf::open(&bytes)?);
    /// world.add_volume(Obstacle::cylinder([1.0, 1.0], 0.5, [-1.0, 1.0])?, fire)?;
    /// world.commit();
    /// let mut filter = QueryFilter::new();
    /// filter.set_cost(fire, 10.0)?;
    /// let query = NavQuery::new(world.nav_mesh()).with_filter(&filter);
    /// let request = PathRequest::new([0.2, 0.0, 1.0], [1.8, 0.0, 1.0]);
    /// let request = request.algorithm(Algorithm::weighted(0.01));
    /// assert!(query.find_path(&request, &mut Scratch::new())?.cost > 1.6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Area`] for a number of [`AreaId::LIMIT`] or more, and those of [`World::add`].
    pub fn add_volume(&mut self, shape: Obstacle, area: AreaId) -> Result<ObstacleId, Error> {
        if area.index() >= AreaId::LIMIT {
            return Err(Error::Area(area));
        }
        self.put(shape, Some(area))
    }

    fn put(&mut self, obstacle: Obstacle, area: Option<AreaId>) -> Result<ObstacleId, Error> {
        let shape = self.shape(&obstacle, area)?;
        let number = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot::default());
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[number as usize];
        (slot.obstacle, slot.area) = (Some(obstacle), area);
        slot.next = Some(shape);
        let id = ObstacleId { number, generation: slot.generation };
        self.wait(number);
        Ok(id)
    }

    /// Stages another place or shape of an obstacle or a volume.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed, [`Error::OutOfRange`] beyond the grid.
    pub fn move_to(&mut self, id: ObstacleId, obstacle: Obstacle) -> Result<(), Error> {
        self.obstacle(id)?;
        let shape = self.shape(&obstacle, self.slots[id.number as usize].area)?;
        let slot = &mut self.slots[id.number as usize];
        slot.obstacle = Some(obstacle);
        slot.next = Some(shape);
        self.wait(id.number);
        Ok(())
    }

    /// Stages the removal of an obstacle or a volume. Its id is an error from now on.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed before.
    pub fn remove(&mut self, id: ObstacleId) -> Result<(), Error> {
        self.obstacle(id)?;
        let slot = &mut self.slots[id.number as usize];
        slot.generation = slot.generation.wrapping_add(1);
        (slot.obstacle, slot.next) = (None, None);
        // The area of a volume that never came is forgotten at once.
        slot.area = slot.area.filter(|_| slot.placed.is_some());
        self.wait(id.number);
        Ok(())
    }

    /// An obstacle, or the shape of a volume, as it was staged last.
    ///
    /// # Errors
    /// [`Error::NoObstacle`] for one that was removed.
    pub fn obstacle(&self, id: ObstacleId) -> Result<&Obstacle, Error> {
        let slot = self.slots.get(id.number as usize).ok_or(Error::NoObstacle)?;
        let own = slot.obstacle.as_ref().filter(|_| slot.generation == id.generation);
        own.ok_or(Error::NoObstacle)
    }

    /// The obstacles that take ground now, with their ids: for the cells and tiles of planners that
    /// do not search on the navmesh.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.slots.iter().zip(0u32..).filter_map(|(slot, number)| {
            // A staged removal has counted on already.
            let back = u32::from(slot.obstacle.is_none());
            let id = ObstacleId { number, generation: slot.generation.wrapping_sub(back) };
            let takes_ground = slot.area.is_none() && !self.aside.contains(&number);
            slot.placed.as_ref().filter(|_| takes_ground).map(|obstacle| (id, obstacle))
        })
    }

    /// The obstacles that take ground once all staged changes are made, with their ids.
    pub fn staged_obstacles(&self) -> impl Iterator<Item = (ObstacleId, &Obstacle)> {
        self.slots.iter().zip(0u32..).filter_map(|(slot, number)| {
            let id = ObstacleId { number, generation: slot.generation };
            slot.obstacle.as_ref().filter(|_| slot.area.is_none()).map(|obstacle| (id, obstacle))
        })
    }

    pub(crate) fn shape(&self, obstacle: &Obstacle, area: Option<AreaId>) -> Result<Shape, Error> {
        Shape::new(&self.grid, self.agent, obstacle, area)
    }

    fn wait(&mut self, number: u32) {
        let slot = &mut self.slots[number as usize];
        if !slot.waits {
            slot.waits = true;
            self.queue.push_back(Change::Obstacle(number));
        }
    }

    /// Makes all staged changes.
    pub fn commit(&mut self) -> Commit {
        self.commit_some(usize::MAX)
    }

    /// Makes staged changes, the oldest first, until they have changed this many baked polygons.
    ///
    /// At least one change is made. An obstacle or a chunk changes as a whole; a chunk counts as
    /// its polygons. Obstacles that follow each other cut each polygon once. All other changes wait
    /// for later commits: until then their obstacles stay where they are.
    pub fn commit_some(&mut self, polygons: usize) -> Commit {
        self.put_back();
        let mut done = Commit::default();
        let lost = self.ground.lost;
        while done.polygons < polygons.max(1)
            && let Some(change) = self.queue.pop_front()
        {
            match change {
                Change::Obstacle(number) => self.replace_all(number, polygons, &mut done),
                Change::Insert(number, chunk) => {
                    done.polygons += self.ground.insert(number, &chunk);
                    done.chunks += 1;
                }
                Change::Remove(number) => {
                    done.polygons += self.ground.remove(number);
                    done.chunks += 1;
                }
            }
        }
        if done.polygons + done.chunks > 0 {
            self.ground.join_blocks();
        }
        done.lost = self.ground.lost - lost;
        done.left = self.queue.len();
        done
    }

    /// Makes the change of an obstacle, and those of obstacles that follow it in the queue.
    fn replace_all(&mut self, first: u32, polygons: usize, done: &mut Commit) {
        let nav = self.ground.nav.clone();
        let (before, mut first) = (done.polygons, Some(first));
        done.polygons += self.ground.replace(&nav.mesh(), |changed| {
            let number = first.take().or_else(|| match self.queue.front() {
                Some(&Change::Obstacle(number)) if before + changed < polygons => {
                    self.queue.pop_front();
                    Some(number)
                }
                _ => None,
            })?;
            done.changed += 1;
            let slot = &mut self.slots[number as usize];
            slot.waits = false;
            slot.placed = slot.obstacle;
            if slot.obstacle.is_none() {
                slot.area = None;
                self.free.push(number);
            }
            Some((number, slot.next.take()))
        });
    }

    /// The navmesh of now. Takes a fraction of a microsecond.
    ///
    /// Distances between doors and those of landmarks are those of the mesh as baked: while
    /// obstacles take ground, they are lower bounds. Without obstacles it is the navmesh as baked.
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
