//! Settings of a check from its config: names of rules and agents, and severities.

use std::collections::BTreeMap;

use navbake_bake::config::{CheckConfig, RuleLevel};
use navbake_bake::nearest_name;

use crate::catalogue::{all, rule};
use crate::finding::Severity;
use crate::settings::Settings;

/// An unknown name in the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The path of its key within `[check]`.
    pub key: String,
    /// The name, and the nearest known one.
    pub message: String,
}

impl Settings {
    /// Checks the names of rules and agents.
    ///
    /// # Errors
    /// If there is no rule or agent of a name.
    pub fn new(check: CheckConfig, agents: &[&str]) -> Result<Settings, Unknown> {
        let mut levels = BTreeMap::new();
        for (code, level) in &check.severity {
            let known = known_rule(format!("severity.{code}"), code)?;
            let severity = match level {
                RuleLevel::Off => None,
                RuleLevel::Note => Some(Severity::Note),
                RuleLevel::Warning => Some(Severity::Warning),
                RuleLevel::Error => Some(Severity::Error),
            };
            levels.insert(known, severity);
        }
        for (i, ignore) in check.ignores.iter().enumerate() {
            known_rule(format!("ignore[{i}].rule"), &ignore.rule)?;
            if let Some(agent) = &ignore.agent {
                known_agent(format!("ignore[{i}].agent"), agent, agents)?;
            }
        }
        for (list, ways) in
            [("must_reach", &check.must_reach), ("must_not_reach", &check.must_not_reach)]
        {
            for (i, way) in ways.iter().enumerate() {
                for agent in way.agents().into_iter().flatten() {
                    known_agent(format!("{list}[{i}]"), agent, agents)?;
                }
            }
        }
        Ok(Settings { check, levels })
    }

    /// The severity of a rule; `None` if it is off.
    pub fn severity(&self, code: &str) -> Option<Severity> {
        match self.levels.get(code) {
            Some(severity) => *severity,
            None => rule(code).map(|r| r.severity),
        }
    }
}

fn known_rule(key: String, code: &str) -> Result<&'static str, Unknown> {
    if let Some(known) = rule(code) {
        return Ok(known.code);
    }
    let hint = match nearest_name(code, all().map(|r| r.code)) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; docs/rules.md lists them".into(),
    };
    Err(Unknown { message: format!("`{key}`: no rule `{code}`{hint}"), key })
}

fn known_agent(key: String, name: &str, agents: &[&str]) -> Result<(), Unknown> {
    if agents.contains(&name) {
        return Ok(());
    }
    let hint = match nearest_name(name, agents.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; its agents are: {}", agents.join(", ")),
    };
    Err(Unknown { message: format!("`{key}`: no agent `{name}` in the bake{hint}"), key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;

    fn settings(text: &str) -> Result<Settings, Unknown> {
        Settings::new(CheckConfig::parse(text).unwrap().0, &["soldier", "tank"])
    }

    #[test]
    fn unknown_names_are_reported_with_the_nearest() {
        for (text, key, near) in [
            ("severity = { slivers = \"off\" }", "severity.slivers", "`sliver`"),
            ("[[ignore]]\nrule = \"hole-smal\"", "ignore[0].rule", "`hole-small`"),
            ("[[ignore]]\nrule = \"sliver\"\nagent = \"solder\"", "ignore[0].agent", "`soldier`"),
            (
                "must_reach = [{ from = \"a\", to = \"b\", agents = [\"tnk\"] }]",
                "must_reach[0]",
                "`tank`",
            ),
        ] {
            let fault = settings(text).unwrap_err();
            assert_eq!(fault.key, key);
            assert!(fault.message.contains(near), "{}", fault.message);
        }
    }

    #[test]
    fn findings_are_ignored_by_rule_place_and_agent() {
        let text = "[[ignore]]\nrule = \"sliver\"\nat = [1, 0, 0]\nradius = 2\nagent = \"tank\"";
        let settings = settings(text).unwrap();
        let finding = Finding::new("sliver", "s").at([2.5, 0.0, 0.0]).of_agent("tank");
        assert!(settings.is_ignored(&finding));
        assert!(!settings.is_ignored(&finding.clone().at([3.5, 0.0, 0.0])));
        assert!(!settings.is_ignored(&finding.clone().of_agent("soldier")));
        assert!(!settings.is_ignored(&Finding { place: None, ..finding.clone() }));
        assert!(!settings.is_ignored(&Finding { rule: "crack", ..finding }));
    }

    #[test]
    fn severities_of_the_config_win() {
        let settings = settings("severity = { sliver = \"error\", crack = \"off\" }").unwrap();
        assert_eq!(settings.severity("sliver"), Some(Severity::Error));
        assert_eq!(settings.severity("crack"), None);
        assert!(!settings.is_on("crack") && settings.is_on("sliver"));
        assert_eq!(settings.severity("unreachable"), Some(Severity::Error));
    }
}
