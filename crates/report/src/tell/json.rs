//! Findings as one JSON object, `docs/check.schema.json`; and what a baseline of that form knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{fingerprints, portable};
use crate::{Counts, Finding, NotRun, Report, Severity};

/// The version of the object: its keys keep their meaning within it.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Told<'a> {
    schema: u32,
    file: String,
    counts: Counts,
    ignored: usize,
    known: usize,
    left_out: usize,
    findings: Vec<ToldFinding<'a>>,
    not_run: &'a [NotRun],
}

#[derive(Serialize)]
struct ToldFinding<'a> {
    rule: &'a str,
    severity: Severity,
    message: &'a str,
    place: Option<[f64; 3]>,
    agent: Option<&'a str>,
    names: &'a [String],
    figures: BTreeMap<&'a str, f64>,
    shape: &'a [[f64; 3]],
    fingerprint: String,
}

/// The report as one line of JSON.
pub fn json(report: &Report, file: &str) -> String {
    let prints = fingerprints(&report.findings);
    let told = Told {
        schema: SCHEMA,
        file: portable(file),
        counts: report.counts(),
        ignored: report.ignored,
        known: report.known,
        left_out: report.left_out,
        findings: report.findings.iter().zip(prints).map(told_of).collect(),
        not_run: &report.not_run,
    };
    // Strings and finite numbers, which serialise.
    let mut text = serde_json::to_string(&told).unwrap_or_default();
    text.push('\n');
    text
}

fn told_of((finding, fingerprint): (&Finding, String)) -> ToldFinding<'_> {
    ToldFinding {
        rule: finding.rule,
        severity: finding.severity,
        message: &finding.message,
        place: finding.place,
        agent: finding.agent.as_deref(),
        names: &finding.names,
        figures: finding.figures.iter().map(|f| (f.name, f.value)).collect(),
        shape: &finding.shape,
        fingerprint,
    }
}

/// What a baseline knows of one finding.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Known {
    rule: String,
    place: Option<[f64; 3]>,
    agent: Option<String>,
    #[serde(default)]
    names: Vec<String>,
}

#[derive(Deserialize)]
struct Baseline {
    schema: u32,
    findings: Vec<Known>,
}

/// Reads a baseline: what `navbake check --format json` printed before.
///
/// # Errors
/// When it is not that; the message names line and column.
pub fn known_from(text: &str) -> Result<Vec<Known>, String> {
    let cure = "make it anew with `navbake check --format json`";
    let baseline: Baseline =
        serde_json::from_str(text).map_err(|e| format!("it is not a baseline: {e}; {cure}"))?;
    match baseline.schema {
        SCHEMA => Ok(baseline.findings),
        other => Err(format!(
            "its schema is {other}, and this version reads {SCHEMA}; {cure}"
        )),
    }
}

/// How far a finding may have moved to be the same, m.
const NEAR: f64 = 1.0;

impl Known {
    /// How far a finding of the same kind lies from it; `None` for one of another kind.
    fn away(&self, finding: &Finding) -> Option<f64> {
        let same =
            self.rule == finding.rule && self.agent == finding.agent && self.names == finding.names;
        let away = match (self.place, finding.place) {
            (None, None) => 0.0,
            (Some(a), Some(b)) => (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt(),
            _ => return None,
        };
        (same && away <= NEAR).then_some(away)
    }
}

impl Report {
    /// Leaves out what a baseline knows, each of its findings at most once, the nearest first.
    pub fn without(&mut self, mut known: Vec<Known>) {
        let before = self.findings.len();
        self.findings.retain(|finding| {
            let near = known.iter().enumerate();
            let near = near.filter_map(|(i, k)| Some((k.away(finding)?, i)));
            match near.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((_, i)) => {
                    known.remove(i);
                    false
                }
                None => true,
            }
        });
        self.known += before - self.findings.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(places: &[f64]) -> Report {
        let at = |&x: &f64| Finding::new("sliver", format!("at {x}")).at([x, 0.0, 0.0]);
        Report {
            findings: places.iter().map(at).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn a_baseline_hides_what_it_knows_and_nothing_else() {
        let baseline = json(&report(&[1.0, 5.0]), "a.nav");
        let mut now = report(&[1.2, 1.4, 5.0, 9.0]);
        now.without(known_from(&baseline).unwrap());
        let left: Vec<&str> = now.findings.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(left, ["at 1.4", "at 9"]);
        assert_eq!(now.known, 2);
    }

    #[test]
    fn what_is_no_baseline_is_refused_with_its_place() {
        for text in ["", "{}", "[1]", "{\"schema\": 1}"] {
            let fault = known_from(text).unwrap_err();
            assert!(
                fault.contains("line") && fault.contains("--format json"),
                "{fault}"
            );
        }
        let fault = known_from("{\"schema\": 9, \"findings\": []}").unwrap_err();
        assert!(fault.contains("schema is 9"), "{fault}");
    }
}
