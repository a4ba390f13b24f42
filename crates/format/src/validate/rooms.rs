//! What must hold of rooms and their doors.

use navbake_grid::{NONE, PolyId, RoomId};

use super::districts::districts;
use super::{Checked, Place};
use crate::exact::LIMIT;
use crate::records::{RoomDoorRecord, RoomPortalRecord, RoomRecord, StringRef};
use crate::rooms::{BRIDGE, CHOKE, DEAD_END, DIVIDE, Rooms, smallest};
use crate::{Blob, Found, NavMeshView, Section};
use zerocopy::little_endian::{F32, U32};

/// The rooms of a mesh; its portals have been checked.
pub(super) fn rooms(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let class = at.class;
    let all = [
        Section::ROOMS,
        Section::ROOM_DOORS,
        Section::ROOM_PORTALS,
        Section::DOORS_OF_ROOMS,
        Section::ROOM_WAYS,
        Section::WIDER_ROOMS,
        Section::DOOR_STOPS,
        Section::DISTRICT_OF,
        Section::DISTRICTS,
        Section::DOORS_OF_DISTRICTS,
        Section::DISTRICT_WAYS,
        Section::LIKE_ROOMS,
        Section::LINK_WAYS,
    ];
    let Some(rooms) = Rooms::read(blob, class) else {
        return match all.into_iter().find(|&s| blob.section(s, class).is_some()) {
            Some(section) => at.int(section, 0, 0, "nothing without the section room-of"),
            None => Ok(()),
        };
    };
    let records: &[RoomRecord] = blob.records(Section::ROOMS, class);
    if rooms.polygons() != mesh.polygon_count() as usize {
        let found = Found::Int(rooms.polygons() as i64);
        return at.fail(Section::ROOM_OF, 0, found, "a room for each polygon");
    }
    // Rooms are numbered by their first polygon, so that each has one.
    let mut seen = 0;
    for p in 0..mesh.polygon_count() {
        let room = rooms.of(PolyId(p)).0;
        if room > seen || room >= rooms.count() {
            return at.int(
                Section::ROOM_OF,
                p,
                room,
                "rooms numbered by their first polygon",
            );
        }
        seen += u32::from(room == seen);
    }
    if seen != rooms.count() {
        return at.int(Section::ROOMS, seen, seen, "a polygon in each room");
    }
    for (i, r) in (0u32..).zip(records) {
        name(blob, at, Section::ROOMS, i, r.name)?;
        if r.flags.get() & !(DEAD_END | CHOKE) != 0 {
            return at.int(
                Section::ROOMS,
                i,
                r.flags.get(),
                "no flags but bits 0 and 1",
            );
        }
        if r.reserved.get() != 0 {
            return at.int(
                Section::ROOMS,
                i,
                r.reserved.get(),
                "0 in the reserved bytes",
            );
        }
        places(at, Section::ROOMS, i, &r.at.map(|c| c.get()))?;
        amount(at, Section::ROOMS, i, r.area.get())?;
    }
    doors(blob, mesh, &rooms, at)?;
    lists(blob, &rooms, at)?;
    likes(blob, &rooms, at)?;
    let links: &[F32] = blob.records(Section::LINK_WAYS, class);
    if !links.is_empty() && (mesh.link_count() == 0 || !rooms.has_ways()) {
        let expected = "nothing without links and the section district-of";
        return at.int(Section::LINK_WAYS, 0, links.len() as i64, expected);
    }
    for (i, w) in (0u32..).zip(links) {
        amount(at, Section::LINK_WAYS, i, w.get())?;
    }
    districts(mesh, &rooms, at)
}

/// Doors, by their rooms; every portal between two rooms belongs to one.
fn doors(blob: &Blob<'_>, mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let records: &[RoomDoorRecord] = blob.records(Section::ROOM_DOORS, at.class);
    let portals: &[RoomPortalRecord] = blob.records(Section::ROOM_PORTALS, at.class);
    let mut last = [0, 0];
    let mut first = 0;
    for (i, r) in (0u32..).zip(records) {
        let section = Section::ROOM_DOORS;
        let pair = r.rooms.map(|r| r.get());
        if pair[0] >= pair[1] || pair[1] >= rooms.count() {
            return at.int(section, i, pair[1], "two rooms, the lesser number first");
        }
        if pair < last {
            return at.int(section, i, pair[0], "doors sorted by their rooms");
        }
        last = pair;
        name(blob, at, section, i, r.name)?;
        if r.flags.get() & !(BRIDGE | DIVIDE) != 0 {
            return at.int(section, i, r.flags.get(), "no flags but bits 0 and 1");
        }
        places(
            at,
            section,
            i,
            r.ends.map(|e| e.map(|c| c.get())).as_flattened(),
        )?;
        amount(at, section, i, r.width.get())?;
        if r.first_portal.get() != first {
            return at.int(
                section,
                i,
                r.first_portal.get(),
                "where the portals of the door before end",
            );
        }
        let end = records.get(i as usize + 1).map(|r| r.first_portal.get());
        let end = end.unwrap_or(portals.len() as u32); // a section has fewer than 2^32 records
        if end <= first || end as usize > portals.len() {
            return at.int(section, i, end, "a portal for each door");
        }
        first = end;
        let mut before = None;
        for (p, k) in rooms.portals(i) {
            if before >= Some((p, k)) {
                return at.int(
                    section,
                    i,
                    p.0,
                    "portals of a door sorted by polygon and edge",
                );
            }
            before = Some((p, k));
            if p.0 >= mesh.polygon_count() {
                return at.int(section, i, p.0, "a polygon");
            }
            let polygon = mesh.polygon(p);
            let beyond = (k < polygon.len()).then(|| polygon.neighbour(k)).flatten();
            let Some(beyond) = beyond.filter(|&q| p < q) else {
                return at.int(
                    section,
                    i,
                    k,
                    "a portal, told by the lesser of its polygons",
                );
            };
            let mut own = [rooms.of(p).0, rooms.of(beyond).0];
            own.sort_unstable();
            if own != pair {
                return at.int(section, i, p.0, "portals between the door's two rooms");
            }
        }
    }
    if let Some(r) = portals.iter().find(|r| r.reserved.get() != 0) {
        return at.int(
            Section::ROOM_PORTALS,
            0,
            r.reserved.get(),
            "0 in the reserved bytes",
        );
    }
    let mut between = 0;
    for p in 0..mesh.polygon_count() {
        let polygon = mesh.polygon(PolyId(p));
        let is_between = |q: &PolyId| q.0 > p && rooms.of(*q) != rooms.of(PolyId(p));
        between += (0..polygon.len())
            .filter_map(|k| polygon.neighbour(k))
            .filter(is_between)
            .count();
    }
    if between != portals.len() {
        let found = Found::Int(portals.len() as i64);
        return at.fail(
            Section::ROOM_PORTALS,
            0,
            found,
            "every portal between two rooms",
        );
    }
    Ok(())
}

/// Numbers of rooms and doors of the smallest class.
fn likes(blob: &Blob<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let section = Section::LIKE_ROOMS;
    let likes = rooms.likes();
    if likes.is_empty() {
        return Ok(());
    }
    let count = rooms.count() as usize;
    if likes.len() != count.saturating_add(rooms.door_count() as usize) {
        let found = Found::Int(likes.len() as i64);
        return at.fail(section, 0, found, "a number for each room and each door");
    }
    let smallest = smallest(blob).and_then(|class| Rooms::read(blob, class));
    let limits = smallest.map_or([0; 2], |s| [s.count(), s.door_count()]);
    let fits = |(i, like): &(u32, &U32)| {
        let limit = limits[usize::from(*i as usize >= count)];
        like.get() == NONE || like.get() < limit
    };
    match (0u32..).zip(likes).find(|like| !fits(like)) {
        Some((i, like)) => at.int(
            section,
            i,
            like.get(),
            "a room or door of the class without this section, or all bits set",
        ),
        None => Ok(()),
    }
}

/// The doors of each room, the ways between them, and wider rooms.
fn lists(blob: &Blob<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let doors_of: &[U32] = blob.records(Section::DOORS_OF_ROOMS, at.class);
    let ways: &[F32] = blob.records(Section::ROOM_WAYS, at.class);
    let wider: &[U32] = blob.records(Section::WIDER_ROOMS, at.class);
    let (mut door, mut way) = (0usize, 0usize);
    for i in 0..rooms.count() {
        let section = Section::ROOMS;
        if rooms.doors_from(i as usize) != (door, way) {
            return at.int(
                section,
                i,
                door as i64,
                "where the doors and ways of the room before end",
            );
        }
        let end = rooms.doors_from(i as usize + 1).0;
        if end < door || end > doors_of.len() {
            return at.int(
                section,
                i,
                end as i64,
                "doors in the section doors-of-rooms",
            );
        }
        let mut before = None;
        for d in rooms.doors_of(RoomId(i)) {
            let own = rooms.door(d).and_then(|d| d.beyond(RoomId(i)));
            if own.is_none() || before >= Some(d) {
                return at.int(Section::DOORS_OF_ROOMS, i, d, "the room's doors, rising");
            }
            before = Some(d);
        }
        if !ways.is_empty() {
            way = (end - door)
                .checked_mul((end - door).saturating_sub(1))
                .map_or(usize::MAX, |n| way.saturating_add(n / 2));
        }
        door = end;
    }
    if Some(doors_of.len()) != (rooms.door_count() as usize).checked_mul(2)
        || door != doors_of.len()
    {
        return at.int(Section::DOORS_OF_ROOMS, 0, door as i64, "each door twice");
    }
    if way != rooms.way_count() {
        return at.int(
            Section::ROOM_WAYS,
            0,
            way as i64,
            "a way for each two doors of a room",
        );
    }
    for (i, w) in (0u32..).zip(ways) {
        amount(at, Section::ROOM_WAYS, i, w.get())?;
    }
    let count = rooms.count();
    if count > 0 && !wider.len().is_multiple_of(count as usize) {
        let found = Found::Int(wider.len() as i64);
        return at.fail(
            Section::WIDER_ROOMS,
            0,
            found,
            "a number for each room, level by level",
        );
    }
    match (0u32..).zip(wider).find(|(_, w)| w.get() >= count) {
        Some((i, w)) => at.int(
            Section::WIDER_ROOMS,
            i,
            w.get(),
            "less than the number of rooms",
        ),
        None => Ok(()),
    }
}

fn name(blob: &Blob<'_>, at: &Place, section: Section, i: u32, name: StringRef) -> Checked {
    match blob.string(name) {
        Some(_) => Ok(()),
        None => at.int(
            section,
            i,
            name.offset.get(),
            "a name of whole characters within the section strings",
        ),
    }
}

fn places(at: &Place, section: Section, i: u32, coordinates: &[i32]) -> Checked {
    match coordinates
        .iter()
        .find(|c| c.unsigned_abs() >= LIMIT as u32)
    {
        Some(&c) => at.int(section, i, c, "coordinates strictly between -2^25 and 2^25"),
        None => Ok(()),
    }
}

pub(super) fn amount(at: &Place, section: Section, i: u32, v: f32) -> Checked {
    if v.is_finite() && v >= 0.0 {
        return Ok(());
    }
    at.fail(
        section,
        i.into(),
        Found::Float(v.into()),
        "a number that is finite and not negative",
    )
}
