//! The memory of hierarchical searches.

#[cfg(feature = "alloc")]
use navbake_format::NavMeshView;
use navbake_format::RoomId;

#[cfg(feature = "alloc")]
use super::super::optimal::Chart;
use super::Within;
use crate::Query;

/// A door on its way through a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoorLabel {
    /// Its number; that of doors for the goal.
    pub(super) door: u32,
    /// The label of the door before, all bits set at the start.
    pub(super) parent: u32,
    /// The room or district that was crossed from there.
    pub(super) cell: u32,
    pub(super) done: bool,
    /// Length up to it, grid units.
    pub(super) g: f64,
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoorOpen {
    /// No way through it is shorter.
    pub(super) f: f64,
    /// The number of a label, or of a way that waits.
    pub(super) way: u32,
}

/// A stretch of a way from door to door: over a room or a district to a door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    /// The door; the number of doors for the goal.
    pub(super) to: u32,
    /// A room, or a district and the number of rooms.
    pub(super) cell: u32,
}

/// A set of small numbers in memory that need not be cleared: an item is believed when its slot and its place name each other.
#[derive(Debug, Default)]
pub(in super::super) struct Set<'a> {
    slots: &'a mut [u32],
    items: &'a mut [u32],
}

impl Set<'_> {
    fn lend(&mut self) -> Set<'_> {
        Set {
            slots: self.slots,
            items: self.items,
        }
    }

    /// Where an item stands among the first `len`.
    #[inline]
    pub(super) fn place(&self, len: u32, item: u32) -> Option<usize> {
        let slot = *self.slots.get(item as usize)?;
        let own = *self.items.get(slot as usize)?;
        ((slot < len) & (own == item)).then_some(slot as usize)
    }

    /// Puts an item behind `len` others, if it is not among them; gives how many there are then.
    pub(in super::super) fn insert(&mut self, len: u32, item: u32) -> u32 {
        if self.place(len, item).is_some() {
            return len;
        }
        match (
            self.items.get_mut(len as usize),
            self.slots.get_mut(item as usize),
        ) {
            (Some(own), Some(slot)) => {
                (*own, *slot) = (item, len);
                len + 1
            }
            _ => len,
        }
    }

    pub(super) fn get(&self, place: u32) -> Option<u32> {
        self.items.get(place as usize).copied()
    }
}

/// Slices for hierarchical searches. What is in them does not matter.
#[derive(Debug, Default)]
pub struct Doors<'a> {
    /// One a door, and one for the goal: where its label is.
    pub(super) slots: &'a mut [u32],
    pub(super) labels: &'a mut [DoorLabel],
    pub(super) open: &'a mut [DoorOpen],
    /// Ways whose last stretch is not measured.
    pub(super) waiting: &'a mut [DoorLabel],
    /// A way, its last stretch first.
    pub(super) hops: &'a mut [Hop],
    /// Cells that are not crossed at once.
    pub(super) opened: Set<'a>,
    /// Cells in which something is closed.
    pub(super) dirty: Set<'a>,
    /// Rooms that a search stays within.
    pub(super) rooms: Set<'a>,
    /// Blocks that such a search stays within.
    pub(in super::super) blocks: Set<'a>,
    /// Blocks between the ends of a plan.
    pub(super) passed: Set<'a>,
    /// The block of each door; all bits set where it has several.
    pub(super) block_of: &'a [u32],
    /// Where the links of each room begin, and where the last one's end.
    links_from: &'a [u32],
    /// Links by the rooms that they begin in, as numbers among doors.
    links: &'a [u32],
    /// For each link its place in the list of its room, and where its ways begin; none where these were not measured.
    link_ways: &'a [[u32; 2]],
}

impl<'a> Doors<'a> {
    /// The links that begin in a room, as numbers among doors.
    #[inline]
    pub(super) fn links_of(&self, room: u32) -> &'a [u32] {
        let at = |r: u32| self.links_from.get(r as usize).map_or(0, |&i| i as usize);
        self.links
            .get(at(room)..at(room.saturating_add(1)))
            .unwrap_or(&[])
    }

    pub(in super::super) fn lend(&mut self) -> Doors<'_> {
        Doors {
            slots: self.slots,
            labels: self.labels,
            open: self.open,
            waiting: self.waiting,
            hops: self.hops,
            opened: self.opened.lend(),
            dirty: self.dirty.lend(),
            rooms: self.rooms.lend(),
            blocks: self.blocks.lend(),
            passed: self.passed.lend(),
            block_of: self.block_of,
            links_from: self.links_from,
            links: self.links,
            link_ways: self.link_ways,
        }
    }

    /// A link's place in the list of its room, and where its ways begin.
    #[inline]
    pub(super) fn link_ways(&self, number: u32) -> Option<[u32; 2]> {
        self.link_ways.get(number as usize).copied()
    }

    /// The first so many rooms of the set, to stay within.
    pub(in super::super) fn within<'s>(
        &'s self,
        query: &'s Query<'_>,
        count: u32,
        blocks: u32,
    ) -> Within<'s> {
        Within {
            rooms: query.mesh().rooms(),
            own: &self.rooms,
            count,
            between: &self.blocks,
            blocks,
        }
    }
}

impl Within<'_> {
    /// Is a room in the set?
    #[inline]
    pub(super) fn has(&self, room: RoomId) -> bool {
        self.own.place(self.count, room.0).is_some()
    }
}

/// [`Doors`] that own their memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub(in super::super) struct DoorsBuffer {
    slots: alloc::vec::Vec<u32>,
    labels: alloc::vec::Vec<DoorLabel>,
    open: alloc::vec::Vec<DoorOpen>,
    waiting: alloc::vec::Vec<DoorLabel>,
    hops: alloc::vec::Vec<Hop>,
    /// Slots and items of the sets.
    sets: [[alloc::vec::Vec<u32>; 2]; 5],
    /// The block of each door.
    block_of: alloc::vec::Vec<u32>,
    links_from: alloc::vec::Vec<u32>,
    links: alloc::vec::Vec<u32>,
    link_ways: alloc::vec::Vec<[u32; 2]>,
}

#[cfg(feature = "alloc")]
impl DoorsBuffer {
    /// Enough for the mesh; nothing where it has no rooms with ways.
    pub(in super::super) fn new(mesh: &NavMeshView<'_>, chart: &Chart<'_>) -> DoorsBuffer {
        use alloc::vec;
        let Some(rooms) = mesh.rooms() else {
            return DoorsBuffer::default();
        };
        let count = rooms.count() as usize;
        let (doors, cells) = match rooms.has_ways() {
            true => (
                rooms.door_count() as usize + 1 + mesh.link_count() as usize,
                count + rooms.district_count() as usize,
            ),
            false => (0, 0),
        };
        let (links_from, links) = links_of_rooms(mesh, rooms);
        let blocks = chart.tops.len();
        let block = |door: u32| {
            let mut portals = rooms.portals(door);
            let mut block = || {
                let edge = portals.next().and_then(|(p, k)| chart.edge((p.0, k)));
                edge.map(|edge| edge.block)
            };
            // Where both rooms hang together the portals of a door are all of one.
            let first = block();
            let same = core::iter::from_fn(block).all(|other| Some(other) == first);
            first.filter(|_| same).unwrap_or(u32::MAX)
        };
        let passed = if doors > 0 { blocks } else { 0 };
        // A link may wait once for each way to it.
        let entries = match doors {
            0 => 0,
            _ => 4 * doors + 12 * links.len() + 256,
        };
        DoorsBuffer {
            slots: vec![0; doors],
            labels: vec![DoorLabel::default(); doors],
            open: vec![DoorOpen::default(); entries],
            waiting: vec![DoorLabel::default(); entries],
            hops: vec![Hop::default(); doors],
            sets: [cells, cells, count, blocks, passed].map(|n| [vec![0; n], vec![0; n]]),
            block_of: match rooms.has_ways() {
                true => (0..rooms.door_count()).map(block).collect(),
                false => vec![],
            },
            link_ways: link_ways(mesh, rooms, &links_from, &links),
            links_from,
            links,
        }
    }

    pub(in super::super) fn doors(&mut self) -> Doors<'_> {
        let [opened, dirty, rooms, blocks, passed] = self
            .sets
            .each_mut()
            .map(|[slots, items]| Set { slots, items });
        Doors {
            slots: &mut self.slots,
            labels: &mut self.labels,
            open: &mut self.open,
            waiting: &mut self.waiting,
            hops: &mut self.hops,
            opened,
            dirty,
            rooms,
            blocks,
            passed,
            block_of: &self.block_of,
            links_from: &self.links_from,
            links: &self.links,
            link_ways: &self.link_ways,
        }
    }
}

/// Where the lists of links of each room begin, and these lists.
#[cfg(feature = "alloc")]
fn links_of_rooms(
    mesh: &NavMeshView<'_>,
    rooms: &navbake_format::Rooms<'_>,
) -> (alloc::vec::Vec<u32>, alloc::vec::Vec<u32>) {
    if mesh.link_count() == 0 || !rooms.has_ways() {
        return Default::default();
    }
    let mut all: alloc::vec::Vec<(u32, u32)> = (0..mesh.link_count())
        .filter_map(|number| {
            let room = rooms.of(mesh.link(number)?.polygon);
            Some((room.0, rooms.door_count() + 1 + number))
        })
        .collect();
    all.sort_unstable();
    let begin = |room: u32| all.partition_point(|l| l.0 < room) as u32;
    let from = (0..=rooms.count()).map(begin).collect();
    (from, all.into_iter().map(|l| l.1).collect())
}

/// For each link its place in the list of its room, and where its ways begin; none where the mesh does not tell as many as there are.
#[cfg(feature = "alloc")]
fn link_ways(
    mesh: &NavMeshView<'_>,
    rooms: &navbake_format::Rooms<'_>,
    from: &[u32],
    links: &[u32],
) -> alloc::vec::Vec<[u32; 2]> {
    if rooms.link_way_count() == 0 || links.len() != mesh.link_count() as usize {
        return Default::default();
    }
    let mut found = alloc::vec![[0; 2]; links.len()];
    for room in from.windows(2) {
        let own = links.get(room[0] as usize..room[1] as usize).unwrap_or(&[]);
        for (place, &node) in (0u32..).zip(own) {
            found[(node - rooms.door_count() - 1) as usize][0] = place;
        }
    }
    let mut next = 0;
    for (number, slot) in (0u32..).zip(&mut found) {
        slot[1] = next as u32;
        let Some(link) = mesh.link(number) else {
            continue;
        };
        let [first, last] = [link.polygon, link.beyond].map(|p| rooms.of(p));
        let there =
            [last.index(), last.index() + 1].map(|r| from.get(r).map_or(0, |&i| i as usize));
        next += rooms.doors_of(first).len() + rooms.doors_of(last).len() + there[1] - there[0];
    }
    if next != rooms.link_way_count() || next >= u32::MAX as usize {
        found.clear();
    }
    found
}
