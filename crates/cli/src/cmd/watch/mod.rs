//! `navbake watch`: the report of a level in the browser, new after each save.

mod changes;
mod server;

use std::path::Path;
use std::time::Instant;

use clap::Args;
use navbake_bake::Cache;
use navbake_report::diff::{Diff, DiffSettings, diff};
use navbake_report::{Before, Counts, Live, Report};
use serde::Serialize;

use super::check::{Subject, SubjectOptions};
use super::view::open;
use crate::args::between;
use crate::failure::{Exit, Failure};
use crate::files::given;
use crate::output::{Output, is_dash};
use crate::run::guarded;
use changes::Changes;
use server::Server;

/// Options of `watch`.
#[derive(Debug, Args)]
pub(crate) struct Watch {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,
    /// Port of the page on the loopback interface; 0 is any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// Print the address of the page without starting a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// End after this many bakes, failed ones included [default: never]
    #[arg(long, value_name = "N", value_parser = between::<1, { u32::MAX }>)]
    pub(crate) bakes: Option<u32>,
}

/// The JSON object of `watch`, one for each save and one at the start.
#[derive(Debug, Serialize)]
struct Shown {
    url: String,
    /// The number of the page that is shown.
    version: u64,
    /// From the save that was noticed to the page, s.
    seconds: f64,
    /// The same to the page with the causes of findings, where those are searched later.
    causes_seconds: f64,
    /// Findings of the page that is shown, without changes.
    counts: Counts,
    /// Why the page is that of an earlier save.
    error: Option<String>,
}

/// A search for causes that takes longer, s, waits until the page is shown without them.
const SOON: f64 = 0.2;

/// Runs it until it is killed, or for some bakes. Findings do not make it fail.
pub(crate) fn run(options: &Watch, output: Output) -> Result<Exit, Failure> {
    let what = &options.subject;
    if is_dash(&what.input) {
        return Err(Failure::usage("-: stdin cannot be watched; name a file"));
    }
    let cache = Cache::in_memory();
    let began = Instant::now();
    let mut changes = Changes::new(&named(what));
    let first = Subject::open(what, &[], output, false, Some(&cache))?;
    changes.watch(&files(what, &first));
    let drawing = Instant::now();
    let (live, report) = rayon::join(|| drawn(&first), || first.report(what));
    let (live, report) = (live?, report?);
    let (page, counts) = (live.page(&report, 1, None), report.counts());
    let mut searched = drawing.elapsed().as_secs_f64();
    let server = Server::start(options.port, page)?;
    let seconds = began.elapsed().as_secs_f64();
    let url = server.url();
    let error = None;
    let mut shown = Shown { url, version: 1, seconds, causes_seconds: seconds, counts, error };
    shown.print(output)?;
    if !options.no_open && !open(&shown.url) {
        output.warn(format_args!("cannot start a browser; open {} yourself", shown.url));
    }
    let mut last = first;
    let mut bakes = 1;
    while options.bakes != Some(bakes) {
        bakes = bakes.wrapping_add(1);
        changes.wait(shown.error.is_some());
        let began = Instant::now();
        let made = guarded(|| {
            let now = Subject::open(what, &[], output, false, Some(&cache))?;
            // The slow parts of a page that do not need each other.
            let changed = || -> Result<Diff, Failure> {
                Ok(diff(&last.checked()?, &now.checked()?, &DiffSettings::default()))
            };
            let working = Instant::now();
            let is_soon = searched <= SOON;
            let (live, (changes, report)) = rayon::join(
                || drawn(&now),
                || rayon::join(changed, || now.report_with(what, is_soon)),
            );
            let (live, changes, report) = (live?, changes?, report?);
            searched = working.elapsed().as_secs_f64();
            let before = Before { blob: last.checked()?, changes: &changes };
            let mut show = |report: &Report| {
                shown.version += 1;
                shown.counts = report.counts();
                server.show(shown.version, live.page(report, shown.version, Some(&before)));
                began.elapsed().as_secs_f64()
            };
            let seconds = show(&report);
            let mut whole = seconds;
            if !is_soon {
                let searching = Instant::now();
                let report = now.report(what)?;
                searched = searching.elapsed().as_secs_f64();
                whole = show(&report);
            }
            drop(live);
            Ok((now, seconds, whole))
        });
        match made {
            Ok((now, seconds, whole)) => {
                cache.forget_unused();
                changes.watch(&files(what, &now));
                (last, shown.error) = (now, None);
                (shown.seconds, shown.causes_seconds) = (seconds, whole);
            }
            // Another file beside the level was new, and mended nothing.
            Err(failure) if shown.error.as_ref() == Some(&failure.message) => continue,
            Err(failure) => {
                server.complain(&failure.message);
                shown.error = Some(failure.message);
                shown.seconds = began.elapsed().as_secs_f64();
                shown.causes_seconds = shown.seconds;
            }
        }
        shown.print(output)?;
    }
    Ok(Exit::Done)
}

/// The files that the options name.
fn named(what: &SubjectOptions) -> Vec<&Path> {
    let others = [&what.config, &what.rules, &what.baseline].map(Option::as_ref);
    [given(&[Some(&what.input)]), given(&others)].concat()
}

/// The same with the files that the level refers to.
fn files<'a>(what: &'a SubjectOptions, subject: &'a Subject) -> Vec<&'a Path> {
    let read = subject.job().map_or(&[][..], |job| job.files());
    named(what).into_iter().chain(read.iter().map(|path| path.as_path())).collect()
}

/// A bake as it is drawn on all of its pages.
fn drawn(subject: &Subject) -> Result<Live<'_>, Failure> {
    Ok(Live::new(subject.checked()?, &subject.name, subject.job()))
}

impl Shown {
    fn print(&self, output: Output) -> Result<(), Failure> {
        output.result(self, |shown| {
            let Counts { error, warning, note } = shown.counts;
            match (&shown.error, shown.version) {
                (Some(failure), _) => format!("not shown: {failure}\n"),
                (None, 1) => format!("{}\n", shown.url),
                (None, version) => format!(
                    "{version}: {error} errors, {warning} warnings, {note} notes, {:.2} s\n",
                    shown.seconds
                ),
            }
        })
    }
}
