//! Numbers and flags of areas in Detour's files.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What areas and links are in Detour's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetourConfig {
    /// Links; by default area 63 and flag 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<DetourArea>,
    /// By the name of the area; others have their own number and flag 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub areas: BTreeMap<String, DetourArea>,
}

/// The number and the flags of an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetourArea {
    /// The area, 0 to 63.
    pub number: u8,
    /// The flags, 16 bits; without any no query of Detour finds the ground.
    #[serde(default = "one")]
    pub flags: u16,
}

fn one() -> u16 {
    1
}

impl DetourConfig {
    /// Is it as if it were not there?
    pub(super) fn is_default(&self) -> bool {
        *self == DetourConfig::default()
    }
}
