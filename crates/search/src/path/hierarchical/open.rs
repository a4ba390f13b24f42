//! The labels of doors and their open list: a binary heap.

use super::memory::{DoorLabel, DoorOpen, Doors};

/// Labels and open list under way: so many of each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Front {
    labels: u32,
    len: usize,
    /// Something did not fit.
    pub(super) full: bool,
    /// Doors settled, and ways within rooms looked at.
    pub(super) expanded: u32,
    /// The greatest length of the open list.
    pub(super) longest: u32,
}

/// The least first; of equals the one with the longer way behind it, the measured one, the lesser number.
#[inline]
fn less(a: &DoorOpen, b: &DoorOpen) -> bool {
    if a.f != b.f {
        return a.f < b.f;
    }
    if a.g != b.g {
        return a.g > b.g;
    }
    let key = |o: &DoorOpen| (!o.exact, o.door, o.parent, o.cell);
    key(a) < key(b)
}

impl Front {
    /// The label of a door.
    #[inline]
    pub(super) fn label(&self, door: u32, doors: &Doors<'_>) -> Option<u32> {
        let slot = *doors.slots.get(door as usize)?;
        let label = doors.labels.get(slot as usize)?;
        (slot < self.labels && label.door == door).then_some(slot)
    }

    /// Could a way to a door be of use, by those known so far? Then the door's label, or all bits set where it has none.
    #[inline]
    pub(super) fn wanted(&self, item: &DoorOpen, doors: &Doors<'_>) -> Option<u32> {
        let Some(own) = self.label(item.door, doors) else {
            return Some(u32::MAX);
        };
        let label = doors.labels.get(own as usize)?;
        (item.g < label.g && (item.exact || !label.done)).then_some(own)
    }

    /// Offers a way to a door; one that is not measured is only kept until it is its turn.
    pub(super) fn offer(&mut self, item: DoorOpen, doors: &mut Doors<'_>) {
        if let Some(own) = self.wanted(&item, doors) {
            self.take(&item, own, doors);
        }
    }

    /// Keeps a way to a door that is wanted, given the door's label.
    #[inline]
    pub(super) fn take(&mut self, item: &DoorOpen, mut own: u32, doors: &mut Doors<'_>) {
        if item.exact {
            if own == u32::MAX {
                own = self.labels;
                match doors.slots.get_mut(item.door as usize) {
                    Some(slot) => *slot = own,
                    None => self.full = true,
                }
                self.labels += 1;
            }
            // A shorter way to a settled door: it is settled once more.
            match doors.labels.get_mut(own as usize) {
                Some(label) => {
                    *label = DoorLabel {
                        door: item.door,
                        parent: item.parent,
                        cell: item.cell,
                        done: false,
                        g: item.g,
                    }
                }
                None => self.full = true,
            }
        }
        self.push(item, doors.open);
    }

    fn push(&mut self, item: &DoorOpen, open: &mut [DoorOpen]) {
        let Some(open) = open.get_mut(..=self.len) else {
            self.full = true;
            return;
        };
        let mut at = self.len;
        while at > 0 {
            let above = (at - 1) / 2;
            if !less(item, &open[above]) {
                break;
            }
            open[at] = open[above];
            at = above;
        }
        open[at] = *item;
        self.len += 1;
        self.longest = self.longest.max(self.len as u32);
    }

    /// Takes the best entry that is still worth something; a measured one's door is settled by that, and given with its label.
    pub(super) fn pop(&mut self, doors: &mut Doors<'_>) -> Option<(DoorOpen, u32)> {
        while let Some(item) = self.pop_any(doors.open) {
            match self.label(item.door, doors) {
                Some(own) => {
                    let Some(label) = doors.labels.get_mut(own as usize) else {
                        continue;
                    };
                    let stale =
                        label.done || label.g < item.g || (!item.exact && label.g <= item.g);
                    if stale {
                        continue;
                    }
                    label.done = item.exact;
                    return Some((item, own));
                }
                None => return Some((item, u32::MAX)),
            }
        }
        None
    }

    fn pop_any(&mut self, open: &mut [DoorOpen]) -> Option<DoorOpen> {
        if self.len == 0 {
            return None;
        }
        let best = open[0];
        self.len -= 1;
        let item = open[self.len];
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.len {
                break;
            }
            if child + 1 < self.len && less(&open[child + 1], &open[child]) {
                child += 1;
            }
            if !less(&open[child], &item) {
                break;
            }
            open[at] = open[child];
            at = child;
        }
        open[at] = item;
        Some(best)
    }

    /// Writes the way to a label into [`Doors::hops`] from a place on, its last stretch first; gives how many there are, `None` when there is no room for them.
    pub(super) fn trace(&self, label: u32, begin: u32, doors: &mut Doors<'_>) -> Option<u32> {
        let (mut at, mut count) = (label, 0);
        while let Some(own) = doors
            .labels
            .get(at as usize)
            .filter(|_| count <= self.labels)
        {
            if own.cell == u32::MAX {
                break; // where a search within a district begins
            }
            let hop = doors.hops.get_mut((begin + count) as usize)?;
            (hop.to, hop.cell) = (own.door, own.cell);
            count += 1;
            at = own.parent;
        }
        Some(count)
    }
}
