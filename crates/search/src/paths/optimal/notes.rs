//! Lengths of paths to the ends of portals, by which cones are dropped.
//!
//! ```text
//!            b . . . . v      portal from v to b
//!             \\      /
//!              \\    o   a shorter path to v
//!               \\  /
//!               root
//! ```
//!
//! A cone from a root sees the part of a portal up to b. Along the portal, away from its end v, the
//! path over v grows by each step, and the path from the root by at most as much. So where the
//! path over v is the shorter one at b, it is so on the whole part, and no shortest path leads
//! through the cone (Xin and Wang, Improving Chen and Han's algorithm on the discrete geodesic
//! problem, 2009). Roots are compared at corners alone; this compares paths wherever polygons meet.

use super::cone::seen_part;
use navbake_navmesh::math::{float, length, sqrt};
use navbake_navmesh::{CORNER, WIDE};

/// A length noted in the memory of searches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Note {
    /// The search that noted it: others are not believed, so nothing is cleared between searches.
    search: u32,
    /// At least the length of the shortest path that the search has seen, grid units.
    g: f32,
}

impl Note {
    /// No note of any search.
    pub(super) const NONE: Note = Note { search: 0, g: 0.0 };
}

/// The number of a new search that notes lengths; 0 where there is no memory for notes.
pub(super) fn begin(items: &mut [Note]) -> u32 {
    let Some(first) = items.first_mut() else {
        return 0;
    };
    first.search = first.search.wrapping_add(1);
    if first.search == 0 {
        items.fill(Note::NONE);
        items[0].search = 1;
    }
    items[0].search
}

/// The notes of one search.
pub(super) struct Notes<'s> {
    pub(super) items: &'s mut [Note],
    /// Its number; 0 for none.
    pub(super) search: u32,
}

/// What a cone sees of its portal. All places are relative to the root.
pub(super) struct Seen {
    /// The right and the left ray.
    pub(super) rays: [[i32; 2]; 2],
    /// The portal's right and left end.
    pub(super) portal: [[i32; 2]; 2],
    /// Do the rays go through these ends?
    pub(super) reached: [bool; 2],
}

impl Notes<'_> {
    /// Does the search note lengths?
    #[inline]
    pub(super) fn are_kept(&self) -> bool {
        self.search != 0
    }

    /// The least length noted for a pivot. More ground than one turn has places that a path to its
    /// vertex does not lead to.
    #[inline]
    fn known(&self, pivot: u32) -> f64 {
        match self.items.get((pivot & !CORNER) as usize + 1) {
            Some(note) if note.search == self.search && pivot & WIDE == 0 => note.g.into(),
            _ => f64::INFINITY,
        }
    }

    /// Notes the length of a path to a pivot, rounded up.
    #[inline]
    fn note(&mut self, pivot: u32, length: f64) {
        if let Some(note) = self.items.get_mut((pivot & !CORNER) as usize + 1) {
            let g = (length * (1.0 + 1.0 / (1 << 23) as f64)) as f32;
            *note = Note { search: self.search, g };
        }
    }

    /// Is every path through a cone longer than a known one over an end of its portal? `pivots`
    /// are those of the right and the left end, `g` is the length of the path to the root.
    #[inline]
    pub(super) fn is_passed(&mut self, seen: &Seen, pivots: [u32; 2], g: f64) -> bool {
        // Counted from the root. Squares tell most of it.
        let known = pivots.map(|pivot| self.known(pivot) - g);
        let square = seen.portal.map(float).map(|end| end[0] * end[0] + end[1] * end[1]);
        let mut nearer = false;
        for k in 0..2 {
            if known[k] <= 0.0 || known[k] * known[k] < square[k] {
                nearer = true;
            } else if seen.reached[k] && known[k] * known[k] > square[k] * (1.0 + 1e-6) {
                self.note(pivots[k], g + sqrt(square[k]));
            }
        }
        nearer && seen.is_passed(square.map(sqrt), known, g)
    }
}

impl Seen {
    /// Is the path over an end shorter than that from the root, at the far end of what is seen?
    /// `away` are the distances of the portal's ends from the root, `known` the lengths of paths to
    /// them, counted from the root's own, `g`.
    fn is_passed(&self, away: [f64; 2], known: [f64; 2], g: f64) -> bool {
        // The rays of a cone for a place are not kept.
        if self.rays == [[0; 2]; 2] {
            return false;
        }
        let part = seen_part(self.rays, self.portal);
        let [right, left] = self.portal.map(float);
        let bound = |k: usize| {
            if self.reached[k] {
                return away[k];
            }
            let at = [0, 1].map(|i| right[i] + part.shares[k] * (left[i] - right[i]));
            length(at[0], at[1])
        };
        // More than all rounding: what is as long as another path is kept.
        let slack = (g + away[0] + away[1]) * 1e-12;
        let along = [part.shares[1], 1.0 - part.shares[0]].map(|share| share * part.long);
        let passes = |k: usize| known[k] < away[k] && known[k] + along[k] + slack < bound(1 - k);
        passes(0) || passes(1)
    }
}
