//! Opens and reads files: regular ones, whole, and only where a level may name them.

use std::fs::File;
use std::io::{self, Read};
#[cfg(unix)]
use std::io::{Seek, SeekFrom};
use std::path::Path;

#[cfg(unix)]
use rayon::prelude::*;

use crate::{ImportError, reason};

/// Larger files are refused; GLB cannot be larger either.
const LARGEST: u64 = u32::MAX as u64;

/// Opens a regular file to read. Others are refused before they are opened: a pipe could be waited
/// for, and a device read, for ever.
///
/// Pipes that the caller of the process opened (`/dev/stdin`, `/dev/fd/63` of a shell's `<(..)`)
/// are opened all the same.
///
/// # Errors
/// If there is no such file, it is not regular, or the system does not open it.
pub fn open_file(path: &Path) -> io::Result<File> {
    let handed = path == Path::new("/dev/stdin") || path.starts_with("/dev/fd");
    let refuse = |about: &std::fs::Metadata| match about.is_file() || handed && !about.is_dir() {
        true => Ok(()),
        false if about.is_dir() => Err(io::Error::other("it is a folder")),
        false => Err(io::Error::other("it is a pipe or a device, not a regular file")),
    };
    refuse(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    refuse(&file.metadata()?)?; // another file may have taken its place
    Ok(file)
}

/// Reads a file whole, by the rules of [`open_file`].
///
/// # Errors
/// As [`open_file`], and if it has more than `most` bytes.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = open_file(path)?;
    let length = file.metadata()?.len();
    let over = || io::Error::other(format!("it has more than the {most} bytes that are read"));
    if length > most {
        return Err(over());
    }
    let mut bytes = read_parts(&mut file, length)?;
    // Files of /proc say that they are empty, and a file may have grown.
    file.take(most.saturating_add(1) - bytes.len() as u64).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(over());
    }
    Ok(bytes)
}

/// Bytes that a thread reads at a time.
#[cfg(unix)]
const PART: usize = 8 << 20;

/// The first bytes of a file, read on all threads if they are many: to copy them and to map memory
/// for them takes as long as to parse them.
#[cfg(unix)]
fn read_parts(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    if length <= 2 * PART as u64 {
        return Ok(Vec::with_capacity(length as usize));
    }
    let mut bytes = vec![0; length as usize];
    let parts = bytes.par_chunks_mut(PART).enumerate();
    parts.try_for_each(|(k, part)| file.read_exact_at(part, (k * PART) as u64))?;
    file.seek(SeekFrom::Start(length))?;
    Ok(bytes)
}

/// Room for a file.
#[cfg(not(unix))]
fn read_parts(_: &mut File, length: u64) -> io::Result<Vec<u8>> {
    Ok(Vec::with_capacity(length as usize))
}

/// Reads the file that the user named.
pub(crate) fn read_named(path: &Path) -> Result<Vec<u8>, ImportError> {
    read_file(path, LARGEST).map_err(|e| {
        let cure = match path.is_dir() {
            true => "name a level in it",
            false => "check the path and the permissions to read it",
        };
        ImportError::io(path, format!("cannot be read: {}", reason(&e)), cure)
    })
}

/// Refuses a file that another one names and that is outside of that one's folder, once links are
/// followed. The folder is the one it was named in, or the one it is in where its name is a link.
/// A missing file passes: reading it gives the error.
pub(crate) fn check_beside(of: &Path, path: &Path) -> Result<(), ImportError> {
    let Ok(own) = path.canonicalize() else {
        return Ok(());
    };
    let named = match of.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let linked = of.canonicalize().ok();
    let folders = [named.canonicalize().ok(), linked.and_then(|f| f.parent().map(Path::to_owned))];
    if folders.iter().flatten().any(|folder| own.starts_with(folder)) {
        return Ok(());
    }
    Err(ImportError::bad(path, "", format!("{OUTSIDE} of {}", of.display()), OUTSIDE_CURE))
}

/// The policy for files that other files name, for messages.
pub(crate) const OUTSIDE: &str = "navbake reads no file outside of the folder";
pub(crate) const OUTSIDE_CURE: &str = "put it into that folder, or allow it with --allow-outside";
