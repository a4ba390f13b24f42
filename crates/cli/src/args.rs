//! The options of the program: what every verb takes, the verbs, and the options of all but `query` and `tune`.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use navbake_bake::config::Budget;

use crate::closed::Closed;
use crate::grid_options::GridOptions;
use crate::look_args::{Diff, Explain};
use crate::place::Coords;
use crate::query_args::Query;
use crate::search_args::{Planner, SearchOptions, Tune};

/// Bakes levels into navmeshes and asks them for paths.
///
/// Results go to stdout, everything else to stderr. Coordinates are y-up metres, written x,y,z.
///
/// Exit codes: 0 done; 1 a finding (check, diff, query --expect); 2 usage or config; 3 bad level or blob; 4 a file cannot be read or written; 5 over a
/// budget; 6 internal error.
#[derive(Debug, Parser)]
#[command(
    name = "navbake",
    bin_name = "navbake",
    version,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What every verb takes.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Every verb")]
pub(crate) struct Common {
    /// How results are printed
    #[arg(long, value_enum, default_value_t, global = true)]
    pub(crate) format: Format,
    /// Print no warnings and no progress; errors and results still come
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more about what is done
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One line of JSON a result
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Bake levels into navmesh blobs
    Bake(Box<Bake>),
    /// Say what a blob holds
    Info(Info),
    /// Ask a blob for paths, rays and places
    Query(Query),
    /// Measure a blob's queries, and compare their lengths with known ones
    Bench(Bench),
    /// Compare heuristics and weights on sample queries
    Tune(Tune),
    /// Draw a blob, or hand its polygons to other programs
    Export(Export),
    /// Print a config to start from
    Config(Config),
    /// Say why a place of a level is or is not walkable
    Explain(Box<Explain>),
    /// Say what changed between two blobs
    Diff(Diff),
    /// Look at a level by rules, and say what is wrong with it and where
    Check(Box<Check>),
    /// Show a level, with what is wrong with it, in the browser
    View(Box<View>),
}

/// Options of `bake`.
#[derive(Debug, Args)]
pub(crate) struct Bake {
    /// Levels: .obj, .gltf, .glb, .map (MovingAI octile), .txt (tile grid)
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The blob to write, when there is one level [default: the level's name with .nav, in the current folder]
    #[arg(short, long, value_name = "OUT.nav", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// The folder for the blobs, each named after its level
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Settings; options given here win over it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Worker threads, 1 to 1024 [default: one a core]; the blob does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Keep results of tiles in this folder, and bake only tiles whose content changed; bakes may share it, and it may be deleted at any
    /// time. The blob does not depend on it
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Print what each stage took
    #[arg(long)]
    pub(crate) timings: bool,
    /// Read the level, print its tiles and predicted memory, and bake nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write the files that the blobs depend on, as a rule for make and ninja
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// Tables beside the navmesh: labels, with which optimal paths need no search; auto, labels where they are not very large; none; or a
    /// size never exceeded, as 4MiB, for labels and what makes them faster [default: the config's, else auto]
    #[arg(long, value_name = "auto|none|labels|SIZE")]
    pub(crate) table_budget: Option<Budget>,
    /// Leave out what was noticed about the level (`findings = false`): only reports look at it
    #[arg(long)]
    pub(crate) strip: bool,
    /// A level in which nothing is walkable is no error
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Bake even when the blob is up to date
    #[arg(long)]
    pub(crate) force: bool,
}

/// Settings that override the config.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Settings {
    /// Agent radius, m [default: 0.6; 0 for grid maps]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) radius: Option<f64>,
    /// Agent height, m [default: 2]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) height: Option<f64>,
    /// Highest step the agent takes, m [default: 0.9]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) climb: Option<f64>,
    /// Steepest ground the agent walks on, degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) slope: Option<f64>,
    /// The deepest drop from a ledge, m; above 0 links down are found [default: 0]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) drop: Option<f64>,
    /// The widest gap the agent jumps over, m; above 0 links across are found [default: 0]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) jump: Option<f64>,
    /// The filter's cell, m, never the accuracy [default: follows the radius]
    #[arg(long, value_name = "M", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) cell: Option<f64>,
    /// Smaller islands without a marker are left out, m2 [default: 2]
    #[arg(long, value_name = "M2", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) min_region: Option<f64>,
    /// The axis that points up in the input [default: y]
    #[arg(long, value_name = "AXIS", value_enum)]
    pub(crate) up: Option<Up>,
    /// Input units to metres [default: 1]
    #[arg(long, value_name = "S", value_parser = finite, allow_negative_numbers = true)]
    pub(crate) scale: Option<f64>,
}

impl Settings {
    /// Is any of them told?
    pub(crate) fn is_told(&self) -> bool {
        let numbers = [
            self.radius,
            self.height,
            self.climb,
            self.slope,
            self.drop,
            self.jump,
            self.cell,
            self.min_region,
            self.scale,
        ];
        numbers.iter().any(Option::is_some) || self.up.is_some()
    }
}

/// The axis that points up in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Up {
    /// y is up
    Y,
    /// z is up
    Z,
}

/// The blob of a verb.
#[derive(Clone, Debug, Args)]
pub(crate) struct BlobPath {
    /// A baked blob; - reads it from stdin
    #[arg(value_name = "BLOB")]
    pub(crate) path: PathBuf,
    /// Map the file into memory instead of reading it; it must not be changed in place meanwhile
    #[arg(long)]
    pub(crate) mmap: bool,
}

/// Options of `info`.
#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Check every byte: checksum, indices, winding, convexity, portals
    #[arg(long)]
    pub(crate) verify: bool,
}

/// Options of `bench`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("queries").required(true).args(["scen", "random"]))]
pub(crate) struct Bench {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Queries of a MovingAI scenario, for a baked grid map
    #[arg(long, value_name = "FILE.scen")]
    pub(crate) scen: Option<PathBuf>,
    /// Known optimal lengths in cells: a line `sx sz tx tz length` a query, -1 for no path
    #[arg(
        long,
        value_name = "FILE.txt",
        requires = "scen",
        conflicts_with = "random"
    )]
    pub(crate) optimal: Option<PathBuf>,
    /// This many queries between random places of one island, 1 to 10000000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) random: Option<u32>,
    /// Which random queries
    #[arg(long, value_name = "S", default_value_t = 1, conflicts_with = "scen")]
    pub(crate) seed: u64,
    /// Which of the blob's agents asks [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) closed: Closed,
    /// How to search
    #[arg(long, value_enum, default_value_t)]
    pub(crate) planner: Planner,
    #[command(flatten)]
    pub(crate) search: SearchOptions,
    #[command(flatten)]
    pub(crate) grid: GridOptions,
    /// Run all queries this often; the time of a query is the mean of its runs
    #[arg(long, value_name = "R", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Write a line a query: status, length, points
    #[arg(long, value_name = "FILE")]
    pub(crate) dump: Option<PathBuf>,
}

/// Options of `export`.
#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// What to write
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) to: ExportKind,
    /// The file; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// Whose navmesh: the name of an agent [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The coordinates that are written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) coords: Coords,
}

/// What `export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportKind {
    /// Wavefront OBJ: one face a polygon, a group an island
    Obj,
    /// A picture from above, a storey a sheet
    Svg,
    /// Polyanya mesh, version 2: the ground plane (x, z) with portals
    Mesh,
}

/// What is looked at, and what is asked of it.
#[derive(Debug, Args)]
pub(crate) struct Looked {
    /// A baked blob (- reads it from stdin), or a level, which is baked in memory first
    #[arg(value_name = "BLOB|LEVEL")]
    pub(crate) input: PathBuf,
    /// Settings of the bake, and with `[check]` what is asked of the level [default: for a blob those it was baked with]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Worker threads of the bake, 1 to 1024 [default: one a core]; the findings do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// More to ask of the level: the keys of `[check]` in a file of their own
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) rules: Option<PathBuf>,
    /// Known findings that are not told: what --format json printed before
    #[arg(long, value_name = "FILE.json")]
    pub(crate) baseline: Option<PathBuf>,
    /// Measure the navmesh against the level's own triangles as well, by brute force at random points; for levels, not blobs
    #[arg(long)]
    pub(crate) audit: bool,
}

/// Options of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) looked: Looked,
    /// End with exit code 1 when something at least as bad was found
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t)]
    pub(crate) fail_on: FailOn,
    /// Write the report as one HTML page with a plan
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a SARIF 2.1.0 log
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Write JUnit XML, a test a rule
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// Options of `view`.
#[derive(Debug, Args)]
pub(crate) struct View {
    #[command(flatten)]
    pub(crate) check: Looked,
    /// The page; - is stdout [default: a temporary file]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// Write the page and print its name, and start no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// How bad a finding has to be to end with exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// The level does not do what it was said to do
    #[default]
    Error,
    /// Probably not what was meant
    Warning,
    /// Worth knowing
    Note,
}

/// Options of `config`.
#[derive(Debug, Args)]
pub(crate) struct Config {
    /// Print every key with its default, unit and meaning
    #[arg(long, required = true)]
    pub(crate) template: bool,
}

pub(crate) fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err("it is not a finite number".into()),
        Err(_) => Err("it is not a number".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn counts_and_distances_out_of_reason_are_refused() {
        for options in [
            "bench a.nav --random 0",
            "bench a.nav --random 18446744073709551615",
            "bench a.nav --random 1 --repeat 0",
            "query nearest a.nav --at 0,0,0 --extents -1,2,3",
        ] {
            let line = format!("navbake {options}");
            let error = Arguments::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(
                error.kind(),
                clap::error::ErrorKind::ValueValidation,
                "{options}"
            );
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for value in ["nan", "inf", "x", ""] {
            let line = format!("navbake bake a.obj --radius={value}");
            assert!(
                Arguments::try_parse_from(line.split(' ')).is_err(),
                "{value}"
            );
        }
    }
}
