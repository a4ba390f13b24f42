//! What counts as a room.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::seed::Seed;

/// What counts as a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RoomsConfig {
    /// Rooms are looked for, and polygons cut where their doors are.
    pub enabled: bool,
    /// There is a door where ground is narrower than this fraction of the rooms on both sides: one
    /// number a level, descending.
    pub alpha: Vec<f64>,
    /// Rooms have at least this ground, m2; by default 1, and 4 cells for grid maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_area: Option<f64>,
    /// Larger rooms are divided into squares no larger, m2; 0 for none.
    pub max_room_area: f64,
    /// Names of rooms, each with a place in it.
    pub names: BTreeMap<String, Seed>,
    /// Names of doors, each with a place at it; a switch of that name closes it.
    pub doors: BTreeMap<String, Seed>,
}

impl Default for RoomsConfig {
    fn default() -> Self {
        RoomsConfig {
            enabled: false,
            alpha: vec![0.65, 0.45, 0.3],
            min_area: None,
            max_room_area: 0.0,
            names: BTreeMap::new(),
            doors: BTreeMap::new(),
        }
    }
}

impl RoomsConfig {
    /// Is it as if it were not there?
    pub(super) fn is_default(&self) -> bool {
        *self == RoomsConfig::default()
    }
}
