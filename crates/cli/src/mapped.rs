//! Memory mapping, the only unsafe code of the command.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file for reading.
///
/// # Errors
/// If the system cannot map it, for instance a pipe.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and no reference outlives it, as `Mmap` owns it. The file
    // must not be truncated or rewritten in place meanwhile: navbake replaces files by rename, so
    // an old mapping keeps the old file; writes of others are the risk that `--mmap` names.
    unsafe { Mmap::map(file) }
}
