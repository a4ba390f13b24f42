//! The command line: options of every verb, the verbs, and options that several verbs share.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use navbake_bake::Config;
use navbake_bake::config::{Budget, Up};
use navbake_import::is_world;

use crate::failure::{Exit, Failure};
use crate::output::complain;
use crate::{cmd, examples};

/// Bakes levels into navmeshes and answers path queries
///
/// Results go to stdout, everything else to stderr. Coordinates are y-up metres, written x,y,z.
///
/// Exit codes: 0 done; 1 findings (check, diff, query --expect); 2 bad usage or config; 3 bad
/// level or blob; 4 a file cannot be read or written; 5 over a budget; 6 internal error;
/// 75 jobs are to be run again.
#[derive(Debug, Parser)]
#[command(name = "navbake", bin_name = "navbake", version, after_help = examples::of("all"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Options of every verb.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Every verb")]
pub(crate) struct Common {
    /// Output format of results
    #[arg(long, value_enum, default_value_t, global = true)]
    pub(crate) format: Format,
    /// Suppress warnings and progress output
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more details
    #[arg(short, long, action = ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
}

/// The output format of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object per line
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Bake levels into navmesh blobs
    #[command(after_help = examples::of("bake"))]
    Bake(Box<cmd::bake::Bake>),
    /// Show the contents of a blob
    #[command(after_help = examples::of("info"))]
    Info(cmd::info::Info),
    /// Query a blob: paths, raycasts, nearest points and more
    #[command(after_help = examples::of("query"))]
    Query(cmd::query::Query),
    /// Time path queries on a blob and compare lengths with known ones
    #[command(after_help = examples::of("bench"))]
    Bench(Box<cmd::bench::Bench>),
    /// Compare heuristics and weights on sample queries
    #[command(after_help = examples::of("tune"))]
    Tune(cmd::tune::Tune),
    /// Export a navmesh as a picture or for other programs
    #[command(after_help = examples::of("export"))]
    Export(cmd::export::Export),
    /// Make a blob of a navmesh that Detour's tools saved
    #[command(after_help = examples::of("import-detour"))]
    ImportDetour(Box<cmd::import_detour::ImportDetour>),
    /// Print a config to start from
    #[command(after_help = examples::of("config"))]
    Config(cmd::config::Config),
    /// Explain why a point of a level is or is not walkable
    #[command(after_help = examples::of("explain"))]
    Explain(Box<cmd::explain::Explain>),
    /// Compare two blobs
    #[command(after_help = examples::of("diff"))]
    Diff(cmd::diff::Diff),
    /// Check a level against rules and report problems with their places
    #[command(after_help = examples::of("check"))]
    Check(Box<cmd::check::Check>),
    /// Show a level and its problems in the browser
    #[command(after_help = examples::of("view"))]
    View(Box<cmd::view::View>),
    /// Show a level and its problems in the browser, anew after each save
    #[command(after_help = examples::of("watch"))]
    Watch(Box<cmd::watch::Watch>),
    /// Divide a bake into jobs for many machines
    #[command(after_help = examples::of("plan"))]
    Plan(Box<cmd::farm::plan::PlanOptions>),
    /// Bake the tiles of some jobs of a plan
    #[command(after_help = examples::of("run"))]
    Run(cmd::farm::run::Run),
    /// Show which jobs of a plan are done
    #[command(after_help = examples::of("status"))]
    Status(cmd::farm::status::Status),
    /// Join the tiles of a plan's jobs to a blob
    #[command(after_help = examples::of("merge"))]
    Merge(cmd::farm::merge::Merge),
    /// Print completions for a shell
    #[command(after_help = examples::of("completions"))]
    Completions(cmd::shell::Completions),
    /// Print the manual page of navbake, or write those of all verbs
    #[command(after_help = examples::of("man"))]
    Man(cmd::shell::Man),
}

/// Settings that override the config.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Settings {
    /// Agent radius, m [default: 0.6; 0 for grid maps]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) radius: Option<f64>,
    /// Agent height, m [default: 2]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) height: Option<f64>,
    /// Highest step the agent climbs, m [default: 0.9]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) climb: Option<f64>,
    /// Steepest slope the agent walks on, degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = finite)]
    pub(crate) slope: Option<f64>,
    /// Greatest drop from a ledge, m; above 0 the bake adds drop links [default: 0]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) drop: Option<f64>,
    /// Widest gap the agent jumps, m; above 0 the bake adds jump links [default: 0]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) jump: Option<f64>,
    /// Cell size of the filter, m; never the accuracy [default: depends on the radius]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) cell: Option<f64>,
    /// Drop smaller islands without a marker or link, m2 [default: 2]
    #[arg(long, value_name = "M2", value_parser = finite)]
    pub(crate) min_region: Option<f64>,
    /// Up axis of the input [default: y]
    #[arg(long, value_name = "AXIS", value_parser = one_of::<Up>(&Up::NAMES), ignore_case = true)]
    pub(crate) up: Option<Up>,
    /// Metres per input unit [default: 1]
    #[arg(long, value_name = "S", value_parser = finite)]
    pub(crate) scale: Option<f64>,
    /// Heights of the least and the greatest value of a height map, m
    #[arg(long, value_name = "LOW,HIGH", value_parser = heights, allow_hyphen_values = true)]
    pub(crate) heights: Option<[f64; 2]>,
    /// Metres from sample to sample of a height map [default: 1]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) spacing: Option<f64>,
}

/// What a level may take and read.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Limits {
    /// Memory that reading the level and baking it may take, such as 4GiB; above it the exit code
    /// is 5 [default: to read, 2 GiB and 32 times the files; to bake, any]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Read files that the level or config names even if they are outside of its folder
    #[arg(long)]
    pub(crate) allow_outside: bool,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct TimeLimit {
    /// Time that the call may take, s; after it the exit code is 5, and no file is half written
    /// [default: any]
    #[arg(long = "time", value_name = "S", value_parser = above_0)]
    seconds: Option<f64>,
}

impl TimeLimit {
    /// Ends the program when the time is over, from a thread of its own: no step of the work needs
    /// to ask for the time.
    pub(crate) fn begin(self, json: bool) {
        let Some(seconds) = self.seconds else {
            return;
        };
        // More seconds than a duration has are no limit.
        let Ok(time) = Duration::try_from_secs_f64(seconds) else {
            return;
        };
        std::thread::spawn(move || {
            std::thread::sleep(time);
            let failure = Failure::new(
                Exit::Budget as u8,
                format_args!(
                    "over budget: not done after {seconds} s; give it more (--time), or bake a smaller level, or with a larger cell (--cell)"
                ),
            );
            complain(&failure, json);
            navbake_bake::output::exit(failure.code)
        });
    }
}

impl Limits {
    /// Hands them to a config.
    pub(crate) fn apply(&self, config: &mut Config) {
        config.memory = self.memory;
        config.outside = self.allow_outside;
    }
}

impl Settings {
    /// Whether any is given.
    pub(crate) fn any(&self) -> bool {
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
            self.spacing,
        ];
        let others = [self.up.is_some(), self.heights.is_some()];
        numbers.iter().any(Option::is_some) || others.contains(&true)
    }

    /// Refuses what a level would ignore: settings of height maps, for levels that are none.
    ///
    /// Worlds may place height maps.
    pub(crate) fn refuse_ignored(&self, levels: &[PathBuf]) -> Result<(), Failure> {
        let flag = match (self.heights, self.spacing) {
            (None, None) => return Ok(()),
            (Some(_), _) => "--heights",
            (None, Some(_)) => "--spacing",
        };
        let other = levels.iter().find(|level| {
            let format = navbake_import::Format::of(level);
            !is_world(level) && format.is_none_or(|format| !format.is_height_map())
        });
        match other {
            None => Ok(()),
            Some(level) => Err(Failure::usage(format_args!(
                "{flag}: {} is no height map; leave the option out",
                level.display()
            ))),
        }
    }
}

/// The blob that a verb reads.
#[derive(Clone, Debug, Args)]
pub(crate) struct BlobPath {
    /// Baked blob (- reads stdin), or the index of a world in chunks (.navw)
    #[arg(value_name = "BLOB")]
    pub(crate) path: PathBuf,
    /// Map the file into memory instead of reading it; it must not change meanwhile
    #[arg(long)]
    pub(crate) mmap: bool,
}

impl BlobPath {
    /// A blob that is read, not mapped.
    pub(crate) fn read(path: &std::path::Path) -> BlobPath {
        BlobPath { path: path.into(), mmap: false }
    }
}

/// Parses a library's enum by its names, which `--help` lists.
pub(crate) fn one_of<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = &'static str> + Clone + Send + Sync + 'static,
{
    // Options that ignore case give the value as it was typed.
    PossibleValuesParser::new(names).try_map(|name| name.to_lowercase().parse())
}

/// Parses a finite number.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err("not a finite number".into()),
        Err(_) => match text.replace(',', ".") {
            point if point != text && point.parse::<f64>().is_ok() => {
                Err(format!("not a number; write {point} with a point"))
            }
            _ => Err("not a number".into()),
        },
    }
}

/// Parses two heights.
fn heights(text: &str) -> Result<[f64; 2], String> {
    let parts: Result<Vec<f64>, String> = text.split(',').map(|part| finite(part.trim())).collect();
    match parts?[..] {
        [low, high] => Ok([low, high]),
        _ => Err("expected two numbers with a comma between them, such as 0,600".into()),
    }
}

/// Parses a whole number in a range.
pub(crate) fn between<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(value) if (LEAST..=MOST).contains(&value) => Ok(value),
        _ => Err(format!("not a whole number from {LEAST} to {MOST}")),
    }
}

/// Parses a number of bytes.
fn size(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(Budget::Bytes(bytes)) if bytes > 0 => Ok(bytes),
        _ => Err("expected a size such as 4GiB, 500MB or 65536 bytes".into()),
    }
}

/// Parses a distance of at least 0.
pub(crate) fn distance(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value < 0.0 => Err("a distance cannot be negative".into()),
        value => Ok(value),
    }
}

/// Parses a length above 0.
pub(crate) fn above_0(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err("expected a number above 0".into()),
    }
}

/// Parses a share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1".into()),
    }
}

/// Parses the weight of a heuristic.
pub(crate) fn weight(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if (0.0..=1000.0).contains(&value) => Ok(value),
        _ => Err("expected a weight from 0 to 1000".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_do_not_contradict_each_other() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for options in [
            "bench a.nav --random 0",
            "bench a.nav --random 18446744073709551615",
            "bench a.nav --random 1 --repeat 0",
            "query nearest a.nav --at 0,0,0 --extents -1,2,3",
        ] {
            let line = format!("navbake {options}");
            let error = Arguments::try_parse_from(line.split(' ')).unwrap_err();
            assert_eq!(error.kind(), clap::error::ErrorKind::ValueValidation, "{options}");
        }
    }

    #[test]
    fn values_that_are_not_numbers_are_refused() {
        for value in ["nan", "inf", "x", ""] {
            let line = format!("navbake bake a.obj --radius={value}");
            assert!(Arguments::try_parse_from(line.split(' ')).is_err(), "{value}");
        }
    }
}
