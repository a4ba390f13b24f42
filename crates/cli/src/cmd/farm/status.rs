//! `navbake status`: which jobs of a plan are done.

use clap::Args;
use navbake_level::number::count;
use serde::Serialize;

use super::{OfPlan, State, ranges};
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Options of `status`.
#[derive(Debug, Args)]
pub(crate) struct Status {
    #[command(flatten)]
    pub(crate) of: OfPlan,
}

/// A job of the report.
#[derive(Debug, Serialize)]
struct JobStatus {
    job: usize,
    state: State,
    tiles: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The JSON object of `status`.
#[derive(Debug, Serialize)]
struct Report {
    plan: String,
    done: usize,
    failed: usize,
    missing: usize,
    /// The jobs to run again, as `run --job` takes them; empty when all are done.
    again: String,
    jobs: Vec<JobStatus>,
}

/// Runs it.
pub(crate) fn run(options: &Status, output: Output) -> Result<Exit, Failure> {
    let plan = options.of.open()?;
    let states = plan.states(&options.of, &options.of.store()?)?;
    let number = |wanted| states.iter().filter(|(state, _)| *state == wanted).count();
    let open = states.iter().enumerate().filter(|(_, (state, _))| *state != State::Done);
    let again = ranges(open.map(|(job, _)| job));
    let (done, failed, missing) =
        (number(State::Done), number(State::Failed), number(State::Missing));
    let of_job = |(job, (state, record)): (usize, (State, Option<super::Record>))| {
        let message = record.as_ref().and_then(|record| record.message.clone());
        JobStatus {
            job,
            state,
            tiles: plan.jobs[job].tiles.len(),
            seconds: record.as_ref().map(|record| record.seconds),
            peak_rss_bytes: record.as_ref().map(|record| record.peak_rss_bytes),
            message: message.filter(|_| state == State::Failed),
        }
    };
    let jobs = states.into_iter().enumerate().map(of_job).collect();
    let plan = options.of.plan.display().to_string();
    let report = Report { plan, done, failed, missing, again, jobs };
    output.result(&report, text)?;
    Ok(if report.again.is_empty() { Exit::Done } else { Exit::Again })
}

fn text(report: &Report) -> String {
    let all = report.jobs.len() as u64;
    let mut text = format!(
        "{}: {} of {} done, {} failed, {} missing\n",
        report.plan,
        report.done,
        count(all, "job"),
        report.failed,
        report.missing
    );
    for job in &report.jobs {
        if let Some(message) = &job.message {
            text += &format!("job {}: {message}\n", job.job);
        }
    }
    let longest = report.jobs.iter().filter_map(|job| Some((job.seconds?, job)));
    if let Some((seconds, job)) = longest.max_by(|a, b| a.0.total_cmp(&b.0)) {
        let most = report.jobs.iter().filter_map(|job| job.peak_rss_bytes).max().unwrap_or(0);
        text += &format!(
            "longest: job {} with {seconds:.1} s; most memory: {} MiB\n",
            job.job,
            most.div_ceil(1 << 20)
        );
    }
    match report.again.as_str() {
        "" => text += &format!("next: navbake merge --plan {}\n", report.plan),
        again => text += &format!("next: navbake run --plan {} --job {again}\n", report.plan),
    }
    text
}
