//! Findings for a terminal: the most important first, grouped by rule.

use std::fmt::Write;

use super::portable;
use crate::subject::point;
use crate::{NotRun, Report, rule};

/// Number of findings shown for a rule, unless `all` are requested.
const SHOWN: usize = 12;

/// The report as lines of text.
///
/// It shows a few findings of each rule unless `all` is set.
pub fn text(report: &Report, file: &str, all: bool) -> String {
    let mut out = String::new();
    let mut rest = &report.findings[..];
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|f| f.rule == first.rule && f.severity == first.severity);
        let (own, others) = rest.split_at(same.count());
        let known = rule(first.rule);
        let finds = known.map_or("", |r| r.finds);
        let _ = writeln!(out, "{} {}: {finds}", first.severity, first.rule);
        let shown = if all { own.len() } else { SHOWN };
        for finding in own.iter().take(shown) {
            let place = finding.place.map_or(String::new(), |p| format!("{} ", point(p)));
            let agent = (finding.agent.as_ref()).map_or(String::new(), |a| format!("{a}: "));
            let _ = writeln!(out, "  {place}{agent}{}", finding.message);
        }
        if own.len() > shown {
            let _ = writeln!(out, "  .. and {} more (-v prints all)", own.len() - shown);
        }
        let _ = writeln!(out, "  cure: {}\n", known.map_or("", |r| r.cure));
        rest = others;
    }
    let mut not_run: Vec<&NotRun> = report.not_run.iter().collect();
    not_run.sort_by_key(|n| &n.why);
    for same in not_run.chunk_by(|a, b| a.why == b.why) {
        let rules: Vec<&str> = same.iter().map(|n| n.rule).collect();
        let _ = writeln!(out, "not run: {}: {}", rules.join(", "), same[0].why);
    }
    let counts = report.counts();
    let many = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let _ = write!(
        out,
        "{}: {}, {}, {}",
        portable(file),
        many(counts.error, "error"),
        many(counts.warning, "warning"),
        many(counts.note, "note")
    );
    for (count, what) in [
        (report.known, "known from the baseline"),
        (report.ignored, "ignored"),
        (report.left_out, "more diagnostics than the blob stores"),
    ] {
        if count > 0 {
            let _ = write!(out, "; {count} {what}");
        }
    }
    out.push('\n');
    out
}
