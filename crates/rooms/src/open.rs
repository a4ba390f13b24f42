//! The labels of doors and their open list, a heap.
//!
//! A measured route is its door's label, and the heap refers to that. A route that is not measured
//! waits beside the labels until its turn.

use crate::memory::{DoorLabel, DoorOpen, Doors};

/// A route to a door, offered to the open list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Offer {
    /// Lower bound on routes through it.
    pub(super) f: f64,
    pub(super) g: f64,
    /// The door; the number of doors for the goal.
    pub(super) door: u32,
    /// The label of the door before; all bits set at the start.
    pub(super) parent: u32,
    pub(super) cell: u32,
    /// Is the last stretch measured? Otherwise `g` is a lower bound.
    pub(super) exact: bool,
}

/// The sizes of the labels and the open list of a running search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Front {
    labels: u32,
    len: usize,
    /// The greatest number of places for waiting routes in use at once.
    waiting: u32,
    /// The first free place plus one; 0 for none.
    /// Its parent holds the next free place, likewise plus one.
    free: u32,
    /// Some memory was too small.
    pub(super) full: bool,
    /// Doors settled.
    pub(super) expanded: u32,
    /// The greatest length of the open list.
    pub(super) longest: u32,
}

/// The number of children of a heap entry.
/// It is four, as there are far more insertions than removals.
const CHILDREN: usize = 4;

/// In [`DoorOpen::way`]: the other bits are a place among the waiting routes.
const WAITS: u32 = 1 << 31;

/// The sort key of the open list: it grows with the lower bound.
/// The bound is never negative, so its bits compare without a branch. The order of equals does not
/// matter.
#[inline]
fn key(open: &DoorOpen) -> u64 {
    open.f.to_bits()
}

/// The index of the smaller of two entries.
#[inline]
fn first(all: &[DoorOpen], a: usize, b: usize) -> usize {
    match key(&all[b]) < key(&all[a]) {
        true => b,
        false => a,
    }
}

/// Puts an item into the heap's hole or above it.
#[inline]
fn rise(heap: &mut [DoorOpen], mut hole: usize, item: DoorOpen) {
    while hole > 0 {
        let above = (hole - 1) / CHILDREN;
        if key(&heap[above]) <= key(&item) {
            break;
        }
        heap[hole] = heap[above];
        hole = above;
    }
    heap[hole] = item;
}

impl Front {
    /// The label of a door.
    #[inline]
    pub(super) fn label(&self, door: u32, doors: &Doors<'_>) -> Option<u32> {
        let slot = *doors.slots.get(door as usize)?;
        let label = doors.labels.get(slot as usize)?;
        (slot < self.labels && label.door == door).then_some(slot)
    }

    /// Could a route of this length to a door improve on the known ones?
    /// If so, returns the door's label; all bits set where it has none.
    #[inline]
    pub(super) fn wanted(&self, door: u32, g: f64, exact: bool, doors: &Doors<'_>) -> Option<u32> {
        let Some(own) = self.label(door, doors) else {
            return Some(u32::MAX);
        };
        let label = doors.labels.get(own as usize)?;
        (g < label.g && (exact || !label.done)).then_some(own)
    }

    /// Offers a route to a door. A route that is not measured waits until its turn.
    pub(super) fn offer(&mut self, item: Offer, doors: &mut Doors<'_>) {
        if let Some(own) = self.wanted(item.door, item.g, item.exact, doors) {
            self.take(&item, own, doors);
        }
    }

    /// Keeps a wanted route to a door, given the door's label.
    #[inline]
    pub(super) fn take(&mut self, item: &Offer, own: u32, doors: &mut Doors<'_>) {
        let label = DoorLabel {
            door: item.door,
            parent: item.parent,
            cell: item.cell,
            done: false,
            g: item.g,
        };
        let kept = match item.exact {
            true => self.put_label(label, own, doors),
            false => self.put_aside(label, doors),
        };
        match kept {
            Some(way) => self.push(DoorOpen { f: item.f, way }, doors),
            None => self.full = true,
        }
    }

    /// Writes a door's label, which is given where the door has one.
    /// A settled door is settled once more: there is a shorter route to it.
    #[inline]
    fn put_label(&mut self, label: DoorLabel, own: u32, doors: &mut Doors<'_>) -> Option<u32> {
        if own != u32::MAX {
            *doors.labels.get_mut(own as usize)? = label;
            return Some(own);
        }
        let own = self.labels;
        *doors.labels.get_mut(own as usize)? = label;
        *doors.slots.get_mut(label.door as usize)? = own;
        self.labels += 1;
        Some(own)
    }

    /// Puts a route that is not measured among the waiting ones.
    fn put_aside(&mut self, way: DoorLabel, doors: &mut Doors<'_>) -> Option<u32> {
        let place = self.free.checked_sub(1).unwrap_or(self.waiting);
        let slot = doors.waiting.get_mut(place as usize)?;
        match self.free {
            0 => self.waiting += 1,
            _ => self.free = slot.parent,
        }
        *slot = way;
        Some(place | WAITS)
    }

    fn push(&mut self, item: DoorOpen, doors: &mut Doors<'_>) {
        let Some(open) = doors.open.get_mut(..=self.len) else {
            self.full = true;
            return;
        };
        rise(open, self.len, item);
        self.len += 1;
        self.longest = self.longest.max(self.len as u32);
    }

    /// Takes the best entry that is still of use.
    /// If it is measured, this settles its door, and its label is returned as well.
    pub(super) fn pop(&mut self, doors: &mut Doors<'_>) -> Option<(Offer, u32)> {
        while let Some(open) = self.pop_any(doors) {
            let exact = open.way & WAITS == 0;
            let (way, own) = match exact {
                true => {
                    let label = doors.labels.get_mut(open.way as usize)?;
                    if label.done {
                        continue;
                    }
                    label.done = true;
                    (*label, open.way)
                }
                false => {
                    let way = self.take_out(open.way & !WAITS, doors)?;
                    let own = self.label(way.door, doors);
                    let label = own.and_then(|own| doors.labels.get(own as usize));
                    if label.is_some_and(|label| label.done || label.g <= way.g) {
                        continue;
                    }
                    (way, own.unwrap_or(u32::MAX))
                }
            };
            let item = Offer {
                f: open.f,
                g: way.g,
                door: way.door,
                parent: way.parent,
                cell: way.cell,
                exact,
            };
            return Some((item, own));
        }
        None
    }

    /// Removes a route from the waiting ones.
    fn take_out(&mut self, place: u32, doors: &mut Doors<'_>) -> Option<DoorLabel> {
        let slot = doors.waiting.get_mut(place as usize)?;
        let way = *slot;
        slot.parent = self.free;
        self.free = place + 1;
        Some(way)
    }

    fn pop_any(&mut self, doors: &mut Doors<'_>) -> Option<DoorOpen> {
        let (item, heap) = doors.open.get_mut(..self.len)?.split_last_mut()?;
        self.len -= 1;
        let Some(best) = heap.first().copied() else {
            return Some(*item);
        };
        // The hole moves down to a leaf, then up to the last item's position, which is near the
        // leaves.
        let mut hole = 0;
        while let Some(below) = heap.get(CHILDREN * hole + 1..).filter(|b| !b.is_empty()) {
            let child = match below.first_chunk::<CHILDREN>() {
                Some(all) => first(all, first(all, 0, 1), first(all, 2, 3)),
                None => (1..below.len()).fold(0, |a, b| first(below, a, b)),
            };
            let up = below[child];
            heap[hole] = up;
            hole = CHILDREN * hole + 1 + child;
        }
        rise(heap, hole, *item);
        Some(best)
    }

    /// Writes the route to a label into [`Doors::hops`], last edge first.
    /// It starts at index `begin`. Returns the number of abstract edges; `None` when there is no
    /// room for them.
    pub(super) fn trace(&self, label: u32, begin: u32, doors: &mut Doors<'_>) -> Option<u32> {
        let (mut at, mut count) = (label, 0);
        while let Some(own) = doors.labels.get(at as usize).filter(|_| count <= self.labels) {
            if own.cell == u32::MAX {
                break; // where a search within a cluster begins
            }
            let hop = doors.hops.get_mut((begin + count) as usize)?;
            (hop.to, hop.cell) = (own.door, own.cell);
            count += 1;
            at = own.parent;
        }
        Some(count)
    }
}
