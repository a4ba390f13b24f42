//! `navbake view`: the report of a level in the browser.

use std::ffi::OsStr;
use std::fs::DirBuilder;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use serde::Serialize;

use super::check::{Page, Subject, SubjectOptions};
use crate::failure::{Exit, Failure};
use crate::output::{Output, is_dash, write_whole};

/// Options of `view`.
#[derive(Debug, Args)]
pub(crate) struct View {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,
    /// Output page; - is stdout [default: a temporary file]
    #[arg(short, long, value_name = "FILE.html")]
    pub(crate) output: Option<PathBuf>,
    /// Write the page and print its name without starting a browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// The JSON object of `view`.
#[derive(Debug, Serialize)]
struct Written {
    output: String,
}

/// Runs it. Findings do not make it fail.
pub(crate) fn run(options: &View, output: Output) -> Result<Exit, Failure> {
    if output.json() && options.output.as_deref().is_some_and(is_dash) {
        return Err(Failure::usage("-o - and --format json both write to stdout; leave out one"));
    }
    let path = match &options.output {
        Some(path) => path.clone(),
        None => temporary(&options.subject.input)?,
    };
    let subject = Subject::open(&options.subject, &[&path], output, Page::File)?;
    let report = subject.report(&options.subject)?;
    let page = navbake_report::html(&report, subject.checked()?, &subject.name, subject.job());
    write_whole(&path, page.as_bytes())?;
    if is_dash(&path) {
        return Ok(Exit::Done);
    }
    let written = Written { output: path.display().to_string() };
    output.result(&written, |written| format!("{}\n", written.output))?;
    if !options.no_open && !open(&path) {
        output.warn(format_args!("cannot start a browser; open {} yourself", path.display()));
    }
    Ok(Exit::Done)
}

/// A file named after the level in a new folder, which other users cannot read or predict. It stays
/// for the browser.
fn temporary(input: &Path) -> Result<PathBuf, Failure> {
    // Keys of hash maps are drawn at random.
    let key = RandomState::new().hash_one(std::process::id());
    let folder = std::env::temp_dir().join(format!("navbake-{key:016x}"));
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    // A folder or link of that name that is there already is an error.
    builder.create(&folder).map_err(|error| Failure::io(&folder, "make", &error))?;
    let stem = input.file_stem().filter(|_| !is_dash(input));
    let name = stem.map_or("level".into(), |stem| stem.to_string_lossy());
    Ok(folder.join(format!("{name}.html")))
}

/// Starts the browser on a file or an address without waiting for it; false if it cannot be
/// started.
pub(super) fn open(place: impl AsRef<OsStr>) -> bool {
    let opener = if cfg!(target_os = "windows") {
        "explorer"
    } else if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    let silent =
        command.arg(place).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    silent.spawn().is_ok()
}
