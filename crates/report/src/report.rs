//! What came out of looking at a level.

use serde::Serialize;

use crate::{Finding, Rule, Settings, Severity, rule, rules, sort};

/// What came out of looking at a level.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What was found and is to be told, sorted.
    pub findings: Vec<Finding>,
    /// Rules that could not be looked at, and why, by code.
    pub not_run: Vec<NotRun>,
    /// How many findings the config says to ignore.
    pub ignored: usize,
    /// How many findings the baseline knows.
    pub known: usize,
    /// How many more things the baker noticed than it wrote down.
    pub left_out: usize,
    /// The ways of `must_reach` that lead there, in the order in which they are asked for: what a later check compares its own with.
    pub ways: Vec<Walked>,
}

/// A way that leads from one place to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// Where it begins, as the config names it.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Who walks it.
    pub agent: String,
    /// How long it is, m along the ground.
    pub length_m: f64,
    /// Its end, y-up metres.
    #[serde(skip)]
    pub place: [f64; 3],
    /// Its points, y-up metres.
    #[serde(skip)]
    pub points: Vec<[f64; 3]>,
}

/// A rule that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotRun {
    /// Its code.
    pub rule: &'static str,
    /// What is missing, and how to bring it.
    pub why: String,
}

/// How many findings of each kind.
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
    /// Findings as rules gave them, weighed as the settings say, sorted.
    pub(crate) fn of(found: Vec<Finding>, mut not_run: Vec<NotRun>, settings: &Settings) -> Report {
        let mut report = Report::default();
        report.add(found, settings);
        not_run.retain(|n| settings.is_on(n.rule));
        not_run.sort();
        not_run.dedup();
        report.not_run = not_run;
        report
    }

    /// Adds findings, such as those of an [audit](crate::audit), weighed as the settings say.
    pub fn add(&mut self, found: Vec<Finding>, settings: &Settings) {
        for mut finding in found {
            let Some(severity) = settings.severity(finding.rule) else {
                continue;
            };
            finding.severity = severity;
            if settings.is_ignored(&finding) {
                self.ignored += 1;
            } else {
                self.findings.push(finding);
            }
        }
        sort(&mut self.findings);
        self.findings.dedup();
    }

    /// How many there are of each severity.
    pub fn counts(&self) -> Counts {
        let of = |s| self.findings.iter().filter(|f| f.severity == s).count();
        Counts {
            error: of(Severity::Error),
            warning: of(Severity::Warning),
            note: of(Severity::Note),
        }
    }

    /// All rules of a check, and those of other findings that are in it, by code.
    pub(crate) fn rules(&self) -> Vec<&'static Rule> {
        let found = self.findings.iter().filter_map(|f| rule(f.rule));
        let mut rules: Vec<&Rule> = rules().chain(found).collect();
        rules.sort_by_key(|r| r.code);
        rules.dedup_by_key(|r| r.code);
        rules
    }

    /// Is there anything as bad as this, or worse?
    pub fn fails(&self, at: Severity) -> bool {
        self.findings.iter().any(|f| f.severity >= at)
    }
}
