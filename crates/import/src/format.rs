//! The registry of file formats: one row and one module each.
//!
//! To add a format: write a module with a `pub(crate) const FORMAT: Format`, add it to [`FORMATS`],
//! and describe it in `docs/guide.md`. Error messages and the command's help are made from the rows.

use std::path::Path;

use crate::{Import, ImportError, ImportOptions, gltf, grid, obj};

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

/// All formats, in the order in which messages name them.
pub const FORMATS: &[Format] = &[obj::FORMAT, gltf::FORMAT, grid::MAP, grid::TILES];

impl Format {
    /// The format of a file by its extension, in either case.
    pub fn of(path: &Path) -> Option<&'static Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::by_extension(&extension)
    }

    /// The format with this extension, in lower case without the dot.
    pub fn by_extension(extension: &str) -> Option<&'static Format> {
        (FORMATS.iter()).find(|format| format.extensions.contains(&extension))
    }

    /// All extensions as a list for messages: `.obj, .gltf and .glb`.
    pub fn extensions() -> String {
        let all: Vec<String> = (FORMATS.iter().flat_map(|format| format.extensions))
            .map(|extension| format!(".{extension}"))
            .collect();
        match all.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => all.concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_names_one_format_at_most() {
        let mut all: Vec<&str> = (FORMATS.iter().flat_map(|f| f.extensions).copied()).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(all.iter().all(|e| *e == e.to_ascii_lowercase()));
    }

    #[test]
    fn messages_list_every_extension() {
        assert_eq!(Format::extensions(), ".obj, .gltf, .glb, .map and .txt");
    }
}
