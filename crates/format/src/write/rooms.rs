//! Rooms and their doors to their sections.

use alloc::vec;
use alloc::vec::Vec;

use navbake_grid::NONE;
use zerocopy::little_endian::{F32, I32, U16, U32};

use super::districts::{PlanParts, of_plan};
use super::things::{Places, other_side, push};
use super::{Draft, EncodeError, MeshParts, Strings};
use crate::Section;
use crate::records::{RoomDoorRecord, RoomPortalRecord, RoomRecord};
use crate::rooms::{BRIDGE, CHOKE, DEAD_END, DIVIDE};

/// A room.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomParts<'a> {
    /// Its name, perhaps empty.
    pub name: &'a str,
    /// A place in its midst, grid units.
    pub at: [i32; 3],
    /// Its ground seen from above, m2.
    pub area: f32,
    /// Without it some of its neighbours do not come to each other.
    pub is_choke: bool,
}

/// A door between two rooms.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomDoorParts<'a> {
    /// Its rooms.
    pub rooms: [u32; 2],
    /// Its ends: x and z, grid units.
    pub ends: [[i32; 2]; 2],
    /// From wall to wall, m.
    pub width: f32,
    /// Its portals, one of the two edges of each, indices into [`MeshParts::corners`].
    pub portals: &'a [u32],
    /// Without it its rooms do not come to each other.
    pub is_bridge: bool,
    /// It is a divide between fields.
    pub is_divide: bool,
    /// Its name, perhaps empty.
    pub name: &'a str,
}

/// Rooms of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomsParts<'a> {
    /// The room of each polygon.
    pub of: &'a [u32],
    /// Rooms, each with a polygon. They are numbered anew.
    pub rooms: &'a [RoomParts<'a>],
    /// Doors: every portal between two rooms belongs to one of these.
    pub doors: &'a [RoomDoorParts<'a>],
    /// Ways from door to door and districts, where they were measured.
    pub plan: Option<&'a PlanParts>,
    /// For each level the wider room that each room is in, any numbers.
    pub wider: &'a [Vec<u32>],
    /// Of a larger class: for each of its rooms and each of its doors the place of the one that it is among those of the smallest class, `u32::MAX` for none. The smallest class
    /// is the first with rooms that has none of this.
    pub like: Option<[&'a [u32]; 2]>,
}

/// New numbers of rooms and doors.
#[derive(Default)]
pub(super) struct Numbers {
    rooms: Vec<u32>,
    doors: Vec<u32>,
}

/// Which rooms and doors of the smallest class those of others are, once all have their numbers.
pub(super) fn likes(
    meshes: &[MeshParts<'_>],
    numbers: &[Numbers],
    drafts: &mut Vec<Draft>,
) -> Result<(), EncodeError> {
    let own = |m: &MeshParts<'_>| m.rooms.is_some_and(|r| r.like.is_none());
    let smallest = meshes.iter().zip(numbers).find(|(m, _)| own(m));
    let none = Numbers::default();
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
                return Err(EncodeError::Length {
                    what,
                    class,
                    found: like.len() as u64,
                    expected: own.len() as u64,
                });
            }
            let mut told = vec![U32::new(NONE); own.len()];
            for (at, (&like, &new)) in like.iter().zip(own).enumerate() {
                if like == NONE {
                    continue;
                }
                let number = of.get(like as usize).ok_or(EncodeError::Index {
                    what,
                    class,
                    at: at as u64,
                    found: like,
                    limit: of.len() as u64,
                })?;
                told[new as usize] = U32::new(*number);
            }
            all.extend(told);
        }
        push(Section::LIKE_ROOMS, class, &all, drafts);
    }
    Ok(())
}

pub(super) fn of_mesh(
    parts: &MeshParts<'_>,
    places: &Places,
    class: u16,
    strings: &mut Strings,
    drafts: &mut Vec<Draft>,
) -> Result<Numbers, EncodeError> {
    let Some(own) = &parts.rooms else {
        return Ok(Numbers::default());
    };
    let count = own.rooms.len();
    let length = |what, found: usize, expected: usize| EncodeError::Length {
        what,
        class,
        found: found as u64,
        expected: expected as u64,
    };
    let index = |what, at: usize, found: u32, limit: usize| EncodeError::Index {
        what,
        class,
        at: at as u64,
        found,
        limit: limit as u64,
    };
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
    if order.len() != count {
        return Err(length("rooms with polygons", order.len(), count));
    }
    numbers(&of, class, drafts);

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
            let found = places.edges.get(edge as usize).copied();
            let mut place = found.ok_or_else(|| index("portals", i, edge, parts.corners.len()))?;
            if let Some(other) = other_side(parts, edge) {
                place = place.min(places.edges[other as usize]);
            }
            portals.push(place);
        }
        portals.sort_unstable();
        doors.push((rooms, portals, i));
    }
    doors.sort();
    let (mut records, mut chains) = (vec![], vec![]);
    let mut doors_of: Vec<Vec<u32>> = vec![vec![]; count];
    for (new, (rooms, portals, old)) in (0u32..).zip(&doors) {
        let d = &own.doors[*old];
        records.push(RoomDoorRecord {
            rooms: rooms.map(U32::new),
            ends: d.ends.map(|end| end.map(I32::new)),
            width: F32::new(d.width),
            first_portal: U32::new(chains.len() as u32),
            flags: U16::new(
                if d.is_bridge { BRIDGE } else { 0 } | if d.is_divide { DIVIDE } else { 0 },
            ),
            name: strings.add(d.name, "door name")?,
        });
        for &(polygon, edge) in portals {
            let lost = || index("portals", *old, edge, usize::from(u16::MAX));
            chains.push(RoomPortalRecord {
                polygon: U32::new(polygon),
                edge: U16::new(u16::try_from(edge).map_err(|_| lost())?),
                reserved: U16::new(0),
            });
        }
        rooms.iter().for_each(|&r| doors_of[r as usize].push(new));
    }
    push(Section::ROOM_DOORS, class, &records, drafts);
    push(Section::ROOM_PORTALS, class, &chains, drafts);

    let ways = own.plan.map_or(&[][..], |plan| &plan.ways);
    let (mut lists, mut lengths, mut rooms) = (vec![], vec![], vec![]);
    for (new, &old) in order.iter().enumerate() {
        let (room, own_doors) = (&own.rooms[old as usize], &doors_of[new]);
        let dead_end = if own_doors.len() == 1 { DEAD_END } else { 0 };
        let choke = if room.is_choke { CHOKE } else { 0 };
        rooms.push(RoomRecord {
            name: strings.add(room.name, "room name")?,
            flags: U16::new(dead_end | choke),
            at: room.at.map(I32::new),
            area: F32::new(room.area),
            first_door: U32::new(lists.len() as u32),
            first_way: U32::new(lengths.len() as u32),
            reserved: U32::new(0),
        });
        let pairs = own_doors.len() * own_doors.len().saturating_sub(1) / 2;
        if !ways.is_empty() {
            let found = ways.get(lengths.len()..lengths.len() + pairs);
            let found = found.ok_or_else(|| length("ways", ways.len(), lengths.len() + pairs))?;
            lengths.extend(found.iter().map(|&w| F32::new(w)));
        }
        lists.extend(own_doors.iter().map(|&d| U32::new(d)));
    }
    push(Section::ROOMS, class, &rooms, drafts);
    push(Section::DOORS_OF_ROOMS, class, &lists, drafts);
    push(Section::ROOM_WAYS, class, &lengths, drafts);

    if lengths.len() != ways.len() {
        return Err(length("ways", ways.len(), lengths.len()));
    }
    if let Some(plan) = own.plan {
        of_plan(plan, class, drafts);
    }

    let mut wider = vec![];
    for level in own.wider {
        if level.len() != count {
            return Err(length("rooms.wider", level.len(), count));
        }
        let old = order.iter().map(|&r| level[r as usize]);
        wider.extend(super::mesh::renumber(old).into_iter().map(U32::new));
    }
    push(Section::WIDER_ROOMS, class, &wider, drafts);
    let mut of_door = vec![0; doors.len()];
    for (new, door) in (0u32..).zip(&doors) {
        of_door[door.2] = new;
    }
    Ok(Numbers {
        rooms: number,
        doors: of_door,
    })
}

/// The rooms of polygons in as few bytes as the greatest needs.
fn numbers(of: &[u32], class: u16, drafts: &mut Vec<Draft>) {
    let section = Section::ROOM_OF;
    match of.iter().copied().max().unwrap_or(0) {
        0..=0xFF => {
            let n: Vec<u8> = of.iter().map(|&r| r as u8).collect();
            push(section, class, &n, drafts);
        }
        0x100..=0xFFFF => {
            let n: Vec<U16> = of.iter().map(|&r| U16::new(r as u16)).collect();
            push(section, class, &n, drafts);
        }
        _ => {
            let n: Vec<U32> = of.iter().map(|&r| U32::new(r)).collect();
            push(section, class, &n, drafts);
        }
    }
}
