//! The bake: config, the stages one after the other, and a file that was checked before it is called done.
//!
//! [`bake_file`] reads a level and gives [`Baked`]: the bytes of the navmesh file and a [`Summary`]. [`output::write_whole`] puts
//! them on disk. A build that wants to know first whether there is anything to do takes the steps apart: [`Job::open`],
//! [`Job::up_to_date`], [`Job::forecast`], [`Job::bake`]. The pipeline itself is [`Job::bake`], below.
#![forbid(unsafe_code)]

mod areas;
mod auto_links;
mod cache;
mod clock;
mod codec;
pub mod config;
mod encode;
mod error;
mod findings;
mod forecast;
mod grounds;
mod hash;
mod job;
mod limits;
mod link_ends;
mod link_ways;
mod linked;
mod links;
mod nearest;
mod number;
pub mod output;
mod progress;
mod regions;
mod room_names;
mod rooms;
pub mod rules;
mod run;
mod seeds;
mod sources;
mod summary;
mod tables;
mod template;
mod terrain;
mod tile_grounds;
mod tiles;
mod vehicles;
mod ways;

use std::path::Path;

use navbake_level::Source;

use run::Run;

pub use cache::Cache;
pub use config::Config;
pub use error::{BakeError, ConfigError};
pub use hash::Hashes;
pub use job::Job;
pub use nearest::name as nearest_name;
pub use progress::{Options, Progress};
pub use summary::{Links, Note, Reuse, Seconds, StageTime, Summary, Tabled, Tiles, Timings};

/// What came out of a bake.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The navmesh file.
    pub bytes: Vec<u8>,
    /// What is in it and what it took. `summary.output` is for the caller to fill in.
    pub summary: Summary,
    /// Where the time went.
    pub timings: Timings,
}

/// Work that lies ahead of a bake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Tiles, over all agent classes.
    pub tiles: usize,
    /// Triangles of the level, 0 for a grid map.
    pub triangles: usize,
    /// Memory of the process at the peak, bytes, predicted; by the formula at the head of `forecast.rs`.
    pub peak_bytes: u64,
}

/// Bakes a level that was made in memory.
///
/// # Errors
/// See [`BakeError`]; its [`BakeError::exit_code`] says whose fault it is.
pub fn bake(source: Source, config: &Config, options: &Options) -> Result<Baked, BakeError> {
    Job::new(source, config)?.bake(options)
}

/// Reads a level from a file and bakes it.
///
/// # Errors
/// See [`BakeError`]; its [`BakeError::exit_code`] says whose fault it is.
pub fn bake_file(input: &Path, config: &Config, options: &Options) -> Result<Baked, BakeError> {
    Job::open(input, config)?.bake(options)
}

impl Job {
    /// The pipeline. Each stage is a pure function of the one before and the config, so that neither the number of threads nor the
    /// order of the input changes a byte.
    ///
    /// # Errors
    /// See [`BakeError`]. A level in which nothing is walkable is bad input, unless the config says `allow_empty`.
    pub fn bake(&self, options: &Options) -> Result<Baked, BakeError> {
        run::threads(options.threads)?.install(|| self.bake_here(options))
    }

    /// The same, on the threads that this one belongs to.
    fn bake_here(&self, options: &Options) -> Result<Baked, BakeError> {
        let mut run = Run::start(self, options);
        let (classes, class_of_agent) = self.classes();
        let mut kept = Vec::with_capacity(classes.len());
        // Ground an agent can stand on, as convex polygons with portals over all tiles.
        let grounds = run.grounds(&classes)?;
        for (number, (class, mesh)) in (0u16..).zip(classes.iter().zip(grounds)) {
            // Crumbs that nobody asked for are left out, and reported.
            kept.push(run.keep_islands(mesh, number, class)?);
        }
        // Rooms, where they are asked for: polygons are cut where doors are.
        let navmeshes = run.rooms(kept, &classes)?;
        run.refuse_emptiness(&classes, &navmeshes)?;
        // The file, read back and checked with the reader's own eyes before it is handed over.
        let bytes = run.encode(&navmeshes, &class_of_agent)?;
        // How far links are from doors, where there are rooms.
        let bytes = run.link_ways(bytes)?;
        // What of the level's file each polygon is, where that is asked for.
        let bytes = run.sources(bytes, &classes)?;
        // What can be known of paths before the game runs, made on the very bytes that it will read.
        let bytes = run.tables(bytes)?;
        // What was noticed about the level, for reports.
        let bytes = run.findings(bytes)?;
        run.finish(bytes, &navmeshes)
    }

    /// What lies ahead: tiles and memory, without the work.
    ///
    /// # Errors
    /// As [`Job::bake`], as far as it can be known before.
    pub fn forecast(&self, options: &Options) -> Result<Forecast, BakeError> {
        forecast::forecast(self, options)
    }

    /// Was this output made from the same level with the same config by the same version? An output that cannot be read, whose
    /// bytes are damaged, or that this version would not have written so, is not up to date.
    pub fn up_to_date(&self, output: &Path) -> bool {
        let Ok(bytes) = std::fs::read(output) else {
            return false;
        };
        let Ok(blob) = navbake_format::Blob::open(&bytes) else {
            return false;
        };
        let header = blob.header();
        header.level_hash == self.hashes.level
            && header.config_hash == self.hashes.config
            && blob.verify_checksum().is_ok()
            && blob.validate().is_ok()
    }
}
