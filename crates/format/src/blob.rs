//! A blob: bytes whose header and section table are sound, and [`CheckedBlob`]: bytes whose every record is.

use core::str;

use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::checksum::crc32c;
use crate::header::{CHECKSUM_AT, HEADER_LEN, OLDEST, RawHeader};
use crate::kinds::KINDS;
use crate::records::{AgentRecord, MarkerRecord, StringRef, text};
use crate::section::{REQUIRED, ROW_LEN, RawSection};
use crate::things::{self, Switch};
use crate::{
    BlobError, Found, Grid, GridMapView, Header, MAGIC, Section, TileGroundView, UpAxis, VERSION,
    VehicleView,
};

/// Bytes whose header and section table have been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Blob<'a> {
    bytes: &'a [u8],
    header: Header,
    table: &'a [RawSection],
}

/// A row of the section table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// What it holds.
    pub section: Section,
    /// The agent class that it belongs to, 0 for sections of the whole blob.
    pub class: u16,
    /// Must a reader know it?
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

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'a> Blob<'a> {
    /// Checks the header and the section table: O(sections). The bytes may lie anywhere: in a memory map, in the program itself, at an odd
    /// address.
    ///
    /// # Errors
    /// When the bytes are not a whole blob that this version reads. The contents of sections are not looked at: see [`Blob::validate`].
    pub fn open(bytes: &'a [u8]) -> Result<Blob<'a>, BlobError> {
        let header = read_header(bytes)?;
        let table = read_table(bytes)?;
        let blob = Blob {
            bytes,
            header,
            table,
        };
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

    /// Compares the checksum: O(bytes). Finds every damage of a copy or a disk; [`Blob::validate`] is about meaning and needs no checksum.
    ///
    /// # Errors
    /// When it differs.
    pub fn verify_checksum(&self) -> Result<(), BlobError> {
        let found = checksum(self.bytes);
        if found == self.header.checksum {
            Ok(())
        } else {
            Err(BlobError::Checksum {
                stated: self.header.checksum,
                found,
            })
        }
    }

    /// Checks every record: O(bytes), a logarithm of the largest polygon's corners apart. After it no query can panic, loop for ever or read
    /// out of bounds.
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

    /// The section table, also the sections that this version does not know.
    pub fn sections(&self) -> impl Iterator<Item = SectionInfo> + use<'a> {
        let mut offset = self.first_offset();
        self.table.iter().map(move |raw| {
            let info = info(raw, offset);
            offset = offset.saturating_add(info.len());
            info
        })
    }

    /// Where the first section begins.
    fn first_offset(&self) -> u64 {
        (HEADER_LEN + size_of_val(self.table)) as u64
    }

    /// Number of agent classes, that is of meshes.
    pub fn class_count(&self) -> u16 {
        let classes = self
            .table
            .iter()
            .filter(|r| r.kind.get() == Section::MESH.0)
            .count();
        classes as u16 // each has a class of 16 bits of its own
    }

    /// A section and its bytes, O(sections). For kinds that this version has no view of.
    pub fn section(&self, section: Section, class: u16) -> Option<(SectionInfo, &'a [u8])> {
        let info = self
            .sections()
            .find(|s| (s.section, s.class) == (section, class))?;
        let start = usize::try_from(info.offset).ok()?;
        let len = usize::try_from(info.len()).ok()?;
        Some((info, self.bytes.get(start..start.checked_add(len)?)?))
    }

    /// The records of a section whose element size is that of `T`; empty when there are none.
    pub(crate) fn records<T>(&self, section: Section, class: u16) -> &'a [T]
    where
        T: FromBytes + KnownLayout + Immutable + Unaligned,
    {
        self.section(section, class)
            .filter(|(info, _)| usize::from(info.element_size) == size_of::<T>())
            .and_then(|(_, bytes)| <[T]>::ref_from_bytes(bytes).ok())
            .unwrap_or(&[])
    }

    /// The records of a section of the layout; empty when there are none.
    pub(crate) fn layout<R: navbake_navmesh::record::Record>(
        &self,
        section: Section,
        class: u16,
    ) -> navbake_navmesh::record::Records<'a, R> {
        self.section(section, class)
            .filter(|(info, _)| usize::from(info.element_size) == R::SIZE)
            .and_then(|(_, bytes)| navbake_navmesh::record::Records::new(bytes))
            .unwrap_or_default()
    }

    /// Bytes that this crate made itself.
    #[cfg(feature = "alloc")]
    pub(crate) fn trusted(bytes: &'a [u8]) -> Result<Blob<'a>, BlobError> {
        Ok(Blob {
            bytes,
            header: read_header(bytes)?,
            table: read_table(bytes)?,
        })
    }

    pub(crate) fn string(&self, at: StringRef) -> Option<&'a str> {
        text(self.records::<u8>(Section::STRINGS, 0), at)
    }

    pub(crate) fn text(&self, section: Section) -> Result<&'a str, BlobError> {
        str::from_utf8(self.records::<u8>(section, 0)).map_err(|e| BlobError::Record {
            section,
            class: 0,
            index: e.valid_up_to() as u64,
            found: Found::Int(
                self.records::<u8>(section, 0)
                    .get(e.valid_up_to())
                    .map_or(-1, |&b| i64::from(b)),
            ),
            expected: "UTF-8 text",
        })
    }

    fn check_table(&self) -> Result<(), BlobError> {
        let total = self.bytes.len() as u64;
        let mut end = self.first_offset();
        let mut last = None;
        for (row, raw) in self.table.iter().enumerate() {
            let s = info(raw, end);
            let fail = |found: u64, expected| {
                Err(BlobError::Table {
                    row: row as u32,
                    section: s.section,
                    found: Found::Int(found as i64),
                    expected,
                })
            };
            let flags = raw.flags.get();
            if flags & !REQUIRED != 0 {
                return fail(flags.into(), "no flags but bit 0 (required)");
            }
            if last >= Some((s.section, s.class)) {
                return fail(
                    s.section.0.into(),
                    "rows sorted by kind and class, each once",
                );
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
                    return fail(
                        s.class.into(),
                        "agent class 0: this kind is one for the blob",
                    );
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
            return Err(BlobError::Length {
                stated: end,
                found: total,
            });
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
                    return Err(BlobError::MissingSection {
                        section: kind.section,
                        class,
                    });
                }
            }
        }
        Ok(())
    }
}

fn info(raw: &RawSection, offset: u64) -> SectionInfo {
    SectionInfo {
        section: Section(raw.kind.get()),
        class: raw.class.get(),
        required: raw.flags.get() & REQUIRED != 0,
        element_size: raw.element_size.get(),
        offset,
        count: raw.count.get().into(),
    }
}

/// Of all bytes but those of the checksum itself.
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
    let Ok((raw, _)) = RawHeader::ref_from_prefix(bytes) else {
        return Err(BlobError::TooShort { found });
    };
    let (version, min_reader) = (raw.version.get(), raw.min_reader.get());
    if min_reader > VERSION {
        return Err(BlobError::TooNew {
            version,
            min_reader,
        });
    }
    let fail = |field, found, expected| {
        Err(BlobError::Header {
            field,
            found,
            expected,
        })
    };
    let int = |v: u64| Found::Int(v as i64);
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
    if raw.total_len.get() != found as u64 {
        return Err(BlobError::Length {
            stated: raw.total_len.get(),
            found: found as u64,
        });
    }
    if raw.flags.get() != 0 {
        return fail("flags", int(raw.flags.get().into()), "0");
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
    let origin = raw.origin.map(|c| c.get());
    if let Some(&c) = origin.iter().find(|c| !c.is_finite()) {
        return fail("origin", Found::Float(c), "finite metres");
    }
    let scale = raw.scale.get();
    if !(scale.is_finite() && scale > 0.0) {
        return fail("scale", Found::Float(scale), "a finite number above 0");
    }
    Ok(Header {
        version,
        min_reader,
        total_len: raw.total_len.get(),
        checksum: raw.checksum.get(),
        grid: Grid {
            bits: raw.grid_bits,
            origin,
        },
        up,
        scale,
        level_hash: raw.level_hash,
        config_hash: raw.config_hash,
    })
}

fn read_table(bytes: &[u8]) -> Result<&[RawSection], BlobError> {
    let fail = |n: u32| BlobError::Header {
        field: "number of sections",
        found: Found::Int(n.into()),
        expected: "a section table that fits into the file",
    };
    let Ok((raw, rest)) = RawHeader::ref_from_prefix(bytes) else {
        return Err(BlobError::TooShort { found: bytes.len() });
    };
    let n = raw.sections.get();
    usize::try_from(n)
        .ok()
        .and_then(|n| n.checked_mul(ROW_LEN))
        .and_then(|len| rest.get(..len))
        .and_then(|table| <[RawSection]>::ref_from_bytes(table).ok())
        .ok_or_else(|| fail(n))
}

/// A kind of unit that the blob was baked for. Metres and degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agent<'a> {
    /// The name that queries use.
    pub name: &'a str,
    /// Its class: the number of its mesh.
    pub class: u16,
    /// Radius of the upright cylinder, m.
    pub radius: f64,
    /// Height of the cylinder, m.
    pub height: f64,
    /// The highest step it takes, m.
    pub climb: f64,
    /// The steepest ground it walks on, degrees from level.
    pub slope: f64,
}

/// A named point of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker<'a> {
    /// Its name.
    pub name: &'a str,
    /// In y-up metres.
    pub position: [f64; 3],
}

/// A blob of which every record has been checked. Cheap to copy.
#[derive(Clone, Copy)]
pub struct CheckedBlob<'a> {
    blob: Blob<'a>,
}

impl<'a> CheckedBlob<'a> {
    /// The blob.
    pub fn blob(&self) -> Blob<'a> {
        self.blob
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.blob.header
    }

    /// Who it was baked for.
    pub fn agents(&self) -> impl Iterator<Item = Agent<'a>> + use<'a> {
        let blob = self.blob;
        blob.records::<AgentRecord>(Section::AGENTS, 0)
            .iter()
            .map(move |r| Agent {
                name: blob.string(r.name).unwrap_or(""),
                class: r.class.get(),
                radius: r.radius.get(),
                height: r.height.get(),
                climb: r.climb.get(),
                slope: r.slope.get(),
            })
    }

    /// The agent of that name.
    pub fn agent(&self, name: &str) -> Option<Agent<'a>> {
        self.agents().find(|a| a.name == name)
    }

    /// Named points, in the order in which they were written.
    pub fn markers(&self) -> impl Iterator<Item = Marker<'a>> + use<'a> {
        let blob = self.blob;
        blob.records::<MarkerRecord>(Section::MARKERS, 0)
            .iter()
            .map(move |r| Marker {
                name: blob.string(r.name).unwrap_or(""),
                position: r.position.map(|c| c.get()),
            })
    }

    /// What queries may say is closed: a switch's place in this order is its number.
    pub fn switches(&self) -> impl ExactSizeIterator<Item = Switch<'a>> + use<'a> {
        things::switches(self.blob)
    }

    /// The effective config as TOML, without the keys that have their defaults.
    pub fn config(&self) -> &'a str {
        self.blob.text(Section::CONFIG).unwrap_or("")
    }

    /// What the baker says about the bake.
    pub fn summary(&self) -> &'a str {
        self.blob.text(Section::SUMMARY).unwrap_or("")
    }

    /// Number of agent classes, that is of meshes: `decode(0)` to `decode(class_count() - 1)`.
    pub fn class_count(&self) -> u16 {
        self.blob.class_count()
    }

    /// Decodes the navmesh of an agent class once, for all threads; `None` when there is no such
    /// class. O(bytes), and O(n log n) in height points.
    #[cfg(feature = "alloc")]
    pub fn decode(&self, class: u16) -> Option<crate::NavMeshBuf> {
        crate::NavMeshBuf::new(&self.blob, class)
    }

    /// Decodes the navmesh of the agent of that name.
    #[cfg(feature = "alloc")]
    pub fn decode_for(&self, agent: &str) -> Option<crate::NavMeshBuf> {
        self.decode(self.agent(agent)?.class)
    }

    /// The grid map that was baked, when the level was one.
    pub fn grid_map(&self) -> Option<GridMapView<'a>> {
        GridMapView::read(&self.blob).ok().flatten()
    }

    /// Units that turn, in the order in which they were written.
    pub fn vehicles(&self) -> impl Iterator<Item = VehicleView<'a>> + use<'a> {
        let blob = self.blob;
        (0..).map_while(move |number| VehicleView::read(&blob, number))
    }

    /// The unit that turns of that name.
    pub fn vehicle(&self, name: &str) -> Option<VehicleView<'a>> {
        self.vehicles().find(|v| v.name() == name)
    }

    /// The tiles of a navmesh that the unit that turns of that name drives on; `None` where it drives on the grid map.
    pub fn tile_ground(&self, vehicle: &str) -> Option<TileGroundView<'a>> {
        let number = self.vehicles().position(|v| v.name() == vehicle)?;
        TileGroundView::of_vehicle(&self.blob, number)
    }
}
