//! A blob: bytes whose header and section table are sound, and [`CheckedBlob`]: bytes whose every record is.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::str;

use navbake_navmesh::record::{Record, Records};

#[cfg(feature = "alloc")]
use crate::NavMeshBuf;
use crate::checksum::crc32c;
use crate::header::{CHECKSUM_AT, HEADER_LEN, OLDEST, RawHeader};
use crate::layout::is_layout;
use crate::section::{REQUIRED, ROW_LEN, RawSection};
use crate::sections::KINDS;
use crate::strings::{StringRef, text};
use crate::{BlobError, Grid, Header, MAGIC, NavMesh, Section, UpAxis, VERSION, Value};

/// Bytes whose header and section table have been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Blob<'a> {
    bytes: &'a [u8],
    header: Header,
    table: Records<'a, RawSection>,
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
    /// Checks the header and the section table: O(sections).
    ///
    /// The bytes may be at any address: in a memory map, in the program itself, at an odd offset.
    ///
    /// # Errors
    /// When the bytes are not a whole blob that this version reads. The contents of sections are
    /// checked by [`Blob::validate`].
    pub fn open(bytes: &'a [u8]) -> Result<Blob<'a>, BlobError> {
        let header = read_header(bytes)?;
        let table = read_table(bytes)?;
        let blob = Blob { bytes, header, table };
        blob.check_table()?;
        Ok(blob)
    }

    /// [`Blob::open`] and [`Blob::validate`] in one.
    ///
    /// # Errors
    /// Those of both.
    pub fn open_checked(bytes: &'a [u8]) -> Result<CheckedBlob<'a>, BlobError> {
        Blob::open(bytes)?.validate()
    }

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

    /// Checks every record: O(bytes log c), where c is the most corners of a polygon.
    ///
    /// After it no query can panic, loop for ever or read out of bounds.
    ///
    /// # Errors
    /// The first record that is wrong.
    pub fn validate(&self) -> Result<CheckedBlob<'a>, BlobError> {
        crate::validate::validate(self)?;
        Ok(CheckedBlob { blob: *self })
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
    fn first_offset(&self) -> u64 {
        (HEADER_LEN + ROW_LEN * self.table.len()) as u64
    }

    /// Number of agent classes, that is of meshes.
    pub fn class_count(&self) -> u16 {
        let meshes = self.table.iter().filter(|r| r.kind == Section::MESH.0);
        meshes.count() as u16 // each has a class of 16 bits of its own
    }

    /// Are the meshes laid out for searches, rather than packed?
    pub(crate) fn is_unpacked(&self) -> bool {
        self.table.iter().any(|row| is_layout(Section(row.kind)))
    }

    /// A section and its bytes: O(sections).
    pub fn section(&self, section: Section, class: u16) -> Option<(SectionInfo, &'a [u8])> {
        let info = self.sections().find(|s| (s.section, s.class) == (section, class))?;
        let start = usize::try_from(info.offset).ok()?;
        let len = usize::try_from(info.len()).ok()?;
        Some((info, self.bytes.get(start..start.checked_add(len)?)?))
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

    /// Bytes that this crate made itself.
    #[cfg(feature = "alloc")]
    pub(crate) fn trusted(bytes: &'a [u8]) -> Result<Blob<'a>, BlobError> {
        Ok(Blob { bytes, header: read_header(bytes)?, table: read_table(bytes)? })
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

    fn check_table(&self) -> Result<(), BlobError> {
        let total = self.bytes.len() as u64;
        let mut end = self.first_offset();
        let mut last = None;
        for (row, raw) in self.table.iter().enumerate() {
            let s = info(&raw, end);
            let fail = |found: u64, expected| {
                Err(BlobError::Table {
                    row: row as u32,
                    section: s.section,
                    found: Value::Int(found as i64),
                    expected,
                })
            };
            let flags = raw.flags;
            if flags & !REQUIRED != 0 {
                return fail(flags.into(), "no flags but bit 0 (required)");
            }
            if last >= Some((s.section, s.class)) {
                return fail(s.section.0.into(), "rows sorted by kind and class, each once");
            }
            last = Some((s.section, s.class));
            if s.element_size == 0 {
                return fail(0, "an element size above 0");
            }
            let Some(next) = end.checked_add(s.len()).filter(|&e| e <= total) else {
                return fail(s.count, "no more records than the file has bytes for");
            };
            end = next;
            match s.section.known() {
                None if s.required => {
                    return Err(BlobError::UnknownSection { section: s.section });
                }
                Some(kind) if !kind.sizes.contains(&s.element_size) => {
                    return fail(s.element_size.into(), kind.expected);
                }
                Some(kind) if !kind.per_class && s.class != 0 => {
                    return fail(s.class.into(), "agent class 0: this kind is one for the blob");
                }
                Some(kind) if kind.per_class && s.class >= self.class_count() => {
                    return fail(
                        s.class.into(),
                        "an agent class with a mesh; classes are numbered from 0",
                    );
                }
                _ => {}
            }
        }
        if end != total {
            return Err(BlobError::Length { stated: end, found: total });
        }
        self.check_mandatory()
    }

    fn check_mandatory(&self) -> Result<(), BlobError> {
        let classes = self.class_count();
        for kind in KINDS.iter().filter(|k| k.mandatory) {
            // Without any mesh the first class is the one that is missing.
            let wanted = if kind.per_class { classes.max(1) } else { 1 };
            for class in 0..wanted {
                if self.section(kind.section, class).is_none() {
                    return Err(BlobError::MissingSection { section: kind.section, class });
                }
            }
        }
        Ok(())
    }
}

fn info(raw: &RawSection, offset: u64) -> SectionInfo {
    SectionInfo {
        section: Section(raw.kind),
        class: raw.class,
        required: raw.flags & REQUIRED != 0,
        element_size: raw.element_size,
        offset,
        count: raw.count.into(),
    }
}

/// The checksum of all bytes but its own.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let before = bytes.get(..CHECKSUM_AT).unwrap_or(&[]);
    let behind = bytes.get(CHECKSUM_AT + 4..).unwrap_or(&[]);
    crc32c(&[before, behind])
}

fn read_header(bytes: &[u8]) -> Result<Header, BlobError> {
    let found = bytes.len();
    if let Some(&magic) = bytes.first_chunk::<8>()
        && magic != MAGIC
    {
        return Err(BlobError::Magic { found: magic });
    }
    let Some((raw, _)) = RawHeader::split(bytes) else {
        return Err(BlobError::TooShort { found });
    };
    let (version, min_reader) = (raw.version, raw.min_reader);
    if min_reader > VERSION {
        return Err(BlobError::TooNew { version, min_reader });
    }
    let fail = |field, found, expected| Err(BlobError::Header { field, found, expected });
    let int = |v: u64| Value::Int(v as i64);
    if min_reader == 0 || version < min_reader {
        return fail(
            "minimum reader version",
            int(min_reader.into()),
            "at least 1 and at most the format version",
        );
    }
    if version < OLDEST {
        return Err(BlobError::TooOld { version });
    }
    if raw.total_len != found as u64 {
        return Err(BlobError::Length { stated: raw.total_len, found: found as u64 });
    }
    if raw.flags != 0 {
        return fail("flags", int(raw.flags.into()), "0");
    }
    if raw.reserved != [0; 2] {
        let v = u16::from_le_bytes(raw.reserved);
        return fail("reserved bytes", int(v.into()), "0");
    }
    if !(4..=14).contains(&raw.grid_bits) {
        return fail("grid bits", int(raw.grid_bits.into()), "4 to 14");
    }
    let Some(up) = UpAxis::from_byte(raw.up) else {
        return fail("up axis", int(raw.up.into()), "0 (y) or 1 (z)");
    };
    let origin = raw.origin;
    if let Some(&c) = origin.iter().find(|c| !c.is_finite()) {
        return fail("origin", Value::Float(c), "finite metres");
    }
    let scale = raw.scale;
    if !(scale.is_finite() && scale > 0.0) {
        return fail("scale", Value::Float(scale), "a finite number above 0");
    }
    Ok(Header {
        version,
        min_reader,
        total_len: raw.total_len,
        checksum: raw.checksum,
        grid: Grid { bits: raw.grid_bits, origin },
        up,
        scale,
        level_hash: raw.level_hash,
        config_hash: raw.config_hash,
    })
}

fn read_table(bytes: &[u8]) -> Result<Records<'_, RawSection>, BlobError> {
    let fail = |n: u32| BlobError::Header {
        field: "number of sections",
        found: Value::Int(n.into()),
        expected: "a section table that fits into the file",
    };
    let Some((raw, rest)) = RawHeader::split(bytes) else {
        return Err(BlobError::TooShort { found: bytes.len() });
    };
    let n = raw.sections;
    usize::try_from(n)
        .ok()
        .and_then(|n| n.checked_mul(ROW_LEN))
        .and_then(|len| rest.get(..len))
        .and_then(Records::new)
        .ok_or_else(|| fail(n))
}

/// A blob of which every record has been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct CheckedBlob<'a> {
    blob: Blob<'a>,
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

    /// The navmesh of an agent class in place. O(sections), and nothing is allocated.
    ///
    /// # Errors
    /// When the file is packed, and when there is no such class.
    pub fn mesh(&self, class: u16) -> Result<NavMesh<'a>, BlobError> {
        self.check_class(class)?;
        match self.is_unpacked() {
            true => Ok(NavMesh::of(&self.blob, class)),
            false => Err(BlobError::Packed),
        }
    }

    /// The navmesh of the agent of that name, in place.
    ///
    /// # Errors
    /// When the file is packed, and when there is no such agent.
    pub fn mesh_for(&self, agent: &str) -> Result<NavMesh<'a>, BlobError> {
        self.mesh(self.class_of(agent)?)
    }

    /// Decodes the navmesh of an agent class once, for all threads. Of an unpacked file it is a
    /// copy. O(n log n).
    ///
    /// # Errors
    /// When there is no such class, or it has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn decode(&self, class: u16) -> Result<NavMeshBuf, BlobError> {
        self.check_class(class)?;
        NavMeshBuf::new(&self.blob, class)
    }

    /// Decodes the navmesh of the agent of that name.
    ///
    /// # Errors
    /// When there is no such agent, or its class has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn decode_for(&self, agent: &str) -> Result<NavMeshBuf, BlobError> {
        self.decode(self.class_of(agent)?)
    }

    /// The bytes of an unpacked file with all that this one has: for targets without an allocator.
    /// A copy if it is unpacked already. O(n log n).
    ///
    /// # Errors
    /// When a mesh has more than 2^29 edges.
    #[cfg(feature = "alloc")]
    pub fn unpack(&self) -> Result<Vec<u8>, BlobError> {
        crate::decode::unpack(&self.blob)
    }

    fn check_class(&self, class: u16) -> Result<(), BlobError> {
        let classes = self.class_count();
        match class < classes {
            true => Ok(()),
            false => Err(BlobError::NoClass { class, classes }),
        }
    }

    fn class_of(&self, agent: &str) -> Result<u16, BlobError> {
        self.agent(agent).map(|agent| agent.class).ok_or(BlobError::NoAgent)
    }
}
