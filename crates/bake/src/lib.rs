//! Bakes navmeshes: the config, the stages one after the other, and a validated file.
//!
//! [`bake_file`] reads a level and gives [`Baked`]: the bytes of the navmesh file and a
//! [`Summary`]; [`output::write_whole`] puts them on disk. Builds that first ask whether there is
//! anything to do take the steps apart: [`BakeInput::open`], [`BakeInput::up_to_date`],
//! [`BakeInput::forecast`], [`BakeInput::bake`]. The stages are in `pipeline`.
#![forbid(unsafe_code)]

mod areas;
mod cache;
mod cache_server;
mod chunk_landmarks;
mod chunk_links;
mod chunk_rooms;
mod chunk_tiles;
mod chunks;
mod clock;
mod codec;
pub mod config;
mod error;
mod fields;
mod file;
mod forecast;
mod gateways;
mod given;
mod hash;
mod idle;
mod input;
mod island_filter;
mod jobs;
mod level_tiles;
mod link_ends;
mod linking;
mod links;
mod map_input;
pub mod names;
mod narrow;
mod navmeshes;
mod nearest;
mod networks;
pub mod output;
mod pipeline;
mod progress;
mod quality;
mod read;
mod recorder;
mod rooms;
pub mod rules;
mod seeds;
mod sources;
mod summary;
mod summing;
mod tables;
mod template;
mod terrain;
mod tile_grounds;
mod tile_list;
mod tile_result;
mod tiles;
mod tolerances;
mod vehicles;
mod world;
pub mod world_files;

use std::path::Path;

use navbake_level::Source;

pub use cache::Cache;
pub use cache_server::{CacheServer, ServerFault};
pub use chunks::{ChunkFile, TakeChunk};
pub use clock::peak_memory;
#[doc(hidden)]
pub use codec::cache_entry_again;
pub use config::Config;
pub use error::{BakeError, ConfigError};
pub use forecast::Forecast;
pub use given::GivenLevel;
pub use hash::Hashes;
pub use input::BakeInput;
pub use jobs::{TileJob, TileWork};
pub use nearest::name as nearest_name;
pub use progress::{Options, Progress};
pub use quality::MeshQuality;
pub use read::EarlierInput;
pub use summary::{
    Baked, LabelChoice, Links, Note, Seconds, StageTime, Summary, Tabled, Tiles, Timings,
};

/// Bakes a level that was made in memory.
///
/// # Errors
/// See [`BakeError`]; its [`BakeError::exit_code`] says whose fault it is.
pub fn bake(source: Source, config: &Config, options: &Options) -> Result<Baked, BakeError> {
    BakeInput::new(source, config)?.bake(options)
}

/// Reads a level from a file and bakes it.
///
/// # Errors
/// See [`BakeError`]; its [`BakeError::exit_code`] says whose fault it is.
pub fn bake_file(input: &Path, config: &Config, options: &Options) -> Result<Baked, BakeError> {
    BakeInput::open(input, config)?.bake(options)
}
