//! `navbake import-detour`: a navmesh that Detour's tools saved, as a blob.

use std::path::PathBuf;

use clap::Args;
use navbake_bake::config::{AgentConfig, Budget};
use navbake_bake::{BakeInput, Config, Options};
use navbake_detour::Ground;
use navbake_import::read_file;

use super::bake::{limit_threads, report};
use super::progress::Bar;
use crate::args::{Settings, between, finite};
use crate::cmd::bake::{config_file, override_config};
use crate::failure::{Exit, Failure, failed};
use crate::files::refuse_overwrites;
use crate::output::Output;
use navbake_bake::names::ENDING;

/// Offsets in Detour's files are 32-bit numbers with a sign.
const LARGEST: u64 = i32::MAX as u64;

/// Options of `import-detour`.
#[derive(Debug, Args)]
pub(crate) struct ImportDetour {
    /// Detour's file: MSET
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,
    /// Output blob [default: the input's name with .navbake, in the current folder]
    #[arg(short, long, value_name = "OUT.navbake")]
    pub(crate) output: Option<PathBuf>,
    /// Config; its table `detour` names areas, and other options override it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// Agent radius, m [default: the file's]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) radius: Option<f64>,
    /// Agent height, m [default: the file's]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) height: Option<f64>,
    /// Highest step the agent climbs, m [default: the file's]
    #[arg(long, value_name = "M", value_parser = finite)]
    pub(crate) climb: Option<f64>,
    /// Find rooms and the doors between them, as rooms.enabled = true in the config
    #[arg(long)]
    pub(crate) rooms: bool,
    /// Worker threads, 1 to 1024 [default: one a core]; the blob does not depend on it
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
    /// Print the time of each stage
    #[arg(long)]
    pub(crate) timings: bool,
    /// Tables for fast optimal paths, as of `bake` [default: the config's, else auto]
    #[arg(long, value_name = "auto|none|labels|SIZE")]
    pub(crate) table_budget: Option<Budget>,
}

/// Runs it.
pub(crate) fn run(options: &ImportDetour, output: Output) -> Result<Exit, Failure> {
    limit_threads(options.threads);
    let input = &options.input;
    let name = input.display();
    let stem = || input.file_stem().filter(|_| !input.is_dir());
    let target = match (&options.output, stem()) {
        (Some(target), _) => target.clone(),
        (None, Some(stem)) => PathBuf::from(stem).with_extension(ENDING),
        (None, None) => {
            return Err(Failure::usage(format_args!("{name}: not a file; name an MSET file")));
        }
    };
    let inputs: Vec<_> = [Some(input), options.config.as_ref()].into_iter().flatten().collect();
    let inputs: Vec<_> = inputs.into_iter().map(PathBuf::as_path).collect();
    refuse_overwrites(&inputs, &[&target])?;
    let mut config = config_file(options.config.as_deref())?;
    let bytes = read_file(input, LARGEST).map_err(|error| Failure::io(input, "read", &error))?;
    let tiles = navbake_detour::read(&bytes)
        .map_err(|refused| Failure::input(format_args!("{name}: {refused}")))?;
    drop(bytes);
    let ground = tiles.ground();
    drop(tiles);
    if ground.polygons.is_empty() {
        return Err(Failure::input(format_args!(
            "{name}: no polygon that a query finds; save a navmesh with ground"
        )));
    }
    set_agents(&mut config, &ground, options)?;
    config.rooms.enabled |= options.rooms;
    if let Some(budget) = options.table_budget {
        config.tables.budget = budget.into();
    }
    let level = navbake_detour::level(ground, &config.detour, input);
    let job = BakeInput::given(level, &config).map_err(failed)?;
    let bar = Bar::new(output, input);
    let update = |progress| bar.update(progress);
    let threads = options.threads.map_or(0, |n| n as usize);
    let baked = job.bake(&Options { threads, progress: Some(&update), ..Options::default() });
    bar.done();
    report(baked.map_err(failed)?, input, &target, options.timings, output)?;
    Ok(Exit::Done)
}

/// The agent of the file, unless the config has others; options override both.
fn set_agents(config: &mut Config, ground: &Ground, options: &ImportDetour) -> Result<(), Failure> {
    if config.agents.is_empty() {
        let usual = AgentConfig::default();
        let height = if ground.height > 0.0 { ground.height } else { usual.height };
        config.agents.push(AgentConfig {
            radius: Some(ground.radius),
            height,
            // Detour's may be any, a baker's is below half the height.
            climb: ground.climb.min(0.49 * height),
            ..usual
        });
    }
    let given = Settings {
        radius: options.radius,
        height: options.height,
        climb: options.climb,
        ..Settings::default()
    };
    override_config(config, &given)
}
