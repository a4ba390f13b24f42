//! The open list: a binary heap of cones.

use super::cone::{Cone, Root};

/// An entry of the open list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
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
        a.f < b.f || (a.f == b.f && Heap::breaks_tie(cones, roots, a, b))
    }

    #[inline(never)]
    fn breaks_tie(cones: &[Cone], roots: &[Root], a: Open, b: Open) -> bool {
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
            let Some(heap) = self.items.get_mut(..=self.len) else {
                break;
            };
            Heap::rise(heap, cones, roots, self.len, heap[self.len]);
            self.len += 1;
        }
        self.waiting = 0;
    }

    /// Puts a cone at a position, or above it where it belongs.
    #[inline]
    fn rise(heap: &mut [Open], cones: &[Cone], roots: &[Root], mut at: usize, item: Open) {
        while at > 0 {
            let above = (at - 1) / 2;
            let Some(&other) = heap.get(above) else {
                break;
            };
            if !Heap::less(cones, roots, item, other) {
                break;
            }
            heap[at] = other;
            at = above;
        }
        heap[at] = item;
    }

    /// Takes the first cone out.
    #[inline]
    pub(super) fn pop(&mut self, cones: &[Cone], roots: &[Root]) -> Option<Open> {
        let (last, heap) = self.items.get_mut(..self.len)?.split_last_mut()?;
        self.len -= 1;
        let item = *last;
        let Some(&best) = heap.first() else {
            return Some(item);
        };
        // The hole moves down to a leaf, then up to the last item's position, which is near the
        // leaves.
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            let Some(&left) = heap.get(child) else {
                break;
            };
            let mut other = left;
            if let Some(&right) = heap.get(child + 1)
                && Heap::less(cones, roots, right, left)
            {
                (child, other) = (child + 1, right);
            }
            heap[at] = other;
            at = child;
        }
        Heap::rise(heap, cones, roots, at, item);
        Some(best)
    }
}
