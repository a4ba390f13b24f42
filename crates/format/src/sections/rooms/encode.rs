//! The encoder of rooms and their doors.

use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::NONE;
use navbake_navmesh::record::Records;

use super::super::clusters::{self, PlanParts};
use super::{BRIDGE, CHOKE, DEAD_END, DIVIDE, RoomDoorRecord, RoomPortalRecord, RoomRecord};
use crate::Section;
use crate::draft::{Draft, Drafts};
use crate::strings::Strings;
use crate::write::{EncodeError, MeshParts, Places, renumber};

/// New numbers of rooms and doors.
#[derive(Default)]
pub(crate) struct RoomNumbers {
    rooms: Vec<u32>,
    doors: Vec<u32>,
}

/// Counterparts of rooms and doors in the smallest class, once all have their numbers.
pub(crate) fn encode_likes(
    meshes: &[MeshParts<'_>],
    numbers: &[RoomNumbers],
    drafts: &mut Drafts<'_>,
) -> Result<(), EncodeError> {
    let own = |m: &MeshParts<'_>| m.rooms.is_some_and(|r| r.like.is_none());
    let smallest = meshes.iter().zip(numbers).find(|(m, _)| own(m));
    let none = RoomNumbers::default();
    let of = smallest.map_or(&none, |(_, numbers)| numbers);
    for (class, (mesh, own)) in (0u16..).zip(meshes.iter().zip(numbers)) {
        let Some([rooms, doors]) = mesh.rooms.and_then(|r| r.like) else {
            continue;
        };
        let mut all = vec![];
        for (what, like, own, of) in [
            ("rooms.like", rooms, &own.rooms, &of.rooms),
            ("doors.like", doors, &own.doors, &of.doors),
        ] {
            if like.len() != own.len() {
                let expected = own.len() as u64;
                return Err(EncodeError::length(what, class, like.len(), expected));
            }
            let mut stored = vec![NONE; own.len()];
            for (at, (&like, &new)) in like.iter().zip(own).enumerate() {
                if like == NONE {
                    continue;
                }
                let number = of.get(like as usize);
                stored[new as usize] =
                    *number.ok_or_else(|| EncodeError::index(what, class, at, like, of.len()))?;
            }
            all.extend(stored);
        }
        drafts.push(Draft::optional(Section::LIKE_ROOMS, class, all));
    }
    Ok(())
}

pub(crate) fn encode(
    parts: &MeshParts<'_>,
    places: &Places,
    class: u16,
    strings: &mut Strings,
    drafts: &mut Drafts<'_>,
) -> Result<RoomNumbers, EncodeError> {
    let Some(own) = &parts.rooms else {
        return Ok(RoomNumbers::default());
    };
    let count = own.rooms.len();
    let length =
        |what, found, expected: usize| EncodeError::length(what, class, found, expected as u64);
    let index = |what, at, found, limit| EncodeError::index(what, class, at, found, limit);
    if own.of.len() != places.polygons.len() {
        return Err(length("rooms.of", own.of.len(), places.polygons.len()));
    }
    // Rooms by their first polygons.
    let mut of = vec![0; own.of.len()];
    for (old, &new) in places.polygons.iter().enumerate() {
        of[new as usize] = own.of[old];
    }
    let mut number = vec![NONE; count];
    let mut order = vec![];
    for (i, room) in of.iter_mut().enumerate() {
        let lost = || index("rooms.of", i, *room, count);
        let Some(slot) = number.get_mut(*room as usize) else {
            return Err(lost());
        };
        if *slot == NONE {
            *slot = order.len() as u32;
            order.push(*room);
        }
        *room = *slot;
    }
    if parts.first_edge.len() < 2 {
        // An index has rooms without polygons: they keep their numbers.
        order = (0..count as u32).collect();
        number.clone_from(&order);
    }
    if order.len() != count {
        return Err(length("rooms with polygons", order.len(), count));
    }
    let size = match count {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    };
    drafts.push(Draft::numbers(Section::ROOM_OF, class, size, of));

    // Doors by their rooms, then by place.
    let mut doors = vec![];
    for (i, d) in own.doors.iter().enumerate() {
        let mut rooms = [0; 2];
        for (new, &old) in rooms.iter_mut().zip(&d.rooms) {
            let found = number.get(old as usize).copied();
            *new = found.ok_or_else(|| index("rooms.doors", i, old, count))?;
        }
        rooms.sort_unstable();
        let mut portals = vec![];
        for &edge in d.portals {
            let place = places.portal(parts, edge);
            portals.push(place.ok_or_else(|| index("portals", i, edge, parts.corners.len()))?);
        }
        portals.sort_unstable();
        doors.push((rooms, portals, i));
    }
    doors.sort();
    let (mut records, mut chains) = (vec![], vec![]);
    let mut doors_of: Vec<Vec<u32>> = vec![vec![]; count];
    for (new, (rooms, portals, old)) in (0u32..).zip(&doors) {
        let d = &own.doors[*old];
        let bridge = if d.is_bridge { BRIDGE } else { 0 };
        let divide = if d.is_divide { DIVIDE } else { 0 };
        records.push(RoomDoorRecord {
            rooms: *rooms,
            first_end: d.ends[0],
            second_end: d.ends[1],
            width: d.width,
            first_portal: chains.len() as u32,
            flags: bridge | divide,
            name: strings.add(d.name, "door name")?,
        });
        for &(polygon, edge) in portals {
            let lost = || index("portals", *old, edge, usize::from(u16::MAX));
            chains.push(RoomPortalRecord {
                polygon,
                edge: u16::try_from(edge).map_err(|_| lost())?,
                reserved: 0,
            });
        }
        rooms.iter().for_each(|&r| doors_of[r as usize].push(new));
    }
    drafts.push(Draft::optional(Section::ROOM_DOORS, class, records));
    drafts.push(Draft::optional(Section::ROOM_PORTALS, class, chains));

    let (mut lists, mut rooms) = (vec![], vec![]);
    for (&old, own_doors) in order.iter().zip(doors_of) {
        let room = &own.rooms[old as usize];
        let dead_end = if own_doors.len() == 1 { DEAD_END } else { 0 };
        let choke = if room.is_choke { CHOKE } else { 0 };
        rooms.push(RoomRecord {
            name: strings.add(room.name, "room name")?,
            flags: dead_end | choke,
            at: room.at,
            area: room.area,
            first_door: lists.len() as u32,
            first_way: 0,
            reserved: 0,
        });
        lists.extend(own_doors);
    }
    drafts.push(Draft::optional(Section::ROOMS, class, rooms));
    drafts.push(Draft::optional(Section::DOORS_OF_ROOMS, class, lists));

    let mut wider = vec![];
    for level in own.wider {
        if level.len() != count {
            return Err(length("rooms.wider", level.len(), count));
        }
        let old = order.iter().map(|&r| level[r as usize]);
        wider.extend(renumber(old));
    }
    drafts.push(Draft::optional(Section::WIDER_ROOMS, class, wider));
    let mut of_door = vec![0; doors.len()];
    for (new, door) in (0u32..).zip(&doors) {
        of_door[door.2] = new;
    }
    Ok(RoomNumbers { rooms: number, doors: of_door })
}

/// Distances between doors and clusters, for rooms that are encoded.
pub(crate) fn encode_plan(
    plan: &PlanParts,
    class: u16,
    drafts: &mut Drafts<'_>,
) -> Result<(), EncodeError> {
    if !plan.ways.is_empty() {
        let of = |drafts: &[Draft], section| {
            drafts.iter().position(|d| (d.section, d.class) == (section, class))
        };
        let doors = of(drafts, Section::DOORS_OF_ROOMS);
        let doors = doors.map_or(0, |at| drafts[at].bytes.len() / size_of::<u32>());
        let mut rooms: Vec<RoomRecord> = vec![];
        if let Some(at) = of(drafts, Section::ROOMS) {
            let own = drafts.swap_remove(at).bytes;
            rooms.extend(Records::<RoomRecord>::new(&own).unwrap_or_default().iter());
        }
        // A list of doors ends where that of the next room begins.
        let ends: Vec<u32> = rooms.iter().skip(1).map(|r| r.first_door).collect();
        let mut count = 0;
        for (room, end) in rooms.iter_mut().zip(ends.into_iter().chain([doors as u32])) {
            let doors = (end - room.first_door) as usize;
            room.first_way = count as u32;
            count += doors * doors.saturating_sub(1) / 2;
        }
        if count != plan.ways.len() {
            return Err(EncodeError::length("ways", class, plan.ways.len(), count as u64));
        }
        drafts.push(Draft::optional(Section::ROOMS, class, rooms));
        drafts.push(Draft::optional(Section::ROOM_WAYS, class, plan.ways.iter().copied()));
    }
    clusters::encode(plan, class, drafts);
    Ok(())
}

/// Distances of links, for each class in the order of [`Rooms::link_way`](crate::Rooms::link_way).
pub(crate) fn encode_link_ways(ways: &[Vec<f32>], drafts: &mut Drafts<'_>) {
    for (class, ways) in (0u16..).zip(ways) {
        let ways = ways.iter().copied();
        drafts.push(Draft::optional(Section::LINK_WAYS, class, ways));
    }
}
