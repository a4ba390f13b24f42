//! `navbake run`: bakes the tiles of some jobs of a plan into the store.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use navbake_bake::{BakeError, BakeInput, Cache, Options, Tiles, peak_memory};
use navbake_level::number::count;
use serde::Serialize;

use super::{AGAIN, OfPlan, Plan, Record, ranges, write};
use crate::args::{Limits, between};
use crate::cmd::bake::limit_threads;
use crate::failure::{Exit, Failure, failed};
use crate::output::Output;

/// Attempts at a job whose files could not be read or written, and the pause after the first; each
/// further pause is twice as long.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);

/// Where schedulers say which job of an array a process is.
const VARIABLES: [&str; 4] = [
    "SLURM_ARRAY_TASK_ID",
    "JOB_COMPLETION_INDEX",
    "AWS_BATCH_JOB_ARRAY_INDEX",
    "BATCH_TASK_INDEX",
];

/// Options of `run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) of: OfPlan,
    /// Jobs to run, from 0: numbers and ranges such as 3,8-11, or auto
    ///
    /// auto takes the number from the scheduler's variable: SLURM_ARRAY_TASK_ID,
    /// JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX or BATCH_TASK_INDEX.
    #[arg(long, value_name = "LIST|auto")]
    pub(crate) job: String,
    #[command(flatten)]
    pub(crate) limits: Limits,
    /// Worker threads, 1 to 1024 [default: one a core]
    #[arg(long, short = 'j', value_name = "N", value_parser = between::<1, 1024>)]
    pub(crate) threads: Option<u32>,
}

/// The JSON object of `run`.
#[derive(Debug, Serialize)]
struct Report {
    plan: String,
    jobs: Vec<Record>,
}

/// Runs it.
pub(crate) fn run(options: &Run, output: Output) -> Result<Exit, Failure> {
    limit_threads(options.threads);
    let plan = options.of.open()?;
    let jobs = numbers(&options.job, plan.jobs.len(), &|name| std::env::var(name).ok())?;
    let stop = stopped_by_signals()?;
    let mut records = vec![];
    let mut input = None;
    for job in jobs {
        let begin = Instant::now();
        let done = attempts(&plan, job, options, &mut input, &stop, output);
        let mut record = Record {
            job,
            seconds: begin.elapsed().as_secs_f64(),
            peak_rss_bytes: peak_memory(),
            ..Record::default()
        };
        match &done {
            Ok(tiles) => (record.baked, record.cached) = (tiles.baked, tiles.cached),
            Err(failure) => {
                (record.exit, record.message) = (failure.code, Some(failure.message.clone()));
            }
        }
        // The first failure is the one to report, whatever the record's is.
        let written = write(&options.of.record(job), &record);
        done?;
        written?;
        records.push(record);
    }
    let report = Report { plan: options.of.plan.display().to_string(), jobs: records };
    output.result(&report, |report| {
        let line = |r: &Record| {
            format!(
                "job {}: {} baked, {} in the store before, {:.1} s\n",
                r.job,
                count(r.baked, "tile"),
                r.cached,
                r.seconds
            )
        };
        report.jobs.iter().map(line).collect()
    })?;
    Ok(Exit::Done)
}

/// A flag that becomes true when the process is asked to end, by a scheduler or a person.
fn stopped_by_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).map_err(Failure::internal)?;
    }
    Ok(stop)
}

/// Bakes the tiles of a job; what fails for want of a file is tried again.
fn attempts(
    plan: &Plan,
    job: usize,
    options: &Run,
    input: &mut Option<BakeInput>,
    stop: &AtomicBool,
    output: Output,
) -> Result<Tiles, Failure> {
    let tiles: BTreeSet<_> = plan.jobs[job].tiles.iter().map(|tile| tile.job).collect();
    let mut pause = PAUSE;
    for attempt in 1.. {
        let done = once(plan, &tiles, options, input, stop);
        match done {
            Err(failure) if failure.code == Exit::Io as u8 => {
                if attempt >= ATTEMPTS {
                    return Err(Failure { code: AGAIN, ..failure });
                }
                output.warn(format_args!("job {job}, attempt {attempt}: {}", failure.message));
                std::thread::sleep(pause);
                pause *= 2;
            }
            done => return done,
        }
    }
    unreachable!("the last attempt returns")
}

fn once(
    plan: &Plan,
    tiles: &BTreeSet<navbake_bake::TileJob>,
    options: &Run,
    input: &mut Option<BakeInput>,
    stop: &AtomicBool,
) -> Result<Tiles, Failure> {
    let store: Cache = options.of.store()?;
    let input = match input {
        Some(input) => input,
        None => input.insert(options.of.input(plan, &options.limits)?),
    };
    let how = Options {
        threads: options.threads.map_or(0, |n| n as usize),
        cache: Some(&store),
        stop: Some(stop),
        ..Options::default()
    };
    if store.is_read_only() {
        return Err(Failure::new(
            Exit::Io as u8,
            "the store takes no files; check its permissions, or name another (--cache)",
        ));
    }
    input.bake_tiles(tiles, &how).map_err(|error: BakeError| failed(error))
}

/// The jobs that a list names.
fn numbers(
    list: &str,
    jobs: usize,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<usize>, Failure> {
    if list == "auto" {
        let found = VARIABLES.iter().find_map(|name| Some((*name, variable(name)?)));
        let Some((name, value)) = found else {
            return Err(Failure::usage(format_args!(
                "--job auto: none of {} is set; run it as a job of an array, or name the jobs",
                VARIABLES.join(", ")
            )));
        };
        return numbers(&value, jobs, &|_| None)
            .map_err(|failure| Failure::usage(format_args!("{name}: {}", failure.message)));
    }
    let mut all = BTreeSet::new();
    for word in list.split(',') {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        match (first.trim().parse(), last.trim().parse()) {
            (Ok(first), Ok(last)) if first <= last && last < jobs => all.extend(first..=last),
            (Ok::<usize, _>(_), Ok::<usize, _>(_)) => {
                return Err(Failure::usage(format_args!(
                    "--job {list}: `{word}` is none of the plan\'s jobs; it has {}",
                    match jobs {
                        0 => "none, as the store has all tiles".into(),
                        _ => ranges(0..jobs),
                    }
                )));
            }
            _ => {
                return Err(Failure::usage(format_args!(
                    "--job {list}: `{word}` is no number of a job; write numbers and ranges, such as 3,8-11, or auto"
                )));
            }
        }
    }
    Ok(all.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_named_by_numbers_ranges_or_the_scheduler() {
        let of = |list: &str| numbers(list, 12, &|_| None).map_err(|failure| failure.message);
        assert_eq!(of("3"), Ok(vec![3]));
        assert_eq!(of("8-11,3,9"), Ok(vec![3, 8, 9, 10, 11]));
        for list in ["12", "3-12", "5-4"] {
            assert!(of(list).unwrap_err().contains("it has 0-11"), "{list}");
        }
        for list in ["", "x", "-1", "1-", "1.5"] {
            assert!(of(list).unwrap_err().contains("is no number of a job"), "{list}");
        }
        assert!(of("auto").unwrap_err().contains("SLURM_ARRAY_TASK_ID"));
        for name in VARIABLES {
            let set = |asked: &str| (asked == name).then(|| "7".to_owned());
            assert_eq!(numbers("auto", 12, &set).unwrap(), [7]);
        }
        let set = |_: &str| Some("99".to_owned());
        assert!(numbers("auto", 12, &set).unwrap_err().message.contains("SLURM_ARRAY_TASK_ID: "));
    }
}
