//! The symmetries of the lattice: quarter turns, and left exchanged with right.
//!
//! Tables hold one of each set of images and the others are derived from it. So a curve and its
//! mirror image always have the same length and touch mirrored tiles, rounding or not.

use crate::dubins::Word;

/// Left and right exchanged (rows upside down), or not, and then some quarter turns
/// counter-clockwise seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Rows upside down first.
    pub mirror: bool,
    /// Quarter turns after that, 0 to 3.
    pub quarters: u8,
}

impl Symmetry {
    /// All of them; the first four leave left and right as they are, the first of all leaves
    /// everything.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|i| Symmetry { mirror: i >= 4, quarters: i % 4 })
    }

    /// The image of an offset.
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

    /// The image of a heading, one of `headings`, a multiple of 4.
    #[inline]
    pub fn heading(self, heading: u32, headings: u32) -> u32 {
        let heading = if self.mirror { headings - heading } else { heading };
        (heading + u32::from(self.quarters) * (headings / 4)) % headings
    }

    /// The image of a word.
    #[inline]
    pub fn word(self, word: Word) -> Word {
        if self.mirror { word.mirrored() } else { word }
    }
}
