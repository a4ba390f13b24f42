//! Errors when reading a blob.

use core::fmt;

use crate::Section;

/// A number found in a blob, as errors print it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
}

macro_rules! value {
    ($($number:ty)*) => {$(
        impl From<$number> for Value {
            fn from(v: $number) -> Value {
                Value::Int(v as i64)
            }
        }
    )*};
}

value!(u8 u16 u32 u64 usize i16 i32 i64);

impl From<f32> for Value {
    fn from(v: f32) -> Value {
        Value::Float(v.into())
    }
}

impl From<f64> for Value {
    fn from(v: f64) -> Value {
        Value::Float(v)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(v) => v.fmt(f),
            Value::Float(v) => v.fmt(f),
        }
    }
}

/// Why bytes are not a blob that this version can read.
///
/// The message gives the location, the value found, the value expected, and a remedy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlobError {
    /// Fewer bytes than a header has.
    TooShort {
        /// Bytes given.
        found: usize,
    },
    /// The first bytes are not those of a blob.
    Magic {
        /// Bytes given.
        found: [u8; 8],
    },
    /// The blob needs a newer reader.
    TooNew {
        /// The blob's format version.
        version: u32,
        /// The oldest reader version that can read it, as it states.
        min_reader: u32,
    },
    /// The blob has a format version that is no longer read.
    TooOld {
        /// The blob's format version.
        version: u32,
    },
    /// The stated length is not the number of bytes given.
    Length {
        /// Length in the header.
        stated: u64,
        /// Bytes given.
        found: u64,
    },
    /// The checksum differs.
    Checksum {
        /// In the header.
        stated: u32,
        /// Of the bytes.
        found: u32,
    },
    /// A field of the header is out of range.
    Header {
        /// The field's name in `docs/format.md`.
        field: &'static str,
        /// The value found.
        found: Value,
        /// The value expected.
        expected: &'static str,
    },
    /// A section that a reader must know to read the blob is not known to this version.
    UnknownSection {
        /// Its kind.
        section: Section,
    },
    /// A mandatory section is missing.
    MissingSection {
        /// Its kind.
        section: Section,
        /// Agent class, 0 for sections of the whole blob.
        class: u16,
    },
    /// A row of the section table is wrong.
    Table {
        /// Row number.
        row: u32,
        /// Kind in that row.
        section: Section,
        /// The value found.
        found: Value,
        /// The value expected.
        expected: &'static str,
    },
    /// The file has navmeshes for several classes of agents, and none was named.
    SeveralMeshes {
        /// Number of classes.
        count: u16,
    },
    /// A record is wrong.
    Record {
        /// The section.
        section: Section,
        /// Agent class, 0 for sections of the whole blob.
        class: u16,
        /// Number of the record, or of the byte in text.
        index: u64,
        /// The value found.
        found: Value,
        /// The value expected.
        expected: &'static str,
    },
    /// The agent class does not exist.
    NoClass {
        /// The requested class.
        class: u16,
        /// How many there are.
        classes: u16,
    },
    /// There is no agent of that name.
    NoAgent,
    /// The file is packed, so it cannot be searched in place.
    Packed,
    /// A mesh has more edges than can be laid out.
    TooManyEdges {
        /// Agent class.
        class: u16,
        /// Its edges.
        found: u32,
    },
}

const REBAKE: &str =
    "the file is damaged or was not written by navbake: copy it again or bake it again";

impl fmt::Display for BlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BlobError::TooShort { found } => write!(
                f,
                "header: {found} bytes, expected at least {}; the file was cut short or is no navmesh: copy it again or bake it again",
                crate::header::HEADER_LEN
            ),
            BlobError::Magic { found } => {
                f.write_str("header, magic: found")?;
                for b in found {
                    write!(f, " {b:02x}")?;
                }
                f.write_str(
                    ", expected 89 4e 41 56 0d 0a 1a 0a; this is no navmesh baked by navbake, or a transfer in text mode changed its line ends: \
                     name the baked file, and transfer it as binary",
                )
            }
            BlobError::TooNew { version, min_reader } => write!(
                f,
                "header, version: the blob has format version {version} and asks for a reader of version {min_reader} or newer, this one is version {}; \
                 update navbake-search, or bake the level again with the navbake that belongs to this reader",
                crate::VERSION
            ),
            BlobError::TooOld { version } => write!(
                f,
                "header, version: the blob has format version {version}, the oldest that is read is {}; bake the level again",
                crate::header::OLDEST
            ),
            BlobError::Length { stated, found } => write!(
                f,
                "header, total length: {stated} bytes stated, {found} found; the file was cut short or something was added to it: copy it again or bake it again"
            ),
            BlobError::Checksum { stated, found } => {
                write!(f, "header, checksum: {stated:#010x} stated, {found:#010x} found; {REBAKE}")
            }
            BlobError::Header { field, found, expected } => {
                write!(f, "header, {field}: found {found}, expected {expected}; {REBAKE}")
            }
            BlobError::UnknownSection { section } => write!(
                f,
                "section {section}: not known to this reader (format version {}), and marked as required; update navbake-search, or bake the level \
                 again without the feature that needs it",
                crate::VERSION
            ),
            BlobError::MissingSection { section, class } => write!(
                f,
                "section {section} of agent class {class}: not there, expected in every blob; {REBAKE}"
            ),
            BlobError::Table { row, section, found, expected } => write!(
                f,
                "section table, row {row} (section {section}): found {found}, expected {expected}; {REBAKE}"
            ),
            BlobError::SeveralMeshes { count } => write!(
                f,
                "the file has navmeshes for {count} classes of agents: name the agent to open one"
            ),
            BlobError::Record { section, class, index, found, expected } => write!(
                f,
                "section {section} of agent class {class}, record {index}: found {found}, expected {expected}; {REBAKE}"
            ),
            BlobError::NoClass { class, classes } => write!(
                f,
                "agent class {class}: not there, the blob has {classes}; take one of these, or bake the level for more agents"
            ),
            BlobError::NoAgent => f.write_str(
                "no agent of that name; take one that the blob lists, or bake the level for it",
            ),
            BlobError::Packed => f.write_str(
                "the blob is packed and cannot be searched in place; decode it, or unpack the file before",
            ),
            BlobError::TooManyEdges { class, found } => write!(
                f,
                "agent class {class}: {found} polygon edges, at most {} can be laid out; bake the level in parts",
                navbake_navmesh::MOST_EDGES
            ),
        }
    }
}

impl core::error::Error for BlobError {}
