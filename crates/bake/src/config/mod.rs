//! The config of a bake: a TOML file in metres and degrees, command-line flags laid over it.
//!
//! Every key has a default, so an empty file is a config. A key that is not known is an error,
//! never ignored. Some defaults differ for grid maps (see [`Config::resolved`]), which is why those
//! are options here. `keys` has a row for each key, `validate` refuses values, and `lines` knows
//! the line of each key.

mod agents;
mod check;
mod clearance;
mod detour;
mod falloff;
mod fields;
mod ground;
pub(crate) mod keys;
mod lines;
mod links;
mod networks;
mod reading;
mod rooms;
mod seed;
mod settings;
mod tables;
mod toml_faults;
mod validate;
mod vehicles;
mod weights;

pub use agents::{AgentConfig, Cell, Row, WeightTable};
pub use check::{CheckConfig, Ignore, RuleLevel, Way, WayRow};
pub use clearance::ClearanceConfig;
pub use detour::{DetourArea, DetourConfig};
pub use falloff::Falloff;
pub use fields::FieldConfig;
pub(crate) use ground::colour;
pub use ground::{AreaConfig, MapServerConfig, Rule, SwitchConfig, TagConfig};
pub use ground::{Terrain, UnknownCells, VolumeConfig};
pub use lines::Lines;
pub use links::{AutoLinks, End, LinkConfig};
pub use networks::{NetworkConfig, NetworkEdgeConfig, RoutePoints};
pub use rooms::RoomsConfig;
pub(crate) use seed::places;
pub use seed::{MarkerConfig, Seed};
pub use settings::{Config, Nonfinite, Surface, Up};
pub use tables::{Budget, BudgetText, Require, Tables, WantedLandmarks};
pub(crate) use validate::unknown;
pub use vehicles::{FootprintConfig, ReverseConfig, RoadRings, RoadsConfig};
pub use vehicles::{SpeedConfig, VehicleConfig};
