//! Reads whole files, with an error message for each kind of failure.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::{ImportError, reason};

/// Larger files are refused; GLB cannot be larger either.
const LARGEST: u64 = u32::MAX as u64;

/// Reads the file that the user named.
pub(crate) fn read_named(path: &Path) -> Result<Vec<u8>, ImportError> {
    read_whole(path).map_err(|finding| {
        let cure = match path.is_dir() {
            true => "name a level in it",
            false => "check the path and the permissions to read it",
        };
        ImportError::io(path, finding, cure)
    })
}

/// Refuses what is no file that can be opened.
pub(crate) fn refuse_other(path: &Path) -> Result<(), ImportError> {
    match path.is_dir() || !path.exists() {
        true => read_named(path).map(drop),
        false => Ok(()),
    }
}

/// Reads a file whole, or says why not.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |e: std::io::Error| format!("cannot be read: {}", reason(&e));
    let file = File::open(path).map_err(cannot)?;
    let about = file.metadata().map_err(cannot)?;
    if about.is_dir() {
        return Err("cannot be read: it is a folder".into());
    }
    if about.len() > LARGEST {
        return Err(format!(
            "is {} bytes long, more than the {LARGEST} that can be read",
            about.len()
        ));
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    // A device has no length of its own: without the limit it could be read for ever.
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("is longer than the {LARGEST} bytes that can be read"));
    }
    Ok(bytes)
}
