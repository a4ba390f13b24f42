//! Doors, links, and polygons that switches close: `doors`, `closures` and `links`.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ops::Range;

use navbake_grid::{LinkKind, PolyId, orient};
use navbake_navmesh::LinkStart;
#[cfg(feature = "alloc")]
use navbake_navmesh::record::Record;
use navbake_navmesh::record::Records;

#[cfg(feature = "alloc")]
use super::switches::NO_SWITCH;
use super::switches::{SwitchRecord, switch};
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Element, Place};
use crate::strings::{StringRef, text};
use crate::{Blob, Section};

navbake_navmesh::record! {
    /// Section `doors`.
    struct DoorRecord: 20 {
        polygon: u32, edge: u16, switch: u16, width: f32, name: StringRef, reserved: u16,
    }
}
impl DoorRecord {
    /// The record of a door, whose name is added to a string pool.
    #[cfg(feature = "alloc")]
    fn new(door: &Door<'_>, strings: &mut Vec<u8>) -> DoorRecord {
        DoorRecord {
            polygon: door.polygon.0,
            edge: door.edge as u16,
            switch: door.switch.unwrap_or(NO_SWITCH),
            width: door.width,
            name: StringRef::add(door.name, strings),
            reserved: 0,
        }
    }
}
navbake_navmesh::record! {
    /// Section `closures`.
    pub(crate) struct ClosureRecord: 8 {
        pub(crate) polygon: u32, pub(crate) switch: u16, reserved: u16,
    }
}
impl ClosureRecord {
    #[cfg(feature = "alloc")]
    pub(crate) fn new(polygon: u32, switch: u16) -> ClosureRecord {
        ClosureRecord { polygon, switch, reserved: 0 }
    }
}
navbake_navmesh::record! {
    /// Section `links`.
    struct LinkRecord: 50 {
        polygon: u32, beyond: u32, from: [i32; 2], to: [i32; 2], cost: f64, width: f32, agents: u32,
        switch: u16, kind: u8, reserved: u8, name: StringRef,
    }
}

impl LinkRecord {
    /// The record of a link, whose name is added to a string pool.
    #[cfg(feature = "alloc")]
    fn new(link: &Link<'_>, strings: &mut Vec<u8>) -> LinkRecord {
        LinkRecord {
            polygon: link.polygon.0,
            beyond: link.beyond.0,
            from: link.from,
            to: link.to,
            cost: link.cost,
            width: link.width,
            agents: link.agents,
            switch: link.switch.unwrap_or(NO_SWITCH),
            kind: link.kind as u8,
            reserved: 0,
            name: StringRef::add(link.name, strings),
        }
    }
}

/// A portal with a name, a width or a switch.
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

/// An off-mesh link from one place to another. The opposite direction is a link of its own.
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
    /// The cost, in metres of walking.
    pub cost: f64,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// The agents that may take it: one bit each, in the order of the section `agents`.
    pub agents: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// The action of an agent on it.
    pub kind: LinkKind,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// Doors, closures and links of a mesh.
#[doc(hidden)]
#[derive(Clone, Copy, Default)]
pub struct DoorsLinks<'a> {
    doors: Records<'a, DoorRecord>,
    closures: Records<'a, ClosureRecord>,
    links: Records<'a, LinkRecord>,
    strings: &'a [u8],
}

impl<'a> DoorsLinks<'a> {
    pub(crate) fn read(blob: &Blob<'a>, class: u16) -> DoorsLinks<'a> {
        DoorsLinks {
            doors: blob.records(Section::DOORS, class),
            closures: blob.records(Section::CLOSURES, class),
            links: blob.records(Section::LINKS, class),
            strings: blob.raw(Section::STRINGS, 0),
        }
    }

    fn name(&self, at: StringRef) -> &'a str {
        text(self.strings, at).unwrap_or("")
    }

    pub(crate) fn link_count(&self) -> u32 {
        self.links.len() as u32 // checked when the mesh was read
    }
    /// Doors, by polygon and edge.
    pub(crate) fn doors(&self) -> impl ExactSizeIterator<Item = Door<'a>> + use<'a> {
        let all = *self;
        all.doors.iter().map(move |r| Door {
            polygon: PolyId(r.polygon),
            edge: r.edge.into(),
            switch: switch(r.switch),
            width: r.width,
            name: all.name(r.name),
        })
    }

    /// Polygons that switches close, by polygon.
    pub(crate) fn closures(&self) -> impl ExactSizeIterator<Item = Closure> + use<'a> {
        self.closures.iter().map(|r| Closure { polygon: PolyId(r.polygon), switch: r.switch })
    }

    /// A link by its number; `None` when there is none.
    pub(crate) fn link(&self, number: u32) -> Option<Link<'a>> {
        let r = self.links.get(number as usize)?;
        Some(Link {
            polygon: PolyId(r.polygon),
            beyond: PolyId(r.beyond),
            from: r.from,
            to: r.to,
            cost: r.cost,
            width: r.width,
            agents: r.agents,
            switch: switch(r.switch),
            kind: link_kind(r.kind),
            name: self.name(r.name),
        })
    }

    /// A link as the lists of polygons have it. `units` is a metre in grid units.
    pub(crate) fn start(&self, number: u32, units: f64) -> Option<LinkStart> {
        let LinkRecord { polygon, agents, from, to, cost, .. } = self.links.get(number as usize)?;
        Some(LinkStart { number, polygon, agents, from, to, cost: cost * units })
    }

    /// The numbers of the links that begin on a polygon: O(log n).
    pub(crate) fn links_of(&self, polygon: PolyId) -> Range<u32> {
        let links = self.links;
        let before = |p: u64| links.partition_point(|r| u64::from(r.polygon) < p) as u32;
        let p = u64::from(polygon.0);
        before(p)..before(p + 1)
    }
}

/// Doors, closures and links of the chunks of a world that are loaded, in memory.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[derive(Clone, Debug, Default)]
pub struct LoadedDoorsLinks {
    doors: Vec<u8>,
    closures: Vec<u8>,
    links: Vec<u8>,
    strings: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl LoadedDoorsLinks {
    /// Replaces all: doors by polygon and edge, and polygons that switches close, by polygon and
    /// switch. There are no links then.
    pub fn set<'a>(
        &mut self,
        doors: impl Iterator<Item = Door<'a>>,
        closures: impl Iterator<Item = (u32, u16)>,
    ) {
        for list in [&mut self.doors, &mut self.closures, &mut self.links, &mut self.strings] {
            list.clear();
        }
        for door in doors {
            let record = DoorRecord::new(&door, &mut self.strings);
            self.doors.extend_from_slice(&record.to_bytes());
        }
        for (polygon, switch) in closures {
            self.closures.extend_from_slice(&ClosureRecord::new(polygon, switch).to_bytes());
        }
    }

    /// Adds a link behind those that begin on polygons before its own.
    pub fn add_link(&mut self, link: &Link<'_>) {
        self.links.extend_from_slice(&LinkRecord::new(link, &mut self.strings).to_bytes());
    }

    /// A link as the lists of polygons have it. `units` is a metre in grid units.
    pub fn link_start(&self, number: u32, units: f64) -> Option<LinkStart> {
        self.view().start(number, units)
    }

    /// As searches read them.
    pub fn view(&self) -> DoorsLinks<'_> {
        DoorsLinks {
            doors: Records::new(&self.doors).unwrap_or_default(),
            closures: Records::new(&self.closures).unwrap_or_default(),
            links: Records::new(&self.links).unwrap_or_default(),
            strings: &self.strings,
        }
    }
}

/// Doors, closures and links of a mesh are sorted, and at their polygons.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let links = DoorsLinks::read(blob, at.class);
    check_doors(blob, mesh, &links, at)?;
    check_closures(blob, mesh, &links, at)?;
    check_links(blob, mesh, &links, at)
}

const WIDTH: &str = "a width that is finite and not negative";

fn check_doors(
    blob: &Blob<'_>,
    mesh: &NavMeshView<'_>,
    links: &DoorsLinks<'_>,
    at: &Place,
) -> Checked {
    let section = Section::DOORS;
    let mut last = None;
    for (it, r) in at.each(section, links.doors.iter()) {
        let (p, k) = (r.polygon, u32::from(r.edge));
        it.refuse(p >= mesh.polygon_count(), p, "a polygon")?;
        let polygon = mesh.polygon(PolyId(p));
        it.refuse(k >= polygon.len(), k, "an edge of its polygon")?;
        match polygon.neighbour(k) {
            None => return it.fail(k, "an edge with a neighbour: a portal"),
            Some(beyond) if beyond.0 < p => {
                let expected = "the polygon with the lesser number of the portal's two";
                return it.fail(p, expected);
            }
            Some(_) => {}
        }
        it.refuse(last >= Some((p, k)), p, "doors sorted by polygon and edge, each once")?;
        last = Some((p, k));
        it.switch(blob, r.switch)?;
        it.amount(r.width, WIDTH)?;
        it.name(blob, r.name)?;
        it.reserved(r.reserved)?;
    }
    Ok(())
}

fn check_closures(
    blob: &Blob<'_>,
    mesh: &NavMeshView<'_>,
    links: &DoorsLinks<'_>,
    at: &Place,
) -> Checked {
    let section = Section::CLOSURES;
    let switches = blob.records::<SwitchRecord>(Section::SWITCHES, 0).len();
    let mut last = None;
    for (it, r) in at.each(section, links.closures.iter()) {
        let (p, s) = (r.polygon, r.switch);
        it.refuse(p >= mesh.polygon_count(), p, "a polygon")?;
        it.refuse(usize::from(s) >= switches, s, "a switch")?;
        it.refuse(last >= Some((p, s)), p, "closures sorted by polygon and switch, each once")?;
        last = Some((p, s));
        it.reserved(r.reserved)?;
    }
    Ok(())
}

fn check_links(
    blob: &Blob<'_>,
    mesh: &NavMeshView<'_>,
    links: &DoorsLinks<'_>,
    at: &Place,
) -> Checked {
    let section = Section::LINKS;
    let mut last = 0;
    for (it, r) in at.each(section, links.links.iter()) {
        it.refuse(r.polygon < last, r.polygon, "links sorted by the polygon they begin on")?;
        last = r.polygon;
        it.link_end(mesh, r.polygon, r.from)?;
        it.link_end(mesh, r.beyond, r.to)?;
        it.link_terms(r.cost, r.width, r.kind)?;
        it.switch(blob, r.switch)?;
        it.reserved(r.reserved)?;
        it.name(blob, r.name)?;
    }
    Ok(())
}

impl Element {
    /// The end of a link is on its polygon.
    pub(crate) fn link_end(&self, mesh: &NavMeshView<'_>, p: u32, place: [i32; 2]) -> Checked {
        self.refuse(p >= mesh.polygon_count(), p, "a polygon")?;
        self.coordinates(&place)?;
        let polygon = mesh.polygon(PolyId(p));
        let is_left =
            |k: u32| orient(polygon.corner(k), polygon.corner(polygon.next(k)), place) >= 0;
        self.refuse(!(0..polygon.len()).all(is_left), p, "a polygon that holds the link's end")
    }

    /// Cost, width and kind of a link are ones that links have.
    pub(crate) fn link_terms(&self, cost: f64, width: f32, kind: u8) -> Checked {
        self.amount(cost, "a cost that is finite and not negative")?;
        self.amount(width, WIDTH)?;
        self.refuse(usize::from(kind) >= LinkKind::ALL.len(), kind, "a kind from 0 to 7")
    }
}

/// The kind of a link with this number.
pub(crate) fn link_kind(number: u8) -> LinkKind {
    *LinkKind::ALL.get(usize::from(number)).unwrap_or(&LinkKind::Other)
}

#[cfg(feature = "write")]
pub(crate) use encoder::encode;

#[cfg(feature = "write")]
mod encoder {
    use alloc::vec::Vec;

    use super::{ClosureRecord, DoorRecord, LinkRecord, NO_SWITCH};
    use crate::draft::{Draft, Drafts};
    use crate::section::Section;
    use crate::strings::Strings;
    use crate::write::{EncodeError, MeshParts, Places};

    /// Links are put into the order of their polygons, those of one polygon keep their order.
    /// `closed` are the polygons that switches of areas close.
    pub(crate) fn encode(
        parts: &MeshParts<'_>,
        places: &Places,
        closed: impl Iterator<Item = (u32, u16)>,
        class: u16,
        strings: &mut Strings,
        drafts: &mut Drafts<'_>,
    ) -> Result<(), EncodeError> {
        let switch = |s: Option<u16>| s.unwrap_or(NO_SWITCH);
        let mut doors = Vec::with_capacity(parts.doors.len());
        for (i, d) in parts.doors.iter().enumerate() {
            let lost = || EncodeError::index("doors", class, i, d.edge, parts.corners.len());
            // Validation finds walls.
            let edge = places.portal(parts, d.edge).ok_or_else(lost)?;
            let record = DoorRecord {
                polygon: edge.0,
                edge: u16::try_from(edge.1).map_err(|_| lost())?,
                switch: switch(d.switch),
                width: d.width,
                name: strings.add(d.name, "door name")?,
                reserved: 0,
            };
            doors.push((edge, record));
        }
        doors.sort_by_key(|d| d.0);
        let doors = doors.into_iter().map(|d| d.1);
        drafts.push(Draft::optional(Section::DOORS, class, doors));

        let polygon = |what, i: usize, p: u32| {
            let found = places.polygons.get(p as usize).copied();
            found.ok_or_else(|| EncodeError::index(what, class, i, p, places.polygons.len()))
        };
        let mut closures = Vec::with_capacity(parts.closures.len());
        for (i, c) in parts.closures.iter().enumerate() {
            closures.push((polygon("closures", i, c.polygon)?, c.switch));
        }
        closures.sort_unstable();
        let own = closures.len();
        for closure in closed {
            if closures[..own].binary_search(&closure).is_err() {
                closures.push(closure);
            }
        }
        closures.sort_unstable();
        let closures = closures.into_iter().map(|(p, switch)| ClosureRecord::new(p, switch));
        drafts.push(Draft::optional(Section::CLOSURES, class, closures));

        let mut links = Vec::with_capacity(parts.links.len());
        for (i, l) in parts.links.iter().enumerate() {
            links.push(LinkRecord {
                polygon: polygon("links", i, l.from.0)?,
                beyond: polygon("links", i, l.to.0)?,
                from: l.from.1,
                to: l.to.1,
                cost: l.cost,
                width: l.width,
                agents: l.agents,
                switch: switch(l.switch),
                kind: l.kind as u8,
                reserved: 0,
                name: strings.add(l.name, "link name")?,
            });
        }
        links.sort_by_key(|l| l.polygon);
        drafts.push(Draft::optional(Section::LINKS, class, links));
        Ok(())
    }
}
