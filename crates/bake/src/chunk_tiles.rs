//! The tiles of a chunk of a world, as the cache keeps them.
//!
//! The cache has them under a key of the placements around the chunk, so that the triangles of a
//! chunk whose placements did not change are not read to find that its tiles are known.

use navbake_mesh::Patch;

use crate::error::BakeError;
use crate::hash::ContentKey;
use crate::level_tiles::Task;
use crate::recorder::Recorder;
use crate::tile_list::{ChunkTiles, LevelTile, tile_name};
use crate::tile_result::Place;
use crate::tiles::{TileReport, known_results, taken};

impl ChunkTiles {
    /// Polygons by tile and layer for each of some classes, as [`crate::tiles::bake_tiles`] gives
    /// them; nothing unless the cache has all that the task wants. `agents` has the names of the
    /// classes.
    pub(crate) fn patches(
        &self,
        task: &mut Task<'_>,
        agents: &[&str],
        rec: &mut Recorder<'_>,
        report: &mut TileReport,
    ) -> Result<Option<Vec<Vec<Patch>>>, BakeError> {
        let empty = vec![vec![]; agents.len()];
        let tiles = match task {
            Task::List(list) => {
                list.extend(self.tiles.iter().cloned());
                return Ok(Some(empty));
            }
            Task::Bake => self.tiles.iter().collect(),
            Task::Cache(wanted) => {
                let wanted = self.tiles.iter().filter(|tile| wanted.contains(&tile.key));
                wanted.collect::<Vec<&LevelTile>>()
            }
        };
        if tiles.iter().any(|tile| tile.content.len() != agents.len()) {
            return Ok(None);
        }
        let keys: Vec<ContentKey> = tiles.iter().flat_map(|tile| tile.content.clone()).collect();
        let Some(results) = known_results(&keys, rec)? else { return Ok(None) };
        report.tiles.total += keys.len() as u64;
        report.tiles.cached += keys.len() as u64;
        let name = |at: Place| tile_name(tiles[at.tile].key, agents[at.class]);
        let patches = taken(results, agents.len(), &name, report);
        Ok(Some(if matches!(task, Task::Cache(_)) { empty } else { patches }))
    }
}
