//! Lists of records of which parts come and go.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use navbake_navmesh::record::{Record, Records};

use crate::arena::Arena;

/// Parts of a list that are free.
#[derive(Clone, Debug, Default)]
pub(crate) struct Free {
    /// Sorted; between two is something that is taken.
    pub(crate) ranges: Vec<Range<u32>>,
    /// Up to here the list was ever taken.
    pub(crate) len: u32,
}

impl Free {
    /// The first free part of a length, else one at the end.
    pub(crate) fn take(&mut self, count: u32) -> Range<u32> {
        let fits = |range: &Range<u32>| range.end - range.start >= count;
        if let Some(i) = self.ranges.iter().position(fits) {
            let range = &mut self.ranges[i];
            let start = range.start;
            range.start += count;
            if range.start == range.end {
                self.ranges.remove(i);
            }
            return start..start + count;
        }
        let start = self.len;
        self.len += count;
        start..self.len
    }

    /// Frees a part that was taken.
    pub(crate) fn give(&mut self, range: Range<u32>) {
        if range.start == range.end {
            return;
        }
        let i = self.ranges.partition_point(|r| r.start < range.start);
        self.ranges.insert(i, range);
        if self.ranges.get(i + 1).is_some_and(|next| next.start == self.ranges[i].end) {
            self.ranges[i].end = self.ranges.remove(i + 1).end;
        }
        if i > 0 && self.ranges[i - 1].end == self.ranges[i].start {
            self.ranges[i - 1].end = self.ranges.remove(i).end;
        }
    }
}

/// A list of records of several chunks.
#[derive(Clone)]
pub(crate) struct List<R: Record> {
    pub(crate) all: Arena<R>,
    pub(crate) free: Free,
}

impl<R: Record> fmt::Debug for List<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("List").field("len", &self.all.len()).field("free", &self.free).finish()
    }
}

impl<R: Record> Default for List<R> {
    fn default() -> List<R> {
        List { all: Arena::default(), free: Free::default() }
    }
}

impl<R: Record> List<R> {
    /// Adds records in one run.
    pub(crate) fn put(&mut self, records: impl ExactSizeIterator<Item = R>) -> Range<u32> {
        let range = self.free.take(records.len() as u32);
        for (i, record) in (range.start as usize..).zip(records) {
            match i < self.all.len() {
                true => self.all.set(i, record),
                false => self.all.push(record),
            }
        }
        range
    }

    /// Adds records in one run, as they are.
    pub(crate) fn put_all(&mut self, records: Records<'_, R>) -> Range<u32> {
        let range = self.free.take(records.len() as u32);
        self.all.write(range.start as usize, records);
        range
    }

    pub(crate) fn records(&self) -> Records<'_, R> {
        self.all.records()
    }
}

/// A run of polygons and a run of edges, of a chunk or free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) polygons: Range<u32>,
    pub(crate) edges: Range<u32>,
    pub(crate) taken: bool,
}

/// All polygons and edges in runs. Both are in one order, as edges are found by the first one of
/// each polygon.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    pub(crate) all: Vec<Slot>,
}

impl Slots {
    /// Takes room for polygons and edges; `None` where there is not enough in one run.
    pub(crate) fn take(&mut self, polygons: u32, edges: u32) -> Option<Slot> {
        let room = |range: &Range<u32>| range.end - range.start;
        let i = self.all.iter().position(|slot| {
            !slot.taken && room(&slot.polygons) >= polygons && room(&slot.edges) >= edges
        })?;
        let rest = &mut self.all[i];
        let (p, e) = (rest.polygons.start, rest.edges.start);
        let taken = Slot { polygons: p..p + polygons, edges: e..e + edges, taken: true };
        (rest.polygons.start, rest.edges.start) = (taken.polygons.end, taken.edges.end);
        self.all.insert(i, taken.clone());
        Some(taken)
    }

    /// Adds room at the end.
    pub(crate) fn grow(&mut self, polygons: Range<u32>, edges: Range<u32>) -> Slot {
        self.all.push(Slot { polygons, edges, taken: false });
        self.join(self.all.len() - 1)
    }

    /// Frees what was taken, and gives the free run that it is part of now.
    pub(crate) fn give(&mut self, polygons: &Range<u32>) -> Option<Slot> {
        let i = self.all.iter().position(|slot| slot.taken && slot.polygons == *polygons)?;
        self.all[i].taken = false;
        Some(self.join(i))
    }

    /// Joins a free run with free ones beside it.
    fn join(&mut self, mut i: usize) -> Slot {
        if self.all.get(i + 1).is_some_and(|next| !next.taken) {
            let next = self.all.remove(i + 1);
            (self.all[i].polygons.end, self.all[i].edges.end) = (next.polygons.end, next.edges.end);
        }
        if i > 0 && !self.all[i - 1].taken {
            let own = self.all.remove(i);
            i -= 1;
            (self.all[i].polygons.end, self.all[i].edges.end) = (own.polygons.end, own.edges.end);
        }
        self.all[i].clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_taken_again() {
        let mut free = Free::default();
        let parts: Vec<Range<u32>> = [5, 3, 4].map(|n| free.take(n)).into();
        assert_eq!(parts, [0..5, 5..8, 8..12]);
        free.give(0..5);
        free.give(8..12);
        assert_eq!(free.take(6), 12..18);
        free.give(5..8);
        assert_eq!((free.take(12), free.len), (0..12, 18));
    }

    #[test]
    fn free_runs_of_polygons_and_edges_are_joined() {
        let mut slots = Slots::default();
        slots.grow(0..10, 0..40);
        let [a, b] = [(2, 8), (3, 12)].map(|(p, e)| slots.take(p, e).unwrap());
        assert_eq!((a.polygons.clone(), b.edges.clone()), (0..2, 8..20));
        assert_eq!(slots.take(6, 1), None);
        assert_eq!(slots.give(&a.polygons).unwrap().edges, 0..8);
        assert_eq!(slots.give(&b.polygons).unwrap().edges, 0..40);
        assert_eq!(slots.grow(10..12, 40..44).polygons, 0..12);
    }
}
