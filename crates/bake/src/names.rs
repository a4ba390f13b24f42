//! The names of blobs, and what is one.

use std::io::{self, Read};
use std::path::Path;

use navbake_format::MAGIC;

use crate::world_files::is_index;

/// What the names of blobs end in, where the caller names none.
pub const ENDING: &str = "navbake";

/// Does a name end as blobs and indices of worlds do? Other formats have `nav` too.
pub fn is_named_as_blob(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING || ending == "nav") || is_index(path)
}

/// Is a file a blob, by its name or its first bytes? A folder is one by its name.
///
/// # Errors
/// When the file cannot be opened.
pub fn is_blob(path: &Path) -> io::Result<bool> {
    if path.is_dir() {
        return Ok(is_named_as_blob(path));
    }
    let mut file = navbake_import::open_file(path)?;
    let mut first = [0; MAGIC.len()];
    let is_marked = file.read_exact(&mut first).is_ok() && first == MAGIC;
    Ok(is_marked || is_named_as_blob(path))
}
