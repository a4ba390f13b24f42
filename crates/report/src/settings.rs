//! The settings of a check.

use std::collections::BTreeMap;

use navbake_bake::config::{CheckConfig, Ignore, Way};

use crate::finding::{Finding, Severity};

/// Default of `width_tolerance`, m.
const WIDTH_TOLERANCE: f64 = 0.1;
/// Default of `step_margin`, m.
const STEP_MARGIN: f64 = 0.15;
/// Default of `gap_margin`, m.
const GAP_MARGIN: f64 = 0.4;
/// Default of `length_tolerance`, a share.
const LENGTH_TOLERANCE: f64 = 0.05;

/// The settings of a check.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The `[check]` section.
    pub check: CheckConfig,
    /// Severities that differ from the rule's own; `None` for rules that are off.
    pub(crate) levels: BTreeMap<&'static str, Option<Severity>>,
}

impl Settings {
    /// Whether a rule is on.
    pub fn is_on(&self, code: &str) -> bool {
        self.levels.get(code) != Some(&None)
    }

    /// Whether the config ignores a finding.
    pub fn is_ignored(&self, finding: &Finding) -> bool {
        let covers = |ignore: &Ignore| {
            let near = match (ignore.at, finding.place) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(at), Some(place)) => {
                    let square: f64 = (0..3).map(|k| (at[k] - place[k]).powi(2)).sum();
                    square <= ignore.radius * ignore.radius
                }
            };
            let agent = ignore.agent.is_none() || ignore.agent == finding.agent;
            ignore.rule == finding.rule && near && agent
        };
        self.check.ignores.iter().any(covers)
    }

    /// Least relative growth of a path since the baseline that is reported.
    pub(crate) fn length_tolerance(&self) -> f64 {
        self.check.length_tolerance.unwrap_or(LENGTH_TOLERANCE)
    }

    /// Largest lack of width of a passage that is reported, m.
    pub(crate) fn width_tolerance(&self) -> f64 {
        self.check.width_tolerance.unwrap_or(WIDTH_TOLERANCE)
    }

    /// Largest rise above the climb of a reported shortcut, m.
    pub(crate) fn step_margin(&self) -> f64 {
        self.check.step_margin.unwrap_or(STEP_MARGIN)
    }

    /// Largest gap of a reported shortcut, m.
    pub(crate) fn gap_margin(&self) -> f64 {
        self.check.gap_margin.unwrap_or(GAP_MARGIN)
    }
}

/// Whether a path applies to an agent.
pub(crate) fn is_for(way: &Way, agent: &str) -> bool {
    way.agents().is_none_or(|agents| agents.iter().any(|a| a == agent))
}
