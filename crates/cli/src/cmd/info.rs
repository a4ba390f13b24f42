//! `navbake info`: the contents of a blob or of a world in chunks.

use clap::Args;
use navbake_format::{Blob, CheckedBlob};
use navbake_report::Contents;

use crate::args::BlobPath;
use crate::blob_file::{BlobFile, checked, no_blob};
use crate::failure::{Exit, Failure};
use crate::joined::{Joined, join};
use crate::output::Output;

/// Options of `info`.
#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) blob: BlobPath,
    /// Verify the checksum too; records are always checked
    #[arg(long)]
    pub(crate) verify: bool,
}

/// Runs it.
pub(crate) fn run(options: &Info, output: Output) -> Result<Exit, Failure> {
    let BlobFile { bytes, name } = BlobFile::load(&options.blob)?;
    let bad = |error| no_blob(&error, &name);
    let blob = Blob::open(&bytes).map_err(bad)?;
    if options.verify {
        blob.verify_checksum().map_err(bad)?;
    }
    let checked = blob.validate().map_err(bad)?;
    if checked.is_index() {
        return of_world(options, (&checked, &name), output);
    }
    let contents = Contents::new(&checked, &name, options.verify);
    output.result(&contents, Contents::text)?;
    Ok(Exit::Done)
}

/// The contents of a world in chunks: the ground of all its chunks that are there.
fn of_world(
    options: &Info,
    (index, name): (&CheckedBlob<'_>, &str),
    output: Output,
) -> Result<Exit, Failure> {
    let Joined { bytes, faults } = join(index, &options.blob)?;
    let whole = checked(&bytes, name)?;
    let findings = faults.into_iter().map(|fault| fault.message).collect();
    let contents = Contents::of_world(index, &whole, (name, options.verify), findings);
    output.result(&contents, Contents::text)?;
    Ok(if contents.is_whole() { Exit::Done } else { Exit::Findings })
}
