//! Units that turn, as the config names them.

use serde::{Deserialize, Serialize};

use super::agents::AgentConfig;

/// A unit that follows arcs of a least radius.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleConfig {
    /// The name that queries use.
    pub name: String,
    /// The least radius of its curves, m.
    pub turn_radius: f64,
    /// What it covers.
    pub footprint: FootprintConfig,
    /// Side of the squares that the ground of a level of triangles is cut into, m; the tiles of a
    /// grid map are its cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tile: Option<f64>,
    /// The agent on whose ground it drives; the first one by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How many headings it has at the middle of a tile: 8, 16 or 32.
    #[serde(default = "eight")]
    pub headings: u32,
    /// The reach of curves in columns and rows of tiles.
    #[serde(default = "three")]
    pub rings: u32,
    /// Columns and rows of the tiles that are looked at for hits; as many as its curves need when
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// How many curves between two poses, the shortest ones: 1 to 6.
    #[serde(default = "one")]
    pub words: u32,
    /// Curves longer than this many straight lines are dropped; by default 3, with one ring none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detour: Option<f64>,
    /// It can be driven backwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverse: Option<ReverseConfig>,
    /// Speed classes, slowest first, where paths are to take the least time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speeds: Vec<SpeedConfig>,
    /// The greatest acceleration, m/s².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<f64>,
    /// The greatest braking, m/s²; the acceleration when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub braking: Option<f64>,
    /// Speed levels that the search has for a tile of acceleration; 4 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed_steps: Option<u32>,
    /// Roads that it keeps to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roads: Option<RoadsConfig>,
    /// How many directions it is drawn in, 8 or 16: its paths are then lines along these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<u16>,
}

/// Roads that a vehicle keeps to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadsConfig {
    /// The areas that are road.
    pub areas: Vec<String>,
    /// The cost factor of moves off the road, 1 at least; by default infinite, which forbids them,
    /// and 1 with cones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off_road: Option<f64>,
    /// The reach of moves on a road, tiles; that of all moves when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rings: Option<RoadRings>,
    /// Tiles beside the road are blocked, away from its bends.
    #[serde(default)]
    pub cones: bool,
}

/// The reach of moves on a road.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "`rings` of roads must be a number of tiles, or \"turn\" for as many as a turn needs"
)]
pub enum RoadRings {
    /// That many tiles.
    Tiles(u16),
    /// `turn`: as many as a turn needs.
    Word(String),
}

/// A speed class: how sharply a vehicle turns up to a speed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedConfig {
    /// The greatest speed, m/s.
    pub speed: f64,
    /// The least radius of curves up to that speed, m; the vehicle's when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_radius: Option<f64>,
}

impl VehicleConfig {
    /// The place of its agent among all.
    pub(crate) fn agent_of(&self, agents: &[AgentConfig]) -> usize {
        let wanted = self.agent.as_deref();
        let at = agents.iter().position(|a| wanted.is_none_or(|name| a.name == name));
        at.unwrap_or(0)
    }
}

/// What a vehicle covers, around the point that follows the curve. Metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FootprintConfig {
    /// A disc of that radius.
    Disc(f64),
    /// Length and width, the point in the middle.
    Rectangle([f64; 2]),
    /// A convex polygon around the point, x ahead and z to the right.
    Polygon(Vec<[f64; 2]>),
}

/// What driving backwards costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReverseConfig {
    /// Cost of a metre backwards in metres forwards, 1 at least.
    pub penalty: f64,
    /// Cost of a change of gear, m.
    pub change: f64,
}

impl Default for ReverseConfig {
    fn default() -> Self {
        ReverseConfig { penalty: 2.0, change: 0.0 }
    }
}

fn eight() -> u32 {
    8
}

fn three() -> u32 {
    3
}

fn one() -> u32 {
    1
}
