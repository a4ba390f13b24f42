//! Checks of rooms and their doors.

use navbake_grid::{NONE, PolyId, RoomId};

use super::super::chunks::is_index;
use super::super::clusters;
use super::{BRIDGE, CHOKE, DEAD_END, DIVIDE, RoomPortalRecord, Rooms, smallest};
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
        return at.alone(blob, all, "nothing without the section room-of");
    };
    let is_index = is_index(blob);
    if is_index {
        // Its rooms have their polygons in chunks, and their numbers are those of the bake.
        let of_polygons = [Section::ROOM_OF, Section::ROOM_PORTALS, Section::CLUSTER_OF];
        at.alone(blob, of_polygons, "rooms without polygons in an index")?;
    }
    let section = Section::ROOM_OF;
    if rooms.polygons() != mesh.polygon_count() as usize {
        return at.fail(section, 0, rooms.polygons(), "a room for each polygon");
    }
    // Rooms are numbered by their first polygon, so that each has one.
    let mut seen = 0;
    for p in 0..mesh.polygon_count() {
        let room = rooms.of(PolyId(p)).0;
        let expected = "rooms numbered by their first polygon";
        at.refuse(room > seen || room >= rooms.count(), section, p, room, expected)?;
        seen += u32::from(room == seen);
    }
    let section = Section::ROOMS;
    let expected = "a polygon in each room";
    at.refuse(seen != rooms.count() && !is_index, section, seen, seen, expected)?;
    for (it, r) in at.each(section, rooms.rooms.iter()) {
        it.name(blob, r.name)?;
        it.refuse(r.flags & !(DEAD_END | CHOKE) != 0, r.flags, "no flags but bits 0 and 1")?;
        it.reserved(r.reserved)?;
        it.coordinates(&r.at)?;
        it.amount(r.area, "a number that is finite and not negative")?;
    }
    doors(blob, mesh, &rooms, at)?;
    lists(&rooms, at)?;
    likes(blob, &rooms, at)?;
    let (section, links) = (Section::LINK_WAYS, rooms.link_distances);
    if !links.is_empty() && (blob.count(Section::LINKS, at.class) == 0 || !rooms.has_ways()) {
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
        let it = at.element(section, i);
        let pair = r.rooms;
        let expected = "two rooms, the lesser number first";
        it.refuse(pair[0] >= pair[1] || pair[1] >= rooms.count(), pair[1], expected)?;
        it.refuse(pair < last, pair[0], "doors sorted by their rooms")?;
        last = pair;
        it.name(blob, r.name)?;
        it.refuse(r.flags & !(BRIDGE | DIVIDE) != 0, r.flags, "no flags but bits 0 and 1")?;
        it.coordinates([r.first_end, r.second_end].as_flattened())?;
        it.amount(r.width, "a number that is finite and not negative")?;
        let expected = "where the portals of the door before end";
        it.refuse(r.first_portal != first, r.first_portal, expected)?;
        let end = records.get(i as usize + 1).map(|r| r.first_portal);
        let end = end.unwrap_or(portals.len() as u32); // a section has fewer than 2^32 records
        let is_short = end <= first && !is_index(blob);
        it.refuse(is_short || end as usize > portals.len(), end, "a portal for each door")?;
        first = end;
        let mut before = None;
        for (p, k) in rooms.portals(i) {
            it.refuse(before >= Some((p, k)), p.0, "portals of a door sorted by polygon and edge")?;
            before = Some((p, k));
            it.refuse(p.0 >= mesh.polygon_count(), p.0, "a polygon")?;
            let polygon = mesh.polygon(p);
            let beyond = (k < polygon.len()).then(|| polygon.neighbour(k)).flatten();
            let Some(beyond) = beyond.filter(|&q| p < q) else {
                let expected = "a portal, named by the lesser of its polygons";
                return it.fail(k, expected);
            };
            let mut own = [rooms.of(p).0, rooms.of(beyond).0];
            own.sort_unstable();
            it.refuse(own != pair, p.0, "portals between the door's two rooms")?;
        }
    }
    let section = Section::ROOM_PORTALS;
    let records = blob.records::<RoomPortalRecord>(section, at.class);
    for (it, r) in at.each(section, records.iter()) {
        it.reserved(r.reserved)?;
    }
    let mut between = 0;
    for p in 0..mesh.polygon_count() {
        let polygon = mesh.polygon(PolyId(p));
        let is_between = |q: &PolyId| q.0 > p && rooms.of(*q) != rooms.of(PolyId(p));
        let neighbours = (0..polygon.len()).filter_map(|k| polygon.neighbour(k));
        between += neighbours.filter(is_between).count();
    }
    let expected = "every portal between two rooms";
    at.refuse(between != portals.len(), section, 0, portals.len(), expected)?;
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
        let expected = "where the doors and ways of the room before end";
        at.refuse(rooms.lists(i as usize) != (door, distance), section, i, door, expected)?;
        let end = rooms.lists(i as usize + 1).0;
        let expected = "doors in the section doors-of-rooms";
        at.refuse(end < door || end > doors_of.len(), section, i, end, expected)?;
        let mut before = None;
        for d in rooms.doors_of(RoomId(i)) {
            let own = rooms.door(d).and_then(|d| d.beyond(RoomId(i)));
            let expected = "the room's doors, rising";
            at.refuse(own.is_none() || before >= Some(d), Section::DOORS_OF_ROOMS, i, d, expected)?;
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
    let expected = "a way for each two doors of a room";
    at.refuse(distance != distances.len(), Section::ROOM_WAYS, 0, distance, expected)?;
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
