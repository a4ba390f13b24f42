//! A bake on many machines: `plan` divides its tiles into jobs, `run` bakes those of some jobs into
//! a store, `status` says which are done, and `merge` joins them to the blob.
//!
//! The store is a cache of tiles. So a job that is run twice, by two machines or after it was
//! killed does no harm, and the blob has the bytes of a bake on one machine.

pub(crate) mod merge;
pub(crate) mod plan;
pub(crate) mod run;
mod scheduler;
pub(crate) mod status;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use navbake_bake::{BakeError, BakeInput, Cache, Config, TileJob};
use navbake_import::read_file;
use serde::{Deserialize, Serialize};

use crate::args::Limits;
use crate::failure::failed;
use crate::failure::{Exit, Failure};

/// The version of a plan's files.
const FORMAT: u32 = 1;

/// The most bytes of a plan's files: tens of millions of tiles.
const LARGEST: u64 = 4 << 30;

/// Names of files in a plan's folder.
const PLAN: &str = "plan.json";
const CONFIG: &str = "bake.toml";
const STORE: &str = "store";
const RECORDS: &str = "jobs";

/// Options of the verbs that work on a plan.
#[derive(Debug, Args)]
pub(crate) struct OfPlan {
    /// Folder of the plan
    #[arg(long, value_name = "DIR")]
    pub(crate) plan: PathBuf,
    /// Cache for tiles that all jobs share, a folder or a server (as bake --cache) [default: store,
    /// in the plan's folder]
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) cache: Option<PathBuf>,
}

impl OfPlan {
    /// The plan in the folder.
    fn open(&self) -> Result<Plan, Failure> {
        let path = self.plan.join(PLAN);
        let bytes =
            read_file(&path, LARGEST).map_err(|error| Failure::io(&path, "read", &error))?;
        let refused = |found: String| {
            Failure::input(format_args!(
                "{}: {found}; make the plan again (navbake plan)",
                path.display()
            ))
        };
        let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| {
            refused(format!("not a plan of this version (line {})", error.line()))
        })?;
        if plan.format != FORMAT || plan.navbake != env!("CARGO_PKG_VERSION") {
            return Err(refused(format!(
                "the plan is of navbake {}, and this is {}",
                plan.navbake,
                env!("CARGO_PKG_VERSION")
            )));
        }
        Ok(plan)
    }

    /// The store, which is made if it is not there.
    fn store(&self) -> Result<Cache, Failure> {
        let name = self.cache.clone().unwrap_or_else(|| self.plan.join(STORE));
        crate::cache::open(&name, true)
    }

    /// The config of the plan.
    fn config(&self, limits: &Limits) -> Result<Config, Failure> {
        let mut config = Config::load(&self.plan.join(CONFIG)).map_err(failed)?;
        limits.apply(&mut config);
        Ok(config)
    }

    /// The level of the plan, which must not have changed.
    fn input(&self, plan: &Plan, limits: &Limits) -> Result<BakeInput, Failure> {
        let input = BakeInput::open_to_bake(&plan.input, &self.config(limits)?).map_err(failed)?;
        if hashes(&input) != [plan.level.as_str(), plan.config.as_str()] {
            return Err(Failure::input(format_args!(
                "{}: the level or its config is not the one of the plan any more; make the plan again (navbake plan)",
                plan.input.display()
            )));
        }
        Ok(input)
    }

    /// The record of a job.
    fn record(&self, job: usize) -> PathBuf {
        self.plan.join(RECORDS).join(format!("{job}.json"))
    }
}

/// The hashes of a level and its config, in hexadecimal.
fn hashes(input: &BakeInput) -> [String; 2] {
    let hashes = input.hashes();
    [hashes.level, hashes.config].map(|hash| blake3::Hash::from_bytes(hash).to_hex().to_string())
}

/// Which tiles there are, and who bakes which.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    format: u32,
    /// The version of navbake.
    navbake: String,
    /// The level, from the folder in which the plan was made.
    input: PathBuf,
    /// Hashes of the level and the config.
    level: String,
    config: String,
    /// Tiles that the store had when the plan was made.
    stored: Vec<Tile>,
    jobs: Vec<Job>,
}

/// The tiles of a job.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Job {
    /// Triangles in and around its tiles, to which its time is about proportional.
    triangles: u64,
    tiles: Vec<Tile>,
}

/// A tile.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Tile {
    #[serde(flatten)]
    job: TileJob,
    /// Names of its results in the store, in hexadecimal.
    keys: Vec<String>,
}

/// Which tiles the store has, with all results.
fn stored<'a>(
    tiles: impl Iterator<Item = &'a Tile> + Clone,
    store: &Cache,
) -> Result<Vec<bool>, Failure> {
    // A name that is no hash is one that no store has.
    let name = |key: &String| blake3::Hash::from_hex(key).map_or([0; 32], Into::into);
    let names: Vec<[u8; 32]> = tiles.clone().flat_map(|tile| &tile.keys).map(name).collect();
    let mut has = store.has(&names).map_err(again)?.into_iter();
    // All are taken, also behind the first that is missing.
    let all = |tile: &Tile| has.by_ref().take(tile.keys.len()).fold(true, |all, has| all & has);
    Ok(tiles.map(all).collect())
}

/// What a job has done, or why it failed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Record {
    job: usize,
    /// 0, or the exit code of the last attempt.
    exit: u8,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    seconds: f64,
    peak_rss_bytes: u64,
    baked: u64,
    cached: u64,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// The store has all of its tiles.
    Done,
    /// The last attempt failed.
    Failed,
    /// It was not run yet, or is running.
    Missing,
}

impl Plan {
    /// The state of each job, by what the store has, and its record where there is one.
    fn states(&self, of: &OfPlan, store: &Cache) -> Result<Vec<(State, Option<Record>)>, Failure> {
        let mut has = stored(self.jobs.iter().flat_map(|job| &job.tiles), store)?.into_iter();
        let state = |(number, job): (usize, &Job)| {
            let record: Option<Record> = fs::read(of.record(number))
                .ok()
                .and_then(|bytes| serde_json::from_slice(&bytes).ok());
            let own = has.by_ref().take(job.tiles.len());
            let is_done = own.fold(true, |all, has| all & has);
            let state = match &record {
                _ if is_done => State::Done,
                Some(record) if record.exit != 0 => State::Failed,
                _ => State::Missing,
            };
            (state, record)
        };
        Ok(self.jobs.iter().enumerate().map(state).collect())
    }
}

/// The numbers of jobs as `--job` takes them: `0-3,7`.
fn ranges(jobs: impl IntoIterator<Item = usize>) -> String {
    let jobs: Vec<usize> = jobs.into_iter().collect();
    let runs = jobs.chunk_by(|a, b| a + 1 == *b);
    let text = runs.map(|run| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(usize::to_string).collect(),
    });
    text.collect::<Vec<_>>().join(",")
}

/// The result of a verb that another attempt can complete.
const AGAIN: u8 = Exit::Again as u8;

/// A failure of a bake; one of files or of the store is worth another attempt.
fn again(error: BakeError) -> Failure {
    let failure = failed(error);
    match failure.code == Exit::Io as u8 {
        true => Failure { code: AGAIN, ..failure },
        false => failure,
    }
}

/// A file of the plan, written whole.
fn write(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(value).map_err(Failure::internal)?;
    text.push('\n');
    crate::output::write_whole(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_jobs_are_written_as_ranges() {
        assert_eq!(ranges([]), "");
        assert_eq!(ranges([4]), "4");
        assert_eq!(ranges([0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
