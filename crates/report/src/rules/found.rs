//! The findings of the rules of a check.

use serde::Serialize;

use crate::finding::Finding;

/// A path of `must_reach`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// The name of its start in the config.
    pub from: String,
    /// The name of its end.
    pub to: String,
    /// The agent.
    pub agent: String,
    /// Its length, m along the ground.
    pub length_m: f64,
    /// Its end, y-up metres.
    #[serde(skip)]
    pub place: [f64; 3],
    /// Its points, y-up metres.
    #[serde(skip)]
    pub points: Vec<[f64; 3]>,
}

/// A rule that could not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotRun {
    /// Its code.
    pub rule: &'static str,
    /// What is missing, and how to provide it.
    pub why: String,
}

/// The results of the rules that have run.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) findings: Vec<Finding>,
    pub(crate) not_run: Vec<NotRun>,
    pub(crate) ways: Vec<Walked>,
}

impl Found {
    pub(super) fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    pub(super) fn not_run(&mut self, rule: &'static str, why: impl Into<String>) {
        let why = why.into();
        self.not_run.push(NotRun { rule, why });
    }
}
