//! What the baker noticed about the level, with places: for reports. Games do not look at it.

use crate::records::{FindingRecord, FindingsRecord, text};
use crate::{CheckedBlob, Section};

/// Of a record: it is about no agent class.
pub(crate) const NO_CLASS: u16 = u16::MAX;

/// What the baker looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NoticedKind {
    /// A triangle without area; `count` of them.
    DegenerateTriangles,
    /// A triangle that stands twice; `count` of them.
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
    /// Ground with head room of `value` m, under an agent's height of `limit`; `count` is its area in dm2.
    HeadRoomMargin,
    /// An end of a link `name`, without ground.
    LinkOffMesh,
    /// A seed without ground.
    SeedOffMesh,
    /// A border over a drop of more than `limit` m with nothing in the way: `value` m at its deepest, 0 where nothing lies below; `count` is its length in cm.
    Ledge,
}

impl NoticedKind {
    /// All kinds, by their numbers in the file.
    pub const ALL: [NoticedKind; 14] = [
        NoticedKind::DegenerateTriangles,
        NoticedKind::DuplicateTriangles,
        NoticedKind::NonManifoldEdge,
        NoticedKind::Crack,
        NoticedKind::TJunction,
        NoticedKind::OverlappingGround,
        NoticedKind::UnknownArea,
        NoticedKind::SmallIsland,
        NoticedKind::UnseededIsland,
        NoticedKind::SlopeMargin,
        NoticedKind::HeadRoomMargin,
        NoticedKind::LinkOffMesh,
        NoticedKind::SeedOffMesh,
        NoticedKind::Ledge,
    ];
}

/// Something that the baker noticed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noticed<'a> {
    /// What.
    pub kind: NoticedKind,
    /// For which agent class; none where it does not depend on one.
    pub class: Option<u16>,
    /// Where, y-up metres.
    pub at: [f64; 3],
    /// How much; see [`NoticedKind`].
    pub value: f32,
    /// How much would do.
    pub limit: f32,
    /// How many.
    pub count: u32,
    /// A name, perhaps empty.
    pub name: &'a str,
}

/// What the baker noticed.
#[derive(Clone, Copy)]
pub struct Findings<'a> {
    looked: u32,
    left_out: u32,
    records: &'a [FindingRecord],
    names: &'a [u8],
}

impl<'a> Findings<'a> {
    /// Did the baker look for this kind?
    pub fn looked_for(&self, kind: NoticedKind) -> bool {
        let number = NoticedKind::ALL.iter().position(|&k| k == kind);
        number.is_some_and(|n| self.looked >> n & 1 == 1)
    }

    /// How many more there were than were written down.
    pub fn left_out(&self) -> u32 {
        self.left_out
    }

    /// What was noticed, in the order in which it was written. Kinds that this version does not know are left out.
    pub fn iter(&self) -> impl Iterator<Item = Noticed<'a>> + use<'a> {
        let names = self.names;
        self.records.iter().filter_map(move |r| {
            let class = r.class.get();
            Some(Noticed {
                kind: *NoticedKind::ALL.get(usize::from(r.kind.get()))?,
                class: (class != NO_CLASS).then_some(class),
                at: r.at.map(|c| c.get()),
                value: r.value.get(),
                limit: r.limit.get(),
                count: r.count.get(),
                name: text(names, r.name).unwrap_or(""),
            })
        })
    }
}

impl<'a> CheckedBlob<'a> {
    /// What the baker noticed; `None` where the blob does not say.
    pub fn findings(&self) -> Option<Findings<'a>> {
        let blob = self.blob();
        let [head] = blob.records::<FindingsRecord>(Section::FINDINGS, 0) else {
            return None;
        };
        Some(Findings {
            looked: head.looked.get(),
            left_out: head.left_out.get(),
            records: blob.records(Section::FOUND, 0),
            names: blob.records(Section::FOUND_NAMES, 0),
        })
    }
}
