//! The memory of a weighted search.

use super::piece::Piece;
use super::state::Reach;
use super::upper::Crossing;
use crate::lists::lists;

lists! {
    /// Lists of one weighted search at a time. Fewer places give looser bounds.
    pub(crate) Pieces, PiecesVectors, PiecesArrays:
    /// Pieces of borders.
    pieces: [Piece] = Piece::NOWHERE,
    /// The open list: as many as pieces.
    heap: [u32] = 0,
    /// Crossings of the cheapest known path: as many as a corridor has portals.
    best: [Crossing] = Crossing::NONE,
    /// Crossings of a path that is tried: as many.
    tried: [Crossing] = Crossing::NONE,
    /// The goals of a search for all of several: as many as goals.
    reaches: [Reach] = Reach::NONE,
}

#[cfg(feature = "alloc")]
impl PiecesVectors {
    /// Makes room for pieces, for corridors of `portals` portals, and for goals. The contents stay.
    pub(crate) fn extend(&mut self, pieces: usize, portals: usize, goals: usize) {
        use crate::lists::extend;
        extend(&mut self.pieces, pieces);
        extend(&mut self.heap, pieces);
        extend(&mut self.best, portals);
        extend(&mut self.tried, portals);
        extend(&mut self.reaches, goals);
    }
}
