//! Checks of rooms and their doors.

use navbake_grid::{NONE, PolyId, RoomId};

use super::super::clusters;
use super::{BRIDGE, CHOKE, DEAD_END, DIVIDE, Rooms, smallest};
use crate::packed_mesh::NavMeshView;
use crate::place::{Checked, Place};
use crate::{Blob, Section};

/// The rooms of a mesh, whose portals have been checked.
pub(crate) fn check(blob: &Blob<'_>, mesh: &NavMeshView<'_>, at: &Place) -> Checked {
    let all = [
        Section::ROOMS,
        Section::ROOM_DOORS,
        Section::ROOM_PORTALS,
        Section::DOORS_OF_ROOMS,
        Section::ROOM_WAYS,
        Section::WIDER_ROOMS,
        Section::DOOR_STOPS,
        Section::CLUSTER_OF,
        Section::CLUSTERS,
        Section::DOORS_OF_CLUSTERS,
        Section::CLUSTER_WAYS,
        Section::LIKE_ROOMS,
        Section::LINK_WAYS,
    ];
    let Some(rooms) = Rooms::read(blob, at.class) else {
        let alone = (all.into_iter()).find(|&s| blob.section(s, at.class).is_some());
        return match alone {
            Some(section) => at.fail(section, 0, 0, "nothing without the section room-of"),
            None => Ok(()),
        };
    };
    let section = Section::ROOM_OF;
    if rooms.polygons() != mesh.polygon_count() as usize {
        return at.fail(section, 0, rooms.polygons(), "a room for each polygon");
    }
    // Rooms are numbered by their first polygon, so that each has one.
    let mut seen = 0;
    for p in 0..mesh.polygon_count() {
        let room = rooms.of(PolyId(p)).0;
        if room > seen || room >= rooms.count() {
            let expected = "rooms numbered by their first polygon";
            return at.fail(section, p, room, expected);
        }
        seen += u32::from(room == seen);
    }
    let section = Section::ROOMS;
    if seen != rooms.count() {
        return at.fail(section, seen, seen, "a polygon in each room");
    }
    for (i, r) in (0u32..).zip(rooms.rooms.iter()) {
        at.name(blob, section, i, r.name)?;
        if r.flags & !(DEAD_END | CHOKE) != 0 {
            return at.fail(section, i, r.flags, "no flags but bits 0 and 1");
        }
        at.reserved(section, i, r.reserved)?;
        at.coordinates(section, i, &r.at)?;
        at.amount(section, i, r.area, "a number that is finite and not negative")?;
    }
    doors(blob, mesh, &rooms, at)?;
    lists(&rooms, at)?;
    likes(blob, &rooms, at)?;
    let (section, links) = (Section::LINK_WAYS, rooms.link_distances);
    if !links.is_empty()
        && (blob.section(Section::LINKS, at.class).is_none_or(|(info, _)| info.count == 0)
            || !rooms.has_ways())
    {
        let expected = "nothing without links and the section cluster-of";
        return at.fail(section, 0, links.len(), expected);
    }
    at.distances(section, links)?;
    clusters::check(mesh, &rooms, at)
}

/// Doors, by their rooms; every portal between two rooms belongs to one.
fn doors(blob: &Blob<'_>, mesh: &NavMeshView<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let (records, portals) = (rooms.doors, rooms.portals);
    let section = Section::ROOM_DOORS;
    let (mut last, mut first) = ([0, 0], 0);
    for (i, r) in (0u32..).zip(records.iter()) {
        let pair = r.rooms;
        if pair[0] >= pair[1] || pair[1] >= rooms.count() {
            return at.fail(section, i, pair[1], "two rooms, the lesser number first");
        }
        if pair < last {
            return at.fail(section, i, pair[0], "doors sorted by their rooms");
        }
        last = pair;
        at.name(blob, section, i, r.name)?;
        if r.flags & !(BRIDGE | DIVIDE) != 0 {
            return at.fail(section, i, r.flags, "no flags but bits 0 and 1");
        }
        at.coordinates(section, i, [r.first_end, r.second_end].as_flattened())?;
        at.amount(section, i, r.width, "a number that is finite and not negative")?;
        if r.first_portal != first {
            let expected = "where the portals of the door before end";
            return at.fail(section, i, r.first_portal, expected);
        }
        let end = records.get(i as usize + 1).map(|r| r.first_portal);
        let end = end.unwrap_or(portals.len() as u32); // a section has fewer than 2^32 records
        if end <= first || end as usize > portals.len() {
            return at.fail(section, i, end, "a portal for each door");
        }
        first = end;
        let mut before = None;
        for (p, k) in rooms.portals(i) {
            if before >= Some((p, k)) {
                let expected = "portals of a door sorted by polygon and edge";
                return at.fail(section, i, p.0, expected);
            }
            before = Some((p, k));
            if p.0 >= mesh.polygon_count() {
                return at.fail(section, i, p.0, "a polygon");
            }
            let polygon = mesh.polygon(p);
            let beyond = (k < polygon.len()).then(|| polygon.neighbour(k)).flatten();
            let Some(beyond) = beyond.filter(|&q| p < q) else {
                let expected = "a portal, told by the lesser of its polygons";
                return at.fail(section, i, k, expected);
            };
            let mut own = [rooms.of(p).0, rooms.of(beyond).0];
            own.sort_unstable();
            if own != pair {
                return at.fail(section, i, p.0, "portals between the door's two rooms");
            }
        }
    }
    let section = Section::ROOM_PORTALS;
    for r in portals.iter() {
        at.reserved(section, 0, r.reserved)?;
    }
    let mut between = 0;
    for p in 0..mesh.polygon_count() {
        let polygon = mesh.polygon(PolyId(p));
        let is_between = |q: &PolyId| q.0 > p && rooms.of(*q) != rooms.of(PolyId(p));
        let neighbours = (0..polygon.len()).filter_map(|k| polygon.neighbour(k));
        between += neighbours.filter(is_between).count();
    }
    if between != portals.len() {
        let expected = "every portal between two rooms";
        return at.fail(section, 0, portals.len(), expected);
    }
    Ok(())
}

/// Numbers of rooms and doors of the smallest class.
fn likes(blob: &Blob<'_>, rooms: &Rooms<'_>, at: &Place) -> Checked {
    let (section, likes) = (Section::LIKE_ROOMS, rooms.like);
    if likes.is_empty() {
        return Ok(());
    }
    let count = rooms.count() as usize;
    if likes.len() != count.saturating_add(rooms.door_count() as usize) {
        let expected = "a number for each room and each door";
        return at.fail(section, 0, likes.len(), expected);
    }
    let smallest = smallest(blob).and_then(|class| Rooms::read(blob, class));
    let limits = smallest.map_or([0; 2], |s| [s.count(), s.door_count()]);
    for (i, like) in likes.iter().enumerate() {
        if like != NONE && like >= limits[usize::from(i >= count)] {
            let expected = "a room or door of the class without this section, or all bits set";
            return at.fail(section, i, like, expected);
        }
    }
    Ok(())
}

/// The doors of each room, the distances between them, and wider rooms.
fn lists(rooms: &Rooms<'_>, at: &Place) -> Checked {
    let section = Section::ROOMS;
    let (doors_of, distances) = (rooms.doors_of, rooms.distances);
    let (mut door, mut distance) = (0usize, 0usize);
    for i in 0..rooms.count() {
        if rooms.lists(i as usize) != (door, distance) {
            let expected = "where the doors and ways of the room before end";
            return at.fail(section, i, door, expected);
        }
        let end = rooms.lists(i as usize + 1).0;
        if end < door || end > doors_of.len() {
            return at.fail(section, i, end, "doors in the section doors-of-rooms");
        }
        let mut before = None;
        for d in rooms.doors_of(RoomId(i)) {
            let own = rooms.door(d).and_then(|d| d.beyond(RoomId(i)));
            if own.is_none() || before >= Some(d) {
                return at.fail(Section::DOORS_OF_ROOMS, i, d, "the room's doors, rising");
            }
            before = Some(d);
        }
        if !distances.is_empty() {
            distance = (end - door)
                .checked_mul((end - door).saturating_sub(1))
                .map_or(usize::MAX, |n| distance.saturating_add(n / 2));
        }
        door = end;
    }
    let twice = (rooms.door_count() as usize).checked_mul(2);
    if Some(doors_of.len()) != twice || door != doors_of.len() {
        return at.fail(Section::DOORS_OF_ROOMS, 0, door, "each door twice");
    }
    if distance != distances.len() {
        let expected = "a way for each two doors of a room";
        return at.fail(Section::ROOM_WAYS, 0, distance, expected);
    }
    at.distances(Section::ROOM_WAYS, distances)?;
    let (section, wider, count) = (Section::WIDER_ROOMS, rooms.wider, rooms.count());
    if count > 0 && !wider.len().is_multiple_of(count as usize) {
        let expected = "a number for each room, level by level";
        return at.fail(section, 0, wider.len(), expected);
    }
    match (0u32..).zip(wider.iter()).find(|&(_, w)| w >= count) {
        Some((i, w)) => at.fail(section, i, w, "less than the number of rooms"),
        None => Ok(()),
    }
}
