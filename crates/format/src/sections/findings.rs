//! Diagnostics of the baker about the level, for reports: `findings`, `found`, `found-names`.

use navbake_grid::{Grid, Point3};
use navbake_navmesh::record::Records;

use crate::place::{BLOB, Checked};
use crate::strings::{StringRef, text};
use crate::{Blob, CheckedBlob, Section};

/// The class of a record that concerns no agent class.
const NO_CLASS: u16 = u16::MAX;

navbake_navmesh::record! {
    /// Section `findings`: a bit for each kind that was looked for.
    struct FindingsRecord: 8 { looked: u32, left_out: u32 }
}
navbake_navmesh::record! {
    /// Section `found`, with a place in grid units. The name is in `found-names`.
    struct FoundRecord: 36 {
        kind: u16, class: u16, name: StringRef, reserved: u16, at: [i32; 3], value: f32, limit: f32,
        count: u32,
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
    records: Records<'a, FoundRecord>,
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
        self.records.iter().filter_map(move |r| {
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
            records: blob.records(Section::FOUND, 0),
            names: blob.raw(Section::FOUND_NAMES, 0),
            grid: blob.header().grid,
        })
    }
}

/// Diagnostics have a class with a mesh, finite numbers and a name.
pub(crate) fn check(blob: &Blob<'_>) -> Checked {
    blob.text(Section::FOUND_NAMES)?;
    let heads = blob.records::<FindingsRecord>(Section::FINDINGS, 0);
    let records = blob.records::<FoundRecord>(Section::FOUND, 0);
    let names = blob.raw(Section::FOUND_NAMES, 0);
    let is_there = blob.has(Section::FINDINGS, 0);
    BLOB.refuse(is_there && heads.len() != 1, Section::FINDINGS, 0, heads.len(), "one record")?;
    let expected = "no records: there is no section findings";
    BLOB.refuse(!is_there && !records.is_empty(), Section::FOUND, 0, records.len(), expected)?;
    let section = Section::FOUND;
    for (it, r) in BLOB.each(section, records.iter()) {
        let expected = "an agent class with a mesh, or 65535";
        it.refuse(r.class != NO_CLASS && r.class >= blob.class_count(), r.class, expected)?;
        it.reserved(r.reserved)?;
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

    use super::{Diagnostic, DiagnosticKind, FindingsRecord, FoundRecord, NO_CLASS};
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
        let mut records = Vec::with_capacity(parts.found.len());
        for f in parts.found {
            records.push(FoundRecord {
                kind: number(f.kind),
                class: f.class.unwrap_or(NO_CLASS),
                name: names.add(f.name, "name of a finding")?,
                reserved: 0,
                at: [0, 1, 2].map(|k| grid.length(f.at[k] - grid.origin[k])),
                value: f.value,
                limit: f.limit,
                count: f.count,
            });
        }
        let head = FindingsRecord {
            looked: parts.looked.iter().fold(0, |all, &k| all | 1 << number(k)),
            left_out: parts.left_out,
        };
        drafts.push(Draft::optional(Section::FINDINGS, 0, [head]));
        drafts.push(Draft::optional(Section::FOUND, 0, records));
        drafts.push(Draft::optional(Section::FOUND_NAMES, 0, names.pool));
        Ok(())
    }
}
