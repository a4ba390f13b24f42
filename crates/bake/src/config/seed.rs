//! Places that the config names.

use serde::{Deserialize, Serialize};

/// A place that has to be walkable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "each entry of `seeds` must be three numbers, [x, y, z] in metres, or a marker's name in quotes"
)]
pub enum Seed {
    /// A point, y-up metres.
    Point([f64; 3]),
    /// A marker of the level, by name.
    Marker(String),
}
