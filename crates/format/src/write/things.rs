//! Switches, doors, closures and links to their sections.

use alloc::vec::Vec;

use navbake_grid::NONE;
use zerocopy::little_endian::{F32, F64, I32, U16, U32};

use super::{AreaParts, Draft, EncodeError, MeshParts, Strings, areas};
use crate::records::{ClosureRecord, DoorRecord, LinkRecord, NO_SWITCH, SwitchRecord};
use crate::{LinkKind, Section};

/// Something that queries may say is closed.
#[derive(Clone, Copy, Debug)]
pub struct SwitchParts<'a> {
    /// Its name.
    pub name: &'a str,
    /// Is it closed when the level begins?
    pub closed: bool,
}

/// A portal with a name, a width or a switch.
#[derive(Clone, Copy, Debug)]
pub struct DoorParts<'a> {
    /// One of its two edges, an index into [`MeshParts::corners`].
    pub edge: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// A polygon that a switch closes.
#[derive(Clone, Copy, Debug)]
pub struct ClosureParts {
    /// The polygon.
    pub polygon: u32,
    /// The switch.
    pub switch: u16,
}

/// A way that does not lead over ground, from `from` to `to` and not back.
#[derive(Clone, Copy, Debug)]
pub struct LinkParts<'a> {
    /// The polygon that it begins on, and where: x and z, grid units.
    pub from: (u32, [i32; 2]),
    /// The polygon that it ends on, and where.
    pub to: (u32, [i32; 2]),
    /// What it costs: metres of walking.
    pub cost: f64,
    /// Clear width, m; 0 when it is not known.
    pub width: f32,
    /// Who may take it: one bit an agent.
    pub agents: u32,
    /// The switch that closes it.
    pub switch: Option<u16>,
    /// What one does on it.
    pub kind: LinkKind,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// Where polygons and edges of a caller's mesh are stored.
pub(super) struct Places {
    /// For each of the caller's polygons its number.
    pub(super) polygons: Vec<u32>,
    /// For each of the caller's edges: its polygon's number, and its own in there.
    pub(super) edges: Vec<(u32, u32)>,
}

pub(super) fn switches(
    parts: &[SwitchParts<'_>],
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let mut records = Vec::with_capacity(parts.len());
    for s in parts {
        records.push(SwitchRecord {
            name: strings.add(s.name, "switch name")?,
            closed: u8::from(s.closed),
            reserved: 0,
        });
    }
    push(Section::SWITCHES, 0, &records, drafts);
    Ok(())
}

/// Doors, closures and links of a mesh; links in the order of their polygons, of one polygon in the caller's.
pub(super) fn of_mesh(
    parts: &MeshParts<'_>,
    places: &Places,
    areas: &[AreaParts<'_>],
    class: u16,
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let index = |what, at: usize, found: u32, limit: usize| EncodeError::Index {
        what,
        class,
        at: at as u64,
        found,
        limit: limit as u64,
    };
    let switch = |s: Option<u16>| U16::new(s.unwrap_or(NO_SWITCH));
    let mut doors = Vec::with_capacity(parts.doors.len());
    for (i, d) in parts.doors.iter().enumerate() {
        let lost = || index("doors", i, d.edge, parts.corners.len());
        let mut edge = *places.edges.get(d.edge as usize).ok_or_else(lost)?;
        // Told on the side of the polygon with the lesser number; the check of the blob finds walls.
        if let Some(other) = other_side(parts, d.edge) {
            edge = edge.min(places.edges[other as usize]);
        }
        let record = DoorRecord {
            polygon: U32::new(edge.0),
            edge: U16::new(u16::try_from(edge.1).map_err(|_| lost())?),
            switch: switch(d.switch),
            width: F32::new(d.width),
            name: strings.add(d.name, "door name")?,
            reserved: U16::new(0),
        };
        doors.push((edge, record));
    }
    doors.sort_by_key(|d| d.0);
    let doors: Vec<DoorRecord> = doors.into_iter().map(|d| d.1).collect();
    push(Section::DOORS, class, &doors, drafts);

    let polygon = |what, i: usize, p: u32| {
        let found = places.polygons.get(p as usize).copied();
        found.ok_or_else(|| index(what, i, p, places.polygons.len()))
    };
    let mut closures = Vec::with_capacity(parts.closures.len());
    for (i, c) in parts.closures.iter().enumerate() {
        closures.push((polygon("closures", i, c.polygon)?, c.switch));
    }
    closures.sort_unstable();
    let own = closures.len();
    for closure in areas::closures(areas, parts, places) {
        if closures[..own].binary_search(&closure).is_err() {
            closures.push(closure);
        }
    }
    closures.sort_unstable();
    let record = |&(polygon, switch): &(u32, u16)| ClosureRecord {
        polygon: U32::new(polygon),
        switch: U16::new(switch),
        reserved: U16::new(0),
    };
    let closures: Vec<ClosureRecord> = closures.iter().map(record).collect();
    push(Section::CLOSURES, class, &closures, drafts);

    let mut links = Vec::with_capacity(parts.links.len());
    for (i, l) in parts.links.iter().enumerate() {
        let from = polygon("links", i, l.from.0)?;
        let record = LinkRecord {
            polygon: U32::new(from),
            beyond: U32::new(polygon("links", i, l.to.0)?),
            from: l.from.1.map(I32::new),
            to: l.to.1.map(I32::new),
            cost: F64::new(l.cost),
            width: F32::new(l.width),
            agents: U32::new(l.agents),
            switch: switch(l.switch),
            kind: l.kind as u8,
            reserved: 0,
            name: strings.add(l.name, "link name")?,
        };
        links.push((from, record));
    }
    links.sort_by_key(|l| l.0);
    let links: Vec<LinkRecord> = links.into_iter().map(|l| l.1).collect();
    push(Section::LINKS, class, &links, drafts);
    Ok(())
}

/// The edge of the neighbour that leads back through a portal.
pub(super) fn other_side(parts: &MeshParts<'_>, edge: u32) -> Option<u32> {
    let at = |e: u32| {
        let [x, _, z] = parts.vertices[parts.corners[e as usize] as usize];
        [x, z]
    };
    let polygon = parts.first_edge.partition_point(|&first| first <= edge) - 1;
    let edges = |p: usize| parts.first_edge[p]..parts.first_edge[p + 1];
    let end = |e: u32, p: usize| {
        let next = e + 1;
        if next < parts.first_edge[p + 1] {
            next
        } else {
            parts.first_edge[p]
        }
    };
    let beyond = parts.neighbours[edge as usize];
    if beyond == NONE {
        return None;
    }
    let (from, to) = (at(edge), at(end(edge, polygon)));
    let beyond = beyond as usize;
    edges(beyond).find(|&e| at(e) == to && at(end(e, beyond)) == from)
}

/// Nothing is written where there is nothing: these sections are optional. A reader that does not know them finds everything open, and no links.
pub(super) fn push<T: zerocopy::IntoBytes + zerocopy::Immutable>(
    section: Section,
    class: u16,
    records: &[T],
    drafts: &mut Vec<Draft>,
) {
    if !records.is_empty() {
        drafts.push(Draft {
            required: false,
            ..Draft::of(section, class, records)
        });
    }
}
