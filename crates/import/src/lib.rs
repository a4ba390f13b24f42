//! Files to a level: units and up-axis settled, every oddity reported. The only crate of navbake that names tobj, gltf or png.
//!
//! [`read`] takes a path and chooses the reader by its extension (see [`Format`]). The answer is a [`Source`], with the warnings on
//! the way and every file that was read. What cannot be read sound and whole is one [`ImportError`] that names the file, the place in
//! it, what was found and the cure; nothing is lost without a word. [`read_terrain`] reads what a picture says of a grid map's cells.
//!
//! ```
//! use navbake_import::{Format, ImportOptions, read_bytes};
//! let text = "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n";
//! let import = read_bytes(text.into(), Format::Obj, "floor.obj".as_ref(), &ImportOptions::default())?;
//! let navbake_level::Source::Scene(scene) = import.source else { unreachable!() };
//! assert_eq!(scene.triangles.len(), 2);
//! # Ok::<(), navbake_import::ImportError>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod files;
mod glb;
mod gltf;
mod grid;
mod obj;
mod options;
mod soup;
mod terrain;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use navbake_level::{Source, Warning};

pub use error::{ImportError, ImportErrorKind};
pub use options::{ImportOptions, Nonfinite, Up};
pub use terrain::{Colour, TerrainImage, read_terrain};

/// A level as it was read.
#[derive(Clone, Debug)]
pub struct Import {
    /// The level.
    pub source: Source,
    /// What was noticed on the way and did not stop it.
    pub warnings: Vec<Warning>,
    /// Every file that was read, the named one first: what a build depends on.
    pub files: Vec<PathBuf>,
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ, `.obj`.
    Obj,
    /// glTF 2.0, `.gltf` (JSON) or `.glb` (binary); the content says which.
    Gltf,
    /// A MovingAI grid map, `.map`.
    Map,
    /// A tile grid, `.txt`: node size, width, height, then rows of `x` (blocked), `.` (free), and digits and capital letters (free, of a terrain).
    TileGrid,
}

impl Format {
    /// The format that a file name's extension stands for.
    pub fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(Format::Obj),
            "gltf" | "glb" => Some(Format::Gltf),
            "map" => Some(Format::Map),
            "txt" => Some(Format::TileGrid),
            _ => None,
        }
    }
}

/// Reads a level from a file; its extension says the format.
///
/// # Errors
/// [`ImportErrorKind::Io`] when the file cannot be opened or read, [`ImportErrorKind::BadInput`] for everything else.
pub fn read(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    let Some(format) = Format::of(path) else {
        return Err(ImportError::bad(
            path,
            "the file name",
            "its extension is none of .obj, .gltf, .glb, .map and .txt",
            "export the level to one of these formats, and name it so",
        ));
    };
    let bytes = files::read_named(path)?;
    read_bytes(bytes, format, path, options)
}

/// Reads a level from bytes. `path` names it in messages, and files that it refers to are looked for in the path's folder.
///
/// # Errors
/// [`ImportErrorKind::BadInput`] when the bytes are not a sound level.
pub fn read_bytes(
    bytes: Vec<u8>,
    format: Format,
    path: &Path,
    options: &ImportOptions,
) -> Result<Import, ImportError> {
    if !(options.scale.is_finite() && options.scale > 0.0) {
        return Err(ImportError::bad(
            path,
            "the option `scale`",
            format!("{} is not a positive number", options.scale),
            "give the metres in an input unit, for instance 0.0254 for inches",
        ));
    }
    let mut import = match format {
        Format::Obj => obj::read(bytes, path, options),
        Format::Gltf => gltf::read(bytes, path, options),
        Format::Map => grid::read_map(&bytes, path, options),
        Format::TileGrid => grid::read_tiles(&bytes, path, options),
    }?;
    import.warnings = condense(import.warnings);
    Ok(import)
}

/// Keeps the first few warnings of a code and counts the rest.
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
            place: String::new(),
        });
    }
    kept
}
