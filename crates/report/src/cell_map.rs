//! Maps by the numbers of cells.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map by cells.
pub(crate) type CellMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixed>>;

/// A hash of numbers of cells: each is multiplied in. Levels can be made to collide in it, so it is
/// for searches alone, whose cells are few as their work is bounded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for four in bytes.chunks(4) {
            let number = four.iter().rev().fold(0u64, |n, byte| n << 8 | u64::from(*byte));
            self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn write_usize(&mut self, _length: usize) {
        // Lengths of arrays are the same for all keys of a map.
    }
}
