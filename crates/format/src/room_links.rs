//! Links by rooms, as an unpacked file stores them.

use navbake_navmesh::PolyMesh;
use navbake_navmesh::record::Records;

use crate::blob::Blob;
use crate::place::{Checked, Place};
use crate::section::Section;
use crate::sections::doors_links::DoorsLinks;
use crate::sections::rooms::Rooms;

/// The block of each door between rooms; all bits set where it has several.
pub(crate) fn door_blocks(rooms: &Rooms<'_>, polys: &PolyMesh<'_>) -> impl Iterator<Item = u32> {
    (0..rooms.door_count()).map(|door| {
        let mut portals = rooms.portals(door);
        let mut block = || {
            let edge = portals.next().and_then(|(p, k)| polys.edge((p.0, k)));
            edge.map(|edge| edge.block)
        };
        // Where both rooms are connected the portals of a door are all of one block.
        let first = block();
        let same = core::iter::from_fn(block).all(|other| Some(other) == first);
        first.filter(|_| same).unwrap_or(u32::MAX)
    })
}

/// For each link where its distances begin, and at last where they end.
pub(crate) fn distance_starts(
    rooms: &Rooms<'_>,
    links: &DoorsLinks<'_>,
    of_room: impl Fn(u32) -> usize,
) -> impl Iterator<Item = usize> {
    let (mut next, mut number) = (0usize, 0);
    core::iter::from_fn(move || {
        let begin = (number <= links.link_count()).then_some(next)?;
        if let Some(link) = links.link(number) {
            let [first, last] = [link.polygon, link.beyond].map(|p| rooms.of(p));
            let doors = rooms.doors_of(first).len() + rooms.doors_of(last).len();
            next = next.saturating_add(doors + of_room(last.0));
        }
        number += 1;
        Some(begin)
    })
}

/// The links of rooms, and the blocks of doors between rooms: hierarchical searches read these in
/// addition to the rooms.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoomLinks<'a> {
    /// The block of each door; all bits set where it has several.
    pub door_blocks: Records<'a, u32>,
    /// Where the links of each room begin, and where the last one's end.
    starts: Records<'a, u32>,
    /// Links by the rooms that they begin in, as numbers among doors.
    links: Records<'a, u32>,
    /// For each link its place in the list of its room, and where its distances begin; none where
    /// these were not measured.
    distances: Records<'a, [u32; 2]>,
}

impl<'a> RoomLinks<'a> {
    /// The sections that they are in.
    pub(crate) const SECTIONS: [Section; 4] = [
        Section::LAYOUT_DOOR_BLOCKS,
        Section::LAYOUT_ROOM_LINK_STARTS,
        Section::LAYOUT_ROOM_LINKS,
        Section::LAYOUT_ROOM_LINK_PLACES,
    ];

    pub(crate) fn of(blob: &Blob<'a>, class: u16) -> RoomLinks<'a> {
        RoomLinks {
            door_blocks: blob.records(Section::LAYOUT_DOOR_BLOCKS, class),
            starts: blob.records(Section::LAYOUT_ROOM_LINK_STARTS, class),
            links: blob.records(Section::LAYOUT_ROOM_LINKS, class),
            distances: blob.records(Section::LAYOUT_ROOM_LINK_PLACES, class),
        }
    }

    /// The links that begin in a room, as numbers among doors.
    #[inline]
    pub fn of_room(&self, room: u32) -> Records<'a, u32> {
        let at = |r: u32| self.starts.get(r as usize).map_or(0, |i| i as usize);
        let list = self.links.slice(at(room)..at(room.saturating_add(1)));
        list.unwrap_or_default()
    }

    /// A link's place in the list of its room, and where its distances begin.
    #[inline]
    pub fn distances(&self, link: u32) -> Option<[u32; 2]> {
        self.distances.get(link as usize)
    }

    /// Are the links those of the rooms, each in the list of its room, with their distances?
    ///
    /// Rooms and links are known to be sound.
    pub(crate) fn are_sound(
        &self,
        rooms: &Rooms<'_>,
        links: &DoorsLinks<'_>,
        polys: &PolyMesh<'_>,
        at: &Place,
    ) -> Checked {
        let same = self.door_blocks.iter().eq(door_blocks(rooms, polys));
        let expected = "the block of each door's portals, all bits set for several";
        at.refuse(!same, Section::LAYOUT_DOOR_BLOCKS, 0, 0, expected)?;
        let (section, count) = (Section::LAYOUT_ROOM_LINK_STARTS, links.link_count());
        let wanted = if count == 0 { 0 } else { rooms.count() as usize + 1 };
        let ends = [self.starts.first().unwrap_or(0), self.starts.last().unwrap_or(0)];
        let wrong = self.starts.len() != wanted
            || ends != [0, count]
            || (1..wanted).any(|i| self.starts.at(i - 1) > self.starts.at(i));
        let expected = "a start for each room, from 0 to the number of links";
        at.refuse(wrong, section, 0, 0, expected)?;
        let (section, first) = (Section::LAYOUT_ROOM_LINKS, rooms.door_count() + 1);
        let len = self.links.len();
        at.refuse(len != count as usize, section, len, 0, "each link once")?;
        let link = |node: u32| links.link(node.checked_sub(first)?);
        for room in 0..rooms.count() {
            let list = self.of_room(room);
            let rising = (1..list.len()).all(|i| list.at(i - 1) < list.at(i));
            let own = |node| link(node).is_some_and(|l| rooms.of(l.polygon).0 == room);
            let wrong = !rising || !list.iter().all(own);
            at.refuse(wrong, section, room, 0, "the links of the room, rising")?;
        }
        let section = Section::LAYOUT_ROOM_LINK_PLACES;
        let starts = || distance_starts(rooms, links, |room| self.of_room(room).len());
        let all = starts().last().unwrap_or(0);
        let measured = rooms.link_way_count() != 0 && all == rooms.link_way_count();
        let wanted = if measured && all < u32::MAX as usize { count as usize } else { 0 };
        let expected = "a place for each link, where distances were measured";
        at.refuse(self.distances.len() != wanted, section, 0, 0, expected)?;
        for (i, (place, start)) in self.distances.iter().zip(starts()).enumerate() {
            let room = links.link(i as u32).map_or(0, |l| rooms.of(l.polygon).0);
            let own = self.of_room(room).get(place[0] as usize);
            let wrong = own != Some(first + i as u32) || place[1] as usize != start;
            let expected = "the link's place in its room, and its first distance";
            at.refuse(wrong, section, i, 0, expected)?;
        }
        Ok(())
    }

    /// Number of links in all lists.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }
}
