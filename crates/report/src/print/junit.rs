//! Findings as JUnit XML, as read by Jenkins, GitLab and others.
//!
//! Each rule is a test.

use std::fmt::Write;

use navbake_draw::escape;

use super::portable;
use crate::subject::point;
use crate::{Finding, Report, Severity};

/// The report as JUnit XML.
///
/// Each rule is a test. It fails if it has a finding at least as severe as `fail_on`.
pub fn junit(report: &Report, file: &str, fail_on: Severity) -> String {
    let file = escape(&portable(file));
    let (mut failures, mut skipped) = (0, 0);
    let mut cases = String::new();
    let rules = report.rules();
    for rule in &rules {
        let own: Vec<&Finding> = report.findings.iter().filter(|f| f.rule == rule.code).collect();
        let why = report.not_run.iter().find(|n| n.rule == rule.code);
        let _ = write!(cases, "    <testcase name=\"{}\" classname=\"{file}\"", rule.code);
        let is_bad = own.iter().any(|f| f.severity >= fail_on);
        let mut inside = String::new();
        let lines: String = own.iter().map(|f| line(f)).collect();
        if is_bad {
            failures += 1;
            let message = escape(&format!("{} ({} found)", rule.finds, own.len()));
            let _ = writeln!(
                inside,
                "      <failure type=\"{}\" message=\"{message}\">{}{}</failure>",
                rule.code,
                escape(&lines),
                escape(rule.cure)
            );
        } else if let Some(why) = why {
            skipped += 1;
            let _ = writeln!(inside, "      <skipped message=\"{}\"/>", escape(&why.why));
        }
        if !is_bad && !own.is_empty() {
            let _ = writeln!(inside, "      <system-out>{}</system-out>", escape(&lines));
        }
        match inside.is_empty() {
            true => cases.push_str("/>\n"),
            false => {
                let _ = write!(cases, ">\n{inside}    </testcase>\n");
            }
        }
    }
    let tests = rules.len();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"navbake check {file}\" tests=\"{tests}\" failures=\"{failures}\" \
         errors=\"0\" skipped=\"{skipped}\">\n{cases}  </testsuite>\n</testsuites>\n"
    )
}

fn line(finding: &Finding) -> String {
    let place = finding.place.map_or(String::new(), |p| format!("{} ", point(p)));
    let agent = (finding.agent.as_ref()).map_or(String::new(), |a| format!("{a}: "));
    format!("{}: {place}{agent}{}\n", finding.severity, finding.message)
}
