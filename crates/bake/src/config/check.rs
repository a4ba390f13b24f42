//! What `navbake check` expects of a level.
//!
//! The bake keeps it in the navmesh file, so that a file can be checked by itself.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::keys::out_of_range;
use super::lines::Lines;
use super::seed::Seed;
use super::toml_faults::{fault_of, refuse_renamed};
use crate::error::ConfigError;
use navbake_level::number::{exact, point};

/// What a level must have, and settings of the rules. Missing numbers are those of the rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckConfig {
    /// Pairs that a path must connect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub must_reach: Vec<Way>,
    /// Pairs that no path may connect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub must_not_reach: Vec<Way>,
    /// Where agents start: what none of these reaches is cut off. By default the starts of
    /// `must_reach`, else the largest island.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Seed>,
    /// Names of markers that must be on ground, `*` and `?` allowed; markers named elsewhere must
    /// be in any case.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_ground: Vec<String>,
    /// Smaller islands are reported, m2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_island: Option<f64>,
    /// Smaller holes in the ground are reported, m2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_hole: Option<f64>,
    /// Narrower doors are reported, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub door_width: Option<f64>,
    /// Widths of other units, m: passages a little too narrow for them are reported, as they are
    /// for wider agents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub widths: Vec<f64>,
    /// How much too narrow a reported passage is at most, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_tolerance: Option<f64>,
    /// Ground too steep by at most this is reported, degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slope_margin: Option<f64>,
    /// Ground whose head room is short by at most this is reported, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_margin: Option<f64>,
    /// Steps at most this much above the climb are reported where the path around them is long, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_margin: Option<f64>,
    /// Gaps at most this wide are reported where the path around them is long, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_margin: Option<f64>,
    /// Ledges over a deeper drop are reported, m; `None` does not look for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledge_drop: Option<f64>,
    /// The share by which a path may be longer than in the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_tolerance: Option<f64>,
    /// The most polygons of all navmeshes together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_polygons: Option<u64>,
    /// The most bytes of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    /// The most bytes of its tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_table_bytes: Option<u64>,
    /// How bad what a rule finds is, by its code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub severity: BTreeMap<String, RuleLevel>,
    /// Findings that are known and not reported.
    #[serde(rename = "ignore", skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<Ignore>,
}

/// How bad what a rule finds is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// It is not looked for.
    Off,
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// The level does not do what it was said to do.
    Error,
}

/// A path between two places: markers, rooms or points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "each entry must be [\"from\", \"to\"], or { from = .., to = .., agents = [..], most = metres }; a place is the name of a marker \
                 or a room, or [x, y, z] in metres"
)]
pub enum Way {
    /// From the one to the other, for all agents.
    Pair([Seed; 2]),
    /// The same with more to say.
    Row(WayRow),
}

/// A path with more keys than its ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WayRow {
    /// Where it begins.
    pub from: Seed,
    /// Where it ends.
    pub to: Seed,
    /// For whom; all agents by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<String>>,
    /// It is no longer than this, m along the ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
}

impl Way {
    /// Where it begins and where it ends.
    pub fn ends(&self) -> [&Seed; 2] {
        match self {
            Way::Pair([from, to]) => [from, to],
            Way::Row(way) => [&way.from, &way.to],
        }
    }

    /// For whom; all agents when it is not said.
    pub fn agents(&self) -> Option<&[String]> {
        match self {
            Way::Pair(_) => None,
            Way::Row(way) => way.agents.as_deref(),
        }
    }

    /// The most that it may be long, m.
    pub fn most(&self) -> Option<f64> {
        match self {
            Way::Pair(_) => None,
            Way::Row(way) => way.most,
        }
    }
}

/// Findings that are known: of a rule, at a place or anywhere, of an agent or any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignore {
    /// The code of the rule.
    pub rule: String,
    /// Around here, y-up metres; anywhere when it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// Radius around that place, m.
    #[serde(default = "Ignore::usual_radius")]
    pub radius: f64,
    /// For this agent; for any when it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The reason, for later readers of the config.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl Ignore {
    fn usual_radius() -> f64 {
        1.0
    }
}

impl CheckConfig {
    /// Is it as if it were not there?
    pub(super) fn is_default(&self) -> bool {
        *self == CheckConfig::default()
    }

    /// The same from TOML text.
    ///
    /// # Errors
    /// When the text is not TOML, or has a key or a value that is not known: the message names the
    /// line and the nearest known one.
    pub fn parse(text: &str) -> Result<(CheckConfig, Lines), ConfigError> {
        let document = toml::de::DeTable::parse(text).map_err(|e| fault_of(&e, text))?;
        let lines = Lines::read(document.get_ref(), text);
        refuse_renamed(&lines, "check.")?;
        let check: CheckConfig = toml::from_str(text).map_err(|e| fault_of(&e, text))?;
        if let Some((key, message)) = check.fault() {
            let fault = ConfigError::new(message);
            return Err(match lines.at(&key) {
                Some(line) => fault.at_line(line),
                None => fault,
            });
        }
        Ok((check, lines))
    }

    /// Takes from another what the bake itself looks for: how deep ledges are, and margins.
    pub fn looked_for(&mut self, other: &CheckConfig) {
        for (own, other) in [
            (&mut self.slope_margin, other.slope_margin),
            (&mut self.height_margin, other.height_margin),
            (&mut self.ledge_drop, other.ledge_drop),
        ] {
            *own = other.or(*own);
        }
    }

    /// Lays another over it: its lists are added, its numbers and severities win.
    pub fn lay_over(&mut self, other: CheckConfig) {
        self.must_reach.extend(other.must_reach);
        self.must_not_reach.extend(other.must_not_reach);
        self.starts.extend(other.starts);
        self.on_ground.extend(other.on_ground);
        self.widths.extend(other.widths);
        self.ignores.extend(other.ignores);
        self.severity.extend(other.severity);
        for (own, other) in [
            (&mut self.min_island, other.min_island),
            (&mut self.min_hole, other.min_hole),
            (&mut self.door_width, other.door_width),
            (&mut self.width_tolerance, other.width_tolerance),
            (&mut self.slope_margin, other.slope_margin),
            (&mut self.height_margin, other.height_margin),
            (&mut self.step_margin, other.step_margin),
            (&mut self.gap_margin, other.gap_margin),
            (&mut self.ledge_drop, other.ledge_drop),
            (&mut self.length_tolerance, other.length_tolerance),
        ] {
            *own = other.or(*own);
        }
        for (own, other) in [
            (&mut self.max_polygons, other.max_polygons),
            (&mut self.max_bytes, other.max_bytes),
            (&mut self.max_table_bytes, other.max_table_bytes),
        ] {
            *own = other.or(*own);
        }
    }

    /// The key and the error of a value, if one is refused.
    pub(super) fn fault(&self) -> Option<(String, String)> {
        let values = toml::Table::try_from(self).unwrap_or_default();
        if let Some((key, _, found)) = out_of_range(&values, "check.") {
            return Some((key, found));
        }
        let mut places: Vec<(String, [f64; 3])> = vec![];
        for (list, paths) in
            [("must_reach", &self.must_reach), ("must_not_reach", &self.must_not_reach)]
        {
            for (i, path) in paths.iter().enumerate() {
                if let Some(most) = path.most().filter(|m| !(m.is_finite() && *m >= 0.0)) {
                    let key = format!("{list}[{i}].most");
                    let found = format!(
                        "`check.{key}` is {} m; it must be a finite number, 0 or above",
                        exact(most)
                    );
                    return Some((key, found));
                }
                for seed in path.ends() {
                    if let Seed::Point(p) = seed {
                        places.push((format!("{list}[{i}]"), *p));
                    }
                }
            }
        }
        for (i, seed) in self.starts.iter().enumerate() {
            if let Seed::Point(p) = seed {
                places.push((format!("starts[{i}]"), *p));
            }
        }
        for (i, ignore) in self.ignores.iter().enumerate() {
            places.extend(ignore.at.map(|p| (format!("ignore[{i}].at"), p)));
        }
        let (key, p) = places.into_iter().find(|(_, p)| !p.iter().all(|c| c.is_finite()))?;
        let found = format!("`check.{key}`: {} must be three finite numbers", point(p));
        Some((key, found))
    }
}
