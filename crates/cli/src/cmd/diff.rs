//! `navbake diff`: the changes between two bakes.

use std::path::PathBuf;

use clap::Args;
use navbake_report::Severity;
use navbake_report::diff::{DiffSettings, diff};

use crate::args::{BlobPath, finite, one_of};
use crate::blob_file::BlobFile;
use crate::failure::{Exit, Failure};
use crate::files::{given, refuse_overwrites};
use crate::output::{Output, is_dash, write_whole};

/// Options of `diff`.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// Blob from before; - reads stdin
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// Blob from after
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    /// Exit with 1 for changes of this severity or above
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = one_of::<Severity>(&Severity::NAMES))]
    pub(crate) fail_on: Severity,
    /// Write a picture: gained ground in green, lost ground in red
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
    /// Write an HTML page: both bakes side by side or swiped, with ground gained and lost
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
    /// Agent whose ground is drawn [default: the first that both have]
    #[arg(long, value_name = "NAME", requires = "svg")]
    pub(crate) agent: Option<String>,
    /// Smallest patch of ground that is reported, m2
    #[arg(long, value_name = "M2", default_value_t = 0.25, value_parser = finite)]
    pub(crate) least_area: f64,
}

/// Runs it.
pub(crate) fn run(options: &Diff, output: Output) -> Result<Exit, Failure> {
    if is_dash(&options.old) && is_dash(&options.new) {
        return Err(Failure::usage("only one of the blobs can be -, stdin"));
    }
    refuse_overwrites(
        &[&options.old, &options.new],
        &given(&[options.svg.as_ref(), options.html.as_ref()]),
    )?;
    let old_file = BlobFile::whole(&BlobPath::read(&options.old))?;
    let new_file = BlobFile::whole(&BlobPath::read(&options.new))?;
    let (old, new) = (old_file.checked()?, new_file.checked()?);
    let settings =
        DiffSettings { least_area: options.least_area.max(0.0), ..DiffSettings::default() };
    let changes = diff(&old, &new, &settings);
    if let Some(path) = &options.svg {
        let agent = match (&options.agent, changes.agents.first()) {
            (Some(agent), _) => agent,
            (None, Some(first)) => &first.agent,
            (None, None) => return Err(Failure::usage("--svg: the blobs have no agent in common")),
        };
        let Some(svg) = changes.svg(&old, &new, agent) else {
            return Err(Failure::usage(format_args!(
                "--agent: no agent `{agent}` in both {} and {}",
                old_file.name, new_file.name
            )));
        };
        write_whole(path, svg.as_bytes())?;
    }
    if let Some(path) = &options.html {
        let names = [old_file.name.as_str(), new_file.name.as_str()];
        let page = changes.html(old_file.checked()?, new_file.checked()?, names);
        write_whole(path, page.as_bytes())?;
    }
    output.result(&changes, |changes| changes.text())?;
    let fails = |f: &navbake_report::Finding| f.severity >= options.fail_on;
    Ok(match changes.findings.iter().any(fails) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}
