//! The plan of a level: its tiles, and the triangles of each.
//!
//! Every tile is a pure function of the triangles in and around it and of the lengths of the agent:
//! tiles can be computed in any order, by any number of threads, and cached by what goes into them.
//!
//! ```text
//!         margin
//!     ._____________.     A tile gets all triangles within the margin: the greatest radius of
//!     |  .-------.  |     the classes that share it, and more for gaps and pruning. Borders on
//!     |  | tile  |  |     a seam depend only on triangles near it, and both tiles have those:
//!     |  '-------'  |     they compute the same corners, and their meshes join exactly.
//!     '-------------'
//! ```
//!
//! Keys of tiles are absolute, so a level that grows keeps the tiles far from the change.
//! [`Plan::triangles`] and [`Plan::numbers`] are all that decides a tile: they are what a cache
//! hashes.
//!
//! Classes of agents that differ in their radius alone share a plan ([`Plan::shared`]). Their tiles
//! are equal, the triangles are indexed once, and what does not depend on the radius is found once.
//! A class gets the same tile whichever other classes there are.

use std::collections::BTreeSet;

use navbake_geom::Point3;
use navbake_level::{Agent, Level, Role, Triangle};

use crate::exact;
use crate::groups::Groups;
use crate::params::Params;
use crate::tile_assignment::assign;
use crate::{Tile, WalkableError, WalkableSettings};

/// A level cut into tiles for classes of agents that differ in their radius alone, or for one.
#[derive(Debug)]
pub struct Plan<'a> {
    level: &'a Level,
    classes: Vec<Params>,
    kinds: Vec<[exact::EdgeKind; 3]>,
    /// Keys of tiles with ground in or around them, sorted.
    keys: Vec<[i32; 2]>,
    /// The triangles of each tile, ascending.
    triangles: Groups<u32>,
}

/// A triangle as the work on a tile reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileTriangle {
    /// In grid units.
    pub corners: [Point3; 3],
    /// See [`navbake_level::Triangle::up`].
    pub up: i32,
    /// Of its part.
    pub role: Role,
    /// See [`navbake_level::Triangle::area`].
    pub area: u8,
    /// How its edges near the tile relate to the triangles that share them, two bits for each edge.
    pub edges: u8,
}

impl<'a> Plan<'a> {
    /// Sorts the level's triangles to tiles, for one class of agents.
    ///
    /// # Errors
    /// When the agent or the cell size makes no sense, or the ground is too wide for the cell size.
    pub fn new(
        level: &'a Level,
        agent: &Agent,
        settings: &WalkableSettings,
    ) -> Result<Plan<'a>, WalkableError> {
        Ok(Plan::shared(level, &[agent], settings)?.0)
    }

    /// Sorts the level's triangles to tiles, once for all classes that can share them with the
    /// first.
    ///
    /// Also gives the indices of those classes, ascending. The tiles of a class do not depend on
    /// the other classes.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn shared(
        level: &'a Level,
        agents: &[&Agent],
        settings: &WalkableSettings,
    ) -> Result<(Plan<'a>, Vec<usize>), WalkableError> {
        let mut classes: Vec<Params> = vec![];
        let mut places = vec![];
        for (k, agent) in agents.iter().enumerate() {
            let params = Params::new(&level.grid, agent, settings)?;
            if classes.first().is_none_or(|first| first.shares_tiles(&params)) {
                classes.push(params);
                places.push(k);
            }
        }
        Ok((Plan::of(level, classes)?, places))
    }

    /// The same tiles for agents wider than a class by some lengths in grid units, a class for
    /// each.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn wider(&self, class: usize, by: &[i32]) -> Result<Plan<'a>, WalkableError> {
        let params = by.iter().map(|&by| self.classes[class].wider(by));
        let mut classes: Vec<Params> = params.collect();
        let widest = classes.iter().map(|c| c.radius).max().unwrap_or(0);
        for class in &mut classes {
            class.widest = class.widest.max(widest);
        }
        Plan::of(self.level, classes)
    }

    fn of(level: &'a Level, classes: Vec<Params>) -> Result<Plan<'a>, WalkableError> {
        // The classes differ in the radius alone; the margin is that of the widest.
        let Some(common) = classes.first() else {
            return Ok(Plan {
                level,
                classes,
                kinds: vec![],
                keys: vec![],
                triangles: Groups::default(),
            });
        };
        // They do not need each other.
        let edge_kinds = || exact::edge_kinds(level, common);
        let (assigned, kinds) = rayon::join(|| assign(level, common), edge_kinds);
        let (keys, mut pairs) = assigned?;
        let repeats = repeats(level);
        if !repeats.is_empty() {
            pairs.retain(|(_, t)| repeats.binary_search(t).is_err());
        }
        let triangles = Groups::new(keys.len(), pairs.iter().copied());
        Ok(Plan { level, classes, kinds, keys, triangles })
    }

    /// Number of classes; they are numbered in the order in which they were given.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// Number of tiles.
    pub fn tile_count(&self) -> usize {
        self.keys.len()
    }

    /// Column and row of a tile.
    pub fn key(&self, tile: usize) -> [i32; 2] {
        self.keys[tile]
    }

    /// Leaves out tiles by their column and row. Those that stay do not change.
    pub fn keep_tiles(&mut self, mut keep: impl FnMut([i32; 2]) -> bool) {
        let kept: Vec<usize> = (0..self.keys.len()).filter(|&t| keep(self.keys[t])).collect();
        if kept.len() == self.keys.len() {
            return;
        }
        let pairs = kept.iter().zip(0u32..).flat_map(|(&tile, number)| {
            self.triangles.of(tile).iter().map(move |&triangle| (number, triangle))
        });
        self.triangles = Groups::new(kept.len(), pairs);
        self.keys = kept.into_iter().map(|tile| self.keys[tile]).collect();
    }

    /// How far around a tile triangles take part in it or in its content key, in grid units.
    pub fn reach(&self) -> i32 {
        2 * self.classes.first().map_or(0, Params::margin)
    }

    /// Side of a cell of a class, in grid units.
    pub fn cell(&self, class: usize) -> i32 {
        self.classes[class].cell
    }

    /// Side of a tile in grid units.
    pub fn tile_side(&self) -> i32 {
        self.classes.first().map_or(1, |class| class.tile)
    }

    /// The numbers that every tile of a class depends on, in grid units: the lengths of the agent,
    /// and how the level is cut. With [`Plan::key`] and [`Plan::triangles`] they decide
    /// [`Plan::tile`].
    pub fn numbers(&self, class: usize) -> [i32; 8] {
        // In full, so that a new number cannot be forgotten.
        let Params { tile, square, cell, radius, widest, height, climb, least_up } =
            self.classes[class];
        [tile, square, cell, radius, widest, height, climb, least_up]
    }

    /// The triangles that a tile is made from, in the level's order. They do not depend on anything
    /// farther away.
    pub fn triangles(&self, tile: usize) -> impl ExactSizeIterator<Item = TileTriangle> + '_ {
        let side = self.tile_side();
        // Twice as far as triangles matter: edges beyond decide nothing, and triangles far away may
        // change how they relate to others.
        let margin = self.reach();
        let [x, z] = self.keys[tile].map(|k| (k * side - margin, (k + 1) * side + margin));
        let is_near = move |a: Point3, b: Point3| {
            let meets = |(low, high), a: i32, b: i32| a.max(b) >= low && a.min(b) <= high;
            meets(x, a.x, b.x) && meets(z, a.z, b.z)
        };
        self.triangles_of(tile).iter().map(move |&t| {
            let triangle = &self.level.triangles[t as usize];
            let corners = self.level.corners(triangle);
            let mut edges = 0;
            if let Some(kinds) = self.kinds.get(t as usize) {
                for (k, kind) in kinds.iter().enumerate() {
                    if is_near(corners[k], corners[(k + 1) % 3]) {
                        let bits = u8::from(kind.inner) | u8::from(kind.ground_on_both) << 1;
                        edges |= bits << (2 * k);
                    }
                }
            }
            TileTriangle {
                corners,
                up: triangle.up,
                role: self.level.roles[triangle.part as usize],
                area: triangle.area,
                edges,
            }
        })
    }

    /// Corners and area of the ground triangles in and around a tile, by slope and role.
    pub fn ground(&self, tile: usize) -> impl Iterator<Item = ([Point3; 3], u8)> + '_ {
        let all = self.triangles_of(tile).iter().map(|&t| t as usize);
        let class = self.classes.first();
        let is_ground = move |t: &usize| class.is_some_and(|class| class.is_ground(self.level, *t));
        all.filter(is_ground).map(|t| {
            let triangle = &self.level.triangles[t];
            (self.level.corners(triangle), triangle.area)
        })
    }

    /// The highest step, in grid units.
    pub fn climb(&self) -> i32 {
        self.classes.first().map_or(0, |class| class.climb)
    }

    /// Indices of the triangles in and around a tile, ascending.
    fn triangles_of(&self, tile: usize) -> &[u32] {
        self.triangles.of(tile)
    }

    /// Bytes a triangle takes in a plan while it is made, and once it is.
    pub const BYTES: [usize; 2] = [
        // Three edges, the tiles of each triangle, the edges of each vertex.
        3 * size_of::<u64>() + size_of::<(u32, u32)>() * 5 / 4 + 2 * size_of::<u32>(),
        size_of::<[exact::EdgeKind; 3]>() + size_of::<u32>() * 5 / 4,
    ];

    /// Estimates the bytes that the work on a tile takes at its peak, from the triangles that it is
    /// made from and the area of their ground. Takes linear time.
    pub fn tile_bytes(&self, tile: usize) -> u64 {
        self.classes.first().map_or(0, |params| {
            let triangles = self.triangles_of(tile);
            exact::bytes(self.level, triangles, self.keys[tile], params, self.classes.len())
        })
    }

    /// The walkable ground of a tile for a class.
    pub fn tile(&self, tile: usize, class: usize) -> Tile {
        let mut all = vec![];
        self.tiles(tile, &[class], |_, found| all.push(found));
        // One class, one answer.
        all.pop().unwrap_or_else(|| {
            let key = self.keys[tile];
            Tile { key, ..Tile::default() }
        })
    }

    /// The walkable ground of a tile for some classes, which share the work that does not depend on
    /// the radius. `f` gets each class and the result of [`Plan::tile`] for it.
    pub fn tiles(&self, tile: usize, classes: &[usize], mut f: impl FnMut(usize, Tile)) {
        let key = self.keys[tile];
        let params: Vec<&Params> = classes.iter().map(|&c| &self.classes[c]).collect();
        let triangles = self.triangles_of(tile);
        exact::layers(self.level, &self.kinds, triangles, key, &params, |k, layers, narrow| {
            f(classes[k], Tile { key, layers, narrow });
        });
    }
}

/// The triangles, ascending, that repeat an earlier one of another part with the same corners,
/// slope, role and area. They bound no ground of their own, and would be compared pair by pair.
fn repeats(level: &Level) -> Vec<u32> {
    let mut found = vec![];
    let mut first = 0;
    // Triangles with the same corners follow each other.
    for same in level.triangles.chunk_by(|a, b| a.v == b.v) {
        if same.len() > 1 {
            let mut seen = BTreeSet::new();
            let of = |t: &Triangle| (t.up, level.roles[t.part as usize], t.area);
            found.extend((first..).zip(same).filter(|(_, t)| !seen.insert(of(t))).map(|p| p.0));
        }
        first += same.len() as u32;
    }
    found
}
