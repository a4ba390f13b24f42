//! Findings as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).
//!
//! Code hosts show SARIF beside changes.

use serde_json::{Value, json};

use super::{fingerprints, portable};
use crate::subject::point;
use crate::{Finding, Report, Rule};

/// The report as a SARIF log.
pub fn sarif(report: &Report, file: &str) -> String {
    let uri = encode(&portable(file));
    let known = report.rules();
    let rules: Vec<Value> = known
        .iter()
        .map(|r| {
            json!({
                "id": r.code,
                "shortDescription": { "text": r.finds },
                "help": { "text": r.cure },
                "defaultConfiguration": { "level": r.severity.name() },
            })
        })
        .collect();
    let prints = fingerprints(&report.findings);
    let printed = report.findings.iter().zip(prints);
    let results: Vec<Value> = printed.map(|(f, print)| result(f, &print, &uri, &known)).collect();
    let not_run: Vec<Value> = report
        .not_run
        .iter()
        .map(|n| {
            json!({
                "level": "note",
                "message": { "text": format!("not run: {}", n.why) },
                "associatedRule": { "id": n.rule },
            })
        })
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "navbake",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": true,
                "toolConfigurationNotifications": not_run,
            }],
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn result(finding: &Finding, print: &str, uri: &str, rules: &[&Rule]) -> Value {
    let index = rules.iter().position(|r| r.code == finding.rule);
    let mut text = finding.message.clone();
    if let Some(agent) = &finding.agent {
        text = format!("{agent}: {text}");
    }
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri } } });
    if let Some(place) = finding.place {
        text = format!("{text}, at {}", point(place));
        location["logicalLocations"] =
            json!([{ "fullyQualifiedName": point(place), "kind": "place" }]);
    }
    if !finding.objects.is_empty() {
        let all = location["logicalLocations"].as_array().cloned().unwrap_or_default();
        let objects = finding
            .objects
            .iter()
            .map(|o| json!({ "name": o.name(), "fullyQualifiedName": o.node, "kind": "object" }));
        location["logicalLocations"] = all.into_iter().chain(objects).collect();
    }
    let figures = finding.figures.iter().map(|f| (f.name.to_owned(), json!(f.value)));
    json!({
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": finding.severity.name(),
        "message": { "text": text },
        "locations": [location],
        "partialFingerprints": { "navbake/v1": print },
        "properties": {
            "place": finding.place,
            "agent": finding.agent,
            "names": finding.names,
            "objects": finding.objects,
            "figures": Value::Object(figures.collect()),
        },
    })
}

/// A relative path as a URI reference (RFC 3986).
///
/// All bytes are percent-encoded except unreserved characters and slashes.
fn encode(path: &str) -> String {
    let mut out = String::new();
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        assert_eq!(encode("levels/my hall#1:2.glb"), "levels/my%20hall%231%3A2.glb");
    }
}
