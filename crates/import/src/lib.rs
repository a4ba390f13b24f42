//! Reads level files: OBJ, glTF, height maps, grid maps, maps of ROS, and worlds that place such
//! files. The only crate of
//! navbake that names gltf-json or png.
//!
//! [`read`] takes a path and picks the [`Format`] by its extension. It returns a
//! [`Source`](navbake_level::Source) in y-up metres, the warnings, and every file that was read. A
//! file that is not sound and whole is refused with one [`ImportError`]: file, place in it,
//! finding, cure. Nothing is dropped silently. [`read_terrain`] reads the terrain of a grid map's
//! cells from an image.
//!
//! ```
//! use navbake_import::{Format, ImportOptions, read_bytes};
//! let text = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n";
//! let obj = Format::by_extension("obj").expect("a format that is always there");
//! let import = read_bytes(text.into(), obj, "floor.obj".as_ref(), &ImportOptions::default())?;
//! let navbake_level::Source::Scene(scene) = import.source else { unreachable!() };
//! assert_eq!(scene.triangles.len(), 2);
//! # Ok::<(), navbake_import::ImportError>(())
//! ```
//!
//! To add a format: write a module with a `pub(crate) const FORMAT: Format`, add it to the modules
//! and to [`FORMATS`] below, and describe it in `docs/guide.md`. Error messages and the command's
//! help are made from the rows.
#![forbid(unsafe_code)]

mod gltf;
mod grid;
mod heights;
mod map_server;
mod obj;
mod world;

/// All formats, one row and one module each, in the order in which messages name them.
pub const FORMATS: &[Format] = &[
    obj::FORMAT,
    gltf::FORMAT,
    heights::FORMAT,
    grid::MAP,
    grid::TILES,
    map_server::FORMAT,
    world::FORMAT,
];

mod budget;
mod error;
mod files;
mod format;
mod glb;
mod options;
mod picture;
mod reason;
mod soup;
mod terrain;
mod transform;

use std::collections::BTreeMap;
use std::path::Path;

use navbake_level::{Warning, WarningPlace};

pub use error::{ImportError, ImportErrorKind};
pub use files::{open_file, read_file};
pub use format::{Format, Import};
pub use heights::{ByteOrder, FirstRow, HeightMapSettings, Simplify};
pub use obj::Earlier;
pub use options::{ImportOptions, Nonfinite, Up};
pub use reason::reason;
pub use terrain::{Colour, TerrainImage, read_terrain};
pub use world::{World, WorldImport, is_world, read_world};

impl Format {
    /// The format of a file by its extension, in either case.
    pub fn of(path: &Path) -> Option<&'static Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::by_extension(&extension)
    }

    /// Does it read height maps?
    pub fn is_height_map(&self) -> bool {
        self.name == heights::FORMAT.name
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

/// Reads a level from a file; the extension picks the format.
///
/// # Errors
/// [`ImportErrorKind::Io`] if the file cannot be opened or read, [`ImportErrorKind::BadInput`] for
/// everything else.
pub fn read(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let format = format_of(path)?;
    read_bytes(files::read_named(path)?, format, path, options)
}

/// Reads a level from a file that changes often. What did not change since is taken from
/// `earlier`, where the format is OBJ; the result is that of [`read`].
///
/// # Errors
/// As [`read`].
pub fn read_again(
    path: &Path,
    options: &ImportOptions,
    earlier: &mut Earlier,
) -> Result<Import, ImportError> {
    let format = format_of(path)?;
    let bytes = files::read_named(path)?;
    match format.name == obj::FORMAT.name {
        true => checked(path, options, || obj::read_again(bytes, path, options, earlier)),
        false => read_bytes(bytes, format, path, options),
    }
}

/// The format that a file's name says.
fn format_of(path: &Path) -> Result<&'static Format, ImportError> {
    let Some(format) = Format::of(path) else {
        // Whatever its name, a folder is called a folder.
        if path.is_dir() {
            files::read_named(path)?;
        }
        return Err(ImportError::bad(
            path,
            "the file name",
            format!("its extension is none of {}", Format::extensions()),
            "export the level to one of these formats, and name it so",
        ));
    };
    Ok(format)
}

/// Reads a level from bytes.
///
/// `path` names the level in messages. Files that it refers to are looked up in the path's folder.
///
/// # Errors
/// [`ImportErrorKind::BadInput`] if the bytes are not a sound level.
pub fn read_bytes(
    bytes: Vec<u8>,
    format: &Format,
    path: &Path,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    checked(path, options, || (format.read)(bytes, path, options))
}

/// Reads with options that are sound.
fn checked(
    path: &Path,
    options: &ImportOptions,
    read: impl FnOnce() -> Result<Import, ImportError>,
) -> Result<Import, ImportError> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(ImportError::bad(
            path,
            "the option `scale`",
            format!("{} is not a positive number", options.scale),
            "give the metres in an input unit, for instance 0.0254 for inches",
        ));
    }
    let mut import = read()?;
    import.warnings = condense(import.warnings);
    Ok(import)
}

/// Keeps the first few warnings of each code and counts the rest.
fn condense(warnings: Vec<Warning>) -> Vec<Warning> {
    const SHOWN: usize = 5;
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut kept = vec![];
    for warning in warnings {
        let count = counts.entry(warning.code).or_default();
        *count += 1;
        if *count <= SHOWN {
            kept.push(warning);
        }
    }
    for (code, count) in counts.into_iter().filter(|&(_, count)| count > SHOWN) {
        kept.push(Warning {
            code,
            message: format!("and {} more like these", count - SHOWN),
            place: WarningPlace::None,
        });
    }
    kept
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
        assert!(list.starts_with(".obj, .gltf, .glb, .png, .r16, .raw, .map"), "{list}");
        let words: Vec<&str> = list.split([' ', ',']).filter(|w| w.starts_with('.')).collect();
        let all = FORMATS.iter().flat_map(|f| f.extensions);
        assert_eq!(words, all.map(|e| format!(".{e}")).collect::<Vec<_>>());
        assert_eq!(list.matches(" and ").count(), 1, "{list}");
    }
}
