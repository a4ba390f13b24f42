//! Reads a config, fills in its defaults, and writes what a navmesh file keeps of it.

use std::path::Path;

use navbake_import::read_file;
use navbake_level::Agent;

use super::agents::AgentConfig;
use super::check::CheckConfig;
use super::keys;
use super::lines::Lines;
use super::settings::Config;
use super::toml_faults::{fault_of, refuse_renamed};
use crate::error::{BakeError, ConfigError};

/// Bytes of the longest config and rules that are read: parsing takes many times as much.
const LONGEST: u64 = 4 << 20;

impl Config {
    /// Reads a config from a file.
    ///
    /// # Errors
    /// When the file cannot be read, is not UTF-8, or [`Config::parse`] refuses it.
    pub fn load(path: &Path) -> Result<Config, BakeError> {
        let bytes =
            read_file(path, LONGEST).map_err(|e| BakeError::io("read the config", path, e))?;
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

    /// The config whose [`Config::brief`] this is. Older files have old names of keys, and keys that
    /// are gone.
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
        for (old, _) in keys::REMOVED {
            config.remove(old);
        }
        Config::parse(&toml::to_string(&config).unwrap_or_default())?.resolved(false)
    }
}

impl CheckConfig {
    /// Reads what is asked of a level from a file of its own: the keys of `[check]`, without the
    /// table's name. Gives the lines of its keys as well.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`Config::parse`].
    pub fn load(path: &Path) -> Result<(CheckConfig, Lines), BakeError> {
        let bytes = read_file(path, LONGEST)
            .map_err(|error| BakeError::io("read the rules", path, error))?;
        let text = String::from_utf8(bytes).map_err(|_| {
            ConfigError::new("the rules are not UTF-8; save them as UTF-8")
                .in_file(&path.display().to_string())
        })?;
        let name = path.display().to_string();
        let parsed = CheckConfig::parse(&text);
        Ok(parsed.map_err(|fault| fault.in_file(&name))?)
    }
}
