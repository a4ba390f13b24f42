//! Where the sections of a file begin, for a file that is asked for them again and again.

#[cfg(feature = "alloc")]
use crate::blob::Blob;
use crate::section::Section;

/// Kinds from here on are not noted: sections of these are searched for.
const NOTED: usize = 0x400;
/// In files of more sections all are searched for.
const MOST: usize = u8::MAX as usize;
/// Kinds below are one for the whole file.
const OF_CLASSES: u16 = 0x100;

/// The rows of the sections of a class and of the whole file, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    class: u16,
    /// One more than the row of a kind; 0 where there is none.
    by_kind: [u8; NOTED],
    /// Where the section of each row begins in the file.
    starts: [u64; MOST],
}

impl Rows {
    /// Of a sound table; `None` where it is too long. O(sections).
    #[cfg(feature = "alloc")]
    pub(crate) fn new(blob: &Blob<'_>, class: u16) -> Option<Rows> {
        let mut rows = Rows { class, by_kind: [0; NOTED], starts: [0; MOST] };
        for (row, info) in blob.sections().enumerate() {
            *rows.starts.get_mut(row)? = info.offset;
            if rows.has(info.section, info.class) {
                rows.by_kind[usize::from(info.section.0)] = row as u8 + 1;
            }
        }
        Some(rows)
    }

    /// Are sections of this kind and class noted here, if there are any?
    #[inline]
    pub(crate) fn has(&self, section: Section, class: u16) -> bool {
        let own = if section.0 < OF_CLASSES { 0 } else { self.class };
        usize::from(section.0) < NOTED && class == own
    }

    /// The row of a section, and where the section begins.
    #[inline]
    pub(crate) fn get(&self, section: Section) -> Option<(usize, u64)> {
        let row = usize::from(*self.by_kind.get(usize::from(section.0))?).checked_sub(1)?;
        Some((row, *self.starts.get(row)?))
    }
}
