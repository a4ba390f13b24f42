//! `navbake plan`: the tiles of a bake, divided into jobs.

use std::path::PathBuf;

use clap::Args;
use navbake_bake::{BakeInput, Note, Options, TileWork};
use navbake_import::Format;
use navbake_level::number::count;
use serde::Serialize;

use super::scheduler::{Scheduler, script};
use super::{CONFIG, FORMAT, Job, PLAN, Plan, STORE, Tile, hashes, stored, write};
use crate::args::{Limits, Settings, between};
use crate::cmd::bake::{config_file, limit_threads, override_config, warn};
use crate::failure::{Exit, Failure, failed};
use crate::output::{Output, print, write_whole};

/// Options of `plan`.
#[derive(Debug, Args)]
pub(crate) struct PlanOptions {
    #[arg(value_name = "INPUT", help = format!("Level: {}", Format::extensions()))]
    pub(crate) input: PathBuf,
    /// Folder for the plan
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Greatest number of jobs, 1 to 100000
    #[arg(long, value_name = "N", value_parser = between::<1, 100_000>)]
    pub(crate) jobs: u32,
    /// Config; other options override it
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: Settings,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Cache for tiles that all jobs share, a folder or a server (as bake --cache): tiles that it
    /// has are not planned [default: store, in the plan's folder]
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) cache: Option<PathBuf>,
    /// Write a script that submits the jobs to this scheduler
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) engine: Option<Scheduler>,
    /// Print one number alone: the jobs that were planned
    #[arg(long, value_name = "count", value_parser = ["count"])]
    pub(crate) print: Option<String>,
    /// Worker threads, 1 to 1024 [default: one a core]; the plan does not depend on it
    #[arg(long, short = 'j', value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
}

/// The JSON object of `plan`.
#[derive(Debug, Serialize)]
struct Report {
    plan: String,
    jobs: usize,
    tiles: usize,
    /// Of the tiles, those that the store has.
    stored: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    script: Option<String>,
    warnings: Vec<Note>,
}

/// Runs it.
pub(crate) fn run(options: &PlanOptions, output: Output) -> Result<Exit, Failure> {
    limit_threads(options.threads);
    let mut config = config_file(options.config.as_deref())?;
    options.settings.refuse_ignored(core::slice::from_ref(&options.input))?;
    override_config(&mut config, &options.settings)?;
    options.limits.apply(&mut config);
    let input = BakeInput::open_to_bake(&options.input, &config).map_err(failed)?;
    let warnings: Vec<Note> = input.warnings().iter().map(Note::from).collect();
    warn(&warnings, output);
    let of = super::OfPlan { plan: options.output.clone(), cache: options.cache.clone() };
    let threads = options.threads.map_or(0, |n| n as usize);
    let work = input.tile_work(&Options { threads, ..Options::default() }).map_err(failed)?;
    let tiles = work.len();
    let store = of.store()?;
    let triangles: Vec<u64> = work.iter().map(|work| work.triangles).collect();
    let all: Vec<Tile> = work.into_iter().map(tile).collect();
    let has = stored(all.iter(), &store)?;
    let (mut stored, mut left) = (vec![], vec![]);
    for ((tile, triangles), is_stored) in all.into_iter().zip(triangles).zip(has) {
        match is_stored {
            true => stored.push(tile),
            false => left.push((tile, triangles)),
        }
    }
    let [level, own_config] = hashes(&input);
    let plan = Plan {
        format: FORMAT,
        navbake: env!("CARGO_PKG_VERSION").into(),
        input: options.input.clone(),
        level,
        config: own_config,
        stored,
        jobs: divide(left, options.jobs as usize),
    };
    write_whole(&options.output.join(CONFIG), config.effective().as_bytes())?;
    // Records of an earlier plan are not about these jobs.
    let records = options.output.join(super::RECORDS);
    if records.is_dir() {
        std::fs::remove_dir_all(&records)
            .map_err(|error| Failure::io(&records, "remove", &error))?;
    }
    write(&options.output.join(PLAN), &plan)?;
    let script = match options.engine {
        None => None,
        Some(engine) => {
            let path = options.output.join(engine.file());
            let cache = options.cache.clone().unwrap_or_else(|| options.output.join(STORE));
            let text = script(engine, &options.output, &cache, plan.jobs.len());
            write_whole(&path, text.map_err(Failure::usage)?.as_bytes())?;
            Some(path.display().to_string())
        }
    };
    if options.print.is_some() {
        print(format!("{}\n", plan.jobs.len()).as_bytes())?;
        return Ok(Exit::Done);
    }
    let report = Report {
        plan: options.output.display().to_string(),
        jobs: plan.jobs.len(),
        tiles,
        stored: plan.stored.len(),
        script,
        warnings,
    };
    output.result(&report, |r| {
        let more = r.script.as_ref().map(|path| format!("submit them: sh {path}\n"));
        format!(
            "{}: {} for {}, of which the store has {}\n{}",
            r.plan,
            count(r.jobs as u64, "job"),
            count(r.tiles as u64, "tile"),
            r.stored,
            more.unwrap_or_default()
        )
    })?;
    Ok(Exit::Done)
}

fn tile(work: TileWork) -> Tile {
    let hex = |key: &[u8; 32]| blake3::Hash::from_bytes(*key).to_hex().to_string();
    Tile { job: work.job, keys: work.keys.iter().map(hex).collect() }
}

/// What a tile takes beside its triangles, as a number of triangles.
const EVERY_TILE: u64 = 256;

/// Divides tiles into at most `most` jobs of about the same work. Each has tiles that follow each
/// other, and so read the same part of the level.
fn divide(tiles: Vec<(Tile, u64)>, most: usize) -> Vec<Job> {
    let mut left: u64 = tiles.iter().map(|(_, triangles)| triangles + EVERY_TILE).sum();
    let mut jobs: Vec<Job> = vec![];
    let mut own = 0;
    for (tile, triangles) in tiles {
        let work = triangles + EVERY_TILE;
        // A fair share of what was left when the job began, rounded.
        let shares = (most - jobs.len().saturating_sub(1)).max(1) as u64;
        let is_full = own > 0 && (own + work / 2).saturating_mul(shares) > left;
        if jobs.is_empty() || (is_full && jobs.len() < most) {
            left -= own;
            own = 0;
            jobs.push(Job { triangles: 0, tiles: vec![] });
        }
        own += work;
        if let Some(job) = jobs.last_mut() {
            job.triangles += triangles;
            job.tiles.push(tile);
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use navbake_bake::TileJob;

    use super::*;

    fn tiles(triangles: &[u64]) -> Vec<(Tile, u64)> {
        let tile =
            |(x, n): (i32, &u64)| (Tile { job: TileJob { group: 0, x, z: 0 }, keys: vec![] }, *n);
        (0..).zip(triangles).map(tile).collect()
    }

    #[test]
    fn jobs_have_every_tile_once_in_order_and_about_equal_work() {
        let mut state = 7u64;
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            let all: Vec<u64> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) % 5000
                })
                .collect();
            for most in [1, 2, 7, 64] {
                let jobs = divide(tiles(&all), most);
                assert!(jobs.len() <= most && jobs.len() <= count);
                assert!(jobs.iter().all(|job| !job.tiles.is_empty()));
                let xs: Vec<i32> =
                    jobs.iter().flat_map(|job| &job.tiles).map(|tile| tile.job.x).collect();
                assert_eq!(xs, (0..count as i32).collect::<Vec<_>>());
                if count >= 100 && most <= 7 {
                    assert_eq!(jobs.len(), most);
                    let work = |job: &Job| job.triangles + EVERY_TILE * job.tiles.len() as u64;
                    let mean = jobs.iter().map(work).sum::<u64>() / most as u64;
                    assert!(jobs.iter().all(|job| work(job) < mean + 5000), "{count} {most}");
                }
            }
        }
    }
}
