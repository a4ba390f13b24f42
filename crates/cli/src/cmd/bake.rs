//! `navbake bake`: levels in, blobs out.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use navbake_bake::config::{AgentConfig, Budget};
use navbake_bake::world_files::is_index;
use navbake_bake::{BakeInput, Baked, Cache, Config, Note, Options, Summary, Timings};
use navbake_import::Format;
use navbake_level::number::{count, point};
use serde::Serialize;

use super::bake_summary::summary_of;
use super::bake_text::{size, text};
use super::check::is_blob;
use super::progress::Bar;
use crate::args::{Limits, Settings, TimeLimit, above_0, between};
use crate::failure::{Exit, Failure, failed};
use crate::files::refuse_overwrites;
use crate::output::{Output, complain, is_dash, print, write_whole};
use navbake_bake::names::ENDING;

/// Options of `bake`.
#[derive(Debug, Args)]
pub(crate) struct Bake {
    #[arg(required = true, value_name = "INPUT", help = format!("Levels: {}", Format::extensions()))]
    pub(crate) inputs: Vec<PathBuf>,
    /// Output blob, for one level; with .navw a world in chunks: an index, and a folder with a
    /// blob for each chunk [default: the level's name with .navbake, in the current folder]
    #[arg(short, long, value_name = "OUT.navbake", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// Folder for blobs, each named after its level
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Config; other options override it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) limits: Limits,
    #[command(flatten)]
    pub(crate) time: TimeLimit,
    /// Side of the chunks of a .navw, m, rounded up to whole tiles [default: 300]
    #[arg(long, value_name = "M", value_parser = above_0)]
    pub(crate) chunk: Option<f64>,
    /// Find rooms and the doors between them, as rooms.enabled = true in the config
    #[arg(long)]
    pub(crate) rooms: bool,
    /// Worker threads, 1 to 1024 [default: one a core]; the blob does not depend on it
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
    /// Cache for tiles, a folder or a server: only changed tiles are baked
    ///
    /// Several bakes can share it, and it can be deleted at any time. The blob does not depend on
    /// it. Servers: s3://bucket/prefix, and grpc://host:port/instance for a cache of the Remote
    /// Execution API.
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) cache: Option<PathBuf>,
    /// Print the time of each stage
    #[arg(long)]
    pub(crate) timings: bool,
    /// Read the level, print its tiles and predicted memory, and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write the input files of each blob as a rule for make and ninja
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// Tables for fast optimal paths [default: the config's, else auto]
    ///
    /// auto: labels, unless they are very large. none: no tables. labels: labels of any size.
    /// SIZE: labels and what speeds them up, never above the size, such as 4MiB.
    #[arg(long, value_name = "auto|none|labels|SIZE")]
    pub(crate) table_budget: Option<Budget>,
    /// Leave diagnostics about the level out of the blob (`findings = false`); only reports use
    /// them
    #[arg(long)]
    pub(crate) no_diagnostics: bool,
    /// Accept a level in which nothing is walkable
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// Bake even if the blob is up to date
    #[arg(long)]
    pub(crate) force: bool,
    /// Leave the time stamp of a blob that is up to date as it is; make and ninja then run the bake
    /// every time
    #[arg(long)]
    pub(crate) no_touch: bool,
}

/// The JSON object of `bake`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) summary: Summary,
    input: String,
    /// Whether the output was already baked from the same level with the same config.
    up_to_date: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) timings: Option<Timings>,
}

/// The JSON object of `bake --dry-run`.
#[derive(Debug, Serialize)]
struct Plan {
    input: String,
    output: String,
    up_to_date: bool,
    triangles: usize,
    tiles: usize,
    predicted_peak_bytes: u64,
    /// With one tile at a time.
    predicted_least_bytes: u64,
    warnings: Vec<Note>,
}

/// Runs it. Bakes every level; the exit code is that of the first failure.
pub(crate) fn run(options: &Bake, output: Output) -> Result<Exit, Failure> {
    options.time.begin(output.json());
    limit_threads(options.threads);
    let config = config(options)?;
    let targets = targets(options, output)?;
    targets.iter().try_for_each(|(_, target)| refuse_idle_chunk(options.chunk, target))?;
    // A blob in place of a level is reported as such.
    let levels = options.inputs.iter().filter(|input| !is_blob(input).unwrap_or(false));
    let inputs = levels.chain(&options.config).map(PathBuf::as_path);
    let outputs = targets.iter().map(|(_, target)| target).chain(&options.depfile);
    let outputs: Vec<&Path> = outputs.map(PathBuf::as_path).collect();
    refuse_overwrites(&inputs.collect::<Vec<_>>(), &outputs)?;
    let cache = cache(options)?;
    if let Some(folder) = options.cache.as_ref().filter(|_| is_read_only(&cache)) {
        output.warn(format_args!(
            "{}: the cache is read-only; its tiles are used and no new ones kept",
            folder.display()
        ));
    }
    let mut rules = String::new();
    let mut first_failure: Option<Failure> = None;
    for (input, target) in &targets {
        match one(input, target, &outputs, &config, options, cache.as_ref(), output) {
            Ok(rule) => rules.push_str(&rule),
            Err(failure) => {
                if let Some(earlier) = first_failure.replace(failure) {
                    // The first is printed at the end, with its exit code.
                    complain(first_failure.as_ref().unwrap_or(&earlier), output.json());
                    first_failure = Some(earlier);
                }
            }
        }
    }
    if let Some(failure) = first_failure {
        return Err(failure);
    }
    if let Some(depfile) = &options.depfile
        && !options.dry_run
    {
        write_whole(depfile, rules.as_bytes())?;
    }
    Ok(Exit::Done)
}

/// Refuses a side of chunks for an output that has none.
pub(super) fn refuse_idle_chunk(chunk: Option<f64>, target: &Path) -> Result<(), Failure> {
    match chunk.is_some() && !is_index(target) {
        true => Err(Failure::usage(
            "--chunk is for worlds in chunks; name an output with .navw, such as -o world.navw",
        )),
        false => Ok(()),
    }
}

/// Opens the cache before the first level, as its faults are not the level's.
fn cache(options: &Bake) -> Result<Option<Cache>, Failure> {
    match &options.cache {
        Some(name) if !options.dry_run => crate::cache::open(name, false).map(Some),
        _ => Ok(None),
    }
}

fn is_read_only(cache: &Option<Cache>) -> bool {
    cache.as_ref().is_some_and(Cache::is_read_only)
}

/// The config file with the settings of the command line.
fn config(options: &Bake) -> Result<Config, Failure> {
    let mut config = config_file(options.config.as_deref())?;
    config.allow_empty |= options.allow_empty;
    config.rooms.enabled |= options.rooms;
    config.findings &= !options.no_diagnostics;
    if let Some(budget) = options.table_budget {
        config.tables.budget = budget.into();
    }
    options.limits.apply(&mut config);
    options.settings.refuse_ignored(&options.inputs)?;
    override_config(&mut config, &options.settings)?;
    Ok(config)
}

/// The config of a file, or the defaults without one.
pub(crate) fn config_file(path: Option<&Path>) -> Result<Config, Failure> {
    path.map_or_else(|| Ok(Config::default()), |path| Config::load(path).map_err(failed))
}

/// Overrides a config by settings of the command line.
///
/// # Errors
/// If a size is given for one of several agents.
pub(crate) fn override_config(config: &mut Config, flags: &Settings) -> Result<(), Failure> {
    config.up = flags.up.unwrap_or(config.up);
    config.scale = flags.scale.unwrap_or(config.scale);
    config.heightmap.heights = flags.heights.or(config.heightmap.heights);
    config.heightmap.spacing = flags.spacing.unwrap_or(config.heightmap.spacing);
    config.cell = flags.cell.or(config.cell);
    config.min_region = flags.min_region.or(config.min_region);
    let sizes = [
        ("--radius", flags.radius),
        ("--height", flags.height),
        ("--climb", flags.climb),
        ("--slope", flags.slope),
        ("--drop", flags.drop),
        ("--jump", flags.jump),
    ];
    let Some((flag, _)) = sizes.iter().find(|(_, value)| value.is_some()) else {
        return Ok(());
    };
    if config.agents.len() > 1 {
        return Err(Failure::usage(format_args!(
            "{flag}: the config has {} agents; change them in the config",
            config.agents.len()
        )));
    }
    if config.agents.is_empty() {
        config.agents.push(AgentConfig::default());
    }
    for agent in &mut config.agents {
        agent.radius = flags.radius.or(agent.radius);
        agent.height = flags.height.unwrap_or(agent.height);
        agent.climb = flags.climb.unwrap_or(agent.climb);
        agent.slope = flags.slope.unwrap_or(agent.slope);
        agent.drop = flags.drop.unwrap_or(agent.drop);
        agent.jump = flags.jump.unwrap_or(agent.jump);
    }
    Ok(())
}

/// The levels with their output files.
fn targets(options: &Bake, output: Output) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    if let Some(target) = &options.output {
        let [input] = &options.inputs[..] else {
            return Err(Failure::usage(format_args!(
                "-o names one blob for {} levels; use --out-dir",
                options.inputs.len()
            )));
        };
        if is_dash(target) && output.json() {
            return Err(Failure::usage(
                "-o - and --format json both write to stdout; leave out one",
            ));
        }
        if is_dash(target) && options.depfile.is_some() {
            return Err(Failure::usage("--depfile needs an output file, and -o - is stdout"));
        }
        return Ok(vec![(input.clone(), target.clone())]);
    }
    let folder = options.out_dir.as_deref().unwrap_or(Path::new(""));
    let mut targets = vec![];
    for input in &options.inputs {
        let stem = input.file_stem().ok_or_else(|| {
            Failure::usage(format_args!(
                "{}: not a file; name a level, such as level.obj",
                input.display()
            ))
        })?;
        let mut name = stem.to_os_string();
        name.push(".");
        name.push(ENDING);
        targets.push((input.clone(), folder.join(name)));
    }
    Ok(targets)
}

/// Bakes one level and returns its rule for the depfile.
fn one(
    input: &Path,
    target: &Path,
    outputs: &[&Path],
    config: &Config,
    options: &Bake,
    cache: Option<&Cache>,
    output: Output,
) -> Result<String, Failure> {
    if !input.is_dir() && is_blob(input).unwrap_or(false) {
        return Err(Failure::input(format_args!(
            "{0}: a baked navmesh, not a level; name the level it was baked from (navbake info {0} shows its contents)",
            input.display()
        )));
    }
    output.detail(format_args!("{}: reading", input.display()));
    if !options.dry_run {
        can_be_written(target)?;
    }
    let job = BakeInput::open_to_bake(input, config).map_err(failed)?;
    refuse_overwrites(&job.all_files(), outputs)?;
    let rule = rule(&job, target, options)?;
    let is_world = is_index(target);
    if is_world {
        job.check_chunks().map_err(failed)?;
    }
    let matters = options.dry_run || !options.force;
    let up_to_date = match is_world {
        true => matters && job.world_up_to_date(target, &how(options)),
        false => matters && !is_dash(target) && job.up_to_date(target),
    };
    if options.dry_run {
        plan(&job, input, target, up_to_date, options, output)?;
        return Ok(rule);
    }
    if up_to_date && !options.force {
        if !options.no_touch {
            touch(target, output);
        }
        let report = Report {
            summary: summary_of(target, &job)?,
            input: input.display().to_string(),
            up_to_date: true,
            timings: None,
        };
        output.result(&report, |report| {
            format!("{}: up to date (--force bakes it again)\n", report.summary.output)
        })?;
        return Ok(rule);
    }

    let bar = Bar::new(output, input);
    let update = |progress| bar.update(progress);
    let how = Options { cache, progress: Some(&update), ..how(options) };
    let baked = match is_world {
        true => job.bake_world(target, &how),
        false => job.bake(&how),
    };
    bar.done();
    let baked = baked.map_err(|error| {
        // The warnings of the import often explain the failure.
        let warnings: Vec<Note> = job.warnings().iter().map(Note::from).collect();
        warn(&warnings, output);
        failed(error)
    })?;
    report(baked, input, target, options.timings, output)?;
    Ok(rule)
}

/// Writes a blob and says what it is.
pub(super) fn report(
    mut baked: Baked,
    input: &Path,
    target: &Path,
    timings: bool,
    output: Output,
) -> Result<(), Failure> {
    warn(&baked.summary.warnings, output);
    if is_dash(target) {
        print(&baked.bytes)?;
    } else if !is_index(target) {
        // The files of a world were written as they were made.
        write_whole(target, &baked.bytes)?;
    }
    baked.summary.output = target.display().to_string();
    let report = Report {
        summary: baked.summary,
        input: input.display().to_string(),
        up_to_date: false,
        timings: timings.then_some(baked.timings),
    };
    if is_dash(target) {
        output.say(text(&report).trim_end());
        return Ok(());
    }
    output.result(&report, text)
}

/// Renews the time stamp of a blob that is up to date: make and ninja compare it with the inputs'.
fn touch(target: &Path, output: Output) {
    let renewed = fs::File::options()
        .append(true)
        .open(target)
        .and_then(|file| file.set_modified(std::time::SystemTime::now()));
    if let Err(error) = renewed {
        output.warn(format_args!(
            "{}: cannot renew its time stamp: {}",
            target.display(),
            navbake_import::reason(&error)
        ));
    }
}

/// Limits the threads that levels are read on. Those of the bake are its own.
pub(super) fn limit_threads(count: Option<u32>) {
    if let Some(count) = count {
        // Without effect if there are any already.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(count as usize).build_global();
    }
}

/// Threads, 0 for one a core, and chunks.
fn how(options: &Bake) -> Options<'static> {
    let threads = options.threads.map_or(0, |n| n as usize);
    Options { threads, chunk: options.chunk, ..Options::default() }
}

/// Checks before a long bake that the output can be written.
fn can_be_written(target: &Path) -> Result<(), Failure> {
    if is_dash(target) {
        return Ok(());
    }
    navbake_bake::output::make_folder(target).map_err(failed)
}

fn rule(job: &BakeInput, target: &Path, options: &Bake) -> Result<String, Failure> {
    if options.depfile.is_none() {
        return Ok(String::new());
    }
    let mut files = job.files().to_vec();
    files.extend(options.config.clone());
    navbake_bake::output::depfile(target, &files).map_err(Failure::usage)
}

fn plan(
    job: &BakeInput,
    input: &Path,
    target: &Path,
    up_to_date: bool,
    options: &Bake,
    output: Output,
) -> Result<(), Failure> {
    let forecast = job.forecast(&how(options)).map_err(failed)?;
    let plan = Plan {
        input: input.display().to_string(),
        output: target.display().to_string(),
        up_to_date,
        triangles: forecast.triangles,
        tiles: forecast.tiles,
        predicted_peak_bytes: forecast.peak_bytes,
        predicted_least_bytes: forecast.least_bytes,
        warnings: job.warnings().iter().map(Note::from).collect(),
    };
    warn(&plan.warnings, output);
    output.result(&plan, |plan| {
        format!(
            "{} -> {}: {}, {}, about {} of memory{}\n",
            plan.input,
            plan.output,
            count(plan.triangles, "triangle"),
            count(plan.tiles, "tile"),
            size(plan.predicted_peak_bytes),
            if plan.up_to_date { "; up to date" } else { "" }
        )
    })?;
    job.within_memory(&forecast).map_err(failed)
}

pub(super) fn warn(warnings: &[Note], output: Output) {
    for Note { code, message, place, source } in warnings {
        let place = place.map_or_else(|| source.clone(), point);
        let at = if place.is_empty() { "" } else { ": " };
        output.warn(format_args!("{place}{at}{message} [{code}]"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_refused_for_several_agents() {
        let flags = Settings {
            radius: Some(0.3),
            jump: Some(2.5),
            scale: Some(2.0),
            ..Settings::default()
        };
        let mut config = Config::default();
        override_config(&mut config, &flags).unwrap();
        assert_eq!(config.agents[0].radius, Some(0.3));
        assert_eq!(config.agents[0].jump, 2.5);
        assert_eq!(config.scale, 2.0);
        config.agents.push(AgentConfig { name: "second".into(), ..AgentConfig::default() });
        assert_eq!(override_config(&mut config, &flags).unwrap_err().code, 2);
    }
}
