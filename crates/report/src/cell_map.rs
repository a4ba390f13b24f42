//! Maps with a fast hash.

use std::collections::HashMap;

/// A map by the numbers of cells, or by places. Its order differs from run to run, so nothing
/// iterates over it.
pub(crate) type CellMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;
