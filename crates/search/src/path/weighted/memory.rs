//! The memory of a weighted search.

use super::piece::Piece;
use super::upper::Crossing;

/// Slices for one weighted search at a time; their contents do not matter.
///
/// Without them ([`Pieces::default`]) there is no such search, and
/// [`Planner::Corridor`](super::super::Planner::Corridor) replaces it. Fewer places give looser
/// bounds.
#[derive(Debug, Default)]
pub struct Pieces<'a> {
    /// Pieces of borders.
    pub pieces: &'a mut [Piece],
    /// The open list: as many as pieces.
    pub heap: &'a mut [u32],
    /// Crossings of the cheapest known path: as many as a corridor has portals.
    pub best: &'a mut [Crossing],
    /// Crossings of a path that is tried: as many.
    pub tried: &'a mut [Crossing],
}

impl Pieces<'_> {
    /// Lends the slices on.
    pub(in super::super) fn lend(&mut self) -> Pieces<'_> {
        Pieces { pieces: self.pieces, heap: self.heap, best: self.best, tried: self.tried }
    }
}

/// [`Pieces`] that own their memory.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, Default)]
pub(in super::super) struct PiecesBuffer {
    pieces: alloc::vec::Vec<Piece>,
    heap: alloc::vec::Vec<u32>,
    best: alloc::vec::Vec<Crossing>,
    tried: alloc::vec::Vec<Crossing>,
}

#[cfg(feature = "alloc")]
impl PiecesBuffer {
    /// Makes room for pieces and for corridors of `portals` portals.
    ///
    /// The contents stay.
    pub(in super::super) fn resize(&mut self, pieces: usize, portals: usize) {
        let portals = if pieces == 0 { 0 } else { portals };
        self.pieces.resize(pieces, Piece::default());
        self.heap.resize(pieces, 0);
        self.best.resize(portals, Crossing::default());
        self.tried.resize(portals, Crossing::default());
    }

    pub(in super::super) fn pieces(&mut self) -> Pieces<'_> {
        Pieces {
            pieces: &mut self.pieces,
            heap: &mut self.heap,
            best: &mut self.best,
            tried: &mut self.tried,
        }
    }
}
