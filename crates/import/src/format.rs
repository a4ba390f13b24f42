//! A file format, and the result of reading it; the formats are [`FORMATS`](crate::FORMATS).

use std::path::{Path, PathBuf};

use navbake_level::{Source, Warning};

use crate::error::ImportError;
use crate::options::ImportOptions;

/// A level as it was read.
#[derive(Clone, Debug)]
pub struct Import {
    /// The level.
    pub source: Source,
    /// Oddities that did not prevent the import.
    pub warnings: Vec<Warning>,
    /// Every file that was read, the named one first: the dependencies of a build step.
    pub files: Vec<PathBuf>,
    /// Files that the level names and that are not read, such as textures and materials.
    pub named: Vec<PathBuf>,
}

/// A file format that levels are read from.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name, for messages.
    pub name: &'static str,
    /// File name extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether its levels are grid maps; the others are triangles.
    pub is_grid: bool,
    pub(crate) read: fn(Vec<u8>, &Path, &ImportOptions) -> Result<Import, ImportError>,
}
