//! Memory mapping: the one place with unsafe code.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Maps a file for reading.
///
/// # Errors
/// When the system cannot map it, for instance because it is a pipe.
pub(crate) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only, private to this process and outlived by no reference (`Mmap` owns it). What remains is that the
    // file must not be cut short or rewritten in place while it is mapped. navbake itself replaces files by rename and never in place,
    // so an old mapping keeps the old file; others' writes are the risk that the user takes by asking for `--mmap`, as its help says.
    unsafe { Mmap::map(file) }
}
