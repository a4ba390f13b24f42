//! `navbake info`: the contents of a blob.

use clap::Args;
use navbake_format::Blob;
use navbake_report::Contents;

use crate::args::BlobPath;
use crate::blob_file::{BlobFile, no_blob};
use crate::failure::{Exit, Failure};
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
    let contents = Contents::new(&checked, &name, options.verify);
    output.result(&contents, Contents::text)?;
    Ok(Exit::Done)
}
