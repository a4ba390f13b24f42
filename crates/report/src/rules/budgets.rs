//! Sizes that were not to be exceeded.

use navbake_format::Section;

use super::Found;
use crate::{Finding, Settings, Subject};

pub(super) fn budgets(subject: &Subject<'_>, settings: &Settings, found: &mut Found) {
    let check = &settings.check;
    let classes = 0..subject.blob.class_count();
    let meshes = classes.filter_map(|class| subject.blob.decode(class));
    let polygons: u64 = meshes
        .map(|nav| u64::from(nav.mesh().polygon_count()))
        .sum();
    let tables = Section::LABELS..=Section::TURN_DISTANCES;
    let blob = subject.blob.blob();
    let sections = blob.sections().filter(|s| tables.contains(&s.section));
    let of_tables: u64 = sections.map(|s| s.len()).sum();
    let bytes = subject.blob.header().total_len;
    for (rule, what, value, most) in [
        (
            "polygons-over-budget",
            "the navmeshes have {} polygons",
            polygons,
            check.max_polygons,
        ),
        (
            "file-over-budget",
            "the file has {} bytes",
            bytes,
            check.max_bytes,
        ),
        (
            "tables-over-budget",
            "the tables have {} bytes",
            of_tables,
            check.max_table_bytes,
        ),
    ] {
        let Some(most) = most.filter(|&most| value > most) else {
            continue;
        };
        let what = what.replace("{}", &value.to_string());
        let message = format!(
            "{what}; the budget is {most}, so that {} are too many",
            value - most
        );
        let finding = Finding::new(rule, message);
        found.add(
            finding
                .figure("found", value as f64)
                .figure("most", most as f64),
        );
    }
}
