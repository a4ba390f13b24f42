//! Ways without ground that the config draws.

use navbake_level::LinkKind;
use serde::{Deserialize, Serialize};

use super::TagConfig;

/// A way from one place to another that does not lead over ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkConfig {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where it begins.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// It leads back as well.
    #[serde(default)]
    pub two_way: bool,
    /// What it costs, metres of walking; its length by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Clear width, m; 0 when it is not known.
    #[serde(default)]
    pub width: f64,
    /// What one does on it.
    #[serde(default, with = "KindName")]
    pub kind: LinkKind,
    /// Who may take it; all agents by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
    /// The switch that closes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch: Option<String>,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<TagConfig>,
}

/// An end of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "an end of a link must be three numbers, [x, y, z] in metres, or a marker's name in quotes"
)]
pub enum End {
    /// A point, y-up metres.
    Point([f64; 3]),
    /// A marker of the level, by name.
    Marker(String),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LinkKind", rename_all = "lowercase")]
enum KindName {
    Walk,
    Drop,
    Jump,
    Climb,
    Teleport,
    Ride,
    Door,
    Other,
}
