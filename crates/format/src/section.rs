//! The kinds of sections, and a row of the section table in a file.
//!
//! The kinds themselves are a table in `sections/mod.rs`.

use navbake_navmesh::record::Record;

navbake_navmesh::record! {
    /// A row of the section table in the file.
    pub(crate) struct RawSection: 12 {
        pub(crate) kind: u16,
        pub(crate) class: u16,
        pub(crate) flags: u16,
        pub(crate) element_size: u16,
        pub(crate) count: u32,
    }
}

pub(crate) const ROW_LEN: usize = RawSection::SIZE;
/// A reader that does not know the section must refuse the blob.
pub(crate) const REQUIRED: u16 = 1;

/// The kind of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Section(pub u16);

/// The properties of a kind of section in this version.
pub(crate) struct Kind {
    pub(crate) section: Section,
    pub(crate) name: &'static str,
    /// One for each agent class, or one for the blob.
    pub(crate) per_class: bool,
    /// A blob without it is incomplete.
    pub(crate) mandatory: bool,
    /// Element sizes that this version reads.
    pub(crate) sizes: &'static [u16],
    /// The sizes in words, for errors.
    pub(crate) expected: &'static str,
}

/// Defines all kinds, sorted by number, one a row: constant, number, name in errors and docs,
/// scope, and the element sizes that this version reads.
///
/// The scope is `blob` for at most one in a blob, `class` for at most one an agent class, and
/// `every_class` for exactly one.
macro_rules! sections {
    ($($(#[$doc:meta])* $constant:ident = $number:literal $name:literal
        $per:ident $sizes:tt;)*) => {
        impl $crate::Section {
            $($(#[$doc])* pub const $constant: $crate::Section = $crate::Section($number);)*
        }

        /// All kinds that this version knows, by number.
        pub(crate) const KINDS: &[$crate::section::Kind] = &[$($crate::section::Kind {
            section: $crate::Section::$constant,
            name: $name,
            per_class: $crate::section::sections!(@per $per),
            mandatory: $crate::section::sections!(@mandatory $per),
            sizes: $crate::section::sections!(@sizes $sizes),
            expected: $crate::section::sections!(@expected $sizes),
        }),*];
    };
    (@per blob) => { false };
    (@per $class:ident) => { true };
    (@mandatory every_class) => { true };
    (@mandatory $per:ident) => { false };
    (@sizes ($sizes:ident, $expected:literal)) => { &$sizes };
    (@sizes $sizes:tt) => { &$sizes };
    (@expected ($sizes:ident, $expected:literal)) => { $expected };
    (@expected [1]) => { "1 byte" };
    (@expected [$a:literal]) => { concat!($a, " bytes") };
    (@expected [$a:literal, $b:literal]) => { concat!($a, " or ", $b, " bytes") };
    (@expected [$a:literal, $b:literal, $c:literal]) => {
        concat!($a, ", ", $b, " or ", $c, " bytes")
    };
    (@expected [$a:literal, $b:literal, $c:literal, $d:literal]) => {
        concat!($a, ", ", $b, ", ", $c, " or ", $d, " bytes")
    };
}

pub(crate) use sections;
