//! The open list of a search over pieces.

use super::Front;
use crate::paths::open_list::OpenList;
use crate::paths::weighted::piece::Piece;

impl Front<'_, '_> {
    pub(super) fn open(&mut self) -> (OpenList<'_>, &mut [Piece]) {
        let open = OpenList::new(self.heap, self.state.open);
        (open, self.pieces)
    }

    /// The value of the least entry of the open list.
    pub(super) fn least(&self) -> Option<f64> {
        if self.state.open.len == 0 {
            return None;
        }
        let first = *self.heap.first()?;
        Some(self.pieces.get(first as usize)?.f)
    }

    pub(super) fn put(&mut self, n: u32) {
        let (mut open, pieces) = self.open();
        open.put(pieces, n);
        self.state.open = open.state;
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let (mut open, pieces) = self.open();
        let best = open.pop(pieces);
        self.state.open = open.state;
        best
    }

    /// Puts a piece on the open list, unless paths over it exceed a known one's cost.
    pub(super) fn put_again(&mut self, n: u32) {
        if self.pieces.get(n as usize).is_some_and(|p| p.f < self.state.upper * self.state.stretch)
        {
            self.put(n);
        }
    }
}
