//! `navbake watch`: the report of a level in the browser, new after each save.

mod changes;
mod server;

use std::path::Path;
use std::time::Instant;

use clap::Args;
use navbake_bake::Cache;
use navbake_report::diff::{DiffSettings, diff};
use navbake_report::{Before, Counts, live};
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
    /// From the save that was seen to the page, s.
    seconds: f64,
    /// Findings of the page that is shown, without changes.
    counts: Counts,
    /// Why the page is that of an earlier save.
    error: Option<String>,
}

/// Runs it until it is killed, or for some bakes. Findings do not make it fail.
pub(crate) fn run(options: &Watch, output: Output) -> Result<Exit, Failure> {
    let what = &options.subject;
    if is_dash(&what.input) {
        return Err(Failure::usage("-: stdin cannot be watched; name a file"));
    }
    let cache = Cache::in_memory();
    let began = Instant::now();
    let mut changes = Changes::new(&named(what));
    let first = Subject::open_cached(what, &[], output, Some(&cache))?;
    changes.watch(&files(what, &first));
    let (page, counts) = rendered(&first, what, 1, None)?;
    let server = Server::start(options.port, page)?;
    let url = server.url();
    let mut shown = Shown { url, version: 1, seconds: 0.0, counts, error: None };
    shown.print(began, output)?;
    if !options.no_open && !open(&shown.url) {
        output.warn(format_args!("cannot start a browser; open {} yourself", shown.url));
    }
    let mut last = first;
    let mut bakes = 1;
    while options.bakes != Some(bakes) {
        bakes = bakes.wrapping_add(1);
        changes.wait(shown.error.is_some());
        let began = Instant::now();
        let version = shown.version + 1;
        let made = guarded(|| {
            let now = Subject::open_cached(what, &[], output, Some(&cache))?;
            let (page, counts) = rendered(&now, what, version, Some(&last))?;
            Ok((now, page, counts))
        });
        match made {
            Ok((now, page, counts)) => {
                cache.forget_unused();
                changes.watch(&files(what, &now));
                server.show(version, page);
                (last, shown.version, shown.counts, shown.error) = (now, version, counts, None);
            }
            Err(failure) => {
                server.complain(&failure.message);
                shown.error = Some(failure.message);
            }
        }
        shown.print(began, output)?;
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

/// The page of a bake, with the changes since the last one.
fn rendered(
    now: &Subject,
    what: &SubjectOptions,
    version: u64,
    last: Option<&Subject>,
) -> Result<(String, Counts), Failure> {
    let report = now.report(what)?;
    let counts = report.counts();
    let changes = match last {
        Some(last) => Some(diff(&last.checked()?, &now.checked()?, &DiffSettings::default())),
        None => None,
    };
    let before = match (last, &changes) {
        (Some(last), Some(changes)) => Some(Before { blob: last.checked()?, changes }),
        _ => None,
    };
    let page = live(&report, now.checked()?, &now.name, now.job(), version, before);
    Ok((page, counts))
}

impl Shown {
    fn print(&mut self, began: Instant, output: Output) -> Result<(), Failure> {
        self.seconds = began.elapsed().as_secs_f64();
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
