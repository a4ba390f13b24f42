//! The result of a check.

use serde::Serialize;

use crate::catalogue::{rule, rules};
use crate::finding::{Finding, Severity, sort};
use crate::rule::Rule;
use crate::rules::found::{NotRun, Walked};
use crate::settings::Settings;

/// The result of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings, sorted.
    pub findings: Vec<Finding>,
    /// Rules that could not run, by code.
    pub not_run: Vec<NotRun>,
    /// Number of findings that the config ignores.
    pub ignored: usize,
    /// Number of findings that the baseline knows.
    pub known: usize,
    /// Number of diagnostics of the bake that the blob does not store.
    pub left_out: usize,
    /// The paths of `must_reach` that exist, in the order of the config, for baselines.
    pub ways: Vec<Walked>,
}

/// The number of findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Errors.
    pub error: usize,
    /// Warnings.
    pub warning: usize,
    /// Notes.
    pub note: usize,
}

impl Report {
    /// Applies the settings to findings and sorts them.
    pub(crate) fn of(found: Vec<Finding>, mut not_run: Vec<NotRun>, settings: &Settings) -> Report {
        let mut report = Report::default();
        report.add(found, settings);
        not_run.retain(|n| settings.is_on(n.rule));
        not_run.sort();
        not_run.dedup();
        report.not_run = not_run;
        report
    }

    /// Adds findings, such as those of an [audit](crate::audit).
    ///
    /// They get the severity of the settings, where these name their rule.
    pub fn add(&mut self, found: Vec<Finding>, settings: &Settings) {
        for mut finding in found {
            // A rule may find both grave and mild cases; the config decides about all of them.
            match settings.levels.get(finding.rule) {
                Some(None) => continue,
                Some(Some(severity)) => finding.severity = *severity,
                None => {}
            }
            if settings.is_ignored(&finding) {
                self.ignored += 1;
            } else {
                self.findings.push(finding);
            }
        }
        sort(&mut self.findings);
        self.findings.dedup();
    }

    /// The number of findings by severity.
    pub fn counts(&self) -> Counts {
        let of = |s| self.findings.iter().filter(|f| f.severity == s).count();
        Counts {
            error: of(Severity::Error),
            warning: of(Severity::Warning),
            note: of(Severity::Note),
        }
    }

    /// All rules of a check and those of other findings, by code.
    pub(crate) fn rules(&self) -> Vec<&'static Rule> {
        let found = self.findings.iter().filter_map(|f| rule(f.rule));
        let mut rules: Vec<&Rule> = rules().chain(found).collect();
        rules.sort_by_key(|r| r.code);
        rules.dedup_by_key(|r| r.code);
        rules
    }

    /// Whether there is a finding of this severity or above.
    pub fn fails(&self, at: Severity) -> bool {
        self.findings.iter().any(|f| f.severity >= at)
    }
}
