//! `navbake export`: the navmesh as a picture or for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use navbake_draw::{Axes, Surface, glb, obj, plan, polyanya};
use navbake_format::UpAxis;
use navbake_level::number::count;
use serde::Serialize;

use super::export_detour::{DetourCounts, ForDetour};
use super::export_geojson::{self, GeoJsonCounts};
use super::export_godot::{self, GodotCounts};
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
    /// Formats network and geojson: the network's name [default: the first]
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
    /// Godot 4's NavigationMesh as a text resource (.tres)
    Godot,
    /// A route network as OBJ: a vertex a point, a line an edge
    Network,
    /// A route network as GeoJSON: what Nav2's route server loads
    #[value(name = "geojson")]
    GeoJson,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    godot: Option<GodotCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    geojson: Option<GeoJsonCounts>,
}

impl Written {
    fn new(options: &Export, bytes: &[u8], polygons: u32) -> Written {
        Written {
            output: options.output.display().to_string(),
            polygons,
            bytes: bytes.len(),
            detour: None,
            godot: None,
            geojson: None,
        }
    }

    /// What is special about the format, for people.
    fn parts(&self) -> String {
        if let Some(detour) = &self.detour {
            let [tiles, links] =
                [(detour.tiles, "tile"), (detour.connections, "off-mesh connection")]
                    .map(|(n, name)| count(n, name));
            return format!(" in {tiles}, {links}");
        }
        if let Some(GeoJsonCounts { nodes, edges }) = self.geojson {
            return format!("; {}, {}", count(nodes, "node"), count(edges as u64, "edge"));
        }
        self.godot.as_ref().map_or(String::new(), |godot| {
            format!("; set cell size and cell height of the map to {}", godot.cell_size)
        })
    }
}

/// Runs it.
pub(crate) fn run(options: &Export, output: Output) -> Result<Exit, Failure> {
    refuse_overwrites(&[&options.blob.path], &[&options.output])?;
    if output.json() && is_dash(&options.output) {
        return Err(Failure::usage(
            "the export and --format json both write to stdout; give -o FILE",
        ));
    }
    let is_network = matches!(options.to, ExportFormat::Network | ExportFormat::GeoJson);
    if options.network.is_some() && !is_network {
        return Err(Failure::usage("--network only applies to --to network and --to geojson"));
    }
    let metres = match options.to {
        ExportFormat::Detour => Some("Detour's files are y-up metres"),
        ExportFormat::Godot => Some("Godot's files are y-up metres"),
        ExportFormat::GeoJson => Some("Nav2's files are metres with z up"),
        _ => None,
    };
    if let Some(they) = metres.filter(|_| options.coords != Coords::Metres) {
        return Err(Failure::usage(format_args!(
            "{they}; leave --coords input out, or export another format"
        )));
    }
    if options.to != ExportFormat::Detour
        && let Some(option) = options.detour.given()
    {
        return Err(Failure::usage(format_args!("{option} is for --to detour alone")));
    }
    let file = BlobFile::whole(&options.blob)?;
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
            let written = Written::new(options, &bytes, polygons);
            return finish(options, &bytes, Written { detour: Some(counts), ..written }, output);
        }
        ExportFormat::Godot => {
            let (text, polygons, counts) = export_godot::write(&blob, &agent, name, output);
            let written = Written::new(options, text.as_bytes(), polygons);
            let written = Written { godot: Some(counts), ..written };
            return finish(options, text.as_bytes(), written, output);
        }
        ExportFormat::Network => {
            let view = network(&blob, &mesh, options.network.as_deref(), name)?;
            obj::network(&view, &mesh, axes).into_bytes()
        }
        ExportFormat::GeoJson => {
            let view = network(&blob, &mesh, options.network.as_deref(), name)?;
            let (text, counts) = export_geojson::write(&blob, &agent, &view, name)?;
            let written = Written::new(options, text.as_bytes(), mesh.polygon_count());
            let written = Written { geojson: Some(counts), ..written };
            return finish(options, text.as_bytes(), written, output);
        }
        ExportFormat::Unpacked => {
            blob.unpack().map_err(|error| Failure::input(format_args!("{name}: {error}")))?
        }
    };
    let written = Written::new(options, &bytes, mesh.polygon_count());
    finish(options, &bytes, written, output)
}

/// Writes the export and says what it is.
fn finish(
    options: &Export,
    bytes: &[u8],
    written: Written,
    output: Output,
) -> Result<Exit, Failure> {
    write_whole(&options.output, bytes)?;
    if is_dash(&options.output) {
        return Ok(Exit::Done);
    }
    if output.json() {
        output.result(&written, |_| String::new())?;
    } else {
        let (file, polygons) = (&written.output, count(written.polygons, "polygon"));
        output.say(format_args!("{file}: {polygons}{}, {} bytes", written.parts(), written.bytes));
    }
    Ok(Exit::Done)
}
