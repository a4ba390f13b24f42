//! `navbake view`: the report of a level in the user's browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::args::View;
use crate::cmd::check::Looked;
use crate::failure::{Exit, Failure};
use crate::output::{Output, is_dash, print, write_whole};

/// Runs it. Findings do not make it fail: they are what it shows.
pub(crate) fn run(options: &View, output: Output) -> Result<Exit, Failure> {
    let looked = Looked::at(&options.check, output)?;
    let report = looked.report(&options.check)?;
    let page = navbake_report::html(&report, looked.checked()?, &looked.name);
    let path = match &options.output {
        Some(path) => path.clone(),
        None => temporary(&options.check.input),
    };
    write_whole(&path, page.as_bytes())?;
    if is_dash(&path) {
        return Ok(Exit::Done);
    }
    print(format!("{}\n", path.display()).as_bytes())?;
    if !options.no_open && !open(&path) {
        output.warn(format_args!(
            "no browser could be started; open {} by hand",
            path.display()
        ));
    }
    Ok(Exit::Done)
}

/// A file of the level's name in the system's folder for such. The next view of a level of that name takes its place.
fn temporary(input: &Path) -> PathBuf {
    let stem = input.file_stem().filter(|_| !is_dash(input));
    let name = stem.map_or("level".into(), |stem| stem.to_string_lossy());
    std::env::temp_dir().join(format!("navbake-{name}.html"))
}

/// Starts the user's browser and does not wait for it. False where none could be started.
fn open(path: &Path) -> bool {
    let mut command = if cfg!(target_os = "windows") {
        let mut command = Command::new("explorer");
        command.arg(path);
        command
    } else {
        let mut command = Command::new(match cfg!(target_os = "macos") {
            true => "open",
            false => "xdg-open",
        });
        command.arg(path);
        command
    };
    let silent = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    silent.spawn().is_ok()
}
