//! Spreading over polygons: memory that the caller lends, with an open list in it.
//!
//! The set of polygons seen is a sparse set (Briggs and Torczon, "An efficient representation for
//! sparse sets", 1993). A slot counts only when the entry that it points to names the same polygon,
//! so nothing needs to be cleared between queries.

use core::cmp::Ordering;

use navbake_format::PolyId;

use crate::paths::Slices;

/// A polygon that a query reached.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    pub(crate) polygon: u32,
    /// The polygon it was entered from; itself for the first.
    pub(crate) from: u32,
    /// Its index in the open list; once settled, its settling number and [`DONE`].
    pub(crate) place: u32,
    /// Where it was entered, grid units.
    pub(crate) entry: [f64; 2],
    /// The sort key, least first; metres at the end.
    pub(crate) distance: f64,
}

/// In [`Reached::place`]: settled.
pub(crate) const DONE: u32 = 1 << 31;

impl Reached {
    pub(crate) const NONE: Reached =
        Reached { polygon: 0, from: 0, place: 0, entry: [0.0; 2], distance: 0.0 };

    /// The polygon.
    #[inline]
    pub fn polygon(&self) -> PolyId {
        PolyId(self.polygon)
    }

    /// The polygon from which it was entered, over a portal; `None` for the first.
    #[inline]
    pub fn from(&self) -> Option<PolyId> {
        (self.from != self.polygon).then_some(PolyId(self.from))
    }

    /// Path length to where it was entered, m.
    ///
    /// The path crosses each portal at its nearest point, so it may be longer than the shortest
    /// path.
    #[inline]
    pub fn distance(&self) -> f64 {
        self.distance
    }
}

/// Polygons seen and the open list, nearest first, ties by id.
pub(crate) struct Flood<'s> {
    slots: &'s mut [u32],
    reached: &'s mut [Reached],
    open: &'s mut [u32],
    seen: usize,
    waiting: usize,
    done: u32,
    /// The least distance of a polygon that did not fit.
    lost: f64,
}

impl<'s> Flood<'s> {
    pub(crate) fn new(scratch: Slices<'s>) -> Flood<'s> {
        let most = scratch.reached.len().min(scratch.open.len());
        let most = most.min(DONE as usize - 1);
        Flood {
            slots: scratch.slots,
            reached: &mut scratch.reached[..most],
            open: scratch.open,
            seen: 0,
            waiting: 0,
            done: 0,
            lost: f64::INFINITY,
        }
    }

    /// No polygon nearer than this was left out for lack of room.
    #[inline]
    pub(crate) fn lost(&self) -> f64 {
        self.lost
    }

    /// All polygons seen.
    pub(crate) fn finish(self) -> &'s mut [Reached] {
        &mut self.reached[..self.seen]
    }

    /// Puts a polygon into the open list, or improves it there.
    pub(crate) fn offer(&mut self, polygon: PolyId, from: PolyId, distance: f64, entry: [f64; 2]) {
        let new = Reached { polygon: polygon.0, from: from.0, place: 0, entry, distance };
        let known = self.slots.get(polygon.index()).map(|&i| i as usize);
        let Some(known) = known else {
            self.lost = self.lost.min(distance);
            return;
        };
        if known < self.seen && self.reached[known].polygon == polygon.0 {
            let old = self.reached[known];
            // Open and not improved, or settled.
            if old.place & DONE != 0 || distance >= old.distance {
                return;
            }
            self.reached[known] = new;
            self.rise(old.place as usize, known as u32);
            return;
        }
        if self.seen == self.reached.len() {
            self.lost = self.lost.min(distance);
            return;
        }
        self.reached[self.seen] = new;
        self.slots[polygon.index()] = self.seen as u32;
        self.seen += 1;
        self.waiting += 1;
        self.rise(self.waiting - 1, (self.seen - 1) as u32);
    }

    /// Settles the nearest open polygon.
    pub(crate) fn next(&mut self) -> Option<Reached> {
        if self.waiting == 0 {
            return None;
        }
        let best = self.open[0] as usize;
        self.waiting -= 1;
        if self.waiting > 0 {
            self.sink(self.open[self.waiting]);
        }
        self.reached[best].place = DONE | self.done;
        self.done += 1;
        Some(self.reached[best])
    }

    #[inline]
    fn before(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.reached[a as usize], &self.reached[b as usize]);
        let order = a.distance.total_cmp(&b.distance);
        order.then_with(|| a.polygon.cmp(&b.polygon)) == Ordering::Less
    }

    fn set(&mut self, at: usize, node: u32) {
        self.open[at] = node;
        self.reached[node as usize].place = at as u32;
    }

    fn rise(&mut self, mut at: usize, node: u32) {
        while at > 0 && self.before(node, self.open[(at - 1) / 2]) {
            self.set(at, self.open[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        self.set(at, node);
    }

    fn sink(&mut self, node: u32) {
        let mut at = 0;
        loop {
            let mut below = 2 * at + 1;
            if below >= self.waiting {
                break;
            }
            if below + 1 < self.waiting && self.before(self.open[below + 1], self.open[below]) {
                below += 1;
            }
            if !self.before(self.open[below], node) {
                break;
            }
            self.set(at, self.open[below]);
            at = below;
        }
        self.set(at, node);
    }
}
