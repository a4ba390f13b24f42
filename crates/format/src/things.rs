//! Doors, links, and what switches close.

use navbake_grid::{LinkKind, PolyId};

use crate::records::{
    ClosureRecord, DoorRecord, LinkRecord, NO_SWITCH, StringRef, SwitchRecord, text,
};
use crate::{Blob, NavMeshView, Section};

/// Something that a query may say is closed: its number is the bit that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch<'a> {
    /// Its name.
    pub name: &'a str,
    /// Is it closed when the level begins?
    pub closed: bool,
}

/// A portal that is known by name or width, or that a switch closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door<'a> {
    /// The polygon with the lesser number of the two.
    pub polygon: PolyId,
    /// The number of its edge.
    pub edge: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// A polygon that a switch closes: it cannot be entered then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closure {
    /// The polygon.
    pub polygon: PolyId,
    /// The switch.
    pub switch: u16,
}

/// A way from one place to another that does not lead over ground. It leads one way: there is a second link back, or none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<'a> {
    /// The polygon that it begins on.
    pub polygon: PolyId,
    /// The polygon that it ends on.
    pub beyond: PolyId,
    /// Where it begins: x and z, grid units, on its polygon.
    pub from: [i32; 2],
    /// Where it ends.
    pub to: [i32; 2],
    /// What it costs: metres of walking.
    pub cost: f64,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// Who may take it: one bit an agent, in the order of the section `agents`.
    pub agents: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// What one does on it.
    pub kind: LinkKind,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// Doors, closures and links of a mesh.
#[derive(Clone, Copy, Default)]
pub(crate) struct Things<'a> {
    doors: &'a [DoorRecord],
    closures: &'a [ClosureRecord],
    links: &'a [LinkRecord],
    strings: &'a [u8],
}

fn switch(number: u16) -> Option<u16> {
    (number != NO_SWITCH).then_some(number)
}

impl<'a> Things<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> Things<'a> {
        Things {
            doors: blob.records(Section::DOORS, class),
            closures: blob.records(Section::CLOSURES, class),
            links: blob.records(Section::LINKS, class),
            strings: blob.records(Section::STRINGS, 0),
        }
    }

    fn name(&self, at: StringRef) -> &'a str {
        text(self.strings, at).unwrap_or("")
    }

    pub(crate) fn doors(self) -> impl ExactSizeIterator<Item = Door<'a>> + use<'a> {
        self.doors.iter().map(move |r| Door {
            polygon: PolyId(r.polygon.get()),
            edge: r.edge.get().into(),
            switch: switch(r.switch.get()),
            width: r.width.get(),
            name: self.name(r.name),
        })
    }

    pub(crate) fn closures(self) -> impl ExactSizeIterator<Item = Closure> + use<'a> {
        self.closures.iter().map(|r| Closure {
            polygon: PolyId(r.polygon.get()),
            switch: r.switch.get(),
        })
    }

    pub(crate) fn link_count(&self) -> u32 {
        self.links.len() as u32 // checked when the mesh was read
    }

    pub(crate) fn link(&self, number: u32) -> Option<Link<'a>> {
        let r = self.links.get(number as usize)?;
        Some(Link {
            polygon: PolyId(r.polygon.get()),
            beyond: PolyId(r.beyond.get()),
            from: r.from.map(|c| c.get()),
            to: r.to.map(|c| c.get()),
            cost: r.cost.get(),
            width: r.width.get(),
            agents: r.agents.get(),
            switch: switch(r.switch.get()),
            kind: (LinkKind::ALL.get(usize::from(r.kind)).copied()).unwrap_or(LinkKind::Other),
            name: self.name(r.name),
        })
    }

    pub(crate) fn links_of(&self, polygon: PolyId) -> core::ops::Range<u32> {
        let before = |p: u64| {
            let is_before = |r: &LinkRecord| u64::from(r.polygon.get()) < p;
            self.links.partition_point(is_before) as u32
        };
        let p = u64::from(polygon.0);
        before(p)..before(p + 1)
    }
}

impl<'a> NavMeshView<'a> {
    /// Doors, by polygon and edge.
    pub fn doors(&self) -> impl ExactSizeIterator<Item = Door<'a>> + use<'a> {
        self.things().doors()
    }

    /// Polygons that switches close, by polygon.
    pub fn closures(&self) -> impl ExactSizeIterator<Item = Closure> + use<'a> {
        self.things().closures()
    }

    /// Number of links.
    #[inline]
    pub fn link_count(&self) -> u32 {
        self.things().link_count()
    }

    /// A link by its number; `None` when there is none.
    pub fn link(&self, number: u32) -> Option<Link<'a>> {
        self.things().link(number)
    }

    /// The numbers of the links that begin on a polygon: a binary search.
    pub fn links_of(&self, polygon: PolyId) -> core::ops::Range<u32> {
        self.things().links_of(polygon)
    }
}

/// Switches of a blob.
pub(crate) fn switches<'a>(blob: Blob<'a>) -> impl ExactSizeIterator<Item = Switch<'a>> + use<'a> {
    let records = blob.records::<SwitchRecord>(Section::SWITCHES, 0);
    records.iter().map(move |r| Switch {
        name: blob.string(r.name).unwrap_or(""),
        closed: r.closed == 1,
    })
}
