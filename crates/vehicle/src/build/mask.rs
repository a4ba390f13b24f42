//! Sets of tiles around a tile.

/// Farthest column and row of a tile from the one in the middle.
pub(crate) const HALF: i32 = 15;
/// Side of the square of tiles that a mask can hold.
pub(crate) const SIDE: i32 = 2 * HALF + 1;

/// Tiles within `HALF` columns and rows of the one in the middle. Bit `x + HALF` of row `z + HALF`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    rows: [u32; SIDE as usize],
}

impl Mask {
    /// Adds a tile; `false` where the mask has no place for it.
    #[must_use]
    pub fn add(&mut self, [x, z]: [i32; 2]) -> bool {
        let inside = x.abs() <= HALF && z.abs() <= HALF;
        if inside {
            self.rows[(z + HALF) as usize] |= 1 << (x + HALF);
        }
        inside
    }

    /// Is the tile in it?
    pub fn has(&self, [x, z]: [i32; 2]) -> bool {
        x.abs() <= HALF && z.abs() <= HALF && self.rows[(z + HALF) as usize] >> (x + HALF) & 1 != 0
    }

    /// Its tiles, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = [i32; 2]> + '_ {
        (-HALF..=HALF).flat_map(|z| (-HALF..=HALF).map(move |x| [x, z])).filter(|&t| self.has(t))
    }

    /// Is every tile of this one in the other?
    pub fn is_subset(&self, other: &Mask) -> bool {
        self.rows.iter().zip(&other.rows).all(|(a, b)| a & !b == 0)
    }

    /// Takes the other's tiles out.
    pub fn without(&self, other: &Mask) -> Mask {
        let mut left = self.clone();
        for (a, b) in left.rows.iter_mut().zip(&other.rows) {
            *a &= !b;
        }
        left
    }

    /// Is every tile of this one, moved, in the other? Tiles that leave the square are not.
    pub fn is_subset_moved(&self, [x, z]: [i32; 2], other: &Mask) -> bool {
        let all = (1u64 << SIDE) - 1;
        (-HALF..=HALF).zip(&self.rows).all(|(row, &bits)| {
            if bits == 0 {
                return true;
            }
            let to = row + z;
            if to.abs() > HALF || x.abs() > SIDE {
                return false;
            }
            let wide = u64::from(bits) << SIDE;
            let moved = if x >= 0 { wide << x } else { wide >> -x };
            moved & !(all << SIDE) == 0
                && (moved >> SIDE) as u32 & !other.rows[(to + HALF) as usize] == 0
        })
    }

    /// Its tiles moved; those that leave the square are gone.
    pub fn moved(&self, [x, z]: [i32; 2]) -> Mask {
        self.mapped(|[tx, tz]| [tx + x, tz + z])
    }

    /// Every tile brought to another place; those out of the square are gone.
    pub fn mapped(&self, to: impl Fn([i32; 2]) -> [i32; 2]) -> Mask {
        let mut mask = Mask::default();
        for tile in self.tiles() {
            let _ = mask.add(to(tile));
        }
        mask
    }

    /// The farthest column or row of a tile in it; 0 for none.
    pub fn reach(&self) -> i32 {
        self.tiles().map(|t| t[0].abs().max(t[1].abs())).max().unwrap_or(0)
    }

    /// Number of tiles.
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|r| r.count_ones()).sum()
    }

    /// As bits of a window of `2 half + 1` columns and rows: row after row with no gap, 64 a word.
    /// Tiles beyond are left out.
    pub fn packed(&self, half: i32) -> Vec<u64> {
        let side = 2 * half + 1;
        let mut words = vec![0; ((side * side) as usize).div_ceil(64)];
        for [x, z] in self.tiles().filter(|t| t[0].abs().max(t[1].abs()) <= half) {
            let bit = ((z + half) * side + x + half) as usize;
            words[bit / 64] |= 1 << (bit % 64);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tiles: &[[i32; 2]]) -> Mask {
        let mut mask = Mask::default();
        for &t in tiles {
            assert!(mask.add(t));
        }
        mask
    }

    #[test]
    fn d2_what_leaves_the_square_does_not_come_back_on_the_other_side() {
        let mut mask = of(&[[15, 0], [-15, 15]]);
        assert!(!mask.add([16, 0]) && !mask.add([0, -16]));
        assert_eq!(mask.count(), 2);
        assert_eq!(mask.moved([1, 0]), of(&[[-14, 15]]));
        let full =
            of(&(-15..=15).flat_map(|z| (-15..=15).map(move |x| [x, z])).collect::<Vec<_>>());
        assert!(mask.is_subset_moved([0, -3], &full));
        assert!(!mask.is_subset_moved([1, 0], &full) && !mask.is_subset_moved([0, 1], &full));
        assert!(!mask.is_subset_moved([-1, 0], &full));
    }

    #[test]
    fn subsets_agree_with_tiles_one_by_one() {
        let a = of(&[[0, 0], [3, -2], [-1, 4]]);
        let b = of(&[[2, 1], [5, -1], [1, 5], [9, 9]]);
        assert!(a.is_subset_moved([2, 1], &b));
        assert!(!a.is_subset_moved([2, 0], &b) && !a.is_subset_moved([1, 1], &b));
        assert_eq!(a.moved([2, 1]).without(&b).count(), 0);
    }

    #[test]
    fn bits_are_packed_row_after_row_up_to_the_last() {
        let words = of(&[[-5, -5], [0, 0], [5, 5], [6, 0]]).packed(5);
        assert_eq!(words, [1 | 1 << 60, 1 << (120 - 64)]);
    }
}
