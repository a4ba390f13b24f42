//! Reports hold to their schemas, whatever is in the level, and are the same bytes for the same
//! level.

use std::process::Command;

use crate::schema::faults;
use crate::support::{Level, report};
use navbake_format::Blob;
use navbake_report::{Severity, html, json, junit, sarif, text};
use serde_json::Value;

/// Text that would do harm where it is not escaped.
const EVIL: &str = "</script><img src=x onerror=alert(1)>\u{1}\"'&\u{2028}";

const CONFIG: &str = r#"
[rooms]
enabled = true
[check]
starts = ["a"]
on_ground = ["*"]
door_width = 2.0
widths = [2.0]
severity = { "marker-off-mesh" = "warning", "unreachable" = "note" }
must_reach = [["a", "far"], ["a", "nowhere"]]
"#;

/// A level with findings of all severities and names that would do harm.
fn level() -> Level {
    let mut level = Level::hall();
    level.wall_with_doorway(1.95);
    level.floor([30.0, 0.0], [40.0, 10.0], 0.0);
    level.marker("far", [35.0, 0.0, 5.0]);
    level.marker(EVIL, [25.0, 0.0, 5.0]);
    level
}

fn printed() -> Vec<String> {
    let bytes = level().bake(CONFIG);
    let found = report(&bytes, CONFIG);
    let counts = found.counts();
    assert!(counts.error > 0 && counts.warning > 0 && counts.note > 0, "{counts:?}");
    let file = "levels/<a & \"b\">.nav";
    vec![
        sarif(&found, file),
        json(&found, file),
        junit(&found, file, Severity::Warning),
        html(&found, Blob::open_checked(&bytes).unwrap(), file, None),
        text(&found, file, true),
    ]
}

fn holds(schema: &str, instance: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let instance: Value = serde_json::from_str(instance).unwrap();
    let faults = faults(&schema, &instance);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn sarif_holds_to_the_official_schema() {
    // The schema has a pattern with a bracket too many, of `language`, which these reports do not
    // have: strict readers refuse it.
    let official = include_str!("../schemas/sarif-2.1.0.json");
    let schema = official.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    holds(&schema, &printed()[0]);
    let not_run = Level::hall().report("findings = false");
    assert!(!not_run.not_run.is_empty());
    holds(&schema, &sarif(&not_run, "a.nav"));
}

#[test]
fn json_holds_to_its_published_schema() {
    let schema = include_str!("../../../../docs/schemas/check.schema.json");
    holds(schema, &printed()[1]);
    let instance: Value = serde_json::from_str(&printed()[1]).unwrap();
    let bare: Value = serde_json::json!({ "schema": 1, "findings": [] });
    let schema: Value = serde_json::from_str(schema).unwrap();
    assert!(faults(&schema, &instance).is_empty() && !faults(&schema, &bare).is_empty());
}

#[test]
fn junit_holds_to_the_schema_of_those_who_read_it() {
    let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schemas/junit-10.xsd");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("junit.xml");
    std::fs::write(&file, &printed()[2]).unwrap();
    let ran = Command::new("xmllint").args(["--noout", "--schema", schema]).arg(&file).output();
    match ran {
        Ok(ran) => assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr)),
        Err(error) => eprintln!("skipped: xmllint (Debian: libxml2-utils) cannot be run: {error}"),
    }
    let report = &printed()[2];
    assert!(report.contains("<failure type=\"marker-missing\""), "{report}");
    assert!(!report.contains("<img"), "{report}");
}

#[test]
fn the_page_takes_nothing_in_the_level_for_markup() {
    let page = &printed()[3];
    assert!(!page.contains("<img"), "a name became an element");
    assert_eq!(page.matches("</script>").count(), 15, "a name ended a script");
    assert!(page.contains("\\u003cimg src=x onerror=alert(1)\\u003e"), "the name is in the page");
    assert!(
        page.contains("&lt;a &amp; &quot;b&quot;&gt;.nav")
            || page.contains("&lt;a &amp; &#34;b&#34;&gt;.nav")
    );
    for outside in ["src=\"http", "href=\"http", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn the_same_level_gives_the_same_bytes_in_every_form() {
    let (first, second) = (printed(), printed());
    assert_eq!(first, second);
    for printed in first {
        assert!(!printed.contains(env!("CARGO_MANIFEST_DIR")));
    }
}

#[test]
fn the_worst_is_reported_first_and_a_few_of_many() {
    let text = &printed()[4];
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(at("error marker-missing") < at("warning marker-off-mesh"));
    assert!(at("warning marker-off-mesh") < at("note unreachable"));
    assert!(text.contains("cure: "), "{text}");
}
