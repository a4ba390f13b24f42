//! The config of a bake: a TOML file in metres and degrees, command-line flags laid over it.
//!
//! Every key has a default, so an empty file is a config. A key that is not known is an error,
//! never ignored. Some defaults differ for grid maps (see [`Config::resolved`]), which is why those
//! are options here. `keys` has a row for each key, `validate` refuses values, and `lines` knows
//! the line of each key.

mod agents;
mod check;
mod clearance;
mod ground;
pub(crate) mod keys;
mod lines;
mod links;
mod rooms;
mod tables;
mod validate;
mod vehicles;

use std::path::Path;
use std::str::FromStr;

use navbake_level::{Agent, Winding};
use serde::{Deserialize, Serialize};

use crate::error::{BakeError, ConfigError};
use crate::nearest;

pub use agents::{AgentConfig, Cell, Row, WeightTable};
pub use check::{CheckConfig, Ignore, RuleLevel, Way, WayRow};
pub use clearance::{ClearanceConfig, Falloff};
pub(crate) use ground::colour;
pub use ground::{AreaConfig, Rule, SwitchConfig, TagConfig, Terrain, VolumeConfig};
pub use lines::Lines;
pub use links::{AutoLinks, End, LinkConfig};
pub use rooms::RoomsConfig;
pub use tables::{Budget, BudgetText, Require, Tables, WantedLandmarks};
pub(crate) use validate::unknown;
pub use vehicles::{FootprintConfig, ReverseConfig, VehicleConfig};

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
    /// How borders of the ground are found, with `surface = "generate"`.
    pub borders: Borders,
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
    #[serde(skip_serializing_if = "is_usual")]
    pub clearance: ClearanceConfig,
    /// Areas beside `ground`, which is all other ground.
    #[serde(rename = "area", skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<AreaConfig>,
    /// What parts of the level are; of the rules that match a part the last that tells a key
    /// decides it.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
    /// Pieces of space whose ground is of an area; where they overlap the last one decides.
    #[serde(rename = "volume", skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<VolumeConfig>,
    /// What the terrains of a grid map are.
    pub terrain: Terrain,
    /// Paths without ground.
    #[serde(rename = "link", skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkConfig>,
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
    /// The file the config was read from, for messages; not part of the config.
    #[serde(skip)]
    pub file: Option<String>,
    /// The lines of its keys, for messages; not part of the config.
    #[serde(skip)]
    pub lines: Lines,
}

fn is_usual(clearance: &ClearanceConfig) -> bool {
    *clearance == ClearanceConfig::default()
}

impl Default for Config {
    fn default() -> Self {
        Config {
            up: Up::Y,
            scale: 1.0,
            cell: None,
            surface: Surface::Generate,
            borders: Borders::Exact,
            // What a hexagon around a circle of radius 0.6 m needs, and less than the 0.1 m by
            // which a passage may be narrower on either side.
            border_error: 0.098,
            height_error: 0.1,
            slope_error: 0.25,
            min_region: None,
            seeds: vec![],
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
            areas: vec![],
            rules: vec![],
            volumes: vec![],
            terrain: Terrain::default(),
            links: vec![],
            auto_links: AutoLinks::default(),
            rooms: RoomsConfig::default(),
            switches: vec![],
            vehicles: vec![],
            check: CheckConfig::default(),
            file: None,
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

/// How borders of the ground are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Borders {
    /// From the triangles, to millimetres.
    Exact,
    /// Along the cells of a lattice, up to a cell inside of the exact ones.
    Lattice,
}

impl From<Borders> for navbake_walkable::Borders {
    fn from(borders: Borders) -> Self {
        match borders {
            Borders::Exact => navbake_walkable::Borders::Exact,
            Borders::Lattice => navbake_walkable::Borders::GridAligned,
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

#[derive(Serialize, Deserialize)]
#[serde(remote = "Winding", rename_all = "lowercase")]
enum WindingName {
    Ccw,
    Cw,
    Both,
}

impl Config {
    /// Reads a config from a file.
    ///
    /// # Errors
    /// When the file cannot be read, is not UTF-8, or [`Config::parse`] refuses it.
    pub fn load(path: &Path) -> Result<Config, BakeError> {
        let bytes =
            std::fs::read(path).map_err(|error| BakeError::io("read the config", path, error))?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|error| {
            let sound = error.utf8_error().valid_up_to();
            let lines = error.as_bytes()[..sound].iter().filter(|&&b| b == b'\n');
            ConfigError::new("the config is not UTF-8; save it as UTF-8")
                .at_line(1 + lines.count())
                .in_file(&name)
        })?;
        let mut config = Config::parse(&text).map_err(|fault| fault.in_file(&name))?;
        config.file = Some(name);
        Ok(config)
    }

    /// Reads a config from TOML text. [`Config::resolved`] validates values, after flags are
    /// applied.
    ///
    /// # Errors
    /// When the text is not TOML, has a key that is not known (the message names the line and the
    /// nearest known one), or a value of the wrong kind.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let document = toml::de::DeTable::parse(text).map_err(|e| fault_of(&e, text))?;
        let lines = Lines::read(document.get_ref(), text);
        refuse_renamed(&lines, "")?;
        let mut config: Config = toml::from_str(text).map_err(|e| fault_of(&e, text))?;
        config.lines = lines;
        Ok(config)
    }

    /// The config with every default that depends on the kind of input filled in, validated.
    ///
    /// # Errors
    /// When a value is out of its range, two agents share a name, or something is asked for that
    /// this version does not have.
    pub fn resolved(&self, grid_map: bool) -> Result<Config, ConfigError> {
        let mut config = self.clone();
        if config.agents.is_empty() {
            config.agents.push(AgentConfig::default());
        }
        for agent in &mut config.agents {
            let default = if grid_map { 0.0 } else { Agent::default().radius };
            agent.radius.get_or_insert(default);
        }
        config.min_region.get_or_insert(if grid_map { 0.0 } else { 2.0 });
        if config.rooms.enabled {
            let cells = 4.0 * config.scale * config.scale;
            config.rooms.min_area.get_or_insert(if grid_map { cells } else { 1.0 });
        }
        config.validate().map_err(|fault| self.in_its_file(fault))?;
        Ok(config)
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

    /// The whole config as TOML text: what its hash is taken of.
    pub fn effective(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The keys of a config that came from [`Config::resolved`] that differ from the defaults, as
    /// TOML text: what goes into the navmesh file. [`Config::from_brief`] gives the config again.
    pub fn brief(&self) -> String {
        let defaults = Config::default().resolved(false).unwrap_or_default();
        let tables = [self, &defaults].map(|c| toml::Table::try_from(c).unwrap_or_default());
        let [mut own, defaults] = tables;
        own.retain(|key, value| defaults.get(key) != Some(value));
        toml::to_string(&own).unwrap_or_default()
    }

    /// The config whose [`Config::brief`] this is. Files of before have old names of keys.
    ///
    /// # Errors
    /// Those of [`Config::parse`] and [`Config::resolved`].
    pub fn from_brief(text: &str) -> Result<Config, ConfigError> {
        let mut config: toml::Table = toml::from_str(text).map_err(|e| fault_of(&e, text))?;
        for (old, new) in keys::RENAMED {
            if let Some((table, old)) = old.split_once('.')
                && let Some(table) = config.get_mut(table).and_then(toml::Value::as_table_mut)
                && let Some(value) = table.remove(old)
            {
                table.insert(new.into(), value);
            }
        }
        Config::parse(&toml::to_string(&config).unwrap_or_default())?.resolved(false)
    }
}

/// Refuses old names of keys; `within` is the table that the text is of, `check.` or nothing.
fn refuse_renamed(lines: &Lines, within: &str) -> Result<(), ConfigError> {
    for (old, new) in keys::RENAMED {
        let line = old.strip_prefix(within).and_then(|old| lines.of(old));
        if let Some(line) = line {
            let found = format!("`{old}` is now called `{new}`; rename it");
            return Err(ConfigError::new(found).at_line(line));
        }
    }
    Ok(())
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

/// Turns an error of the TOML reader into ours: one line of text, the line it is in, and the
/// nearest known name where one is wrong.
fn fault_of(error: &toml::de::Error, text: &str) -> ConfigError {
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    if unknown && let Some((found, known)) = quoted.split_first() {
        let what =
            if message.starts_with("unknown field") { "unknown key" } else { "unknown value" };
        let of_agent = ["radius", "height", "climb", "slope", "drop", "jump", "uphill", "downhill"]
            .contains(found);
        let hint = if of_agent && known.contains(&"agent") {
            "it is a key of [[agent]]. ".into()
        } else {
            match nearest::name(found, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? "),
                None => String::new(),
            }
        };
        message = format!("{what} `{found}`; {hint}Known are: {}", known.join(", "));
    }
    let fault = ConfigError::new(message);
    match error.span() {
        Some(span) => fault.at_line(line_of(text, span.start)),
        None => fault,
    }
}
