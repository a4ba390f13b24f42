//! `navbake watch`: the report of a level in the browser, new after each save.

mod changes;
mod server;

use std::path::Path;
use std::time::Instant;

use clap::Args;
use navbake_bake::{Cache, EarlierInput};
use navbake_report::diff::{DiffSettings, diff_decoded};
use navbake_report::{Before, Counts, EarlierDrawing, Live, Report};
use serde::Serialize;

use super::check::{Kept, Page, Subject, SubjectOptions};
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

/// The JSON object of `watch`, one for each page and one for each save that cannot be baked.
#[derive(Debug, Default, Serialize)]
struct Shown {
    url: String,
    /// The number of the page that is shown.
    version: u64,
    /// From the save that was noticed, or the start, to the first page of it, s.
    seconds: f64,
    /// The same to the page with the causes of findings. Null if they are still searched: another
    /// page follows.
    causes_seconds: Option<f64>,
    /// Findings of the page that is shown, without changes.
    counts: Counts,
    /// Why the page is that of an earlier save.
    error: Option<String>,
}

/// A search for causes that takes longer, s, waits until the page is shown without them.
const SOON: f64 = 0.2;
/// What the first search for causes takes for each triangle, roughly, s.
const OF_TRIANGLE: f64 = 1e-5;

/// Runs it until it is killed, or for some bakes. Findings do not make it fail.
pub(crate) fn run(options: &Watch, output: Output) -> Result<Exit, Failure> {
    let what = &options.subject;
    if is_dash(&what.input) {
        return Err(Failure::usage("-: stdin cannot be watched; name a file"));
    }
    let mut kept = Kept {
        cache: Cache::in_memory(),
        input: EarlierInput::default(),
        drawing: EarlierDrawing::default(),
    };
    let began = Instant::now();
    let mut changes = Changes::new(&named(what));
    let mut last = Subject::open(what, &[], output, Page::Live(&mut kept))?;
    changes.watch(&files(what, &last));
    let triangles = last.job().map_or(0, |job| job.level().triangles.len());
    let searched = triangles as f64 * OF_TRIANGLE;
    let mut pages = Pages { options, output, server: None, shown: Shown::default(), searched };
    pages.show(&last, None, &mut kept.drawing, began, &|| !changes.have_come())?;
    let mut bakes = 1;
    while options.bakes != Some(bakes) {
        bakes = bakes.wrapping_add(1);
        changes.wait(pages.shown.error.is_some());
        let began = Instant::now();
        let made = guarded(|| {
            let now = Subject::open(what, &[], output, Page::Live(&mut kept))?;
            changes.watch(&files(what, &now));
            let drawing = &mut kept.drawing;
            pages.show(&now, Some(&last), drawing, began, &|| !changes.have_come())?;
            Ok(now)
        });
        match made {
            Ok(now) => {
                kept.cache.forget_unused();
                last = now;
            }
            Err(failure) => pages.complain(failure, began)?,
        }
    }
    Ok(Exit::Done)
}

/// The pages that were shown, and their server once there is one.
struct Pages<'a> {
    options: &'a Watch,
    output: Output,
    server: Option<Server>,
    shown: Shown,
    /// How long the last search for causes took, s.
    searched: f64,
}

impl Pages<'_> {
    /// Shows a bake, and what changed since the last one.
    ///
    /// If the search for causes takes long, a page without them is shown first. The search ends
    /// early, without another page, once the bake is not the newest any more.
    fn show(
        &mut self,
        now: &Subject,
        last: Option<&Subject>,
        drawing: &mut EarlierDrawing,
        began: Instant,
        is_newest: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        let what = &self.options.subject;
        let (blob, meshes) = now.decoded()?;
        let before = || -> Result<Option<Before<'_>>, Failure> {
            let Some(last) = last else { return Ok(None) };
            let (old, old_meshes) = last.decoded()?;
            let both = [old_meshes, meshes];
            let changes = diff_decoded([&old, &blob], both, &DiffSettings::default());
            Ok(Some(Before { blob: old, meshes: old_meshes, changes }))
        };
        let live = || Live::new(blob, meshes, &now.name, now.drawing(), drawing);
        let working = Instant::now();
        let is_soon = self.searched <= SOON;
        // The slow parts of a page that do not need each other.
        let report = || now.report_while((blob, meshes), what, &|| is_soon);
        let (live, (report, before)) = rayon::join(live, || rayon::join(report, before));
        let (report, before) = (report?, before?);
        if is_soon {
            self.searched = working.elapsed().as_secs_f64();
        }
        let page = |report: &Report, version| live.page(report, version, before.as_ref());
        self.serve(&report, page)?;
        self.shown.seconds = began.elapsed().as_secs_f64();
        self.shown.causes_seconds = is_soon.then_some(self.shown.seconds);
        self.shown.print(self.output)?;
        if is_soon {
            return Ok(());
        }
        let searching = Instant::now();
        let report = now.report_while((blob, meshes), what, is_newest)?;
        if !is_newest() {
            return Ok(());
        }
        self.searched = searching.elapsed().as_secs_f64();
        self.serve(&report, page)?;
        self.shown.causes_seconds = Some(began.elapsed().as_secs_f64());
        self.shown.print(self.output)
    }

    /// Replaces the page. The first one starts the server, and a browser.
    fn serve(
        &mut self,
        report: &Report,
        page: impl Fn(&Report, u64) -> String,
    ) -> Result<(), Failure> {
        let version = self.shown.version + 1;
        let text = page(report, version);
        match &self.server {
            Some(server) => server.show(version, text),
            None => {
                let server = Server::start(self.options.port, text)?;
                self.shown.url = server.url();
                self.server = Some(server);
            }
        }
        (self.shown.version, self.shown.counts, self.shown.error) =
            (version, report.counts(), None);
        if version == 1 && !self.options.no_open && !open(&self.shown.url) {
            let url = &self.shown.url;
            self.output.warn(format_args!("cannot start a browser; open {url} yourself"));
        }
        Ok(())
    }

    /// Keeps the page, and says on it why it is not newer.
    fn complain(&mut self, failure: Failure, began: Instant) -> Result<(), Failure> {
        // Another file beside the level was new, and mended nothing.
        if self.shown.error.as_ref() == Some(&failure.message) {
            return Ok(());
        }
        if let Some(server) = &self.server {
            server.complain(&failure.message);
        }
        self.shown.error = Some(failure.message);
        (self.shown.seconds, self.shown.causes_seconds) = (began.elapsed().as_secs_f64(), None);
        self.shown.print(self.output)
    }
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

impl Shown {
    fn print(&self, output: Output) -> Result<(), Failure> {
        output.result(self, |shown| {
            let Counts { error, warning, note } = shown.counts;
            let end = match shown.causes_seconds {
                Some(seconds) => format!("{seconds:.2} s"),
                None => format!("{:.2} s; causes follow", shown.seconds),
            };
            match (&shown.error, shown.version) {
                (Some(failure), _) => format!("not shown: {failure}\n"),
                (None, 1) => format!("{}\n", shown.url),
                (None, version) => {
                    format!("{version}: {error} errors, {warning} warnings, {note} notes, {end}\n")
                }
            }
        })
    }
}
