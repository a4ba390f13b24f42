//! `navbake export --to detour`: the navmesh as Detour loads it.

use std::path::PathBuf;

use clap::Args;
use navbake_bake::Config;
use navbake_detour::{RefWidth, Settings};
use navbake_format::CheckedBlob;
use navbake_search::QueryFilter;
use serde::Serialize;

use crate::blob_file::AgentMesh;
use crate::closed::costs;
use crate::failure::Failure;
use crate::failure::failed;
use crate::output::Output;

/// Options of `--to detour`.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "With --to detour")]
pub(crate) struct ForDetour {
    /// Bits of Detour's references: 64 for one built with DT_POLYREF64 [default: 32]
    #[arg(long, value_name = "BITS", value_parser = ["32", "64"])]
    refs: Option<String>,
    /// Side of tiles, m [default: one tile where it fits]
    #[arg(long, value_name = "METRES", value_parser = tile_size)]
    tile_size: Option<f64>,
    /// Side of squares that polygons are cut along, m; 0 leaves them whole [default: 8]
    #[arg(long, value_name = "METRES", value_parser = piece_size)]
    piece_size: Option<f64>,
    /// Config whose table `detour` has numbers and flags of areas [default: the blob's]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

fn tile_size(text: &str) -> Result<f64, &'static str> {
    match text.parse::<f64>() {
        Ok(size) if (1.0..=65_536.0).contains(&size) && size.fract() == 0.0 => Ok(size),
        _ => Err("expected whole metres from 1 to 65536, so that borders of tiles are exact"),
    }
}

fn piece_size(text: &str) -> Result<f64, &'static str> {
    match text {
        "0" => Ok(0.0),
        _ => tile_size(text).map_err(|_| "expected whole metres from 1 to 65536, or 0"),
    }
}

impl ForDetour {
    /// The options that were given.
    pub(super) fn given(&self) -> Option<&'static str> {
        let all = [
            ("--refs", self.refs.is_some()),
            ("--tile-size", self.tile_size.is_some()),
            ("--piece-size", self.piece_size.is_some()),
            ("--config", self.config.is_some()),
        ];
        all.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// The navmesh of an agent as Detour loads it: its bytes, the number of polygons, and more.
    pub(super) fn write(
        &self,
        blob: &CheckedBlob<'_>,
        agent: &AgentMesh,
        name: &str,
        output: Output,
    ) -> Result<(Vec<u8>, u32, DetourCounts), Failure> {
        let mesh = agent.mesh();
        let mut settings = Settings::new(&mesh, agent.number);
        settings.tile_size = self.tile_size;
        if let Some(size) = self.piece_size {
            settings.piece_size = Some(size).filter(|&size| size > 0.0);
        }
        if self.refs.as_deref() == Some("64") {
            settings.refs = RefWidth::Bits64;
        }
        let table = match &self.config {
            Some(path) => {
                Config::load(path).and_then(|c| Ok(c.resolved(false)?)).map_err(failed)?
            }
            None => Config::from_brief(blob.config())
                .map_err(|error| Failure::input(format_args!("{name}: its config: {error}")))?,
        };
        let mut filter = QueryFilter::new();
        filter.set_agents(agent.bit());
        if let Some(row) = costs(blob, None, agent.number, name)? {
            filter.set_weights(&row);
        }
        settings
            .set_kinds(&mesh, &table.detour, |area| filter.area_cost(area).is_finite())
            .map_err(|found| match &self.config {
                Some(path) => Failure::usage(format_args!("{}: {found}", path.display())),
                None => Failure::usage(format_args!("{name}: its config: {found}")),
            })?;
        let written = navbake_detour::write(&mesh, &settings)
            .map_err(|error| Failure::input(format_args!("{name}: {error}")))?;
        if mesh.doors().any(|door| door.switch.is_some()) || mesh.closures().len() > 0 {
            output.warn(format_args!(
                "{name}: switches are not in Detour's file; what they close is open in it"
            ));
        }
        for left_out in &written.left_out {
            let [x, y, z] = left_out.from;
            output.warn(format_args!(
                "{name}: link {} `{}` at {x:.2},{y:.2},{z:.2} ends {} tiles away and is left out, as \
                 Detour's connections reach the next tile; give a larger --tile-size",
                left_out.number, left_out.name, left_out.tiles
            ));
        }
        let counts = DetourCounts {
            tiles: written.tiles,
            tile_size: written.tile_size,
            connections: written.connections,
            links_left_out: written.left_out.len(),
        };
        Ok((written.bytes, written.polygons, counts))
    }
}

/// What an export for Detour has of its own.
#[derive(Debug, Serialize)]
pub(super) struct DetourCounts {
    pub(super) tiles: u32,
    tile_size: f64,
    pub(super) connections: u32,
    links_left_out: usize,
}
