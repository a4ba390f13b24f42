//! Reads and checks the header and the section table of a file.

use navbake_grid::Grid;
use navbake_navmesh::record::Records;

use crate::blob::{Blob, info};
use crate::error::{BlobError, Value};
use crate::header::{Header, MAGIC, OLDEST, RawHeader, UpAxis, VERSION};
use crate::section::{REQUIRED, ROW_LEN, RawSection};
use crate::sections::KINDS;

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
        let blob = Blob { bytes, header, table, rows: None };
        blob.check_table()?;
        Ok(blob)
    }

    /// Bytes that this crate made itself.
    #[cfg(feature = "alloc")]
    pub(crate) fn trusted(bytes: &'a [u8]) -> Result<Blob<'a>, BlobError> {
        let (header, table) = (read_header(bytes)?, read_table(bytes)?);
        Ok(Blob { bytes, header, table, rows: None })
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
            // Without any mesh, the missing class is the first one.
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
