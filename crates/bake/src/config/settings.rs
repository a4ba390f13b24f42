//! The whole config, and its keys at the top.

use std::str::FromStr;

use navbake_import::HeightMapSettings;
use navbake_level::{Agent, Area, Marker, Winding};
use serde::{Deserialize, Serialize};

use super::agents::{AgentConfig, WeightTable};
use super::check::CheckConfig;
use super::clearance::ClearanceConfig;
use super::detour::DetourConfig;
use super::fields::FieldConfig;
use super::ground::{AreaConfig, MapServerConfig, Rule, SwitchConfig, TagConfig};
use super::ground::{Terrain, VolumeConfig};
use super::lines::Lines;
use super::links::{AutoLinks, LinkConfig};
use super::networks::NetworkConfig;
use super::rooms::RoomsConfig;
use super::seed::{MarkerConfig, Seed, places};
use super::tables::Tables;
use super::vehicles::VehicleConfig;
use crate::error::ConfigError;

/// What to bake and for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The axis that points up in the input.
    pub up: Up,
    /// Input units to metres.
    pub scale: f64,
    /// Side of the filter's cells, m; derived from the agent's radius when absent. Never the
    /// accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// Where the navmesh comes from.
    pub surface: Surface,
    /// How far an exact border may be drawn into the ground to save corners, m.
    pub border_error: f64,
    /// The greatest error of a polygon's height over the ground, m.
    pub height_error: f64,
    /// How far the corners of polygons may be off the ground within them, m, for agents to whom
    /// heights cost something.
    pub slope_error: f64,
    /// Islands smaller than this without a marker or seed are left out, m2; by default 2, and 0 for
    /// grid maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_region: Option<f64>,
    /// When given, only islands that can be reached from one of these are kept.
    pub seeds: Vec<Seed>,
    /// Which side of a triangle is its front.
    #[serde(with = "WindingName")]
    pub winding: Winding,
    /// Triangles wholly outside this box (least corner, greatest corner, y-up metres) are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The grid's zero, y-up metres; by default the centre of the level's bounds rounded to a
    /// multiple of 1024 m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<[f64; 3]>,
    /// What to do with positions that are not finite numbers.
    pub nonfinite: Nonfinite,
    /// A level in which nothing is walkable gives an empty navmesh instead of an error.
    pub allow_empty: bool,
    /// Keep the triangles of the level's file behind each polygon.
    pub sources: bool,
    /// What is noticed about the level goes into the file, for reports.
    pub findings: bool,
    /// Names of tags: the first is bit 0.
    pub tags: Vec<String>,
    /// Tables baked beside the navmesh.
    pub tables: Tables,
    /// Agents; one with the defaults when there is none.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentConfig>,
    /// What a metre of each area costs each agent.
    pub weights: WeightTable,
    /// How much more ground near walls and ledges costs.
    #[serde(skip_serializing_if = "is_default")]
    pub clearance: ClearanceConfig,
    /// Cost fields around points and areas.
    #[serde(rename = "field", skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldConfig>,
    /// Areas beside `ground`, which is all other ground.
    #[serde(rename = "area", skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<AreaConfig>,
    /// Properties of parts of the level. Of the rules that match a part, the last one that sets a
    /// key decides it.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
    /// Pieces of space whose ground is of an area; where they overlap the last one decides.
    #[serde(rename = "volume", skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<VolumeConfig>,
    /// The properties of a grid map's terrains.
    pub terrain: Terrain,
    /// What the values of height maps mean.
    #[serde(skip_serializing_if = "is_default")]
    pub heightmap: HeightMapSettings,
    /// How maps of ROS are read.
    #[serde(skip_serializing_if = "is_default")]
    pub map_server: MapServerConfig,
    /// Paths without ground.
    #[serde(rename = "link", skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkConfig>,
    /// Markers beside those of the level's file.
    #[serde(rename = "marker", skip_serializing_if = "Vec::is_empty")]
    pub markers: Vec<MarkerConfig>,
    /// Route networks.
    #[serde(rename = "network", skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworkConfig>,
    /// Which drops and jumps become links, of those that agents are able to.
    pub auto_links: AutoLinks,
    /// What counts as a room.
    #[serde(skip_serializing_if = "RoomsConfig::is_default")]
    pub rooms: RoomsConfig,
    /// What queries may say is closed. When there are none here, names of switches are taken as
    /// they come.
    #[serde(rename = "switch", skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<SwitchConfig>,
    /// Units that turn.
    #[serde(rename = "vehicle", skip_serializing_if = "Vec::is_empty")]
    pub vehicles: Vec<VehicleConfig>,
    /// What `navbake check` expects of the level.
    #[serde(skip_serializing_if = "CheckConfig::is_default")]
    pub check: CheckConfig,
    /// Numbers and flags of areas in Detour's files.
    #[serde(skip_serializing_if = "DetourConfig::is_default")]
    pub detour: DetourConfig,
    /// The file the config was read from, for messages; not part of the config.
    #[serde(skip)]
    pub file: Option<String>,
    /// Bytes that reading the level and baking it may take; no key, but `--memory`. `None` is the
    /// default of [`ImportOptions::memory`](navbake_import::ImportOptions::memory) for reading, and
    /// no limit for baking.
    #[serde(skip)]
    pub memory: Option<u64>,
    /// Whether files may be read that the level or the config names and that are outside of its
    /// folder; no key, as a config must not allow it itself, but `--allow-outside`.
    #[serde(skip)]
    pub outside: bool,
    /// The lines of its keys, for messages; not part of the config.
    #[serde(skip)]
    pub lines: Lines,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for Config {
    fn default() -> Self {
        Config {
            up: Up::Y,
            scale: 1.0,
            cell: None,
            surface: Surface::Generate,
            // What a hexagon around a circle of radius 0.6 m needs, and less than the 0.1 m by
            // which a passage may be narrower on either side.
            border_error: 0.098,
            height_error: 0.1,
            slope_error: 0.25,
            min_region: None,
            seeds: vec![],
            markers: vec![],
            winding: Winding::Ccw,
            bounds: None,
            origin: None,
            nonfinite: Nonfinite::Refuse,
            allow_empty: false,
            sources: false,
            findings: true,
            tags: vec![],
            tables: Tables::default(),
            agents: vec![],
            weights: WeightTable::default(),
            clearance: ClearanceConfig::default(),
            fields: vec![],
            areas: vec![],
            rules: vec![],
            volumes: vec![],
            terrain: Terrain::default(),
            heightmap: HeightMapSettings::default(),
            map_server: MapServerConfig::default(),
            links: vec![],
            networks: vec![],
            auto_links: AutoLinks::default(),
            rooms: RoomsConfig::default(),
            switches: vec![],
            vehicles: vec![],
            check: CheckConfig::default(),
            detour: DetourConfig::default(),
            file: None,
            memory: None,
            outside: false,
            lines: Lines::default(),
        }
    }
}

/// The axis that points up in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Up {
    /// y, as in glTF and most OBJ files.
    #[default]
    Y,
    /// z; `(x, y, z)` becomes `(x, z, -y)`, after the scale.
    Z,
}

impl Up {
    /// The names of both axes, which [`FromStr`] reads.
    pub const NAMES: [&'static str; 2] = ["y", "z"];
}

impl FromStr for Up {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Up, &'static str> {
        match name {
            "y" => Ok(Up::Y),
            "z" => Ok(Up::Z),
            _ => Err("expected y or z"),
        }
    }
}

impl From<Up> for navbake_format::UpAxis {
    fn from(up: Up) -> navbake_format::UpAxis {
        match up {
            Up::Y => navbake_format::UpAxis::Y,
            Up::Z => navbake_format::UpAxis::Z,
        }
    }
}

/// Where the navmesh comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// From any triangles: slope, head room, steps and the agent's radius decide.
    #[default]
    #[serde(alias = "voxel")]
    Generate,
    /// The input's own triangles (those with the role `floor`, or all that are flat enough when no
    /// rule names one) are the navmesh.
    Floor,
}

/// What to do with positions that are not finite numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Nonfinite {
    /// The input is refused.
    #[default]
    Refuse,
    /// Triangles with such a corner are left out, with a warning.
    Drop,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Winding", rename_all = "lowercase")]
enum WindingName {
    Ccw,
    Cw,
    Both,
}

impl Config {
    /// The places of `seeds`, y-up metres; the name of several markers gives each of them.
    pub fn seed_places(&self, markers: &[Marker]) -> Vec<[f64; 3]> {
        places(&self.seeds, markers)
    }

    /// The agents; complete in a config that came from [`Config::resolved`].
    pub fn agent_list(&self) -> Vec<Agent> {
        self.agents.iter().map(AgentConfig::agent).collect()
    }

    /// The names of the areas that the config knows, by id: `ground`, then those of `[[area]]`,
    /// then terrains that are none of them.
    pub fn area_names(&self) -> Vec<&str> {
        let mut names = vec![Area::GROUND];
        names.extend(self.areas.iter().map(|a| a.name.as_str()));
        for name in &self.terrain.names {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }

    /// The bits of tags; names that the config does not have are left out. A config that came from
    /// [`Config::resolved`] knows those in it.
    pub(crate) fn tag_bits<'t>(&self, tags: impl Iterator<Item = &'t TagConfig>) -> u32 {
        let bit = |tag: &TagConfig| match tag {
            TagConfig::Bit(bit) => u32::try_from(*bit).ok(),
            TagConfig::Name(name) => self.tag_of(name),
        };
        tags.filter_map(bit).filter_map(|bit| 1u32.checked_shl(bit)).fold(0, |all, bit| all | bit)
    }

    /// The bit that the config has a name for.
    pub(crate) fn tag_of(&self, name: &str) -> Option<u32> {
        let place = self.tags.iter().position(|t| t == name)?;
        Some(place as u32)
    }

    /// What the lint looks for on the level.
    pub(crate) fn lint_settings(&self) -> navbake_lint::Settings {
        let (check, defaults) = (&self.check, navbake_lint::Settings::default());
        navbake_lint::Settings {
            slope_margin: check.slope_margin.unwrap_or(defaults.slope_margin),
            height_margin: check.height_margin.unwrap_or(defaults.height_margin),
            ledge_drop: check.ledge_drop,
            is_inset: self.surface == Surface::Generate,
        }
    }

    /// A fault of this config, with its file named where there is one.
    pub(crate) fn in_its_file(&self, fault: ConfigError) -> ConfigError {
        match &self.file {
            Some(file) => fault.in_file(file),
            None => fault,
        }
    }

    /// A fault of the value at a path, such as `check.must_reach[0]`, with file and line where they
    /// are known.
    pub fn fault_at(&self, path: &str, message: impl Into<String>) -> ConfigError {
        self.in_its_file(self.fault(path, message))
    }

    /// A fault of the value at a path.
    pub(crate) fn fault(&self, path: &str, message: impl Into<String>) -> ConfigError {
        let fault = ConfigError::new(message);
        match self.lines.at(path) {
            Some(line) => fault.at_line(line),
            None => fault,
        }
    }

    /// The same for a number, which an option on the command line may have overridden.
    pub(super) fn fault_of(
        &self,
        path: &str,
        number: f64,
        message: impl Into<String>,
    ) -> ConfigError {
        let fault = ConfigError::new(message);
        match self.lines.of_number(path, number) {
            Some(line) => fault.at_line(line),
            None => fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terrains_follow_the_areas_and_are_not_reported_twice() {
        let text = "[[area]]\nname = \"mud\"\n[terrain]\nnames = [\"road\", \"mud\", \"ground\"]";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.area_names(), ["ground", "mud", "road"]);
    }
}
