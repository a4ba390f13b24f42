//! Refuses what cannot be: every fault names its line, its key, what was expected, and the nearest known name where a name is wrong. Faults of ground
//! stand in `ground`, of agents, weights and links in `people`.

mod ground;
mod people;
mod rooms;

use super::{Budget, Config, Require, Seed, TagConfig};
use crate::error::ConfigError;
use crate::nearest;
use navbake_level::number::{exact, point};

type Verdict = Result<(), ConfigError>;

/// Tags are 32 bits.
const TAGS: usize = 32;

impl Config {
    pub(super) fn judge(&self) -> Verdict {
        self.judge_numbers()?;
        self.judge_agents()?;
        self.judge_tags()?;
        self.judge_areas()?;
        self.judge_terrain()?;
        self.judge_rules()?;
        self.judge_volumes()?;
        self.judge_weights()?;
        self.judge_clearance()?;
        self.judge_links()?;
        self.judge_auto_links()?;
        self.judge_rooms()?;
        self.judge_check()?;
        self.judge_vehicles()
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

    fn judge_numbers(&self) -> Verdict {
        let above_zero = |key: &str, v: f64, unit: &str| {
            if v.is_finite() && v > 0.0 {
                return Ok(());
            }
            let found = format!(
                "`{key}` is {}{unit}; it must be a finite number above 0",
                exact(v)
            );
            Err(self.fault_of(key, v, found))
        };
        above_zero("scale", self.scale, "")?;
        above_zero("border_error", self.border_error, " m")?;
        above_zero("height_error", self.height_error, " m")?;
        above_zero("slope_error", self.slope_error, " m")?;
        if let Some(cell) = self.cell {
            above_zero("cell", cell, " m")?;
        }
        let min_region = self.min_region.unwrap_or(0.0);
        if !min_region.is_finite() || min_region < 0.0 {
            let found = format!(
                "`min_region` is {} m2; it must be a finite number, 0 or above",
                exact(min_region)
            );
            return Err(self.fault_of("min_region", min_region, found));
        }
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

    fn finite(&self, path: &str, p: [f64; 3]) -> Verdict {
        if p.iter().all(|v| v.is_finite()) {
            return Ok(());
        }
        let found = format!("`{path}` is {}; it must be three finite numbers", point(p));
        Err(self.fault(path, found))
    }

    fn agent_is_known(&self, path: &str, name: &str) -> Verdict {
        let mut known = self.agents.iter().map(|a| a.name.as_str());
        if known.clone().any(|k| k == name) {
            return Ok(());
        }
        let of = "the name of an `[[agent]]`";
        Err(self.fault(path, unknown("agent", name, of, &mut known)))
    }

    fn area_is_known(&self, path: &str, name: Option<&str>) -> Verdict {
        let Some(name) = name else { return Ok(()) };
        let names = self.area_names();
        if names.contains(&name) {
            return Ok(());
        }
        let of = "`ground`, or the name of an `[[area]]` or of a terrain";
        Err(self.fault(path, unknown("area", name, of, &mut names.into_iter())))
    }

    fn switch_is_known(&self, path: &str, name: &Option<String>) -> Verdict {
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

    fn tags_are_known(&self, path: &str, tags: &[TagConfig]) -> Verdict {
        for (i, tag) in tags.iter().enumerate() {
            let path = format!("{path}[{i}]");
            let found = match tag {
                TagConfig::Bit(bit) if (0..TAGS as i64).contains(bit) => continue,
                TagConfig::Name(name) if self.tags.contains(name) => continue,
                TagConfig::Bit(bit) => {
                    format!(
                        "`{path}` is {bit}; a tag is the number of a bit, 0 to {}",
                        TAGS - 1
                    )
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

/// What is said of a name that is not known.
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
