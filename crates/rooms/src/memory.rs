//! The lists of searches over rooms.

use navbake_search::lists;
use navbake_search::parts::Slices;

/// What a search over rooms works in.
pub(crate) struct Lists<'a> {
    /// The lists of searches over the ground.
    pub(crate) ground: Slices<'a>,
    pub(crate) doors: Doors<'a>,
}

/// The label of a door in a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DoorLabel {
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

impl DoorLabel {
    const NONE: DoorLabel = DoorLabel { door: 0, parent: 0, cell: 0, done: false, g: 0.0 };
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DoorOpen {
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

lists! {
    /// A set of small numbers in memory that need not be cleared.
    /// An item counts when its slot and its place name each other.
    pub(crate) Set, SetVectors, SetArrays:
    slots: [u32] = 0,
    items: [u32] = 0,
}

impl Set<'_> {
    /// The index of an item among the first `len`.
    #[inline]
    pub(super) fn place(&self, len: u32, item: u32) -> Option<usize> {
        let slot = *self.slots.get(item as usize)?;
        let own = *self.items.get(slot as usize)?;
        ((slot < len) & (own == item)).then_some(slot as usize)
    }

    /// Adds an item behind `len` others, if it is not among them.
    /// Returns the new number of items.
    pub(super) fn insert(&mut self, len: u32, item: u32) -> u32 {
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

    /// Adds an item behind `len` others, which it counts. Was it not among them?
    pub(super) fn add(&mut self, len: &mut u32, item: u32) -> bool {
        let before = *len;
        *len = self.insert(before, item);
        *len > before
    }

    pub(super) fn get(&self, place: u32) -> Option<u32> {
        self.items.get(place as usize).copied()
    }
}

lists! {
    /// Lists of one hierarchical search at a time.
    pub(crate) Doors, DoorsVectors, DoorsArrays:
    /// The label of each door, of the goal and of each link.
    slots: [u32] = 0,
    labels: [DoorLabel] = DoorLabel::NONE,
    open: [DoorOpen] = DoorOpen { f: 0.0, way: 0 },
    /// Routes whose last stretch is not measured.
    waiting: [DoorLabel] = DoorLabel::NONE,
    /// A route, its last abstract edge first.
    hops: [Hop] = Hop { to: 0, cell: 0 },
    ;
    /// Cells that are not crossed in one step.
    opened: Set, SetVectors, SetArrays,
    /// Cells with blocked ground.
    dirty: Set, SetVectors, SetArrays,
    /// Rooms that a search stays within.
    rooms: Set, SetVectors, SetArrays,
    /// Biconnected components that such a search stays within.
    blocks: Set, SetVectors, SetArrays,
    /// Biconnected components between the ends of a plan.
    passed: Set, SetVectors, SetArrays,
}

#[cfg(feature = "alloc")]
impl SetVectors {
    /// Makes room for the numbers below `len`.
    fn extend(&mut self, len: usize) {
        navbake_search::parts::extend(&mut self.slots, len);
        navbake_search::parts::extend(&mut self.items, len);
    }
}

#[cfg(feature = "alloc")]
impl DoorsVectors {
    /// Makes room for the rooms of a mesh; little where they have no distances.
    pub(crate) fn extend(&mut self, mesh: &navbake_format::NavMesh<'_>) {
        use navbake_search::parts::extend;
        let Some(rooms) = mesh.rooms() else {
            return;
        };
        let count = rooms.count() as usize;
        let blocks = mesh.polys().tops.len();
        self.rooms.extend(count);
        self.blocks.extend(blocks);
        if !rooms.has_ways() {
            return;
        }
        let doors = rooms.door_count() as usize + 1 + mesh.link_count() as usize;
        let cells = count + rooms.cluster_count() as usize;
        // A link may wait once for each route to it.
        let entries = 4 * doors + 12 * mesh.room_links().len() + 256;
        extend(&mut self.slots, doors);
        extend(&mut self.labels, doors);
        extend(&mut self.open, entries);
        extend(&mut self.waiting, entries);
        extend(&mut self.hops, doors);
        self.opened.extend(cells);
        self.dirty.extend(cells);
        self.passed.extend(blocks);
    }
}
