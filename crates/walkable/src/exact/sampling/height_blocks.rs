//! Lowest and highest ground in blocks of squares: a search skips blocks that are far above or
//! below.

use crate::exact::math::{max, min};

/// Squares along a side of a block.
pub(crate) const BLOCK: i32 = 8;

/// Lowest and highest ground of each block of squares.
#[derive(Debug)]
pub(crate) struct HeightBlocks {
    /// HeightBlocks along X and Y.
    size: [usize; 2],
    spans: Vec<[f64; 2]>,
    /// The block that points are being taken into, and its span.
    at: usize,
    span: [f64; 2],
}

/// No ground.
const EMPTY: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

fn join(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [min(a[0], b[0]), max(a[1], b[1])]
}

impl HeightBlocks {
    /// Blocks for this many points along X and Y.
    pub(crate) fn new(points: [i32; 2]) -> HeightBlocks {
        let size = points.map(|n| (n / BLOCK + 2) as usize);
        HeightBlocks { size, spans: vec![EMPTY; size[0] * size[1]], at: 0, span: EMPTY }
    }

    /// Takes in the lowest and the highest ground under a point (column and row).
    #[inline]
    pub(crate) fn take(&mut self, position: [i16; 2], lowest: f64, highest: f64) {
        let [i, j] = position.map(|k| k as usize / BLOCK as usize);
        let at = j * self.size[0] + i;
        if at != self.at {
            self.spans[self.at] = join(self.spans[self.at], self.span);
            (self.at, self.span) = (at, EMPTY);
        }
        self.span = join(self.span, [lowest, highest]);
    }

    /// Finishes the blocks: squares reach to the next points, and their planes rise and fall by at
    /// most `slack`.
    pub(crate) fn done(mut self, slack: f64) -> HeightBlocks {
        self.spans[self.at] = join(self.spans[self.at], self.span);
        let [across, rows] = self.size;
        for j in 0..rows - 1 {
            for i in 0..across - 1 {
                let at = j * across + i;
                let next = [at + 1, at + across, at + across + 1];
                let all = next.map(|k| self.spans[k]);
                self.spans[at] = all.into_iter().fold(self.spans[at], join);
            }
        }
        for span in &mut self.spans {
            *span = [span[0] - slack, span[1] + slack];
        }
        self
    }

    /// Lowest and highest ground of a block (column and row of blocks).
    pub(crate) fn of(&self, i: i32, j: i32) -> [f64; 2] {
        self.spans[j as usize * self.size[0] + i as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_holds_the_ground_of_its_points_and_of_the_next_ones_and_the_slack_around_it() {
        let across = 3 * BLOCK + 1;
        let height = |i: i32, j: i32| f64::from((i * 37 + j * 101) % 64);
        let mut blocks = HeightBlocks::new([across; 2]);
        for j in 0..across {
            for i in 0..across {
                // No ground under some points.
                if (i + j) % 5 != 0 {
                    let y = height(i, j);
                    blocks.take([i as i16, j as i16], y, y + 10.0);
                }
            }
        }
        let blocks = blocks.done(2.5);
        for j in 0..3 {
            for i in 0..3 {
                let mut wanted = EMPTY;
                // Whole blocks are taken in: more than reaches into the block does no harm.
                for v in j * BLOCK..((j + 2) * BLOCK).min(across) {
                    for u in i * BLOCK..((i + 2) * BLOCK).min(across) {
                        if (u + v) % 5 != 0 {
                            let y = height(u, v);
                            wanted = join(wanted, [y - 2.5, y + 12.5]);
                        }
                    }
                }
                assert_eq!(blocks.of(i, j), wanted, "{i}, {j}");
            }
        }
    }
}
