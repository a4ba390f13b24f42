//! Budgets of size.

use navbake_format::Section;

use super::found::Found;
use crate::{Finding, Rule, Settings, Severity, Subject};

/// The rules of this file.
pub(super) const RULES: &[Rule] = &[
    Rule {
        code: "file-over-budget",
        severity: Severity::Error,
        finds: "The blob is larger than `max_bytes`.",
        cure: "Bake fewer agents or tables, raise `min_region` or `height_error`, or raise the budget.",
        options: &["max_bytes"],
        run: Some(budgets),
    },
    Rule {
        code: "polygons-over-budget",
        severity: Severity::Error,
        finds: "The navmeshes have more polygons than `max_polygons`.",
        cure: "Raise `height_error` or `min_region`, give details the role `ignored`, or raise the budget.",
        options: &["max_polygons"],
        run: None,
    },
    Rule {
        code: "tables-over-budget",
        severity: Severity::Error,
        finds: "The tables of the blob are larger than `max_table_bytes`.",
        cure: "Set `tables.budget` to a size, or raise the budget.",
        options: &["max_table_bytes"],
        run: None,
    },
];

pub(super) fn budgets(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let check = &settings.check;
    let polygons: u64 = subject.of_meshes().map(|w| u64::from(w.mesh.polygon_count())).sum();
    let tables = Section::LABELS..=Section::TURN_DISTANCES;
    let blob = subject.blob.blob();
    let sections = blob.sections().filter(|s| tables.contains(&s.section));
    let of_tables: u64 = sections.map(|s| s.len()).sum();
    let bytes = subject.blob.header().total_len;
    for (rule, what, value, most) in [
        ("polygons-over-budget", "the navmeshes have {} polygons", polygons, check.max_polygons),
        ("file-over-budget", "the file has {} bytes", bytes, check.max_bytes),
        ("tables-over-budget", "the tables have {} bytes", of_tables, check.max_table_bytes),
    ] {
        let Some(most) = most.filter(|&most| value > most) else {
            continue;
        };
        let what = what.replace("{}", &value.to_string());
        let message = format!("{what}, {} above the budget of {most}", value - most);
        let finding = Finding::new(rule, message);
        found.add(finding.figure("found", value as f64).figure("most", most as f64));
    }
}
