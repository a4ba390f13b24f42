//! Bakes navmeshes: the config, the stages one after the other, and a validated file.
//!
//! [`bake_file`] reads a level and gives [`Baked`]: the bytes of the navmesh file and a
//! [`Summary`]; [`output::write_whole`] puts them on disk. Builds that first ask whether there is
//! anything to do take the steps apart: [`BakeInput::open`], [`BakeInput::up_to_date`],
//! [`BakeInput::forecast`], [`BakeInput::bake`]. The pipeline itself is below.
#![forbid(unsafe_code)]

mod areas;
mod cache;
mod clock;
mod codec;
pub mod config;
mod error;
mod file;
mod forecast;
mod hash;
mod input;
mod island_filter;
mod link_ends;
mod linking;
mod links;
mod navmeshes;
mod nearest;
pub mod output;
mod progress;
mod recorder;
mod rooms;
pub mod rules;
mod seeds;
mod sources;
mod summary;
mod tables;
mod template;
mod terrain;
mod tile_grounds;
mod tiles;
mod tolerances;
mod vehicles;

use std::path::Path;

use navbake_format::{Blob, CheckedBlob};
use navbake_level::{Class, Source};

use file::{FileParts, Findings, compare, open};
use recorder::Recorder;
use summary::{Outcome, baked};

pub use cache::Cache;
pub use config::Config;
pub use error::{BakeError, ConfigError};
pub use hash::Hashes;
pub use input::BakeInput;
pub use nearest::name as nearest_name;
pub use progress::{Options, Progress};
pub use summary::{Links, Note, Seconds, StageTime, Summary, Tabled, Tiles, Timings};

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

/// The work of a bake, predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forecast {
    /// Tiles, over all agent classes.
    pub tiles: usize,
    /// Triangles of the level, 0 for a grid map.
    pub triangles: usize,
    /// Memory of the process at the peak, bytes, predicted; by the formula at the head of
    /// `forecast.rs`.
    pub peak_bytes: u64,
}

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

impl BakeInput {
    /// Bakes the level.
    ///
    /// Each stage is a pure function of the one before and the config, so neither the number of
    /// threads nor the order of the input changes a byte.
    ///
    /// # Errors
    /// See [`BakeError`]. A level in which nothing is walkable is bad input, unless the config
    /// says `allow_empty`.
    pub fn bake(&self, options: &Options) -> Result<Baked, BakeError> {
        recorder::threads(options.threads)?.install(|| self.bake_here(options))
    }

    /// The pipeline, on the threads of the calling one's pool.
    fn bake_here(&self, options: &Options) -> Result<Baked, BakeError> {
        let mut rec = Recorder::new(self.clock.resumed(), options);
        let rec = &mut rec;
        let (classes, class_of_agent) = navbake_level::classes(&self.config.agent_list());
        // Convex polygons with portals over all tiles, for each agent class.
        let (meshes, tiles) = navmeshes::navmeshes(self, &classes, rec)?;
        // Without small islands that have no marker or seed.
        let filtered = island_filter::filter_islands(self, &classes, meshes, rec)?;
        filtered.check_walkable(self, &classes, rec)?;
        // Polygons are cut along doors.
        let meshes = rooms::rooms(self, filtered.meshes, &classes, rec)?;

        // What goes into the file; the stages below add to it.
        let mut parts = FileParts::new(self, &meshes, &class_of_agent);
        parts.vehicles = vehicles::vehicles(self, rec)?;
        let packed = &parts.vehicles;
        parts.tile_grounds =
            tile_grounds::tile_grounds(self, &meshes, &class_of_agent, packed, rec)?;
        file::warn_of_large_map(self, rec);
        // They query the mesh in the form that games query.
        let bare = parts.encode_meshes(rec)?;
        let bare = open(&bare)?;
        if self.config.rooms.enabled {
            parts.door_distances = rooms::distances_of_doors(&bare, &self.place, rec)?;
        }
        let links = linking::add_links(self, &meshes, &class_of_agent, &bare, &mut parts, rec)?;
        let linked;
        let mesh = match parts.has_links() {
            true => {
                linked = parts.encode_meshes(rec)?;
                open(&linked)?
            }
            false => bare,
        };
        if parts.has_links() && self.config.rooms.enabled {
            parts.link_distances = rooms::distances_of_links(&mesh, rec)?;
        }
        if !self.sources.is_empty() {
            let error = self.config.height_error;
            let find = || sources::sources(&mesh, &self.sources, &classes, error);
            parts.sources = rec.parallel("sources", find)?;
        }
        parts.tables = tables::tables(&mesh, &self.config.tables, &self.place, rec)?;
        if self.config.findings {
            parts.findings = Some(self.findings(&mesh, &classes, rec)?);
        }

        // The file, read back and compared with what was queried.
        let bytes = parts.encode(rec)?;
        let written = open(&bytes)?;
        compare(&mesh, &written)?;
        let tables = parts.tables.stats(&written, rec)?;
        let outcome = Outcome { meshes: &meshes, tiles, links, tables };
        Ok(baked(self, bytes, outcome, rec))
    }

    /// Oddities of the level and its navmesh, for reports.
    fn findings(
        &self,
        mesh: &CheckedBlob<'_>,
        classes: &[Class],
        rec: &mut Recorder<'_>,
    ) -> Result<Findings, BakeError> {
        let agents: Vec<_> = classes.iter().map(|c| &c.agent).collect();
        let settings = self.config.lint_settings();
        let mut found = self.diagnostics.clone();
        found.append(&mut rec.diagnostics);
        rec.parallel("findings", || {
            let mut kinds = navbake_lint::KINDS_OF_MAPS.to_vec();
            if self.map.is_none() {
                let (looked, more) = navbake_lint::level(&self.level, &agents, mesh, &settings);
                kinds = looked;
                found.extend(more);
            }
            let (found, left_out) = navbake_lint::greatest(found);
            Findings { kinds, found, left_out }
        })
    }

    /// Predicts tiles and memory of a bake, without baking.
    ///
    /// # Errors
    /// As [`BakeInput::bake`], as far as it can be known before.
    pub fn forecast(&self, options: &Options) -> Result<Forecast, BakeError> {
        forecast::forecast(self, options)
    }

    /// Was this output made from the same level with the same config by the same version? An output
    /// that cannot be read, whose bytes are damaged, or that this version would not have written
    /// so, is not up to date.
    pub fn up_to_date(&self, output: &Path) -> bool {
        let Ok(bytes) = std::fs::read(output) else {
            return false;
        };
        let Ok(blob) = Blob::open(&bytes) else {
            return false;
        };
        let header = blob.header();
        header.level_hash == self.hashes.level
            && header.config_hash == self.hashes.config
            && blob.verify_checksum().is_ok()
            && blob.validate().is_ok()
    }
}
