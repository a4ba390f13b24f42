//! Errors when encoding a blob.

use core::{error, fmt};

use crate::error::BlobError;

/// Errors when encoding a blob.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EncodeError {
    /// Two slices that belong together differ in length, or one is longer than the format allows.
    Length {
        /// Which.
        what: &'static str,
        /// Agent class, 0 for parts of the whole blob.
        class: u16,
        /// Its length.
        found: u64,
        /// The length that was expected, or the greatest.
        expected: u64,
    },
    /// An index is out of range.
    Index {
        /// In which slice.
        what: &'static str,
        /// Agent class.
        class: u16,
        /// At which place.
        at: u64,
        /// The value found.
        found: u32,
        /// It must be less.
        limit: u64,
    },
    /// The blob does not pass validation: polygons are not convex, portals are not mirrored and so
    /// on. Polygons are named by their place in the blob.
    Unsound(BlobError),
    /// The file is unpacked: its layout depends on the sections to replace.
    Unpacked,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Length { what, class, found, expected } => write!(
                f,
                "{what} of agent class {class}: {found} entries, expected {expected}; hand over slices that belong to one mesh"
            ),
            EncodeError::Index { what, class, at, found, limit } => write!(
                f,
                "{what} of agent class {class}, entry {at}: {found}, expected less than {limit}; hand over slices that belong to one mesh"
            ),
            EncodeError::Unsound(e) => write!(f, "the parts do not make a sound navmesh: {e}"),
            EncodeError::Unpacked => f.write_str(
                "the file is unpacked, and its layout depends on what is replaced; replace it in the packed file, and unpack that again",
            ),
        }
    }
}

impl error::Error for EncodeError {}

impl EncodeError {
    pub(crate) fn length(what: &'static str, class: u16, found: usize, expected: u64) -> Self {
        EncodeError::Length { what, class, found: found as u64, expected }
    }

    pub(crate) fn index(
        what: &'static str,
        class: u16,
        at: usize,
        found: u32,
        limit: usize,
    ) -> Self {
        EncodeError::Index { what, class, at: at as u64, found, limit: limit as u64 }
    }
}

/// A count that the format holds in 32 bits.
pub(crate) fn count(what: &'static str, found: usize) -> Result<u32, EncodeError> {
    u32::try_from(found).map_err(|_| EncodeError::length(what, 0, found, u32::MAX.into()))
}
