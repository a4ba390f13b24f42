//! `navbake diff`: what changed between two bakes.

use std::path::Path;

use navbake_report::Severity;
use navbake_report::diff::{DiffSettings, diff, picture};

use crate::args::BlobPath;
use crate::blob_file;
use crate::failure::{Exit, Failure};
use crate::look_args::Diff;
use crate::output::{Output, is_dash, write_whole};

/// Runs it.
pub(crate) fn run(options: &Diff, output: Output) -> Result<Exit, Failure> {
    if is_dash(&options.old) && is_dash(&options.new) {
        return Err(Failure::usage("only one of both blobs can come from stdin"));
    }
    let read = |path: &Path| -> Result<_, Failure> {
        let blob = BlobPath {
            path: path.into(),
            mmap: false,
        };
        Ok((blob_file::load(&blob)?, blob_file::name(&blob)))
    };
    let (old_bytes, old_name) = read(&options.old)?;
    let (new_bytes, new_name) = read(&options.new)?;
    let old = blob_file::checked(&old_bytes, &old_name)?;
    let new = blob_file::checked(&new_bytes, &new_name)?;
    let settings = DiffSettings {
        least_area: options.least_area.max(0.0),
        ..DiffSettings::default()
    };
    let found = diff(&old, &new, &settings);
    if let Some(path) = &options.svg {
        let agent = match &options.agent {
            Some(agent) => agent,
            None => match found.agents.first() {
                Some(first) => &first.agent,
                None => return Err(Failure::usage("--svg: both blobs have no agent in common")),
            },
        };
        let Some(svg) = picture::svg(&found, &old, &new, agent) else {
            return Err(Failure::usage(format_args!(
                "--agent: there is no agent `{agent}` in both {old_name} and {new_name}"
            )));
        };
        write_whole(path, svg.as_bytes())?;
    }
    output.result(&found, |found| found.text())?;
    let least = Severity::from(options.fail_on);
    Ok(match found.findings.iter().any(|f| f.severity >= least) {
        true => Exit::Findings,
        false => Exit::Done,
    })
}
