//! A section to be written.

use alloc::vec;
use alloc::vec::Vec;

use navbake_navmesh::record::Record;

use crate::section::Section;

/// A section to be written.
pub(crate) struct Draft {
    pub(crate) section: Section,
    pub(crate) class: u16,
    pub(crate) required: bool,
    pub(crate) element_size: u16,
    pub(crate) bytes: Vec<u8>,
}

impl Draft {
    /// A section that a reader must know.
    pub(crate) fn required<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft {
        Draft { required: true, ..Draft::optional(section, class, records) }
    }

    /// A section that a reader may do without.
    pub(crate) fn optional<R: Record>(
        section: Section,
        class: u16,
        records: impl IntoIterator<Item = R>,
    ) -> Draft {
        let mut bytes = vec![];
        for record in records {
            bytes.extend_from_slice(record.to_bytes().as_ref());
        }
        Draft::bytes(section, class, R::SIZE, bytes)
    }

    /// An optional section of whole numbers in `size` bytes each, 1, 2 or 4.
    pub(crate) fn numbers(
        section: Section,
        class: u16,
        size: usize,
        numbers: impl IntoIterator<Item = u32>,
    ) -> Draft {
        let mut bytes = vec![];
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes()[..size]);
        }
        Draft::bytes(section, class, size, bytes)
    }

    /// An optional section of records of `size` bytes each.
    pub(crate) fn bytes(section: Section, class: u16, size: usize, bytes: Vec<u8>) -> Draft {
        Draft {
            section,
            class,
            required: false,
            element_size: size as u16, // records are a few bytes long
            bytes,
        }
    }
}

/// Whole numbers in two bytes each, or in four.
pub(super) fn numbers(section: Section, values: &[u32], class: u16, drafts: &mut Vec<Draft>) {
    let greatest = values.iter().copied().max().unwrap_or(0);
    let size = if greatest <= 0xFFFF { 2 } else { 4 };
    drafts.push(Draft {
        required: true,
        ..Draft::numbers(section, class, size, values.iter().copied())
    });
}
