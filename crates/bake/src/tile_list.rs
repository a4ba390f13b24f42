//! Lists of tiles, which a cache keeps.

use navbake_level::Warning;

use crate::hash::ContentKey;

/// A tile of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelTile {
    /// Column and row.
    pub(crate) key: [i32; 2],
    /// Triangles in and around it.
    pub(crate) triangles: u64,
    /// The names of its results in a cache, by agent class.
    pub(crate) content: Vec<ContentKey>,
}

/// All tiles of a chunk.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChunkTiles {
    pub(crate) tiles: Vec<LevelTile>,
    /// What was noticed of the chunk's triangles.
    pub(crate) notes: Vec<Warning>,
}

/// A tile of an agent in messages.
pub(crate) fn tile_name([x, z]: [i32; 2], agent: &str) -> String {
    format!("tile ({x}, {z}) for agent `{agent}`")
}
