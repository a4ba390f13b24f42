//! Sections to be written, and the file of them.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use navbake_navmesh::record::Record;

use crate::blob::{Blob, SectionInfo};
use crate::checksum::checksum;
use crate::header::{CHECKSUM_AT, RawHeader};
use crate::section::{REQUIRED, ROW_LEN, RawSection, Section};

/// A section to be written.
pub(crate) struct Draft<'a> {
    pub(crate) section: Section,
    pub(crate) class: u16,
    pub(crate) required: bool,
    pub(crate) element_size: u16,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl<'a> Draft<'a> {
    /// A section that a reader must know.
    #[cfg(feature = "write")]
    pub(crate) fn required<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft<'a> {
        Draft { required: true, ..Draft::optional(section, class, records) }
    }

    /// A section that a reader may do without.
    #[cfg(feature = "write")]
    pub(crate) fn optional<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft<'a> {
        let records = records.into_iter();
        let mut bytes = Vec::with_capacity(records.size_hint().0 * R::SIZE);
        for record in records {
            bytes.extend_from_slice(record.to_bytes().as_ref());
        }
        Draft::bytes(section, class, R::SIZE, bytes)
    }

    /// An optional section of whole numbers in `size` bytes each, 1, 2 or 4.
    #[cfg(feature = "write")]
    pub(crate) fn numbers(
        section: Section,
        class: u16,
        size: usize,
        numbers: impl IntoIterator<Item = u32>,
    ) -> Draft<'a> {
        let mut bytes = Vec::new();
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes()[..size]);
        }
        Draft::bytes(section, class, size, bytes)
    }

    /// An optional section of records of `size` bytes each.
    pub(crate) fn bytes(
        section: Section,
        class: u16,
        size: usize,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Draft<'a> {
        let element_size = size as u16; // records are a few bytes long
        Draft { section, class, required: false, element_size, bytes: bytes.into() }
    }

    /// A section of a blob, unchanged.
    pub(crate) fn copy(blob: &Blob<'a>, info: SectionInfo) -> Option<Draft<'a>> {
        let SectionInfo { section, class, required, element_size, .. } = info;
        let (_, bytes) = blob.section(section, class)?;
        Some(Draft { required, ..Draft::bytes(section, class, element_size.into(), bytes) })
    }
}

/// Header, table and sections, sorted. The checksum is 0.
pub(crate) fn assemble(header: RawHeader, drafts: &mut [Draft<'_>]) -> Vec<u8> {
    drafts.sort_by_key(|d| (d.section, d.class));
    let begin = RawHeader::SIZE + ROW_LEN * drafts.len();
    let total = begin + drafts.iter().map(|d| d.bytes.len()).sum::<usize>();
    let (sections, total_len) = (drafts.len() as u32, total as u64);
    let mut bytes = Vec::with_capacity(total);
    bytes.extend(RawHeader { sections, total_len, checksum: 0, ..header }.to_bytes());
    for d in &*drafts {
        let row = RawSection {
            kind: d.section.0,
            class: d.class,
            flags: if d.required { REQUIRED } else { 0 },
            element_size: d.element_size,
            count: (d.bytes.len() / usize::from(d.element_size)) as u32,
        };
        bytes.extend(row.to_bytes());
    }
    for d in drafts {
        bytes.extend_from_slice(&d.bytes);
    }
    bytes
}

/// Sets the checksum.
pub(crate) fn seal(bytes: &mut [u8]) {
    let sum = checksum(bytes);
    bytes[CHECKSUM_AT..CHECKSUM_AT + 4].copy_from_slice(&sum.to_le_bytes());
}

/// Whole numbers in two bytes each, or in four.
#[cfg(feature = "write")]
pub(crate) fn numbers(section: Section, values: &[u32], class: u16, drafts: &mut Drafts<'_>) {
    let greatest = values.iter().copied().max().unwrap_or(0);
    let size = if greatest <= 0xFFFF { 2 } else { 4 };
    drafts.push(Draft {
        required: true,
        ..Draft::numbers(section, class, size, values.iter().copied())
    });
}

/// The sections of a file.
pub(crate) type Drafts<'a> = Vec<Draft<'a>>;
