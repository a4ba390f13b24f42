//! The symmetries of the lattice: quarter turns, and left exchanged with right.
//!
//! Tables hold one of the moves that are alike and the rest is derived from it, so that a way and its mirror image are always the same length and touch
//! mirrored tiles, rounding or not.

use crate::dubins::Word;

/// Left and right exchanged (rows upside down), or not, and then some quarter turns counter-clockwise seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Rows upside down first.
    pub mirror: bool,
    /// Quarter turns after that, 0 to 3.
    pub quarters: u8,
}

impl Symmetry {
    /// All of them; the first four leave left and right as they are, the first of all leaves everything.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|i| Symmetry {
            mirror: i >= 4,
            quarters: i % 4,
        })
    }

    /// Where a tile comes to, from the tile that stays.
    #[inline]
    pub fn offset(self, [x, z]: [i32; 2]) -> [i32; 2] {
        let z = if self.mirror { -z } else { z };
        match self.quarters % 4 {
            0 => [x, z],
            1 => [z, -x],
            2 => [-x, -z],
            _ => [-z, x],
        }
    }

    /// What becomes of one of so many headings, a multiple of 4.
    #[inline]
    pub fn heading(self, heading: u32, headings: u32) -> u32 {
        let heading = if self.mirror {
            headings - heading
        } else {
            heading
        };
        (heading + u32::from(self.quarters) * (headings / 4)) % headings
    }

    /// What becomes of a word.
    #[inline]
    pub fn word(self, word: Word) -> Word {
        if self.mirror { word.mirrored() } else { word }
    }
}
