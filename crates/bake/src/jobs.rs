//! Tiles of a bake as work that machines share: which there are, which of them the cache has, and
//! baking some of them for the cache.
//!
//! A bake with a cache that has all of them only joins them. Its bytes are the
//! same, as those of any bake with a cache.

use std::collections::{BTreeMap, BTreeSet};

use navbake_level::{Agent, Class};
use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::config::Surface;
use crate::error::BakeError;
use crate::input::BakeInput;
use crate::level_tiles::{Task, level_patches};
use crate::progress::Options;
use crate::recorder::{self, Recorder};
use crate::summary::Tiles;
use crate::tile_list::LevelTile;
use crate::tiles::TileReport;

/// A tile: the number of the agents that share tiles with each other, its column and its row.
///
/// A type of its own, so that the parts are not mistaken for each other in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TileJob {
    /// Agents that share tiles have one number.
    pub group: u32,
    /// Column.
    pub x: i32,
    /// Row.
    pub z: i32,
}

/// A tile, with what it takes to bake it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileWork {
    /// The tile.
    pub job: TileJob,
    /// Triangles in and around it, to which its time is about proportional.
    pub triangles: u64,
    /// The names of its results in a cache.
    pub keys: Vec<[u8; 32]>,
}

impl BakeInput {
    /// All tiles of the bake: the order is that of chunks, so that neighbours in it are neighbours
    /// in the world.
    ///
    /// O(n log n) in the triangles; a world is read once, chunk by chunk.
    ///
    /// # Errors
    /// As [`BakeInput::bake`], and for a grid map or a designer's floor, which have no tiles.
    pub fn tile_work(&self, options: &Options) -> Result<Vec<TileWork>, BakeError> {
        let mut all = vec![];
        self.each_group(options, |group, agents, rec, report| {
            let mut list: Vec<LevelTile> = vec![];
            let shared = level_patches(self, agents, &mut Task::List(&mut list), rec, report)?;
            all.extend(list.into_iter().map(|tile| TileWork {
                job: TileJob { group, x: tile.key[0], z: tile.key[1] },
                triangles: tile.triangles,
                keys: tile.content.iter().map(|key| key.0).collect(),
            }));
            Ok(shared.into_iter().map(|(place, _)| place).collect())
        })?;
        Ok(all)
    }

    /// Bakes some tiles for the cache of the options, which keeps those it has.
    ///
    /// # Errors
    /// As [`BakeInput::tile_work`].
    pub fn bake_tiles(
        &self,
        tiles: &BTreeSet<TileJob>,
        options: &Options,
    ) -> Result<Tiles, BakeError> {
        let mut groups: BTreeMap<u32, BTreeSet<[i32; 2]>> = BTreeMap::new();
        for tile in tiles {
            groups.entry(tile.group).or_default().insert([tile.x, tile.z]);
        }
        let none = BTreeSet::new();
        self.each_group(options, |group, agents, rec, report| {
            let mut task = Task::Cache(groups.get(&group).unwrap_or(&none));
            let shared = level_patches(self, agents, &mut task, rec, report)?;
            Ok(shared.into_iter().map(|(place, _)| place).collect())
        })
    }

    /// Calls `f` for each group of agents that share tiles. `f` gets all agents that are left, and
    /// gives the places of those that share tiles with the first.
    fn each_group(
        &self,
        options: &Options,
        mut f: impl FnMut(
            u32,
            &[&Agent],
            &mut Recorder<'_>,
            &mut TileReport,
        ) -> Result<Vec<usize>, BakeError>
        + Send,
    ) -> Result<Tiles, BakeError> {
        if self.map.is_some() || self.given.is_some() || self.config.surface == Surface::Floor {
            let found = "it has no tiles that machines could share: grid maps and designers' floors are baked at once; use `navbake bake`";
            return Err(BakeError::input(&self.place, found));
        }
        let (classes, _) = navbake_level::classes(&self.config.agent_list());
        let work = || {
            let mut rec = Recorder::new(self.clock.resumed(), options);
            let mut report = TileReport::default();
            let mut left: Vec<&Class> = classes.iter().collect();
            let mut group = 0;
            while !left.is_empty() {
                let agents: Vec<&Agent> = left.iter().map(|class| &class.agent).collect();
                let places = f(group, &agents, &mut rec, &mut report)?;
                let mut place = 0..;
                left.retain(|_| !place.next().is_some_and(|place| places.contains(&place)));
                group += 1;
            }
            Ok(report.tiles)
        };
        let tiles = recorder::on_threads(options.threads, work);
        // Also after a stop: the tiles that are done are kept.
        let kept = options.cache.map_or(Ok(vec![]), Cache::settle);
        tiles.and_then(|tiles| kept.map(|_| tiles))
    }
}
