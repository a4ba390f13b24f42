//! The requests of a queue, by unit.

use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

/// A request in the queue.
#[derive(Clone, Debug)]
pub(crate) struct Entry<R> {
    pub(crate) unit: u64,
    pub(crate) request: R,
    /// The lane that searches it.
    pub(crate) lane: Option<usize>,
    /// Did its search begin for another unit, which is gone?
    pub(crate) inherited: bool,
    /// The unit that it follows, and the spacing of the followers' ends, m.
    pub(crate) follows: Option<(u64, f64)>,
    /// May others follow it?
    pub(crate) leads: bool,
}

impl<R> Entry<R> {
    pub(crate) fn leader(&self) -> Option<u64> {
        self.follows.map(|f| f.0)
    }
}

/// Entries by slots, and the slots in the order of units.
///
/// Entries are large: only their numbers are moved when one comes or goes.
#[derive(Clone, Debug)]
pub(crate) struct Entries<R> {
    slots: Vec<Entry<R>>,
    order: Vec<(u64, u32)>,
}

impl<R> Entries<R> {
    pub(crate) fn with_capacity(units: usize) -> Entries<R> {
        Entries { slots: Vec::with_capacity(units), order: Vec::with_capacity(units) }
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The place of a unit in the order.
    fn place(&self, unit: u64) -> Result<usize, usize> {
        self.order.binary_search_by_key(&unit, |own| own.0)
    }

    /// The slot of a unit, until an entry is removed.
    pub(crate) fn find(&self, unit: u64) -> Option<usize> {
        self.place(unit).ok().map(|place| self.order[place].1 as usize)
    }

    /// Adds a unit that has no entry yet.
    pub(crate) fn add(&mut self, entry: Entry<R>) {
        if let Err(place) = self.place(entry.unit) {
            self.order.insert(place, (entry.unit, self.slots.len() as u32));
            self.slots.push(entry);
        }
    }

    /// Removes the entry in a slot; the last one takes the slot.
    pub(crate) fn remove(&mut self, slot: usize) -> Entry<R> {
        let entry = self.slots.swap_remove(slot);
        if let Ok(place) = self.place(entry.unit) {
            self.order.remove(place);
        }
        let moved = self.slots.get(slot).map(|moved| moved.unit);
        if let Some(Ok(place)) = moved.map(|unit| self.place(unit)) {
            self.order[place].1 = slot as u32; // fewer than units fit in memory
        }
        entry
    }

    /// The slot at a place in the order of units.
    pub(crate) fn slot(&self, place: usize) -> usize {
        self.order[place].1 as usize
    }

    /// The slots in the order of their units.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = usize> + '_ {
        self.order.iter().map(|own| own.1 as usize)
    }

    /// All entries, in no order.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry<R>> {
        self.slots.iter_mut()
    }

    /// The entries of two slots.
    pub(crate) fn two(&mut self, slots: [usize; 2]) -> Option<[&mut Entry<R>; 2]> {
        self.slots.get_disjoint_mut(slots).ok()
    }
}

impl<R> Index<usize> for Entries<R> {
    type Output = Entry<R>;

    fn index(&self, slot: usize) -> &Entry<R> {
        &self.slots[slot]
    }
}

impl<R> IndexMut<usize> for Entries<R> {
    fn index_mut(&mut self, slot: usize) -> &mut Entry<R> {
        &mut self.slots[slot]
    }
}
