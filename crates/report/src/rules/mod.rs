//! The rules of a check, one file for each topic.
//!
//! To add a rule, write `rules/x.rs` with its `RULES` and add the file to this one: `mod x;` and a
//! line in [`ALL`]. [`Settings`] decides whether it runs and with which severity. docs/rules.md is
//! generated from the table.

mod budgets;
pub(crate) mod found;
pub(crate) mod islands;
mod nearest;
mod noticed;
pub(crate) mod passages;
mod shapes;
mod switches;
mod ways;

use navbake_format::CheckedBlob;

use crate::report::Report;
use crate::rule::Rule;
use crate::settings::Settings;
use crate::subject::{Meshes, Subject};
use found::Found;

/// All rules of a check, by file.
pub(crate) const ALL: &[&[Rule]] = &[
    budgets::RULES,
    islands::RULES,
    noticed::RULES,
    passages::RULES,
    shapes::RULES,
    switches::RULES,
    ways::RULES,
    crate::why::RULES,
];

/// Checks a blob against all rules that are on.
pub fn check(blob: CheckedBlob<'_>, settings: &Settings) -> Report {
    check_decoded(blob, &Meshes::of(&blob), settings)
}

/// The same for a blob whose navmeshes are decoded already.
pub fn check_decoded(blob: CheckedBlob<'_>, meshes: &Meshes, settings: &Settings) -> Report {
    let subject = Subject::new(blob, meshes);
    let mut found = Found::default();
    for run in ALL.iter().copied().flatten().filter_map(|rule| rule.run) {
        run(&subject, settings, &mut found);
    }
    let mut report = Report::of(found.findings, found.not_run, settings);
    report.ways = found.ways;
    let diagnostics = subject.blob.findings();
    report.left_out = diagnostics.map_or(0, |known| known.left_out() as usize);
    report
}
