//! Diagnostics of the baker about the level, for reports: `findings`, `found`, `found-names`.

use navbake_grid::{Grid, Point3};
use navbake_navmesh::record::Record;

use crate::place::{BLOB, Checked};
use crate::strings::{StringRef, text};
use crate::{Blob, CheckedBlob, Section};

/// The class of a record that concerns no agent class.
const NO_CLASS: u16 = u16::MAX;

navbake_navmesh::record! {
    /// Section `findings`: a bit for each kind that was looked for.
    struct FindingsRecord: 8 { looked: u32, left_out: u32 }
}
/// A diagnostic of the section `found`, with a place in grid units. The name is in `found-names`.
#[derive(Clone, Copy)]
struct Found {
    kind: u8,
    class: u16,
    name: StringRef,
    at: [i32; 3],
    value: f32,
    limit: f32,
    count: u32,
}

impl Found {
    /// What the first one is stored relative to.
    const FIRST: Found = Found {
        kind: 0,
        class: NO_CLASS,
        name: StringRef { offset: 0, len: 0 },
        at: [0; 3],
        value: 0.0,
        limit: 0.0,
        count: 0,
    };
}

/// Fields that are stored only where they differ from the record before, by their bits.
mod field {
    pub(super) const KIND: u8 = 1;
    pub(super) const CLASS: u8 = 2;
    pub(super) const NAME: u8 = 4;
    pub(super) const VALUE: u8 = 8;
    pub(super) const LIMIT: u8 = 16;
    pub(super) const COUNT: u8 = 32;
    pub(super) const ALL: u8 = 63;
}

/// Reads the section `found` from its begin to its end, or to the first damaged record.
struct Reader<'a> {
    rest: &'a [u8],
    last: Found,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, last: Found::FIRST }
    }

    /// The next record; none if its bytes are not those of one.
    fn read(&mut self) -> Option<Found> {
        let mut found = self.last;
        let fields: u8 = self.field()?;
        if fields & !field::ALL != 0 {
            return None;
        }
        let has = |field| fields & field != 0;
        if has(field::KIND) {
            found.kind = self.field()?;
        }
        if has(field::CLASS) {
            found.class = self.field()?;
        }
        if has(field::NAME) {
            found.name = self.field()?;
        }
        for c in &mut found.at {
            *c = c.wrapping_add(self.difference()?);
        }
        if has(field::VALUE) {
            found.value = self.field()?;
        }
        if has(field::LIMIT) {
            found.limit = self.field()?;
        }
        if has(field::COUNT) {
            found.count = self.field()?;
        }
        self.last = found;
        Some(found)
    }

    fn field<R: Record>(&mut self) -> Option<R> {
        let (field, rest) = self.rest.split_at_checked(R::SIZE)?;
        self.rest = rest;
        R::chunks(field).first().map(R::from_bytes)
    }

    /// Seven bits a byte, the lowest first; the top bit of each says that more follow. The lowest
    /// bit is the sign.
    fn difference(&mut self) -> Option<i32> {
        let mut all = 0u64;
        for k in 0..5 {
            let byte: u8 = self.field()?;
            all |= u64::from(byte & 127) << (7 * k);
            if byte < 128 {
                let all = u32::try_from(all).ok()?;
                return Some((all >> 1) as i32 ^ -((all & 1) as i32));
            }
        }
        None
    }
}

impl Iterator for Reader<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        self.read()
    }
}

/// The kinds of problems that the baker looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// A triangle without area; `count` of them.
    DegenerateTriangles,
    /// A triangle that exists twice; `count` of them.
    DuplicateTriangles,
    /// An edge that more than two triangles of ground share: `value` triangles.
    NonManifoldEdge,
    /// Two open edges of ground side by side: `value` m apart.
    Crack,
    /// A vertex on an open edge of other ground.
    TJunction,
    /// Two faces of ground at one place: `value` m2.
    OverlappingGround,
    /// Ground of an area that the config does not know; `name` is the area's.
    UnknownArea,
    /// An island smaller than `limit` m2 that was left out: `value` m2.
    SmallIsland,
    /// An island that no seed reaches, which was left out: `value` m2.
    UnseededIsland,
    /// Ground of `value` degrees, with a slope of at most `limit`; `count` is its area in dm2.
    SlopeMargin,
    /// Ground with head room of `value` m, under an agent's height of `limit`; `count` is its area
    /// in dm2.
    HeadRoomMargin,
    /// An end of a link `name`, without ground.
    LinkOffMesh,
    /// A seed without ground.
    SeedOffMesh,
    /// An unprotected border over a drop of more than `limit` m: `value` m at its deepest, 0 where
    /// there is nothing below; `count` is its length in cm.
    Ledge,
    /// A passage that is closed for being `value` m wide, about twice the radius; an agent needs
    /// more than `limit`.
    NarrowPassage,
}

impl DiagnosticKind {
    /// All kinds, by their numbers in the file.
    pub const ALL: [DiagnosticKind; 15] = [
        DiagnosticKind::DegenerateTriangles,
        DiagnosticKind::DuplicateTriangles,
        DiagnosticKind::NonManifoldEdge,
        DiagnosticKind::Crack,
        DiagnosticKind::TJunction,
        DiagnosticKind::OverlappingGround,
        DiagnosticKind::UnknownArea,
        DiagnosticKind::SmallIsland,
        DiagnosticKind::UnseededIsland,
        DiagnosticKind::SlopeMargin,
        DiagnosticKind::HeadRoomMargin,
        DiagnosticKind::LinkOffMesh,
        DiagnosticKind::SeedOffMesh,
        DiagnosticKind::Ledge,
        DiagnosticKind::NarrowPassage,
    ];
}

/// A diagnostic of the baker about the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagnostic<'a> {
    /// The kind of problem.
    pub kind: DiagnosticKind,
    /// The agent class; none where it does not depend on one.
    pub class: Option<u16>,
    /// Where, y-up metres. A blob has the nearest place with whole grid units in 32 bits each.
    pub at: [f64; 3],
    /// The value measured; see [`DiagnosticKind`].
    pub value: f32,
    /// The value that would do.
    pub limit: f32,
    /// How many.
    pub count: u32,
    /// A name, perhaps empty.
    pub name: &'a str,
}

/// Diagnostics of the baker.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    looked: u32,
    left_out: u32,
    found: &'a [u8],
    names: &'a [u8],
    grid: Grid,
}

impl<'a> Findings<'a> {
    /// Whether the baker looked for this kind.
    pub fn looked_for(&self, kind: DiagnosticKind) -> bool {
        let number = DiagnosticKind::ALL.iter().position(|&k| k == kind);
        number.is_some_and(|n| self.looked >> n & 1 == 1)
    }

    /// How many more there were than were written.
    pub fn left_out(&self) -> u32 {
        self.left_out
    }

    /// Diagnostics in the order in which they were written, without kinds that this version does
    /// not know.
    pub fn iter(&self) -> impl Iterator<Item = Diagnostic<'a>> + use<'a> {
        let (names, grid) = (self.names, self.grid);
        Reader::new(self.found).filter_map(move |r| {
            Some(Diagnostic {
                kind: *DiagnosticKind::ALL.get(usize::from(r.kind))?,
                class: (r.class != NO_CLASS).then_some(r.class),
                at: grid.metres(Point3::from(r.at)),
                value: r.value,
                limit: r.limit,
                count: r.count,
                name: text(names, r.name).unwrap_or(""),
            })
        })
    }
}

impl<'a> CheckedBlob<'a> {
    /// Diagnostics of the baker; `None` where the blob has none.
    pub fn findings(&self) -> Option<Findings<'a>> {
        let blob = self.blob();
        let heads = blob.records::<FindingsRecord>(Section::FINDINGS, 0);
        let head = heads.first().filter(|_| heads.len() == 1)?;
        Some(Findings {
            looked: head.looked,
            left_out: head.left_out,
            found: blob.raw(Section::FOUND, 0),
            names: blob.raw(Section::FOUND_NAMES, 0),
            grid: blob.header().grid,
        })
    }
}

/// Diagnostics have a class with a mesh, finite numbers and a name.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    blob.text(Section::FOUND_NAMES)?;
    let heads = blob.records::<FindingsRecord>(Section::FINDINGS, 0);
    let mut records = Reader::new(blob.raw(Section::FOUND, 0));
    let names = blob.raw(Section::FOUND_NAMES, 0);
    let is_there = blob.has(Section::FINDINGS, 0);
    BLOB.refuse(is_there && heads.len() != 1, Section::FINDINGS, 0, heads.len(), "one record")?;
    let expected = "no records: there is no section findings";
    let bytes = records.rest.len();
    BLOB.refuse(!is_there && bytes > 0, Section::FOUND, 0, bytes, expected)?;
    let mut number = 0u64;
    while !records.rest.is_empty() {
        let it = BLOB.element(Section::FOUND, number);
        number += 1;
        let left = records.rest.len();
        let Some(r) = records.read() else {
            return it.fail(left, "the bytes of a whole record");
        };
        let expected = "an agent class with a mesh, or 65535";
        it.refuse(r.class != NO_CLASS && r.class >= blob.class_count(), r.class, expected)?;
        if let Some(v) = [r.value, r.limit].into_iter().find(|v| !v.is_finite()) {
            return it.fail(v, "finite numbers");
        }
        let expected = "a name of whole characters within the section found-names";
        it.refuse(text(names, r.name).is_none(), r.name.offset, expected)?;
    }
    Ok(())
}

#[cfg(feature = "write")]
pub use encoder::FindingsParts;
#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use navbake_grid::Grid;

    use navbake_navmesh::record::Record;

    use super::{Diagnostic, DiagnosticKind, FindingsRecord, Found, NO_CLASS, field};
    use crate::Section;
    use crate::draft::{Draft, Drafts};
    use crate::strings::Strings;
    use crate::write::EncodeError;

    /// The diagnostics of a bake.
    #[derive(Clone, Copy, Debug)]
    pub struct FindingsParts<'a> {
        /// The kinds that were looked for.
        pub looked: &'a [DiagnosticKind],
        /// The diagnostics, in this order.
        pub found: &'a [Diagnostic<'a>],
        /// The number of those not given.
        pub left_out: u32,
    }

    pub(crate) fn encode(
        parts: &FindingsParts<'_>,
        grid: Grid,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let number = |kind| {
            let place = DiagnosticKind::ALL.iter().position(|&k| k == kind);
            place.unwrap_or(0) as u16 // there are few kinds
        };
        let mut names = Strings::default();
        let (mut bytes, mut last) = (Vec::new(), Found::FIRST);
        for f in parts.found {
            let found = Found {
                kind: number(f.kind) as u8,
                class: f.class.unwrap_or(NO_CLASS),
                name: names.add(f.name, "name of a finding")?,
                at: [0, 1, 2].map(|k| grid.length(f.at[k] - grid.origin[k])),
                value: f.value,
                limit: f.limit,
                count: f.count,
            };
            write(&found, &last, &mut bytes);
            last = found;
        }
        let head = FindingsRecord {
            looked: parts.looked.iter().fold(0, |all, &k| all | 1 << number(k)),
            left_out: parts.left_out,
        };
        drafts.push(Draft::optional(Section::FINDINGS, 0, [head]));
        drafts.push(Draft::bytes(Section::FOUND, 0, 1, bytes));
        drafts.push(Draft::optional(Section::FOUND_NAMES, 0, names.pool));
        Ok(())
    }

    /// Writes a record relative to the one before.
    fn write(found: &Found, last: &Found, bytes: &mut Vec<u8>) {
        let at = bytes.len();
        bytes.push(0);
        let mut fields = 0;
        let mut put = |bit: u8, now: &[u8], before: &[u8], bytes: &mut Vec<u8>| {
            if now != before {
                fields |= bit;
                bytes.extend_from_slice(now);
            }
        };
        put(field::KIND, &[found.kind], &[last.kind], bytes);
        put(field::CLASS, &found.class.to_le_bytes(), &last.class.to_le_bytes(), bytes);
        put(field::NAME, found.name.to_bytes().as_ref(), last.name.to_bytes().as_ref(), bytes);
        for (c, before) in found.at.into_iter().zip(last.at) {
            let difference = c.wrapping_sub(before);
            let mut rest = (difference << 1 ^ difference >> 31) as u32;
            while rest > 127 {
                bytes.push(rest as u8 | 128);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        put(field::VALUE, &found.value.to_le_bytes(), &last.value.to_le_bytes(), bytes);
        put(field::LIMIT, &found.limit.to_le_bytes(), &last.limit.to_le_bytes(), bytes);
        put(field::COUNT, &found.count.to_le_bytes(), &last.count.to_le_bytes(), bytes);
        bytes[at] = fields;
    }
}
