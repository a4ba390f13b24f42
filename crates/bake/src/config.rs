//! The config of a bake: a TOML file in metres and degrees, command-line flags laid over it.
//!
//! Every key has a default, so an empty file is a config. A key that is not known is an error, never ignored. Some defaults differ
//! for grid maps (see [`Config::resolved`]), which is why those are options here.

use std::path::Path;

use navbake_level::{Agent, Role, Winding};
use serde::{Deserialize, Serialize};

use crate::error::{BakeError, ConfigError};
use crate::nearest;
use crate::number::{LARGE, exact, point};

/// What to bake and for whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The axis that points up in the input.
    pub up: Up,
    /// Input units to metres.
    pub scale: f64,
    /// Side of the filter's cells, m; derived from the agent's radius when absent. Never the accuracy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// Where the navmesh comes from.
    pub surface: Surface,
    /// How borders of the ground are found, with `surface = "voxel"`.
    pub borders: Borders,
    /// The greatest error of a polygon's height over the ground, m.
    pub height_error: f64,
    /// Islands smaller than this without a marker or seed are left out, m2; by default 2, and 0 for grid maps.
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
    /// Where the grid's zero lies, y-up metres; by default the centre of the level's bounds rounded to a multiple of 1024 m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<[f64; 3]>,
    /// What to do with positions that are not finite numbers.
    pub nonfinite: Nonfinite,
    /// A level in which nothing is walkable gives an empty navmesh instead of an error.
    pub allow_empty: bool,
    /// Tables baked beside the navmesh.
    pub tables: Tables,
    /// Who walks; one agent with the defaults when there is none.
    #[serde(rename = "agent")]
    pub agents: Vec<AgentConfig>,
    /// What parts of the level are; the last rule that matches a part decides.
    #[serde(rename = "rule")]
    pub rules: Vec<Rule>,
    /// The file the config was read from, for messages; not part of the config.
    #[serde(skip)]
    pub file: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            up: Up::Y,
            scale: 1.0,
            cell: None,
            surface: Surface::Voxel,
            borders: Borders::Exact,
            height_error: 0.1,
            min_region: None,
            seeds: vec![],
            winding: Winding::Ccw,
            bounds: None,
            origin: None,
            nonfinite: Nonfinite::Refuse,
            allow_empty: false,
            tables: Tables::default(),
            agents: vec![],
            rules: vec![],
            file: None,
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
            Borders::Lattice => navbake_walkable::Borders::Lattice,
        }
    }
}

/// Where the navmesh comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// From any triangles: slope, head room, steps and the agent's radius decide.
    #[default]
    Voxel,
    /// The input's own triangles (those with the role `floor`, or all that are flat enough when no rule names one) are the navmesh.
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

/// Tables baked beside the navmesh. This version makes none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tables {
    /// `none`; `labels` and sizes are refused by this version.
    pub budget: String,
}

impl Default for Tables {
    fn default() -> Self {
        Tables {
            budget: "none".into(),
        }
    }
}

/// A kind of unit, as the config names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AgentConfig {
    /// The name that queries use.
    pub name: String,
    /// Radius, m; by default 0.6, and 0 for grid maps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Height, m.
    pub height: f64,
    /// The highest step, m.
    pub climb: f64,
    /// The steepest ground, degrees.
    pub slope: f64,
}

impl Default for AgentConfig {
    fn default() -> Self {
        let agent = Agent::default();
        AgentConfig {
            name: agent.name,
            radius: None,
            height: agent.height,
            climb: agent.climb,
            slope: agent.slope,
        }
    }
}

/// What the parts of a level with certain names are. Patterns know `*` (any run of characters, `/` included) and `?` (one
/// character); every pattern given must match. A `node` pattern without a `/` is tried on each name of the part's path as well, so
/// that it covers everything below a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Pattern for the path of node names (OBJ: the object or group).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Pattern for the mesh name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<String>,
    /// Pattern for the material name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Letters match whatever their case.
    #[serde(default)]
    pub ignore_case: bool,
    /// What those parts are.
    #[serde(with = "RoleName")]
    pub role: Role,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Winding", rename_all = "lowercase")]
enum WindingName {
    Ccw,
    Cw,
    Both,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Role", rename_all = "lowercase")]
enum RoleName {
    Ground,
    Obstacle,
    Ignored,
    Floor,
}

/// Tables of the config that belong to the format but not to this version, and what they would bring.
const LATER: [(&str, &str); 2] = [
    ("vehicle", "turning units are"),
    ("check", "checks of a level are"),
];

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

    /// Reads a config from TOML text. Values are judged by [`Config::resolved`], after flags have had their say.
    ///
    /// # Errors
    /// When the text is not TOML, has a key that is not known (the message names the line and the nearest known one), a value of
    /// the wrong kind, or a table that this version does not have.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        let document = toml::de::DeTable::parse(text).map_err(|e| fault_of(&e, text))?;
        for (key, _) in document.get_ref().iter() {
            if let Some((name, what)) = LATER.iter().find(|(name, _)| name == key.get_ref()) {
                return Err(ConfigError::new(format!(
                    "`{name}` is not in navbake {}: {what} for a later version; leave the table out",
                    env!("CARGO_PKG_VERSION")
                ))
                .at_line(line_of(text, key.span().start)));
            }
        }
        toml::from_str(text).map_err(|e| fault_of(&e, text))
    }

    /// The config with every default that depends on the kind of input filled in, and judged.
    ///
    /// # Errors
    /// When a value is out of its range, two agents share a name, or something is asked for that this version does not have.
    pub fn resolved(&self, grid_map: bool) -> Result<Config, ConfigError> {
        let mut config = self.clone();
        if config.agents.is_empty() {
            config.agents.push(AgentConfig::default());
        }
        for agent in &mut config.agents {
            let default = if grid_map {
                0.0
            } else {
                Agent::default().radius
            };
            agent.radius.get_or_insert(default);
        }
        config
            .min_region
            .get_or_insert(if grid_map { 0.0 } else { 2.0 });
        config.judge().map_err(|fault| self.in_its_file(fault))?;
        Ok(config)
    }

    /// A fault of this config, with its file named where there is one.
    pub(crate) fn in_its_file(&self, fault: ConfigError) -> ConfigError {
        match &self.file {
            Some(file) => fault.in_file(file),
            None => fault,
        }
    }

    /// The agents; complete in a config that came from [`Config::resolved`].
    pub fn agent_list(&self) -> Vec<Agent> {
        let of = |a: &AgentConfig| Agent {
            name: a.name.clone(),
            radius: a.radius.unwrap_or(Agent::default().radius),
            height: a.height,
            climb: a.climb,
            slope: a.slope,
        };
        self.agents.iter().map(of).collect()
    }

    /// The whole config as TOML text: what its hash is taken of.
    pub fn effective(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The keys of a config that came from [`Config::resolved`] that differ from the defaults, as TOML text: what goes into the navmesh
    /// file. [`Config::from_brief`] gives the config again.
    pub fn brief(&self) -> String {
        let defaults = Config::default().resolved(false).unwrap_or_default();
        let tables = [self, &defaults].map(|c| toml::Table::try_from(c).unwrap_or_default());
        let [mut own, defaults] = tables;
        own.retain(|key, value| defaults.get(key) != Some(value));
        toml::to_string(&own).unwrap_or_default()
    }

    /// The config whose [`Config::brief`] this is.
    ///
    /// # Errors
    /// Those of [`Config::parse`] and [`Config::resolved`].
    pub fn from_brief(text: &str) -> Result<Config, ConfigError> {
        Config::parse(text)?.resolved(false)
    }

    fn judge(&self) -> Result<(), ConfigError> {
        let fault = |message: String| Err(ConfigError::new(message));
        let above_zero = |key: &str, v: f64, unit: &str| {
            if v.is_finite() && v > 0.0 {
                return Ok(());
            }
            Err(ConfigError::new(format!(
                "`{key}` is {}{unit}; it must be a finite number above 0",
                exact(v)
            )))
        };
        above_zero("scale", self.scale, "")?;
        above_zero("height_error", self.height_error, " m")?;
        if let Some(cell) = self.cell {
            above_zero("cell", cell, " m")?;
        }
        let min_region = self.min_region.unwrap_or(0.0);
        if !min_region.is_finite() || min_region < 0.0 {
            return fault(format!(
                "`min_region` is {} m2; it must be a finite number, 0 or above",
                exact(min_region)
            ));
        }
        if let Some([least, greatest]) = self.bounds {
            for k in 0..3 {
                let (a, b) = (least[k], greatest[k]);
                if !a.is_finite() || !b.is_finite() || a >= b {
                    return fault(format!(
                        "`bounds`: along {} it goes from {} to {} m; the first corner must be the least one, and both finite",
                        ["x", "y", "z"][k],
                        exact(a),
                        exact(b)
                    ));
                }
            }
        }
        if let Some(origin) = self.origin
            && origin.iter().any(|v| !v.is_finite())
        {
            return fault(format!(
                "`origin` is {}; it must be three finite numbers",
                point(origin)
            ));
        }
        for (i, seed) in self.seeds.iter().enumerate() {
            if let Seed::Point(p) = seed
                && p.iter().any(|v| !v.is_finite())
            {
                return fault(format!(
                    "`seeds[{i}]` is {}; it must be three finite numbers",
                    point(*p)
                ));
            }
        }
        if self.tables.budget != "none" {
            return fault(format!(
                "`tables.budget` is `{}`: navbake {} bakes no tables yet; use \"none\"",
                self.tables.budget,
                env!("CARGO_PKG_VERSION")
            ));
        }
        for (i, rule) in self.rules.iter().enumerate() {
            if rule.node.is_none() && rule.mesh.is_none() && rule.material.is_none() {
                return fault(format!(
                    "`[[rule]]` {} has no pattern: give it `node`, `mesh` or `material`",
                    i + 1
                ));
            }
        }
        for (i, agent) in self.agent_list().iter().enumerate() {
            if agent.name.is_empty() {
                return fault(format!("`[[agent]]` {} has an empty `name`", i + 1));
            }
            if self.agents[..i].iter().any(|a| a.name == agent.name) {
                return fault(format!(
                    "two agents are called `{}`; queries could not tell them apart, so rename one",
                    agent.name
                ));
            }
            // Said here, with a power of ten: no such number is ever sound, and the general message has all its digits.
            let huge = [
                ("radius", agent.radius),
                ("height", agent.height),
                ("climb", agent.climb),
                ("slope", agent.slope),
            ]
            .into_iter()
            .find(|(_, v)| v.is_finite() && v.abs() >= LARGE);
            if let Some((key, value)) = huge {
                return fault(format!(
                    "agent `{}`: {key} {} is far out of range",
                    agent.name,
                    exact(value)
                ));
            }
            if let Some(message) = agent.fault() {
                return fault(message);
            }
        }
        Ok(())
    }
}

/// The 1-based line of a byte offset.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset.min(text.len())]
        .iter()
        .filter(|&&b| b == b'\n')
        .count()
}

/// Turns an error of the TOML reader into ours: one line of text, the line it is in, and the nearest known name where one is wrong.
fn fault_of(error: &toml::de::Error, text: &str) -> ConfigError {
    let mut message = error.message().lines().collect::<Vec<_>>().join("; ");
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    if unknown && let Some((found, known)) = quoted.split_first() {
        let what = if message.starts_with("unknown field") {
            "unknown key"
        } else {
            "unknown value"
        };
        let of_agent = ["radius", "height", "climb", "slope"].contains(found);
        let hint = if of_agent && known.contains(&"agent") {
            "it stands in [[agent]]. ".into()
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
