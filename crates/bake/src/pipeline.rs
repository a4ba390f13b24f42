//! The stages of a bake, one after the other.

use std::path::Path;

use navbake_format::Blob;
use navbake_import::read_file;
use navbake_level::{Class, Warning};
use navbake_lint::EarlierEdges;

use crate::config::Budget;
use crate::error::BakeError;
use crate::file::{self, Encoded, FileParts, Findings};
use crate::input::{BakeInput, Oddities};
use crate::progress::Options;
use crate::read::EarlierInput;
use crate::recorder::{self, Recorder};
use crate::summary::Baked;
use crate::summing::{Outcome, summed};
use crate::{
    island_filter, linking, narrow, navmeshes, networks, rooms, sources, tables, tile_grounds,
    vehicles,
};

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
        let (threads, warning) = self.threads_within_memory(options)?;
        recorder::on_threads(threads, || self.bake_here(options, warning))
    }

    /// The pipeline, on the threads of the calling one's pool.
    fn bake_here(&self, options: &Options, warning: Option<Warning>) -> Result<Baked, BakeError> {
        let mut rec = Recorder::new(self.clock.resumed(), options);
        let rec = &mut rec;
        rec.warnings.extend(warning);
        let (classes, class_of_agent) = navbake_level::classes(&self.config.agent_list());
        // Convex polygons with portals over all tiles, for each agent class.
        let (meshes, tiles) = navmeshes::navmeshes(self, &classes, 0, rec)?;
        // Without small islands that have no marker or seed.
        let of_agent = &class_of_agent;
        let filtered = island_filter::filter_islands(self, &classes, of_agent, meshes, rec)?;
        filtered.check_walkable(self, &classes, rec)?;
        let of_classes = filtered.meshes.iter().map(|class| &class.mesh);
        narrow::report(self, &classes, of_classes, &tiles.narrow, rec);
        // Polygons are cut along doors.
        let meshes = rooms::rooms(self, filtered.meshes, &classes, rec)?;

        // What goes into the file; the stages below add to it.
        let mut parts = FileParts::new(self, &meshes, &class_of_agent);
        parts.vehicles = vehicles::vehicles(self, rec)?;
        let packed = &parts.vehicles;
        parts.tile_grounds =
            tile_grounds::tile_grounds(self, &meshes, &class_of_agent, packed, rec)?;
        file::warn_of_large_map(self, rec);
        // Stages search the meshes in the form that games search.
        let mut encoded = Encoded::new(&parts, rec)?;
        if self.config.rooms.enabled {
            let meshes = encoded.meshes(rec)?;
            parts.door_distances = rooms::distances_of_doors(meshes, &self.place, rec)?;
        }
        let links = linking::add_links(self, &meshes, of_agent, &mut encoded, &mut parts, rec)?;
        encoded.update(&parts, rec)?;
        if parts.link_count() > 0 && self.config.rooms.enabled {
            parts.link_distances = rooms::distances_of_links(encoded.meshes(rec)?, rec)?;
        }
        if !self.config.networks.is_empty() {
            let meshes = encoded.meshes(rec)?;
            parts.networks = networks::networks(self, &classes, of_agent, meshes, rec)?;
        }
        if !self.sources.is_empty() {
            let (meshes, error) = (encoded.meshes(rec)?, self.config.height_error);
            let find = || sources::sources(meshes, &self.sources, &classes, error);
            parts.sources = rec.parallel("sources", find)?;
        }
        if self.config.findings {
            parts.findings = Some(self.findings(&mut encoded, &classes, rec)?);
        }
        // By the budget `auto` the size without tables decides; often that file is the result.
        let budget = self.config.tables.budget();
        let mut bytes = None;
        if budget != Budget::None {
            encoded.meshes(rec)?;
            if budget == Budget::Auto {
                bytes = Some(encoded.finish(&parts, rec)?);
            }
            let rest = bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
            parts.tables = tables::tables(self, encoded.meshes(rec)?, rest, rec)?;
            if bytes.is_some() && !parts.tables.is_empty() {
                bytes = Some(Encoded::new(&parts, rec)?.finish(&parts, rec)?);
            }
        }

        // The file, read back and compared with what was searched.
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => encoded.finish(&parts, rec)?,
        };
        let written = encoded.read_back(&bytes)?;
        let tables = parts.tables.stats(&written, rec)?;
        let decoded = encoded.decoded_of(&written);
        let outcome = Outcome { meshes: &meshes, tiles, links, tables, decoded };
        summed(self, bytes, outcome, rec)
    }

    /// Oddities of the level and its navmesh, for reports.
    pub(crate) fn findings(
        &self,
        encoded: &mut Encoded,
        classes: &[Class],
        rec: &mut Recorder<'_>,
    ) -> Result<Findings, BakeError> {
        let agents: Vec<_> = classes.iter().map(|c| &c.agent).collect();
        let settings = self.config.lint_settings();
        let has_triangles = self.has_triangles();
        let mut found = self.diagnostics.clone();
        found.append(&mut rec.diagnostics);
        let ledge_drop = settings.ledge_drop.filter(|_| has_triangles);
        let meshes = if ledge_drop.is_some() { encoded.meshes(rec)? } else { &[] };
        rec.parallel("findings", || {
            let mut kinds = navbake_lint::KINDS_OF_MAPS.to_vec();
            if let Some(least) = ledge_drop {
                let is_inset = settings.is_inset;
                found.extend(navbake_lint::ledges(&self.level, &agents, meshes, least, is_inset));
            }
            if has_triangles {
                let (looked, more) = self.oddities(&mut EarlierEdges::default());
                kinds.clone_from(looked);
                found.extend_from_slice(more);
            }
            let (found, left_out) = navbake_lint::greatest(found);
            Findings { kinds, found, left_out }
        })
    }

    /// Looks for oddities of the level's triangles, which [`BakeInput::bake`] puts into the
    /// navmesh's file. It looks for them itself; a program whose cache has most tiles can do it at
    /// the same time, on a thread that the bake does not use. They are looked for once.
    ///
    /// `earlier` is from an earlier level: parts that did not change are not checked again. The
    /// call replaces it by the state of this level.
    pub fn look_for_oddities(&self, earlier: &mut EarlierInput) {
        if self.config.findings && self.has_triangles() {
            self.oddities(&mut earlier.edges);
        }
    }

    fn has_triangles(&self) -> bool {
        self.map.is_none() && self.chunked.is_none()
    }

    fn oddities(&self, earlier: &mut EarlierEdges) -> &Oddities {
        self.oddities.get_or_init(|| {
            let (classes, _) = navbake_level::classes(&self.config.agent_list());
            let agents: Vec<_> = classes.iter().map(|c| &c.agent).collect();
            navbake_lint::level(&self.level, &agents, &self.config.lint_settings(), earlier)
        })
    }

    /// Was this output made from the same level with the same config by the same version? An output
    /// that cannot be read, whose bytes are damaged, or that this version would not have written
    /// so, is not up to date.
    pub fn up_to_date(&self, output: &Path) -> bool {
        let Ok(bytes) = read_file(output, u32::MAX.into()) else {
            return false;
        };
        let Ok(blob) = Blob::open(&bytes) else {
            return false;
        };
        let header = blob.header();
        header.level_hash == self.hashes.level
            && header.config_hash == self.hashes.config
            && blob.verify_checksum().is_ok()
            && blob.validate().is_ok_and(|checked| !checked.is_unpacked())
    }
}
