//! Answers questions about one navmesh for scripts: bakes a level or opens a baked file, and prints
//! one JSON object.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use navbake_bake::config::Budget;
use navbake_bake::{Config, bake_file};
use navbake_format::Blob;
use navbake_peer_bench::mesh::Mesh;
use navbake_peer_bench::{oracle, ours};

/// Bakes a level, or opens a baked file, and prints `area_m2`, `polygons`, `islands` (their areas,
/// greatest first), `tiles` (0 for a baked file), `reachable`, an answer for each pair: true,
/// false, or null where an end is not on the navmesh, and `places`, where on the navmesh the ends
/// of each pair are, or null.
#[derive(Debug, Parser)]
struct Options {
    /// A level, or a baked file (.nav).
    input: PathBuf,
    /// Config of the bake, TOML.
    #[arg(long)]
    config: Option<PathBuf>,
    /// Pairs of points, `x y z x y z` a line, y-up metres.
    #[arg(long)]
    pairs: Option<PathBuf>,
    /// Write the navmesh as OBJ.
    #[arg(long)]
    obj: Option<PathBuf>,
    /// Threads; 0 for one a core.
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

fn main() -> ExitCode {
    match work(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::FAILURE
        }
    }
}

fn work(options: &Options) -> Result<(), String> {
    let (bytes, tiles) = bytes(options)?;
    let blob = Blob::open_checked(&bytes).map_err(|e| e.to_string())?;
    let view = blob.decode(0).map_err(|e| e.to_string())?.leak();
    let mesh = Mesh::of(&view);
    let mut islands: BTreeMap<u32, f64> = BTreeMap::new();
    for polygon in view.polygons() {
        let corners = &mesh.polygons[polygon.id().0 as usize];
        *islands.entry(view.island(polygon.id()).0).or_default() += mesh.polygon_area(corners);
    }
    let mut islands: Vec<f64> = islands.into_values().collect();
    islands.sort_by(|a, b| b.total_cmp(a));
    if let Some(path) = &options.obj {
        mesh.write_obj(path)?;
    }
    let pairs = match &options.pairs {
        Some(path) => oracle::read_pairs(path)?,
        None => vec![],
    };
    let answer = serde_json::json!({
        "area_m2": mesh.area(),
        "polygons": mesh.polygons.len(),
        "islands": islands,
        "tiles": tiles,
        "reachable": ours::reachable(&bytes, &pairs)?,
        "places": ours::places(&bytes, &pairs)?,
    });
    println!("{answer}");
    Ok(())
}

fn bytes(options: &Options) -> Result<(Vec<u8>, u64), String> {
    let input: &Path = &options.input;
    if input.extension().is_some_and(|e| e == "nav") {
        let read = std::fs::read(input);
        let bytes = read.map_err(|e| format!("cannot read {}: {e}", input.display()))?;
        return Ok((bytes, 0));
    }
    let mut config = match &options.config {
        Some(path) => Config::load(path).map_err(|e| e.to_string())?,
        None => Config::default(),
    };
    // Of the navmesh alone.
    config.tables.budget = Budget::None.into();
    let how =
        navbake_bake::Options { threads: options.threads, ..navbake_bake::Options::default() };
    let baked = bake_file(input, &config, &how).map_err(|e| e.to_string())?;
    Ok((baked.bytes, baked.summary.tiles.total))
}
