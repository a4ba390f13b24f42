//! The memory of hierarchical searches.

#[cfg(feature = "alloc")]
use navbake_format::NavMesh;
use navbake_format::RoomId;

use super::Within;
use crate::Query;

/// The label of a door in a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoorLabel {
    /// The door; the number of doors for the goal.
    pub(super) door: u32,
    /// The label of the door before; all bits set at the start.
    pub(super) parent: u32,
    /// The cell (a room or larger) that was crossed from there.
    pub(super) cell: u32,
    pub(super) done: bool,
    /// Length up to it, grid units.
    pub(super) g: f64,
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoorOpen {
    /// Lower bound on routes through it.
    pub(super) f: f64,
    /// The number of a label, or of a waiting route.
    pub(super) way: u32,
}

/// An abstract edge of a route: over a cell to a door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    /// The door; the number of doors for the goal.
    pub(super) to: u32,
    /// The cell: a room, or a larger cell, whose numbers follow those of the rooms.
    pub(super) cell: u32,
}

/// A set of small numbers in memory that need not be cleared.
/// An item counts when its slot and its place name each other.
#[derive(Debug, Default)]
pub(in super::super) struct Set<'a> {
    slots: &'a mut [u32],
    items: &'a mut [u32],
}

impl Set<'_> {
    fn lend(&mut self) -> Set<'_> {
        Set { slots: self.slots, items: self.items }
    }

    /// The index of an item among the first `len`.
    #[inline]
    pub(super) fn place(&self, len: u32, item: u32) -> Option<usize> {
        let slot = *self.slots.get(item as usize)?;
        let own = *self.items.get(slot as usize)?;
        ((slot < len) & (own == item)).then_some(slot as usize)
    }

    /// Adds an item behind `len` others, if it is not among them.
    /// Returns the new number of items.
    pub(in super::super) fn insert(&mut self, len: u32, item: u32) -> u32 {
        if self.place(len, item).is_some() {
            return len;
        }
        match (self.items.get_mut(len as usize), self.slots.get_mut(item as usize)) {
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

/// Slices for hierarchical searches. Their contents do not matter.
#[derive(Debug, Default)]
pub struct Doors<'a> {
    /// The label of each door, of the goal and of each link.
    pub(super) slots: &'a mut [u32],
    pub(super) labels: &'a mut [DoorLabel],
    pub(super) open: &'a mut [DoorOpen],
    /// Routes whose last stretch is not measured.
    pub(super) waiting: &'a mut [DoorLabel],
    /// A route, its last abstract edge first.
    pub(super) hops: &'a mut [Hop],
    /// Cells that are not crossed in one step.
    pub(super) opened: Set<'a>,
    /// Cells with blocked ground.
    pub(super) dirty: Set<'a>,
    /// Rooms that a search stays within.
    pub(super) rooms: Set<'a>,
    /// Biconnected components that such a search stays within.
    pub(in super::super) blocks: Set<'a>,
    /// Biconnected components between the ends of a plan.
    pub(super) passed: Set<'a>,
}

impl<'a> Doors<'a> {
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
        }
    }

    /// The first `count` rooms of the set, to stay within.
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
}

#[cfg(feature = "alloc")]
impl DoorsBuffer {
    /// Enough memory for the mesh; little where its rooms have no distances.
    pub(in super::super) fn new(mesh: &NavMesh<'_>) -> DoorsBuffer {
        use alloc::vec;
        let Some(rooms) = mesh.rooms() else {
            return DoorsBuffer::default();
        };
        let count = rooms.count() as usize;
        let (doors, cells) = match rooms.has_ways() {
            true => (
                rooms.door_count() as usize + 1 + mesh.link_count() as usize,
                count + rooms.cluster_count() as usize,
            ),
            false => (0, 0),
        };
        let blocks = mesh.polys().tops.len();
        let passed = if doors > 0 { blocks } else { 0 };
        // A link may wait once for each route to it.
        let entries = match doors {
            0 => 0,
            _ => 4 * doors + 12 * mesh.room_links().len() + 256,
        };
        DoorsBuffer {
            slots: vec![0; doors],
            labels: vec![DoorLabel::default(); doors],
            open: vec![DoorOpen::default(); entries],
            waiting: vec![DoorLabel::default(); entries],
            hops: vec![Hop::default(); doors],
            sets: [cells, cells, count, blocks, passed].map(|n| [vec![0; n], vec![0; n]]),
        }
    }

    pub(in super::super) fn doors(&mut self) -> Doors<'_> {
        let [opened, dirty, rooms, blocks, passed] =
            self.sets.each_mut().map(|[slots, items]| Set { slots, items });
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
        }
    }
}
