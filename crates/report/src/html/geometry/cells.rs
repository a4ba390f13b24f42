//! The grid of the simplifier. The vertices of a cell become one; a block has a whole number of
//! cells.

use super::simplify::Cell;

/// Blocks of a level along its longest side at most. Each is drawn only when it is in view.
const MOST_BLOCKS: f64 = 16.0;
/// Blocks are at least as wide as this power of two, m.
const LEAST_BLOCK: i32 = 6;
/// The most and the least cells along a side of a block.
const FINEST: u32 = 1 << 16;
const COARSEST: u32 = 8;

/// A block of space, over all heights. It has the same place in every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    /// Its side is two to this power, m.
    pub(super) exponent: i32,
    /// Its column and row.
    pub(super) at: [i64; 2],
}

/// The power of two that the sides of blocks are, for a level of this width.
pub(super) fn exponent(width: f64) -> i32 {
    let fits = |exponent: &i32| MOST_BLOCKS * 2f64.powi(*exponent) >= width;
    // No float is wider than the greatest of these.
    (LEAST_BLOCK..1024).find(fits).unwrap_or(LEAST_BLOCK)
}

impl Block {
    /// The block of a place.
    pub(super) fn of(p: &[f64; 3], exponent: i32) -> Block {
        let side = 2f64.powi(exponent);
        Block { exponent, at: [0, 2].map(|k| (p[k] / side).floor() as i64) }
    }
}

/// How space is cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    /// The side of a block is two to this power, m.
    pub(super) exponent: i32,
    /// Cells along the side of a block.
    count: u32,
}

impl Cells {
    /// The finest cells whose side is at least this one, m.
    pub(super) fn at_least(side: f64, exponent: i32) -> Cells {
        let mut cells = Cells { exponent, count: FINEST };
        while cells.side() < side {
            cells = cells.coarser();
        }
        cells
    }

    /// The next cells, wider by a quarter or somewhat more.
    pub(super) fn coarser(self) -> Cells {
        match self.count * 4 / 5 {
            count @ COARSEST.. => Cells { count, ..self },
            few => Cells { exponent: self.exponent + 1, count: 2 * few },
        }
    }

    /// The side of a cell, m.
    pub(super) fn side(self) -> f64 {
        2f64.powi(self.exponent) / f64::from(self.count)
    }

    /// The cell of a place.
    pub(super) fn of(self, p: &[f64; 3]) -> Cell {
        let (side, count) = (2f64.powi(self.exponent), f64::from(self.count));
        p.map(|c| {
            let c = c / side;
            let block = c.floor();
            let own = ((c - block) * count).floor().min(count - 1.0);
            (block * count + own) as i64
        })
    }

    /// The block of a cell.
    pub(super) fn block(self, [x, _, z]: Cell) -> Block {
        let at = [x, z].map(|c| c.div_euclid(self.count.into()));
        Block { exponent: self.exponent, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_cell_is_in_the_block_of_each_of_its_places(
            p in [-1e5..1e5f64, -1e5..1e5f64, -1e5..1e5f64], rounds in 0..60usize, width in 1.0..1e6,
        ) {
            let mut cells = Cells::at_least(0.0, exponent(width));
            for _ in 0..rounds {
                let next = cells.coarser();
                let wider = next.side() / cells.side();
                proptest::prop_assert!((1.24..1.6).contains(&wider), "{wider}");
                cells = next;
            }
            let side = 2f64.powi(cells.exponent);
            // On the sides of blocks as well.
            for p in [p, p.map(|c| (c / side).round() * side), p.map(|c| c.round())] {
                let cell = cells.of(&p);
                proptest::prop_assert_eq!(cells.block(cell), Block::of(&p, cells.exponent));
                for (c, p) in cell.iter().zip(p) {
                    let least = *c as f64 * cells.side();
                    let slack = 1e-9 * (1.0 + p.abs());
                    proptest::prop_assert!(p >= least - slack && p <= least + cells.side() + slack);
                }
            }
        }
    }
}
