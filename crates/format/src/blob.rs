//! A blob: bytes whose header and section table are sound.
//!
//! In a [`CheckedBlob`] every record is sound as well.

use core::str;

use navbake_navmesh::record::{Record, Records};

use crate::checksum::checksum;
use crate::error::{BlobError, Value};
use crate::header::{HEADER_LEN, Header};
use crate::rows::Rows;
use crate::section::{REQUIRED, ROW_LEN, RawSection, Section};
use crate::strings::{StringRef, text};

/// Bytes whose header and section table have been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Blob<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) header: Header,
    pub(crate) table: Records<'a, RawSection>,
    /// Where its sections are, if that was noted.
    pub(crate) rows: Option<&'a Rows>,
}

/// A row of the section table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// Its kind.
    pub section: Section,
    /// The agent class that it belongs to, 0 for sections of the whole blob.
    pub class: u16,
    /// A reader that does not know it must refuse the blob.
    pub required: bool,
    /// Bytes of a record.
    pub element_size: u16,
    /// First byte, from the start of the blob.
    pub offset: u64,
    /// Records.
    pub count: u64,
}

impl SectionInfo {
    /// Length in bytes.
    pub fn len(&self) -> u64 {
        self.count * u64::from(self.element_size)
    }

    /// Whether it has no records.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a> Blob<'a> {
    /// Compares the checksum: O(bytes).
    ///
    /// It detects damage by copies and disks. [`Blob::validate`] does not rely on it.
    ///
    /// # Errors
    /// When it differs.
    pub fn verify_checksum(&self) -> Result<(), BlobError> {
        let found = checksum(self.bytes);
        if found == self.header.checksum {
            Ok(())
        } else {
            Err(BlobError::Checksum { stated: self.header.checksum, found })
        }
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The section table, including sections that this version does not know.
    pub fn sections(&self) -> impl Iterator<Item = SectionInfo> + use<'a> {
        let mut offset = self.first_offset();
        self.table.iter().map(move |raw| {
            let info = info(&raw, offset);
            offset = offset.saturating_add(info.len());
            info
        })
    }

    /// Where the first section begins.
    pub(crate) fn first_offset(&self) -> u64 {
        (HEADER_LEN + ROW_LEN * self.table.len()) as u64
    }

    /// Number of agent classes, that is of meshes.
    pub fn class_count(&self) -> u16 {
        let meshes = self.table.iter().filter(|r| r.kind == Section::MESH.0);
        meshes.count() as u16 // each has a class of 16 bits of its own
    }

    /// A section and its bytes: O(sections).
    pub fn section(&self, section: Section, class: u16) -> Option<(SectionInfo, &'a [u8])> {
        let (row, offset) = self.find(section, class)?;
        let info = info(&self.table.get(row)?, offset);
        let start = usize::try_from(info.offset).ok()?;
        let len = usize::try_from(info.len()).ok()?;
        Some((info, self.bytes.get(start..start.checked_add(len)?)?))
    }

    /// Is there such a section?
    pub(crate) fn has(&self, section: Section, class: u16) -> bool {
        self.find(section, class).is_some()
    }

    /// The row of a section in the table, which is sorted by kind and class, and where the section
    /// begins.
    #[inline]
    fn find(&self, section: Section, class: u16) -> Option<(usize, u64)> {
        if let Some(rows) = self.rows.filter(|rows| rows.has(section, class)) {
            return rows.get(section);
        }
        let key = |kind: u16, class: u16| u32::from(kind) << 16 | u32::from(class);
        let of_row = |row: RawSection| key(row.kind, row.class);
        let row = self.table.find(key(section.0, class), of_row)?;
        let len = |raw: RawSection| u64::from(raw.count) * u64::from(raw.element_size);
        let before = self.table.slice(0..row)?.iter().map(len);
        Some((row, before.fold(self.first_offset(), u64::saturating_add)))
    }

    /// Number of elements of a section; 0 when there is none.
    pub(crate) fn count(&self, section: Section, class: u16) -> u64 {
        self.section(section, class).map_or(0, |(info, _)| info.count)
    }

    /// The records of a section whose element size is that of `R`; empty when there are none.
    pub(crate) fn records<R: Record>(&self, section: Section, class: u16) -> Records<'a, R> {
        self.section(section, class)
            .filter(|(info, _)| usize::from(info.element_size) == R::SIZE)
            .and_then(|(_, bytes)| Records::new(bytes))
            .unwrap_or_default()
    }

    /// The bytes of a section with elements of one byte; empty when there are none.
    pub(crate) fn raw(&self, section: Section, class: u16) -> &'a [u8] {
        self.section(section, class)
            .filter(|(info, _)| info.element_size == 1)
            .map_or(&[], |(_, bytes)| bytes)
    }

    pub(crate) fn string(&self, at: StringRef) -> Option<&'a str> {
        text(self.raw(Section::STRINGS, 0), at)
    }

    /// A name, empty where it is not text.
    pub(crate) fn name(&self, at: StringRef) -> &'a str {
        self.string(at).unwrap_or("")
    }

    pub(crate) fn text(&self, section: Section) -> Result<&'a str, BlobError> {
        let bytes = self.raw(section, 0);
        str::from_utf8(bytes).map_err(|e| BlobError::Record {
            section,
            class: 0,
            index: e.valid_up_to() as u64,
            found: Value::Int(bytes.get(e.valid_up_to()).map_or(-1, |&b| i64::from(b))),
            expected: "UTF-8 text",
        })
    }
}

pub(crate) fn info(raw: &RawSection, offset: u64) -> SectionInfo {
    SectionInfo {
        section: Section(raw.kind),
        class: raw.class,
        required: raw.flags & REQUIRED != 0,
        element_size: raw.element_size,
        offset,
        count: raw.count.into(),
    }
}

/// A blob whose records have all been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct CheckedBlob<'a> {
    pub(crate) blob: Blob<'a>,
}

impl<'a> CheckedBlob<'a> {
    /// A blob that is known to be sound.
    pub(crate) fn trusted(blob: Blob<'a>) -> CheckedBlob<'a> {
        CheckedBlob { blob }
    }

    /// The blob.
    pub fn blob(&self) -> Blob<'a> {
        self.blob
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.blob.header
    }

    /// The effective config as TOML, without keys that have their defaults.
    pub fn config(&self) -> &'a str {
        self.blob.text(Section::CONFIG).unwrap_or("")
    }

    /// A summary of the bake.
    pub fn summary(&self) -> &'a str {
        self.blob.text(Section::SUMMARY).unwrap_or("")
    }

    /// Number of agent classes, that is of meshes, numbered from 0.
    pub fn class_count(&self) -> u16 {
        self.blob.class_count()
    }

    /// Can navmeshes be searched in place? Else they are decoded.
    pub fn is_unpacked(&self) -> bool {
        self.blob.is_unpacked()
    }
}
