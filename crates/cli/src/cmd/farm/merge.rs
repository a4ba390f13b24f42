//! `navbake merge`: joins the tiles of a plan's jobs to the blob.

use std::path::{Path, PathBuf};

use clap::Args;
use navbake_bake::Options;
use navbake_bake::world_files::is_index;
use navbake_level::number::count;

use super::{AGAIN, OfPlan, State, again, ranges, stored};
use crate::args::{Limits, above_0, between};
use crate::cmd::bake::{limit_threads, refuse_idle_chunk, report};
use crate::cmd::progress::Bar;
use crate::failure::{Exit, Failure};
use crate::files::refuse_overwrites;
use crate::output::Output;
use navbake_bake::names::ENDING;

/// Options of `merge`.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    #[command(flatten)]
    pub(crate) of: OfPlan,
    /// Output blob, or with .navw a world in chunks [default: the level's name with .navbake, in
    /// the current folder]
    #[arg(short, long, value_name = "OUT.navbake")]
    pub(crate) output: Option<PathBuf>,
    /// Side of the chunks of a .navw, m, rounded up to whole tiles [default: 300]
    #[arg(long, value_name = "M", value_parser = above_0)]
    pub(crate) chunk: Option<f64>,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Worker threads, 1 to 1024 [default: one a core]; the blob does not depend on it
    #[arg(long, short = 'j', value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
    /// Print the time of each stage
    #[arg(long)]
    pub(crate) timings: bool,
}

/// Runs it.
pub(crate) fn run(options: &Merge, output: Output) -> Result<Exit, Failure> {
    limit_threads(options.threads);
    let plan = options.of.open()?;
    let target = match &options.output {
        Some(target) => target.clone(),
        None => Path::new(plan.input.file_stem().unwrap_or_default()).with_extension(ENDING),
    };
    refuse_idle_chunk(options.chunk, &target)?;
    let store = options.of.store()?;
    let states = plan.states(&options.of, &store)?;
    let open = states.iter().enumerate().filter(|(_, (state, _))| *state != State::Done);
    let open: Vec<usize> = open.map(|(job, _)| job).collect();
    let folder = options.of.plan.display();
    if !open.is_empty() {
        return Err(Failure::new(
            AGAIN,
            format_args!(
                "{folder}: {} of {} not done; navbake run --plan {folder} --job {}",
                open.len(),
                count(states.len() as u64, "job"),
                ranges(open.iter().copied())
            ),
        ));
    }
    let mut earlier = plan.stored.iter().zip(stored(plan.stored.iter(), &store)?);
    if let Some((tile, _)) = earlier.find(|(_, is_stored)| !is_stored) {
        return Err(Failure::new(
            AGAIN,
            format_args!(
                "{folder}: the store no longer has the tile ({}, {}), which it had when the plan was made; make the plan again (navbake plan)",
                tile.job.x, tile.job.z
            ),
        ));
    }
    let input = options.of.input(&plan, &options.limits)?;
    refuse_overwrites(&input.all_files(), &[&target])?;
    let bar = Bar::new(output, &plan.input);
    let update = |progress| bar.update(progress);
    let how = Options {
        threads: options.threads.map_or(0, |n| n as usize),
        cache: Some(&store),
        chunk: options.chunk,
        progress: Some(&update),
        ..Options::default()
    };
    let baked = match is_index(&target) {
        true => input.bake_world(&target, &how),
        false => input.bake(&how),
    };
    bar.done();
    report(baked.map_err(again)?, &plan.input, &target, options.timings, output)?;
    Ok(Exit::Done)
}
