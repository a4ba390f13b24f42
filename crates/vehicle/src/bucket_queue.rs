//! A bucket queue: buckets of 1/128 of a tile, constant time for push and pop.
//!
//! Within a bucket the last entry in comes out first. Entries that improve are pushed again, and
//! the caller skips entries that are out of date; an entry that stays in its bucket need not be
//! pushed. Searches that reopen states that got cheaper, and continue until no bucket below their
//! result is left, find the same result as in perfect order.

/// Of estimated totals, in parts of a tile, to numbers of buckets.
pub(crate) const SHIFT: u32 = 9;
/// Heads of lists; the last one holds everything beyond the others.
pub(crate) const HEADS: usize = 8192;
/// The number of heads kept for entries below the first one pushed.
const BELOW: u32 = 2048;
const NONE: u32 = u32::MAX;

/// An entry of a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueEntry {
    pub(crate) value: u32,
    pub(crate) bucket: u32,
    next: u32,
}

/// The memory of these lists.
#[derive(Debug)]
pub struct QueueScratch<'s> {
    /// Heads of lists: 8192, or more.
    pub heads: &'s mut [u32],
    /// As many as are in the lists at a time, at most.
    pub entries: &'s mut [QueueEntry],
}

/// The state of a bucket queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BucketQueue {
    /// Number of the first head's bucket.
    base: u32,
    /// Below this head all are empty.
    low: u32,
    /// Entries that were ever used, and the first of those that are free again.
    used: u32,
    free: u32,
    len: u32,
}

/// The bucket of a total.
#[inline]
pub(crate) fn bucket(total: u64) -> u32 {
    u32::try_from(total >> SHIFT).unwrap_or(NONE - 2)
}

impl BucketQueue {
    /// Empty lists. `None` when there is no memory for heads.
    pub(crate) fn new(scratch: &mut QueueScratch<'_>) -> Option<BucketQueue> {
        scratch.heads.get_mut(..HEADS)?.fill(NONE);
        Some(BucketQueue::idle())
    }

    /// Lists that nothing was ever added to.
    pub(crate) fn idle() -> BucketQueue {
        BucketQueue { base: 0, low: 0, used: 0, free: NONE, len: 0 }
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }

    /// Adds a value; `false` when there is no room.
    #[inline]
    pub(crate) fn push(&mut self, scratch: &mut QueueScratch<'_>, bucket: u32, value: u32) -> bool {
        if self.len == 0 {
            self.base = bucket.saturating_sub(BELOW);
            self.low = BELOW;
        } else if bucket < self.base {
            self.rebase(scratch, bucket.saturating_sub(BELOW));
        }
        let at = if self.free == NONE { self.used } else { self.free };
        let Some(entry) = scratch.entries.get_mut(at as usize) else {
            return false;
        };
        if self.free == NONE {
            self.used += 1;
        } else {
            self.free = entry.next;
        }
        *entry = QueueEntry { value, bucket, next: NONE };
        self.len += 1;
        self.put(scratch, at);
        true
    }

    /// Takes an entry of the lowest bucket.
    #[inline]
    pub(crate) fn pop(&mut self, scratch: &mut QueueScratch<'_>) -> Option<QueueEntry> {
        self.lowest(scratch)?;
        let head = scratch.heads.get_mut(self.low as usize)?;
        let at = *head;
        let entry = scratch.entries.get_mut(at as usize)?;
        let taken = *entry;
        *head = taken.next;
        entry.next = self.free;
        self.free = at;
        self.len -= 1;
        Some(taken)
    }

    /// The lowest bucket that has entries.
    #[inline]
    pub(crate) fn lowest(&mut self, scratch: &mut QueueScratch<'_>) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let last = HEADS as u32 - 1;
        loop {
            while self.low < last && scratch.heads.get(self.low as usize) == Some(&NONE) {
                self.low += 1;
            }
            if self.low < last {
                return Some(self.base + self.low);
            }
            // All that is left is in the last list.
            let mut at = *scratch.heads.get(last as usize)?;
            let mut least = NONE;
            while let Some(entry) = scratch.entries.get(at as usize) {
                least = least.min(entry.bucket);
                at = entry.next;
            }
            self.rebase(scratch, least);
        }
    }

    /// Brings an entry to its list.
    #[inline]
    fn put(&mut self, scratch: &mut QueueScratch<'_>, at: u32) {
        let QueueScratch { heads, entries } = scratch;
        if let Some(entry) = entries.get_mut(at as usize) {
            let place = (entry.bucket - self.base).min(HEADS as u32 - 1);
            if let Some(head) = heads.get_mut(place as usize) {
                entry.next = *head;
                *head = at;
                self.low = self.low.min(place);
            }
        }
    }

    /// Lets another bucket be the first.
    fn rebase(&mut self, scratch: &mut QueueScratch<'_>, base: u32) {
        let mut all = NONE;
        for head in scratch.heads.iter_mut() {
            let mut at = core::mem::replace(head, NONE);
            while let Some(entry) = scratch.entries.get_mut(at as usize) {
                let next = core::mem::replace(&mut entry.next, all);
                all = at;
                at = next;
            }
        }
        self.base = base;
        self.low = HEADS as u32 - 1;
        while let Some(entry) = scratch.entries.get(all as usize) {
            let at = all;
            all = entry.next;
            self.put(scratch, at);
        }
    }
}
