//! A file format and its search by extension; the formats are [`FORMATS`].

use std::path::Path;

use crate::{FORMATS, Import, ImportError, ImportOptions};

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
        let list = Format::extensions();
        assert!(list.starts_with(".obj, .gltf, .glb, .map"), "{list}");
        let words: Vec<&str> = list.split([' ', ',']).filter(|w| w.starts_with('.')).collect();
        let all = FORMATS.iter().flat_map(|f| f.extensions);
        assert_eq!(words, all.map(|e| format!(".{e}")).collect::<Vec<_>>());
        assert_eq!(list.matches(" and ").count(), 1, "{list}");
    }
}
