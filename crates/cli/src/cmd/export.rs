//! `navbake export`: the navmesh as a picture or for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use navbake_draw::{Axes, Surface, glb, obj, plan, polyanya};
use navbake_format::UpAxis;
use navbake_level::number::count;
use serde::Serialize;

use super::export_detour::{DetourCounts, ForDetour};
use crate::args::BlobPath;
use crate::blob_file::{self, AgentMesh, BlobFile};
use crate::failure::{Exit, Failure};
use crate::files::refuse_overwrites;
use crate::networks::network;
use crate::output::{Output, is_dash, write_whole};
use crate::place::Coords;

/// Options of `export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub(crate) to: ExportFormat,
    /// Output file; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Agent whose navmesh is exported [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Format network: the network's name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) network: Option<String>,
    /// Coordinates of the export
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
    #[command(flatten)]
    pub(crate) detour: ForDetour,
}

/// The formats of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Wavefront OBJ: one face a polygon, one group an island
    Obj,
    /// Binary glTF 2.0: one mesh, one primitive an island
    Glb,
    /// SVG plan from above, one sheet a storey
    Svg,
    /// Polyanya mesh, version 2: the ground plane (x, z) with portals
    Mesh,
    /// Detour's MSET file: what Detour and recast-navigation-js load
    Detour,
    /// A route network as OBJ: a vertex a point, a line an edge
    Network,
    /// The whole blob unpacked: larger, searched in place without memory of its own
    Unpacked,
}

/// The JSON object of `export` to a file.
#[derive(Debug, Serialize)]
struct Written {
    output: String,
    polygons: u32,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    detour: Option<DetourCounts>,
}

/// Runs it.
pub(crate) fn run(options: &Export, output: Output) -> Result<Exit, Failure> {
    refuse_overwrites(&[&options.blob.path], &[&options.output])?;
    if output.json() && is_dash(&options.output) {
        return Err(Failure::usage(
            "the export and --format json both write to stdout; give -o FILE",
        ));
    }
    if options.network.is_some() && options.to != ExportFormat::Network {
        return Err(Failure::usage("--network only applies to --to network"));
    }
    if options.to == ExportFormat::Detour {
        if options.coords != Coords::Metres {
            return Err(Failure::usage(
                "Detour's files are y-up metres; leave --coords input out, or export another format",
            ));
        }
    } else if let Some(option) = options.detour.given() {
        return Err(Failure::usage(format_args!("{option} is for --to detour alone")));
    }
    let file = BlobFile::load(&options.blob)?;
    let (blob, name) = (file.checked()?, &file.name);
    let agent = AgentMesh::of(&blob, options.agent.as_deref(), name)?;
    let mesh = agent.mesh();
    let surface = || Surface::new(&mesh).with_rooms(&mesh);
    let axes = blob_file::axes(&blob, options.coords);
    let bytes = match options.to {
        ExportFormat::Obj => obj::write(&surface().in_axes(axes)).into_bytes(),
        ExportFormat::Glb => glb::write(&surface().in_axes(axes)),
        ExportFormat::Svg => {
            // From above, a level whose z points up looks the same: only its units differ.
            let units = Axes { up: UpAxis::Y, scale: axes.scale };
            let unit = match options.coords {
                Coords::Metres => "m",
                Coords::Input => "units",
            };
            plan::write(&surface().in_axes(units), name, unit).into_bytes()
        }
        ExportFormat::Mesh => polyanya::write(&surface(), axes).into_bytes(),
        ExportFormat::Detour => {
            let (bytes, polygons, counts) = options.detour.write(&blob, &agent, name, output)?;
            return finish(options, &bytes, polygons, Some(counts), output);
        }
        ExportFormat::Network => {
            let view = network(&blob, &mesh, options.network.as_deref(), name)?;
            obj::network(&view, &mesh, axes).into_bytes()
        }
        ExportFormat::Unpacked => {
            blob.unpack().map_err(|error| Failure::input(format_args!("{name}: {error}")))?
        }
    };
    finish(options, &bytes, mesh.polygon_count(), None, output)
}

/// Writes the export and says what it is.
fn finish(
    options: &Export,
    bytes: &[u8],
    polygons: u32,
    detour: Option<DetourCounts>,
    output: Output,
) -> Result<Exit, Failure> {
    write_whole(&options.output, bytes)?;
    if is_dash(&options.output) {
        return Ok(Exit::Done);
    }
    let output_file = options.output.display().to_string();
    let written = Written { output: output_file, polygons, bytes: bytes.len(), detour };
    if output.json() {
        output.result(&written, |_| String::new())?;
    } else {
        let Written { output: file, polygons, bytes, detour } = &written;
        let parts = detour.as_ref().map_or(String::new(), |d| {
            let [tiles, links] = [(d.tiles, "tile"), (d.connections, "off-mesh connection")]
                .map(|(n, name)| count(n, name));
            format!(" in {tiles}, {links}")
        });
        output.say(format_args!("{file}: {}{parts}, {bytes} bytes", count(*polygons, "polygon")));
    }
    Ok(Exit::Done)
}
