//! Findings as one JSON object; its schema is `docs/schemas/check.schema.json`.
//!
//! A later check reads it as its [baseline](super::baseline).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{fingerprints, portable};
use crate::{Counts, Finding, NotRun, Object, Report, Severity, Walked};

/// The version of the object. Within a version its keys keep their meaning.
pub(super) const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    file: String,
    counts: Counts,
    ignored: usize,
    known: usize,
    left_out: usize,
    findings: Vec<FindingRow<'a>>,
    not_run: &'a [NotRun],
    ways: &'a [Walked],
}

#[derive(Serialize)]
struct FindingRow<'a> {
    rule: &'a str,
    severity: Severity,
    message: &'a str,
    place: Option<[f64; 3]>,
    agent: Option<&'a str>,
    names: &'a [String],
    objects: &'a [Object],
    figures: BTreeMap<&'a str, f64>,
    shape: &'a [[f64; 3]],
    fingerprint: String,
}

/// The report as one line of JSON.
pub fn json(report: &Report, file: &str) -> String {
    let prints = fingerprints(&report.findings);
    let printed = Document {
        schema: SCHEMA,
        file: portable(file),
        counts: report.counts(),
        ignored: report.ignored,
        known: report.known,
        left_out: report.left_out,
        findings: report.findings.iter().zip(prints).map(finding_row).collect(),
        not_run: &report.not_run,
        ways: &report.ways,
    };
    // The object has only strings and finite numbers, so it always serialises.
    let mut text = serde_json::to_string(&printed).unwrap_or_default();
    text.push('\n');
    text
}

fn finding_row((finding, fingerprint): (&Finding, String)) -> FindingRow<'_> {
    FindingRow {
        rule: finding.rule,
        severity: finding.severity,
        message: &finding.message,
        place: finding.place,
        agent: finding.agent.as_deref(),
        names: &finding.names,
        objects: &finding.objects,
        figures: finding.figures.iter().map(|f| (f.name, f.value)).collect(),
        shape: &finding.shape,
        fingerprint,
    }
}
