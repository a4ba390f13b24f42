//! Units by squares of the ground plane: the nearest of them around a place.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::avoid::{Seen, minus};
use crate::program::dot;

/// The most others that a unit avoids.
pub(crate) const MOST: usize = 8;

/// Units sorted by square, squares by a hash: memory follows the number of units, not the level's
/// extent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    /// The farthest that a unit looks, m.
    reach: f64,
    /// Side of a square, m.
    side: f64,
    /// For each hash, its first entry; one more at the end.
    starts: Vec<u32>,
    /// Sorted by the hash of their squares.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    square: [i32; 2],
    /// Number of the unit.
    pub(crate) unit: u32,
    pub(crate) seen: Seen,
}

/// The units nearest to one, nearest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    /// Squared distance, and number of the entry.
    found: [(f64, u32); MOST],
    len: usize,
}

impl Cells {
    /// Takes the units of now, which look as far as `reach`, m.
    pub(crate) fn fill(&mut self, units: impl Iterator<Item = (u32, Seen)> + Clone, reach: f64) {
        self.reach = reach;
        self.side = (0.5 * reach).max(0.25);
        let count = units.clone().count();
        // At least a row of squares.
        let size = (2 * count).next_power_of_two().max(8);
        self.starts.clear();
        self.starts.resize(size + 1, 0);
        for (_, seen) in units.clone() {
            let hash = self.hash(self.square(seen.at));
            self.starts[hash] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        let none = Entry { square: [0; 2], unit: 0, seen: Seen::default() };
        self.entries.clear();
        self.entries.resize(count, none);
        for (unit, seen) in units {
            let square = self.square(seen.at);
            let hash = self.hash(square);
            self.starts[hash] -= 1;
            self.entries[self.starts[hash] as usize] = Entry { square, unit, seen };
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The units nearest to entry `own`, without it and those of other storeys.
    pub(crate) fn around(&self, own: usize) -> Nearest {
        let Entry { square: [x, z], seen: me, .. } = self.entries[own];
        let mut nearest = Nearest { found: [(self.reach * self.reach, u32::MAX); MOST], len: 0 };
        for row in z - 1..=z + 1 {
            self.look(row, [x - 1, x + 1], own, &me, &mut nearest);
        }
        // All within a side are known; often there is enough of it.
        if nearest.len == MOST && nearest.found[MOST - 1].0 <= self.side * self.side {
            return nearest;
        }
        for row in z - 1..=z + 1 {
            self.look(row, [x - 2, x - 2], own, &me, &mut nearest);
            self.look(row, [x + 2, x + 2], own, &me, &mut nearest);
        }
        for row in [z - 2, z + 2] {
            self.look(row, [x - 2, x + 2], own, &me, &mut nearest);
        }
        nearest
    }

    /// Takes the units of a row of squares. Their hashes follow each other.
    fn look(&self, row: i32, [from, to]: [i32; 2], own: usize, me: &Seen, nearest: &mut Nearest) {
        let (begin, count) = (self.hash([from, row]), (to - from + 1) as usize);
        let size = self.starts.len() - 1;
        let end = begin + count;
        self.take(begin, end.min(size), row, own, me, nearest);
        if end > size {
            self.take(0, end - size, row, own, me, nearest);
        }
    }

    #[inline]
    fn take(
        &self,
        begin: usize,
        end: usize,
        row: i32,
        own: usize,
        me: &Seen,
        nearest: &mut Nearest,
    ) {
        let [begin, end] = [begin, end].map(|k| self.starts[k] as usize);
        for (k, entry) in self.entries[begin..end].iter().enumerate() {
            let (k, other) = (begin + k, &entry.seen);
            let d = minus(other.at, me.at);
            let far = dot(d, d);
            // A hash is that of other rows too.
            if far > nearest.found[MOST - 1].0 || k == own || entry.square[1] != row {
                continue;
            }
            let up = other.ground - me.ground;
            if up < me.height && -up < other.height {
                nearest.insert(far, k, |a, b| self.order(a, b));
            }
        }
    }

    /// An order by content: units that compare equal are the same for others.
    fn order(&self, a: u32, b: u32) -> Ordering {
        let [a, b] = [a, b].map(|k| &self.entries[k as usize].seen);
        let all = |s: &Seen| {
            [s.at[0], s.at[1], s.ground, s.velocity[0], s.velocity[1], s.radius, s.heading[0]]
        };
        let (all_a, all_b) = (all(a), all(b));
        let pairs = all_a.iter().zip(&all_b);
        let order = pairs.map(|(a, b)| a.total_cmp(b)).find(|o| o.is_ne());
        order.unwrap_or_else(|| a.priority.cmp(&b.priority))
    }

    fn square(&self, at: [f64; 2]) -> [i32; 2] {
        at.map(|c| {
            let c = c / self.side;
            let down = c as i32;
            if f64::from(down) > c { down - 1 } else { down }
        })
    }

    #[inline]
    fn hash(&self, [x, z]: [i32; 2]) -> usize {
        let row = (z as u32).wrapping_mul(0x9E37_79B1);
        (x as u32).wrapping_add(row ^ row >> 15) as usize & (self.starts.len() - 2)
    }
}

impl Nearest {
    /// Numbers of the entries, nearest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + Clone {
        self.found[..self.len].iter().map(|f| f.1 as usize)
    }

    fn insert(&mut self, far: f64, entry: usize, order: impl Fn(u32, u32) -> Ordering) {
        let entry = entry as u32;
        let before = |(d, k): (f64, u32)| far < d || far == d && order(entry, k).is_lt();
        let mut at = self.len.min(MOST - 1);
        if self.len == MOST && !before(self.found[at]) {
            return;
        }
        while at > 0 && before(self.found[at - 1]) {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = (far, entry);
        self.len = (self.len + 1).min(MOST);
    }
}
