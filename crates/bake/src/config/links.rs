//! Links that the config draws, and settings of those that are found.

use navbake_level::LinkKind;
use serde::{Deserialize, Serialize};

use super::ground::TagConfig;

/// A path from one place to another without ground.
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
    /// How it is taken.
    #[serde(default, with = "KindName")]
    pub kind: LinkKind,
    /// Agents that can take it; all by default.
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

/// Which of the drops and jumps that agents are able to (`drop` and `jump` of theirs) become links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AutoLinks {
    /// The longest piece of a ledge or gap that one link serves, m.
    pub spacing: f64,
    /// A link is made where walking costs at least this many times the link.
    pub detour: f64,
    /// What a metre of a link costs, from end to end in space: metres of walking.
    pub cost: f64,
    /// The most links a class of agents has; one there and back counts once.
    pub max_links: u32,
    /// The most of them that begin in a cube of four spacings.
    pub max_links_per_cube: u32,
}

impl AutoLinks {
    pub(crate) fn settings(&self) -> navbake_autolink::Settings {
        navbake_autolink::Settings {
            spacing: self.spacing,
            detour: self.detour,
            cost: self.cost,
            max_links: self.max_links,
            max_links_per_cube: self.max_links_per_cube,
        }
    }
}

impl Default for AutoLinks {
    fn default() -> Self {
        AutoLinks { spacing: 8.0, detour: 2.0, cost: 1.0, max_links: 4096, max_links_per_cube: 32 }
    }
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
