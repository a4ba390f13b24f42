//! The open list: a binary heap of cones.

use super::cone::{Cone, Root};

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Open {
    /// Lower bound on the length of paths through the cone.
    pub(super) f: f64,
    pub(super) cone: u32,
}

/// A binary heap of cones, the lowest bound first.
/// Of equals the one with the longer known path is first, then the older one. New cones wait behind
/// the heap until [`Heap::let_in`].
pub(super) struct Heap<'a> {
    pub(super) items: &'a mut [Open],
    pub(super) len: usize,
    /// The number of cones that wait behind the heap.
    pub(super) waiting: usize,
}

impl Heap<'_> {
    #[inline]
    fn less(cones: &[Cone], roots: &[Root], a: Open, b: Open) -> bool {
        if a.f != b.f {
            return a.f < b.f;
        }
        let g = |o: Open| roots[cones[o.cone as usize].root as usize].g;
        let (ga, gb) = (g(a), g(b));
        if ga != gb { ga > gb } else { a.cone < b.cone }
    }

    /// Puts a cone behind the heap. Returns false when there is no room.
    #[inline]
    pub(super) fn wait(&mut self, item: Open) -> bool {
        match self.items.get_mut(self.len + self.waiting) {
            Some(slot) => {
                *slot = item;
                self.waiting += 1;
                true
            }
            None => false,
        }
    }

    /// Takes the only waiting cone; `None` if there are none or several.
    #[inline]
    pub(super) fn take_only(&mut self) -> Option<Open> {
        if self.waiting != 1 {
            return None;
        }
        self.waiting = 0;
        Some(self.items[self.len])
    }

    /// Moves the waiting cones into the heap.
    #[inline]
    pub(super) fn let_in(&mut self, cones: &[Cone], roots: &[Root]) {
        for _ in 0..self.waiting {
            let item = self.items[self.len];
            let mut at = self.len;
            while at > 0 {
                let above = (at - 1) / 2;
                if !Heap::less(cones, roots, item, self.items[above]) {
                    break;
                }
                self.items[at] = self.items[above];
                at = above;
            }
            self.items[at] = item;
            self.len += 1;
        }
        self.waiting = 0;
    }

    pub(super) fn pop(&mut self, cones: &[Cone], roots: &[Root]) -> Option<Open> {
        if self.len == 0 {
            return None;
        }
        let best = self.items[0];
        self.len -= 1;
        let item = self.items[self.len];
        // The hole moves down to a leaf, then up to the last item's position, which is near the
        // leaves.
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.len {
                break;
            }
            if child + 1 < self.len
                && Heap::less(cones, roots, self.items[child + 1], self.items[child])
            {
                child += 1;
            }
            self.items[at] = self.items[child];
            at = child;
        }
        while at > 0 {
            let above = (at - 1) / 2;
            if !Heap::less(cones, roots, item, self.items[above]) {
                break;
            }
            self.items[at] = self.items[above];
            at = above;
        }
        self.items[at] = item;
        Some(best)
    }
}
