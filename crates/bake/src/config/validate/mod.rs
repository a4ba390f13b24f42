//! Refuses values: out of range, or names of nothing.
//!
//! An error names the line, the key, what was expected, and the nearest known name. Ranges of
//! single numbers are in `keys`; what depends on other keys is here.

mod agents;
mod fields;
mod ground;
mod networks;
mod rooms;

use super::ground::TagConfig;
use super::keys::out_of_range;
use super::seed::Seed;
use super::settings::Config;
use super::tables::{Budget, Require};
use crate::error::ConfigError;
use crate::nearest;
use navbake_level::number::{exact, point};

/// No value, or the first error.
type Validity = Result<(), ConfigError>;

/// Tags are 32 bits.
const TAGS: usize = 32;

impl Config {
    pub(super) fn validate(&self) -> Validity {
        self.validate_ranges()?;
        self.validate_top()?;
        self.validate_agents()?;
        self.validate_tags()?;
        self.validate_areas()?;
        self.validate_terrain()?;
        self.validate_heightmap()?;
        self.validate_rules()?;
        self.validate_volumes()?;
        self.validate_weights()?;
        self.validate_clearance()?;
        self.validate_fields()?;
        self.validate_links()?;
        self.validate_auto_links()?;
        self.validate_networks()?;
        self.validate_rooms()?;
        self.validate_check()?;
        self.validate_detour()?;
        self.validate_vehicles()
    }

    /// Numbers against the ranges of their keys.
    fn validate_ranges(&self) -> Validity {
        let config = toml::Table::try_from(self).unwrap_or_default();
        match out_of_range(&config, "") {
            Some((path, value, found)) => Err(self.fault_of(&path, value, found)),
            None => Ok(()),
        }
    }

    fn validate_top(&self) -> Validity {
        if let Some([least, greatest]) = self.bounds {
            for k in 0..3 {
                let (a, b) = (least[k], greatest[k]);
                if !a.is_finite() || !b.is_finite() || a >= b {
                    return Err(self.fault(
                        "bounds",
                        format!(
                            "`bounds`: along {} it goes from {} to {} m; the first corner must be the least one, and both finite",
                            ["x", "y", "z"][k],
                            exact(a),
                            exact(b)
                        ),
                    ));
                }
            }
        }
        if let Some(origin) = self.origin {
            self.finite("origin", origin)?;
        }
        for (i, seed) in self.seeds.iter().enumerate() {
            if let Seed::Point(p) = seed {
                self.finite(&format!("seeds[{i}]"), *p)?;
            }
        }
        let budget = &self.tables.budget.0;
        if let Err(expected) = budget.parse::<Budget>() {
            let found = format!("`tables.budget` is `{budget}`: {expected}");
            return Err(self.fault("tables.budget", found));
        }
        if self.tables.require == Require::Labels && self.tables.budget() == Budget::None {
            let found =
                "`tables.require` is `labels`, and `tables.budget` is `none`; give them room";
            return Err(self.fault("tables.require", found));
        }
        Ok(())
    }

    fn validate_check(&self) -> Validity {
        match self.check.fault() {
            Some((key, found)) => Err(self.fault(&format!("check.{key}"), found)),
            None => Ok(()),
        }
    }

    fn finite(&self, path: &str, p: [f64; 3]) -> Validity {
        if p.iter().all(|v| v.is_finite()) {
            return Ok(());
        }
        let found = format!("`{path}` is {}; it must be three finite numbers", point(p));
        Err(self.fault(path, found))
    }

    /// Refuses entry `i` of a table without a name, or with that of an entry before it.
    ///
    /// `several` is the plural of the table's name, `cure` what an error of two says in the end.
    fn name_is_own<'n>(
        &self,
        [table, several]: [&str; 2],
        i: usize,
        name: impl Fn(usize) -> &'n str,
        cure: &str,
    ) -> Validity {
        let own = name(i);
        let found = if own.is_empty() {
            format!("`[[{table}]]` {} has an empty `name`", i + 1)
        } else if (0..i).any(|k| name(k) == own) {
            format!("two {several} are called `{own}`{cure}")
        } else {
            return Ok(());
        };
        Err(self.fault(&format!("{table}[{i}].name"), found))
    }

    fn agent_is_known(&self, path: &str, name: &str) -> Validity {
        let mut known = self.agents.iter().map(|a| a.name.as_str());
        if known.clone().any(|k| k == name) {
            return Ok(());
        }
        let of = "the name of an `[[agent]]`";
        Err(self.fault(path, unknown("agent", name, of, &mut known)))
    }

    fn area_is_known(&self, path: &str, name: Option<&str>) -> Validity {
        let Some(name) = name else { return Ok(()) };
        let names = self.area_names();
        if names.contains(&name) {
            return Ok(());
        }
        let of = "`ground`, or the name of an `[[area]]` or of a terrain";
        Err(self.fault(path, unknown("area", name, of, &mut names.into_iter())))
    }

    fn switch_is_known(&self, path: &str, name: &Option<String>) -> Validity {
        let Some(name) = name else { return Ok(()) };
        if name.is_empty() {
            let found = format!("`{path}` is empty; give the switch a name");
            return Err(self.fault(path, found));
        }
        let mut known = self.switches.iter().map(|s| s.name.as_str());
        if self.switches.is_empty() || known.clone().any(|k| k == name) {
            return Ok(());
        }
        let of = "the name of a `[[switch]]`";
        Err(self.fault(path, unknown("switch", name, of, &mut known)))
    }

    fn tags_are_known(&self, path: &str, tags: &[TagConfig]) -> Validity {
        for (i, tag) in tags.iter().enumerate() {
            let path = format!("{path}[{i}]");
            let found = match tag {
                TagConfig::Bit(bit) if (0..TAGS as i64).contains(bit) => continue,
                TagConfig::Name(name) if self.tags.contains(name) => continue,
                TagConfig::Bit(bit) => {
                    format!("`{path}` is {bit}; a tag is the number of a bit, 0 to {}", TAGS - 1)
                }
                TagConfig::Name(name) => {
                    let mut known = self.tags.iter().map(String::as_str);
                    let of = "a name of the list `tags` at the top";
                    unknown("tag", name, of, &mut known)
                }
            };
            return Err(self.fault(&path, found));
        }
        Ok(())
    }
}

/// The error of an unknown name.
pub(crate) fn unknown(
    what: &str,
    name: &str,
    expected: &str,
    known: &mut dyn Iterator<Item = &str>,
) -> String {
    let known: Vec<&str> = known.collect();
    let hint = match nearest::name(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    /// More names than this are not listed in a message.
    const LISTED: usize = 12;
    let listed: Vec<&str> = known.iter().copied().take(LISTED).collect();
    let more = match known.len().saturating_sub(LISTED) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let list = match listed.is_empty() {
        true => "there are none".into(),
        false => format!("known are: {}{more}", listed.join(", ")),
    };
    format!("there is no {what} `{name}`; {hint}expected {expected}; {list}")
}
