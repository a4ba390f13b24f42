//! Maps with a fast hash, which are asked and never listed.

use std::collections::HashMap;

/// A map by the numbers of cells, or by places. Its order differs from run to run.
pub(crate) type CellMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;
