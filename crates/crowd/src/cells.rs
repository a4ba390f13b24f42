//! Units by squares of the ground plane: the nearest of them around a place.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::avoid::{Seen, minus};
use crate::program::dot;
use navbake_navmesh::math::sqrt;

/// The most others that a unit avoids.
pub(crate) const MOST: usize = 8;

/// Squares that a unit looks at in each direction: where units are far apart, and where near.
const RINGS: [i32; 2] = [2, 4];
/// Units in the square of a unit, in the mean, from which squares get smaller, and larger again;
/// quarters.
const CROWDED: [usize; 2] = [10, 5];

/// Units sorted by square. The squares repeat after some rows and columns, so memory follows the
/// number of units, not the level's extent; units of other squares are too far to matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    /// The farthest that a unit looks, m.
    reach: f64,
    /// Side of a square, m, and how many of them a unit looks at in each direction.
    side: f64,
    rings: i32,
    /// Squares in a row before they repeat, and rows: powers of two.
    across: usize,
    down: usize,
    /// For each square, row by row, its first entry; one more at the end.
    starts: Vec<u32>,
    /// Sorted by their squares.
    entries: Vec<Entry>,
    /// Of each entry what is looked at most: its place.
    spots: Vec<[f64; 2]>,
    /// Are all units on one storey?
    is_flat: bool,
    /// By number of a unit, its entry.
    places: Vec<u32>,
    /// By number of a unit, those that were nearest to it when it was asked last; the last is
    /// [`NONE`] where there were fewer.
    before: Vec<[u32; MOST]>,
}

/// No unit.
const NONE: u32 = u32::MAX;

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
        self.rings = RINGS[usize::from(self.is_crowded())];
        self.side = (reach / f64::from(self.rings)).max(0.25);
        let count = units.clone().count();
        // At least as many rows and columns as a unit looks at.
        let size = (4 * count).next_power_of_two().max(256);
        self.across = 1 << size.ilog2().div_ceil(2);
        self.down = size / self.across;
        self.starts.clear();
        self.starts.resize(size + 1, 0);
        for (_, seen) in units.clone() {
            let slot = self.slot(self.square(seen.at));
            self.starts[slot] += 1;
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
            let slot = self.slot(square);
            self.starts[slot] -= 1;
            self.entries[self.starts[slot] as usize] = Entry { square, unit, seen };
        }
        self.spots.clear();
        self.spots.extend(self.entries.iter().map(|entry| entry.seen.at));
        let none = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY];
        let [least, most, height] = self.entries.iter().fold(none, |[a, b, c], entry| {
            let Seen { ground, height, .. } = entry.seen;
            [a.min(ground), b.max(ground), c.min(height)]
        });
        self.is_flat = most - least < height;
        let numbers = self.entries.iter().map(|entry| entry.unit as usize + 1).max().unwrap_or(0);
        self.before.resize(numbers.max(self.before.len()), [NONE; MOST]);
        self.places.clear();
        self.places.resize(numbers, NONE);
        for (k, entry) in (0..).zip(&self.entries) {
            self.places[entry.unit as usize] = k;
        }
    }

    /// Keeps the units that are nearest to the unit of an entry, for [`Cells::around`] of the next
    /// step.
    pub(crate) fn keep(&mut self, own: usize, nearest: &Nearest) {
        let units = &mut self.before[self.entries[own].unit as usize];
        if nearest.len < MOST {
            units[MOST - 1] = NONE;
            return;
        }
        for (slot, k) in units.iter_mut().zip(nearest.iter()) {
            *slot = self.entries[k].unit;
        }
    }

    /// Those that were nearest before, where they are now: an upper bound on how far the nearest
    /// are. False unless all of them are there.
    #[inline]
    fn begin(&self, own: usize, nearest: &mut Nearest) -> bool {
        let before = &self.before[self.entries[own].unit as usize];
        if before[MOST - 1] == NONE {
            return false;
        }
        for &unit in before {
            let Some(&k) = self.places.get(unit as usize) else {
                return false;
            };
            let (at, k) = (self.spots[own], k as usize);
            let Some(spot) = self.spots.get(k).filter(|_| k != own) else {
                return false;
            };
            let d = minus(*spot, at);
            let far = dot(d, d);
            if far >= self.reach * self.reach || !self.are_level(own, k) {
                return false;
            }
            nearest.insert(far, k, |a, b| self.order(a, b));
        }
        true
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The units nearest to entry `own`, without it and those of other storeys.
    pub(crate) fn around(&self, own: usize) -> Nearest {
        let [x, z] = self.entries[own].square;
        let mut nearest = Nearest { found: [(self.reach * self.reach, NONE); MOST], len: 0 };
        if self.begin(own, &mut nearest) {
            let far = sqrt(nearest.found[MOST - 1].0) + 1e-9;
            let [low, high] = [-far, far].map(|by| self.square(self.spots[own].map(|c| c + by)));
            for row in low[1]..=high[1] {
                self.look(row, [low[0], high[0]], own, &mut nearest);
            }
            return nearest;
        }
        nearest.len = 0;
        nearest.found.fill((self.reach * self.reach, NONE));
        let beside = [z, z - 1, z + 1];
        let count: usize = beside.iter().map(|&row| self.count(row, [x - 1, x + 1])).sum();
        if count <= MOST {
            for row in z - self.rings..=z + self.rings {
                self.look(row, [x - self.rings, x + self.rings], own, &mut nearest);
            }
            return nearest;
        }
        for row in beside {
            self.look(row, [x - 1, x + 1], own, &mut nearest);
        }
        // How far within its square it is, in sides.
        let within = [0, 1].map(|k| self.spots[own][k] / self.side - f64::from([x, z][k]));
        for ring in 2..=self.rings {
            // How far off the squares of this ring begin; behind all that is found they do not
            // matter.
            let (far, near) = (f64::from(ring - 1), f64::from(ring));
            let matters = |sides: f64, nearest: &Nearest| {
                let away = sides * self.side - 1e-9;
                away * away <= nearest.found[MOST - 1].0
            };
            let sides = [within[0] + far, near - within[0]];
            let [left, right] = sides.map(|d| matters(d, &nearest));
            for row in z - ring + 1..z + ring {
                if left {
                    self.look(row, [x - ring, x - ring], own, &mut nearest);
                }
                if right {
                    self.look(row, [x + ring, x + ring], own, &mut nearest);
                }
            }
            let sides = [within[1] + far, near - within[1]];
            let [above, below] = sides.map(|d| matters(d, &nearest));
            for (row, _) in [(z - ring, above), (z + ring, below)].iter().filter(|row| row.1) {
                self.look(*row, [x - ring, x + ring], own, &mut nearest);
            }
            if !(left || right || above || below) {
                break;
            }
        }
        nearest
    }

    /// Were many units in one square, when they were taken last?
    fn is_crowded(&self) -> bool {
        let together = self.starts.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let limit = CROWDED[usize::from(self.rings == RINGS[1])];
        4 * together.map(|count| count * count).sum::<usize>() > limit * self.entries.len()
    }

    /// The number of units in a row of squares, and of some others in their places.
    #[inline]
    fn count(&self, row: i32, ends: [i32; 2]) -> usize {
        let count = |[begin, end]: [usize; 2]| (self.starts[end] - self.starts[begin]) as usize;
        let (first, second) = self.runs(row, ends);
        count(first) + second.map_or(0, count)
    }

    /// Takes the units of a row of squares.
    #[inline]
    fn look(&self, row: i32, ends: [i32; 2], own: usize, nearest: &mut Nearest) {
        let (first, second) = self.runs(row, ends);
        self.take(first, own, nearest);
        if let Some(second) = second {
            self.take(second, own, nearest);
        }
    }

    /// Where a row of squares is: in one run, or in two where it goes on at the begin of its row.
    #[inline]
    fn runs(&self, row: i32, [from, to]: [i32; 2]) -> ([usize; 2], Option<[usize; 2]>) {
        let begin = self.slot([from, row]);
        let (most, end) = ((begin | (self.across - 1)) + 1, begin + (to - from + 1) as usize);
        if end <= most {
            return ([begin, end], None);
        }
        let start = most - self.across;
        ([begin, most], Some([start, start + end - most]))
    }

    #[inline]
    fn take(&self, run: [usize; 2], own: usize, nearest: &mut Nearest) {
        let [begin, end] = run.map(|k| self.starts[k] as usize);
        let at = self.spots[own];
        for (k, spot) in (begin..).zip(&self.spots[begin..end]) {
            let d = minus(*spot, at);
            let far = dot(d, d);
            if far > nearest.found[MOST - 1].0 || k == own || nearest.has(k) {
                continue;
            }
            if self.are_level(own, k) {
                nearest.insert(far, k, |a, b| self.order(a, b));
            }
        }
    }

    /// Is a unit on the storey of another one?
    #[inline]
    fn are_level(&self, own: usize, other: usize) -> bool {
        self.is_flat || self.entries[own].seen.is_level_with(&self.entries[other].seen)
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

    /// The place of a square in the list.
    #[inline]
    fn slot(&self, [x, z]: [i32; 2]) -> usize {
        let [x, z] = [x, z].map(|c| c as u32 as usize);
        (z & (self.down - 1)) * self.across + (x & (self.across - 1))
    }
}

impl Nearest {
    /// Numbers of the entries, nearest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + Clone {
        self.found[..self.len].iter().map(|f| f.1 as usize)
    }

    /// Was an entry found already?
    #[inline]
    fn has(&self, entry: usize) -> bool {
        self.found.iter().any(|found| found.1 == entry as u32)
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
